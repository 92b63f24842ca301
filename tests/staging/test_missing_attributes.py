"""Attributes that are there on some paths only, asked for in a `try`: the error is caught there."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from tests.staging.differential import check_all

CALLS = [(np.float32(v),) for v in (2.0, -2.0, 0.5)]


class Box:
    pass


def made(x):
    box = Box()
    if x > 0:
        box.v = x * 2
        if x > 1:
            box.rows = [x, x + 1]
    return box


def value_of(box):
    return box.v


def read(x):
    box = made(x)
    try:
        r = box.v
    except AttributeError:
        r = x - 1
    return r


def read_and_unused(x):
    box = made(x)
    try:
        box.v
        print("it has", x)
        return x
    except Exception as error:
        return str(error)


def read_by_a_function(x):
    box = made(x)
    try:
        r = value_of(box)
    except AttributeError as error:
        print(error)
        r = x
    return r


def returned_by_a_function(x):
    box = made(x)
    try:
        return value_of(box)
    except (ValueError, AttributeError):
        return x + 7


def a_list(x):
    box = made(x)
    try:
        box.rows.append(x * 5)
        rows = box.rows
    except AttributeError:
        return x
    return rows[0] + rows[-1] * len(box.rows)


def of_one_of_two(x):
    box, other = made(x), Box()
    other.v = x * 10
    if x < 1:
        box = other
    try:
        r = box.v + box.rows[0]
    except AttributeError:
        r = x
    return r


def added_to(x):
    box = made(x)
    try:
        box.v += x
    except AttributeError:
        box.v = x * 3
    return box.v


def suppressed(x):
    box = made(x)
    r = x
    with contextlib.suppress(AttributeError):
        r = box.v
        print("assigned", x)
    return r


def in_a_loop(x):
    box = Box()
    total = x * 0
    for k in range(4):
        try:
            total += box.last
        except AttributeError:
            total -= 1
        if x > k:
            box.last = x + k
    return total


def in_a_loop_of_the_graph(xs):
    box = Box()
    total = xs[0] * 0
    for v in xs:
        try:
            total = total + box.last
        except AttributeError:
            total = total - 1
        if v > 0:
            box.last = v
    return total


def not_asked_in_handlers(x):
    box = made(x)
    try:
        if x > 1:
            raise ValueError("large")
        r = x
    except ValueError:
        r = box.v
    return r


@pytest.mark.parametrize(
    "function",
    [
        *(read, read_and_unused, read_by_a_function, returned_by_a_function, a_list),
        *(of_one_of_two, added_to, suppressed, in_a_loop, not_asked_in_handlers),
    ],
)
def test_as_python_answers(function):
    check_all(function, *CALLS)


def test_in_a_staged_loop():
    calls = [(np.array(xs, np.float32),) for xs in ([1, -2, 3], [-1, -2, -3], [-1, 4, 2])]
    check_all(in_a_loop_of_the_graph, *calls)


class Source:
    """What its property gives is another number each time."""

    def __init__(self, x):
        self.left = [x, x + 1, x + 2]

    @property
    def next(self):
        return self.left.pop(0)

    @next.setter
    def next(self, value):
        self.left.append(value)


def a_property_is_read_once(x):
    source = Source(x)
    try:
        first = source.next
        source.next += 10
    except AttributeError:
        first = x
    return first, source.left


class Counting:
    def __init__(self):
        self.asked = 0

    def __getattr__(self, name):
        self.asked += 1
        if name == "there":
            return 2.0
        raise AttributeError(name)


def asked_once(x):
    counting = Counting()
    total = x
    with contextlib.suppress(AttributeError):
        total += counting.there
        total += counting.missing
    return total, counting.asked


class Slotted:
    __slots__ = ("v",)


def in_a_slot(x):
    slotted = Slotted()
    if x > 0:
        slotted.v = x
    try:
        slotted.v += 1
        return slotted.v
    except AttributeError:
        return x - 1


def of_an_inner_object(x):
    outer = Box()
    if x > 0:
        outer.inner = Box()
    try:
        outer.inner.v = x
        r = outer.inner.v + 1
    except AttributeError:
        r = x - 1
    return r


@pytest.mark.parametrize(
    "function", [a_property_is_read_once, asked_once, in_a_slot, of_an_inner_object]
)
def test_of_objects_of_all_kinds(function):
    check_all(function, *CALLS)


class Doubled:
    @property
    def double(self):
        return self._v * 2

    def __getitem__(self, number):
        return self._v * number


def doubled_of(x):
    doubled = Doubled()
    if x > 0:
        doubled._v = x
    return doubled


def missing_in_a_property(x):
    doubled = doubled_of(x)
    try:
        return doubled.double
    except AttributeError:
        return x - 1


def missing_in_a_special_method(x):
    doubled = doubled_of(x)
    try:
        return doubled[3]
    except AttributeError:
        return x - 1


@pytest.mark.parametrize("function", [missing_in_a_property, missing_in_a_special_method])
def test_in_what_objects_compute(function):
    check_all(function, *CALLS)
