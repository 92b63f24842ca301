"""Inverses, determinants and systems of equations, of matrices and of stacks of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.dtypes import DType
from runtime.ops.apply import apply
from runtime.ops.complex_ import real
from runtime.ops.diagonals import band_part, diag_part, set_diag
from runtime.ops.gradients_support import conjugate, unbroadcast, zeros_like
from runtime.ops.matmul import matmul
from runtime.ops.promotion import operands
from runtime.ops.reductions import reduce_sum
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.unary import log
from runtime.shapes import UNKNOWN, TensorShape, broadcast_shapes
from runtime.tensor import Tensor


def square_matrices(inputs: Any) -> TensorShape:
    """The shape of the first input, as far as it is one of square matrices.

    Raises:
      ValueError: it cannot be.
    """
    dims = inputs[0].shape.as_tuple()
    if dims is None:
        return UNKNOWN
    if len(dims) < 2:
        raise ValueError(f"expected matrices (rank 2 or more), found shape {dims}")
    rows, columns = dims[-2:]
    if rows is not None and columns is not None and rows != columns:
        raise ValueError(f"expected square matrices, found shape {dims}")
    size = columns if rows is None else rows
    return TensorShape((*dims[:-2], size, size))


def square_rule(inputs: Any, attrs: Any) -> Spec:
    """Square matrices in, square matrices out."""
    return Spec(inputs[0].dtype, square_matrices(inputs))


def as_matrices(x: Any) -> Tensor:
    """`x` as a tensor of floats or complex numbers."""
    tensor = convert_to_tensor(x)
    if tensor.dtype.kind in "iub":
        from runtime import dtypes
        from runtime.ops.casting import cast

        return cast(tensor, dtypes.float64)
    return tensor


def adjoint_of(x: Any) -> Any:
    """For kernels: matrices transposed and conjugated."""
    return np.conj(np.swapaxes(x, -1, -2))


def _computed(dtype: Any) -> Any:
    """LAPACK knows no float16: it computes in float32."""
    return np.dtype(np.float32) if dtype.itemsize == 2 else dtype


# ---- inverse and determinant


def _inv_kernel(x: Any, adjoint: bool = False) -> Any:
    made = np.linalg.inv(x.astype(_computed(x.dtype), copy=False)).astype(x.dtype, copy=False)
    return adjoint_of(made) if adjoint else made


INV = define("MatrixInverse", kernel=_inv_kernel, infer=square_rule)


@gradient(INV)
def _(op: Any, dy: Tensor) -> Any:
    y = op.outputs[0]
    if op.attrs.get("adjoint"):
        return (-matmul(y, matmul(dy, y, adjoint_a=True)),)
    return (-matmul(y, matmul(dy, y, adjoint_b=True), adjoint_a=True),)


def inv(input: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of square matrices.

    Args:
      input: shape (..., n, n).
      adjoint: whether to give the inverse of the conjugate transpose.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: a matrix is singular.

    >>> import autograph_lite as ag
    >>> ag.linalg.inv([[2.0, 0.0], [0.0, 4.0]]).numpy().tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    attrs = {"adjoint": True} if adjoint else {}
    return apply(INV, (as_matrices(input),), attrs, name)


def _det_rule(inputs: Any, attrs: Any) -> Spec:
    return Spec(inputs[0].dtype, square_matrices(inputs)[:-2])


DET = define("MatrixDeterminant", kernel=lambda x: np.asarray(np.linalg.det(x)), infer=_det_rule)


def _per_matrix(values: Tensor) -> Tensor:
    """One number a matrix, in a shape that broadcasts to the matrices."""
    from runtime.ops.shaping import expand_dims

    return expand_dims(expand_dims(values, -1), -1)


@gradient(DET)
def _(op: Any, dy: Tensor) -> Any:
    scale = dy * conjugate(op.outputs[0])
    return (_per_matrix(scale) * inv(op.inputs[0], adjoint=True),)


def det(input: Any, name: str | None = None) -> Tensor:
    """The determinant of square matrices.

    >>> import autograph_lite as ag
    >>> round(float(ag.linalg.det([[1.0, 2.0], [3.0, 4.0]])), 4)
    -2.0
    """
    return apply(DET, (as_matrices(input),), None, name)


class LogMatrixDeterminant(NamedTuple):
    """What `slogdet` gives."""

    sign: Tensor
    log_abs_determinant: Tensor


def _slogdet_kernel(x: Any) -> Any:
    sign, logarithm = np.linalg.slogdet(x)
    return np.asarray(sign), np.asarray(logarithm).astype(x.dtype)


SLOGDET = define(
    "LogMatrixDeterminant",
    kernel=_slogdet_kernel,
    infer=lambda inputs, attrs: [_det_rule(inputs, attrs)] * 2,
)


@gradient(SLOGDET)
def _(op: Any, dsign: Any, dlog: Any) -> Any:
    x = op.inputs[0]
    if dlog is None:
        # As in TensorFlow the sign counts as constant, that of complex matrices too.
        return (zeros_like(x),)
    return (_per_matrix(dlog) * inv(x, adjoint=True),)


def slogdet(input: Any, name: str | None = None) -> LogMatrixDeterminant:
    """The sign of the determinant and the logarithm of its absolute value.

    >>> import autograph_lite as ag
    >>> sign, logarithm = ag.linalg.slogdet([[0.0, 1.0], [1.0, 0.0]])
    >>> float(sign), float(logarithm)
    (-1.0, 0.0)
    """
    return LogMatrixDeterminant(*apply(SLOGDET, (as_matrices(input),), None, name))


def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of positive definite matrices.

    >>> import autograph_lite as ag
    >>> round(float(ag.linalg.logdet([[2.0, 0.0], [0.0, 0.5]])), 4)
    0.0
    """
    diagonal = real(diag_part(cholesky(matrix)))
    return 2 * reduce_sum(log(diagonal), -1, name=name)


