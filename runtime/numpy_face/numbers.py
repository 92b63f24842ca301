"""NumPy's functions of numbers that are no ufuncs; each is NumPy's of the same name."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.numpy_face import unsupported
from runtime.numpy_face.lifted import lifted
from runtime.numpy_face.ufuncs import TABLE, _floats, _trunc, _wide
from runtime.ops import (
    comparison,
    complex_,
    creation,
    gathering,
    joining,
    padding,
    reductions,
    shaping,
    trigonometric,
    unary,
)
from runtime.ops.casting import cast
from runtime.ops.clipping import clip_by_value
from runtime.ops.elementwise import maximum, minimum
from runtime.ops.indexing import get_item
from runtime.ops.promotion import operands
from runtime.shapes import normal_axis
from runtime.tensor import Tensor

_NONE = getattr(np, "_NoValue", None)


def clip(
    a: Any,
    a_min: Any = _NONE,
    a_max: Any = _NONE,
    out: Any = None,
    *,
    min: Any = _NONE,
    max: Any = _NONE,
    **_: Any,
) -> Any:
    low = min if a_min is _NONE else a_min
    high = max if a_max is _NONE else a_max
    x = convert_to_tensor(a)
    if low is not _NONE and low is not None and high is not _NONE and high is not None:
        return clip_by_value(x, low, high)
    if low is not _NONE and low is not None:
        return maximum(x, low)
    return minimum(x, high) if high is not _NONE and high is not None else x


def round(a: Any, decimals: int = 0, out: Any = None) -> Any:
    x = convert_to_tensor(a)
    if x.dtype.is_integer and decimals < 0:
        return round_whole(x, 10**-decimals)
    if decimals == 0 or x.dtype.kind in "iub":
        return unary.round(x) if x.dtype.kind in "fc" else x
    scale = x.dtype.np_dtype.type(10.0**decimals)
    return unary.rint(x * scale) / scale


def round_whole(x: Tensor, unit: int) -> Tensor:
    """The multiple of `unit` that is nearest to an integer, halves to the even one."""
    if unit > x.dtype.max:
        # The unit itself does not fit, but a wider dtype may hold it.
        if x.dtype.size == 8 or unit > dtypes.int64.max:
            return x * 0
        return cast(round_whole(cast(x, dtypes.int64), unit), x.dtype)
    number = x.dtype.np_dtype.type
    parts = x // number(unit)
    rest = x - parts * number(unit)
    # What is left over against what is missing: neither can overflow.
    missing = number(unit - 1) - rest + number(1)
    odd = comparison.equal(parts % 2, 1)
    up = comparison.logical_or(rest > missing, comparison.logical_and(rest >= missing, odd))
    return (parts + cast(up, x.dtype)) * number(unit)


around = round


def fix(x: Any, out: Any = None) -> Any:
    return _trunc(x)


def nan_to_num(
    x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None
) -> Any:
    if not copy:
        from runtime.numpy_face import store

        return store(nan_to_num(x, True, nan, posinf, neginf), x)
    t = convert_to_tensor(x)
    if not t.dtype.is_floating:
        return t
    number = t.dtype.np_dtype.type
    infinite = unary.is_inf(t)
    made = gathering.where(unary.is_nan(t), number(nan), t)
    top = t.dtype.max if posinf is None else number(posinf)
    bottom = t.dtype.min if neginf is None else number(neginf)
    made = gathering.where(comparison.logical_and(infinite, t > 0), top, made)
    return gathering.where(comparison.logical_and(infinite, t < 0), bottom, made)


def real(val: Any) -> Any:
    return complex_.real(val)


def imag(val: Any) -> Any:
    return complex_.imag(val)


def angle(z: Any, deg: bool = False) -> Any:
    made = complex_.angle(z)
    return TABLE[np.degrees](made) if deg else made


def isreal(x: Any) -> Any:
    t = convert_to_tensor(x)
    if t.dtype.is_complex:
        return comparison.equal(complex_.imag(t), 0)
    return creation.ones_like(t, dtypes.bool_)


def iscomplex(x: Any) -> Any:
    return comparison.logical_not(isreal(x))


def isrealobj(x: Any) -> bool:
    return not convert_to_tensor(x).dtype.is_complex


def iscomplexobj(x: Any) -> bool:
    return convert_to_tensor(x).dtype.is_complex


def isscalar(element: Any) -> bool:
    """A tensor without axes stands for one of NumPy's scalars."""
    return convert_to_tensor(element).shape.rank == 0


def isposinf(x: Any, out: Any = None) -> Any:
    t = convert_to_tensor(x)
    return comparison.logical_and(unary.is_inf(t), t > 0)


def isneginf(x: Any, out: Any = None) -> Any:
    t = convert_to_tensor(x)
    return comparison.logical_and(unary.is_inf(t), t < 0)


def isclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    x, y = operands(a, b)
    if x.dtype.kind in "iub":
        x, y = cast(x, dtypes.float64), cast(y, dtypes.float64)
    real = x.dtype.real_dtype
    rtol, atol = (cast(convert_to_tensor(t, dtype_hint=real), real) for t in (rtol, atol))
    near = unary.abs(x - y) <= atol + rtol * unary.abs(y)
    finite = comparison.logical_and(near, unary.is_finite(y))
    made = comparison.logical_or(finite, comparison.equal(x, y))
    if equal_nan:
        both = comparison.logical_and(unary.is_nan(x), unary.is_nan(y))
        made = comparison.logical_or(made, both)
    return made


def allclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    return reductions.reduce_all(isclose(a, b, rtol, atol, equal_nan))


