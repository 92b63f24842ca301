"""`with` statements of functions that are being traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph_lite.operators.conditionals import Values, no_state, set_no_state
from autograph_lite.operators.dispatch import staging_active

__all__ = ["with_"]


def with_(
    manager: Any,
    body: Callable[[Any], None],
    get_state: Callable[[], Values] = no_state,
    set_state: Callable[[Values], None] = set_no_state,
    names: tuple[str, ...] = (),
) -> None:
    """A `with` statement with one context manager.

    Args:
      manager: the context manager.
      body: the block; it is given what the manager's `__enter__` gives.
      get_state: gives the values of the variables that the block changes and that are needed.
      set_state: gives these variables new values.
      names: the names of these variables. Values without a name are not needed afterwards; they
        are set before the block is traced again, as they were before it.

    Example:
      >>> import contextlib
      >>> with_(contextlib.nullcontext(3), print)
      3
    """
    if staging_active():
        from autograph_lite.staging import contexts as staged

        staged.with_(manager, body, (get_state, set_state, names))
        return
    with manager as value:
        body(value)
