"""Exceptions of the user's program as operations: raised when the graph gets there."""

from __future__ import annotations

import traceback
from typing import Any

from runtime import nest
from runtime.errors import AssertionFailedError
from runtime.locations import NOWHERE, Location, is_library_file, raise_at, user_location
from runtime.ops.apply import apply
from runtime.ops.python_text import as_python
from runtime.ops.registry import NO_GRADIENT, define
from runtime.tensor import SymbolicTensor, Tensor


def _raise(*tensors: Any, maker: Any, location: Location) -> Any:
    error = maker(tensors)
    error._located = True
    raise_at(error, location)


RAISE = define(
    "Raise",
    kernel=_raise,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
    checks=True,
)


class ErrorMaker:
    """Makes a user's exception anew, with the values of the tensors in its arguments."""

    def __init__(self, error: BaseException) -> None:
        self.error = error
        self.tensors: list[Tensor] = []
        self.arguments = [self._template(a) for a in error.args]
        self.attributes = {n: self._template(v) for n, v in vars(error).items()}

    def _template(self, argument: Any) -> Any:
        if isinstance(argument, SymbolicTensor):
            self.tensors.append(argument)
            return _Slot(len(self.tensors) - 1, argument.weak)
        parts = nest.parts(argument)
        if parts is None:
            return argument
        _, items, rebuild = parts
        return rebuild([self._template(item) for item in items])

    def __call__(self, values: Any) -> BaseException:
        arguments = [_filled(a, values) for a in self.arguments]
        kind = type(self.error)
        made = kind.__new__(kind, *arguments)
        made.args = tuple(arguments)
        made.__dict__.update({n: _filled(v, values) for n, v in self.attributes.items()})
        made.__cause__ = self.error.__cause__
        made.__suppress_context__ = True
        return made

    def parts(self, tensors: Any) -> dict[str, Any]:
        """Arguments and attributes by name, with tensors in the place of their values."""
        arguments = tuple(_with_tensors(a, tensors) for a in self.arguments)
        attributes = {n: _with_tensors(v, tensors) for n, v in self.attributes.items()}
        return {**attributes, "args": arguments}


class _Slot:
    """The place of a tensor's value among an exception's arguments.

    Attributes:
      number: which of the tensors.
      is_number: whether it is a Python number in the user's program.
    """

    def __init__(self, number: int, is_number: bool) -> None:
        self.number = number
        self.is_number = is_number


def _with_tensors(template: Any, tensors: Any) -> Any:
    if isinstance(template, _Slot):
        return tensors[template.number]
    parts = nest.parts(template)
    if parts is None:
        return template
    _, items, rebuild = parts
    return rebuild([_with_tensors(item, tensors) for item in items])


def _filled(template: Any, values: Any) -> Any:
    if isinstance(template, _Slot):
        value = values[template.number]
        return value.item() if template.is_number else as_python(value)
    parts = nest.parts(template)
    if parts is None:
        return template
    _, items, rebuild = parts
    return rebuild([_filled(item, values) for item in items])


def stage_raise(error: BaseException) -> None:
    """Adds an operation that raises `error` to the graph being built."""
    again = getattr(error, "ag_raise", None)
    if again is not None:
        again()
        return
    maker = ErrorMaker(error)
    attrs = {"maker": maker, "location": origin(error)}
    apply(RAISE, maker.tensors, attrs)


def _raise_if_unbound(bound: Any, error: BaseException, location: Location) -> Any:
    if not bound:
        made = type(error)(*error.args)
        made._located = True  # type: ignore[attr-defined]
        raise_at(made, location)
    return ()


CHECK_BOUND = define(
    "CheckBound",
    kernel=_raise_if_unbound,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
    checks=True,
)


def assert_bound(bound: Tensor, error: BaseException) -> None:
    """Adds an operation that raises `error`, at the user's line, unless `bound` is true."""
    apply(CHECK_BOUND, [bound], {"error": error, "location": user_location()})


def origin(error: BaseException) -> Location:
    """The user's line that raised `error`."""
    found = NOWHERE
    for frame, line in traceback.walk_tb(error.__traceback__):
        code = frame.f_code
        if not is_library_file(code.co_filename):
            found = Location(code.co_filename, line, code.co_name)
    return found if found is not NOWHERE else user_location()


def assert_(test: Any, message: Any = None) -> None:
    """`assert test, message` on a tensor: an AssertionError when the graph finds it false."""
    from autograph_lite.staging.conditionals import cond

    def nothing() -> None:
        """The assertion holds."""

    def fail() -> None:
        raise AssertionFailedError(*(() if message is None else (message(),)))

    cond(test, nothing, fail, tuple, lambda values: None, ())
