"""Arrays of NumPy's from outside of a traced function, that it stores to under another name.

`buffer = self.buffer; buffer[0] = x` changes an array that `self` goes on to hold. In the trace a
tensor takes its place there, for which the name stands as well; each call then sets the elements of
the array (see `autograph_lite.state`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph_lite.staging import scopes
from autograph_lite.staging.contents import Slot
from autograph_lite.staging.memory import Memory
from autograph_lite.staging.scopes import Place, Scope
from runtime.context import building
from runtime.convert import convert_to_tensor
from runtime.ops.shaping import identity
from runtime.tensor import SymbolicTensor

_finder: Callable[[Any], Slot | None] | None = None


def set_array_places(finder: Callable[[Any], Slot | None]) -> None:
    """Has `finder(array)` say where an array from outside of the trace is kept."""
    global _finder
    _finder = finder


def base_of(array: Any) -> Any:
    """The array whose memory an array is a view of; itself if it has its own."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def place_of(array: Any) -> Slot | None:
    """Where an array from outside, or what it is a view of, is kept; None for any other."""
    return None if _finder is None else _finder(base_of(array))


def taken_in(array: Any, slot: Slot) -> SymbolicTensor | None:
    """The tensor that stands for an array from now on, in its place as well.

    Args:
      array: an array from outside, or a view of one.
      slot: where that is kept.

    Returns:
      None if the array is a view of a kind that no index gives.
    """
    base = base_of(array)
    index = index_of_view(base, array)
    if index is None:
        return None
    scope = _of_function()
    with building(scope.graph):
        whole: Any = identity(convert_to_tensor(base))
        memory = Memory(whole)
        memory.take_in(whole, [])
        place = Place(slot.owner, slot.kind, slot.key)
        scope.note(place, base)
        scopes.fill(base)
        place.write(whole)
        if array is base:
            return whole  # type: ignore[no-any-return]
        return memory.view(whole[index], whole)


def _of_function() -> Scope:
    return next(s for s in reversed(scopes.stack()) if s.is_function)


def index_of_view(base: Any, view: Any) -> tuple[Any, ...] | None:
    """The index that gives a view of an array; None if none does.

    >>> grid = np.zeros((3, 4))
    >>> index_of_view(grid, grid[1, ::2])
    (1, slice(0, 4, 2))
    """
    if view is base:
        return (Ellipsis,)
    start = view.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    if not base.flags.c_contiguous or not base.size or not view.size or start % base.itemsize:
        return None
    first = np.unravel_index(start // base.itemsize, base.shape)
    index: list[Any] = [int(at) for at in first]
    axis = 0
    for size, stride in zip(view.shape, view.strides, strict=True):
        while axis < base.ndim and (stride <= 0 or stride % base.strides[axis]):
            axis += 1
        if axis == base.ndim:
            return None
        step = stride // base.strides[axis]
        stop = min(index[axis] + (size - 1) * step + 1, base.shape[axis])
        index[axis] = slice(index[axis], stop, step)
        axis += 1
    found = base[tuple(index)]
    same = (found.shape, found.strides) == (view.shape, view.strides)
    at = found.__array_interface__["data"][0] == view.__array_interface__["data"][0]
    return tuple(index) if same and at else None


__all__ = ["base_of", "place_of", "set_array_places", "taken_in"]
