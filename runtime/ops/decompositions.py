"""Matrix decompositions: QR, singular values, eigenvalues, LU."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import dtypes
from runtime.dtypes import DType, as_dtype
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.complex_ import real
from runtime.ops.diagonals import adjoint, band_part, diag, diag_part, set_diag
from runtime.ops.gradients_support import conjugate, masked, zeros_like
from runtime.ops.linalg import as_matrices, solve, square_matrices, triangular_solve
from runtime.ops.matmul import matmul
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.shaping import expand_dims
from runtime.shapes import UNKNOWN, TensorShape
from runtime.tensor import Tensor


def _matrix_dims(shape: TensorShape) -> tuple[TensorShape, int | None, int | None]:
    """The stack's shape, the rows and the columns.

    Raises:
      ValueError: the rank is below 2.
    """
    if shape.rank is None:
        return UNKNOWN, None, None
    if shape.rank < 2:
        raise ValueError(f"expected matrices (rank 2 or more), found shape {shape}")
    return shape[:-2], shape[-2], shape[-1]


def _lesser(a: int | None, b: int | None) -> int | None:
    if a is None or b is None:
        return 0 if 0 in (a, b) else None
    return min(a, b)


def _or_zeros(dy: Tensor | None, like: Tensor) -> Tensor:
    return zeros_like(like) if dy is None else dy


# ---- QR


def _qr_kernel(x: Any, full_matrices: bool = False) -> Any:
    q, r = np.linalg.qr(x, mode="complete" if full_matrices else "reduced")
    return q, r


def _qr_rule(inputs: Any, attrs: Any) -> list[Spec]:
    stack, rows, columns = _matrix_dims(inputs[0].shape)
    inner = rows if attrs.get("full_matrices") else _lesser(rows, columns)
    dtype = inputs[0].dtype
    return [
        Spec(dtype, stack.concatenate((rows, inner))),
        Spec(dtype, stack.concatenate((inner, columns))),
    ]


QR = define("Qr", kernel=_qr_kernel, infer=_qr_rule)


@gradient(QR)
def _(op: Any, dq: Any, dr: Any) -> Any:
    x, (q, r) = op.inputs[0], op.outputs
    dq, dr = _or_zeros(dq, q), _or_zeros(dr, r)
    rows, columns = x.shape[-2:] if x.shape.rank is not None else (None, None)
    if rows is None or columns is None:
        raise ValueError(f"the gradient of qr needs a matrix of known sizes, found {x.shape}")
    if rows >= columns:
        if op.attrs.get("full_matrices") and rows > columns:
            raise LookupError("qr with full_matrices=True has no gradient for tall matrices")
        return (_tall_qr_gradient(q, r, dq, dr),)
    # A wide matrix [x, y] has the factors of its square part x, and q^H @ y beside them.
    y, u = x[..., rows:], r[..., :rows]
    dv, du = dr[..., rows:], dr[..., :rows]
    to_square = _tall_qr_gradient(q, u, dq + matmul(y, dv, adjoint_b=True), du)
    from runtime.ops.joining import concat

    return (concat([to_square, matmul(q, dv)], -1),)


def _tall_qr_gradient(q: Tensor, r: Tensor, dq: Tensor, dr: Tensor) -> Tensor:
    q_dq = matmul(q, dq, adjoint_a=True)
    r_dr = matmul(r, dr, adjoint_b=True)
    skew = q_dq - adjoint(q_dq) + r_dr - adjoint(r_dr)
    lower = band_part(skew, -1, 0)
    if r.dtype.is_complex:
        lower = set_diag(lower, diag_part(skew) * 0.5)
    first = matmul(q, dr + _over_adjoint(lower, r))
    return first + _over_adjoint(dq - matmul(q, q_dq), r)


def _over_adjoint(x: Tensor, r: Tensor) -> Tensor:
    """`x @ inv(r)^H` for an upper triangular `r`."""
    return adjoint(triangular_solve(r, adjoint(x), lower=False))


def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The factors `q` (orthogonal) and `r` (upper triangular) of matrices.

    Args:
      input: shape (..., m, n).
      full_matrices: whether `q` is square; else it has min(m, n) columns.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> q, r = ag.linalg.qr([[2.0, 1.0], [0.0, 3.0]])
    >>> ag.abs(r).numpy().tolist()
    [[2.0, 1.0], [0.0, 3.0]]
    """
    attrs = {"full_matrices": True} if full_matrices else {}
    q, r = apply(QR, (as_matrices(input),), attrs, name)
    return q, r


