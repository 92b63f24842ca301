"""Generators of the user's, gone over by staged loops.

`for v in doubled(rows): body` runs `doubled` turned inside out, with `body` as its consumer. What
the loops inside of the generator stage includes the body; so the variables that the body changes
are theirs to hand around, too: they are *ambient* while the generator runs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType, FunctionType
from typing import Any

from autograph_lite.errors import StagingError
from runtime.errors import SymbolicTensorError
from runtime.locations import user_location

State = tuple[Any, ...]
Variables = tuple[Callable[[], State], Callable[[State], Any], tuple[str, ...]]


class _Ambient(threading.local):
    stack: tuple[Variables, ...] = ()


_ambient = _Ambient()


def with_ambient(
    get_state: Callable[[], State], set_state: Callable[[State], Any], names: tuple[str, ...]
) -> Variables:
    """The variables of a construct, together with those of the loops around its generator."""
    variables = (get_state, set_state, names)
    for more in _ambient.stack:
        variables = _joined(variables, more)
    return variables


def _joined(variables: Variables, more: Variables) -> Variables:
    """The named variables of both; behind them, in the same order, what has no name."""
    get_state, set_state, names = variables
    more_get, more_set, more_names = more
    count, more_count = len(names), len(more_names)
    end = count + more_count
    unnamed = end + len(get_state()) - count

    def get_all() -> State:
        own, other = get_state(), more_get()
        return (*own[:count], *other[:more_count], *own[count:], *other[more_count:])

    def set_all(values: State) -> None:
        set_state((*values[:count], *values[end:unnamed]))
        more_set((*values[count:end], *values[unnamed:]))

    return get_all, set_all, (*names, *more_names)


def grouped(
    names: Sequence[str],
) -> Iterator[tuple[Sequence[str], tuple[CodeType, ...] | None]]:
    """The variables that `with_ambient` has joined, parted again.

    Each group comes with the code of the functions that share its variables; the first, which is
    of the innermost function, with None.
    """
    end = len(names)
    for getter, _, more in reversed(_ambient.stack):
        if tuple(names[end - len(more) : end]) != more:
            break  # they have not been joined
        if isinstance(getter, FunctionType):
            yield more, (getter.__code__,)
        end -= len(more)
    yield names[:end], None


@contextmanager
def _stack(stack: tuple[Variables, ...]) -> Iterator[None]:
    before = _ambient.stack
    _ambient.stack = stack
    try:
        yield
    finally:
        _ambient.stack = before


@contextmanager
def as_consumer(block: Callable[[Any], Any], variables: Variables) -> Iterator[Callable[..., None]]:
    """A block of statements as the consumer of a generator that runs within this context.

    Args:
      block: is given what the generator yields.
      variables: those that the block changes.
    """
    outside = _ambient.stack

    def consumer(item: Any) -> None:
        with _stack(outside):
            block(item)

    with _stack((*outside, variables)):
        yield _as_block(consumer)


def _as_block(consumer: Any) -> Any:
    """A function marked as the block of a loop or `with`.

    Converted code calls it as it is, with one of several values too: its variables are those of the
    statement, which a branch of its own would not hand on.
    """
    consumer.__ag_block__ = True
    return consumer


def _scopes() -> Any:
    # Branches know generators, and scopes are built on them.
    from autograph_lite.staging import scopes

    return scopes


class StagedGenerator:
    """What a call of a generator function gives while a graph is built.

    It is an iterator as ever; a `for` in converted code runs it turned inside out instead.
    """

    __ag_staged__ = True

    def __init__(
        self,
        native: Callable[..., Any],
        inverted: Callable[..., Any],
        args: tuple[Any, ...],
        keywords: dict[str, Any],
    ) -> None:
        self._native = native
        self._inverted = inverted
        self._args = args
        self._keywords = keywords
        self.running: Any = None
        self.state = "new"
        self._depth = _scopes().depth()
        _scopes().born(self)

    def go_over(
        self,
        body: Callable[[Any], Any],
        variables: Variables,
        extra_test: Callable[[], Any] | None,
    ) -> None:
        """Runs the generator with a loop's body as its consumer."""
        if self.state == "read":
            return
        if self.state == "left":
            raise StagingError(
                f"{user_location()}: a generator that a loop has left cannot be gone on with; make "
                "a list of it first"
            )
        self._become("read" if extra_test is None else "left")
        outside = _ambient.stack

        def consumer(item: Any) -> Any:
            with _stack(outside):
                body(item)
                return False if extra_test is None else _negated(extra_test())

        with _stack((*outside, variables)):
            self._inverted(_as_block(consumer), *self._args, **self._keywords)

    def _become(self, state: str) -> None:
        if _scopes().tracking():
            _scopes().note(self, "attribute", "state")
        self.state = state

    @property
    def is_started(self) -> bool:
        """Whether somebody has asked for items one by one already."""
        return self.running is not None

    def _iterator(self) -> Any:
        if self.running is None:
            self.running = self._native(*self._args, **self._keywords)
        return self.running

    def take(self, *default: Any) -> Any:
        """`next(generator)`: where a tensor decides, of the list of all items."""
        from autograph_lite.staging.iterables import counted, listed
        from autograph_lite.staging.iteration import StagedIterator

        if self._depth != _scopes().depth():
            raise StagingError(
                f"{user_location()}: next() of a generator that was made outside of this branch or "
                "loop cannot be staged; make a list of it first, and go over iter() of that"
            )
        if not isinstance(self.running, StagedIterator):
            try:
                return next(self._iterator(), *default)
            except (SymbolicTensorError, StagingError):
                self.running = None
            self.running = StagedIterator(counted(listed(self)))
        return self.running.take(*default)

    def __iter__(self) -> Any:
        return self._iterator()

    def __next__(self) -> Any:
        return next(self._iterator())

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self._iterator(), name)


def _negated(value: Any) -> Any:
    from autograph_lite.operators.logic import not_

    return not_(value)


def settled(values: Any) -> Any:
    """The items of a generator, or of a dict with keys of some paths, as a list; others as is."""
    listed_items = getattr(type(values), "listed", None)
    if listed_items is not None and type(values).__name__ == "DoubtfulItems":
        return listed_items(values)
    if not isinstance(values, StagedGenerator) or values.is_started:
        return values
    from autograph_lite.staging.iterables import listed

    return listed(values)


def iterated(values: Any) -> Any:
    """What a `for` over `values` goes over: of the user's own iterables, what `__iter__` gives."""
    if isinstance(values, dict):
        from autograph_lite.staging import dicts

        return dicts.opened(values)
    if isinstance(values, Iterator):
        from autograph_lite.staging.python_iterators import check_left

        check_left(values)
    kind = type(values)
    method = getattr(kind, "__iter__", None)
    if method is None and hasattr(getattr(kind, "__getitem__", None), "__code__"):
        from autograph_lite.operators.calls import inverted_generator

        return inverted_generator(_by_index)(values)
    if not hasattr(method, "__code__") or kind.__module__.partition(".")[0] in _OURS:
        return values
    from autograph_lite.operators.calls import converted

    return converted(method)(values)


def _by_index(values: Any) -> Iterator[Any]:
    """What Python gives of objects that have items, but do not say how to go over them."""
    index = 0
    while True:
        try:
            item = values[index]
        except IndexError:
            return
        yield item
        index += 1


_OURS = {"autograph_lite", "runtime", "builtins", "numpy"}
