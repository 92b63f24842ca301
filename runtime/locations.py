"""Where in the user's program an operation was asked for."""

from __future__ import annotations

import os
import sys
from types import CodeType, FrameType
from typing import Any, NamedTuple

_library_folders: tuple[str, ...] = (os.path.dirname(os.path.abspath(__file__)) + os.sep,)
_is_library: dict[str, bool] = {}


class Location(NamedTuple):
    """A place in the user's program."""

    filename: str
    line: int
    function: str

    def __str__(self) -> str:
        return f"{self.filename}:{self.line}"


NOWHERE = Location("<unknown>", 0, "<unknown>")


def register_library(folder: str) -> None:
    """Makes the code below `folder` part of the library: it is passed over when locating users.

    Args:
      folder: a directory of Python files.
    """
    global _library_folders
    _library_folders += (os.path.abspath(folder) + os.sep,)
    _is_library.clear()


def is_library_file(filename: str) -> bool:
    """Whether `filename` holds code of the library rather than of its user."""
    known = _is_library.get(filename)
    if known is None:
        known = filename.startswith(_library_folders) or filename.startswith("<plan of ")
        _is_library[filename] = known
    return known


def user_frame(start: int = 1) -> FrameType | None:
    """The innermost frame that runs the user's own code, or None."""
    frame: FrameType | None = sys._getframe(start)
    known = _is_library
    while frame is not None:
        filename = frame.f_code.co_filename
        inside = known.get(filename)
        if inside is None:
            inside = is_library_file(filename)
        if not inside:
            return frame
        frame = frame.f_back
    return None


def user_location() -> Location:
    """The user's file, line and function that led here."""
    frame = user_frame(2)
    if frame is None:
        return NOWHERE
    code = frame.f_code
    return Location(code.co_filename, frame.f_lineno, code.co_name)


def raise_at(error: BaseException, location: Location) -> Any:
    """Raises `error` so that its traceback ends at `location` in the user's own file.

    An operation of a graph fails long after the user's line has run. A one-line code object that
    bears the user's file, line and function raises in its stead, so tracebacks and debuggers show
    where the operation came from.
    """
    # So that a plan leaves it as it is.
    error._located = True  # type: ignore[attr-defined]
    if location is NOWHERE:
        raise error
    exec(_raiser(location), {"error": error})
    raise AssertionError("unreachable")


def _raiser(location: Location) -> CodeType:
    source = "\n" * (location.line - 1) + "raise error"
    changes: dict[str, Any] = {"co_name": location.function}
    if sys.version_info >= (3, 11):
        changes["co_qualname"] = location.function
    return compile(source, location.filename, "exec", dont_inherit=True).replace(**changes)
