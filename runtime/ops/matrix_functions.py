"""Functions of square matrices: exponential, logarithm, square root; solving with LU factors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.apply import apply
from runtime.ops.diagonals import adjoint, band_part, set_diag
from runtime.ops.gradients_support import zeros_like
from runtime.ops.linalg import as_matrices, square_rule, triangular_solve
from runtime.ops.matmul import matmul
from runtime.ops.registry import define, gradient
from runtime.tensor import Tensor


def _one_by_one(function: Any) -> Any:
    """A kernel that applies a function of one matrix to a stack of them."""

    def kernel(x: Any) -> Any:
        made = np.empty_like(x)
        for place in np.ndindex(x.shape[:-2]):
            made[place] = function(x[place])
        return made

    return kernel


# Coefficients of the diagonal Padé approximant of degree 13.
_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0,
    129060195264000.0, 10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0,
    40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip


def _expm(x: Any) -> Any:
    """Scaling and squaring: the exponential of a small matrix by a Padé approximant."""
    if not x.size:
        return x.copy()
    size = float(np.max(np.sum(np.abs(x), axis=0)))
    halvings = max(0, int(np.ceil(np.log2(size / 2)))) if np.isfinite(size) and size > 2 else 0
    wide = np.complex128 if x.dtype.kind == "c" else np.float64
    a = x.astype(wide) / 2**halvings
    b, one = _PADE, np.eye(len(x), dtype=wide)
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a2 @ a4
    odd = a6 @ (b[13] * a6 + b[11] * a4 + b[9] * a2) + b[7] * a6 + b[5] * a4 + b[3] * a2
    odd = a @ (odd + b[1] * one)
    even = a6 @ (b[12] * a6 + b[10] * a4 + b[8] * a2) + b[6] * a6 + b[4] * a4 + b[2] * a2
    even = even + b[0] * one
    made = np.linalg.solve(even - odd, even + odd)
    for _ in range(halvings):
        made = made @ made
    return made.astype(x.dtype)


def _from_scipy(name: str) -> Any:
    def function(x: Any) -> Any:
        try:
            import scipy.linalg
        except ImportError:
            raise ImportError(
                f"the matrix function {name} is computed by SciPy, which is not installed; "
                "run: pip install autograph-lite[scipy]"
            ) from None
        made = getattr(scipy.linalg, name)(x)
        return made if x.dtype.kind == "c" else np.real(made)

    return function


EXPM = define("MatrixExponential", kernel=_one_by_one(_expm), infer=square_rule)
LOGM = define("MatrixLogarithm", kernel=_one_by_one(_from_scipy("logm")), infer=square_rule)
SQRTM = define("MatrixSquareRoot", kernel=_one_by_one(_from_scipy("sqrtm")), infer=square_rule)


@gradient(EXPM, LOGM, SQRTM)
def _(op: Any, dy: Tensor) -> Any:
    # For any analytic f, f([[a, e], [0, a]]) has the derivative of f at a along e in its corner.
    from runtime.ops.joining import concat

    a = adjoint(op.inputs[0])
    top = concat([a, dy], -1)
    bottom = concat([zeros_like(a), a], -1)
    made = apply(op.opdef, (concat([top, bottom], -2),))
    n = op.inputs[0].shape[-1] if op.inputs[0].shape.rank else None
    if n is None:
        from runtime.ops.shaping import shape

        n = shape(a)[-1]
    return (made[..., :n, n:],)


def expm(input: Any, name: str | None = None) -> Tensor:
    """The exponential of square matrices.

    >>> import autograph_lite as ag
    >>> ag.linalg.expm([[0.0, 1.0], [0.0, 0.0]]).numpy().tolist()
    [[1.0, 1.0], [0.0, 1.0]]
    """
    return apply(EXPM, (as_matrices(input),), None, name)


def logm(input: Any, name: str | None = None) -> Tensor:
    """The principal logarithm of square matrices.

    >>> import autograph_lite as ag
    >>> ag.linalg.logm([[1.0, 0.0], [0.0, 1.0]]).numpy().tolist()
    [[0.0, 0.0], [0.0, 0.0]]
    """
    return apply(LOGM, (as_matrices(input),), None, name)


def sqrtm(input: Any, name: str | None = None) -> Tensor:
    """The principal square root of square matrices: `y @ y` gives `input`.

    >>> import autograph_lite as ag
    >>> ag.linalg.sqrtm([[4.0, 0.0], [0.0, 9.0]]).numpy().round(4).tolist()
    [[2.0, 0.0], [0.0, 3.0]]
    """
    return apply(SQRTM, (as_matrices(input),), None, name)


# ---- from LU factors


def _factors(lower_upper: Tensor) -> tuple[Tensor, Tensor]:
    from runtime.ops.diagonals import diag_part

    ones = zeros_like(diag_part(lower_upper)) + 1
    return set_diag(band_part(lower_upper, -1, 0), ones), band_part(lower_upper, 0, -1)


def _rows_in_order(x: Tensor, order: Tensor) -> Tensor:
    from runtime.ops.gathering import gather

    stack = max((order.shape.rank or 1) - 1, 0)
    return gather(x, order, axis=stack, batch_dims=stack)


def lu_solve(
    lower_upper: Any, perm: Any, rhs: Any, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The solution `x` of `A @ x = rhs` from what `lu(A)` gave.

    Args:
      lower_upper: the factors.
      perm: the order of rows.
      rhs: shape (..., n, k).
      validate_args: not needed here.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.linalg.lu_solve(*ag.linalg.lu([[0.0, 2.0], [4.0, 0.0]]), [[2.0], [4.0]]).numpy().tolist()
    [[1.0], [1.0]]
    """
    from runtime.convert import convert_to_tensor

    factors = as_matrices(lower_upper)
    lower, upper = _factors(factors)
    moved = _rows_in_order(
        convert_to_tensor(rhs, dtype_hint=factors.dtype), convert_to_tensor(perm)
    )
    return triangular_solve(upper, triangular_solve(lower, moved), lower=False, name=name)


def lu_reconstruct(
    lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The matrix whose LU decomposition this is.

    Args:
      lower_upper: the factors.
      perm: the order of rows.
      validate_args: not needed here.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.linalg.lu_reconstruct(*ag.linalg.lu([[1.0, 2.0], [4.0, 4.0]])).numpy().tolist()
    [[1.0, 2.0], [4.0, 4.0]]
    """
    from runtime.convert import convert_to_tensor
    from runtime.ops.sorting import argsort

    lower, upper = _factors(as_matrices(lower_upper))
    return _rows_in_order(matmul(lower, upper, name=name), argsort(convert_to_tensor(perm)))


def lu_matrix_inverse(
    lower_upper: Any, perm: Any, validate_args: bool = False, name: str | None = None
) -> Tensor:
    """The inverse of the matrix whose LU decomposition this is.

    Args:
      lower_upper: the factors.
      perm: the order of rows.
      validate_args: not needed here.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.linalg.lu_matrix_inverse(*ag.linalg.lu([[2.0, 0.0], [0.0, 4.0]])).numpy().tolist()
    [[0.5, 0.0], [0.0, 0.25]]
    """
    from runtime.ops.diagonals import diag_part

    factors = as_matrices(lower_upper)
    zeros = zeros_like(factors)
    identity = set_diag(zeros, zeros_like(diag_part(factors)) + 1)
    return lu_solve(factors, perm, identity, name=name)
