"""What a variable holds at the end of a trace, kept before the trace's changes are taken back."""

from __future__ import annotations

from typing import Any

from autograph_lite.staging.either import EitherValue
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.objects import attributes_of, is_object
from autograph_lite.staging.presence import remember
from autograph_lite.staging.scopes import Place, Scope
from autograph_lite.staging.specs import MaybeUnbound, items_of
from runtime import nest
from runtime.handles import ArrayHandle, contents


def snapshots(values: Any, changed: Scope) -> Any:
    """The values with copies in the places of lists, dicts and objects that have been changed.

    A value that holds none of them is given as it is.
    """
    if not changed.changes or not isinstance(values, tuple):
        return values
    owners = {id(place.owner) for place, _ in changed.changes.values()}
    return tuple([_snapshot(value, owners, ()) for value in values])


def _snapshot(value: Any, owners: set[int], around: tuple[int, ...]) -> Any:
    kind = type(value)
    if kind is ArrayHandle:
        return contents(value)
    if kind is StagedList and value.items is not None:
        return value.copy() if id(value) in owners else value
    if kind is MaybeUnbound:
        inside = _snapshot(value.value, owners, around)
        return (
            value if inside is value.value else MaybeUnbound(value.bound, inside, value.undefined)
        )
    if kind is EitherValue and not value.fixed:
        return _either(value, owners, around)
    if getattr(kind, "__ag_staged__", False) and kind is not StagedList:
        return value
    parts = nest.parts(value)
    if parts is not None:
        if isinstance(value, dict):
            return _dict(value, parts, owners, around)
        items = [_snapshot(item, owners, around) for item in parts[1]]
        same = all(new is old for new, old in zip(items, parts[1], strict=True))
        return value if same and id(value) not in owners else parts[2](items)
    if is_object(value) and id(value) not in around:
        return _object(value, owners, (*around, id(value)))
    return value


def _dict(
    value: dict[Any, Any], parts: nest.Parts, owners: set[int], around: tuple[int, ...]
) -> dict[Any, Any]:
    """A dict, of whose copy it is known as well which items are there on some paths only."""
    known = items_of(value, parts)
    found = [_snapshot(item, owners, around) for item in known]
    if id(value) not in owners and all(a is b for a, b in zip(known, found, strict=True)):
        return value
    held = list(map(_held, parts[1], known, found))
    made = parts[2](held)
    for key, old, new in zip(parts[0][1], held, found, strict=True):
        if isinstance(new, MaybeUnbound):
            remember(Place(made, "item", key), old, new)
    return made


def _held(item: Any, known: Any, new: Any) -> Any:
    """What is in the copy of a dict for an item of its own, known to be `known`, now `new`."""
    if not isinstance(new, MaybeUnbound):
        return new
    return new.value if item is known.value else item


def _either(value: EitherValue, owners: set[int], around: tuple[int, ...]) -> EitherValue:
    first = _snapshot(value.first, owners, around)
    second = _snapshot(value.second, owners, around)
    if first is value.first and second is value.second:
        return value
    return EitherValue(value.is_first, first, second)


def _object(value: Any, owners: set[int], around: tuple[int, ...]) -> Any:
    found = attributes_of(value)
    new = {name: _snapshot(item, owners, around) for name, item in found.items()}
    if id(value) not in owners and all(new[name] is found[name] for name in found):
        return value
    made = object.__new__(type(value))
    for name, item in new.items():
        object.__setattr__(made, name, item)
    return made


__all__ = ["snapshots"]
