"""Running sums, products and the like along one axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.ops.apply import apply
from runtime.ops.axes import one_axis
from runtime.ops.casting import cast
from runtime.ops.elementwise import maximum
from runtime.ops.gradients_support import conjugate, masked
from runtime.ops.registry import OpDef, Spec, define, gradient
from runtime.ops.unary import exp, log
from runtime.shapes import normal_axis
from runtime.tensor import Tensor


def _flipped(x: Any, axis: int) -> Any:
    index = [slice(None)] * x.ndim
    index[axis] = slice(None, None, -1)
    return x[tuple(index)]


def _shifted(result: Any, axis: int, start: Any) -> Any:
    """`result` moved on by one place along `axis`, with `start` put first."""
    out = np.empty_like(result)
    first: list[Any] = [slice(None)] * result.ndim
    rest, all_but_last = list(first), list(first)
    first[axis], rest[axis], all_but_last[axis] = slice(0, 1), slice(1, None), slice(None, -1)
    out[tuple(first)] = start
    out[tuple(rest)] = result[tuple(all_but_last)]
    return out


def scan_kernel(accumulate: Callable[..., Any], start: Callable[[Any], Any]) -> Callable[..., Any]:
    """A kernel that runs `accumulate(x, axis)` from either end, the element itself in or out.

    Args:
      accumulate: the inclusive scan from the front.
      start: what an exclusive scan begins with, for a NumPy dtype.
    """

    def kernel(x: Any, axis: int, exclusive: bool = False, reverse: bool = False) -> Any:
        if reverse:
            x = _flipped(x, axis)
        result = accumulate(x, axis)
        if exclusive:
            result = _shifted(result, axis, start(result.dtype))
        return _flipped(result, axis) if reverse else result

    return kernel


def _accumulate(ufunc: Any) -> Callable[..., Any]:
    def accumulate(x: Any, axis: int) -> Any:
        dtype = np.dtype(np.int64) if x.dtype.kind == "b" else x.dtype
        return ufunc.accumulate(x, axis=axis, dtype=dtype)

    return accumulate


def _scanned(inputs: Any, attrs: Any) -> Spec:
    shape, dtype = inputs[0].shape, inputs[0].dtype
    if shape.rank is not None:
        normal_axis(attrs["axis"], shape.rank)
    return Spec(dtypes.int64 if dtype.kind == "b" else dtype, shape)


def _scan_op(name: str, accumulate: Callable[..., Any], start: Callable[[Any], Any]) -> OpDef:
    def specialise(attrs: Any, inputs: Any) -> Any:
        if attrs.get("exclusive") or attrs.get("reverse"):
            return None
        axis = attrs["axis"]
        return lambda x: accumulate(x, axis)

    kernel = scan_kernel(accumulate, start)
    return define(name, kernel=kernel, infer=_scanned, specialise=specialise)


CUMSUM = _scan_op("Cumsum", _accumulate(np.add), lambda dtype: 0)
CUMPROD = _scan_op("Cumprod", _accumulate(np.multiply), lambda dtype: 1)
CUMULATIVE_LOGSUMEXP = _scan_op(
    "CumulativeLogsumexp",
    lambda x, axis: np.logaddexp.accumulate(x, axis=axis),
    lambda dtype: -np.inf,
)


def _scan(op: OpDef, x: Any, axis: Any, exclusive: Any, reverse: Any, name: str | None) -> Tensor:
    attrs: dict[str, Any] = {"axis": one_axis(axis)}
    if exclusive:
        attrs["exclusive"] = True
    if reverse:
        attrs["reverse"] = True
    tensor = convert_to_tensor(x)
    _scanned((tensor,), attrs)
    return apply(op, (tensor,), attrs, name)


def _way(op: Any) -> tuple[int, bool, bool]:
    attrs = op.attrs
    return attrs["axis"], attrs.get("exclusive", False), attrs.get("reverse", False)


@gradient(CUMSUM)
def _(op: Any, dy: Tensor) -> Any:
    axis, exclusive, reverse = _way(op)
    return (cumsum(dy, axis, exclusive, not reverse),)


def cumsum(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The running sum along `axis`.

    Args:
      x: a tensor of rank 1 or more.
      axis: the axis to run along.
      exclusive: whether each sum leaves the element itself out, so that the first is 0.
      reverse: whether to run from the end.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.cumsum([1, 2, 3]).numpy().tolist()
    [1, 3, 6]
    >>> ag.cumsum([1, 2, 3], exclusive=True, reverse=True).numpy().tolist()
    [5, 3, 0]
    """
    return _scan(CUMSUM, x, axis, exclusive, reverse, name)


@gradient(CUMPROD)
def _(op: Any, dy: Tensor) -> Any:
    axis, exclusive, reverse = _way(op)
    from runtime.ops.binary import divide_no_nan

    x = conjugate(op.inputs[0])
    total = cumsum(dy * conjugate(op.outputs[0]), axis, exclusive, not reverse)
    # As TensorFlow has it, no gradient flows to a factor of 0.
    return (divide_no_nan(total, x),)


def cumprod(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The running product along `axis`.

    Args:
      x: a tensor of rank 1 or more.
      axis: the axis to run along.
      exclusive: whether each product leaves the element itself out, so that the first is 1.
      reverse: whether to run from the end.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.math.cumprod([2, 3, 4]).numpy().tolist()
    [2, 6, 24]
    """
    return _scan(CUMPROD, x, axis, exclusive, reverse, name)


@gradient(CUMULATIVE_LOGSUMEXP)
def _(op: Any, dy: Tensor) -> Any:
    # y_j = log(sum of exp(x_i), i <= j): x_i gets the sum of dy_j * exp(x_i - y_j). In logarithms
    # (of positive and negative parts apart) neither factor can overflow.
    axis, exclusive, reverse = _way(op)
    x = op.inputs[0]
    # An exclusive scan begins with minus infinity, which nothing depends on.
    y = maximum(op.outputs[0], x.dtype.min / 4)

    def part(size: Tensor) -> Tensor:
        logs = _log_or_least(size) - y
        return exp(cumulative_logsumexp(logs, axis, exclusive, not reverse) + x)

    return (part(dy) - part(-dy),)


def _log_or_least(size: Tensor) -> Tensor:
    """`log(size)`; where `size` is not positive a number whose exponential is 0."""
    there = size > 0
    nowhere = cast(~there, size.dtype)
    return masked(there, log(masked(there, size) + nowhere)) + nowhere * (size.dtype.min / 4)


def cumulative_logsumexp(
    x: Any, axis: Any = 0, exclusive: bool = False, reverse: bool = False, name: str | None = None
) -> Tensor:
    """The running `log(sum(exp(x)))` along `axis`, without overflow.

    Args:
      x: a tensor of floats of rank 1 or more.
      axis: the axis to run along.
      exclusive: whether each leaves the element itself out.
      reverse: whether to run from the end.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.math.cumulative_logsumexp([1000.0, 0.0]).numpy().tolist()
    [1000.0, 1000.0]
    """
    return _scan(CUMULATIVE_LOGSUMEXP, x, axis, exclusive, reverse, name)
