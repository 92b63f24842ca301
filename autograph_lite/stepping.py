"""Keeps Python's debugger out of the library.

Converted code calls the library for every branch and loop. Someone who steps through their own
function should not have to step through ours; so a running `pdb` (or whatever else is built on
`bdb`) is told to pass over frames of the library, and of what the library calls on its way.
"""

from __future__ import annotations

import functools
import os
import sys
from types import FrameType
from typing import Any

from runtime.locations import is_library_file

__all__ = ["default_breakpoint", "hide_library", "set_trace"]

_STANDARD_LIBRARY = (os.path.dirname(os.__file__) + os.sep, "<frozen ")
_INSTALLED = f"{os.sep}site-packages{os.sep}"


def hide_library() -> None:
    """Hides the library from the debugger that is tracing this thread, if one is."""
    tracer = sys.gettrace()
    if tracer is not None:
        debugger = getattr(tracer, "__self__", None)
        bdb: Any = sys.modules.get("bdb")
        if bdb is not None and isinstance(debugger, bdb.Bdb):
            _hide_from(debugger)


def _hide_from(debugger: Any) -> None:
    if "stop_here" not in vars(debugger):
        debugger.stop_here = functools.partial(_stop_here, debugger.stop_here)


def _stop_here(original: Any, frame: FrameType) -> bool:
    return not _within_library(frame) and original(frame)


def _within_library(frame: FrameType) -> bool:
    """Whether a frame is the library's, or belongs to modules that the library called."""
    current: FrameType | None = frame
    while current is not None:
        filename = current.f_code.co_filename
        if is_library_file(filename) or _is_generated(current):
            return True
        if not (filename.startswith(_STANDARD_LIBRARY) or _INSTALLED in filename):
            # Named tuples are made of text by the standard library.
            if not str(current.f_globals.get("__name__")).startswith("namedtuple_"):
                return False
        current = current.f_back
    return False


def _is_generated(frame: FrameType) -> bool:
    """Whether a frame runs code that the library made of text, a dataclass's methods say."""
    module = frame.f_globals.get("__name__")
    return (
        frame.f_code.co_filename.startswith("<")
        and isinstance(module, str)
        and module.partition(".")[0] in ("autograph_lite", "runtime")
    )


def set_trace(*, header: str | None = None) -> None:
    """`pdb.set_trace`, for converted code: the library is hidden from the start."""
    import pdb

    debugger = pdb.Pdb()
    _hide_from(debugger)
    if header is not None:
        debugger.message(header)
    debugger.set_trace(sys._getframe(1))


def default_breakpoint() -> Any:
    """What `breakpoint()` in converted code calls: `set_trace`, unless the user wants another."""
    wanted = os.environ.get("PYTHONBREAKPOINT", "")
    if sys.breakpointhook is sys.__breakpointhook__ and wanted in ("", "pdb.set_trace"):
        return set_trace
    return breakpoint
