"""Convolutions of one, two and three spatial axes, and their transposes."""

from __future__ import annotations

from typing import Any

from runtime.convert import convert_to_tensor
from runtime.ops.nn_activations import as_floats
from runtime.ops.nn_convolution_ops import convolve, convolve_back
from runtime.ops.nn_windows import is_channels_last, padding_argument, per_axis
from runtime.ops.promotion import operands
from runtime.ops.shaping import dims_argument, reshape, shape, transpose
from runtime.tensor import Tensor


def _channels_last(x: Tensor, rank: int) -> Tensor:
    return transpose(x, [0, *range(2, rank + 2), 1])


def _channels_first(x: Tensor, rank: int) -> Tensor:
    return transpose(x, [0, rank + 1, *range(1, rank + 1)])


def _operands(x: Any, filters: Any, rank: int) -> tuple[Tensor, Tensor]:
    images, weights = operands(as_floats(x), as_floats(filters))
    for what, tensor in (("images", images), ("filters", weights)):
        if tensor.shape.rank not in (None, rank + 2):
            raise ValueError(f"{what} must have rank {rank + 2}, found shape {tensor.shape}")
    return images, weights


def _conv(
    x: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
    rank: int,
) -> Tensor:
    last = is_channels_last(data_format)
    images, weights = _operands(x, filters, rank)
    moves = per_axis(strides, rank, last, "strides")
    gaps = per_axis(dilations, rank, last, "dilations")
    sides = padding_argument(padding, rank, last)
    if last:
        return convolve(images, weights, moves, gaps, sides)
    made = convolve(_channels_last(images, rank), weights, moves, gaps, sides)
    return _channels_first(made, rank)


