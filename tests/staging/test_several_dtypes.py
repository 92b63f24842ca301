"""Variables that hold tensors of one dtype or another, or None."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from tests.staging.differential import check_all

XS = np.array([0.5, -1.25, 2.0])
CALLS = [(XS, np.float64(1.5)), (XS, np.float64(-1.5))]


def chosen(xs, x):
    """A float64 vector, or one that is float32 in the graph."""
    if x > 0:
        return xs
    return np.tanh((xs > x) * 1.0)


def stored_to(xs, x):
    out = chosen(xs, x).copy()
    out[out > 0.25] *= 0.5
    out[0] = 3.0
    return out


def stored(xs, x):
    out = np.zeros(3)
    out[1] = chosen(xs, x)[2]
    out[:1] = chosen(xs, x)[1]
    return out


def gone_over(xs, x):
    found = []
    for a, b in zip(reversed(xs), map(lambda v: v * 2, chosen(xs, x))):
        found.append(a + b)
    for i, v in enumerate(chosen(xs, x)):
        found.append(v * i)
    return found


def or_none(xs, x):
    last = None
    for v in chosen(xs, x):
        if v > 0.25:
            last = v
    return (last or 2.0) * 1.0, last is None


def one_of_two_or_none(xs, x):
    t = chosen(xs, x)[0] if x > -2 else None
    return -1.0 if t is None else t * 2.0


def read_by_an_inner_function(xs, x):
    vec = chosen(xs, x)

    def inner(k):
        return vec[k] * 2.0

    return inner(0) + inner(1)


@pytest.mark.parametrize(
    "function",
    [
        stored_to,
        stored,
        gone_over,
        or_none,
        one_of_two_or_none,
        read_by_an_inner_function,
    ],
)
def test_like_python(function):
    check_all(function, *CALLS, dtypes=False)


def test_what_a_return_has_left_holds_no_array():
    def f(xs, x):
        out, total = np.zeros(3), 0.0
        with contextlib.suppress(ValueError):
            if x > 0:
                return out, x
            if x < -1:
                raise ValueError
        for v in xs:
            out[1] = v
            total += v
        return out, total

    check_all(f, *CALLS, (XS, np.float64(-0.5)))


@pytest.mark.parametrize("kind", [int, float])
def test_numbers_of_lists_are_pythons_own_error(kind):
    def f(xs, x):
        return kind([v for v in xs if v > x])

    check_all(f, *CALLS)
