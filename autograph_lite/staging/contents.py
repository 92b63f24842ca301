"""What a value holds itself: items of containers, attributes of objects, variables of closures."""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import is_dataclass
from types import CodeType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any, NamedTuple

from autograph_lite.staging.either import EitherValue, alternatives
from autograph_lite.staging.later_reads import shared_with
from autograph_lite.staging.objects import attributes_of, is_object
from autograph_lite.staging.specs import MaybeUnbound
from runtime.tensor import Tensor

ATOMS = frozenset(
    {int, float, complex, bool, str, bytes, type(None), range, slice, type, ModuleType}
)
"""Types of what holds nothing that a trace could meet elsewhere."""

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
        """Whether two places are the same one, or may be, if only the running graph knows."""
        if other is None or not _is_among(self.owner, other.owner):
            return False
        is_known = not isinstance(self.key, Tensor) and not isinstance(other.key, Tensor)
        return bool(self.key == other.key) if is_known else True


def _is_among(owner: Any, known: Any) -> bool:
    """Whether a container is another one, or one that this may be."""
    if not isinstance(known, EitherValue):
        return owner is known
    return any(owner is alternative for alternative in alternatives(known))


def inside(owner: Any, closures: Closures) -> Iterator[tuple[Slot, Any]]:
    """What is in a container, an object of the user's or the closure of a function.

    Args:
      owner: the container.
      closures: tells what functions hold.
    """
    kind = type(owner)
    if kind is EitherValue:
        items: Any = [("first", owner.first), ("second", owner.second)]
    elif kind is MaybeUnbound:
        items = [("value", owner.value)]
    elif isinstance(owner, list | tuple | deque):
        held = list.copy(owner) if isinstance(owner, list) else owner
        # Numbers and texts, of which there may be many, are passed over at once.
        items = () if ATOMS.issuperset(map(type, held)) else enumerate(held)
    elif isinstance(owner, dict):
        items = list(owner.items())
    elif kind is FunctionType:
        items = closures.of(owner)
    elif kind is MethodType:
        items = [("__self__", owner.__self__)]
    elif kind is GeneratorType:
        items = [] if owner.gi_frame is None else list(owner.gi_frame.f_locals.items())
    elif kind in _ITERATORS:
        items = enumerate(owner.__reduce__()[1])
    elif kind is functools.partial:
        items = [*enumerate(owner.args), *owner.keywords.items()]
    elif is_object(owner) or is_dataclass(kind) or hasattr(kind, "__attrs_attrs__"):
        for name, item in attributes_of(owner).items():
            yield Slot(owner, "attribute", name), item
        return
    else:
        return
    for key, item in items:
        yield Slot(owner, "item", key), item


class Closures:
    """What functions hold of variables that are not those of the functions that run now."""

    def __init__(self, running: Sequence[CodeType]) -> None:
        """Takes the code of the functions that run."""
        self.running = running
        self.apart: dict[int, list[int]] = {}

    def of(self, function: FunctionType) -> list[tuple[str, Any]]:
        """The variables that a function holds, with what is in them, and its defaults."""
        cells = function.__closure__ or ()
        code = function.__code__
        apart = self.apart.get(id(code))
        if apart is None:
            shared = [shared_with(code, outer) for outer in self.running]
            names = enumerate(code.co_freevars)
            apart = [n for n, name in names if not any(name in known for known in shared)]
            self.apart[id(code)] = apart
        defaults = function.__defaults__ or ()
        names_of_defaults = code.co_varnames[code.co_argcount - len(defaults) : code.co_argcount]
        found = [*zip(names_of_defaults, defaults, strict=False)]
        found += (function.__kwdefaults__ or {}).items()
        for number in apart:
            try:
                found.append((code.co_freevars[number], cells[number].cell_contents))
            except ValueError:
                continue
        return found


__all__ = ["ATOMS", "Closures", "Slot", "inside"]
