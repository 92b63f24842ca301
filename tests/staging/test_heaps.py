"""`heapq` and `bisect` on lists of traced functions, in branches and loops too."""

from __future__ import annotations

import bisect
import heapq
from functools import partial

import numpy as np
import pytest

from tests.staging.differential import check_all


def pushed_in_a_branch(x):
    heap = []
    if x > 0:
        heapq.heappush(heap, 3)
    return heap


def pushed_in_a_loop(x):
    heap = [5, 3, 8]
    heapq.heapify(heap)
    while x > 0:
        heapq.heappush(heap, x)
        x = x - 1
    return heap


def popped_in_order(x):
    heap = [x, 3, 8, 1]
    heapq.heapify(heap)
    return [heapq.heappop(heap) for _ in range(4)]


def replaced(x):
    heap = [1, 2]
    first = heapq.heapreplace(heap, x)
    second = heapq.heappushpop(heap, 1)
    return heap, first, second


def pairs(x):
    heap = [(1, 2.0), (0, 5.0)]
    heapq.heapify(heap)
    while x > 0:
        heapq.heappush(heap, (x, 1.0))
        x = x - 1
    return heapq.heappop(heap), heap


def popped_when_empty(x):
    heap = []
    if x > 0:
        heapq.heappush(heap, 1)
    return heapq.heappop(heap)


def under_other_names(x):
    heap = [4, 2]
    push = heapq.heappush
    into = partial(heapq.heappush, heap)
    for i in range(x):
        push(heap, i)
        into(i + 3)
    return heap


def until_it_is_empty(x):
    heap = []
    for i in range(x):
        heapq.heappush(heap, (i * 7) % 5)
    total = 0
    while heap:
        total = total * 3 + heapq.heappop(heap)
    return total


def inserted_in_order(x):
    values = [1, 3, 5]
    bisect.insort(values, x)
    return values, bisect.bisect_left(values, x), bisect.bisect(values, 3)


def inserted_in_a_branch(x):
    values = [1, 3, 5]
    if x > 0:
        bisect.insort_left(values, 4)
    return values


def by_key(x):
    values = [9, 5, 1]
    bisect.insort(values, x, key=lambda v: -v)
    return values


def within_bounds(x):
    return bisect.bisect_left([1, 2, 3], x, 1), bisect.bisect_right([1, 2, 3], 2, hi=x)


def below_the_first(x):
    return bisect.bisect([x, x + 1], 0, -1)


CASES = [
    pushed_in_a_branch,
    pushed_in_a_loop,
    popped_in_order,
    replaced,
    pairs,
    popped_when_empty,
    under_other_names,
    until_it_is_empty,
    inserted_in_order,
    inserted_in_a_branch,
    by_key,
    within_bounds,
    below_the_first,
]


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_like_python(function):
    check_all(function, (np.int32(-1),), (np.int32(2),), (np.int32(3),), dtypes=False)


def test_lists_of_the_caller():
    def push(heap, x):
        heapq.heappush(heap, 2)
        if x > 0:
            heapq.heappush(heap, 1)
        return heap

    check_all(push, ([3, 4], np.int32(-1)), ([3, 4], np.int32(1)))


def test_gradients():
    def smallest_squared(x):
        heap = [x * 2.0, x * x, x]
        heapq.heapify(heap)
        return heapq.heappop(heap) * x

    check_all(smallest_squared, (np.float64(3.0),), (np.float64(0.5),), (np.float64(-2.0),))
