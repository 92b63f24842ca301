"""Samples of convolutions, pooling and moves between space, channels and batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import nn_convolution as conv
from runtime.ops import nn_pooling as pool
from runtime.ops import nn_space as space
from runtime.ops.apply import apply
from runtime.ops.nn_windows import Window
from tests.ops.sampling import Sample, uniform

LINE, IMAGE, SOLID = uniform((2, 5, 2)), uniform((2, 4, 5, 2)), uniform((1, 3, 3, 2, 2))


def convs() -> list[Sample]:
    made = []
    for padding in ("SAME", "VALID", [[0, 0], [1, 2], [0, 1], [0, 0]]):
        for strides in (1, [2, 1], 2):
            made.append(
                Sample(
                    lambda x, w, p=padding, s=strides: conv.conv2d(x, w, s, p),
                    [IMAGE, uniform((2, 3, 2, 2))],
                    second=strides == 2,
                )
            )
    w = uniform((2, 2, 2, 3))
    return made + [
        Sample(lambda x, w: conv.conv2d(x, w, 1, "SAME", dilations=2), [IMAGE, w]),
        Sample(lambda x, w: conv.conv2d(x, w, 1, "VALID", dilations=[1, 2]), [IMAGE, w]),
        Sample(
            lambda x, w: conv.conv2d(x, w, 1, "SAME", data_format="NCHW"),
            [uniform((1, 2, 3, 3)), w],
        ),
        Sample(
            lambda x, w: conv.conv2d(x, w, 1, "SAME"),
            [uniform((1, 3, 3, 4)), uniform((2, 2, 2, 4))],
        ),
        Sample(lambda x, w: conv.conv1d(x, w, 2, "SAME"), [LINE, uniform((3, 2, 2))]),
        Sample(lambda x, w: conv.conv3d(x, w, 1, "VALID"), [SOLID, uniform((2, 2, 1, 2, 1))]),
        Sample(
            lambda x, w: conv.depthwise_conv2d(x, w, [1, 1, 1, 1], "SAME"),
            [uniform((1, 3, 3, 2)), uniform((2, 2, 2, 2))],
        ),
        Sample(
            lambda x, w, p: conv.separable_conv2d(x, w, p, [1, 1, 1, 1], "VALID"),
            [uniform((1, 3, 3, 2)), uniform((2, 2, 2, 1)), uniform((1, 1, 2, 2))],
        ),
        Sample(lambda x, w: conv.atrous_conv2d(x, w, 2, "SAME"), [IMAGE, w], second=False),
        Sample(lambda x, w: conv.convolution(x, w), [LINE, uniform((3, 2, 2))], unknown=False),
        Sample(
            lambda x, w: conv.conv2d(x, w, 1, "SAME"),
            [IMAGE.astype(np.float32), w.astype(np.float32)],
            grad=False,
        ),
        Sample(lambda x, w: conv.conv2d(x, w, 1, "SAME"), [IMAGE[:0], w], grad=False),
    ]


def transposed() -> list[Sample]:
    return [
        Sample(
            lambda x, w: conv.conv2d_transpose(x, w, [1, 4, 5, 2], 2, "SAME"),
            [uniform((1, 2, 3, 1)), uniform((3, 2, 2, 1))],
        ),
        Sample(
            lambda x, w: conv.conv2d_transpose(x, w, [1, 4, 4, 2], [1, 2], "VALID"),
            [uniform((1, 2, 2, 1)), uniform((3, 2, 2, 1))],
        ),
        Sample(
            lambda x, w: conv.conv2d_transpose(x, w, [1, 2, 4, 4], 2, "SAME", "NCHW"),
            [uniform((1, 1, 2, 2)), uniform((3, 2, 2, 1))],
            second=False,
        ),
        Sample(
            lambda x, w, d: conv.conv2d_transpose(x, w, d, 2, "SAME"),
            [uniform((1, 2, 2, 1)), uniform((2, 2, 2, 1)), np.array([1, 4, 4, 2], np.int32)],
            known=False,
        ),
        Sample(
            lambda x, w: conv.conv1d_transpose(x, w, [1, 4, 2], 2),
            [uniform((1, 2, 1)), uniform((3, 2, 1))],
        ),
        Sample(
            lambda x, w: conv.conv3d_transpose(x, w, [1, 2, 2, 2, 1], 2),
            [uniform((1, 1, 1, 1, 2)), uniform((2, 2, 2, 1, 2))],
            second=False,
        ),
        Sample(
            lambda x, w: conv.conv_transpose(x, w, [1, 4, 2], 2),
            [uniform((1, 2, 1)), uniform((3, 2, 1))],
            unknown=False,
        ),
    ]


def pools(fn: Any) -> list[Sample]:
    return [
        Sample(lambda x: fn(x, 2, 2, "VALID"), [IMAGE], unknown=False),
        Sample(lambda x: fn(x, [2, 3], [1, 2], "SAME"), [IMAGE], unknown=False),
        Sample(lambda x: fn(x, [1, 2, 2, 1], [1, 1, 1, 1], "SAME"), [IMAGE], unknown=False),
        Sample(lambda x: fn(x, 3, 2, "SAME"), [LINE], unknown=False),
        Sample(lambda x: fn(x, 2, 1, "VALID"), [SOLID], unknown=False),
        Sample(lambda x: fn(x, 2, 2, "SAME", "NCHW"), [uniform((1, 2, 3, 3))], unknown=False),
        Sample(
            lambda x: fn(x, 2, 2, "SAME"), [IMAGE.astype(np.float16)], grad=False, unknown=False
        ),
    ]


PLAIN = Window((2, 2), (1, 2), (1, 1), "SAME")
X = uniform((1, 3, 4, 1))


def largest(x: Any) -> Any:
    return apply(pool.MAX_POOL, (x,), {"window": PLAIN})


SAMPLES = {
    "Conv": convs(),
    "ConvBackpropInput": transposed(),
    "ConvBackpropFilter": convs()[2:3],
    "MaxPool": pools(pool.max_pool)
    + [Sample(lambda x: pool.max_pool2d(x, 2, 2, "SAME"), [IMAGE]),
       Sample(lambda x: pool.max_pool1d(x, 2, 2, "VALID"), [LINE]),
       Sample(lambda x: pool.max_pool3d(x, 2, 1, "SAME"), [SOLID]),
       Sample(lambda x: pool.pool(x, [2, 2], "MAX", padding="SAME", dilations=[2, 1]), [IMAGE]),
       Sample(lambda x: pool.max_pool2d(x, 2, 2, "SAME"), [np.arange(8).reshape(1, 2, 4, 1)])],
    "AvgPool": pools(pool.avg_pool)
    + [Sample(lambda x: pool.avg_pool2d(x, 3, 2, "SAME"), [IMAGE]),
       Sample(lambda x: pool.avg_pool1d(x, 2, 2, "VALID"), [LINE]),
       Sample(lambda x: pool.avg_pool3d(x, 2, 1, "SAME"), [SOLID]),
       Sample(lambda x: pool.pool(x, [2, 2], "AVG"), [IMAGE])],
    "AvgPoolGrad": [Sample(lambda d: apply(pool.AVG_POOL_GRAD, (d,),
                                           {"window": PLAIN, "shape": (1, 3, 4, 1)}),
                           [uniform((1, 3, 2, 1))])],
    "MaxPoolGrad": [Sample(lambda x, d: apply(pool.MAX_POOL_GRAD, (x, largest(x), d),
                                              {"window": PLAIN}), [X, uniform((1, 3, 2, 1))])],
    "MaxPoolGradGrad": [Sample(lambda x, d: apply(pool.MAX_POOL_GRAD_GRAD, (x, largest(x), d),
                                                  {"window": PLAIN}), [X, uniform((1, 3, 4, 1))])],
    "MaxPoolWithArgmax": [
        Sample(lambda x: pool.max_pool_with_argmax(x, 2, 2, "SAME"), [IMAGE]),
        Sample(lambda x: pool.max_pool_with_argmax(x, 2, 1, "VALID", include_batch_in_index=True),
               [IMAGE]),
    ],
    "Space": [
        Sample(lambda x: space.depth_to_space(x, 2), [uniform((1, 2, 2, 8))], unknown=False),
        Sample(lambda x: space.space_to_depth(x, 2), [uniform((1, 4, 2, 2))], unknown=False),
        Sample(lambda x: space.space_to_depth(x, 2, "NCHW"), [uniform((1, 2, 4, 2))],
               unknown=False),
        Sample(lambda x: space.space_to_batch(x, [2, 2], [[1, 0], [0, 1]]), [uniform((2, 3, 3, 1))],
               unknown=False),
        Sample(lambda x: space.batch_to_space(x, [2, 2], [[1, 0], [0, 1]]), [uniform((8, 2, 2, 1))],
               unknown=False),
    ],
}  # fmt: skip
