"""Which variables that are read later hold a list, dict or object, directly or in containers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

from autograph_lite.staging.contents import ATOMS, Closures, inside
from autograph_lite.staging.later_reads import held_by_statements, is_read, user_frames
from autograph_lite.staging.own_variables import OwnVariables
from runtime.tensor import EagerTensor, SymbolicTensor

_MOST = 50_000
"""How much of what variables hold is looked at; what holds more may hold anything."""


# What holds nothing, or nothing that is looked for here.
_PASSED = ATOMS | {EagerTensor, SymbolicTensor, np.ndarray}


class _Variable(NamedTuple):
    """A variable of a function that runs now."""

    frame: FrameType
    name: str


_STATEMENT = object()
"""Holds what a statement does."""


class _Known:
    """Who holds what of what has been gone over, by the id of what is held.

    All is gone over once, so that one may ask for many objects; the holders keep it alive. It is
    good for as long as nothing else runs.
    """

    def __init__(self, running: Sequence[CodeType] = ()) -> None:
        """Takes the code of the functions that run, whose variables are gone over anyway."""
        self.closures = Closures(running)
        self.holders: dict[int, list[Any]] = {}
        self.seen: set[int] = set()
        self.left = _MOST

    def look_into(self, value: Any) -> None:
        """Goes over what a value holds."""
        waiting, holders, seen = [value], self.holders, self.seen
        while waiting and self.left > 0:
            owner = waiting.pop()
            if id(owner) in seen:
                continue
            seen.add(id(owner))
            for _, item in inside(owner, self.closures):
                self.left -= 1
                if type(item) not in _PASSED:
                    holders.setdefault(id(item), []).append(owner)
                    waiting.append(item)

    def hold(self, part: Any, owners: Sequence[Any], is_end: Callable[[Any], bool]) -> bool:
        """Whether holders of an object, or their holders, are such as are looked for.

        Args:
          part: the object.
          owners: containers that do not count.
          is_end: tells what is looked for.
        """
        if self.left <= 0:
            return True
        passed = {id(owner) for owner in owners} | {id(part)}
        waiting = [part]
        while waiting:
            for holder in self.holders.get(id(waiting.pop()), ()):
                if id(holder) in passed:
                    continue
                if is_end(holder):
                    return True
                passed.add(id(holder))
                waiting.append(holder)
        return False


class VariableHolders(_Known):
    """What variables of the user's functions that run now lead to."""

    def __init__(self, own: OwnVariables | None = None, depth: int | None = None) -> None:
        """Goes over the variables.

        Args:
          own: variables that do not count.
          depth: how many functions go on, if those further in end with what they raise.
        """
        frames = list(user_frames())
        names = [set[str]()] * len(frames) if own is None else own.among(frames)
        if depth is not None:
            frames, names = frames[len(frames) - depth :], names[len(frames) - depth :]
        super().__init__([frame.f_code for frame in frames])
        for value in held_by_statements():
            self.holders.setdefault(id(value), []).append(_STATEMENT)
            self.look_into(value)
        for frame, passed in zip(frames, names, strict=True):
            for name, value in frame.f_locals.items():
                if name.startswith("return_value"):
                    continue  # where a `return` has left it, the function does not go on
                if type(value) not in _PASSED and name not in passed:
                    self.holders.setdefault(id(value), []).append(_Variable(frame, name))
                    self.look_into(value)

    def any_is_read(self, part: Any, owners: Sequence[Any]) -> bool:
        """Whether a variable that is read later leads to an object, but not through `owners`."""
        return self.hold(part, owners, _is_read_variable)


class ValueHolders(_Known):
    """What some values lead to."""

    def __init__(self, values: Sequence[Any]) -> None:
        super().__init__()
        self.values = {id(value) for value in values}
        for value in values:
            self.look_into(value)

    def any_holds(self, part: Any, owners: Sequence[Any]) -> bool:
        """Whether one of the values has an object in it, but not through `owners`."""
        return self.hold(part, owners, lambda holder: id(holder) in self.values)


def _is_read_variable(holder: Any) -> bool:
    if holder is _STATEMENT:
        return True
    return isinstance(holder, _Variable) and is_read(holder.frame, holder.name)


__all__ = ["ValueHolders", "VariableHolders"]
