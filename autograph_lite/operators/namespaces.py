"""`locals()` in converted code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph_lite.operators.undefined import Undefined

__all__ = ["locals_"]


def locals_(reads: dict[str, Callable[[], Any]]) -> dict[str, Any]:
    """The variables of the user's function that have a value.

    Args:
      reads: for each variable that it may have, a function that reads it.

    Example:
      >>> locals_({'a': lambda: 1, 'b': lambda: Undefined('b')})
      {'a': 1}
    """
    found = {}
    for name, read in reads.items():
        try:
            value = read()
        except NameError:
            continue
        if not isinstance(value, Undefined):
            found[name] = value
    return found
