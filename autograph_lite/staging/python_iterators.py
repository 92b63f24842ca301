"""`iter` and `next` of Python's own iterators, which move while tracing, once."""

from __future__ import annotations

import builtins
import types
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.operators.calls import converted, is_users_own
from autograph_lite.staging.scopes import born, made_outside, stack
from runtime.locations import user_location


def iter_(values: Any, *sentinel: Any) -> Any:
    """`iter(values)`, of which is known where it was made."""
    made = builtins.iter(values, *sentinel)
    if made is not values:
        born(made)
    return made


def next_(iterator: Any, *default: Any) -> Any:
    """`next(iterator)`

    Raises:
      StagingError: the iterator was made outside of the branch or loop that is being traced, which
        would move it once, however often it runs.
    """
    check_left(iterator)
    if made_outside(iterator):
        raise StagingError(
            f"{user_location()}: next() of a Python iterator that was made outside of this branch "
            "or loop cannot be staged; make a tensor of its items, or count a position"
        )
    method = getattr(type(iterator), "__next__", None)
    if not default and is_users_own(method):
        return converted(types.MethodType(method, iterator))()  # type: ignore[arg-type]
    return builtins.next(iterator, *default)


def leave(iterator: Any) -> None:
    """Notes that a loop leaves an iterator where a tensor decides: the trace has read all of it."""
    scopes = stack()
    if scopes:
        scopes[0].left[id(iterator)] = iterator


def check_left(iterator: Any) -> None:
    """Refuses an iterator of which only the running graph knows how far a loop has read it."""
    scopes = stack()
    if scopes and id(iterator) in scopes[0].left:
        raise StagingError(
            f"{user_location()}: an iterator that a loop has left where a tensor decides cannot be "
            "gone on with; make a list of what it gives first, and count a position"
        )


__all__ = ["check_left", "iter_", "leave", "next_"]
