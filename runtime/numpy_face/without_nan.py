"""NumPy's statistics of what is not NaN; each function is NumPy's of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.numpy_face.statistics import (
    _summable,
    any,
    argmax,
    argmin,
    cumprod,
    cumsum,
    max,
    min,
    prod,
    sum,
)
from runtime.ops import (
    comparison,
    creation,
    gathering,
    unary,
)
from runtime.ops.casting import cast
from runtime.tensor import Tensor


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