def conv1d(
    input: Any,
    filters: Any,
    stride: Any,
    padding: Any,
    data_format: str | None = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution along one axis.

    Args:
      input: shape (batch, width, channels).
      filters: shape (width, channels, outputs).
      stride: how far the filter moves.
      padding: "SAME", "VALID", or a list of pairs.
      data_format: "NWC" or "NCW".
      dilations: the distance of the elements that the filter covers.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> x = ag.reshape([1.0, 2.0, 3.0], [1, 3, 1])
    >>> ag.nn.conv1d(x, [[[1.0]], [[1.0]]], 1, "VALID").numpy().ravel().tolist()
    [3.0, 5.0]
    """
    return _conv(input, filters, stride, padding, data_format, dilations, 1)


def conv2d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution of images.

    Args:
      input: shape (batch, height, width, channels).
      filters: shape (height, width, channels, outputs). With fewer channels than the images have,
        these are convolved in groups.
      strides: how far the filter moves: one number, two, or four.
      padding: "SAME", "VALID", or a list of four pairs.
      data_format: "NHWC" or "NCHW".
      dilations: the distance of the elements that the filter covers.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.conv2d(ag.ones([1, 3, 3, 1]), ag.ones([2, 2, 1, 1]), 1, "VALID").numpy().ravel()
    array([4., 4., 4., 4.], dtype=float32)
    """
    return _conv(input, filters, strides, padding, data_format, dilations, 2)


def conv3d(
    input: Any,
    filters: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution along three axes.

    Args:
      input: shape (batch, depth, height, width, channels).
      filters: shape (depth, height, width, channels, outputs).
      strides: how far the filter moves: one number, three, or five.
      padding: "SAME" or "VALID".
      data_format: "NDHWC" or "NCDHW".
      dilations: the distance of the elements that the filter covers.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.conv3d(ag.ones([1, 2, 2, 2, 1]), ag.ones([2, 2, 2, 1, 1]), 1, "VALID").numpy().item()
    8.0
    """
    return _conv(input, filters, strides, padding, data_format, dilations, 3)


def convolution(
    input: Any,
    filters: Any,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution along one, two or three axes, as the rank of `filters` says.

    Args:
      input: shape (batch, *spatial, channels).
      filters: shape (*spatial, channels, outputs).
      strides: how far the filter moves.
      padding: "SAME" or "VALID".
      data_format: channels are last unless this starts with "NC".
      dilations: the distance of the elements that the filter covers.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.convolution(ag.ones([1, 3, 1]), ag.ones([2, 1, 1])).numpy().ravel().tolist()
    [2.0, 2.0]
    """
    weights = convert_to_tensor(filters)
    if weights.shape.rank is None:
        raise ValueError("convolution needs filters of known rank")
    rank = weights.shape.rank - 2
    return _conv(input, weights, strides, padding, data_format, dilations, rank)


def depthwise_conv2d(
    input: Any,
    filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """Convolution of each channel of images by itself.

    Args:
      input: shape (batch, height, width, channels).
      filter: shape (height, width, channels, multiplier); there are channels * multiplier outputs.
      strides: four numbers.
      padding: "SAME", "VALID", or a list of four pairs.
      data_format: "NHWC" or "NCHW".
      dilations: two numbers.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> x, w = ag.ones([1, 2, 2, 2]), ag.ones([2, 2, 2, 1])
    >>> ag.nn.depthwise_conv2d(x, w, [1, 1, 1, 1], "VALID").numpy().ravel().tolist()
    [4.0, 4.0]
    """
    weights = as_floats(filter)
    return _conv(input, _one_channel_each(weights), strides, padding, data_format, dilations, 2)


def _one_channel_each(weights: Tensor) -> Tensor:
    """(h, w, channels, multiplier) as filters of one channel: (h, w, 1, channels * multiplier)."""
    if weights.shape.rank not in (None, 4):
        raise ValueError(f"filters must have rank 4, found shape {weights.shape}")
    dims = weights.shape.as_tuple()
    if dims is not None and None not in dims:
        h, w, channels, multiplier = dims
        return reshape(weights, [h, w, 1, channels * multiplier])  # type: ignore[operator]
    sizes = shape(weights)
    from runtime.ops.joining import stack

    return reshape(weights, stack([sizes[0], sizes[1], 1, sizes[2] * sizes[3]]))


def separable_conv2d(
    input: Any,
    depthwise_filter: Any,
    pointwise_filter: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """`depthwise_conv2d`, then a convolution with filters of one pixel.

    Args:
      input: shape (batch, height, width, channels).
      depthwise_filter: shape (height, width, channels, multiplier).
      pointwise_filter: shape (1, 1, channels * multiplier, outputs).
      strides: four numbers.
      padding: "SAME" or "VALID".
      data_format: "NHWC" or "NCHW".
      dilations: two numbers.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> x, w, p = ag.ones([1, 2, 2, 2]), ag.ones([2, 2, 2, 1]), ag.ones([1, 1, 2, 1])
    >>> ag.nn.separable_conv2d(x, w, p, [1, 1, 1, 1], "VALID").numpy().item()
    8.0
    """
    deep = depthwise_conv2d(input, depthwise_filter, strides, padding, data_format, dilations)
    return _conv(deep, pointwise_filter, 1, "VALID", data_format, None, 2)


def atrous_conv2d(
    value: Any, filters: Any, rate: int, padding: Any, name: str | None = None
) -> Tensor:
    """Convolution with filters whose elements are `rate` apart.

    Args:
      value: shape (batch, height, width, channels).
      filters: shape (height, width, channels, outputs).
      rate: the distance.
      padding: "SAME" or "VALID".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.atrous_conv2d(ag.ones([1, 3, 3, 1]), ag.ones([2, 2, 1, 1]), 2, "VALID").numpy().item()
    4.0
    """
    return _conv(value, filters, 1, padding, "NHWC", rate, 2)


# ---- transposes


def _transposed(
    x: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    dilations: Any,
    rank: int,
) -> Tensor:
    last = is_channels_last(data_format)
    images, weights = _operands(x, filters, rank)
    moves = per_axis(strides, rank, last, "strides")
    gaps = per_axis(dilations, rank, last, "dilations")
    sides = padding_argument(padding, rank, last)
    dims, tensor = dims_argument(output_shape)
    target: Any = tensor if dims is None else dims
    if last:
        return convolve_back(images, weights, target, moves, gaps, sides)
    if isinstance(target, tuple):
        target = (target[0], *target[2:], target[1])
    else:
        from runtime.ops.gathering import gather

        target = gather(target, [0, *range(2, rank + 2), 1])
    moved = _channels_last(images, rank)
    return _channels_first(convolve_back(moved, weights, target, moves, gaps, sides), rank)


def conv1d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = "NWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv1d`: what it would be the gradient of.

    Args:
      input: shape (batch, width, channels).
      filters: shape (width, outputs, channels).
      output_shape: the shape of the result.
      strides: how far the filter of the convolution moves.
      padding: its padding.
      data_format: "NWC" or "NCW".
      dilations: its dilations.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.conv1d_transpose(ag.ones([1, 2, 1]), ag.ones([2, 1, 1]), [1, 4, 1], 2).numpy().ravel()
    array([1., 1., 1., 1.], dtype=float32)
    """
    return _transposed(input, filters, output_shape, strides, padding, data_format, dilations, 1)


def conv2d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv2d`: what it would be the gradient of.

    Args:
      input: shape (batch, height, width, channels).
      filters: shape (height, width, outputs, channels).
      output_shape: the shape of the result.
      strides: how far the filter of the convolution moves.
      padding: its padding.
      data_format: "NHWC" or "NCHW".
      dilations: its dilations.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> x, w = ag.ones([1, 1, 1, 1]), ag.ones([2, 2, 1, 1])
    >>> ag.nn.conv2d_transpose(x, w, [1, 2, 2, 1], 2).numpy().ravel().tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    return _transposed(input, filters, output_shape, strides, padding, data_format, dilations, 2)


def conv3d_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = "NDHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `conv3d`: what it would be the gradient of.

    Args:
      input: shape (batch, depth, height, width, channels).
      filters: shape (depth, height, width, outputs, channels).
      output_shape: the shape of the result.
      strides: how far the filter of the convolution moves.
      padding: its padding.
      data_format: "NDHWC" or "NCDHW".
      dilations: its dilations.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> x, w = ag.ones([1, 1, 1, 1, 1]), ag.ones([2, 2, 2, 1, 1])
    >>> ag.nn.conv3d_transpose(x, w, [1, 2, 2, 2, 1], 2).shape
    TensorShape([1, 2, 2, 2, 1])
    """
    return _transposed(input, filters, output_shape, strides, padding, data_format, dilations, 3)


def conv_transpose(
    input: Any,
    filters: Any,
    output_shape: Any,
    strides: Any,
    padding: Any = "SAME",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The transpose of `convolution`, as the rank of `filters` says.

    Args:
      input: shape (batch, *spatial, channels).
      filters: shape (*spatial, outputs, channels).
      output_shape: the shape of the result.
      strides: how far the filter of the convolution moves.
      padding: its padding.
      data_format: channels are last unless this starts with "NC".
      dilations: its dilations.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.conv_transpose(ag.ones([1, 2, 1]), ag.ones([2, 1, 1]), [1, 4, 1], 2).shape
    TensorShape([1, 4, 1])
    """
    weights = convert_to_tensor(filters)
    if weights.shape.rank is None:
        raise ValueError("conv_transpose needs filters of known rank")
    rank = weights.shape.rank - 2
    return _transposed(input, weights, output_shape, strides, padding, data_format, dilations, rank)


def atrous_conv2d_transpose(
    value: Any, filters: Any, output_shape: Any, rate: int, padding: Any, name: str | None = None
) -> Tensor:
    """The transpose of `atrous_conv2d`: what it would be the gradient of.

    Args:
      value: shape (batch, height, width, channels).
      filters: shape (height, width, outputs, channels).
      output_shape: the shape of the result.
      rate: the distance of the elements that the filter covers.
      padding: "SAME" or "VALID".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> x, w = ag.ones([1, 1, 1, 1]), ag.ones([2, 2, 1, 1])
    >>> ag.nn.atrous_conv2d_transpose(x, w, [1, 3, 3, 1], 2, "VALID").numpy().sum().item()
    4.0
    """
    return _transposed(value, filters, output_shape, 1, padding, "NHWC", rate, 2)


def depthwise_conv2d_backprop_input(
    input_sizes: Any,
    filter: Any,
    out_backprop: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The gradient of `depthwise_conv2d` with respect to its images.

    Args:
      input_sizes: the shape of the images.
      filter: shape (height, width, channels, multiplier).
      out_backprop: the gradient of the result.
      strides: those of the convolution.
      padding: its padding.
      data_format: "NHWC" or "NCHW".
      dilations: its dilations.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> w, dy = ag.ones([2, 2, 1, 1]), ag.ones([1, 1, 1, 1])
    >>> ag.nn.depthwise_conv2d_backprop_input([1, 2, 2, 1], w, dy, [1, 1, 1, 1], "VALID").shape
    TensorShape([1, 2, 2, 1])
    """
    weights = _one_channel_each(as_floats(filter))
    return _transposed(
        out_backprop, weights, input_sizes, strides, padding, data_format, dilations, 2
    )
