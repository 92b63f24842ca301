"""Order: extremes and their places, sorting, top k."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype
from runtime.ops.along_axis import put_along_axis
from runtime.ops.apply import apply
from runtime.ops.axes import one_axis, reduced
from runtime.ops.registry import NO_GRADIENT, OpDef, Spec, define, gradient
from runtime.shapes import SCALAR, TensorShape, normal_axis
from runtime.static import static_value
from runtime.tensor import Tensor


def _place(name: str, function: Callable[..., Any]) -> OpDef:
    def kernel(x: Any, axis: int, output_type: Any) -> Any:
        return function(x, axis).astype(output_type.np_dtype, copy=False)

    def specialise(attrs: Any, inputs: Any) -> Any:
        wide = attrs["output_type"] is dtypes.int64
        return partial(function, axis=attrs["axis"]) if wide else None

    def rule(inputs: Any, attrs: Any) -> Spec:
        shape, axis = inputs[0].shape, attrs["axis"]
        if shape.rank is not None and shape[normal_axis(axis, shape.rank)] == 0:
            raise ValueError(f"there is no extreme along axis {axis} of shape {shape}: it is empty")
        return Spec(attrs["output_type"], reduced(inputs, attrs))

    return define(name, kernel=kernel, infer=rule, gradient=NO_GRADIENT, specialise=specialise)


ARG_MAX = _place("ArgMax", np.argmax)
ARG_MIN = _place("ArgMin", np.argmin)


def argmax(
    input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """Where the largest value along `axis` stands; the first of equal ones.

    Args:
      input: a tensor of rank 1 or more.
      axis: the axis to search; the first by default.
      output_type: int64, int32 or uint16.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.argmax([[1, 9], [5, 3]], axis=0).numpy().tolist()
    [1, 0]
    """
    return _search(ARG_MAX, input, axis, output_type, name)


def argmin(
    input: Any, axis: Any = None, output_type: Any = dtypes.int64, name: str | None = None
) -> Tensor:
    """Where the smallest value along `axis` stands; the first of equal ones.

    Args:
      input: a tensor of rank 1 or more.
      axis: the axis to search; the first by default.
      output_type: int64 or int32.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.argmin([[1, 9], [5, 3]], axis=0).numpy().tolist()
    [0, 1]
    """
    return _search(ARG_MIN, input, axis, output_type, name)


def _search(op: OpDef, x: Any, axis: Any, output_type: Any, name: str | None) -> Tensor:
    tensor = convert_to_tensor(x)
    attrs = {
        "axis": 0 if axis is None else one_axis(axis),
        "output_type": as_dtype(output_type),
    }
    return apply(op, (tensor,), attrs, name)


# ---- sorting


def _backwards(x: Any, axis: int) -> Any:
    index: list[Any] = [slice(None)] * x.ndim
    index[axis] = slice(None, None, -1)
    return x[tuple(index)]


def order_of(x: Any, axis: int, descending: bool) -> Any:
    """The places that sort `x`; equal elements keep their order either way."""
    if not descending:
        return np.argsort(x, axis=axis, kind="stable")
    turned = np.argsort(_backwards(x, axis), axis=axis, kind="stable")
    return x.shape[axis] - 1 - _backwards(turned, axis)


def _sort_kernel(x: Any, axis: int, descending: bool = False) -> Any:
    made = np.sort(x, axis=axis)
    return _backwards(made, axis) if descending else made


def _argsort_kernel(x: Any, axis: int, descending: bool = False) -> Any:
    return order_of(x, axis, descending).astype(np.int32)


def _sorted_as(dtype: Any) -> Callable[..., Spec]:
    def rule(inputs: Any, attrs: Any) -> Spec:
        shape = inputs[0].shape
        if shape.rank is not None:
            normal_axis(attrs["axis"], shape.rank)
        return Spec(dtype or inputs[0].dtype, shape)

    return rule


SORT = define("Sort", kernel=_sort_kernel, infer=_sorted_as(None))
ARG_SORT = define(
    "ArgSort", kernel=_argsort_kernel, infer=_sorted_as(dtypes.int32), gradient=NO_GRADIENT
)


@gradient(SORT)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (put_along_axis(dy, apply(ARG_SORT, (x,), op.attrs), x, op.attrs["axis"]),)


def sort(
    values: Any, axis: Any = -1, direction: str = "ASCENDING", name: str | None = None
) -> Tensor:
    """The elements in order along `axis`.

    Args:
      values: a tensor of rank 1 or more.
      axis: the axis to sort along.
      direction: "ASCENDING" or "DESCENDING".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.sort([3, 1, 2], direction="DESCENDING").numpy().tolist()
    [3, 2, 1]
    """
    return _sorting(SORT, values, axis, direction, name)


def argsort(
    values: Any,
    axis: Any = -1,
    direction: str = "ASCENDING",
    stable: bool = False,
    name: str | None = None,
) -> Tensor:
    """The places that would put the elements in order along `axis`, as int32.

    Args:
      values: a tensor of rank 1 or more.
      axis: the axis to sort along.
      direction: "ASCENDING" or "DESCENDING".
      stable: equal elements keep their order in any case.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.argsort([3, 1, 2]).numpy().tolist()
    [1, 2, 0]
    """
    return _sorting(ARG_SORT, values, axis, direction, name)


def _sorting(op: OpDef, values: Any, axis: Any, direction: str, name: str | None) -> Tensor:
    if direction not in ("ASCENDING", "DESCENDING"):
        raise ValueError(f'direction must be "ASCENDING" or "DESCENDING", found {direction!r}')
    attrs: dict[str, Any] = {"axis": one_axis(axis)}
    if direction == "DESCENDING":
        attrs["descending"] = True
    tensor = convert_to_tensor(values)
    _sorted_as(None)((tensor,), attrs)
    return apply(op, (tensor,), attrs, name)


# ---- the k largest


class TopKV2(NamedTuple):
    """What `top_k` gives."""

    values: Tensor
    indices: Tensor


def _few_largest(x: Any, k: int) -> Any:
    """The places of the `k` largest, found without sorting all: of equal ones the first."""
    least = np.partition(x, -k, axis=-1)[..., -k, None]
    taken = x >= least
    if np.count_nonzero(taken) != k * least.size:
        above, equal = x > least, x == least
        missing = k - np.count_nonzero(above, axis=-1, keepdims=True)
        taken = above | (equal & (np.cumsum(equal, axis=-1) <= missing))
    places = np.nonzero(taken)[-1].reshape((*x.shape[:-1], k))
    order = order_of(np.take_along_axis(x, places, -1), -1, descending=True)
    return np.take_along_axis(places, order, -1)


def _top_k_kernel(x: Any, number: Any = None, *, index_type: Any, k: int | None = None) -> Any:
    k = int(number) if k is None else k
    if not 0 <= k <= x.shape[-1]:
        raise ValueError(f"k={k} must be between 0 and the size of the last axis, {x.shape[-1]}")
    if k == 1:
        places = np.argmax(x, axis=-1)[..., None]
    elif 8 * k < x.shape[-1] and x.dtype.kind in "iuf" and not np.isnan(x).any():
        places = _few_largest(x, k)
    else:
        places = order_of(x, -1, descending=True)[..., :k]
    return np.take_along_axis(x, places, -1), places.astype(index_type.np_dtype)


def _top_k_rule(inputs: Any, attrs: Any) -> list[Spec]:
    shape, k = inputs[0].shape, attrs.get("k")
    if shape.rank is not None:
        if shape.rank == 0:
            raise ValueError("top_k takes a tensor of rank 1 or more, found a scalar")
        size = shape[-1]
        if k is not None and size is not None and not 0 <= k <= size:
            raise ValueError(f"k={k} must be between 0 and the size of the last axis, {size}")
        shape = shape[:-1].concatenate(TensorShape((k,)))
    return [Spec(inputs[0].dtype, shape), Spec(attrs["index_type"], shape)]


TOP_K = define("TopKV2", kernel=_top_k_kernel, infer=_top_k_rule)


@gradient(TOP_K)
def _(op: Any, dvalues: Any, dindices: Any) -> Any:
    if dvalues is None:
        return (None,) * len(op.inputs)
    to_x = put_along_axis(dvalues, op.outputs[1], op.inputs[0], -1)
    return (to_x,) + (None,) * (len(op.inputs) - 1)


def top_k(
    input: Any,
    k: Any = 1,
    sorted: bool = True,
    index_type: Any = dtypes.int32,
    name: str | None = None,
) -> TopKV2:
    """The `k` largest elements along the last axis, largest first, and their places.

    Args:
      input: a tensor of rank 1 or more.
      k: how many; a number or an integer scalar.
      sorted: they are in order in any case.
      index_type: the dtype of the places.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: the last axis has fewer elements.

    >>> import autograph_lite as ag
    >>> values, indices = ag.math.top_k([1, 3, 2, 3], k=3)
    >>> values.numpy().tolist(), indices.numpy().tolist()
    ([3, 3, 2], [1, 3, 2])
    """
    x = convert_to_tensor(input)
    attrs: dict[str, Any] = {"index_type": as_dtype(index_type)}
    if type(k) is int:
        attrs["k"] = k
        return TopKV2(*apply(TOP_K, (x,), attrs, name))
    number = convert_to_tensor(k)
    known = static_value(number)
    if known is None:
        return TopKV2(*apply(TOP_K, (x, number), attrs, name))
    attrs["k"] = int(known)
    return TopKV2(*apply(TOP_K, (x,), attrs, name))


def _in_top_k_kernel(targets: Any, predictions: Any, k: Any) -> Any:
    rows, classes = predictions.shape
    inside = (targets >= 0) & (targets < classes)
    chosen = predictions[np.arange(rows), np.where(inside, targets, 0)]
    better = np.count_nonzero(predictions > chosen[:, None], axis=1)
    return inside & np.isfinite(chosen) & (better < k)


IN_TOP_K = define(
    "InTopKV2",
    kernel=_in_top_k_kernel,
    infer=lambda inputs, attrs: Spec(
        dtypes.bool_,
        inputs[0].shape.with_rank(1).merge_with(inputs[1].shape.with_rank(2)[:1]),
    ),
    gradient=NO_GRADIENT,
)


def in_top_k(targets: Any, predictions: Any, k: Any, name: str | None = None) -> Tensor:
    """Whether each row's target is among its `k` largest predictions.

    Args:
      targets: class numbers, one a row.
      predictions: shape (rows, classes).
      k: how many count; a target as large as the k-th is among them.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.math.in_top_k([1, 0], [[0.1, 0.9], [0.3, 0.7]], k=1).numpy().tolist()
    [True, False]
    """
    number = convert_to_tensor(k)
    given = (convert_to_tensor(targets), convert_to_tensor(predictions), number)
    return apply(IN_TOP_K, given, None, name)


# ---- whether things are in order


def _ordered(name: str, ufunc: Any) -> OpDef:
    def kernel(x: Any) -> Any:
        flat = np.ravel(x)
        return np.all(ufunc(flat[:-1], flat[1:]))

    def rule(inputs: Any, attrs: Any) -> Spec:
        return Spec(dtypes.bool_, SCALAR)

    return define(name, kernel=kernel, infer=rule, gradient=NO_GRADIENT)


NON_DECREASING = _ordered("IsNonDecreasing", np.less_equal)
STRICTLY_INCREASING = _ordered("IsStrictlyIncreasing", np.less)


def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Whether no element, in row-major order, is less than the one before.

    >>> import autograph_lite as ag
    >>> bool(ag.math.is_non_decreasing([1, 1, 2]))
    True
    """
    return apply(NON_DECREASING, (convert_to_tensor(x),), None, name)


