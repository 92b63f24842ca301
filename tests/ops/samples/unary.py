"""Samples of the functions of one number."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import trigonometric as trig
from runtime.ops import unary
from tests.ops.sampling import Sample, uniform


def points(
    fn: Any, low: float = -0.9, high: float = 0.9, complex_too: bool = True, **options: Any
) -> list[Sample]:
    """A matrix, a scalar, something empty, float32 and float16, and complex numbers."""
    made = [
        Sample(fn, [uniform((2, 3), low, high)], **options),
        Sample(fn, [uniform((), low, high)], **options),
        Sample(fn, [uniform((0, 2), low, high)], **options),
        Sample(fn, [uniform((3,), low, high, np.float32)], grad=False),
        Sample(fn, [uniform((3,), low, high, np.float16)], grad=False),
    ]
    if complex_too:
        made += [
            Sample(fn, [uniform((3,), low, high, np.complex128)], **options),
            Sample(fn, [uniform((3,), low, high, np.complex64)], grad=False),
        ]
    return made


def integers(fn: Any) -> list[Sample]:
    return [
        Sample(fn, [np.array([1, 2, 3], t)])
        for t in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint32)
    ]


SAMPLES = {
    "Neg": points(unary.negative) + integers(unary.negative),
    "Abs": points(unary.abs, 0.1) + points(unary.abs, -0.9, -0.1) + integers(unary.abs),
    "Sign": points(unary.sign, 0.1, complex_too=False) + integers(unary.sign),
    "Floor": points(unary.floor, complex_too=False) + integers(unary.floor),
    "Ceil": points(unary.ceil, complex_too=False) + integers(unary.ceil),
    "Rint": points(unary.rint, complex_too=False) + integers(unary.round),
    "Square": points(unary.square) + integers(unary.square),
    "Sqrt": points(unary.sqrt, 0.2) + integers(unary.sqrt),
    "Rsqrt": points(unary.rsqrt, 0.2) + integers(unary.rsqrt),
    "Reciprocal": points(unary.reciprocal, 0.4) + integers(unary.reciprocal),
    "Exp": points(unary.exp) + integers(unary.exp),
    "Expm1": points(unary.expm1) + integers(unary.expm1),
    "Log": points(unary.log, 0.3) + integers(unary.log),
    "Log1p": points(unary.log1p) + integers(unary.log1p),
    "Sigmoid": points(unary.sigmoid) + integers(unary.sigmoid),
    "Softplus": points(unary.softplus, complex_too=False)
    + [Sample(unary.log_sigmoid, [uniform((3,), -5, 5)])],
    "IsNan": points(unary.is_nan, complex_too=False),
    "IsInf": points(unary.is_inf, complex_too=False),
    "IsFinite": points(unary.is_finite, complex_too=False),
    "Sin": points(trig.sin) + integers(trig.sin),
    "Cos": points(trig.cos) + integers(trig.cos),
    "Tan": points(trig.tan) + integers(trig.tan),
    "Asin": points(trig.asin),
    "Acos": points(trig.acos),
    "Atan": points(trig.atan) + integers(trig.atan),
    "Sinh": points(trig.sinh),
    "Cosh": points(trig.cosh),
    "Tanh": points(trig.tanh) + integers(trig.tanh),
    "Asinh": points(trig.asinh),
    "Acosh": points(trig.acosh, 1.2, 3.0),
    "Atanh": points(trig.atanh),
}
