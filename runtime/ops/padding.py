"""Tensors made larger: repeated, or with a margin added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.numpy_calls import add_reduce
from runtime.ops.promotion import beside, cast_to
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.shaping import described_shape, dims_argument, dims_of, shape, shape_tensor
from runtime.shapes import UNKNOWN, TensorShape
from runtime.static import static_shape, static_value
from runtime.tensor import SymbolicTensor, Tensor


def _tile_kernel(x: Any, multiples: Any = None, shape: Any = None) -> Any:
    times = shape if multiples is None else dims_of(multiples)
    if len(times) != x.ndim:
        raise ValueError(f"tile takes one multiple a dimension: {x.ndim}, found {len(times)}")
    return np.tile(x, times)


def _tiled(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    x = inputs[0]
    times = described_shape(inputs, attrs, 1)
    dims = x.shape.as_tuple()
    if dims is None or times.rank is None:
        rank = times.rank if dims is None else len(dims)
        return Spec(x.dtype, UNKNOWN if rank is None else TensorShape((None,) * rank))
    if len(dims) != times.rank:
        raise ValueError(f"tile takes one multiple a dimension: {len(dims)}, found {times.rank}")
    made = [None if d is None or t is None else d * t for d, t in zip(dims, times, strict=True)]
    return Spec(x.dtype, TensorShape(tuple(made)))


TILE = define("Tile", kernel=_tile_kernel, infer=_tiled)


@gradient(TILE)
def _(op: Any, dy: Tensor) -> Any:
    dims = shape_tensor(op.inputs[0])
    attrs: dict[str, Any] = {"multiples": op.attrs.get("shape")}
    inputs = [dy, *op.inputs[1:]]
    if isinstance(dims, tuple):
        attrs["shape"] = dims
    else:
        inputs.append(dims)
    return (apply(TILE_GRAD, inputs, attrs), *[None] * (len(op.inputs) - 1))


def _tile_grad_kernel(dy: Any, *rest: Any, multiples: Any, shape: Any = None) -> Any:
    given = list(rest)
    times = dims_of(given.pop(0)) if multiples is None else multiples
    dims = dims_of(given.pop(0)) if shape is None else shape
    # Every axis is split into its copies and the original, and the copies are added up.
    split = [n for pair in zip(times, dims, strict=True) for n in pair]
    return add_reduce(dy.reshape(split), axis=tuple(range(0, len(split), 2)))


TILE_GRAD = define(
    "TileGrad",
    kernel=_tile_grad_kernel,
    infer=lambda inputs, attrs: Spec(
        inputs[0].dtype, described_shape(inputs, attrs, len(inputs) - 1)
    ),
)


@gradient(TILE_GRAD)
def _(op: Any, dy: Tensor) -> Any:
    times = op.attrs["multiples"]
    back = tile(dy, op.inputs[1] if times is None else times)
    return (back, *[None] * (len(op.inputs) - 1))


def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """`input` repeated along each of its axes.

    Args:
      input: a tensor or what can become one.
      multiples: how often, one number an axis; may be a tensor.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.tile([[1, 2]], [2, 2]).numpy().tolist()
    [[1, 2, 1, 2], [1, 2, 1, 2]]
    """
    x = convert_to_tensor(input)
    dims, dynamic = dims_argument(multiples)
    if dynamic is None:
        return apply(TILE, (x,), {"shape": dims}, name)
    return apply(TILE, (x, dynamic), {}, name)


def _pad_widths(paddings: Any, widths: Any, x: Any) -> Any:
    found = widths if paddings is None else paddings.tolist()
    if len(found) != x.ndim:
        raise ValueError(f"pad takes one pair of widths a dimension: {x.ndim}, found {len(found)}")
    return found


def _pad_kernel(x: Any, value: Any, paddings: Any = None, widths: Any = None) -> Any:
    found = _pad_widths(paddings, widths, x)
    dims = [before + d + after for d, (before, after) in zip(x.shape, found, strict=True)]
    made = np.full(dims, value, x.dtype)
    inside = [slice(before, before + d) for d, (before, _) in zip(x.shape, found, strict=True)]
    place: Any = (*inside, ...)
    made[place] = x
    return made


def _padded(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    x = inputs[0]
    dims, widths = x.shape.as_tuple(), attrs.get("widths")
    if widths is None and isinstance(inputs[-1], Tensor):
        widths = _known_widths(inputs[-1])
    if widths is None:
        rank = x.shape.rank
        if rank is None:
            rank = inputs[-1].shape[0] if inputs[-1].shape.rank == 2 else None
        return Spec(x.dtype, UNKNOWN if rank is None else TensorShape((None,) * rank))
    if dims is None:
        return Spec(x.dtype, TensorShape((None,) * len(widths)))
    if len(widths) != len(dims):
        raise ValueError(
            f"pad takes one pair of widths a dimension: {len(dims)}, found {len(widths)}"
        )
    made = []
    for d, (before, after) in zip(dims, widths, strict=True):
        if (before or 0) < 0 or (after or 0) < 0:
            raise ValueError(f"the widths of pad are at least 0, found {widths}")
        unknown = d is None or before is None or after is None
        made.append(None if unknown else d + before + after)
    return Spec(x.dtype, TensorShape(tuple(made)))


def _known_widths(paddings: Tensor) -> list[list[int | None]] | None:
    """What is known of a paddings tensor made by packing rows, some of them constant."""
    if not isinstance(paddings, SymbolicTensor) or paddings.op.opdef.name != "Pack":
        return None
    parts = [static_shape(part).as_tuple() for part in paddings.op.inputs]
    if any(part is None for part in parts):
        return None
    rows = [list(part or ()) for part in parts]
    if paddings.op.attrs["axis"] in (1, -1):
        rows = [list(row) for row in zip(*rows, strict=True)]
    return rows if all(len(row) == 2 for row in rows) else None


PAD = define("PadV2", kernel=_pad_kernel, infer=_padded)


@gradient(PAD)
def _(op: Any, dy: Tensor) -> Any:
    from runtime.ops.reductions import reduce_sum
    from runtime.ops.slicing import slice as slice_

    x = op.inputs[0]
    widths = op.attrs.get("widths")
    begin: Any
    if widths is None:
        from runtime.ops.indexing import get_item

        begin = get_item(op.inputs[2], (slice(None), 0))
    else:
        begin = [before for before, _ in widths]
    inside = slice_(dy, begin, shape(x))
    back = (inside, reduce_sum(dy) - reduce_sum(inside))
    return back if widths is not None else (*back, None)


def _mirror_kernel(x: Any, paddings: Any = None, *, widths: Any = None, mode: str) -> Any:
    return np.pad(x, _pad_widths(paddings, widths, x), mode=mode)  # type: ignore[call-overload]


def _mirror_grad_kernel(dy: Any, paddings: Any = None, *, widths: Any = None, mode: str) -> Any:
    for axis, (before, after) in enumerate(_pad_widths(paddings, widths, dy)):
        inside = dy.shape[axis] - before - after
        source = np.pad(np.arange(inside), (before, after), mode=mode)  # type: ignore[call-overload]
        made = np.zeros((*dy.shape[:axis], inside, *dy.shape[axis + 1 :]), dy.dtype)
        np.add.at(np.moveaxis(made, axis, 0), source, np.moveaxis(dy, axis, 0))
        dy = made
    return dy


def _unpadded(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    x = inputs[0]
    dims, widths = x.shape.as_tuple(), attrs.get("widths")
    if dims is None or widths is None:
        return Spec(x.dtype, UNKNOWN if dims is None else TensorShape((None,) * len(dims)))
    made = [None if d is None else d - a - b for d, (a, b) in zip(dims, widths, strict=True)]
    return Spec(x.dtype, TensorShape(tuple(made)))


MIRROR_PAD = define("MirrorPad", kernel=_mirror_kernel, infer=_padded)
MIRROR_PAD_GRAD = define("MirrorPadGrad", kernel=_mirror_grad_kernel, infer=_unpadded)


@gradient(MIRROR_PAD)
def _(op: Any, dy: Tensor) -> Any:
    back = apply(MIRROR_PAD_GRAD, (dy, *op.inputs[1:]), op.attrs)
    return (back,) if len(op.inputs) == 1 else (back, None)


@gradient(MIRROR_PAD_GRAD)
def _(op: Any, dy: Tensor) -> Any:
    back = apply(MIRROR_PAD, (dy, *op.inputs[1:]), op.attrs)
    return (back,) if len(op.inputs) == 1 else (back, None)


def pad(
    tensor: Any,
    paddings: Any,
    mode: str = "CONSTANT",
    constant_values: Any = 0,
    name: str | None = None,
) -> Tensor:
    """`tensor` with elements added before and after along each axis.

    Args:
      tensor: a tensor or what can become one.
      paddings: for each axis how many before and after; may be a tensor of shape (rank, 2).
      mode: "CONSTANT" adds `constant_values`, "REFLECT" mirrors without the edge, "SYMMETRIC"
        mirrors with it.
      constant_values: one value.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.pad([1, 2], [[1, 2]], constant_values=9).numpy().tolist()
    [9, 1, 2, 9, 9]
    """
    x = convert_to_tensor(tensor)
    given = convert_to_tensor(paddings)
    if given.shape.rank not in (2, None) or given.dtype.kind not in "iu":
        raise ValueError(
            f"{user_location()}: paddings hold a pair of integers for each axis, found "
            f"{given.dtype.name} of shape {given.shape}"
        )
    known = static_value(given)
    attrs: dict[str, Any] = {}
    dynamic: tuple[Tensor, ...] = (given,)
    if known is not None:
        attrs, dynamic = {"widths": tuple((int(a), int(b)) for a, b in known)}, ()
    kind = mode.upper()
    if kind == "CONSTANT":
        value = beside(x, constant_values)[1] if x.dtype.kind != "S" else _string(constant_values)
        return apply(PAD, (x, cast_to(value, x.dtype), *dynamic), attrs, name)
    if kind not in ("REFLECT", "SYMMETRIC"):
        raise ValueError(
            f"{user_location()}: mode of pad is CONSTANT, REFLECT or SYMMETRIC, found {mode!r}"
        )
    return apply(MIRROR_PAD, (x, *dynamic), {**attrs, "mode": kind.lower()}, name)


def _string(value: Any) -> Tensor:
    return convert_to_tensor("" if type(value) is int and value == 0 else value)
