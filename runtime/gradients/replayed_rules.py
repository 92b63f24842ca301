"""Gradients of the user's own, for operations that are run again eagerly.

A `custom_gradient` was called while a graph was traced: its gradient function knows the tensors of
that graph, which have no values outside of it. So it is traced too, once, as a graph that is handed
the values it uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime import graph as graphs
from runtime.context import building
from runtime.graph import FunctionGraph, Operation
from runtime.tensor import SymbolicTensor, Tensor


class TracedRule:
    """The gradient function of a `CustomGradient`, as a graph.

    Attributes:
      graph: its inputs are the gradients given, then `taken`, then eager tensors that it captures.
      taken: the tensors of other graphs that it uses.
      present: for each input of the operation, whether there is a gradient for it.
    """

    def __init__(self, op: Operation) -> None:
        self.graph = _RuleGraph(f"{op.name}_gradient", None, is_function=True)
        with building(self.graph):
            given = [self.graph.placeholder(t.dtype, t.shape, "dy") for t in op.outputs]
            made = op.attrs["rule"](*given)
            self.present = [g is not None for g in made]
            self.graph.outputs = [self.graph.resolve(g) for g in made if g is not None]
        captured = [inside for _, inside in self.graph.captures]
        self.taken = [tensor for tensor, _ in self.graph.taken]
        self.graph.inputs = [*given, *(inside for _, inside in self.graph.taken), *captured]
        self.graph.finished = True

    def captured(self) -> list[Tensor]:
        """The eager tensors that the graph captures."""
        return [outside for outside, _ in self.graph.captures]

    def distributed(self, results: Sequence[Any]) -> list[Any]:
        """What the graph gives, with None where there is no gradient."""
        rest = iter(results)
        return [next(rest) if there else None for there in self.present]


class _RuleGraph(FunctionGraph):
    """A graph in which tensors of any other graph may be used.

    Attributes:
      taken: pairs (tensor of another graph, the input that stands for it).
    """

    def __init__(self, name: str, outer: None, is_function: bool) -> None:
        super().__init__(name, outer, is_function)
        self.taken: list[tuple[SymbolicTensor, SymbolicTensor]] = []

    def resolve(self, tensor: Tensor) -> SymbolicTensor:
        known = type(tensor) is not SymbolicTensor or tensor.graph is self
        if known or id(tensor) in self._seen:
            return super().resolve(tensor)
        inside = self.placeholder(tensor.dtype, tensor.shape, "taken")
        self.taken.append((tensor, inside))  # type: ignore[arg-type]
        self._seen[id(tensor)] = (tensor, inside)
        return inside


def traced_rule(op: Operation) -> TracedRule:
    """The gradient function of a `CustomGradient`, traced when it is first needed."""
    found: TracedRule | None = op.attrs.get("traced")
    if found is None:
        with graphs.rewriting:
            found = TracedRule(op)
            op.attrs = {**op.attrs, "traced": found}
    return found
