"""Leaving the trace for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from autograph_lite.watching import unwatched
from runtime import variables
from runtime.context import building, thread


@contextmanager
def init_scope() -> Iterator[None]:
    """Within the block operations run at once, even while a function is traced.

    Variables made there belong to no trace.

    >>> import autograph_lite as ag
    >>> @ag.function
    ... def f(x):
    ...     with ag.init_scope():
    ...         print(ag.executing_eagerly(), end=" ")
    ...     return x
    >>> int(f(ag.constant(1)))
    True 1
    """
    hook, variables.creation.hook = variables.creation.hook, None
    scope, thread.name_scope = thread.name_scope, ""
    try:
        with building(None), unwatched():
            yield
    finally:
        variables.creation.hook = hook
        thread.name_scope = scope
