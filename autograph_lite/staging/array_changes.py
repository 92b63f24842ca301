"""Methods and functions of NumPy's that change an array in place, while tracing.

`out.sort()`, `np.copyto(out, x)`, `np.add.at(out, places, x)`: the new elements are computed, and
stored to the array as `out[...] = new` does. With nothing staged in them, and outside of branches
and loops, they are left to NumPy.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph_lite.errors import StagingError
from autograph_lite.staging import array_stores, scopes
from autograph_lite.staging.holders import Own, own_variable
from autograph_lite.staging.places import is_symbolic
from runtime import numpy_face
from runtime.convert import convert_to_tensor
from runtime.locations import user_location
from runtime.numpy_face import arranging, choosing
from runtime.ops import creation, gathering, segments, shaping
from runtime.ops.casting import cast
from runtime.ops.indexing import set_item
from runtime.tensor import SymbolicTensor, Tensor

Function = Callable[..., Any]


def method(f: Any, owner: Any) -> Function | None:
    """A method that changes an array; None for any other."""
    name = getattr(f, "__name__", "")
    if isinstance(owner, np.ufunc):
        return partial(_choosing, f, partial(_at, owner)) if name == "at" else None
    if not isinstance(owner, SymbolicTensor | np.ndarray):
        return None
    if name not in _METHODS:
        return _making(f) if isinstance(owner, SymbolicTensor) else None
    return partial(_choosing, f, _METHODS[name], owner)


def _making(f: Function) -> Function:
    """A method that arrays have and tensors of TensorFlow have not: it gives an array."""

    def make(*args: Any, **keywords: Any) -> Any:
        return array_stores.note_made(f(*args, **keywords))

    return make


def function(f: Any) -> Function | None:
    """A function that changes its first argument; None for any other."""
    found = _FUNCTIONS.get(f) if f.__hash__ is not None else None
    return None if found is None else partial(_choosing, f, found)


def _choosing(f: Function, staged: Function, *args: Any, **keywords: Any) -> Any:
    """Runs NumPy's own function on arrays, if nothing is staged."""
    if not args and keywords:
        # NumPy takes what it changes by its name, too: `np.copyto(dst=a, src=b)`.
        first = next(iter(inspect.signature(staged).parameters))
        args = (keywords.pop(first),) if first in keywords else ()
    target, rest = args[0] if args else None, (*args[1:], *keywords.values())
    bound = getattr(f, "__self__", None) is target
    if isinstance(target, np.ndarray):
        if scopes.depth() <= 1 and not any(map(_is_staged, rest)):
            return f(*args[1:], **keywords) if bound else f(*args, **keywords)
    elif not isinstance(target, SymbolicTensor):
        return f(*args, **keywords)
    return staged(*args, **keywords)


def _is_staged(value: Any) -> bool:
    if isinstance(value, list):
        return any(map(_is_staged, value))
    return is_symbolic(value)


def _put(owner: Any, new: Any) -> None:
    array_stores.replace(owner, new, Own())


# ---- methods


def _sort(owner: Any, axis: Any = -1, kind: Any = None, order: Any = None, **_: Any) -> None:
    _put(owner, choosing.sort(convert_to_tensor(owner), axis))


def _partition(owner: Any, kth: Any, axis: Any = -1, kind: Any = None, order: Any = None) -> None:
    _put(owner, choosing.partition(convert_to_tensor(owner), kth, axis))


def _fill(owner: Any, value: Any) -> None:
    array_stores.store(owner, Ellipsis, value, Own())


def _put_items(owner: Any, indices: Any, values: Any, mode: str = "raise") -> None:
    if mode != "raise":
        raise _unknown(f"put() with mode={mode!r}")
    whole = convert_to_tensor(owner)
    places = shaping.reshape(gathering.integers(indices, "indices"), [-1])
    new = convert_to_tensor(values, dtype_hint=whole.dtype)
    if new.shape.rank != 0:
        new = arranging.resize(new, (_count(places),))
    flat = set_item(shaping.reshape(whole, [-1]), places, new)
    _put(owner, shaping.reshape(flat, _shape(whole)))


def _put_function(a: Any, ind: Any, v: Any, mode: str = "raise") -> None:
    _put_items(a, ind, v, mode)


def _put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    raise _unknown("put_along_axis()")


def put_flat(owner: Any, index: Any, value: Any) -> None:
    """`owner.flat[index] = value`"""
    if isinstance(owner, np.ndarray) and scopes.depth() <= 1:
        if not _is_staged(index) and not _is_staged(value):
            owner.flat[index] = value
            return
    whole = convert_to_tensor(owner)
    flat = set_item(shaping.reshape(whole, [-1]), index, value)
    _put(owner, shaping.reshape(flat, _shape(whole)))


