"""Functions of one number, element by element: powers, logarithms, rounding, signs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.dtypes import DType
from runtime.ops import rules
from runtime.ops.casting import cast
from runtime.ops.comparison import not_equal
from runtime.ops.elementwise import unary
from runtime.ops.gradients_support import conjugate, masked, zeros_like
from runtime.ops.registry import NO_GRADIENT, OpDef, Spec, define, gradient
from runtime.tensor import Tensor

_RESULTS: dict[tuple[Any, DType], DType] = {}


def ufunc_result(ufunc: Any, dtype: DType) -> DType:
    """The dtype that NumPy's `ufunc` gives for one argument of `dtype`.

    Raises:
      TypeError: it takes no such argument.
    """
    found = _RESULTS.get((ufunc, dtype))
    if found is None:
        with np.errstate(all="ignore"):
            made = ufunc(np.ones((), dtype.np_dtype))
        found = _RESULTS[ufunc, dtype] = dtypes.from_numpy(made.dtype)
    return found


def ufunc_rule(ufunc: Any) -> Callable[[Any, Any], Spec]:
    """The shape and dtype rule of an op whose kernel is the unary `ufunc`."""

    def rule(inputs: Any, attrs: Any) -> Spec:
        return Spec(ufunc_result(ufunc, inputs[0].dtype), inputs[0].shape)

    return rule


def unary_op(name: str, ufunc: Any, gradient: Any = None) -> OpDef:
    """Defines an op that applies `ufunc` to each element."""
    rule = ufunc_rule(ufunc)
    return define(name, kernel=ufunc, infer=rule, gradient=gradient, elementwise=True)


def float_kernel(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A kernel that brings integers to the float that NumPy's own functions would give."""

    def kernel(x: Any) -> Any:
        if x.dtype.kind in "iub":
            x = x.astype(np.exp(np.ones((), x.dtype)).dtype)
        return function(x)

    return kernel


def float_op(name: str, function: Callable[[Any], Any]) -> OpDef:
    """Defines an op over floats (integers are converted) whose kernel is no ufunc of NumPy."""
    kernel = float_kernel(function)

    def specialise(attrs: Any, inputs: Any) -> Any:
        return function if inputs[0].dtype.kind in "fc" else None

    return define(name, kernel=kernel, infer=ufunc_rule(np.exp), specialise=specialise)


# ---- sign, size and rounding

NEGATIVE = define("Neg", kernel=np.negative, infer=rules.same, elementwise=True)


@gradient(NEGATIVE)
def _(op: Any, dy: Tensor) -> Any:
    return (-dy,)


def negative(x: Any, name: str | None = None) -> Tensor:
    """`-x`; unsigned integers wrap around.

    >>> import autograph_lite as ag
    >>> ag.negative([1, -2]).numpy().tolist()
    [-1, 2]
    """
    return unary(NEGATIVE, x, name)


ABS = unary_op("Abs", np.abs)


@gradient(ABS)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (cast(dy, x.dtype) * sign(x) if x.dtype.is_complex else dy * sign(x),)


def abs(x: Any, name: str | None = None) -> Tensor:
    """The size of each number without its sign; of complex numbers, their modulus.

    >>> import autograph_lite as ag
    >>> ag.abs([-2.5, 0.0]).numpy().tolist()
    [2.5, 0.0]
    """
    return unary(ABS, x, name)


SIGN = define("Sign", kernel=np.sign, infer=rules.same, elementwise=True)


@gradient(SIGN)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    if not x.dtype.is_complex:
        return (zeros_like(dy),)
    # Only the part of the change that is across the number's direction turns it.
    size = cast(abs(x), x.dtype)
    inwards = dy * conjugate(y)
    along = y * (inwards + conjugate(inwards)) * 0.5
    return (masked(not_equal(x, 0), (dy - along) / size),)


def sign(x: Any, name: str | None = None) -> Tensor:
    """-1, 0 or 1 with the sign of `x`; `x / abs(x)` for complex numbers; NaN for NaN.

    >>> import autograph_lite as ag
    >>> ag.sign([-2.5, 0.0, 4.0]).numpy().tolist()
    [-1.0, 0.0, 1.0]
    """
    return unary(SIGN, x, name)


def _rounding(name: str, ufunc: Any) -> OpDef:
    def kernel(x: Any) -> Any:
        return x.copy() if x.dtype.kind in "iub" else ufunc(x)

    def specialise(attrs: Any, inputs: Any) -> Any:
        return ufunc if inputs[0].dtype.kind in "fc" else None

    return define(
        name, kernel=kernel, infer=rules.same, gradient=NO_GRADIENT, specialise=specialise
    )


