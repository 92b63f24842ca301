"""Pooling: the largest or the mean of what a window covers."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype, from_numpy
from runtime.ops.apply import apply
from runtime.ops.gradients_support import zeros_like
from runtime.ops.nn_windows import (
    Window,
    image_dims,
    is_channels_last,
    out_sizes,
    padded,
    padding_argument,
    pads,
    per_axis,
    places_of,
    taps,
    unpadded,
)
from runtime.ops.registry import OpDef, Spec, define, gradient
from runtime.ops.shaping import described_shape, dims_of, shape_tensor, transpose
from runtime.shapes import TensorShape
from runtime.tensor import Tensor

# In attributes a window is a plain tuple, which can be written to a file and read back.


def _pooled_shape(inputs: Any, attrs: Any) -> TensorShape:
    window = Window(*attrs["window"])
    dims = image_dims(inputs[0].shape, len(window.size))
    return TensorShape((dims[0], *out_sizes(window, dims[1:-1]), dims[-1]))


def _pooled(inputs: Any, attrs: Any) -> Spec:
    return Spec(inputs[0].dtype, _pooled_shape(inputs, attrs))


# ---- the largest


def _lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else from_numpy(dtype).min


def _max_kernel(x: Any, window: Any) -> Any:
    window = Window(*window)
    places = places_of(window, x.shape[1:-1])
    source = padded(x, window, _lowest(x.dtype))
    made: Any = None
    for _, index in taps(window, places):
        made = source[index].copy() if made is None else np.maximum(made, source[index], out=made)
    return made


def _chosen(source: Any, y: Any, window: Window) -> Any:
    """For each element of the window, in order, where it is the first that is the largest."""
    free = np.ones(y.shape, bool)
    for _, index in taps(window, y.shape[1:-1]):
        mine = free & (source[index] == y)
        free &= ~mine
        yield index, mine


def _max_gradient_kernel(x: Any, y: Any, dy: Any, window: Any) -> Any:
    window = Window(*window)
    source = padded(x, window, _lowest(x.dtype))
    made = np.zeros_like(source)
    for index, mine in _chosen(source, y, window):
        made[index] += np.where(mine, dy, dy.dtype.type(0))
    return np.ascontiguousarray(unpadded(made, window, x.shape[1:-1]))


def _max_second_kernel(x: Any, y: Any, ddx: Any, window: Any) -> Any:
    window = Window(*window)
    source = padded(x, window, _lowest(x.dtype))
    given = padded(ddx, window)
    made = np.zeros_like(y)
    for index, mine in _chosen(source, y, window):
        made += np.where(mine, given[index], ddx.dtype.type(0))
    return made


def _like_first(inputs: Any, attrs: Any) -> Spec:
    return Spec(inputs[2].dtype, inputs[0].shape)


def _like_second(inputs: Any, attrs: Any) -> Spec:
    return Spec(inputs[2].dtype, inputs[1].shape)


MAX_POOL = define("MaxPool", kernel=_max_kernel, infer=_pooled)
MAX_POOL_GRAD = define("MaxPoolGrad", kernel=_max_gradient_kernel, infer=_like_first)
MAX_POOL_GRAD_GRAD = define("MaxPoolGradGrad", kernel=_max_second_kernel, infer=_like_second)


@gradient(MAX_POOL)
def _(op: Any, dy: Tensor) -> Any:
    return (apply(MAX_POOL_GRAD, (op.inputs[0], op.outputs[0], dy), op.attrs),)


@gradient(MAX_POOL_GRAD)
def _(op: Any, ddx: Tensor) -> Any:
    x, y, _ = op.inputs
    return zeros_like(x), zeros_like(y), apply(MAX_POOL_GRAD_GRAD, (x, y, ddx), op.attrs)


@gradient(MAX_POOL_GRAD_GRAD)
def _(op: Any, dy: Tensor) -> Any:
    x, y, _ = op.inputs
    return zeros_like(x), zeros_like(y), apply(MAX_POOL_GRAD, (x, y, dy), op.attrs)


# ---- the mean


def _counts(window: Window, spatial: Any, dtype: Any) -> Any:
    """How many elements, padding left out, the window covers at each place."""
    made = np.ones((), dtype)
    for i, length in enumerate(spatial):
        one = Window(
            (window.size[i],), (window.strides[i],), (window.dilations[i],), window.padding
        )
        if not isinstance(window.padding, str):
            one = one._replace(padding=(window.padding[i],))
        line = padded(np.ones((1, length, 1), dtype), one)
        along = sum(line[index] for _, index in taps(one, places_of(one, (length,))))
        made = made[..., None] * np.reshape(along, -1)
    return made[None, ..., None]


def _mean_kernel(x: Any, window: Any) -> Any:
    window = Window(*window)
    places = places_of(window, x.shape[1:-1])
    source = padded(x, window)
    total: Any = None
    for _, index in taps(window, places):
        total = source[index].copy() if total is None else np.add(total, source[index], out=total)
    return total / _counts(window, x.shape[1:-1], x.dtype)


def _mean_gradient_kernel(dy: Any, dims: Any = None, *, window: Any, shape: Any = None) -> Any:
    window = Window(*window)
    shape = dims_of(dims) if dims is not None else shape
    spatial = shape[1:-1]
    share = dy / _counts(window, spatial, dy.dtype)
    sizes = [n + a + b for n, (a, b) in zip(spatial, pads(window, spatial), strict=True)]
    made = np.zeros((shape[0], *sizes, shape[-1]), dy.dtype)
    for _, index in taps(window, dy.shape[1:-1]):
        made[index] += share
    return np.ascontiguousarray(unpadded(made, window, spatial))


AVG_POOL = define("AvgPool", kernel=_mean_kernel, infer=_pooled)
AVG_POOL_GRAD = define(
    "AvgPoolGrad",
    kernel=_mean_gradient_kernel,
    infer=lambda inputs, attrs: Spec(
        inputs[0].dtype, described_shape(inputs, attrs, 1).with_rank(len(attrs["window"][0]) + 2)
    ),
)


@gradient(AVG_POOL)
def _(op: Any, dy: Tensor) -> Any:
    dims = shape_tensor(op.inputs[0])
    if isinstance(dims, tuple):
        return (apply(AVG_POOL_GRAD, (dy,), {**op.attrs, "shape": dims}),)
    return (apply(AVG_POOL_GRAD, (dy, dims), op.attrs),)


@gradient(AVG_POOL_GRAD)
def _(op: Any, ddx: Tensor) -> Any:
    made = apply(AVG_POOL, (ddx,), {"window": op.attrs["window"]})
    return (made,) + (None,) * (len(op.inputs) - 1)


# ---- with the places of the largest


def _argmax_kernel(x: Any, window: Any, output_dtype: Any, include_batch: bool) -> Any:
    window = Window(*window)
    y = _max_kernel(x, window)
    source = padded(x, window, _lowest(x.dtype))
    numbers = np.arange(x.size).reshape(x.shape)
    if not include_batch and x.shape[0]:
        numbers = numbers % max(x.size // x.shape[0], 1)
    numbered = padded(numbers, window, -1)
    places = np.zeros(y.shape, np.int64)
    for index, mine in _chosen(source, y, window):
        places = np.where(mine, numbered[index], places)
    return y, places.astype(output_dtype.np_dtype)


MAX_POOL_WITH_ARGMAX = define(
    "MaxPoolWithArgmax",
    kernel=_argmax_kernel,
    infer=lambda inputs, attrs: [
        _pooled(inputs, attrs),
        Spec(attrs["output_dtype"], _pooled_shape(inputs, attrs)),
    ],
)


@gradient(MAX_POOL_WITH_ARGMAX)
def _(op: Any, dy: Any, dplaces: Any) -> Any:
    if dy is None:
        return (None,)
    attrs = {"window": op.attrs["window"]}
    return (apply(MAX_POOL_GRAD, (op.inputs[0], op.outputs[0], dy), attrs),)


# ---- public


def _pool(
    op: OpDef,
    x: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None,
    rank: int | None,
    name: Any,
    dilations: Any = None,
) -> Tensor:
    images = convert_to_tensor(x)
    if rank is None:
        if images.shape.rank is None:
            raise ValueError("pooling needs a tensor of known rank")
        rank = images.shape.rank - 2
    last = is_channels_last(data_format)
    window = Window(
        per_axis(ksize, rank, last, "ksize"),
        per_axis(strides, rank, last, "strides"),
        per_axis(dilations, rank, last, "dilations"),
        padding_argument(padding, rank, last),
    )
    if last:
        return apply(op, (images,), {"window": tuple(window)}, name)
    moved = transpose(images, [0, *range(2, rank + 2), 1])
    made = apply(op, (moved,), {"window": tuple(window)}, name)
    return transpose(made, [0, rank + 1, *range(1, rank + 1)])


def max_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The largest of what a window covers, over one, two or three spatial axes.

    Args:
      input: shape (batch, *spatial, channels).
      ksize: the size of the window: one number, one a spatial axis, or one an axis.
      strides: how far it moves.
      padding: "SAME", "VALID" or pairs; padding is never the largest, and no part of a mean.
      data_format: channels are last unless this starts with "NC".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.max_pool([[[1.0], [3.0]]], 2, 2, "VALID").numpy().ravel().tolist()
    [3.0]
    """
    return _pool(MAX_POOL, input, ksize, strides, padding, data_format, None, name)


