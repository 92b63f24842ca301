"""The graph of a gradient: it sees the tensors of the graph that it goes back through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.context import building, thread
from runtime.executor.lower import has_effects
from runtime.graph import CONSTANT, FunctionGraph, Graph, Operation
from runtime.locations import Location
from runtime.ops.gradients_support import broadcast_like
from runtime.ops.registry import OpDef
from runtime.static import static_value
from runtime.tensor import SymbolicTensor, Tensor

_SUMMARIES = frozenset("Shape Size Rank TensorListLength TensorListElementLengths".split())
"""Ops whose results are small, however large their input is."""


class BackwardGraph(FunctionGraph):
    """A function graph in which tensors of a forward graph may be used.

    Args:
      name: what it is called.
      outer: the graph around it, None if it stands alone.
      forward: the graph it goes back through.
      supply: `supply(tensor)` gives, for a tensor of `forward`, a tensor that this graph can use.
    """

    def __init__(
        self,
        name: str,
        outer: Graph | None,
        forward: Graph,
        supply: Callable[[SymbolicTensor], Tensor],
    ) -> None:
        super().__init__(name, outer, is_function=outer is None)
        self.forward = forward
        self.supply = supply
        self._brought: dict[int, SymbolicTensor] = {}

    def resolve(self, tensor: Tensor) -> SymbolicTensor:
        if type(tensor) is not SymbolicTensor or tensor.graph is not self.forward:
            return super().resolve(tensor)
        known = self._brought.get(id(tensor))
        if known is None:
            known = self._brought[id(tensor)] = self._bring(tensor)
        return known

    def add(
        self,
        opdef: OpDef,
        inputs: Sequence[Tensor],
        attrs: dict[str, Any],
        name: str | None = None,
        location: Location | None = None,
    ) -> Operation:
        if opdef.name in _SUMMARIES and len(inputs) == 1:
            (tensor,) = inputs
            owner = self._behind(tensor)
            if owner is not None:
                return owner._summarise(opdef, tensor, attrs)  # type: ignore[arg-type]
        elif opdef.measures:
            inputs = [
                self._stand_in(t) if number in opdef.measures else t
                for number, t in enumerate(inputs)
            ]
        return super().add(opdef, inputs, attrs, name, location)

    def _behind(self, tensor: Tensor) -> BackwardGraph | None:
        """The graph, this or one around it, that goes back through the graph of a tensor."""
        graph: Any = self
        while type(tensor) is SymbolicTensor and graph is not None:
            if isinstance(graph, BackwardGraph) and graph.forward is tensor.graph:
                return graph
            graph = getattr(graph, "outer", None)
        return None

    def _stand_in(self, tensor: Tensor) -> Tensor:
        """A tensor of the same shape and dtype, for whom that is enough.

        It takes no memory to speak of; what it stands for need not be kept.
        """
        owner = self._behind(tensor)
        if owner is None or id(tensor) in owner._brought or tensor.dtype.kind in "SRV":
            return tensor
        zero = self.constant(tensor.dtype.np_dtype.type(0), tensor.dtype)
        with building(self):
            return broadcast_like(zero, tensor)

    def _summarise(self, opdef: OpDef, tensor: SymbolicTensor, attrs: dict[str, Any]) -> Operation:
        """Applies an op on the way forward, so that its result is kept rather than `tensor`."""
        made = self.forward.add(opdef, [tensor], attrs)
        operations = self.forward.operations
        number = position(operations, tensor.op)
        if operations[-1] is made and number is not None:
            # At once: lists go on to change.
            operations.insert(number + 1, operations.pop())
        return made

    def _bring(self, tensor: SymbolicTensor) -> SymbolicTensor:
        value = static_value(tensor)
        if value is not None and (tensor.op.opdef is CONSTANT or value.size <= 16):
            return self.constant(value, tensor.dtype)
        brought = super().resolve(self.supply(tensor))
        if brought.op.type == "Placeholder":
            # What comes out of a branch may be known less well than it was inside.
            brought.set_shape(tensor.shape)
        return brought


def prune(graph: FunctionGraph) -> None:
    """Takes out of a graph what its outputs do not need, captures included.

    Gradients of inputs that nobody asked for are made along with the others. What they alone need
    of the forward graph must not be kept for them.
    """
    needed = set(map(id, graph.outputs))
    kept = []
    for op in reversed(graph.operations):
        if has_effects(op) or any(id(t) in needed for t in op.outputs):
            needed.update(map(id, op.inputs))
            kept.append(op)
    captured = {id(inside) for _, inside in graph.captures}
    graph.inputs = [t for t in graph.inputs if id(t) not in captured or id(t) in needed]
    graph.captures = [pair for pair in graph.captures if id(pair[1]) in needed]
    places = {id(t.op) for t in graph.inputs}
    kept_ids = places | set(map(id, kept))
    graph.operations = [op for op in graph.operations if id(op) in kept_ids]


def announce(op: Any) -> None:
    """Tells the tapes that listen that an operation has been given more outputs."""
    for recorder in thread.recorders:
        extend = getattr(recorder, "extend", None)
        if extend is not None:
            extend(op)


def announce_before(op: Any, made: Any) -> None:
    """Tells the tapes that listen of an operation that has been put right before `op`."""
    for recorder in thread.recorders:
        insert = getattr(recorder, "insert", None)
        if insert is not None:
            insert(op, made)


def announce_behind(op: Any, made: Any) -> None:
    """Tells the tapes that listen of an operation that has been put right behind `op`."""
    for recorder in thread.recorders:
        insert = getattr(recorder, "insert", None)
        if insert is not None:
            insert(op, made, behind=True)


def placed_before(op: Any, made: Any) -> SymbolicTensor:
    """Moves an operation that was just added to right before another; gives its output."""
    operations = op.graph.operations
    operations.pop()
    number = position(operations, op)
    assert number is not None
    operations.insert(number, made)
    return made.outputs[0]  # type: ignore[no-any-return]


def placed_behind(op: Any, made: Any) -> None:
    """Moves an operation that was just added to right behind another."""
    operations = op.graph.operations
    operations.pop()
    number = position(operations, op)
    assert number is not None
    operations.insert(number + 1, made)


def position(tensors: Sequence[Any], tensor: Any) -> int | None:
    """Where `tensor` itself stands among others, or None."""
    for number, other in enumerate(tensors):
        if other is tensor:
            return number
    return None
