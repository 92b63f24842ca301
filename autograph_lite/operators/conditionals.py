"""`if` statements and conditional expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from autograph_lite.operators.dispatch import asked, is_staged

__all__ = ["cond", "if_exp"]

T = TypeVar("T")
Values = tuple[Any, ...]


def no_state() -> Values:
    """Reads the variables of a construct that changes none."""
    return ()


def set_no_state(values: Values) -> None:
    """Sets the variables of a construct that changes none."""


def no_body() -> None:
    """The body of an absent `else`."""


def cond(
    test: Any,
    if_body: Callable[[], None] | None,
    else_body: Callable[[], None] | None = None,
    get_state: Callable[[], Values] = no_state,
    set_state: Callable[[Values], None] = set_no_state,
    names: tuple[str, ...] = (),
) -> None:
    """An `if` statement.

    Args:
      test: the condition.
      if_body: the first branch.
      else_body: the other branch.
      get_state: gives the values of the variables that the branches change and that are needed.
      set_state: gives these variables new values.
      names: the names of these variables. Values without a name are not needed afterwards; they
        are set before the second branch is traced, as they were before the first.

    Example:
      >>> cond(2 > 1, lambda: print('yes'), lambda: print('no'))
      yes
    """
    test = asked(test)
    if is_staged(test):
        from autograph_lite.staging import conditionals as staged

        return staged.cond(
            test, if_body or no_body, else_body or no_body, get_state, set_state, names
        )
    if test:
        if if_body is not None:
            if_body()
    elif else_body is not None:
        else_body()
    return None


def if_exp(test: Any, if_value: Callable[[], T], else_value: Callable[[], T]) -> T:
    """A conditional expression, `if_value() if test else else_value()`.

    Example:
      >>> if_exp(2 > 1, lambda: 'yes', lambda: 'no')
      'yes'
    """
    test = asked(test)
    if is_staged(test):
        from autograph_lite.staging import conditionals as staged

        return staged.if_exp(test, if_value, else_value)
    return if_value() if test else else_value()
