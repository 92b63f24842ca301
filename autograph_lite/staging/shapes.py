"""`x.shape` of a tensor of which some sizes are known only when the graph runs."""

from __future__ import annotations

from typing import Any

from autograph_lite.staging.logic import compare_sequences
from runtime import nest
from runtime.ops import shaping
from runtime.shapes import OpenShape, TensorShape, set_comparison
from runtime.tensor import SymbolicTensor
from runtime.variables import Variable


def opened(owner: Any, shape: TensorShape) -> Any:
    """The shape of `owner`, with tensors for the sizes that are unknown while tracing.

    An argument that was declared with unknown sizes has `None` there, as in TensorFlow: programs
    ask `x.shape[0] is None` of it, and show it.

    Args:
      owner: a tensor, or another object with such a shape: that one says what it is.
      shape: what is known of it.
    """
    if isinstance(owner, SymbolicTensor) and not _is_declared(owner):
        return shaping.open_shape(owner)
    return shaping.open_shape(owner) if isinstance(owner, Variable) else shape


def _is_declared(tensor: SymbolicTensor) -> bool:
    """Whether a tensor is an argument of a traced function."""
    return tensor.op.type == "Placeholder" and getattr(tensor.graph, "is_function", False)


nest.register(OpenShape, lambda shape: (tuple, list(shape), tuple))
set_comparison(compare_sequences)

__all__ = ["opened"]
