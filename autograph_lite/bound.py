"""Traced functions bound to an object, and what they share with those that are not."""

from __future__ import annotations

import types
from typing import TYPE_CHECKING, Any

from autograph_lite import errors, retracing
from autograph_lite.concrete import ConcreteFunction
from autograph_lite.entries import MISS
from autograph_lite.trace_cache import TraceCache
from runtime.context import shared, thread

if TYPE_CHECKING:
    from autograph_lite.function import Function


class Traceable:
    """What a traced function and one bound to an object have in common."""

    _function: Function
    _cache: TraceCache

    def _full(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments with the object in front that the function is bound to."""
        return args

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> ConcreteFunction:
        """The trace for these arguments, made if need be, without running it.

        Args:
          *args: like those of a call, or `TensorSpec`s in the place of tensors.
          **kwargs: likewise.

        >>> import autograph_lite as ag
        >>> twice = ag.function(lambda x: x * 2)
        >>> twice.get_concrete_function(ag.TensorSpec([None], ag.float32)).output_shapes
        TensorShape([None])
        """
        function = self._function
        if function.input_signature is not None and not args and not kwargs:
            args = function.input_signature
        call = function._prepare(self._full(args), kwargs, self._skip)
        found = self._cache.find(call.key, call.arguments)
        return found or function._trace_for(self._cache, call)

    _skip = 0

    def experimental_get_tracing_count(self) -> int:
        """How many times the function has been traced.

        >>> import autograph_lite as ag
        >>> twice = ag.function(lambda x: x * 2)
        >>> _ = twice(ag.constant(1)), twice(ag.constant(2)), twice(ag.constant([1.0]))
        >>> twice.experimental_get_tracing_count()
        2
        """
        return self._cache.trace_count

    def explain_retraces(self) -> str:
        """Tells, for each trace, what differed from an earlier one and what would avoid it.

        >>> import autograph_lite as ag
        >>> twice = ag.function(lambda x: x * 2, name="twice")
        >>> _ = twice(ag.constant([1, 2])), twice(ag.constant([1, 2, 3]))
        >>> print(twice.explain_retraces())
        twice has been traced 2 times.
        trace 1: twice(x: int32[2])
        trace 2: twice(x: int32[3])
          differs from trace 1: x has shape (3,), and had (2,)
          to avoid it: give an input_signature with None where sizes vary, or reduce_retracing=True
        """
        return retracing.explain(self._cache, self._function.name)

    def pretty_printed_concrete_signatures(self, verbose: bool = True) -> str:
        """The signatures of all traces, one a line.

        Args:
          verbose: whether to add what each trace gives.

        >>> import autograph_lite as ag
        >>> twice = ag.function(lambda x: x * 2, name="twice")
        >>> _ = twice(ag.constant([1, 2]))
        >>> twice.pretty_printed_concrete_signatures()
        'twice(x: int32[2]) -> int32[2]'
        """
        return "\n".join(c.pretty_printed_signature(verbose) for c in self._cache)


class BoundFunction(Traceable):
    """A traced function bound to an object: what `obj.method` gives.

    It is called, and asked for concrete functions, without the object. Each object has traces of
    its own, which do not keep it alive.
    """

    __slots__ = ("__self__", "_cache", "_function")
    _skip = 1
    is_bound_function = True

    def __init__(self, function: Function, instance: Any) -> None:
        self._function = function
        self.__self__ = instance
        known = function._bound.get(id(instance))
        if known is not None and known[0]() is instance:
            self._cache = known[1]
        else:
            self._cache = function._cache_of(instance)

    def _full(self, args: tuple[Any, ...]) -> tuple[Any, ...]:
        return (self.__self__, *args)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph for the object and these arguments; see `Function`."""
        try:
            args = (self.__self__, *args)
            if shared.busy == 0:
                for entry in self._cache.recent:
                    result = entry(args, kwargs)
                    if result is not MISS:
                        return result
            return self._function._call(self._cache, args, kwargs, 1)
        except Exception as error:
            if thread.graph is None:
                errors.clean_traceback(error)
            raise

    @property
    def python_function(self) -> Any:
        """The function as the user wrote it, bound to the object."""
        return types.MethodType(self._function.python_function, self.__self__)

    @property
    def __wrapped__(self) -> Any:
        return self.python_function

    @property
    def __func__(self) -> Function:
        return self._function

    @property
    def input_signature(self) -> Any:
        """What the function declares to take; see `ag.function`."""
        return self._function.input_signature

    def __getattr__(self, name: str) -> Any:
        return getattr(self._function, name)

    def __reduce__(self) -> Any:
        """Pickled as methods are: the object, and the name under which it has the function."""
        return getattr, (self.__self__, self._function.python_function.__name__)

    def __deepcopy__(self, memo: Any) -> BoundFunction:
        """The function bound to a copy of the object."""
        import copy

        return BoundFunction(self._function, copy.deepcopy(self.__self__, memo))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BoundFunction)
            and other._function is self._function
            and other.__self__ is self.__self__
        )

    def __hash__(self) -> int:
        return hash((id(self._function), id(self.__self__)))

    def __repr__(self) -> str:
        return f"<ag.function {self._function.name} bound to {self.__self__!r}>"
