"""Parts of tensors by function: `slice`, `strided_slice` and `boolean_mask`."""

from __future__ import annotations

import builtins
from collections.abc import Sequence
from typing import Any

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.indexing import get_item
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.shaping import described_shape, dims_argument, shape_tensor
from runtime.shapes import TensorShape
from runtime.tensor import Tensor

Slice = builtins.slice


def _slice_bounds(rest: Sequence[Any], attrs: dict[str, Any]) -> tuple[list[int], list[int]]:
    rest = list(rest)
    begin = attrs.get("begin")
    size = attrs.get("size")
    begin = rest.pop(0).tolist() if begin is None else list(begin)
    size = rest.pop(0).tolist() if size is None else list(size)
    return begin, size


def _slice_kernel(x: Any, *rest: Any, **attrs: Any) -> Any:
    begin, size = _slice_bounds(rest, attrs)
    if len(begin) != x.ndim or len(size) != x.ndim:
        raise ValueError(f"slice takes one begin and one size a dimension of shape {x.shape}")
    pieces = []
    for b, s, d in zip(begin, size, x.shape, strict=True):
        end = d if s == -1 else b + s
        if not 0 <= b <= end <= d:
            raise ValueError(f"slice from {b} of size {s} does not lie within size {d}")
        pieces.append(Slice(b, end))
    place = (*pieces, ...)
    return x[place]


def _slice_spec(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    x = inputs[0]
    size, begin = attrs.get("size"), attrs.get("begin")
    if size is None:
        return Spec(x.dtype, described_shape(inputs, {}, len(inputs) - 1))
    dims = x.shape.as_tuple() or (None,) * len(size)
    if len(dims) != len(size) or (begin is not None and len(begin) != len(size)):
        raise ValueError(f"slice takes one begin and one size a dimension of shape {x.shape}")
    made: list[int | None] = []
    for i, (s, d) in enumerate(zip(size, dims, strict=True)):
        b = None if begin is None else begin[i]
        if s != -1:
            if s < -1 or (d is not None and (b or 0) + s > d) or (b is not None and b < 0):
                raise ValueError(f"slice from {b} of size {s} does not lie within size {d}")
            made.append(s)
        else:
            made.append(None if d is None or b is None else d - b)
    return Spec(x.dtype, TensorShape(tuple(made)))


SLICE = define("Slice", kernel=_slice_kernel, infer=_slice_spec, aliases=0)


@gradient(SLICE)
def _(op: Any, dy: Tensor) -> Any:
    from runtime.ops.joining import stack
    from runtime.ops.padding import pad
    from runtime.ops.shaping import shape

    x = op.inputs[0]
    begin = op.attrs.get("begin")
    rest = [None] * (len(op.inputs) - 1)
    dims, found = shape_tensor(x), dy.shape
    if begin is not None and isinstance(dims, tuple) and found.is_fully_defined():
        after = [d - b - s for d, b, s in zip(dims, begin, found.as_list(), strict=True)]
        return (pad(dy, list(zip(begin, after, strict=True))), *rest)
    front = cast(
        convert_to_tensor(list(begin)) if begin is not None else op.inputs[1], dtypes.int32
    )
    back = shape(x) - front - shape(dy)
    return (pad(dy, stack([front, back], 1)), *rest)


def slice(input_: Any, begin: Any, size: Any, name: str | None = None) -> Tensor:
    """The part of `input_` that starts at `begin` and has the sizes `size`.

    Args:
      input_: a tensor or what can become one.
      begin: where to start, one number an axis; may be a tensor.
      size: how many elements, one number an axis, -1 for all that follow; may be a tensor.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: the part does not lie within `input_`.

    >>> import autograph_lite as ag
    >>> ag.slice([[1, 2, 3], [4, 5, 6]], [0, 1], [2, -1]).numpy().tolist()
    [[2, 3], [5, 6]]
    """
    x = convert_to_tensor(input_)
    inputs, attrs = [x], {}
    for key, value in (("begin", begin), ("size", size)):
        known, dynamic = dims_argument(value)
        if dynamic is None:
            attrs[key] = known
        else:
            inputs.append(dynamic)
    return apply(SLICE, inputs, attrs, name)


def strided_slice(
    input_: Any,
    begin: Any,
    end: Any,
    strides: Any = None,
    begin_mask: int = 0,
    end_mask: int = 0,
    ellipsis_mask: int = 0,
    new_axis_mask: int = 0,
    shrink_axis_mask: int = 0,
    var: Any = None,
    name: str | None = None,
) -> Tensor:
    """`input_[begin[0]:end[0]:strides[0], ...]`, with bits that change the meaning of a piece.

    Args:
      input_: a tensor or what can become one.
      begin: where each slice starts.
      end: where each slice ends.
      strides: the step of each slice; 1 by default.
      begin_mask: bit `i` set: slice `i` has no start.
      end_mask: bit `i` set: slice `i` has no end.
      ellipsis_mask: bit `i` set: piece `i` is an ellipsis.
      new_axis_mask: bit `i` set: piece `i` is a new axis.
      shrink_axis_mask: bit `i` set: piece `i` is the integer `begin[i]`.
      var: unused; variables have assignments of their own.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.strided_slice([1, 2, 3, 4], [0], [4], [2]).numpy().tolist()
    [1, 3]
    """
    from runtime.ops.joining import unstack

    def parts(value: Any) -> list[Any]:
        return list(value) if isinstance(value, list | tuple) else list(unstack(value))

    starts, ends = parts(begin), parts(end)
    steps = [1] * len(starts) if strides is None else parts(strides)
    pieces: list[Any] = []
    for i, (start, stop, step) in enumerate(zip(starts, ends, steps, strict=True)):
        bit = 1 << i
        if ellipsis_mask & bit:
            pieces.append(Ellipsis)
        elif new_axis_mask & bit:
            pieces.append(None)
        elif shrink_axis_mask & bit:
            pieces.append(start)
        else:
            first = None if begin_mask & bit else start
            pieces.append(Slice(first, None if end_mask & bit else stop, step))
    return get_item(input_, tuple(pieces), name)


def boolean_mask(
    tensor: Any, mask: Any, axis: Any = None, name: str | None = "boolean_mask"
) -> Tensor:
    """The elements of `tensor` where `mask` is true.

    Args:
      tensor: a tensor or what can become one.
      mask: a bool tensor whose shape is that of `tensor` from `axis` on.
      axis: the axis of `tensor` at which `mask` begins; 0 by default.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.boolean_mask([[1, 2], [3, 4]], [True, False]).numpy().tolist()
    [[1, 2]]
    """
    from runtime.ops.shaping import int_argument

    x, where = convert_to_tensor(tensor), convert_to_tensor(mask)
    if where.dtype is not dtypes.bool_:
        raise TypeError(f"{user_location()}: a mask is made of bools, found {where.dtype.name}")
    if where.shape.rank == 0:
        raise ValueError(f"{user_location()}: a mask has a dimension or more, found a scalar")
    at = 0 if axis is None else int_argument(axis, "axis")
    if at < 0:
        at += x.ndim
    return get_item(x, (*[Slice(None)] * at, where), name)
