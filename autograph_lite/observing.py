"""Calls made by converted code while tracing: shown to the watch, or made recursive."""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from autograph_lite.code_reads import FREE, PARAMETER, code_reads, parameter_names
from autograph_lite.guards import is_value
from autograph_lite.operators.calls import (
    call_method,
    is_converted,
    is_library_module,
    set_watcher,
)
from autograph_lite.paths import Root
from autograph_lite.recursion import is_under_condition, refuse_endless
from autograph_lite.staging import scopes
from autograph_lite.staging.later_reads import shared_with, user_frames
from autograph_lite.watch import Watch
from autograph_lite.watching import current_watches
from runtime.tensor import Tensor, set_converted_code
from runtime.variables import Variable


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
    if is_converted(function.__code__):
        _adopt_variables(function)
    if called is converted:
        if _calls_itself(watches[-1], function):
            if not code_reads(function.__code__).stored:
                return _recursing_on_tensors(watches, called, function, owner)
            # Each call must see what the one before has bound, so it is called as it is.
            refuse_endless(function.__code__, function.__name__)
        _observe_unconverted(watches[-1], function, owner)
        return converted
    if watches[-1].calls_again(function) and is_under_condition(_code(converted)):
        return _recursing(watches[0], called, function)
    names = parameter_names(function.__code__)
    read = {c.name for c in code_reads(function.__code__).chains if c.kind == PARAMETER and c.steps}
    if owner is not None and names:
        read.discard(names[0])
    if read and type(called) is not functools.partial:
        return _looking_at_arguments(converted, function, owner, watches[-1])
    watches[-1].observe(function, _roots(names, () if owner is None else (owner,)))
    return converted


def _calls_itself(watch: Watch, function: types.FunctionType) -> bool:
    """Whether a function nested in a converted one calls itself where a tensor decides."""
    code = function.__code__
    return is_converted(code) and watch.calls_again(function) and is_under_condition(code)


def _recursing_on_tensors(
    watches: tuple[Watch, ...], called: Any, function: types.FunctionType, owner: Any
) -> Any:
    """What calls a nested function as a recursive graph, if it is handed nothing but tensors.

    With Python values among its arguments it may well come to an end while it is traced.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        given = [*args, *kwargs.values()]
        if given and all(isinstance(value, Tensor) for value in given):
            return _recursing(watches[0], called, function)(*args, **kwargs)
        refuse_endless(function.__code__, function.__name__)
        _observe_unconverted(watches[-1], function, owner)
        return called(*args, **kwargs)

    return call


def _adopt_variables(function: types.FunctionType) -> None:
    """Notes that variables belong to the trace: those that a function has from one that is over.

    As long as that one runs, its own branches and loops hand them on.
    """
    bound = [chain.name for chain in code_reads(function.__code__).stored if chain.kind == FREE]
    if not bound or not scopes.tracking():
        return
    held = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=False))
    codes = [frame.f_code for frame in user_frames()]
    for name in bound:
        if not any(name in shared_with(function.__code__, code) for code in codes):
            scopes.adopt(held[name])


def _observe_unconverted(watch: Watch, function: types.FunctionType, owner: Any) -> None:
    """A generator, or a function that is not to be converted: it reads all the same."""
    code = function.__code__
    if not is_library_module(function.__globals__.get("__name__"), code.co_filename):
        front = () if owner is None else (owner,)
        watch.observe(function, _roots(parameter_names(code), front))


def _looking_at_arguments(
    converted: Any, function: types.FunctionType, owner: Any, watch: Watch
) -> Any:
    """A function whose parameters' attributes are read: seen together with its arguments."""
    names = parameter_names(function.__code__)
    front = () if owner is None else (owner,)

    def call(*args: Any, **kwargs: Any) -> Any:
        watch.observe(function, _roots(names, (*front, *args), kwargs))
        return converted(*args, **kwargs)

    return call


def _roots(
    names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any] | None = None
) -> dict[str, Root]:
    """Where the objects that are handed to a function can be found again."""
    given = [*zip(names, args, strict=False), *(kwargs or {}).items()]
    return {
        name: Root.at_object(value, _named(value) if number == 0 else name)
        for number, (name, value) in enumerate(given)
        if not isinstance(value, _NO_OBJECTS) and not is_value(value)
    }


_NO_OBJECTS = (Tensor, Variable, np.ndarray, np.generic, list, dict, tuple, set)


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
set_converted_code(is_converted)
