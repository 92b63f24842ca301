"""Positions and keys that are known when the graph runs, checked as Python does."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph_lite.errors import StagingError
from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.locations import Location, raise_at, user_location
from runtime.ops.apply import apply
from runtime.ops.python_text import as_python
from runtime.ops.registry import NO_GRADIENT, Spec, define
from runtime.shapes import SCALAR
from runtime.tensor import Tensor


def is_symbolic(index: Any) -> bool:
    """Whether an index, or a part of it, is staged."""
    if isinstance(index, slice):
        return any(map(is_symbolic, (index.start, index.stop, index.step)))
    if isinstance(index, tuple) or type(index) is list:
        return any(map(is_symbolic, index))
    return getattr(type(index), "__ag_staged__", False)


def _check(values: Any, index: Any, message: str, location: Location) -> Any:
    size = len(values)
    if -size <= index < size:
        return index if index >= 0 else index + size
    if not size and message.startswith("pop"):
        message = "pop from empty list"
    error = IndexError(message)
    return raise_at(error, location)


CHECK_PLACE = define(
    "CheckPlace",
    kernel=_check,
    infer=lambda inputs, attrs: Spec(inputs[1].dtype, inputs[1].shape),
    gradient=NO_GRADIENT,
    checks=True,
)


def checked(values: Any, index: Any, message: str = "list index out of range") -> Tensor:
    """`index` counted from the front; where it is out of range, Python's IndexError is raised.

    Args:
      values: a list of the graph, or a vector.
      index: counts from the end if it is negative.
      message: what the error says.
    """
    attrs = {"message": message, "location": user_location()}
    return apply(CHECK_PLACE, (values, convert_to_tensor(index)), attrs)


def _find(key: Any, keys: list[Any], location: Location) -> Any:
    wanted = as_python(key)
    for place, known in enumerate(keys):
        if known == wanted:
            return np.int32(place)
    error = KeyError(wanted)
    return raise_at(error, location)


CHECK_KEY = define(
    "CheckKey",
    kernel=_find,
    infer=lambda inputs, attrs: Spec(dtypes.int32, SCALAR),
    gradient=NO_GRADIENT,
    checks=True,
)


def checked_key(keys: list[Any], key: Tensor) -> Tensor:
    """Which of a dict's keys `key` is; where it is none of them, Python's KeyError is raised."""
    if any(isinstance(known, Tensor) for known in keys):
        raise StagingError(f"{user_location()}: a dict whose keys are tensors has no order")
    return apply(CHECK_KEY, (key,), {"keys": keys, "location": user_location()})


__all__ = ["checked", "checked_key", "is_symbolic"]
