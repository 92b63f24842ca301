"""Samples of tensors made of shapes and numbers."""

from __future__ import annotations

import numpy as np

from runtime.ops import creation as ops
from tests.ops.sampling import Sample, uniform

SAMPLES = {
    "Fill": [
        Sample(lambda v: ops.fill([2, 3], v), [uniform(())]),
        Sample(lambda v: ops.fill([0, 3], v), [uniform(())]),
        Sample(lambda v: ops.fill([], v), [np.array(b"s", object)]),
        Sample(lambda d, v: ops.fill(d, v), [np.array([2, 2], np.int32), uniform(())], known=False),
        Sample(lambda d: ops.zeros(d), [np.array([2, 2], np.int32)], known=False),
        Sample(lambda d: ops.ones(d, "bool"), [np.array(2, np.int64)], known=False),
    ],
    "ZerosLike": [
        Sample(ops.zeros_like, [uniform((2, 3))], grad=False),
        Sample(ops.zeros_like, [np.array([b"a"], object)]),
        Sample(lambda x: ops.zeros_like(x, "int8"), [uniform((40, 40))], grad=False),
    ],
    "OnesLike": [
        Sample(ops.ones_like, [uniform((2, 3))], grad=False),
        Sample(lambda x: ops.ones_like(x, "bool"), [uniform((40, 40))], grad=False),
    ],
    "Range": [
        Sample(lambda: ops.range(5), []),
        Sample(lambda: ops.range(1.0, 2.0, 0.25), []),
        Sample(lambda: ops.range(10, 0, -3), []),
        Sample(lambda n: ops.range(n), [np.int32(4)], known=False),
        Sample(lambda a, b: ops.range(a, b, 2), [np.int64(1), np.int64(8)], known=False),
        Sample(lambda a: ops.range(a, 3.0), [uniform((), 0, 1)], known=False, grad=False),
    ],
    "LinSpace": [
        Sample(lambda a, b: ops.linspace(a, b, 4), [uniform(()), uniform(())]),
        Sample(lambda a, b: ops.linspace(a, b, 1), [uniform(()), uniform(())]),
        Sample(lambda a, b: ops.linspace(a, b, 3), [uniform((2,)), uniform((2,))]),
        Sample(
            lambda a, b: ops.linspace(a, b, 3, axis=-1),
            [uniform((2, 2)), uniform((2,))],
            unknown=False,
        ),
        Sample(
            lambda a, b, n: ops.linspace(a, b, n),
            [uniform(()), uniform(()), np.int32(3)],
            known=False,
        ),
        Sample(lambda a: ops.linspace(a, 10, 3), [np.int32(0)]),
    ],
    "OneHot": [
        Sample(lambda i: ops.one_hot(i, 3), [np.array([0, 2, -1, 5], np.int32)]),
        Sample(lambda i: ops.one_hot(i, 3, 7, 2, axis=0), [np.array([[0, 2]], np.int64)]),
        Sample(lambda i: ops.one_hot(i, 2, True, False), [np.int32(1)]),
        Sample(lambda i, n: ops.one_hot(i, n), [np.array([1]), np.int32(2)], known=False),
    ],
    "Eye": [
        Sample(lambda: ops.eye(2), []),
        Sample(lambda: ops.eye(2, 3, batch_shape=[2], dtype="int32"), []),
        Sample(lambda n: ops.eye(n), [np.int32(2)], known=False),
    ],
}