# ---- singular values


def _svd_kernel(x: Any, compute_uv: bool = True, full_matrices: bool = False) -> Any:
    if not compute_uv:
        return np.linalg.svd(x, compute_uv=False)
    u, s, vh = np.linalg.svd(x, full_matrices=full_matrices)
    return s, u, np.conj(np.swapaxes(vh, -1, -2))


def _svd_rule(inputs: Any, attrs: Any) -> Any:
    stack, rows, columns = _matrix_dims(inputs[0].shape)
    dtype, inner = inputs[0].dtype, _lesser(rows, columns)
    values = Spec(dtype.real_dtype, stack.concatenate((inner,)))
    if not attrs["compute_uv"]:
        return values
    left, right = (rows, columns) if attrs["full_matrices"] else (inner, inner)
    return [
        values,
        Spec(dtype, stack.concatenate((rows, left))),
        Spec(dtype, stack.concatenate((columns, right))),
    ]


SVD = define("Svd", kernel=_svd_kernel, infer=_svd_rule)


@gradient(SVD)
def _(op: Any, ds: Any, du: Any = None, dv: Any = None) -> Any:
    x = op.inputs[0]
    if not op.attrs["compute_uv"]:
        _, u, v = svd(x)
        return (_between(u, ds, v),)
    s, u, v = op.outputs
    if op.attrs["full_matrices"] and (du is not None or dv is not None):
        raise LookupError("svd with full_matrices=True has no gradient for its vectors")
    if op.attrs["full_matrices"]:
        _, u, v = svd(x)
    made = _between(u, _or_zeros(ds, s), v)
    if du is not None or dv is not None:
        made = made + _vectors_gradient(s, u, v, _or_zeros(du, u), _or_zeros(dv, v))
    return (made,)


def _between(u: Tensor, s: Tensor, v: Tensor) -> Tensor:
    """`u @ diag(s) @ v^H`."""
    return matmul(u * cast(expand_dims(s, -2), u.dtype), v, adjoint_b=True)


def _vectors_gradient(s: Tensor, u: Tensor, v: Tensor, du: Tensor, dv: Tensor) -> Tensor:
    squares = s * s
    f = cast(_reciprocal_off_diagonal(expand_dims(squares, -2) - expand_dims(squares, -1)), u.dtype)
    row = cast(expand_dims(s, -2), u.dtype)
    column = cast(expand_dims(s, -1), u.dtype)
    u_du, v_dv = matmul(u, du, adjoint_a=True), matmul(v, dv, adjoint_a=True)
    j, k = f * u_du, f * v_dv
    middle = (j + adjoint(j)) * row + column * (k + adjoint(k))
    if u.dtype.is_complex:
        # The phase that a pair of vectors shares is free; this is the part that is not.
        turn = diag_part(v_dv)
        middle = middle + diag((conjugate(turn) - turn) / cast(s, u.dtype) * 0.5)
    made = matmul(matmul(u, middle), v, adjoint_b=True)
    outside_u = (du - matmul(u, u_du)) / row
    outside_v = (dv - matmul(v, v_dv)) / row
    return made + matmul(outside_u, v, adjoint_b=True) + matmul(u, outside_v, adjoint_b=True)


def _reciprocal_off_diagonal(x: Tensor) -> Tensor:
    """`1 / x`, with 0 on the diagonal and where `x` is 0."""
    from runtime.ops.comparison import not_equal

    there = not_equal(x, 0)
    return masked(there, 1 / (x + cast(~there, x.dtype)))


def svd(
    tensor: Any,
    full_matrices: bool = False,
    compute_uv: bool = True,
    name: str | None = None,
) -> Any:
    """Singular values, largest first, and singular vectors: `tensor = u @ diag(s) @ v^H`.

    Args:
      tensor: shape (..., m, n).
      full_matrices: whether `u` and `v` are square.
      compute_uv: whether the vectors are wanted.
      name: the operation's name in a graph.

    Returns:
      `s, u, v`; only `s` without `compute_uv`.

    >>> import autograph_lite as ag
    >>> ag.linalg.svd([[3.0, 0.0], [0.0, 4.0]], compute_uv=False).numpy().tolist()
    [4.0, 3.0]
    """
    attrs = {"compute_uv": bool(compute_uv), "full_matrices": bool(full_matrices)}
    made = apply(SVD, (as_matrices(tensor),), attrs, name)
    return tuple(made) if compute_uv else made


