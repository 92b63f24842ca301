"""Managers of `with`, which the statement holds while variables of its block change."""

from __future__ import annotations

import numpy as np
import pytest

from tests.staging.differential import check_all

CALLS = [(np.array([0.5, -1.0, 2.0, 0.75]), np.float64(v), np.int32(4)) for v in (1.5, 0.5)]


class Refused(Exception):
    pass


class Counting:
    def __init__(self):
        self.left = 0

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.left = self.left + 1
        return kind is not None and issubclass(kind, Refused)


class Doubling:
    def __init__(self, array):
        self.array = array

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        self.array *= 2
        self.array[1] += 1
        return True


class Box:
    pass


def bound_by_an_earlier_pass_as_well(xs, x, n):
    count, log, box = 0, {}, Box()
    for _ in range(n):
        if "p" in log:
            count = 3
        with Counting() as counting:
            box.extra = 0.5
            if x < xs[3]:
                raise Refused("low")
        count = count + counting.left
    return count


def one_of_two_managers(xs, x, n):
    first = counting = Counting()
    with Counting() as other:
        if x > xs[3]:
            counting = other
        if x < xs[0] + 0.25:
            raise Refused("low")
        counting = other
    return first.left, counting.left, other.left


def replaced_in_the_block(xs, x, n):
    with Counting() as counting:
        kept = counting
        if x > xs[3]:
            counting = Counting()
        counting.left = counting.left + 5
    return kept.left, counting.left


def an_array_of_the_manager(xs, x, n):
    array = np.zeros(2)
    with Doubling(array):
        array[0] = x
        if x < xs[3]:
            raise Refused("low")
        array[1] = 3.0
    return array


@pytest.mark.parametrize(
    "function",
    [
        bound_by_an_earlier_pass_as_well,
        one_of_two_managers,
        replaced_in_the_block,
        an_array_of_the_manager,
    ],
)
def test_as_plain_python(function):
    check_all(function, *CALLS)
