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
_COMPOSITES: set[type] = set()


def register(kind: type, take_apart: Callable[[Any], Parts], is_composite: bool = False) -> None:
    """Makes instances of `kind` structures.

    Args:
      kind: a class; its subclasses are not meant.
      take_apart: `take_apart(value)` gives (what must agree for two values to be of one structure,
        the items, a function that makes a value of a list of new items).
      is_composite: whether the user thinks of it as one value, like a TensorArray: then `flatten`
        and the like take it apart only when told to `expand_composites`.

    >>> class Pair:
    ...     def __init__(self, a, b):
    ...         self.a, self.b = a, b
    >>> register(Pair, lambda pair: (None, [pair.a, pair.b], lambda items: Pair(*items)))
    >>> flatten([Pair(1, 2), 3])
    [1, 2, 3]
    """
    _REGISTERED[kind] = take_apart
    if is_composite:
        _COMPOSITES.add(kind)


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
        copied.clear()  # it may have got other items since
        for key, item in ordered.items():  # the `update` of a Counter adds
            copied[key] = item
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
    # `__post_init__` and others may have set more than the fields.
    names = list(dict.fromkeys([*names, *getattr(value, "__dict__", ())]))
    present = [name for name in names if hasattr(value, name)]

    def rebuild(items: list[Any]) -> Any:
        # Not through __init__: it may compute, check or count, and the value exists already.
        made = object.__new__(kind)
        for name, item in zip(present, items, strict=True):
            object.__setattr__(made, name, item)
        return made

    return (kind, tuple(present)), [getattr(value, name) for name in present], rebuild


# ---- the public utilities


def _open(value: Any, expand_composites: bool) -> Parts | None:
    if not expand_composites and type(value) in _COMPOSITES:
        return None
    return parts(value)


def is_nested(structure: Any) -> bool:
    """Whether `structure` is a container rather than a leaf.

    >>> is_nested([1]), is_nested("ab"), is_nested({})
    (True, False, True)
    """
    return _open(structure, False) is not None


def flatten(structure: Any, expand_composites: bool = False) -> list[Any]:
    """The leaves of a nested structure, in order.

    Args:
      structure: nested lists, tuples, named tuples, dicts (in the order of their sorted keys),
        dataclasses, attrs classes and registered classes; or a leaf.
      expand_composites: look into values such as TensorArrays, too.

    >>> flatten({"b": [1, (2,)], "a": None})
    [None, 1, 2]
    """
    found: list[Any] = []
    _collect(structure, expand_composites, found)
    return found


def _collect(value: Any, expand_composites: bool, found: list[Any]) -> None:
    opened = _open(value, expand_composites)
    if opened is None:
        found.append(value)
        return
    for item in opened[1]:
        _collect(item, expand_composites, found)


def pack_sequence_as(structure: Any, flat_sequence: Any, expand_composites: bool = False) -> Any:
    """The leaves `flat_sequence`, put together as `structure` is.

    Args:
      structure: gives the form; its leaves do not matter.
      flat_sequence: as many leaves as it has.
      expand_composites: as for `flatten`.

    Raises:
      ValueError: the numbers of leaves differ.
      TypeError: `flat_sequence` is no sequence.

    >>> pack_sequence_as({"b": [0, 0], "a": 0}, [1, 2, 3])
    {'b': [2, 3], 'a': 1}
    """
    if isinstance(flat_sequence, str) or not hasattr(flat_sequence, "__iter__"):
        raise TypeError(f"flat_sequence is a list of leaves, found {flat_sequence!r}")
    leaves = list(flat_sequence)
    wanted = len(flatten(structure, expand_composites))
    if wanted != len(leaves):
        raise ValueError(f"{structure!r} has {wanted} leaves, found {len(leaves)}: {leaves!r}")
    return _pack(structure, iter(leaves), expand_composites)


def _pack(structure: Any, leaves: Any, expand_composites: bool) -> Any:
    opened = _open(structure, expand_composites)
    if opened is None:
        return next(leaves)
    _, items, rebuild = opened
    return rebuild([_pack(item, leaves, expand_composites) for item in items])


def map_structure(
    func: Callable[..., Any],
    *structures: Any,
    check_types: bool = True,
    expand_composites: bool = False,
) -> Any:
    """`func` of the leaves at each place of one or more structures, in the form of the first.

    Args:
      func: takes one leaf of each structure.
      *structures: structures of one form.
      check_types: whether a list and a tuple count as different forms.
      expand_composites: as for `flatten`.

    Raises:
      ValueError, TypeError: the forms differ.

    >>> map_structure(lambda x, y: x + y, [1, (2,)], [10, (20,)])
    [11, (22,)]
    """
    if not callable(func):
        raise TypeError(f"func must be callable, found {func!r}")
    if not structures:
        raise ValueError("map_structure takes at least one structure")
    for other in structures[1:]:
        assert_same_structure(structures[0], other, check_types, expand_composites)
    flat = [flatten(s, expand_composites) for s in structures]
    results = [func(*leaves) for leaves in zip(*flat, strict=True)]
    return _pack(structures[0], iter(results), expand_composites)


def assert_same_structure(
    nest1: Any, nest2: Any, check_types: bool = True, expand_composites: bool = False
) -> None:
    """Checks that two structures have one form.

    Args:
      nest1: a structure.
      nest2: another.
      check_types: whether a list and a tuple count as different forms.
      expand_composites: as for `flatten`.

    Raises:
      ValueError: they nest differently, or hold different numbers of items or other keys.
      TypeError: with `check_types`, containers of different types stand at one place.

    >>> assert_same_structure([1, (2,)], ["a", ("b",)])
    """
    _assert_same(nest1, nest2, check_types, expand_composites, "")


