"""`ag.nn`: activations, losses, convolutions, pooling, normalisation."""

from __future__ import annotations

from runtime.ops.nn_activations import crelu as crelu
from runtime.ops.nn_activations import elu as elu
from runtime.ops.nn_activations import gelu as gelu
from runtime.ops.nn_activations import leaky_relu as leaky_relu
from runtime.ops.nn_activations import log_sigmoid as log_sigmoid
from runtime.ops.nn_activations import log_softmax as log_softmax
from runtime.ops.nn_activations import relu as relu
from runtime.ops.nn_activations import relu6 as relu6
from runtime.ops.nn_activations import selu as selu
from runtime.ops.nn_activations import silu as silu
from runtime.ops.nn_activations import softmax as softmax
from runtime.ops.nn_activations import softsign as softsign
from runtime.ops.nn_activations import swish as swish
from runtime.ops.nn_convolution import atrous_conv2d as atrous_conv2d
from runtime.ops.nn_convolution import atrous_conv2d_transpose as atrous_conv2d_transpose
from runtime.ops.nn_convolution import conv1d as conv1d
from runtime.ops.nn_convolution import conv1d_transpose as conv1d_transpose
from runtime.ops.nn_convolution import conv2d as conv2d
from runtime.ops.nn_convolution import conv2d_transpose as conv2d_transpose
from runtime.ops.nn_convolution import conv3d as conv3d
from runtime.ops.nn_convolution import conv3d_transpose as conv3d_transpose
from runtime.ops.nn_convolution import conv_transpose as conv_transpose
from runtime.ops.nn_convolution import convolution as convolution
from runtime.ops.nn_convolution import depthwise_conv2d as depthwise_conv2d
from runtime.ops.nn_convolution import (
    depthwise_conv2d_backprop_input as depthwise_conv2d_backprop_input,
)
from runtime.ops.nn_convolution import separable_conv2d as separable_conv2d
from runtime.ops.nn_layers import bias_add as bias_add
from runtime.ops.nn_layers import dropout as dropout
from runtime.ops.nn_layers import embedding_lookup as embedding_lookup
from runtime.ops.nn_layers import stateless_dropout as stateless_dropout
from runtime.ops.nn_losses import l2_loss as l2_loss
from runtime.ops.nn_losses import log_poisson_loss as log_poisson_loss
from runtime.ops.nn_losses import (
    sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits,
)
from runtime.ops.nn_losses import (
    softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits,
)
from runtime.ops.nn_losses import (
    sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits,
)
from runtime.ops.nn_losses import (
    weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits,
)
from runtime.ops.nn_normalization import batch_normalization as batch_normalization
from runtime.ops.nn_normalization import l2_normalize as l2_normalize
from runtime.ops.nn_normalization import (
    local_response_normalization as local_response_normalization,
)
from runtime.ops.nn_normalization import lrn as lrn
from runtime.ops.nn_normalization import moments as moments
from runtime.ops.nn_normalization import normalize_moments as normalize_moments
from runtime.ops.nn_normalization import sufficient_statistics as sufficient_statistics
from runtime.ops.nn_normalization import weighted_moments as weighted_moments
from runtime.ops.nn_normalization import zero_fraction as zero_fraction
from runtime.ops.nn_pooling import avg_pool as avg_pool
from runtime.ops.nn_pooling import avg_pool1d as avg_pool1d
from runtime.ops.nn_pooling import avg_pool2d as avg_pool2d
from runtime.ops.nn_pooling import avg_pool3d as avg_pool3d
from runtime.ops.nn_pooling import max_pool as max_pool
from runtime.ops.nn_pooling import max_pool1d as max_pool1d
from runtime.ops.nn_pooling import max_pool2d as max_pool2d
from runtime.ops.nn_pooling import max_pool3d as max_pool3d
from runtime.ops.nn_pooling import max_pool_with_argmax as max_pool_with_argmax
from runtime.ops.nn_pooling import pool as pool
from runtime.ops.nn_space import batch_to_space as batch_to_space
from runtime.ops.nn_space import depth_to_space as depth_to_space
from runtime.ops.nn_space import space_to_batch as space_to_batch
from runtime.ops.nn_space import space_to_depth as space_to_depth
from runtime.ops.sorting import approx_max_k as approx_max_k
from runtime.ops.sorting import approx_min_k as approx_min_k
from runtime.ops.sorting import in_top_k as in_top_k
from runtime.ops.sorting import top_k as top_k
from runtime.ops.trigonometric import tanh as tanh
from runtime.ops.unary import sigmoid as sigmoid
from runtime.ops.unary import softplus as softplus
