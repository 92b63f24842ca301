"""Nested structures: lists, tuples, named tuples, dicts, dataclasses, attrs classes and more.

Everything rests on `parts`, which takes one container apart and tells how to put it together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

Rebuild = Callable[[list[Any]], Any]
Parts = tuple[Any, list[Any], Rebuild]

_REGISTERED: dict[type, Callable[[Any], Parts]] = {}


def register(kind: type, take_apart: Callable[[Any], Parts]) -> None:
    """Makes instances of `kind` structures.

    Args:
      kind: a class; its subclasses are not meant.
      take_apart: `take_apart(value)` gives (what must agree for two values to be of one structure,
        the items, a function that makes a value of a list of new items).
    """
    _REGISTERED[kind] = take_apart


def parts(value: Any) -> Parts | None:
    """A container's kind, its items, and how to rebuild it with others; None for a leaf.

    Two values with equal kinds and equally many items have the same structure at this level.
    Items of a dict come in the order of its sorted keys where they sort, as in TensorFlow.

    >>> kind, items, rebuild = parts({"b": 1, "a": 2})
    >>> items, rebuild([3, 4])
    ([2, 1], {'b': 4, 'a': 3})
    """
    kind = type(value)
    if kind is list:
        return list, list(value), list
    if kind is tuple:
        return tuple, list(value), tuple
    if kind is dict:
        return _dict_parts(value)
    registered = _REGISTERED.get(kind)
    if registered is not None:
        return registered(value)
    if isinstance(value, tuple) and hasattr(kind, "_fields"):
        return kind, list(value), lambda items: kind(*items)
    if isinstance(value, dict):
        return _dict_parts(value)
    if is_dataclass(value) and not isinstance(value, type):
        return _object_parts(value, [f.name for f in fields(value)])
    attributes = getattr(kind, "__attrs_attrs__", None)
    if attributes is not None and not isinstance(value, type):
        return _object_parts(value, [a.name for a in attributes])
    return None


def _dict_parts(value: Any) -> Parts:
    order = list(value)
    keys = sorted_keys(value)

    def rebuild(items: list[Any]) -> Any:
        new = dict(zip(keys, items, strict=True))
        ordered = {key: new[key] for key in order}
        if type(value) is dict:
            return ordered
        copied = value.copy()
        copied.update(ordered)
        return copied

    return (type(value), tuple(keys)), [value[key] for key in keys], rebuild


def sorted_keys(value: Any) -> list[Any]:
    """A dict's keys, sorted where they can be compared, else as they came."""
    try:
        return sorted(value)
    except TypeError:
        return list(value)


def _object_parts(value: Any, names: list[str]) -> Parts:
    kind = type(value)
    present = [name for name in names if hasattr(value, name)]

    def rebuild(items: list[Any]) -> Any:
        # Not through __init__: it may compute, check or count, and the value exists already.
        made = object.__new__(kind)
        if hasattr(value, "__dict__"):
            made.__dict__.update(value.__dict__)
        for name, item in zip(present, items, strict=True):
            object.__setattr__(made, name, item)
        return made

    return (kind, tuple(present)), [getattr(value, name) for name in present], rebuild
