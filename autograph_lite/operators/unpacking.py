"""`first, *rest = values`, and `zip(*rows)`."""

from __future__ import annotations

from typing import Any

from autograph_lite.operators.dispatch import is_staged

__all__ = ["unpacked", "unzip"]


def unzip(rows: Any) -> Any:
    """`zip(*rows)`.

    Example:
      >>> list(unzip([(1, 2), (3, 4)]))
      [(1, 3), (2, 4)]
    """
    if is_staged(rows):
        from autograph_lite.staging import unzip as staged

        columns = staged.unzip(rows)
        if columns is not None:
            return columns
    from autograph_lite.operators import zip_  # type: ignore[attr-defined]

    return zip_(*rows)


def unpacked(values: Any, before: int, after: int) -> Any:
    """What the targets of an assignment get of which one has a star.

    Args:
      values: what is unpacked.
      before: how many targets stand before that with the star.
      after: how many stand behind it.

    Returns:
      The items, with a list of those for the star among them.

    Example:
      >>> unpacked("abcd", 1, 1)
      ('a', ['b', 'c'], 'd')
    """
    if is_staged(values):
        from autograph_lite.staging import tuples as staged

        made = staged.unpacked(values, before, after)
        if made is not None:
            return made
    try:
        items = iter(values)
    except TypeError:
        if hasattr(type(values), "__iter__") or hasattr(type(values), "__getitem__"):
            raise
        kind = type(values).__name__
        raise TypeError(f"cannot unpack non-iterable {kind} object") from None
    first: list[Any] = []
    least = before + after
    for _ in range(before):
        try:
            first.append(next(items))
        except StopIteration:
            raise ValueError(_too_few(least, len(first))) from None
    rest = list(items)
    if len(rest) < after:
        raise ValueError(_too_few(least, before + len(rest)))
    end = len(rest) - after
    return (*first, rest[:end], *rest[end:])


def _too_few(least: int, found: int) -> str:
    return f"not enough values to unpack (expected at least {least}, got {found})"
