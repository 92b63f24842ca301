"""Python value or staged value? The one question that every operator asks."""

from __future__ import annotations

from runtime.context import thread

__all__ = ["asked", "is_staged", "staging_active"]

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


def asked(value: object) -> object:
    """What is asked for the truth of a value: of most, the value itself.

    A dict may have keys on some paths of the graph only; whether it is empty is a tensor then. An
    object may have a `__bool__` of the user's, which is called as converted code.

    Example:
      >>> asked({})
      {}
    """
    kind = type(value)
    if (kind in _PLAIN and kind is not dict) or not staging_active() or is_staged(value):
        return value
    if isinstance(value, dict):
        from autograph_lite.staging import dicts

        return dicts.asked(value)
    from autograph_lite.staging import special

    return special.truth(value)


def staging_active() -> bool:
    """Whether a graph is being traced in this thread.

    Example:
      >>> staging_active()
      False
    """
    return thread.graph is not None