_METHODS: dict[str, Function] = {
    "sort": _sort,
    "partition": _partition,
    "fill": _fill,
    "put": _put_items,
}


# ---- functions


def _copyto(dst: Any, src: Any, casting: str = "same_kind", where: Any = True) -> None:
    whole = convert_to_tensor(dst)
    new = convert_to_tensor(src, dtype_hint=whole.dtype)
    if casting != "same_kind" or isinstance(src, int | float | bool):
        new = cast(new, whole.dtype)
    if where is not True:
        new = gathering.where(where, new, whole)
    _put(dst, new)


def _fill_diagonal(a: Any, val: Any, wrap: bool = False) -> None:
    whole = convert_to_tensor(a)
    if wrap or not whole.shape.is_fully_defined():
        raise _unknown("fill_diagonal() of an array whose shape is not known")
    sizes: list[Any] = list(whole.shape)
    places = np.arange(min(sizes))
    new = convert_to_tensor(val, dtype_hint=whole.dtype)
    if new.shape.rank != 0:
        new = arranging.resize(new, (len(places),))
    _put(a, set_item(whole, (places,) * len(sizes), cast(new, whole.dtype)))


def _putmask(a: Any, mask: Any, values: Any) -> None:
    whole = convert_to_tensor(a)
    new = cast(convert_to_tensor(values, dtype_hint=whole.dtype), whole.dtype)
    if new.shape.rank != 0 and new.shape != whole.shape:
        new = arranging.resize(new, _shape(whole))
    _put(a, gathering.where(mask, new, whole))


def _place(arr: Any, mask: Any, vals: Any) -> None:
    from runtime.numpy_face.statistics import cumsum

    whole = convert_to_tensor(arr)
    new = shaping.reshape(cast(convert_to_tensor(vals), whole.dtype), [-1])
    chosen = shaping.reshape(cast(mask, "int64"), [-1])
    places = (cumsum(chosen) - 1) % _count(new)
    taken = shaping.reshape(gathering.gather(new, places), _shape(whole))
    _put(arr, gathering.where(cast(mask, "bool"), taken, whole))


def _at(ufunc: np.ufunc, a: Any, indices: Any, *b: Any) -> None:
    """`np.add.at(a, indices, b)` and its kin: an element that is named twice changes twice."""
    combine = _COMBINING.get(ufunc)
    if combine is None or len(b) != 1:
        raise _unknown(f"np.{ufunc.__name__}.at")
    whole = convert_to_tensor(a)
    numbers = shaping.reshape(creation.range(_size(whole)), _shape(whole))
    places = numbers[tuple(indices) if isinstance(indices, tuple) else indices]
    new = cast(convert_to_tensor(b[0], dtype_hint=whole.dtype), whole.dtype)
    new = shaping.broadcast_to(new, shaping.shape(places))
    count = _size(whole)
    flat, at = shaping.reshape(new, [-1]), shaping.reshape(places, [-1])
    _put(a, combine(whole, lambda f: shaping.reshape(f(flat, at, count), _shape(whole))))


_COMBINING: dict[Any, Function] = {
    np.add: lambda x, made: x + made(segments.unsorted_segment_sum),
    np.subtract: lambda x, made: x - made(segments.unsorted_segment_sum),
    np.multiply: lambda x, made: x * made(segments.unsorted_segment_prod),
    np.divide: lambda x, made: x / made(segments.unsorted_segment_prod),
    np.maximum: lambda x, made: np.maximum(x, made(segments.unsorted_segment_max)),
    np.minimum: lambda x, made: np.minimum(x, made(segments.unsorted_segment_min)),
}
_FUNCTIONS: dict[Any, Function] = {
    np.copyto: _copyto,
    np.put: _put_function,
    np.put_along_axis: _put_along_axis,
    np.fill_diagonal: _fill_diagonal,
    np.putmask: _putmask,
    np.place: _place,
}


def _unknown(what: str) -> StagingError:
    return StagingError(
        f"{user_location()}: {what} cannot be staged; store to items of the array, as in `a[:] = b`"
    )


def _size(tensor: Tensor) -> Any:
    known = tensor.shape.num_elements()
    return shaping.size(tensor) if known is None else known


def _count(vector: Tensor) -> Any:
    known = vector.shape[0]
    return shaping.shape(vector)[0] if known is None else known


def _shape(tensor: Tensor) -> Any:
    return list(tensor.shape) if tensor.shape.is_fully_defined() else shaping.shape(tensor)


def _write(target: Any, made: Any) -> Any:
    """Writes what a function has made into its `out`."""
    return array_stores.replace(target, made, own_variable())


numpy_face.set_writer(_write)

__all__ = ["function", "method", "put_flat"]
