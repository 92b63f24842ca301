"""Diagonals and bands of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.complex_ import conj
from runtime.ops.reductions import reduce_sum
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.shaping import int_argument, ints_argument
from runtime.shapes import UNKNOWN, TensorShape
from runtime.tensor import Tensor

# ---- bands


def _band_kernel(x: Any, lower: Any = None, upper: Any = None, *, bounds: Any = None) -> Any:
    low, high = (int(lower), int(upper)) if bounds is None else bounds
    rows, columns = x.shape[-2:]
    distance = np.arange(columns) - np.arange(rows)[:, None]
    inside = np.ones((rows, columns), bool)
    if low >= 0:
        inside &= distance >= -low
    if high >= 0:
        inside &= distance <= high
    return np.where(inside, x, x.dtype.type(0))


BAND_PART = define("MatrixBandPart", kernel=_band_kernel, infer=rules.same)


@gradient(BAND_PART)
def _(op: Any, dy: Tensor) -> Any:
    more = op.inputs[1:]
    return (apply(BAND_PART, (dy, *more), op.attrs),) + (None,) * len(more)


def band_part(input: Any, num_lower: Any, num_upper: Any, name: str | None = None) -> Tensor:
    """Matrices with everything outside of a band around the diagonal set to 0.

    Args:
      input: shape (..., m, n).
      num_lower: how many diagonals below the main one are kept; all if negative.
      num_upper: how many above it; all if negative.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.linalg.band_part([[1, 2], [3, 4]], 0, -1).numpy().tolist()
    [[1, 2], [0, 4]]
    """
    x = convert_to_tensor(input)
    if type(num_lower) is int and type(num_upper) is int:
        return apply(BAND_PART, (x,), {"bounds": (num_lower, num_upper)}, name)
    bounds = (convert_to_tensor(num_lower), convert_to_tensor(num_upper))
    return apply(BAND_PART, (x, *bounds), None, name)


# ---- diagonals of stacked matrices


def _length(rows: int, columns: int, k: int) -> int:
    """The length of the `k`-th diagonal."""
    return max(min(rows, columns - k) if k >= 0 else min(rows + k, columns), 0)


def _offset(k: int, length: int, longest: int, align: str) -> int:
    """Where a diagonal starts in its padded row: `align` is that of upper, then lower ones."""
    upper, lower = align.split("_")
    return longest - length if (upper if k > 0 else lower) == "RIGHT" else 0


def _places(k: int, length: int) -> tuple[Any, Any, Any]:
    """The index of a diagonal's elements."""
    along = np.arange(length)
    return ..., along + max(-k, 0), along + max(k, 0)


def _least_sizes(longest: int, k: tuple[int, int], rows: int, columns: int) -> tuple[int, int]:
    """The sizes asked for; the least that fit where there is -1, a square if both are left open."""
    low, high = k
    needed = longest + max(-high, 0), longest + max(low, 0)
    if rows < 0 and columns < 0:
        return max(needed), max(needed)
    return needed[0] if rows < 0 else rows, needed[1] if columns < 0 else columns


def _diag_kernel(
    diagonals: Any, padding: Any, *, k: tuple[int, int], rows: int, columns: int, align: str
) -> Any:
    low, high = k
    longest = diagonals.shape[-1]
    rows, columns = _least_sizes(longest, k, rows, columns)
    stack = diagonals.shape[:-1] if low == high else diagonals.shape[:-2]
    made = np.full((*stack, rows, columns), padding, diagonals.dtype)
    for number, one in enumerate(range(high, low - 1, -1)):
        row = diagonals if low == high else diagonals[..., number, :]
        length = _length(rows, columns, one)
        start = 0 if low == high else _offset(one, length, longest, align)
        made[_places(one, length)] = row[..., start : start + length]
    return made


def _diag_rule(inputs: Any, attrs: Any) -> Spec:
    dims = inputs[0].shape.as_tuple()
    if dims is None:
        return Spec(inputs[0].dtype, UNKNOWN)
    low, high = attrs["k"]
    longest = dims[-1]
    rows: int | None
    columns: int | None
    if longest is not None:
        rows, columns = _least_sizes(longest, attrs["k"], attrs["rows"], attrs["columns"])
    else:
        rows, columns = (None if size < 0 else size for size in (attrs["rows"], attrs["columns"]))
    stack = dims[:-1] if low == high else dims[:-2]
    return Spec(inputs[0].dtype, TensorShape((*stack, rows, columns)))


DIAG = define("MatrixDiagV3", kernel=_diag_kernel, infer=_diag_rule)


@gradient(DIAG)
def _(op: Any, dy: Tensor) -> Any:
    return diag_part(dy, k=op.attrs["k"], align=op.attrs["align"]), None


