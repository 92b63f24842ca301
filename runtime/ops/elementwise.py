"""Elementwise arithmetic of two operands: the operations behind Python's operators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.comparison import greater, not_equal
from runtime.ops.gradients_support import conjugate, masked, needs, unbroadcast
from runtime.ops.promotion import operands
from runtime.ops.registry import NO_GRADIENT, OpDef, define, gradient
from runtime.static import static_value
from runtime.tensor import SymbolicTensor, Tensor


def binary(op: OpDef, x: Any, y: Any, name: str | None) -> Tensor:
    """Applies a binary elementwise op after bringing its operands to one dtype."""
    a, b = operands(x, y)
    made = apply(op, (a, b), None, name)
    if isinstance(made, SymbolicTensor):
        made.weak = getattr(a, "weak", False) and getattr(b, "weak", False)
    return made


def unary(op: OpDef, x: Any, name: str | None) -> Tensor:
    """Applies a unary elementwise op to anything that can become a tensor."""
    a = x if isinstance(x, Tensor) else convert_to_tensor(x)
    made = apply(op, (a,), None, name)
    if isinstance(made, SymbolicTensor) and made.dtype is a.dtype:
        made.weak = getattr(a, "weak", False)
    return made


def _arithmetic(name: str, ufunc: Any, infix: str | None) -> OpDef:
    return define(name, kernel=ufunc, infer=rules.broadcast, infix=infix, elementwise=True)


ADD = _arithmetic("AddV2", np.add, "+")


@gradient(ADD)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    return unbroadcast(dy, x, y), unbroadcast(dy, y, x)


SUBTRACT = _arithmetic("Sub", np.subtract, "-")


@gradient(SUBTRACT)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    return unbroadcast(dy, x, y), -unbroadcast(dy, y, x)


MULTIPLY = _arithmetic("Mul", np.multiply, "*")


@gradient(MULTIPLY)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    return (
        unbroadcast(dy * conjugate(y), x, y) if needs(op, 0) else None,
        unbroadcast(dy * conjugate(x), y, x) if needs(op, 1) else None,
    )


TRUE_DIVIDE = _arithmetic("RealDiv", np.true_divide, "/")


@gradient(TRUE_DIVIDE)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    scaled = dy / conjugate(y)
    # x / y / y rather than x / (y * y), which overflows sooner.
    return (
        unbroadcast(scaled, x, y) if needs(op, 0) else None,
        unbroadcast(-scaled * conjugate(x / y), y, x) if needs(op, 1) else None,
    )


MAXIMUM = _arithmetic("Maximum", np.maximum, None)
MINIMUM = _arithmetic("Minimum", np.minimum, None)


@gradient(MAXIMUM)
def _(op: Any, dy: Tensor) -> Any:
    return _to_the_chosen(dy, op, op.inputs[0] >= op.inputs[1])


@gradient(MINIMUM)
def _(op: Any, dy: Tensor) -> Any:
    return _to_the_chosen(dy, op, op.inputs[0] <= op.inputs[1])


def _to_the_chosen(dy: Tensor, op: Any, first: Tensor) -> Any:
    """The gradient goes to the first operand where `first`, else to the second, whole."""
    x, y = op.inputs
    return unbroadcast(masked(first, dy), x, y), unbroadcast(masked(~first, dy), y, x)


POWER = _arithmetic("Pow", np.power, "**")


@gradient(POWER)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    return (
        unbroadcast(dy * conjugate(y * pow(x, y - 1)), x, y) if needs(op, 0) else None,
        unbroadcast(dy * conjugate(_log_part(op)), y, x) if needs(op, 1) else None,
    )


def _log_part(op: Any) -> Tensor:
    """`x ** y * log(x)`, taken as 0 where the logarithm of `x` has no real value."""
    from runtime.ops.unary import log

    x = op.inputs[0]
    usable = not_equal(x, 0) if x.dtype.is_complex else greater(x, 0)
    safe = masked(usable, x) + cast(~usable, x.dtype)
    return op.outputs[0] * log(safe)


def _checked(ufunc: Any) -> Callable[[Any, Any], Any]:
    """A division whose integer form raises on a zero divisor instead of answering 0."""

    def kernel(x: Any, y: Any) -> Any:
        if y.dtype.kind in "iu" and not np.all(y):
            raise ZeroDivisionError("integer division by zero")
        return ufunc(x, y)

    return kernel


def _unchecked_if_safe(ufunc: Any) -> Callable[[dict[str, Any], Any], Any]:
    """The bare ufunc where the divisor cannot be an integer zero."""

    def specialise(attrs: dict[str, Any], inputs: Any) -> Any:
        if inputs[1].dtype.kind not in "iu":
            return ufunc
        divisor = static_value(inputs[1])
        return ufunc if divisor is not None and np.all(divisor) else None

    return specialise


FLOOR_DIVIDE = define(
    "FloorDiv",
    kernel=_checked(np.floor_divide),
    infer=rules.broadcast,
    gradient=NO_GRADIENT,
    specialise=_unchecked_if_safe(np.floor_divide),
    infix="//",
    elementwise=True,
)
FLOOR_MOD = define(
    "FloorMod",
    kernel=_checked(np.mod),
    infer=rules.broadcast,
    specialise=_unchecked_if_safe(np.mod),
    infix="%",
    elementwise=True,
)


@gradient(FLOOR_MOD)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    return unbroadcast(dy, x, y), unbroadcast(-dy * floordiv(x, y), y, x)


def add(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x + y`, element by element with broadcasting; strings are joined.

    Args:
      x: a tensor or what can become one.
      y: likewise; shapes broadcast.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.add([1, 2], 3).numpy().tolist()
    [4, 5]
    """
    if (isinstance(x, Tensor) and x.dtype.kind == "S") or isinstance(x, str | bytes):
        from runtime.ops.strings_ import join

        return join([x, y], name=name)
    return binary(ADD, x, y, name)


