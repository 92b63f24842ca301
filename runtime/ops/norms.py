"""Norms of vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops.elementwise import pow
from runtime.ops.gradients_support import conjugate
from runtime.ops.linalg import as_matrices
from runtime.ops.reductions import reduce_max, reduce_sum
from runtime.ops.unary import abs, sqrt
from runtime.shapes import normal_axis
from runtime.tensor import Tensor

_MATRIX_ORDERS = ("euclidean", "fro", 1, 2, np.inf)


def norm(
    tensor: Any,
    ord: Any = "euclidean",
    axis: Any = None,
    keepdims: Any = None,
    name: str | None = None,
) -> Tensor:
    """The norm of vectors, of matrices, or of all elements together.

    Args:
      tensor: a tensor of floats or complex numbers.
      ord: "euclidean", a positive number, or infinity; for matrices "euclidean" or "fro", 1, 2 or
        infinity.
      axis: the axis of the vectors, or the two axes of the matrices; None takes all elements as
        one vector.
      keepdims: whether these axes stay, with size 1.
      name: the operation's name in a graph.

    Raises:
      ValueError: there is no such norm.

    >>> import autograph_lite as ag
    >>> ag.norm([[3.0, 4.0], [5.0, 12.0]], axis=1).numpy().tolist()
    [5.0, 13.0]
    """
    x = as_matrices(tensor)
    keep = bool(keepdims)
    axes = _axes(axis)
    _check_order(ord, len(axes) if axes is not None else None)
    if isinstance(ord, str) or (ord == 2 and (axes is None or len(axes) == 1)):
        # Of complex vectors the norm, though real, is given in their dtype.
        return sqrt(reduce_sum(x * conjugate(x), axis=axes, keepdims=keep), name)
    if axes is not None and len(axes) == 2:
        return _matrix_norm(x, ord, axes, keep)
    size = abs(x)
    if ord == np.inf:
        return reduce_max(size, axis=axes, keepdims=keep, name=name)
    if ord == 1:
        return reduce_sum(size, axis=axes, keepdims=keep, name=name)
    return pow(reduce_sum(pow(size, float(ord)), axis=axes, keepdims=keep), 1.0 / ord, name)


def _axes(axis: Any) -> tuple[int, ...] | None:
    if axis is None:
        return None
    if isinstance(axis, Tensor):
        axis = axis.numpy()
    axes = tuple(int(a) for a in np.ravel(axis))
    if len(axes) not in (1, 2):
        raise ValueError(f"axis must be None, a number or a pair of them, found {axis!r}")
    if len(axes) == 2 and axes[0] == axes[1]:
        raise ValueError(f"the two axes of a matrix norm must differ, found {axis!r}")
    return axes


def _check_order(order: Any, axes: int | None) -> None:
    if axes == 2:
        if order not in _MATRIX_ORDERS:
            raise ValueError(f"a matrix norm is one of {_MATRIX_ORDERS}, found {order!r}")
    elif isinstance(order, str):
        if order not in ("euclidean", "fro") or (order == "fro" and axes == 1):
            raise ValueError(f"{order!r} is no norm of vectors; a number or 'euclidean' is")
    elif not (isinstance(order, int | float | np.number) and order > 0):
        raise ValueError(f"the order of a norm must be positive, found {order!r}")


def _matrix_norm(x: Tensor, order: Any, axes: tuple[int, ...], keep: bool) -> Tensor:
    if x.shape.rank is None:
        raise ValueError("a matrix norm needs a tensor of known rank")
    rows, columns = (normal_axis(a, x.shape.rank) for a in axes)
    if order == 2:
        return _spectral_norm(x, rows, columns, keep)
    summed, compared = (rows, columns) if order == 1 else (columns, rows)
    sums = reduce_sum(abs(x), summed, keepdims=True)
    made = reduce_max(sums, compared, keepdims=True)
    return made if keep else _without(made, axes)


def _spectral_norm(x: Tensor, rows: int, columns: int, keep: bool) -> Tensor:
    from runtime.ops.decompositions import svd
    from runtime.ops.shaping import expand_dims, transpose

    rank = x.shape.rank or 2
    order = [i for i in range(rank) if i not in (rows, columns)] + [rows, columns]
    made = reduce_max(svd(transpose(x, order), compute_uv=False), -1)
    if not keep:
        return made
    for axis in sorted((rows, columns)):
        made = expand_dims(made, axis)
    return made


def _without(x: Tensor, axes: tuple[int, ...]) -> Tensor:
    from runtime.ops.shaping import squeeze

    return squeeze(x, list(axes))


def normalize(
    tensor: Any, ord: Any = "euclidean", axis: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """A tensor divided by its norm, and the norm.

    Args:
      tensor: a tensor of floats or complex numbers.
      ord: as for `norm`.
      axis: as for `norm`.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.linalg.normalize([3.0, 4.0])[1].numpy().tolist()
    [5.0]
    """
    x = convert_to_tensor(tensor)
    size = norm(x, ord, axis, keepdims=True)
    from runtime.ops.casting import cast

    return x / cast(size, x.dtype), size


def cross(a: Any, b: Any, name: str | None = None) -> Tensor:
    """The cross product of vectors of three elements, along the last axis.

    Raises:
      ValueError: the last axis has another size.

    >>> import autograph_lite as ag
    >>> ag.linalg.cross([1, 0, 0], [0, 1, 0]).numpy().tolist()
    [0, 0, 1]
    """
    from runtime.ops.promotion import operands
    from runtime.ops.reordering import roll

    x, y = operands(a, b)
    for tensor in (x, y):
        if tensor.shape.rank == 0 or tensor.shape[-1] not in (3, None):
            raise ValueError(f"cross takes vectors of three elements, found shape {tensor.shape}")
    # The product of each one turned by one and the other turned by two places.
    first = roll(x, -1, -1) * roll(y, -2, -1)
    return first - roll(x, -2, -1) * roll(y, -1, -1)
