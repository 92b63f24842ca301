"""NumPy's functions that rearrange, join and split; each is NumPy's of the same name."""

from __future__ import annotations

import builtins
import itertools
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.numpy_face import unsupported
from runtime.ops import gathering, joining, padding, reordering, shaping
from runtime.ops.casting import cast
from runtime.ops.indexing import get_item
from runtime.shapes import normal_axis
from runtime.tensor import Tensor


def _axes(axis: Any, rank: int) -> list[int]:
    given = (axis,) if isinstance(axis, int | np.integer) else tuple(axis)
    return [normal_axis(int(a), rank) for a in given]


def _dims(x: Tensor) -> Any:
    """The sizes of `x`, those unknown as tensors."""
    known = x.shape.as_list()
    if None not in known:
        return known
    dynamic = shaping.shape(x)
    return [dynamic[i] if d is None else d for i, d in enumerate(known)]


# ---- asking


def shape(a: Any) -> Any:
    x = convert_to_tensor(a)
    if x.shape.rank is None:
        return shaping.shape(x)
    return tuple(x.shape.as_list()) if x.shape.is_fully_defined() else shaping.open_shape(x)


def ndim(a: Any) -> Any:
    return convert_to_tensor(a).ndim


def size(a: Any, axis: Any = None) -> Any:
    x = convert_to_tensor(a)
    if axis is None:
        known = x.shape.num_elements()
        return shaping.plain_int(shaping.size(x)) if known is None else known
    known = x.shape[axis]
    return shaping.plain_int(shaping.shape(x)[axis]) if known is None else known


# ---- one array


def reshape(
    a: Any, /, shape: Any = None, order: str = "C", *, newshape: Any = None, copy: Any = None
) -> Any:
    wanted = newshape if shape is None else shape
    if order == "F" and isinstance(wanted, int | list | tuple):
        sizes = [wanted] if isinstance(wanted, int) else list(wanted)
        return shaping.transpose(shaping.reshape(shaping.transpose(a), sizes[::-1]))
    if order not in ("C", "A"):
        raise unsupported(f"order={order!r}")
    return shaping.reshape(a, wanted)


def ravel(a: Any, order: str = "C") -> Any:
    if order == "F":
        return shaping.reshape(shaping.transpose(a), [-1])
    if order not in ("C", "A", "K"):
        raise unsupported(f"order={order!r}")
    return shaping.reshape(a, [-1])


def transpose(a: Any, axes: Any = None) -> Any:
    return shaping.transpose(a, axes)


permute_dims = transpose


def matrix_transpose(x: Any, /) -> Any:
    return shaping.matrix_transpose(x)


def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    x = convert_to_tensor(a)
    order = list(range(x.ndim))
    i, j = normal_axis(axis1, x.ndim), normal_axis(axis2, x.ndim)
    order[i], order[j] = order[j], order[i]
    return shaping.transpose(x, order)


def moveaxis(a: Any, source: Any, destination: Any) -> Any:
    x = convert_to_tensor(a)
    origin, target = _axes(source, x.ndim), _axes(destination, x.ndim)
    order = [i for i in range(x.ndim) if i not in origin]
    for place, axis in sorted(zip(target, origin, strict=True)):
        order.insert(place, axis)
    return shaping.transpose(x, order)


def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    x = convert_to_tensor(a)
    origin = normal_axis(axis, x.ndim)
    place = start + x.ndim if start < 0 else start
    return moveaxis(x, origin, place - 1 if origin < place else place)


def expand_dims(a: Any, axis: Any) -> Any:
    x = convert_to_tensor(a)
    for place in sorted(_axes(axis, x.ndim + np.size(axis))):
        x = shaping.expand_dims(x, place)
    return x


def squeeze(a: Any, axis: Any = None) -> Any:
    return shaping.squeeze(a, axis)


def broadcast_to(array: Any, shape: Any, subok: bool = False) -> Any:
    return shaping.broadcast_to(array, shape)


def broadcast_arrays(*args: Any, subok: bool = False) -> Any:
    tensors = [convert_to_tensor(a) for a in args]
    common: Any = tensors[0].shape
    for other in tensors[1:]:
        common = shaping.broadcast_static_shape(common, other.shape)
    if not common.is_fully_defined():
        common = shaping.shape(tensors[0])
        for other in tensors[1:]:
            common = shaping.broadcast_dynamic_shape(common, shaping.shape(other))
    return tuple(shaping.broadcast_to(t, common) for t in tensors)


def atleast_1d(*arys: Any) -> Any:
    made = [_at_least(convert_to_tensor(a), 1) for a in arys]
    return made[0] if len(made) == 1 else tuple(made)


def atleast_2d(*arys: Any) -> Any:
    made = [_at_least(convert_to_tensor(a), 2) for a in arys]
    return made[0] if len(made) == 1 else tuple(made)


