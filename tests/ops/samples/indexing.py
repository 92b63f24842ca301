"""Samples of indices of every kind, read and written."""

from __future__ import annotations

import numpy as np

from runtime.ops import indexing as ops
from runtime.ops import slicing
from runtime.ops.apply import apply
from runtime.ops.indexing import Hole, set_item
from tests.ops.sampling import Sample, uniform

CUBE = (2, 3, 4)
PAIR = np.array([1, 0], np.int64)
GRID = np.array([[0, 1], [1, 1]], np.int32)
MASK = np.array([True, False, True])
I, J = np.int32(1), np.int64(-2)

STATIC = [
    (0,),
    (-1, 1),
    (slice(1, None),),
    (slice(None, None, -1), 1),
    (slice(5, 1, -2),),
    (Ellipsis, 0),
    (0, Ellipsis, slice(1, 3)),
    (None, Ellipsis, None),
    (slice(None), None, 1, slice(2, None)),
    (1, 2, 3),
    (),
    (Ellipsis,),
    (1, 2, 3, Ellipsis),
]
ARRAYS = [(PAIR,), (slice(None), PAIR), (PAIR, PAIR), (0, slice(None), PAIR), (GRID,)]
ARRAYS += [(PAIR, Ellipsis, PAIR), (Ellipsis, PAIR, None), (None, PAIR, slice(1), PAIR)]

SAMPLES = {
    "GetItem": [
        *(Sample(lambda x, at=at: x[at], [uniform(CUBE)]) for at in STATIC),
        *(Sample(lambda x, at=at: x[at], [uniform(CUBE)]) for at in ARRAYS),
        Sample(lambda x, i: x[i], [uniform(CUBE), I]),
        Sample(lambda x, i: x[:, i], [uniform(CUBE), J]),
        Sample(lambda x, i: x[i:], [uniform(CUBE), I], known=False),
        Sample(lambda x, i: x[i - 1 : i + 1, ::i], [uniform(CUBE), I], known=False),
        Sample(lambda x, p: x[p], [uniform(CUBE), PAIR]),
        Sample(lambda x, p, q: x[p, q], [uniform(CUBE), PAIR, GRID]),
        Sample(lambda x, i, p: x[i, :, p], [uniform(CUBE), I, PAIR]),
        Sample(lambda x, m: x[:, m], [uniform(CUBE), MASK], known=False),
        Sample(lambda x: x[x > 0], [uniform((3, 2))], known=False, unknown=False),
        Sample(lambda x: x[:, [0, 1]], [np.array([[b"a", b"b"]], object)]),
        Sample(lambda x: x[0, 1], [np.array([[b"a", b"b"]], object)]),
        Sample(lambda x: x[:0], [uniform((0, 2))]),
        Sample(lambda x: x[True], [uniform((2,))], known=False),
        Sample(
            lambda x: slicing.boolean_mask(x, MASK, axis=1),
            [uniform(CUBE)],
            known=False,
            unknown=False,
        ),
        Sample(
            lambda x: slicing.strided_slice(x, [0, 1], [2, 3], shrink_axis_mask=1),
            [uniform((2, 3))],
        ),
    ],
    "GetElement": [
        Sample(lambda x: x[1, -1], [uniform((2, 3))]),
        Sample(lambda x, i, j: x[i, j], [uniform((2, 3)), I, J]),
        Sample(lambda x, i: x[i], [np.array([1, 2], np.uint8), I]),
    ],
    "GetItemGrad": [
        Sample(
            lambda dy: apply(ops.GET_ITEM_GRAD, (dy,), {"index": (1,), "shape": (2, 3)}),
            [uniform((3,))],
        ),
        Sample(
            lambda dy, n, p: apply(ops.GET_ITEM_GRAD, (dy, n, p), {"index": (Hole(0),)}),
            [uniform((2, 3)), np.array([2, 3], np.int32), np.array([1, 1])],
            known=False,
        ),
    ],
    "SetItem": [
        Sample(lambda x, v: set_item(x, 1, v), [uniform((2, 3)), uniform((3,))]),
        Sample(lambda x, v: set_item(x, (0, slice(1, None)), v), [uniform((2, 3)), uniform(())]),
        Sample(lambda x, v, i: set_item(x, i, v), [uniform((2, 3)), uniform((3,)), I]),
        # More dimensions than the place has: gradients know it where the ranks are known.
        Sample(
            lambda x, v, i: set_item(x, i, v),
            [uniform((2, 3)), uniform((1, 3)), I],
            unknown=False,
        ),
        Sample(lambda x, i, j: set_item(x, (i, j), 5), [uniform((2, 3)), I, J]),
        Sample(lambda x, v, m: set_item(x, m, v), [uniform((3,)), uniform(()), MASK]),
        Sample(lambda x, v: set_item(x, x > 3, v), [np.array([1, 5]), np.array(0)]),
        Sample(lambda x, v, p: set_item(x, p, v), [uniform((2, 3)), uniform((2, 3)), PAIR]),
        Sample(lambda x: set_item(x, 0, 1.9), [np.array([1, 2], np.int32)]),
        Sample(lambda x: set_item(x, 0, "new"), [np.array([b"a", b"b"], object)]),
    ],
    "Slice": [
        Sample(lambda x: slicing.slice(x, [0, 1], [2, 2]), [uniform((2, 3))]),
        Sample(lambda x: slicing.slice(x, [1, 0], [-1, 2]), [uniform((2, 3))]),
        Sample(lambda x, b: slicing.slice(x, b, [1, 2]), [uniform((2, 3)), np.array([0, 1])]),
        Sample(
            lambda x, s: slicing.slice(x, [0, 1], s),
            [uniform((2, 3)), np.array([1, -1], np.int32)],
            known=False,
        ),
    ],
}
