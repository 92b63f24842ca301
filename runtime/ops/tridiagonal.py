"""Tridiagonal matrices: products, systems of equations, eigenvalues."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops.apply import apply
from runtime.ops.decompositions import eigh, eigvalsh
from runtime.ops.diagonals import diag, diag_part
from runtime.ops.gradients_support import conjugate
from runtime.ops.linalg import as_matrices
from runtime.ops.matmul import matmul
from runtime.ops.reductions import reduce_sum
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.shaping import expand_dims
from runtime.tensor import Tensor


def _compact(diagonals: Any, form: str) -> Tensor:
    """The three diagonals as rows of one tensor: upper, main, lower.

    The last element of the upper one and the first of the lower one are padding.

    Raises:
      ValueError: there is no such form.
    """
    if form == "compact":
        return as_matrices(diagonals)
    if form == "matrix":
        return diag_part(as_matrices(diagonals), k=(-1, 1), align="LEFT_RIGHT")
    if form == "sequence":
        from runtime.ops.joining import stack

        upper, main, lower = (as_matrices(d) for d in diagonals)
        return stack([upper, main, lower], -2)
    raise ValueError(f"diagonals_format must be compact, sequence or matrix, found {form!r}")


def _solve_kernel(diagonals: Any, rhs: Any) -> Any:
    upper, main, lower = diagonals[..., 0, :], diagonals[..., 1, :], diagonals[..., 2, :]
    size = main.shape[-1]
    whole = np.zeros((*main.shape, size), np.result_type(diagonals, rhs))
    along = np.arange(size)
    whole[..., along, along] = main
    whole[..., along[:-1], along[1:]] = upper[..., :-1]
    whole[..., along[1:], along[:-1]] = lower[..., 1:]
    return np.linalg.solve(whole, rhs)


SOLVE = define(
    "TridiagonalSolve",
    kernel=_solve_kernel,
    infer=lambda inputs, attrs: Spec(inputs[1].dtype, inputs[1].shape),
)


@gradient(SOLVE)
def _(op: Any, dy: Tensor) -> Any:
    diagonals, _ = op.inputs
    y = op.outputs[0]
    to_rhs = apply(SOLVE, (_adjoint(diagonals), dy))
    return -_products_beside(to_rhs, conjugate(y)), to_rhs


def _adjoint(diagonals: Tensor) -> Tensor:
    """The compact form of the conjugate transpose: upper and lower change places."""
    from runtime.ops.joining import stack
    from runtime.ops.reordering import roll

    upper, main, lower = (conjugate(diagonals[..., i, :]) for i in range(3))
    return stack([roll(lower, -1, -1), main, roll(upper, 1, -1)], -2)


def _products_beside(left: Tensor, right: Tensor) -> Tensor:
    """The three diagonals of `left @ right^T`, with zeros for padding."""
    from runtime.ops.joining import concat, stack

    zero = reduce_sum(left[..., :1, :] * 0, -1)
    above = reduce_sum(left[..., :-1, :] * right[..., 1:, :], -1)
    below = reduce_sum(left[..., 1:, :] * right[..., :-1, :], -1)
    rows = [concat([above, zero], -1), reduce_sum(left * right, -1), concat([zero, below], -1)]
    return stack(rows, -2)


def tridiagonal_solve(
    diagonals: Any,
    rhs: Any,
    diagonals_format: str = "compact",
    transpose_rhs: bool = False,
    conjugate_rhs: bool = False,
    name: str | None = None,
    partial_pivoting: bool = True,
    perturb_singular: bool = False,
) -> Tensor:
    """The solution `x` of `A @ x = rhs` for a tridiagonal matrix.

    Args:
      diagonals: "compact": shape (..., 3, n), upper, main and lower diagonal, where the end of the
        upper and the start of the lower one are padding; "sequence": the three; "matrix": all.
      rhs: shape (..., n), or (..., n, k).
      diagonals_format: which of these.
      transpose_rhs: whether to transpose `rhs` first.
      conjugate_rhs: whether to conjugate it.
      name: the operation's name in a graph.
      partial_pivoting: rows are exchanged in any case.
      perturb_singular: not needed here.

    >>> import autograph_lite as ag
    >>> diagonals = [[1.0, 0.0], [2.0, 2.0], [0.0, 1.0]]
    >>> ag.linalg.tridiagonal_solve(diagonals, [3.0, 3.0]).numpy().round(4).tolist()
    [1.0, 1.0]
    """
    from runtime.ops.shaping import matrix_transpose, squeeze

    bands = _compact(diagonals, diagonals_format)
    right = convert_to_tensor(rhs, dtype_hint=bands.dtype)
    right = conjugate(right) if conjugate_rhs else right
    single = right.shape.rank is not None and right.shape.rank == (bands.shape.rank or 0) - 1
    if single:
        return squeeze(apply(SOLVE, (bands, expand_dims(right, -1)), None, name), [-1])
    right = matrix_transpose(right) if transpose_rhs else right
    return apply(SOLVE, (bands, right), None, name)


def tridiagonal_matmul(
    diagonals: Any, rhs: Any, diagonals_format: str = "compact", name: str | None = None
) -> Tensor:
    """The product of a tridiagonal matrix and a matrix.

    Args:
      diagonals: as for `tridiagonal_solve`.
      rhs: shape (..., n, k).
      diagonals_format: "compact", "sequence" or "matrix".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> diagonals = [[1.0, 0.0], [2.0, 2.0], [0.0, 1.0]]
    >>> ag.linalg.tridiagonal_matmul(diagonals, [[1.0], [1.0]]).numpy().tolist()
    [[3.0], [3.0]]
    """
    bands = _compact(diagonals, diagonals_format)
    right = convert_to_tensor(rhs, dtype_hint=bands.dtype)
    return matmul(diag(bands, k=(-1, 1), align="LEFT_RIGHT"), right, name=name)


def eigh_tridiagonal(
    alpha: Any,
    beta: Any,
    eigvals_only: bool = True,
    select: str = "a",
    select_range: Any = None,
    tol: Any = None,
    name: str | None = None,
) -> Any:
    """The eigenvalues, ascending, of a self-adjoint tridiagonal matrix, and its eigenvectors.

    Args:
      alpha: shape (n,), the main diagonal.
      beta: shape (n - 1,), the diagonal above it.
      eigvals_only: whether the vectors are not wanted.
      select: "a" for all, "v" for those within a half-open interval (a, b], "i" for those numbered
        from a to b.
      select_range: the pair a, b.
      tol: not needed here.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.linalg.eigh_tridiagonal([1.0, 1.0], [0.0]).numpy().tolist()
    [1.0, 1.0]
    """
    main, above = as_matrices(alpha), as_matrices(beta)
    whole = diag(main) + diag(above, k=1) + diag(conjugate(above), k=-1)
    if eigvals_only:
        values, vectors = eigvalsh(whole, name), None
    else:
        values, vectors = eigh(whole, name)
    if select == "a":
        return values if vectors is None else (values, vectors)
    chosen = _chosen(values, select, select_range)
    from runtime.ops.slicing import boolean_mask

    picked = boolean_mask(values, chosen)
    return picked if vectors is None else (picked, boolean_mask(vectors, chosen, axis=1))


def _chosen(values: Tensor, select: str, bounds: Any) -> Tensor:
    from runtime.ops.creation import range as number_range
    from runtime.ops.shaping import size

    if select not in ("v", "i") or bounds is None:
        raise ValueError(f'select must be "a", or "v" or "i" with a range, found {select!r}')
    low, high = bounds
    if select == "v":
        return (values > low) & (values <= high)
    numbers = number_range(size(values))
    return (numbers >= low) & (numbers <= high)
