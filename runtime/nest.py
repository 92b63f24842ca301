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


def is_nested(value: Any) -> bool:
    """Whether `value` is a container rather than a leaf.

    >>> is_nested([1]), is_nested(1)
    (True, False)
    """
    return parts(value) is not None


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves of a structure, from left to right; of a leaf, a list of just it.

    Args:
      structure: nested containers.
      expand_composites: accepted for TensorFlow's sake.

    >>> flatten({"b": [1, (2,)], "a": 3})
    [3, 1, 2]
    """
    apart = parts(structure)
    if apart is None:
        return [structure]
    return [leaf for item in apart[1] for leaf in flatten(item)]


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """The structure with new leaves.

    Args:
      structure: nested containers.
      flat_sequence: as many leaves as `flatten(structure)` gives.
      expand_composites: accepted for TensorFlow's sake.

    Raises:
      ValueError: there are more or fewer leaves than places.

    >>> pack_sequence_as({"a": 0, "b": [0]}, [1, 2])
    {'a': 1, 'b': [2]}
    """
    leaves = list(flat_sequence)
    wanted = len(flatten(structure))
    if len(leaves) != wanted:
        raise ValueError(f"the structure {structure!r} has {wanted} leaves, found {len(leaves)}")
    return _pack(structure, iter(leaves))


def _pack(structure: Any, leaves: Any) -> Any:
    apart = parts(structure)
    if apart is None:
        return next(leaves)
    return apart[2]([_pack(item, leaves) for item in apart[1]])


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Checks that two structures differ in their leaves only.

    Raises:
      TypeError: containers of different types stand in the same place.
      ValueError: they have different keys or numbers of items.

    >>> assert_same_structure([1, (2, 3)], [4, (5, 6)])
    """
    a, b = parts(nest1), parts(nest2)
    if a is None and b is None:
        return
    if a is None or b is None:
        raise ValueError(f"{nest1!r} and {nest2!r} have different structures")
    if len(a[1]) != len(b[1]) or _keys(a[0]) != _keys(b[0]):
        raise ValueError(f"{nest1!r} and {nest2!r} have different structures")
    if check_types and a[0] != b[0]:
        raise TypeError(f"{type(nest1).__name__} and {type(nest2).__name__} are different types")
    for x, y in zip(a[1], b[1], strict=True):
        assert_same_structure(x, y, check_types)


def _keys(kind: Any) -> Any:
    """The keys in a container's kind, if it has any."""
    return kind[1] if isinstance(kind, tuple) else None


def map_structure(function: Callable[..., Any], *structures: Any, **options: Any) -> Any:
    """Applies `function` to the leaves in the same place of all structures.

    Args:
      function: takes one leaf of each structure.
      *structures: structures that differ in their leaves only.
      **options: `check_types=False` lets lists stand for tuples and the like.

    >>> map_structure(lambda x, y: x + y, [1, (2,)], [10, (20,)])
    [11, (22,)]
    """
    first = structures[0]
    for other in structures[1:]:
        assert_same_structure(first, other, options.get("check_types", True))
    leaves = zip(*(flatten(s) for s in structures), strict=True)
    return pack_sequence_as(first, [function(*group) for group in leaves])
