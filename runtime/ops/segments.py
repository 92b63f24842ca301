"""Reductions of rows that share a number: `segment_*` and `unsorted_segment_*`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.dtypes import from_numpy
from runtime.ops.apply import apply
from runtime.ops.binary import truncatediv
from runtime.ops.casting import cast
from runtime.ops.comparison import equal
from runtime.ops.elementwise import maximum
from runtime.ops.gathering import gather
from runtime.ops.gradients_support import masked
from runtime.ops.registry import OpDef, Spec, define, gradient
from runtime.ops.unary import sqrt
from runtime.shapes import UNKNOWN, TensorShape
from runtime.static import static_value
from runtime.tensor import Tensor


def _reduce_rows(ufunc: Any, rows: Any, ids: Any, count: int, empty: Any) -> Any:
    """`ufunc` over the rows of each number, by sorting them into runs."""
    out = np.full((count, *rows.shape[1:]), empty, rows.dtype)
    order = np.argsort(ids, kind="stable")
    ids = ids[order]
    start = np.searchsorted(ids, 0)
    ids, order = ids[start:], order[start:]
    if not len(ids):
        return out
    if ids[-1] >= count:
        raise ValueError(f"segment id {ids[-1]} is out of range for {count} segments")
    starts = np.flatnonzero(np.diff(ids, prepend=-1))
    out[ids[starts]] = ufunc.reduceat(rows[order], starts, axis=0, dtype=rows.dtype)
    return out


def _unsorted_kernel(ufunc: Any, empty: Callable[[Any], Any]) -> Callable[..., Any]:
    def kernel(data: Any, ids: Any, number: Any = None, *, num_segments: int | None = None) -> Any:
        count = int(number) if num_segments is None else num_segments
        if data.shape[: ids.ndim] != ids.shape:
            raise ValueError(
                f"data of shape {data.shape} must begin with the shape of segment_ids, {ids.shape}"
            )
        rows = data.reshape((ids.size, *data.shape[ids.ndim :]))
        return _reduce_rows(ufunc, rows, np.ravel(ids), count, empty(data.dtype))

    return kernel


def _sorted_kernel(ufunc: Any, empty: Any) -> Callable[..., Any]:
    def kernel(data: Any, ids: Any) -> Any:
        if ids.ndim != 1 or not data.ndim or len(ids) != len(data):
            raise ValueError(
                f"segment_ids must be a vector with one number for each of the rows of data, found "
                f"shapes {ids.shape} and {data.shape}"
            )
        if len(ids) and (ids[0] < 0 or np.any(ids[1:] < ids[:-1])):
            raise ValueError("segment_ids must be sorted and not negative")
        count = int(ids[-1]) + 1 if len(ids) else 0
        return _reduce_rows(ufunc, data, ids, count, empty)

    return kernel


def _unsorted_rule(inputs: Any, attrs: Any) -> Spec:
    data, ids = inputs[0].shape, inputs[1].shape
    if data.rank is None or ids.rank is None:
        return Spec(inputs[0].dtype, UNKNOWN)
    if not data[: ids.rank].is_compatible_with(ids):
        raise ValueError(f"data of shape {data} must begin with the shape of segment_ids, {ids}")
    rows = TensorShape((attrs.get("num_segments"),))
    return Spec(inputs[0].dtype, rows.concatenate(data[ids.rank :]))


def _sorted_rule(inputs: Any, attrs: Any) -> Spec:
    data = inputs[0].shape
    if data.rank is None:
        return Spec(inputs[0].dtype, UNKNOWN)
    return Spec(inputs[0].dtype, TensorShape((None,)).concatenate(data[1:]))


def _unsorted(name: str, ufunc: Any, empty: Callable[[Any], Any]) -> OpDef:
    return define(name, kernel=_unsorted_kernel(ufunc, empty), infer=_unsorted_rule)


def _sorted(name: str, ufunc: Any, empty: Any) -> OpDef:
    return define(name, kernel=_sorted_kernel(ufunc, empty), infer=_sorted_rule)


SUM = _unsorted("UnsortedSegmentSum", np.add, lambda dtype: 0)
PROD = _unsorted("UnsortedSegmentProd", np.multiply, lambda dtype: 1)
MAX = _unsorted("UnsortedSegmentMax", np.maximum, lambda dtype: from_numpy(dtype).min)
MIN = _unsorted("UnsortedSegmentMin", np.minimum, lambda dtype: from_numpy(dtype).max)
SORTED_SUM = _sorted("SegmentSum", np.add, 0)
SORTED_PROD = _sorted("SegmentProd", np.multiply, 1)
SORTED_MAX = _sorted("SegmentMax", np.maximum, 0)
SORTED_MIN = _sorted("SegmentMin", np.minimum, 0)


# ---- gradients: each row asks its segment


def _of_segment(values: Tensor, op: Any) -> Tensor:
    """For each row, its segment's part of `values`; 0 for rows whose number is negative."""
    ids = op.inputs[1]
    if op.opdef.name.startswith("Segment"):
        return gather(values, ids)
    taken = gather(values, maximum(ids, 0))
    return masked(_beside(ids >= 0, taken), taken)


