"""Exceptions of the user's program as operations: raised when the graph gets there."""

from __future__ import annotations

import traceback
from typing import Any

from runtime.errors import AssertionFailedError
from runtime.locations import NOWHERE, Location, is_library_file, raise_at, user_location
from runtime.ops.apply import apply
from runtime.ops.registry import NO_GRADIENT, define
from runtime.tensor import Tensor


def _raise(*tensors: Any, maker: Any, location: Location) -> Any:
    raise_at(maker(tensors), location)


RAISE = define(
    "Raise",
    kernel=_raise,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
    checks=True,
)


class ErrorMaker:
    """Makes a user's exception anew, with what the graph knows of its arguments and attributes."""

    def __init__(self, error: BaseException) -> None:
        # What fills a template is built on scopes, and those on this module.
        from autograph_lite.staging.templates import Template

        self.error = error
        self._template = Template([list(error.args), vars(error)])

    @property
    def tensors(self) -> list[Tensor]:
        """What the graph knows."""
        return self._template.tensors

    def __call__(self, values: Any) -> BaseException:
        arguments, attributes = self._template.fill(values)
        kind = type(self.error)
        made = kind.__new__(kind, *arguments)
        made.args = tuple(arguments)
        made.__dict__.update(attributes)
        made.__cause__ = self.error.__cause__
        made.__suppress_context__ = True
        return made

    def parts(self, tensors: Any) -> dict[str, Any]:
        """Arguments and attributes by name, with tensors in the place of their values."""
        arguments, attributes = self._template.fill_with_tensors(tensors)
        return {**attributes, "args": tuple(arguments)}


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
        raise_at(type(error)(*error.args), location)
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
