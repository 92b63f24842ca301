"""Python value or staged value? The one question that every operator asks."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["is_staged", "set_staging_probe", "staging_active"]


def is_staged(value: object) -> bool:
    """Whether a value stands for one that is known only when a graph runs.

    The types of such values have an attribute `__ag_staged__` that is true. Eager tensors are
    Python values.

    Example:
      >>> is_staged(3)
      False
    """
    return getattr(type(value), "__ag_staged__", False)


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
