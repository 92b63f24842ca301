"""How to reach, at every call, the Python state that a traced function reads or writes.

A path starts at an argument, at a dict of globals, at a closure's cell or at some other object, and
goes on through attributes and items. It does not keep the objects along it alive.
"""

from __future__ import annotations

import types
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from autograph_lite.arguments import Arguments, reference_to

ATTRIBUTE, ITEM = "attribute", "item"
PRESENCE = "presence"
"""The step of one who only asks whether there is an attribute."""

Step = tuple[str, Any]


class _Missing:
    """Stands for what is not there."""

    def __repr__(self) -> str:
        return "<nothing>"


MISSING: Any = _Missing()


class Root:
    """Where a path starts.

    Attributes:
      argument: a position or a keyword of the call; None if it starts at an object.
      reference: gives the object, or None when it is gone.
      text: what the user calls it.
      is_passing: whether it starts at an object that may have been made for one call.
      made_here: whether the trace has made that object. When it is gone, nobody can have changed
        it.
    """

    __slots__ = ("argument", "is_passing", "made_here", "reference", "text")

    def __init__(self, text: str, argument: int | str | None = None, reference: Any = None) -> None:
        self.text = text
        self.argument = argument
        self.is_passing = False
        self.made_here = False
        self.reference: Callable[[], Any] | None = reference

    @classmethod
    def at_object(cls, value: Any, text: str) -> Root:
        """A root at an object that it does not keep alive, if the type allows that."""
        root = cls(text, reference=reference_to(value))
        root.is_passing = True
        return root

    @classmethod
    def keeping(cls, value: Any, text: str) -> Root:
        """A root at an object that it keeps alive: a dict of globals, a cell."""
        return cls(text, reference=lambda: value)

    @property
    def is_gone(self) -> bool:
        """Whether the trace has made the object there, and it is no more."""
        return self.made_here and self.reference is not None and self.reference() is None

    def resolve(self, arguments: Arguments) -> Any:
        """The object there, or MISSING."""
        if self.argument is None:
            assert self.reference is not None
            found = self.reference()
            return MISSING if found is None else found
        try:
            if isinstance(self.argument, int):
                return arguments.positional[self.argument]
            return arguments.keywords[self.argument]
        except (IndexError, KeyError):
            return MISSING

    @property
    def identity(self) -> Any:
        """Equal for roots that are the same."""
        if self.argument is not None:
            return self.argument
        assert self.reference is not None
        return id(self.reference())


class Path:
    """A root and the steps from there. See the module."""

    __slots__ = ("root", "steps")

    def __init__(self, root: Root, steps: tuple[Step, ...] = ()) -> None:
        self.root = root
        self.steps = steps

    def then(self, kind: str, key: Any) -> Path:
        """The path one step further."""
        return Path(self.root, (*self.steps, (kind, key)))

    def resolve(self, arguments: Arguments) -> Any:
        """What is there at this call, or MISSING."""
        value = self.root.resolve(arguments)
        for kind, key in self.steps:
            if value is MISSING:
                return MISSING
            value = take(value, kind, key)
        return value

    @property
    def identity(self) -> Any:
        """Equal for paths that are the same."""
        return (self.root.identity, self.steps)

    def __str__(self) -> str:
        text = self.root.text
        for kind, key in self.steps:
            if kind == ITEM:
                text = f"{text}[{key!r}]" if text else str(key)
            elif key != "cell_contents":
                text = f"{text}.{key}"
        return text


def take(value: Any, kind: str, key: Any) -> Any:
    """One step of a path: an attribute or an item, or MISSING."""
    try:
        if type(value) is defaultdict:
            # Looking must not make the item.
            return value.get(key, MISSING) if kind == ITEM else getattr(value, key)
        return getattr(value, key) if kind == ATTRIBUTE else value[key]
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        return MISSING


def is_plain(value: Any, kind: str, key: Any) -> bool:
    """Whether taking a step only looks something up, and runs none of the user's code."""
    owner = type(value)
    if kind == ITEM:
        return owner in (dict, list, tuple)
    if isinstance(value, type):
        return any(key in vars(base) and _is_data(vars(base)[key]) for base in value.__mro__)
    if type(owner.__getattribute__) is not types.WrapperDescriptorType:
        return False
    for base in owner.__mro__:
        if key in vars(base):
            found = vars(base)[key]
            if hasattr(type(found), "__set__"):
                return type(found).__name__ == "member_descriptor"
            return key in getattr(value, "__dict__", ()) or _is_data(found)
    return key in getattr(value, "__dict__", ())


def property_getter(value: Any, name: str) -> types.FunctionType | None:
    """The getter of an attribute that is a property, if it is written in Python."""
    if type(type(value).__getattribute__) is not types.WrapperDescriptorType:
        return None
    for base in type(value).__mro__:
        if name in vars(base):
            found = vars(base)[name]
            getter: Any = found.fget if type(found) is property else None
            getter = getattr(getter, "__ag_original__", getter)  # while a stand-in is there
            return getter if isinstance(getter, types.FunctionType) else None
    return None


def function_at(value: Any, name: str) -> types.FunctionType | None:
    """The Python function that a class has for an attribute, of itself or of an object, if any.

    Args:
      value: a class, or an object that has no such attribute of its own.
      name: the attribute.
    """
    owner = value if isinstance(value, type) else type(value)
    if type(type(value).__getattribute__) is not types.WrapperDescriptorType:
        return None
    for base in owner.__mro__:
        if name in vars(base):
            found = vars(base)[name]
            found = getattr(found, "__func__", found)
            return found if isinstance(found, types.FunctionType) else None
    return None


def is_missing(value: Any, name: str) -> bool:
    """Whether an object has no attribute of this name, and no code that would make one."""
    owner = type(value)
    return (
        not isinstance(value, type | types.ModuleType)
        and type(owner.__getattribute__) is types.WrapperDescriptorType
        and not hasattr(owner, "__getattr__")
        and not hasattr(owner, name)
        and name not in getattr(value, "__dict__", ())
    )


def _is_data(value: Any) -> bool:
    """Whether an attribute of a class is handed out as it is."""
    return not hasattr(type(value), "__get__") or isinstance(value, type)
