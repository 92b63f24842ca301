"""Room for trees that are deeper than Python's stack usually is.

A chain of some hundred `elif`s is a tree of some hundred levels, and a walk over a tree takes a few
frames for each.
"""

from __future__ import annotations

import functools
import sys
import threading
from collections.abc import Callable
from typing import ParamSpec, TypeVar

__all__ = ["make_room", "walks_deep"]

P = ParamSpec("P")
R = TypeVar("R")

# Before Python 3.11, each frame of Python also took a part of the C stack.
_ROOM = 30_000 if sys.version_info >= (3, 11) else 9_000
_lock = threading.Lock()
_users = 0
_usual = 0


def walks_deep(fn: Callable[P, R]) -> Callable[P, R]:
    """Gives a function that walks over trees a higher limit of recursion while it runs.

    Example:
      >>> @walks_deep
      ... def limit():
      ...     return sys.getrecursionlimit()
      >>> before = sys.getrecursionlimit()
      >>> limit() >= before, sys.getrecursionlimit() == before
      (True, True)
    """

    @functools.wraps(fn)
    def inner(*args: P.args, **kwargs: P.kwargs) -> R:
        _enter()
        try:
            return fn(*args, **kwargs)
        finally:
            _leave()

    return inner


def _enter() -> None:
    global _users, _usual
    with _lock:
        if _users == 0:
            _usual = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_usual, _ROOM))
        _users += 1


def _leave() -> None:
    global _users
    with _lock:
        _users -= 1
        if _users == 0 and sys.getrecursionlimit() == max(_usual, _ROOM):
            sys.setrecursionlimit(_usual)


# A function whose branch calls it again takes a frame for itself, the operator and the branch.
_FRAMES = 3
_made_room = False


def make_room() -> None:
    """Raises the limit of recursion, once, so that converted functions go as deep as before.

    Example:
      >>> make_room()
    """
    global _made_room, _usual
    with _lock:
        if _made_room:
            return
        _made_room = True
        if _users:
            _usual *= _FRAMES
        else:
            sys.setrecursionlimit(_FRAMES * sys.getrecursionlimit())
