"""`ag.math.special`: Bessel functions and integrals."""

from __future__ import annotations

from runtime.ops.bessel import bessel_i0 as bessel_i0
from runtime.ops.bessel import bessel_i0e as bessel_i0e
from runtime.ops.bessel import bessel_i1 as bessel_i1
from runtime.ops.bessel import bessel_i1e as bessel_i1e
from runtime.ops.bessel import bessel_j0 as bessel_j0
from runtime.ops.bessel import bessel_j1 as bessel_j1
from runtime.ops.bessel import bessel_k0 as bessel_k0
from runtime.ops.bessel import bessel_k0e as bessel_k0e
from runtime.ops.bessel import bessel_k1 as bessel_k1
from runtime.ops.bessel import bessel_k1e as bessel_k1e
from runtime.ops.bessel import bessel_y0 as bessel_y0
from runtime.ops.bessel import bessel_y1 as bessel_y1
from runtime.ops.bessel import dawsn as dawsn
from runtime.ops.bessel import expint as expint
from runtime.ops.bessel import fresnel_cos as fresnel_cos
from runtime.ops.bessel import fresnel_sin as fresnel_sin
from runtime.ops.bessel import spence as spence