def subtract(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x - y`, element by element with broadcasting.

    >>> import autograph_lite as ag
    >>> ag.subtract([5, 2], 1).numpy().tolist()
    [4, 1]
    """
    return binary(SUBTRACT, x, y, name)


def multiply(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x * y`, element by element with broadcasting.

    >>> import autograph_lite as ag
    >>> ag.multiply([5, 2], 3).numpy().tolist()
    [15, 6]
    """
    return binary(MULTIPLY, x, y, name)


_SMALL_INTEGERS = {"int8", "uint8", "int16", "uint16"}


def divide(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x / y`; integers of 8 and 16 bits divide in float32, wider ones in float64.

    >>> import autograph_lite as ag
    >>> ag.divide(7, 2).numpy()
    np.float64(3.5)
    """
    a, b = float_operands(x, y)
    return binary(TRUE_DIVIDE, a, b, name)


def float_operands(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Operands of one dtype, which is no integer: short ones become float32, others float64."""
    a, b = operands(x, y)
    if a.dtype.kind in "iub":
        wide = dtypes.float32 if a.dtype.name in _SMALL_INTEGERS else dtypes.float64
        return cast(a, wide), cast(b, wide)
    return a, b


truediv = divide


def floordiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x // y`, rounded towards minus infinity.

    Raises:
      ZeroDivisionError: an integer is divided by zero.

    >>> import autograph_lite as ag
    >>> ag.floordiv([7, -7], 2).numpy().tolist()
    [3, -4]
    """
    return binary(FLOOR_DIVIDE, x, y, name)


def floormod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x % y`, with the sign of `y`.

    Raises:
      ZeroDivisionError: an integer is divided by zero.

    >>> import autograph_lite as ag
    >>> ag.math.floormod([7, -7], 4).numpy().tolist()
    [3, 1]
    """
    return binary(FLOOR_MOD, x, y, name)


mod = floormod


def maximum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The larger of `x` and `y`, element by element; NaN wins.

    >>> import autograph_lite as ag
    >>> ag.maximum([1, 5], 3).numpy().tolist()
    [3, 5]
    """
    return binary(MAXIMUM, x, y, name)


def minimum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The smaller of `x` and `y`, element by element; NaN wins.

    >>> import autograph_lite as ag
    >>> ag.minimum([1, 5], 3).numpy().tolist()
    [1, 3]
    """
    return binary(MINIMUM, x, y, name)


def pow(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x ** y`, element by element with broadcasting.

    >>> import autograph_lite as ag
    >>> ag.pow([2, 3], 2).numpy().tolist()
    [4, 9]
    """
    return binary(POWER, x, y, name)
