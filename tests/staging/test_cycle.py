"""`itertools.cycle` beside what the running graph goes over."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all


def beside_a_list_of_any_length(n):
    items = [i for i in range(n)]
    return [a * b for a, b in zip(items, itertools.cycle([1, 2]))]


def beside_a_range(n):
    total = 0
    for a, b in zip(range(n), itertools.cycle((1, 2, 3))):
        total += a * b
    return total


def of_a_list_of_any_length(n):
    items = [i * 2 for i in range(n)]
    return [a + b for a, b in zip(range(7), itertools.cycle(items))]


def one_by_one(n):
    signs = itertools.cycle([1, -1, 5])
    total = next(signs)
    while n > 0:
        total += n * next(signs)
        n = n - 1
    return total, next(signs)


def left_by_a_break(n):
    found = []
    for x in itertools.cycle([1, 2, 3]):
        found.append(x)
        if len(found) > n:
            break
    return found


def of_python_alone(n):
    letters = itertools.cycle("ab")
    found = [next(letters) for _ in range(3)]
    found += [a for a, _ in zip(letters, range(2))]
    none = [x for x in itertools.cycle([])]
    return found, list(itertools.islice(itertools.cycle(range(2)), 5)), none, n


@pytest.mark.parametrize(
    "function",
    [
        beside_a_list_of_any_length,
        beside_a_range,
        of_a_list_of_any_length,
        one_by_one,
        left_by_a_break,
        of_python_alone,
    ],
    ids=lambda f: f.__name__,
)
def test_like_python(function):
    check_all(function, (np.int32(0),), (np.int32(2),), (np.int32(5),), dtypes=False)


def test_going_on_behind_a_staged_loop():
    @ag.function
    def f(n):
        signs = itertools.cycle([1, -1])
        total = 0
        for a, b in zip(range(n), signs):
            total += a * b
        return total + next(signs)

    with pytest.raises(StagingError, match="a cycle that a staged loop has gone over"):
        f(ag.constant(3))
