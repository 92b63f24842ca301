"""Which operations of a `try` run for the errors that they may raise, though nobody needs them.

Elsewhere what nobody needs is left out, and raises nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from runtime.executor.invariants import is_in_range
from runtime.graph import FunctionGraph, Graph, Operation
from runtime.try_flow import may_raise

_BY_VALUE = frozenset(
    "GetItem GetElement SetItem AddItem GatherV2 GatherNd Slice SplitV Unpack Repeat Reshape Truth "
    "TakeAlongAxis PutAlongAxis ScatterNd TensorScatterUpdate TensorScatterAdd TensorScatterSub "
    "TensorScatterMin TensorScatterMax SelectV2 TensorListGetItem TensorListSetItem "
    "TensorListInsert TensorListDrop TensorListGather TensorListStack TensorListSplice "
    "TensorListConcat PythonText PythonTextList FormatText StringFormat StringToNumber Substr "
    "NumpyFunction NumpyUfunc PyFuncStateless MatrixInverse MatrixSolve MatrixTriangularSolve "
    "Cholesky Recurse Call".split()
)
_OF_INTEGERS = frozenset({"FloorDiv", "FloorMod", "Pow"})
# What stands for an item that may not be there raises where it is read; the others look at errors.
_NEVER = frozenset({"Guard", "PartOfError", "CauseOfError", "IsInstance"})


def keep_failing(graph: FunctionGraph) -> None:
    """Has what may raise in a graph, and in those inside of it, run in any case."""
    graph.keeps_failing = True
    # What has been found out before may hold no more.
    graph.__dict__.pop("_has_effects", None)
    graph.__dict__.pop("_needed", None)
    for op in graph.operations:
        if op.opdef.name == "Call":
            _keep_failing_of_call(op)
        else:
            for inner in _graphs_of(op):
                keep_failing(inner)


def _keep_failing_of_call(op: Operation) -> None:
    """The same for a function, of which other calls, outside of the `try`, stay as they are."""
    from runtime.gradients.copying import copy_graph

    function = op.attrs["function"]
    if function.recursion is None and _holds_failing(function):
        op.attrs["function"] = made = copy_graph(function)
        keep_failing(made)


def _holds_failing(graph: Graph) -> bool:
    return any(_may_fail(op) or any(map(_holds_failing, _graphs_of(op))) for op in graph.operations)


def _graphs_of(op: Operation) -> Iterator[FunctionGraph]:
    for attr in op.attrs.values():
        for value in attr if isinstance(attr, tuple) else (attr,):
            if isinstance(value, FunctionGraph):
                yield value


def is_kept(graph: Graph, op: Operation) -> bool:
    """Whether an operation of a graph runs for the errors that it may raise."""
    return graph.keeps_failing and _may_fail(op)


def _may_fail(op: Operation) -> bool:
    name = op.opdef.name
    if name in _NEVER or not may_raise(op.opdef):
        return False
    if name in _OF_INTEGERS:
        return op.outputs[0].dtype.kind in "iu"
    if name in ("GetItem", "GetElement") and len(op.inputs) == 1:
        return not is_in_range(op.attrs["index"], op.inputs[0])
    if op.opdef.checks or name in _BY_VALUE:
        return True
    tensors: tuple[Any, ...] = (*op.inputs, *op.outputs)
    return not all(t.shape.is_fully_defined() for t in tensors)
