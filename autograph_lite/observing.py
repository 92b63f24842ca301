"""Calls made by converted code while tracing: shown to the watch, or turned into recursive calls."""

from __future__ import annotations

import functools
import types
from typing import Any

from autograph_lite.code_reads import parameter_names
from autograph_lite.operators.calls import call_method, set_watcher
from autograph_lite.paths import Root
from autograph_lite.recursion import is_under_condition
from autograph_lite.watch import Watch, current_watches


def observe_call(called: Any, converted: Any) -> Any:
    """Shows the current watch what converted code is about to call.

    Args:
      called: what the user's code calls.
      converted: its converted form.

    Returns:
      What to call: the converted form; or, where a function calls itself under a condition that is
      a tensor, what makes a recursive graph of it.
    """
    watches = current_watches()
    if not watches:
        return converted
    function, owner = _plain(called)
    if function is None:
        return converted
    if watches[-1].calls_again(function) and is_under_condition(_code(converted)):
        return _recursing(watches[0], called, function)
    roots: dict[str, Root] = {}
    names = parameter_names(function.__code__)
    if owner is not None and names:
        roots[names[0]] = Root.at_object(owner, _named(owner))
    watches[-1].observe(function, roots)
    return converted


def _plain(called: Any) -> tuple[types.FunctionType | None, Any]:
    """The Python function that a call runs, and the object that it is bound to, if any."""
    owner: Any = None
    while type(called) is functools.partial:
        called = called.func
    if type(called) is types.MethodType:
        called, owner = called.__func__, called.__self__
    if type(called) is types.FunctionType:
        return called, owner
    method = call_method(type(called))
    return method, None if method is None else called


def _code(converted: Any) -> types.CodeType | None:
    """The code that runs when a converted function, method or partial is called."""
    while type(converted) is functools.partial:
        converted = converted.func
    return getattr(getattr(converted, "__func__", converted), "__code__", None)


def _named(owner: Any) -> str:
    name = getattr(owner, "__qualname__", None)
    return name if isinstance(name, str) else type(owner).__name__.lower()


def _recursing(outermost: Watch, called: Any, function: types.FunctionType) -> Any:
    """A function that calls `called` as a traced function, so that it can become recursive.

    Args:
      outermost: the watch of the outermost trace, during which it is the same traced function.
      called: what the user's code calls.
      function: the Python function in it.
    """
    from autograph_lite.function import Function

    helper = outermost.helpers.get(id(function))
    if helper is None:
        helper = outermost.helpers[id(function)] = Function(function)
        helper.keep_numbers = True
    front: tuple[Any, ...] = ()
    keywords: dict[str, Any] = {}
    while type(called) is functools.partial:
        front, keywords = (*called.args, *front), {**called.keywords, **keywords}
        called = called.func
    if type(called) is not types.FunctionType:
        front = (getattr(called, "__self__", called), *front)
    if not front and not keywords:
        return helper
    return functools.partial(helper, *front, **keywords)


set_watcher(observe_call)
