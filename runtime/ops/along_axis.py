"""Picking from and adding into places along one axis: what sorting's gradients are made of."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.apply import apply
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.shaping import described_shape, dims_of, shape_tensor
from runtime.tensor import Tensor

TAKE = define(
    "TakeAlongAxis",
    kernel=lambda x, places, axis: np.take_along_axis(x, places, axis),
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, inputs[1].shape),
)


def _put_kernel(values: Any, places: Any, dims: Any = None, *, axis: int, shape: Any = None) -> Any:
    made = np.zeros(shape if dims is None else dims_of(dims), values.dtype)
    np.put_along_axis(made, places, values, axis)
    return made


PUT = define(
    "PutAlongAxis",
    kernel=_put_kernel,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, described_shape(inputs, attrs, 2)),
)


@gradient(TAKE)
def _(op: Any, dy: Tensor) -> Any:
    return put_along_axis(dy, op.inputs[1], op.inputs[0], op.attrs["axis"]), None


@gradient(PUT)
def _(op: Any, dy: Tensor) -> Any:
    taken = take_along_axis(dy, op.inputs[1], op.attrs["axis"])
    return (taken,) + (None,) * (len(op.inputs) - 1)


def take_along_axis(x: Tensor, places: Tensor, axis: int) -> Tensor:
    """`x` at `places` along `axis`; the other axes of both agree."""
    return apply(TAKE, (x, places), {"axis": axis})


def put_along_axis(values: Tensor, places: Tensor, like: Tensor, axis: int) -> Tensor:
    """Zeros of the shape of `like` with `values` at `places`, which differ from each other."""
    dims = shape_tensor(like)
    if isinstance(dims, tuple):
        return apply(PUT, (values, places), {"axis": axis, "shape": dims})
    return apply(PUT, (values, places, dims), {"axis": axis})