FLOOR = _rounding("Floor", np.floor)
CEIL = _rounding("Ceil", np.ceil)
RINT = _rounding("Rint", np.rint)


def floor(x: Any, name: str | None = None) -> Tensor:
    """The greatest whole number that is not above `x`, in the dtype of `x`.

    >>> import autograph_lite as ag
    >>> ag.floor([1.5, -1.5]).numpy().tolist()
    [1.0, -2.0]
    """
    return unary(FLOOR, x, name)


def ceil(x: Any, name: str | None = None) -> Tensor:
    """The least whole number that is not below `x`, in the dtype of `x`.

    >>> import autograph_lite as ag
    >>> ag.math.ceil([1.5, -1.5]).numpy().tolist()
    [2.0, -1.0]
    """
    return unary(CEIL, x, name)


def rint(x: Any, name: str | None = None) -> Tensor:
    """The nearest whole number, halves to the even one, in the dtype of `x`.

    >>> import autograph_lite as ag
    >>> ag.math.rint([0.5, 1.5, 2.6]).numpy().tolist()
    [0.0, 2.0, 3.0]
    """
    return unary(RINT, x, name)


def round(x: Any, name: str | None = None) -> Tensor:
    """The nearest whole number, halves to the even one; integers stay as they are.

    >>> import autograph_lite as ag
    >>> ag.round([0.5, 1.5, 2.6]).numpy().tolist()
    [0.0, 2.0, 3.0]
    """
    return unary(RINT, x, name)


# ---- powers and roots

SQUARE = define("Square", kernel=np.square, infer=rules.same, elementwise=True)


@gradient(SQUARE)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * (conjugate(op.inputs[0]) * 2),)


def square(x: Any, name: str | None = None) -> Tensor:
    """`x * x`.

    >>> import autograph_lite as ag
    >>> ag.square([3, -2]).numpy().tolist()
    [9, 4]
    """
    return unary(SQUARE, x, name)


SQRT = unary_op("Sqrt", np.sqrt)


@gradient(SQRT)
def _(op: Any, dy: Tensor) -> Any:
    # Where no gradient comes in none goes out, though the slope be infinite.
    return (_times_slope(0.5 / conjugate(op.outputs[0]), dy),)


def _times_slope(slope: Tensor, dy: Tensor) -> Tensor:
    from runtime.ops.binary import multiply_no_nan

    return multiply_no_nan(slope, dy)


def sqrt(x: Any, name: str | None = None) -> Tensor:
    """The square root; NaN for negative real numbers.

    >>> import autograph_lite as ag
    >>> ag.sqrt([4.0, 9.0]).numpy().tolist()
    [2.0, 3.0]
    """
    return unary(SQRT, x, name)


def _rsqrt(x: Any) -> Any:
    return np.reciprocal(np.sqrt(x))


RSQRT = float_op("Rsqrt", _rsqrt)


@gradient(RSQRT)
def _(op: Any, dy: Tensor) -> Any:
    y = conjugate(op.outputs[0])
    return (_times_slope(-0.5 * y * y * y, dy),)


def rsqrt(x: Any, name: str | None = None) -> Tensor:
    """`1 / sqrt(x)`.

    >>> import autograph_lite as ag
    >>> ag.math.rsqrt([4.0, 0.25]).numpy().tolist()
    [0.5, 2.0]
    """
    return unary(RSQRT, x, name)


RECIPROCAL = define("Reciprocal", kernel=np.reciprocal, infer=rules.same, elementwise=True)


@gradient(RECIPROCAL)
def _(op: Any, dy: Tensor) -> Any:
    y = conjugate(op.outputs[0])
    return (-dy * y * y,)


def reciprocal(x: Any, name: str | None = None) -> Tensor:
    """`1 / x`; for integers rounded towards zero.

    >>> import autograph_lite as ag
    >>> ag.math.reciprocal([4.0, 0.5]).numpy().tolist()
    [0.25, 2.0]
    """
    return unary(RECIPROCAL, x, name)


# ---- exponentials and logarithms

EXP = unary_op("Exp", np.exp)


@gradient(EXP)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * conjugate(op.outputs[0]),)


def exp(x: Any, name: str | None = None) -> Tensor:
    """`e ** x`.

    >>> import autograph_lite as ag
    >>> ag.exp([0.0, 1.0]).numpy().round(3).tolist()
    [1.0, 2.7179999351501465]
    """
    return unary(EXP, x, name)


