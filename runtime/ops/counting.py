"""Counting: distinct values, bins, histograms, confusion matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.registry import NO_GRADIENT, Spec, define, gradient
from runtime.ops.shaping import int_argument
from runtime.shapes import UNKNOWN, TensorShape
from runtime.tensor import Tensor


class Unique(NamedTuple):
    """What `unique` gives."""

    y: Tensor
    idx: Tensor


class UniqueWithCounts(NamedTuple):
    """What `unique_with_counts` gives."""

    y: Tensor
    idx: Tensor
    count: Tensor  # type: ignore[assignment]


def _distinct(x: Any) -> tuple[Any, Any, Any]:
    """Distinct values in order of appearance, the number of each element's, and counts."""
    values, first, inverse, counts = np.unique(
        x, return_index=True, return_inverse=True, return_counts=True
    )
    order = np.argsort(first, kind="stable")
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    return values[order], number[inverse.reshape(-1)], counts[order]


def _unique_kernel(x: Any, out_idx: Any, counted: bool = False) -> Any:
    values, numbers, counts = _distinct(x)
    wide = out_idx.np_dtype
    made = (values, numbers.astype(wide), counts.astype(wide))
    return made if counted else made[:2]


def _unique_rule(inputs: Any, attrs: Any) -> list[Spec]:
    shape = inputs[0].shape
    if shape.rank not in (None, 1):
        raise ValueError(f"unique takes a vector, found shape {shape}")
    some = TensorShape((None,))
    made = [Spec(inputs[0].dtype, some), Spec(attrs["out_idx"], shape.with_rank(1))]
    return [*made, Spec(attrs["out_idx"], some)] if attrs.get("counted") else made


UNIQUE = define("Unique", kernel=_unique_kernel, infer=_unique_rule, gradient=NO_GRADIENT)


