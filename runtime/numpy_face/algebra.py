"""NumPy's products of vectors and matrices; each function is NumPy's of the same name."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.numpy_face import unsupported
from runtime.numpy_face.arranging import _dims, moveaxis
from runtime.numpy_face.lifted import lifted
from runtime.ops import complex_, joining, padding, reductions, reordering, shaping
from runtime.ops import einsum as contraction
from runtime.ops import matmul as products
from runtime.ops.indexing import get_item
from runtime.ops.promotion import operands
from runtime.shapes import TensorShape
from runtime.tensor import Tensor


def dot(a: Any, b: Any, out: Any = None) -> Any:
    x, y = operands(a, b)
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    if x.ndim <= 2 and y.ndim <= 2:
        return products.matmul_as_numpy(x, y)
    return contraction.tensordot(x, y, [[x.ndim - 1], [max(y.ndim - 2, 0)]])


def vdot(a: Any, b: Any, /) -> Any:
    x, y = operands(a, b)
    x = complex_.conj(x) if x.dtype.is_complex else x
    return reductions.reduce_sum(shaping.reshape(x, [-1]) * shaping.reshape(y, [-1]))


def inner(a: Any, b: Any, /) -> Any:
    x, y = operands(a, b)
    if x.ndim == 0 or y.ndim == 0:
        return x * y
    return contraction.tensordot(x, y, [[x.ndim - 1], [y.ndim - 1]])


def outer(a: Any, b: Any, out: Any = None) -> Any:
    x, y = operands(a, b)
    return shaping.reshape(x, [-1, 1]) * shaping.reshape(y, [1, -1])


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    x, y = operands(a, b)
    if not isinstance(axes, int | np.integer):
        first, second = axes
        axes = [
            [first] if isinstance(first, int) else list(first),
            [second] if isinstance(second, int) else list(second),
        ]
    return contraction.tensordot(x, y, axes)


def einsum(*operands: Any, **kwargs: Any) -> Any:
    kwargs.pop("optimize", None)
    if kwargs or not isinstance(operands[0], str):
        raise unsupported("out, dtype or lists of axes")
    return contraction.einsum(operands[0], *operands[1:])


def kron(a: Any, b: Any) -> Any:
    x, y = operands(a, b)
    while x.ndim < y.ndim:
        x = shaping.expand_dims(x, 0)
    while y.ndim < x.ndim:
        y = shaping.expand_dims(y, 0)
    left, right = _dims(x), _dims(y)
    spread_x = [n for d in left for n in (d, 1)]
    spread_y = [n for d in right for n in (1, d)]
    made = shaping.reshape(x, spread_x) * shaping.reshape(y, spread_y)
    return shaping.reshape(made, [p * q for p, q in zip(left, right, strict=True)])


def cross(
    a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, axis: Any = None
) -> Any:
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = operands(a, b)
    x, y = moveaxis(x, axisa, -1), moveaxis(y, axisb, -1)
    if x.shape[-1] != 3 or y.shape[-1] != 3:
        raise unsupported("vectors that do not have 3 elements")
    p, q = ([t[..., i] for i in range(3)] for t in (x, y))
    parts = [
        p[1] * q[2] - p[2] * q[1],
        p[2] * q[0] - p[0] * q[2],
        p[0] * q[1] - p[1] * q[0],
    ]
    return moveaxis(joining.stack(parts, -1), -1, axisc)


def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    x, y = operands(a, v)
    if x.shape[0] is not None and y.shape[0] is not None and x.shape[0] < y.shape[0]:
        x, y = y, x
    return _slid(x, reordering.reverse(y, [0]), mode)


def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    x, y = operands(a, v)
    if x.shape[0] is None or y.shape[0] is None or x.shape[0] < y.shape[0]:
        raise unsupported("sizes that are unknown, or a kernel that is longer")
    return _slid(x, complex_.conj(y) if y.dtype.is_complex else y, mode)


def _slid(x: Tensor, kernel: Tensor, mode: str) -> Tensor:
    """The kernel slid over `x`, which is at least as long, and multiplied with it everywhere."""
    n, m = x.shape[0], kernel.shape[0]
    if n is None or m is None:
        raise unsupported("sizes that are unknown")
    before, after = {
        "full": (m - 1, m - 1),
        "same": (m // 2, (m - 1) // 2),
        "valid": (0, 0),
    }[mode]
    padded = padding.pad(x, [[before, after]])
    places = np.arange(n + before + after - m + 1)[:, None] + np.arange(m)
    windows = get_item(padded, places)
    return reductions.reduce_sum(windows * kernel, 1)


def polyval(p: Any, x: Any) -> Any:
    coefficients, value = operands(p, x)
    made = value * 0
    for c in joining.unstack(coefficients):
        made = made * value + c
    return made


def polyfit(x: Any, y: Any, deg: int, **kwargs: Any) -> Any:
    a, b = operands(x, y)
    if kwargs:
        raise unsupported(", ".join(kwargs))
    from runtime import dtypes

    shape = TensorShape((deg + 1,)).concatenate(b.shape[1:])
    return lifted("numpy.polyfit", [a, b], [(dtypes.float64, shape)], deg=deg)
