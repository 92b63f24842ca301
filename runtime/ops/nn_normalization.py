"""Normalisation: moments, batch normalisation, unit length."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.comparison import equal
from runtime.ops.complex_ import real
from runtime.ops.elementwise import maximum
from runtime.ops.gradients_support import conjugate
from runtime.ops.nn_activations import as_floats
from runtime.ops.reductions import reduce_mean, reduce_sum
from runtime.ops.registry import define, gradient
from runtime.ops.shaping import squeeze, stop_gradient
from runtime.ops.unary import rsqrt, square
from runtime.tensor import Tensor


def l2_normalize(
    x: Any, axis: Any = None, epsilon: float = 1e-12, name: str | None = None
) -> Tensor:
    """`x` divided by its L2 norm along `axis`.

    Args:
      x: a tensor of floats.
      axis: the axis or axes of the norm; all by default.
      epsilon: the least squared norm that is divided by.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.l2_normalize([3.0, 4.0]).numpy().round(4).tolist()
    [0.6000000238418579, 0.800000011920929]
    """
    tensor = as_floats(x)
    squares = real(tensor * conjugate(tensor)) if tensor.dtype.is_complex else square(tensor)
    scale = rsqrt(maximum(reduce_sum(squares, axis, keepdims=True), epsilon))
    return tensor * cast(scale, tensor.dtype)


def moments(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Mean and variance over `axes`.

    Args:
      x: a tensor of floats.
      axes: the axes to average over.
      shift: not needed here.
      keepdims: whether these axes stay, with size 1.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> [m.numpy().tolist() for m in ag.nn.moments([1.0, 3.0], axes=[0])]
    [2.0, 1.0]
    """
    tensor = as_floats(x)
    wide = cast(tensor, dtypes.float32) if tensor.dtype is dtypes.float16 else tensor
    mean = reduce_mean(wide, axes, keepdims=True)
    # The mean's own gradient would only add up to 0.
    variance = reduce_mean(square(wide - stop_gradient(mean)), axes, keepdims=True)
    return _shaped(mean, axes, keepdims, tensor), _shaped(variance, axes, keepdims, tensor)


def _shaped(x: Tensor, axes: Any, keepdims: bool, like: Tensor) -> Tensor:
    if not keepdims:
        x = squeeze(x, axes)
    return cast(x, like.dtype)


