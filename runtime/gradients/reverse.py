"""Reverse mode: sweeping operations backwards, from the gradients of outputs to those of inputs."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from typing import Any

from runtime.control_flow import CALL, IF, WHILE
from runtime.gradients.activity import varied_outputs
from runtime.gradients.sums import added, carries_gradient
from runtime.ops.apply import EagerOperation
from runtime.ops.state import READ
from runtime.recursion import RECURSE, RECURSE_WITH_EFFECTS
from runtime.tensor import Tensor
from runtime.try_flow import TRY

Gradient = Tensor | None
Gradients = list[Gradient]


class Sweep:
    """The gradients of some targets, summed up while operations are swept backwards.

    Args:
      sources: the tensors whose gradients are wanted.
      variables: the variables whose gradients are wanted.
      stops: ids of tensors through which no gradient passes.

    Attributes:
      variable_gradients: by the id of a variable, its gradient; no entry if there is none.
    """

    def __init__(
        self, sources: Sequence[Tensor], variables: Sequence[Any] = (), stops: Container[int] = ()
    ) -> None:
        self.variables = {id(v): v for v in variables}
        self.variable_gradients: dict[int, Gradient] = {}
        self.stops = stops
        self._gradients: dict[int, Gradient] = {}
        self._reached = {id(t) for t in sources}
        # Ids stay taken while their tensors are alive.
        self._alive: list[Any] = [sources, variables]

    def gradient(self, tensor: Tensor) -> Gradient:
        """The gradient of a tensor, as far as it has been summed up."""
        return self._gradients.get(id(tensor))

    def seed(self, target: Tensor, value: Gradient) -> None:
        """Adds to the gradient of a target."""
        if value is not None:
            self._add(target, value)

    def _add(self, tensor: Tensor, value: Gradient) -> None:
        self._alive.append(tensor)
        self._gradients[id(tensor)] = added(self._gradients.get(id(tensor)), value)

    def run(self, operations: Sequence[Any]) -> None:
        """Sweeps operations, which stand in the order in which they ran."""
        chosen = []
        for op in operations:
            outputs = varied_outputs(op, self._reached, self.variables)
            if outputs:
                chosen.append(op)
                self._reached.update(id(t) for t in outputs if id(t) not in self.stops)
                self._alive.append(op)
        for op in reversed(chosen):
            # A tensor to stop at may be a source: it has a gradient, which goes no further.
            given = [
                self._gradients.get(id(t))
                if carries_gradient(t) and id(t) not in self.stops
                else None
                for t in op.outputs
            ]
            if any(dy is not None for dy in given):
                self._through(op, given)

    def _through(self, op: Any, given: Gradients) -> None:
        if op.opdef is READ:
            self.add_to_variable(op.attrs["variable"], given[0])
            return
        # The gradient of a loop gives the loop one more input: these are those swept over.
        inputs = list(op.inputs)
        wanted = [id(t) in self._reached for t in inputs]
        rule = STRUCTURED.get(op.opdef.name)
        if rule is None:
            if type(op) is EagerOperation:
                op.needed = wanted
            made = op.opdef.gradient(op, *given)
        else:
            made, to_variables = rule()(op, given, wanted, list(self.variables.values()))
            for variable, value in to_variables:
                self.add_to_variable(variable, value)
        for tensor, wants, value in zip(inputs, wanted, made, strict=True):
            if wants and value is not None and carries_gradient(tensor):
                self._add(tensor, value)

    def add_to_variable(self, variable: Any, value: Gradient) -> None:
        """Adds to the gradient of a variable."""
        before = self.variable_gradients.get(id(variable))
        self.variable_gradients[id(variable)] = added(before, value)


ToVariables = list[tuple[Any, Gradient]]
Rule = Callable[[Any, Gradients, "list[bool]", "list[Any]"], "tuple[Gradients, ToVariables]"]


def _branches() -> Rule:
    from runtime.gradients.branches import if_gradient

    return if_gradient


def _loops() -> Rule:
    from runtime.gradients.loops import while_gradient

    return while_gradient


def _calls() -> Rule:
    from runtime.gradients.calls import call_gradient

    return call_gradient


def _recursion() -> Rule:
    from runtime.gradients.recursion import recurse_gradient

    return recurse_gradient


def _tries() -> Rule:
    from runtime.gradients.replays import try_gradient

    return try_gradient


# Rules of operations with graphs inside, imported when they are first met: they sweep themselves.
STRUCTURED: dict[str, Callable[[], Rule]] = {
    IF.name: _branches,
    WHILE.name: _loops,
    CALL.name: _calls,
    TRY.name: _tries,
    RECURSE.name: _recursion,
    RECURSE_WITH_EFFECTS.name: _recursion,
}


def structured_gradient(op: Any, given: Sequence[Gradient]) -> Gradients:
    """The gradients of all inputs of an operation with graphs inside, variables left out."""
    made, _ = STRUCTURED[op.opdef.name]()(op, list(given), [True] * len(op.inputs), [])
    return made
