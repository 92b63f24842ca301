"""Samples of the arithmetic of two operands, comparisons, logic and bits."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import bitcast, bitwise, casting, comparison, elementwise, gradients_support
from runtime.ops.apply import apply
from tests.ops.sampling import Sample, uniform


def pairs(fn: Any, low: float = 0.5, high: float = 2.0, **options: Any) -> list[Sample]:
    """Equal shapes, broadcasting from either side, scalars, an empty operand, complex numbers."""

    def u(*shape: int) -> Any:
        return uniform(shape, low, high)

    return [
        Sample(fn, [u(2, 3), u(2, 3)], **options),
        Sample(fn, [u(3), u(2, 3)], **options),
        Sample(fn, [u(2, 1), u(1, 3)], **options),
        Sample(fn, [u(), u(2, 2)], **options),
        Sample(fn, [u(2, 1, 3), u(2, 1)], **options),
        Sample(fn, [u(), u()], **options),
        Sample(fn, [u(0, 3), u(3)], **options),
    ]


def whole(fn: Any) -> list[Sample]:
    """Integers of several widths, which have no gradient."""
    return [
        Sample(fn, [np.array([[5, 7], [3, -8]], t), np.array([2, 3], t)])
        for t in (np.int8, np.int32, np.int64)
    ] + [Sample(fn, [np.array([5, 200], np.uint8), np.array(3, np.uint8)])]


def complex_pairs(fn: Any) -> list[Sample]:
    return [
        Sample(fn, [uniform((2, 2), 0.5, 2, np.complex128), uniform((2,), 0.5, 2, np.complex128)])
    ]


def booleans(fn: Any) -> list[Sample]:
    return [Sample(fn, [np.array([[True, False]]), np.array([[True], [False]])])]


_COMPARED = pairs  # floats are enough: a comparison has no gradient

SAMPLES = {
    "AddV2": pairs(elementwise.add) + whole(elementwise.add) + complex_pairs(elementwise.add),
    "Sub": pairs(elementwise.subtract)
    + whole(elementwise.subtract)
    + complex_pairs(elementwise.subtract),
    "Mul": pairs(elementwise.multiply)
    + whole(elementwise.multiply)
    + complex_pairs(elementwise.multiply),
    "RealDiv": pairs(elementwise.divide)
    + whole(elementwise.divide)
    + complex_pairs(elementwise.divide),
    "Pow": pairs(elementwise.pow)
    + complex_pairs(elementwise.pow)
    + [Sample(lambda x: elementwise.pow(x, 3), [uniform((4,))])],
    "FloorDiv": pairs(elementwise.floordiv, grad=False) + whole(elementwise.floordiv),
    "FloorMod": pairs(elementwise.floormod) + whole(elementwise.floormod),
    "Maximum": pairs(elementwise.maximum) + whole(elementwise.maximum),
    "Minimum": pairs(elementwise.minimum) + whole(elementwise.minimum),
    "Less": pairs(comparison.less) + whole(comparison.less),
    "LessEqual": pairs(comparison.less_equal),
    "Greater": pairs(comparison.greater),
    "GreaterEqual": pairs(comparison.greater_equal),
    "Equal": pairs(comparison.equal) + whole(comparison.equal),
    "NotEqual": pairs(comparison.not_equal),
    "ApproximateEqual": [
        Sample(comparison.approximate_equal, [np.array([1.0, 2.0]), np.array([1.000001, 3.0])],
               grad=False)
    ],
    "LogicalAnd": booleans(comparison.logical_and),
    "LogicalOr": booleans(comparison.logical_or),
    "LogicalXor": booleans(comparison.logical_xor),
    "LogicalNot": [Sample(comparison.logical_not, [np.array([True, False])])],
    "BitwiseAnd": whole(bitwise.bitwise_and),
    "BitwiseOr": whole(bitwise.bitwise_or),
    "BitwiseXor": whole(bitwise.bitwise_xor),
    "LeftShift": whole(bitwise.left_shift),
    "RightShift": whole(bitwise.right_shift),
    "Invert": [Sample(bitwise.invert, [np.array([3, -4], np.int16)])],
    "Cast": [
        Sample(lambda x: casting.cast(x, "complex128"), [uniform((3,))]),
        Sample(lambda x: casting.cast(x, "int32"), [uniform((3,), -5, 5)], grad=False),
        Sample(lambda x: casting.cast(x, "bool"), [np.array([0, 2], np.uint8)]),
    ],
    "Bitcast": [
        Sample(lambda x: bitcast.bitcast(x, "int64"), [uniform((2, 3))], grad=False),
        Sample(lambda x: bitcast.bitcast(x, "uint8"), [uniform((2,))], grad=False),
        Sample(lambda x: bitcast.bitcast(x, "complex128"), [uniform((3, 2))], grad=False),
        Sample(lambda x: bitcast.bitcast(x, "float32"), [np.array(7, np.int32)]),
    ],
    "SumTo": [
        Sample(
            lambda dy, x: apply(
                gradients_support.SUM_TO, (dy, gradients_support.shape_of(x))
            ),
            [uniform((2, 3, 4)), uniform((3, 1))],
        ),
        Sample(lambda dy: apply(gradients_support.SUM_TO, (dy,), {"shape": (3, 1)}),
               [uniform((2, 3, 4))]),
    ],
    "BroadcastLike": [
        Sample(gradients_support.broadcast_like, [uniform((3, 1)), uniform((2, 3, 4))]),
        Sample(gradients_support.broadcast_like, [uniform(()), uniform((2, 3))]),
    ],
    "ReshapeLike": [Sample(gradients_support.reshape_like, [uniform((6,)), uniform((2, 3))])],
    "KeepAxes": [
        Sample(lambda x: apply(gradients_support.KEEP_AXES, (x,), {"axis": (0, 2)}),
               [uniform((3, 4))]),
    ],
    "Copied": [Sample(lambda x: apply(gradients_support.COPIED, (x,)), [uniform((2, 3))])],
    "Masked": [
        Sample(gradients_support.masked, [np.array([True, False]), uniform((3, 2))]),
        Sample(gradients_support.masked, [np.array([[True], [False]]), uniform((2,))]),
    ],
    "GradientZeros": [Sample(gradients_support.zeros_like, [uniform((3, 2))])],
}  # fmt: skip
