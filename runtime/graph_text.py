"""Graphs as text for people: one typed line an operation, subgraphs indented below theirs.

graph double(%x: float32[2]):
  %Const: float32[] = Const 2.0
  %mul: float32[2] = Mul(%x, %Const)   # example.py:12
  return %mul
"""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from runtime.dtypes import DType
from runtime.graph import FunctionGraph, Graph, Operation
from runtime.shapes import TensorShape
from runtime.tensor import SymbolicTensor

_LONGEST = 48
"""Constants and attributes that take more characters are cut short."""


def graph_text(graph: Graph) -> str:
    """The operations of a graph, one a line, with types, attributes and the user's lines.

    >>> from runtime.convert import constant
    >>> from runtime.ops.elementwise import add
    >>> graph = Graph("sum")
    >>> with graph.as_default():
    ...     graph.outputs = [add(constant(2), constant(3))]
    >>> print(graph_text(graph).split("   #")[0])
    graph sum():
      %Const: int32[] = Const 2
    """
    lines: list[str] = []
    _write(graph, "graph", lines, "")
    return "\n".join(lines)


def _write(graph: Graph, title: str, lines: list[str], indent: str) -> None:
    given = ", ".join(f"{_name(t)}: {type_text(t)}" for t in graph.inputs)
    lines.append(f"{indent}{title} {graph.name}({given}):")
    inner = indent + "  "
    taken = set(map(id, graph.inputs))
    for op in graph.operations:
        if op.outputs and id(op.outputs[0]) in taken:
            continue
        lines.append(inner + _line(op))
        for key, value in op.attrs.items():
            if isinstance(value, FunctionGraph):
                _write(value, key, lines, inner + "  ")
    if graph.outputs:
        lines.append(f"{inner}return {', '.join(map(_name, graph.outputs))}")


def _line(op: Operation) -> str:
    results = ", ".join(f"{_name(t)}: {type_text(t)}" for t in op.outputs)
    left = f"{results} = " if results else ""
    if op.type == "Const":
        right = f"Const {_value_text(op.attrs['value'])}"
    else:
        attributes = [
            f"{key}={_value_text(value)}"
            for key, value in op.attrs.items()
            if key != "outputs_list" and not isinstance(value, FunctionGraph)
        ]
        right = f"{op.type}({', '.join([*map(_name, op.inputs), *attributes])})"
    file = os.path.basename(op.location.filename)
    place = f"   # {file}:{op.location.line}" if op.location.line else ""
    return left + right + place


def _name(tensor: SymbolicTensor) -> str:
    several = len(tensor.op.outputs) > 1
    return f"%{tensor.op.name}:{tensor.value_index}" if several else f"%{tensor.op.name}"


def type_text(tensor: Any) -> str:
    """A tensor's dtype and shape.

    >>> from runtime.convert import constant
    >>> type_text(constant([1.0, 2.0]))
    'float32[2]'
    """
    dims = tensor.shape.as_tuple()
    sizes = "..." if dims is None else ", ".join("?" if d is None else str(d) for d in dims)
    return f"{tensor.dtype.name}[{sizes}]"


def _value_text(value: Any) -> str:
    if isinstance(value, DType):
        return value.name
    if isinstance(value, TensorShape):
        return str(value)
    array: Any = value
    if isinstance(value, np.ndarray | np.generic):
        if value.ndim == 0:
            return str(array.item() if array.dtype != object else array[()])
        text = np.array2string(array, separator=", ", threshold=8, edgeitems=2)
        text = " ".join(text.split())
    elif hasattr(value, "assign_add"):
        return repr(value.name)
    elif callable(value):
        return getattr(value, "__qualname__", type(value).__name__)
    else:
        text = repr(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