def _assert_same(a: Any, b: Any, check_types: bool, expand: bool, path: str) -> None:
    opened_a, opened_b = _open(a, expand), _open(b, expand)
    if opened_a is None and opened_b is None:
        return
    where = f" at {path}" if path else ""
    if opened_a is None or opened_b is None:
        raise ValueError(f"the structures differ{where}: {a!r} and {b!r} do not nest alike")
    if check_types and type(a) is not type(b) and not _alike(a, b):
        raise TypeError(
            f"the structures differ{where}: {type(a).__name__} {a!r} and {type(b).__name__} {b!r}"
        )
    keys_a, keys_b = _item_names(a, opened_a), _item_names(b, opened_b)
    if len(keys_a) != len(keys_b) or (isinstance(a, dict) and keys_a != keys_b):
        raise ValueError(f"the structures differ{where}: {a!r} and {b!r} hold different items")
    for key, x, y in zip(keys_a, opened_a[1], opened_b[1], strict=True):
        _assert_same(x, y, check_types, expand, f"{path}[{key!r}]")


def _alike(a: Any, b: Any) -> bool:
    """Dicts count as one type, and so do named tuples of one name and the same fields."""
    if isinstance(a, dict) and isinstance(b, dict):
        return True
    fields_a, fields_b = getattr(a, "_fields", None), getattr(b, "_fields", None)
    return fields_a is not None and fields_a == fields_b and type(a).__name__ == type(b).__name__


def _item_names(value: Any, opened: Parts) -> list[Any]:
    """What tells the items of a container apart: keys, field names or numbers."""
    if isinstance(value, dict):
        return sorted_keys(value)
    names = getattr(value, "_fields", None)
    if names is None and isinstance(opened[0], tuple) and isinstance(opened[0][1], tuple):
        names = opened[0][1]
    if names is not None and len(names) == len(opened[1]):
        return list(names)
    return list(range(len(opened[1])))


def flatten_with_tuple_paths(
    structure: Any, expand_composites: bool = False
) -> list[tuple[tuple[Any, ...], Any]]:
    """The leaves, each with the tuple of keys and numbers that leads to it.

    >>> flatten_with_tuple_paths({"a": [5]})
    [(('a', 0), 5)]
    """
    found: list[tuple[tuple[Any, ...], Any]] = []

    def walk(value: Any, path: tuple[Any, ...]) -> None:
        opened = _open(value, expand_composites)
        if opened is None:
            found.append((path, value))
            return
        for name, item in zip(_item_names(value, opened), opened[1], strict=True):
            walk(item, (*path, name))

    walk(structure, ())
    return found


def flatten_with_joined_string_paths(
    structure: Any, separator: str = "/", expand_composites: bool = False
) -> list[tuple[str, Any]]:
    """The leaves, each with the keys and numbers that lead to it, joined.

    >>> flatten_with_joined_string_paths({"a": [5]})
    [('a/0', 5)]
    """
    pairs = flatten_with_tuple_paths(structure, expand_composites)
    return [(separator.join(map(str, path)), leaf) for path, leaf in pairs]


def map_structure_with_paths(func: Callable[..., Any], *structures: Any) -> Any:
    """`map_structure` with a function that gets the path, joined by slashes, first.

    >>> map_structure_with_paths(lambda path, x: f"{path}={x}", {"a": [5]})
    {'a': ['a/0=5']}
    """
    paths = [path for path, _ in flatten_with_joined_string_paths(structures[0])]
    numbered = pack_sequence_as(structures[0], paths)
    return map_structure(func, numbered, *structures)


def flatten_up_to(
    shallow_tree: Any, input_tree: Any, check_types: bool = True, expand_composites: bool = False
) -> list[Any]:
    """The parts of `input_tree` that stand where `shallow_tree` has leaves.

    Raises:
      ValueError, TypeError: `input_tree` does not begin as `shallow_tree` does.

    >>> flatten_up_to([0, 0], [[1, 2], 3])
    [[1, 2], 3]
    """
    found: list[Any] = []

    def walk(shallow: Any, value: Any) -> None:
        opened = _open(shallow, expand_composites)
        if opened is None:
            found.append(value)
            return
        own = _open(value, expand_composites)
        if own is None:
            raise TypeError(f"the shallow structure nests at {shallow!r}, the other has {value!r}")
        if check_types and type(shallow) is not type(value) and not _alike(shallow, value):
            raise TypeError(
                f"the structures differ: {type(shallow).__name__} and {type(value).__name__}"
            )
        if len(own[1]) != len(opened[1]):
            raise ValueError(f"{shallow!r} and {value!r} hold different numbers of items")
        for x, y in zip(opened[1], own[1], strict=True):
            walk(x, y)

    walk(shallow_tree, input_tree)
    return found


def map_structure_up_to(
    shallow_tree: Any, func: Callable[..., Any], *inputs: Any, check_types: bool = True
) -> Any:
    """`func` of the parts of each input that stand where `shallow_tree` has leaves.

    >>> map_structure_up_to([0, 0], len, [[1, 2], "abc"])
    [2, 3]
    """
    flat = [flatten_up_to(shallow_tree, tree, check_types) for tree in inputs]
    results = [func(*items) for items in zip(*flat, strict=True)]
    return pack_sequence_as(shallow_tree, results)
