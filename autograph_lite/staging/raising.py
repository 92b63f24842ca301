"""Exceptions of the user's program as operations: raised when the graph gets there."""

from __future__ import annotations

import contextlib
import traceback
import types
from functools import partial
from typing import Any, NoReturn

from runtime.context import current_graph
from runtime.convert import convert_to_tensor
from runtime.errors import AssertionFailedError
from runtime.gradients.activity import graphs_of
from runtime.locations import NOWHERE, Location, is_library_file, raise_at, user_location
from runtime.ops.apply import apply
from runtime.ops.registry import NO_GRADIENT, define
from runtime.static import static_value
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


def builtin_attributes(kind: type[BaseException]) -> list[str]:
    """What Python's own exceptions keep beside their arguments: `errno`, `code`, `name`."""
    found: dict[str, None] = {}
    for cls in kind.__mro__:
        if cls.__module__ == "builtins" and cls not in (BaseException, object):
            members = [n for n, m in vars(cls).items() if isinstance(m, _SLOTS)]
            found.update(dict.fromkeys(n for n in members if not n.startswith("_")))
    return list(found)


_SLOTS = (types.MemberDescriptorType, types.GetSetDescriptorType)


def attributes_of(error: BaseException) -> dict[str, Any]:
    """The attributes of an exception: those that Python keeps, and those that the user has set."""
    found: dict[str, Any] = {}
    for name in builtin_attributes(type(error)):
        # Some are not there, or not of use, before they are set.
        with contextlib.suppress(AttributeError, TypeError):
            found[name] = getattr(error, name)
    return {**found, **vars(error)}


class ErrorMaker:
    """Makes a user's exception anew, with what the graph knows of its arguments and attributes."""

    def __init__(self, error: BaseException) -> None:
        # What fills a template is built on scopes, and those on this module.
        from autograph_lite.staging.templates import Template

        self._kind = type(error)
        self._own = frozenset(vars(error))
        self._suppresses = error.__suppress_context__
        cause = error.__cause__
        self._cause = ErrorMaker(cause) if cause is not None and _is_made_anew(cause) else None
        parts = list(error.args), attributes_of(error), None if self._cause else cause
        self._template = Template(list(parts), is_users=not _is_from_library(error))
        # What the trace does to the exception itself is taken back with its branch.
        self.error = self._make(*parts)
        if self._cause is not None:
            self._set_cause(self.error, self._cause.error)

    @property
    def tensors(self) -> list[Tensor]:
        """What the graph knows."""
        own = self._template.tensors
        return own if self._cause is None else [*own, *self._cause.tensors]

    def __call__(self, values: Any) -> BaseException:
        made = self._make(*self._template.fill(values))
        if self._cause is not None:
            self._set_cause(made, self._cause(values[len(self._template.tensors) :]))
        return made

    def _make(self, arguments: Any, attributes: dict[str, Any], cause: Any) -> BaseException:
        made = self._kind.__new__(self._kind, *arguments)
        made.args = tuple(arguments)
        for name, value in attributes.items():
            if name in self._own:
                made.__dict__[name] = value
            elif getattr(made, name, None) is not value:
                # What a group of exceptions holds it is told when it is made.
                with contextlib.suppress(AttributeError):
                    setattr(made, name, value)
        self._set_cause(made, cause)
        return made

    def _set_cause(self, made: BaseException, cause: BaseException | None) -> None:
        made.__cause__ = cause
        # What it was raised amid is the same where the graph raises it.
        made.__suppress_context__ = self._suppresses

    def parts(self, tensors: Any) -> dict[str, Any]:
        """Arguments and attributes by name, with tensors in the place of their values."""
        arguments, attributes, _ = self._template.fill_with_tensors(tensors)
        return {**attributes, "args": tuple(arguments)}


def _is_made_anew(cause: BaseException) -> bool:
    """Whether what an exception was raised from holds what only the running graph knows."""
    from autograph_lite.staging.templates import holds_staged, is_caught

    if is_caught(cause):
        return False
    if any(map(holds_staged, (*cause.args, *attributes_of(cause).values()))):
        return True
    further = cause.__cause__
    return further is not None and (is_caught(further) or _is_made_anew(further))


def _is_from_library(error: BaseException) -> bool:
    """Whether the library has raised an error, whose text may show tensors."""
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    return bool(frames) and is_library_file(frames[-1].f_code.co_filename)


def raising(error: Any) -> Any:
    """What `raise` raises: one of several exceptions is raised here, each in its branch."""
    from autograph_lite.staging.either import EitherValue, fork_effect

    if isinstance(error, EitherValue):
        fork_effect(error, _raise_now)
    return error


def _raise_now(error: Any) -> NoReturn:
    raise error


def stage_raise(error: BaseException) -> None:
    """Adds an operation that raises `error` to the graph being built."""
    again = getattr(error, "ag_raise", None)
    if again is not None:
        again()
        return
    maker = ErrorMaker(error)
    attrs = {"maker": maker, "location": origin(error)}
    apply(RAISE, maker.tensors, attrs)


def has_staged() -> bool:
    """Whether the graph being built may raise an error of the user's."""
    graph = current_graph()
    return graph is not None and any(map(_raises, graph.operations))


def _raises(op: Any) -> bool:
    return op.opdef is RAISE or any(any(map(_raises, g.operations)) for g in graphs_of(op))


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
    from autograph_lite.operators.conditionals import no_body
    from autograph_lite.staging.conditionals import cond

    def fail() -> None:
        raise AssertionFailedError(*(() if message is None else (message(),)))

    cond(test, no_body, fail)


def raise_where(test: Any, error: Exception) -> None:
    """Raises an exception when the graph finds that `test` holds."""
    from autograph_lite.staging.conditionals import cond

    known = static_value(convert_to_tensor(test))
    if known is None or known:
        cond(test, partial(stage_raise, error))
