"""What can change in the values that a branch or loop hands on, and where it will be among them."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from types import FunctionType
from typing import Any

from autograph_lite.staging import loans
from autograph_lite.staging.cells import held_in_cells
from autograph_lite.staging.contents import ATOMS
from autograph_lite.staging.either import EitherSpec, EitherValue, alternative_specs, can_change
from autograph_lite.staging.either import ObjectSpec as OneObject
from autograph_lite.staging.either import alternatives as alternatives_of
from autograph_lite.staging.list_specs import ListSpec
from autograph_lite.staging.objects import ObjectSpec
from autograph_lite.staging.specs import (
    MaybeUnbound,
    MaybeUnboundSpec,
    SameSpec,
    Spec,
    StaticSpec,
    StructureSpec,
    unguarded,
)
from runtime import nest
from runtime.tensor import Tensor

Path = tuple[Any, ...]
STAYING = (SameSpec, StaticSpec)
"""The specs of what stays the same object."""
STAYS: Path = ()
"""Stands for the place of what stays where it is."""


def parts(
    value: Any, spec: Spec, path: Path | None, holder: Any
) -> Iterator[tuple[Path | None, Any, Any]]:
    """What can change in a value, where it will be, and what holds it now.

    The place is None in what becomes a list of the graph, and `STAYS` for what stays where it is.
    """
    value = unguarded(value)
    if isinstance(value, MaybeUnbound):
        value = value.value
    if isinstance(spec, MaybeUnboundSpec):
        spec = spec.inner
    if isinstance(spec, EitherSpec):
        for alternative in alternatives(value):
            yield from _parts_of_one(alternative, list(alternative_specs(spec)), path, holder)
        return
    if isinstance(value, EitherValue):
        for alternative in alternatives(value):
            yield from parts(alternative, spec, path, holder)
        return
    if isinstance(value, Tensor):
        return
    if isinstance(spec, STAYING):
        if can_change(value):
            yield STAYS, value, holder
        return
    if isinstance(spec, ListSpec):
        yield path, value, holder
        for number, item in enumerate(list(value) if _is_plain(value) else ()):
            for part, count in counted(loans.changeable(item)):
                yield None, part, (id(value), (number, count))
        return
    if can_change(value):
        yield path, value, holder
    for step, inner in _children_of(spec):
        place = None if path is None else (*path, step)
        yield from parts(_child(value, step), inner, place, (id(value), step))


def _parts_of_one(
    value: Any, specs: list[Spec], path: Path | None, holder: Any
) -> Iterator[tuple[Path | None, Any, Any]]:
    """The same for what becomes one of several values: itself, or what is made anew."""
    made = [s for s in specs if not isinstance(s, (OneObject, *STAYING))]
    if not made or any(isinstance(s, OneObject) and s.value is value for s in specs):
        if can_change(value):
            yield STAYS, value, holder
        return
    for spec in made:
        yield from parts(value, spec, path, holder)


def counted(objects: Iterable[Any]) -> Iterator[tuple[Any, int]]:
    """Objects, each with how often it has come before."""
    known: Counter[int] = Counter()
    for part in objects:
        yield part, known[id(part)]
        known[id(part)] += 1


def at(values: Sequence[Any], path: Path) -> Any:
    """What is at a place among the values that are handed on."""
    slot, *steps = path
    part = values[slot] if slot < len(values) else None
    for step in steps:
        part = _child(part, step)
    return part


def path_to(part: Any, values: Sequence[Any]) -> Path | None:
    """Where a container or object is among some values; None if it is not in them."""
    seen: set[int] = set()
    found: deque[tuple[Path, Any]] = deque(((slot,), value) for slot, value in enumerate(values))
    while found:
        path, value = found.popleft()
        if value is part:
            return path
        if type(value) in ATOMS or isinstance(value, Tensor) or id(value) in seen:
            continue
        if len(path) > _MOST_STEPS or len(seen) > _MOST:
            continue
        seen.add(id(value))
        found.extend(((*path, step), inner) for step, inner in _children(value))
    return None


_MOST_STEPS, _MOST = 6, 1000
"""So deep, and at so much of what variables hold, is looked; what is not found is traced anew."""


def held_by(function: Any) -> Iterator[Any]:
    """What is in the variables that a function and those in its variables have from around."""
    waiting, seen = [function], set()
    while waiting:
        held = waiting.pop()
        if not isinstance(held, FunctionType):
            yield held
        elif id(held) not in seen:
            seen.add(id(held))
            waiting += held_in_cells(held)


def _children(value: Any) -> Iterator[tuple[Any, Any]]:
    """The parts of a value, by the steps that lead to them."""
    inner = nest.parts(value)
    if inner is not None:
        yield from enumerate(inner[1])
    elif can_change(value):
        yield from getattr(value, "__dict__", {}).items()


def _is_plain(value: Any) -> bool:
    return isinstance(value, list) and getattr(value, "items", None) is None


def _children_of(spec: Spec) -> list[tuple[Any, Spec]]:
    if isinstance(spec, ObjectSpec):
        return list(zip(spec.names, spec.children, strict=True))
    return list(enumerate(spec.children)) if isinstance(spec, StructureSpec) else []


def alternatives(value: Any) -> Iterator[Any]:
    """The values that one may be; itself, if it is but one."""
    return alternatives_of(value.value if isinstance(value, MaybeUnbound) else value)


def _child(value: Any, step: Any) -> Any:
    """A part of a value: an attribute by its name, an item by its number."""
    if isinstance(value, MaybeUnbound):
        value = value.value
    if isinstance(step, str):
        return getattr(value, "__dict__", {}).get(step)
    found = nest.parts(value)
    return found[1][step] if found is not None and step < len(found[1]) else None


__all__ = [
    "STAYING",
    "STAYS",
    "Path",
    "alternatives",
    "at",
    "counted",
    "held_by",
    "parts",
    "path_to",
]
