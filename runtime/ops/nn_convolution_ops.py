"""The three ops of convolution: forward, and the gradients to images and to filters.

Each one's gradient consists of the other two, so that derivatives exist to any order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.apply import apply
from runtime.ops.nn_windows import (
    Window,
    image_dims,
    out_sizes,
    padded,
    pads,
    patches,
    places_of,
    taps,
    unpadded,
)
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.shaping import described_shape, dims_of, shape_tensor
from runtime.shapes import TensorShape
from runtime.tensor import Tensor


def _window(filters: Any, strides: Any, dilations: Any, padding: Any) -> Window:
    return Window(tuple(filters[: len(strides)]), strides, dilations, padding)


def _rows(x: Any, window: Window, places: Any, groups: int) -> Any:
    """What each place covers, as rows: shape (groups, batch * places, taps * channels)."""
    cut = patches(padded(x, window), window, places)
    inner = cut.shape[-1] // groups
    if groups == 1:
        return cut.reshape((1, -1, int(np.prod(window.size)) * inner))
    cut = cut.reshape((*cut.shape[:-1], groups, inner))
    cut = np.moveaxis(cut, -2, 0)
    return cut.reshape((groups, -1, int(np.prod(window.size)) * inner))


def _columns(filters: Any, groups: int) -> Any:
    """Filters as matrices: shape (groups, taps * channels, outputs of a group)."""
    flat = filters.reshape((-1, groups, filters.shape[-1] // groups))
    return np.moveaxis(flat, 1, 0)


def _by_group(dy: Any, groups: int) -> Any:
    """Results as matrices: shape (groups, batch * places, outputs of a group)."""
    flat = dy.reshape((-1, groups, dy.shape[-1] // groups))
    return np.moveaxis(flat, 1, 0)


def _conv_kernel(x: Any, filters: Any, *, strides: Any, dilations: Any, padding: Any) -> Any:
    window = _window(filters.shape, strides, dilations, padding)
    places = places_of(window, x.shape[1:-1])
    groups = x.shape[-1] // filters.shape[-2] if filters.shape[-2] else 1
    made = np.matmul(_rows(x, window, places, groups), _columns(filters, groups))
    return np.moveaxis(made, 0, 1).reshape((x.shape[0], *places, filters.shape[-1]))


def _conv_rule(inputs: Any, attrs: Any) -> Spec:
    rank = len(attrs["strides"])
    x = image_dims(inputs[0].shape, rank)
    filters = image_dims(inputs[1].shape, rank)
    inner = filters[-2]
    if x[-1] is not None and inner is not None and (inner == 0 or x[-1] % inner):
        raise ValueError(
            f"images of {x[-1]} channels (shape {inputs[0].shape}) do not fit filters for {inner} "
            f"(shape {inputs[1].shape})"
        )
    if None in filters[:rank]:
        return Spec(inputs[0].dtype, TensorShape((x[0], *(None,) * rank, filters[-1])))
    window = _window(filters, attrs["strides"], attrs["dilations"], attrs["padding"])
    return Spec(inputs[0].dtype, TensorShape((x[0], *out_sizes(window, x[1:-1]), filters[-1])))


CONV = define("Conv", kernel=_conv_kernel, infer=_conv_rule)


def _to_images_kernel(
    dy: Any,
    filters: Any,
    dims: Any = None,
    *,
    strides: Any,
    dilations: Any,
    padding: Any,
    **more: Any,
) -> Any:
    shape = dims_of(dims) if dims is not None else more["shape"]
    window = _window(filters.shape, strides, dilations, padding)
    spatial, places = shape[1:-1], dy.shape[1:-1]
    _check_places(window, spatial, places)
    groups = shape[-1] // filters.shape[-2] if filters.shape[-2] else 1
    rows = np.matmul(_by_group(dy, groups), np.swapaxes(_columns(filters, groups), 1, 2))
    rows = rows.reshape((groups, dy.shape[0], *places, *window.size, filters.shape[-2]))
    rows = np.moveaxis(rows, 0, -2).reshape((dy.shape[0], *places, *window.size, shape[-1]))
    sides = pads(window, spatial)
    sizes = [n + before + after for n, (before, after) in zip(spatial, sides, strict=True)]
    made = np.zeros((shape[0], *sizes, shape[-1]), dy.dtype)
    lead = (slice(None),) * (1 + len(places))
    for tap, index in taps(window, places):
        own: Any = (*lead, *tap)
        made[index] += rows[own]
    return np.ascontiguousarray(unpadded(made, window, spatial))


def _check_places(window: Window, spatial: Any, places: Any) -> None:
    expected = out_sizes(window, spatial)
    if tuple(expected) != tuple(places):
        raise ValueError(
            f"images of spatial shape {tuple(spatial)} give results of shape {expected}, not "
            f"{tuple(places)}"
        )


TO_IMAGES = define(
    "ConvBackpropInput",
    kernel=_to_images_kernel,
    infer=lambda inputs, attrs: Spec(
        inputs[0].dtype,
        described_shape(inputs, attrs, 2).with_rank(len(attrs["strides"]) + 2),
    ),
)


def _to_filters_kernel(
    x: Any, dy: Any, dims: Any = None, *, strides: Any, dilations: Any, padding: Any, **more: Any
) -> Any:
    shape = dims_of(dims) if dims is not None else more["shape"]
    window = _window(shape, strides, dilations, padding)
    groups = x.shape[-1] // shape[-2] if shape[-2] else 1
    rows = _rows(x, window, dy.shape[1:-1], groups)
    made = np.matmul(np.swapaxes(rows, 1, 2), _by_group(dy, groups))
    return np.moveaxis(made, 0, 1).reshape(shape)


TO_FILTERS = define(
    "ConvBackpropFilter",
    kernel=_to_filters_kernel,
    infer=lambda inputs, attrs: Spec(
        inputs[0].dtype,
        described_shape(inputs, attrs, 2).with_rank(len(attrs["strides"]) + 2),
    ),
)


def _with_shape(op: Any, attrs: dict[str, Any], inputs: Any, like: Tensor) -> Tensor:
    kept = {k: v for k, v in attrs.items() if k != "shape"}
    dims = shape_tensor(like)
    if isinstance(dims, tuple):
        return apply(op, inputs, {**kept, "shape": dims})
    return apply(op, (*inputs, dims), kept)


def _forward(attrs: dict[str, Any], x: Tensor, filters: Tensor) -> Tensor:
    return apply(CONV, (x, filters), {k: v for k, v in attrs.items() if k != "shape"})


@gradient(CONV)
def _(op: Any, dy: Tensor) -> Any:
    x, filters = op.inputs
    return (
        _with_shape(TO_IMAGES, op.attrs, (dy, filters), x),
        _with_shape(TO_FILTERS, op.attrs, (x, dy), filters),
    )


@gradient(TO_IMAGES)
def _(op: Any, dx: Tensor) -> Any:
    dy, filters = op.inputs[:2]
    more = (None,) * (len(op.inputs) - 2)
    to_filters = _with_shape(TO_FILTERS, op.attrs, (dx, dy), filters)
    return (_forward(op.attrs, dx, filters), to_filters, *more)


@gradient(TO_FILTERS)
def _(op: Any, dfilters: Tensor) -> Any:
    x, dy = op.inputs[:2]
    more = (None,) * (len(op.inputs) - 2)
    to_x = _with_shape(TO_IMAGES, op.attrs, (dy, dfilters), x)
    return (to_x, _forward(op.attrs, x, dfilters), *more)


def convolve(x: Tensor, filters: Tensor, strides: Any, dilations: Any, padding: Any) -> Tensor:
    """Convolution of images with channels last."""
    attrs = {"strides": strides, "dilations": dilations, "padding": padding}
    return apply(CONV, (x, filters), attrs)


def convolve_back(
    dy: Tensor, filters: Tensor, dims: Any, strides: Any, dilations: Any, padding: Any
) -> Tensor:
    """The transpose of `convolve`: images of shape `dims` (numbers or a tensor)."""
    attrs = {"strides": strides, "dilations": dilations, "padding": padding}
    if isinstance(dims, tuple):
        return apply(TO_IMAGES, (dy, filters), {**attrs, "shape": dims})
    return apply(TO_IMAGES, (dy, filters, dims), attrs)
