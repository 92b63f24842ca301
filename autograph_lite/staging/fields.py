"""The comparisons that `dataclasses` writes for a class, of tensors in its fields."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

from autograph_lite.operators.dispatch import staging_active
from autograph_lite.operators.logic import compare

_SYMBOLS = {"__eq__": "==", "__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}


def comparing_fields(cls: type, name: str, written: Any) -> Callable[[Any, Any], Any] | None:
    """A method that compares field by field, as the one that `dataclasses` has written does.

    Args:
      cls: a class.
      name: a method's name.
      written: what the class has under that name.

    Returns:
      None if that is not a comparison that `dataclasses` has written.
    """
    symbol = _SYMBOLS.get(name)
    if symbol is None or "__dataclass_params__" not in vars(cls) or not _is_written(written):
        return None
    names = [field.name for field in dataclasses.fields(cls) if field.compare]

    def method(self: Any, other: Any) -> Any:
        if not staging_active():
            return written(self, other)
        if other.__class__ is not self.__class__:
            return NotImplemented
        items = (tuple(getattr(value, name) for name in names) for value in (self, other))
        return compare(next(items), symbol, next(items))

    method.__ag_original__ = written  # type: ignore[attr-defined]
    return method


def _is_written(method: Any) -> bool:
    code = getattr(method, "__code__", None)
    return code is not None and code.co_filename == "<string>"


__all__ = ["comparing_fields"]
