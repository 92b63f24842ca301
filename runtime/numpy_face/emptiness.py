"""The check that a reduction without a neutral element has something to reduce."""

from __future__ import annotations

from typing import Any

from runtime.locations import Location, raise_at, user_location
from runtime.ops.apply import apply
from runtime.ops.registry import Spec, define, gradient
from runtime.shapes import normal_axis
from runtime.tensor import Tensor


def _check(x: Any, axes: tuple[int, ...], message: str, location: Location) -> Any:
    if _is_nothing(x.shape, axes):
        error = ValueError(message)
        raise_at(error, location)
    return x


CHECK_NOT_EMPTY = define(
    "CheckNotEmpty",
    kernel=_check,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, inputs[0].shape),
    aliases=0,
)


@gradient(CHECK_NOT_EMPTY)
def _(op: Any, dy: Tensor) -> Any:
    return (dy,)


def _is_nothing(dims: Any, axes: tuple[int, ...]) -> bool:
    """Whether the results of a reduction over `axes` would be made of no elements."""
    return 0 in [dims[a] for a in axes]


def not_empty(x: Tensor, axis: Any, message: str) -> Tensor:
    """`x`; ValueError, now or when the graph runs, if a reduction over `axis` has no elements.

    Args:
      x: any tensor.
      axis: a number, several, or None for all axes.
      message: what the error says.
    """
    rank = x.shape.rank
    if rank is None or isinstance(axis, Tensor):
        return x
    given = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(normal_axis(int(a), rank) for a in given)
    dims = x.shape.as_list()
    if _is_nothing(dims, axes):
        raise ValueError(f"{user_location()}: {message}")
    if None not in [dims[a] for a in axes]:
        return x
    attrs = {"axes": axes, "message": message, "location": user_location()}
    return apply(CHECK_NOT_EMPTY, (x,), attrs)
