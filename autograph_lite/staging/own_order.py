"""Order of objects whose classes say themselves what is less: `__lt__`, `functools.cmp_to_key`."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from autograph_lite.operators.calls import converted
from autograph_lite.operators.dispatch import is_staged
from autograph_lite.operators.logic import compare, not_
from autograph_lite.staging.either import EitherValue, alternatives
from autograph_lite.staging.list_specs import is_dynamic
from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.ops.casting import cast
from runtime.ops.joining import stack
from runtime.ops.sorting import argsort
from runtime.tensor import Tensor


class Compared:
    """A key of `functools.cmp_to_key`, of which a function of the user's says what is less."""

    __slots__ = ("_decide", "_value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, decide: Callable[[Any, Any], Any], value: Any) -> None:
        self._decide = decide
        self._value = value

    def __lt__(self, other: Compared) -> Any:
        return self._decide(self._value, other._value) < 0

    def __gt__(self, other: Compared) -> Any:
        return self._decide(self._value, other._value) > 0

    def __eq__(self, other: object) -> Any:
        if not isinstance(other, Compared):
            return NotImplemented
        return self._decide(self._value, other._value) == 0


def cmp_to_key(mycmp: Callable[[Any, Any], Any]) -> Callable[[Any], Compared]:
    """`functools.cmp_to_key(mycmp)`"""
    decide = converted(mycmp)
    return lambda value: Compared(decide, value)


def orders_itself(value: Any) -> bool:
    """Whether a value is an object whose class has an order of its own."""
    if isinstance(value, EitherValue):
        return any(map(orders_itself, alternatives(value)))
    if is_staged(value) or isinstance(value, Tensor):
        return False
    return isinstance(getattr(type(value), "__lt__", None), types.FunctionType)


def equals_itself(value: Any) -> bool:
    """Whether a value is an object whose class says what equals it."""
    return isinstance(getattr(type(value), "__eq__", None), types.FunctionType)


def hold_an_order(values: Any) -> bool:
    """Whether there is such an object in a list or tuple of a known length."""
    return (
        isinstance(values, list | tuple)
        and not is_dynamic(values)
        and any(map(orders_itself, values))
    )


def order_by_comparing(keys: list[Any], reverse: bool) -> Tensor:
    """Where the items belong that have these keys; equal ones keep their order.

    Each key is compared with each other one: how many come before it is its place.

    Args:
      keys: objects that have an order.
      reverse: whether the largest come first.
    """
    places: list[Any] = [0] * len(keys)
    for later in range(len(keys)):
        for earlier in range(later):
            # Equal ones stay as they are: only what is less, or greater, moves to the front.
            first, second = (
                (keys[earlier], keys[later]) if reverse else (keys[later], keys[earlier])
            )
            moves = compare(first, "<", second)
            places[earlier] += _number(moves)
            places[later] += _number(not_(moves))
    return argsort(stack([convert_to_tensor(place, dtypes.int32) for place in places]))


def _number(truth: Any) -> Any:
    return cast(truth, dtypes.int32) if isinstance(truth, Tensor) else int(truth)


__all__ = [
    "Compared",
    "cmp_to_key",
    "equals_itself",
    "hold_an_order",
    "order_by_comparing",
    "orders_itself",
]
