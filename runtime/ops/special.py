"""Special functions, computed by SciPy: gamma, error and Bessel functions and their kin."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.elementwise import binary, float_operands, unary
from runtime.ops.gradients_support import unbroadcast
from runtime.ops.reductions import reduce_sum
from runtime.ops.registry import OpDef, define, gradient
from runtime.ops.unary import exp, log, square, ufunc_rule
from runtime.tensor import Tensor

_FUNCTIONS: dict[str, Callable[..., Any]] = {}

# What Python's own `math` has serves where SciPy is not installed, at a lower speed.
_WITHOUT_SCIPY = {"gammaln": math.lgamma, "erf": math.erf, "erfc": math.erfc}


def scipy_function(name: str) -> Callable[..., Any]:
    """`scipy.special.<name>`, imported when it is first needed.

    Raises:
      ImportError: SciPy is not installed.
    """
    found = _FUNCTIONS.get(name)
    if found is None:
        try:
            import scipy.special

            found = getattr(scipy.special, name)
        except ImportError:
            found = _from_math(name)
        _FUNCTIONS[name] = found
    return found


def _from_math(name: str) -> Callable[..., Any]:
    function = _WITHOUT_SCIPY.get(name)
    if function is None:
        raise ImportError(
            f"the special function {name} is computed by SciPy, which is not installed; "
            "run: pip install autograph-lite[scipy]"
        )

    def one(value: Any) -> float:
        try:
            return function(value)
        except (ValueError, OverflowError):
            return math.inf

    return np.vectorize(one, otypes=[np.float64])


def kernel_of(name: str) -> Callable[..., Any]:
    """A kernel that calls SciPy's function and gives the dtype that NumPy's functions would."""

    def kernel(*arrays: Any) -> Any:
        wide = arrays[0].dtype
        if wide.kind in "iub":
            wide = np.exp(np.ones((), wide)).dtype
            arrays = tuple(a.astype(wide) for a in arrays)
        return np.asarray(scipy_function(name)(*arrays)).astype(wide, copy=False)

    return kernel


def _one_argument(op_name: str, scipy_name: str) -> OpDef:
    rule = ufunc_rule(np.exp)
    return define(op_name, kernel=kernel_of(scipy_name), infer=rule)


def _several(op_name: str, scipy_name: str) -> OpDef:
    return define(op_name, kernel=kernel_of(scipy_name), infer=rules.broadcast)


# ---- gamma functions


def _lgamma_kernel(x: Any) -> Any:
    # SciPy answers -inf at minus infinity, where C and TensorFlow answer inf.
    return _GAMMALN(np.where(x == -np.inf, x.dtype.type(np.inf), x) if x.dtype.kind == "f" else x)


def _digamma_kernel(x: Any) -> Any:
    made = _PSI(x)
    # At 0 it tends to plus or minus infinity, as one comes.
    return np.where(x == 0, made.dtype.type(np.nan), made)


_GAMMALN, _PSI = kernel_of("gammaln"), kernel_of("psi")
LGAMMA = define("Lgamma", kernel=_lgamma_kernel, infer=ufunc_rule(np.exp))
DIGAMMA = define("Digamma", kernel=_digamma_kernel, infer=ufunc_rule(np.exp))


@gradient(LGAMMA)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * digamma(op.inputs[0]),)


@gradient(DIGAMMA)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    return (dy * polygamma(convert_to_tensor(1, x.dtype), x),)


def lgamma(x: Any, name: str | None = None) -> Tensor:
    """The logarithm of the absolute value of the gamma function.

    >>> import autograph_lite as ag
    >>> float(ag.math.lgamma(1.0))
    0.0
    """
    return unary(LGAMMA, x, name)


def digamma(x: Any, name: str | None = None) -> Tensor:
    """The derivative of `lgamma`.

    >>> import autograph_lite as ag
    >>> round(float(ag.math.digamma(1.0)), 4)
    -0.5772
    """
    return unary(DIGAMMA, x, name)


def lbeta(x: Any, name: str | None = None) -> Tensor:
    """The logarithm of the beta function of the numbers along the last axis.

    >>> import autograph_lite as ag
    >>> float(ag.math.lbeta([1.0, 1.0]))
    0.0
    """
    tensor = convert_to_tensor(x)
    return reduce_sum(lgamma(tensor), -1) - lgamma(reduce_sum(tensor, -1))


def _polygamma_kernel(n: Any, x: Any) -> Any:
    made = scipy_function("polygamma")(n.astype(np.float64), x.astype(np.float64))
    # Only whole orders that are not negative exist.
    made = np.where((n >= 0) & (n == np.floor(n)), made, np.nan)
    return made.astype(x.dtype)


POLYGAMMA = define("Polygamma", kernel=_polygamma_kernel, infer=rules.broadcast)
ZETA = _several("Zeta", "zeta")


@gradient(POLYGAMMA)
def _(op: Any, dy: Tensor) -> Any:
    n, x = op.inputs
    return None, unbroadcast(dy * polygamma(n + 1, x), x, n)


@gradient(ZETA)
def _(op: Any, dy: Tensor) -> Any:
    x, q = op.inputs
    return None, unbroadcast(-x * zeta(x + 1, q) * dy, q, x)


def polygamma(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The `a`-th derivative of `digamma` at `x`.

    >>> import autograph_lite as ag
    >>> round(float(ag.math.polygamma(1.0, 1.0)), 4)
    1.6449
    """
    return binary(POLYGAMMA, *float_operands(a, x), name)


