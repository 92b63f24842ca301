"""`ag.nn`: activations, losses, convolutions, pooling, normalisation."""

# ruff: noqa: I001 - one name a line, by module
from __future__ import annotations

from runtime.ops.nn_activations import log_softmax as log_softmax
from runtime.ops.nn_activations import relu as relu
from runtime.ops.nn_activations import softmax as softmax
from runtime.ops.sorting import in_top_k as in_top_k
from runtime.ops.sorting import top_k as top_k
from runtime.ops.trigonometric import tanh as tanh
from runtime.ops.unary import sigmoid as sigmoid
from runtime.ops.unary import softplus as softplus
