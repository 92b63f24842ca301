"""Comparisons and logic, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.promotion import operands
from runtime.ops.registry import NO_GRADIENT, OpDef, define
from runtime.shapes import broadcast_shapes
from runtime.tensor import Tensor


def _comparison(name: str, ufunc: Any, infix: str | None) -> OpDef:
    return define(
        name,
        kernel=ufunc,
        infer=rules.compare,
        gradient=NO_GRADIENT,
        infix=infix,
        elementwise=True,
    )


LESS = _comparison("Less", np.less, "<")
LESS_EQUAL = _comparison("LessEqual", np.less_equal, "<=")
GREATER = _comparison("Greater", np.greater, ">")
GREATER_EQUAL = _comparison("GreaterEqual", np.greater_equal, ">=")
EQUAL = _comparison("Equal", np.equal, "==")
NOT_EQUAL = _comparison("NotEqual", np.not_equal, "!=")
LOGICAL_AND = _comparison("LogicalAnd", np.logical_and, "&")
LOGICAL_OR = _comparison("LogicalOr", np.logical_or, "|")
LOGICAL_XOR = _comparison("LogicalXor", np.logical_xor, "^")
LOGICAL_NOT = _comparison("LogicalNot", np.logical_not, None)


def _compare(op: OpDef, x: Any, y: Any, name: str | None) -> Tensor:
    if type(y) is int and isinstance(x, Tensor):
        op, y = _within(op, x.dtype, y)
    elif type(x) is int and isinstance(y, Tensor):
        # Turned round, the number stands on the right.
        op, x, y = _TURNED[op.name], y, x
        op, y = _within(op, x.dtype, y)
    return apply(op, operands(x, y), None, name)


_TURNED = {
    "Less": GREATER,
    "LessEqual": GREATER_EQUAL,
    "Greater": LESS,
    "GreaterEqual": LESS_EQUAL,
    "Equal": EQUAL,
    "NotEqual": NOT_EQUAL,
}
_WITH_MORE = {
    # What compares with the greatest value of a dtype as the operation does with a greater one.
    "Less": LESS_EQUAL,
    "LessEqual": LESS_EQUAL,
    "Greater": GREATER,
    "GreaterEqual": GREATER,
    "Equal": GREATER,
    "NotEqual": LESS_EQUAL,
}
_WITH_LESS = {
    "Less": LESS,
    "LessEqual": LESS,
    "Greater": GREATER_EQUAL,
    "GreaterEqual": GREATER_EQUAL,
    "Equal": LESS,
    "NotEqual": GREATER_EQUAL,
}


def _within(op: OpDef, dtype: Any, number: int) -> tuple[OpDef, int]:
    """A comparison with a number that `dtype` holds, for one with a number that it may not."""
    if not dtype.is_integer or dtype.min <= number <= dtype.max:
        return op, number
    if number > dtype.max:
        return _WITH_MORE[op.name], dtype.max
    return _WITH_LESS[op.name], dtype.min


def less(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Where `x < y`.

    >>> import autograph_lite as ag
    >>> ag.less([1, 5], 3).numpy().tolist()
    [True, False]
    """
    return _compare(LESS, x, y, name)


def less_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Where `x <= y`.

    >>> import autograph_lite as ag
    >>> ag.less_equal([1, 3, 5], 3).numpy().tolist()
    [True, True, False]
    """
    return _compare(LESS_EQUAL, x, y, name)


def greater(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Where `x > y`.

    >>> import autograph_lite as ag
    >>> ag.greater([1, 5], 3).numpy().tolist()
    [False, True]
    """
    return _compare(GREATER, x, y, name)


def greater_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Where `x >= y`.

    >>> import autograph_lite as ag
    >>> ag.greater_equal([1, 3, 5], 3).numpy().tolist()
    [False, True, True]
    """
    return _compare(GREATER_EQUAL, x, y, name)


def equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Where `x == y`.

    Raises:
      InvalidArgumentError: the shapes do not broadcast.

    >>> import autograph_lite as ag
    >>> ag.equal([1, 3], 3).numpy().tolist()
    [False, True]
    """
    return _compare(EQUAL, x, y, name)


def not_equal(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Where `x != y`.

    Raises:
      InvalidArgumentError: the shapes do not broadcast.

    >>> import autograph_lite as ag
    >>> ag.not_equal([1, 3], 3).numpy().tolist()
    [True, False]
    """
    return _compare(NOT_EQUAL, x, y, name)


def tensor_equals(x: Tensor, y: Any, op: OpDef = EQUAL) -> Any:
    """`x == y` as the operator has it: unlike operands are unequal rather than an error."""
    if y is None:
        return op is NOT_EQUAL
    try:
        a, b = operands(x, y)
        broadcast_shapes(a.shape, b.shape)
    except (TypeError, ValueError):
        different = np.bool_(op is NOT_EQUAL)
        return convert_to_tensor(different)
    return apply(op, (a, b))


def logical_and(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Where both are true.

    >>> import autograph_lite as ag
    >>> ag.logical_and([True, True], [True, False]).numpy().tolist()
    [True, False]
    """
    return apply(LOGICAL_AND, _booleans(x, y), None, name)


def logical_or(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Where at least one is true.

    >>> import autograph_lite as ag
    >>> ag.logical_or([True, False], [False, False]).numpy().tolist()
    [True, False]
    """
    return apply(LOGICAL_OR, _booleans(x, y), None, name)


def logical_xor(x: Any, y: Any, name: str | None = None) -> Tensor:
    """Where exactly one is true.

    >>> import autograph_lite as ag
    >>> ag.math.logical_xor([True, True], [True, False]).numpy().tolist()
    [False, True]
    """
    return apply(LOGICAL_XOR, _booleans(x, y), None, name)


def logical_not(x: Any, name: str | None = None) -> Tensor:
    """Where `x` is false.

    >>> import autograph_lite as ag
    >>> ag.logical_not([True, False]).numpy().tolist()
    [False, True]
    """
    return apply(LOGICAL_NOT, _booleans(x), None, name)


def _booleans(*values: Any) -> tuple[Tensor, ...]:
    made = []
    for value in values:
        tensor = convert_to_tensor(value)
        if tensor.dtype is not dtypes.bool_:
            raise TypeError(
                f"logical operations take bool tensors, found {tensor.dtype.name}; "
                "compare it first, for example x != 0"
            )
        made.append(tensor)
    return tuple(made)


APPROXIMATE_EQUAL = define(
    "ApproximateEqual",
    kernel=lambda x, y, tolerance: np.abs(x - y) < tolerance,
    infer=rules.compare,
    gradient=NO_GRADIENT,
)


def approximate_equal(x: Any, y: Any, tolerance: float = 1e-5, name: str | None = None) -> Tensor:
    """Where `abs(x - y) < tolerance`.

    Args:
      x: a tensor or what can become one.
      y: likewise.
      tolerance: the distance that still counts as equal.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.math.approximate_equal([1.0, 2.0], [1.000001, 3.0]).numpy().tolist()
    [True, False]
    """
    return apply(APPROXIMATE_EQUAL, operands(x, y), {"tolerance": float(tolerance)}, name)
