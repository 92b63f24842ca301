"""Samples of gathering and scattering."""

from __future__ import annotations

import numpy as np

from runtime.ops import gathering as ops
from runtime.ops import scattering as scatter
from runtime.ops.apply import apply
from tests.ops.sampling import Sample, uniform

PAIR = np.array([2, 0], np.int32)
GRID = np.array([[0, 1], [1, 1]], np.int64)
COORDINATES = np.array([[0, 1], [1, 2], [0, 1]], np.int32)
ROWS = np.array([[1], [0], [1]], np.int32)


def _into(op: str) -> list[Sample]:
    fn = getattr(scatter, f"tensor_scatter_nd_{op}")
    return [
        Sample(lambda x, i, u: fn(x, i, u), [uniform((2, 3)), COORDINATES[:2], uniform((2,))]),
        Sample(lambda x, i, u: fn(x, i, u), [uniform((2, 3)), ROWS[:2], uniform((2, 3))]),
        Sample(lambda x: fn(x, [[0]], [1]), [np.array([3, 4], np.int32)]),
    ]


SAMPLES = {
    "GatherV2": [
        Sample(ops.gather, [uniform((3, 2)), PAIR]),
        Sample(ops.gather, [uniform((3, 2)), np.int32(1)]),
        Sample(lambda x, i: ops.gather(x, i, axis=1), [uniform((2, 3)), GRID]),
        Sample(lambda x, i: ops.gather(x, i, axis=-1), [uniform((2, 3)), PAIR]),
        Sample(lambda x, i: ops.gather(x, i, batch_dims=1), [uniform((2, 3)), GRID]),
        Sample(lambda x, i: ops.gather(x, i, axis=2, batch_dims=1), [uniform((2, 3, 2)), GRID]),
        Sample(ops.gather, [np.array([b"a", b"b", b"c"], object), PAIR]),
        Sample(ops.gather, [np.array([b"a", b"b", b"c"], object), np.int32(1)]),
        Sample(ops.gather, [uniform((3,)), np.zeros((0,), np.int32)]),
    ],
    "GatherGrad": [
        Sample(
            lambda dy, i: apply(
                ops.GATHER_GRAD, (dy, i), {"axis": 1, "batch_dims": 0, "shape": (2, 3)}
            ),
            [uniform((2, 2, 2)), GRID],
        ),
    ],
    "GatherNd": [
        Sample(ops.gather_nd, [uniform((2, 3)), COORDINATES]),
        Sample(ops.gather_nd, [uniform((2, 3)), ROWS]),
        Sample(ops.gather_nd, [uniform((2, 3)), np.zeros((2, 0), np.int32)]),
        Sample(lambda x, i: ops.gather_nd(x, i, 1), [uniform((3, 3)), ROWS]),
        Sample(ops.gather_nd, [np.array([b"a", b"b"], object), np.array([1])]),
    ],
    "GatherNdGrad": [
        Sample(
            lambda dy, i: apply(ops.GATHER_ND_GRAD, (dy, i), {"batch_dims": 0, "shape": (2, 3)}),
            [uniform((3,)), COORDINATES],
        ),
    ],
    "SelectV2": [
        Sample(ops.where, [np.array([True, False]), uniform((2,)), uniform((2,))]),
        Sample(ops.where, [np.array([[True], [False]]), uniform((2,)), uniform(())]),
        Sample(lambda x: ops.where(x > 0, x, 0), [uniform((3,))], grad=True),
        Sample(lambda c: ops.where(c, "yes", "no"), [np.array([True, False])]),
    ],
    "Where": [
        Sample(ops.where, [np.array([[True, False], [True, True]])], known=False, unknown=True),
        Sample(ops.where, [np.array([0, 3, 0])], known=False),
    ],
    "Repeat": [
        Sample(lambda x: ops.repeat(x, 2, axis=0), [uniform((2, 2))]),
        Sample(lambda x: ops.repeat(x, [1, 2], axis=1), [uniform((2, 2))]),
        Sample(lambda x: ops.repeat(x, 2), [uniform((2, 2))]),
        Sample(lambda x, n: ops.repeat(x, n, 0), [uniform((2,)), np.int32(3)], known=False),
    ],
    "SearchSorted": [
        Sample(ops.searchsorted, [np.array([1.0, 3, 5]), np.array([0.0, 3, 9])], grad=False),
        Sample(
            lambda s, v: ops.searchsorted(s, v, side="right", out_type="int64"),
            [np.array([[1, 3], [2, 2]]), np.array([[3], [2]])],
            unknown=False,
        ),
    ],
    "ScatterNd": [
        Sample(lambda i, u: scatter.scatter_nd(i, u, [2, 3]), [COORDINATES, uniform((3,))]),
        Sample(lambda i, u: scatter.scatter_nd(i, u, [2, 2]), [ROWS, uniform((3, 2))]),
        Sample(scatter.scatter_nd, [ROWS, uniform((3,)), np.array([4])], known=False),
    ],
    "TensorScatterUpdate": _into("update"),
    "TensorScatterAdd": [
        *_into("add"),
        Sample(scatter.tensor_scatter_nd_add, [uniform((2, 3)), COORDINATES, uniform((3,))]),
    ],
    "TensorScatterSub": _into("sub"),
    "TensorScatterMin": _into("min"),
    "TensorScatterMax": _into("max"),
}
