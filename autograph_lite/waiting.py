"""The lock that is held while tracing, which nobody waits for who is waited for himself."""

from __future__ import annotations

import sys
import threading
import time
from typing import Any

_A_WHILE = 0.02
_STUCK = 2.0
"""A thread that has been at the same instruction for so many seconds counts as waiting."""

_WAITING = 0.1
"""The same for one that is at an instruction of `threading`: in a `wait()` or a `join()`."""


class _Level:
    """A lock that knows who holds it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.holder: int | None = None


class _Held(threading.local):
    depth = 0
    level: _Level | None = None


class TracingLock:
    """A lock that a thread may take again, and that hands itself down.

    A traced function may start threads and wait for what they give. If these trace as well, they
    must not wait for the thread that waits for them. So when the thread that holds the lock does
    not move, those who want it share a second lock among themselves, and so on.

    >>> lock = TracingLock()
    >>> with lock, lock:
    ...     print("traced")
    traced
    """

    def __init__(self) -> None:
        self._levels = [_Level()]
        self._held = _Held()

    def __enter__(self) -> None:
        held = self._held
        if held.depth == 0:
            number = 0
            while not _taken(self._levels[number]):
                number += 1
                if number == len(self._levels):
                    self._levels.append(_Level())
            held.level = self._levels[number]
            held.level.holder = threading.get_ident()
        held.depth += 1

    def __exit__(self, *_: Any) -> None:
        held = self._held
        held.depth -= 1
        level = held.level
        if held.depth == 0 and level is not None:
            held.level = level.holder = None
            level.lock.release()


def _taken(level: _Level) -> bool:
    """Whether a lock could be had, before the thread that holds it turned out to be waiting."""
    if level.lock.acquire(timeout=_A_WHILE):
        return True
    place, since = _place(level.holder), time.monotonic()
    while not level.lock.acquire(timeout=_A_WHILE):
        now, moment = _place(level.holder), time.monotonic()
        if now != place:
            place, since = now, moment
        elif now is not None:
            if moment - since > (_WAITING if now[1] == threading.__file__ else _STUCK):
                return False
    return True


def _place(thread: int | None) -> tuple[Any, ...] | None:
    """Where a thread is just now, if it holds the lock still: equal while it stays there."""
    frame = None if thread is None else sys._current_frames().get(thread)
    if frame is None:
        return None
    return (thread, frame.f_code.co_filename, id(frame), frame.f_lasti)
