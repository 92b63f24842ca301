"""The `axis` argument: Python numbers become attributes, unknown tensors a further input."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops.registry import Spec
from runtime.ops.rules import reduced_shape
from runtime.shapes import UNKNOWN, TensorShape
from runtime.static import static_value
from runtime.tensor import Tensor


def axis_argument(axis: Any) -> tuple[dict[str, Any], tuple[Tensor, ...]]:
    """`axis` as attributes of an op and as its further inputs.

    Args:
      axis: None for all axes, a number, several of them, or an integer tensor.

    Raises:
      TypeError: it is none of these.

    >>> axis_argument([0, -1])
    ({'axis': (0, -1)}, ())
    """
    if axis is None or type(axis) is int:
        return {"axis": axis}, ()
    if isinstance(axis, list | tuple) and all(type(a) is int for a in axis):
        return {"axis": tuple(axis)}, ()
    tensor = convert_to_tensor(axis)
    value = static_value(tensor)
    if value is None:
        return {}, (tensor,)
    return {"axis": as_axes(value)}, ()


def as_axes(value: Any) -> int | tuple[int, ...]:
    """A number or a vector of NumPy's as NumPy's own functions take axes.

    Raises:
      TypeError: it does not consist of integers.
    """
    if value.dtype.kind not in "iu" and value.size:
        raise TypeError(f"an axis must be an integer, found {value.tolist()!r}")
    return int(value) if value.ndim == 0 else tuple(int(a) for a in value.ravel())


def one_axis(axis: Any, what: str = "axis") -> int:
    """An axis that must be known while tracing.

    Raises:
      TypeError: it is not an integer, or not known.
    """
    if type(axis) is int:
        return axis
    value = static_value(convert_to_tensor(axis))
    if value is None or np.ndim(value) or value.dtype.kind not in "iu":
        raise TypeError(f"{what} must be an integer that is known while tracing, found {axis!r}")
    return int(value)


def reduced(inputs: Any, attrs: Any) -> TensorShape:
    """The shape of a reduction whose axes are attribute `axis` or a second input."""
    shape = inputs[0].shape
    if len(inputs) == 1:
        return reduced_shape(shape, attrs)
    if attrs.get("keepdims") and shape.rank is not None:
        return TensorShape(tuple(1 if d == 1 else None for d in shape))
    return UNKNOWN


def reduction_rule(inputs: Any, attrs: Any) -> Spec:
    """A reduction that keeps its input's dtype."""
    return Spec(inputs[0].dtype, reduced(inputs, attrs))
