"""Which containers and objects a trace has made itself.

What happens to an object that a trace has made is part of the program that is traced; what it does
to objects that were there before is an effect on the world outside. Converted code says so for the
displays that it changes. What calls give is looked at here: an object that nobody else holds can
only just have been made.
"""

from __future__ import annotations

import enum
import sys
import types
from typing import Any

import numpy as np

from autograph_lite.staging import choices as choices  # members of enumerations can, too
from autograph_lite.staging import leaks
from autograph_lite.staging import objects as objects  # new objects can be loop variables
from autograph_lite.staging import tuples as tuples  # and be repeated by tensors
from autograph_lite.staging.array_stores import note_array
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.scopes import born, copied
from runtime import nest

_PLAIN = frozenset({int, float, complex, bool, str, bytes, type(None), range, slice})
_NEVER = (
    type,
    types.ModuleType,
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    enum.Enum,
)


def _count_held(value: Any) -> int:
    return sys.getrefcount(value)


def _count_kept(values: Any) -> int:
    for value in values:
        return sys.getrefcount(value)
    return 0


# How many references the interpreter itself holds to an object that nobody else does.
_ALONE = _count_held(object())
_KEPT = _count_kept([object()])


def adopt(made: Any) -> Any:
    """What a call gave: a new list becomes one that may grow in the graph, new objects are noted.

    What somebody else holds too is given back as it is.
    """
    if type(made) in _PLAIN or sys.getrefcount(made) > _ALONE:
        return made
    return _ours(made)


def own(value: Any) -> Any:
    """An argument of the trace, its containers made anew so that they may change in the graph."""
    parts = None if getattr(type(value), "__ag_staged__", False) else nest.parts(value)
    if parts is None:
        return value
    items = [own(item) for item in parts[1]]
    rebuilt = StagedList(items) if type(value) is list else parts[2](items)
    copied(rebuilt)
    return rebuilt


def _ours(value: Any) -> Any:
    kind = type(value)
    if getattr(kind, "__ag_staged__", False) or isinstance(value, _NEVER):
        return value
    if kind is list:
        return StagedList(_items(value))
    if isinstance(value, tuple):
        return _tuple(value)
    if isinstance(value, dict):
        _adopt_values(value)
        born(value)
    elif kind is np.ndarray:
        value = note_array(value)
        born(value)
    elif leaks.is_watched(value):
        born(value)
    elif kind.__flags__ & 1 << 9:  # a class made in Python: its instances can be changed
        _adopt_values(getattr(value, "__dict__", {}))
        born(value)
    return value


def _items(values: Any) -> list[Any]:
    found: list[Any] = []
    for item in values:
        alone = type(item) not in _PLAIN and sys.getrefcount(item) <= _KEPT
        found.append(_ours(item) if alone else item)
    return found


def _tuple(value: Any) -> Any:
    items = _items(value)
    if all(new is old for new, old in zip(items, value, strict=True)):
        return value
    if type(value) is tuple:
        return tuple(items)
    return type(value)._make(items) if hasattr(type(value), "_make") else value


def _adopt_values(table: dict[Any, Any]) -> None:
    made = _items(table.values())
    for key, new in zip(list(table), made, strict=True):
        if new is not table[key]:
            table[key] = new


__all__ = ["adopt", "own"]
