"""The conversion by itself: `ag.autograph`."""

from __future__ import annotations

import enum
import functools
import sys
import types
from collections.abc import Callable, Iterable
from typing import Any, TypeVar, overload

from autograph_lite.conversion import log
from autograph_lite.errors import ConversionError
from autograph_lite.operators import calls
from autograph_lite.operators.dispatch import staging_active

__all__ = [
    "convert",
    "do_not_convert",
    "experimental",
    "set_verbosity",
    "to_code",
    "to_graph",
    "trace",
]

F = TypeVar("F", bound=Callable[..., Any])


@overload
def convert(f: F) -> F: ...
@overload
def convert(f: None = None, **options: Any) -> Callable[[F], F]: ...
def convert(f: Any = None, **options: Any) -> Any:
    """Converts a function; usable as a decorator, with or without parentheses.

    The converted function behaves like the original, except that a tensor may decide its branches
    and loops while a graph is traced.

    Args:
      f: a function, method, partial, callable object or class.
      options: `recursive`, `optional_features` and others that TensorFlow has; without effect.

    Raises:
      ConversionError: a generator or a coroutine, or something without Python code.

    Example:
      >>> import autograph_lite as ag
      >>> @ag.convert
      ... def sign(x):
      ...     if x < 0:
      ...         return -1
      ...     return 1
      >>> sign(-3)
      -1
    """
    if f is None:
        return functools.partial(convert, **options)
    return calls.forced(f)


def to_graph(entity: F, recursive: bool = True, experimental_optional_features: Any = None) -> F:
    """The converted form of a function.

    Args:
      entity: a function, method, partial, callable object or class.
      recursive: without effect: functions that it calls are converted while a graph is traced.
      experimental_optional_features: without effect: all features are on.

    Raises:
      ConversionError: a generator or a coroutine, or something without Python code.

    Example:
      >>> to_graph(lambda x: x if x > 0 else 0)(-1)
      0
    """
    return calls.forced(entity)


def to_code(
    entity: Callable[..., Any], recursive: bool = True, experimental_optional_features: Any = None
) -> str:
    """The text of a function's converted form, for reading.

    Args:
      entity: a function, method, partial or callable object.
      recursive: without effect.
      experimental_optional_features: without effect.

    Raises:
      ConversionError: a generator or a coroutine, or something without Python code.

    Example:
      >>> def f(x):
      ...     return 1 if x else 2
      >>> print(to_code(f), end='')
      def f(x):
          return ag__.if_exp(x, lambda: 1, lambda: 2)
    """
    from autograph_lite.conversion.pipeline import converted_text

    return converted_text(_function_of(entity))


def _function_of(entity: Any) -> types.FunctionType:
    while True:
        if isinstance(entity, types.FunctionType):
            return entity
        if isinstance(entity, types.MethodType | staticmethod | classmethod):
            entity = entity.__func__
        elif isinstance(entity, functools.partial):
            entity = entity.func
        elif hasattr(entity, "python_function"):
            entity = entity.python_function
        elif calls.call_method(type(entity)) is not None:
            entity = calls.call_method(type(entity))
        else:
            raise ConversionError(
                f"{entity!r} has no Python code to show; give a Python function that calls it"
            )


@overload
def do_not_convert(func: F) -> F: ...
@overload
def do_not_convert(func: None = None) -> Callable[[F], F]: ...
def do_not_convert(func: Any = None) -> Any:
    """Marks a function that converted code is to call as it is; usable as a decorator.

    Args:
      func: the function.

    Example:
      >>> @do_not_convert
      ... def helper(x):
      ...     return x or 1
    """
    return do_not_convert if func is None else calls.do_not_convert(func)


def set_verbosity(level: int, alsologtostdout: bool = False) -> None:
    """Sets how much conversion says about itself on standard error.

    Args:
      level: 0 is nothing, 1 each conversion with its time, 2 and more the converted text too.
      alsologtostdout: whether to say it on standard output as well.

    Example:
      >>> set_verbosity(0)
    """
    log.set_level(level, alsologtostdout)


def trace(*args: Any) -> None:
    """Prints its arguments while a graph is traced, whatever they are.

    Example:
      >>> trace('here', 1)
      here 1
    """
    print(*args)


class Feature(enum.Enum):
    """The optional features that TensorFlow has. All are on here."""

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all(cls) -> tuple[Feature, ...]:
        """All features but `ALL`."""
        return tuple(feature for feature in cls if feature is not cls.ALL)

    @classmethod
    def all_but(cls, exclude: Feature | Iterable[Feature]) -> tuple[Feature, ...]:
        """All features but some.

        Args:
          exclude: the others.
        """
        left_out = {exclude} if isinstance(exclude, Feature) else set(exclude)
        return tuple(feature for feature in cls.all() if feature not in left_out)


def set_loop_options(
    parallel_iterations: int | None = None,
    swap_memory: bool | None = None,
    maximum_iterations: int | None = None,
    shape_invariants: Any = None,
) -> None:
    """Says how a loop is to be staged; the first statement of the loop's body.

    Args:
      parallel_iterations: without effect.
      swap_memory: without effect.
      maximum_iterations: after how many passes the loop ends at the latest.
      shape_invariants: pairs of a variable and the shape that it has in every pass.

    Example:
      >>> for _ in range(2):
      ...     set_loop_options(maximum_iterations=10)
    """
    # Conversion moves such calls to their loops, and misses those under other names.
    if staging_active():
        from autograph_lite.staging import loops

        loops.set_options(maximum_iterations, shape_invariants)


experimental = types.ModuleType("autograph_lite.autograph.experimental", "`ag.autograph`, further.")
vars(experimental).update(
    Feature=Feature, do_not_convert=do_not_convert, set_loop_options=set_loop_options
)
# So that names can be imported from it, though this module is no package.
sys.modules[experimental.__name__] = experimental
