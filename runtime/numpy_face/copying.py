"""Functions of NumPy's that give a copy, where the library's own operations may give a view.

Tensors do not change, so that `astype` of the same dtype may as well give the tensor itself. But
traced code may store to what NumPy gives, and what it stores must reach views, and no copies.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from runtime.graph import FunctionGraph
from runtime.tensor import SymbolicTensor

VIEWING = frozenset(
    (
        "array_split asanyarray asarray ascontiguousarray atleast_1d atleast_2d atleast_3d "
        "broadcast_arrays broadcast_to diag diagonal dsplit expand_dims flip fliplr flipud hsplit "
        "imag matrix_transpose moveaxis ravel real reshape rollaxis rot90 split squeeze swapaxes "
        "transpose trim_zeros unstack vsplit"
    ).split()
)
"""The functions that give views in NumPy, too."""

_VIEWS = (
    "GetItem",
    "Reshape",
    "Transpose",
    "ExpandDims",
    "Squeeze",
    "ReverseV2",
    "EnsureShape",
    "Real",
    "Imag",
)


def copying(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose result is never a view of an argument."""

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        return apart(function(*args, **keywords), (*args, *keywords.values()))

    return call


def apart(made: Any, given: Any) -> Any:
    """A result, copied if it is a view of what has been given."""
    if not isinstance(made, SymbolicTensor) or made.shape.rank == 0:
        return made
    whole = _whole(made)
    if all(_whole(tensor) is not whole for tensor in _tensors(given)):
        return made
    from runtime.ops.shaping import identity

    return identity(made)


def _whole(tensor: SymbolicTensor) -> SymbolicTensor:
    """The tensor that a view is a view of."""
    while True:
        tensor = tensor.op.outputs[tensor.value_index]
        graph: Any = tensor.graph
        if tensor.op.type in _VIEWS:
            tensor = tensor.op.inputs[0]
            continue
        outside = graph.captured(tensor) if isinstance(graph, FunctionGraph) else None
        if not isinstance(outside, SymbolicTensor):
            return tensor
        tensor = outside


def _tensors(values: Any) -> Iterator[SymbolicTensor]:
    for value in values:
        if isinstance(value, SymbolicTensor):
            yield value
        elif type(value) in (list, tuple):
            yield from _tensors(value)


__all__ = ["VIEWING", "apart", "copying"]