def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Mean and variance over `axes` of elements that count differently.

    Args:
      x: a tensor of floats.
      axes: the axes to average over.
      frequency_weights: how much each element counts; broadcasts.
      keepdims: whether these axes stay, with size 1.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> [float(m) for m in ag.nn.weighted_moments([1.0, 5.0], [0], [3.0, 1.0])]
    [2.0, 3.0]
    """
    tensor = as_floats(x)
    weights = cast(convert_to_tensor(frequency_weights), tensor.dtype)
    spread = weights + cast(tensor * 0, tensor.dtype)
    total = reduce_sum(spread, axes, keepdims=True)
    mean = reduce_sum(tensor * weights, axes, keepdims=True) / total
    variance = reduce_sum(weights * square(tensor - mean), axes, keepdims=True) / total
    return _shaped(mean, axes, keepdims, tensor), _shaped(variance, axes, keepdims, tensor)


def sufficient_statistics(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """What mean and variance are made of: count, sum, sum of squares, and the shift.

    Args:
      x: a tensor of floats.
      axes: the axes to sum over.
      shift: a number near the mean, subtracted first.
      keepdims: whether these axes stay, with size 1.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> [float(s) for s in ag.nn.sufficient_statistics([1.0, 3.0], [0])[:3]]
    [2.0, 4.0, 10.0]
    """
    from runtime.ops.creation import ones_like

    tensor = as_floats(x)
    moved = tensor if shift is None else tensor - cast(convert_to_tensor(shift), tensor.dtype)
    total = reduce_sum(moved, axes, keepdims)
    squares = reduce_sum(square(moved), axes, keepdims)
    # One of the results is enough to count for.
    counts = reduce_sum(ones_like(tensor), axes, keepdims)
    count = reduce_mean(counts)
    return count, total, squares, None if shift is None else convert_to_tensor(shift)


def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """Mean and variance from what `sufficient_statistics` gives.

    Args:
      counts: how many elements there were.
      mean_ss: their sum.
      variance_ss: the sum of their squares.
      shift: what had been subtracted, or None.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> [float(m) for m in ag.nn.normalize_moments(2.0, 4.0, 10.0, None)]
    [2.0, 1.0]
    """
    total = as_floats(mean_ss)
    share = 1 / cast(convert_to_tensor(counts), total.dtype)
    mean = total * share
    variance = as_floats(variance_ss) * share - square(mean)
    return (mean if shift is None else mean + cast(convert_to_tensor(shift), mean.dtype)), variance


def batch_normalization(
    x: Any,
    mean: Any,
    variance: Any,
    offset: Any,
    scale: Any,
    variance_epsilon: Any,
    name: str | None = None,
) -> Tensor:
    """`(x - mean) / sqrt(variance + variance_epsilon) * scale + offset`.

    Args:
      x: a tensor of floats.
      mean: its mean; broadcasts, as do the others.
      variance: its variance.
      offset: what is added, or None.
      scale: the factor, or None.
      variance_epsilon: a small number that keeps the root from 0.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.batch_normalization([1.0, 3.0], 2.0, 4.0, 10.0, 2.0, 0.0).numpy().tolist()
    [9.0, 11.0]
    """
    tensor = as_floats(x)
    factor = rsqrt(as_floats(variance) + variance_epsilon)
    if scale is not None:
        factor = factor * scale
    moved = -(convert_to_tensor(mean) * factor) if offset is None else offset - mean * factor
    return tensor * cast(factor, tensor.dtype) + cast(moved, tensor.dtype)


# ---- local response normalisation


def _window_sums(x: Any, radius: int) -> Any:
    """Sums over windows of channels that reach `radius` to either side."""
    size = x.shape[-1]
    padded = np.zeros((*x.shape[:-1], size + 1), x.dtype)
    np.cumsum(x, axis=-1, out=padded[..., 1:])
    ends = np.arange(size)
    return (
        padded[..., np.minimum(ends + radius + 1, size)] - padded[..., np.maximum(ends - radius, 0)]
    )


WINDOW_SUMS = define(
    "ChannelWindowSums", kernel=lambda x, radius: _window_sums(x, radius), infer=rules.same
)


@gradient(WINDOW_SUMS)
def _(op: Any, dy: Tensor) -> Any:
    return (apply(WINDOW_SUMS, (dy,), op.attrs),)


def local_response_normalization(
    input: Any,
    depth_radius: int = 5,
    bias: float = 1.0,
    alpha: float = 1.0,
    beta: float = 0.5,
    name: str | None = None,
) -> Tensor:
    """Each channel divided by what its neighbours sum up to.

    Args:
      input: shape (..., channels).
      depth_radius: how many channels to either side count.
      bias: added to the sum, so that nothing is divided by 0.
      alpha: the factor of the sum of squares.
      beta: the exponent.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.lrn([[[[1.0, 1.0]]]], bias=2.0).numpy().tolist()
    [[[[0.5, 0.5]]]]
    """
    x = as_floats(input)
    sums = apply(WINDOW_SUMS, (square(x),), {"radius": int(depth_radius)})
    return x / (bias + alpha * sums) ** beta


lrn = local_response_normalization


def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """Which share of the elements is 0, as float32.

    >>> import autograph_lite as ag
    >>> float(ag.nn.zero_fraction([0.0, 1.0]))
    0.5
    """
    return reduce_mean(cast(equal(convert_to_tensor(value), 0), dtypes.float32), name=name)
