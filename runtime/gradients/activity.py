"""Which tensors vary with the sources of a gradient, and which the targets depend on.

Both questions are asked of whole graphs, branches and loop bodies included, before any gradient is
built: a loop's gradient carries only the variables of which both are true.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any

from runtime.control_flow import CALL, IF, WHILE
from runtime.gradients.sums import carries_gradient
from runtime.graph import FunctionGraph
from runtime.ops.registry import NO_GRADIENT
from runtime.ops.state import READ
from runtime.recursion import RECURSE, RECURSE_WITH_EFFECTS, Recursion
from runtime.tensor import Tensor
from runtime.try_flow import TRY

Ids = set[int]


def varied(graph: FunctionGraph, marks: Sequence[bool], variables: Container[int]) -> Ids:
    """The ids of the tensors of `graph` that vary with the marked inputs or with variables.

    Args:
      graph: a function, branch or loop body.
      marks: which of its inputs vary.
      variables: the ids of the variables that vary.
    """
    reached = {id(t) for t, m in zip(graph.inputs, marks, strict=True) if m}
    for op in graph.operations:
        reached.update(map(id, varied_outputs(op, reached, variables)))
    return reached


def varied_outputs(op: Any, reached: Container[int], variables: Container[int]) -> list[Tensor]:
    """The outputs of an operation that vary, with some of its inputs or with variables."""
    opdef = op.opdef
    if opdef is READ:
        return list(op.outputs) if id(op.attrs["variable"]) in variables else []
    if opdef.gradient == NO_GRADIENT:
        return []
    marks = [id(t) in reached for t in op.inputs]
    if opdef is IF:
        chosen = _branch_outputs(op, marks, variables)
    elif opdef is WHILE:
        chosen = loop_variation(op, marks, variables)
    elif opdef is CALL:
        # A function counts as one operation: what some output depends on, all do.
        varies = call_varies(op.attrs["function"], marks, variables)
        chosen = [varies] * len(op.outputs)
    elif opdef is TRY:
        reads = any(_reads_some(graph, variables) for graph in graphs_of(op))
        chosen = [any(marks) or reads] * len(op.outputs)
    elif opdef in (RECURSE, RECURSE_WITH_EFFECTS):
        graph = op.attrs["target"].graph
        reads = graph is not None and _reads_some(graph, variables)
        chosen = [any(marks) or reads] * len(op.outputs)
    else:
        chosen = [any(marks)] * len(op.outputs)
    return [t for t, c in zip(op.outputs, chosen, strict=True) if c and carries_gradient(t)]


def call_varies(graph: FunctionGraph, marks: Sequence[bool], variables: Container[int]) -> bool:
    """Whether some output of a function varies with its marked inputs or with variables."""
    read = tuple(id(v) for v in variables_read(graph) if id(v) in variables)
    if not read and not any(marks):
        return False
    if graph.recursion is not None:
        return True
    known = graph.__dict__.setdefault("_variation", {})
    key = (tuple(marks), read)
    found: bool | None = known.get(key)
    if found is None:
        inside = varied(graph, marks, read)
        found = known[key] = any(id(t) in inside for t in graph.outputs)
    return found


def _branch_outputs(op: Any, marks: Sequence[bool], variables: Container[int]) -> list[bool]:
    then, orelse = op.attrs["then"], op.attrs["orelse"]
    split = 1 + len(then.inputs)
    first = varied(then, marks[1:split], variables)
    second = varied(orelse, marks[split:], variables)
    return [
        id(a) in first or id(b) in second for a, b in zip(then.outputs, orelse.outputs, strict=True)
    ]


def loop_variation(op: Any, marks: Sequence[bool], variables: Container[int]) -> list[bool]:
    """Which loop variables of a `While` vary with its marked inputs or with variables."""
    body, count = op.attrs["body"], op.attrs["carried"]
    captured = list(marks[len(marks) - (len(body.inputs) - count) :])
    carried = list(marks[:count])
    while True:
        inside = varied(body, carried + captured, variables)
        wider = [c or id(t) in inside for c, t in zip(carried, body.outputs, strict=True)]
        if wider == carried:
            return carried
        carried = wider


def useful(graph: FunctionGraph, marks: Sequence[bool]) -> Ids:
    """The ids of the tensors of `graph` that its marked outputs depend on.

    Args:
      graph: a function, branch or loop body.
      marks: which of its outputs count.
    """
    needed = {id(t) for t, m in zip(graph.outputs, marks, strict=True) if m}
    for op in reversed(graph.operations):
        needed.update(map(id, _useful_inputs(op, needed)))
    return needed


def _useful_inputs(op: Any, needed: Container[int]) -> list[Tensor]:
    opdef = op.opdef
    marks = [id(t) in needed for t in op.outputs]
    if not any(marks) or opdef.gradient == NO_GRADIENT:
        return []
    if opdef is IF:
        graphs = (op.attrs["then"], op.attrs["orelse"])
        inner = [useful(graph, marks) for graph in graphs]
        chosen = [False] + [
            id(t) in ids for graph, ids in zip(graphs, inner, strict=True) for t in graph.inputs
        ]
    elif opdef is WHILE:
        body, count = op.attrs["body"], op.attrs["carried"]
        carried = loop_usefulness(op, marks)
        ids = useful(body, carried)
        captured = [id(t) in ids for t in body.inputs[count:]]
        tested = len(op.inputs) - count - len(captured)
        chosen = carried + [False] * tested + captured
    elif opdef is CALL:
        ids = useful(op.attrs["function"], marks)
        chosen = [id(t) in ids for t in op.attrs["function"].inputs]
    else:
        chosen = [True] * len(op.inputs)
    return [t for t, c in zip(op.inputs, chosen, strict=True) if c and carries_gradient(t)]


def loop_usefulness(op: Any, marks: Sequence[bool]) -> list[bool]:
    """Which loop variables of a `While` its marked outputs depend on."""
    body, count = op.attrs["body"], op.attrs["carried"]
    carried = list(marks)
    while True:
        ids = useful(body, carried)
        wider = [
            c or (id(t) in ids and carries_gradient(t))
            for c, t in zip(carried, body.inputs[:count], strict=True)
        ]
        if wider == carried:
            return carried
        carried = wider


def variables_read(graph: FunctionGraph) -> list[Any]:
    """The variables that a graph, or a graph that it runs, reads."""
    known: list[Any] | None = graph.__dict__.get("_variables_read")
    if known is None:
        found: dict[int, Any] = {}
        _collect_variables(graph, found, set())
        known = list(found.values())
        if graph.finished:
            graph.__dict__["_variables_read"] = known
    return known


def graphs_of(op: Any) -> list[FunctionGraph]:
    """The graphs that an operation runs, handlers of exceptions and recursive functions too."""
    found: list[FunctionGraph] = []
    for attribute in op.attrs.values():
        for one in attribute if isinstance(attribute, tuple) else (attribute,):
            inner = one.graph if isinstance(one, Recursion) else one
            if isinstance(inner, FunctionGraph):
                found.append(inner)
    return found


def _collect_variables(graph: FunctionGraph, found: dict[int, Any], seen: Ids) -> None:
    # Recursive functions lead back to graphs seen before.
    seen.add(id(graph))
    for op in graph.operations:
        if op.opdef is READ:
            found.setdefault(id(op.attrs["variable"]), op.attrs["variable"])
        for inner in graphs_of(op):
            if id(inner) not in seen:
                _collect_variables(inner, found, seen)


def _reads_some(graph: FunctionGraph, variables: Container[int]) -> bool:
    return any(id(v) in variables for v in variables_read(graph))
