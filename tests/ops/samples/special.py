"""Samples of special functions, guarded quotients and clipping."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops import bessel, binary, clipping, polynomials, special
from runtime.ops.apply import apply
from tests.ops.sampling import Sample, uniform


def points(fn: Any, low: float, high: float, **options: Any) -> list[Sample]:
    return [
        Sample(fn, [uniform((2, 3), low, high)], **options),
        Sample(fn, [uniform((), low, high)], **options),
        Sample(fn, [uniform((0,), low, high)], **options),
        Sample(fn, [uniform((3,), low, high, np.float32)], grad=False),
        Sample(fn, [uniform((3,), low, high, np.float16)], grad=False),
        Sample(fn, [np.array([1, 2], np.int32)]),
    ]


def pairs(fn: Any, low: float = 0.5, high: float = 2.0, **options: Any) -> list[Sample]:
    return [
        Sample(fn, [uniform((2, 3), low, high), uniform((2, 3), low, high)], **options),
        Sample(fn, [uniform((3,), low, high), uniform((2, 1), low, high)], **options),
        Sample(fn, [uniform((), low, high), uniform((2,), low, high)], **options),
        Sample(fn, [uniform((2,), low, high, np.float32)] * 2, grad=False),
    ]


def with_zeros(fn: Any, places: Any) -> list[Sample]:
    """A zero in one operand, where such a function is 0 by decree: no differences there."""
    x, y = np.array([0.0, 2.0]), np.array([1.0, 0.0])
    return [Sample(fn, [x, y], grad=False), Sample(fn, [y, x], grad=False)]


def complexes(fn: Any) -> list[Sample]:
    z = uniform((2,), 0.5, 2, np.complex128)
    return [Sample(fn, [z, uniform((2,), 0.5, 2, np.complex128)])]


def _of_order(op: Any, x: Any) -> Any:
    return apply(op, (convert_to_tensor(x),), {"order": 2})


_BESSEL = {
    "BesselI0": bessel.bessel_i0, "BesselI0e": bessel.bessel_i0e, "BesselI1": bessel.bessel_i1,
    "BesselI1e": bessel.bessel_i1e, "BesselJ0": bessel.bessel_j0, "BesselJ1": bessel.bessel_j1,
    "BesselK0": bessel.bessel_k0, "BesselK0e": bessel.bessel_k0e, "BesselK1": bessel.bessel_k1,
    "BesselK1e": bessel.bessel_k1e, "BesselY0": bessel.bessel_y0, "BesselY1": bessel.bessel_y1,
    "Dawsn": bessel.dawsn, "Expint": bessel.expint, "FresnelCos": bessel.fresnel_cos,
    "FresnelSin": bessel.fresnel_sin, "Spence": bessel.spence,
}  # fmt: skip

SAMPLES = {
    "Lgamma": points(special.lgamma, 0.5, 3)
    + [Sample(special.lbeta, [uniform((2, 3), 0.5, 2)])],
    "Digamma": points(special.digamma, 0.5, 3),
    "Polygamma": [
        Sample(lambda x: special.polygamma(1.0, x), [uniform((3,), 0.5, 2)]),
        Sample(lambda x: special.polygamma(2.0, x), [uniform((2, 2), 0.5, 2)]),
    ],
    "Zeta": [Sample(lambda q: special.zeta(2.5, q), [uniform((3,), 0.5, 2)])],
    "Igamma": pairs(special.igamma),
    "Igammac": pairs(special.igammac),
    "IgammaGradA": pairs(special.igamma_slope)[:3]
    + [Sample(lambda a, x: special.igamma_slope(a, x, 2),
              [uniform((2,), 0.5, 2), uniform((2,), 0.5, 2)])],
    "Betainc": [
        Sample(lambda x: special.betainc(1.5, 2.5, x), [uniform((3,), 0.2, 0.8)]),
        Sample(lambda x: special.betainc(np.array([[1.5], [3.0]]), 2.0, x),
               [uniform((3,), 0.2, 0.8)]),
    ],
    "Erf": points(special.erf, -2, 2),
    "Erfc": points(special.erfc, -2, 2),
    "Erfinv": points(special.erfinv, -0.9, 0.9),
    "Ndtri": points(special.ndtri, 0.1, 0.9) + points(special.erfcinv, 0.2, 1.8)[:1],
    **{name: points(fn, 0.3, 3) for name, fn in _BESSEL.items()},
    "BesselJn": points(lambda x: _of_order(bessel.BESSEL_JN, x), -3, 3),
    "BesselIn": points(lambda x: _of_order(bessel.BESSEL_IN, x), -3, 3),
    "BesselIne": points(lambda x: _of_order(bessel.BESSEL_INE, x), 0.3, 3),
    "BesselAtZero": [Sample(bessel.bessel_i1, [np.zeros(2)]),
                     Sample(bessel.bessel_j1, [np.zeros(2)]),
                     Sample(bessel.spence, [np.ones(2)])],
    "SquaredDifference": pairs(binary.squared_difference)
    + complexes(binary.squared_difference),
    "DivNoNan": pairs(binary.divide_no_nan) + with_zeros(binary.divide_no_nan, 1)
    + complexes(binary.divide_no_nan)
    + [Sample(binary.reciprocal_no_nan, [uniform((2,), 0.5, 1)])],
    "MulNoNan": pairs(binary.multiply_no_nan) + with_zeros(binary.multiply_no_nan, 1),
    "Xlogy": pairs(binary.xlogy) + with_zeros(binary.xlogy, 0) + complexes(binary.xlogy),
    "Xlog1py": pairs(binary.xlog1py) + with_zeros(binary.xlog1py, 0),
    "Xdivy": pairs(binary.xdivy) + with_zeros(binary.xdivy, 0) + complexes(binary.xdivy),
    "Atan2": pairs(binary.atan2),
    "NextAfter": pairs(binary.nextafter),
    "Ldexp": [
        Sample(lambda x: apply(binary.LDEXP, (convert_to_tensor(x), convert_to_tensor([[3], [-2]]))),
               [uniform((2, 3))]),
        Sample(lambda x: apply(binary.LDEXP, (convert_to_tensor(x), convert_to_tensor(4))),
               [uniform((3,), -2, 2)]),
    ],
    "TruncateDiv": pairs(binary.truncatediv, grad=False)
    + [Sample(binary.truncatediv, [np.array([7, -7, -128], t), np.array([2, 2, 3], t)])
       for t in (np.int8, np.int32, np.int64)],
    "TruncateMod": pairs(binary.truncatemod)
    + [Sample(binary.truncatemod, [np.array([7, -7]), np.array([4, 4])])],
    "AddN": [
        Sample(lambda x, y, z: binary.add_n([x, y, z]), [uniform((2, 3))] * 3),
        Sample(lambda x: binary.add_n([x]), [uniform((2,))]),
    ],
    "Polynomials": [Sample(lambda x: polynomials.polyval([2, 1.5, x], x), [uniform((3,))])],
    "ScalarMul": [Sample(binary.scalar_mul, [uniform(()), uniform((3,))])],
    "ClipByValue": [
        Sample(lambda x: clipping.clip_by_value(x, -0.5, 0.5), [uniform((3, 4))]),
        Sample(clipping.clip_by_value,
               [uniform((3, 4)), uniform((4,), -1, 0), uniform((3, 1), 0.1)]),
        Sample(lambda x: clipping.clip_by_value(x, -1, 7), [np.array([-9, 3, 50], np.int32)]),
    ],
    "ClipByNorm": [
        Sample(lambda x: clipping.clip_by_norm(x, 0.7), [uniform((3, 4))]),
        Sample(lambda x: clipping.clip_by_norm(x, 0.7, axes=[1]), [uniform((3, 4))]),
        Sample(lambda x, y: clipping.clip_by_global_norm([x, None, y], 0.7),
               [uniform((3,)), uniform((2, 2))]),
    ],
}  # fmt: skip
