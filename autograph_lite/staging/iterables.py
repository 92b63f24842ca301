"""What a staged `for` can go over: rows, ranges, lists, and Python's combinations of them.

A `Counted` iterable knows a position before the first item, whether there is an item at a position,
which, and the next position. A loop's variables are the user's and the position.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

import numpy as np

from autograph_lite.errors import StagingError
from autograph_lite.staging import array_stores
from autograph_lite.staging.conditionals import and_
from autograph_lite.staging.generators import StagedGenerator, settled
from autograph_lite.staging.items import load
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.raising import raise_where
from autograph_lite.staging.strings import characters
from runtime.convert import constant, convert_to_tensor
from runtime.locations import user_location
from runtime.ops.comparison import less, logical_and, logical_not, logical_or
from runtime.ops.elementwise import minimum
from runtime.ops.python_text import is_text
from runtime.ops.shaping import shape as shape_of
from runtime.ops.unpacking import wanted_items
from runtime.static import static_value
from runtime.tensor import SymbolicTensor, Tensor


class Counted:
    """An iterable of a staged loop; see the module."""

    __ag_staged__ = True
    skips = False
    """Whether some positions have no item: `keeps` tells which."""

    def start(self) -> Any:
        """The position of the first item."""
        return constant(0)

    def has(self, position: Any) -> Any:
        """Whether there is an item at `position`."""
        return less(position, self.length())

    def item(self, position: Any) -> Any:
        """The item at `position`, as `keeps` and `value` take it."""
        raise AssertionError

    def next(self, position: Any) -> Any:
        """The position after `position`."""
        return position + 1

    def length(self) -> Any:
        """The number of items.

        Raises:
          StagingError: it cannot be known before the items are gone through.
        """
        raise StagingError(
            f"{user_location()}: the number of items of {type(self).__name__.lower()} is not "
            "known before they are gone through; make a list of it first"
        )

    def keeps(self, item: Any) -> Any:
        """Whether an item is handed to the body; False for what a filter leaves out."""
        return True

    def value(self, item: Any) -> Any:
        """What the body gets for an item."""
        return item

    def __iter__(self) -> Any:
        size = self._known_length()
        if size is not None:
            return self._items(size)
        count = wanted_items()
        if count is not None:
            found = listed(self)
            return found.unpacked(count) if is_dynamic(found) else iter(found)
        raise StagingError(
            f"{user_location()}: iteration over tensors is staged by `for` in converted code; "
            "here Python asks for the items one by one. Use a `for` loop, or ag.unstack if the "
            "size is known."
        )

    def _known_length(self) -> int | None:
        """The number of items, if it is known while tracing."""
        try:
            length = static_value(convert_to_tensor(self.length()))
        except StagingError:
            return None
        return None if length is None else int(length)

    def _items(self, size: int) -> Any:
        position = self.start()
        for _ in range(size):
            item = self.item(position)
            yield self.value(item)
            position = self.next(position)


class Rows(Counted):
    """The rows of a tensor."""

    def __init__(self, tensor: Tensor) -> None:
        if tensor.shape.rank == 0:
            raise TypeError(
                f"{user_location()}: cannot iterate over {tensor!r}, a scalar; expected a tensor "
                "of at least one dimension. To count up to it, use `for i in ag.range(n)`."
            )
        self.tensor = tensor
        size = tensor.shape[0] if tensor.shape.rank else None
        self.size: Any = constant(size) if size is not None else shape_of(tensor)[0]

    def item(self, position: Any) -> Any:
        return self.tensor[position]

    def length(self) -> Any:
        return self.size


class Range(Counted):
    """A range that is never made: its numbers are the positions."""

    def __init__(self, start: Any, limit: Any, delta: Any) -> None:
        self.first, self.limit, self.delta = start, limit, delta
        known = static_value(delta) if isinstance(delta, Tensor) else delta
        self.direction = None if known is None else (1 if known > 0 else -1)

    def start(self) -> Any:
        return self.first

    def has(self, position: Any) -> Any:
        if self.direction == 1:
            return less(position, self.limit)
        if self.direction == -1:
            return less(self.limit, position)
        upwards = less(0, self.delta)
        up = logical_and(upwards, less(position, self.limit))
        return logical_or(up, logical_and(logical_not(upwards), less(self.limit, position)))

    def item(self, position: Any) -> Any:
        return position

    def next(self, position: Any) -> Any:
        return position + self.delta

    def length(self) -> Any:
        from runtime.ops.creation import range as make_range
        from runtime.ops.shaping import size

        return size(make_range(self.first, self.limit, self.delta))


class Endless(Counted):
    """`itertools.count`."""

    def __init__(self, start: Any = 0, step: Any = 1) -> None:
        self.first, self.step = start, step

    def start(self) -> Any:
        return self.first

    def has(self, position: Any) -> Any:
        return constant(True)

    def item(self, position: Any) -> Any:
        return position

    def next(self, position: Any) -> Any:
        return position + self.step


class Forever(Counted):
    """`itertools.repeat` without an end."""

    def __init__(self, value: Any) -> None:
        self.repeated = value

    def has(self, position: Any) -> Any:
        return constant(True)

    def item(self, position: Any) -> Any:
        return self.repeated


class Indexed(Counted):
    """Anything with a length and items by number: staged lists, Python's sequences."""

    def __init__(self, values: Any, length: Any) -> None:
        self.values = values
        self.size = length

    def item(self, position: Any) -> Any:
        if is_dynamic(self.values):
            return self.values.lend(position, position)
        return load(self.values, position)

    def length(self) -> Any:
        return self.size

    def has(self, position: Any) -> Any:
        # A list may grow while it is gone through, as in Python.
        if is_dynamic(self.values):
            return less(position, self.values.items.length())
        return less(position, self.size)


