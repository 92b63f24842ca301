"""Keeping values and gradients within bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.comparison import greater, less, logical_and, logical_not
from runtime.ops.elementwise import maximum, minimum
from runtime.ops.gradients_support import masked, unbroadcast
from runtime.ops.promotion import operands
from runtime.ops.reductions import reduce_sum
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.unary import is_finite, sqrt, square
from runtime.tensor import Tensor

# The ufunc behind np.clip; np.clip itself costs more than a small array's elements do.
clip = getattr(np._core.umath, "clip", np.clip)  # type: ignore[attr-defined]


def _clip_kernel(x: Any, low: Any, high: Any) -> Any:
    if low.ndim == 0 and high.ndim == 0 and low <= high:
        return clip(x, low, high)
    # Of bounds that cross the lower one wins; np.clip lets the upper one win.
    return np.maximum(np.minimum(x, high), low)


CLIP = define(
    "ClipByValue",
    kernel=_clip_kernel,
    infer=lambda inputs, attrs: Spec(
        inputs[0].dtype, rules.broadcast_shapes(*[t.shape for t in inputs])
    ),
)


@gradient(CLIP)
def _(op: Any, dy: Tensor) -> Any:
    # On a bound the gradient is the value's, and of crossed bounds the lower one wins.
    x, low, high = op.inputs
    below = less(minimum(x, high), low)
    above = logical_and(greater(x, high), logical_not(below))
    inside = logical_not(below | above)
    return (
        unbroadcast(masked(inside, dy), x),
        unbroadcast(masked(below, dy), low),
        unbroadcast(masked(above, dy), high),
    )


def clip_by_value(
    t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None = None
) -> Tensor:
    """`t` with what is below the minimum or above the maximum set to them.

    Args:
      t: a tensor.
      clip_value_min: the least value; broadcasts.
      clip_value_max: the greatest value; broadcasts.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.clip_by_value([-2.0, 0.5, 3.0], 0.0, 1.0).numpy().tolist()
    [0.0, 0.5, 1.0]
    """
    x, low = operands(t, clip_value_min)
    x, high = operands(x, clip_value_max)
    return apply(CLIP, (x, cast(low, x.dtype), high), None, name)


def _bound(value: Any, x: Tensor) -> Tensor:
    bound = convert_to_tensor(value, dtype_hint=x.dtype)
    return cast(bound, x.dtype)


def clip_by_norm(t: Any, clip_norm: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """`t` scaled down, if need be, to have at most the L2 norm `clip_norm`.

    Args:
      t: a tensor of floats.
      clip_norm: the greatest norm; a scalar, or what broadcasts to `t`.
      axes: the axes over which the norm is taken; all by default.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.clip_by_norm([3.0, 4.0], 1.0).numpy().round(2).tolist()
    [0.6000000238418579, 0.800000011920929]
    """
    x = convert_to_tensor(t)
    limit = _bound(clip_norm, x)
    total = reduce_sum(square(x), axes, keepdims=True)
    there = greater(total, 0)
    # The root of 0 has no gradient: it is taken of 1 there, and 0 put in its place.
    root = masked(there, sqrt(masked(there, total) + cast(logical_not(there), x.dtype)))
    return x * limit / maximum(root, limit)


def global_norm(t_list: Sequence[Any], name: str | None = None) -> Tensor:
    """The L2 norm of all elements of several tensors together.

    Args:
      t_list: tensors of floats; None counts as nothing.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> float(ag.linalg.global_norm([[3.0], [[4.0]]]))
    5.0
    """
    tensors = [convert_to_tensor(t) for t in t_list if t is not None]
    if not tensors:
        raise ValueError("the norm of no tensors has no dtype: t_list holds nothing but None")
    total = reduce_sum(square(tensors[0]))
    for tensor in tensors[1:]:
        total = total + reduce_sum(square(tensor))
    return sqrt(total, name)


def clip_by_global_norm(
    t_list: Sequence[Any], clip_norm: Any, use_norm: Any = None, name: str | None = None
) -> tuple[list[Any], Tensor]:
    """Several tensors scaled down by one factor, if need be, to a common norm of `clip_norm`.

    Args:
      t_list: tensors of floats; None stays None.
      clip_norm: the greatest norm, a scalar.
      use_norm: their norm, if it is known already.
      name: the operation's name in a graph.

    Returns:
      The list of scaled tensors (NaN where the norm was not finite), and the norm they had.

    >>> import autograph_lite as ag
    >>> clipped, norm = ag.clip_by_global_norm([[3.0], [4.0]], 2.5)
    >>> [c.numpy().tolist() for c in clipped], float(norm)
    ([[1.5], [2.0]], 5.0)
    """
    norm = global_norm(t_list) if use_norm is None else convert_to_tensor(use_norm)
    limit = _bound(clip_norm, norm)
    scale = limit * minimum(1 / norm, 1 / limit)
    # Infinity or NaN in one tensor shows in all of them.
    scale = scale + (norm - norm) * cast(logical_not(is_finite(norm)), norm.dtype)
    clipped = [None if t is None else _times(convert_to_tensor(t), scale) for t in t_list]
    return clipped, norm


def _times(x: Tensor, scale: Tensor) -> Tensor:
    return x * cast(scale, x.dtype)
