"""Tensors put together, taken apart, repeated, padded and turned round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.promotion import beside, cast_to, result_dtype
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.shaping import (
    int_argument,
    shape,
)
from runtime.shapes import UNKNOWN, TensorShape, normal_axis
from runtime.static import static_value
from runtime.tensor import SymbolicTensor, Tensor


def alike(values: Sequence[Any]) -> list[Tensor]:
    """Several values as tensors of one dtype, as the operands of `+` would be brought to one.

    Raises:
      TypeError: they have no common dtype.
    """
    first = next((v for v in values if isinstance(v, Tensor)), None)
    if first is None:
        tensors = [convert_to_tensor(v) for v in values]
        if not any(_has_dtype(v) for v in values):
            # Python's numbers all together, as in one list.
            wanted = max((t.dtype for t in tensors), key=lambda d: ("biufc".find(d.kind), d.size))
            return [cast_to(t, wanted) for t in tensors]
    else:
        tensors = [v if isinstance(v, Tensor) else beside(first, v)[1] for v in values]
    strong = [t.dtype for t in tensors if not (isinstance(t, SymbolicTensor) and t.weak)]
    weak = [t.dtype for t in tensors if isinstance(t, SymbolicTensor) and t.weak]
    common = strong[0] if strong else weak[0]
    for dtype in strong or weak:
        common = result_dtype(common, dtype)
    if strong:
        for dtype in weak:
            if "biufc".find(dtype.kind) > "biufc".find(common.kind):
                common = result_dtype(common, dtype)
    return [cast_to(t, common) for t in tensors]


def _has_dtype(value: Any) -> bool:
    """Whether a value, or what a list begins with, comes with a dtype of its own."""
    while isinstance(value, list | tuple) and value:
        value = value[0]
    return hasattr(value, "dtype")


# ---- concat


def _concat_kernel(*arrays: Any, axis: int) -> Any:
    return np.concatenate(arrays, axis)


def _concatenated(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    dtype = inputs[0].dtype
    ranks = {t.shape.rank for t in inputs} - {None}
    if len(ranks) > 1:
        raise ValueError(f"concat takes tensors of one rank, found ranks {sorted(ranks)}")
    if not ranks:
        return Spec(dtype, UNKNOWN)
    (rank,) = ranks
    if rank == 0:
        raise ValueError("concat takes tensors of rank 1 or more, found scalars; use ag.stack")
    axis = normal_axis(attrs["axis"], rank)
    dims: list[int | None] = [None] * rank
    total: int | None = 0
    for t in inputs:
        own = t.shape.as_tuple() or (None,) * rank
        total = None if total is None or own[axis] is None else total + own[axis]
        for i, d in enumerate(own):
            if i == axis or d is None:
                continue
            if dims[i] not in (None, d):
                shapes = " and ".join(str(t.shape) for t in inputs)
                raise ValueError(
                    f"concat along axis {axis} takes shapes that agree elsewhere, found {shapes}"
                )
            dims[i] = d
    dims[axis] = total
    return Spec(dtype, TensorShape(tuple(dims)))


CONCAT = define("ConcatV2", kernel=_concat_kernel, infer=_concatenated)


@gradient(CONCAT)
def _(op: Any, dy: Tensor) -> Any:
    axis = op.attrs["axis"]
    inputs = op.inputs
    if len(inputs) == 1:
        return (dy,)
    rank = dy.shape.rank or next((t.shape.rank for t in inputs if t.shape.rank), None)
    sizes = None
    if rank is not None:
        sizes = [t.shape[axis] if t.shape.rank else None for t in inputs]
    if sizes is not None and None not in sizes:
        return tuple(split(dy, sizes, axis))
    lengths = stack([_length(t, axis) for t in inputs])
    return tuple(split(dy, lengths, axis, num=len(inputs)))


def _length(x: Tensor, axis: int) -> Tensor:
    from runtime.ops.indexing import get_item

    return get_item(shape(x), axis)


def concat(values: Any, axis: Any, name: str | None = None) -> Tensor:
    """Tensors joined end to end along an axis that they have.

    Args:
      values: a list of tensors of one rank whose sizes differ along `axis` only.
      axis: which axis; negative values count from the end.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: the shapes do not fit.

    >>> import autograph_lite as ag
    >>> ag.concat([[1, 2], [3]], 0).numpy().tolist()
    [1, 2, 3]
    """
    if hasattr(values, "__ag_concat__"):
        return values.__ag_concat__(axis, name)
    parts = list(values) if isinstance(values, list | tuple | Tensor) else [values]
    if not parts:
        raise ValueError(f"{user_location()}: concat takes at least one tensor, found none")
    return apply(CONCAT, alike(parts), {"axis": int_argument(axis, "axis")}, name or "concat")


# ---- stack, unstack


def _stack_kernel(*arrays: Any, axis: int) -> Any:
    return np.stack(arrays, axis)


def _stacked(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    merged = UNKNOWN
    for t in inputs:
        try:
            merged = merged.merge_with(t.shape)
        except ValueError:
            shapes = ", ".join(str(t.shape) for t in inputs[:8])
            raise ValueError(f"stack takes tensors of one shape, found {shapes}") from None
    dims = merged.as_tuple()
    if dims is None:
        return Spec(inputs[0].dtype, UNKNOWN)
    at = normal_axis(attrs["axis"], len(dims) + 1)
    return Spec(inputs[0].dtype, TensorShape((*dims[:at], len(inputs), *dims[at:])))


def _stack_lean(attrs: dict[str, Any], inputs: Sequence[Any]) -> Any:
    """Scalars, as in `ag.stack([n, 2])`, make a vector at a fraction of `np.stack`'s cost."""
    dtype = inputs[0].dtype
    if dtype.kind in "SRV" or any(t.shape.rank != 0 for t in inputs):
        return None
    found = dtype.np_dtype
    return lambda *values: np.array(values, found)


