"""The comparisons that `dataclasses` and `attrs` write for a class, of tensors in its fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from autograph_lite.operators.calls import converted
from autograph_lite.operators.dispatch import staging_active
from autograph_lite.operators.logic import compare

_SYMBOLS = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}
# What the files are called that such methods seem to be from.
_WRITTEN = ("<string>", "<attrs generated")
Getter = Callable[[Any], Any]


def comparing_fields(cls: type, name: str, written: Any) -> Callable[[Any, Any], Any] | None:
    """A method that compares field by field, as the one that was written for a class does.

    Args:
      cls: a class.
      name: a method's name.
      written: what the class has under that name.

    Returns:
      None if that is not a comparison that `dataclasses` or `attrs` has written.
    """
    symbol = _SYMBOLS.get(name)
    code = getattr(written, "__code__", None)
    if symbol is None or code is None or not code.co_filename.startswith(_WRITTEN):
        return None
    compared = _compared(cls, symbol)
    if compared is None:
        return None

    def method(self: Any, other: Any) -> Any:
        if not staging_active():
            return written(self, other)
        if other.__class__ is not self.__class__:
            return NotImplemented
        left, right = (tuple(get(value) for get in compared) for value in (self, other))
        return compare(left, symbol, right)

    method.__ag_original__ = written  # type: ignore[attr-defined]
    return method


def _compared(cls: type, symbol: str) -> list[Getter] | None:
    """What gives the fields that are compared, in their order; None if a class has no fields."""
    if "__dataclass_params__" in vars(cls):
        return [_getter(field.name, None) for field in dataclasses.fields(cls) if field.compare]
    fields = vars(cls).get("__attrs_attrs__")
    if fields is None:
        return None
    kind = "eq" if symbol == "==" else "order"
    return [
        _getter(field.name, getattr(field, f"{kind}_key"))
        for field in fields
        if getattr(field, kind)
    ]


def _getter(name: str, key: Callable[[Any], Any] | None) -> Getter:
    if key is None:
        return lambda value: getattr(value, name)
    return lambda value: converted(key)(getattr(value, name))


__all__ = ["comparing_fields"]
