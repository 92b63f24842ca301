"""What gradient functions share: undoing broadcasts and reductions, masks, conjugates."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.context import thread
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.numpy_calls import add_reduce
from runtime.ops.registry import Spec, define, gradient
from runtime.shapes import UNKNOWN, TensorShape
from runtime.static import static_shape
from runtime.tensor import Tensor

Dims = tuple["int | None", ...]


def shape_input(like: Tensor) -> tuple[dict[str, Any], tuple[Tensor, ...]]:
    """The shape of `like` for an op that takes it as attribute `shape` or as a further input."""
    if like.shape.is_fully_defined():
        return {"shape": like.shape.as_tuple()}, ()
    return {}, (shape_of(like),)


def needs(op: Any, number: int) -> bool:
    """Whether the gradient of an input is needed.

    In graphs it need not be asked: what nobody needs is left out of plans.
    """
    needed = getattr(op, "needed", None)
    return needed is None or bool(needed[number])


def shape_of(x: Tensor) -> Tensor:
    """The shape of `x` as an int32 vector."""
    from runtime.ops.shaping import shape

    return shape(x)


def _target(inputs: Any, attrs: Any) -> TensorShape:
    if "shape" in attrs:
        return TensorShape(attrs["shape"])
    return static_shape(inputs[1])


def _target_spec(inputs: Any, attrs: Any) -> Spec:
    return Spec(inputs[0].dtype, _target(inputs, attrs))


# ---- sums that undo broadcasting


def _sum_to_kernel(dy: Any, shape: Any) -> Any:
    wanted = tuple(shape)
    if dy.shape == wanted:
        return dy
    lead = dy.ndim - len(wanted)
    if lead < 0:
        # A value with further ones in front of its shape may be assigned to an item.
        return dy.reshape((1,) * -lead + dy.shape) if dy.size else np.zeros(wanted, dy.dtype)
    if lead:
        dy = add_reduce(dy, axis=tuple(range(lead)))
    axes = tuple(i for i, d in enumerate(wanted) if d == 1 and dy.shape[i] != 1)
    return add_reduce(dy, axis=axes, keepdims=True) if axes else dy


SUM_TO = define("SumTo", kernel=_sum_to_kernel, infer=_target_spec, aliases=0)


@gradient(SUM_TO)
def _(op: Any, dy: Tensor) -> Any:
    return (broadcast_like(dy, op.inputs[0]),) + (None,) * (len(op.inputs) - 1)


def unbroadcast(dy: Tensor, like: Tensor, other: Tensor | None = None, settled: int = 0) -> Tensor:
    """`dy` summed over the dimensions in which `like` was broadcast, so that it has its shape.

    Args:
      dy: the gradient of a broadcast result.
      like: the operand whose gradient is wanted.
      other: the operand it was broadcast against, if there was just one; it can settle without a
        look at run time that a dimension of unknown size was not broadcast.
      settled: how many of the last dimensions are sure not to have been broadcast.
    """
    target, source = like.shape.as_tuple(), dy.shape.as_tuple()
    if target is None or source is None:
        return apply(SUM_TO, (dy, shape_of(like)))
    if target == source and None not in target:
        return dy
    lead = len(source) - len(target)
    if lead < 0:
        return apply(SUM_TO, (dy, shape_of(like)))
    stretched = []
    for i, d in enumerate(target[: len(target) - settled]):
        if d == 1 and source[lead + i] != 1:
            stretched.append(i)
        elif d is None and not _unbroadcast_for_sure(len(target) - i, other):
            return apply(SUM_TO, (dy, shape_of(like)))
    return _summed(dy, lead, tuple(stretched))


def _unbroadcast_for_sure(from_end: int, other: Tensor | None) -> bool:
    if other is None or other.shape.rank is None:
        return False
    return from_end > other.shape.rank or other.shape[-from_end] == 1


def _summed(dy: Tensor, lead: int, stretched: tuple[int, ...]) -> Tensor:
    from runtime.ops.reductions import reduce_sum

    if lead:
        dy = reduce_sum(dy, tuple(range(lead)))
    return reduce_sum(dy, stretched, keepdims=True) if stretched else dy


# ---- broadcasts that undo sums


def _broadcast_like_kernel(x: Any, shape: Any) -> Any:
    wanted = tuple(shape)
    return x if x.shape == wanted else np.broadcast_to(x, wanted)


BROADCAST_LIKE = define(
    "BroadcastLike", kernel=_broadcast_like_kernel, infer=_target_spec, aliases=0
)


@gradient(BROADCAST_LIKE)
def _(op: Any, dy: Tensor) -> Any:
    return (unbroadcast(dy, op.inputs[0]),) + (None,) * (len(op.inputs) - 1)


def broadcast_like(x: Tensor, like: Tensor) -> Tensor:
    """`x` broadcast to the shape of `like`."""
    if x.shape.is_fully_defined() and x.shape == like.shape:
        return x
    attrs, more = shape_input(like)
    return apply(BROADCAST_LIKE, (x, *more), attrs)


RESHAPE_LIKE = define(
    "ReshapeLike",
    kernel=lambda x, shape: x.reshape(tuple(shape)),
    infer=_target_spec,
    aliases=0,
)


@gradient(RESHAPE_LIKE)
def _(op: Any, dy: Tensor) -> Any:
    return (reshape_like(dy, op.inputs[0]),) + (None,) * (len(op.inputs) - 1)


def reshape_like(x: Tensor, like: Tensor) -> Tensor:
    """`x`, which has as many elements as `like`, in its shape."""
    if x.shape.is_fully_defined() and x.shape == like.shape:
        return x
    attrs, more = shape_input(like)
    return apply(RESHAPE_LIKE, (x, *more), attrs)


def _keep_axes_kernel(x: Any, axes: Any = None, *, axis: Any = None) -> Any:
    if axes is not None:
        axis = tuple(int(a) for a in np.ravel(axes))
    return np.expand_dims(x, axis)


def _keep_axes_spec(inputs: Any, attrs: Any) -> Spec:
    dims = inputs[0].shape.as_tuple()
    if dims is None or "axis" not in attrs:
        return Spec(inputs[0].dtype, UNKNOWN)
    rank = len(dims) + len(attrs["axis"])
    gone = {rules.normal_axis(a, rank) for a in attrs["axis"]}
    rest = iter(dims)
    return Spec(
        inputs[0].dtype, TensorShape(tuple(1 if i in gone else next(rest) for i in range(rank)))
    )


KEEP_AXES = define("KeepAxes", kernel=_keep_axes_kernel, infer=_keep_axes_spec, aliases=0)


@gradient(KEEP_AXES)
def _(op: Any, dy: Tensor) -> Any:
    return (reshape_like(dy, op.inputs[0]),) + (None,) * (len(op.inputs) - 1)


def keep_axes(reduced: Tensor, op: Any) -> Tensor:
    """The result of a reduction (or its gradient) with the axes left in as ones.

    Args:
      reduced: a tensor of the shape that reduction `op` gives.
      op: an operation with attributes `axis` and `keepdims`, the axes perhaps an input instead.
    """
    if op.attrs.get("keepdims"):
        return reduced
    if len(op.inputs) > 1:
        return apply(KEEP_AXES, (reduced, op.inputs[1]))
    axis, rank = op.attrs["axis"], op.inputs[0].shape.rank
    if axis is None:
        # A scalar broadcasts by itself.
        return reduced
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    if rank is not None:
        axes = tuple(sorted({rules.normal_axis(a, rank) for a in axes}))
    return apply(KEEP_AXES, (reduced,), {"axis": axes}) if axes else reduced


def undo_reduction(dy: Tensor, op: Any) -> Tensor:
    """The gradient of a reduction's result given to each element that went into it."""
    return broadcast_like(keep_axes(dy, op), op.inputs[0])


