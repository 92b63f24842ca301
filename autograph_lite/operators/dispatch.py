"""Python value or staged value? The one question that every operator asks."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["is_staged", "set_staging_probe", "staging_active"]

# Looking for an attribute that a type does not have is slow, and most values are of these.
_PLAIN = frozenset(
    {bool, int, float, complex, str, bytes, type(None), list, tuple, dict, set, frozenset, range}
)


def is_staged(value: object) -> bool:
    """Whether a value stands for one that is known only when a graph runs.

    The types of such values have an attribute `__ag_staged__` that is true. Eager tensors are
    Python values.

    Example:
      >>> is_staged(3)
      False
    """
    kind = type(value)
    return kind not in _PLAIN and getattr(kind, "__ag_staged__", False)


def _never() -> bool:
    return False


_probe: Callable[[], bool] = _never


def staging_active() -> bool:
    """Whether a graph is being traced in this thread."""
    return _probe()


def set_staging_probe(probe: Callable[[], bool]) -> None:
    """Tells the operators how to find out whether a graph is being traced.

    Args:
      probe: a cheap function without arguments.
    """
    global _probe
    _probe = probe