class Following(Indexed):
    """The items of a list of the graph from one on; the list may grow or shrink meanwhile."""

    def __init__(self, values: Any, first: int) -> None:
        super().__init__(values, values.items.length())
        self.first = first

    def start(self) -> Any:
        return constant(self.first)


class Enumerated(Counted):
    """`enumerate`."""

    def __init__(self, inner: Counted, first: Any) -> None:
        self.inner, self.first = unfiltered(inner), first

    def start(self) -> Any:
        return (self.first, self.inner.start())

    def has(self, position: Any) -> Any:
        return self.inner.has(position[1])

    def item(self, position: Any) -> Any:
        return position[0], self.inner.item(position[1])

    def value(self, item: Any) -> Any:
        return item[0], self.inner.value(item[1])

    def next(self, position: Any) -> Any:
        return position[0] + 1, self.inner.next(position[1])

    def length(self) -> Any:
        return self.inner.length()


class Zipped(Counted):
    """`zip`."""

    def __init__(self, inners: Sequence[Counted]) -> None:
        self.inners = [unfiltered(inner) for inner in inners]

    def start(self) -> Any:
        return tuple(inner.start() for inner in self.inners)

    def has(self, position: Any) -> Any:
        more: Any = None
        for inner, p in zip(self.inners, position, strict=True):
            here = inner.has(p)
            more = here if more is None else logical_and(more, here)
        return more

    def item(self, position: Any) -> Any:
        return tuple(inner.item(p) for inner, p in zip(self.inners, position, strict=True))

    def value(self, item: Any) -> Any:
        return tuple(inner.value(i) for inner, i in zip(self.inners, item, strict=True))

    def next(self, position: Any) -> Any:
        return tuple(inner.next(p) for inner, p in zip(self.inners, position, strict=True))

    def length(self) -> Any:
        sizes = [inner.length() for inner in self.inners]
        shortest = sizes[0]
        for size in sizes[1:]:
            shortest = minimum(shortest, size)
        return shortest


