"""`numpy.linalg` on tensors; each function is that of the same name."""

from __future__ import annotations

from functools import reduce
from typing import Any, NamedTuple

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.numpy_face import unsupported
from runtime.numpy_face.algebra import cross as _cross
from runtime.numpy_face.algebra import outer as _outer
from runtime.numpy_face.algebra import tensordot as _tensordot
from runtime.numpy_face.creation import diagonal as _diagonal
from runtime.numpy_face.creation import trace as _trace
from runtime.numpy_face.lifted import lifted
from runtime.numpy_face.ufuncs import _floats, _vecdot
from runtime.ops import matmul as products
from runtime.ops import norm_reductions, reductions, shaping, unary
from runtime.ops.comparison import not_equal
from runtime.ops.creation import eye
from runtime.ops.elementwise import pow
from runtime.shapes import TensorShape


def _linalg() -> Any:
    from runtime.api import linalg

    return linalg


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    t = _floats(x)
    if axis is None and ord is not None and t.ndim == 2:
        axis = (0, 1)
    if isinstance(axis, tuple | list) and len(axis) == 1:
        axis = axis[0]
    if isinstance(axis, tuple | list):
        return _matrix_norm(t, "fro" if ord is None else ord, tuple(axis), keepdims)
    return _vector_norm(t, 2 if ord is None else ord, axis, keepdims)


def _vector_norm(t: Any, ord: Any, axis: Any, keepdims: bool) -> Any:
    size = unary.abs(t)
    if ord == np.inf:
        return reductions.reduce_max(size, axis, keepdims)
    if ord == -np.inf:
        return reductions.reduce_min(size, axis, keepdims)
    if ord == 0:
        return reductions.count_nonzero(t, axis, keepdims, size.dtype)
    if ord == 1:
        return reductions.reduce_sum(size, axis, keepdims)
    if ord == 2:
        return norm_reductions.reduce_euclidean_norm(t, axis, keepdims)
    power = size.dtype.np_dtype.type(ord)
    return pow(reductions.reduce_sum(pow(size, power), axis, keepdims), 1 / power)


def _matrix_norm(t: Any, ord: Any, axes: tuple[int, int], keepdims: bool) -> Any:
    if ord == "fro":
        return norm_reductions.reduce_euclidean_norm(t, axes, keepdims)
    if ord in (1, -1, np.inf, -np.inf):
        summed, kept = axes if abs(ord) == 1 else axes[::-1]
        sums = reductions.reduce_sum(unary.abs(t), summed, True)
        pick = reductions.reduce_max if ord > 0 else reductions.reduce_min
        made = pick(sums, kept, True)
        return made if keepdims else shaping.squeeze(made, axes)
    if ord in (2, -2, "nuc") and sorted(a % t.ndim for a in axes) == [t.ndim - 2, t.ndim - 1]:
        values = svdvals(t)
        if ord == "nuc":
            made = reductions.reduce_sum(values, -1)
        else:
            made = (reductions.reduce_max if ord == 2 else reductions.reduce_min)(values, -1)
        return shaping.expand_dims(shaping.expand_dims(made, -1), -1) if keepdims else made
    raise unsupported(f"ord={ord!r}")


def vector_norm(x: Any, /, *, axis: Any = None, ord: Any = 2, keepdims: bool = False) -> Any:
    t = _floats(x)
    flat = shaping.reshape(t, [-1]) if axis is None else t
    made = _vector_norm(flat, ord, axis, keepdims and axis is not None)
    return shaping.reshape(made, [1] * t.ndim) if keepdims and axis is None else made


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    return _matrix_norm(_floats(x), ord, (-2, -1), keepdims)


def inv(a: Any) -> Any:
    return _linalg().inv(_floats(a))


def pinv(a: Any, rcond: Any = None, hermitian: bool = False, **_: Any) -> Any:
    return _linalg().pinv(_floats(a), rcond)


def det(a: Any) -> Any:
    return _linalg().det(_floats(a))


class SlogdetResult(NamedTuple):
    sign: Any
    logabsdet: Any


def slogdet(a: Any) -> Any:
    return SlogdetResult(*_linalg().slogdet(_floats(a)))


def solve(a: Any, b: Any) -> Any:
    x, y = _floats(a), _floats(b)
    if y.ndim == 1:
        return shaping.squeeze(_linalg().solve(x, shaping.expand_dims(y, 1)), -1)
    return _linalg().solve(x, y)


