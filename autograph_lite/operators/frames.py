"""Functions that look at the stack, called from converted code.

A function of the user may run in several frames: its own, and those of the fragments in it, with
frames of the library in between. What counts frames (`sys._getframe(2)`, `stacklevel=3`) has to
count functions.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

from autograph_lite.errors import FRAGMENT_MARK, is_fragment_of
from autograph_lite.operators.calls import converted
from autograph_lite.stepping import default_breakpoint, hide_library, set_trace
from runtime.locations import is_library_file

__all__ = ["looking_back"]


def looking_back(f: Any, variables: Any = None) -> Any:
    """What a call in converted code really calls, if by its name it may look at the stack.

    Args:
      f: what the user's code calls.
      variables: something that mentions the variables which a debugger shall be able to show;
        having been mentioned is all that is asked of them.

    Returns:
      A function that sees the stack as it would be without conversion; or what `converted` says.

    Example:
      >>> looking_back(sys._getframe)(0).f_code.co_name
      '<module>'
    """
    if f is breakpoint:
        return default_breakpoint()
    counterpart = _COUNTERPARTS.get(getattr(f, "__name__", ""))
    if counterpart is not None:
        module, replacement = counterpart
        if f is getattr(sys.modules.get(module), f.__name__, None):
            return replacement
    return converted(f)


def functions_on_stack(frame: FrameType | None) -> Iterator[FrameType]:
    """The user's functions that are running, innermost first: for each, its innermost frame."""
    while frame is not None:
        if not is_library_file(frame.f_code.co_filename):
            yield frame
            frame = _outermost(frame)
        frame = frame.f_back


def _outermost(frame: FrameType) -> FrameType:
    """The frame of the function that a fragment is a part of."""
    while FRAGMENT_MARK in frame.f_code.co_varnames:
        parent = frame.f_back
        while parent is not None and not is_fragment_of(frame.f_code, parent.f_code):
            parent = parent.f_back
        if parent is None:
            break
        frame = parent
    return frame


def _getframe(depth: int = 0, /) -> FrameType:
    for place, frame in enumerate(functions_on_stack(sys._getframe(1))):
        if place >= depth:
            return frame
    raise ValueError("call stack is not deep enough")


def _getframemodulename(depth: int = 0) -> Any:
    try:
        return _getframe(depth).f_globals.get("__name__")
    except ValueError:
        return None


def _warn(
    message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **options: Any
) -> None:
    import warnings

    warnings.warn(message, category, _raw_level(stacklevel), source, **options)


def _raw_level(stacklevel: int) -> int:
    """Which level, counted from `_warn`, is the user's level?"""
    visible = (f for f in functions_on_stack(sys._getframe(2)) if not _is_import(f))
    target = None
    for level, frame in enumerate(visible, 1):
        if level >= stacklevel:
            target = frame
            break
    raw = 1
    current: FrameType | None = sys._getframe(1)
    while current is not None and current is not target:
        # `warn` does not count the frames of the import system either.
        raw += not _is_import(current)
        current = current.f_back
    return raw


def _is_import(frame: FrameType) -> bool:
    filename = frame.f_code.co_filename
    return "importlib" in filename and "_bootstrap" in filename


def _stack(context: int = 1) -> list[Any]:
    import inspect

    out = []
    for frame in functions_on_stack(sys._getframe(1)):
        info = inspect.getframeinfo(frame, context)
        entry = inspect.FrameInfo(frame, *info)
        if sys.version_info >= (3, 11):
            entry.positions = info.positions
        out.append(entry)
    return out


# name -> the module whose function of that name is meant, and what takes its place
_COUNTERPARTS: dict[str, tuple[str, Callable[..., Any]]] = {
    "_getframe": ("sys", _getframe),
    "_getframemodulename": ("sys", _getframemodulename),
    "warn": ("warnings", _warn),
    "stack": ("inspect", _stack),
    "set_trace": ("pdb", set_trace),
}

# A program that is run by a debugger (`python -m pdb`) is traced when it imports the library.
hide_library()
