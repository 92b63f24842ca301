"""`@ag.function`: a Python function is traced once per signature, and its graph runs instead."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple, TypeVar, overload

import numpy as np

from autograph_lite import errors
from autograph_lite.arguments import Arguments, Binder, leaf_spec
from autograph_lite.concrete import ConcreteFunction, OutputTemplate
from autograph_lite.staging.scopes import NeverReturns, scope
from runtime import context, nest, variables
from runtime.context import building, shared, thread
from runtime.convert import convert_to_tensor
from runtime.graph import FunctionGraph
from runtime.locations import user_location
from runtime.shapes import TensorShape
from runtime.tensor import Tensor
from runtime.tensor_spec import TensorSpec
from runtime.variables import Variable

F = TypeVar("F", bound=Callable[..., Any])


class Function:
    """A Python function that is traced into a graph at its first call with each new signature.

    Made by `ag.function`; see there.
    """

    def __init__(
        self,
        python_function: Callable[..., Any],
        input_signature: Sequence[Any] | None = None,
        autograph: bool = True,
        name: str | None = None,
    ) -> None:
        self._python_function = python_function
        self._autograph = autograph
        self.input_signature = None if input_signature is None else tuple(input_signature)
        self._name = name or getattr(python_function, "__name__", type(python_function).__name__)
        self._traces: dict[Any, ConcreteFunction] = {}
        self._trace_count = 0
        self._created_variables: list[Any] | None = None
        self._lock = threading.RLock()
        self._binder: Binder | None = None
        self._bound: weakref.WeakKeyDictionary[Any, Function] | None = None
        functools.update_wrapper(self, python_function, updated=())

    @property
    def python_function(self) -> Callable[..., Any]:
        """The function as the user wrote it."""
        return self._python_function

    @property
    def name(self) -> str:
        """The function's name, as in graphs and plans."""
        return self._name

    def experimental_get_tracing_count(self) -> int:
        """How many times the function has been traced."""
        return self._trace_count

    def __repr__(self) -> str:
        return f"<ag.function {self._name} with {len(self._traces)} traces>"

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        return functools.partial(self.__call__, instance)

    # ---- calling

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph for these arguments, tracing it first if there is none yet."""
        try:
            call = self._prepare(args, kwargs)
            concrete = self._traces.get(call.key)
            if concrete is None:
                concrete = self._trace_for(call)
            return concrete.call_with(call.leaves)
        except Exception as error:
            if thread.graph is not None:
                raise
            errors.clean_traceback(error)
            raise

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments, made if need be, without running it.

        Args:
          *args: like those of a call, or `TensorSpec`s in the place of tensors.
          **kwargs: likewise.
        """
        if self.input_signature is not None and not args and not kwargs:
            args = self.input_signature
        call = self._prepare(args, kwargs)
        return self._traces.get(call.key) or self._trace_for(call)

    def _prepare(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> _Call:
        binder = self._binder
        if binder is None:
            binder = self._binder = Binder(self._python_function, self._name)
        leaves: list[Any] = []
        arguments = binder.bind(args, kwargs)
        if self.input_signature is None:
            return _Call(arguments.key(leaves), arguments, leaves, leaves)
        arguments = self._fitted(arguments, leaves)
        specs: list[Any] = []
        return _Call(arguments.key(specs), arguments, specs, leaves)

    def _fitted(self, arguments: Arguments, leaves: list[Any]) -> Arguments:
        """The input signature in the place of the arguments, whose tensors go to `leaves`."""
        assert self.input_signature is not None and self._binder is not None
        given = arguments.positional
        names = self._binder.parameter_names(len(given))
        if len(given) < len(self.input_signature) or arguments.keywords:
            raise TypeError(self._misfit("the number of arguments", given))
        fitted = [
            self._fit(value, spec, name, leaves)
            for value, spec, name in zip(given, self.input_signature, names, strict=False)
        ]
        return Arguments((*fitted, *given[len(fitted) :]), {})

    def _fit(self, value: Any, spec: Any, name: str, leaves: list[Any]) -> Any:
        if isinstance(spec, TensorSpec):
            if not isinstance(value, TensorSpec):
                try:
                    value = convert_to_tensor(value, spec.dtype)
                except (TypeError, ValueError):
                    raise TypeError(self._misfit(f"argument {name!r}", value, spec)) from None
            if not spec.is_compatible_with(value):
                raise TypeError(self._misfit(f"argument {name!r}", value, spec))
            leaves.append(value)
            return spec
        parts, wanted = nest.parts(value), nest.parts(spec)
        if parts is None or wanted is None or parts[0] != wanted[0]:
            raise TypeError(self._misfit(f"argument {name!r}", value, spec))
        pairs = zip(parts[1], wanted[1], strict=True)
        return parts[2]([self._fit(v, s, name, leaves) for v, s in pairs])

    def _misfit(self, what: str, found: Any, wanted: Any = None) -> str:
        wanted = self.input_signature if wanted is None else wanted
        return (
            f"{user_location()}: {what} of {self._name} does not fit its input_signature\n"
            f"  expected: {wanted}\n  found:    {found!r}"
        )

    # ---- tracing

    def _trace_for(self, call: _Call) -> ConcreteFunction:
        with self._lock:
            concrete = self._traces.get(call.key)
            if concrete is not None:
                return concrete
            concrete = self._trace_checking_variables(call.arguments, call.trace_leaves)
            if not concrete.has_outer_captures:
                self._traces[call.key] = concrete
            return concrete

    def _trace_checking_variables(
        self, arguments: Arguments, leaves: list[Any]
    ) -> ConcreteFunction:
        """Traces; if variables were made in the first trace, once more, without that liberty."""
        first = self._trace_count == 0
        made: list[Any] = []

        def allow(variable: Any) -> None:
            if not first:
                raise ValueError(
                    f"{user_location()}: {self._name} makes an ag.Variable on a call that is not "
                    "its first; make variables once, outside of the function or under "
                    "`if not hasattr(...)`"
                )
            made.append(variable)

        with _creation_of_variables(allow):
            concrete = self._trace(arguments, leaves)
            if made:
                self._created_variables = made
                first = False
                concrete = self._trace(arguments, leaves)
        return concrete

    def _trace(self, arguments: Arguments, leaves: list[Any]) -> ConcreteFunction:
        graph = FunctionGraph(self._name, context.current_graph(), is_function=True)
        self._trace_count += 1
        with building(graph), scope() as changed:
            placeholders = list(self._placeholders(graph, arguments, leaves))
            graph.inputs += placeholders
            call = arguments.replace(iter(placeholders))
            function = self._converted()
            try:
                result = function(*call.positional, **call.keywords)
            except NeverReturns:
                result = None
            except BaseException:
                changed.take_back()
                raise
            outputs = OutputTemplate(result, _output_tensor)
            graph.outputs = [graph.resolve(t) for t in outputs.tensors]
        graph.finished = True
        return ConcreteFunction(self._name, graph, arguments, len(placeholders), outputs)

    def _placeholders(
        self, graph: FunctionGraph, arguments: Arguments, leaves: list[Any]
    ) -> Iterator[Any]:
        names = list(self._leaf_names(arguments))
        for leaf, name in zip(leaves, names, strict=True):
            dtype, shape = leaf_spec(leaf)
            yield graph.placeholder(dtype, shape, name)

    def _leaf_names(self, arguments: Arguments) -> Iterator[str]:
        assert self._binder is not None
        names = self._binder.parameter_names(len(arguments.positional))
        pairs = [*zip(names, arguments.positional, strict=True), *arguments.keywords.items()]
        for name, value in pairs:
            inside: list[Any] = []
            Arguments((value,), {}).key(inside)
            yield from [name] * len(inside)

    def _converted(self) -> Callable[..., Any]:
        if not self._autograph:
            return self._python_function
        from autograph_lite.operators import converted

        return converted(self._python_function)  # type: ignore[no-any-return]


@contextmanager
def _creation_of_variables(hook: Callable[[Any], None]) -> Iterator[None]:
    """Within the block, `hook` is told of each variable made, and may refuse it."""
    before = variables.creation.hook
    variables.creation.hook = hook
    try:
        yield
    finally:
        variables.creation.hook = before


class _Call(NamedTuple):
    """A call made ready: which trace it needs, how to make that, and the tensors to run it on."""

    key: Any
    arguments: Arguments
    trace_leaves: list[Any]
    leaves: list[Any]


def _output_tensor(value: Any) -> Tensor | None:
    """What a function gives as a tensor; None for containers, None and other Python objects."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, Variable | np.ndarray | np.generic | bool | int | float | complex | str):
        return convert_to_tensor(value)
    return None


@overload
def function(func: F) -> Function: ...
@overload
def function(
    func: None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    **options: Any,
) -> Callable[[Callable[..., Any]], Function]: ...
def function(
    func: Callable[..., Any] | None = None,
    input_signature: Sequence[Any] | None = None,
    autograph: bool = True,
    **options: Any,
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
        return Function(target, input_signature, autograph, options.get("name"))

    return decorate if func is None else decorate(func)


__all__ = ["ConcreteFunction", "Function", "TensorShape", "function", "shared"]
