"""`with contextlib.ExitStack()` around code that may raise when the graph runs.

What the stack holds is known when the block has been traced, and so is the order in which it is
called. How much of it was there when something was raised is known only when the graph runs: the
number is a variable of the `try` that the statement becomes.
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Callable
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.operators.calls import converted
from autograph_lite.staging.conditionals import cond
from autograph_lite.staging.contexts import Block, Manager, may_swallow
from autograph_lite.staging.exceptions import Variables, try_, watching_risks
from runtime.context import thread
from runtime.locations import is_library_file, user_location
from runtime.tensor import Tensor

_NO_VARIABLES: Variables = (tuple, lambda values: None, ())


class _Watched(contextlib.ExitStack):
    """A stack within its block: what it holds must not depend on what the graph finds."""

    ag_graph: Any
    ag_risks: Any
    ag_popped: bool

    def _push_exit_callback(self, callback: Any, is_sync: bool = True) -> None:
        self._check()
        super()._push_exit_callback(callback, is_sync)  # type: ignore[misc]

    def pop_all(self) -> Any:
        self._check()
        self.ag_popped = self.ag_popped or self.ag_risks.found
        kept: Any = super().pop_all()
        kept.__class__ = contextlib.ExitStack
        return kept

    def close(self) -> None:
        self._check()
        self.ag_popped = self.ag_popped or self.ag_risks.found
        super().close()

    def _check(self) -> None:
        if thread.graph is not self.ag_graph:
            raise StagingError(
                f"{_users_line()}: what an ExitStack holds cannot depend on a tensor: it is "
                "changed in a staged branch, loop or `try`; write a `with` for each manager, or "
                "ask in the callback"
            )


def _users_line() -> str:
    """Where the user's code calls a method of a stack."""
    frame: Any = sys._getframe(2)
    while frame.f_code.co_filename == contextlib.__file__ or is_library_file(
        frame.f_code.co_filename
    ):
        frame = frame.f_back
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"


class StackManager(Manager):
    """A `with` statement whose manager is an ExitStack."""

    def __init__(self, manager: Any, block: Block, variables: Variables) -> None:
        self.stack = manager
        self.before = list(manager._exit_callbacks)
        # How many callbacks there were when something was raised; None while the block is traced.
        self.count: Any = None
        self.is_staged = False
        get, set_, names = variables

        def get_state() -> tuple[Any, ...]:
            return len(manager._exit_callbacks) if self.count is None else self.count, *get()

        def set_state(values: tuple[Any, ...]) -> None:
            self.count = values[0]
            set_(tuple(values[1:]))

        mine = (get_state, set_state, ("the number of callbacks", *names))
        super().__init__(manager, self._watching(block), mine)
        self.enter = lambda: manager
        self.leave = self._leave
        self.may_swallow = False

    def run(self) -> None:
        try:
            super().run()
        finally:
            self.stack._exit_callbacks.clear()

    def stage(self, value: Any) -> None:
        self.is_staged = True
        super().stage(value)

    def _refuse_what_ends_once(self) -> None:
        of_generators = contextlib._GeneratorContextManager
        if any(isinstance(getattr(f, "__self__", None), of_generators) for f in self._held()):
            raise StagingError(
                f"{user_location()}: an ExitStack around code that may raise when the graph runs "
                "cannot hold a generator's context manager whose end is seen afterwards; write a "
                "`with` for each"
            )
        self._refuse_what_is_given_up()

    def _refuse_what_is_given_up(self) -> None:
        if self.stack.ag_popped:
            raise StagingError(
                f"{user_location()}: an ExitStack cannot give up what it holds, with pop_all() or "
                "close(), after code that may raise when the graph runs; write a `with` for each"
            )

    def _watching(self, block: Block) -> Block:
        def run(stack: Any) -> None:
            self.count = None
            callbacks = stack._exit_callbacks
            callbacks.clear()
            callbacks.extend(self.before)
            kind = stack.__class__
            stack.__class__, stack.ag_graph, stack.ag_popped = _Watched, thread.graph, False
            try:
                with watching_risks() as risks:
                    stack.ag_risks = risks
                    block(stack)
            finally:
                stack.__class__ = kind
            held = [getattr(leave, "__self__", None) for leave in self._held()]
            if risks.found and any(map(may_swallow, held)):
                raise StagingError(
                    f"{user_location()}: an ExitStack around code that may raise when the graph "
                    "runs cannot hold context managers that may swallow exceptions; write a "
                    "`with` for each"
                )

        return run

    def _held(self) -> list[Any]:
        return [leave for _, leave in self.stack._exit_callbacks]

    def _leave(self, kind: Any, error: Any, trace: Any) -> Any:
        """Calls what the stack holds, the last one first."""
        if not self.is_staged:
            if self.is_watched:
                self._refuse_what_is_given_up()
            return self.stack.__exit__(kind, error, trace)
        if kind is not None:
            self._refuse_what_ends_once()
        held = self._held()
        count = self.count if kind is not None else None

        def call_from(number: int) -> None:
            def rest() -> None:
                if number:
                    call_from(number - 1)

            def call() -> None:
                _called(held[number], kind, error, trace)

            def call_if_there() -> None:
                if isinstance(count, Tensor):
                    cond(count > number, call)
                elif count is None or count > number:
                    call()

            try_(call_if_there, (), None, rest, _NO_VARIABLES)

        if held:
            call_from(len(held) - 1)
        return False


def _called(leave: Any, kind: Any, error: Any, trace: Any) -> None:
    code = getattr(leave, "__code__", None)
    if code is not None and hasattr(leave, "__wrapped__"):
        cells = zip(code.co_freevars, leave.__closure__, strict=True)
        held = {name: cell.cell_contents for name, cell in cells}
        if held.keys() == {"args", "callback", "kwds"}:
            function: Callable[..., Any] = converted(held["callback"])
            function(*held["args"], **held["kwds"])
            return
    function = converted(leave) if isinstance(leave, types.MethodType) else leave
    function(kind, error, trace)


__all__ = ["StackManager"]
