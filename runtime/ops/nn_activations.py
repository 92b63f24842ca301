"""Activations: the elementwise functions between the layers of a network, and softmax."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.axes import one_axis
from runtime.ops.casting import cast
from runtime.ops.clipping import clip
from runtime.ops.elementwise import unary
from runtime.ops.gradients_support import masked, zeros_like
from runtime.ops.reductions import reduce_sum
from runtime.ops.registry import OpDef, Spec, define, gradient
from runtime.ops.special import erfc, scipy_function
from runtime.ops.trigonometric import tanh
from runtime.ops.unary import abs, exp, sigmoid, square
from runtime.ops.unary import log_sigmoid as log_sigmoid
from runtime.shapes import normal_axis
from runtime.tensor import Tensor

# ---- relu


def _relu(x: Any) -> Any:
    zero = x.dtype.type(0)
    # With both bounds NumPy clips several times faster than it finds a maximum with a number.
    return clip(x, zero, _tops[x.dtype]) if x.dtype in _tops else np.maximum(x, zero)


_tops = {np.dtype(t): t(np.inf) for t in (np.float16, np.float32, np.float64)}


def _relu_lean(attrs: Any, inputs: Any) -> Any:
    dtype = inputs[0].dtype.np_dtype
    if dtype not in _tops:
        return None
    zero, top = dtype.type(0), _tops[dtype]
    return lambda x: clip(x, zero, top)


def _relu_in_place(x: Any) -> Any:
    if type(x) is not np.ndarray or x.dtype not in _tops:
        return _relu(x)
    return clip(x, x.dtype.type(0), _tops[x.dtype], x)


def _relu_gradient(dy: Any, y: Any) -> Any:
    passes = np.greater(y, y.dtype.type(0)).astype(dy.dtype)
    return np.multiply(dy, passes)


def _relu_gradient_in_place(dy: Any, y: Any) -> Any:
    dy *= np.greater(y, y.dtype.type(0)).astype(dy.dtype)
    return dy


RELU = define("Relu", kernel=_relu, infer=rules.same, specialise=_relu_lean, inplace=_relu_in_place)
RELU_GRAD = define(
    "ReluGrad", kernel=_relu_gradient, infer=rules.same, inplace=_relu_gradient_in_place
)


@gradient(RELU)
def _(op: Any, dy: Tensor) -> Any:
    return (apply(RELU_GRAD, (dy, op.outputs[0])),)


@gradient(RELU_GRAD)
def _(op: Any, ddy: Tensor) -> Any:
    return apply(RELU_GRAD, (ddy, op.inputs[1])), zeros_like(op.inputs[1])


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


def _softmax_in_place(x: Any, axis: int = -1) -> Any:
    x -= np.maximum.reduce(x, axis=axis, keepdims=True)
    np.exp(x, out=x)
    x /= np.add.reduce(x, axis=axis, keepdims=True)
    return x


def _log_softmax_kernel(x: Any, axis: int = -1) -> Any:
    y = x - np.maximum.reduce(x, axis=axis, keepdims=True)
    y -= np.log(np.add.reduce(np.exp(y), axis=axis, keepdims=True))
    return y


def _along_axis(inputs: Any, attrs: Any) -> Spec:
    shape = inputs[0].shape
    if shape.rank is not None:
        normal_axis(attrs["axis"], shape.rank)
    return Spec(inputs[0].dtype, shape)


SOFTMAX = define("Softmax", kernel=_softmax_kernel, infer=_along_axis, inplace=_softmax_in_place)
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
        return cast(tensor, dtypes.float64)
    return tensor


# ---- kin of relu


def _relu6(x: Any) -> Any:
    return clip(x, x.dtype.type(0), x.dtype.type(6))


def _relu6_gradient(dy: Any, y: Any) -> Any:
    return dy * ((y > 0) & (y < 6)).astype(dy.dtype)


RELU6 = define("Relu6", kernel=_relu6, infer=rules.same)
RELU6_GRAD = define("Relu6Grad", kernel=_relu6_gradient, infer=rules.same)


@gradient(RELU6)
def _(op: Any, dy: Tensor) -> Any:
    return (apply(RELU6_GRAD, (dy, op.outputs[0])),)


@gradient(RELU6_GRAD)
def _(op: Any, ddy: Tensor) -> Any:
    return apply(RELU6_GRAD, (ddy, op.inputs[1])), zeros_like(op.inputs[1])


def relu6(features: Any, name: str | None = None) -> Tensor:
    """`min(max(features, 0), 6)`. Its gradient at 0 and 6 is 0.

    >>> import autograph_lite as ag
    >>> ag.nn.relu6([-1.0, 2.0, 9.0]).numpy().tolist()
    [0.0, 2.0, 6.0]
    """
    return unary(RELU6, features, name)


def _leaky_kernel(x: Any, alpha: float) -> Any:
    return np.where(x > 0, x, x * x.dtype.type(alpha))


def _leaky_gradient(dy: Any, x: Any, alpha: float) -> Any:
    return np.where(x > 0, dy, dy * dy.dtype.type(alpha))


LEAKY_RELU = define("LeakyRelu", kernel=_leaky_kernel, infer=rules.same)
LEAKY_RELU_GRAD = define("LeakyReluGrad", kernel=_leaky_gradient, infer=rules.same)


@gradient(LEAKY_RELU)
def _(op: Any, dy: Tensor) -> Any:
    return (apply(LEAKY_RELU_GRAD, (dy, op.inputs[0]), op.attrs),)


@gradient(LEAKY_RELU_GRAD)
def _(op: Any, ddy: Tensor) -> Any:
    x = op.inputs[1]
    return apply(LEAKY_RELU_GRAD, (ddy, x), op.attrs), zeros_like(x)


def leaky_relu(features: Any, alpha: float = 0.2, name: str | None = None) -> Tensor:
    """`features` where positive, else `alpha * features`.

    Args:
      features: a tensor of floats.
      alpha: the slope of the negative part.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.leaky_relu([-10.0, 2.0], alpha=0.5).numpy().tolist()
    [-5.0, 2.0]
    """
    x = convert_to_tensor(features)
    if x.dtype.kind in "iub":
        x = cast(x, dtypes.float32)
    return apply(LEAKY_RELU, (x,), {"alpha": float(alpha)}, name)


def crelu(features: Any, axis: Any = -1, name: str | None = None) -> Tensor:
    """The positive part and, after it along `axis`, the negative part without its sign.

    >>> import autograph_lite as ag
    >>> ag.nn.crelu([-1.0, 2.0]).numpy().tolist()
    [0.0, 2.0, 1.0, 0.0]
    """
    from runtime.ops.joining import concat

    x = convert_to_tensor(features)
    return relu(concat([x, -x], axis), name)


# ---- smooth ones


def _elu_kernel(x: Any) -> Any:
    return np.where(x > 0, x, np.expm1(np.minimum(x, x.dtype.type(0))))


ELU = define("Elu", kernel=_elu_kernel, infer=rules.same)


@gradient(ELU)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    below = x < 0
    return (masked(~below, dy) + masked(below, dy * (y + 1)),)


def elu(features: Any, name: str | None = None) -> Tensor:
    """`features` where positive, else `exp(features) - 1`.

    >>> import autograph_lite as ag
    >>> ag.nn.elu([-100.0, 2.0]).numpy().tolist()
    [-1.0, 2.0]
    """
    return apply(ELU, (as_floats(features),), None, name)


_SELU_SCALE = 1.0507009873554805
_SELU_ALPHA = 1.6732632423543772


def _selu_kernel(x: Any) -> Any:
    kind = x.dtype.type
    low = np.expm1(np.minimum(x, kind(0))) * kind(_SELU_SCALE * _SELU_ALPHA)
    return np.where(x > 0, x * kind(_SELU_SCALE), low)


SELU = define("Selu", kernel=_selu_kernel, infer=rules.same)


@gradient(SELU)
def _(op: Any, dy: Tensor) -> Any:
    x, y = op.inputs[0], op.outputs[0]
    below = x < 0
    low = dy * (y + _SELU_SCALE * _SELU_ALPHA)
    return (masked(~below, dy * _SELU_SCALE) + masked(below, low),)


def selu(features: Any, name: str | None = None) -> Tensor:
    """The scaled exponential linear unit, which keeps mean and variance of its inputs.

    >>> import autograph_lite as ag
    >>> ag.nn.selu([0.0, 1.0]).numpy().round(4).tolist()
    [0.0, 1.0506999492645264]
    """
    return apply(SELU, (as_floats(features),), None, name)


def softsign(features: Any, name: str | None = None) -> Tensor:
    """`features / (1 + abs(features))`.

    >>> import autograph_lite as ag
    >>> ag.nn.softsign([-1.0, 3.0]).numpy().tolist()
    [-0.5, 0.75]
    """
    return apply(SOFTSIGN, (as_floats(features),), None, name)


SOFTSIGN = define("Softsign", kernel=lambda x: x / (np.abs(x) + x.dtype.type(1)), infer=rules.same)


@gradient(SOFTSIGN)
def _(op: Any, dy: Tensor) -> Any:
    return (dy / square(abs(op.inputs[0]) + 1),)


def silu(features: Any, beta: Any = 1.0, name: str | None = None) -> Tensor:
    """`features * sigmoid(beta * features)`, which is also called swish.

    Args:
      features: a tensor of floats.
      beta: a factor, a number or a tensor.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.silu([0.0, 100.0]).numpy().tolist()
    [0.0, 100.0]
    """
    x = as_floats(features)
    if type(beta) in (int, float) and beta == 1:
        return x * sigmoid(x)
    return x * sigmoid(cast(convert_to_tensor(beta, dtype_hint=x.dtype), x.dtype) * x)


swish = silu

_ROOT_HALF = 0.7071067811865476
_GELU_SLOPE = 0.7978845608028654


def _gelu_kernel(x: Any, approximate: bool) -> Any:
    kind = x.dtype.type
    if approximate:
        inner = np.tanh(kind(_GELU_SLOPE) * (x + kind(0.044715) * x * x * x))
        return kind(0.5) * x * (kind(1) + inner)
    return kind(0.5) * x * scipy_function("erfc")(x * kind(-_ROOT_HALF)).astype(x.dtype)


GELU = define("Gelu", kernel=_gelu_kernel, infer=rules.same)


@gradient(GELU)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    if op.attrs["approximate"]:
        inner = tanh(_GELU_SLOPE * (x + 0.044715 * x * x * x))
        slope = _GELU_SLOPE * (1 + 3 * 0.044715 * square(x))
        return (dy * 0.5 * (1 + inner + x * (1 - square(inner)) * slope),)
    density = exp(square(x) * -0.5) * (_GELU_SLOPE / 2)
    return (dy * (0.5 * erfc(x * -_ROOT_HALF) + x * density),)


def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Tensor:
    """`features` times the probability that a standard normal number is less.

    Args:
      features: a tensor of floats.
      approximate: whether to use the approximation by `tanh`.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.gelu([0.0, 100.0]).numpy().tolist()
    [0.0, 100.0]
    """
    return apply(GELU, (as_floats(features),), {"approximate": bool(approximate)}, name)
