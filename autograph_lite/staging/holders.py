"""Who holds an array, or a list, while a function is traced: variables that are read later, and
containers.

The variables are those of the user's functions that run now. Of these, one that no later code reads
does not count, nor does the one through which an array is stored to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from autograph_lite.errors import StagingError
from autograph_lite.staging.contents import ATOMS, Closures, Slot, inside
from autograph_lite.staging.later_reads import assigned, held_by_statements, is_read, user_frames
from autograph_lite.staging.scopes import Place, stack
from runtime.locations import user_frame, user_location
from runtime.tensor import Tensor

_MOST = 50_000
"""How much of what variables hold is looked at for an array."""


class Held(NamedTuple):
    """An array that somebody holds: in a slot, or in a variable."""

    value: Any
    slot: Slot | None


class Own(NamedTuple):
    """Through what an array is stored to: a variable of the innermost function, or a slot."""

    name: str | None = None
    slot: Slot | None = None


def own_variable() -> Own:
    """The variable to which the user's statement assigns what it calls now."""
    frame = user_frame(2)
    return Own() if frame is None else Own(assigned(frame))


_ARRAYS = (Tensor, np.ndarray)


def holders(
    is_wanted: Callable[[Any], bool],
    own: Own,
    before_loop: bool = False,
    kinds: tuple[type, ...] = _ARRAYS,
) -> Iterator[Held]:
    """The arrays wanted that others hold, and read later; or lists.

    Args:
      is_wanted: tells which arrays are looked for.
      own: the variable or slot that does not count.
      before_loop: whether it is asked for a loop, whose body reads variables of the innermost
        function too.
      kinds: the classes of what is looked for.
    """
    frames, name = list(user_frames()), own.name
    closures = Closures([frame.f_code for frame in frames])

    def is_found(value: Any) -> bool:
        return isinstance(value, kinds) and is_wanted(value)

    search = _Search(is_found, own.slot, closures)
    for scope in stack():
        for value in scope.arrays.gone_over:
            if is_wanted(value):
                yield Held(value, None)
        for place, _ in list(scope.changes.values()):
            yield from search.changed(place)
    for value in held_by_statements():
        yield from search.look(value)
    for frame in frames:
        for variable, value in frame.f_locals.items():
            if type(value) in ATOMS or variable == name:
                continue
            if variable.startswith("return_value"):
                continue  # where a `return` has left it, the function does not go on
            for held in search.look(value):
                if before_loop or is_read(frame, variable):
                    yield held
        before_loop = False
        code = frame.f_code
        if name is not None and name in code.co_varnames + code.co_cellvars:
            name = None


class _Search:
    """Looks for something in what variables hold; each container is looked into once."""

    def __init__(
        self, is_wanted: Callable[[Any], bool], own: Slot | None, closures: Closures
    ) -> None:
        self.closures = closures
        self.is_wanted = is_wanted
        self.own = own
        self.left = _MOST

    def changed(self, place: Place) -> Iterator[Held]:
        """Looks into what has been changed: it may be known to code that is not running."""
        if place.kind == "content":
            yield from self.look(place.owner)
            return
        value = place.held()
        if self.is_wanted(value):
            slot = Slot(place.owner, place.kind, place.key)
            if not slot.is_same(self.own):
                yield Held(value, slot)

    def look(self, value: Any) -> Iterator[Held]:
        """Looks at a value, and into it."""
        if self.is_wanted(value):
            yield Held(value, None)
        if isinstance(value, _ARRAYS):
            return
        waiting, seen = [value], {id(value)}
        while waiting:
            owner = waiting.pop()
            for slot, item in inside(owner, self.closures):
                self.left -= 1
                if self.left < 0:
                    raise StagingError(
                        f"{user_location()}: an array is stored to, and too much is held by "
                        "variables to know who else holds it; store to a copy, as in "
                        "`b = a.copy()`, or keep what is large in a global"
                    )
                if self.is_wanted(item) and not slot.is_same(self.own):
                    yield Held(item, slot)
                if isinstance(item, _ARRAYS):
                    continue
                if type(item) not in ATOMS and id(item) not in seen:
                    seen.add(id(item))
                    waiting.append(item)


__all__ = ["Held", "Own", "holders", "own_variable"]
