"""`with` blocks that may raise when the graph runs: their managers may swallow that.

What a manager means for the graph depends on its kind:

- `contextlib.suppress` is a `try` whose clauses do nothing.
- A function under `contextlib.contextmanager` is run turned inside out, with the block in the place
  of its `yield`; so its own `try` is what catches.
- A class of the user's is a `try` whose clauses ask its `__exit__`, unless that swallows nothing
  and does nothing in the graph.
- A `contextlib.ExitStack` is one of these, whose `__exit__` calls what it holds.
- Others, the library's and Python's own, swallow nothing: Python's `with` is all they need.
"""

from __future__ import annotations

import contextlib
import dis
import types
from collections.abc import Callable
from typing import Any, NoReturn

from autograph_lite.errors import AutographError
from autograph_lite.operators.calls import converted, inverted_manager, is_users_own
from autograph_lite.operators.conditionals import no_body
from autograph_lite.operators.exceptions import Handler
from autograph_lite.printing import Prints
from autograph_lite.staging import loans
from autograph_lite.staging.conditionals import cond
from autograph_lite.staging.either import EitherValue, fork_effect
from autograph_lite.staging.exceptions import (
    Mark,
    StagedTry,
    Variables,
    try_,
    watching_risks,
)
from autograph_lite.staging.generators import as_consumer, with_ambient
from autograph_lite.staging.later_reads import holding
from autograph_lite.staging.raised import Raised
from autograph_lite.staging.retraced import known_of
from autograph_lite.staging.scopes import scope
from autograph_lite.staging.visible import visible
from runtime.context import thread
from runtime.errors import InvalidArgumentError, OutOfScopeError, SymbolicTensorError
from runtime.tensor import SymbolicTensor

Block = Callable[[Any], None]


def with_(manager: Any, block: Block, variables: Variables) -> None:
    """A `with` statement while a graph is built; see `operators.contexts.with_`."""
    if isinstance(manager, EitherValue):
        fork_effect(manager, lambda one: with_(one, block, variables), variables)
        return
    kind = type(manager)
    leave = getattr(kind, "__exit__", None)
    if leave is contextlib.suppress.__exit__:
        _suppress(manager, block, variables)
    elif kind is contextlib._GeneratorContextManager:
        _generator(manager, block, variables)
    elif kind is contextlib.ExitStack:
        from autograph_lite.staging.exit_stacks import StackManager

        StackManager(manager, block, variables).run()
    elif is_users_own(leave):
        Manager(manager, block, variables).run()
    else:
        _python(manager, block)


def _python(manager: Any, block: Block) -> None:
    with manager as value:
        block(value)


def _suppress(manager: Any, block: Block, variables: Variables) -> None:
    kinds = manager._exceptions
    if kinds:
        try_(lambda: block(manager.__enter__()), ((lambda: kinds, None),), None, None, variables)
    else:
        _python(manager, block)


def _generator(manager: Any, block: Block, variables: Variables) -> None:
    inverted = inverted_manager(manager.func)
    if inverted is None:
        _python(manager, block)
        return
    manager.gen.close()
    _run_inverted(inverted, manager.args, manager.kwds, block, variables)


def _run_inverted(
    inverted: Callable[..., Any],
    args: tuple[Any, ...],
    keywords: dict[str, Any],
    block: Block,
    variables: Variables,
) -> None:
    """Runs a generator that calls the block: in a branch for each of several values it is given."""
    given = (*args, *keywords.values())
    either = next((value for value in given if isinstance(value, EitherValue)), None)
    if either is not None:

        def run_with(chosen: Any) -> None:
            chosen_args = tuple(chosen if arg is either else arg for arg in args)
            chosen_keywords = {k: chosen if v is either else v for k, v in keywords.items()}
            _run_inverted(inverted, chosen_args, chosen_keywords, block, variables)

        fork_effect(either, run_with, variables)
        return
    has_yielded = False

    def enter(value: Any) -> None:
        nonlocal has_yielded
        has_yielded = True
        block(value)

    with as_consumer(enter, variables) as consumer:
        inverted(consumer, *args, **keywords)
    if not has_yielded:
        raise RuntimeError("generator didn't yield")


def may_swallow(manager: Any) -> bool:
    """Whether a context manager's `__exit__` may return something true."""
    leave = getattr(type(manager), "__exit__", None)
    if leave is contextlib.suppress.__exit__:
        return bool(manager._exceptions)
    return is_users_own(leave) and not _returns_nothing(leave.__code__)  # type: ignore[union-attr]


