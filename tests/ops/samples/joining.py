"""Samples of joining, splitting, padding and reordering."""

from __future__ import annotations

import numpy as np

from runtime.ops import joining as ops
from runtime.ops import padding, reordering
from runtime.ops.apply import apply
from tests.ops.sampling import Sample, uniform

WORDS = np.array([b"a", b"b"], object)
WIDTHS = np.array([[1, 0], [0, 2]], np.int32)

SAMPLES = {
    "ConcatV2": [
        Sample(lambda a, b: ops.concat([a, b], 0), [uniform((2, 3)), uniform((1, 3))]),
        Sample(lambda a, b: ops.concat([a, b, a], -1), [uniform((2, 3)), uniform((2, 1))]),
        Sample(lambda a, b: ops.concat([a, b], 0), [uniform((0,)), uniform((2,))]),
        Sample(lambda a: ops.concat([a, a], 0), [WORDS]),
        Sample(
            lambda a, b: ops.concat([a, b], 0), [np.array([1], np.int32), uniform((2,))], grad=False
        ),
    ],
    "Pack": [
        Sample(lambda a, b: ops.stack([a, b]), [uniform((2, 3)), uniform((2, 3))]),
        Sample(lambda a, b: ops.stack([a, b], -1), [uniform((2, 3)), uniform((2, 3))]),
        Sample(lambda a, b: ops.stack([a, b, 1.0]), [uniform(()), uniform(())]),
        Sample(lambda a: ops.stack([a, a]), [WORDS]),
        Sample(lambda a: ops.stack([a, a]), [np.array(b"x", object)]),
    ],
    "Unpack": [
        Sample(lambda x: ops.unstack(x, num=2), [uniform((2, 3))]),
        Sample(lambda x: ops.unstack(x, num=3, axis=-1)[1], [uniform((2, 3))]),
        Sample(lambda x: ops.unstack(x, num=2), [WORDS]),
        Sample(lambda x: ops.unstack(x, num=1), [uniform((1,))]),
    ],
    "Split": [
        Sample(lambda x: ops.split(x, 2), [uniform((4, 2))]),
        Sample(lambda x: ops.split(x, 2, axis=-1)[0], [uniform((2, 2))]),
        Sample(lambda x: ops.split(x, 1), [WORDS]),
    ],
    "SplitV": [
        Sample(lambda x: ops.split(x, [1, 3]), [uniform((4, 2))]),
        Sample(lambda x: ops.split(x, [1, -1], axis=1), [uniform((2, 3))], unknown=False),
        Sample(lambda x, n: ops.split(x, n, num=2), [uniform((4,)), np.array([1, 3])], known=False),
    ],
    "Tile": [
        Sample(lambda x: padding.tile(x, [2, 3]), [uniform((2, 2))]),
        Sample(lambda x: padding.tile(x, [0]), [uniform((2,))]),
        Sample(padding.tile, [uniform((2, 1)), np.array([1, 2], np.int32)], known=False),
    ],
    "TileGrad": [
        Sample(
            lambda dy: apply(padding.TILE_GRAD, (dy,), {"multiples": (2, 1), "shape": (2, 3)}),
            [uniform((4, 3))],
        ),
        Sample(
            lambda dy, n, s: apply(padding.TILE_GRAD, (dy, n, s), {"multiples": None}),
            [uniform((4, 3)), np.array([2, 1]), np.array([2, 3])],
            known=False,
        ),
    ],
    "PadV2": [
        Sample(lambda x: padding.pad(x, [[1, 0], [0, 2]]), [uniform((2, 2))]),
        Sample(
            lambda x, v: padding.pad(x, [[1, 1]], constant_values=v), [uniform((2,)), uniform(())]
        ),
        Sample(padding.pad, [uniform((2, 2)), WIDTHS], known=False),
        Sample(lambda x: padding.pad(x, [[1, 1]]), [WORDS]),
    ],
    "MirrorPad": [
        Sample(lambda x: padding.pad(x, [[1, 1], [2, 0]], "REFLECT"), [uniform((2, 3))]),
        Sample(lambda x: padding.pad(x, [[1, 1], [2, 0]], "SYMMETRIC"), [uniform((2, 3))]),
        Sample(lambda x, w: padding.pad(x, w, "SYMMETRIC"), [uniform((2, 2)), WIDTHS], known=False),
    ],
    "MirrorPadGrad": [
        Sample(
            lambda dy: apply(
                padding.MIRROR_PAD_GRAD, (dy,), {"widths": ((1, 1),), "mode": "reflect"}
            ),
            [uniform((5,))],
            unknown=False,
        ),
    ],
    "ReverseV2": [
        Sample(lambda x: reordering.reverse(x, [0]), [uniform((2, 3))]),
        Sample(lambda x: reordering.reverse(x, [-1, 0]), [uniform((2, 3))]),
        Sample(lambda x: reordering.reverse(x, [0]), [WORDS]),
    ],
    "Roll": [
        Sample(lambda x: reordering.roll(x, 1, 0), [uniform((3, 2))]),
        Sample(lambda x: reordering.roll(x, [1, -2], [0, 1]), [uniform((3, 2))]),
        Sample(lambda x, n: reordering.roll(x, n, -1), [uniform((3,)), np.int32(5)]),
    ],
}