def max_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """The largest of what a window covers along one axis.

    Args:
      input: shape (batch, width, channels).
      ksize: the size of the window: one number.
      strides: how far it moves.
      padding: "SAME", "VALID" or pairs; padding is never the largest, and no part of a mean.
      data_format: "NWC" or "NCW".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.max_pool1d([[[1.0], [3.0]]], 2, 2, "VALID").numpy().ravel().tolist()
    [3.0]
    """
    return _pool(MAX_POOL, input, ksize, strides, padding, data_format, 1, name)


def max_pool2d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The largest of what a window covers of images.

    Args:
      input: shape (batch, height, width, channels).
      ksize: the size of the window: one number, two, or four.
      strides: how far it moves.
      padding: "SAME", "VALID" or pairs; padding is never the largest, and no part of a mean.
      data_format: "NHWC" or "NCHW".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.max_pool2d([[[[1.0], [3.0]]]], [1, 2], 2, "VALID").numpy().ravel().tolist()
    [3.0]
    """
    return _pool(MAX_POOL, input, ksize, strides, padding, data_format, 2, name)


def max_pool3d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The largest of what a window covers along three axes.

    Args:
      input: shape (batch, depth, height, width, channels).
      ksize: the size of the window: one number, three, or five.
      strides: how far it moves.
      padding: "SAME", "VALID" or pairs; padding is never the largest, and no part of a mean.
      data_format: "NDHWC" or "NCDHW".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.max_pool3d([[[[[1.0], [3.0]]]]], [1, 1, 2], 2, "VALID").numpy().ravel().tolist()
    [3.0]
    """
    return _pool(MAX_POOL, input, ksize, strides, padding, data_format, 3, name)


