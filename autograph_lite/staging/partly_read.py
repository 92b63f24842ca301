"""What reads a part of an iterator, which goes on behind it: written plainly, and converted."""

from __future__ import annotations

from typing import Any


def items_between(iterator: Any, start: Any, stop: Any, step: Any) -> list[Any]:
    """`list(itertools.islice(iterator, start, stop, step))`"""
    items: list[Any] = []
    if stop is not None and stop <= 0:
        return items
    number = 0
    for item in iterator:
        if number >= start and (number - start) % step == 0:
            items.append(item)
        number += 1
        if stop is not None and number >= stop:
            break
    return items


def comes_to(iterator: Any, value: Any) -> Any:
    """`value in iterator`"""
    found = False
    for item in iterator:
        if item is value or item == value:
            found = True
            break
    return found


__all__ = ["comes_to", "items_between"]
