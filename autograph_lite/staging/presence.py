"""Items and attributes that are there on some paths only.

Code that is not converted reads them too, so what is in their place is an ordinary value: a tensor
that raises Python's error when it is computed where it should not be there (see `specs.guarded`).
For values that are no tensors, it is kept here whether they are there.
"""

from __future__ import annotations

import threading
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.staging.either import can_change
from autograph_lite.staging.scopes import Place
from autograph_lite.staging.specs import MaybeUnbound, guarded, unguarded
from runtime.convert import convert_to_tensor
from runtime.locations import user_location
from runtime.tensor import SymbolicTensor


class _Known(threading.local):
    """By place, or by the id of a container made for it: the value, and whether it is there.

    The place comes with it: its owner's id must not become that of another object meanwhile.
    """

    def __init__(self) -> None:
        self.values: dict[Any, tuple[Any, MaybeUnbound, Place]] = {}


_known = _Known()


def hold(place: Place, value: MaybeUnbound) -> Any:
    """What is put into a place where a value is on some paths only."""
    if isinstance(value.value, str | bytes):
        text = convert_to_tensor(value.value)
        value = MaybeUnbound(value.bound, text, value.undefined)
    default = _default(place.owner)
    if default is not None:
        from autograph_lite.staging.conditionals import if_exp

        held = if_exp(value.bound, lambda: value.value, lambda: default)
    elif _is_asked_for(place) and can_change(value.value):
        # It may have other names, so it is put there itself; converted code asks when it reads it.
        held = value.value
    else:
        held = guarded(value, _error(place))
        if isinstance(held, SymbolicTensor):
            return held
    key = place.identity if held is value.value else id(held)
    _known.values[key] = held, value, place
    return held


def _is_asked_for(place: Place) -> bool:
    """Whether converted code asks for what is in a place, however it reads it."""
    return isinstance(place.owner, dict) and isinstance(place.key, str)


def _error(place: Place) -> Exception:
    """What is raised where code that is not converted reads an item that is not there."""
    if not stores_defaults(place.owner):
        return place.error()
    return StagingError(
        f"{user_location()}: a defaultdict gets the key {place.key!r} on some paths only, and is "
        "asked for it by code that is not converted; give the dict its keys before, as in "
        "`d[key] = []`"
    )


def _default(owner: Any) -> Any:
    """What a dict gives for numbers that it does not have; None if it raises an error."""
    if isinstance(owner, Counter):
        return 0
    # Code that is not converted reads it too.
    is_number = stores_defaults(owner) and owner.default_factory in (int, float)
    return owner.default_factory() if is_number else None


def stores_defaults(owner: Any) -> bool:
    """Whether a dict that is asked for a key that it does not have makes a value and keeps it."""
    is_default = getattr(type(owner), "__missing__", None) is defaultdict.__missing__
    return is_default and owner.default_factory is not None


def remember(place: Place, held: Any, value: MaybeUnbound) -> None:
    """Notes that what is in a place again is there on some paths only."""
    _known.values[place.identity] = held, value, place


def perhaps(identity: Any, held: Any) -> Any:
    """What is in a place: a `MaybeUnbound` if it is there on some paths only, else `held`."""
    found = unguarded(held)
    if found is not held or not _known.values:
        return found
    for key in (identity, id(held)):
        entry = _known.values.get(key)
        if entry is not None and entry[0] is held:
            return entry[1]
    return held


def items_of(table: dict[Any, Any], keys: Iterable[Any]) -> list[Any]:
    """Some items of a dict: a `MaybeUnbound` for each that is there on some paths only."""
    return [perhaps((id(table), "item", key), dict.get(table, key)) for key in keys]


def forget(identity: Any) -> None:
    """Notes that a place is about to be stored to."""
    _known.values.pop(identity, None)


def forget_all() -> None:
    """Notes that the trace is over."""
    _known.values.clear()


def without_absent(made: Any) -> Any:
    """A rebuilt dict: items that turn out not to be there leave it, doubtful ones are guarded."""
    from autograph_lite.operators.undefined import Undefined

    if isinstance(made, dict):
        for key, value in list(made.items()):
            if isinstance(value, Undefined):
                del made[key]
            elif isinstance(value, MaybeUnbound):
                made[key] = hold(Place(made, "item", key), value)
    return made


__all__ = [
    "forget",
    "forget_all",
    "hold",
    "items_of",
    "perhaps",
    "remember",
    "stores_defaults",
    "without_absent",
]
