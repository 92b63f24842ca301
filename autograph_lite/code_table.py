"""A table keyed by code objects, by identity, that does not keep them alive."""

from __future__ import annotations

import weakref
from types import CodeType
from typing import Generic, TypeVar

T = TypeVar("T")


class CodeTable(Generic[T]):
    """Values by code object.

    Code objects compare by value, so those of two files may be equal; and to hash one, Python goes
    over its instructions.
    """

    def __init__(self) -> None:
        self._entries: dict[int, tuple[weakref.ref[CodeType], T]] = {}

    def get(self, code: CodeType) -> T | None:
        """The value for a code object, or None."""
        entry = self._entries.get(id(code))
        return entry[1] if entry is not None and entry[0]() is code else None

    def set(self, code: CodeType, value: T) -> None:
        """Sets the value for a code object."""
        key = id(code)
        self._entries[key] = (weakref.ref(code, lambda _: self._entries.pop(key, None)), value)


__all__ = ["CodeTable"]