def zeta(x: Any, q: Any, name: str | None = None) -> Tensor:
    """The Hurwitz zeta function: the sum of `(q + n) ** -x` over n = 0, 1, 2, ...

    >>> import autograph_lite as ag
    >>> round(float(ag.math.zeta(2.0, 1.0)), 4)
    1.6449
    """
    return binary(ZETA, *float_operands(x, q), name)


# ---- incomplete gamma and beta functions

IGAMMA = _several("Igamma", "gammainc")
IGAMMAC = _several("Igammac", "gammaincc")


def _igamma_slope_kernel(a: Any, x: Any, order: int) -> Any:
    """A derivative of igamma by `a`, from the series x**(a+n) * exp(-x) / gamma(a+n+1)."""
    shape = np.broadcast_shapes(a.shape, x.shape)
    wide_a = np.broadcast_to(a, shape).astype(np.float64)
    wide_x = np.broadcast_to(x, shape).astype(np.float64)
    gammaln, psi = scipy_function("gammaln"), scipy_function("psi")
    total = np.zeros(shape)
    if total.size:
        log_x = np.log(wide_x)
        top = float(np.max(wide_x, where=np.isfinite(wide_x), initial=0.0))
        for n in range(int(top + 12 * np.sqrt(top)) + 60):
            power = wide_a + n
            term = np.exp(power * log_x - wide_x - gammaln(power + 1))
            slopes = [log_x - psi(power + 1)]
            slopes += [-scipy_function("polygamma")(k, power + 1) for k in range(1, order)]
            total += np.where(term > 0, term * _derivative_factor(slopes), 0.0)
    return total.astype(x.dtype)


def _derivative_factor(slopes: Sequence[Any]) -> Any:
    """What `exp(f)` is multiplied by in its derivative of the order that `f` has slopes of.

    It is the complete Bell polynomial of the derivatives of `f`: https://dlmf.nist.gov/1.4.E13.
    """
    factors: list[Any] = [1.0]
    for k in range(len(slopes)):
        terms = [math.comb(k, i) * factors[k - i] * slopes[i] for i in range(k + 1)]
        factors.append(sum(terms[1:], terms[0]))
    return factors[-1]


IGAMMA_SLOPE = define("IgammaGradA", kernel=_igamma_slope_kernel, infer=rules.broadcast)


def igamma_slope(a: Tensor, x: Tensor, order: int = 1) -> Tensor:
    """The derivative by `a`, of an order, of `igamma(a, x)`."""
    return apply(IGAMMA_SLOPE, (a, x), {"order": order})


def _gamma_density(a: Tensor, x: Tensor) -> Tensor:
    """The derivative by `x` of `igamma(a, x)`."""
    return exp((a - 1) * log(x) - x - lgamma(a))


@gradient(IGAMMA_SLOPE)
def _(op: Any, dy: Tensor) -> Any:
    a, x = op.inputs
    order = op.attrs["order"]
    slopes = [log(x) - digamma(a)]
    slopes += [-polygamma(float(k), a) for k in range(1, order)]
    to_x = dy * _gamma_density(a, x) * _derivative_factor(slopes)
    return unbroadcast(dy * igamma_slope(a, x, order + 1), a, x), unbroadcast(to_x, x, a)


