"""Functions of two numbers beyond Python's operators, element by element."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.dtypes import from_numpy
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.comparison import not_equal
from runtime.ops.elementwise import binary, divide, float_operands, multiply
from runtime.ops.gradients_support import conjugate, unbroadcast, zeros_like
from runtime.ops.registry import NO_GRADIENT, OpDef, Spec, define, gradient
from runtime.ops.unary import square
from runtime.shapes import broadcast_shapes
from runtime.tensor import Tensor

# ---- differences and quotients


def _squared_difference(x: Any, y: Any) -> Any:
    distance = x - y
    return distance * np.conj(distance) if distance.dtype.kind == "c" else distance * distance


SQUARED_DIFFERENCE = define("SquaredDifference", kernel=_squared_difference, infer=rules.broadcast)


@gradient(SQUARED_DIFFERENCE)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    scaled = dy * 2 * (x - y)
    if dy.dtype.is_complex:
        scaled = (dy + conjugate(dy)) * (x - y)
    return unbroadcast(scaled, x, y), -unbroadcast(scaled, y, x)


def squared_difference(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`(x - y) * (x - y)`, with a conjugate if they are complex.

    >>> import autograph_lite as ag
    >>> ag.math.squared_difference([3, 5], 1).numpy().tolist()
    [4, 16]
    """
    return binary(SQUARED_DIFFERENCE, x, y, name)


def _guarded(compute: Callable[[Any, Any], Any], guard: int) -> Callable[[Any, Any], Any]:
    """`compute(x, y)`, but 0 where the operand number `guard` is 0."""

    def kernel(*operands: Any) -> Any:
        made = compute(*operands)
        zero = made.dtype.type(0)
        return np.where(operands[guard] == operands[guard].dtype.type(0), zero, made)

    return kernel


def _guarded_op(name: str, compute: Callable[[Any, Any], Any], guard: int) -> OpDef:
    return define(name, kernel=_guarded(compute, guard), infer=rules.broadcast)


DIVIDE_NO_NAN = _guarded_op("DivNoNan", np.true_divide, 1)


@gradient(DIVIDE_NO_NAN)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    to_x = divide_no_nan(dy, conjugate(y))
    to_y = -dy * conjugate(divide_no_nan(divide_no_nan(x, y), y))
    return unbroadcast(to_x, x, y), unbroadcast(to_y, y, x)


def divide_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x / y`, but 0 where `y` is 0.

    >>> import autograph_lite as ag
    >>> ag.math.divide_no_nan([1.0, 3.0], [0.0, 2.0]).numpy().tolist()
    [0.0, 1.5]
    """
    a, b = float_operands(x, y)
    return binary(DIVIDE_NO_NAN, a, b, name)


def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """`1 / x`, but 0 where `x` is 0.

    >>> import autograph_lite as ag
    >>> ag.math.reciprocal_no_nan([0.0, 2.0]).numpy().tolist()
    [0.0, 0.5]
    """
    tensor = convert_to_tensor(x)
    return divide_no_nan(convert_to_tensor(1, tensor.dtype), tensor, name)


MULTIPLY_NO_NAN = _guarded_op("MulNoNan", np.multiply, 1)


@gradient(MULTIPLY_NO_NAN)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    to_x, to_y = multiply_no_nan(dy, conjugate(y)), multiply_no_nan(conjugate(x), dy)
    return unbroadcast(to_x, x, y), unbroadcast(to_y, y, x)


def multiply_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x * y`, but 0 where `y` is 0 even if `x` is infinite or NaN.

    >>> import autograph_lite as ag
    >>> ag.math.multiply_no_nan([float("nan"), 3.0], [0.0, 2.0]).numpy().tolist()
    [0.0, 6.0]
    """
    return binary(MULTIPLY_NO_NAN, x, y, name)


# ---- products that are 0 where the first factor is


def _ones_unless_zero(x: Tensor) -> Tensor:
    return cast(not_equal(x, 0), x.dtype)


XLOGY = _guarded_op("Xlogy", lambda x, y: x * np.log(y), 0)


@gradient(XLOGY)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    to_x = dy * conjugate(xlogy(_ones_unless_zero(x), y))
    return unbroadcast(to_x, x, y), unbroadcast(dy * conjugate(xdivy(x, y)), y, x)


def xlogy(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x * log(y)`, but 0 where `x` is 0.

    >>> import autograph_lite as ag
    >>> ag.math.xlogy([0.0, 2.0], [0.0, 1.0]).numpy().tolist()
    [0.0, 0.0]
    """
    return binary(XLOGY, *float_operands(x, y), name)