def atleast_3d(*arys: Any) -> Any:
    def one(a: Any) -> Tensor:
        x = _at_least(convert_to_tensor(a), 2)
        return x if x.ndim >= 3 else shaping.expand_dims(x, -1)

    made = [one(a) for a in arys]
    return made[0] if len(made) == 1 else tuple(made)


def _at_least(x: Tensor, rank: int) -> Tensor:
    while x.ndim < rank:
        x = shaping.expand_dims(x, 0)
    return x


def flip(m: Any, axis: Any = None) -> Any:
    x = convert_to_tensor(m)
    return reordering.reverse(x, range(x.ndim) if axis is None else _axes(axis, x.ndim))


def fliplr(m: Any) -> Any:
    return flip(m, 1)


def flipud(m: Any) -> Any:
    return flip(m, 0)


def rot90(m: Any, k: int = 1, axes: Any = (0, 1)) -> Any:
    x = convert_to_tensor(m)
    first, second = _axes(axes, x.ndim)
    turns = k % 4
    if turns == 0:
        return x
    if turns == 2:
        return flip(x, (first, second))
    if turns == 1:
        return swapaxes(flip(x, second), first, second)
    return flip(swapaxes(x, first, second), second)


def roll(a: Any, shift: Any, axis: Any = None) -> Any:
    x = convert_to_tensor(a)
    if axis is None:
        flat = reordering.roll(shaping.reshape(x, [-1]), [shift], [0])
        return shaping.reshape(flat, shaping.shape_tensor(x))
    places = _axes(axis, x.ndim)
    shifts = [shift] * len(places) if np.ndim(shift) == 0 else shift
    return reordering.roll(x, shifts, places)


def tile(A: Any, reps: Any) -> Any:
    x = convert_to_tensor(A)
    times = [reps] if np.ndim(reps) == 0 else list(reps)
    x = _at_least(x, len(times))
    return padding.tile(x, [1] * (x.ndim - len(times)) + times)


def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    return gathering.repeat(a, repeats, axis)


