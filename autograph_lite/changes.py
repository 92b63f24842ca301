"""What a trace changed outside of itself, and the values that it left there."""

from __future__ import annotations

from collections import deque
from typing import Any, NamedTuple

from autograph_lite.paths import ATTRIBUTE, Path
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.presence import hold, perhaps
from autograph_lite.staging.scopes import ABSENT, Place
from autograph_lite.staging.specs import MaybeUnbound
from autograph_lite.state import StateWrite
from runtime import nest
from runtime.tensor import SymbolicTensor


class Change(NamedTuple):
    """A place that a trace changed.

    Attributes:
      path: leads to the object that the place is in.
      owner: that object.
      kind: ATTRIBUTE, ITEM, StateWrite.EXTEND or StateWrite.CONTENT.
      key: the attribute's name, the item's key, how long the list was, or None.
      before: what was there, perhaps ABSENT.
      after: what is there now.
    """

    path: Path
    owner: Any
    kind: str
    key: Any
    before: Any
    after: Any

    def put(self, value: Any) -> None:
        """Puts another value there."""
        if self.kind == StateWrite.CONTENT:
            self.owner[:] = value
        elif self.kind == StateWrite.EXTEND:
            self.owner[self.key :] = value
        elif self.kind == ATTRIBUTE:
            setattr(self.owner, self.key, value)
        else:
            self.owner[self.key] = value

    def take_back(self) -> None:
        """Puts back what was there."""
        if self.kind == StateWrite.CONTENT:
            self.owner.restore(self.before)
        elif type(self.owner) is deque:
            self.owner.clear()
            self.owner.extend(self.before)
        elif self.kind == StateWrite.EXTEND:
            del self.owner[self.key :]
        elif self.kind == ATTRIBUTE:
            if self.before is not ABSENT:
                setattr(self.owner, self.key, self.before)
            elif hasattr(self.owner, self.key):
                delattr(self.owner, self.key)
        elif self.before is not ABSENT:
            self.owner[self.key] = self.before
        elif self.key in self.owner:
            del self.owner[self.key]


def appended(before: Any, after: Any) -> list[Any]:
    """What has been appended to a deque, which may have lost items at its other end.

    >>> a, b, c = "a", "b", "c"
    >>> appended(deque([a, b], 2), deque([b, c], 2))
    ['c']
    """
    old, new = list(before), list(after)
    for start in range(len(old) + 1):
        kept = old[start:]
        if len(kept) <= len(new) and all(a is b for a, b in zip(kept, new, strict=False)):
            return new[len(kept) :]
    return new


def settled(value: Any) -> Any:
    """A value with Python's own lists in the place of those that could have become staged."""
    if isinstance(value, StagedList):
        return value if value.items is not None else [settled(v) for v in list.__iter__(value)]
    if type(value) not in (list, tuple, dict):
        return value
    if type(value) is dict:
        return _settled_dict(value)
    new = [settled(item) for item in value]
    if all(a is b for a, b in zip(value, new, strict=True)):
        return value
    return type(value)(new)


def _settled_dict(table: dict[Any, Any]) -> Any:
    new = [settled(item) for item in table.values()]
    if all(a is b for a, b in zip(table.values(), new, strict=True)):
        return table
    made = dict(zip(table, new, strict=True))
    for key, old in table.items():
        known = perhaps((id(table), "item", key), old)
        if isinstance(known, MaybeUnbound):
            inside = MaybeUnbound(known.bound, settled(known.value), known.undefined)
            made[key] = hold(Place(made, "item", key), inside)
    return made


def holds_symbolic(value: Any) -> bool:
    """Whether there is a symbolic tensor in a value."""
    if isinstance(value, SymbolicTensor) or getattr(type(value), "__ag_staged__", False):
        return True
    parts = nest.parts(value)
    return parts is not None and any(map(holds_symbolic, parts[1]))