PACK = define("Pack", kernel=_stack_kernel, infer=_stacked, specialise=_stack_lean)


@gradient(PACK)
def _(op: Any, dy: Tensor) -> Any:
    return tuple(unstack(dy, len(op.inputs), op.attrs["axis"]))


def stack(values: Any, axis: Any = 0, name: str | None = "stack") -> Tensor:
    """Tensors of one shape laid side by side along a new axis.

    Args:
      values: a list of them.
      axis: where the new axis stands in the result.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: the shapes differ.

    >>> import autograph_lite as ag
    >>> ag.stack([[1, 4], [2, 5]], axis=1).numpy().tolist()
    [[1, 2], [4, 5]]
    """
    if hasattr(values, "__ag_stack__"):
        return values.__ag_stack__(axis, name)
    if isinstance(values, Tensor) and axis == 0:
        return values
    if not isinstance(values, list | tuple):
        values = list(values)
    if not values:
        raise ValueError(f"{user_location()}: stack takes at least one tensor, found none")
    return apply(PACK, alike(values), {"axis": int_argument(axis, "axis")}, name)


def _unstack_kernel(x: Any, num: int, axis: int, outputs_list: bool = True) -> Any:
    if x.shape[axis] != num:
        raise ValueError(f"axis {axis} of shape {x.shape} has size {x.shape[axis]}, not {num}")
    # The copy keeps the parts from holding on to, or being written through, the whole.
    rows = np.moveaxis(x, axis, 0)
    if x.dtype.kind == "O":
        return [rows[i, ...].copy() for i in range(num)]
    return [rows[i].copy() for i in range(num)]


def _unstacked(inputs: Sequence[Any], attrs: dict[str, Any]) -> list[Spec]:
    x, num = inputs[0], attrs["num"]
    dims = x.shape.as_tuple()
    if dims is None:
        return [Spec(x.dtype, UNKNOWN)] * num
    at = normal_axis(attrs["axis"], len(dims))
    if dims[at] not in (None, num):
        raise ValueError(f"axis {at} of shape {x.shape} has size {dims[at]}, not {num}")
    return [Spec(x.dtype, TensorShape((*dims[:at], *dims[at + 1 :])))] * num


UNPACK = define("Unpack", kernel=_unstack_kernel, infer=_unstacked)


@gradient(UNPACK)
def _(op: Any, *dys: Any) -> Any:
    return (stack(_filled_in(op, dys), op.attrs["axis"]),)


def _filled_in(op: Any, dys: Sequence[Any]) -> list[Tensor]:
    """The outputs' gradients, with zeros for those that nobody used."""
    from runtime.ops.creation import zeros_like

    return [zeros_like(y) if dy is None else dy for y, dy in zip(op.outputs, dys, strict=True)]


def unstack(
    value: Any, num: int | None = None, axis: Any = 0, name: Any = "unstack"
) -> list[Tensor]:
    """The slices of `value` along an axis, which they no longer have.

    Args:
      value: a tensor of rank 1 or more.
      num: the size of that axis, where it is unknown while tracing.
      axis: which axis.
      name: the operation's name in a graph.

    Raises:
      ValueError: the size is unknown and `num` not given.

    >>> import autograph_lite as ag
    >>> [t.numpy().tolist() for t in ag.unstack([[1, 2], [3, 4]])]
    [[1, 2], [3, 4]]
    """
    x = convert_to_tensor(value)
    at = int_argument(axis, "axis")
    if num is None:
        if x.shape.rank is not None:
            num = x.shape[normal_axis(at, x.shape.rank)]
        if num is None:
            raise ValueError(
                f"{user_location()}: unstack of {x!r} along axis {at}, whose size is unknown while "
                "tracing; say how many parts there are with num="
            )
    return apply(UNPACK, (x,), {"num": num, "axis": at, "outputs_list": True}, name)


# ---- split


