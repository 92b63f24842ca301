"""How many items Python asks for: `a, b = values`, where only the running graph knows the number.

Python does not say, when it asks a value for its items, that it will take two. But the instruction
that asks says so.
"""

from __future__ import annotations

import dis
import sys
from typing import Any

from runtime.locations import Location, raise_at, user_location
from runtime.ops.apply import apply
from runtime.ops.registry import NO_GRADIENT, define

_UNPACK = dis.opmap["UNPACK_SEQUENCE"]
_EXTENDED = dis.opmap["EXTENDED_ARG"]


def wanted_items(depth: int = 1) -> int | None:
    """The number of targets of the unpacking that has called a function; None if it was no such.

    Args:
      depth: how many calls the function is away: 1 means the caller of this one.

    Example:
      >>> class Pair:
      ...     def __iter__(self):
      ...         return iter(range(wanted_items()))
      >>> a, b, c = Pair()
      >>> c
      2
    """
    frame = sys._getframe(depth + 1)
    code, place = frame.f_code.co_code, frame.f_lasti
    while place >= 0 and code[place] == _EXTENDED:
        place += 2  # Python 3.10 stands before what makes the number larger than a byte
    if place < 0 or code[place] != _UNPACK:
        return None
    count, shift = code[place + 1], 8
    while place >= 2 and code[place - 2] == _EXTENDED:
        place -= 2
        count |= code[place + 1] << shift
        shift += 8
    return count


def _check(values: Any, count: int, location: Location, at_least: bool = False) -> Any:
    size = len(values)
    if size == count or (at_least and size > count):
        return ()
    wanted = f"at least {count}" if at_least else count
    few = f"not enough values to unpack (expected {wanted}, got {size})"
    error = ValueError(few if size < count else f"too many values to unpack (expected {count})")
    return raise_at(error, location)


CHECK_COUNT = define(
    "CheckCount",
    kernel=_check,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
    checks=True,
)


def check_count(values: Any, count: int, at_least: bool = False) -> None:
    """Adds an operation that raises Python's error unless there are `count` values.

    Args:
      values: a tensor, or a list of a graph.
      count: how many targets there are to unpack it to.
      at_least: whether there may be more values.
    """
    attrs: dict[str, Any] = {"count": count, "location": user_location()}
    if at_least:
        attrs["at_least"] = True
    apply(CHECK_COUNT, [values], attrs)