# ---- eigenvalues of symmetric matrices


def _eigh_kernel(x: Any, compute_v: bool = True) -> Any:
    # Of complex matrices the eigenvalues, though real, are given in the matrices' dtype.
    if not compute_v:
        return np.linalg.eigvalsh(x).astype(x.dtype, copy=False)
    values, vectors = np.linalg.eigh(x)
    return values.astype(x.dtype, copy=False), vectors


def _eigh_rule(inputs: Any, attrs: Any) -> Any:
    shape, dtype = square_matrices(inputs), inputs[0].dtype
    values = Spec(dtype, shape[:-1])
    return [values, Spec(dtype, shape)] if attrs["compute_v"] else values


EIGH = define("SelfAdjointEigV2", kernel=_eigh_kernel, infer=_eigh_rule)


@gradient(EIGH)
def _(op: Any, de: Any, dv: Any = None) -> Any:
    x = op.inputs[0]
    e, v = op.outputs if op.attrs["compute_v"] else eigh(x)
    middle = diag(_or_zeros(de, e))
    if dv is not None:
        gaps = _reciprocal_off_diagonal(expand_dims(e, -2) - expand_dims(e, -1))
        middle = middle + gaps * matmul(v, dv, adjoint_a=True)
    made = matmul(v, matmul(middle, v, adjoint_b=True))
    # Only the lower triangle went in: it gets the gradient of the upper one too.
    folded = band_part(made + adjoint(made), -1, 0)
    return (set_diag(folded, diag_part(folded) * 0.5),)