class StrictlyZipped(Zipped):
    """`zip` with `strict=True`: raises where one iterable ends before the others."""

    def has(self, position: Any) -> Any:
        here = [inner.has(p) for inner, p in zip(self.inners, position, strict=True)]
        for number, more in enumerate(here[1:], 1):
            raise_where(logical_and(here[0], logical_not(more)), _uneven(number, "shorter"))
            raise_where(logical_and(logical_not(here[0]), more), _uneven(number, "longer"))
        return here[0]

    def _items(self, size: int) -> Any:
        yield from super()._items(size)
        sizes = [static_value(convert_to_tensor(inner.length())) for inner in self.inners]
        for number, other in enumerate(sizes[1:], 1):
            if other is not None and other != sizes[0]:
                raise _uneven(number, "shorter" if other < sizes[0] else "longer")


def _uneven(number: int, how: str) -> ValueError:
    others = "argument 1" if number == 1 else f"arguments 1-{number}"
    return ValueError(f"zip() argument {number + 1} is {how} than {others}")


class Wrapped(Counted):
    """An iterable that goes over another one, position by position."""

    def __init__(self, inner: Counted) -> None:
        self.inner = inner

    def start(self) -> Any:
        return self.inner.start()

    def has(self, position: Any) -> Any:
        return self.inner.has(position)

    def item(self, position: Any) -> Any:
        return self.inner.item(position)

    def keeps(self, item: Any) -> Any:
        return self.inner.keeps(item)

    def value(self, item: Any) -> Any:
        return self.inner.value(item)

    def next(self, position: Any) -> Any:
        return self.inner.next(position)

    def length(self) -> Any:
        return self.inner.length()


class Mapped(Wrapped):
    """`map` of a function over one iterable; over several, they are zipped before."""

    def __init__(self, function: Callable[[Any], Any], inner: Counted) -> None:
        super().__init__(inner)
        self.function = function

    def value(self, item: Any) -> Any:
        return self.function(self.inner.value(item))


class Filtered(Wrapped):
    """`filter`: the loop's body is skipped for what it leaves out."""

    def __init__(self, predicate: Callable[[Any], Any], inner: Counted) -> None:
        super().__init__(inner)
        self.predicate = predicate

    def keeps(self, item: Any) -> Any:
        before = self.inner.keeps(item)
        if before is True:
            return self.predicate(self.inner.value(item))
        return and_(before, lambda: self.predicate(self.inner.value(item)))

    def length(self) -> Any:
        return Counted.length(self)


class Reversed(Counted):
    """`reversed`."""

    def __init__(self, values: Any, length: Any) -> None:
        self.values = values
        self.size = length

    def item(self, position: Any) -> Any:
        return load(self.values, self.size - 1 - position)

    def length(self) -> Any:
        return self.size


def is_counted(value: Any) -> bool:
    """Whether going over `value` has to be staged."""
    if isinstance(value, StagedGenerator) and value.is_started:
        value = value.running
    if isinstance(value, SymbolicTensor | Counted) or is_dynamic(value):
        return True
    if hasattr(type(value), "__ag_iterator__"):
        return True
    return isinstance(value, StagedGenerator) and not value.is_started


def counted(values: Any) -> Counted:
    """`values` as an iterable of a staged loop.

    Raises:
      TypeError: it cannot be iterated over.
    """
    values = settled(values)
    if isinstance(values, StagedGenerator) and is_counted(values):
        values = values.running
    if isinstance(values, Counted):
        return values
    if hasattr(type(values), "__ag_iterator__") or isinstance(values, StagedGenerator):
        return counted(listed(values))
    if isinstance(values, SymbolicTensor) and values.op.type == "Range":
        return Range(*values.op.inputs)
    if is_text(values):
        return counted(characters(values))
    if isinstance(values, Tensor):
        return Rows(values)
    if is_dynamic(values):
        return Indexed(values, values.items.length())
    if isinstance(values, np.ndarray):
        return Rows(array_stores.tensor_of(values))
    if isinstance(values, range):
        start, stop, step = values.start, values.stop, values.step
        return Range(constant(start), constant(stop), constant(step))
    if hasattr(type(values), "ag_counted"):
        found: Counted = values.ag_counted()
        return found
    if type(values) is itertools.count:
        first = next(values)
        return Endless(first, next(values) - first)
    if type(values) is itertools.repeat and operator.length_hint(values, -1) < 0:
        return Forever(next(values))
    if not isinstance(values, list | tuple):
        values = list(itertools.islice(values, _MOST_ITEMS + 1))
        if len(values) > _MOST_ITEMS:
            raise StagingError(
                f"{user_location()}: more than {_MOST_ITEMS} Python items beside a tensor's; "
                "if they have no end, use itertools.count, or make a tensor of them"
            )
    return Indexed(values, constant(len(values)))