def avg_pool(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The mean of what a window covers, over one, two or three spatial axes.

    Args:
      input: shape (batch, *spatial, channels).
      ksize: the size of the window: one number, one a spatial axis, or one an axis.
      strides: how far it moves.
      padding: "SAME" or "VALID"; padding is never the largest and does not count in means.
      data_format: channels are last unless this starts with "NC".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.avg_pool([[[1.0], [3.0]]], 2, 2, "VALID").numpy().ravel().tolist()
    [2.0]
    """
    return _pool(AVG_POOL, input, ksize, strides, padding, data_format, None, name)


def avg_pool1d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NWC",
    name: str | None = None,
) -> Tensor:
    """The mean of what a window covers along one axis.

    Args:
      input: shape (batch, width, channels).
      ksize: the size of the window: one number.
      strides: how far it moves.
      padding: "SAME" or "VALID"; padding is never the largest and does not count in means.
      data_format: "NWC" or "NCW".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.avg_pool1d([[[1.0], [3.0]]], 2, 2, "VALID").numpy().ravel().tolist()
    [2.0]
    """
    return _pool(AVG_POOL, input, ksize, strides, padding, data_format, 1, name)


def avg_pool2d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of what a window covers of images.

    Args:
      input: shape (batch, height, width, channels).
      ksize: the size of the window: one number, two, or four.
      strides: how far it moves.
      padding: "SAME" or "VALID"; padding is never the largest and does not count in means.
      data_format: "NHWC" or "NCHW".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.avg_pool2d([[[[1.0], [3.0]]]], [1, 2], 2, "VALID").numpy().ravel().tolist()
    [2.0]
    """
    return _pool(AVG_POOL, input, ksize, strides, padding, data_format, 2, name)


def avg_pool3d(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str | None = "NDHWC",
    name: str | None = None,
) -> Tensor:
    """The mean of what a window covers along three axes.

    Args:
      input: shape (batch, depth, height, width, channels).
      ksize: the size of the window: one number, three, or five.
      strides: how far it moves.
      padding: "SAME" or "VALID"; padding is never the largest and does not count in means.
      data_format: "NDHWC" or "NCDHW".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.avg_pool3d([[[[[1.0], [3.0]]]]], [1, 1, 2], 2, "VALID").numpy().ravel().tolist()
    [2.0]
    """
    return _pool(AVG_POOL, input, ksize, strides, padding, data_format, 3, name)


def pool(
    input: Any,
    window_shape: Any,
    pooling_type: str,
    strides: Any = None,
    padding: Any = "VALID",
    data_format: str | None = None,
    dilations: Any = None,
    name: str | None = None,
) -> Tensor:
    """The largest or the mean of what a window covers.

    Args:
      input: shape (batch, *spatial, channels).
      window_shape: the size of the window, one number a spatial axis.
      pooling_type: "MAX" or "AVG".
      strides: how far the window moves, 1 by default.
      padding: "SAME" or "VALID".
      data_format: channels are last unless this starts with "NC".
      dilations: the distance of the elements that the window covers.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.nn.pool([[[1.0], [3.0]]], [2], "AVG").numpy().ravel().tolist()
    [2.0]
    """
    kinds = {"MAX": MAX_POOL, "AVG": AVG_POOL}
    if pooling_type not in kinds:
        raise ValueError(f'pooling_type must be "MAX" or "AVG", found {pooling_type!r}')
    op, rank = kinds[pooling_type], len(window_shape)
    return _pool(op, input, window_shape, strides, padding, data_format, rank, name, dilations)


def max_pool_with_argmax(
    input: Any,
    ksize: Any,
    strides: Any,
    padding: Any,
    data_format: str = "NHWC",
    output_dtype: Any = dtypes.int64,
    include_batch_in_index: bool = False,
    name: str | None = None,
) -> tuple[Tensor, Tensor]:
    """The largest of what a window covers of images, and where it stands.

    Args:
      input: shape (batch, height, width, channels).
      ksize: the size of the window: one number, two, or four.
      strides: how far it moves.
      padding: "SAME" or "VALID".
      data_format: "NHWC".
      output_dtype: the dtype of the places, int32 or int64.
      include_batch_in_index: whether places are counted through all images, not in each.
      name: the operation's name in a graph.

    Returns:
      The largest values, and their places in the flattened image.

    >>> import autograph_lite as ag
    >>> x = ag.reshape([1.0, 4.0, 2.0, 3.0], [1, 2, 2, 1])
    >>> [t.numpy().item() for t in ag.nn.max_pool_with_argmax(x, 2, 2, "VALID")]
    [4.0, 1]
    """
    window = Window(
        per_axis(ksize, 2, True, "ksize"),
        per_axis(strides, 2, True, "strides"),
        (1, 1),
        padding_argument(padding, 2, True),
    )
    attrs = {
        "window": tuple(window),
        "output_dtype": as_dtype(output_dtype),
        "include_batch": bool(include_batch_in_index),
    }
    y, places = apply(MAX_POOL_WITH_ARGMAX, (convert_to_tensor(input),), attrs, name)
    return y, places