def _split_kernel(
    x: Any, lengths: Any = None, *, sizes: Any, axis: int, outputs_list: bool = True
) -> Any:
    parts = sizes if lengths is None else lengths.tolist()
    total = x.shape[axis]
    if -1 in parts:
        rest = total - sum(p for p in parts if p != -1)
        parts = [rest if p == -1 else p for p in parts]
    if sum(parts) != total or min(parts, default=0) < 0:
        raise ValueError(f"sizes {list(parts)} do not add up to the {total} of axis {axis}")
    ends = np.cumsum(parts)
    front = (slice(None),) * (axis % x.ndim)
    places = [(*front, slice(e - p, e)) for p, e in zip(parts, ends, strict=True)]
    return [x[place].copy() for place in places]


def _split_specs(inputs: Sequence[Any], attrs: dict[str, Any]) -> list[Spec]:
    x, sizes = inputs[0], attrs["sizes"]
    dims = x.shape.as_tuple()
    if dims is None:
        return [Spec(x.dtype, UNKNOWN)] * len(sizes)
    at = normal_axis(attrs["axis"], len(dims))
    total = dims[at]
    parts = list(sizes)
    if len(inputs) == 1 and total is not None:
        rest = total - sum(p for p in parts if p != -1)
        if parts.count(-1) > 1 or rest < 0 or (rest != 0 and -1 not in parts):
            raise ValueError(
                f"sizes {parts} do not add up to the {total} of axis {at} of {x.shape}"
            )
        parts = [rest if p == -1 else p for p in parts]
    return [
        Spec(x.dtype, TensorShape((*dims[:at], None if p == -1 else p, *dims[at + 1 :])))
        for p in parts
    ]


SPLIT = define("SplitV", kernel=_split_kernel, infer=_split_specs)


@gradient(SPLIT)
def _(op: Any, *dys: Any) -> Any:
    back = concat(_filled_in(op, dys), op.attrs["axis"])
    return (back,) if len(op.inputs) == 1 else (back, None)


def _even_kernel(x: Any, num: int, axis: int, outputs_list: bool = True) -> Any:
    size = x.shape[axis]
    if size % num:
        raise ValueError(f"axis {axis} of shape {x.shape} does not split into {num} equal parts")
    return _split_kernel(x, sizes=(size // num,) * num, axis=axis)


def _even_specs(inputs: Sequence[Any], attrs: dict[str, Any]) -> list[Spec]:
    x, num = inputs[0], attrs["num"]
    dims = x.shape.as_tuple()
    if dims is None:
        return [Spec(x.dtype, UNKNOWN)] * num
    at = normal_axis(attrs["axis"], len(dims))
    total = dims[at]
    if total is not None and total % num:
        raise ValueError(f"axis {at} of shape {x.shape} does not split into {num} equal parts")
    part = None if total is None else total // num
    return [Spec(x.dtype, TensorShape((*dims[:at], part, *dims[at + 1 :])))] * num


SPLIT_EVENLY = define("Split", kernel=_even_kernel, infer=_even_specs)


@gradient(SPLIT_EVENLY)
def _(op: Any, *dys: Any) -> Any:
    return (concat(_filled_in(op, dys), op.attrs["axis"]),)


def split(
    value: Any, num_or_size_splits: Any, axis: Any = 0, num: int | None = None, name: Any = "split"
) -> list[Tensor]:
    """`value` cut along an axis into a list of tensors.

    Args:
      value: a tensor of rank 1 or more.
      num_or_size_splits: into how many equal parts; or a list of the parts' sizes, one of which
        may be -1 (what is left).
      axis: which axis.
      num: how many parts, where the sizes are a tensor of unknown length.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: the sizes do not add up.

    >>> import autograph_lite as ag
    >>> [t.numpy().tolist() for t in ag.split([1, 2, 3, 4], [1, 3])]
    [[1], [2, 3, 4]]
    """
    x = convert_to_tensor(value)
    attrs: dict[str, Any] = {"axis": int_argument(axis, "axis"), "outputs_list": True}
    if type(num_or_size_splits) is int:
        parts: Any = num_or_size_splits
    else:
        made = convert_to_tensor(num_or_size_splits)
        known = static_value(made)
        if known is None:
            count = num if num is not None else made.shape[0]
            if count is None:
                raise ValueError(
                    f"{user_location()}: split into {made!r}, whose length is unknown while "
                    "tracing; say how many parts there are with num="
                )
            return apply(SPLIT, (x, made), {**attrs, "sizes": (-1,) * count}, name)
        parts = int(known) if known.ndim == 0 else tuple(known.tolist())
    if isinstance(parts, int):
        if parts < 1:
            raise ValueError(f"{user_location()}: split makes at least one part, asked for {parts}")
        return apply(SPLIT_EVENLY, (x,), {**attrs, "num": parts}, name)
    return apply(SPLIT, (x,), {**attrs, "sizes": parts}, name)