def _beside(mask: Tensor, rows: Tensor) -> Tensor:
    """`mask` with ones appended to its shape until it broadcasts to `rows`."""
    from runtime.ops.shaping import expand_dims

    if mask.shape.rank is None or rows.shape.rank is None:
        return apply(TRAILING_ONES, (mask, rows))
    for _ in range(rows.shape.rank - mask.shape.rank):
        mask = expand_dims(mask, -1)
    return mask


TRAILING_ONES = define(
    "TrailingOnes",
    kernel=lambda mask, rows: mask.reshape(mask.shape + (1,) * (rows.ndim - mask.ndim)),
    infer=lambda inputs, attrs: Spec(
        inputs[0].dtype,
        UNKNOWN if inputs[1].shape.rank is None else TensorShape((None,) * inputs[1].shape.rank),
    ),
    gradient="no gradient",
    aliases=0,
)


def _again(op: Any, x: Tensor) -> Tensor:
    """The sum of `x` over the segments of `op`."""
    name = "SegmentSum" if op.opdef.name.startswith("Segment") else "UnsortedSegmentSum"
    total = SORTED_SUM if name == "SegmentSum" else SUM
    return apply(total, (x, *op.inputs[1:]), op.attrs)


def _no_more(op: Any, first: Tensor) -> Any:
    return (first,) + (None,) * (len(op.inputs) - 1)


@gradient(SUM, SORTED_SUM)
def _(op: Any, dy: Tensor) -> Any:
    return _no_more(op, _of_segment(dy, op))


@gradient(MAX, MIN, SORTED_MAX, SORTED_MIN)
def _(op: Any, dy: Tensor) -> Any:
    chosen = cast(equal(op.inputs[0], _of_segment(op.outputs[0], op)), dy.dtype)
    ties = maximum(_again(op, chosen), 1)
    return _no_more(op, chosen * _of_segment(dy / ties, op))


@gradient(PROD, SORTED_PROD)
def _(op: Any, dy: Tensor) -> Any:
    # The product of the others is prod / x without zeros beside; one zero leaves its own.
    x = op.inputs[0]
    is_zero = equal(x, 0)
    ones = cast(is_zero, x.dtype)
    zeros = _of_segment(_again(op, ones), op)
    rest = apply(op.opdef, (x + ones, *op.inputs[1:]), op.attrs)
    others = _of_segment(rest, op) / (x + ones)
    alone = equal(zeros, ones)
    return _no_more(op, masked(alone, others) * _of_segment(dy, op))


# ---- the public functions


def _apply_unsorted(op: OpDef, data: Any, ids: Any, count: Any, name: str | None) -> Tensor:
    x, numbers = convert_to_tensor(data), _ids(ids)
    known = count if type(count) is int else static_value(convert_to_tensor(count))
    if known is None:
        return apply(op, (x, numbers, convert_to_tensor(count)), None, name)
    return apply(op, (x, numbers), {"num_segments": int(known)}, name)


