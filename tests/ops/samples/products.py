"""Samples of products of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.matmul import matmul
from tests.ops.sampling import Sample, uniform


def flagged(dtype: Any) -> list[Sample]:
    a, at = uniform((2, 3), dtype=dtype), uniform((3, 2), dtype=dtype)
    b, bt = uniform((3, 4), dtype=dtype), uniform((4, 3), dtype=dtype)
    return [
        Sample(lambda x, y: matmul(x, y, transpose_a=True), [at, b]),
        Sample(lambda x, y: matmul(x, y, transpose_b=True), [a, bt]),
        Sample(lambda x, y: matmul(x, y, transpose_a=True, transpose_b=True), [at, bt]),
        Sample(lambda x, y: matmul(x, y, adjoint_a=True), [at, b]),
        Sample(lambda x, y: matmul(x, y, adjoint_b=True), [a, bt]),
        Sample(lambda x, y: matmul(x, y, adjoint_a=True, adjoint_b=True), [at, bt]),
    ]


SAMPLES = {
    "MatMul": [
        Sample(matmul, [uniform((2, 3)), uniform((3, 4))]),
        Sample(matmul, [uniform((5, 2, 3)), uniform((5, 3, 2))]),
        Sample(matmul, [uniform((2, 1, 2, 3)), uniform((3, 3, 2))]),
        Sample(matmul, [uniform((2, 3)), uniform((4, 3, 1))]),
        Sample(matmul, [uniform((0, 3)), uniform((3, 2))]),
        Sample(matmul, [uniform((2, 0)), uniform((0, 2))]),
        Sample(matmul, [uniform((2, 3), dtype=np.complex128),
                        uniform((3, 2), dtype=np.complex128)]),
        Sample(matmul, [np.array([[1, 2]], np.int32), np.array([[3], [4]], np.int32)]),
        Sample(matmul, [uniform((2, 3), dtype=np.float32), uniform((3, 4), dtype=np.float32)],
               grad=False),
    ],
    "BatchMatMul": [*flagged(np.float64), *flagged(np.complex128),
        Sample(lambda x, y: matmul(x, y, transpose_a=True), [uniform((4, 3, 2)), uniform((3, 2))]),
    ],
}  # fmt: skip