def diag(
    diagonal: Any,
    name: str | None = None,
    k: Any = 0,
    num_rows: Any = -1,
    num_cols: Any = -1,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices with given diagonals.

    Args:
      diagonal: shape (..., n); for several diagonals (..., number, n), the uppermost first.
      name: the operation's name in a graph.
      k: which diagonal: 0 the main one, above it positive; or a pair, the lowest and the highest.
      num_rows: how many rows; the least that fit by default.
      num_cols: how many columns.
      padding_value: what stands elsewhere.
      align: to which end shorter diagonals are aligned, upper ones first.

    >>> import autograph_lite as ag
    >>> ag.linalg.diag([1, 2]).numpy().tolist()
    [[1, 0], [0, 2]]
    """
    x = convert_to_tensor(diagonal)
    padding = cast(convert_to_tensor(padding_value), x.dtype)
    rows, columns = int_argument(num_rows, "num_rows"), int_argument(num_cols, "num_cols")
    attrs = {"k": _pair(k), "rows": rows, "columns": columns, "align": _checked(align)}
    return apply(DIAG, (x, padding), attrs, name)


def _pair(k: Any) -> tuple[int, int]:
    found = ints_argument(k, "k")
    low, high = (found[0], found[0]) if len(found) == 1 else found
    if low > high:
        raise ValueError(f"k={k!r} must be a number or a pair (lowest, highest)")
    return low, high


def _checked(align: str) -> str:
    allowed = ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT")
    if align not in allowed:
        raise ValueError(f"align must be one of {', '.join(allowed)}, found {align!r}")
    return align


def _diag_part_kernel(x: Any, padding: Any, *, k: tuple[int, int], align: str) -> Any:
    low, high = k
    rows, columns = x.shape[-2:]
    if low == high:
        return x[_places(low, _length(rows, columns, low))]
    longest = max(_length(rows, columns, one) for one in range(low, high + 1))
    made = np.full((*x.shape[:-2], high - low + 1, longest), padding, x.dtype)
    for number, one in enumerate(range(high, low - 1, -1)):
        length = _length(rows, columns, one)
        start = _offset(one, length, longest, align)
        made[..., number, start : start + length] = x[_places(one, length)]
    return made


def _diag_part_rule(inputs: Any, attrs: Any) -> Spec:
    dims = inputs[0].shape.as_tuple()
    if dims is None:
        return Spec(inputs[0].dtype, UNKNOWN)
    if len(dims) < 2:
        raise ValueError(f"diagonals are of matrices (rank 2 or more), found shape {dims}")
    low, high = attrs["k"]
    rows, columns = dims[-2:]
    longest = None
    if rows is not None and columns is not None:
        longest = max(_length(rows, columns, one) for one in range(low, high + 1))
    several = () if low == high else (high - low + 1,)
    return Spec(inputs[0].dtype, TensorShape((*dims[:-2], *several, longest)))


DIAG_PART = define("MatrixDiagPartV3", kernel=_diag_part_kernel, infer=_diag_part_rule)


@gradient(DIAG_PART)
def _(op: Any, dy: Tensor) -> Any:
    from runtime.ops.creation import zeros_like

    x, attrs = op.inputs[0], op.attrs
    return set_diag(zeros_like(x), dy, k=attrs["k"], align=attrs["align"]), None


def diag_part(
    input: Any,
    name: str | None = None,
    k: Any = 0,
    padding_value: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """The diagonals of matrices.

    Args:
      input: shape (..., m, n).
      name: the operation's name in a graph.
      k: which diagonal: 0 the main one, above it positive; or a pair, the lowest and the highest.
      padding_value: what fills up shorter diagonals.
      align: to which end shorter diagonals are aligned, upper ones first.

    >>> import autograph_lite as ag
    >>> ag.linalg.diag_part([[1, 2], [3, 4]]).numpy().tolist()
    [1, 4]
    """
    x = convert_to_tensor(input)
    if x.shape.rank is not None and x.shape.rank < 2:
        raise ValueError(f"diagonals are of matrices (rank 2 or more), found shape {x.shape}")
    padding = cast(convert_to_tensor(padding_value), x.dtype)
    return apply(DIAG_PART, (x, padding), {"k": _pair(k), "align": _checked(align)}, name)


def _set_diag_kernel(x: Any, diagonals: Any, *, k: tuple[int, int], align: str) -> Any:
    low, high = k
    rows, columns = x.shape[-2:]
    made = np.array(x)
    longest = diagonals.shape[-1]
    for number, one in enumerate(range(high, low - 1, -1)):
        row = diagonals if low == high else diagonals[..., number, :]
        length = _length(rows, columns, one)
        start = 0 if low == high else _offset(one, length, longest, align)
        made[_places(one, length)] = row[..., start : start + length]
    return made


SET_DIAG = define("MatrixSetDiagV3", kernel=_set_diag_kernel, infer=rules.same)


@gradient(SET_DIAG)
def _(op: Any, dy: Tensor) -> Any:
    k, align = op.attrs["k"], op.attrs["align"]
    to_diagonal = diag_part(dy, k=k, align=align)
    from runtime.ops.creation import zeros_like

    return set_diag(dy, zeros_like(to_diagonal), k=k, align=align), to_diagonal


def set_diag(
    input: Any,
    diagonal: Any,
    name: str | None = None,
    k: Any = 0,
    align: str = "RIGHT_LEFT",
) -> Tensor:
    """Matrices with some diagonals replaced.

    Args:
      input: shape (..., m, n).
      diagonal: shape (..., length); for several diagonals (..., number, longest).
      name: the operation's name in a graph.
      k: which diagonal: 0 the main one, above it positive; or a pair, the lowest and the highest.
      align: to which end shorter diagonals are aligned, upper ones first.

    >>> import autograph_lite as ag
    >>> ag.linalg.set_diag([[1, 2], [3, 4]], [7, 8]).numpy().tolist()
    [[7, 2], [3, 8]]
    """
    x = convert_to_tensor(input)
    values = convert_to_tensor(diagonal, dtype_hint=x.dtype)
    attrs = {"k": _pair(k), "align": _checked(align)}
    return apply(SET_DIAG, (x, cast(values, x.dtype)), attrs, name)


def trace(x: Any, name: str | None = None) -> Tensor:
    """The sum of the main diagonal of each matrix.

    >>> import autograph_lite as ag
    >>> int(ag.linalg.trace([[1, 2], [3, 4]]))
    5
    """
    return reduce_sum(diag_part(x), -1, name=name)


def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """Matrices transposed and conjugated.

    >>> import autograph_lite as ag
    >>> ag.linalg.adjoint([[1j, 2.0]]).numpy().tolist()
    [[-1j], [(2-0j)]]
    """
    from runtime.ops.shaping import matrix_transpose

    return conj(matrix_transpose(matrix), name)


# ---- diagonals of tensors of any rank


def _tensor_diag_kernel(x: Any) -> Any:
    return np.diag(np.ravel(x)).reshape(x.shape + x.shape)


def _tensor_diag_part_kernel(x: Any) -> Any:
    shape = x.shape[: x.ndim // 2]
    if shape + shape != x.shape:
        raise ValueError(f"the first half of shape {x.shape} must equal the second")
    size = int(np.prod(shape))
    return x.reshape(size, size).diagonal().reshape(shape).copy()


def _tensor_diag_part_rule(inputs: Any, attrs: Any) -> Spec:
    dims = inputs[0].shape.as_tuple()
    if dims is None:
        return Spec(inputs[0].dtype, UNKNOWN)
    if len(dims) % 2:
        raise ValueError(f"tensor_diag_part takes an even rank, found shape {dims}")
    half = len(dims) // 2
    merged = TensorShape(dims[:half]).merge_with(TensorShape(dims[half:]))
    return Spec(inputs[0].dtype, merged)


TENSOR_DIAG = define(
    "Diag",
    kernel=_tensor_diag_kernel,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, inputs[0].shape.concatenate(inputs[0].shape)),
)
TENSOR_DIAG_PART = define("DiagPart", kernel=_tensor_diag_part_kernel, infer=_tensor_diag_part_rule)


@gradient(TENSOR_DIAG)
def _(op: Any, dy: Tensor) -> Any:
    return (tensor_diag_part(dy),)


@gradient(TENSOR_DIAG_PART)
def _(op: Any, dy: Tensor) -> Any:
    return (tensor_diag(dy),)


def tensor_diag(diagonal: Any, name: str | None = None) -> Tensor:
    """A tensor of twice the rank, with `diagonal` where both halves of the index agree.

    >>> import autograph_lite as ag
    >>> ag.linalg.tensor_diag([1, 2]).numpy().tolist()
    [[1, 0], [0, 2]]
    """
    return apply(TENSOR_DIAG, (convert_to_tensor(diagonal),), None, name)


def tensor_diag_part(input: Any, name: str | None = None) -> Tensor:
    """The elements where both halves of the index agree.

    >>> import autograph_lite as ag
    >>> ag.linalg.tensor_diag_part([[1, 2], [3, 4]]).numpy().tolist()
    [1, 4]
    """
    return apply(TENSOR_DIAG_PART, (convert_to_tensor(input),), None, name)
