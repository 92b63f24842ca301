"""`is` and `type` of what a branch or loop leaves."""

from __future__ import annotations

import numpy as np
import pytest

from tests.staging.differential import check_all

CALLS = [(np.float64(2.0),), (np.float64(-3.0),)]


class A:
    pass


class B:
    pass


def types_of_lists(x):
    items = []
    while x < 5:
        items.append(x)
        x = x + 1
    return type(items) is list, type(items).__name__, type(items)([1, 2]), type(items) == list  # noqa: E721


def one_of_two_objects(x):
    a, b = A(), A()
    c = a if x > 0 else b
    return c is a, c is b, c is not a, a is c, type(c) is A, type(c).__name__


def of_two_classes(x):
    a, b = A(), B()
    c = a if x > 0 else b
    return isinstance(c, A), c is b, type(c).__name__


def an_old_list_or_a_new_one(x):
    base = [1]
    keep = base
    if x > 0:
        base = [2]
    same = 1 if base is not keep else 2
    return base is keep, keep is base, base is None, type(base).__name__, same


@pytest.mark.parametrize(
    "function",
    [types_of_lists, one_of_two_objects, of_two_classes, an_old_list_or_a_new_one],
    ids=lambda f: f.__name__,
)
def test_like_python(function):
    check_all(function, *CALLS, dtypes=False)
