"""Generators and iterable classes of the user's, gone over by staged loops."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check

INTS = np.array([3, 1, 2, 5], np.int32)


def doubled(items):
    for v in items:
        yield v * 2


def with_opposites(xs):
    for x in xs:
        if x > 1:
            yield x
            yield -x


def composed(xs):
    yield from doubled(with_opposites(xs))


def counting(n):
    i = 0
    while i < n:
        yield i
        i += 1


class Odd:
    def __init__(self, xs):
        self.xs = xs

    def __iter__(self):
        for x in self.xs:
            if x % 2 == 1:
                yield x


class Table:
    def __init__(self, xs):
        self.xs = xs

    def rows(self, factor):
        for x in self.xs:
            yield x * factor


def branches_that_share_a_name(items):
    for x in items:
        t = x
        if x > 2:
            t = t * 3
            yield t
        else:
            yield t - 1


def try_with_a_name_of_its_own(items):
    for x in items:
        t = x
        try:
            if t > 3:
                raise ValueError
            t = t * 2
        except ValueError:
            pass
        yield x


def summed(xs):
    total = 0
    for v in doubled(xs):
        total = total + v
    return total


def jumps_in_the_consumer(xs):
    total = 0
    for v in with_opposites(xs):
        if v == -2:
            continue
        total = total * 3 + v
        if total > 50:
            break
    return total, v


def return_from_the_consumer(xs):
    for v in with_opposites(xs):
        if v < -2:
            return v
    return 0


def one_inside_another(xs):
    total = 1
    for v in composed(xs):
        total = total + v * v
    return total


def nested_loops(xs):
    total = 0
    for a in doubled(xs):
        for b in with_opposites(xs):
            total += a * b
    return total


def a_while_loop(xs):
    total = 0
    for i in counting(xs[0]):
        total += xs[i]
    return total


def a_class(xs):
    return [x for x in Odd(xs)]


def a_method(xs):
    total = 0
    for row in Table(xs).rows(3):
        total += row
    return total


def builtins_over_them(xs):
    return sum(doubled(xs)), list(with_opposites(xs)), max(doubled(xs)), any(v > 9 for v in xs)


def numbered(xs):
    total = 0
    for k, v in enumerate(doubled(xs)):
        total += k * v
    return total


def paired(xs):
    total = 0
    for a, b in zip(doubled(xs), xs, strict=False):
        total += a * b
    return total


def names_that_no_later_code_reads(xs):
    total, last = 0, 0
    for v in branches_that_share_a_name(xs):
        total += v * 2
        if v > 10:
            break
    for v in try_with_a_name_of_its_own(xs):
        last = last * 2 + v
    return total, last


def local_with_closure(xs):
    offset = xs[0]

    def shifted(items):
        for item in items:
            yield item + offset

    total = 0
    for v in shifted(xs):
        total += v
    return total


def python_values(xs):
    collected = []
    for v in doubled([1, 2, 3]):
        collected.append(v)
    return xs[0], collected


FUNCTIONS = [
    summed,
    jumps_in_the_consumer,
    return_from_the_consumer,
    one_inside_another,
    nested_loops,
    a_while_loop,
    a_class,
    a_method,
    builtins_over_them,
    numbered,
    paired,
    names_that_no_later_code_reads,
    local_with_closure,
    python_values,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_like_python(function):
    check(function, INTS, gradient=False, dtypes=False)


@pytest.mark.parametrize("function", FUNCTIONS)
def test_of_unknown_length(function):
    signature = [ag.TensorSpec([None], ag.int32)]
    staged = ag.function(function, input_signature=signature)
    for xs in (INTS, INTS[:3]):
        expected, found = function(xs), staged(ag.constant(xs))
        assert _plain(found) == _plain(expected)


def test_gradient_goes_through():
    def f(xs):
        total = 1.0
        for v in doubled(xs):
            total = total * v
        return total

    check(f, np.array([1.5, -2.0, 0.5]))


def test_a_generator_that_yields_in_a_try_runs_as_it_is():
    def guarded(items):
        try:
            for item in items:
                yield item
        finally:
            pass

    @ag.function
    def f(x):
        total = x
        for v in guarded([1, 2, 3]):
            total += v
        return total

    assert int(f(ag.constant(1))) == 7


def test_next_asks_the_generator_itself():
    @ag.function
    def f(x):
        items = doubled([x, x + 1])
        return next(items), next(items)

    assert [int(v) for v in f(ag.constant(3))] == [6, 8]


def _plain(value):
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return np.asarray(value).tolist()


class Weighted:
    def __init__(self, values, weight):
        self.values = values
        self.weight = weight

    def __iter__(self):
        for value in self.values:
            if value > 0:
                yield value * self.weight


def positive(values):
    for value in values:
        if value > 0:
            yield value * 0.5


def test_builtins_over_iterables_of_the_users():
    def f(xs, x):
        made = list(Weighted(xs, x))
        total = sum(Weighted(positive(xs), x), x) + max(Weighted(xs, 2.0), default=x)
        pairs = [a * b for a, b in zip(Weighted(xs, x), Weighted(xs, 3.0))]
        counted = [i * w for i, w in enumerate(Weighted(xs, x), 1)]
        doubled = list(map(lambda w: w * 2, Weighted(xs, x)))
        large = any(w > 3 for w in Weighted(xs, x)), all(Weighted(xs, x))
        least = (
            sorted(Weighted(xs, x), reverse=True),
            tuple(filter(lambda w: w < 4, Weighted(xs, x))),
        )
        return made, total, pairs, counted, doubled, large, least

    for xs in (np.array([1.0, -2.0, 3.0]), np.array([-1.0, -2.0, -3.0]), np.array([0.5, 2.0, 3.0])):
        check(f, xs, np.float64(1.5), dtypes=False)


class Vector:
    def __init__(self, x, y):
        self.x = x
        self.y = y

    def __iter__(self):
        yield self.x
        yield self.y

    def __add__(self, other):
        return Vector(self.x + other.x, self.y + other.y)

    def __gt__(self, other):
        return False


def test_objects_that_are_not_gone_over_though_they_could_be():
    def f(x):
        total = sum([Vector(x, 1.0), Vector(2.0, x)], Vector(0.0, 0.0))
        first = max(Vector(x, 1.0), Vector(x, 2.0))
        return total.x, total.y, first.y, list(Vector(1, 2)), tuple(Vector(1, x))

    check(f, np.float64(1.5), dtypes=False)


def test_next_of_a_generator_over_a_list_of_any_length():
    def f(xs, x):
        kept = [v for v in xs if v > 0]
        first = next((w for w in kept if w > x), 2.0)
        second = next(w for w in kept)
        return first, second

    for x in (0.5, 2.5, 9.0):
        check(f, np.array([1.0, -2.0, 3.0]), np.float64(x))
    check(f, np.array([-1.0, -2.0, -3.0]), np.float64(1.0), dtypes=False)
