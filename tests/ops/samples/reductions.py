"""Samples of reductions and scans."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import norm_reductions, scans
from runtime.ops import reductions as r
from runtime.ops.apply import apply
from runtime.ops.elementwise import maximum
from runtime.ops.gradients_support import shape_of
from tests.ops.sampling import Sample, uniform


def over_axes(fn: Any, low: float = 0.5, high: float = 2.0, **options: Any) -> list[Sample]:
    """Every way to name axes, on ordinary and odd shapes."""
    x = uniform((2, 3, 2), low, high)
    return [
        Sample(lambda t: fn(t), [x], **options),
        Sample(lambda t: fn(t, 1), [x], **options),
        Sample(lambda t: fn(t, axis=[0, -1]), [x], **options),
        Sample(lambda t: fn(t, axis=-1, keepdims=True), [x], **options),
        Sample(lambda t: fn(t, keepdims=True), [x], **options),
        Sample(lambda t: fn(t, axis=[]), [x], **options),
        Sample(lambda t, a: fn(t, a), [x, np.array(1, np.int32)], known=False, **options),
        Sample(
            lambda t, a: fn(t, a, keepdims=True),
            [x, np.array([0, 2], np.int32)],
            known=False,
            **options,
        ),
        Sample(lambda t: fn(t), [uniform((), low, high)], **options),
        Sample(lambda t: fn(t, 1), [uniform((0, 3), low, high)], **options),
        Sample(lambda t: fn(t, 0), [uniform((4, 2), low, high, np.float32)], grad=False),
        Sample(lambda t: fn(t, 0), [uniform((4, 2), low, high, np.float16)], grad=False),
    ]


def whole(fn: Any) -> list[Sample]:
    return [
        Sample(lambda t: fn(t, axis=0), [np.array([[3, 9], [100, 9]], t)])
        for t in (np.int8, np.uint8, np.int16, np.int32, np.int64, np.uint64)
    ]


def complex_ones(fn: Any) -> list[Sample]:
    return [Sample(lambda t: fn(t, axis=0), [uniform((3, 2), 0.5, 2, np.complex128)])]


def truth(fn: Any) -> list[Sample]:
    x = np.array([[True, False], [True, True]])
    return [
        Sample(lambda t: fn(t), [x]),
        Sample(lambda t: fn(t, axis=1), [x]),
        Sample(lambda t: fn(t, axis=0, keepdims=True), [x]),
        Sample(lambda t: fn(t), [np.zeros((0, 2), bool)]),
    ]


def scan(fn: Any, **options: Any) -> list[Sample]:
    x = uniform((3, 4), 0.5, 2)
    made = [
        Sample(lambda t, e=e, v=v: fn(t, axis=1, exclusive=e, reverse=v), [x], **options)
        for e in (False, True)
        for v in (False, True)
    ]
    made += [
        Sample(lambda t: fn(t), [x], **options),
        Sample(lambda t: fn(t, axis=-1), [uniform((2, 0))], **options),
        Sample(lambda t: fn(t), [uniform((3,), 0.5, 2, np.float32)], grad=False),
    ]
    return made


def whole_scans(fn: Any) -> list[Sample]:
    return [
        Sample(lambda t: fn(t), [np.array([3, 9, 100], t)]) for t in (np.int8, np.int32, np.int64)
    ]


SAMPLES = {
    "Sum": over_axes(r.reduce_sum) + whole(r.reduce_sum) + complex_ones(r.reduce_sum),
    "Mean": over_axes(r.reduce_mean) + whole(r.reduce_mean) + complex_ones(r.reduce_mean),
    "Prod": [s for s in over_axes(r.reduce_prod) if np.ndim(s.args[-1]) != 1]
    + whole(r.reduce_prod)
    + complex_ones(r.reduce_prod)
    + [
        Sample(lambda t: r.reduce_prod(t, 0), [np.array([[0.0, 2.0], [3.0, 4.0], [5.0, 0.0]])],
               second=False),
        Sample(lambda t: r.reduce_prod(t, [0, 1]), [np.array([[0.0, 2.0], [3.0, 4.0]])],
               second=False),
    ],
    "Max": over_axes(r.reduce_max) + whole(r.reduce_max) + truth(r.reduce_max),
    "Min": over_axes(r.reduce_min) + whole(r.reduce_min) + truth(r.reduce_min),
    "All": truth(r.reduce_all),
    "Any": truth(r.reduce_any),
    "LogSumExp": over_axes(norm_reductions.reduce_logsumexp),
    "EuclideanNorm": over_axes(norm_reductions.reduce_euclidean_norm),
    "SizeRatio": [
        Sample(
            lambda x, y: apply(r.SIZE_RATIO, (shape_of(x), shape_of(y)), {"dtype": x.dtype}),
            [uniform((4, 2)), uniform((2,))],
        )
    ],
    "Cumsum": scan(scans.cumsum) + whole_scans(scans.cumsum),
    "Cumprod": scan(scans.cumprod) + whole_scans(scans.cumprod),
    # An exclusive one starts with the least number there is, too large for differences.
    "CumulativeLogsumexp": scan(lambda *a, **k: maximum(scans.cumulative_logsumexp(*a, **k), -99)),
    "Variance": over_axes(r.reduce_variance) + over_axes(r.reduce_std)[1:4],
}  # fmt: skip