def unique(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Unique:
    """The distinct values of a vector, in order of appearance.

    Args:
      x: a vector.
      out_idx: int32 or int64, the dtype of `idx`.
      name: the operation's name in a graph.

    Returns:
      `y`, the values, and `idx`, which has for each element of `x` its place in `y`.

    >>> import autograph_lite as ag
    >>> y, idx = ag.unique([30, 10, 30])
    >>> y.numpy().tolist(), idx.numpy().tolist()
    ([30, 10], [0, 1, 0])
    """
    tensor = _vector(x)
    return Unique(*apply(UNIQUE, (tensor,), {"out_idx": as_dtype(out_idx)}, name))


def unique_with_counts(
    x: Any, out_idx: Any = dtypes.int32, name: str | None = None
) -> UniqueWithCounts:
    """The distinct values of a vector, in order of appearance, and how often each appears.

    Args:
      x: a vector.
      out_idx: int32 or int64, the dtype of `idx` and `count`.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.unique_with_counts([30, 10, 30]).count.numpy().tolist()
    [2, 1]
    """
    attrs = {"out_idx": as_dtype(out_idx), "counted": True}
    return UniqueWithCounts(*apply(UNIQUE, (_vector(x),), attrs, name))


def _vector(x: Any) -> Tensor:
    tensor = convert_to_tensor(x)
    if tensor.shape.rank not in (None, 1):
        raise ValueError(f"unique takes a vector, found shape {tensor.shape}")
    return tensor


# ---- bins


def _bincount_row(values: Any, weights: Any, size: int, dtype: Any, binary: bool) -> Any:
    inside = values < size
    values = values[inside]
    made = np.zeros(size, dtype)
    if binary:
        made[values] = 1
    elif weights is None:
        made += np.bincount(values, minlength=size).astype(dtype)
    else:
        np.add.at(made, values, weights[inside])
    return made


def _bincount_kernel(
    values: Any,
    weights: Any = None,
    *,
    minlength: int | None,
    maxlength: int | None,
    dtype: Any,
    axis: int | None,
    binary_output: bool,
) -> Any:
    if values.size and values.min() < 0:
        raise ValueError("bincount takes integers that are not negative")
    size = max(int(values.max()) + 1 if values.size else 0, minlength or 0)
    size = size if maxlength is None else min(size, maxlength)
    wanted = dtype.np_dtype
    if axis is None or values.ndim < 2:
        flat = None if weights is None else np.ravel(weights)
        return _bincount_row(np.ravel(values), flat, size, wanted, binary_output)
    made = np.zeros((len(values), size), wanted)
    for row, out in enumerate(made):
        given = None if weights is None else weights[row]
        out[:] = _bincount_row(values[row], given, size, wanted, binary_output)
    return made


def _bincount_rule(inputs: Any, attrs: Any) -> Spec:
    shape, low, high = inputs[0].shape, attrs["minlength"], attrs["maxlength"]
    size = low if low is not None and low == high else None
    if attrs["axis"] is None or shape.rank in (0, 1):
        return Spec(attrs["dtype"], TensorShape((size,)))
    if shape.rank is None:
        return Spec(attrs["dtype"], UNKNOWN)
    return Spec(attrs["dtype"], TensorShape((shape[0], size)))


BINCOUNT = define("Bincount", kernel=_bincount_kernel, infer=_bincount_rule)


@gradient(BINCOUNT)
def _(op: Any, dy: Tensor) -> Any:
    if len(op.inputs) == 1:
        return (None,)
    from runtime.ops.gathering import gather, where
    from runtime.ops.gradients_support import masked
    from runtime.ops.shaping import size

    values = op.inputs[0]
    if op.attrs["axis"] is not None and op.inputs[0].shape.rank != 1:
        raise LookupError("bincount along an axis has no gradient for its weights")
    inside = values < size(dy)
    safe = where(inside, values, cast(0, values.dtype))
    return None, masked(inside, gather(dy, safe))


def bincount(
    arr: Any,
    weights: Any = None,
    minlength: Any = None,
    maxlength: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
    axis: int | None = None,
    binary_output: bool = False,
) -> Tensor:
    """How often each integer appears: element `i` of the result counts `i`.

    Args:
      arr: integers that are not negative.
      weights: what each element counts, instead of 1; of the shape of `arr`.
      minlength: the least length of the result.
      maxlength: its greatest; larger integers are not counted.
      dtype: the dtype of the counts, when there are no weights.
      name: the operation's name in a graph.
      axis: -1 counts each row of a matrix apart; by default all is counted together.
      binary_output: whether to tell only which integers appear.

    >>> import autograph_lite as ag
    >>> ag.math.bincount([1, 1, 3]).numpy().tolist()
    [0, 2, 0, 1]
    """
    if axis not in (None, 0, -1):
        raise ValueError(f"bincount takes axis None, 0 or -1, found {axis}")
    values = convert_to_tensor(arr)
    if not values.dtype.is_integer:
        raise TypeError(f"bincount takes integers, found {values.dtype.name}")
    given = () if weights is None else (convert_to_tensor(weights),)
    attrs = {
        "minlength": None if minlength is None else int_argument(minlength, "minlength"),
        "maxlength": None if maxlength is None else int_argument(maxlength, "maxlength"),
        "dtype": given[0].dtype if given else as_dtype(dtype),
        "axis": None if axis == 0 else axis,
        "binary_output": bool(binary_output),
    }
    return apply(BINCOUNT, (values, *given), attrs, name)


def _bins_kernel(values: Any, bounds: Any, nbins: int, dtype: Any) -> Any:
    low, high = bounds
    if not low < high:
        raise ValueError(f"value_range must be [low, high] with low < high, found {bounds}")
    scaled = np.floor((values - low) / (high - low) * nbins)
    return np.clip(scaled, 0, nbins - 1).astype(dtype.np_dtype)


HISTOGRAM_BINS = define(
    "HistogramBins",
    kernel=_bins_kernel,
    infer=lambda inputs, attrs: Spec(attrs["dtype"], inputs[0].shape),
    gradient=NO_GRADIENT,
)
HISTOGRAM = define(
    "HistogramFixedWidth",
    kernel=lambda values, bounds, nbins, dtype: np.bincount(
        np.ravel(_bins_kernel(values, bounds, nbins, dtypes.int64)), minlength=nbins
    ).astype(dtype.np_dtype),
    infer=lambda inputs, attrs: Spec(attrs["dtype"], TensorShape((attrs["nbins"],))),
    gradient=NO_GRADIENT,
)


def histogram_fixed_width_bins(
    values: Any,
    value_range: Any,
    nbins: Any = 100,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """The bin of each value: the range is cut into `nbins` of equal width.

    Args:
      values: numbers.
      value_range: [low, high]; what lies outside goes into the first or the last bin.
      nbins: how many bins.
      dtype: the dtype of the result.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.histogram_fixed_width_bins([-1.0, 1.0, 9.0], [0.0, 4.0], nbins=2).numpy().tolist()
    [0, 0, 1]
    """
    x = convert_to_tensor(values)
    attrs = {"nbins": int_argument(nbins, "nbins"), "dtype": as_dtype(dtype)}
    return apply(HISTOGRAM_BINS, (x, convert_to_tensor(value_range, x.dtype)), attrs, name)


def histogram_fixed_width(
    values: Any,
    value_range: Any,
    nbins: Any = 100,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """How many values fall into each of `nbins` bins of equal width.

    Args:
      values: numbers.
      value_range: [low, high]; what lies outside goes into the first or the last bin.
      nbins: how many bins.
      dtype: int32 or int64.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.histogram_fixed_width([-1.0, 1.0, 9.0], [0.0, 4.0], nbins=2).numpy().tolist()
    [2, 1]
    """
    x = convert_to_tensor(values)
    attrs = {"nbins": int_argument(nbins, "nbins"), "dtype": as_dtype(dtype)}
    return apply(HISTOGRAM, (x, convert_to_tensor(value_range, x.dtype)), attrs, name)


def _confusion_kernel(
    labels: Any, predictions: Any, weights: Any = None, *, num_classes: int | None, dtype: Any
) -> Any:
    both = np.concatenate((labels, predictions)) if labels.size else np.zeros(1, labels.dtype)
    if both.min() < 0:
        raise ValueError("confusion_matrix takes class numbers that are not negative")
    size = int(both.max()) + 1 if num_classes is None else num_classes
    if both.max() >= size:
        raise ValueError(f"class {both.max()} is out of range for num_classes={size}")
    made = np.zeros((size, size), dtype.np_dtype)
    each = 1 if weights is None else weights.astype(dtype.np_dtype)
    np.add.at(made, (labels, predictions), each)
    return made


CONFUSION = define(
    "ConfusionMatrix",
    kernel=_confusion_kernel,
    infer=lambda inputs, attrs: Spec(
        attrs["dtype"], TensorShape((attrs["num_classes"], attrs["num_classes"]))
    ),
    gradient=NO_GRADIENT,
)


def confusion_matrix(
    labels: Any,
    predictions: Any,
    num_classes: Any = None,
    weights: Any = None,
    dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """How often each class (row) was taken for each class (column).

    Args:
      labels: a vector of true class numbers.
      predictions: a vector of predicted class numbers.
      num_classes: how many classes; one more than the greatest number by default.
      weights: what each pair counts, instead of 1.
      dtype: the dtype of the counts.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.math.confusion_matrix([1, 0, 1], [1, 0, 0]).numpy().tolist()
    [[1, 0], [1, 1]]
    """
    given = [_class_numbers(labels), _class_numbers(predictions)]
    if weights is not None:
        given.append(convert_to_tensor(weights))
    attrs = {
        "num_classes": None if num_classes is None else int_argument(num_classes, "num_classes"),
        "dtype": as_dtype(dtype),
    }
    return apply(CONFUSION, given, attrs, name)


def _class_numbers(x: Any) -> Tensor:
    return cast(convert_to_tensor(x), dtypes.int64)