XLOG1PY = _guarded_op("Xlog1py", lambda x, y: x * np.log1p(y), 0)


@gradient(XLOG1PY)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    to_x = dy * conjugate(xlog1py(_ones_unless_zero(x), y))
    return unbroadcast(to_x, x, y), unbroadcast(dy * conjugate(xdivy(x, y + 1)), y, x)


def xlog1py(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x * log(1 + y)`, but 0 where `x` is 0.

    >>> import autograph_lite as ag
    >>> ag.math.xlog1py([0.0, 2.0], [-1.0, 0.0]).numpy().tolist()
    [0.0, 0.0]
    """
    return binary(XLOG1PY, *float_operands(x, y), name)


XDIVY = _guarded_op("Xdivy", np.true_divide, 0)


@gradient(XDIVY)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    to_x = dy * conjugate(xdivy(_ones_unless_zero(x), y))
    to_y = dy * conjugate(xdivy(-x, square(y)))
    return unbroadcast(to_x, x, y), unbroadcast(to_y, y, x)


def xdivy(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x / y`, but 0 where `x` is 0 even if `y` is.

    >>> import autograph_lite as ag
    >>> ag.math.xdivy([0.0, 3.0], [0.0, 2.0]).numpy().tolist()
    [0.0, 1.5]
    """
    return binary(XDIVY, *float_operands(x, y), name)


# ---- angles and neighbours

ATAN2 = define("Atan2", kernel=np.arctan2, infer=rules.broadcast, elementwise=True)


@gradient(ATAN2)
def _(op: Any, dy: Tensor) -> Any:
    y, x = op.inputs
    scaled = dy / (square(x) + square(y))
    return unbroadcast(x * scaled, y, x), unbroadcast(-y * scaled, x, y)


def atan2(y: Any, x: Any, name: str | None = None) -> Tensor:
    """The angle in radians, within (-pi, pi], of the point (`x`, `y`).

    >>> import autograph_lite as ag
    >>> float(ag.atan2(0.0, -1.0))
    3.1415927410125732
    """
    a, b = float_operands(y, x)
    return binary(ATAN2, a, b, name)


NEXT_AFTER = define(
    "NextAfter",
    kernel=np.nextafter,
    infer=rules.broadcast,
    elementwise=True,
)


@gradient(NEXT_AFTER)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    return unbroadcast(dy, x, y), zeros_like(y)


LDEXP = define("Ldexp", kernel=np.ldexp, infer=rules.broadcast)


@gradient(LDEXP)
def _(op: Any, dy: Tensor) -> Any:
    x, exponent = op.inputs
    return unbroadcast(apply(LDEXP, (dy, exponent)), x, exponent), None


def nextafter(x1: Any, x2: Any, name: str | None = None) -> Tensor:
    """The float next to `x1` on the way to `x2`.

    >>> import autograph_lite as ag
    >>> float(ag.math.nextafter(ag.constant(1.0, ag.float64), 2.0)) - 1.0
    2.220446049250313e-16
    """
    a, b = float_operands(x1, x2)
    return binary(NEXT_AFTER, a, b, name)


# ---- division that rounds towards zero


def _truncate_divide(x: Any, y: Any) -> Any:
    if x.dtype.kind not in "iu":
        return np.trunc(x / y)
    if not np.all(y):
        raise ZeroDivisionError("integer division by zero")
    # The remainder has the sign of x, so that what is left divides without rounding.
    return np.floor_divide(x - np.fmod(x, y), y)


def _truncate_mod(x: Any, y: Any) -> Any:
    if y.dtype.kind in "iu" and not np.all(y):
        raise ZeroDivisionError("integer division by zero")
    return np.fmod(x, y)


TRUNCATE_DIV = define(
    "TruncateDiv", kernel=_truncate_divide, infer=rules.broadcast, gradient=NO_GRADIENT
)
TRUNCATE_MOD = define("TruncateMod", kernel=_truncate_mod, infer=rules.broadcast)


@gradient(TRUNCATE_MOD)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs
    return unbroadcast(dy, x, y), unbroadcast(-dy * truncatediv(x, y), y, x)


def truncatediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x / y` rounded towards zero.

    Raises:
      ZeroDivisionError: an integer is divided by zero.

    >>> import autograph_lite as ag
    >>> ag.truncatediv([7, -7], 2).numpy().tolist()
    [3, -3]
    """
    return binary(TRUNCATE_DIV, x, y, name)


def truncatemod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """What `truncatediv` leaves: the remainder, with the sign of `x`.

    Raises:
      ZeroDivisionError: an integer is divided by zero.

    >>> import autograph_lite as ag
    >>> ag.truncatemod([7, -7], 4).numpy().tolist()
    [3, -3]
    """
    return binary(TRUNCATE_MOD, x, y, name)


def realdiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x / y` for floats and complex numbers; the same as `divide`.

    >>> import autograph_lite as ag
    >>> ag.realdiv([1.0, 3.0], 2.0).numpy().tolist()
    [0.5, 1.5]
    """
    return divide(x, y, name)


# ---- sums of many, products with one


def _add_n_kernel(*arrays: Any) -> Any:
    total = arrays[0] + arrays[1] if len(arrays) > 1 else np.array(arrays[0])
    for array in arrays[2:]:
        total = total + array
    return total


def _add_n_rule(inputs: Any, attrs: Any) -> Spec:
    shape = inputs[0].shape
    for other in inputs[1:]:
        shape = shape.merge_with(other.shape)
    return Spec(inputs[0].dtype, shape)


ADD_N = define("AddN", kernel=_add_n_kernel, infer=_add_n_rule)


@gradient(ADD_N)
def _(op: Any, dy: Tensor) -> Any:
    return (dy,) * len(op.inputs)


def add_n(inputs: Sequence[Any], name: str | None = None) -> Tensor:
    """The sum of several tensors of one shape.

    Args:
      inputs: at least one tensor; all of the same shape and dtype.
      name: the operation's name in a graph.

    Raises:
      ValueError: there are none, or shapes differ.

    >>> import autograph_lite as ag
    >>> ag.add_n([[1, 2], [3, 4], [5, 6]]).numpy().tolist()
    [9, 12]
    """
    if not isinstance(inputs, list | tuple):
        inputs = [inputs]
    if not inputs:
        raise ValueError("add_n needs at least one tensor, found an empty list")
    first = next((convert_to_tensor(t) for t in inputs if isinstance(t, Tensor)), None)
    hint = None if first is None else first.dtype
    tensors = [convert_to_tensor(t, dtype_hint=hint) for t in inputs]
    dtype = tensors[0].dtype
    for tensor in tensors[1:]:
        if tensor.dtype is not dtype:
            dtype = from_numpy(np.promote_types(dtype.np_dtype, tensor.dtype.np_dtype))
    tensors = [cast(t, dtype) for t in tensors]
    _add_n_rule(tensors, {})
    return apply(ADD_N, tensors, None, name)


def accumulate_n(
    inputs: Sequence[Any],
    shape: Any = None,
    tensor_dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """The sum of several tensors of one shape, as `add_n` gives it.

    Args:
      inputs: at least one tensor.
      shape: the shape they have.
      tensor_dtype: the dtype they have.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.math.accumulate_n([[1, 2], [3, 4]]).numpy().tolist()
    [4, 6]
    """
    made = add_n(inputs, name)
    if shape is not None:
        made.shape.assert_is_compatible_with(shape)
    if tensor_dtype is not None and made.dtype != tensor_dtype:
        raise TypeError(f"expected tensors of dtype {tensor_dtype}, found {made.dtype.name}")
    return made


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Tensor:
    """`scalar * x`.

    Raises:
      ValueError: `scalar` is no scalar.

    >>> import autograph_lite as ag
    >>> ag.math.scalar_mul(2, [1.0, 3.0]).numpy().tolist()
    [2.0, 6.0]
    """
    tensor = convert_to_tensor(x)
    factor = convert_to_tensor(scalar, dtype_hint=tensor.dtype)
    if factor.shape.rank not in (None, 0):
        raise ValueError(f"scalar_mul takes a scalar first, found shape {factor.shape}")
    broadcast_shapes(factor.shape, tensor.shape)
    return multiply(factor, tensor, name)
