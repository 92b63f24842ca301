"""What Python's tools make of a generator of the user's: a generator again, read item by item.

`for i, v in enumerate(doubled(rows))` runs the generator turned inside out, with the loop's body as
its consumer, and so do `zip`, `map`, `filter` and the functions of `itertools` that need no more
than one item at a time. They are written here as a user would write them, and converted like that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from types import FunctionType, MethodType
from typing import Any

from autograph_lite.operators.calls import converted, inverted_generator
from autograph_lite.staging.generators import StagedGenerator, settled

Function = Callable[..., Any]


def is_lazy(values: Any) -> bool:
    """Whether `values` is a generator from which nobody has taken an item yet."""
    return isinstance(values, StagedGenerator) and not values.is_started


def lazily(function: Callable[..., Iterator[Any]], *args: Any) -> Any:
    """A generator of one of the functions below."""
    return _inverted(function)(*args)


def may_give_tensors(test: Any) -> bool:
    """Whether what a test says of a Python value may be a tensor: it is a Python function."""
    return isinstance(test, FunctionType | MethodType)


def tested(function: Callable[..., Iterator[Any]], test: Function, values: Any) -> Any:
    """A generator of one of those below that ask a test of each value."""
    return lazily(function, values, converted(test))


@lru_cache
def _inverted(function: Function) -> Function:
    made: Function = inverted_generator(function)
    return made


def zipped(values: tuple[Any, ...], together: Function) -> Any:
    """`zip` where one of the iterables is such a generator; None if none is, or several are.

    Args:
      values: the iterables.
      together: makes one iterable of the others.
    """
    places = [place for place, value in enumerate(values) if is_lazy(value)]
    if len(places) != 1 or len(values) < 2:
        return None
    (place,) = places
    others = [settled(value) for n, value in enumerate(values) if n != place]
    return lazily(beside, values[place], together(others), place)


def beside(values: Iterable[Any], others: Any, place: int) -> Iterator[Any]:
    """`zip(*others[:place], values, *others[place:])`, of `others` as one iterable."""
    position = others.start()
    if place > 0 and not others.has(position):
        return
    for value in values:
        if place == 0 and not others.has(position):
            break
        items = others.value(others.item(position))
        yield (*items[:place], value, *items[place:])
        position = others.next(position)
        if place > 0 and not others.has(position):
            break


def enumerated(values: Iterable[Any], start: Any) -> Iterator[Any]:
    """`enumerate(values, start)`"""
    number = start
    for value in values:
        yield number, value
        number = number + 1


def mapped(values: Iterable[Any], function: Function) -> Iterator[Any]:
    """`map(function, values)`"""
    for value in values:
        yield function(value)


def star_mapped(values: Iterable[Any], function: Function) -> Iterator[Any]:
    """`itertools.starmap(function, values)`"""
    for value in values:
        yield function(*value)


def filtered(values: Iterable[Any], test: Function) -> Iterator[Any]:
    """`filter(test, values)`"""
    for value in values:
        if test(value):
            yield value


def filtered_out(values: Iterable[Any], test: Function) -> Iterator[Any]:
    """`itertools.filterfalse(test, values)`"""
    for value in values:
        if not test(value):
            yield value


def taken_while(values: Iterable[Any], test: Function) -> Iterator[Any]:
    """`itertools.takewhile(test, values)`"""
    for value in values:
        if not test(value):
            break
        yield value


def dropped_while(values: Iterable[Any], test: Function) -> Iterator[Any]:
    """`itertools.dropwhile(test, values)`"""
    dropping = True
    for value in values:
        if dropping:
            dropping = bool(test(value))
        if not dropping:
            yield value


def sliced(values: Iterable[Any], start: Any, stop: Any, step: Any) -> Iterator[Any]:
    """`itertools.islice(values, start, stop, step)`"""
    if stop is not None and stop <= 0:
        return
    number = 0
    for value in values:
        if number >= start and (number - start) % step == 0:
            yield value
        number += 1
        if stop is not None and number >= stop:
            break


__all__ = ["is_lazy", "lazily", "zipped"]
