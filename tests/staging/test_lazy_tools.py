"""`enumerate`, `zip`, `map`, `filter` and `itertools` over generators: read item by item."""

import functools
import itertools

import numpy as np
import pytest

from tests.staging.differential import check, check_all

XS = np.array([1.0, 3.0, 2.0])


def fibonacci(x):
    a, b = x, x
    while True:
        yield a
        a, b = b, a + b


def naturals():
    number = 0
    while True:
        yield number
        number += 1


def told(xs):
    for x in xs:
        print("asked for", x)
        yield x * 2


def first_few(xs):
    total = 0.0
    for x in itertools.islice(fibonacci(xs[0]), 5):
        total += x
    return total + sum(itertools.islice(naturals(), 2, 9, 3))


def until_it_is_large(xs):
    total = 0.0
    for n, x in enumerate(fibonacci(xs[0]), 1):
        if x > 10:
            break
        total += x * n
    return total


def beside_a_tensor(xs):
    total = 0.0
    for x, y in zip(xs, fibonacci(xs[0])):
        total += x * y
    for n, x in zip(naturals(), xs):
        total += x * n
    return total


def while_they_are_small(xs):
    small = list(itertools.takewhile(lambda x: x < 10, fibonacci(xs[0])))
    return small, sum(itertools.takewhile(lambda n: n < 4, naturals()))


@pytest.mark.parametrize(
    "function", [first_few, until_it_is_large, beside_a_tensor, while_they_are_small]
)
def test_generators_without_an_end(function):
    check_all(function, (XS,), (XS + 1,))


def test_what_is_read_is_read_when_it_is_wanted():
    def f(xs):
        total = 0.0
        for n, x in enumerate(told(xs), 1):
            print("number", n + 0 * x)
            total += x * n
            if x > 5:
                break
        return total

    check_all(f, (XS,), (XS * 0.5,))


def test_of_two_iterables_the_second_is_not_asked_after_the_first_has_ended():
    def f(xs):
        total = 0.0
        for a, b in zip([1.0, 2.0], told(xs)):
            total += a * b
        for a, b in zip(told(xs), [1.0, 2.0]):
            total += a * b
        return total

    check(f, XS)


def test_map_and_filter():
    def f(xs):
        def bent(x):
            if x > 3:
                return x + 1
            return x

        found = []
        for x in map(bent, filter(lambda x: x > 2.5, told(xs))):
            found.append(x)
        return found, list(map(lambda x, y: x * y, told(xs), xs)), list(filter(None, told(xs - 1)))

    check(f, XS)


def test_itertools():
    def f(xs):
        return (
            list(itertools.islice(told(xs), 1, None)),
            list(itertools.islice(told(xs), 0)),
            list(itertools.dropwhile(lambda x: x < 5, told(xs))),
            list(itertools.filterfalse(lambda x: x < 5, told(xs))),
            list(itertools.starmap(lambda n, x: n * x, enumerate(told(xs)))),
        )

    check(f, XS)


def test_two_generators_side_by_side():
    def f(xs):
        return list(zip((x for x in xs), (x * 3 for x in xs)))

    check(f, XS)


def test_what_is_made_of_a_generator_is_asked_one_by_one():
    def f(xs):
        pairs = enumerate(x * 2 for x in xs)
        first = next(pairs)
        a, b, c = map(lambda x: x * 2, (x for x in xs))
        return first, list(pairs), a, b, c

    check(f, XS)


def test_python_iterators_without_an_end_beside_a_tensor():
    def f(xs):
        total = 0.0
        for x, sign in zip(xs, itertools.cycle([1, -1])):
            total += x * sign
        for scale, x in zip(itertools.cycle((2.0, xs[0])), xs):
            total += x * scale
        for x, n, two in zip(xs, map(lambda n: n + 1, itertools.count()), itertools.repeat(2)):
            total += x * n * two
        return total, list(map(lambda x, sign: x * sign, xs, itertools.cycle([1, -1])))

    check(f, XS)


