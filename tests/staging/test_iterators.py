"""Iterators: asked one by one, of the user's classes, generators and generator expressions."""

from __future__ import annotations

import collections
import itertools

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.staging import iterables
from tests.staging.differential import check, check_all

COUNTS = [(np.int32(n),) for n in (5, 0, 1, 2)]
ROWS = [(np.array(row),) for row in ([1.0, -2.0, 3.0], [-1.0], [4.0, 0.5])] + [(np.zeros(0),)]


class Steps:
    def __init__(self, n):
        self.n = n
        self.i = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.i >= self.n:
            raise StopIteration
        self.i += 1
        return self.i * 2


def own_iterator(n):
    total = 0
    for v in Steps(n):
        total = total * 2 + v
    return total


def own_iterator_left(n):
    total = 0
    for v in Steps(n):
        if v > 6:
            break
        total += v
    else:
        total += 100
    return total


def own_iterator_of_python(n):
    total = n
    for v in Steps(3):
        total += v
    return total


def with_a_value(n):
    def countdown(k):
        while k > 0:
            got = yield k
            if got is None:
                k -= 1

    return list(countdown(n))


def fibonacci(n):
    a, b = 0, 1
    while a < n:
        yield a
        a, b = b, a + b


def asked_one_by_one(n):
    generator = fibonacci(n)
    first = next(generator, -1)
    second = next(generator, -2)
    total = 0
    for v in generator:
        total += v
    return first, second, total


def read_twice(n):
    generator = fibonacci(n)
    total = 0
    for v in generator:
        total += v
    for _ in generator:
        total += 1000
    return total


def of_python_items(n):
    odd = (i for i in itertools.count() if i % 2)
    names = ("x" + s for s in ["a", "b"] if s)
    table = dict(zip(names, (i for i in [1, 2, 3] if i % 2)))  # noqa: B905
    return next(odd) * n, table["xb"], len(set(i for i in [1, 2, 2] if i))  # noqa: C401


def chained(n):
    squares = (i * i for i in range(n))
    odd = (s for s in squares if s % 2 == 1)
    return list(odd), any(i == n for i in range(3)), all(i < n for i in range(2))


@pytest.mark.parametrize(
    "function",
    [
        *(own_iterator, own_iterator_left, own_iterator_of_python, with_a_value),
        *(asked_one_by_one, read_twice, of_python_items, chained),
    ],
)
def test_iterators(function):
    check_all(function, *COUNTS)


def kept_for_later(xs):
    squares = (x * x for x in xs if x > 0)
    total = 0.0
    for v in squares:
        total += v
    for _ in squares:
        total += 1000.0
    return total


def gone_over_at_once(xs):
    total = 0.0
    for i, v in enumerate(x * x for x in xs if x > 0):
        total += i * v
    for v in (x + y for x in xs for y in xs if x < y):
        total += v
        if total > 5:
            break
    return total


def the_first(xs):
    big = next((x for x in xs if x > 2), -1.0)
    return big, next(iter(x * x for x in xs if x > 0), -2.0)


def the_rest(xs):
    it = iter(xs)
    first = next(it, None)
    return -1.0 if first is None else first + sum(it)


@pytest.mark.parametrize("function", [kept_for_later, gone_over_at_once, the_first, the_rest])
def test_generator_expressions(function):
    check_all(function, *ROWS)


def gone_on_with(n):
    generator = fibonacci(n)
    total = 0
    for v in generator:
        if v > 2:
            break
    for v in generator:
        total += v
    return total


def asked_in_a_loop(n):
    generator = fibonacci(100)
    total = 0
    for _ in range(n):
        total += next(generator)
    return total


def beside_an_endless_one(xs):
    total = 0.0
    for x, n in zip(xs, (i for i in itertools.count() if i % 2)):  # noqa: B905
        total += x * n
    return total


def endless(xs):
    odd = (i for i in itertools.count() if i % 2)
    return xs * list(odd)[0]


def python_items_in_a_loop(xs):
    it = iter([1, 2, 3])
    total = 0
    for _ in xs:
        total += next(it)
    return total


def made_where_it_is_asked(n):
    last = 0
    for i in range(n):
        it = iter([1, 2])
        last = next(it) * 10 + next(it) + i
    it = iter([5, 6])
    return last, next(it), next(it), next(it, 9)


def of_fixed_length(n):
    last = collections.deque([0, 0, 0], maxlen=3)
    for i in range(n):
        last.append(i)
        if i > 2:
            last.rotate(1)
    return list(last), sum(last)


@pytest.mark.parametrize("function", [made_where_it_is_asked, of_fixed_length])
def test_what_python_keeps(function):
    check_all(function, *COUNTS)


def of_any_length(xs):
    queue = collections.deque()
    for x in xs:
        if x > 1:
            queue.append(x)
    return len(queue)


def test_an_endless_generator_beside_a_tensor():
    check_all(beside_an_endless_one, (np.array([1.0, 2.0]),))


