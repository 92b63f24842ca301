"""What is printed while tracing: once, however often a loop or `try` is traced."""

from __future__ import annotations

import builtins
import io
import sys
import threading
from typing import Any

from autograph_lite.errors import AutographError


class _Thread(threading.local):
    """What this thread prints.

    Attributes:
      prints: where it goes; None for the streams themselves.
      passes: the traces of whole functions that go on.
    """

    prints: Prints | None = None
    passes: tuple[Passes, ...] = ()


_thread = _Thread()


class Prints:
    """What is printed in a `with` block: kept back until it is known whether that trace counts."""

    def __init__(self) -> None:
        self._texts: list[tuple[Any, str, bool]] = []
        self._outer: Prints | None = None

    def __enter__(self) -> Prints:
        self._outer, _thread.prints = _thread.prints, self
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        _thread.prints = self._outer
        if error is not None and not isinstance(error, AutographError):
            self.show()

    def add(self, stream: Any, text: str, flush: bool) -> None:
        """Keeps a text back that is to go to a stream."""
        self._texts.append((stream, text, flush))

    def show(self) -> None:
        """Prints what was kept back: the trace counts."""
        texts, self._texts = self._texts, []
        for stream, text, flush in texts:
            _show(stream, text, flush)


class Passes:
    """Several traces of one function, in a `with` block: each prints what is new in it only.

    Nothing is kept back, as it may be what tells of a trace that does not end.
    """

    def __init__(self) -> None:
        self._shown: list[tuple[Any, str]] = []
        self._at = 0

    def __enter__(self) -> Passes:
        _thread.passes = (*_thread.passes, self)
        return self

    def __exit__(self, *error: Any) -> None:
        _thread.passes = _thread.passes[:-1]

    def begin(self) -> None:
        """Begins with the next trace."""
        self._at = 0

    def is_new(self, stream: Any, text: str) -> bool:
        """Whether no trace before this one has printed a text as what comes next; notes it."""
        for at in range(self._at, len(self._shown)):
            if self._shown[at][0] is stream and self._shown[at][1] == text:
                self._at = at + 1
                return False
        self._shown.insert(self._at, (stream, text))
        self._at += 1
        return True


def print_(*values: Any, **options: Any) -> None:
    """Python's `print`."""
    stream = options.get("file")
    stream = sys.stdout if stream is None else stream
    # What is written to the program's own buffers is put back with what is in them.
    plain = _thread.prints is None and not _thread.passes
    if plain or getattr(stream, "__ag_followed__", False):
        builtins.print(*values, **options)
        return
    written = io.StringIO()
    builtins.print(*values, **{**options, "file": written, "flush": False})
    _show(stream, written.getvalue(), bool(options.get("flush")))


def _show(stream: Any, text: str, flush: bool) -> None:
    if _thread.prints is not None:
        _thread.prints.add(stream, text, flush)
    elif _is_new(stream, text) and stream is not None:
        builtins.print(text, end="", file=stream, flush=flush)


def _is_new(stream: Any, text: str) -> bool:
    is_new = True
    for passes in _thread.passes:
        is_new &= passes.is_new(stream, text)  # each is to know of it
    return is_new


__all__ = ["Passes", "Prints", "print_"]