def test_a_python_iterator_keeps_what_is_left():
    def f(xs):
        weights = iter([1.0, 2.0, 3.0, 4.0, 5.0])
        total = 0.0
        for x, weight in zip(xs, weights):
            total += x * weight
        more = iter([1.0, 2.0, 3.0, 4.0, 5.0])
        for weight, x in zip(more, xs):
            total += x * weight
        return total, list(weights), list(more)

    check(f, XS)


def test_a_dict_of_numbers_and_rows():
    def f(xs):
        return dict(zip(itertools.count(), xs)), dict(zip("abc", xs))

    check(f, XS)


class Steps:
    """An iterable of a user's own."""

    def __init__(self, values, weight):
        self.values = values
        self.weight = weight

    def __iter__(self):
        for value in self.values:
            yield value * self.weight


def folded(v, make):
    return (
        functools.reduce(lambda a, b: a + b, make(v), 1.0),
        list(itertools.accumulate(make(v))),
        [a + b for a, b in itertools.pairwise(make(v))],
    )


def cut(v, make):
    return (
        list(itertools.islice(make(v), 2)),
        list(itertools.takewhile(lambda w: w < 2, make(v))),
        list(itertools.dropwhile(lambda w: w < 2, make(v))),
        list(itertools.filterfalse(lambda w: w < 2, make(v))),
    )


def joined(v, make):
    return list(itertools.chain(make(v), v)), list(itertools.product(make(v), make(v)))


@pytest.mark.parametrize("function", [folded, cut, joined])
@pytest.mark.parametrize("kind", ["expression", "iterable"])
def test_tools_over_generators_over_arrays_of_unknown_length(function, kind):
    def expressions(v):
        return (w * 2 for w in v)

    def f(xs, x):
        vec = np.array([w * x for w in xs if w > 0])
        if kind == "iterable":
            return function(vec, lambda v: Steps(v, 2.0))
        return function(vec, expressions)

    xs = np.array([0.5, -1.25, 2.0, 0.75])
    check_all(f, (xs, np.float64(1.5)), (-xs, np.float64(1.0)))


def test_generator_expressions_as_arguments_of_tools():
    def f(xs, x):
        vec = np.array([w * x for w in xs if w > 0])
        return (
            functools.reduce(lambda a, b: a + b, (v * 2 for v in vec), 1.0),
            list(itertools.accumulate(v * 2 for v in vec)),
            list(itertools.product((v for v in vec), (v * 2 for v in vec))),
            list(itertools.starmap(lambda a, b: a + b, ((v, v * 2) for v in vec))),
            list(itertools.chain((v for v in vec), (v * 3 for v in vec))),
        )

    xs = np.array([0.5, -1.25, 2.0, 0.75])
    check_all(f, (xs, np.float64(1.5)), (-xs, np.float64(1.0)))


def chosen_by_a_tensor(x):
    return (
        list(filter(lambda v: v > x, [1, 2, 3])),
        list(itertools.takewhile(lambda v: v < x, [1, 2, 3])),
        list(itertools.dropwhile(lambda v: v < x, (1, 2, 3))),
        list(itertools.filterfalse(lambda v: v < x, range(4))),
        [v * x for v in itertools.takewhile(lambda v: v < x, itertools.count(1))],
    )


def chosen_by_a_python_value(x):
    found = []
    for v in filter(lambda v: v > 1, [1, 2, 3]):
        found.append(v * x)
    for v in itertools.takewhile(lambda v: v < 3, [1, 2, 3, 1]):
        found.append(v + x)
    return found, len(list(filter(lambda v: v > 1, [1, 2, 3]))), next(filter(str.isdigit, "a1"))


@pytest.mark.parametrize("function", [chosen_by_a_tensor, chosen_by_a_python_value])
def test_python_values_that_a_function_chooses(function):
    check_all(function, *[(np.float64(v),) for v in (0.5, 1.5, 2.5, 5.0)])
