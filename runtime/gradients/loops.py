"""The gradient of a `While`: a `While` that goes through its passes in reverse order.

On its way forward the loop saves, each pass, the values that the gradient of its body needs; the
gradient pops them until none are left. It carries the gradients of the loop variables, and sums up
those of tensors and variables that the body uses from outside.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime import context, dtypes
from runtime.context import building
from runtime.control_flow import build_while, function_graph
from runtime.gradients import saving
from runtime.gradients.activity import loop_usefulness, loop_variation
from runtime.gradients.backward_graph import (
    BackwardGraph,
    announce,
    announce_before,
    announce_behind,
    placed_before,
    placed_behind,
    position,
    prune,
)
from runtime.gradients.reverse import Gradients, Sweep, ToVariables
from runtime.gradients.sums import added, carries_gradient, zeros_for, zeros_for_variable
from runtime.gradients.trips import pass_counter, trips_of
from runtime.graph import FunctionGraph
from runtime.ops.apply import apply
from runtime.ops.state import READ
from runtime.shapes import SCALAR, TensorShape
from runtime.tensor import SymbolicTensor, Tensor


def while_gradient(
    op: Any, given: Gradients, wanted: list[bool], variables: list[Any]
) -> tuple[Gradients, ToVariables]:
    """The gradients of the inputs of a `While`, and of variables that its body reads.

    Args:
      op: the `While`. It is made to save what the gradient needs of its passes.
      given: the gradients of its outputs.
      wanted: which inputs' gradients are wanted.
      variables: the variables whose gradients are wanted.
    """
    loop = _LoopGradient(op, given, wanted, variables)
    loop.trace_body()
    if not loop.has_results():
        return [None] * len(op.inputs), []
    return loop.build()


class _LoopGradient:
    """The gradient of one loop while it is made.

    Attributes:
      active: the numbers of the loop variables whose gradients are carried.
      sums: what is summed up over the passes: where it starts, its part of a pass, and a place to
        put the total.
    """

    def __init__(self, op: Any, given: Gradients, wanted: list[bool], variables: list[Any]) -> None:
        self.op = op
        # Saving puts one more among them; these are as the caller knows them.
        self.inputs = list(op.inputs)
        self.body = op.attrs["body"]
        self.count = op.attrs["carried"]
        self.captured = len(op.inputs) - (len(self.body.inputs) - self.count)
        self.given = [*given, *[None] * (self.count - len(given))]
        self.wanted = wanted
        self.variables = variables
        marks = [w and carries_gradient(t) for w, t in zip(wanted, op.inputs, strict=True)]
        varied = loop_variation(op, marks, {id(v) for v in variables})
        used = loop_usefulness(op, [g is not None for g in self.given])
        self.active = [
            i
            for i in range(self.count)
            if varied[i] and used[i] and carries_gradient(self.body.inputs[i])
        ]
        self.saved: list[SymbolicTensor] = []
        self.reads: dict[int, SymbolicTensor] = {}
        self.graph = BackwardGraph(
            f"{self.body.name}_gradient", context.current_graph(), self.body, self.supply
        )
        self.carried: list[SymbolicTensor] = []
        self.nexts: list[Tensor] = []
        self.starts: list[Tensor] = []
        self.captures: list[int] = []
        self.summed_variables: list[Any] = []

    # ---- the body of the reverse loop

    def trace_body(self) -> None:
        graph, body = self.graph, self.body
        with building(graph):
            stack = graph.placeholder(dtypes.variant, SCALAR, "saved")
            for i in self.active:
                variable = body.inputs[i]
                name = f"d_{variable.op.name}"
                self.carried.append(graph.placeholder(variable.dtype, variable.shape, name))
            # Before the first operation: what is captured stands behind the loop variables.
            graph.inputs += [stack, *self.carried]
            self.pop = saving.pop_all(stack)
            inside = body.inputs[self.count :]
            wanted = self.wanted[self.captured :]
            sources = [body.inputs[i] for i in self.active]
            sources += [t for t, w in zip(inside, wanted, strict=True) if w]
            sweep = Sweep(sources, self.variables)
            for i, gradient in zip(self.active, self.carried, strict=True):
                sweep.seed(body.outputs[i], gradient)
            sweep.run(list(body.operations))
            for i in self.active:
                found = sweep.gradient(body.inputs[i])
                self.nexts.append(zeros_for(body.inputs[i]) if found is None else found)
            self.sum_up(sweep, inside, wanted)
            outputs = [self.pop.outputs[0], *self.nexts]
            graph.outputs = [graph.resolve(t) for t in outputs]
        prune(graph)
        self.saved = saving.keep_used(self.pop, self.saved, graph)

    def sum_up(self, sweep: Sweep, inside: Sequence[SymbolicTensor], wanted: list[bool]) -> None:
        """Adds loop variables that sum up the gradients of what the body uses from outside."""
        for number, (tensor, wants) in enumerate(zip(inside, wanted, strict=True)):
            part = sweep.gradient(tensor) if wants else None
            if part is not None:
                self.captures.append(self.captured + number)
                outside = self.inputs[self.captured + number]
                known = outside.op if isinstance(outside, SymbolicTensor) else tensor.op
                self.add_sum(part, tensor, known.name.rpartition("/")[2])
        for variable in self.variables:
            part = sweep.variable_gradients.get(id(variable))
            if part is not None:
                self.summed_variables.append(variable)
                self.add_sum(part, variable, variable.name.partition(":")[0])

    def add_sum(self, part: Tensor, like: Any, name: str) -> None:
        graph = self.graph
        total = graph.placeholder(like.dtype, TensorShape(like.shape), f"d_{name}")
        graph.inputs.insert(1 + len(self.nexts), total)
        more = added(total, part)
        assert more is not None
        self.nexts.append(more)

    def supply(self, tensor: SymbolicTensor) -> Tensor:
        """A tensor of the body, as the body of the reverse loop knows it."""
        number = position(self.body.inputs, tensor)
        if number is not None:
            if number >= self.count:
                return self.inputs[self.captured + number - self.count]
            if self.body.outputs[number] is tensor:
                return self.inputs[number]
        if tensor.op.opdef is READ:
            variable = tensor.op.attrs["variable"]
            if not may_assign(self.op, variable):
                return self.read_before(variable)
        self.saved.append(tensor)
        return saving.also_pop(self.pop, tensor)

    def read_before(self, variable: Any) -> SymbolicTensor:
        """A variable that the loop leaves as it is, read once before it."""
        known = self.reads.get(id(variable))
        if known is None:
            name = f"{variable.name.partition(':')[0]}/Read"
            made = self.op.graph.add(READ, (), {"variable": variable}, name)
            known = self.reads[id(variable)] = placed_before(self.op, made)
            announce_before(self.op, made)
        return known

    def has_results(self) -> bool:
        return bool(self.nexts)

    # ---- the loops

    def build(self) -> tuple[Gradients, ToVariables]:
        stack = save_each_pass(self.op, self.saved)
        starts: list[Tensor] = [stack]
        for i in self.active:
            start = self.given[i]
            starts.append(zeros_for(self.op.outputs[i]) if start is None else start)
        starts += [zeros_for(self.inputs[i]) for i in self.captures]
        starts += [zeros_for_variable(v) for v in self.summed_variables]
        test = function_graph("test")
        with building(test):
            test.inputs = [
                test.placeholder(t.dtype, t.shape, t.op.name)
                for t in self.graph.inputs[: len(starts)]
            ]
            test.outputs = [apply(saving.SAVED_ANY, (test.inputs[0],))]
        stack, *results = build_while(test, self.graph, starts)
        trips = trips_of(self.op)
        if trips is not None:
            stack.op.attrs = {**stack.op.attrs, "trips": trips}
        return self.distribute(results)

    def distribute(self, results: list[Any]) -> tuple[Gradients, ToVariables]:
        made: Gradients = [None] * len(self.inputs)
        numbers = [*self.active, *self.captures]
        for number, result in zip(numbers, results, strict=False):
            made[number] = result
        rest = results[len(numbers) :]
        return made, list(zip(self.summed_variables, rest, strict=True))


_CALM = frozenset(
    "ReadVariable AssignVariable AssignAddVariable AssignSubVariable PrintV2 TensorPrint".split()
)
"""Operations with effects that change no variable but the one they name; so do checks."""


def may_assign(op: Any, variable: Any) -> bool:
    """Whether an operation, or one in its graphs, may change a variable."""
    for graph in (a for a in op.attrs.values() if isinstance(a, FunctionGraph)):
        for inner in graph.operations:
            if inner.opdef is not READ and inner.attrs.get("variable") is variable:
                return True
            if inner.opdef.stateful and not (inner.opdef.checks or inner.type in _CALM):
                return True
            if may_assign(inner, variable):
                return True
    return False


def save_each_pass(op: Any, tensors: Sequence[SymbolicTensor]) -> SymbolicTensor:
    """Makes a `While` save these tensors of its body, each pass; gives the list behind the loop."""
    trips = trips_of(op)
    room = None if trips is None else trips.room
    graph, body, how = op.graph, op.attrs["body"], saving.how_saved(tensors)
    if trips is None or room is None:
        nothing = placed_before(op, graph.add(saving.SAVED_NOTHING, (), {}, "saved"))
        before, end = _carry(op, nothing, "saved")
        body.outputs.append(body.add(saving.PUSH, (before, *tensors), how).outputs[0])
        announce(op)
        return end
    place = _counted(op)
    empty = placed_before(op, graph.add(saving.SAVED_ROOM, (), {"passes": room}, "saved"))
    before, end = _carry(op, empty, "saved")
    made = body.add(saving.PUT, (before, body.inputs[place], *tensors), how)
    body.outputs.append(made.outputs[0])
    _count_last(body, place)
    announce(op)
    if trips.exact:
        return end
    cut = graph.add(saving.CUT, (end, op.outputs[place]), {}, "saved")
    placed_behind(op, cut)
    announce_behind(op, cut)
    return cut.outputs[0]  # type: ignore[no-any-return]


def _carry(op: Any, start: SymbolicTensor, name: str) -> tuple[SymbolicTensor, SymbolicTensor]:
    """Gives a `While` one more loop variable; its next value is still to be added to the body.

    Returns:
      The variable in the body, and behind the loop.
    """
    test, body, count = op.attrs["test"], op.attrs["body"], op.attrs["carried"]
    test.inputs.insert(count, test.placeholder(start.dtype, SCALAR, name))
    inside = body.placeholder(start.dtype, SCALAR, name)
    body.inputs.insert(count, inside)
    op.inputs.insert(count, start)
    op.attrs = {**op.attrs, "carried": count + 1}
    end = SymbolicTensor(op, count, start.dtype, SCALAR)
    op.outputs.append(end)
    return inside, end


def _counted(op: Any) -> int:
    """The number of a loop variable that counts the passes; there is one after this."""
    known = pass_counter(op)
    if known is not None:
        return known
    body, zero = op.attrs["body"], dtypes.int32.np_dtype.type(0)
    start = placed_before(op, op.graph.constant(zero, dtypes.int32).op)
    inside, _ = _carry(op, start, "passes")
    with building(body):
        body.outputs.append(body.resolve(inside + 1))
    return len(op.outputs) - 1


def _count_last(body: FunctionGraph, place: int) -> None:
    """Moves the step of a loop's counter behind what saves, so that no copy of it is needed."""
    step = body.outputs[place].op
    if any(t is body.outputs[place] for op in body.operations for t in op.inputs):
        return
    if sum(t.op is step for t in body.outputs) == 1 and step.graph is body:
        body.operations.remove(step)
        body.operations.append(step)


__all__ = ["save_each_pass", "while_gradient"]
