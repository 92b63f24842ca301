"""TensorFlow 1's functions that became methods."""

from __future__ import annotations

from typing import Any


def assign(ref: Any, value: Any, name: str | None = None) -> Any:
    """Assigns to a variable; in a graph, gives the new value as a tensor.

    >>> import autograph_lite as ag
    >>> v = ag.Variable(1.0)
    >>> float(ag.compat.v1.assign(v, 3.0))
    3.0
    """
    return ref.assign(value, name=name)


def assign_add(ref: Any, value: Any, name: str | None = None) -> Any:
    """Adds to a variable; in a graph, gives the new value as a tensor.

    >>> import autograph_lite as ag
    >>> v = ag.Variable(1.0)
    >>> float(ag.compat.v1.assign_add(v, 3.0))
    4.0
    """
    return ref.assign_add(value, name=name)


def assign_sub(ref: Any, value: Any, name: str | None = None) -> Any:
    """Subtracts from a variable; in a graph, gives the new value as a tensor.

    >>> import autograph_lite as ag
    >>> v = ag.Variable(1.0)
    >>> float(ag.compat.v1.assign_sub(v, 3.0))
    -2.0
    """
    return ref.assign_sub(value, name=name)
