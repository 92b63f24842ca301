"""Products of matrices and vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.gradients_support import needs, unbroadcast
from runtime.ops.promotion import operands
from runtime.ops.registry import Spec, define, gradient
from runtime.shapes import TensorShape
from runtime.tensor import Tensor

MATMUL = define("MatMul", kernel=np.matmul, infer=rules.matmul, infix="@")


def _swapped(x: Any, how: str | None) -> Any:
    """`x` with its last two axes exchanged ('t'), conjugated too ('h'), or as it is (None)."""
    if how is None:
        return x
    x = x.swapaxes(-1, -2)
    return np.conj(x) if how == "h" else x


def _flagged_kernel(a: Any, b: Any, a_how: str | None = None, b_how: str | None = None) -> Any:
    return np.matmul(_swapped(a, a_how), _swapped(b, b_how))


class _Shaped:
    """A stand-in for a tensor with its last two axes exchanged, for the shape rule."""

    def __init__(self, tensor: Any, how: str | None) -> None:
        self.dtype = tensor.dtype
        self.shape = tensor.shape
        if how is not None and (tensor.shape.rank or 0) >= 2:
            dims = tensor.shape.as_tuple()
            self.shape = TensorShape((*dims[:-2], dims[-1], dims[-2]))


def _flagged_rule(inputs: Any, attrs: Any) -> Spec:
    a, b = _Shaped(inputs[0], attrs.get("a_how")), _Shaped(inputs[1], attrs.get("b_how"))
    return rules.matmul((a, b), attrs)


def _flagged_lean(attrs: Any, inputs: Any) -> Callable[..., Any] | None:
    """For two matrices `.T` costs least; BLAS reads either order without a copy."""
    a_how, b_how = attrs.get("a_how"), attrs.get("b_how")
    if "h" in (a_how, b_how) or any(t.shape.rank != 2 for t in inputs):
        return None
    matmul = np.matmul
    if a_how and b_how:
        return lambda a, b: matmul(a.T, b.T)
    if a_how:
        return lambda a, b: matmul(a.T, b)
    return lambda a, b: matmul(a, b.T)


MATMUL_SWAPPED = define(
    "BatchMatMul", kernel=_flagged_kernel, infer=_flagged_rule, specialise=_flagged_lean
)


def product(a: Tensor, b: Tensor, a_how: str | None, b_how: str | None, name: Any = None) -> Tensor:
    """`a @ b` with either swapped first: None, 't' (transposed) or 'h' (conjugate transposed)."""
    if a_how is None and b_how is None:
        return apply(MATMUL, (a, b), None, name)
    attrs = {k: v for k, v in (("a_how", a_how), ("b_how", b_how)) if v is not None}
    return apply(MATMUL_SWAPPED, (a, b), attrs, name)


@gradient(MATMUL, MATMUL_SWAPPED)
def _(op: Any, dy: Tensor) -> Any:
    a, b = op.inputs
    a_how, b_how = op.attrs.get("a_how"), op.attrs.get("b_how")
    swap = "h" if dy.dtype.is_complex else "t"
    da: Tensor | None = None
    db: Tensor | None = None
    if needs(op, 0):
        if a_how is None:
            da = product(dy, b, None, swap if b_how is None else None)
        else:
            da = product(b, dy, b_how, swap)
        da = unbroadcast(da, a, b, settled=2)
    if needs(op, 1):
        if b_how is None:
            db = product(a, dy, swap if a_how is None else None, None)
        else:
            db = product(dy, a, swap, a_how)
        db = unbroadcast(db, b, a, settled=2)
    return da, db


def matmul(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    transpose_b: bool = False,
    adjoint_a: bool = False,
    adjoint_b: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    output_type: Any = None,
    name: str | None = None,
) -> Tensor:
    """The product of two matrices, or of two stacks of them whose outer shapes broadcast.

    Args:
      a: a tensor of rank 2 or more.
      b: a tensor of rank 2 or more; its second to last size is the last size of `a`.
      transpose_a: whether `a` is transposed (its last two axes exchanged) first.
      transpose_b: whether `b` is transposed first.
      adjoint_a: whether `a` is transposed and conjugated first.
      adjoint_b: whether `b` is transposed and conjugated first.
      a_is_sparse: a hint that is not needed here.
      b_is_sparse: a hint that is not needed here.
      output_type: the dtype of the result; that of the operands by default.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: a rank below 2, or inner sizes that differ.
      ValueError: both a transpose and an adjoint are asked for.

    >>> import autograph_lite as ag
    >>> ag.matmul([[1, 2]], [[3], [4]]).numpy().tolist()
    [[11]]
    """
    if (transpose_a and adjoint_a) or (transpose_b and adjoint_b):
        raise ValueError("matmul can transpose an operand or take its adjoint, not both")
    x, y = operands(a, b)
    if output_type is not None:
        x, y = cast(x, output_type), cast(y, output_type)
    x, x_how = _prepared(x, transpose_a, adjoint_a)
    y, y_how = _prepared(y, transpose_b, adjoint_b)
    for tensor in (x, y):
        if tensor.shape.rank is not None and tensor.shape.rank < 2:
            raise ValueError(
                f"matmul takes matrices (rank 2 or more), found shapes {x.shape} and {y.shape}; "
                "for vectors there are ag.linalg.matvec, ag.tensordot and np.matmul"
            )
    return product(x, y, x_how, y_how, name)


def matmul_as_numpy(a: Any, b: Any) -> Tensor:
    """The product as `np.matmul` has it: a vector is a row on the left, a column on the right."""
    from runtime.ops.shaping import expand_dims, squeeze

    x, y = operands(a, b)
    axes = [axis for tensor, axis in ((x, -2), (y, -1)) if tensor.shape.rank == 1]
    if not axes:
        return matmul(x, y)
    if x.shape.rank == 1:
        x = expand_dims(x, 0)
    if y.shape.rank == 1:
        y = expand_dims(y, -1)
    return squeeze(matmul(x, y), axes)


def matmul_operator(a: Any, b: Any) -> Tensor:
    """`a @ b`: as `np.matmul` has it with a matrix on one side at least.

    Raises:
      InvalidArgumentError: both are vectors, which TensorFlow refuses; `ag.tensordot(a, b, 1)` is
        their inner product.
    """
    x, y = operands(a, b)
    if x.shape.rank == 1 and y.shape.rank == 1:
        return matmul(x, y)
    return matmul_as_numpy(x, y)


def _prepared(x: Tensor, transpose: bool, adjoint: bool) -> tuple[Tensor, str | None]:
    if not x.dtype.is_complex:
        return x, "t" if transpose or adjoint else None
    if transpose:
        from runtime.ops.shaping import matrix_transpose

        return matrix_transpose(x), None
    return x, "h" if adjoint else None


def matvec(
    a: Any,
    b: Any,
    transpose_a: bool = False,
    adjoint_a: bool = False,
    a_is_sparse: bool = False,
    b_is_sparse: bool = False,
    name: str | None = None,
) -> Tensor:
    """The product of a matrix and a vector, or of stacks of them.

    Args:
      a: shape (..., m, n).
      b: shape (..., n).
      transpose_a: whether `a` is transposed first.
      adjoint_a: whether `a` is transposed and conjugated first.
      a_is_sparse: a hint that is not needed here.
      b_is_sparse: a hint that is not needed here.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.linalg.matvec([[1, 2], [3, 4]], [1, 1]).numpy().tolist()
    [3, 7]
    """
    from runtime.ops.shaping import expand_dims, squeeze

    x, y = operands(a, b)
    columns = matmul(x, expand_dims(y, -1), transpose_a=transpose_a, adjoint_a=adjoint_a)
    return squeeze(columns, [-1], name)
