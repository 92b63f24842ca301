"""Generator expressions that loops go over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph_lite.operators.dispatch import staging_active

__all__ = ["generator"]


def generator(native: Callable[[Any], Any], inverted: Callable[..., Any], items: Any) -> Any:
    """A generator expression.

    Args:
      native: makes Python's own generator, of the items of its first `for`.
      inverted: the same turned inside out: its first parameter is given each item, and answers
        whether it has had enough.
      items: what the first `for` goes over.

    Example:
      >>> list(generator(lambda items: (x * x for x in items), print, [1, 2]))
      [1, 4]
    """
    if staging_active():
        from autograph_lite.staging.generators import StagedGenerator

        return StagedGenerator(native, inverted, (items,), {})
    return native(items)
