"""Bessel functions and integrals of elementary functions, computed by SciPy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.comparison import less, logical_not
from runtime.ops.elementwise import unary
from runtime.ops.gradients_support import masked
from runtime.ops.polynomials import polyval
from runtime.ops.registry import OpDef, define, gradient
from runtime.ops.special import kernel_of, scipy_function
from runtime.ops.trigonometric import cos, sin
from runtime.ops.unary import abs as abs_
from runtime.ops.unary import exp, log, sign, square, ufunc_rule
from runtime.tensor import Tensor


def _special(op_name: str, scipy_name: str) -> OpDef:
    return define(op_name, kernel=kernel_of(scipy_name), infer=ufunc_rule(np.exp))


def _of_positives(op_name: str, scipy_name: str, below: float) -> OpDef:
    """A function that has a pole at 0, whose value stands for all that lies below."""
    inner = kernel_of(scipy_name)

    def kernel(x: Any) -> Any:
        made = inner(x)
        return np.where(x < 0, made.dtype.type(below), made)

    return define(op_name, kernel=kernel, infer=ufunc_rule(np.exp))


def _of_any_order(op_name: str, scipy_name: str) -> OpDef:
    """A function of which the attribute `order` says which of its family it is."""

    def kernel(x: Any, order: int) -> Any:
        wide = x if x.dtype.kind == "f" else x.astype(np.exp(np.ones((), x.dtype)).dtype)
        return np.asarray(scipy_function(scipy_name)(order, wide)).astype(wide.dtype, copy=False)

    return define(op_name, kernel=kernel, infer=ufunc_rule(np.exp))


# Derivatives of functions of one order are made of those of the orders beside it, at 0, too, where
# a quotient by x would have none: https://dlmf.nist.gov/10.6.E1 and https://dlmf.nist.gov/10.29.E1.
BESSEL_JN = _of_any_order("BesselJn", "jv")
BESSEL_IN = _of_any_order("BesselIn", "iv")
BESSEL_INE = _of_any_order("BesselIne", "ive")


def _of_order(op: OpDef, order: int, x: Tensor) -> Tensor:
    return apply(op, (x,), {"order": order})


def _mean_of_neighbours(op: OpDef, order: int, x: Tensor, sign_above: int = 1) -> Tensor:
    above = _of_order(op, order + 1, x)
    return (_of_order(op, order - 1, x) + (above if sign_above > 0 else -above)) * 0.5


@gradient(BESSEL_JN)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * _mean_of_neighbours(BESSEL_JN, op.attrs["order"], op.inputs[0], -1),)


@gradient(BESSEL_IN)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * _mean_of_neighbours(BESSEL_IN, op.attrs["order"], op.inputs[0]),)


@gradient(BESSEL_INE)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    return (dy * (_mean_of_neighbours(BESSEL_INE, op.attrs["order"], x) - y * sign(x)),)


_NEAR_ONE = 0.05
_LOG_SERIES = [(-1.0) ** (k + 1) / (k + 1) for k in range(14, -1, -1)]


def _log_quotient(x: Tensor) -> Tensor:
    """`log(x) / (1 - x)`; near 1 the series of it, which has derivatives there."""
    beyond = x - 1
    is_near = less(abs_(beyond), _NEAR_ONE)
    near = cast(is_near, x.dtype)
    series = polyval(_LOG_SERIES, masked(is_near, beyond))
    return masked(logical_not(is_near), log(x) / (near - beyond)) + near * series


BESSEL_I0 = _special("BesselI0", "i0")


@gradient(BESSEL_I0)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (dy * bessel_i1(x),)


def bessel_i0(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 0.

    >>> import autograph_lite as ag
    >>> float(ag.math.bessel_i0(0.0))
    1.0
    """
    return unary(BESSEL_I0, x, name)


BESSEL_I0E = _special("BesselI0e", "i0e")


@gradient(BESSEL_I0E)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    return (dy * (bessel_i1e(x) - sign(x) * y),)


def bessel_i0e(x: Any, name: str | None = None) -> Tensor:
    """`exp(-abs(x)) * bessel_i0(x)`.

    >>> import autograph_lite as ag
    >>> float(ag.math.bessel_i0e(0.0))
    1.0
    """
    return unary(BESSEL_I0E, x, name)


BESSEL_I1 = _special("BesselI1", "i1")


@gradient(BESSEL_I1)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (dy * _mean_of_neighbours(BESSEL_IN, 1, x),)


