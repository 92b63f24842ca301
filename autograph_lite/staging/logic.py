"""`not`, `in` and `is` on staged values."""

from __future__ import annotations

from typing import Any

from autograph_lite.staging.builtins_ import any_, len_
from autograph_lite.staging.either import EitherValue, fork
from autograph_lite.staging.iterables import Mapped, counted, is_counted
from autograph_lite.staging.specs import MaybeUnbound
from runtime.control_flow import as_condition
from runtime.convert import constant
from runtime.ops.comparison import equal, logical_not, logical_or
from runtime.ops.reductions import reduce_any
from runtime.tensor import Tensor


def not_(value: Any) -> Any:
    """`not value` for a staged value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, EitherValue):
        return fork(not_, (value,), {})
    if not getattr(type(value), "__ag_staged__", False):
        return not value
    return logical_not(as_condition(value, "`not`"))


def in_(item: Any, container: Any) -> Any:
    """`item in container`, where one of them is staged.

    In a tensor, the item is compared with every element; in a Python container, with each item
    that could be equal to it.
    """
    if isinstance(container, EitherValue) or isinstance(item, EitherValue):
        return fork(in_, (item, container), {})
    if isinstance(container, Tensor):
        return reduce_any(equal(container, item))
    if is_counted(container):
        return any_(Mapped(lambda candidate: candidate == item, counted(container)))
    found: Any = constant(False)
    for candidate in container:
        if candidate is item:
            return True
        same = candidate == item
        if isinstance(same, Tensor):
            found = logical_or(found, as_condition(same, "`in`"))
        elif same:
            return True
    return found


def is_(left: Any, right: Any) -> Any:
    """`left is right` for a staged `left`: a tensor is itself only, and never None."""
    if isinstance(left, MaybeUnbound):
        left = left.value
    if isinstance(left, EitherValue):
        return fork(is_, (left, right), {})
    return left is right


def is_sequence(value: Any, count: int, or_longer: bool) -> Any:
    """Whether a sequence pattern of `count` items may fit a staged value."""
    if isinstance(value, EitherValue):
        return fork(is_sequence, (value, count, or_longer), {})
    if isinstance(value, Tensor) and value.shape.rank == 0:
        return False
    size = len_(value)
    return size >= count if or_longer else size == count


__all__ = ["in_", "is_", "is_sequence", "not_"]
