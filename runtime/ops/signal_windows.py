"""Window functions, and signals cut into overlapping frames."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import constant, convert_to_tensor
from runtime.dtypes import as_dtype
from runtime.ops.apply import apply
from runtime.ops.fft import fit_to, irfft, rfft
from runtime.ops.gradients_support import shape_input
from runtime.ops.registry import OpDef, Spec, define, gradient
from runtime.ops.shaping import described_shape, int_argument
from runtime.shapes import UNKNOWN
from runtime.tensor import Tensor

# ---- windows


def _raised_cosine(length: int, periodic: bool, a: float, b: float, dtype: Any) -> Tensor:
    if length == 1:
        return constant(np.ones(1, as_dtype(dtype).np_dtype))
    # A periodic window of even length is a symmetric one of one more, less its end.
    span = length + int(periodic and length % 2 == 0) - 1
    angle = 2 * math.pi * np.arange(length) / span
    return constant((a - b * np.cos(angle)).astype(as_dtype(dtype).np_dtype))


def hann_window(
    window_length: Any, periodic: bool = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """A Hann window.

    Args:
      window_length: how many numbers.
      periodic: whether it is one period, for use in transforms; else it is symmetric.
      dtype: a float.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.hann_window(4).numpy().round(4).tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    return _raised_cosine(int_argument(window_length, "window_length"), periodic, 0.5, 0.5, dtype)