def _incomplete_gamma_gradients(op: Any, dy: Tensor) -> tuple[Tensor, Tensor]:
    a, x = op.inputs
    to_a, to_x = dy * igamma_slope(a, x), dy * _gamma_density(a, x)
    return unbroadcast(to_a, a, x), unbroadcast(to_x, x, a)


@gradient(IGAMMA)
def _(op: Any, dy: Tensor) -> Any:
    return _incomplete_gamma_gradients(op, dy)


@gradient(IGAMMAC)
def _(op: Any, dy: Tensor) -> Any:
    to_a, to_x = _incomplete_gamma_gradients(op, dy)
    return -to_a, -to_x


def igamma(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The lower regularised incomplete gamma function.

    >>> import autograph_lite as ag
    >>> round(float(ag.math.igamma(1.0, 1.0)), 4)
    0.6321
    """
    return binary(IGAMMA, *float_operands(a, x), name)


def igammac(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The upper regularised incomplete gamma function, `1 - igamma(a, x)`.

    >>> import autograph_lite as ag
    >>> round(float(ag.math.igammac(1.0, 1.0)), 4)
    0.3679
    """
    return binary(IGAMMAC, *float_operands(a, x), name)


BETAINC = _several("Betainc", "betainc")


@gradient(BETAINC)
def _(op: Any, dy: Tensor) -> Any:
    # As in TensorFlow there is none for the parameters, whose derivatives have no closed form.
    a, b, x = op.inputs
    log_beta = lgamma(a) + lgamma(b) - lgamma(a + b)
    density = exp((b - 1) * log(1 - x) + (a - 1) * log(x) - log_beta)
    return None, None, unbroadcast(dy * density, x)


def betainc(a: Any, b: Any, x: Any, name: str | None = None) -> Tensor:
    """The regularised incomplete beta function; gradients flow to `x` only.

    >>> import autograph_lite as ag
    >>> float(ag.math.betainc(1.0, 1.0, 0.25))
    0.25
    """
    from runtime.ops.apply import apply

    first, second = float_operands(a, b)
    first, third = float_operands(first, x)
    return apply(BETAINC, (first, second, third), None, name)


# ---- error functions

ERF = _one_argument("Erf", "erf")
ERFC = _one_argument("Erfc", "erfc")
ERFINV = _one_argument("Erfinv", "erfinv")
NDTRI = _one_argument("Ndtri", "ndtri")


@gradient(ERF)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * (2 / math.sqrt(math.pi)) * exp(-square(op.inputs[0])),)


@gradient(ERFC)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * (-2 / math.sqrt(math.pi)) * exp(-square(op.inputs[0])),)


@gradient(ERFINV)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * (math.sqrt(math.pi) / 2) * exp(square(op.outputs[0])),)


@gradient(NDTRI)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * math.sqrt(2 * math.pi) * exp(square(op.outputs[0]) * 0.5),)


def erf(x: Any, name: str | None = None) -> Tensor:
    """The error function.

    >>> import autograph_lite as ag
    >>> ag.math.erf([0.0, 10.0]).numpy().tolist()
    [0.0, 1.0]
    """
    return unary(ERF, x, name)


def erfc(x: Any, name: str | None = None) -> Tensor:
    """`1 - erf(x)`, exact for large `x`.

    >>> import autograph_lite as ag
    >>> float(ag.math.erfc(0.0))
    1.0
    """
    return unary(ERFC, x, name)


def erfinv(x: Any, name: str | None = None) -> Tensor:
    """The number whose error function is `x`.

    >>> import autograph_lite as ag
    >>> ag.math.erfinv([0.0, 1.0]).numpy().tolist()
    [0.0, inf]
    """
    return unary(ERFINV, x, name)


def erfcinv(x: Any, name: str | None = None) -> Tensor:
    """The number whose complementary error function is `x`.

    >>> import autograph_lite as ag
    >>> float(ag.math.erfcinv(1.0))
    -0.0
    """
    return -ndtri(convert_to_tensor(x) * 0.5, name) * math.sqrt(0.5)


def ndtri(x: Any, name: str | None = None) -> Tensor:
    """The quantile function of the standard normal distribution.

    >>> import autograph_lite as ag
    >>> float(ag.math.ndtri(0.5))
    0.0
    """
    return unary(NDTRI, x, name)
