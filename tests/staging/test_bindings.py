"""Functions and loops that bind variables from around them, and get one of several values."""

import contextlib
import functools

import numpy as np
import pytest

from tests.staging.differential import check_all

CALLS = [(np.float64(3.0),), (np.float64(-3.0),)]
COUNTED = 0


def yielded(x):
    total, found = 0.0, None
    if x > 0:
        found = x

    def values():
        if found is not None:
            yield found

    for value in values():
        total += value
    return total


def yielded_in_pairs(x):
    xs = np.array([1.0, 2.0, 3.0]) * x

    def pairs():
        before = None
        for y in xs:
            if before is not None:
                yield before, y
            before = y

    total, count = 0.0, 0
    for a, b in pairs():
        total += a * b
        count += 1
    return total, count


def a_nonlocal(x):
    total, found = 0.0, None

    def add(value):
        nonlocal total
        total += value

    if x > 0:
        found = x
    if found is not None:
        add(found)
    return total


def a_global(x):
    global COUNTED
    COUNTED = 0
    found = None

    def count(value):
        global COUNTED
        COUNTED += 1
        return value * 2

    if x > 0:
        found = x
    total = 0.0
    if found is not None:
        total = count(found)
    return total, COUNTED


def one_of_two_kinds(x):
    count = 0
    given = "none"
    if x > 0:
        given = x

    def note(value, by):
        nonlocal count
        count += by

    if x > 0:
        note(given, 2)
    functools.partial(note, given)(3)
    return count


def one_of_two_functions(x):
    ups = downs = 0.0

    def up(value):
        nonlocal ups
        ups += value

    def down(value):
        nonlocal downs
        downs -= value

    act = up if x > 0 else down
    act(x)
    act(1.0)
    return ups, downs


def by_functions_called(x):
    count = 0

    def inner():
        nonlocal count
        count += 1

    def outer(value, call=inner):
        call()
        inner()

    class Calls:
        def __call__(self, value):
            inner()

    given = None
    if x > 0:
        given = x
    if given is not None:
        outer(given)
        outer(given, call=inner)
        Calls()(given)
    return count


@pytest.mark.parametrize(
    "function",
    [
        by_functions_called,
        yielded,
        yielded_in_pairs,
        a_nonlocal,
        a_global,
        one_of_two_kinds,
        one_of_two_functions,
    ],
)
def test_what_is_bound(function):
    check_all(function, *CALLS)


def numbers_of_a_factory(n):
    def made():
        count = 0

        def up():
            nonlocal count
            count += 1
            return count

        return up

    up, other = made(), made()
    if n > 1:
        up()
    for _ in range(n):
        other()
    return up(), other()


def a_counting_decorator(n):
    def counted(f):
        calls = 0

        def call(x):
            nonlocal calls
            calls += 1
            return f(x) * calls

        return call

    @counted
    def square(x):
        return x * x

    total = 0.0
    for x in range(n):
        if x > 0:
            total += square(x)
    return total


def a_partial_that_counts(n):
    def made():
        count = 0

        def up(step):
            nonlocal count
            count += step
            return count

        return up

    up = functools.partial(made(), 2)
    if n > 1:
        up()
    return up()


def a_manager_that_counts(n):
    def made():
        count = 0

        @contextlib.contextmanager
        def counting():
            nonlocal count
            count += 1
            yield count

        return counting

    counting, last = made(), 0
    for _ in range(n):
        with counting() as count:
            last = count
    return last


def a_default_list(n):
    def f(seen=[]):  # noqa: B006
        seen.append(1)
        return len(seen)

    if n > 1:
        f()
    return f()


def a_default_dict(n):
    def f(x, *, memo={}):  # noqa: B006
        if "k" not in memo:
            memo["k"] = x
        return memo["k"]

    if n > 1:
        f(1)
    return f(2)


def a_default_array(n):
    def f(x, total=np.zeros(2)):  # noqa: B008
        total[0] += x
        return total[0]

    if n > 1:
        f(1)
    return f(2)


def a_list_of_a_class(n):
    class Queue:
        items = []  # noqa: RUF012
        count = 0

    for i in range(n):
        Queue.items.append(i)
        Queue.count += 1
    return Queue.items, Queue.count


@pytest.mark.parametrize(
    "function",
    [
        numbers_of_a_factory,
        a_counting_decorator,
        a_partial_that_counts,
        a_manager_that_counts,
        a_default_list,
        a_default_dict,
        a_default_array,
        a_list_of_a_class,
    ],
)
def test_what_functions_and_classes_keep(function):
    check_all(function, *[(np.int32(n),) for n in (0, 1, 3)])
