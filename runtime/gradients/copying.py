"""Copies of operations, to run them once more elsewhere in a graph."""

from __future__ import annotations

from typing import Any

from runtime.graph import FunctionGraph, Graph
from runtime.tensor import SymbolicTensor

Values = dict[int, SymbolicTensor]


def copy_operations(source: Graph, target: Graph, values: Values) -> None:
    """Adds copies of all operations of a graph to another.

    Branches and loop bodies are copied with them: whoever changes the copies, such as their
    gradients, leaves the originals alone.

    Args:
      source: the graph.
      target: the graph to add to.
      values: by the id of a tensor of `source`, the tensor that stands for it; those of its inputs
        are given, the others are added.
    """
    for op in source.operations:
        if op.type == "Placeholder" and id(op.outputs[0]) in values:
            continue
        attrs = {
            name: _copied(a, target, values) if _is_inner(op, a) else a
            for name, a in op.attrs.items()
        }
        inputs = [values[id(t)] for t in op.inputs]
        made = target.add(op.opdef, inputs, attrs, op.name, op.location)
        for old, new in zip(op.outputs, made.outputs, strict=True):
            new.weak = old.weak
            new.set_shape(old.shape)
            values[id(old)] = new


def copy_graph(graph: FunctionGraph) -> FunctionGraph:
    """A copy of the graph of a function."""
    made = _copied(graph, None, {})
    made.is_function = graph.is_function
    return made


def _is_inner(op: Any, attribute: Any) -> bool:
    # The graphs of whole functions are shared by all of their calls.
    return isinstance(attribute, FunctionGraph) and op.type in ("If", "While")


def _copied(graph: FunctionGraph, outer: Graph | None, around: Values) -> FunctionGraph:
    """A copy of a branch or loop body."""
    made = FunctionGraph(graph.name, outer)
    values: Values = {}
    for tensor in graph.inputs:
        place = made.placeholder(tensor.dtype, tensor.shape, tensor.op.name)
        place.weak = tensor.weak
        made.inputs.append(place)
        values[id(tensor)] = place
    made.captures = [
        (around.get(id(outside), outside), values[id(inside)]) for outside, inside in graph.captures
    ]
    copy_operations(graph, made, values)
    made.outputs = [values[id(t)] for t in graph.outputs]
    made.finished = True
    return made
