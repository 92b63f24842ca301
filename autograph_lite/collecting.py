"""No collections of garbage while a function is converted, or its graph made ready to run.

Either makes tens of thousands of small objects and drops nearly all of them at its end, where
counting references suffices; neither runs any of the user's code. The collector would look at all
of them, time and again, for nothing.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["collections_paused"]

_lock = threading.Lock()
_users = 0
_was_enabled = False


@contextmanager
def collections_paused() -> Iterator[None]:
    """Within the block, in whatever thread, the collector of garbage does not start by itself.

    Example:
      >>> import gc
      >>> with collections_paused():
      ...     gc.isenabled()
      False
      >>> gc.isenabled()
      True
    """
    global _users, _was_enabled
    with _lock:
        if _users == 0:
            _was_enabled = gc.isenabled()
            gc.disable()
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0 and _was_enabled:
                gc.enable()
