"""What the functions of `itertools` give, as iterables of staged loops."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.operators.builtins_ import len_  # type: ignore[attr-defined]
from autograph_lite.staging import loans
from autograph_lite.staging.conditionals import and_, if_exp
from autograph_lite.staging.items import load
from autograph_lite.staging.iterables import Counted, Wrapped, is_counted, listed, unfiltered
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.scopes import tracking
from runtime.control_flow import as_condition
from runtime.convert import constant, convert_to_tensor
from runtime.locations import user_location
from runtime.ops.comparison import less, logical_and, logical_not
from runtime.ops.elementwise import floordiv, maximum


class Repeated(Counted):
    """`itertools.repeat`."""

    def __init__(self, value: Any, times: Any) -> None:
        self.repeated, self.times = value, times

    def item(self, position: Any) -> Any:
        return self.repeated

    def length(self) -> Any:
        return self.times


class Cycle:
    """`itertools.cycle` of code that is traced: staged loops can go over it too.

    Attributes:
      items: what it gives again and again.
      position: which item comes next; None when a staged loop has gone over it.
    """

    def __init__(self, values: Any) -> None:
        self.items = listed(values)
        self.position: Any = 0

    def __iter__(self) -> Cycle:
        return self

    def __next__(self) -> Any:
        position = self._position()
        self._set((position + 1) % len_(self.items))
        return load(self.items, position)

    def ag_counted(self) -> Counted:
        """The items, as an iterable of a staged loop."""
        position = self._position()
        self._set(None)
        return Cycled(self.items, position)

    def _set(self, position: Any) -> None:
        if tracking():
            loans.change(self, "attribute", "position")
        self.position = position

    def _position(self) -> Any:
        if self.position is None:
            raise StagingError(
                f"{user_location()}: a cycle that a staged loop has gone over cannot go on; make "
                "another one, or count a position"
            )
        return self.position


class Cycled(Counted):
    """The items of a `Cycle` in a staged loop."""

    def __init__(self, values: Any, first: Any) -> None:
        self.values, self.first = values, first

    def start(self) -> Any:
        return self.first

    def has(self, position: Any) -> Any:
        return constant(True) if not is_dynamic(self.values) else len_(self.values) > 0

    def item(self, position: Any) -> Any:
        # Of none, no item is asked for in the end.
        return load(self.values, position % maximum(len_(self.values), 1))

    def next(self, position: Any) -> Any:
        return position + 1


def cycle(values: Any) -> Any:
    """`itertools.cycle(values)`."""
    if is_counted(values):
        return Cycled(listed(values), 0)
    known = isinstance(values, list | tuple | str | range) and len(values) > 0
    return Cycle(values) if known else itertools.cycle(values)


class TakenWhile(Wrapped):
    """`itertools.takewhile`."""

    def __init__(self, predicate: Callable[[Any], Any], inner: Counted) -> None:
        super().__init__(unfiltered(inner))
        self.predicate = predicate

    def has(self, position: Any) -> Any:
        more = as_condition(self.inner.has(position), "takewhile()")
        return and_(more, lambda: self._holds(position))

    def _holds(self, position: Any) -> Any:
        item = self.inner.value(self.inner.item(position))
        return as_condition(self.predicate(item), "takewhile()")

    def length(self) -> Any:
        return Counted.length(self)


class DroppedWhile(Counted):
    """`itertools.dropwhile`."""

    skips = True

    def __init__(self, predicate: Callable[[Any], Any], inner: Counted) -> None:
        self.inner = unfiltered(inner)
        self.predicate = predicate
        self.begun: Any = None

    def start(self) -> Any:
        return (constant(False), self.inner.start())

    def has(self, position: Any) -> Any:
        return self.inner.has(position[1])

    def item(self, position: Any) -> Any:
        begun, inner = position
        item = self.inner.item(inner)

        def begins() -> Any:
            drops = self.predicate(self.inner.value(item))
            return logical_not(as_condition(drops, "dropwhile()"))

        self.begun = if_exp(begun, lambda: constant(True), begins)
        return self.begun, item

    def keeps(self, item: Any) -> Any:
        return item[0]

    def value(self, item: Any) -> Any:
        return self.inner.value(item[1])

    def next(self, position: Any) -> Any:
        return self.begun, self.inner.next(position[1])


class Sliced(Counted):
    """`itertools.islice`."""

    skips = True

    def __init__(self, inner: Counted, start: Any, stop: Any, step: Any) -> None:
        self.inner = unfiltered(inner)
        self.first, self.stop, self.step = start, stop, step

    def start(self) -> Any:
        return (constant(0), self.inner.start())

    def has(self, position: Any) -> Any:
        more = self.inner.has(position[1])
        return more if self.stop is None else logical_and(less(position[0], self.stop), more)

    def item(self, position: Any) -> Any:
        return position[0], self.inner.item(position[1])

    def value(self, item: Any) -> Any:
        return self.inner.value(item[1])

    def next(self, position: Any) -> Any:
        return position[0] + 1, self.inner.next(position[1])

    def keeps(self, item: Any) -> Any:
        behind = convert_to_tensor(item[0] - self.first)
        return logical_and(less(-1, behind), behind % self.step == 0)


class Product(Counted):
    """`itertools.product`."""

    def __init__(self, inners: Sequence[Counted], values: Sequence[Any]) -> None:
        self.values = values
        self.sizes = [inner.length() for inner in inners]

    def length(self) -> Any:
        total: Any = 1
        for size in self.sizes:
            total = size * total
        return total

    def item(self, position: Any) -> Any:
        items: list[Any] = []
        for values, size in zip(reversed(self.values), reversed(self.sizes), strict=True):
            items.append(load(values, position % size))
            position = floordiv(position, size)
        return tuple(reversed(items))


class Accumulated(Counted):
    """`itertools.accumulate`."""

    def __init__(self, inner: Counted, function: Callable[[Any, Any], Any]) -> None:
        self.inner = unfiltered(inner)
        self.function = function
        self.last: Any = None

    def start(self) -> Any:
        return (constant(True), 0, self.inner.start())

    def has(self, position: Any) -> Any:
        return self.inner.has(position[2])

    def item(self, position: Any) -> Any:
        is_first, total, inner = position
        value = self.inner.value(self.inner.item(inner))
        self.last = if_exp(is_first, lambda: value, lambda: self.function(total, value))
        return self.last

    def next(self, position: Any) -> Any:
        return (constant(False), self.last, self.inner.next(position[2]))

    def length(self) -> Any:
        return self.inner.length()


__all__ = [
    "Accumulated",
    "DroppedWhile",
    "Product",
    "Repeated",
    "Sliced",
    "TakenWhile",
    "cycle",
]
