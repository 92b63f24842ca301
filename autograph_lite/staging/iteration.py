"""`for` over what only the running graph knows, and the functions of Python that go over it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from autograph_lite.operators.conditionals import no_body
from autograph_lite.staging.conditionals import Later, cond, if_exp, select
from autograph_lite.staging.dicts import DoubtfulItems
from autograph_lite.staging.either import EitherValue, fork_effect
from autograph_lite.staging.generators import StagedGenerator
from autograph_lite.staging.iterables import (
    Counted,
    Endless,
    Following,
    arrays_of,
    counted,
    is_counted,
    python_items,
    unfiltered,
)
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.loops import LoopOptions, State, while_loop
from autograph_lite.staging.scopes import born, going_over, note, tracking
from autograph_lite.staging.unrolling import WantsPythonItems, check
from runtime.ops.comparison import logical_and
from runtime.tensor import Tensor

_PASSES_TO_CHECK = 100


def for_loop(
    iterable: Any,
    body: Callable[[Any], Any],
    get_state: Callable[[], State],
    set_state: Callable[[State], Any],
    names: tuple[str, ...],
    extra_test: Callable[[], Any] | None = None,
    options: LoopOptions | dict[str, Any] | None = None,
) -> None:
    """A `for` statement over a tensor, or over what is made of tensors.

    Args:
      iterable: what is gone over.
      body: `body(item)` binds the loop's target and runs its statements.
      get_state: gives the loop variables.
      set_state: sets them.
      names: what they are called.
      extra_test: False once a `break` or `return` has been met.
      options: what `set_loop_options` asked for.

    Raises:
      TypeError: it is a scalar.
    """
    if isinstance(iterable, StagedGenerator) and not iterable.is_started:
        iterable.go_over(body, (get_state, set_state, names), extra_test)
        return
    if isinstance(iterable, StagedGenerator) and isinstance(iterable.running, StagedIterator):
        iterable = iterable.running
    if isinstance(iterable, EitherValue):
        variables = (get_state, set_state, names)
        fork_effect(
            iterable, lambda one: for_loop(one, body, *variables, extra_test, options), variables
        )
        return
    if isinstance(iterable, DoubtfulItems):
        _go_over_doubtful(iterable, body, (get_state, set_state, names), extra_test, options)
        return
    if isinstance(iterable, StagedIterator):
        _go_on(iterable, body, (get_state, set_state, names), extra_test, options)
        return
    if not is_counted(iterable):
        _python_for(iterable, body, (get_state, set_state, names), extra_test, options)
        return
    source = counted(iterable)
    position = source.start()

    def test() -> Any:
        more = source.has(position)
        return more if extra_test is None else _both(more, extra_test)

    def step() -> None:
        nonlocal position
        item = source.item(position)
        kept = source.keeps(item)
        if kept is True:
            body(source.value(item))
        else:
            taken = lambda: body(source.value(item))  # noqa: E731
            cond(kept, taken, no_body, get_state, set_state, names)
        position = source.next(position)

    def get() -> State:
        return (position, *get_state())

    def set_(state: State) -> None:
        nonlocal position
        position = state[0]
        set_state(tuple(state[1:]))

    try:
        with going_over(arrays_of(source)):
            while_loop(test, step, get, set_, ("the position", *names), options)
    except WantsPythonItems as wanted:
        items = _few_items(source, wanted.most)
        if items is None:
            raise
        _python_for(items, body, (get_state, set_state, names), extra_test, options)


def _few_items(source: Counted, most: int | None) -> list[Any] | None:
    """The items, to unroll the loop over them; None if their number is not known, or too large."""
    items = python_items(source)
    if items is None:
        return None
    found = list(itertools.islice(items, None if most is None else most + 1))
    return None if most is not None and len(found) > most else found


def _go_over_doubtful(
    items: DoubtfulItems,
    body: Callable[[Any], Any],
    state: tuple[Any, ...],
    extra_test: Callable[[], Any] | None,
    options: Any,
) -> None:
    """A `for` over a dict: a pass for each key, for some of them only if it is there."""

    def step(pair: Any) -> None:
        item, bound = pair
        if bound is True:
            body(item)
        else:
            cond(bound, lambda: body(item), no_body, *state)

    _python_for(items.found, step, state, extra_test, options)


def _go_on(
    iterator: StagedIterator,
    body: Callable[[Any], Any],
    state: tuple[Any, ...],
    extra_test: Callable[[], Any] | None,
    options: Any,
) -> None:
    """A `for` over an iterator, which the body may ask for items too."""
    source = iterator.source

    def test() -> Any:
        more = source.has(iterator.position)
        return more if extra_test is None else _both(more, extra_test)

    def step() -> None:
        position = iterator.position
        item = source.item(position)
        iterator.move(source.next(position))
        body(source.value(item))

    while_loop(test, step, *state, options)  # type: ignore[call-arg]


def _python_for(
    iterable: Any,
    body: Callable[[Any], Any],
    state: tuple[Any, ...],
    extra_test: Callable[[], Any] | None,
    options: Any,
) -> None:
    """The list that is gone over has turned out to be an ordinary one.

    Where a pass makes its length depend on a tensor, what is left of it is gone over in the graph.
    """
    iterator = iter(iterable)
    if extra_test is not None:
        for_rest(iterator, body, *state, extra_test, options, iterable)  # type: ignore[call-arg]
        return
    for passes, item in enumerate(iterator, 1):
        body(item)
        if passes % _PASSES_TO_CHECK == 0:
            check(passes)
        if is_dynamic(iterable):
            for_loop(Following(iterable, passes), body, *state, None, options)  # type: ignore[call-arg]
            return


def _both(more: Tensor, extra_test: Callable[[], Any]) -> Any:
    go_on = extra_test()
    if isinstance(go_on, bool):
        return more if go_on else False
    return logical_and(more, go_on)


def for_rest(
    iterator: Iterator[Any],
    body: Callable[[Any], Any],
    get_state: Callable[[], State],
    set_state: Callable[[State], Any],
    names: tuple[str, ...],
    extra_test: Callable[[], Any],
    options: Any = None,
    owner: Any = None,
) -> None:
    """What is left of a `for` over Python items, once a `break` has come to depend on a tensor.

    Each item that is left becomes a pass under the condition that none has broken out before.
    `owner` is the list that is gone over from its first item, if it is one: its length may come to
    depend on a tensor.
    """
    if type(iterator) is itertools.count:
        first = next(iterator)
        rest: Counted = Endless(first, next(iterator) - first)
        for_loop(rest, body, get_state, set_state, names, extra_test, options)
        return
    if hasattr(type(iterator), "ag_counted"):
        rest = iterator.ag_counted()  # type: ignore[attr-defined]
        for_loop(rest, body, get_state, set_state, names, extra_test, options)
        return
    for passes, item in enumerate(iterator, 1):
        going = extra_test()
        if isinstance(going, Tensor):
            cond(going, partial(body, item), no_body, get_state, set_state, names)
        elif going:
            body(item)
        else:
            return
        if is_dynamic(owner):
            left = Following(owner, passes)
            for_loop(left, body, get_state, set_state, names, extra_test, options)
            return


class StagedIterator:
    """`iter(...)` of what only the running graph knows: it remembers how far it has come."""

    __ag_staged__ = True
    __ag_iterator__ = True

    def __init__(self, source: Counted) -> None:
        self.source = unfiltered(source)
        self.position = self.source.start()
        born(self)

    def move(self, position: Any) -> None:
        """Goes to another position."""
        if tracking():
            note(self, "attribute", "position")
        self.position = position

    def take(self, *default: Any) -> Any:
        """`next(iterator)`, or with a default."""
        position = self.position

        def exhausted() -> Any:
            if default:
                return default[0]
            raise StopIteration

        more = self.source.has(position)

        def available() -> Any:
            item = self.source.value(self.source.item(position))
            return item, self.source.next(position)

        def nothing() -> Any:
            return exhausted(), position

        item, position = if_exp(more, available, nothing)
        self.move(position)
        return item


def fold(
    function: Callable[[Any, Any], Any],
    values: Any,
    *initial: Any,
    error: Exception | None = None,
) -> Any:
    """`functools.reduce(function, values, *initial)`.

    Args:
      function: takes the total and the next item.
      values: what gives the items.
      *initial: the total at first.
      error: what is raised when there are no items and no initial value.

    Raises:
      TypeError: the same, when the graph runs, if nothing else is given.
    """
    if not initial:
        iterator = values if isinstance(values, StagedIterator) else StagedIterator(counted(values))

        def empty() -> Any:
            raise error or TypeError("reduce() of empty iterable with no initial value")

        position, source = iterator.position, iterator.source
        first = Later(lambda: source.value(source.item(position)))
        initial = (select([(source.has(position), first)], empty, "the first item"),)
        iterator.move(source.next(position))
        values = iterator
    total = initial[0]

    def body(item: Any) -> None:
        nonlocal total
        total = function(total, item)

    def set_state(state: State) -> None:
        nonlocal total
        (total,) = state

    for_loop(values, body, lambda: (total,), set_state, ("the total",))
    return total
