"""Activations: the elementwise functions between the layers of a network, and softmax."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.axes import one_axis
from runtime.ops.elementwise import unary
from runtime.ops.reductions import reduce_sum
from runtime.ops.registry import OpDef, Spec, define, gradient
from runtime.ops.unary import exp
from runtime.shapes import normal_axis
from runtime.tensor import Tensor

# ---- relu


def _relu(x: Any) -> Any:
    return np.maximum(x, x.dtype.type(0))


def _relu_gradient(dy: Any, y: Any) -> Any:
    return np.multiply(dy, np.greater(y, y.dtype.type(0)), dtype=dy.dtype)


RELU = define("Relu", kernel=_relu, infer=rules.same)
RELU_GRAD = define("ReluGrad", kernel=_relu_gradient, infer=rules.same)


@gradient(RELU)
def _(op: Any, dy: Tensor) -> Any:
    return (apply(RELU_GRAD, (dy, op.outputs[0])),)


@gradient(RELU_GRAD)
def _(op: Any, ddy: Tensor) -> Any:
    return apply(RELU_GRAD, (ddy, op.inputs[1])), None


def relu(features: Any, name: str | None = None) -> Tensor:
    """The positive part: `max(features, 0)`. Its gradient at 0 is 0.

    >>> import autograph_lite as ag
    >>> ag.nn.relu([-1.0, 2.0]).numpy().tolist()
    [0.0, 2.0]
    """
    return unary(RELU, features, name)


# ---- softmax


def _softmax_kernel(x: Any, axis: int = -1) -> Any:
    y = np.exp(x - np.maximum.reduce(x, axis=axis, keepdims=True))
    y /= np.add.reduce(y, axis=axis, keepdims=True)
    return y


def _log_softmax_kernel(x: Any, axis: int = -1) -> Any:
    y = x - np.maximum.reduce(x, axis=axis, keepdims=True)
    y -= np.log(np.add.reduce(np.exp(y), axis=axis, keepdims=True))
    return y


def _along_axis(inputs: Any, attrs: Any) -> Spec:
    shape = inputs[0].shape
    if shape.rank is not None:
        normal_axis(attrs["axis"], shape.rank)
    return Spec(inputs[0].dtype, shape)


SOFTMAX = define("Softmax", kernel=_softmax_kernel, infer=_along_axis)
LOG_SOFTMAX = define("LogSoftmax", kernel=_log_softmax_kernel, infer=_along_axis)


@gradient(SOFTMAX)
def _(op: Any, dy: Tensor) -> Any:
    y = op.outputs[0]
    return ((dy - reduce_sum(dy * y, op.attrs["axis"], keepdims=True)) * y,)


@gradient(LOG_SOFTMAX)
def _(op: Any, dy: Tensor) -> Any:
    share = exp(op.outputs[0])
    return (dy - reduce_sum(dy, op.attrs["axis"], keepdims=True) * share,)


def softmax(logits: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """`exp(logits) / sum(exp(logits))` along `axis`, without overflow.

    Args:
      logits: a tensor of floats of rank 1 or more.
      axis: the axis whose results sum to 1; the last by default.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.softmax([1000.0, 1000.0]).numpy().tolist()
    [0.5, 0.5]
    """
    return _apply_along(SOFTMAX, logits, axis, name)


def log_softmax(logits: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """`log(softmax(logits))` along `axis`, without underflow.

    Args:
      logits: a tensor of floats of rank 1 or more.
      axis: the axis along which the exponentials sum to 1; the last by default.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.log_softmax([0.0, -1000.0, 1000.0]).numpy().tolist()
    [-1000.0, -2000.0, 0.0]
    """
    return _apply_along(LOG_SOFTMAX, logits, axis, name)


def _apply_along(op: OpDef, x: Any, axis: Any, name: str | None) -> Tensor:
    tensor = as_floats(x)
    attrs = {"axis": -1 if axis is None else one_axis(axis)}
    _along_axis((tensor,), attrs)
    return apply(op, (tensor,), attrs, name)


def as_floats(x: Any) -> Tensor:
    """`x` as a tensor of floats; integers become what they would in a division."""
    tensor = convert_to_tensor(x)
    if tensor.dtype.kind in "iub":
        from runtime import dtypes
        from runtime.ops.casting import cast

        return cast(tensor, dtypes.float64)
    return tensor
