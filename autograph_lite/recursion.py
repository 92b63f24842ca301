"""Functions that call themselves while they are traced.

When a call needs the very trace that is being made, it cannot be inlined: it becomes an operation
that runs the finished graph. What the call gives is not known at first. So the first pass takes
such calls for paths that never return, and the paths that end tell the types; with these the
function is traced again, until types, captures and effects come out as they went in.
"""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograph_lite.arguments import Key
from autograph_lite.code_reads import code_reads
from autograph_lite.errors import StagingError
from autograph_lite.outputs import OutputTemplate
from autograph_lite.staging.scopes import NeverReturns, trace
from autograph_lite.staging.specs import Spec, join, spec_of
from autograph_lite.trace_cache import TraceCache, subsumes, without_shapes
from runtime.control_flow import graph_effects
from runtime.convert import convert_to_tensor
from runtime.graph import FunctionGraph
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.registry import Spec as OutputSpec
from runtime.recursion import RECURSE, RECURSE_WITH_EFFECTS, Recursion
from runtime.tensor import Tensor

_MOST_PASSES = 12
_SHAPES_BEFORE_RELAXING = 2
_DEEPEST_TRACING = 100
"""So many traces of one function within one another come to no end."""
_MOST_CALLS = 100
_MANY_CALLS = 20
_NEARLY_FULL = 0.8
"""How much of the stack is used when many calls of one function are taken for endless ones."""


class Unfinished(NeverReturns):
    """A function calls itself, and it is not known yet what that gives."""


class ActiveTrace:
    """A trace being made, which calls further in may turn out to need.

    Attributes:
      cache: the traces of its function.
      key: its key.
      called: whether it has called itself.
      is_part: whether it is of a plain function, which a traced one calls.
      arrays: of a part, which tensors that it is handed stand for arrays of NumPy's.
      needs: the position in the stack of the outermost trace that it depends on.
    """

    def __init__(self, cache: TraceCache, key: Key, name: str, position: int) -> None:
        self.cache = cache
        self.key = key
        self.name = name
        self.position = position
        self.needs = position
        self.is_part = False
        self.arrays: Sequence[bool] = ()
        self.called = False
        self.recursion = Recursion(name)
        # Tensors that stand for arrays from outside, the same ones in each pass.
        self.stand_ins: dict[int, tuple[Any, Any]] = {}
        self.passes = 0
        self.spec: Spec | None = None
        self.captures: list[Tensor] = []
        self.has_effects = False
        self._settled = True

    # ---- passes

    def begin(self, graph: FunctionGraph) -> None:
        """Starts a pass that is traced into `graph`."""
        self.passes += 1
        self.called = False
        self._settled = True
        if self.passes > _MOST_PASSES:
            raise StagingError(
                f"{user_location()}: the result of {self.name}, which calls itself, changes its "
                "type with every call; give it a fixed dtype and rank"
            )
        for tensor in self.captures:
            graph.resolve(tensor)

    def settle(self, result: Any) -> Any:
        """Compares what a pass gave with what was assumed; gives the result to hand on."""
        value = _with_weak_numbers(result)
        found = spec_of(value, f"the result of {self.name}")
        if self.spec is None:
            self.spec, self._settled = found, False
            return value
        label = f"the result of {self.name}"
        joined = join(self.spec, found, label, "of the function, which calls itself")
        if joined != self.spec:
            self.spec, self._settled = joined, False
            return value
        return joined.build(iter(joined.leaves(value, label)))

    def is_settled(self, graph: FunctionGraph) -> bool:
        """Whether the pass into `graph` is the last; if not, the next one knows more."""
        captures = [outside for outside, _ in graph.captures]
        if list(map(id, captures)) != list(map(id, self.captures)):
            self.captures, self._settled = captures, False
        if graph_effects(graph) != self.has_effects:
            self.has_effects, self._settled = not self.has_effects, False
        if self._settled:
            graph.recursion = self.recursion
            self.recursion.graph = graph
        return self._settled

    def never_ended(self, never: NeverReturns) -> None:
        """All paths of a pass raise, or call the function itself."""
        if self.needs < self.position:
            raise never
        if self.called:
            raise StagingError(
                f"{user_location()}: {self.name} calls itself on every path, so that it would "
                "never end; give it a path that ends without a call of itself, chosen by an `if`"
            )

    # ---- calls

    def call(self, leaves: Sequence[Any]) -> Any:
        """A call of the function from within its own trace."""
        self.called = True
        for deeper in _stack.traces[self.position + 1 :]:
            deeper.needs = min(deeper.needs, self.position)
        if self.spec is None:
            raise Unfinished(f"{self.name} calls itself")
        inputs = [convert_to_tensor(leaf) for leaf in leaves]
        attrs = {
            "target": self.recursion,
            "specs": tuple(OutputSpec(t.dtype, t.shape) for t in self.spec.tensors()),
            "outputs_list": True,
        }
        op = RECURSE_WITH_EFFECTS if self.has_effects else RECURSE
        return self.spec.build(iter(apply(op, [*inputs, *self.captures], attrs, self.name)))


