"""The library's exceptions, and what tracebacks show of the library: nothing, unless asked."""

from __future__ import annotations

import os
import sys
import types
from collections.abc import Iterator
from typing import Any

__all__ = [
    "AutographError",
    "ConversionError",
    "NoSourceError",
    "StagingError",
    "clean_traceback",
    "is_fragment_of",
    "tidy_traceback",
]

# A local variable of this name, never bound, marks the code objects that are parts of a user's
# function (see `conversion/load.py`).
FRAGMENT_MARK = "ag__fragment"


class AutographError(Exception):
    """Base of the errors that are the library's own, not the user's program's."""


class ConversionError(AutographError):
    """A function cannot be converted."""


class NoSourceError(ConversionError):
    """The source of a function is not to be had.

    Attributes:
      reason: why not, as a clause (`it was typed at a prompt that keeps no text`).
      mend: what to do about it, as a clause in the imperative.
    """

    def __init__(self, reason: str, mend: str) -> None:
        super().__init__(f"{reason}; {mend}")
        self.reason = reason
        self.mend = mend


class StagingError(AutographError):
    """A construct met a tensor that cannot be staged in it."""


# Files whose functions the library calls on its way; their frames are dropped where it does.
_HELPERS = ("contextlib.py", "functools.py", "threading.py")


def clean_traceback(error: BaseException) -> BaseException:
    """Drops the library's own frames from the traceback of an exception, and of its causes.

    What a converted function shows is then what the function itself would show: a part of it that
    runs as a function of its own (the body of an `if`) stands in the place of the whole. With the
    environment variable `AUTOGRAPH_LITE_FULL_TRACEBACK=1`, everything stays.

    Call it where the user enters the library, and go on with a bare `raise`, which adds no frame:

        try:
            return run(*args)
        except BaseException as error:
            clean_traceback(error)
            raise

    Args:
      error: the exception. Only its traceback is changed.

    Returns:
      The same exception.
    """
    if not _wants_everything():
        for related in _related(error):
            related.__traceback__ = _cleaned(related.__traceback__)
    return error


def tidy_traceback() -> None:
    """Drops the library's frames that the exception being handled came through last.

    A converted function calls it while an exception leaves it. What the exception came through
    before has been tidied by the functions further inside.
    """
    error = sys.exc_info()[1]
    entry = None if error is None else error.__traceback__
    if error is None or entry is None or _wants_everything():
        return
    first = own = entry
    following = _passed_over(own.tb_next)
    while following is not own.tb_next:
        # Frames of the library were in between.
        if following is None or not is_fragment_of(following.tb_frame.f_code, own.tb_frame.f_code):
            own.tb_next = following
            break
        own = following
        following = _passed_over(own.tb_next)
    error.__traceback__ = own
    if own is not first and sys.version_info < (3, 11):
        first.tb_next = own  # a bare `raise` goes on with the first entry


def _passed_over(entry: types.TracebackType | None) -> types.TracebackType | None:
    """The first entry that is not the library's."""
    from runtime.locations import is_library_file

    start = entry
    while entry is not None:
        code = entry.tb_frame.f_code
        if not (is_library_file(code.co_filename) or (entry is not start and _is_helper(code))):
            break
        entry = entry.tb_next
    return entry


def _wants_everything() -> bool:
    return os.environ.get("AUTOGRAPH_LITE_FULL_TRACEBACK", "0") not in ("", "0")


def _related(error: BaseException) -> Iterator[BaseException]:
    """An exception, its causes and contexts, and the members of groups; each once."""
    seen: set[int] = set()
    stack: list[BaseException | None] = [error]
    while stack:
        current = stack.pop()
        if current is None or id(current) in seen:
            continue
        seen.add(id(current))
        yield current
        stack += [current.__cause__, current.__context__]
        members = getattr(current, "exceptions", ())
        if isinstance(members, tuple):
            stack += [member for member in members if isinstance(member, BaseException)]


def _cleaned(traceback: types.TracebackType | None) -> types.TracebackType | None:
    from runtime.locations import is_library_file

    kept: list[types.TracebackType] = []
    in_library = False
    for entry in _entries(traceback):
        code = entry.tb_frame.f_code
        if is_library_file(code.co_filename):
            in_library = True
            continue
        if in_library and _is_helper(code):
            continue
        if in_library and kept and is_fragment_of(code, kept[-1].tb_frame.f_code):
            kept.pop()
        kept.append(entry)
        in_library = False
    cleaned: types.TracebackType | None = None
    for entry in reversed(kept):
        cleaned = types.TracebackType(cleaned, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    if sys.version_info < (3, 11) and traceback is not None and cleaned is not None:
        # A bare `raise` goes on with the entry it had, whatever the exception says.
        if is_library_file(traceback.tb_frame.f_code.co_filename):
            traceback.tb_next = cleaned
    return cleaned


def _entries(traceback: types.TracebackType | None) -> Iterator[types.TracebackType]:
    while traceback is not None:
        yield traceback
        traceback = traceback.tb_next


def _is_helper(code: types.CodeType) -> bool:
    """Whether code that the library called is there to help the library."""
    if FRAGMENT_MARK in code.co_varnames or "ag__" in code.co_freevars:
        return False  # it is converted, so it is the user's, wherever it stands
    name = code.co_filename.replace(os.sep, "/")
    return name.endswith(_HELPERS) or "/site-packages/numpy/" in name


def is_fragment_of(code: types.CodeType, parent: types.CodeType) -> bool:
    """Whether `code` is a part of the function that `parent`, or the part `parent`, belongs to."""
    return (
        FRAGMENT_MARK in code.co_varnames
        and code.co_name == parent.co_name
        and code.co_filename == parent.co_filename
    )


def __getattr__(name: str) -> Any:
    # As `ag.errors` the module has the errors of operations, too.
    import runtime.errors

    return getattr(runtime.errors, name)
