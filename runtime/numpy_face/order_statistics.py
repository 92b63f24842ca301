"""NumPy's medians, quantiles and percentiles; each function is NumPy's of the same name."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import dtypes
from runtime.numpy_face import unsupported
from runtime.numpy_face.arranging import _dims, moveaxis
from runtime.numpy_face.statistics import (
    _keep,
)
from runtime.numpy_face.ufuncs import _wide
from runtime.numpy_face.without_nan import _present
from runtime.ops import (
    comparison,
    gathering,
    reductions,
    shaping,
    sorting,
    unary,
)
from runtime.ops.casting import cast
from runtime.ops.elementwise import maximum, minimum
from runtime.shapes import normal_axis
from runtime.tensor import Tensor


def _last(x: Tensor, axis: Any) -> tuple[Tensor, list[int]]:
    """`x` with the axes to reduce flattened into the last; and which they were."""
    if axis is None:
        return shaping.reshape(x, [-1]), list(range(x.ndim))
    axes = sorted(
        normal_axis(a, x.ndim) for a in ((axis,) if isinstance(axis, int) else tuple(axis))
    )
    moved = moveaxis(x, axes, list(range(-len(axes), 0)))
    if len(axes) == 1:
        return moved, axes
    return shaping.reshape(moved, [*_dims(moved)[: x.ndim - len(axes)], -1]), axes


def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: Any = False,
    **_: Any,
) -> Any:
    x = _wide(a)
    rows, axes = _last(x, axis)
    ordered = sorting.sort(rows, -1)
    # A place among many elements is no float16, and none of float32 beyond 2**24.
    count = cast(shaping.shape(ordered)[-1], dtypes.float64)
    share = cast(q, dtypes.float64)
    place = share * (count - 1)
    low, high = unary.floor(place), unary.ceil(place)
    if method == "lower":
        high = low
    elif method == "higher":
        low = high
    elif method == "nearest":
        low = high = unary.rint(place)
    elif method not in ("linear", "midpoint"):
        raise unsupported(f"method={method!r}")
    below = gathering.gather(ordered, cast(low, dtypes.int64), axis=ordered.ndim - 1)
    above = gathering.gather(ordered, cast(high, dtypes.int64), axis=ordered.ndim - 1)
    weight = x.dtype.np_dtype.type(0.5) if method == "midpoint" else cast(place - low, x.dtype)
    made = below + (above - below) * weight
    made = gathering.where(
        _spread(reductions.reduce_any(unary.is_nan(rows), -1), share.ndim),
        x.dtype.np_dtype.type(np.nan),
        made,
    )
    if share.ndim:
        made = moveaxis(
            made, list(range(made.ndim - share.ndim, made.ndim)), list(range(share.ndim))
        )
    if _keep(keepdims):
        for at in axes:
            made = shaping.expand_dims(made, share.ndim + at)
    return made


def _spread(x: Tensor, extra: int) -> Tensor:
    for _ in range(extra):
        x = shaping.expand_dims(x, -1)
    return x


def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: Any = False,
    **_: Any,
) -> Any:
    share = cast(q, dtypes.float64) / 100
    return quantile(a, share, axis, method=method, keepdims=keepdims)


def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False
) -> Any:
    return quantile(a, 0.5, axis, keepdims=keepdims)


def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: Any = False
) -> Any:
    x = _wide(a)
    rows, axes = _last(x, axis)
    present = reductions.reduce_sum(_present(rows, dtypes.int64), -1)
    # NaN sorts last, so the numbers stand in front.
    ordered = sorting.sort(rows, -1)
    made = (_at(ordered, maximum((present - 1) // 2, 0)) + _at(ordered, present // 2)) / 2
    odd = comparison.equal(present % 2, 1)
    made = gathering.where(odd, _at(ordered, present // 2), made)
    if _keep(keepdims):
        for at in axes:
            made = shaping.expand_dims(made, at)
    return made


def _at(rows: Tensor, place: Tensor) -> Tensor:
    from runtime.ops.along_axis import take_along_axis

    last = cast(shaping.shape(rows)[-1] - 1, place.dtype)
    where = shaping.expand_dims(minimum(place, last), -1)
    return shaping.squeeze(take_along_axis(rows, where, rows.ndim - 1), -1)
