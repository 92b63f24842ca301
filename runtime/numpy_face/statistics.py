"""NumPy's sums, means, extremes and the like; each function is NumPy's of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.numpy_face import unsupported
from runtime.numpy_face.arranging import _dims
from runtime.numpy_face.emptiness import not_empty
from runtime.numpy_face.ufuncs import _wide, truth
from runtime.ops import (
    creation,
    gathering,
    padding,
    reductions,
    scans,
    shaping,
    sorting,
    unary,
)
from runtime.ops.casting import cast
from runtime.ops.elementwise import maximum, minimum
from runtime.shapes import normal_axis
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