# ---- systems of equations


def _solve_rule(inputs: Any, attrs: Any) -> Spec:
    left, right = square_matrices(inputs), inputs[1].shape
    if right.rank is not None and right.rank < 2:
        raise ValueError(f"the right-hand side must have rank 2 or more, found shape {right}")
    if left.rank is None or right.rank is None:
        return Spec(inputs[0].dtype, UNKNOWN)
    if left[-1] is not None and right[-2] is not None and left[-1] != right[-2]:
        raise ValueError(f"matrices of shape {left} and right-hand sides {right} do not fit")
    stack = broadcast_shapes(left[:-2], right[:-2])
    rows = right[-2] if left[-1] is None else left[-1]
    return Spec(inputs[0].dtype, stack.concatenate((rows, right[-1])))


def _as_columns(a: Any, b: Any) -> Any:
    if b.ndim < 2:
        raise ValueError(f"the right-hand side must have rank 2 or more, found shape {b.shape}")
    return np.linalg.solve(a, b)


def _solve_kernel(a: Any, b: Any, adjoint: bool = False) -> Any:
    return _as_columns(adjoint_of(a) if adjoint else a, b)


SOLVE = define("MatrixSolve", kernel=_solve_kernel, infer=_solve_rule)


@gradient(SOLVE)
def _(op: Any, dy: Tensor) -> Any:
    a, b = op.inputs
    y, adjoint = op.outputs[0], op.attrs.get("adjoint", False)
    to_b = solve(a, dy, adjoint=not adjoint)
    to_a = matmul(y, to_b, adjoint_b=True) if adjoint else matmul(to_b, y, adjoint_b=True)
    return unbroadcast(-to_a, a, b, settled=2), unbroadcast(to_b, b, a, settled=2)


def solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The solution `x` of `matrix @ x = rhs`.

    Args:
      matrix: shape (..., n, n).
      rhs: shape (..., n, k).
      adjoint: whether to take the conjugate transpose of `matrix`.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: a matrix is singular.

    >>> import autograph_lite as ag
    >>> ag.linalg.solve([[2.0, 0.0], [0.0, 4.0]], [[2.0], [2.0]]).numpy().tolist()
    [[1.0], [0.5]]
    """
    attrs = {"adjoint": True} if adjoint else {}
    return apply(SOLVE, _float_operands(matrix, rhs), attrs, name)


def _float_operands(a: Any, b: Any) -> tuple[Tensor, Tensor]:
    return operands(*(as_matrices(t) for t in operands(a, b)))


def _triangle(a: Any, lower: bool) -> Any:
    return np.tril(a) if lower else np.triu(a)


def _triangular_kernel(a: Any, b: Any, lower: bool = True, adjoint: bool = False) -> Any:
    a = _triangle(a, lower)
    return _as_columns(adjoint_of(a) if adjoint else a, b)


TRIANGULAR_SOLVE = define("MatrixTriangularSolve", kernel=_triangular_kernel, infer=_solve_rule)


@gradient(TRIANGULAR_SOLVE)
def _(op: Any, dy: Tensor) -> Any:
    a, b = op.inputs
    y = op.outputs[0]
    lower, adjoint = op.attrs["lower"], op.attrs["adjoint"]
    to_b = triangular_solve(a, dy, lower, not adjoint)
    to_a = matmul(y, to_b, adjoint_b=True) if adjoint else matmul(to_b, y, adjoint_b=True)
    to_a = band_part(-to_a, -1, 0) if lower else band_part(-to_a, 0, -1)
    return unbroadcast(to_a, a, b, settled=2), unbroadcast(to_b, b, a, settled=2)


def triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """The solution `x` of `matrix @ x = rhs` for a triangular matrix.

    Args:
      matrix: shape (..., n, n); the other triangle is not looked at.
      rhs: shape (..., n, k).
      lower: whether the lower triangle counts.
      adjoint: whether to take the conjugate transpose of `matrix`.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.linalg.triangular_solve([[2.0, 9.0], [2.0, 4.0]], [[2.0], [6.0]]).numpy().tolist()
    [[1.0], [1.0]]
    """
    attrs = {"lower": bool(lower), "adjoint": bool(adjoint)}
    return apply(TRIANGULAR_SOLVE, _float_operands(matrix, rhs), attrs, name)


# ---- positive definite matrices

CHOLESKY = define("Cholesky", kernel=np.linalg.cholesky, infer=square_rule)


@gradient(CHOLESKY)
def _(op: Any, dy: Tensor) -> Any:
    factor = op.outputs[0]
    middle = matmul(factor, dy, adjoint_a=True)
    middle = band_part(set_diag(middle, diag_part(middle) * 0.5), -1, 0)
    # factor^-H @ middle @ factor^-1
    half = triangular_solve(factor, middle, lower=True, adjoint=True)
    from runtime.ops.diagonals import adjoint

    made = adjoint(triangular_solve(factor, adjoint(half), lower=True, adjoint=True))
    return ((made + adjoint(made)) * 0.5,)


def cholesky(input: Any, name: str | None = None) -> Tensor:
    """The lower triangular factor of positive definite matrices: `input = L @ L^H`.

    Args:
      input: shape (..., n, n); only the lower triangle is looked at.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: a matrix is not positive definite.

    >>> import autograph_lite as ag
    >>> ag.linalg.cholesky([[4.0, 2.0], [2.0, 5.0]]).numpy().tolist()
    [[2.0, 0.0], [1.0, 2.0]]
    """
    return apply(CHOLESKY, (as_matrices(input),), None, name)


def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """The solution `x` of `A @ x = rhs` from the factor that `cholesky(A)` gave.

    Args:
      chol: shape (..., n, n), a lower triangular factor.
      rhs: shape (..., n, k).
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> factor = ag.linalg.cholesky([[4.0, 0.0], [0.0, 1.0]])
    >>> ag.linalg.cholesky_solve(factor, [[4.0], [3.0]]).numpy().tolist()
    [[1.0], [3.0]]
    """
    half = triangular_solve(chol, rhs)
    return triangular_solve(chol, half, adjoint=True, name=name)


# ---- least squares


def lstsq(
    matrix: Any,
    rhs: Any,
    l2_regularizer: float = 0.0,
    fast: bool = True,
    name: str | None = None,
) -> Tensor:
    """The least-squares solution of `matrix @ x = rhs`; of many, the one of least norm.

    Args:
      matrix: shape (..., m, n), of full rank unless `fast` is off.
      rhs: shape (..., m, k).
      l2_regularizer: how much the squared norm of the solution counts.
      fast: whether to solve the normal equations; else it goes by singular values.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.linalg.lstsq([[1.0], [1.0]], [[1.0], [3.0]]).numpy().round(4).tolist()
    [[2.0]]
    """
    a, b = _float_operands(matrix, rhs)
    if not fast and not l2_regularizer:
        return matmul(pinv(a), b, name=name)
    rows, columns = (None, None) if a.shape.rank is None else a.shape[-2:]
    if rows is None or columns is None:
        raise ValueError(f"lstsq needs a matrix whose sizes are known, found shape {a.shape}")
    if rows >= columns:
        gram = _shifted(matmul(a, a, adjoint_a=True), l2_regularizer)
        return cholesky_solve(cholesky(gram), matmul(a, b, adjoint_a=True), name)
    gram = _shifted(matmul(a, a, adjoint_b=True), l2_regularizer)
    return matmul(a, cholesky_solve(cholesky(gram), b), adjoint_a=True, name=name)


def _shifted(gram: Tensor, shift: Any) -> Tensor:
    return set_diag(gram, diag_part(gram) + shift) if shift else gram


def default_cutoff(x: Tensor, dtype: DType) -> Any:
    """Below which share of the largest a singular value counts as 0."""
    from runtime.ops.casting import cast
    from runtime.ops.shaping import shape

    sizes = shape(x)[-2:]
    known = [] if x.shape.rank is None else [d for d in x.shape[-2:].as_list() if d is not None]
    if len(known) == 2:
        return 10 * max(known) * float(np.finfo(dtype.np_dtype).eps)
    from runtime.ops.reductions import reduce_max

    return cast(reduce_max(sizes), dtype) * (10 * float(np.finfo(dtype.np_dtype).eps))


def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The Moore-Penrose pseudo-inverse.

    Args:
      a: shape (..., m, n).
      rcond: singular values below this share of the largest count as 0.
      validate_args: not needed here.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.linalg.pinv([[2.0, 0.0], [0.0, 0.0]]).numpy().round(4).tolist()
    [[0.5, 0.0], [0.0, 0.0]]
    """
    from runtime.ops.casting import cast
    from runtime.ops.decompositions import svd
    from runtime.ops.gathering import where
    from runtime.ops.reductions import reduce_max
    from runtime.ops.shaping import expand_dims

    x = as_matrices(a)
    s, u, v = svd(x)
    share = default_cutoff(x, s.dtype) if rcond is None else cast(rcond, s.dtype)
    large = s > share * reduce_max(s, -1, keepdims=True)
    inverse = where(large, 1 / where(large, s, 1), 0)
    return matmul(v * cast(expand_dims(inverse, -2), x.dtype), u, adjoint_b=True, name=name)


def matrix_rank(
    a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """How many singular values of each matrix are not 0, as int32.

    Args:
      a: shape (..., m, n).
      tol: values up to this count as 0.
      validate_args: not needed here.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> int(ag.linalg.matrix_rank([[1.0, 1.0], [1.0, 1.0]]))
    1
    """
    from runtime import dtypes
    from runtime.ops.casting import cast
    from runtime.ops.decompositions import svd
    from runtime.ops.reductions import reduce_max

    x = as_matrices(a)
    s = svd(x, compute_uv=False)
    if tol is None:
        tol = default_cutoff(x, s.dtype) / 10 * reduce_max(s, -1, keepdims=True)
    return reduce_sum(cast(s > tol, dtypes.int32), -1, name=name)
