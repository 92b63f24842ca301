"""Dtype and shape rules that many ops share.

A rule is `rule(inputs, attrs) -> Spec`: what is known of the output before it is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime import dtypes
from runtime.dtypes import DType
from runtime.ops.registry import Spec
from runtime.shapes import (
    SCALAR,
    UNKNOWN,
    TensorShape,
    broadcast_shapes,
    normal_axis,
    reduced_dims,
)

Attrs = dict[str, Any]
Inputs = Sequence[Any]


def same(inputs: Inputs, attrs: Attrs) -> Spec:
    """Dtype and shape of the first input."""
    return Spec(inputs[0].dtype, inputs[0].shape)


def broadcast(inputs: Inputs, attrs: Attrs) -> Spec:
    """The first input's dtype, the shape that all inputs broadcast to."""
    return Spec(inputs[0].dtype, broadcast_shapes(*[t.shape for t in inputs]))


def broadcast_as(dtype: DType) -> Callable[[Inputs, Attrs], Spec]:
    """A rule for elementwise ops whose result is always of `dtype`."""

    def rule(inputs: Inputs, attrs: Attrs) -> Spec:
        return Spec(dtype, broadcast_shapes(*[t.shape for t in inputs]))

    return rule


compare = broadcast_as(dtypes.bool_)


def reduction(inputs: Inputs, attrs: Attrs) -> Spec:
    """First input's dtype, its shape less `attrs['axis']` (None, an int or a tuple)."""
    return Spec(inputs[0].dtype, reduced_shape(inputs[0].shape, attrs))


def reduced_shape(shape: TensorShape, attrs: Attrs) -> TensorShape:
    """`shape` reduced over `attrs['axis']`, with ones left in if `attrs['keepdims']`."""
    axis = attrs.get("axis")
    axes = (axis,) if isinstance(axis, int) else axis
    return reduced_dims(shape.as_tuple(), axes, attrs.get("keepdims", False))


def matmul(inputs: Inputs, attrs: Attrs) -> Spec:
    """Matrices (in stacks that broadcast) multiplied; both inputs have rank 2 or more.

    Raises:
      ValueError: a rank below 2, or inner sizes that differ.
    """
    a, b = (t.shape.as_tuple() for t in inputs[:2])
    if a is None or b is None:
        return Spec(inputs[0].dtype, UNKNOWN)
    if len(a) < 2 or len(b) < 2:
        raise ValueError(
            f"matmul takes matrices (rank 2 or more), found shapes {a} and {b}; for vectors use "
            "ag.tensordot(a, b, 1) or ag.linalg.matvec"
        )
    if a[-1] is not None and b[-2] is not None and a[-1] != b[-2]:
        raise ValueError(
            f"matmul of shapes {a} and {b}: the last size of the first, {a[-1]}, must be the "
            f"second to last of the second, {b[-2]}"
        )
    stack = broadcast_shapes(TensorShape(a[:-2]), TensorShape(b[:-2]))
    return Spec(inputs[0].dtype, stack.concatenate((a[-2], b[-1])))


def static_slice_size(size: int | None, start: Any, stop: Any, step: int | None) -> int | None:
    """How many elements `x[start:stop:step]` takes of `size`; None if unknown."""
    if size is None:
        return None
    return len(range(*slice(start, stop, step).indices(size)))


__all__ = [
    "SCALAR",
    "UNKNOWN",
    "Spec",
    "TensorShape",
    "broadcast",
    "broadcast_as",
    "broadcast_shapes",
    "compare",
    "matmul",
    "normal_axis",
    "reduced_shape",
    "reduction",
    "same",
    "static_slice_size",
]
