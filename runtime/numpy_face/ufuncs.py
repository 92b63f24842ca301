"""NumPy's ufuncs on tensors."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.ops import (
    binary,
    bitwise,
    comparison,
    complex_,
    elementwise,
    matmul,
    reductions,
    scans,
    trigonometric,
    unary,
)
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.gathering import where
from runtime.ops.promotion import operands
from runtime.ops.registry import NO_GRADIENT, Spec, define
from runtime.shapes import broadcast_shapes
from runtime.tensor import Tensor


def _floats(x: Any) -> Tensor:
    """`x` in the floating point dtype that NumPy's functions of reals would compute in."""
    tensor = convert_to_tensor(x)
    if tensor.dtype.kind in "fc":
        return tensor
    return cast(tensor, np.exp(np.ones((), tensor.dtype.np_dtype)).dtype)


def _wide(x: Any) -> Tensor:
    """`x` in floating point; integers and booleans of any width become float64."""
    tensor = convert_to_tensor(x)
    return tensor if tensor.dtype.kind in "fc" else cast(tensor, dtypes.float64)


def _number(x: Tensor, value: float) -> Any:
    return x.dtype.np_dtype.type(value)


def _logical(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """NumPy's logic takes numbers: what is not zero is true."""

    def call(*args: Any) -> Tensor:
        return function(*[truth(a) for a in args])

    return call


def truth(x: Any) -> Tensor:
    """`x` as bools."""
    tensor = convert_to_tensor(x)
    return tensor if tensor.dtype is dtypes.bool_ else comparison.not_equal(tensor, 0)


def _cbrt(x: Any) -> Tensor:
    t = _floats(x)
    return unary.sign(t) * elementwise.pow(unary.abs(t), _number(t, 1 / 3))


def _exp2(x: Any) -> Tensor:
    t = _floats(x)
    return unary.exp(t * _number(t, math.log(2)))


def _log2(x: Any) -> Tensor:
    t = _floats(x)
    return unary.log(t) * _number(t, 1 / math.log(2))


def _log10(x: Any) -> Tensor:
    t = _floats(x)
    return unary.log(t) * _number(t, 1 / math.log(10))


def _hypot(x: Any, y: Any) -> Tensor:
    a, b = operands(x, y)
    a, b = _floats(a), _floats(b)
    return unary.sqrt(a * a + b * b)


def _logaddexp(x: Any, y: Any) -> Tensor:
    a, b = (_floats(t) for t in operands(x, y))
    high = elementwise.maximum(a, b)
    same = comparison.equal(a, b)
    distance = where(same, _number(a, 0), unary.abs(a - b))
    return high + unary.log1p(unary.exp(-distance))


def _logaddexp2(x: Any, y: Any) -> Tensor:
    a, b = (_floats(t) for t in operands(x, y))
    two = _number(a, math.log(2))
    return _logaddexp(a * two, b * two) / two


def _degrees(x: Any) -> Tensor:
    t = _floats(x)
    return t * _number(t, 180 / math.pi)


def _radians(x: Any) -> Tensor:
    t = _floats(x)
    return t * _number(t, math.pi / 180)


def _fabs(x: Any) -> Tensor:
    return unary.abs(_floats(x))


def _float_power(x: Any, y: Any) -> Tensor:
    a, b = operands(x, y)
    wide = dtypes.complex128 if "c" in (a.dtype.kind, b.dtype.kind) else dtypes.float64
    return elementwise.pow(cast(a, wide), cast(b, wide))


def _ignoring_nan(pick: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """fmax and fmin: the other operand stands in for a NaN."""

    def call(x: Any, y: Any) -> Tensor:
        a, b = operands(x, y)
        if a.dtype.kind not in "fc":
            return pick(a, b)
        return where(unary.is_nan(a), b, where(unary.is_nan(b), a, pick(a, b)))

    return call


def _divmod(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    return elementwise.floordiv(x, y), elementwise.floormod(x, y)


def _reciprocal(x: Any) -> Tensor:
    return unary.reciprocal(_floats(x))


def _sign(x: Any) -> Tensor:
    return unary.sign(x)


def _real_or_self(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def call(x: Any) -> Tensor:
        tensor = convert_to_tensor(x)
        return tensor if tensor.dtype.kind in "iub" else function(tensor)

    return call


def _trunc(x: Any) -> Tensor:
    t = convert_to_tensor(x)
    if t.dtype.kind in "iub":
        return t
    return where(comparison.less(t, 0), unary.ceil(t), unary.floor(t))


def _positive(x: Any) -> Tensor:
    return convert_to_tensor(x)


# ---- those without a gradient go to NumPy as they are


def _outputs(attrs: Any, inputs: Any) -> list[Spec]:
    ufunc = getattr(np, attrs["ufunc"])
    made = ufunc(*[np.ones((), t.dtype.np_dtype) for t in inputs])
    values = made if isinstance(made, tuple) else (made,)
    shape = broadcast_shapes(*[t.shape for t in inputs])
    return [Spec(dtypes.from_numpy(v.dtype), shape) for v in values]


def _specs(inputs: Any, attrs: Any) -> Any:
    made = _outputs(attrs, inputs)
    return made[0] if len(made) == 1 else made


UFUNC = define(
    "NumpyUfunc",
    kernel=lambda *arrays, ufunc: getattr(np, ufunc)(*arrays),
    infer=_specs,
    gradient=NO_GRADIENT,
    specialise=lambda attrs, inputs: getattr(np, attrs["ufunc"]),
)


def _plain(name: str) -> Callable[..., Any]:
    """The ufunc itself, as an operation without a gradient."""

    def call(*args: Any) -> Any:
        inputs: Any = [convert_to_tensor(a) for a in args]
        if len(args) == 2:
            inputs = operands(*args)
        made = apply(UFUNC, inputs, {"ufunc": name})
        return tuple(made) if isinstance(made, list) else made

    call.__name__ = name
    return call


def _copysign(x: Any, y: Any) -> Tensor:
    a, b = (_floats(t) for t in operands(x, y))
    one = convert_to_tensor(_number(a, 1))
    sign: Any = apply(UFUNC, [one, b], {"ufunc": "copysign"})
    return unary.abs(a) * sign


def _ldexp(x: Any, exponent: Any) -> Tensor:
    return apply(binary.LDEXP, (_floats(x), convert_to_tensor(exponent)))


def _modf(x: Any) -> tuple[Tensor, Tensor]:
    t = _floats(x)
    whole = _trunc(t)
    return where(unary.is_inf(t), _number(t, 0), t - whole), whole


TABLE: dict[np.ufunc, Callable[..., Any]] = {
    np.absolute: unary.abs,
    np.add: elementwise.add,
    np.arccos: trigonometric.acos,
    np.arccosh: trigonometric.acosh,
    np.arcsin: trigonometric.asin,
    np.arcsinh: trigonometric.asinh,
    np.arctan: trigonometric.atan,
    np.arctan2: binary.atan2,
    np.arctanh: trigonometric.atanh,
    np.bitwise_and: bitwise.bitwise_and,
    np.bitwise_or: bitwise.bitwise_or,
    np.bitwise_xor: bitwise.bitwise_xor,
    np.cbrt: _cbrt,
    np.ceil: _real_or_self(unary.ceil),
    np.conjugate: complex_.conj,
    np.cos: trigonometric.cos,
    np.copysign: _copysign,
    np.cosh: trigonometric.cosh,
    np.deg2rad: _radians,
    np.degrees: _degrees,
    np.divide: elementwise.divide,
    np.divmod: _divmod,
    np.equal: comparison.tensor_equals,
    np.exp: unary.exp,
    np.exp2: _exp2,
    np.expm1: unary.expm1,
    np.fabs: _fabs,
    np.float_power: _float_power,
    np.floor: _real_or_self(unary.floor),
    np.floor_divide: elementwise.floordiv,
    np.fmax: _ignoring_nan(elementwise.maximum),
    np.fmin: _ignoring_nan(elementwise.minimum),
    np.fmod: binary.truncatemod,
    np.greater: comparison.greater,
    np.greater_equal: comparison.greater_equal,
    np.hypot: _hypot,
    np.invert: bitwise.invert,
    np.isfinite: unary.is_finite,
    np.isinf: unary.is_inf,
    np.isnan: unary.is_nan,
    np.ldexp: _ldexp,
    np.left_shift: bitwise.left_shift,
    np.less: comparison.less,
    np.less_equal: comparison.less_equal,
    np.log: unary.log,
    np.log10: _log10,
    np.log1p: unary.log1p,
    np.log2: _log2,
    np.logaddexp: _logaddexp,
    np.logaddexp2: _logaddexp2,
    np.logical_and: _logical(comparison.logical_and),
    np.logical_not: _logical(comparison.logical_not),
    np.logical_or: _logical(comparison.logical_or),
    np.logical_xor: _logical(comparison.logical_xor),
    np.matmul: matmul.matmul_as_numpy,
    np.maximum: elementwise.maximum,
    np.minimum: elementwise.minimum,
    np.modf: _modf,
    np.multiply: elementwise.multiply,
    np.negative: unary.negative,
    np.not_equal: partial(comparison.tensor_equals, op=comparison.NOT_EQUAL),
    np.positive: _positive,
    np.power: elementwise.pow,
    np.rad2deg: _degrees,
    np.radians: _radians,
    np.reciprocal: _reciprocal,
    np.remainder: elementwise.floormod,
    np.right_shift: bitwise.right_shift,
    np.rint: unary.rint,
    np.sign: _sign,
    np.sin: trigonometric.sin,
    np.sinh: trigonometric.sinh,
    np.sqrt: unary.sqrt,
    np.square: unary.square,
    np.subtract: elementwise.subtract,
    np.tan: trigonometric.tan,
    np.tanh: trigonometric.tanh,
    np.trunc: _trunc,
    **{
        getattr(np, name): _plain(name)
        for name in "frexp gcd heaviside lcm nextafter signbit spacing".split()
    },
}


def _vecdot(x: Any, y: Any, axis: int = -1, keepdims: bool = False) -> Tensor:
    a, b = operands(x, y)
    a = complex_.conj(a) if a.dtype.is_complex else a
    return reductions.reduce_sum(a * b, axis, keepdims)


# Those that came with NumPy 2.0 and 2.1.
if hasattr(np, "bitwise_count"):
    TABLE[np.bitwise_count] = _plain("bitwise_count")
if hasattr(np, "vecdot"):
    TABLE[np.vecdot] = _vecdot


def _reduce(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """`ufunc.reduce` goes along the first axis unless told otherwise."""

    def call(x: Any, axis: Any = 0, keepdims: bool = False) -> Tensor:
        return function(convert_to_tensor(x), axis, keepdims)

    return call


def _reduce_truth(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    def call(x: Any, axis: Any = 0, keepdims: bool = False) -> Tensor:
        return function(truth(x), axis, keepdims)

    return call


def _outer(ufunc: np.ufunc) -> Callable[..., Tensor]:
    def call(x: Any, y: Any) -> Tensor:
        from runtime.ops.shaping import reshape

        a, b = convert_to_tensor(x), convert_to_tensor(y)
        spread = reshape(a, [*a.shape.as_list(), *[1] * b.ndim])
        made: Tensor = TABLE[ufunc](spread, b)
        return made

    return call


METHODS: dict[tuple[np.ufunc, str], Callable[..., Any]] = {
    (np.add, "reduce"): _reduce(reductions.reduce_sum),
    (np.multiply, "reduce"): _reduce(reductions.reduce_prod),
    (np.maximum, "reduce"): _reduce(reductions.reduce_max),
    (np.minimum, "reduce"): _reduce(reductions.reduce_min),
    (np.logical_and, "reduce"): _reduce_truth(reductions.reduce_all),
    (np.logical_or, "reduce"): _reduce_truth(reductions.reduce_any),
    (np.add, "accumulate"): lambda x, axis=0: scans.cumsum(x, axis),
    (np.multiply, "accumulate"): lambda x, axis=0: scans.cumprod(x, axis),
    **{
        (ufunc, "outer"): _outer(ufunc)
        for ufunc in TABLE
        if ufunc.nin == 2 and ufunc.nout == 1 and ufunc is not np.matmul
    },
}
