"""NumPy's sums, means, extremes and the like; each function is NumPy's of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.numpy_face import unsupported
from runtime.numpy_face.arranging import _dims, moveaxis
from runtime.numpy_face.emptiness import not_empty
from runtime.numpy_face.lifted import lifted
from runtime.numpy_face.ufuncs import _wide, truth
from runtime.ops import (
    comparison,
    creation,
    gathering,
    joining,
    padding,
    reductions,
    scans,
    shaping,
    sorting,
    unary,
)
from runtime.ops.casting import cast
from runtime.ops.elementwise import maximum, minimum
from runtime.shapes import TensorShape, normal_axis
from runtime.tensor import Tensor

_NONE = getattr(np, "_NoValue", None)


def _given(value: Any) -> bool:
    return value is not None and value is not _NONE


def _selected(x: Tensor, where: Any, neutral: Any) -> Tensor:
    """`x` with the neutral element where `where` does not hold."""
    if where is True or not _given(where):
        return x
    return gathering.where(truth(where), x, x.dtype.np_dtype.type(neutral))


def _keep(keepdims: Any) -> bool:
    return bool(keepdims) if _given(keepdims) else False


def _axis(axis: Any) -> Any:
    return tuple(axis) if isinstance(axis, list) else axis


def _summed(function: Callable[..., Tensor], neutral: int) -> Callable[..., Any]:
    def call(
        a: Any,
        axis: Any = None,
        dtype: Any = None,
        out: Any = None,
        keepdims: Any = False,
        initial: Any = None,
        where: Any = True,
    ) -> Any:
        x = convert_to_tensor(a)
        if x.dtype is dtypes.bool_ and dtype is None:
            dtype = dtypes.int64
        if dtype is not None:
            x = cast(x, dtype)
        made = function(_selected(x, where, neutral), _axis(axis), _keep(keepdims))
        if _given(initial):
            made = made + initial if neutral == 0 else made * initial
        return made

    return call


_sum = _summed(reductions.reduce_sum, 0)
_prod = _summed(reductions.reduce_prod, 1)


def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    return _sum(a, axis, dtype, out, keepdims, initial, where)


def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    return _prod(a, axis, dtype, out, keepdims, initial, where)


def _summable(a: Any, dtype: Any) -> tuple[Tensor, Any]:
    """`a` in the dtype that its numbers are added up in, and the dtype of the result.

    NumPy adds up integers and booleans in float64, and float16 in float32: a mean of many small
    numbers is within reach of float16, their sum is not.
    """
    if dtype is not None:
        x = cast(a, dtype)
        return x, x.dtype
    x = _wide(a)
    return (cast(x, dtypes.float32), x.dtype) if x.dtype is dtypes.float16 else (x, x.dtype)


def mean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    *,
    where: Any = True,
) -> Any:
    x, result = _summable(a, dtype)
    if where is True or not _given(where):
        return cast(reductions.reduce_mean(x, _axis(axis), _keep(keepdims)), result)
    kept = cast(truth(where), x.dtype)
    total = reductions.reduce_sum(x * kept, _axis(axis), _keep(keepdims))
    count = reductions.reduce_sum(kept + x * 0, _axis(axis), _keep(keepdims))
    return cast(total / count, result)


def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    if where is not True and _given(where):
        raise unsupported("where")
    x, result = _summable(a, dtype)
    made = reductions.reduce_variance(x, _axis(axis), _keep(keepdims))
    if result.is_complex:
        result = result.real_dtype
    less = correction if _given(correction) else ddof
    if not less:
        return cast(made, result)
    count = _count(x, axis, made.dtype)
    return cast(made * (count / (count - less)), result)


def _count(x: Tensor, axis: Any, dtype: Any) -> Any:
    """How many elements a reduction over `axis` takes together."""
    ones = creation.ones_like(x, dtype if not dtype.is_complex else dtype.real_dtype)
    return reductions.reduce_sum(ones) / _results(x, axis, ones.dtype)


def _results(x: Tensor, axis: Any, dtype: Any) -> Any:
    if axis is None:
        return dtype.np_dtype.type(1)
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    rest = [i for i in range(x.ndim) if i not in {normal_axis(a, x.ndim) for a in axes}]
    made: Any = dtype.np_dtype.type(1)
    dims = _dims(x)
    for i in rest:
        made = made * (cast(dims[i], dtype) if isinstance(dims[i], Tensor) else dims[i])
    return made


def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    return unary.sqrt(var(a, axis, dtype, out, ddof, keepdims, where=where, correction=correction))


_NOTHING = "zero-size array to reduction operation {} which has no identity"


def max(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    x = convert_to_tensor(a)
    low = x.dtype.min if x.dtype.kind not in "f" else -np.inf
    if not _given(initial):
        x = not_empty(x, _axis(axis), _NOTHING.format("maximum"))
    made = reductions.reduce_max(_selected(x, where, low), _axis(axis), _keep(keepdims))
    return maximum(made, initial) if _given(initial) else made


def min(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    x = convert_to_tensor(a)
    high = x.dtype.max if x.dtype.kind not in "f" else np.inf
    if not _given(initial):
        x = not_empty(x, _axis(axis), _NOTHING.format("minimum"))
    made = reductions.reduce_min(_selected(x, where, high), _axis(axis), _keep(keepdims))
    return minimum(made, initial) if _given(initial) else made


amax, amin = max, min


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: Any = False) -> Any:
    return max(a, axis, keepdims=keepdims) - min(a, axis, keepdims=keepdims)


def any(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True
) -> Any:
    x = _selected(truth(a), where, False)
    return reductions.reduce_any(x, _axis(axis), _keep(keepdims))


def all(
    a: Any, axis: Any = None, out: Any = None, keepdims: Any = False, *, where: Any = True
) -> Any:
    x = _selected(truth(a), where, True)
    return reductions.reduce_all(x, _axis(axis), _keep(keepdims))


def _place(function: Callable[..., Tensor], a: Any, axis: Any, keepdims: Any) -> Tensor:
    x = convert_to_tensor(a)
    made = function(shaping.reshape(x, [-1]), 0) if axis is None else function(x, axis)
    if not _keep(keepdims):
        return made
    if axis is None:
        return shaping.reshape(made, [1] * x.ndim)
    return shaping.expand_dims(made, axis)


def argmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    return _place(sorting.argmax, a, axis, keepdims)


def argmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    return _place(sorting.argmin, a, axis, keepdims)


# ---- running


def _running(function: Callable[..., Tensor], a: Any, axis: Any, dtype: Any) -> Tensor:
    x = convert_to_tensor(a)
    if x.dtype is dtypes.bool_ and dtype is None:
        dtype = dtypes.int64
    if dtype is not None:
        x = cast(x, dtype)
    return function(shaping.reshape(x, [-1]), 0) if axis is None else function(x, axis)


def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    return _running(scans.cumsum, a, axis, dtype)


def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    return _running(scans.cumprod, a, axis, dtype)


def cumulative_sum(
    x: Any,
    /,
    *,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    include_initial: bool = False,
) -> Any:
    return _with_initial(cumsum(x, axis, dtype), axis, include_initial, 0)


def cumulative_prod(
    x: Any,
    /,
    *,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    include_initial: bool = False,
) -> Any:
    return _with_initial(cumprod(x, axis, dtype), axis, include_initial, 1)


def _with_initial(made: Tensor, axis: Any, wanted: bool, value: int) -> Tensor:
    if not wanted:
        return made
    at = 0 if axis is None else axis
    widths = [[1, 0] if i == normal_axis(at, made.ndim) else [0, 0] for i in range(made.ndim)]
    return padding.pad(made, widths, constant_values=value)


# ---- without NaN


def _without_nan(x: Tensor, value: Any) -> Tensor:
    if x.dtype.kind not in "fc":
        return x
    return gathering.where(unary.is_nan(x), x.dtype.np_dtype.type(value), x)


def _present(x: Tensor, dtype: Any) -> Tensor:
    if x.dtype.kind not in "fc":
        return creation.ones_like(x, dtype)
    return cast(comparison.logical_not(unary.is_nan(x)), dtype)


def nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    return sum(_without_nan(convert_to_tensor(a), 0), axis, dtype, None, keepdims, initial, where)


def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    return prod(_without_nan(convert_to_tensor(a), 1), axis, dtype, None, keepdims, initial, where)


def nanmean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: Any = False,
    *,
    where: Any = True,
) -> Any:
    x, result = _summable(a, dtype)
    count = sum(_present(x, x.dtype), axis, keepdims=keepdims)
    return cast(sum(_without_nan(x, 0), axis, keepdims=keepdims) / count, result)


def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    x, result = _summable(a, dtype)
    present = _present(x, x.dtype)
    middle = nanmean(x, axis, keepdims=True)
    squares = sum(unary.square(_without_nan(x - middle, 0)) * present, axis, keepdims=keepdims)
    return cast(squares / (sum(present, axis, keepdims=keepdims) - ddof), result)


def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: Any = 0,
    keepdims: Any = False,
    *,
    where: Any = True,
    mean: Any = None,
    correction: Any = None,
) -> Any:
    return unary.sqrt(nanvar(a, axis, dtype, out, ddof, keepdims))


def _nan_extreme(
    a: Any, axis: Any, keepdims: Any, function: Callable[..., Any], worst: float
) -> Any:
    x = convert_to_tensor(a)
    if x.dtype.kind not in "f":
        return function(x, axis, keepdims=keepdims)
    made = function(_without_nan(x, worst), axis, keepdims=keepdims)
    found = any(comparison.logical_not(unary.is_nan(x)), axis, keepdims=keepdims)
    return gathering.where(found, made, x.dtype.np_dtype.type(np.nan))


def nanmax(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    return _nan_extreme(a, axis, keepdims, max, -np.inf)


def nanmin(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: Any = False,
    initial: Any = None,
    where: Any = True,
) -> Any:
    return _nan_extreme(a, axis, keepdims, min, np.inf)


def nanargmax(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    return argmax(_without_nan(convert_to_tensor(a), -np.inf), axis, keepdims=keepdims)


def nanargmin(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
    return argmin(_without_nan(convert_to_tensor(a), np.inf), axis, keepdims=keepdims)


def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    return cumsum(_without_nan(convert_to_tensor(a), 0), axis, dtype)


def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    return cumprod(_without_nan(convert_to_tensor(a), 1), axis, dtype)


# ---- order statistics


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


# ---- several variables


def average(
    a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: Any = False
) -> Any:
    x, result = _summable(a, None)
    if weights is None:
        made = mean(x, axis, keepdims=keepdims)
        total: Any = creation.ones_like(made) * cast(_count(x, axis, x.dtype), x.dtype)
    else:
        w = cast(weights, x.dtype)
        if w.ndim == 1 and x.ndim > 1 and isinstance(axis, int):
            dims = [-1 if i == normal_axis(axis, x.ndim) else 1 for i in range(x.ndim)]
            w = shaping.reshape(w, dims)
        w = w + creation.zeros_like(x)
        total = sum(w, axis, keepdims=keepdims)
        made = sum(x * w, axis, keepdims=keepdims) / total
    made, total = cast(made, result), cast(total, result)
    return (made, total) if returned else made


def cov(
    m: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: Any = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    from runtime.numpy_face.arranging import atleast_2d
    from runtime.ops.matmul import matmul

    if fweights is not None or aweights is not None:
        raise unsupported("weights")
    x = atleast_2d(cast(_wide(m), dtype or _wide(m).dtype))
    if not rowvar and convert_to_tensor(m).ndim > 1:
        x = shaping.transpose(x)
    if y is not None:
        other = atleast_2d(cast(y, x.dtype))
        other = shaping.transpose(other) if not rowvar and convert_to_tensor(y).ndim > 1 else other
        x = joining.concat([x, other], 0)
    centred = x - reductions.reduce_mean(x, 1, True)
    count = cast(shaping.shape(x)[1], x.dtype)
    less = ddof if ddof is not None else 0 if bias else 1
    from runtime.ops.complex_ import conj

    made = matmul(centred, shaping.transpose(conj(centred))) / (count - less)
    return shaping.squeeze(made)


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, *, dtype: Any = None, **_: Any) -> Any:
    from runtime.numpy_face.creation import diagonal
    from runtime.numpy_face.ufuncs import _outer

    made = cov(x, y, rowvar, dtype=dtype)
    if made.ndim == 0:
        return made / made
    spread = unary.sqrt(diagonal(made))
    return made / _outer(np.multiply)(spread, spread)


def bincount(x: Any, /, weights: Any = None, minlength: int = 0) -> Any:
    values = gathering.integers(x, "x")
    if weights is None:
        inputs: Any = [values]
        kind = dtypes.int64
    else:
        inputs, kind = [values, cast(weights, dtypes.float64)], dtypes.float64
    return lifted("numpy.bincount", inputs, [(kind, TensorShape((None,)))], minlength=minlength)


def histogram(
    a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> Any:
    x = convert_to_tensor(a)
    if weights is not None:
        raise unsupported("weights")
    kind = dtypes.float64 if density else dtypes.int64
    if np.ndim(bins) == 0 and not isinstance(bins, Tensor):
        many = int(bins) if not isinstance(bins, str) else None
        edge = x.dtype if x.dtype.is_floating else dtypes.float64
        results = [
            (kind, TensorShape((many,))),
            (edge, TensorShape((None if many is None else many + 1,))),
        ]
        return lifted("numpy.histogram", [x], results, bins=bins, range=range, density=density)
    edges = convert_to_tensor(bins)
    size = edges.shape[0]
    results = [
        (kind, TensorShape((None if size is None else size - 1,))),
        (edges.dtype, edges.shape),
    ]
    return lifted("numpy.histogram", [x, edges], results, range=range, density=density)
