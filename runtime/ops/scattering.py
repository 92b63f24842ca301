"""Putting values at coordinates: into zeros, or into a copy of a tensor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops.apply import apply
from runtime.ops.gathering import coordinates, gather_nd, integers
from runtime.ops.promotion import beside, cast_to
from runtime.ops.registry import OpDef, Spec, define, gradient
from runtime.ops.shaping import described_shape, dims_argument, dims_of
from runtime.shapes import TensorShape
from runtime.tensor import Tensor


def _check_updates(target: TensorShape, indices: Any, updates: Any) -> None:
    """Checks that `updates` has a slice of the target for each row of `indices`."""
    own, chosen, given = target.as_tuple(), indices.shape.as_tuple(), updates.shape
    if own is None or chosen is None:
        return
    if not chosen:
        raise ValueError("the indices of a scatter have rank 1 or more, found a scalar")
    if chosen[-1] is None:
        return
    if chosen[-1] > len(own):
        raise ValueError(f"indices of {chosen[-1]} coordinates cannot index shape {target}")
    wanted = TensorShape(chosen[:-1] + own[chosen[-1] :])
    if not given.is_compatible_with(wanted) and given.rank != 0:
        raise ValueError(f"updates of shape {given} cannot be scattered; expected {wanted}")


def _check_bounds(target: Any, indices: Any) -> None:
    """Refuses negative coordinates, which NumPy would count from the end."""
    if indices.size and indices.min() < 0:
        raise IndexError(f"coordinates are at least 0, found {indices.min()}")


# ---- scatter_nd


def _scatter_kernel(indices: Any, updates: Any, dims: Any = None, shape: Any = None) -> Any:
    made = np.zeros(shape if dims is None else dims_of(dims), updates.dtype)
    _check_bounds(made, indices)
    np.add.at(made, coordinates(indices), updates)
    return made


def _scattered(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    made = described_shape(inputs, attrs, 2)
    _check_updates(made, inputs[0], inputs[1])
    return Spec(inputs[1].dtype, made)


SCATTER_ND = define("ScatterNd", kernel=_scatter_kernel, infer=_scattered)


@gradient(SCATTER_ND)
def _(op: Any, dy: Tensor) -> Any:
    back = gather_nd(dy, op.inputs[0])
    return (None, back) if len(op.inputs) == 2 else (None, back, None)


def scatter_nd(indices: Any, updates: Any, shape: Any, name: str | None = None) -> Tensor:
    """Zeros of a shape, with `updates` added at coordinates.

    Args:
      indices: integers; each row of the last axis is one (partial) coordinate.
      updates: a value or slice for each row; those for one place add up.
      shape: the sizes of the result; may be a tensor.
      name: the operation's name in a graph.

    Raises:
      IndexError: a coordinate is out of range.

    >>> import autograph_lite as ag
    >>> ag.scatter_nd([[1], [3]], [5, 6], [4]).numpy().tolist()
    [0, 5, 0, 6]
    """
    where, values = integers(indices, "indices"), convert_to_tensor(updates)
    dims, dynamic = dims_argument(shape)
    if dynamic is None:
        return apply(SCATTER_ND, (where, values), {"shape": dims}, name)
    return apply(SCATTER_ND, (where, values, dynamic), {}, name)


# ---- into a copy of a tensor


def _store(made: Any, where: Any, updates: Any) -> None:
    made[where] = updates


def _kernels(put: Any) -> tuple[Any, Any]:
    """The kernel that copies its first input, and the one that writes into it."""

    def inplace(x: Any, indices: Any, updates: Any) -> Any:
        _check_bounds(x, indices)
        put(x, coordinates(indices), updates)
        return x

    def kernel(x: Any, indices: Any, updates: Any) -> Any:
        return inplace(np.array(x), indices, updates)

    return kernel, inplace


def _updated(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    _check_updates(inputs[0].shape, inputs[1], inputs[2])
    return Spec(inputs[0].dtype, inputs[0].shape)


def _define(name: str, put: Any) -> OpDef:
    kernel, inplace = _kernels(put)
    return define(name, kernel=kernel, infer=_updated, inplace=inplace)


UPDATE = _define("TensorScatterUpdate", _store)
ADD = _define("TensorScatterAdd", np.add.at)
SUB = _define("TensorScatterSub", np.subtract.at)
MIN = _define("TensorScatterMin", np.minimum.at)
MAX = _define("TensorScatterMax", np.maximum.at)


@gradient(UPDATE)
def _(op: Any, dy: Tensor) -> Any:
    _, indices, updates = op.inputs
    zero = convert_to_tensor(np.zeros((), dy.dtype.np_dtype))
    # Taken before it is overwritten, which can then be done in place.
    to_updates = _to_updates(dy, indices, updates)
    return apply(UPDATE, (dy, indices, zero), {}), None, to_updates


def _to_updates(dy: Tensor, indices: Tensor, updates: Tensor) -> Tensor:
    from runtime.ops.gradients_support import unbroadcast

    return unbroadcast(gather_nd(dy, indices), updates)


@gradient(ADD)
def _(op: Any, dy: Tensor) -> Any:
    return dy, None, _to_updates(dy, op.inputs[1], op.inputs[2])


@gradient(SUB)
def _(op: Any, dy: Tensor) -> Any:
    return dy, None, -_to_updates(dy, op.inputs[1], op.inputs[2])


@gradient(MIN, MAX)
def _(op: Any, dy: Tensor) -> Any:
    from runtime.ops.casting import cast
    from runtime.ops.comparison import equal
    from runtime.ops.creation import ones_like

    x, indices, updates = op.inputs
    y = op.outputs[0]
    # Whoever reached the extreme shares its gradient in equal parts.
    kept = cast(equal(x, y), dy.dtype)
    given = cast(equal(updates, gather_nd(y, indices)), dy.dtype)
    sharers = tensor_scatter_nd_add(kept, indices, given * ones_like(updates))
    share = dy / sharers
    return share * kept, None, gather_nd(share, indices) * given


def _scatter(op: OpDef, tensor: Any, indices: Any, updates: Any, name: str | None) -> Tensor:
    x, where = convert_to_tensor(tensor), integers(indices, "indices")
    values = updates if isinstance(updates, Tensor) else beside(x, updates)[1]
    return apply(op, (x, where, cast_to(values, x.dtype)), {}, name)


def tensor_scatter_nd_update(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """A copy of `tensor` with `updates` stored at coordinates.

    Args:
      tensor: a tensor or what can become one.
      indices: integers; each row of the last axis is one (partial) coordinate.
      updates: a value or slice for each row.
      name: the operation's name in a graph.

    Raises:
      IndexError: a coordinate is out of range.

    >>> import autograph_lite as ag
    >>> ag.tensor_scatter_nd_update([1, 2, 3], [[1]], [9]).numpy().tolist()
    [1, 9, 3]
    """
    return _scatter(UPDATE, tensor, indices, updates, name)


def tensor_scatter_nd_add(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """A copy of `tensor` with `updates` added at coordinates.

    >>> import autograph_lite as ag
    >>> ag.tensor_scatter_nd_add([1, 2, 3], [[1], [1]], [9, 1]).numpy().tolist()
    [1, 12, 3]
    """
    return _scatter(ADD, tensor, indices, updates, name)


def tensor_scatter_nd_sub(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """A copy of `tensor` with `updates` subtracted at coordinates.

    >>> import autograph_lite as ag
    >>> ag.tensor_scatter_nd_sub([1, 2, 3], [[1]], [9]).numpy().tolist()
    [1, -7, 3]
    """
    return _scatter(SUB, tensor, indices, updates, name)


def tensor_scatter_nd_min(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """A copy of `tensor`, with the smaller of it and `updates` at coordinates.

    >>> import autograph_lite as ag
    >>> ag.tensor_scatter_nd_min([1, 2, 3], [[1], [2]], [9, 0]).numpy().tolist()
    [1, 2, 0]
    """
    return _scatter(MIN, tensor, indices, updates, name)


def tensor_scatter_nd_max(
    tensor: Any, indices: Any, updates: Any, name: str | None = None
) -> Tensor:
    """A copy of `tensor`, with the larger of it and `updates` at coordinates.

    >>> import autograph_lite as ag
    >>> ag.tensor_scatter_nd_max([1, 2, 3], [[1], [2]], [9, 0]).numpy().tolist()
    [1, 9, 3]
    """
    return _scatter(MAX, tensor, indices, updates, name)
