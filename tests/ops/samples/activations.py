"""Samples of activations, losses, normalisation and layers."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import nn_activations as nn
from runtime.ops import nn_layers as layers
from runtime.ops import nn_losses as losses
from runtime.ops import nn_normalization as norm
from runtime.ops.apply import apply
from tests.ops.sampling import Sample, uniform

X = np.array([[-2.0, -0.5, 0.7], [1.5, 7.5, -0.1]])


def on_floats(fn: Any, **options: Any) -> list[Sample]:
    return [
        Sample(fn, [X], **options),
        Sample(fn, [np.array(0.3)], **options),
        Sample(fn, [np.zeros((0, 2))], **options),
        Sample(fn, [X.astype(np.float32)], grad=False),
        Sample(fn, [X.astype(np.float16)], grad=False),
    ]


def along(fn: Any) -> list[Sample]:
    return [
        Sample(fn, [X]),
        Sample(lambda x: fn(x, axis=0), [uniform((2, 3, 2))]),
        Sample(fn, [uniform((3,), dtype=np.float32)], grad=False),
        Sample(fn, [uniform((3,), dtype=np.float16)], grad=False),
    ]


def distributions(shape: Any) -> Any:
    made = uniform(shape, 0.1, 1)
    return made / made.sum(-1, keepdims=True)


LABELS = np.array([2, 0], np.int32)

SAMPLES = {
    "Relu": [*on_floats(nn.relu), Sample(nn.relu, [np.array([-1, 2])])],
    "ReluGrad": [Sample(lambda dy, y: apply(nn.RELU_GRAD, (dy, y)), [uniform((2, 3)), X])],
    "Relu6": on_floats(nn.relu6),
    "Relu6Grad": [Sample(lambda dy, y: apply(nn.RELU6_GRAD, (dy, y)), [uniform((2, 3)), X])],
    "LeakyReluGrad": [Sample(lambda dy, y: apply(nn.LEAKY_RELU_GRAD, (dy, y), {"alpha": 0.3}),
                             [uniform((2, 3)), X])],
    "LeakyRelu": on_floats(nn.leaky_relu) + on_floats(lambda x: nn.leaky_relu(x, 0.5))[:1],
    "Crelu": on_floats(nn.crelu)[:1],
    "Elu": on_floats(nn.elu),
    "Selu": on_floats(nn.selu),
    "Softsign": on_floats(nn.softsign),
    "Silu": on_floats(nn.silu) + [Sample(lambda x: nn.silu(x, 1.5), [X])],
    "Gelu": on_floats(nn.gelu) + on_floats(lambda x: nn.gelu(x, approximate=True)),
    "Softmax": along(nn.softmax),
    "LogSoftmax": along(nn.log_softmax),
    "SigmoidCrossEntropy": [
        Sample(losses.sigmoid_cross_entropy_with_logits, [uniform((2, 3), 0, 1), X]),
        Sample(lambda a, b: losses.weighted_cross_entropy_with_logits(a, b, 2.5),
               [uniform((2, 3), 0, 1), X]),
        Sample(losses.log_poisson_loss, [uniform((3,), 2, 3), uniform((3,))]),
        Sample(lambda a, b: losses.log_poisson_loss(a, b, True),
               [uniform((3,), 2, 3), uniform((3,))]),
    ],
    "SoftmaxCrossEntropyWithLogits": [
        Sample(losses.softmax_cross_entropy_with_logits, [distributions((2, 3)), X]),
        Sample(losses.softmax_cross_entropy_with_logits,
               [distributions((2, 2, 3)), uniform((2, 2, 3))]),
        Sample(lambda a, b: losses.softmax_cross_entropy_with_logits(a, b, axis=0),
               [distributions((3, 2)).T, X], unknown=False),
        Sample(lambda a, b: apply(losses.SOFTMAX_CROSS_ENTROPY, (a, b)),
               [distributions((2, 3)), X]),
    ],
    "SparseSoftmaxCrossEntropyWithLogits": [
        Sample(losses.sparse_softmax_cross_entropy_with_logits, [LABELS, X]),
        Sample(losses.sparse_softmax_cross_entropy_with_logits,
               [np.array([[1, 0], [2, 2]]), uniform((2, 2, 3))]),
        Sample(losses.sparse_softmax_cross_entropy_with_logits, [np.array(1), uniform((3,))]),
        Sample(losses.sparse_softmax_cross_entropy_with_logits, [LABELS[:0], X[:0]]),
        Sample(lambda a, b: apply(losses.SPARSE_CROSS_ENTROPY, (a, b)), [LABELS, X]),
    ],
    "L2Loss": on_floats(losses.l2_loss),
    "L2Normalize": [Sample(norm.l2_normalize, [X]),
                    Sample(lambda x: norm.l2_normalize(x, axis=1), [X])],
    "Moments": [
        Sample(lambda x: norm.moments(x, [0]), [X], second=False),
        Sample(lambda x: norm.moments(x, [0, 1], keepdims=True), [X], second=False),
        Sample(lambda x: norm.weighted_moments(x, [0], [[1.0], [3.0]]), [X]),
        Sample(lambda x: norm.sufficient_statistics(x, [0])[1:3], [X]),
    ],
    "BatchNormalization": [
        Sample(lambda x, m, v, o, s: norm.batch_normalization(x, m, v, o, s, 1e-3),
               [X, uniform((3,)), uniform((3,), 0.5, 1), uniform((3,)), uniform((3,))]),
    ],
    "ChannelWindowSums": [
        Sample(lambda x: norm.lrn(x, depth_radius=1, alpha=0.5, beta=0.75), [uniform((1, 2, 1, 4))])
    ],
    "ZeroFraction": [Sample(norm.zero_fraction, [np.array([0.0, 1.0])], grad=False)],
    "Dropout": [
        Sample(lambda x: layers.dropout(x, 0.5), [X], grad=False, random=True),
        Sample(lambda x: layers.stateless_dropout(x, 0.5, [1, 2]), [X]),
        Sample(lambda x: layers.stateless_dropout(x, 0.5, [1, 2], noise_shape=[2, 1]), [X]),
    ],
    "EmbeddingLookup": [
        Sample(layers.embedding_lookup, [uniform((4, 2)), np.array([[0, 3], [3, 1]])]),
        Sample(lambda p, i: layers.embedding_lookup(p, i, max_norm=0.5),
               [uniform((4, 2)), np.array([0, 3])], unknown=False),
    ],
    "BiasAdd": [
        Sample(layers.bias_add, [uniform((2, 3)), uniform((3,))]),
        Sample(lambda x, b: layers.bias_add(x, b, "NCHW"), [uniform((2, 3, 2, 2)), uniform((3,))],
               unknown=False),
    ],
}  # fmt: skip
