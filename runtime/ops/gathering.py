"""Choosing elements: by index along an axis, by coordinates, by condition."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.promotion import operands
from runtime.ops.registry import NO_GRADIENT, Spec, define, gradient
from runtime.ops.shaping import described_shape, dims_of, int_argument, shape_tensor
from runtime.shapes import UNKNOWN, TensorShape, broadcast_shapes, normal_axis
from runtime.tensor import Tensor


def integers(value: Any, what: str) -> Tensor:
    """`value` as a tensor of integers.

    Raises:
      TypeError: it is something else.
    """
    if isinstance(value, list | tuple) and not len(value):
        value = np.zeros(0, np.int32)
    made = convert_to_tensor(value)
    if made.dtype.kind not in "iu":
        raise TypeError(f"{user_location()}: {what} are integers, found {made.dtype.name}")
    return made


def batched_index(indices: Any, axis: int, batch_dims: int) -> tuple[Any, ...]:
    """For NumPy: `indices` along `axis`, with the first `batch_dims` axes running in step."""
    front: list[Any] = []
    for i in range(batch_dims):
        dims = [1] * indices.ndim
        dims[i] = indices.shape[i]
        front.append(np.arange(indices.shape[i]).reshape(dims))
    return (*front, *[slice(None)] * (axis - batch_dims), indices)


# ---- gather


def _gather_kernel(params: Any, indices: Any, axis: int, batch_dims: int = 0) -> Any:
    if batch_dims == 0:
        return _keeps_objects(params.take(indices, axis), params)
    at = normal_axis(axis, params.ndim)
    made = params[batched_index(indices, at, batch_dims)]
    # NumPy puts the dimensions of index arrays that a slice separates in front.
    if at > batch_dims:
        extra = indices.ndim - batch_dims
        order = range(batch_dims, batch_dims + extra)
        made = np.moveaxis(made, tuple(order), tuple(range(at, at + extra)))
    return made


def _keeps_objects(made: Any, source: Any) -> Any:
    if source.dtype.kind == "O" and not isinstance(made, np.ndarray):
        wrapped = np.empty((), object)
        wrapped[()] = made
        return wrapped
    return made


def _gathered(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    params, indices = inputs
    own, chosen = params.shape.as_tuple(), indices.shape.as_tuple()
    if own is None or chosen is None:
        return Spec(params.dtype, UNKNOWN)
    axis, batch = normal_axis(attrs["axis"], len(own)), attrs["batch_dims"]
    if batch > min(axis, len(chosen)):
        raise ValueError(
            f"batch_dims is {batch}; expected at most the axis, {axis}, and the rank of the "
            f"indices, {len(chosen)}"
        )
    TensorShape(own[:batch]).assert_is_compatible_with(chosen[:batch])
    return Spec(params.dtype, TensorShape(own[:axis] + chosen[batch:] + own[axis + 1 :]))


def _gather_lean(attrs: dict[str, Any], inputs: Sequence[Any]) -> Any:
    params, indices = inputs
    if attrs["batch_dims"] or params.dtype.kind in "SRV":
        return None
    if indices.shape.rank == 0 and attrs["axis"] == 0:
        return operator.getitem
    axis = attrs["axis"]
    return lambda params, indices: params.take(indices, axis)


# NumPy takes a single row as a view.
GATHER = define(
    "GatherV2", kernel=_gather_kernel, infer=_gathered, specialise=_gather_lean, aliases=0
)


@gradient(GATHER)
def _(op: Any, dy: Tensor) -> Any:
    params, indices = op.inputs
    dims = shape_tensor(params)
    if isinstance(dims, tuple):
        return apply(GATHER_GRAD, (dy, indices), {**op.attrs, "shape": dims}), None
    return apply(GATHER_GRAD, (dy, indices, dims), op.attrs), None


def _gather_grad_kernel(
    dy: Any, indices: Any, dims: Any = None, *, axis: int, batch_dims: int, shape: Any = None
) -> Any:
    wanted = shape if dims is None else dims_of(dims)
    made = np.zeros(wanted, dy.dtype)
    at = normal_axis(axis, made.ndim)
    extra = indices.ndim - batch_dims
    order = tuple(range(at, at + extra))
    if batch_dims and at > batch_dims:
        dy = np.moveaxis(dy, order, tuple(range(batch_dims, batch_dims + extra)))
    np.add.at(made, batched_index(indices, at, batch_dims), dy)
    return made


GATHER_GRAD = define(
    "GatherGrad",
    kernel=_gather_grad_kernel,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, described_shape(inputs, attrs, 2)),
)


@gradient(GATHER_GRAD)
def _(op: Any, dy: Tensor) -> Any:
    attrs = {"axis": op.attrs["axis"], "batch_dims": op.attrs["batch_dims"]}
    return (apply(GATHER, (dy, op.inputs[1]), attrs), *[None] * (len(op.inputs) - 1))


def gather(
    params: Any,
    indices: Any,
    validate_indices: Any = None,
    axis: Any = None,
    batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:
    """The slices of `params` along an axis that `indices` name.

    Args:
      params: a tensor of rank 1 or more.
      indices: integers of any shape; negative ones count from the end.
      validate_indices: accepted for TensorFlow's sake; indices are always checked.
      axis: which axis; `batch_dims` by default.
      batch_dims: how many leading axes of `params` and `indices` run in step.
      name: the operation's name in a graph.

    Returns:
      A tensor of shape `params.shape[:axis] + indices.shape[batch_dims:] +
      params.shape[axis + 1:]`.

    Raises:
      IndexError: an index is out of range.

    >>> import autograph_lite as ag
    >>> ag.gather([10, 20, 30], [2, 0]).numpy().tolist()
    [30, 10]
    """
    x, where = convert_to_tensor(params), integers(indices, "indices")
    if batch_dims < 0:
        batch_dims += where.ndim
    at = batch_dims if axis is None else int_argument(axis, "axis")
    return apply(GATHER, (x, where), {"axis": at, "batch_dims": batch_dims}, name)


# ---- gather_nd


def coordinates(indices: Any, batch_dims: int = 0) -> tuple[Any, ...]:
    """For NumPy: the last axis of `indices` as an index, one array a coordinate."""
    depth = indices.shape[-1]
    rank = indices.ndim - 1
    front: list[Any] = []
    for i in range(batch_dims):
        dims = [1] * rank
        dims[i] = indices.shape[i]
        front.append(np.arange(indices.shape[i]).reshape(dims))
    return (*front, *(indices[..., i] for i in range(depth)))


def _gather_nd_kernel(params: Any, indices: Any, batch_dims: int = 0) -> Any:
    where = coordinates(indices, batch_dims)
    if not where:
        dims = (*indices.shape[:-1], *params.shape)
        return np.broadcast_to(params, dims).copy()
    return _keeps_objects(params[where], params)


def _gathered_nd(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    params, indices = inputs
    own, chosen, batch = params.shape.as_tuple(), indices.shape.as_tuple(), attrs["batch_dims"]
    if own is None or chosen is None:
        return Spec(params.dtype, UNKNOWN)
    if not chosen:
        raise ValueError("the indices of gather_nd have rank 1 or more, found a scalar")
    depth = chosen[-1]
    if depth is None:
        return Spec(params.dtype, UNKNOWN)
    if depth + batch > len(own):
        raise ValueError(f"indices of {depth} coordinates cannot index shape {params.shape}")
    return Spec(params.dtype, TensorShape(chosen[:-1] + own[batch + depth :]))


GATHER_ND = define("GatherNd", kernel=_gather_nd_kernel, infer=_gathered_nd)


@gradient(GATHER_ND)
def _(op: Any, dy: Tensor) -> Any:
    params, indices = op.inputs
    batch = op.attrs["batch_dims"]
    dims = shape_tensor(params)
    if isinstance(dims, tuple):
        return apply(GATHER_ND_GRAD, (dy, indices), {"batch_dims": batch, "shape": dims}), None
    return apply(GATHER_ND_GRAD, (dy, indices, dims), {"batch_dims": batch}), None


def _gather_nd_grad_kernel(
    dy: Any, indices: Any, dims: Any = None, *, batch_dims: int, shape: Any = None
) -> Any:
    made = np.zeros(shape if dims is None else dims_of(dims), dy.dtype)
    where = coordinates(indices, batch_dims)
    if where:
        np.add.at(made, where, dy)
    else:
        made += dy.reshape(-1, *made.shape).sum(0)
    return made


GATHER_ND_GRAD = define(
    "GatherNdGrad",
    kernel=_gather_nd_grad_kernel,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, described_shape(inputs, attrs, 2)),
)


@gradient(GATHER_ND_GRAD)
def _(op: Any, dy: Tensor) -> Any:
    back = gather_nd(dy, op.inputs[1], op.attrs["batch_dims"])
    return (back, *[None] * (len(op.inputs) - 1))


def gather_nd(params: Any, indices: Any, batch_dims: int = 0, name: str | None = None) -> Tensor:
    """The elements or slices of `params` at coordinates.

    Args:
      params: a tensor.
      indices: integers; each row of the last axis is one (partial) coordinate.
      batch_dims: how many leading axes of `params` and `indices` run in step.
      name: the operation's name in a graph.

    Returns:
      A tensor of shape `indices.shape[:-1] + params.shape[batch_dims + indices.shape[-1]:]`.

    Raises:
      IndexError: a coordinate is out of range.

    >>> import autograph_lite as ag
    >>> ag.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy().tolist()
    [2, 3]
    """
    x, where = convert_to_tensor(params), integers(indices, "indices")
    return apply(GATHER_ND, (x, where), {"batch_dims": batch_dims}, name)


# ---- where


def _selected(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    return Spec(inputs[1].dtype, broadcast_shapes(*[t.shape for t in inputs]))


SELECT = define("SelectV2", kernel=np.where, infer=_selected)
WHERE = define(
    "Where",
    kernel=lambda x: np.argwhere(x).astype(np.int64, copy=False),
    infer=lambda inputs, attrs: Spec(dtypes.int64, TensorShape((None, inputs[0].shape.rank))),
    gradient=NO_GRADIENT,
)


@gradient(SELECT)
def _(op: Any, dy: Tensor) -> Any:
    from runtime.ops.creation import zeros_like
    from runtime.ops.gradients_support import unbroadcast

    condition, x, y = op.inputs
    zero = zeros_like(dy)
    to_x = unbroadcast(apply(SELECT, (condition, dy, zero)), x)
    return None, to_x, unbroadcast(apply(SELECT, (condition, zero, dy)), y)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Tensor:
    """`x` where `condition` holds and `y` elsewhere; or, given the condition alone, where it holds.

    Args:
      condition: a bool tensor (of any dtype without `x` and `y`: then what is not zero holds).
      x: values; broadcasts with the others.
      y: values; broadcasts with the others.
      name: the operation's name in a graph.

    Returns:
      A tensor of the common shape; without `x` and `y` the coordinates, int64, a row each.

    >>> import autograph_lite as ag
    >>> ag.where([True, False], [1, 2], 0).numpy().tolist()
    [1, 0]
    >>> ag.where([False, True]).numpy().tolist()
    [[1]]
    """
    test = convert_to_tensor(condition)
    if (x is None) != (y is None):
        raise ValueError(f"{user_location()}: where takes both x and y, or neither")
    if x is None:
        return apply(WHERE, (test,), {}, name)
    if test.dtype is not dtypes.bool_:
        raise TypeError(
            f"{user_location()}: the condition of where is bool, found {test.dtype.name}; "
            "compare it first, for example x != 0"
        )
    return apply(SELECT, (test, *operands(x, y)), {}, name)


# ---- repetition and masks made of lengths


def _repeat_kernel(x: Any, repeats: Any, axis: Any) -> Any:
    return np.repeat(x, repeats, axis)


def _repeated(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    from runtime.static import static_value

    x, axis = inputs[0], attrs["axis"]
    times = static_value(inputs[1]) if isinstance(inputs[1], Tensor) else None
    dims = x.shape.as_tuple()
    if axis is None:
        dims, axis = (x.shape.num_elements(),), 0
    if dims is None:
        return Spec(x.dtype, UNKNOWN)
    at = normal_axis(axis, len(dims))
    size = None
    if times is not None:
        size = int(np.sum(times)) if times.size > 1 else None
        if times.size == 1 and dims[at] is not None:
            size = int(times.reshape(())) * dims[at]
    return Spec(x.dtype, TensorShape((*dims[:at], size, *dims[at + 1 :])))


REPEAT = define("Repeat", kernel=_repeat_kernel, infer=_repeated)


@gradient(REPEAT)
def _(op: Any, dy: Tensor) -> Any:
    from runtime.ops.creation import range as range_
    from runtime.ops.shaping import reshape, shape, size

    x, repeats = op.inputs
    axis = op.attrs["axis"]
    at = 0 if axis is None else axis
    count = size(x) if axis is None else shape(x)[axis]
    source = apply(REPEAT, (range_(count), repeats), {"axis": 0})
    # Of `x` itself only the shape is used: it need not be kept.
    known = x.shape.num_elements()
    dims: Any = shape_tensor(x)
    if axis is None:
        dims = reshape(count, [1]) if known is None else (known,)
    attrs = {"axis": at, "batch_dims": 0}
    if isinstance(dims, tuple):
        back = apply(GATHER_GRAD, (dy, source), {**attrs, "shape": dims})
    else:
        back = apply(GATHER_GRAD, (dy, source, dims), attrs)
    return reshape(back, shape_tensor(x)) if axis is None else back, None


def repeat(input: Any, repeats: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Each element of `input` (or each slice along an axis) several times over.

    Args:
      input: a tensor or what can become one.
      repeats: how often: one integer, or one for each element along the axis; may be a tensor.
      axis: which axis; `input` is flattened by default.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.repeat([1, 2], [2, 3]).numpy().tolist()
    [1, 1, 2, 2, 2]
    """
    at = None if axis is None else int_argument(axis, "axis")
    x, times = convert_to_tensor(input), integers(repeats, "repeats")
    return apply(REPEAT, (x, times), {"axis": at}, name)


