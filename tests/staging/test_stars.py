"""`first, *rest = values`, where the running graph knows how many values there are."""

from __future__ import annotations

import numpy as np
import pytest

from tests.staging.differential import check_all

CALLS = [(np.int32(0),), (np.int32(2),), (np.int32(5),)]


def the_first_and_the_rest(n):
    xs = [i for i in range(n + 2)]
    first, *rest = xs
    rest.append(first)
    return (first, rest)


def stars_anywhere(n):
    xs = [i for i in range(n + 2)]
    *rest, last = xs
    a, *m, b = xs
    [c, *_] = xs
    return (rest, last, a, m, b, c)


def too_few(n):
    xs = [i for i in range(n)]
    a, b, *rest = xs
    return (a + b, rest)


def one_by_one(n):
    xs = [i for i in range(n)]
    t = 0
    while len(xs) > 0:
        x, *xs = xs
        t = t * 2 + x
    return t


def to_items(n):
    d = {}
    a = [0, 0]
    a[0], *d["k"] = [n, 1, 2]
    a[1], *r, d["z"] = range(5)
    return (a, d, r)


def of_python_values(n):
    a, *b = "xyz"
    c, *d, e = (n, 1)
    f, *g = {"p": 1, "q": 2}
    (*h,) = range(3)
    return (a, b, c, d, e, f, g, h)


def too_few_python_values(n):
    try:
        a, *b, c = [n]
    except ValueError as e:
        return str(e)


def of_a_number(n):
    v = 5
    try:
        a, *b = v
    except TypeError as e:
        return str(e)


def one_in_another(n):
    (a, *b), *c = [[n, 1], [2], [3]]
    return (a, b, c)


def of_a_tensor(n):
    v = np.arange(4) * n
    a, *b = v
    return (a, len(b), b[0])


def of_a_tuple_or_a_list(n):
    t = (1, 2, 3) if n > 1 else [4, 5]
    a, *b = t
    return a


@pytest.mark.parametrize(
    "function",
    [
        the_first_and_the_rest,
        stars_anywhere,
        too_few,
        one_by_one,
        to_items,
        of_python_values,
        too_few_python_values,
        of_a_number,
        one_in_another,
        of_a_tensor,
        of_a_tuple_or_a_list,
    ],
    ids=lambda f: f.__name__,
)
def test_like_python(function):
    check_all(function, *CALLS, dtypes=False)
