"""What is printed while tracing: once, however often a loop or `try` is traced."""

from __future__ import annotations

import builtins
import io
import sys
import threading
from typing import Any

from autograph_lite.errors import AutographError


class _Thread(threading.local):
    """Where what this thread prints goes; None for the streams themselves."""

    prints: Prints | None = None


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


def print_(*values: Any, **options: Any) -> None:
    """Python's `print`."""
    stream = options.get("file")
    stream = sys.stdout if stream is None else stream
    # What is written to the program's own buffers is put back with what is in them.
    if _thread.prints is None or getattr(stream, "__ag_followed__", False):
        builtins.print(*values, **options)
        return
    written = io.StringIO()
    builtins.print(*values, **{**options, "file": written, "flush": False})
    _show(stream, written.getvalue(), bool(options.get("flush")))


def _show(stream: Any, text: str, flush: bool) -> None:
    if _thread.prints is not None:
        _thread.prints.add(stream, text, flush)
    elif stream is not None:
        builtins.print(text, end="", file=stream, flush=flush)


__all__ = ["Prints", "print_"]
