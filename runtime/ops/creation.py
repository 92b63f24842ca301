"""Tensors made of nothing but a shape and a few numbers."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.context import thread
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType, as_dtype
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.promotion import result_dtype
from runtime.ops.registry import NO_GRADIENT, Spec, define, gradient
from runtime.ops.shaping import described_shape, dims_argument, dims_of, int_argument
from runtime.shapes import UNKNOWN, TensorShape, broadcast_shapes, normal_axis
from runtime.static import static_value
from runtime.tensor import EagerTensor, Tensor

_SMALL = 1000
"""Up to so many elements a tensor made while tracing becomes a constant of the graph."""


# ---- filled


def _fill_kernel(value: Any, dims: Any = None, shape: Any = None) -> Any:
    return np.full(shape if dims is None else dims_of(dims), value, value.dtype)


def _filled(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    if inputs[0].shape.rank not in (0, None):
        raise ValueError(f"fill takes one value, found a tensor of shape {inputs[0].shape}")
    return Spec(inputs[0].dtype, described_shape(inputs, attrs, 1))


def _fill_lean(attrs: dict[str, Any], inputs: Sequence[Any]) -> Any:
    dtype = inputs[0].dtype.np_dtype
    if attrs.get("shape") is None:
        value = static_value(inputs[0])
        if value is not None and inputs[0].dtype.kind != "S" and not value:
            return lambda value, dims: np.zeros(dims.tolist(), dtype)
        return None
    shape = attrs["shape"]
    return lambda value: np.full(shape, value, dtype)


FILL = define("Fill", kernel=_fill_kernel, infer=_filled, specialise=_fill_lean)


@gradient(FILL)
def _(op: Any, dy: Tensor) -> Any:
    from runtime.ops.reductions import reduce_sum

    return (reduce_sum(dy),) if len(op.inputs) == 1 else (reduce_sum(dy), None)


def fill(dims: Any, value: Any, name: str | None = None) -> Tensor:
    """A tensor of shape `dims` with `value` everywhere.

    Args:
      dims: the sizes; may be a tensor.
      value: one number, string or scalar tensor.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.fill([2, 2], 7).numpy().tolist()
    [[7, 7], [7, 7]]
    """
    return _fill(dims, convert_to_tensor(value), name)


def _fill(dims: Any, value: Tensor, name: str | None) -> Tensor:
    shape, dynamic = dims_argument(dims)
    if dynamic is not None:
        return apply(FILL, (value, dynamic), {}, name)
    assert shape is not None
    if value.shape.rank not in (0, None):
        raise ValueError(
            f"{user_location()}: fill takes one value, found a tensor of shape {value.shape}"
        )
    if any(d < 0 for d in shape):
        raise ValueError(f"{user_location()}: the sizes of a shape are at least 0, found {shape}")
    return apply(FILL, (value,), {"shape": shape}, name)


def _uniform(shape: Any, dtype: Any, number: int, name: str | None) -> Tensor:
    """Zeros or ones."""
    wanted = as_dtype(dtype)
    dims, dynamic = dims_argument(shape)
    value: Any = np.zeros((), wanted.np_dtype)
    if wanted.kind == "S":
        value[()] = b"1" if number else b""
    elif number:
        value[()] = number
    if dynamic is None:
        assert dims is not None
        if any(d < 0 for d in dims):
            raise ValueError(
                f"{user_location()}: the sizes of a shape are at least 0, found {dims}"
            )
        if thread.graph is None:
            return EagerTensor(np.full(dims, value, wanted.np_dtype))
        if np.prod(dims, dtype=float) <= _SMALL:
            made = np.full(dims, value, wanted.np_dtype)
            return thread.graph.constant(made, wanted, name or ("ones" if number else "zeros"))
        return _fill(dims, convert_to_tensor(value), name)
    return _fill(dynamic, convert_to_tensor(value), name)


def zeros(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None
) -> Tensor:
    """A tensor of zeros (False, or empty strings).

    Args:
      shape: the sizes; may be a tensor.
      dtype: the dtype of the elements.
      name: the operation's name in a graph.
      layout: accepted for TensorFlow's sake; there is one device.

    >>> import autograph_lite as ag
    >>> ag.zeros([2, 3]).numpy().tolist()
    [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    return _uniform(shape, dtype, 0, name)


def ones(
    shape: Any, dtype: Any = dtypes.float32, name: str | None = None, layout: Any = None
) -> Tensor:
    """A tensor of ones (True).

    Args:
      shape: the sizes; may be a tensor.
      dtype: the dtype of the elements.
      name: the operation's name in a graph.
      layout: accepted for TensorFlow's sake; there is one device.

    >>> import autograph_lite as ag
    >>> ag.ones([2], ag.int32).numpy().tolist()
    [1, 1]
    """
    return _uniform(shape, dtype, 1, name)


def _zeros_like_kernel(x: Any, dtype: DType) -> Any:
    return np.full(x.shape, b"", object) if dtype.kind == "S" else np.zeros(x.shape, dtype.np_dtype)


def _like(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    return Spec(attrs["dtype"], inputs[0].shape)


ZEROS_LIKE = define(
    "ZerosLike", kernel=_zeros_like_kernel, infer=_like, gradient=NO_GRADIENT, measures=(0,)
)
ONES_LIKE = define(
    "OnesLike",
    kernel=lambda x, dtype: np.ones(x.shape, dtype.np_dtype),
    infer=_like,
    gradient=NO_GRADIENT,
    measures=(0,),
)


def zeros_like(
    input: Any, dtype: Any = None, name: str | None = None, layout: Any = None
) -> Tensor:
    """Zeros in the shape of `input`, in its dtype unless another is given.

    >>> import autograph_lite as ag
    >>> ag.zeros_like([[1, 2]]).numpy().tolist()
    [[0, 0]]
    """
    x = convert_to_tensor(input)
    wanted = x.dtype if dtype is None else as_dtype(dtype)
    if thread.graph is not None and (x.shape.num_elements() or _SMALL) < _SMALL:
        return zeros(x.shape, wanted, name or "zeros_like")
    return apply(ZEROS_LIKE, (x,), {"dtype": wanted}, name)


def ones_like(input: Any, dtype: Any = None, name: str | None = None, layout: Any = None) -> Tensor:
    """Ones in the shape of `input`, in its dtype unless another is given.

    >>> import autograph_lite as ag
    >>> ag.ones_like([[1.5, 2]]).numpy().tolist()
    [[1.0, 1.0]]
    """
    x = convert_to_tensor(input)
    wanted = x.dtype if dtype is None else as_dtype(dtype)
    if thread.graph is not None and (x.shape.num_elements() or _SMALL) < _SMALL:
        return ones(x.shape, wanted, name or "ones_like")
    return apply(ONES_LIKE, (x,), {"dtype": wanted}, name)


# ---- evenly spaced


def _range_kernel(start: Any, limit: Any, delta: Any) -> Any:
    if delta == 0:
        raise ValueError("the step of a range must not be zero")
    return np.arange(start, limit, delta, dtype=start.dtype)


def _ranged(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    for t in inputs:
        if t.shape.rank not in (0, None):
            raise ValueError(f"the bounds of a range are scalars, found shape {t.shape}")
    values = [static_value(t) if isinstance(t, Tensor) else None for t in inputs]
    if values[2] is not None and values[2] == 0:
        raise ValueError("the step of a range must not be zero")
    size = None if any(v is None for v in values) else _range_size(*values)
    return Spec(inputs[0].dtype, TensorShape((size,)))


def _range_size(start: Any, limit: Any, delta: Any) -> int:
    if start.dtype.kind in "iu":
        return len(builtins.range(int(start), int(limit), int(delta)))
    return max(0, int(np.ceil((float(limit) - float(start)) / float(delta))))


RANGE = define("Range", kernel=_range_kernel, infer=_ranged, gradient=NO_GRADIENT)


def range_dtype(*bounds: Any) -> DType:
    """The dtype of a range between `bounds`: that of the tensors, widened by Python's floats."""
    found: DType | None = None
    weak = dtypes.int32
    for bound in bounds:
        if isinstance(bound, bool | int | float) and not isinstance(bound, np.generic):
            made = convert_to_tensor(bound).dtype
            weak = made if made.kind == "f" or weak.kind != "f" else weak
        else:
            dtype = convert_to_tensor(bound).dtype
            found = dtype if found is None else result_dtype(found, dtype)
    if found is None:
        return weak
    if weak.kind == "f" and found.kind in "iub":
        return weak
    return found


def range(
    start: Any,
    limit: Any = None,
    delta: Any = 1,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """The numbers from `start` up to, not including, `limit`, in steps of `delta`.

    Args:
      start: the first number; or the limit, if it is the only argument: then 0 is the first.
      limit: where to stop.
      delta: the step; not zero, may be negative.
      dtype: the dtype of the elements; by default that of the arguments.
      name: the operation's name in a graph.

    Returns:
      A vector.

    >>> import autograph_lite as ag
    >>> ag.range(3, 18, 3).numpy().tolist()
    [3, 6, 9, 12, 15]
    """
    if limit is None:
        start, limit = 0, start
    if thread.graph is None and dtype is None and _are_small_ints(start, limit, delta):
        return EagerTensor(np.arange(start, limit, delta, dtype=np.int32))
    wanted = range_dtype(start, limit, delta) if dtype is None else as_dtype(dtype)
    bounds = [_as(v, wanted) for v in (start, limit, delta)]
    return apply(RANGE, bounds, {}, name or "range")


def _are_small_ints(*bounds: Any) -> bool:
    """Whether nothing is to be decided about a range between these bounds."""
    most = 1 << 30
    return all(type(b) is int and -most < b < most for b in bounds) and bounds[2] != 0


def _as(value: Any, dtype: DType) -> Tensor:
    """A number or tensor in `dtype`, where the user asked for that dtype."""
    if isinstance(value, bool | int | float) and not isinstance(value, np.generic):
        return convert_to_tensor(dtype.np_dtype.type(value))
    return cast(value, dtype)


def _linspace_kernel(
    start: Any, stop: Any, count: Any = None, num: Any = None, axis: int = 0
) -> Any:
    many = int(count) if num is None else num
    if many < 1:
        raise ValueError(f"linspace makes at least one number, asked for {many}")
    return np.linspace(start, stop, many, dtype=start.dtype, axis=axis)


def _linspaced(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    num = attrs.get("num")
    if num is not None and num < 1:
        raise ValueError(f"linspace makes at least one number, asked for {num}")
    dims = broadcast_shapes(inputs[0].shape, inputs[1].shape).as_tuple()
    if dims is None:
        return Spec(inputs[0].dtype, UNKNOWN)
    at = normal_axis(attrs["axis"], len(dims) + 1)
    return Spec(inputs[0].dtype, TensorShape((*dims[:at], num, *dims[at:])))


LINSPACE = define("LinSpace", kernel=_linspace_kernel, infer=_linspaced)


@gradient(LINSPACE)
def _(op: Any, dy: Tensor) -> Any:
    from runtime.ops.einsum import tensordot
    from runtime.ops.gradients_support import unbroadcast

    start, stop = op.inputs[:2]
    dtype = start.dtype
    num = op.attrs.get("num")
    count = op.inputs[2] if num is None else num
    share = linspace(dtype.np_dtype.type(0), dtype.np_dtype.type(1), count)
    axis = op.attrs["axis"]
    to_stop = tensordot(share, dy, [[0], [axis]])
    to_start = tensordot(1 - share, dy, [[0], [axis]])
    back = (unbroadcast(to_start, start), unbroadcast(to_stop, stop))
    return back if num is not None else (*back, None)


def linspace(start: Any, stop: Any, num: Any, name: str | None = None, axis: Any = 0) -> Tensor:
    """`num` numbers at equal distances from `start` to `stop`, both included.

    Args:
      start: the first; a tensor of any shape.
      stop: the last; broadcasts with `start`.
      num: how many, at least 1.
      name: the operation's name in a graph.
      axis: the axis of the result along which they lie.

    >>> import autograph_lite as ag
    >>> ag.linspace(0.0, 1.0, 5).numpy().tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    from runtime.ops.promotion import operands

    a, b = operands(start, stop)
    if a.dtype.kind in "iub":
        a, b = cast(a, dtypes.float64), cast(b, dtypes.float64)
    attrs: dict[str, Any] = {"axis": int_argument(axis, "axis")}
    count = num if type(num) is int else static_value(convert_to_tensor(num))
    if count is None:
        return apply(LINSPACE, (a, b, convert_to_tensor(num)), attrs, name)
    return apply(LINSPACE, (a, b), {**attrs, "num": int(count)}, name)


# ---- patterns


def _one_hot_kernel(indices: Any, on: Any, off: Any, count: Any = None, **attrs: Any) -> Any:
    depth = int(count) if attrs.get("depth") is None else attrs["depth"]
    axis = attrs["axis"]
    hot = np.asarray(indices)[..., None] == np.arange(depth)
    made = np.where(hot, on, off)
    return made if axis == -1 else np.moveaxis(made, -1, axis)


def _one_hotted(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    dims = inputs[0].shape.as_tuple()
    if dims is None:
        return Spec(inputs[1].dtype, UNKNOWN)
    at = normal_axis(attrs["axis"], len(dims) + 1)
    return Spec(inputs[1].dtype, TensorShape((*dims[:at], attrs.get("depth"), *dims[at:])))


ONE_HOT = define("OneHot", kernel=_one_hot_kernel, infer=_one_hotted, gradient=NO_GRADIENT)


def one_hot(
    indices: Any,
    depth: Any,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """Each index as a row that is `on_value` at that place and `off_value` elsewhere.

    Args:
      indices: integers of any shape; those outside [0, depth) give rows without `on_value`.
      depth: the length of a row; may be a tensor.
      on_value: 1 by default.
      off_value: 0 by default.
      axis: where the new axis stands in the result; last by default.
      dtype: of the result; that of the values, or float32, by default.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.one_hot([0, 2], 3).numpy().tolist()
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]]
    """
    where = convert_to_tensor(indices)
    if where.dtype.kind not in "iu":
        raise TypeError(
            f"{user_location()}: one_hot takes integer indices, found {where.dtype.name}"
        )
    if dtype is None:
        given = on_value if on_value is not None else off_value
        wanted = dtypes.float32 if given is None else convert_to_tensor(given).dtype
    else:
        wanted = as_dtype(dtype)
    on = convert_to_tensor(1 if on_value is None else on_value, _number_dtype(on_value, wanted))
    off = convert_to_tensor(0 if off_value is None else off_value, _number_dtype(off_value, wanted))
    attrs: dict[str, Any] = {"axis": -1 if axis is None else int_argument(axis, "axis")}
    count = depth if type(depth) is int else static_value(convert_to_tensor(depth))
    if count is None:
        inputs: tuple[Tensor, ...] = (where, on, off, convert_to_tensor(depth))
        return apply(ONE_HOT, inputs, attrs, name)
    return apply(ONE_HOT, (where, on, off), {**attrs, "depth": int(count)}, name)


def _number_dtype(value: Any, wanted: DType) -> DType | None:
    return None if isinstance(value, Tensor) else wanted


def _eye_kernel(*sizes: Any, rows: Any = None, columns: Any = None, dtype: Any = None) -> Any:
    if sizes:
        rows, columns = (int(n) for n in sizes)
    return np.eye(rows, columns, dtype=dtype.np_dtype)


EYE = define(
    "Eye",
    kernel=_eye_kernel,
    infer=lambda inputs, attrs: Spec(
        attrs["dtype"], TensorShape((attrs.get("rows"), attrs.get("columns")))
    ),
    gradient=NO_GRADIENT,
)


def eye(
    num_rows: Any,
    num_columns: Any = None,
    batch_shape: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """The identity matrix, or a stack of them.

    Args:
      num_rows: the number of rows.
      num_columns: the number of columns; as many as rows by default.
      batch_shape: sizes in front of the matrix's.
      dtype: the dtype of the elements.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.eye(2).numpy().tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    wanted = as_dtype(dtype)
    columns = num_rows if num_columns is None else num_columns
    sizes = [convert_to_tensor(n) for n in (num_rows, columns)]
    known = [static_value(n) for n in sizes]
    if any(n is None for n in known):
        matrix = apply(EYE, sizes, {"dtype": wanted}, name)
    else:
        attrs = {"rows": int(known[0]), "columns": int(known[1]), "dtype": wanted}
        matrix = apply(EYE, (), attrs, name)
    if batch_shape is None:
        return matrix
    from runtime.ops.joining import concat
    from runtime.ops.shaping import broadcast_to, shape

    dims, dynamic = dims_argument(batch_shape)
    if dynamic is None and matrix.shape.is_fully_defined():
        assert dims is not None
        return broadcast_to(matrix, (*dims, *matrix.shape.as_list()))
    front = convert_to_tensor(list(dims or ()), dtypes.int32) if dynamic is None else dynamic
    return broadcast_to(matrix, concat([front, shape(matrix)], 0))