def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Whether each element, in row-major order, is greater than the one before.

    >>> import autograph_lite as ag
    >>> bool(ag.math.is_strictly_increasing([1, 1, 2]))
    False
    """
    return apply(STRICTLY_INCREASING, (convert_to_tensor(x),), None, name)


# ---- approximate searches, which are exact here


def approx_max_k(
    operand: Any,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The `k` largest elements along an axis and their places; here they are exact.

    Args:
      operand: a tensor of floats.
      k: how many.
      reduction_dimension: the axis to search.
      recall_target: all are found in any case.
      reduction_input_size_override: not needed here.
      aggregate_to_topk: not needed here.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.math.approx_max_k([1.0, 3.0, 2.0], 2)[1].numpy().tolist()
    [1, 2]
    """
    return _top_along(convert_to_tensor(operand), k, reduction_dimension)


def approx_min_k(
    operand: Any,
    k: int,
    reduction_dimension: int = -1,
    recall_target: float = 0.95,
    reduction_input_size_override: int = -1,
    aggregate_to_topk: bool = True,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The `k` smallest elements along an axis and their places; here they are exact.

    Args:
      operand: a tensor of floats.
      k: how many.
      reduction_dimension: the axis to search.
      recall_target: all are found in any case.
      reduction_input_size_override: not needed here.
      aggregate_to_topk: not needed here.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.math.approx_min_k([1.0, 3.0, 2.0], 2)[1].numpy().tolist()
    [0, 2]
    """
    values, places = _top_along(-convert_to_tensor(operand), k, reduction_dimension)
    return -values, places


def _top_along(x: Tensor, k: int, axis: int) -> tuple[Tensor, Tensor]:
    from runtime.ops.shaping import transpose

    rank = x.shape.rank
    if axis == -1 or (rank is not None and normal_axis(axis, rank) == rank - 1):
        return tuple(top_k(x, k))  # type: ignore[return-value]
    if rank is None:
        raise ValueError("another axis than the last needs a tensor of known rank")
    order = list(range(rank))
    order[axis], order[-1] = order[-1], order[axis]
    values, places = top_k(transpose(x, order), k)
    return transpose(values, order), transpose(places, order)
