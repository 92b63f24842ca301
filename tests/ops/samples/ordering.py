"""Samples of sorting, counting and segments."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import along_axis, apply, counting, segments, sorting
from tests.ops.sampling import Sample, uniform

X = uniform((3, 4))
IDS = np.array([0, 0, 2, 2], np.int32)
LOOSE = np.array([2, -1, 0, 2], np.int32)
ROWS = uniform((4, 2), 0.5, 2)


def by_axis(fn: Any) -> list[Sample]:
    return [
        Sample(lambda t: fn(t), [X]),
        Sample(lambda t: fn(t, axis=0), [X]),
        Sample(lambda t: fn(t, axis=-1, direction="DESCENDING"), [X]),
        Sample(lambda t: fn(t), [np.array([3, 1, 2, 1], np.int32)]),
        Sample(lambda t: fn(t, direction="DESCENDING"), [np.array([3, 1, 2, 1], np.uint8)]),
        Sample(lambda t: fn(t), [np.zeros((0,), np.float32)]),
    ]


def in_segments(fn: Any) -> list[Sample]:
    return [
        Sample(fn, [ROWS, IDS], known=False),
        Sample(fn, [uniform((4,), 0.5, 2), IDS], known=False),
        Sample(fn, [np.array([1, 5, 2, 3], np.int32), IDS], known=False),
        Sample(fn, [np.zeros((0, 2)), IDS[:0]], known=False),
    ]


def in_loose_segments(fn: Any) -> list[Sample]:
    # No differences for an empty extreme: it is the largest number there is.
    return [
        Sample(lambda d, i: fn(d, i, 3)[::2], [ROWS, LOOSE]),
        Sample(lambda d, i: fn(d, i, 3)[::2], [uniform((2, 2, 3), 0.5, 2), LOOSE.reshape(2, 2)]),
        Sample(lambda d, i, n: fn(d, i, n)[::2], [ROWS, LOOSE, np.array(3, np.int32)], known=False),
        Sample(lambda d, i: fn(d, i, 3), [np.array([1, 5, 2, 3], np.int32), LOOSE]),
    ]


ORDER = np.argsort(X, axis=1)

SAMPLES = {
    "Sort": by_axis(sorting.sort),
    "ArgSort": by_axis(sorting.argsort),
    "TopKV2": [
        Sample(lambda t: sorting.top_k(t, 2), [X]),
        Sample(lambda t: sorting.top_k(t), [X]),
        Sample(lambda t, k: sorting.top_k(t, k), [X, np.array(3, np.int32)], known=False),
        Sample(lambda t: sorting.top_k(t, 4), [np.array([1, 3, 2, 3], np.int32)]),
        Sample(lambda t: sorting.top_k(t, 2), [uniform((2, 20))]),
        Sample(lambda t: sorting.top_k(t, 3), [np.arange(60).reshape(2, 30) % 7]),
    ],
    "ApproxTopK": [Sample(lambda t: sorting.approx_max_k(t, 2), [X]),
                   Sample(lambda t: sorting.approx_min_k(t, 2, 0), [X], unknown=False)],
    "InTopKV2": [
        Sample(lambda t, p: sorting.in_top_k(t, p, 2), [np.array([0, 9, 2], np.int32), X]),
    ],
    "ArgMax": [
        Sample(lambda t: sorting.argmax(t), [X]),
        Sample(lambda t: sorting.argmax(t, -1, output_type=np.int32), [X]),
    ],
    "ArgMin": [
        Sample(lambda t: sorting.argmin(t), [X]),
        Sample(lambda t: sorting.argmin(t, -1, output_type=np.int32), [X]),
    ],
    "IsNonDecreasing": [Sample(sorting.is_non_decreasing, [np.array([1, 1, 2])])],
    "IsStrictlyIncreasing": [Sample(sorting.is_strictly_increasing, [np.array([1, 1, 2])])],
    "TakeAlongAxis": [Sample(lambda t, i: along_axis.take_along_axis(t, i, 1), [X, ORDER])],
    "PutAlongAxis": [
        Sample(lambda v, i, t: along_axis.put_along_axis(v, i, t, 1), [X, ORDER, uniform((3, 5))])
    ],
    "Unique": [
        Sample(counting.unique, [np.array([30, 10, 30, 20], np.int32)], known=False),
        Sample(counting.unique_with_counts, [np.array([2.5, 1.0, 2.5])], grad=False, known=False),
        Sample(counting.unique, [np.array([b"b", b"a", b"b"], object)], known=False),
        Sample(counting.unique, [np.zeros((0,), np.int64)], known=False),
    ],
    "Bincount": [
        Sample(counting.bincount, [np.array([1, 1, 3], np.int32)], known=False),
        Sample(lambda v: counting.bincount(v, minlength=5, maxlength=5), [np.array([1, 1, 7])]),
        Sample(lambda v, w: counting.bincount(v, w, minlength=3, maxlength=3),
               [np.array([[1, 1], [3, 0]]), uniform((2, 2))]),
        Sample(lambda v: counting.bincount(v, axis=-1, minlength=4, maxlength=4),
               [np.array([[1, 1], [3, 0]])]),
        Sample(lambda v: counting.bincount(v, binary_output=True), [np.array([1, 1, 3])],
               known=False),
    ],
    "HistogramBins": [
        Sample(lambda v: counting.histogram_fixed_width_bins(v, [-0.5, 0.5], 4), [X], grad=False)
    ],
    "HistogramFixedWidth": [
        Sample(lambda v: counting.histogram_fixed_width(v, [-0.5, 0.5], 4), [X], grad=False)
    ],
    "ConfusionMatrix": [
        Sample(counting.confusion_matrix, [np.array([1, 0]), np.array([1, 1])], known=False),
        Sample(lambda a, b, w: counting.confusion_matrix(a, b, 3, w, dtype="float64"),
               [np.array([1, 0]), np.array([1, 1]), np.array([2, 3])]),
    ],
    "SegmentSum": in_segments(segments.segment_sum) + in_segments(segments.segment_mean),
    "SegmentProd": in_segments(segments.segment_prod)
    + [Sample(segments.segment_prod, [np.array([0.0, 2.0, 0.0, 0.0]), IDS], known=False,
              second=False)],
    "SegmentMax": in_segments(segments.segment_max),
    "SegmentMin": in_segments(segments.segment_min),
    "UnsortedSegmentSum": in_loose_segments(segments.unsorted_segment_sum)
    + in_loose_segments(segments.unsorted_segment_mean)
    + in_loose_segments(segments.unsorted_segment_sqrt_n)[:2],
    "UnsortedSegmentProd": in_loose_segments(segments.unsorted_segment_prod),
    "UnsortedSegmentMax": in_loose_segments(segments.unsorted_segment_max),
    "UnsortedSegmentMin": in_loose_segments(segments.unsorted_segment_min),
    "TrailingOnes": [
        Sample(lambda m, r: apply.apply(segments.TRAILING_ONES, (m, r)),
               [np.array([True, False]), uniform((2, 3))], known=False)
    ],
}  # fmt: skip
