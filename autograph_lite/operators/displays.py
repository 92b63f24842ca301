"""Displays with items of other sequences in them: `(*t, x)`, `[*a, *b]`."""

from __future__ import annotations

from typing import Any

from autograph_lite.operators.dispatch import is_staged
from runtime.context import thread

__all__ = ["list_of", "star", "tuple_of"]


class Star:
    """`*values` in a display.

    Attributes:
      values: the items; or what is staged, and has them when the graph runs.
    """

    __slots__ = ("values",)

    def __init__(self, values: Any) -> None:
        self.values = values


def star(values: Any) -> Star:
    """`*values`, gone over at once if that is possible.

    Example:
      >>> star(range(3)).values
      [0, 1, 2]
    """
    if isinstance(values, dict) and thread.graph is not None:
        from autograph_lite.staging import dicts

        values = dicts.opened(values)
    if is_staged(values):
        from autograph_lite.staging import tuples as staged

        values = staged.settled_sequence(values)
        if is_staged(values):
            return Star(values)
    return Star([*values])


def tuple_of(*items: Any) -> Any:
    """`(a, *b)`, where `*b` is a `Star`.

    Example:
      >>> tuple_of(1, star([2, 3]))
      (1, 2, 3)
    """
    parts = _parts(items)
    if any(map(is_staged, parts)):
        from autograph_lite.staging import tuples as staged

        return staged.joined_tuple(*parts)
    return tuple(item for part in parts for item in part)


def list_of(*items: Any) -> Any:
    """`[a, *b]`, where `*b` is a `Star`.

    Example:
      >>> list_of(1, star([2, 3]))
      [1, 2, 3]
    """
    parts = _parts(items)
    if thread.graph is None:
        return [item for part in parts for item in part]
    from autograph_lite.staging import tuples as staged

    return staged.joined_list(*parts)


def _parts(items: tuple[Any, ...]) -> list[Any]:
    return [item.values if type(item) is Star else (item,) for item in items]
