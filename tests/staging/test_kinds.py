"""`isinstance` and `==` of what only the running graph knows."""

import math
import numbers

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all

CALLS = [
    (np.array([0.5, -1.5, 2.0]), np.float64(1.5), np.int32(3)),
    (np.array([-0.5, 1.5]), np.float64(-0.5), np.int32(0)),
]


def an_array(xs, x, n):
    return isinstance(xs, np.ndarray), isinstance(x, np.ndarray), isinstance(xs > x, np.ndarray)


def scalars_of_numpy(xs, x, n):
    return (
        isinstance(x, float),
        isinstance(x, (int, np.floating)),
        isinstance(n, int),
        isinstance(n, np.integer | int),
        isinstance(x, numbers.Real),
        isinstance(x > 1, (bool, np.bool_)),
        isinstance(xs[0], float),
        isinstance(xs, (list, (tuple, dict))),
        np.isscalar(x),
        np.isscalar(xs),
    )


def numbers_of_python(xs, x, n):
    total, count, found = 0.5, 0, False
    for v in xs:
        total += float(v > x)
        count += 1
        found = found or bool(v > 1)
    return (
        isinstance(total, float),
        isinstance(count, int),
        isinstance(count, numbers.Integral),
        isinstance(count, float),
        isinstance(found, bool),
    )


def numbers_of_math(xs, x, n):
    t = 0.25
    for i in range(n):
        t = math.hypot(t, 1.0) + math.pow(t, 2) + math.atan2(i, 2)
    whole = math.floor(t), math.ceil(x), math.trunc(x)
    return (
        isinstance(t, float),
        isinstance(math.log(x + 3, 1.1), float),
        [isinstance(number, int) for number in whole],
    )


def a_pattern(xs, x, n):
    count = 0
    for v in xs:
        if v > x:
            count += 1
    match count:
        case int():
            y = x * 2
        case _:
            y = x
    match x:
        case float():
            return y + 1
    return y


def array_or_number(xs, x, n):
    def norm(v):
        if isinstance(v, np.ndarray):
            return np.sum(np.abs(v))
        if isinstance(v, (float, np.integer)):
            return abs(v)
        raise TypeError("no number")

    return norm(xs) + norm(x) + norm(n)


def one_of_two_dtypes_in_tuples(xs, x, n):
    value = n
    for v in xs:
        value = v * 2 if v > x else n
    return (x, n) < (value, n), (value, n) == (n, n), (x, 1) != (value, 1), x == value


@pytest.mark.parametrize(
    "function",
    [
        an_array,
        scalars_of_numpy,
        numbers_of_python,
        numbers_of_math,
        a_pattern,
        array_or_number,
        one_of_two_dtypes_in_tuples,
    ],
)
def test_like_python(function):
    check_all(function, *CALLS, dtypes=False)


def test_a_tensor_is_a_tensor():
    @ag.function
    def f(x):
        return isinstance(x, ag.Tensor) and isinstance(x, (ag.Tensor, str))

    assert f(np.float32(1))


def test_a_float32_is_no_float():
    @ag.function
    def f(x):
        return isinstance(x, float)

    assert not f(ag.constant(1.0))
    assert not isinstance(np.float32(1), float)