def eigh(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues, in ascending order, and eigenvectors (columns) of self-adjoint matrices.

    Args:
      tensor: shape (..., n, n); only the lower triangle is looked at.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.linalg.eigh([[2.0, 0.0], [0.0, 1.0]])[0].numpy().tolist()
    [1.0, 2.0]
    """
    e, v = apply(EIGH, (as_matrices(tensor),), {"compute_v": True}, name)
    return e, v


def eigvalsh(tensor: Any, name: str | None = None) -> Tensor:
    """Eigenvalues of self-adjoint matrices, in ascending order.

    Args:
      tensor: shape (..., n, n); only the lower triangle is looked at.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.linalg.eigvalsh([[2.0, 0.0], [0.0, 1.0]]).numpy().tolist()
    [1.0, 2.0]
    """
    return apply(EIGH, (as_matrices(tensor),), {"compute_v": False}, name)


# ---- eigenvalues of any square matrix


def _complex_of(dtype: DType) -> DType:
    return dtypes.complex128 if dtype in (dtypes.float64, dtypes.complex128) else dtypes.complex64


def _eig_kernel(x: Any, compute_v: bool = True) -> Any:
    wide = np.dtype(np.complex128 if x.dtype.char in "dD" else np.complex64)
    if not compute_v:
        return np.linalg.eigvals(x).astype(wide, copy=False)
    values, vectors = np.linalg.eig(x)
    return values.astype(wide, copy=False), vectors.astype(wide, copy=False)


def _eig_rule(inputs: Any, attrs: Any) -> Any:
    shape, dtype = square_matrices(inputs), _complex_of(inputs[0].dtype)
    values = Spec(dtype, shape[:-1])
    return [values, Spec(dtype, shape)] if attrs["compute_v"] else values


EIG = define("Eig", kernel=_eig_kernel, infer=_eig_rule)


@gradient(EIG)
def _(op: Any, de: Any, dv: Any = None) -> Any:
    x = op.inputs[0]
    e, v = op.outputs if op.attrs["compute_v"] else eig(x)
    middle = diag(_or_zeros(de, e))
    if dv is not None:
        gaps = _reciprocal_off_diagonal(expand_dims(e, -2) - expand_dims(e, -1))
        v_dv = matmul(v, dv, adjoint_a=True)
        lengths = diag(cast(real(diag_part(v_dv)), v.dtype))
        middle = middle + conjugate(gaps) * (v_dv - matmul(matmul(v, v, adjoint_a=True), lengths))
    made = solve(adjoint(v), matmul(middle, v, adjoint_b=True))
    return (made if x.dtype.is_complex else cast(real(made), x.dtype),)


def eig(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """Eigenvalues and eigenvectors (columns) of square matrices, both complex.

    >>> import autograph_lite as ag
    >>> e, v = ag.linalg.eig([[0.0, -1.0], [1.0, 0.0]])
    >>> sorted(ag.math.imag(e).numpy().tolist())
    [-1.0, 1.0]
    """
    e, v = apply(EIG, (as_matrices(tensor),), {"compute_v": True}, name)
    return e, v


def eigvals(tensor: Any, name: str | None = None) -> Tensor:
    """Eigenvalues of square matrices, complex.

    >>> import autograph_lite as ag
    >>> sorted(ag.math.imag(ag.linalg.eigvals([[0.0, -1.0], [1.0, 0.0]])).numpy().tolist())
    [-1.0, 1.0]
    """
    return apply(EIG, (as_matrices(tensor),), {"compute_v": False}, name)


# ---- LU


def _lu_of_one(x: Any) -> tuple[Any, Any]:
    """Gaussian elimination with the largest pivot of each column."""
    made, order = np.array(x), np.arange(len(x))
    for k in range(len(x)):
        pivot = k + int(np.argmax(np.abs(made[k:, k])))
        if made[pivot, k] == 0:
            raise ValueError("the matrix is singular: it has no LU decomposition to solve with")
        if pivot != k:
            made[[k, pivot]], order[[k, pivot]] = made[[pivot, k]], order[[pivot, k]]
        made[k + 1 :, k] /= made[k, k]
        made[k + 1 :, k + 1 :] -= np.outer(made[k + 1 :, k], made[k, k + 1 :])
    return made, order


def _lu_kernel(x: Any, output_idx_type: Any) -> Any:
    stack, size = x.shape[:-2], x.shape[-1]
    factors = np.empty_like(x)
    orders = np.empty((*stack, size), output_idx_type.np_dtype)
    for place in np.ndindex(stack):
        factors[place], orders[place] = _lu_of_one(x[place])
    return factors, orders


def _lu_rule(inputs: Any, attrs: Any) -> list[Spec]:
    shape = square_matrices(inputs)
    return [Spec(inputs[0].dtype, shape), Spec(attrs["output_idx_type"], shape[:-1])]


LU = define("Lu", kernel=_lu_kernel, infer=_lu_rule)


@gradient(LU)
def _(op: Any, dlu: Any, dp: Any) -> Any:
    from runtime.ops.gathering import gather
    from runtime.ops.sorting import argsort

    if dlu is None:
        return (None,)
    factors, order = op.outputs
    lower = set_diag(band_part(factors, -1, 0), zeros_like(diag_part(factors)) + 1)
    upper = band_part(factors, 0, -1)
    below = matmul(lower, _strictly_lower(dlu), adjoint_a=True)
    above = matmul(band_part(dlu, 0, -1), upper, adjoint_b=True)
    middle = _strictly_lower(below) + band_part(above, 0, -1)
    left = triangular_solve(lower, middle, lower=True, adjoint=True)
    made = adjoint(triangular_solve(upper, adjoint(left), lower=False))
    rank = factors.shape.rank
    stack = 0 if rank is None else rank - 2
    return (gather(made, argsort(order), axis=stack, batch_dims=stack),)


def _strictly_lower(x: Tensor) -> Tensor:
    return band_part(x, -1, 0) - band_part(x, 0, 0)


def lu(
    input: Any, output_idx_type: Any = dtypes.int32, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """LU decomposition with row exchanges.

    Args:
      input: shape (..., n, n), not singular.
      output_idx_type: the dtype of `p`, int32 or int64.
      name: the operation's name in a graph.

    Returns:
      `lu`, the upper factor and below it the lower one, whose diagonal of ones is left out; and
      `p`, the order of rows: `lower @ upper` are the rows of `input` in this order.

    >>> import autograph_lite as ag
    >>> factors, p = ag.linalg.lu([[1.0, 2.0], [4.0, 4.0]])
    >>> factors.numpy().tolist(), p.numpy().tolist()
    ([[4.0, 4.0], [0.25, 1.0]], [1, 0])
    """
    attrs = {"output_idx_type": as_dtype(output_idx_type)}
    factors, order = apply(LU, (as_matrices(input),), attrs, name)
    return factors, order