def hamming_window(
    window_length: Any, periodic: bool = True, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """A Hamming window.

    Args:
      window_length: how many numbers.
      periodic: whether it is one period, for use in transforms; else it is symmetric.
      dtype: a float.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> float(ag.signal.hamming_window(4)[2])
    1.0
    """
    length = int_argument(window_length, "window_length")
    return _raised_cosine(length, periodic, 0.54, 0.46, dtype)


def kaiser_window(
    window_length: Any, beta: float = 12.0, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """A Kaiser window.

    Args:
      window_length: how many numbers.
      beta: how narrow it is.
      dtype: a float.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> float(ag.signal.kaiser_window(3)[1])
    1.0
    """
    length = int_argument(window_length, "window_length")
    return constant(np.kaiser(length, float(beta)).astype(as_dtype(dtype).np_dtype))


def kaiser_bessel_derived_window(
    window_length: Any, beta: float = 12.0, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """A Kaiser-Bessel derived window, of even length.

    Args:
      window_length: how many numbers.
      beta: how narrow it is.
      dtype: a float.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.kaiser_bessel_derived_window(2).numpy().round(4).tolist()
    [0.707099974155426, 0.707099974155426]
    """
    half = int_argument(window_length, "window_length") // 2
    sums = np.cumsum(np.kaiser(half + 1, float(beta)))
    left = np.sqrt(sums[:-1] / sums[-1])
    return constant(np.concatenate((left, left[::-1])).astype(as_dtype(dtype).np_dtype))


def vorbis_window(
    window_length: Any, dtype: Any = dtypes.float32, name: str | None = None
) -> Tensor:
    """A Vorbis window.

    Args:
      window_length: how many numbers.
      dtype: a float.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.vorbis_window(2).numpy().round(4).tolist()
    [0.707099974155426, 0.707099974155426]
    """
    length = int_argument(window_length, "window_length")
    inner = np.sin(math.pi / length * (np.arange(length) + 0.5)) ** 2
    return constant(np.sin(math.pi / 2 * inner).astype(as_dtype(dtype).np_dtype))


# ---- frames


def _frame_kernel(x: Any, length: int, step: int) -> Any:
    count = max((x.shape[-1] - length) // step + 1, 0)
    made = np.lib.stride_tricks.as_strided(
        x,
        (*x.shape[:-1], count, length),
        (*x.strides[:-1], x.strides[-1] * step, x.strides[-1]),
        writeable=False,
    )
    return made.copy()


def _frame_rule(inputs: Any, attrs: Any) -> Spec:
    shape = inputs[0].shape
    if shape.rank is None:
        return Spec(inputs[0].dtype, UNKNOWN)
    size = shape[-1]
    count = None if size is None else max((size - attrs["length"]) // attrs["step"] + 1, 0)
    return Spec(inputs[0].dtype, shape[:-1].concatenate((count, attrs["length"])))


def _overlap_kernel(x: Any, step: int) -> Any:
    count, length = x.shape[-2:]
    made = np.zeros((*x.shape[:-2], (count - 1) * step + length if count else 0), x.dtype)
    for i in range(count):
        made[..., i * step : i * step + length] += x[..., i, :]
    return made


def _overlap_rule(inputs: Any, attrs: Any) -> Spec:
    shape = inputs[0].shape
    if shape.rank is None:
        return Spec(inputs[0].dtype, UNKNOWN)
    count, length = shape[-2:]
    size = None
    if count is not None and length is not None:
        size = (count - 1) * attrs["step"] + length if count else 0
    return Spec(inputs[0].dtype, shape[:-2].concatenate((size,)))


FRAME = define("Frame", kernel=_frame_kernel, infer=_frame_rule)
OVERLAP = define("OverlapAndAdd", kernel=_overlap_kernel, infer=_overlap_rule)


def _frame_gradient_kernel(dy: Any, dims: Any = None, *, step: int, **attrs: Any) -> Any:
    size = int(dims[-1]) if dims is not None else attrs["shape"][-1]
    made = np.zeros((*dy.shape[:-2], size), dy.dtype)
    added = _overlap_kernel(dy, step)
    made[..., : added.shape[-1]] = added
    return made


def _overlap_gradient_kernel(dy: Any, dims: Any = None, *, step: int, **attrs: Any) -> Any:
    count, length = dims[-2:].tolist() if dims is not None else attrs["shape"][-2:]
    return _frame_kernel(dy, length, step)[..., :count, :]


def _back_rule(inputs: Any, attrs: Any) -> Spec:
    return Spec(inputs[0].dtype, described_shape(inputs, attrs, 1))


FRAME_GRADIENT = define("FrameGrad", kernel=_frame_gradient_kernel, infer=_back_rule)
OVERLAP_GRADIENT = define("OverlapAndAddGrad", kernel=_overlap_gradient_kernel, infer=_back_rule)


def _back(gradient_op: OpDef, op: Any, dy: Tensor) -> Tensor:
    attrs, more = shape_input(op.inputs[0])
    return apply(gradient_op, (dy, *more), {**op.attrs, **attrs})


def _forth(forward: OpDef, op: Any, ddx: Tensor) -> Any:
    attrs = {k: v for k, v in op.attrs.items() if k != "shape"}
    return (apply(forward, (ddx,), attrs),) + (None,) * (len(op.inputs) - 1)


@gradient(FRAME)
def _(op: Any, dy: Tensor) -> Any:
    return (_back(FRAME_GRADIENT, op, dy),)


@gradient(OVERLAP)
def _(op: Any, dy: Tensor) -> Any:
    return (_back(OVERLAP_GRADIENT, op, dy),)


@gradient(FRAME_GRADIENT)
def _(op: Any, ddx: Tensor) -> Any:
    return _forth(FRAME, op, ddx)


@gradient(OVERLAP_GRADIENT)
def _(op: Any, ddx: Tensor) -> Any:
    return _forth(OVERLAP, op, ddx)


def frame(
    signal: Any,
    frame_length: Any,
    frame_step: Any,
    pad_end: bool = False,
    pad_value: Any = 0,
    axis: int = -1,
    name: str | None = None,
) -> Tensor:
    """Overlapping pieces of a signal.

    Args:
      signal: a tensor; its last axis is cut.
      frame_length: how long a piece is.
      frame_step: how far apart pieces begin.
      pad_end: whether the end is filled up, so that every element is in a piece.
      pad_value: what it is filled up with.
      axis: the axis to cut, the last one by default; the pieces take its place.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.frame([1, 2, 3, 4], 2, 1).numpy().tolist()
    [[1, 2], [2, 3], [3, 4]]
    """
    from runtime.ops.padding import pad
    from runtime.ops.shaping import transpose
    from runtime.shapes import normal_axis

    x = convert_to_tensor(signal)
    length, step = (
        int_argument(frame_length, "frame_length"),
        int_argument(frame_step, "frame_step"),
    )
    rank = x.shape.rank
    if axis != -1 and (rank is None or normal_axis(axis, rank) != rank - 1):
        if rank is None:
            raise ValueError("frame along another axis than the last needs a tensor of known rank")
        place = normal_axis(axis, rank)
        order = [i for i in range(rank) if i != place] + [place]
        made = frame(transpose(x, order), length, step, pad_end, pad_value)
        kept = list(range(rank - 1))
        return transpose(made, kept[:place] + [rank - 1, rank] + kept[place:])
    if pad_end:
        size = x.shape[-1] if rank else None
        if size is None or rank is None:
            raise ValueError("pad_end needs an axis of known size")
        missing = max((-(-size // step) - 1) * step + length - size, 0)
        x = pad(x, [(0, 0)] * (rank - 1) + [(0, missing)], constant_values=pad_value)
    return apply(FRAME, (x,), {"length": length, "step": step}, name)


def overlap_and_add(signal: Any, frame_step: Any, name: str | None = None) -> Tensor:
    """A signal from overlapping pieces, which are added up.

    Args:
      signal: shape (..., pieces, length).
      frame_step: how far apart pieces begin.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.overlap_and_add([[1, 1], [1, 1]], 1).numpy().tolist()
    [1, 2, 1]
    """
    x = convert_to_tensor(signal)
    return apply(OVERLAP, (x,), {"step": int_argument(frame_step, "frame_step")}, name)


# ---- transforms of frames

Window = Callable[..., Tensor]


def _enclosing_power_of_two(length: int) -> int:
    return 1 << max(length - 1, 0).bit_length()


def stft(
    signals: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Window | None = hann_window,
    pad_end: bool = False,
    name: str | None = None,
) -> Tensor:
    """The Fourier transforms of overlapping pieces of signals.

    Args:
      signals: real numbers; the last axis is time.
      frame_length: how long a piece is.
      frame_step: how far apart pieces begin.
      fft_length: the length of the transforms; the next power of two by default.
      window_fn: makes the factors of a piece from its length and `dtype=`; None for none.
      pad_end: whether the end is filled up with zeros.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.stft(ag.ones([8]), 4, 2).shape
    TensorShape([3, 3])
    """
    x = convert_to_tensor(signals, dtype_hint=dtypes.float32)
    length = int_argument(frame_length, "frame_length")
    size = (
        _enclosing_power_of_two(length)
        if fft_length is None
        else int_argument(fft_length, "fft_length")
    )
    pieces = frame(x, length, frame_step, pad_end)
    if window_fn is not None:
        pieces = pieces * window_fn(length, dtype=pieces.dtype)
    return rfft(pieces, [size], name)


def inverse_stft(
    stfts: Any,
    frame_length: Any,
    frame_step: Any,
    fft_length: Any = None,
    window_fn: Window | None = hann_window,
    name: str | None = None,
) -> Tensor:
    """Signals from the Fourier transforms of overlapping pieces.

    Args:
      stfts: what `stft` gives.
      frame_length: how long a piece is.
      frame_step: how far apart pieces begin.
      fft_length: the length of the transforms; the next power of two by default.
      window_fn: makes the factors of a piece; see `inverse_stft_window_fn`.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> x = ag.signal.stft(ag.ones([8]), 4, 2)
    >>> inverse = ag.signal.inverse_stft_window_fn(2)
    >>> ag.signal.inverse_stft(x, 4, 2, window_fn=inverse).numpy()[2:6].round(3).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    length = int_argument(frame_length, "frame_length")
    size = (
        _enclosing_power_of_two(length)
        if fft_length is None
        else int_argument(fft_length, "fft_length")
    )
    pieces = fit_to(irfft(stfts, [size]), (length,))
    if window_fn is not None:
        pieces = pieces * window_fn(length, dtype=pieces.dtype)
    return overlap_and_add(pieces, frame_step, name)


def inverse_stft_window_fn(
    frame_step: Any, forward_window_fn: Window = hann_window, name: str | None = None
) -> Window:
    """The window for `inverse_stft` that makes it undo `stft`.

    Args:
      frame_step: how far apart pieces begin.
      forward_window_fn: the window of `stft`.
      name: the operation's name in a graph.

    Returns:
      A function of the length of a piece and `dtype`.

    >>> import autograph_lite as ag
    >>> ag.signal.inverse_stft_window_fn(2)(4, ag.float32).numpy().round(3).tolist()
    [0.0, 1.0, 1.0, 1.0]
    """
    step = int_argument(frame_step, "frame_step")

    def inverse(frame_length: Any, dtype: Any = dtypes.float32) -> Tensor:
        length = int_argument(frame_length, "frame_length")
        forward = np.asarray(forward_window_fn(length, dtype=dtypes.float64).numpy())
        overlaps = -(-length // step)
        squares = np.zeros(overlaps * step)
        squares[:length] = forward**2
        total = np.tile(squares.reshape(overlaps, step).sum(0), overlaps)[:length]
        made = np.divide(forward, total, out=np.zeros(length), where=total != 0)
        return constant(made.astype(as_dtype(dtype).np_dtype))

    return inverse
