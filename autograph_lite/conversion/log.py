"""What conversion says about itself, on standard error, if asked to."""

from __future__ import annotations

import os
import sys

__all__ = ["level", "log", "set_level"]

_level: int | None = None
_to_stdout = False


def level() -> int:
    """How much is said: 0 nothing, 1 each conversion with its time, 2 the converted text as well.

    Where `set_level` was not called, the environment variable AUTOGRAPH_LITE_DEBUG says so.
    """
    if _level is not None:
        return _level
    try:
        return int(os.environ.get("AUTOGRAPH_LITE_DEBUG") or 0)
    except ValueError:
        return 0


def set_level(new: int, to_stdout: bool = False) -> None:
    """Sets how much is said.

    Args:
      new: see `level`.
      to_stdout: whether to say it on standard output too.
    """
    global _level, _to_stdout
    _level, _to_stdout = int(new), to_stdout


def log(needed: int, text: str) -> None:
    """Says something, if the level is at least `needed`."""
    if level() >= needed:
        print(text, file=sys.stderr)
        if _to_stdout:
            print(text)
