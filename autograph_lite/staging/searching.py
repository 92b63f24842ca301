"""Searching and sorting lists whose length only the running graph knows."""

from __future__ import annotations

from typing import Any

from autograph_lite.staging.conditionals import Later, select
from autograph_lite.staging.text import formatted
from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.ops.casting import cast
from runtime.ops.comparison import equal
from runtime.ops.reductions import reduce_any, reduce_sum
from runtime.ops.sorting import argmax
from runtime.tensor import Tensor


def count(values: Any, value: Any) -> Tensor:
    """`values.count(value)`"""
    return reduce_sum(cast(_matches(values, value), dtypes.int32))


def index(values: Any, value: Any, message: str = "{!r} is not in list") -> Tensor:
    """`values.index(value)`

    Raises:
      ValueError: it is not there, when the graph runs.
    """
    matches = _matches(values, value)

    def fail() -> Any:
        raise ValueError(formatted(lambda filled: message.format(*filled), [value]))

    first = Later(lambda: cast(argmax(cast(matches, dtypes.int32), axis=0), dtypes.int32))
    return select([(reduce_any(matches), first)], fail, "the index")


def ordered(values: Any, key: Any, reverse: bool) -> Any:
    """The same items in order."""
    from autograph_lite.staging.builtins_ import sorted_

    return sorted_(values, key=key, reverse=reverse)


def _matches(values: Any, value: Any) -> Tensor:
    return equal(convert_to_tensor(values), value)


__all__ = ["count", "index", "ordered"]
