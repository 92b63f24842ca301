"""`@ag.function`: a Python function is traced once per signature, and its graph runs instead."""

from __future__ import annotations

import functools
import sys
import types
import weakref
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, overload

from autograph_lite import config, errors, observing, retracing
from autograph_lite.arguments import Binder
from autograph_lite.bound import BoundFunction, Traceable
from autograph_lite.concrete import ConcreteFunction
from autograph_lite.conversion.depth import make_room
from autograph_lite.entries import MISS, make_entry
from autograph_lite.recursion import (
    ActiveTrace,
    active_trace,
    check_depth,
    entering,
    shapes_vary,
)
from autograph_lite.requests import Request, differing_in_shapes, name_of, relaxed
from autograph_lite.signatures import check_signature, fit
from autograph_lite.staging.array_stores import is_numpys
from autograph_lite.trace_cache import TraceCache
from autograph_lite.tracing import (
    creation_of_variables,
    output_tensor,
    tensor_only,
    trace,
    tracing_lock,
)
from runtime.context import shared, thread
from runtime.locations import user_location
from runtime.recursion import room_for_recursion

F = TypeVar("F", bound=Callable[..., Any])

_MOST_TRACES = 256
_FRAMES = 10_000 if sys.version_info >= (3, 11) else 5_000
"""Tracing runs several functions for one of the user's: so many calls within calls are allowed."""


