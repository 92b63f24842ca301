"""Calls of functions: which are converted, and which run as they are."""

from __future__ import annotations

import functools
import sys
import types
from typing import Any

from autograph_lite.conversion import pipeline
from autograph_lite.errors import ConversionError
from autograph_lite.operators.dispatch import staging_active

__all__ = ["converted", "convert_function", "do_not_convert", "is_allowed"]

DO_NOT_CONVERT = "__ag_do_not_convert__"
_LIBRARIES = {
    "autograph_lite",
    "runtime",
    "numpy",
    "scipy",
    "gast",
    "astunparse",
    "_pytest",
    "pytest",
}
_ALLOWED = frozenset(_LIBRARIES | set(sys.stdlib_module_names) - {"__main__", "this"})
_SUSPENDING = 0x20 | 0x80 | 0x200


def converted(f: Any) -> Any:
    """What a call in converted code really calls.

    Args:
      f: what the user's code calls.

    Returns:
      The converted form of `f`; or `f`, if it is nothing that is converted.

    Example:
      >>> converted(len) is len
      True
    """
    if not staging_active():
        return f
    return convert_callable(f)


def convert_callable(f: Any) -> Any:
    """The converted form of whatever can be called."""
    kind = type(f)
    if kind is types.FunctionType:
        return convert_function(f) if is_wanted(f) else f
    if kind is types.MethodType:
        function = convert_callable(f.__func__)
        return f if function is f.__func__ else types.MethodType(function, f.__self__)
    if kind is functools.partial:
        function = convert_callable(f.func)
        if function is f.func:
            return f
        return functools.partial(function, *f.args, **f.keywords)
    return f


def is_wanted(f: types.FunctionType) -> bool:
    """Whether a function is one of the user's, and can be converted."""
    if f.__code__.co_flags & _SUSPENDING or pipeline.is_converted(f.__code__):
        return False
    return not is_allowed(f.__globals__.get("__name__")) and not hasattr(f, DO_NOT_CONVERT)


def is_allowed(module: Any) -> bool:
    """Whether the functions of a module run as they are.

    Example:
      >>> is_allowed('numpy.linalg'), is_allowed('my_model')
      (True, False)
    """
    return isinstance(module, str) and module.partition(".")[0] in _ALLOWED


def convert_function(f: types.FunctionType) -> types.FunctionType:
    """The converted form of a function, or the function itself if there is no source."""
    from autograph_lite import operators

    try:
        return pipeline.convert(f, operators)
    except ConversionError:
        return f


def do_not_convert(f: Any) -> Any:
    """Marks a function: converted code calls it as it is."""
    setattr(f, DO_NOT_CONVERT, True)
    return f
