"""Samples of the parts of complex numbers."""

from __future__ import annotations

import numpy as np

from runtime.ops import complex_ as c
from runtime.ops import unary
from tests.ops.sampling import Sample, uniform

Z = uniform((2, 3), 0.2, 1.0, np.complex128)

SAMPLES = {
    "Complex": [
        Sample(c.complex, [uniform((2, 3)), uniform((2, 3))]),
        Sample(c.complex, [uniform((3,)), uniform((2, 1))]),
        Sample(c.complex, [np.float32(1), np.float32(2)], grad=False),
    ],
    "Real": [Sample(c.real, [Z]), Sample(c.real, [uniform((2,))])],
    "Imag": [Sample(c.imag, [Z]), Sample(c.imag, [uniform((2,))])],
    "Conj": [Sample(c.conj, [Z]), Sample(c.conj, [uniform((2,), dtype=np.complex64)], grad=False)],
    "Angle": [Sample(c.angle, [Z]), Sample(c.angle, [np.array([-1.0, 2.0])], grad=False)],
    "ComplexSign": [Sample(unary.sign, [Z])],
}