class Function(Traceable):
    """A Python function that is traced into a graph at its first call with each new signature.

    Made by `ag.function`; see there.
    """

    keep_numbers = False
    """Whether Python numbers that it gives stay what they are."""

    def __init__(
        self,
        python_function: Callable[..., Any],
        input_signature: Sequence[Any] | None = None,
        autograph: bool = True,
        name: str | None = None,
        reduce_retracing: bool = False,
        max_traces: int = _MOST_TRACES,
    ) -> None:
        self._is_static = isinstance(python_function, staticmethod)
        self._is_class = isinstance(python_function, classmethod)
        if self._is_static or self._is_class:
            python_function = python_function.__func__  # type: ignore[attr-defined]
        if not callable(python_function):
            raise TypeError(f"{user_location()}: {python_function!r} cannot be called, nor traced")
        if max_traces < 1:
            raise ValueError(f"max_traces must be at least 1, found {max_traces}")
        self._python_function = python_function
        self._autograph = autograph
        self._name = name or name_of(python_function)
        self.input_signature = (
            None if input_signature is None else check_signature(input_signature, self._name)
        )
        self._reduce_retracing = reduce_retracing
        self._max_traces = max_traces
        self._function = self
        self._cache = TraceCache(max_traces)
        self._bound: dict[int, tuple[weakref.ref[Any], TraceCache]] = {}
        self._parts: dict[tuple[bool, ...], TraceCache] = {}
        self._known_binder: Binder | None = None
        functools.update_wrapper(self, python_function, updated=())

    @property
    def python_function(self) -> Callable[..., Any]:
        """The function as the user wrote it."""
        return self._python_function

    @property
    def name(self) -> str:
        """The function's name, as in graphs and plans."""
        return self._name

    @property
    def _binder(self) -> Binder:
        binder = self._known_binder
        if binder is None:
            binder = self._known_binder = Binder(self._python_function, self._name)
        return binder

    def __repr__(self) -> str:
        return f"<ag.function {self._name} with {len(self._cache)} traces>"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if self._is_class:
            return BoundFunction(self, owner)
        if instance is None or self._is_static:
            return self
        return BoundFunction(self, instance)

    def __copy__(self) -> Function:
        return self

    def __deepcopy__(self, memo: Any) -> Function:
        """Itself, as functions are; but a traced method follows its object."""
        if not isinstance(self._python_function, types.MethodType):
            return self
        import copy

        return Function(
            copy.deepcopy(self._python_function, memo),
            self.input_signature,
            self._autograph,
            self._name,
            self._reduce_retracing,
            self._max_traces,
        )

    def __reduce__(self) -> str:
        """Pickled by its name, as functions are."""
        return str(getattr(self, "__qualname__", self._name))

    def _cache_of(self, instance: Any) -> TraceCache:
        """The traces of this function on one object; they go when the object goes."""
        key = id(instance)
        known = self._bound.get(key)
        if known is not None and known[0]() is instance:
            return known[1]
        try:
            bound, me = self._bound, weakref.ref(instance, lambda _: self._bound.pop(key, None))
        except TypeError:
            # Without weak references nobody would say when it goes: its traces are bounded only.
            return self._cache
        with tracing_lock:
            known = bound.get(key)
            if known is None or known[0]() is not instance:
                known = bound[key] = (me, TraceCache(self._max_traces))
            return known[1]

    def _cache_of_part(self, call: Request) -> TraceCache:
        """The traces for calls that are handed arrays in the same places.

        To an array the function may do what its caller sees, `row += 1`, and not to a tensor.
        """
        arrays = tuple(map(is_numpys, call.leaves))
        with tracing_lock:
            return self._parts.setdefault(arrays, TraceCache(self._max_traces))

    # ---- calling

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph for these arguments, tracing it first if there is none yet."""
        try:
            if shared.busy == 0:
                for entry in self._cache.recent:
                    result = entry(args, kwargs)
                    if result is not MISS:
                        return result
            return self._call(self._cache, args, kwargs, 0)
        except Exception as error:
            if thread.graph is None:
                errors.clean_traceback(error)
            raise

    def _call(
        self, cache: TraceCache, args: tuple[Any, ...], kwargs: dict[str, Any], skip: int
    ) -> Any:
        """A call for which no entry was at hand."""
        plain = thread.graph is None and not thread.recorders
        if shared.busy:
            if config.functions_run_eagerly():
                return self._python_function(*args, **kwargs)
            for entry in cache.recent if plain else ():
                result = entry(args, kwargs)
                if result is not MISS:
                    return result
        call = self._prepare(args, kwargs, skip)
        if self.keep_numbers:
            cache = self._cache_of_part(call)
        concrete = cache.find(call.key, call.arguments)
        if concrete is None:
            active = active_trace(cache, call.key)
            if active is not None:
                return active.call(call.leaves)
            concrete = self._trace_for(cache, call)
        elif plain:
            self._add_entry(cache, concrete, call, args, kwargs)
        return concrete.call_with(call.given, call.leaves)

    def _add_entry(
        self,
        cache: TraceCache,
        concrete: ConcreteFunction,
        call: Request,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
    ) -> None:
        """Makes the next call like this one short."""
        form = (tuple(map(type, args)), tuple((k, type(v)) for k, v in kwargs.items()))
        entry = concrete.entries.get(form, MISS)
        if entry is MISS:
            own = call.raw_leaves is None or call.raw_leaves == len(call.leaves)
            made = None
            if own and not concrete.has_outer_captures:
                made = make_entry(concrete, self._binder, args, kwargs)
            entry = concrete.entries.setdefault(form, made)
        if entry is not None:
            cache.use(entry)

    def _prepare(self, args: tuple[Any, ...], kwargs: dict[str, Any], skip: int) -> Request:
        leaves: list[Any] = []
        arguments = self._binder.bind(args, kwargs)
        if self.input_signature is None:
            key = arguments.key(leaves)
            return Request(key, arguments, leaves, arguments, leaves, skip=skip)
        raw: list[Any] = []
        arguments.key(raw)
        if skip == 0 and self._binder.names[:1] in (("self",), ("cls",)):
            # A method, called on its class.
            skip = 1
        fitted = fit(self.input_signature, arguments, skip, self._name)
        key = fitted.arguments.key(leaves)
        values: list[Any] = []
        fitted.given.key(values)
        return Request(key, fitted.arguments, leaves, fitted.given, values, len(raw), skip)

    # ---- tracing

    def _trace_for(self, cache: TraceCache, call: Request) -> ConcreteFunction:
        make_room()
        with tracing_lock:
            concrete = cache.find(call.key, call.arguments)
            if concrete is not None:
                return concrete
            check_depth(cache, self._name)
            alike = shapes_vary(cache, call.key)
            if self._reduce_retracing and not alike:
                alike = differing_in_shapes(cache, call)
            if alike:
                call = relaxed(alike, call)
            with room_for_recursion(_FRAMES), entering(cache, call.key, self._name) as active:
                if self.keep_numbers:
                    active.is_part = True
                    active.arrays = list(map(is_numpys, call.leaves))
                concrete = self._trace_checking_variables(cache, call, active)
            cache.trace_count += 1
            retracing.remember(cache, self._name, call.key, call.arguments, concrete)
            # What depends on a trace further out is valid within that one only.
            if not concrete.has_outer_captures and active.needs == active.position:
                cache.add(call.key, concrete)
            return concrete

    def _trace_checking_variables(
        self, cache: TraceCache, call: Request, active: ActiveTrace
    ) -> ConcreteFunction:
        """Traces; if variables were made in the first trace, once more, without that liberty."""
        first = cache.trace_count == 0
        made: list[Any] = []

        def allow(variable: Any) -> None:
            if not first:
                raise ValueError(
                    f"{user_location()}: {self._name} makes an ag.Variable on a call that is not "
                    "its first; make variables once, outside of the function or under "
                    "`if not hasattr(...)`"
                )
            made.append(variable)

        with creation_of_variables(allow):
            concrete = self._trace(call, active)
            if made:
                cache.created_variables += made
                cache.trace_count += 1
                first = False
                concrete = self._trace(call, active)
        return concrete

    def _trace(self, call: Request, active: ActiveTrace) -> ConcreteFunction:
        function, run = self._python_function, self._converted()
        to_tensor = tensor_only if self.keep_numbers else output_tensor
        made = trace(self._name, function, run, call.arguments, call.specs, active, to_tensor)
        made.skip = call.skip
        return made

    def _converted(self) -> Callable[..., Any]:
        """What is called to trace."""
        function = self._python_function
        if isinstance(function, Traceable) or not self._autograph:
            return function
        from autograph_lite.operators.calls import convert_callable

        return convert_callable(function)  # type: ignore[no-any-return]


@overload
def function(func: F) -> Function: ...
@overload
def function(
    func: None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    **options: Any,
) -> Callable[[Callable[..., Any]], Function]: ...
@overload
def function(
    func: Callable[..., Any],
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    **options: Any,
) -> Function: ...
def function(  # type: ignore[misc]
    func: Callable[..., Any] | None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    jit_compile: bool | None = None,
    reduce_retracing: bool = False,
    experimental_implements: str | None = None,
    experimental_autograph_options: Any = None,
    experimental_attributes: Any = None,
    experimental_relax_shapes: bool | None = None,
    experimental_compile: bool | None = None,
    experimental_follow_type_hints: bool | None = None,
    *,
    max_traces: int = _MOST_TRACES,
    name: str | None = None,
) -> Any:
    """Makes a function that is traced into a graph, and runs the graph.

    The first call with each signature (dtypes and shapes of tensors, values of Python arguments)
    traces the function: its control flow over tensors becomes part of the graph, everything else
    runs as Python, once. Later calls only run the graph.

    Args:
      func: the function; without it, a decorator is returned.
      input_signature: a `TensorSpec` (or structure of them) per argument: then there is one trace
        for all arguments that fit, and others are refused.
      autograph: False traces the function without converting its control flow.
      jit_compile: accepted for TensorFlow's sake, as are the arguments called experimental.
      reduce_retracing: after a few calls whose tensors differ in shape only, the differing sizes
        are left open, and one trace serves them all.
      experimental_implements: accepted for TensorFlow's sake.
      experimental_autograph_options: accepted for TensorFlow's sake; every feature is on.
      experimental_attributes: accepted for TensorFlow's sake.
      experimental_relax_shapes: the old name of `reduce_retracing`.
      experimental_compile: accepted for TensorFlow's sake.
      experimental_follow_type_hints: accepted for TensorFlow's sake.
      max_traces: how many traces are kept; those used least recently are dropped.
      name: what to call the function in graphs, plans and messages.

    Raises:
      TypeError: `func` cannot be called, or the `input_signature` is none.

    >>> import autograph_lite as ag
    >>> @ag.function
    ... def collatz(n):
    ...     steps = 0
    ...     while n != 1:
    ...         if n % 2 == 0:
    ...             n = n // 2
    ...         else:
    ...             n = 3 * n + 1
    ...         steps += 1
    ...     return steps
    >>> collatz(ag.constant(27)).numpy()
    np.int32(111)
    """

    def decorate(target: Callable[..., Any]) -> Function:
        relax = reduce_retracing or bool(experimental_relax_shapes)
        return Function(target, input_signature, autograph, name, relax, max_traces)

    return decorate if func is None else decorate(func)


__all__ = ["BoundFunction", "ConcreteFunction", "Function", "function", "observing"]