def _ids(ids: Any) -> Tensor:
    tensor = convert_to_tensor(ids)
    if not tensor.dtype.is_integer:
        raise TypeError(f"segment_ids are integers, found {tensor.dtype.name}")
    return tensor


def _ones_like_ids(data: Tensor, ids: Any) -> Tensor:
    from runtime.ops.creation import ones_like

    return ones_like(_ids(ids), data.dtype)


def _share(total: Tensor, counts: Tensor) -> Tensor:
    counts = _beside(maximum(counts, cast(1, counts.dtype)), total)
    return total / counts


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The sum of the rows of each segment; 0 for a number that does not appear.

    Args:
      data: a tensor of rank 1 or more.
      segment_ids: for each row its segment's number, in ascending order.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: the numbers are not sorted, or negative.

    >>> import autograph_lite as ag
    >>> ag.math.segment_sum([1.0, 3.0, 5.0], [0, 0, 2]).numpy().tolist()
    [4.0, 0.0, 5.0]
    """
    return apply(SORTED_SUM, (convert_to_tensor(data), _ids(segment_ids)), None, name)


def segment_prod(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The product of the rows of each segment; 1 for a number that does not appear.

    Args:
      data: a tensor of rank 1 or more.
      segment_ids: for each row its segment's number, in ascending order.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: the numbers are not sorted, or negative.

    >>> import autograph_lite as ag
    >>> ag.math.segment_prod([1.0, 3.0, 5.0], [0, 0, 2]).numpy().tolist()
    [3.0, 1.0, 5.0]
    """
    return apply(SORTED_PROD, (convert_to_tensor(data), _ids(segment_ids)), None, name)


def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The largest of the rows of each segment; 0 for a number that does not appear.

    Args:
      data: a tensor of rank 1 or more.
      segment_ids: for each row its segment's number, in ascending order.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: the numbers are not sorted, or negative.

    >>> import autograph_lite as ag
    >>> ag.math.segment_max([1.0, 3.0, 5.0], [0, 0, 2]).numpy().tolist()
    [3.0, 0.0, 5.0]
    """
    return apply(SORTED_MAX, (convert_to_tensor(data), _ids(segment_ids)), None, name)


def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The smallest of the rows of each segment; 0 for a number that does not appear.

    Args:
      data: a tensor of rank 1 or more.
      segment_ids: for each row its segment's number, in ascending order.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: the numbers are not sorted, or negative.

    >>> import autograph_lite as ag
    >>> ag.math.segment_min([1.0, 3.0, 5.0], [0, 0, 2]).numpy().tolist()
    [1.0, 0.0, 5.0]
    """
    return apply(SORTED_MIN, (convert_to_tensor(data), _ids(segment_ids)), None, name)


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The mean of the rows of each segment; 0 for a number that does not appear.

    Args:
      data: a tensor of rank 1 or more.
      segment_ids: for each row its segment's number, in ascending order.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: the numbers are not sorted, or negative.

    >>> import autograph_lite as ag
    >>> ag.math.segment_mean([1.0, 3.0, 5.0], [0, 0, 2]).numpy().tolist()
    [2.0, 0.0, 5.0]
    """
    x = convert_to_tensor(data)
    total = segment_sum(x, segment_ids, name)
    counts = segment_sum(_ones_like_ids(x, segment_ids), segment_ids)
    if x.dtype.is_integer:
        return truncatediv(total, _beside(maximum(counts, cast(1, counts.dtype)), total))
    return _share(total, counts)


def unsorted_segment_sum(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The sum of the rows of each segment; 0 for an empty one.

    Args:
      data: a tensor whose shape begins with that of `segment_ids`.
      segment_ids: for each row its segment's number; rows with a negative one are dropped.
      num_segments: how many segments there are, a number or an integer scalar.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: a number is too large, or shapes do not fit.

    >>> import autograph_lite as ag
    >>> ag.math.unsorted_segment_sum([1.0, 3.0, 5.0], [0, 1, 0], 2).numpy().tolist()
    [6.0, 3.0]
    """
    return _apply_unsorted(SUM, data, segment_ids, num_segments, name)


