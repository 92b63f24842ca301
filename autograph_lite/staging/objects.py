"""Objects of the user's classes that are replaced on one path: attribute by attribute.

An object that stays the same one while its attributes change needs nothing: the attributes are
noted where they are stored to. But `p = p.moved(dx)` in a loop, or `c = Cell(x)` in one branch and
another cell in the other, hand on a new object: one of the same class, whose attributes are what
holds for those of both.
"""

from __future__ import annotations

import enum
import threading
import types
from collections import deque
from dataclasses import dataclass
from typing import Any, ClassVar

from autograph_lite.operators.undefined import Undefined
from autograph_lite.staging import specs
from autograph_lite.staging.scopes import born, is_ours, was_born
from autograph_lite.staging.specs import Leaves, NextLeaf, Spec, StaticSpec
from autograph_lite.staging.unrolling import GrowsWithEachPass
from runtime import nest
from runtime.locations import user_location
from runtime.tensor import SymbolicTensor

_LIBRARY = ("autograph_lite", "runtime", "numpy", "builtins", "collections", "itertools")
_NEVER = (
    *(type, types.ModuleType, types.FunctionType, types.MethodType, BaseException, enum.Enum),
    *(list, set, deque),  # what is in them is more than their attributes
)


@dataclass(frozen=True, slots=True)
class ObjectSpec(Spec):
    """A new object of a class: the specs of its attributes by name."""

    is_by_value: ClassVar[bool] = True

    kind: type
    names: tuple[str, ...]
    children: tuple[Spec, ...]

    def _leaves(self, value: Any, path: str) -> Leaves:
        found: Leaves = []
        for name, child in zip(self.names, self.children, strict=True):
            found += child.leaves(_attribute(value, name), f"{path}.{name}")
        return found

    def build(self, leaves: NextLeaf) -> Any:
        made: Any = object.__new__(self.kind)
        born(made)
        for name, child in zip(self.names, self.children, strict=True):
            value = child.build(leaves)
            if not isinstance(value, Undefined):
                error = AttributeError(f"{self.kind.__name__!r} object has no attribute {name!r}")
                object.__setattr__(made, name, specs.guarded(value, error))
        return made

    def tensors(self) -> Any:
        for child in self.children:
            yield from child.tensors()


def _attribute(value: Any, name: str) -> Any:
    try:
        return object.__getattribute__(value, name)
    except AttributeError:
        return Undefined(name)


def _names(value: Any) -> list[str]:
    names = list(getattr(value, "__dict__", ()))
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        names += [slots] if isinstance(slots, str) else list(slots)
    return [n for n in dict.fromkeys(names) if n not in ("__dict__", "__weakref__")]


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes of an object by name, those in slots included."""
    found = {name: _attribute(value, name) for name in _names(value)}
    return {name: item for name, item in found.items() if not isinstance(item, Undefined)}


def is_object(value: Any) -> bool:
    """Whether a value is an instance of a class of the user's, made of attributes alone."""
    kind = type(value)
    if isinstance(value, _NEVER) or getattr(kind, "__ag_staged__", False):
        return False
    if kind.__module__.partition(".")[0] in _LIBRARY or nest.parts(value) is not None:
        return False
    return bool(kind.__flags__ & 1 << 9) and kind.__basicsize__ <= _PLAIN_SIZE


def has_in_place(value: Any) -> bool:
    """Whether a class of the user's changes its objects by `+=` and its kin."""
    return any(hasattr(type(value), f"__i{name}__") for name in _OPERATORS)


_OPERATORS = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split()


class _Plain:
    """As large as an object with a dict gets; what is larger holds more than attributes."""

    __slots__ = tuple(f"a{n}" for n in range(64))


_PLAIN_SIZE = _Plain.__basicsize__


def _spec(value: Any, names: list[str], path: str, around: tuple[int, ...]) -> ObjectSpec:
    children: list[Spec] = []
    for name in names:
        item = _attribute(value, name)
        if is_object(item) and id(item) not in around:
            inside = _names(item)
            children.append(_spec(item, inside, f"{path}.{name}", (*around, id(item))))
        else:
            children.append(specs.spec_of(specs.unguarded(item), f"{path}.{name}"))
    return ObjectSpec(type(value), tuple(names), tuple(children))


