"""Parsing and compiling without the compiler's warnings.

Python has already said what it thinks of the user's code (`x is 1`, invalid escapes) when it was
imported. It shall not say it again, least of all as an error.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["quietly"]

_IGNORED: list[Any] = [
    ("ignore", None, SyntaxWarning, None, 0),
    ("ignore", None, DeprecationWarning, None, 0),
]


@contextmanager
def quietly() -> Iterator[None]:
    """Within the block, what the compiler warns of is ignored.

    `warnings.catch_warnings` would make Python forget which warnings it has shown already.

    Example:
      >>> with quietly():
      ...     code = compile("1 is 1", "", "eval")
    """
    filters: list[Any] = warnings.filters  # type: ignore[assignment]
    added = [tuple(entry) for entry in _IGNORED]
    filters[0:0] = added
    try:
        yield
    finally:
        for entry in added:
            if entry in filters:
                filters.remove(entry)
