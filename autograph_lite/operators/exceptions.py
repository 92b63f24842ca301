"""`try` statements of functions that are being traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.operators.conditionals import Values, no_state, set_no_state
from autograph_lite.operators.dispatch import is_staged, staging_active
from runtime.locations import user_location

__all__ = ["except_star", "raising", "try_"]

Handler = tuple[Callable[[], Any], Callable[[BaseException], None] | None]


class except_star:
    """What stands around a `try` with `except*`, which is not staged.

    Example:
      >>> with except_star():
      ...     print("tried")
      tried
    """

    def __enter__(self) -> None:
        self._watching: Any = None
        if staging_active():
            from autograph_lite.staging import exceptions as staged

            self._watching = staged.watching_risks()
            self._risks = self._watching.__enter__()

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self._watching is None:
            return
        self._watching.__exit__(None, None, None)
        if kind is None and self._risks.found:
            raise StagingError(
                f"{user_location()}: `except*` around code that may raise when the graph runs "
                "cannot be staged; write `except`"
            )


def raising(error: Any) -> Any:
    """What `raise error` raises.

    Example:
      >>> raising(KeyError)
      <class 'KeyError'>
    """
    if is_staged(error):
        from autograph_lite.staging import raising as staged

        return staged.raising(error)
    return error


def try_(
    try_body: Callable[[], None] | None,
    handlers: tuple[Handler, ...],
    else_body: Callable[[], None] | None = None,
    finally_body: Callable[[], None] | None = None,
    get_state: Callable[[], Values] = no_state,
    set_state: Callable[[Values], None] = set_no_state,
    names: tuple[str, ...] = (),
) -> None:
    """A `try` statement.

    Args:
      try_body: what may raise.
      handlers: pairs of a function that gives the exceptions it is for, and the `except` clause.
      else_body: what runs if nothing was raised.
      finally_body: what runs in any case.
      get_state: gives the values of the variables that the parts change and that are needed.
      set_state: gives these variables new values.
      names: the names of these variables. Values without a name are not needed afterwards; they
        are set before the body is traced again, as they were before it.

    Example:
      >>> try_(lambda: [][0], ((lambda: IndexError, lambda error: print('caught')),))
      caught
    """
    if staging_active():
        from autograph_lite.staging import exceptions as staged

        staged.try_(try_body, handlers, else_body, finally_body, (get_state, set_state, names))
        return
    python_try(try_body, handlers, else_body, finally_body)


def python_try(
    try_body: Callable[[], None] | None,
    handlers: tuple[Handler, ...],
    else_body: Callable[[], None] | None,
    finally_body: Callable[[], None] | None,
) -> None:
    """A `try` statement over Python values only."""
    try:
        try:
            if try_body is not None:
                try_body()
        except BaseException as error:
            if not handle(error, handlers):
                raise
        else:
            if else_body is not None:
                else_body()
    finally:
        if finally_body is not None:
            finally_body()


def handle(error: BaseException, handlers: tuple[Handler, ...]) -> bool:
    """Runs the first `except` clause that is for `error`; False if there is none.

    Raises:
      TypeError: a clause names something that is not an exception class.
    """
    for kinds, handler in handlers:
        found = kinds()
        for kind in found if isinstance(found, tuple) else (found,):
            if not (isinstance(kind, type) and issubclass(kind, BaseException)):
                raise TypeError(
                    "catching classes that do not inherit from BaseException is not allowed"
                )
        if isinstance(error, found):
            if handler is not None:
                handler(error)
            return True
    return False
