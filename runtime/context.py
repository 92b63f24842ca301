"""What each thread is doing: the graph it builds, the tapes that listen, and NumPy's error state.

`shared.busy` counts, over all threads, the graphs being built and the tapes listening. While it is
zero an eager operation may skip every look at the thread's own state; that keeps `a + b` on small
tensors close to NumPy's own cost.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from runtime.dtypes import DType
    from runtime.graph import Graph


class _Shared:
    """State of the process; `busy` is only ever written under `lock`."""

    __slots__ = ("busy", "lock")

    def __init__(self) -> None:
        self.busy = 0
        self.lock = threading.Lock()


class _Thread(threading.local):
    """State of one thread."""

    graph: Graph | None = None
    """The graph that operations are added to; None while executing eagerly."""
    recorders: tuple[Any, ...] = ()
    """Gradient tapes and forward accumulators that are listening, outermost first."""
    before_adding: Callable[[Any], None] | None = None
    """Called with the op of each operation that is about to be added to a graph."""
    name_scope: str = ""
    """The prefix of the names of new operations and variables."""
    device: str = ""
    wide_floats: bool = False
    """Whether Python's floats become float64 where no dtype is named, not float32."""


shared = _Shared()
thread = _Thread()


def current_graph() -> Graph | None:
    """The graph under construction in this thread, or None while executing eagerly."""
    return thread.graph


def executing_eagerly() -> bool:
    """Whether operations run at once in this thread rather than become part of a graph.

    >>> executing_eagerly()
    True
    """
    return thread.graph is None


def enter_busy() -> None:
    """Notes that a graph is being built or a tape listens, somewhere."""
    with shared.lock:
        shared.busy += 1


def leave_busy() -> None:
    """Takes one `enter_busy` back."""
    with shared.lock:
        shared.busy -= 1


@contextmanager
def building(graph: Graph | None) -> Iterator[None]:
    """Within the block, this thread's operations go to `graph`; with None they run at once."""
    before = thread.graph
    enter_busy()
    thread.graph = graph
    try:
        yield
    finally:
        thread.graph = before
        leave_busy()


@contextmanager
def unnoticed() -> Iterator[None]:
    """Within the block, `before_adding` is not told of new operations."""
    before = thread.before_adding
    thread.before_adding = None
    try:
        yield
    finally:
        thread.before_adding = before


@contextmanager
def floats_of(given: Iterable[DType], is_part: bool = False) -> Iterator[None]:
    """Within the block, Python's floats become float64 beside data of these dtypes.

    They do where some of the data are float64 and none have fewer bits: they keep their digits
    then. Otherwise they become float32, as in TensorFlow.

    Args:
      given: the dtypes.
      is_part: whether the block is a part of another one, which is asked where none are floats.
    """
    before = thread.wide_floats
    sizes = [dtype.size // (2 if dtype.kind == "c" else 1) for dtype in given if dtype.kind in "fc"]
    if sizes or not is_part:
        thread.wide_floats = bool(sizes) and min(sizes) == 8
    try:
        yield
    finally:
        thread.wide_floats = before


_converter: Callable[[Any], Any] | None = None


def set_converter(converter: Callable[[Any], Any]) -> None:
    """Has functions of the user's converted that operations call while a graph is built.

    Args:
      converter: `converter(function)` gives what to call in its place.
    """
    global _converter
    _converter = converter


def as_called(function: Any) -> Any:
    """What to call in the place of a user's function: its control flow may have to be staged."""
    if thread.graph is None or _converter is None:
        return function
    return _converter(function)


def _quiet_switches() -> tuple[Any, Any]:
    """Two functions that turn NumPy's floating point warnings off and on again.

    Arithmetic here answers with NaN, infinity or a wrapped integer and never warns. `np.errstate`
    says so too, at four times the cost; it is the way for a NumPy that has moved its switch.
    """
    umath = np._core.umath  # type: ignore[attr-defined]
    try:
        switch = umath._extobj_contextvar
        ignore = umath._make_extobj(all="ignore")
    except AttributeError:

        def errstate_off() -> Any:
            state = np.errstate(all="ignore")
            state.__enter__()
            return state

        def errstate_on(state: Any) -> None:
            state.__exit__(None, None, None)

        return errstate_off, errstate_on

    set_switch = switch.set

    def off() -> Any:
        return set_switch(ignore)

    return off, switch.reset


warnings_off, warnings_on = _quiet_switches()