EXPM1 = unary_op("Expm1", np.expm1)


@gradient(EXPM1)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * conjugate(exp(op.inputs[0])),)


def expm1(x: Any, name: str | None = None) -> Tensor:
    """`e ** x - 1`, exact for small `x`.

    >>> import autograph_lite as ag
    >>> float(ag.math.expm1(ag.constant(1e-10, ag.float64)))
    1.00000000005e-10
    """
    return unary(EXPM1, x, name)


LOG = unary_op("Log", np.log)


@gradient(LOG)
def _(op: Any, dy: Tensor) -> Any:
    return (dy / conjugate(op.inputs[0]),)


def log(x: Any, name: str | None = None) -> Tensor:
    """The natural logarithm: -inf at 0, NaN for negative real numbers.

    >>> import autograph_lite as ag
    >>> ag.math.log([1.0, 0.0]).numpy().tolist()
    [0.0, -inf]
    """
    return unary(LOG, x, name)


LOG1P = unary_op("Log1p", np.log1p)


@gradient(LOG1P)
def _(op: Any, dy: Tensor) -> Any:
    return (dy / (conjugate(op.inputs[0]) + 1),)


def log1p(x: Any, name: str | None = None) -> Tensor:
    """`log(1 + x)`, exact for small `x`.

    >>> import autograph_lite as ag
    >>> ag.math.log1p([0.0, -1.0]).numpy().tolist()
    [0.0, -inf]
    """
    return unary(LOG1P, x, name)


def _sigmoid(x: Any) -> Any:
    y = np.exp(-x)
    y += 1
    return np.reciprocal(y)


SIGMOID = float_op("Sigmoid", _sigmoid)


@gradient(SIGMOID)
def _(op: Any, dy: Tensor) -> Any:
    y = conjugate(op.outputs[0])
    return (dy * y * (1 - y),)


def sigmoid(x: Any, name: str | None = None) -> Tensor:
    """`1 / (1 + exp(-x))`.

    >>> import autograph_lite as ag
    >>> ag.sigmoid([0.0, 100.0]).numpy().tolist()
    [0.5, 1.0]
    """
    return unary(SIGMOID, x, name)


def _softplus(x: Any) -> Any:
    # A fiftieth of the time that np.logaddexp takes.
    return np.log1p(np.exp(-np.abs(x))) + np.maximum(x, x.dtype.type(0))


SOFTPLUS = float_op("Softplus", _softplus)


@gradient(SOFTPLUS)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * sigmoid(op.inputs[0]),)


def softplus(features: Any, name: str | None = None) -> Tensor:
    """`log(1 + exp(features))`, without overflow.

    >>> import autograph_lite as ag
    >>> ag.math.softplus([1000.0, -1000.0]).numpy().tolist()
    [1000.0, 0.0]
    """
    return unary(SOFTPLUS, features, name)


def log_sigmoid(x: Any, name: str | None = None) -> Tensor:
    """`log(sigmoid(x))`, without underflow.

    >>> import autograph_lite as ag
    >>> ag.math.log_sigmoid([-1000.0]).numpy().tolist()
    [-1000.0]
    """
    return negative(softplus(negative(x)), name)


# ---- what a number is


def _test(name: str, ufunc: Any) -> OpDef:
    rule = rules.broadcast_as(dtypes.bool_)
    return define(name, kernel=ufunc, infer=rule, gradient=NO_GRADIENT, elementwise=True)


IS_NAN = _test("IsNan", np.isnan)
IS_INF = _test("IsInf", np.isinf)
IS_FINITE = _test("IsFinite", np.isfinite)


def is_nan(x: Any, name: str | None = None) -> Tensor:
    """Where `x` is not a number.

    >>> import autograph_lite as ag
    >>> ag.math.is_nan([1.0, float("nan")]).numpy().tolist()
    [False, True]
    """
    return unary(IS_NAN, x, name)


def is_inf(x: Any, name: str | None = None) -> Tensor:
    """Where `x` is infinite.

    >>> import autograph_lite as ag
    >>> ag.math.is_inf([1.0, float("-inf")]).numpy().tolist()
    [False, True]
    """
    return unary(IS_INF, x, name)


def is_finite(x: Any, name: str | None = None) -> Tensor:
    """Where `x` is neither infinite nor NaN.

    >>> import autograph_lite as ag
    >>> ag.math.is_finite([1.0, float("inf"), float("nan")]).numpy().tolist()
    [True, False, False]
    """
    return unary(IS_FINITE, x, name)
