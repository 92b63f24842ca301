"""Objects and deques that a trace has made, as its caller gets them: with tensors that have values.

To the graph an object is a Python value that stays what it is. One that the traced function has
made itself, and that it gives, is made anew at each call out of what the graph has given.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from autograph_lite.staging.objects import attributes_of, is_object
from autograph_lite.staging.scopes import born, is_ours
from runtime import nest
from runtime.tensor import SymbolicTensor


def made_parts(value: Any) -> nest.Parts | None:
    """See `nest.parts`: an object or deque of the trace that holds tensors, taken apart."""
    kind = type(value)
    if not is_ours(value) or (kind is not deque and not is_object(value)):
        return None
    found = _Found()
    found.look(value, ())
    if not found.tensors or found.is_in_itself:
        return None
    if kind is deque:
        most = value.maxlen
        return kind, list(value), lambda items: deque(items, most)
    attributes = attributes_of(value)

    def rebuild(items: list[Any]) -> Any:
        made: Any = object.__new__(kind)
        born(made)
        for name, item in zip(attributes, items, strict=True):
            object.__setattr__(made, name, item)
        return made

    return kind, list(attributes.values()), rebuild


class _Found:
    """What there is in an object: tensors of the graph, or perhaps the object itself."""

    def __init__(self) -> None:
        self.tensors = False
        self.is_in_itself = False

    def look(self, value: Any, around: tuple[int, ...]) -> None:
        """Looks into a value; `around` are the ids of what it is in."""
        if isinstance(value, SymbolicTensor):
            self.tensors = True
            return
        if id(value) in around:
            self.is_in_itself = True
            return
        for item in _inside(value):
            self.look(item, (*around, id(value)))


def _inside(value: Any) -> Iterable[Any]:
    if type(value) is deque:
        return value
    parts = nest.parts(value)
    if parts is not None:
        return parts[1]
    return attributes_of(value).values() if is_object(value) else ()


__all__ = ["made_parts"]