def spec_of_object(value: Any, path: str) -> ObjectSpec:
    """The spec of objects like this one: of its class, with attributes like its own."""
    return _spec(value, _names(value), path, (id(value),))


def _of_a_part(value: Any, path: str) -> Spec | None:
    """The spec of an object that a branch or loop body has made: a new one, made up of tensors."""
    if is_object(value) and was_born(value) and not is_ours(value):
        return _spec(value, _names(value), path, (id(value),))
    return None


def made_anew(spec: Spec, path: str) -> Spec:
    """The spec of objects like one that holds what only a branch knows; any other as it is."""
    if isinstance(spec, StaticSpec) and is_object(spec.value) and not is_ours(spec.value):
        if _holds_staged(spec.value, ()):
            return spec_of_object(spec.value, path)
    return spec


def _holds_staged(value: Any, around: tuple[int, ...]) -> bool:
    """Whether an object holds what belongs to a graph, in attributes, containers or objects."""
    if isinstance(value, SymbolicTensor) or getattr(type(value), "__ag_staged__", False):
        return True
    if id(value) in around:
        return False
    inside = (*around, id(value))
    if is_object(value):
        return any(_holds_staged(item, inside) for item in attributes_of(value).values())
    parts = nest.parts(value)
    return parts is not None and any(_holds_staged(item, inside) for item in parts[1])


def join_objects(a: Spec, b: Spec, path: str, where: str) -> Spec | None:
    """What holds for two objects of one class; None if they are not that."""
    pair = [_kind_and_names(spec) for spec in (a, b)]
    if pair[0] is None or pair[1] is None or pair[0][0] is not pair[1][0]:
        return None
    names = list(dict.fromkeys([*pair[0][1], *pair[1][1]]))
    first, second = (_with_names(spec, names, path) for spec in (a, b))
    outer = _joining.depth
    if outer >= _DEEPEST:
        raise LeadToOneAnother(_CYCLE.format(user_location(), path.split(".")[0]))
    _joining.depth += 1
    try:
        children = tuple(
            x if x == y else specs.join(x, y, f"{path}.{name}", where)
            for name, x, y in zip(names, first.children, second.children, strict=True)
        )
    finally:
        _joining.depth = outer
    return ObjectSpec(first.kind, tuple(names), children)


class LeadToOneAnother(GrowsWithEachPass):
    """Objects lead to one another: what is like them would have no end."""


_CYCLE = (
    "{}: {!r} may be one of several objects that lead to one another by their attributes, so that "
    "none can be made that is like them; keep the objects in a list, and which one it is in a "
    "number, as in `place = (place + 1) % len(nodes)`"
)


class _Joining(threading.local):
    """How many objects are being joined, each of which is an attribute of the one before."""

    depth = 0


_joining = _Joining()
_DEEPEST = 40
"""Objects that hold objects that hold objects ... so deep are taken for a cycle."""


def _kind_and_names(spec: Spec) -> tuple[type, list[str]] | None:
    if isinstance(spec, ObjectSpec):
        return spec.kind, list(spec.names)
    if isinstance(spec, StaticSpec) and is_object(spec.value):
        return type(spec.value), _names(spec.value)
    return None


def _with_names(spec: Spec, names: list[str], path: str) -> ObjectSpec:
    if isinstance(spec, StaticSpec):
        return _spec(spec.value, names, path, (id(spec.value),))
    assert isinstance(spec, ObjectSpec)
    known = dict(zip(spec.names, spec.children, strict=True))
    children = [known.get(n) or specs.UnboundSpec(Undefined(n)) for n in names]
    return ObjectSpec(spec.kind, tuple(names), tuple(children))


specs.register_kind((), lambda value, path: None, join_objects)
specs.set_object_spec(_of_a_part)

__all__ = ["ObjectSpec", "attributes_of", "is_object", "join_objects", "spec_of_object"]
