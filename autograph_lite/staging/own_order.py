"""Order of objects whose classes say themselves what is less: `__lt__`, `functools.cmp_to_key`."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

from autograph_lite.operators.calls import converted
from autograph_lite.operators.dispatch import is_staged
from autograph_lite.operators.logic import compare, not_
from autograph_lite.staging.conditionals import if_exp
from autograph_lite.staging.either import EitherValue, alternative_specs, alternatives
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.specs import Spec
from runtime import dtypes
from runtime.convert import constant, convert_to_tensor
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
    """Whether objects of which the class says what is less are in a list or tuple."""
    if is_dynamic(values):
        element = values.items.element
        return element is not None and any(map(_is_of_ordered, alternative_specs(element)))
    return isinstance(values, list | tuple) and any(map(orders_itself, values))


def _is_of_ordered(spec: Spec) -> bool:
    kind = getattr(spec, "kind", None)  # of an object that is made anew
    if isinstance(kind, tuple):
        kind = kind[0]  # a dataclass, and the names of its fields
    if isinstance(kind, type):
        return isinstance(getattr(kind, "__lt__", None), types.FunctionType)
    return orders_itself(getattr(spec, "value", None))


def order_by_comparing(keys: Any, reverse: bool) -> Tensor:
    """Where the items belong that have these keys; equal ones keep their order.

    Each key is compared with each other one: how many come before it is its place.

    Args:
      keys: a list of objects that have an order.
      reverse: whether the largest come first.
    """
    if is_dynamic(keys):
        return _order_of_many(keys, reverse)
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


def _order_of_many(keys: Any, reverse: bool) -> Tensor:
    """The same, where only the running graph knows how many there are."""
    from autograph_lite.staging.builtins_ import len_, range_
    from autograph_lite.staging.iterables import Mapped, counted, listed
    from autograph_lite.staging.iteration import fold

    numbers = range_(len_(keys))

    def moves(later: Any, earlier: Any) -> Any:
        first, second = (earlier, later) if reverse else (later, earlier)
        return _number(compare(keys[first], "<", keys[second]))

    def place(number: Any) -> Any:
        def count(found: Any, other: Any) -> Any:
            is_before = compare(other, "<", number)
            return found + if_exp(
                is_before, lambda: 1 - moves(number, other), lambda: moves(other, number)
            )

        return fold(count, numbers, constant(0))

    return argsort(stack(listed(Mapped(place, counted(numbers)))))


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