def bessel_i1(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 1.

    >>> import autograph_lite as ag
    >>> float(ag.math.bessel_i1(0.0))
    0.0
    """
    return unary(BESSEL_I1, x, name)


BESSEL_I1E = _special("BesselI1e", "i1e")


@gradient(BESSEL_I1E)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    return (dy * (_mean_of_neighbours(BESSEL_INE, 1, x) - y * sign(x)),)


def bessel_i1e(x: Any, name: str | None = None) -> Tensor:
    """`exp(-abs(x)) * bessel_i1(x)`.

    >>> import autograph_lite as ag
    >>> float(ag.math.bessel_i1e(0.0))
    0.0
    """
    return unary(BESSEL_I1E, x, name)


BESSEL_J0 = _special("BesselJ0", "j0")


@gradient(BESSEL_J0)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (-dy * bessel_j1(x),)


def bessel_j0(x: Any, name: str | None = None) -> Tensor:
    """The Bessel function of the first kind of order 0.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.bessel_j0(0.0))
    1.0
    """
    return unary(BESSEL_J0, x, name)


BESSEL_J1 = _special("BesselJ1", "j1")


@gradient(BESSEL_J1)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (dy * _mean_of_neighbours(BESSEL_JN, 1, x, -1),)


def bessel_j1(x: Any, name: str | None = None) -> Tensor:
    """The Bessel function of the first kind of order 1.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.bessel_j1(0.0))
    0.0
    """
    return unary(BESSEL_J1, x, name)


BESSEL_K0 = _of_positives("BesselK0", "k0", np.inf)


@gradient(BESSEL_K0)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (-dy * bessel_k1(x),)


def bessel_k0(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 0.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.bessel_k0(0.0))
    inf
    """
    return unary(BESSEL_K0, x, name)


BESSEL_K0E = _of_positives("BesselK0e", "k0e", np.inf)


@gradient(BESSEL_K0E)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    return (dy * (y - bessel_k1e(x)),)


def bessel_k0e(x: Any, name: str | None = None) -> Tensor:
    """`exp(x) * bessel_k0(x)`.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.bessel_k0e(0.0))
    inf
    """
    return unary(BESSEL_K0E, x, name)


BESSEL_K1 = _of_positives("BesselK1", "k1", np.inf)


@gradient(BESSEL_K1)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    return (-dy * (bessel_k0(x) + y / x),)


def bessel_k1(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of the second kind of order 1.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.bessel_k1(0.0))
    inf
    """
    return unary(BESSEL_K1, x, name)


BESSEL_K1E = _of_positives("BesselK1e", "k1e", np.inf)


@gradient(BESSEL_K1E)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    return (dy * (y * (1 - 1 / x) - bessel_k0e(x)),)


def bessel_k1e(x: Any, name: str | None = None) -> Tensor:
    """`exp(x) * bessel_k1(x)`.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.bessel_k1e(0.0))
    inf
    """
    return unary(BESSEL_K1E, x, name)


BESSEL_Y0 = _of_positives("BesselY0", "y0", -np.inf)


@gradient(BESSEL_Y0)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (-dy * bessel_y1(x),)


def bessel_y0(x: Any, name: str | None = None) -> Tensor:
    """The Bessel function of the second kind of order 0.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.bessel_y0(0.0))
    -inf
    """
    return unary(BESSEL_Y0, x, name)


BESSEL_Y1 = _of_positives("BesselY1", "y1", -np.inf)


@gradient(BESSEL_Y1)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    return (dy * (bessel_y0(x) - y / x),)


def bessel_y1(x: Any, name: str | None = None) -> Tensor:
    """The Bessel function of the second kind of order 1.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.bessel_y1(0.0))
    -inf
    """
    return unary(BESSEL_Y1, x, name)


DAWSN = _special("Dawsn", "dawsn")


@gradient(DAWSN)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    return (dy * (1 - 2 * x * y),)


def dawsn(x: Any, name: str | None = None) -> Tensor:
    """Dawson's integral: `exp(-x**2)` times the integral of `exp(t**2)` from 0 to `x`.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.dawsn(0.0))
    0.0
    """
    return unary(DAWSN, x, name)


EXPINT = _special("Expint", "expi")


@gradient(EXPINT)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (dy * exp(x) / x,)


def expint(x: Any, name: str | None = None) -> Tensor:
    """The exponential integral: the integral of `exp(t) / t` from minus infinity to `x`.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.expint(0.0))
    -inf
    """
    return unary(EXPINT, x, name)


def _fresnel(which: int) -> Any:
    """SciPy computes both integrals at once, the sine's first."""

    def kernel(x: Any) -> Any:
        wide = x.astype(np.float64)
        return np.asarray(scipy_function("fresnel")(wide)[which]).astype(
            x.dtype if x.dtype.kind == "f" else np.exp(np.ones((), x.dtype)).dtype
        )

    return kernel


FRESNEL_COS = define("FresnelCos", kernel=_fresnel(1), infer=ufunc_rule(np.exp))


@gradient(FRESNEL_COS)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (dy * cos(square(x) * (math.pi / 2)),)


def fresnel_cos(x: Any, name: str | None = None) -> Tensor:
    """Fresnel's cosine integral.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.fresnel_cos(0.0))
    0.0
    """
    return unary(FRESNEL_COS, x, name)


FRESNEL_SIN = define("FresnelSin", kernel=_fresnel(0), infer=ufunc_rule(np.exp))


@gradient(FRESNEL_SIN)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (dy * sin(square(x) * (math.pi / 2)),)


def fresnel_sin(x: Any, name: str | None = None) -> Tensor:
    """Fresnel's sine integral.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.fresnel_sin(0.0))
    0.0
    """
    return unary(FRESNEL_SIN, x, name)


SPENCE = _special("Spence", "spence")


@gradient(SPENCE)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (dy * _log_quotient(x),)


def spence(x: Any, name: str | None = None) -> Tensor:
    """Spence's integral: that of `log(t) / (1 - t)` from 1 to `x`.

    >>> import autograph_lite as ag
    >>> float(ag.math.special.spence(1.0))
    0.0
    """
    return unary(SPENCE, x, name)
