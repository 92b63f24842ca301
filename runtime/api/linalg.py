"""`ag.linalg`: products, decompositions, solvers, norms, diagonals."""

# ruff: noqa: I001 - one name a line, by module
from __future__ import annotations

from runtime.ops.clipping import global_norm as global_norm
from runtime.ops.creation import eye as eye
from runtime.ops.decompositions import eig as eig
from runtime.ops.decompositions import eigh as eigh
from runtime.ops.decompositions import eigvals as eigvals
from runtime.ops.decompositions import eigvalsh as eigvalsh
from runtime.ops.decompositions import lu as lu
from runtime.ops.decompositions import qr as qr
from runtime.ops.decompositions import svd as svd
from runtime.ops.diagonals import adjoint as adjoint
from runtime.ops.diagonals import band_part as band_part
from runtime.ops.diagonals import diag as diag
from runtime.ops.diagonals import diag_part as diag_part
from runtime.ops.diagonals import set_diag as set_diag
from runtime.ops.diagonals import tensor_diag as tensor_diag
from runtime.ops.diagonals import tensor_diag_part as tensor_diag_part
from runtime.ops.diagonals import trace as trace
from runtime.ops.einsum import einsum as einsum
from runtime.ops.einsum import tensordot as tensordot
from runtime.ops.linalg import cholesky as cholesky
from runtime.ops.linalg import cholesky_solve as cholesky_solve
from runtime.ops.linalg import det as det
from runtime.ops.linalg import inv as inv
from runtime.ops.linalg import logdet as logdet
from runtime.ops.linalg import lstsq as lstsq
from runtime.ops.linalg import matrix_rank as matrix_rank
from runtime.ops.linalg import pinv as pinv
from runtime.ops.linalg import slogdet as slogdet
from runtime.ops.linalg import solve as solve
from runtime.ops.linalg import triangular_solve as triangular_solve
from runtime.ops.matmul import matmul as matmul
from runtime.ops.matmul import matvec as matvec
from runtime.ops.matrix_functions import expm as expm
from runtime.ops.matrix_functions import logm as logm
from runtime.ops.matrix_functions import lu_matrix_inverse as lu_matrix_inverse
from runtime.ops.matrix_functions import lu_reconstruct as lu_reconstruct
from runtime.ops.matrix_functions import lu_solve as lu_solve
from runtime.ops.matrix_functions import sqrtm as sqrtm
from runtime.ops.nn_normalization import l2_normalize as l2_normalize
from runtime.ops.norms import cross as cross
from runtime.ops.norms import norm as norm
from runtime.ops.norms import normalize as normalize
from runtime.ops.shaping import matrix_transpose as matrix_transpose
