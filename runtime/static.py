"""Values that are known while tracing, such as constants and the shapes made from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.graph import Operation
from runtime.shapes import UNKNOWN, TensorShape
from runtime.tensor import UNASKED, EagerTensor, SymbolicTensor

_LARGEST = 1000
"""Arrays of more elements are never computed while tracing."""

Evaluator = Callable[[Operation], Any]
_EVALUATORS: dict[str, Evaluator] = {}


def evaluates(*op_names: str) -> Callable[[Evaluator], Evaluator]:
    """Registers `evaluator(op)`: the op's value while tracing, or None if it is not known."""

    def register(evaluator: Evaluator) -> Evaluator:
        for name in op_names:
            _EVALUATORS[name] = evaluator
        return evaluator

    return register


def static_value(tensor: Any) -> Any:
    """The array that `tensor` is sure to be, or None if that is not known while tracing.

    Args:
      tensor: a tensor of either kind.

    >>> from runtime.convert import constant
    >>> static_value(constant([1, 2])).tolist()
    [1, 2]
    """
    if isinstance(tensor, EagerTensor):
        return tensor._value
    if not isinstance(tensor, SymbolicTensor):
        return np.asarray(tensor)
    if tensor.known is UNASKED:
        evaluator = _EVALUATORS.get(tensor.op.opdef.name)
        tensor.known = None if evaluator is None else evaluator(tensor.op)
    return tensor.known


def static_shape(tensor: Any) -> TensorShape:
    """The shape that a shape tensor describes, as far as it is known while tracing."""
    value = static_value(tensor)
    if value is not None:
        return TensorShape(tuple(None if d < 0 else int(d) for d in np.ravel(value)))
    if isinstance(tensor, SymbolicTensor):
        op = tensor.op
        if op.opdef.name == "Shape":
            return op.inputs[0].shape
        if op.opdef.name == "Pack":
            return TensorShape(tuple(_size(t) for t in op.inputs))
        if op.opdef.name == "ConcatV2":
            parts = [static_shape(t) for t in op.inputs]
            shape = TensorShape(())
            for part in parts:
                shape = shape.concatenate(part)
            return shape
        if op.opdef.name == "Cast":
            return static_shape(op.inputs[0])
    length = tensor.shape[0] if tensor.shape.rank == 1 else None
    return UNKNOWN if length is None else TensorShape((None,) * length)


def _size(tensor: Any) -> int | None:
    value = static_value(tensor)
    if value is None:
        return None
    return None if value < 0 else int(value)


@evaluates("Const")
def _constant(op: Operation) -> Any:
    return op.attrs["value"]


@evaluates("Placeholder")
def _capture(op: Operation) -> Any:
    known = op.attrs.get("known")
    return known if known is not None and known.size <= _LARGEST else None


@evaluates("Shape")
def _shape(op: Operation) -> Any:
    shape = op.inputs[0].shape
    if not shape.is_fully_defined():
        return None
    return np.array(shape.as_list(), op.outputs[0].dtype.np_dtype)


@evaluates("Size", "Rank")
def _size_or_rank(op: Operation) -> Any:
    shape = op.inputs[0].shape
    number = shape.rank if op.opdef.name == "Rank" else shape.num_elements()
    return None if number is None else op.outputs[0].dtype.np_dtype.type(number)


@evaluates("Pack", "ConcatV2", "Cast", "AddV2", "Sub", "Mul", "FloorDiv", "Maximum", "Minimum")
def _fold(op: Operation) -> Any:
    if any((t.shape.num_elements() or 0) > _LARGEST for t in op.inputs):
        return None
    values = [static_value(t) for t in op.inputs]
    if any(v is None for v in values):
        return None
    return op.opdef.kernel(*values, **op.attrs)


@evaluates("GetItem", "GetElement")
def _item(op: Operation) -> Any:
    source = op.inputs[0]
    if len(op.inputs) > 1:
        return None
    if source.op.opdef.name == "Shape" and source.op.inputs[0].shape.rank is not None:
        dims = list(source.op.inputs[0].shape)
        index = op.attrs["index"]
        if len(index) == 1 and isinstance(index[0], int) and -len(dims) <= index[0] < len(dims):
            size = dims[index[0]]
            return None if size is None else source.dtype.np_dtype.type(size)
        return None
    value = static_value(source)
    return None if value is None else op.opdef.kernel(value, **op.attrs)
