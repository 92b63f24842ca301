"""Lists that change while a `for` goes over them."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all


def growing(n):
    items = [1]
    for x in items:
        if x < n:
            items.append(x + 1)
    return items


def shrinking(n):
    items = [1, 2, 3, 4]
    for x in items:
        if x < n:
            items.remove(x)
    return items


def with_a_break(n):
    items = [1, 2, 3]
    for x in items:
        if x == n:
            break
        if x < n:
            items.append(x + n)
        if len(items) > 6:
            break
    return items


def of_any_length(n):
    items = list(range(n))
    for x in items:
        if x == 1:
            items.remove(x)
    return items


def a_copy(n):
    items = [1, 2, 3]
    for x in items[:]:
        if x < n:
            items.remove(x)
    return items


def two_levels(n):
    total = 0
    items = [1, 2]
    for x in items:
        for y in items:
            if y < n and len(items) < 6:
                items.append(x + y)
        total += x
    return items, total


@pytest.mark.parametrize(
    "function",
    [growing, shrinking, with_a_break, of_any_length, a_copy, two_levels],
    ids=lambda f: f.__name__,
)
def test_like_python(function):
    calls = [(np.int32(n),) for n in (0, 2, 4, 5)]
    check_all(function, *calls, gradient=False, dtypes=False)


def enumerated(n):
    items = [1, 2, 3]
    for _, x in enumerate(items):
        if x < n:
            items.append(x + 2)
    return items


def test_where_python_asks_for_the_items():
    message = "the length of a list comes to depend on a tensor while it is gone over here"
    with pytest.raises(StagingError, match=message):
        ag.function(enumerated)(ag.constant(4))
