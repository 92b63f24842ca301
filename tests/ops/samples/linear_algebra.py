"""Samples of einsum, diagonals, solvers, decompositions, matrix functions and norms."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import decompositions as d
from runtime.ops import diagonals as g
from runtime.ops import einsum as e
from runtime.ops import linalg as la
from runtime.ops import matmul, norms
from runtime.ops import matrix_functions as mf
from runtime.ops import tridiagonal as tri
from runtime.ops.unary import abs
from tests.ops.sampling import Sample, uniform

C = np.complex128


def regular(shape: Any, dtype: Any = np.float64) -> Any:
    """Square matrices far from singular."""
    return uniform(shape, -1, 1, dtype) + 3 * np.eye(shape[-1], dtype=dtype)


def definite(x: Any) -> Any:
    """A positive definite matrix made of any."""
    gram = matmul.matmul(x, x, adjoint_b=True)
    return g.set_diag(gram, g.diag_part(gram) + 1)


def square_ones(fn: Any, **options: Any) -> list[Sample]:
    return [
        Sample(fn, [regular((3, 3))], **options),
        Sample(fn, [regular((2, 2, 2))], **options),
        Sample(fn, [regular((2, 2), C)], **options),
        Sample(fn, [regular((2, 2), np.float32)], grad=False),
    ]


def systems(fn: Any) -> list[Sample]:
    return [
        Sample(fn, [regular((3, 3)), uniform((3, 2))]),
        Sample(lambda a, b: fn(a, b, adjoint=True), [regular((2, 2)), uniform((2, 1))]),
        Sample(fn, [regular((2, 2, 2)), uniform((2, 3))]),
        Sample(fn, [regular((2, 2), C), uniform((2, 2), dtype=C)]),
        Sample(lambda a, b: fn(a, b, adjoint=True), [regular((2, 2), C), uniform((2, 1), dtype=C)]),
    ]


def two(equation: str, a: Any, b: Any, **options: Any) -> Sample:
    return Sample(lambda x, y: e.einsum(equation, x, y), [a, b], **options)


BANDS = np.array([[0.5, -1.0, 0.0], [4.0, 5.0, 6.0], [0.0, 1.0, 0.25]])
M, N = uniform((2, 3)), uniform((3, 4))

# Rounding differs between an equation's forms for known and for unknown sizes: exact ones only.
SAMPLES = {
    "Einsum": [
        two("ij,jk->ik", M, N),
        two("ij,jk", M, N),
        two("ij,ij->", M, M),
        two("ij,ij->i", M, M),
        two("i,j->ij", M[0], N[0]),
        two("bij,bjk->bik", uniform((2, 2, 3)), uniform((2, 3, 2))),
        two("bij,jk->bki", uniform((2, 2, 3)), N),
        two("...ij,jk->...ik", uniform((2, 1, 2, 3)), N, unknown=False),
        two("...i,...i->...", uniform((2, 3)), uniform((4, 1, 3)), unknown=False),
        two("ij,kl->ik", M, N),
        two("ij,jk->ik", uniform((2, 3), dtype=C), uniform((3, 2), dtype=C)),
        Sample(lambda x: e.einsum("ii->i", x), [uniform((3, 3))]),
        Sample(lambda x: e.einsum("ii", x), [uniform((3, 3))]),
        Sample(lambda x: e.einsum("ij->ji", x), [M]),
        Sample(lambda x: e.einsum("ij->", x), [M]),
        Sample(lambda x: e.einsum("iji->j", x), [uniform((2, 3, 2))]),
        Sample(lambda x, y, z: e.einsum("ij,jk,kl->il", x, y, z), [M, N, uniform((4, 2))]),
        Sample(lambda x, y: e.tensordot(x, y, [[1], [1]]), [M, M], unknown=False),
        Sample(lambda x, y: e.tensordot(x, y, 1), [uniform((2, 2, 3)), N], unknown=False),
        Sample(lambda x, y: e.tensordot(x, y, 0), [M[0], N[0]], unknown=False),
        two("ij,jk->ik", np.array([[1, 2]], np.int32), np.array([[3], [4]], np.int32)),
    ],
    "Matvec": [Sample(matmul.matvec, [M, uniform((3,))]),
               Sample(lambda a, b: matmul.matvec(a, b, transpose_a=True), [M, uniform((2,))])],
    "MatrixBandPart": [
        Sample(lambda x: g.band_part(x, 0, 1), [uniform((3, 4))]),
        Sample(lambda x: g.band_part(x, -1, 0), [uniform((2, 3, 3))]),
        Sample(lambda x, lo, hi: g.band_part(x, lo, hi),
               [uniform((3, 4)), np.array(1), np.array(0)]),
    ],
    "MatrixDiagV3": [
        Sample(g.diag, [uniform((2, 3))]),
        Sample(lambda x: g.diag(x, k=1), [uniform((3,))]),
        Sample(lambda x: g.diag(x, k=-1, num_rows=4, num_cols=3, padding_value=9), [uniform((3,))]),
        Sample(lambda x: g.diag(x, k=(-1, 1)), [uniform((3, 3))]),
        Sample(lambda x: g.diag(x, k=(0, 1), align="LEFT_RIGHT"), [uniform((2, 3))]),
    ],
    "MatrixDiagPartV3": [
        Sample(g.diag_part, [uniform((2, 3, 4))]),
        Sample(lambda x: g.diag_part(x, k=1), [uniform((3, 4))]),
        Sample(lambda x: g.diag_part(x, k=(-1, 2), padding_value=9), [uniform((3, 4))]),
        Sample(g.trace, [uniform((2, 3, 3))]),
    ],
    "MatrixSetDiagV3": [
        Sample(g.set_diag, [uniform((2, 3, 4)), uniform((2, 3))]),
        Sample(lambda x, v: g.set_diag(x, v, k=(-1, 0)), [uniform((3, 3)), uniform((2, 3))]),
    ],
    "Diag": [Sample(g.tensor_diag, [uniform((2, 2))])],
    "DiagPart": [Sample(g.tensor_diag_part, [uniform((2, 3, 2, 3))])],
    "Adjoint": [Sample(g.adjoint, [uniform((2, 3), dtype=C)])],
    "MatrixInverse": square_ones(la.inv) + square_ones(lambda x: la.inv(x, adjoint=True)),
    "MatrixDeterminant": square_ones(la.det),
    "LogMatrixDeterminant": [
        Sample(lambda x: la.slogdet(x)[1], [regular((3, 3))]),
        Sample(la.slogdet, [regular((2, 3, 3))], second=False),
        Sample(lambda x: la.logdet(definite(x)), [uniform((2, 2))]),
    ],
    "MatrixSolve": systems(la.solve),
    "MatrixTriangularSolve": systems(la.triangular_solve)
    + systems(lambda a, b, adjoint=False: la.triangular_solve(a, b, False, adjoint)),
    "Cholesky": [
        Sample(lambda x: la.cholesky(definite(x)), [uniform((3, 3))]),
        Sample(lambda x: la.cholesky(definite(x)), [uniform((2, 2, 2))]),
        Sample(lambda x: la.cholesky(definite(x)), [uniform((2, 2), dtype=C)]),
        Sample(lambda x, y: la.cholesky_solve(la.cholesky(definite(x)), y),
               [uniform((2, 2)), uniform((2, 1))]),
    ],
    "Lstsq": [
        Sample(la.lstsq, [uniform((4, 2)), uniform((4, 1))], unknown=False, tolerance=1e-5),
        Sample(la.lstsq, [uniform((2, 4)), uniform((2, 1))], unknown=False, tolerance=1e-5),
        Sample(lambda a, b: la.lstsq(a, b, l2_regularizer=0.5),
               [uniform((3, 2)), uniform((3, 2))], unknown=False),
        Sample(la.pinv, [np.eye(3, 2) * 2 + uniform((3, 2), -0.3, 0.3)], second=False),
        Sample(la.matrix_rank, [np.ones((2, 3, 3))], grad=False),
    ],
    "Qr": [
        Sample(d.qr, [regular((3, 3))], unknown=False),
        Sample(d.qr, [uniform((4, 2))], unknown=False),
        Sample(d.qr, [np.hstack([regular((2, 2)), uniform((2, 2))])], unknown=False),
        Sample(lambda x: d.qr(x, full_matrices=True), [uniform((4, 2))], grad=False),
        Sample(d.qr, [uniform((2, 3, 2), dtype=np.float32)], grad=False),
    ],
    "Svd": [
        Sample(d.svd, [uniform((3, 3))], unknown=False),
        Sample(d.svd, [uniform((4, 2))]),
        Sample(d.svd, [uniform((2, 3))]),
        Sample(lambda x: d.svd(x, compute_uv=False), [uniform((2, 3, 2))]),
        Sample(lambda x: d.svd(x, full_matrices=True)[0], [uniform((3, 2))]),
        Sample(lambda x: [d.svd(x)[0], abs(d.svd(x)[1])], [uniform((2, 2), dtype=C)]),
    ],
    "SelfAdjointEigV2": [
        Sample(d.eigh, [uniform((3, 3))]),
        Sample(d.eigh, [uniform((2, 2, 2))]),
        Sample(d.eigvalsh, [uniform((3, 3))]),
    ],
    "Eig": [
        Sample(lambda x: d.eig(x)[0], [np.diag([1.0, 2.0, 4.0]) + uniform((3, 3), -0.2, 0.2)]),
        Sample(d.eigvals, [np.diag([1.0, 2.0]) + uniform((2, 2), -0.2, 0.2, C)]),
        Sample(lambda x: abs(d.eig(x)[1]), [np.diag([1.0, 2.0]) + uniform((2, 2), -0.2, 0.2)],
               second=False),
    ],
    "Lu": [
        Sample(lambda x: d.lu(x), [regular((3, 3))]),
        Sample(lambda x: d.lu(x), [regular((2, 2, 2))], unknown=False),
        Sample(lambda x, b: mf.lu_solve(*d.lu(x), b), [regular((2, 2)), uniform((2, 1))],
               unknown=False),
        Sample(lambda x: mf.lu_reconstruct(*d.lu(x)), [regular((2, 2))], unknown=False),
        Sample(lambda x: mf.lu_matrix_inverse(*d.lu(x)), [regular((2, 2))], unknown=False),
    ],
    "MatrixExponential": square_ones(mf.expm),
    "MatrixLogarithm": square_ones(mf.logm)[:3],
    "MatrixSquareRoot": square_ones(mf.sqrtm)[:3],
    "Norm": [
        Sample(lambda x, o=o, a=a, k=k: norms.norm(x, o, a, k), [uniform((2, 3), 0.5, 2)],
               unknown=False)
        for o, a, k in [
            ("euclidean", None, False), ("euclidean", 1, True), (1, 0, False), (np.inf, 1, False),
            (3, -1, False), (2.5, None, True), ("fro", [0, 1], False), (1, [0, 1], False),
            (np.inf, [1, 0], True), (2, [0, 1], False), (2, 0, False),
        ]
    ]
    + [Sample(lambda x: norms.norm(x), [uniform((3,), dtype=C)]),
       Sample(lambda x: norms.normalize(x, axis=1), [uniform((2, 3), 0.5, 2)])],
    "TridiagonalSolve": [
        Sample(lambda a, b: tri.tridiagonal_solve(a, b), [BANDS, uniform((3, 2))]),
        Sample(lambda a, b: tri.tridiagonal_solve(a, b), [BANDS, uniform((3,))], unknown=False),
        Sample(lambda a, b: tri.tridiagonal_solve(a, b),
               [BANDS + 1j * uniform((3, 3)), uniform((3, 1), dtype=C)], unknown=False),
        Sample(lambda a, b: tri.tridiagonal_solve(a, b, "matrix"),
               [regular((3, 3)), uniform((3, 1))], unknown=False),
        Sample(lambda a, b: tri.tridiagonal_matmul(a, b), [BANDS, uniform((3, 2))]),
        Sample(lambda a, b: tri.eigh_tridiagonal(a, b), [uniform((3,)), uniform((2,), 0.5)]),
        Sample(lambda a, b: tri.eigh_tridiagonal(a, b, select="i", select_range=(0, 1)),
               [uniform((3,)), uniform((2,), 0.5)], known=False),
    ],
    "Cross": [Sample(norms.cross, [uniform((2, 3)), uniform((2, 3))])],
}  # fmt: skip
