"""NumPy's discrete Fourier transforms; each function is that of `numpy.fft` of the same name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.numpy_face.arranging import roll
from runtime.numpy_face.lifted import lifted
from runtime.shapes import TensorShape, normal_axis


def _one(name: str, real_in: bool = False, real_out: bool = False) -> Callable[..., Any]:
    def transform(
        a: Any, n: int | None = None, axis: int = -1, norm: Any = None, out: Any = None
    ) -> Any:
        x = convert_to_tensor(a)
        dims = x.shape.as_list()
        at = normal_axis(axis, len(dims))
        size = dims[at] if n is None else n
        if real_in and size is not None:
            size = size // 2 + 1
        elif real_out and n is None and size is not None:
            size = 2 * (size - 1)
        dims[at] = size
        shape = TensorShape(tuple(dims))
        options = {"n": n, "axis": axis, "norm": norm}
        return lifted(f"numpy.fft.{name}", [x], [(_dtype(x.dtype, real_out), shape)], **options)

    transform.__name__ = name
    transform.__module__ = __name__
    return transform


def _dtype(dtype: Any, real: bool) -> Any:
    single = dtype.name in ("float16", "float32", "complex64")
    if real:
        return dtypes.float32 if single else dtypes.float64
    return dtypes.complex64 if single else dtypes.complex128


def _several(name: str, default: Any) -> Callable[..., Any]:
    def transform(
        a: Any, s: Any = None, axes: Any = default, norm: Any = None, out: Any = None
    ) -> Any:
        x = convert_to_tensor(a)
        dims = x.shape.as_list()
        if s is not None:
            for size, axis in zip(s, axes or range(-len(s), 0), strict=True):
                dims[axis] = int(size)
        shape = TensorShape(tuple(dims))
        options = {"s": s, "axes": axes, "norm": norm}
        return lifted(f"numpy.fft.{name}", [x], [(_dtype(x.dtype, False), shape)], **options)

    transform.__name__ = name
    transform.__module__ = __name__
    return transform


fft = _one("fft")
ifft = _one("ifft")
rfft = _one("rfft", real_in=True)
irfft = _one("irfft", real_out=True)
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
        from runtime.ops.shaping import shape

        half = (size if size is not None else shape(t)[axis]) // 2
        if way < 0:
            half = -half
        t = roll(t, half, axis)
    return t
