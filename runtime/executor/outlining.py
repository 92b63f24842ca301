"""Keeps a plan within what Python compiles: blocks too deep become functions of their own.

Python reads no more than 100 levels of indentation, and compiles no more than 20 loops in one
another. Nested conditions of users, chains of `and` and `or`, and functions that call one another
can be deeper than that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from runtime.executor.lines import Line

_MOST_LEVELS = 60
_MOST_LOOPS = 18
_BODY = 3
"""The level of the statements of an outlined function."""

_TARGETS = re.compile(r"\(?(\w+(?:, \w+)*),?\)? = |del (\w+(?:, \w+)*)$")
_NAME = re.compile(r"[^\W\d]\w*")


@dataclass
class _Part:
    """Lines that are a function's; `name` is None for the plan's own."""

    name: str | None
    lines: list[Line]


def outlined(lines: list[Line], unique: Callable[[str], str], parameters: list[str]) -> list[Line]:
    """The lines of a plan's function, in which nothing is nested too deeply.

    Args:
      lines: the lines of its body.
      unique: makes a name that nothing has yet.
      parameters: the names of the function's parameters.
    """
    parts: list[_Part] = []
    own = _Part(None, _cut(lines, unique, parts))
    if not parts:
        return lines
    everywhere = Counter(name for part in (own, *parts) for name in _names(part.lines))
    bound = _assigned(own.lines) | set(parameters)
    functions: list[Line] = []
    unbound: set[str] = set()
    for part in parts:
        outside = {n for n in _assigned(part.lines) if everywhere[n] > 1 or n in bound}
        unbound |= outside - bound
        functions.append(Line(_BODY - 1, f"def {part.name}():"))
        if outside:
            functions.append(Line(_BODY, f"nonlocal {', '.join(sorted(outside))}"))
        functions += part.lines
    first = [Line(_BODY - 1, f"{' = '.join(sorted(unbound))} = None")] if unbound else []
    return [*first, *functions, *own.lines]


def _cut(lines: list[Line], unique: Callable[[str], str], parts: list[_Part]) -> list[Line]:
    """The lines, with calls where blocks are too deep; those become `parts`."""
    kept: list[Line] = []
    loops: list[int] = []  # the levels of the loops around a line
    number = 0
    while number < len(lines):
        line = lines[number]
        while loops and line.depth <= loops[-1]:
            loops.pop()
        if line.depth < _MOST_LEVELS and len(loops) < _MOST_LOOPS:
            if line.text.startswith("while "):
                loops.append(line.depth)
            kept.append(line)
            number += 1
            continue
        end = number
        while end < len(lines) and lines[end].depth >= line.depth:
            end += 1
        # What leaves the loop around stays in it.
        start = _after_break(lines, number, end, line.depth + 1)
        kept += lines[number:start]
        if start < end:
            name = unique("part")
            kept.append(Line(line.depth, f"{name}()"))
            moved = line.depth - _BODY
            inside = [Line(x.depth - moved, x.text, x.origin) for x in lines[start:end]]
            parts.append(_Part(name, _cut(inside, unique, parts)))
        number = end
    return kept


def _after_break(lines: list[Line], start: int, end: int, depth: int) -> int:
    for number in range(start, end):
        if lines[number].depth == depth and lines[number].text == "break":
            return number + 1
    return start


def _names(lines: list[Line]) -> set[str]:
    return {name for line in lines for name in _NAME.findall(line.text)}


def _assigned(lines: list[Line]) -> set[str]:
    found: set[str] = set()
    for line in lines:
        match: Any = _TARGETS.match(line.text)
        if match is not None:
            found.update((match[1] or match[2]).split(", "))
    return found


__all__ = ["outlined"]
