"""Fourier transforms over the last axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.gradients_support import shape_input
from runtime.ops.registry import OpDef, Spec, define, gradient
from runtime.ops.shaping import described_shape, ints_argument, shape_tensor
from runtime.shapes import TensorShape
from runtime.tensor import Tensor

# ---- ops


def _axes(dims: int) -> tuple[int, ...]:
    return tuple(range(-dims, 0))


def _complex_kernel(function: Any) -> Any:
    def kernel(x: Any, dims: int) -> Any:
        if x.size == 0:
            return x.copy()
        return function(x, axes=_axes(dims)).astype(x.dtype, copy=False)

    return kernel


def _needs_rank(inputs: Any, attrs: Any) -> TensorShape:
    shape, dims = inputs[0].shape, attrs["dims"]
    if shape.rank is not None and shape.rank < dims:
        raise ValueError(f"a transform over {dims} axes needs as many, found shape {shape}")
    return shape


def _same(inputs: Any, attrs: Any) -> Spec:
    _needs_rank(inputs, attrs)
    return rules.same(inputs, attrs)


FFT = define("FFT", kernel=_complex_kernel(np.fft.fftn), infer=_same)
IFFT = define("IFFT", kernel=_complex_kernel(np.fft.ifftn), infer=_same)


@gradient(FFT)
def _(op: Any, dy: Tensor) -> Any:
    return (apply(IFFT, (dy,), op.attrs) * _count(dy, op.attrs["dims"]),)


@gradient(IFFT)
def _(op: Any, dy: Tensor) -> Any:
    return (apply(FFT, (dy,), op.attrs) / _count(dy, op.attrs["dims"]),)


def _count(x: Tensor, dims: int) -> Any:
    """How many elements each transform has: a number, or a tensor of the dtype of `x`."""
    sizes = None if x.shape.rank is None else x.shape.as_list()[-dims:]
    if sizes is not None and None not in sizes:
        return float(math.prod(sizes))  # type: ignore[arg-type]
    from runtime.ops.reductions import reduce_prod
    from runtime.ops.shaping import shape

    return cast(reduce_prod(shape(x)[-dims:]), x.dtype)


def _wide(dtype: Any) -> Any:
    return np.dtype(np.complex128 if dtype.itemsize == 8 else np.complex64)


def _rfft_kernel(x: Any, dims: int, lengths: tuple[int, ...] | None) -> Any:
    sizes = x.shape[-dims:] if lengths is None else lengths
    made = np.fft.rfftn(x, s=sizes, axes=_axes(dims))
    return made.astype(_wide(x.dtype), copy=False)


def _rfft_rule(inputs: Any, attrs: Any) -> Spec:
    shape, dims, lengths = _needs_rank(inputs, attrs), attrs["dims"], attrs["lengths"]
    dtype = dtypes.complex128 if inputs[0].dtype is dtypes.float64 else dtypes.complex64
    if shape.rank is None:
        return Spec(dtype, shape)
    sizes = shape.as_list()[-dims:] if lengths is None else list(lengths)
    last = None if sizes[-1] is None else sizes[-1] // 2 + 1
    return Spec(dtype, shape[:-dims].concatenate((*sizes[:-1], last)))


def _irfft_kernel(x: Any, dims: int, lengths: tuple[int, ...] | None) -> Any:
    sizes = (*x.shape[-dims:-1], 2 * (x.shape[-1] - 1)) if lengths is None else lengths
    made = np.fft.irfftn(x, s=sizes, axes=_axes(dims))
    return made.astype(x.real.dtype, copy=False)


def _irfft_rule(inputs: Any, attrs: Any) -> Spec:
    shape, dims, lengths = _needs_rank(inputs, attrs), attrs["dims"], attrs["lengths"]
    dtype = inputs[0].dtype.real_dtype
    if shape.rank is None:
        return Spec(dtype, shape)
    if lengths is not None:
        return Spec(dtype, shape[:-dims].concatenate(lengths))
    sizes = shape.as_list()[-dims:]
    last = None if sizes[-1] is None else 2 * (sizes[-1] - 1)
    return Spec(dtype, shape[:-dims].concatenate((*sizes[:-1], last)))


RFFT = define("RFFT", kernel=_rfft_kernel, infer=_rfft_rule)
IRFFT = define("IRFFT", kernel=_irfft_kernel, infer=_irfft_rule)


# The gradients of both are ops, each the other's way back, so that sizes need not be known.


def _rfft_gradient_kernel(
    dy: Any, target: Any = None, *, dims: int, lengths: Any, shape: Any = None
) -> Any:
    sizes = shape if target is None else tuple(target.tolist())
    full = sizes[-dims:] if lengths is None else lengths
    # A real transform is the first half of a complex one: the other half gets no gradient.
    spread = _fitted(dy, (*dy.shape[-len(full) : -1], full[-1]))
    back = np.fft.ifftn(spread, axes=_axes(len(full))).real * math.prod(full)
    return _fitted(back, sizes[-len(full) :]).astype(dy.real.dtype, copy=False)


def _irfft_gradient_kernel(
    dy: Any, target: Any = None, *, dims: int, lengths: Any, shape: Any = None
) -> Any:
    sizes = shape if target is None else tuple(target.tolist())
    made = np.fft.rfftn(dy, axes=_axes(dims)) / math.prod(dy.shape[-dims:])
    # All but the first and the middle frequency stand for two.
    weights = np.full(made.shape[-1], 2.0)
    weights[0] = 1.0
    if dy.shape[-1] % 2 == 0:
        weights[-1] = 1.0
    return _fitted(made * weights, sizes[-dims:]).astype(_wide(dy.dtype), copy=False)


def _fitted(x: Any, sizes: Sequence[int]) -> Any:
    """For kernels: `x` with its last axes cut or filled up with zeros to `sizes`."""
    old = x.shape[-len(sizes) :]
    if tuple(old) == tuple(sizes):
        return x
    made = np.zeros((*x.shape[: -len(sizes)], *sizes), x.dtype)
    index: Any = (..., *(slice(0, min(a, b)) for a, b in zip(old, sizes, strict=True)))
    made[index] = x[index]
    return made


def _back_rule(inputs: Any, attrs: Any) -> Spec:
    dtype = inputs[0].dtype
    wide = dtypes.complex128 if dtype is dtypes.float64 else dtypes.complex64
    return Spec(dtype.real_dtype if dtype.is_complex else wide, described_shape(inputs, attrs, 1))


RFFT_GRADIENT = define("RFFTGrad", kernel=_rfft_gradient_kernel, infer=_back_rule)
IRFFT_GRADIENT = define("IRFFTGrad", kernel=_irfft_gradient_kernel, infer=_back_rule)
_BACK = {"RFFT": RFFT_GRADIENT, "IRFFT": IRFFT_GRADIENT}
_FORTH = {"RFFTGrad": RFFT, "IRFFTGrad": IRFFT}


@gradient(RFFT, IRFFT)
def _(op: Any, dy: Tensor) -> Any:
    attrs, more = shape_input(op.inputs[0])
    return (apply(_BACK[op.opdef.name], (dy, *more), {**op.attrs, **attrs}),)


@gradient(RFFT_GRADIENT, IRFFT_GRADIENT)
def _(op: Any, ddx: Tensor) -> Any:
    attrs = {"dims": op.attrs["dims"], "lengths": op.attrs["lengths"]}
    return (apply(_FORTH[op.opdef.name], (ddx,), attrs),) + (None,) * (len(op.inputs) - 1)


def last_sizes(x: Tensor, dims: int) -> tuple[int, ...]:
    """The sizes of the last axes, which must be known."""
    sizes = None if x.shape.rank is None else x.shape.as_list()[-dims:]
    if sizes is None or None in sizes:
        raise ValueError(f"this needs axes of known size, found shape {x.shape}")
    return tuple(sizes)  # type: ignore[arg-type]


def fit_to(x: Tensor, sizes: Sequence[int]) -> Tensor:
    """`x` with its last axes cut or filled up with zeros to `sizes`."""
    from runtime.ops.padding import pad

    old = last_sizes(x, len(sizes))
    if old == tuple(sizes):
        return x
    index = tuple(slice(0, min(a, b)) for a, b in zip(old, sizes, strict=True))
    inside = (..., *index)
    cut = x[inside]
    rank = x.shape.rank or len(sizes)
    widths = [(0, max(b - a, 0)) for a, b in zip(old, sizes, strict=True)]
    return pad(cut, [(0, 0)] * (rank - len(sizes)) + widths)


# ---- arguments


def _as_complex(x: Any) -> Tensor:
    tensor = convert_to_tensor(x)
    if tensor.dtype.is_complex:
        return tensor
    return cast(tensor, dtypes.complex64 if _is_short(tensor.dtype) else dtypes.complex128)


def _is_short(dtype: DType) -> bool:
    return dtype in (dtypes.float32, dtypes.float16)


def as_real(x: Any) -> Tensor:
    """`x` as float32 or float64."""
    tensor = convert_to_tensor(x)
    if tensor.dtype in (dtypes.float32, dtypes.float64):
        return tensor
    if tensor.dtype.is_complex:
        raise TypeError(f"a real transform takes real numbers, found {tensor.dtype.name}")
    return cast(tensor, dtypes.float32 if _is_short(tensor.dtype) else dtypes.float64)


def _complex_transform(op: OpDef, x: Any, dims: int, name: Any) -> Tensor:
    tensor = _as_complex(x)
    _needs_rank((tensor,), {"dims": dims})
    return apply(op, (tensor,), {"dims": dims}, name)


def _real_transform(op: OpDef, tensor: Tensor, dims: int, lengths: Any, name: Any) -> Tensor:
    sizes = None if lengths is None else ints_argument(lengths, "fft_length")
    if sizes is not None and len(sizes) != dims:
        raise ValueError(f"fft_length must have {dims} numbers, found {lengths!r}")
    attrs = {"dims": dims, "lengths": sizes}
    _needs_rank((tensor,), attrs)
    return apply(op, (tensor,), attrs, name)


def fft(input: Any, name: str | None = None) -> Tensor:
    """The Fourier transform over the last axis.

    Args:
      input: complex numbers; real ones are converted.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.fft([1.0, 1.0]).numpy().ravel().tolist()
    [(2+0j), 0j]
    """
    return _complex_transform(FFT, input, 1, name)


def ifft(input: Any, name: str | None = None) -> Tensor:
    """The inverse Fourier transform over the last axis.

    Args:
      input: complex numbers; real ones are converted.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.ifft([2.0, 0.0]).numpy().ravel().tolist()
    [(1+0j), (1+0j)]
    """
    return _complex_transform(IFFT, input, 1, name)


def rfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers, without redundancy, over the last axis.

    Args:
      input_tensor: real numbers.
      fft_length: the sizes to cut or fill up these axes to.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.rfft([1.0, 1.0]).numpy().ravel().tolist()
    [(2+0j), 0j]
    """
    return _real_transform(RFFT, as_real(input_tensor), 1, fft_length, name)


def irfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft`.

    Args:
      input_tensor: complex numbers.
      fft_length: the sizes of the result; the last one is even by default.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.irfft([2.0, 0.0]).numpy().ravel().tolist()
    [1.0, 1.0]
    """
    return _real_transform(IRFFT, _as_complex(input_tensor), 1, fft_length, name)


def fft2d(input: Any, name: str | None = None) -> Tensor:
    """The Fourier transform over the last two axes.

    Args:
      input: complex numbers; real ones are converted.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.fft2d([[1.0, 1.0]]).numpy().ravel().tolist()
    [(2+0j), 0j]
    """
    return _complex_transform(FFT, input, 2, name)


def ifft2d(input: Any, name: str | None = None) -> Tensor:
    """The inverse Fourier transform over the last two axes.

    Args:
      input: complex numbers; real ones are converted.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.ifft2d([[2.0, 0.0]]).numpy().ravel().tolist()
    [(1+0j), (1+0j)]
    """
    return _complex_transform(IFFT, input, 2, name)


def rfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers, without redundancy, over the last two axes.

    Args:
      input_tensor: real numbers.
      fft_length: the sizes to cut or fill up these axes to.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.rfft2d([[1.0, 1.0]]).numpy().ravel().tolist()
    [(2+0j), 0j]
    """
    return _real_transform(RFFT, as_real(input_tensor), 2, fft_length, name)


def irfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft2d`.

    Args:
      input_tensor: complex numbers.
      fft_length: the sizes of the result; the last one is even by default.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.irfft2d([[2.0, 0.0]]).numpy().ravel().tolist()
    [1.0, 1.0]
    """
    return _real_transform(IRFFT, _as_complex(input_tensor), 2, fft_length, name)


def fft3d(input: Any, name: str | None = None) -> Tensor:
    """The Fourier transform over the last three axes.

    Args:
      input: complex numbers; real ones are converted.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.fft3d([[[1.0, 1.0]]]).numpy().ravel().tolist()
    [(2+0j), 0j]
    """
    return _complex_transform(FFT, input, 3, name)


def ifft3d(input: Any, name: str | None = None) -> Tensor:
    """The inverse Fourier transform over the last three axes.

    Args:
      input: complex numbers; real ones are converted.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.ifft3d([[[2.0, 0.0]]]).numpy().ravel().tolist()
    [(1+0j), (1+0j)]
    """
    return _complex_transform(IFFT, input, 3, name)


def rfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers, without redundancy, over the last three axes.

    Args:
      input_tensor: real numbers.
      fft_length: the sizes to cut or fill up these axes to.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.rfft3d([[[1.0, 1.0]]]).numpy().ravel().tolist()
    [(2+0j), 0j]
    """
    return _real_transform(RFFT, as_real(input_tensor), 3, fft_length, name)


def irfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `rfft3d`.

    Args:
      input_tensor: complex numbers.
      fft_length: the sizes of the result; the last one is even by default.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.irfft3d([[[2.0, 0.0]]]).numpy().ravel().tolist()
    [1.0, 1.0]
    """
    return _real_transform(IRFFT, _as_complex(input_tensor), 3, fft_length, name)


# ---- moving the zero frequency


def _shift(x: Any, axes: Any, back: bool, name: Any) -> Tensor:
    from runtime.ops.reordering import roll

    tensor = convert_to_tensor(x)
    if axes is None:
        if tensor.shape.rank is None:
            raise ValueError("fftshift needs axes, or a tensor of known rank")
        axes = range(tensor.shape.rank)
    axes = [axes] if isinstance(axes, int) else list(axes)
    sizes = shape_tensor(tensor)
    if isinstance(sizes, tuple):
        shift: Any = [-(sizes[a] // 2) if back else sizes[a] // 2 for a in axes]
    else:
        from runtime.ops.joining import stack

        shift = stack([-(sizes[a] // 2) if back else sizes[a] // 2 for a in axes])
    return roll(tensor, shift, axes, name)


def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """`x` with the zero frequency moved to the middle.

    Args:
      x: a tensor.
      axes: the axes to move along; all by default.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.fftshift([0, 1, 2, -2, -1]).numpy().tolist()
    [-2, -1, 0, 1, 2]
    """
    return _shift(x, axes, False, name)


def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """The inverse of `fftshift`.

    Args:
      x: a tensor.
      axes: the axes to move along; all by default.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.ifftshift([-2, -1, 0, 1, 2]).numpy().tolist()
    [0, 1, 2, -2, -1]
    """
    return _shift(x, axes, True, name)
