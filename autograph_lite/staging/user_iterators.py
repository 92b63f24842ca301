"""`for` over an iterator of a class of the user's, whose `__next__` may end it by a tensor."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from autograph_lite.operators.calls import converted, is_users_own
from autograph_lite.operators.conditionals import cond
from autograph_lite.operators.exceptions import try_
from autograph_lite.operators.logic import and_
from autograph_lite.operators.loops import while_loop
from autograph_lite.operators.undefined import Undefined
from autograph_lite.staging.specs import MaybeUnbound

State = tuple[Any, ...]


def is_users_iterator(values: Any) -> bool:
    """Whether `values` is an iterator whose `__next__` is the user's."""
    return is_users_own(getattr(type(values), "__next__", None))


def for_loop(
    iterator: Any,
    body: Callable[[Any], Any],
    get_state: Callable[[], State],
    set_state: Callable[[State], Any],
    names: tuple[str, ...],
    extra_test: Callable[[], Any] | None,
    options: Any,
) -> None:
    """Asks for one item after the other until StopIteration is raised, now or in the graph."""
    advance = converted(types.MethodType(type(iterator).__next__, iterator))
    going: Any = True
    item: Any = Undefined("the item")

    def get() -> State:
        return (going, item)

    def set_(state: State) -> None:
        nonlocal going, item
        going, item = state

    def get_all() -> State:
        return (*get(), *get_state())

    def set_all(state: State) -> None:
        set_(state[:2])
        set_state(tuple(state[2:]))

    def ask() -> None:
        nonlocal item
        item = advance()

    def stop(error: BaseException) -> None:
        nonlocal going
        going = False

    def taken() -> None:
        body(item.value if isinstance(item, MaybeUnbound) else item)

    def step() -> None:
        own = ("whether there is more", "the item")
        try_(ask, ((lambda: StopIteration, stop),), None, None, get, set_, own)
        cond(going, taken, None, get_state, set_state, names)

    def test() -> Any:
        return going if extra_test is None else and_(going, extra_test)

    all_names = ("whether there is more", "the item", *names)
    while_loop(test, step, get_all, set_all, all_names, options)


__all__ = ["for_loop", "is_users_iterator"]
