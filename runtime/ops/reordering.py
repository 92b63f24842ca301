"""The same elements in another order along their axes."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops.apply import apply
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.shaping import ints_argument
from runtime.shapes import normal_axis
from runtime.tensor import Tensor

REVERSE = define(
    "ReverseV2",
    kernel=lambda x, axis: np.flip(x, axis),
    infer=lambda inputs, attrs: _checked_axes(inputs[0], attrs["axis"]),
    aliases=0,
)


def _checked_axes(x: Any, axes: Sequence[int]) -> Spec:
    if x.shape.rank is not None:
        for a in axes:
            normal_axis(a, x.shape.rank)
    return Spec(x.dtype, x.shape)


def _reverse_lean(attrs: dict[str, Any], inputs: Sequence[Any]) -> Any:
    rank = inputs[0].shape.rank
    if rank is None:
        return None
    axes = {normal_axis(a, rank) for a in attrs["axis"]}
    return operator.itemgetter(
        tuple(slice(None, None, -1 if i in axes else 1) for i in range(rank))
    )


REVERSE.specialise = _reverse_lean


@gradient(REVERSE)
def _(op: Any, dy: Tensor) -> Any:
    return (reverse(dy, op.attrs["axis"]),)


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """`tensor` with the order of its elements turned round along some axes.

    Args:
      tensor: a tensor or what can become one.
      axis: a list of axes.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.reverse([1, 2, 3], [0]).numpy().tolist()
    [3, 2, 1]
    """
    axes = ints_argument(axis, "axis")
    return apply(REVERSE, (convert_to_tensor(tensor),), {"axis": axes}, name)


def _roll_kernel(x: Any, shift: Any, axis: Any) -> Any:
    return np.roll(x, tuple(np.ravel(shift).tolist()), axis)


ROLL = define(
    "Roll",
    kernel=_roll_kernel,
    infer=lambda inputs, attrs: _checked_axes(inputs[0], attrs["axis"]),
)


@gradient(ROLL)
def _(op: Any, dy: Tensor) -> Any:
    return roll(dy, -op.inputs[1], op.attrs["axis"]), None


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """`input` shifted along some axes; what falls off at one end comes in at the other.

    Args:
      input: a tensor or what can become one.
      shift: by how many places, one number or one an axis; may be a tensor.
      axis: the axis, or a list of axes.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.roll([1, 2, 3, 4], 1, 0).numpy().tolist()
    [4, 1, 2, 3]
    """
    attrs = {"axis": ints_argument(axis, "axis")}
    return apply(ROLL, (convert_to_tensor(input), convert_to_tensor(shift)), attrs, name)
