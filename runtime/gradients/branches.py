"""The gradient of an `If`: an `If` whose branches are the gradients of its branches."""

from __future__ import annotations

from typing import Any

from runtime import context
from runtime.context import building
from runtime.control_flow import UNBOUND, build_if
from runtime.gradients.backward_graph import BackwardGraph, announce, position, prune
from runtime.gradients.reverse import Gradient, Gradients, Sweep, ToVariables
from runtime.gradients.sums import zeros_for, zeros_for_variable
from runtime.graph import FunctionGraph
from runtime.tensor import SymbolicTensor, Tensor


def if_gradient(
    op: Any, given: Gradients, wanted: list[bool], variables: list[Any]
) -> tuple[Gradients, ToVariables]:
    """The gradients of the inputs of an `If`, and of variables that its branches read.

    Args:
      op: the `If`. It may be given more outputs: what the gradient needs of its branches.
      given: the gradients of its outputs.
      wanted: which inputs' gradients are wanted.
      variables: the variables whose gradients are wanted.
    """
    then, orelse = op.attrs["then"], op.attrs["orelse"]
    given = [*given, *[None] * (len(op.outputs) - len(given))]
    first = _Branch(op, then, orelse, 1, given, wanted, variables)
    second = _Branch(op, orelse, then, 1 + len(then.inputs), given, wanted, variables)
    slots = list({**first.found, **second.found})
    if not slots:
        return [None] * len(op.inputs), []
    for branch in (first, second):
        with building(branch.graph):
            branch.graph.outputs = [branch.graph.resolve(branch.value(key)) for key in slots]
        prune(branch.graph)
    results = build_if(op.inputs[0], first.graph, second.graph)
    by_slot: dict[tuple[str, int], Gradient] = dict(zip(slots, results, strict=True))
    made: Gradients = [by_slot.pop(("tensor", id(t)), None) for t in op.inputs]
    to_variables = [(v, by_slot.get(("variable", id(v)))) for v in variables]
    return made, [(v, g) for v, g in to_variables if g is not None]


class _Branch:
    """The gradient of one branch.

    Attributes:
      graph: its graph.
      found: its gradients, by what they belong to: tensors outside of the branch, and variables.
    """

    def __init__(
        self,
        op: Any,
        forward: FunctionGraph,
        other: FunctionGraph,
        offset: int,
        given: Gradients,
        wanted: list[bool],
        variables: list[Any],
    ) -> None:
        self.op = op
        self.forward = forward
        self.other = other
        self.offset = offset
        self.outside = {("tensor", id(t)): t for t in op.inputs}
        self.variables = {("variable", id(v)): v for v in variables}
        self.graph = BackwardGraph(
            f"{forward.name}_gradient", context.current_graph(), forward, self.hand_out
        )
        self.found: dict[tuple[str, int], Tensor] = {}
        inputs = [
            (outside, inside)
            for outside, inside, wants in zip(
                op.inputs[offset:], forward.inputs, wanted[offset:], strict=False
            )
            if wants
        ]
        # Outputs may be added while sweeping: keep to those whose gradients are given.
        targets = forward.outputs[: len(given)]
        with building(self.graph):
            sweep = Sweep([inside for _, inside in inputs], variables)
            for target, value in zip(targets, given, strict=True):
                sweep.seed(target, value)
            sweep.run(list(forward.operations))
            for outside, inside in inputs:
                self.note(("tensor", id(outside)), sweep.gradient(inside))
            for variable in variables:
                value = sweep.variable_gradients.get(id(variable))
                self.note(("variable", id(variable)), value)

    def note(self, key: tuple[str, int], value: Gradient) -> None:
        if value is not None:
            self.found[key] = value

    def value(self, key: tuple[str, int]) -> Tensor:
        """This branch's gradient for a slot, zero if it has none."""
        if key in self.found:
            return self.found[key]
        if key in self.variables:
            return zeros_for_variable(self.variables[key])
        return zeros_for(self.outside[key])

    def hand_out(self, tensor: SymbolicTensor) -> Tensor:
        """A tensor of the branch, as the graph around the `If` knows it."""
        number = position(self.forward.inputs, tensor)
        if number is not None:
            return self.op.inputs[self.offset + number]  # type: ignore[no-any-return]
        number = position(self.forward.outputs, tensor)
        if number is None:
            number = add_branch_output(self.op, self.forward, self.other, tensor)
        return self.op.outputs[number]  # type: ignore[no-any-return]


def add_branch_output(
    op: Any, branch: FunctionGraph, other: FunctionGraph, tensor: SymbolicTensor
) -> int:
    """Makes a tensor of one branch an output of the `If`; gives the output's number.

    Whoever uses it does so only after the same branch has been taken.
    """
    attrs = {"dtype": tensor.dtype, "shape": tensor.shape}
    nothing = other.add(UNBOUND, (), attrs).outputs[0]
    number = len(op.outputs)
    branch.outputs.append(tensor)
    other.outputs.append(nothing)
    op.outputs.append(SymbolicTensor(op, number, tensor.dtype, tensor.shape))
    announce(op)
    return number
