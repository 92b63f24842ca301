"""Samples of activations."""

from __future__ import annotations

import numpy as np

from runtime.ops import nn_activations as nn
from runtime.ops.apply import apply
from tests.ops.sampling import Sample, uniform

X = uniform((2, 3), -2, 2)

SAMPLES = {
    "Relu": [Sample(nn.relu, [X]), Sample(nn.relu, [np.array([-1, 2])])],
    "ReluGrad": [Sample(lambda dy, y: apply(nn.RELU_GRAD, (dy, y)), [uniform((2, 3)), X])],
    "Softmax": [
        Sample(nn.softmax, [X]),
        Sample(lambda x: nn.softmax(x, axis=0), [uniform((2, 3, 2))]),
        Sample(nn.softmax, [uniform((3,), dtype=np.float32)], grad=False),
    ],
    "LogSoftmax": [
        Sample(nn.log_softmax, [X]),
        Sample(lambda x: nn.log_softmax(x, axis=0), [uniform((2, 3, 2))]),
    ],
}