class _Stack(threading.local):
    traces: tuple[ActiveTrace, ...] = ()


_stack = _Stack()


def check_depth(cache: TraceCache, name: str) -> None:
    """Refuses traces within traces of one function that come to no end."""
    if sum(active.cache is cache for active in _stack.traces) >= _DEEPEST_TRACING:
        raise StagingError(
            f"{user_location()}: {name} calls itself again and again with other Python values or "
            "shapes, so that tracing never ends; pass the values that change as tensors"
        )


@contextmanager
def entering(cache: TraceCache, key: Key, name: str) -> Iterator[ActiveTrace]:
    """Within the block, a trace is being made."""
    before = _stack.traces
    active = ActiveTrace(cache, key, name, len(before))
    _stack.traces = (*before, active)
    try:
        yield active
    finally:
        _stack.traces = before


def active_trace(cache: TraceCache, key: Key) -> ActiveTrace | None:
    """The trace being made in this thread that a call needs, if there is one."""
    for active in reversed(_stack.traces):
        if active.cache is cache and subsumes(active.key, key):
            return active
    return None


def shapes_vary(cache: TraceCache, key: Key) -> list[Key]:
    """The keys of traces being made that differ from `key` in shapes only, if there are enough."""
    wanted = without_shapes(key)
    keys = [a.key for a in _stack.traces if a.cache is cache and without_shapes(a.key) == wanted]
    return keys if len(keys) >= _SHAPES_BEFORE_RELAXING else []


def is_under_condition(code: Any) -> bool:
    """Whether the function with this code is running, and calls from inside a staged branch."""
    frame = sys._getframe(1)
    staged = False
    while frame is not None:
        if frame.f_code is code:
            return staged
        staged = staged or frame.f_code is trace.__code__
        frame = frame.f_back  # type: ignore[assignment]
    return False


def refuse_endless(code: types.CodeType, name: str) -> None:
    """Refuses one more call of a function within itself, if there are so many that none ends it.

    Args:
      code: of a function that is called in place, since it is handed Python values, or binds
        variables of the function around it.
      name: what it is called.
    """
    frames = own = 0
    frame = sys._getframe(1)
    while frame is not None:
        frames += 1
        own += frame.f_code is code
        frame = frame.f_back  # type: ignore[assignment]
    is_full = frames >= sys.getrecursionlimit() * _NEARLY_FULL
    if own < _MOST_CALLS and not (own >= _MANY_CALLS and is_full):
        return
    bound = ", ".join(chain.name for chain in code_reads(code).stored)
    if bound:
        why, mend = f"binds {bound} of the function around it", f"hand {bound} on as an argument"
    else:
        why, mend = "is handed Python values or lists", "hand it tensors alone"
    raise StagingError(
        f"{user_location()}: {name} calls itself in branches of which tensors decide, and {why}, "
        f"so that each call is traced anew and tracing does not end; {mend} and return what it "
        "makes, or write a loop"
    )


def _with_weak_numbers(result: Any) -> Any:
    """A result with tensors for all but Python's numbers, whose dtype is still open."""
    from autograph_lite.tracing import output_tensor

    def to_tensor(value: Any) -> Tensor | None:
        return None if type(value) in (bool, int, float, complex) else output_tensor(value)

    template = OutputTemplate(result, to_tensor)
    return template.fill(template.tensors)
