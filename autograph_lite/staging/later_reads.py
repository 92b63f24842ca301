"""Which variables does the code that runs now read later? Its instructions tell."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType, FunctionType
from typing import Any

from autograph_lite.staging.cells import held_in_cells
from autograph_lite.staging.instructions import facts_of
from runtime.locations import is_library_file


def assigned(frame: FrameType) -> str | None:
    """The variable to which a frame's code assigns what it calls now, if it is one."""
    return facts_of(frame.f_code).assigned(frame.f_lasti)


def user_frames() -> Iterator[FrameType]:
    """The frames of the user's functions that are being traced, the innermost first."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not is_library_file(frame.f_code.co_filename):
            yield frame
        elif frame.f_globals.get("__name__") == "autograph_lite.tracing":
            return
        frame = frame.f_back


def shared_with(code: CodeType, outer: CodeType) -> frozenset[str]:
    """The variables of a function that are those of another one, in which it is defined."""
    return facts_of(outer).shared.get(id(code), frozenset())


class _Pending(threading.local):
    """What goes on when what runs now is over, though no variable shows it.

    Attributes:
      codes: functions of the user's code that may run.
      values: what statements hold: the managers of `with`.
    """

    codes: tuple[CodeType, ...] = ()
    values: tuple[Any, ...] = ()


_pending = _Pending()


@contextmanager
def pending(*functions: Any) -> Iterator[None]:
    """Within the block, these functions may run later: the test of a loop, say."""
    before = _pending.codes
    _pending.codes = (*before, *_codes_of(functions))
    try:
        yield
    finally:
        _pending.codes = before


@contextmanager
def holding(value: Any) -> Iterator[None]:
    """Within the block, a statement of the user's holds a value, which it goes on to use."""
    before = _pending.values
    _pending.values = (*before, value)
    try:
        yield
    finally:
        _pending.values = before


def held_by_statements() -> tuple[Any, ...]:
    """What statements hold that run now, and will use."""
    return _pending.values


def _codes_of(functions: Iterable[Any]) -> Iterator[CodeType]:
    """The code of the user's functions among these, and of those that the library's call."""
    waiting, seen = list(functions), set()
    while waiting:
        function = waiting.pop()
        if not isinstance(function, FunctionType) or id(function) in seen:
            continue
        seen.add(id(function))
        if not is_library_file(function.__code__.co_filename):
            yield function.__code__
            continue
        waiting += held_in_cells(function)


def is_read(frame: FrameType, name: str) -> bool:
    """Whether the code of a frame may read a variable's value after where it is now."""
    facts = facts_of(frame.f_code)
    if facts.reads(name, frame.f_lasti):
        return True
    if name in frame.f_code.co_freevars and facts.reads(name) and _is_in_loop(frame):
        return True  # by the next pass
    return any(
        name in facts.shared.get(id(code), ()) and facts_of(code).reads(name)
        for code in _pending.codes
    )


def _is_in_loop(frame: FrameType) -> bool:
    """Whether a frame runs the body of a loop."""
    above = frame.f_back
    while above is not None and is_library_file(above.f_code.co_filename):
        if str(above.f_globals.get("__name__")).rpartition(".")[2] in _LOOPS:
            return True
        above = above.f_back
    return False


_LOOPS = ("loops", "iteration", "unrolling")

__all__ = [
    "assigned",
    "held_by_statements",
    "holding",
    "is_read",
    "pending",
    "shared_with",
    "user_frames",
]
