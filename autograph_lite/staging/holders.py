"""Who holds an array while a function is traced: variables that are read later, and containers.

The variables are those of the user's functions that run now. Of these, one that no later code reads
does not count, nor does the one through which the array is stored to.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterator
from types import FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np

from autograph_lite.errors import StagingError
from autograph_lite.staging.either import EitherValue
from autograph_lite.staging.later_reads import assigned, is_read
from autograph_lite.staging.objects import attributes_of, is_object
from autograph_lite.staging.scopes import Place, stack
from autograph_lite.staging.specs import MaybeUnbound
from runtime.locations import is_library_file, user_frame, user_location
from runtime.tensor import Tensor

_MOST = 50_000
"""How much of what variables hold is looked at for an array."""

_ATOMS = frozenset(
    {int, float, complex, bool, str, bytes, type(None), range, slice, type, ModuleType}
)

_ITERATORS = frozenset({type(iter([])), type(iter(())), enumerate, filter, map, reversed, zip})


class Slot(NamedTuple):
    """A place in a container or object.

    Attributes:
      owner: the container.
      kind: "attribute" or "item".
      key: the attribute's name, or the item's key.
    """

    owner: Any
    kind: str
    key: Any

    def is_same(self, other: Slot | None) -> bool:
        """Whether two places are the same one."""
        return other is not None and self.owner is other.owner and self.key == other.key


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


def holders(
    is_wanted: Callable[[Any], bool], own: Own, before_loop: bool = False
) -> Iterator[Held]:
    """The arrays wanted that others hold, and read later.

    Args:
      is_wanted: tells which arrays are looked for.
      own: the variable or slot that does not count.
      before_loop: whether it is asked for a loop, whose body reads variables of the innermost
        function too.
    """
    search = _Search(is_wanted, own.slot)
    for scope in stack():
        for value in scope.arrays.gone_over:
            if is_wanted(value):
                yield Held(value, None)
        for place, _ in list(scope.changes.values()):
            yield from search.changed(place)
    frame, name = user_frame(2), own.name
    while frame is not None:
        code = frame.f_code
        if is_library_file(code.co_filename):
            if frame.f_globals.get("__name__") == "autograph_lite.tracing":
                return
        else:
            for variable, value in frame.f_locals.items():
                if type(value) in _ATOMS or variable == name:
                    continue
                if variable.startswith("return_value"):
                    continue  # where a `return` has left it, the function does not go on
                for held in search.look(value, code.co_cellvars + code.co_freevars):
                    if before_loop or is_read(frame, variable):
                        yield held
            before_loop = False
            if name is not None and name in code.co_varnames + code.co_cellvars:
                name = None
        frame = frame.f_back


class _Search:
    """Looks for arrays in what variables hold; each container is looked into once."""

    def __init__(self, is_wanted: Callable[[Any], bool], own: Slot | None) -> None:
        self.is_wanted = is_wanted
        self.own = own
        self.left = _MOST

    def changed(self, place: Place) -> Iterator[Held]:
        """Looks into what has been changed: it may be known to code that is not running."""
        if place.kind == "content":
            yield from self.look(place.owner, ())
            return
        value = place.held()
        if isinstance(value, Tensor | np.ndarray) and self.is_wanted(value):
            slot = Slot(place.owner, place.kind, place.key)
            if not slot.is_same(self.own):
                yield Held(value, slot)

    def look(self, value: Any, known: tuple[str, ...]) -> Iterator[Held]:
        """Looks at a value, and into it.

        Args:
          value: what a variable holds.
          known: the variables that closures share with the code that runs.
        """
        if isinstance(value, Tensor | np.ndarray):
            if self.is_wanted(value):
                yield Held(value, None)
            return
        waiting, seen = [value], {id(value)}
        while waiting:
            owner = waiting.pop()
            for slot, item in _inside(owner, known):
                self.left -= 1
                if self.left < 0:
                    raise StagingError(
                        f"{user_location()}: an array is stored to, and too much is held by "
                        "variables to know who else holds it; store to a copy, as in "
                        "`b = a.copy()`, or keep what is large in a global"
                    )
                if isinstance(item, Tensor | np.ndarray):
                    if self.is_wanted(item) and not slot.is_same(self.own):
                        yield Held(item, slot)
                elif type(item) not in _ATOMS and id(item) not in seen:
                    seen.add(id(item))
                    waiting.append(item)


def _inside(owner: Any, known: tuple[str, ...]) -> Iterator[tuple[Slot, Any]]:
    """What is in a container, an object of the user's or the closure of a function."""
    kind = type(owner)
    if kind is EitherValue:
        items: Any = [("first", owner.first), ("second", owner.second)]
    elif kind is MaybeUnbound:
        items = [("value", owner.value)]
    elif isinstance(owner, list | tuple | deque):
        held = list.copy(owner) if isinstance(owner, list) else owner
        # Numbers and texts, of which there may be many, are passed over at once.
        items = () if _ATOMS.issuperset(map(type, held)) else enumerate(held)
    elif isinstance(owner, dict):
        items = list(owner.items())
    elif kind is FunctionType:
        items = _enclosed(owner, known)
    elif kind is MethodType:
        items = [("__self__", owner.__self__)]
    elif kind is GeneratorType:
        items = [] if owner.gi_frame is None else list(owner.gi_frame.f_locals.items())
    elif kind in _ITERATORS:
        items = enumerate(owner.__reduce__()[1])
    elif kind is functools.partial:
        items = [*enumerate(owner.args), *owner.keywords.items()]
    elif is_object(owner):
        for name, item in attributes_of(owner).items():
            yield Slot(owner, "attribute", name), item
        return
    else:
        return
    for key, item in items:
        yield Slot(owner, "item", key), item


def _enclosed(function: FunctionType, known: tuple[str, ...]) -> list[tuple[str, Any]]:
    """What a function holds of variables that are not those of the code that runs."""
    found = []
    names = function.__code__.co_freevars
    for name, cell in zip(names, function.__closure__ or (), strict=True):
        if name not in known:
            try:
                found.append((name, cell.cell_contents))
            except ValueError:
                continue
    return found


__all__ = ["Held", "Own", "Slot", "holders", "own_variable"]
