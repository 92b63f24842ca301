"""Calls of functions: which are converted, and which run as they are."""

from __future__ import annotations

import functools
import os
import sys
import sysconfig
import types
from collections.abc import Callable
from typing import Any, TypeVar

from autograph_lite.errors import ConversionError, NoSourceError
from autograph_lite.operators.dispatch import staging_active

__all__ = ["converted", "do_not_convert", "forced"]

F = TypeVar("F")

_MARK = "__ag_do_not_convert__"
# exceptiongroup puts itself into the traceback module of Python 3.10.
_ALLOWED = frozenset(
    "autograph_lite runtime numpy scipy gast astunparse pytest _pytest exceptiongroup".split()
)
_STANDARD_LIBRARY = sys.stdlib_module_names
_STANDARD_PATHS = tuple(
    os.path.normcase(path) + os.sep
    for path in {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
)
_SUSPENDING = 0x20 | 0x80 | 0x200  # CO_GENERATOR, CO_COROUTINE, CO_ASYNC_GENERATOR


def converted(f: Any) -> Any:
    """What a call in converted code really calls.

    Converted code calls converted code while a graph is traced. With no graph, Python itself is
    what is wanted.

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
    from autograph_lite.staging import library, special

    if isinstance(f, type):
        special.meet(f)
    elif type(f) is types.MethodType:
        special.meet(type(f.__self__))
    found = convert_callable(f)

    if found is not f and not isinstance(f, type):
        return library.adopting(found if _watcher is None else _watcher(f, found))
    if _watcher is not None and found is f and isinstance(f, _PYTHON_CODE):
        seen = _watcher(f, f)
        if seen is not f:
            return library.adopting(seen)
    if is_users_generator(f):
        return inverted_generator(f)
    return library.dispatching(f, found)


def _pipeline() -> Any:
    # Not before it is needed: parsers are half of what importing the library would cost.
    from autograph_lite.conversion import pipeline

    return pipeline


_PYTHON_CODE = (types.FunctionType, types.MethodType, functools.partial)
_watcher: Callable[[Any, Any], Any] | None = None


def set_watcher(watcher: Callable[[Any, Any], Any]) -> None:
    """Has every call of converted code shown to `watcher`, while a graph is traced.

    Args:
      watcher: `watcher(f, converted)` gives what is called in the place of `converted`.
    """
    global _watcher
    _watcher = watcher


def convert_callable(f: Any) -> Any:
    """The converted form of whatever can be called; itself, if it is nothing that is converted."""
    kind = type(f)
    if kind is types.FunctionType:
        return _function(f) if _is_wanted(f) else f
    if kind is types.MethodType:
        function = convert_callable(f.__func__)
        return f if function is f.__func__ else types.MethodType(function, f.__self__)
    if kind is functools.partial:
        function = convert_callable(f.func)
        if isinstance(f.func, types.BuiltinFunctionType):
            from autograph_lite.staging import library

            function = library.dispatching(f.func, function)
        return f if function is f.func else _partial(f, function)
    if isinstance(f, type):
        return _constructor(f)
    method = call_method(kind)
    if method is not None and _is_wanted(method):
        return types.MethodType(_function(method), f)
    return f


def converted_anyway(f: Any) -> Any:
    """The converted form of a function of the library's own."""
    return _function(f)


def call_method(kind: type) -> types.FunctionType | None:
    """What is called when an object of a class is called, if that is a Python function."""
    for cls in kind.__mro__:
        if "__call__" in vars(cls):
            method = vars(cls)["__call__"]
            return method if isinstance(method, types.FunctionType) else None
    return None


def _partial(f: Any, function: Any) -> Any:
    new = functools.partial(function, *f.args, **f.keywords)
    new.__dict__.update(f.__dict__)
    return new


def is_users_generator(f: Any) -> bool:
    """Whether `f` is a generator function (or method) of the user's."""
    function = getattr(f, "__func__", f)
    if type(function) is not types.FunctionType or not _pipeline().is_generator(function.__code__):
        return False
    module, filename = function.__globals__.get("__name__"), function.__code__.co_filename
    return not is_library_module(module, filename) and not is_marked(function)


def inverted_generator(f: Any) -> Any:
    """A generator function whose generators can be gone over by staged loops."""
    from autograph_lite import operators
    from autograph_lite.staging.generators import StagedGenerator

    function = getattr(f, "__func__", f)
    try:
        inverted = _pipeline().convert(function, operators, staging=True)
    except ConversionError:
        return f
    bound = (f.__self__,) if function is not f else ()

    def make(*args: Any, **keywords: Any) -> Any:
        return StagedGenerator(function, inverted, (*bound, *args), keywords)

    return make


def inverted_manager(f: Any) -> Any:
    """A generator function under `contextlib.contextmanager`, turned inside out.

    Returns:
      A function whose first parameter is what runs in the place of the `yield`; or None, if `f` is
      not the user's, or cannot be turned.
    """
    from autograph_lite import operators

    if not is_users_generator(f):
        return None
    if _watcher is not None:
        _watcher(f, f)
    try:
        return _pipeline().convert(f, operators, staging=True, managing=True)
    except ConversionError:
        return None


def is_users_own(f: Any) -> bool:
    """Whether a function is one of the user's, and is converted or can be."""
    if not isinstance(f, types.FunctionType):
        return False
    return is_converted(f.__code__) or _is_wanted(f)


def is_converted(code: types.CodeType) -> bool:
    """Whether code is of a converted function, or nested in one."""
    return bool(_pipeline().is_converted(code))


def _born() -> Callable[[Any], None]:
    from autograph_lite.staging.scopes import born

    return born


def _constructor(cls: Any) -> Any:
    """A class whose `__init__` is the user's: as `type.__call__`, but with `__init__` converted."""
    init = cls.__init__
    if (
        type(cls).__call__ is not type.__call__
        or type(init) is not types.FunctionType
        or not _is_wanted(init)
        or init.__code__.co_filename.startswith("<")  # a dataclass's, say: generated, no branches
    ):
        return cls

    def construct(*args: Any, **keywords: Any) -> Any:
        made = cls.__new__(cls, *args, **keywords)
        _born()(made)
        if isinstance(made, cls):
            made_init = type(made).__init__
            if made_init is init:
                _function(init)(made, *args, **keywords)
            else:
                made.__init__(*args, **keywords)
        return made

    return construct


def _is_wanted(f: types.FunctionType) -> bool:
    """Whether a function is one of the user's, and can be converted."""
    code = f.__code__
    if code.co_flags & _SUSPENDING or _pipeline().is_converted(code):
        return False
    module = f.__globals__.get("__name__")
    return not is_library_module(module, code.co_filename) and not is_marked(f)


def is_library_module(module: Any, filename: str) -> bool:
    """Whether the functions of a module run as they are.

    Example:
      >>> is_library_module('numpy.linalg', ''), is_library_module('my_model', '')
      (True, False)
    """
    if not isinstance(module, str):
        return False
    package = module.partition(".")[0]
    if package in _ALLOWED:
        return True
    # A user's file may well be called like a module of the standard library.
    return package in _STANDARD_LIBRARY and (
        filename.startswith("<") or os.path.normcase(filename).startswith(_STANDARD_PATHS)
    )


def _function(f: types.FunctionType) -> types.FunctionType:
    """The converted form of a function, or the function itself if it has no source."""
    from autograph_lite import operators

    try:
        return _pipeline().convert(f, operators, staging=True)
    except ConversionError as error:
        _warn_once(f, error)
        return f


_warned: set[tuple[str, int, str]] = set()


def _warn_once(f: types.FunctionType, error: ConversionError) -> None:
    code = f.__code__
    key = (code.co_filename, code.co_firstlineno, code.co_name)
    if key in _warned:
        return
    _warned.add(key)
    import warnings

    mend = f"{error.mend}, or" if isinstance(error, NoSourceError) else "rewrite it, or"
    reason = error.reason if isinstance(error, NoSourceError) else str(error)
    warnings.warn(
        f"{f.__qualname__} ({code.co_filename}:{code.co_firstlineno}) is called as it is, without "
        f"conversion, so tensors cannot decide its branches and loops: {reason}. {mend} mark it "
        "with @autograph_lite.autograph.do_not_convert to silence this",
        stacklevel=4,
    )


def do_not_convert(f: F) -> F:
    """Marks a function: converted code calls it as it is.

    Example:
      >>> @do_not_convert
      ... def f(x):
      ...     return x if x else 0
      >>> is_marked(f)
      True
    """
    marked: Any = f.__func__ if isinstance(f, staticmethod | classmethod | types.MethodType) else f
    # `functools.wraps` copies attributes: the mark says whom it means.
    setattr(marked, _MARK, getattr(marked, "__code__", marked))
    return f


def is_marked(f: Any) -> bool:
    """Whether `do_not_convert` was asked for this function."""
    mark = getattr(f, _MARK, None)
    return mark is not None and mark is getattr(f, "__code__", f)


def forced(f: Any) -> Any:
    """The converted form of something that the user wants converted.

    Args:
      f: a function, method, partial, callable object or class.

    Raises:
      ConversionError: it cannot be converted, because it is a generator or a coroutine, or is not
        made of Python code.
      NoSourceError: its source is not to be had.
    """
    from autograph_lite import operators

    if isinstance(f, types.FunctionType):
        return _pipeline().convert(f, operators)
    if isinstance(f, types.MethodType):
        return types.MethodType(forced(f.__func__), f.__self__)
    if isinstance(f, staticmethod | classmethod):
        return type(f)(forced(f.__func__))
    if type(f) is functools.partial:
        return _partial(f, forced(f.func))
    if isinstance(f, type):
        return _constructor(f)
    method = call_method(type(f))
    if method is not None:
        if is_library_module(method.__globals__.get("__name__"), method.__code__.co_filename):
            return f
        return types.MethodType(forced(method), f)
    raise ConversionError(
        f"{f!r} has no Python code to convert; give the Python function that calls it"
    )
