"""Reading the bytes of a tensor as another dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype
from runtime.ops.apply import apply
from runtime.ops.registry import NO_GRADIENT, Spec, define
from runtime.shapes import UNKNOWN, TensorShape
from runtime.tensor import Tensor


def _bitcast_kernel(x: Any, dtype: Any) -> Any:
    wanted = dtype.np_dtype
    array = np.array(x, order="C")
    if wanted.itemsize == array.itemsize:
        return array.view(wanted)
    if wanted.itemsize < array.itemsize:
        return array[..., None].view(wanted)
    return array.view(wanted)[..., 0]


def _bitcast_rule(inputs: Any, attrs: Any) -> Spec:
    shape, dtype = inputs[0].shape, attrs["dtype"]
    old, new = inputs[0].dtype.size, dtype.size
    if old == new:
        return Spec(dtype, shape)
    if shape.rank is None:
        return Spec(dtype, UNKNOWN)
    if new < old:
        return Spec(dtype, shape.concatenate((old // new,)))
    if shape.rank == 0 or shape[-1] not in (None, new // old):
        raise ValueError(
            f"bitcast from {inputs[0].dtype.name} to {dtype.name} needs a last axis of size "
            f"{new // old}, found shape {shape}"
        )
    return Spec(dtype, TensorShape(shape[:-1]))


BITCAST = define("Bitcast", kernel=_bitcast_kernel, infer=_bitcast_rule, gradient=NO_GRADIENT)


def bitcast(input: Any, type: Any, name: str | None = None) -> Tensor:
    """The bytes of a tensor read as another dtype.

    Args:
      input: a tensor of numbers.
      type: the dtype. If it is shorter there is one more axis, of the several elements that one
        becomes; if it is longer the last axis, which must have as many as make one, is gone.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> hex(int(ag.bitcast(1.0, ag.uint32)))
    '0x3f800000'
    """
    x = convert_to_tensor(input)
    wanted = as_dtype(type)
    for dtype in (x.dtype, wanted):
        if not dtype.is_numeric:
            raise TypeError(f"bitcast reads numbers as numbers, found {dtype.name}")
    _bitcast_rule((x,), {"dtype": wanted})
    return apply(BITCAST, (x,), {"dtype": wanted}, name)
