"""Samples of shapes and of the same elements in another arrangement."""

from __future__ import annotations

import numpy as np

from runtime.ops import shaping as ops
from tests.ops.sampling import Sample, uniform

STRINGS = np.array([[b"a", b"bc"], [b"", b"d"]], object)

SAMPLES = {
    "Shape": [
        Sample(ops.shape, [uniform((2, 3))], grad=False),
        Sample(lambda x: ops.shape(x, "int64"), [np.zeros((0, 2), np.int8)]),
        Sample(ops.shape, [STRINGS]),
    ],
    "Size": [Sample(ops.size, [uniform((2, 3))], grad=False), Sample(ops.size, [np.int32(3)])],
    "Rank": [Sample(ops.rank, [uniform((2, 3))], grad=False), Sample(ops.rank, [STRINGS])],
    "Reshape": [
        Sample(lambda x: ops.reshape(x, [3, -1]), [uniform((2, 3))]),
        Sample(lambda x: ops.reshape(x, []), [uniform((1, 1))]),
        Sample(lambda x: ops.reshape(x, [-1]), [uniform(())]),
        Sample(lambda x: ops.reshape(x, [0, 5]), [uniform((2, 0))]),
        Sample(ops.reshape, [uniform((2, 3)), np.array([6], np.int32)], known=False),
        Sample(lambda x: ops.reshape(x, [4]), [STRINGS]),
        Sample(lambda x: ops.reshape(x, [-1]), [uniform((2, 2), dtype=np.complex64)], grad=False),
    ],
    "Transpose": [
        Sample(ops.transpose, [uniform((2, 3, 4))]),
        Sample(lambda x: ops.transpose(x, [1, 0, 2]), [uniform((2, 3, 2))]),
        Sample(lambda x: ops.transpose(x, [-1, 0]), [uniform((2, 3))]),
        Sample(ops.transpose, [uniform(())]),
        Sample(ops.transpose, [STRINGS]),
        Sample(ops.transpose, [uniform((2, 3)), np.array([1, 0])], known=False),
        Sample(lambda x: ops.transpose(x, conjugate=True), [uniform((2, 2), dtype=np.complex128)]),
        Sample(ops.matrix_transpose, [uniform((2, 2, 3))]),
    ],
    "InvertPermutation": [
        Sample(ops.invert_permutation, [np.array([2, 0, 1], np.int32)]),
        Sample(ops.invert_permutation, [np.array([], np.int64)]),
    ],
    "ExpandDims": [
        Sample(lambda x: ops.expand_dims(x, axis), [uniform((2, 3))]) for axis in (0, 1, 2, -1)
    ]
    + [Sample(lambda x: ops.expand_dims(x, 0), [np.array(b"a", object)])],
    "Squeeze": [
        Sample(ops.squeeze, [uniform((1, 2, 1))]),
        Sample(lambda x: ops.squeeze(x, -1), [uniform((1, 2, 1))]),
        Sample(lambda x: ops.squeeze(x, [0, 2]), [uniform((1, 2, 1))]),
    ],
    "BroadcastTo": [
        Sample(lambda x: ops.broadcast_to(x, [2, 3]), [uniform((3,))]),
        Sample(lambda x: ops.broadcast_to(x, [2, 3]), [uniform((2, 1))]),
        Sample(lambda x: ops.broadcast_to(x, [2, 0]), [uniform(())]),
        Sample(ops.broadcast_to, [uniform((1, 3)), np.array([2, 3], np.int32)], known=False),
    ],
    "BroadcastArgs": [
        Sample(
            ops.broadcast_dynamic_shape,
            [np.array([2, 1], np.int32), np.array([3], np.int32)],
            known=False,
        ),
    ],
    "EnsureShape": [
        Sample(lambda x: ops.ensure_shape(x, [None, 3]), [uniform((2, 3))]),
        Sample(lambda x: ops.ensure_shape(x, None), [STRINGS]),
    ],
    "Identity": [Sample(ops.identity, [uniform((2,))]), Sample(ops.identity, [STRINGS])],
    "StopGradient": [Sample(ops.stop_gradient, [uniform((2,))], grad=False)],
}
