"""Losses: cross entropies and their kin."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.gathering import where
from runtime.ops.gradients_support import unbroadcast
from runtime.ops.nn_activations import as_floats, log_softmax, relu, softmax
from runtime.ops.numpy_calls import add_reduce
from runtime.ops.reductions import reduce_sum
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.shaping import expand_dims
from runtime.ops.unary import abs, exp, log, log1p, sigmoid
from runtime.shapes import SCALAR, UNKNOWN
from runtime.tensor import Tensor

# ---- sigmoid


def _sigmoid_kernel(labels: Any, logits: Any) -> Any:
    positive = np.maximum(logits, logits.dtype.type(0))
    return positive - logits * labels + np.log1p(np.exp(-np.abs(logits)))


SIGMOID_CROSS_ENTROPY = define("SigmoidCrossEntropy", kernel=_sigmoid_kernel, infer=rules.broadcast)


@gradient(SIGMOID_CROSS_ENTROPY)
def _(op: Any, dy: Tensor) -> Any:
    labels, logits = op.inputs
    to_logits = dy * (sigmoid(logits) - labels)
    return unbroadcast(-logits * dy, labels, logits), unbroadcast(to_logits, logits, labels)


def sigmoid_cross_entropy_with_logits(
    labels: Any = None, logits: Any = None, name: str | None = None
) -> Tensor:
    """The cross entropy of independent yes-or-no labels, element by element.

    Args:
      labels: probabilities between 0 and 1, of the shape of `logits`.
      logits: the predictions before the sigmoid.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.sigmoid_cross_entropy_with_logits([1.0, 0.0], [1e3, 1e3]).numpy().tolist()
    [0.0, 1000.0]
    """
    x, y = _both(labels, logits)
    if not x.shape.is_compatible_with(y.shape):
        raise ValueError(f"labels of shape {x.shape} and logits of shape {y.shape} must agree")
    return apply(SIGMOID_CROSS_ENTROPY, (x, y), None, name)


def _both(labels: Any, logits: Any) -> tuple[Tensor, Tensor]:
    if labels is None or logits is None:
        raise ValueError("both labels and logits are needed")
    y = as_floats(logits)
    return cast(convert_to_tensor(labels, dtype_hint=y.dtype), y.dtype), y


def weighted_cross_entropy_with_logits(
    labels: Any, logits: Any, pos_weight: Any, name: str | None = None
) -> Tensor:
    """`sigmoid_cross_entropy_with_logits` in which positive labels count more or less.

    Args:
      labels: probabilities between 0 and 1, of the shape of `logits`.
      logits: the predictions before the sigmoid.
      pos_weight: how much a positive label counts.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> loss = ag.nn.weighted_cross_entropy_with_logits([1.0, 0.0], [-9.0, 9.0], 2.0)
    >>> loss.numpy().round(2).tolist()
    [18.0, 9.0]
    """
    x, y = _both(labels, logits)
    weight = 1 + (cast(convert_to_tensor(pos_weight, dtype_hint=y.dtype), y.dtype) - 1) * x
    return (1 - x) * y + weight * (log1p(exp(-abs(y))) + relu(-y))


# ---- softmax


def _shifted(logits: Any) -> tuple[Any, Any, Any]:
    """Logits less their greatest, their exponentials, and the sum of these."""
    z = logits - np.maximum.reduce(logits, axis=-1, keepdims=True)
    e = np.exp(z)
    return z, e, np.add.reduce(e, axis=-1, keepdims=True)


def _softmax_kernel(labels: Any, logits: Any) -> Any:
    z, e, total = _shifted(logits)
    z -= np.log(total)
    # A label of 0 takes nothing, not even of an infinite logarithm.
    loss = -add_reduce(np.where(labels == 0, labels, labels * z), axis=-1)
    e /= total
    return np.asarray(loss), e - labels


def _softmax_rule(inputs: Any, attrs: Any) -> list[Spec]:
    shape = rules.broadcast_shapes(inputs[0].shape, inputs[1].shape)
    if shape.rank == 0:
        raise ValueError("logits must have rank 1 or more, found a scalar")
    dtype = inputs[1].dtype
    return [Spec(dtype, UNKNOWN if shape.rank is None else shape[:-1]), Spec(dtype, shape)]


SOFTMAX_CROSS_ENTROPY = define(
    "SoftmaxCrossEntropyWithLogits", kernel=_softmax_kernel, infer=_softmax_rule
)


@gradient(SOFTMAX_CROSS_ENTROPY)
def _(op: Any, dloss: Any, dslope: Any) -> Any:
    # The second output is the derivative of the first: softmax(logits) - labels.
    labels, logits = op.inputs
    to_labels = to_logits = None
    if dloss is not None:
        column = expand_dims(dloss, -1)
        to_logits = column * op.outputs[1]
        to_labels = -column * log_softmax(logits)
    if dslope is not None:
        more = _through_softmax(dslope, softmax(logits))
        to_logits = more if to_logits is None else to_logits + more
        to_labels = -dslope if to_labels is None else to_labels - dslope
    return (
        None if to_labels is None else unbroadcast(to_labels, labels, logits),
        None if to_logits is None else unbroadcast(to_logits, logits, labels),
    )


def _through_softmax(dy: Tensor, y: Tensor) -> Tensor:
    return (dy - reduce_sum(dy * y, -1, keepdims=True)) * y


def softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, axis: int = -1, name: str | None = None
) -> Tensor:
    """The cross entropy between distributions and predicted ones.

    Args:
      labels: each row a distribution over the classes.
      logits: the predictions before the softmax, of the same shape.
      axis: the axis of the classes.
      name: the operation's name in a graph.

    Returns:
      The losses, of the shape of `logits` without `axis`. Gradients flow to both arguments.

    >>> import autograph_lite as ag
    >>> ag.nn.softmax_cross_entropy_with_logits([[0.0, 1.0]], [[50.0, -50.0]]).numpy().tolist()
    [100.0]
    """
    x, y = _both(labels, logits)
    if y.shape.rank is not None and axis not in (-1, y.shape.rank - 1):
        x, y = _moved_last(x, axis), _moved_last(y, axis)
    return apply(SOFTMAX_CROSS_ENTROPY, (x, y), None, name)[0]


def _moved_last(x: Tensor, axis: int) -> Tensor:
    from runtime.ops.shaping import transpose
    from runtime.shapes import normal_axis

    rank = x.shape.rank or 1
    axis = normal_axis(axis, rank)
    return transpose(x, [i for i in range(rank) if i != axis] + [axis])


def _sparse_kernel(labels: Any, logits: Any) -> Any:
    z, e, total = _shifted(logits)
    classes = logits.shape[-1]
    if logits.ndim == 2:
        rows = np.arange(len(logits))
        picked = (rows, labels)
    else:
        picked = (*np.indices(labels.shape, sparse=True), labels)
    if labels.size and (labels.min() < 0 or labels.max() >= classes):
        raise ValueError(
            f"labels must be class numbers in [0, {classes}), found {labels.min()} to "
            f"{labels.max()}"
        )
    loss = np.log(total[..., 0]) - z[picked]
    e /= total
    e[picked] -= 1
    return np.asarray(loss), e


def _sparse_rule(inputs: Any, attrs: Any) -> list[Spec]:
    labels, logits = inputs[0].shape, inputs[1].shape
    if logits.rank == 0:
        raise ValueError("logits must have rank 1 or more, found a scalar")
    if logits.rank is None:
        loss = labels
    else:
        loss = labels.merge_with(logits[:-1])
        logits = loss.concatenate(logits[-1:])
    return [Spec(inputs[1].dtype, loss), Spec(inputs[1].dtype, logits)]


SPARSE_CROSS_ENTROPY = define(
    "SparseSoftmaxCrossEntropyWithLogits", kernel=_sparse_kernel, infer=_sparse_rule
)


@gradient(SPARSE_CROSS_ENTROPY)
def _(op: Any, dloss: Any, dslope: Any) -> Any:
    to_logits = None
    if dloss is not None:
        to_logits = expand_dims(dloss, -1) * op.outputs[1]
    if dslope is not None:
        more = _through_softmax(dslope, softmax(op.inputs[1]))
        to_logits = more if to_logits is None else to_logits + more
    return None, to_logits


def sparse_softmax_cross_entropy_with_logits(
    labels: Any, logits: Any, name: str | None = None
) -> Tensor:
    """The cross entropy between classes, given as numbers, and predicted distributions.

    Args:
      labels: the class numbers, of the shape of `logits` without its last axis.
      logits: the predictions before the softmax.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: a number is no class, or shapes do not fit.

    >>> import autograph_lite as ag
    >>> ag.nn.sparse_softmax_cross_entropy_with_logits([1], [[0.0, 0.0]]).numpy().round(4).tolist()
    [0.6930999755859375]
    """
    y = as_floats(logits)
    x = convert_to_tensor(labels)
    if not x.dtype.is_integer:
        raise TypeError(f"labels are class numbers, found dtype {x.dtype.name}")
    _sparse_rule((x, y), {})
    return apply(SPARSE_CROSS_ENTROPY, (x, y), None, name)[0]


# ---- others


def log_poisson_loss(
    targets: Any, log_input: Any, compute_full_loss: bool = False, name: str | None = None
) -> Tensor:
    """The negative log-likelihood of Poisson distributed targets.

    Args:
      targets: the observed counts.
      log_input: the logarithm of the expected ones.
      compute_full_loss: whether to add Stirling's approximation of the constant term.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.log_poisson_loss([2.0], [0.0]).numpy().tolist()
    [1.0]
    """
    x, y = _both(targets, log_input)
    loss = exp(y) - y * x
    if compute_full_loss:
        safe = where((x >= 0) & (x <= 1), cast(1, x.dtype), x)
        stirling = x * log(safe) - x + 0.5 * log(2 * math.pi * safe)
        loss = loss + where((x >= 0) & (x <= 1), cast(0, x.dtype), stirling)
    return loss


def _l2_kernel(x: Any) -> Any:
    flat = np.ravel(x)
    return np.asarray(np.dot(flat, flat) * x.dtype.type(0.5))


L2_LOSS = define(
    "L2Loss", kernel=_l2_kernel, infer=lambda inputs, attrs: Spec(inputs[0].dtype, SCALAR)
)


@gradient(L2_LOSS)
def _(op: Any, dy: Tensor) -> Any:
    return (op.inputs[0] * dy,)


def l2_loss(t: Any, name: str | None = None) -> Tensor:
    """Half the sum of squares.

    >>> import autograph_lite as ag
    >>> float(ag.nn.l2_loss([3.0, 4.0]))
    12.5
    """
    return apply(L2_LOSS, (as_floats(t),), None, name)
