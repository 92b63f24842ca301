"""Stores to arrays that are held, copied or viewed where it is not plain to see."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

CALLS = [(np.float64(2.0),), (np.float64(-1.0),)]


def copies_in_a_branch(x):
    a = np.ones((2, 2)) * x
    if x > 0:
        b = a.flatten()
        b[0] = 9.0
        c = np.array(a)
        c[1] = 8.0
    return a


def many_lists_beside(x):
    a = np.zeros(3)
    held = [*([i] for i in range(6000)), [a]]
    a[0] = x
    return held[-1][0]


def deep_within(x):
    a = np.zeros(3)
    held = [[[[[[[[[a]]]]]]]]]
    a[0] = x
    return held[0][0][0][0][0][0][0][0][0]


def an_iterator(x):
    a = np.zeros(3)
    found = iter([a])
    pairs = zip([a], [1])
    a[0] = x
    return next(found), next(pairs)[0]


def parts_of_complex_numbers(x):
    z = np.array([1 + 2j, 3j]) * x
    real, imaginary = np.real(z), z.imag
    real[0] = 5.0
    imaginary[1] = 7.0
    return z


def no_more_nan(x):
    y = np.array([1.0, np.nan]) * x
    z = y
    np.nan_to_num(y, copy=False)
    return z


def by_their_names(x):
    a = np.zeros(3)
    b = a
    np.copyto(dst=a, src=x * np.ones(3))
    np.put(a, ind=[0], v=x * 2)
    return b


@pytest.mark.parametrize(
    "function",
    [
        copies_in_a_branch,
        many_lists_beside,
        deep_within,
        an_iterator,
        parts_of_complex_numbers,
        no_more_nan,
        by_their_names,
    ],
)
def test_like_python(function):
    check_all(function, *CALLS, gradient=False)


class Held:
    buffer = np.zeros(3)


def reversed_from_outside(x):
    view = Held.buffer[::-1]
    view[0] = x


def too_much(x):
    a = np.zeros(3)
    held = [[i] for i in range(60_000)]
    a[0] = x
    return a, held


def along_an_axis(x):
    a = np.zeros(3)
    np.put_along_axis(a, (x > 0) * np.array([1]), x, 0)
    return a


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (reversed_from_outside, r"py:\d+: an array that was not made in the traced function"),
        (too_much, r"py:\d+: an array is stored to, and too much is held by variables"),
        (along_an_axis, r"py:\d+: put_along_axis\(\) cannot be staged; store to items"),
    ],
)
def test_refused(function, message):
    with pytest.raises(StagingError, match=message):
        ag.function(function)(ag.constant(2.0))


def test_slices_of_generators_begin_at_no_negative_number():
    def counted(x):
        while True:
            yield x
            x = x + 1

    def f(x):
        return sum(itertools.islice(counted(x), -1, 3))

    check_all(f, *CALLS)
