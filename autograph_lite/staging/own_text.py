"""Objects that say themselves what they look like: `__str__` and `__repr__` of users' classes.

Python calls them from code that is not converted, so text that they make of tensors would be made
while tracing. Called as converted functions they give text that the graph makes.
"""

from __future__ import annotations

import types
from typing import Any

from autograph_lite.operators.calls import converted, is_users_own
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.templates import is_caught
from runtime import nest
from runtime.ops.python_text import is_text
from runtime.tensor import Tensor

_PLAIN = frozenset({bool, int, float, complex, str, bytes, type(None), range})


class Shown(str):
    """A text that stands for an object: its `str` and its `repr`."""

    as_repr: str

    def __new__(cls, text: str, as_repr: str) -> Shown:
        made = super().__new__(cls, text)
        made.as_repr = as_repr
        return made

    def __str__(self) -> str:
        return str.__str__(self)

    def __repr__(self) -> str:
        return self.as_repr


nest.register(Shown, lambda shown: (Shown, [str(shown), shown.as_repr], lambda t: Shown(*t)))


class OwnText:
    """What `Shown` is made of when the graph runs."""

    __ag_staged__ = True

    def __init__(self, text: Any, as_repr: Any) -> None:
        self.text = text
        self.as_repr = as_repr


nest.register(OwnText, lambda own: (OwnText, [own.text, own.as_repr], lambda t: Shown(*t)))


def own_method(kind: type, name: str) -> types.FunctionType | None:
    """The method of a user's class that makes the `str` or the `repr` of its objects."""
    method = getattr(kind, name, None)
    if name == "__str__" and method is object.__str__:
        method = getattr(kind, "__repr__", None)
    if isinstance(method, types.FunctionType) and is_users_own(method):
        return method
    return None


def formats_itself(kind: type) -> bool:
    """Whether objects of a user's class are formatted by its own `__format__`."""
    method = getattr(kind, "__format__", None)
    return isinstance(method, types.FunctionType) and is_users_own(method)


def text_of(value: Any, name: str) -> Any:
    """What the object's own `__str__` or `__repr__` gives, called as converted code.

    Args:
      value: any value.
      name: `__str__` or `__repr__`.

    Returns:
      A text, maybe of the graph; None if the class has no such method, or it gives something else.
    """
    method = own_method(type(value), name)
    if method is None or is_caught(value):
        return None
    text = converted(types.MethodType(method, value))()
    return text if isinstance(text, str) or is_text(text) else None


def with_own_text(value: Any, names: tuple[str, ...]) -> Any:
    """`value` with `Shown` and `OwnText` in the places of objects that make their own text.

    Args:
      value: a value that is to be formatted.
      names: which of `__str__` and `__repr__` may be asked of it; items are asked for `__repr__`.
    """
    if type(value) in _PLAIN or isinstance(value, Tensor) or is_dynamic(value):
        return value
    texts = [text_of(value, name) for name in names]
    if texts[0] is not None:
        text, as_repr = texts[0], texts[-1] if texts[-1] is not None else repr(value)
        staged = is_text(text) or is_text(as_repr)
        return OwnText(text, as_repr) if staged else Shown(text, as_repr)
    parts = nest.parts(value)
    if parts is None:
        return value
    items = [with_own_text(item, ("__repr__",)) for item in parts[1]]
    same = all(new is old for new, old in zip(items, parts[1], strict=True))
    return value if same else parts[2](items)


__all__ = ["OwnText", "Shown", "formats_itself", "own_method", "text_of", "with_own_text"]