def resize(a: Any, new_shape: Any) -> Any:
    flat = shaping.reshape(a, [-1])
    total = int(np.prod(new_shape))
    known = flat.shape[0]
    if not known:
        raise unsupported("an array of unknown size or without elements")
    repeated = padding.tile(flat, [-(-total // known)])
    return shaping.reshape(repeated[:total], new_shape)


def pad(array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    x = convert_to_tensor(array)
    widths = np.broadcast_to(np.asarray(pad_width), (x.ndim, 2))
    if mode == "constant":
        value = kwargs.get("constant_values", 0)
        if np.ndim(value) != 0:
            raise unsupported("constant_values of several values")
        return padding.pad(x, widths, constant_values=value)
    if mode in ("reflect", "symmetric") and kwargs.get("reflect_type", "even") == "even":
        limit = [d or 0 for d in x.shape.as_list()]
        if all(w <= d - (mode == "reflect") for pair, d in zip(widths, limit) for w in pair):  # noqa: B905
            return padding.pad(x, widths, mode)
    if mode == "edge":
        return _pad_by_index(x, widths, "edge")
    if mode in ("wrap", "reflect", "symmetric") and not kwargs:
        return _pad_by_index(x, widths, mode)
    raise unsupported(f"mode={mode!r}")


def _pad_by_index(x: Tensor, widths: Any, mode: Any) -> Tensor:
    for axis, (before, after) in enumerate(widths.tolist()):
        count = x.shape[axis]
        if count is None:
            raise unsupported("an axis of unknown size")
        places = np.pad(np.arange(count), (before, after), mode=mode)
        x = gathering.gather(x, places, axis=axis)
    return x


def append(arr: Any, values: Any, axis: Any = None) -> Any:
    if axis is None:
        return joining.concat([ravel(arr), ravel(values)], 0)
    return joining.concat([arr, values], axis)


def insert(arr: Any, obj: Any, values: Any, axis: Any = None) -> Any:
    if not isinstance(obj, int | np.integer):
        raise unsupported("an index that is no integer")
    x = ravel(arr) if axis is None else convert_to_tensor(arr)
    at = 0 if axis is None else normal_axis(axis, x.ndim)
    front: Any = (slice(None),) * at
    before = get_item(x, (*front, slice(None, obj)))
    after = get_item(x, (*front, slice(obj, None)))
    new = cast(values, x.dtype)
    if axis is None:
        new = ravel(new)
    else:
        if new.ndim == x.ndim - 1 or new.ndim == 0:
            new = new if new.ndim == 0 else shaping.expand_dims(new, at)
        dims = [1 if i == at and new.ndim < x.ndim else d for i, d in enumerate(_dims(x))]
        if new.ndim == 0:
            new = shaping.broadcast_to(new, dims)
    return joining.concat([before, new, after], at)


def delete(arr: Any, obj: Any, axis: Any = None) -> Any:
    x = ravel(arr) if axis is None else convert_to_tensor(arr)
    at = 0 if axis is None else normal_axis(axis, x.ndim)
    count = x.shape[at]
    if count is None or isinstance(obj, Tensor):
        raise unsupported("an axis of unknown size, or an index that is a tensor")
    return gathering.gather(x, np.delete(np.arange(count), obj), axis=at)


# ---- several arrays


def concatenate(
    arrays: Any, /, axis: Any = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind"
) -> Any:
    if axis is None:
        arrays, axis = [ravel(a) for a in arrays], 0
    made = joining.concat(list(arrays), axis)
    return made if dtype is None else cast(made, dtype)


concat = concatenate


def stack(
    arrays: Any, axis: int = 0, out: Any = None, *, dtype: Any = None, casting: Any = "same_kind"
) -> Any:
    made = joining.stack(list(arrays), axis)
    return made if dtype is None else cast(made, dtype)


def vstack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    return concatenate([_at_least(convert_to_tensor(a), 2) for a in tup], 0, dtype=dtype)


def hstack(tup: Any, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
    parts = [_at_least(convert_to_tensor(a), 1) for a in tup]
    return concatenate(parts, 0 if parts[0].ndim == 1 else 1, dtype=dtype)


def dstack(tup: Any) -> Any:
    return concatenate([atleast_3d(a) for a in tup], 2)


def column_stack(tup: Any) -> Any:
    parts = [convert_to_tensor(a) for a in tup]
    return concatenate([shaping.reshape(p, [-1, 1]) if p.ndim < 2 else p for p in parts], 1)


def block(arrays: Any) -> Any:
    depth, inner = 0, arrays
    while isinstance(inner, list):
        depth, inner = depth + 1, inner[0]

    def most(value: Any) -> int:
        if isinstance(value, list):
            return max(most(v) for v in value)
        return convert_to_tensor(value).ndim

    rank = max(depth, most(arrays))

    def build(value: Any, level: int) -> Tensor:
        if isinstance(value, list):
            parts = [build(v, level + 1) for v in value]
            return joining.concat(parts, level - depth)
        return _at_least(convert_to_tensor(value), rank)

    return build(arrays, 0)


# ---- taking apart


def array_split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    x = convert_to_tensor(ary)
    count = x.shape[axis]
    if isinstance(indices_or_sections, int | np.integer):
        if count is None:
            raise unsupported("an axis of unknown size")
        sections = int(indices_or_sections)
        each, rest = divmod(count, sections)
        sizes = [each + 1] * rest + [each] * (sections - rest)
        return _parts(x, list(itertools.accumulate(sizes[:-1])), axis)
    return _parts(x, indices_or_sections, axis)


def _parts(x: Tensor, places: Any, axis: int) -> list[Any]:
    ends = [0, *places, None]
    front: Any = (builtins.slice(None),) * normal_axis(axis, x.ndim)
    return [get_item(x, (*front, builtins.slice(a, b))) for a, b in itertools.pairwise(ends)]


def split(ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    if isinstance(indices_or_sections, int | np.integer):
        x, sections = convert_to_tensor(ary), int(indices_or_sections)
        count = x.shape[axis]
        if count is None or count % sections:
            return joining.split(x, sections, axis)
        return array_split(x, sections, axis)
    return array_split(ary, indices_or_sections, axis)


def vsplit(ary: Any, indices_or_sections: Any) -> Any:
    return split(ary, indices_or_sections, 0)


def hsplit(ary: Any, indices_or_sections: Any) -> Any:
    x = convert_to_tensor(ary)
    return split(x, indices_or_sections, 1 if x.ndim > 1 else 0)


def dsplit(ary: Any, indices_or_sections: Any) -> Any:
    return split(ary, indices_or_sections, 2)


def unstack(x: Any, /, *, axis: int = 0) -> Any:
    rows = moveaxis(x, axis, 0)
    count = rows.shape[0]
    if count is None:
        return tuple(joining.unstack(x, axis=axis))
    return tuple(get_item(rows, n) for n in range(count))


def apply_along_axis(func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    from runtime.ops.functional import map_fn

    x = moveaxis(arr, axis, -1)
    rows = shaping.reshape(x, [-1, *_dims(x)[-1:]])
    made = map_fn(lambda row: convert_to_tensor(func1d(row, *args, **kwargs)), rows)
    rank = made.ndim - 1
    made = shaping.reshape(made, [*_dims(x)[:-1], *_dims(made)[1:]])
    at = normal_axis(axis, x.ndim)
    lead = x.ndim - 1
    return (
        moveaxis(made, list(range(lead, lead + rank)), list(range(at, at + rank))) if rank else made
    )


def astype(x: Any, dtype: Any, /, *, copy: bool = True, device: Any = None) -> Any:
    return cast(x, "float64" if dtype is float else dtype)
