"""`while` and `for` statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from autograph_lite.operators.conditionals import Values, no_state, set_no_state
from autograph_lite.operators.dispatch import asked, is_staged, staging_active

__all__ = ["for_loop", "while_loop"]

Options = dict[str, Any]

_PASSES_TO_CHECK = 1000
"""After so many passes of a Python loop it is looked at what they add to the graph."""

_PASSES_WITHOUT_END = 20
"""After so many passes, a `while True` is staged if errors that the graph raises may leave it."""


def _may_end(test: Callable[[], Any]) -> bool:
    """Whether a condition may come to say no: it is not `True` itself."""
    code = getattr(test, "__code__", None)
    return code is None or bool(code.co_names or code.co_freevars)


def while_loop(
    test: Callable[[], Any],
    body: Callable[[], None],
    get_state: Callable[[], Values] = no_state,
    set_state: Callable[[Values], None] = set_no_state,
    names: tuple[str, ...] = (),
    options: Options | None = None,
) -> None:
    """A `while` statement.

    Args:
      test: the condition, asked before each pass.
      body: one pass.
      get_state: gives the values of the variables that the loop changes and that are needed.
      set_state: gives these variables new values.
      names: the names of these variables.
      options: what `set_loop_options` said.

    Example:
      >>> box = [3]
      >>> while_loop(lambda: box, lambda: print(box.pop()))
      3
    """
    if staging_active():
        from autograph_lite.staging.later_reads import pending

        with pending(test):
            return _while(test, body, (get_state, set_state, names), options)
    return _while(test, body, (get_state, set_state, names), options)


def _while(
    test: Callable[[], Any],
    body: Callable[[], None],
    state: tuple[Any, ...],
    options: Options | None,
) -> None:
    get_state, set_state, names = state
    passes = 0
    while True:
        going = asked(test())
        passes += 1
        if passes % _PASSES_TO_CHECK == 0 and staging_active():
            from autograph_lite.staging import unrolling

            unrolling.check(passes)
        if is_staged(going):
            from autograph_lite.staging import loops as staged

            # The test may become a tensor in the middle: what is left of the loop is staged then.
            return staged.while_loop(test, body, get_state, set_state, names, options, going)
        if not going:
            return None
        if passes == _PASSES_WITHOUT_END and staging_active() and not _may_end(test):
            from autograph_lite.staging import loops as staged
            from autograph_lite.staging import raising, scopes

            if raising.has_staged():
                staged.while_loop(test, body, get_state, set_state, names, options, True)
                raise scopes.NeverReturns("only an error leaves the loop")
        body()


def for_loop(
    iterable: Any,
    body: Callable[[Any], None],
    get_state: Callable[[], Values] = no_state,
    set_state: Callable[[Values], None] = set_no_state,
    names: tuple[str, ...] = (),
    extra_test: Callable[[], Any] | None = None,
    options: Options | None = None,
) -> None:
    """A `for` statement.

    Args:
      iterable: what is iterated over.
      body: one pass; it gets the item.
      get_state: gives the values of the variables that the loop changes and that are needed.
      set_state: gives these variables new values.
      names: the names of these variables.
      extra_test: asked before the first pass and after each; if it says no, the loop ends without
        asking for another item.
      options: what `set_loop_options` said.

    Example:
      >>> for_loop('ab', print)
      a
      b
    """
    if staging_active():
        from autograph_lite.staging.generators import iterated

        iterable = iterated(iterable)
        if type(iterable).__module__ == "numpy":
            from autograph_lite.staging.scopes import each_of

            iterable = each_of(iterable)
        if isinstance(getattr(type(iterable), "__next__", None), FunctionType):
            from autograph_lite.staging import user_iterators as by_next

            if by_next.is_users_iterator(iterable):
                return by_next.for_loop(
                    iterable, body, get_state, set_state, names, extra_test, options
                )
    if is_staged(iterable):
        from autograph_lite.staging import iteration as staged

        return staged.for_loop(iterable, body, get_state, set_state, names, extra_test, options)
    if extra_test is None:
        for item in iterable:
            body(item)
        return None
    return _for_with_test(iterable, body, (get_state, set_state, names), extra_test, options)


def _for_with_test(
    iterable: Iterable[Any],
    body: Callable[[Any], None],
    state: tuple[Any, ...],
    extra_test: Callable[[], Any],
    options: Options | None,
) -> None:
    iterator = iter(iterable)
    for item in iterator:
        body(item)
        going = extra_test()
        if is_staged(going):
            from autograph_lite.staging import iteration as staged

            # A break depends on a tensor: what is left of the loop is staged.
            staged.for_rest(iterator, body, *state, extra_test, options)  # type: ignore[call-arg]
            if iterator is iterable:
                from autograph_lite.staging.python_iterators import leave

                leave(iterator)
            return
        if not going:
            return
    return
