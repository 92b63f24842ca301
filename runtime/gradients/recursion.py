"""The gradient of a function that calls itself: another function that calls itself.

How deep the calls go is known only when they are made, so nothing is handed from the forward
function to the backward one: each call of the backward function computes its level again, and has
the gradients of the calls further in computed by calls of itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.context import building
from runtime.control_flow import graph_effects
from runtime.errors import UnimplementedError
from runtime.gradients.activity import variables_read
from runtime.gradients.calls import call, root_of
from runtime.gradients.copying import Values, copy_operations
from runtime.gradients.reverse import Gradients, Sweep, ToVariables
from runtime.gradients.sums import carries_gradient, zeros_for, zeros_for_variable
from runtime.graph import FunctionGraph, Graph
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.registry import Spec
from runtime.recursion import RECURSE, RECURSE_WITH_EFFECTS, Recursion
from runtime.tensor import Tensor

_HARMLESS = frozenset(
    "ReadVariable RecurseWithEffects Raise CheckBound Assert TensorListGetItem".split()
)
"""Operations with effects that may run once more: they only read, or raise as they did before."""


class _RecursiveGradient:
    """The backward function of a recursive graph.

    Attributes:
      recursion: it, for calls from within.
      graph: its graph. Its inputs are the gradients of the outputs through which gradients flow,
        then all that the forward function takes; its outputs the gradients of the inputs through
        which gradients flow, then those of the variables.
    """

    def __init__(self, forward: FunctionGraph, variables: Sequence[Any]) -> None:
        self.forward = forward
        self.variables = list(variables)
        self.recursion = Recursion(f"{forward.name}_gradient")
        self.graph = FunctionGraph(self.recursion.name, None, is_function=True)
        self.graph.recursion = self.recursion
        self.recursion.graph = self.graph
        self.outputs = [t for t in forward.outputs if carries_gradient(t)]
        self.inputs = [i for i, t in enumerate(forward.inputs) if carries_gradient(t)]
        effects = sorted(_effects(forward) - _HARMLESS)
        if effects:
            raise UnimplementedError(
                f"{user_location()}: the gradient of {forward.name}, which calls itself, computes "
                f"it again; it cannot do so with {', '.join(effects)} in it. Move these out of "
                "the function"
            )

    def specs(self) -> list[Spec]:
        """What the backward function gives."""
        inputs = [self.forward.inputs[i] for i in self.inputs]
        return [Spec(t.dtype, t.shape) for t in [*inputs, *self.variables]]

    def build(self) -> None:
        graph, forward = self.graph, self.forward
        given = [graph.placeholder(t.dtype, t.shape, f"d_{t.op.name}") for t in self.outputs]
        taken = [graph.placeholder(t.dtype, t.shape, t.op.name) for t in forward.inputs]
        graph.inputs = [*given, *taken]
        values: Values = dict(zip(map(id, forward.inputs), taken, strict=True))
        with building(graph):
            copy_operations(forward, graph, values)
            sources = [taken[i] for i in self.inputs]
            sweep = Sweep(sources, self.variables)
            for output, gradient in zip(self.outputs, given, strict=True):
                sweep.seed(values[id(output)], gradient)
            sweep.run(list(graph.operations))
            made: list[Tensor] = []
            for source in sources:
                found = sweep.gradient(source)
                made.append(zeros_for(source) if found is None else found)
            for variable in self.variables:
                found = sweep.variable_gradients.get(id(variable))
                made.append(zeros_for_variable(variable) if found is None else found)
            graph.outputs = [graph.resolve(t) for t in made]
        graph.finished = True


def _effects(graph: Graph) -> set[str]:
    found: set[str] = set()
    for op in graph.operations:
        if op.opdef.stateful:
            found.add(op.type)
        for attribute in op.attrs.values():
            if isinstance(attribute, FunctionGraph):
                found |= _effects(attribute)
    return found


def _gradient_of(forward: FunctionGraph, variables: Sequence[Any]) -> _RecursiveGradient:
    """The backward function of a recursive graph; while it is being made, as far as it is."""
    forward = root_of(forward)
    read = {id(v) for v in variables_read(forward)}
    wanted = [v for v in variables if id(v) in read]
    known = forward.__dict__.setdefault("_recursive_gradients", {})
    key = tuple(map(id, wanted))
    found: _RecursiveGradient | None = known.get(key)
    if found is None:
        found = known[key] = _RecursiveGradient(forward, wanted)
        try:
            found.build()
        except BaseException:
            del known[key]
            raise
    return found


def _arguments(op: Any, given: Gradients) -> list[Tensor]:
    gradients = [
        zeros_for(t) if dy is None else dy
        for t, dy in zip(op.outputs, given, strict=True)
        if carries_gradient(t)
    ]
    return [*gradients, *op.inputs]


def _distributed(
    made: _RecursiveGradient, count: int, results: Sequence[Tensor]
) -> tuple[Gradients, ToVariables]:
    found: Gradients = [None] * count
    for number, result in zip(made.inputs, results, strict=False):
        found[number] = result
    return found, list(zip(made.variables, results[len(made.inputs) :], strict=True))


def recursive_call_gradient(
    op: Any, given: Gradients, variables: list[Any]
) -> tuple[Gradients, ToVariables]:
    """The gradient of a call of a recursive function from outside of it."""
    made = _gradient_of(op.attrs["function"], variables)
    captured = [outside for outside, _ in made.graph.captures]
    results = call(made.graph, [*_arguments(op, given), *captured])
    return _distributed(made, len(op.inputs), results)


def recurse_gradient(
    op: Any, given: Gradients, wanted: list[bool], variables: list[Any]
) -> tuple[Gradients, ToVariables]:
    """The gradient of a call of a recursive function from within it, or one that it calls."""
    forward = op.attrs["target"].graph
    if forward is None:
        raise UnimplementedError(
            f"{user_location()}: the gradient of {op.attrs['target'].name} is asked for while it "
            "is traced, by itself; take gradients outside of a function that calls itself"
        )
    made = _gradient_of(forward, variables)
    attrs = {"target": made.recursion, "specs": tuple(made.specs()), "outputs_list": True}
    effects = op.opdef is RECURSE_WITH_EFFECTS or graph_effects(forward)
    results = apply(RECURSE_WITH_EFFECTS if effects else RECURSE, _arguments(op, given), attrs)
    return _distributed(made, len(op.inputs), results)
