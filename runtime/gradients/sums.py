"""Sums and zeros of gradients, of tensors as well as of lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.context import thread
from runtime.convert import convert_to_tensor
from runtime.ops import gradients_support, indexing, lists
from runtime.ops.apply import apply
from runtime.ops.elementwise import ADD
from runtime.ops.registry import Spec, define, gradient
from runtime.tensor import SymbolicTensor, Tensor


def carries_gradient(tensor: Any) -> bool:
    """Whether gradients flow through a tensor: floats, complex numbers and lists of such."""
    return tensor.dtype.kind in "fcV"


def is_list(tensor: Tensor) -> bool:
    """Whether a tensor is a list."""
    return tensor.dtype.kind == "V"


def zeros_for(tensor: Tensor) -> Tensor:
    """Zeros as the gradient of `tensor`, in the graph being built."""
    if is_list(tensor):
        return lists.zeros_like_list(tensor)
    if tensor.shape.rank == 0:
        return convert_to_tensor(tensor.dtype.np_dtype.type(0))
    return gradients_support.zeros_like(tensor)


def ones_for(tensor: Tensor) -> Tensor:
    """Ones of the shape of `tensor`."""
    one = convert_to_tensor(tensor.dtype.np_dtype.type(1))
    return gradients_support.broadcast_like(one, tensor)


def zeros_for_variable(variable: Any) -> Tensor:
    """Zeros of the shape of a variable."""
    if not variable.shape.is_fully_defined():
        return gradients_support.zeros_like(variable.value())
    return zeros(variable.shape.as_tuple(), variable.dtype)


def zeros(shape: Any, dtype: Any) -> Tensor:
    """New memory full of zeros; unlike a constant, it may be added to in place."""
    from runtime.ops.creation import zeros as filled

    return filled(shape, dtype)


def added(total: Tensor | None, more: Tensor | None) -> Tensor | None:
    """The sum of two gradients of one tensor; None stands for no gradient."""
    if total is None or more is None:
        return more if total is None else total
    if is_list(total):
        return lists.add_lists(total, more)
    if thread.graph is not None:
        for sparse, other in ((more, total), (total, more)):
            made = _added_in_place(sparse, other)
            if made is not None:
                return made
    return apply(ADD, (total, more))  # type: ignore[no-any-return]


def _added_in_place(sparse: Tensor, total: Tensor) -> Tensor | None:
    """`total + sparse`, if `sparse` is known to be zero but for one part.

    So a loop that reads one row a pass touches that row only, not the whole gradient.
    """
    if not isinstance(sparse, SymbolicTensor) or sparse.op.opdef is not indexing.GET_ITEM_GRAD:
        return None
    if sparse.graph is not thread.graph:
        return None
    op = sparse.op
    dy, *rest = op.inputs
    filling = rest if op.attrs.get("shape") is not None else rest[1:]
    return apply(ADD_ITEM, (total, dy, *filling), {"index": op.attrs["index"]})  # type: ignore[no-any-return]


def _add_item_in_place(x: Any, value: Any, *filling: Any, index: Any) -> Any:
    pieces = indexing.filled_index(index, filling)
    if indexing._writes_once(index, filling):
        x[pieces] += value
    else:
        np.add.at(x, pieces, value)
    return x


def _add_item_kernel(x: Any, value: Any, *filling: Any, index: Any) -> Any:
    return _add_item_in_place(np.array(x), value, *filling, index=index)


ADD_ITEM = define(
    "AddItem",
    kernel=_add_item_kernel,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, inputs[0].shape),
    inplace=_add_item_in_place,
)


@gradient(ADD_ITEM)
def _(op: Any, dy: Tensor) -> Any:
    filling: Sequence[Tensor] = op.inputs[2:]
    back = apply(indexing.GET_ITEM, (dy, *filling), {"index": op.attrs["index"]})
    return (dy, back, *[None] * len(filling))