def sequence_mask(
    lengths: Any, maxlen: Any = None, dtype: Any = dtypes.bool_, name: str | None = None
) -> Tensor:
    """A mask whose rows are true up to the given lengths.

    Args:
      lengths: integers of any shape.
      maxlen: the length of a row; the largest of `lengths` by default.
      dtype: of the result.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.sequence_mask([1, 3]).numpy().astype(int).tolist()
    [[1, 0, 0], [1, 1, 1]]
    """
    from runtime.ops.casting import cast
    from runtime.ops.comparison import less
    from runtime.ops.creation import range as range_
    from runtime.ops.reductions import reduce_max
    from runtime.ops.shaping import expand_dims

    many = integers(lengths, "lengths")
    longest = reduce_max(many) if maxlen is None else maxlen
    row = range_(0, cast(longest, many.dtype), 1, dtype=many.dtype)
    return cast(less(row, expand_dims(many, -1)), dtype)


def meshgrid(*args: Any, indexing: str = "xy", name: str | None = None) -> list[Tensor]:
    """Vectors spread over a grid: one tensor for each, of the grid's shape.

    Args:
      *args: vectors.
      indexing: "xy" exchanges the first two axes, as in a plot; "ij" does not.
      name: unused.

    >>> import autograph_lite as ag
    >>> [t.numpy().tolist() for t in ag.meshgrid([1, 2], [5, 6])]
    [[[1, 2], [1, 2]], [[5, 5], [6, 6]]]
    """
    from runtime.ops.joining import stack
    from runtime.ops.shaping import broadcast_to, reshape, size

    if indexing not in ("xy", "ij"):
        raise ValueError(
            f"{user_location()}: indexing of meshgrid is 'xy' or 'ij', found {indexing!r}"
        )
    vectors = [reshape(convert_to_tensor(v), [-1]) for v in args]
    order = list(range(len(vectors)))
    if indexing == "xy" and len(order) > 1:
        order[:2] = [1, 0]
    known = [vectors[i].shape[0] for i in order]
    grid: Any = known if None not in known else stack([size(vectors[i]) for i in order])
    out = []
    for i, vector in enumerate(vectors):
        dims = [1] * len(vectors)
        dims[order.index(i)] = -1
        out.append(broadcast_to(reshape(vector, dims), grid))
    return out


