"""`match` on tensors."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all

INTS = np.array([3, 1, 2, 5], np.int32)


class Limits:
    low = 1
    high = 5


def values_alternatives_and_guards(xs):
    total = 0
    for x in xs:
        match x:
            case 1:
                total += 10
            case 2 | 3:
                total += 200
            case y if y > 4:
                total += y * 1000
            case _:
                total += 1
    return total


def tuples(xs):
    match (xs[0], xs[1]):
        case (3, 1):
            result = 1
        case (3, z):
            result = z
        case (a, b) if a == b:
            result = a * 100
        case _:
            result = -1
    return result


def returns(xs):
    match xs[3]:
        case 0:
            return 1
        case 5:
            return xs[0]
    return 9


def named_constants(xs):
    match xs[0]:
        case Limits.low:
            return 10
        case Limits.high:
            return 20
        case other:
            return other


def nested_and_starred(xs):
    pair = ((xs[0], xs[1]), [xs[2], xs[3], xs[0]])
    match pair:
        case ((1, _), _):
            return -1
        case ((a, b), [c, *rest]):
            return a + b * c + rest[0] + len(rest)


def captured_under_a_pattern(xs):
    match xs[0]:
        case (1 | 3) as small:
            return small * 7
        case large:
            return large - 1


def guard_that_refuses_binds_all_the_same(xs):
    y = 0
    match xs[0]:
        case y if y > 100:
            return -1
        case 3:
            return y + 1
    return y


def on_python_values(xs):
    kinds = []
    for value in (1, "text", None, True, [1, 2], {"a": 1}):
        match value:
            case None:
                kinds.append("nothing")
            case True:
                kinds.append("true")
            case 1:
                kinds.append("one")
            case [a, b]:
                kinds.append((a, b))
            case "text" | "word":
                kinds.append("text")
            case _:
                kinds.append("other")
    return xs[0], kinds


def on_classes_and_mappings(xs):
    found = []
    for value in ({"a": 1, "b": 2}, 3.5, "s"):
        match value:
            case {"a": a, **rest}:
                found.append((a, rest))
            case float():
                found.append("float")
            case str(s):
                found.append(s)
    return xs[0], found


@pytest.mark.parametrize(
    "function",
    [
        values_alternatives_and_guards,
        tuples,
        returns,
        named_constants,
        nested_and_starred,
        captured_under_a_pattern,
        guard_that_refuses_binds_all_the_same,
        on_python_values,
        on_classes_and_mappings,
    ],
)
def test_like_python(function):
    calls = [(INTS,), (INTS * 0 + 5,), (INTS[::-1].copy(),), (np.array([3, 9, 0, 0], np.int32),)]
    check_all(function, *calls, gradient=False, dtypes=False)


def test_a_tensor_of_known_length_is_a_sequence():
    @ag.function
    def f(xs):
        match xs:
            case [a, b]:
                return a + b
            case [a, *rest]:
                return a * len(rest)

    assert int(f(ag.constant([1, 2]))) == 3
    assert int(f(ag.constant([5, 2, 1, 0]))) == 15