_MOST_ITEMS = 100_000
"""Items of a Python iterator that a staged loop takes in; an endless one would never end."""


def arrays_of(values: Any) -> list[Any]:
    """The tensors whose rows an iterable goes over."""
    if isinstance(values, Rows):
        return [values.tensor]
    if isinstance(values, Reversed) and isinstance(values.values, Tensor):
        return [values.values]
    if isinstance(values, Zipped):
        return [tensor for inner in values.inners for tensor in arrays_of(inner)]
    inner = getattr(values, "inner", None)
    return [] if inner is None else arrays_of(inner)


def unfiltered(values: Counted) -> Counted:
    """`values` as an iterable in which every position counts."""
    inner = values
    while isinstance(inner, Wrapped):
        if isinstance(inner, Filtered):
            return counted(listed(values))
        inner = inner.inner
    return counted(listed(values)) if inner.skips else values


def python_items(source: Counted) -> Iterable[Any] | None:
    """The items one by one, those of Python as they are; None if their number is not known."""
    if isinstance(source, Rows):
        size = source.tensor.shape[0] if source.tensor.shape.rank else None
        return None if size is None else [source.tensor[n] for n in range(size)]
    if isinstance(source, Indexed):
        return None if is_dynamic(source.values) else list(source.values)
    if isinstance(source, Range):
        bounds = [static_value(convert_to_tensor(b)) for b in _bounds(source)]
        return None if any(b is None for b in bounds) else range(*map(int, bounds))  # type: ignore[arg-type]
    if isinstance(source, Enumerated):
        items = python_items(source.inner)
        return None if items is None else enumerate(items, source.first)
    if isinstance(source, Zipped):
        parts = [_beside_others(inner) for inner in source.inners]
        if all(isinstance(part, itertools.count | itertools.repeat) for part in parts):
            return None
        found = [part for part in parts if part is not None]
        strict = isinstance(source, StrictlyZipped)
        return zip(*found, strict=strict) if len(found) == len(parts) else None
    if type(source) is Mapped:
        items = python_items(source.inner)
        return None if items is None else map(source.function, items)
    return None


def _beside_others(source: Counted) -> Iterable[Any] | None:
    """The items as `python_items` gives them; they need not end where others do."""
    if isinstance(source, Endless) and isinstance(source.first, int | float):
        return itertools.count(source.first, source.step)
    return (
        itertools.repeat(source.repeated) if isinstance(source, Forever) else python_items(source)
    )


def _bounds(values: Range) -> tuple[Any, Any, Any]:
    return values.first, values.limit, values.delta


def sequence(values: Any) -> Any:
    """`values` as something that can be indexed."""
    if isinstance(values, Range):
        from runtime.ops.creation import range as make_range

        return make_range(values.first, values.limit, values.delta)
    if isinstance(values, Rows):
        return values.tensor
    if isinstance(values, Indexed):
        return values.values
    if isinstance(values, Counted):
        return listed(values)
    return values if isinstance(values, Tensor | list | tuple | np.ndarray) else list(values)


def listed(values: Any) -> StagedList:
    """A list of all items of an iterable."""
    made = StagedList()
    if isinstance(values, StagedGenerator) and not values.is_started:
        values.go_over(partial(_take, made), (tuple, lambda state: None, ()), None)
    else:
        made.extend(values)
    return made


def _take(made: StagedList, item: Any) -> None:
    made.append(item)
    if made.items is None and len(made) > _MOST_ITEMS:
        raise StagingError(
            f"{user_location()}: a generator has given {_MOST_ITEMS} items while tracing; one that "
            "has no end can only be gone over by a `for` that is left by a Python condition"
        )


__all__ = ["Counted", "counted", "is_counted", "listed", "sequence"]
