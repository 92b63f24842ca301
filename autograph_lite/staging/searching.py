"""Searching and sorting lists whose length only the running graph knows."""

from __future__ import annotations

from typing import Any

from autograph_lite.staging.conditionals import Later, select
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.own_order import hold_an_order
from autograph_lite.staging.text import formatted, holds_staged
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


def compares_staged(values: Any) -> bool:
    """Whether putting a list's items in order may have to be staged."""
    return holds_staged(list(values)) or hold_an_order(values)


def ordered(values: Any, key: Any, reverse: bool) -> Any:
    """The same items in order."""
    from autograph_lite.staging.builtins_ import sorted_

    return sorted_(values, key=key, reverse=reverse)


def _matches(values: Any, value: Any) -> Tensor:
    """For each item of a list, whether it equals a value."""
    if is_dynamic(values) and values.items.element is None:
        return convert_to_tensor([], dtypes.bool_)
    if is_dynamic(values) or all(map(_is_number, (value, *values))):
        return equal(convert_to_tensor(values), value)
    return convert_to_tensor([_is_equal(item, value) for item in values], dtypes.bool_)


def _is_number(value: Any) -> bool:
    if isinstance(value, Tensor):
        return value.shape.rank == 0 and value.dtype.kind != "S"
    return isinstance(value, int | float)


def _is_equal(item: Any, value: Any) -> Any:
    """`item == value`; a text is no number."""
    from autograph_lite.staging.sorting import equal as same

    if item is None or value is None or _is_number(item) != _is_number(value):
        return item is value
    return same(item, value)


__all__ = ["compares_staged", "count", "index", "ordered"]
