"""Graphs that run themselves, directly or through others.

Such a graph becomes a Python function of its own beside the plan, and calls of it are calls of that
function. A `Recursion` stands for the graph before it is finished and for the function before it is
compiled.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import TYPE_CHECKING, Any

from runtime.ops.registry import define, gradient

if TYPE_CHECKING:
    from runtime.graph import FunctionGraph

DEEPEST = 200_000 if sys.version_info >= (3, 11) else 20_000
"""So many calls within calls are an endless recursion."""


class Marker:
    """Stands for the function of a recursive graph until plans are linked."""

    def __init__(self, recursion: Recursion) -> None:
        self.recursion = recursion
        self.__name__ = recursion.name

    def __call__(self, *values: Any) -> Any:
        raise AssertionError("a recursive graph runs in plans only")


class Recursion:
    """A recursive graph.

    Attributes:
      name: the function's.
      graph: the graph, when it is finished.
      function: what runs it, when it is compiled.
      plan: the plan that `function` belongs to.
      marker: what plans bind for it before they are linked.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.graph: FunctionGraph | None = None
        self.function: Callable[..., Any] | None = None
        self.plan: Any = None
        self.marker = Marker(self)

    def __repr__(self) -> str:
        return self.name


def link(function: Any, bindings: dict[str, Any], compiled: Callable[[Any, str], Any]) -> list[Any]:
    """Puts functions in the place of markers in a plan's closure.

    Args:
      function: the plan's function.
      bindings: what its factory was called with.
      compiled: makes the plan of a graph; called for graphs that have none yet.

    Returns:
      The plans of the functions that were put in.
    """
    plans: list[Any] = []
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    for name, thing in bindings.items():
        if type(thing) is Marker and name in cells:
            recursion = thing.recursion
            if recursion.function is None:
                assert recursion.graph is not None, "the graph is still being traced"
                recursion.plan = compiled(recursion.graph, recursion.name)
            cells[name].cell_contents = recursion.function
            plans.append(recursion.plan)
    return plans


class _Everything:
    """A container of all numbers."""

    def __contains__(self, number: object) -> bool:
        return True


EVERY_INPUT = _Everything()


def _runs_in_plans_only(*values: Any, **attrs: Any) -> Any:
    raise AssertionError("a recursive graph runs in plans only")


def _define(name: str, stateful: bool) -> Any:
    # A result may be an argument, or share its memory: nobody may write to either.
    return define(
        name,
        kernel=_runs_in_plans_only,
        infer=lambda inputs, attrs: list(attrs["specs"]),
        specialise=lambda attrs, inputs: attrs["target"].marker,
        stateful=stateful,
        holds=EVERY_INPUT,
        fresh=False,
    )


RECURSE = _define("Recurse", stateful=False)
RECURSE_WITH_EFFECTS = _define("RecurseWithEffects", stateful=True)


@gradient(RECURSE, RECURSE_WITH_EFFECTS)
def _(op: Any, *dys: Any) -> Any:
    # Sweeps backwards stand on these operations: they cannot stand at the top.
    from runtime.gradients.reverse import structured_gradient

    return structured_gradient(op, dys)


class _Depth:
    """How many deep recursions are going on, and the limit as it was before the first."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.count = 0
        self.before = 0


_depth = _Depth()


@contextmanager
def room_for_recursion(frames: int = DEEPEST) -> Iterator[None]:
    """Within the block, Python allows at least so many calls within calls, in all threads."""
    _enter(frames)
    try:
        yield
    finally:
        _leave()


def _enter(frames: int) -> None:
    with _depth.lock:
        if _depth.count == 0:
            _depth.before = sys.getrecursionlimit()
        _depth.count += 1
        if sys.getrecursionlimit() < frames:
            sys.setrecursionlimit(frames)


def _leave() -> None:
    with _depth.lock:
        _depth.count -= 1
        if _depth.count == 0:
            sys.setrecursionlimit(_depth.before)


def with_room(function: FunctionType) -> Callable[..., Any]:
    """`function` with room for deep recursion."""

    def deep(*arrays: Any) -> Any:
        _enter(DEEPEST)
        try:
            return function(*arrays)
        finally:
            _leave()

    return deep