# ---- searching


def _search_kernel(rows: Any, values: Any, side: Any, out_type: Any) -> Any:
    if rows.ndim == 1:
        return np.asarray(np.searchsorted(rows, values, side)).astype(out_type.np_dtype)
    flat, wanted = rows.reshape(-1, rows.shape[-1]), values.reshape(-1, values.shape[-1])
    made = [np.searchsorted(r, v, side) for r, v in zip(flat, wanted, strict=True)]
    return np.array(made, out_type.np_dtype).reshape(values.shape)


SEARCH_SORTED = define(
    "SearchSorted",
    kernel=_search_kernel,
    infer=lambda inputs, attrs: Spec(attrs["out_type"], inputs[1].shape),
    gradient=NO_GRADIENT,
)


def searchsorted(
    sorted_sequence: Any,
    values: Any,
    side: str = "left",
    out_type: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Where each of `values` would have to go into a sorted sequence.

    Args:
      sorted_sequence: rows in ascending order along the last axis.
      values: values to look for, row by row.
      side: "left" finds the first place, "right" the last.
      out_type: the integer dtype of the result.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.searchsorted([1, 3, 5], [3, 4]).numpy().tolist()
    [1, 2]
    """
    if side not in ("left", "right"):
        raise ValueError(
            f"{user_location()}: side of searchsorted is 'left' or 'right', found {side!r}"
        )
    attrs = {"side": side, "out_type": dtypes.as_dtype(out_type)}
    return apply(SEARCH_SORTED, operands(sorted_sequence, values), attrs, name)
