"""NumPy's discrete Fourier transforms; each function is that of `numpy.fft` of the same name."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.numpy_face.arranging import moveaxis, roll
from runtime.ops import fft as transforms
from runtime.ops.casting import cast
from runtime.ops.padding import pad
from runtime.ops.shaping import shape as shape_of
from runtime.shapes import normal_axis
from runtime.tensor import Tensor


def _one(name: str) -> Callable[..., Any]:
    def transform(
        a: Any, n: int | None = None, axis: int = -1, norm: Any = None, out: Any = None
    ) -> Any:
        return _transformed(name, convert_to_tensor(a), n, axis, norm)

    transform.__name__ = name
    transform.__module__ = __name__
    return transform


def _transformed(name: str, x: Tensor, n: int | None, axis: int, norm: Any) -> Tensor:
    if n is not None and n < 1:
        raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
    at = normal_axis(axis, x.ndim)
    moved = moveaxis(x, at, -1) if at != x.ndim - 1 else x
    if name in ("rfft", "irfft"):
        made = getattr(transforms, name)(moved, None if n is None else [n])
        count = _count(made if name == "irfft" else moved, n)
    else:
        moved = moved if n is None else _fitted(moved, n)
        made = getattr(transforms, name)(moved)
        count = _count(moved, n)
    made = _scaled(made, count, name.startswith("i"), norm)
    return moveaxis(made, -1, at) if at != x.ndim - 1 else made


def _fitted(x: Tensor, n: int) -> Tensor:
    """`x` with its last axis cut or filled up with zeros to `n`."""
    if x.shape[-1] is not None:
        return transforms.fit_to(x, [n])
    return pad(x, [(0, 0)] * (x.ndim - 1) + [(0, n)])[..., :n]


def _count(x: Tensor, n: int | None) -> Any:
    if n is not None:
        return n
    size = x.shape[-1]
    return size if size is not None else shape_of(x)[-1]


def _scaled(x: Tensor, count: Any, inverse: bool, norm: Any) -> Tensor:
    """`x`, of which only an inverse is divided by the count, with the factors of `norm`."""
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {norm}; should be "backward", "ortho" or "forward".')
    if norm in (None, "backward"):
        return x
    power = (0.5 if norm == "ortho" else 1.0) * (1 if inverse else -1)
    if isinstance(count, Tensor):
        return x * cast(cast(count, x.dtype.real_dtype) ** power, x.dtype)
    return x * math.pow(count, power)


def _several(name: str, default: Any) -> Callable[..., Any]:
    def transform(
        a: Any, s: Any = None, axes: Any = default, norm: Any = None, out: Any = None
    ) -> Any:
        x = convert_to_tensor(a)
        if axes is None:
            axes = range(x.ndim) if s is None else range(-len(s), 0)
        sizes = [None] * len(axes) if s is None else [None if n == -1 else int(n) for n in s]
        for size, axis in reversed(list(zip(sizes, axes, strict=True))):
            x = _transformed(name[:-1], x, size, axis, norm)
        return x

    transform.__name__ = name
    transform.__module__ = __name__
    return transform


fft = _one("fft")
ifft = _one("ifft")
rfft = _one("rfft")
irfft = _one("irfft")
fft2 = _several("fft2", (-2, -1))
ifft2 = _several("ifft2", (-2, -1))
fftn = _several("fftn", None)
ifftn = _several("ifftn", None)


def fftshift(x: Any, axes: Any = None) -> Any:
    return _shifted(x, axes, 1)


def ifftshift(x: Any, axes: Any = None) -> Any:
    return _shifted(x, axes, -1)


def _shifted(x: Any, axes: Any, way: int) -> Any:
    t = convert_to_tensor(x)
    chosen = range(t.ndim) if axes is None else np.atleast_1d(axes).tolist()
    for axis in chosen:
        size = t.shape[axis]
        half = (size if size is not None else shape_of(t)[axis]) // 2
        if way < 0:
            half = -half
        t = roll(t, half, axis)
    return t