def unsorted_segment_prod(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The product of the rows of each segment; 1 for an empty one.

    Args:
      data: a tensor whose shape begins with that of `segment_ids`.
      segment_ids: for each row its segment's number; rows with a negative one are dropped.
      num_segments: how many segments there are, a number or an integer scalar.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: a number is too large, or shapes do not fit.

    >>> import autograph_lite as ag
    >>> ag.math.unsorted_segment_prod([1.0, 3.0, 5.0], [0, 1, 0], 2).numpy().tolist()
    [5.0, 3.0]
    """
    return _apply_unsorted(PROD, data, segment_ids, num_segments, name)


def unsorted_segment_max(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The largest of the rows of each segment; the least number there is for an empty one.

    Args:
      data: a tensor whose shape begins with that of `segment_ids`.
      segment_ids: for each row its segment's number; rows with a negative one are dropped.
      num_segments: how many segments there are, a number or an integer scalar.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: a number is too large, or shapes do not fit.

    >>> import autograph_lite as ag
    >>> ag.math.unsorted_segment_max([1.0, 3.0, 5.0], [0, 1, 0], 2).numpy().tolist()
    [5.0, 3.0]
    """
    return _apply_unsorted(MAX, data, segment_ids, num_segments, name)


def unsorted_segment_min(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The smallest of the rows of each segment; the greatest number for an empty one.

    Args:
      data: a tensor whose shape begins with that of `segment_ids`.
      segment_ids: for each row its segment's number; rows with a negative one are dropped.
      num_segments: how many segments there are, a number or an integer scalar.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: a number is too large, or shapes do not fit.

    >>> import autograph_lite as ag
    >>> ag.math.unsorted_segment_min([1.0, 3.0, 5.0], [0, 1, 0], 2).numpy().tolist()
    [1.0, 3.0]
    """
    return _apply_unsorted(MIN, data, segment_ids, num_segments, name)


def unsorted_segment_mean(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The mean of the rows of each segment; 0 for an empty one.

    Args:
      data: a tensor whose shape begins with that of `segment_ids`.
      segment_ids: for each row its segment's number; rows with a negative one are dropped.
      num_segments: how many segments there are, a number or an integer scalar.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: a number is too large, or shapes do not fit.

    >>> import autograph_lite as ag
    >>> ag.math.unsorted_segment_mean([1.0, 3.0, 5.0], [0, 1, 0], 2).numpy().tolist()
    [3.0, 3.0]
    """
    x = convert_to_tensor(data)
    total = unsorted_segment_sum(x, segment_ids, num_segments, name)
    ones = _ones_like_ids(x, segment_ids)
    return _share(total, unsorted_segment_sum(ones, segment_ids, num_segments))


def unsorted_segment_sqrt_n(
    data: Any, segment_ids: Any, num_segments: Any, name: str | None = None
) -> Tensor:
    """The sum of the rows of each segment divided by the root of their number.

    Args:
      data: a tensor whose shape begins with that of `segment_ids`.
      segment_ids: for each row its segment's number; rows with a negative one are dropped.
      num_segments: how many segments there are, a number or an integer scalar.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: a number is too large, or shapes do not fit.

    >>> import autograph_lite as ag
    >>> ag.math.unsorted_segment_sqrt_n([1.0, 3.0], [0, 1], 2).numpy().tolist()
    [1.0, 3.0]
    """
    x = convert_to_tensor(data)
    total = unsorted_segment_sum(x, segment_ids, num_segments, name)
    ones = _ones_like_ids(x, segment_ids)
    counts = unsorted_segment_sum(ones, segment_ids, num_segments)
    return total / _beside(sqrt(maximum(counts, cast(1, counts.dtype))), total)