def sinc(x: Any) -> Any:
    t = _wide(x) * np.pi
    safe = gathering.where(comparison.equal(t, 0), t.dtype.np_dtype.type(1), t)
    made = trigonometric.sin(safe) / safe
    return gathering.where(comparison.equal(t, 0), t.dtype.np_dtype.type(1), made)


def i0(x: Any) -> Any:
    from importlib.util import find_spec

    t = _floats(x)
    if find_spec("scipy") is None:
        # NumPy can do without SciPy, if also without a gradient.
        return lifted("numpy.i0", [t], [(t.dtype, t.shape)])
    from runtime.ops.bessel import bessel_i0

    return bessel_i0(t)


def unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: Any = 2 * math.pi) -> Any:
    from runtime.ops.scans import cumsum

    x = _wide(p)
    steps = diff(x, axis=axis)
    half = period / 2
    wrapped = (steps + half) % period - half
    wrapped = gathering.where(
        comparison.logical_and(comparison.equal(wrapped, -half), steps > 0), half, wrapped
    )
    correction = wrapped - steps
    limit = half if discont is None else max(discont, half)
    correction = gathering.where(unary.abs(steps) < limit, correction * 0, correction)
    at = normal_axis(axis, x.ndim)
    widths = [[1, 0] if i == at else [0, 0] for i in range(x.ndim)]
    return x + padding.pad(cumsum(correction, at), widths)


# ---- differences and areas


def _along(x: Tensor, axis: int, piece: slice) -> Tensor:
    return get_item(x, (*[slice(None)] * normal_axis(axis, x.ndim), piece))


def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = _NONE, append: Any = _NONE) -> Any:
    x = convert_to_tensor(a)
    parts = [x]
    for extra, front in ((prepend, True), (append, False)):
        if extra is not _NONE:
            part = cast(extra, x.dtype)
            if part.ndim == 0:
                dims = x.shape.as_list()
                dims[axis] = 1
                part = shaping.broadcast_to(part, dims)
            parts = [part, *parts] if front else [*parts, part]
    if len(parts) > 1:
        x = joining.concat(parts, axis)
    for _ in range(n):
        later, earlier = _along(x, axis, slice(1, None)), _along(x, axis, slice(None, -1))
        if x.dtype is dtypes.bool_:
            x = comparison.not_equal(later, earlier)
        else:
            x = later - earlier
    return x


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    made = diff(shaping.reshape(ary, [-1]))
    parts = [] if to_begin is None else [shaping.reshape(cast(to_begin, made.dtype), [-1])]
    parts.append(made)
    if to_end is not None:
        parts.append(shaping.reshape(cast(to_end, made.dtype), [-1]))
    return joining.concat(parts, 0)


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    x = _wide(f)
    axes = list(range(x.ndim)) if axis is None else [axis] if isinstance(axis, int) else list(axis)
    if edge_order != 1 or any(np.ndim(v) for v in varargs):
        raise unsupported("edge_order=2 or uneven distances")
    steps = list(varargs) * len(axes) if len(varargs) == 1 else list(varargs) or [1.0] * len(axes)
    out = []
    for at, step in zip(axes, steps, strict=True):
        middle = (_along(x, at, slice(2, None)) - _along(x, at, slice(None, -2))) / 2
        first = _along(x, at, slice(1, 2)) - _along(x, at, slice(0, 1))
        last = _along(x, at, slice(-1, None)) - _along(x, at, slice(-2, -1))
        out.append(joining.concat([first, middle, last], at) / step)
    return out[0] if len(out) == 1 else tuple(out)


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> Any:
    values = _floats(y)
    width: Any = dx
    if x is not None:
        width = diff(convert_to_tensor(x), axis=-1)
        if width.ndim == 1 and values.ndim > 1:
            dims = [1] * values.ndim
            dims[axis] = -1
            width = shaping.reshape(width, dims)
    pairs = _along(values, axis, slice(1, None)) + _along(values, axis, slice(None, -1))
    return reductions.reduce_sum(pairs * width / 2, axis)


def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    if period is not None:
        raise unsupported("period")
    at, known = (_wide(t) for t in operands(x, xp))
    values = cast(fp, at.dtype)
    last = shaping.size(known) - 1
    high = clip_by_value(gathering.searchsorted(known, at, "right"), 1, maximum(last, 1))
    low = high - 1
    high = minimum(high, last)
    x0, x1 = gathering.gather(known, low), gathering.gather(known, high)
    y0, y1 = gathering.gather(values, low), gathering.gather(values, high)
    span = gathering.where(comparison.equal(x1, x0), x1 * 0 + 1, x1 - x0)
    made = y0 + (y1 - y0) * (at - x0) / span
    before = values[0] if left is None else cast(left, values.dtype)
    after = values[-1] if right is None else cast(right, values.dtype)
    made = gathering.where(at < known[0], before, made)
    return gathering.where(at > known[-1], after, made)


def result_type(*arrays_and_dtypes: Any) -> Any:
    def plain(value: Any) -> Any:
        return value.dtype.np_dtype if isinstance(value, Tensor) else value

    return np.result_type(*[plain(v) for v in arrays_and_dtypes])


def can_cast(from_: Any, to: Any, casting: Any = "safe") -> Any:
    source = from_.dtype.np_dtype if isinstance(from_, Tensor) else from_
    return np.can_cast(source, to, casting)


def min_scalar_type(a: Any, /) -> Any:
    return a.dtype.np_dtype


def common_type(*arrays: Any) -> Any:
    return np.common_type(*[np.empty(0, convert_to_tensor(a).dtype.np_dtype) for a in arrays])