def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    x, y = _floats(a), _floats(b)
    columns = x.shape[1]
    shape = TensorShape((columns,)).concatenate(y.shape[1:])
    results = [
        (x.dtype, shape),
        (x.dtype, TensorShape((None,))),
        (dtypes.int32, TensorShape(())),
        (x.dtype, TensorShape((None,))),
    ]
    return lifted("numpy.linalg.lstsq", [x, y], results, rcond=rcond)


def cholesky(a: Any, /, *, upper: bool = False) -> Any:
    made = _linalg().cholesky(_floats(a))
    return shaping.matrix_transpose(made, conjugate=True) if upper else made


class QRResult(NamedTuple):
    Q: Any
    R: Any


def qr(a: Any, mode: str = "reduced") -> Any:
    if mode not in ("reduced", "complete", "r"):
        raise unsupported(f"mode={mode!r}")
    q, r = _linalg().qr(_floats(a), full_matrices=mode == "complete")
    return r if mode == "r" else QRResult(q, r)


class SVDResult(NamedTuple):
    U: Any
    S: Any
    Vh: Any


def svd(
    a: Any, full_matrices: bool = True, compute_uv: bool = True, hermitian: bool = False
) -> Any:
    if not compute_uv:
        return svdvals(a)
    values, left, right = _linalg().svd(_floats(a), full_matrices=full_matrices)
    return SVDResult(left, values, shaping.matrix_transpose(right, conjugate=True))


def svdvals(x: Any, /) -> Any:
    return _linalg().svd(_floats(x), compute_uv=False)


class EighResult(NamedTuple):
    eigenvalues: Any
    eigenvectors: Any


def eigh(a: Any, UPLO: str = "L") -> Any:
    return EighResult(*_linalg().eigh(_floats(a)))


def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    return _linalg().eigvalsh(_floats(a))


def eig(a: Any) -> Any:
    return EighResult(*_linalg().eig(_floats(a)))


def eigvals(a: Any) -> Any:
    return _linalg().eigvals(_floats(a))


def matrix_power(a: Any, n: int) -> Any:
    x = convert_to_tensor(a)
    if n < 0:
        x, n = inv(x), -n
    if n == 0:
        return x * 0 + eye(shaping.shape(x)[-1], dtype=x.dtype)
    made = None
    while n:
        if n & 1:
            made = x if made is None else products.matmul_as_numpy(made, x)
        n >>= 1
        if n:
            x = products.matmul(x, x)
    return made


def matrix_rank(A: Any, tol: Any = None, hermitian: bool = False, *, rtol: Any = None) -> Any:
    x = _floats(A)
    if x.ndim < 2:
        return reductions.reduce_any(not_equal(x, 0))
    values = svdvals(x)
    if tol is None:
        number = values.dtype.np_dtype.type
        sizes = [d for d in x.shape.as_list()[-2:] if d is not None]
        share = max(sizes, default=1) * np.finfo(number).eps if rtol is None else rtol
        tol = reductions.reduce_max(values, -1, True) * number(share)
    return reductions.count_nonzero(values > tol, -1)


def multi_dot(arrays: Any, *, out: Any = None) -> Any:
    from runtime.numpy_face.algebra import dot

    return reduce(dot, arrays)


def cond(x: Any, p: Any = None) -> Any:
    t = _floats(x)
    if p is None or p in (2, -2):
        values = svdvals(t)
        big, small = reductions.reduce_max(values, -1), reductions.reduce_min(values, -1)
        return small / big if p == -2 else big / small
    return _matrix_norm(t, p, (-2, -1), False) * _matrix_norm(inv(t), p, (-2, -1), False)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    return _trace(x, offset, -2, -1, dtype)


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    return _diagonal(x, offset, -2, -1)


def outer(x1: Any, x2: Any, /) -> Any:
    return _outer(x1, x2)


def cross(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    return _cross(x1, x2, axis=axis)


def matmul(x1: Any, x2: Any, /) -> Any:
    return products.matmul_as_numpy(x1, x2)


def matrix_transpose(x: Any, /) -> Any:
    return shaping.matrix_transpose(x)


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    return _tensordot(x1, x2, axes)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    return _vecdot(x1, x2, axis)
