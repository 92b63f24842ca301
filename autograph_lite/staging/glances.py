"""NumPy arrays at whose elements Python looks while tracing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_watcher: Callable[[Any], None] | None = None


def set_array_watcher(watcher: Callable[[Any], None]) -> None:
    """Has `watcher` told of arrays whose elements are used as Python values while tracing."""
    global _watcher
    _watcher = watcher


def looked_at(array: Any) -> None:
    """Notes that an element of an array has been used as a Python value."""
    if _watcher is not None:
        _watcher(array)