def test_what_is_refused(monkeypatch):
    monkeypatch.setattr(iterables, "_MOST_ITEMS", 100)
    with pytest.raises(ag.errors.StagingError, match="next.. of a Python iterator that was made"):
        ag.function(python_items_in_a_loop)(ag.constant([1.0, 2.0]))
    with pytest.raises(ag.errors.StagingError, match="the length of a deque comes to depend on"):
        ag.function(of_any_length)(ag.constant([1.0, 2.0]))
    with pytest.raises(ag.errors.StagingError, match="a generator has given 100 items"):
        ag.function(endless)(ag.constant([1.0, 2.0]))
    with pytest.raises(ag.errors.StagingError, match="a generator that a loop has left"):
        ag.function(gone_on_with)(ag.constant(9))
    with pytest.raises(ag.errors.StagingError, match="made outside of this branch or loop"):
        ag.function(asked_in_a_loop)(ag.constant(3))


def columns_of_rows(xs, x):
    rows = []
    for v in xs:
        if v != x:
            rows.append((v, v * 2))
    a, b = zip(*rows)
    return list(a), sum(b), [max(column) for column in zip(*rows)]


def columns_of_an_array(xs, x):
    rows = np.array([[v, v * x] for v in xs])
    return [sum(column) for column in zip(*rows)], list(zip(*[(1, 2), (3, 4)]))


@pytest.mark.parametrize("function", [columns_of_rows, columns_of_an_array])
def test_columns_of_rows(function):
    xs = np.array([1.0, -2.0, 3.0])
    check_all(function, (xs, np.float64(1.0)), (xs, np.float64(5.0)))
    if function is columns_of_rows:
        check_all(function, (xs[:1], np.float64(1.0)))


def test_zip_takes_turns_with_one_iterator():
    def pairs(xs):
        it = iter(xs)
        return [a * b for a, b in zip(it, it, strict=False)]

    def threes(xs):
        return [a + b + c for a, b, c in zip(*[iter(xs)] * 3, strict=False)]

    def with_another(xs):
        it = iter([x for x in xs if x > 0])
        return list(zip(it, it, xs, strict=False))

    for xs in (np.array([3.0, -1.0, 2.0, 5.0, 4.0]), np.array([1.0])):
        check(pairs, xs)
        check(threes, xs)
        check(with_another, xs)


def test_a_range_of_step_zero():
    def f(n):
        return [i for i in range(0, 3, n)]

    for n in (0, 1, -1):
        check(f, np.int32(n))


def test_objects_that_have_items_but_no_iter():
    class Squares:
        def __init__(self, n):
            self.n = n

        def __getitem__(self, i):
            if i >= self.n:
                raise IndexError(i)
            return i * i

    def f(n):
        total = 0
        for value in Squares(n):
            total += value
        return total, sum(Squares(n)), [value for value in Squares(n)]

    for n in (0, 1, 4):
        check(f, np.int32(n))


def a_part_of_an_iterator(xs):
    it = iter(xs)
    first = list(itertools.islice(it, 2))
    return first, list(it)


def parts_of_three(xs):
    it, sums = iter(xs), []
    while True:
        part = list(itertools.islice(it, 3))
        if not part:
            break
        sums.append(sum(part))
    return sums


def every_other_item(xs):
    it = iter(xs)
    return list(itertools.islice(it, 1, None, 2)), list(it)


def as_far_as_an_item(xs):
    it = iter(xs)
    found = 2.0 in it
    return found, list(it), all(v in iter(xs) for v in [3.0, 1.0])


def filtered_twice(xs):
    big = filter(lambda v: v > 1, xs)
    return list(big), list(big)


def mapped_and_taken(xs):
    doubled = map(lambda v: v * 2, xs)
    first, second = next(doubled), next(doubled, 0.0)
    return first, second, sum(doubled), max(doubled, default=-1.0)


def left_and_gone_on_with(xs):
    places, total = enumerate(xs), 0.0
    for _, x in places:
        if x < 2:
            break
        total += x
    for place, _ in places:
        total += 10 * place
    return total, list(places)


def gone_over_in_the_first_pass_only(xs):
    places, total = enumerate(xs), 0.0
    for _ in xs:
        for place, x in places:
            total += place * x
    return total, list(places)


def pairs_left_and_listed(xs):
    pairs, total = zip(xs, xs + 1), 0.0  # noqa: B905
    for a, b in pairs:
        if a > 1:
            break
        total += b
    return total, list(pairs)


@pytest.mark.parametrize(
    "function",
    [
        a_part_of_an_iterator,
        parts_of_three,
        every_other_item,
        as_far_as_an_item,
        filtered_twice,
        mapped_and_taken,
        left_and_gone_on_with,
        gone_over_in_the_first_pass_only,
        pairs_left_and_listed,
    ],
)
def test_iterators_that_are_read_in_parts(function):
    check_all(function, (np.array([3.0, 1.0, 2.0, 5.0]),), (np.array([0.5]),))


@pytest.mark.parametrize(
    "make",
    [
        lambda: iter([1, 2, 3]),
        lambda: enumerate([1, 2, 3], 1),
        lambda: iter(range(1, 5)),
        lambda: itertools.count(1),
    ],
)
def test_pythons_iterators_that_a_loop_has_left(make):
    @ag.function
    def f(n):
        it, last = make(), 0
        for item in it:
            last = item
            if n > 1:
                break
        return last, next(it, 0)

    with pytest.raises(ag.errors.StagingError, match="iterator that a loop has left where a tens"):
        f(np.int32(2))