# ---- masks and conjugates


_BITS = {1: np.int8, 2: np.int16, 4: np.int32, 8: np.int64}


def _masked_kernel(mask: Any, x: Any) -> Any:
    bits = _BITS.get(x.dtype.itemsize)
    if bits is None:
        return np.where(mask, x, x.dtype.type(0))
    # Bits that are all ones or all zeros: several times faster than `where`, which has to guess.
    return np.bitwise_and(np.negative(mask.astype(bits)), x.view(bits)).view(x.dtype)


MASKED = define(
    "Masked",
    kernel=_masked_kernel,
    infer=lambda inputs, attrs: Spec(
        inputs[1].dtype, rules.broadcast_shapes(inputs[0].shape, inputs[1].shape)
    ),
)


@gradient(MASKED)
def _(op: Any, dy: Tensor) -> Any:
    mask, x = op.inputs
    return None, unbroadcast(masked(mask, dy), x, mask)


def masked(mask: Tensor, x: Tensor) -> Tensor:
    """`x` where `mask` is true, and 0 elsewhere whatever `x` is there (NaN included)."""
    return apply(MASKED, (mask, x))


def conjugate(x: Tensor) -> Tensor:
    """The complex conjugate; real tensors are their own."""
    if not x.dtype.is_complex:
        return x
    from runtime.ops.complex_ import conj

    return conj(x)


COPIED = define("Copied", kernel=np.array, infer=rules.same)


@gradient(COPIED)
def _(op: Any, dy: Tensor) -> Any:
    return (dy,)


def copied(x: Tensor) -> Tensor:
    """`x` in memory of its own, in graphs: what it was taken from may be written to then."""
    return apply(COPIED, (x,)) if thread.graph is not None else x


def zeros_like(x: Tensor) -> Tensor:
    """Zeros of the shape and dtype of `x`."""
    return apply(ZEROS, (x,))


ZEROS = define(
    "GradientZeros",
    kernel=np.zeros_like,
    infer=rules.same,
    gradient=lambda op, dy: (None,),
    measures=(0,),
)


def like_operand(dy: Tensor, x: Tensor) -> Tensor:
    """`dy` in the dtype of `x`: real if `x` is, complex if it is."""
    if dy.dtype is x.dtype:
        return dy
    if dy.dtype.is_complex and not x.dtype.is_complex:
        from runtime.ops.complex_ import real

        dy = real(dy)
    from runtime.ops.casting import cast

    return cast(dy, x.dtype)
