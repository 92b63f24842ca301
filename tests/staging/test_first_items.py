"""`next(v for v in ... if ...)`: the first item, of what need not end."""

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all

CALLS = [(np.float64(1.5),), (np.float64(20.0),)]


def doubled(x):
    while True:
        yield x
        x = x * 2


def a_generator_without_end(x):
    return next(v for v in doubled(x) if v > 10)


def a_filter(x):
    return next(filter(lambda v: v > 10, doubled(x)))


def numbered(x):
    return next((i, v) for i, v in enumerate(doubled(x)) if v > 10)


def with_a_default(x):
    return next((v for v in (x, x + 1) if v > 10), -1.0)


def in_a_loop(x):
    total = x
    for k in range(3):
        total = total + next(v for v in doubled(x) if v > k)
    return total


def nothing_to_be_found(x):
    return next(v for v in np.array([1.0, 2.0]) if v > x * 10)


@pytest.mark.parametrize(
    "function",
    [
        a_generator_without_end,
        a_filter,
        numbered,
        with_a_default,
        in_a_loop,
        nothing_to_be_found,
    ],
)
def test_like_python(function):
    check_all(function, *CALLS)


def test_nothing_is_read_behind_the_first(capsys):
    def spoken(x, n):
        for k in range(n):
            print("item", k)
            yield x * k

    @ag.function
    def f(x, n):
        return next(v for v in spoken(x, n) if v > 0)

    assert f(ag.constant(2), ag.constant(3)).numpy() == 2
    assert capsys.readouterr().out == "item 0\nitem 1\n"
