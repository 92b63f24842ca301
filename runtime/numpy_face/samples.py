"""NumPy's averages, covariances and histograms; each function is NumPy's of the same name."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.numpy_face import unsupported
from runtime.numpy_face.lifted import lifted
from runtime.numpy_face.statistics import (
    _count,
    _summable,
    mean,
    sum,
)
from runtime.numpy_face.ufuncs import _wide
from runtime.ops import (
    creation,
    gathering,
    joining,
    reductions,
    shaping,
    unary,
)
from runtime.ops.casting import cast
from runtime.shapes import TensorShape, normal_axis
from runtime.tensor import Tensor


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
