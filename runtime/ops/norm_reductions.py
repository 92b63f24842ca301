"""Reductions that are not sums: logarithms of sums of exponentials, Euclidean norms."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import dtypes
from runtime.ops.axes import as_axes, reduced, reduction_rule
from runtime.ops.gradients_support import conjugate, keep_axes
from runtime.ops.numpy_calls import add_reduce
from runtime.ops.reductions import apply_reduction, no_more
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.unary import exp
from runtime.tensor import Tensor


def _log_sum_exp_kernel(
    x: Any, axes: Any = None, *, axis: Any = None, keepdims: bool = False
) -> Any:
    if axes is not None:
        axis = as_axes(axes)
    if x.size == 0:
        return np.log(add_reduce(x, axis=axis, keepdims=keepdims))
    if x.dtype.kind in "iub":
        x = x.astype(np.float64)
    high = np.maximum.reduce(x, axis=axis, keepdims=True)
    high = np.where(np.isfinite(high), high, x.dtype.type(0))
    total = np.log(np.add.reduce(np.exp(x - high), axis=axis, keepdims=True)) + high
    if keepdims:
        return total
    return total.reshape(()) if axis is None else np.squeeze(total, axis)


def _log_sum_exp_rule(inputs: Any, attrs: Any) -> Spec:
    dtype = inputs[0].dtype
    return Spec(dtypes.float64 if dtype.kind in "iub" else dtype, reduced(inputs, attrs))


LOG_SUM_EXP = define("LogSumExp", kernel=_log_sum_exp_kernel, infer=_log_sum_exp_rule)


@gradient(LOG_SUM_EXP)
def _(op: Any, dy: Tensor) -> Any:
    share = exp(op.inputs[0] - keep_axes(op.outputs[0], op))
    return no_more(op, keep_axes(dy, op) * conjugate(share))


def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """`log(sum(exp(input_tensor)))` over `axis`, without overflow.

    >>> import autograph_lite as ag
    >>> float(ag.reduce_logsumexp([1000.0, -1000.0]))
    1000.0
    """
    return apply_reduction(LOG_SUM_EXP, input_tensor, axis, keepdims, name)


def _euclidean_kernel(x: Any, axes: Any = None, *, axis: Any = None, keepdims: bool = False) -> Any:
    if axes is not None:
        axis = as_axes(axes)
    squares = (x * np.conj(x)).real if x.dtype.kind == "c" else x * x
    wrap = {"dtype": x.dtype} if x.dtype.kind in "iu" else {}
    return np.sqrt(add_reduce(squares, axis=axis, keepdims=keepdims, **wrap)).astype(x.dtype)


EUCLIDEAN = define("EuclideanNorm", kernel=_euclidean_kernel, infer=reduction_rule)


@gradient(EUCLIDEAN)
def _(op: Any, dy: Tensor) -> Any:
    return no_more(op, op.inputs[0] / keep_axes(op.outputs[0], op) * keep_axes(dy, op))


def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The square root of the sum of squares over `axis`, in the dtype of `input_tensor`.

    >>> import autograph_lite as ag
    >>> float(ag.math.reduce_euclidean_norm([3.0, 4.0]))
    5.0
    """
    return apply_reduction(EUCLIDEAN, input_tensor, axis, keepdims, name)
