"""What earlier traces of the same statement have found, where a part of a program is traced again.

A `try` is traced to see whether it may raise, and again as a part of the graph. Were each of these
traces to begin anew with the statements inside, nested ones would take exponential time.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class KnownPlace:
    """A place that a statement changes, in objects which are others when it is traced again.

    Attributes:
      path: where the owner is among the variables.
      owner: the class of the owner.
      kind: as in `Place`.
      key: as in `Place`.
      before: the spec of what was there before the statement.
      after: what it had to be widened to.
    """

    path: tuple[Any, ...]
    owner: type
    kind: str
    key: Any
    before: Any
    after: Any


class Known:
    """What is known of one statement, at one point of the trace of the one around it.

    Attributes:
      risky: whether it may raise when the graph runs.
      before: the specs of its variables before the statement, when it was traced last.
      after: what they had to be widened to.
      places: the places that its parts have changed, as far as variables lead to them.
    """

    def __init__(self) -> None:
        self.risky = False
        self.before: Any = None
        self.after: Any = None
        self.places: list[KnownPlace] = []
        self._inner: dict[tuple[str, Any, int], Known] = {}
        self._counts: dict[tuple[str, Any], int] = {}
        self._part = ""

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Within the block, a part of the statement is traced, from its start."""
        before = _innermost.known, self._part
        _innermost.known, self._part = self, name
        self._counts = {key: n for key, n in self._counts.items() if key[0] != name}
        try:
            yield
        finally:
            _innermost.known, self._part = before

    def inner(self, code: Any) -> Known:
        """What is known of the next statement of this code in the part that is being traced."""
        key = self._part, code
        number = self._counts.get(key, 0)
        self._counts[key] = number + 1
        return self._inner.setdefault((*key, number), Known())


class _Innermost(threading.local):
    known: Known | None = None


_innermost = _Innermost()


def known_of(function: Any) -> Known:
    """What is known of the statement that is traced now.

    Args:
      function: its body.
    """
    code = getattr(function, "__code__", None)
    around = _innermost.known
    return Known() if around is None or code is None else around.inner(code)


__all__ = ["Known", "known_of"]