def _returns_nothing(code: types.CodeType) -> bool:
    """Whether a function is sure to return None or False, as far as its instructions say so."""
    before: Any = None
    for instruction in dis.get_instructions(code):
        constant = instruction.argval
        if instruction.opname == "RETURN_VALUE":
            # `return a or None` jumps here with the value of `a`.
            if before is None or before.opname != "LOAD_CONST" or instruction.is_jump_target:
                return False
            constant = before.argval
        if instruction.opname in ("RETURN_VALUE", "RETURN_CONST") and constant not in (None, False):
            return False
        before = instruction
    return True


# What operations raise, from the narrower classes to the wider ones.
_OF_OPERATIONS: tuple[type[Exception], ...] = (
    *(InvalidArgumentError, ZeroDivisionError, IndexError, KeyError, ValueError),
    *(ArithmeticError, TypeError, RuntimeError, Exception),
)


class Manager:
    """A `with` statement whose manager is of a class of the user's."""

    def __init__(self, manager: Any, block: Block, variables: Variables) -> None:
        kind = type(manager)
        self.manager = manager
        self.enter = converted(types.MethodType(kind.__enter__, manager))
        self.leave = converted(types.MethodType(kind.__exit__, manager))
        self.may_swallow = may_swallow(manager)
        self.block = block
        self.variables = with_ambient(*variables)
        # Where nobody can catch what the block raises, nobody sees what `__exit__` changes then.
        self.is_watched = thread.before_adding is not None

    def run(self) -> None:
        with holding(self.manager):
            self._run()

    def _run(self) -> None:
        value = self.enter()
        get_state, set_state, names = self.variables
        before = visible(get_state(), names)
        set_state(before)
        known = self.known = known_of(self.block)
        if known.risky:
            self.stage(value)
            return
        loans.settle_all()  # else what is put back inside would be taken back with it
        mark = Mark()
        with watching_risks() as risks, scope() as changed, known.part("body"), Prints() as prints:
            failure = self.try_block(value)
            interrupted = isinstance(failure, KeyboardInterrupt)
            again = risks.found and self.may_swallow and not interrupted
            if not again:
                acts = self.finish(failure)
                again = risks.found and acts and failure is None
            if again:
                loans.close(changed)
                changed.take_back()
                loans.forget_changes()
        if not again:
            changed.hand_over()
            prints.show()
            return
        mark.go_back()
        set_state(before)
        known.risky = True
        self.stage(value)

    def try_block(self, value: Any) -> BaseException | None:
        try:
            self.block(value)
        except (AutographError, SymbolicTensorError, OutOfScopeError) as error:
            self.leave(type(error), error, error.__traceback__)
            raise
        except BaseException as error:
            return error
        return None

    def finish(self, failure: BaseException | None) -> bool:
        """Leaves the block as Python does; answers whether that does anything in the graph."""
        if failure is not None:
            swallowed = self.leave(type(failure), failure, failure.__traceback__)
            _unless(swallowed, lambda: _throw(failure))
            return False
        start = Mark()
        with scope() as changed:
            self.leave(None, None, None)
            acts = start.has_effects() or (self.is_watched and changed.has_staged_changes())
        changed.hand_over()
        return acts

    def stage(self, value: Any) -> None:
        def block() -> None:
            self.block(value)

        def otherwise() -> None:
            self.leave(None, None, None)

        StagedTry(block, self.handlers, otherwise, self.variables, self.known).stage()

    def handlers(self, raised: Raised) -> list[Handler]:
        """A clause for each class that the block may raise: `__exit__` is told which it is."""
        kinds = sorted({type(e) for e in raised.errors}, key=lambda kind: -len(kind.__mro__))
        if not raised.is_all:
            kinds += _OF_OPERATIONS
        return [self.handler(kind) for kind in dict.fromkeys(kinds)]

    def handler(self, kind: type[BaseException]) -> Handler:
        def handle(error: BaseException) -> None:
            swallowed = self.leave(kind, error, error.__traceback__)
            _unless(swallowed, lambda: _throw(error))

        return (lambda: kind), handle


def _unless(swallowed: Any, action: Callable[[], None]) -> None:
    """Does something unless what `__exit__` has returned is true."""
    if isinstance(swallowed, SymbolicTensor):
        cond(swallowed, no_body, action)
    elif not swallowed:
        action()


def _throw(error: BaseException) -> NoReturn:
    raise error


__all__ = ["Manager", "may_swallow", "with_"]
