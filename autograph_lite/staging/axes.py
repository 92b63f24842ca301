"""Moving an axis of tensors to the front, where lists join them, and back."""

from __future__ import annotations

from runtime.ops.shaping import transpose
from runtime.tensor import Tensor


def to_front(tensor: Tensor, axis: int) -> Tensor:
    """`tensor` with `axis` moved to the front."""
    rank = tensor.ndim
    at = axis % rank
    return transpose(tensor, [at, *(i for i in range(rank) if i != at)])


def from_front(tensor: Tensor, axis: int) -> Tensor:
    """`tensor` with its first axis moved to where `axis` says."""
    rank = tensor.ndim
    order = list(range(1, rank))
    order.insert(axis % rank, 0)
    return transpose(tensor, order)


__all__ = ["from_front", "to_front"]
