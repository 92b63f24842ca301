"""What `isinstance` answers of values that only the running graph knows."""

from __future__ import annotations

import builtins
import types
import typing
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph_lite.staging.caught import is_instance
from autograph_lite.staging.specs import MaybeUnbound
from autograph_lite.staging.templates import is_caught
from autograph_lite.staging.tuples import StagedTuple
from runtime import dtypes
from runtime.tensor import SymbolicTensor, Tensor


def isinstance_(value: Any, kinds: Any) -> Any:
    """`isinstance(value, kinds)`; a tensor is a Tensor, and what plain Python has in its place."""
    if isinstance(value, MaybeUnbound):
        value = value.value
    if is_caught(value):
        return is_instance(value, kinds)
    if isinstance(value, StagedTuple):
        return isinstance((), kinds)
    if isinstance(value, SymbolicTensor):
        return any(_is_a(value, kind) for kind in _each(kinds))
    return isinstance(value, kinds)


def _each(kinds: Any) -> Iterator[Any]:
    """The classes in what `isinstance` takes: tuples and unions of classes."""
    if isinstance(kinds, types.UnionType) or typing.get_origin(kinds) is typing.Union:
        kinds = typing.get_args(kinds)
    if not isinstance(kinds, tuple):
        yield kinds
        return
    for kind in kinds:
        yield from _each(kind)


def _is_a(tensor: SymbolicTensor, kind: Any) -> bool:
    if isinstance(kind, type) and issubclass(kind, Tensor):
        return isinstance(tensor, kind)
    if kind is bool and tensor.dtype.is_bool and tensor.shape.rank == 0:
        return True  # it may be either of the two classes of truths
    return issubclass(python_kind(tensor), kind)


_PYTHON_NUMBERS = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


def python_kind(tensor: SymbolicTensor) -> builtins.type:
    """The class of what plain Python has where a graph has this tensor.

    A number of Python's that became a tensor is of Python's own class, another scalar of NumPy's,
    all else an array.
    """
    if tensor.shape.rank != 0:
        return np.ndarray
    if tensor.dtype is dtypes.string:
        return str
    kind = np.dtype(tensor.dtype.as_numpy_dtype)
    return _PYTHON_NUMBERS.get(kind.kind, kind.type) if tensor.weak else kind.type


__all__ = ["isinstance_", "python_kind"]
