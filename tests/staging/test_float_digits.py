"""Python's floats keep their digits in functions of float64 data, and are float32 elsewhere."""

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check

THIRDS = np.array([3.0, 1.0, 2.0])


def chosen_by_a_branch(x):
    best = x
    if best > 2 / 3:
        best = 2 / 3
    return best


def carried_by_a_loop(xs):
    low, high = 0.1, 0.2
    for x in xs:
        if x > 1:
            low, high = high / 3, low / 3
    return low, high, low + high


def least_of_equals(xs):
    leader = (xs[0], 1)
    for number in range(3):
        leader = min(leader, (2 / 3, number))
    return leader


def equal_by_two_ways(xs):
    kept, count = 0.5, 0
    for x in xs:
        third = kept / (1.0 + kept)
        if x > 1.5:
            third = 1 / 3
        if third > 1 / 3:
            count += 1
    return count


def raised_and_caught(xs):
    part = 0.1
    for x in xs:
        try:
            if x > 2:
                raise ValueError("large")
            part = 1 / 3
        except ValueError:
            part = 2 / 3
    return part


def in_a_list(xs):
    parts = [0.1, 0.7]
    for x in xs:
        if x > 1:
            parts.append(x / 3)
    return parts, parts[0], sum(parts)


def as_text(xs):
    part = 0.1
    for x in xs:
        if x > 1:
            part = part / 3
    print(part, f"{part:.17f}")
    return part


@pytest.mark.parametrize(
    "function",
    [
        carried_by_a_loop,
        least_of_equals,
        equal_by_two_ways,
        raised_and_caught,
        in_a_list,
        as_text,
    ],
)
def test_python_floats_keep_their_digits_beside_float64(function):
    check(function, THIRDS, rtol=1e-15)


def test_a_chosen_float_keeps_its_digits():
    check(chosen_by_a_branch, np.float64(3.0), rtol=1e-15)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (np.zeros(3, "float64"), "float64"),
        (np.zeros(3, "complex128"), "float64"),
        (np.zeros(3, "float32"), "float32"),
        (np.zeros(3, "int64"), "float32"),
        ((np.zeros(3, "float64"), np.zeros(3, "float32")), "float32"),
    ],
)
def test_what_a_float_becomes(given, expected):
    @ag.function
    def either(data, flag):
        return 0.1 if flag else 0.2

    assert either(given, ag.constant(True)).dtype.name == expected


def test_one_call_says_nothing_of_the_next():
    @ag.function
    def either(data):
        return 0.1 if data > 0 else 0.2

    names = [either(np.dtype(kind).type(1)).dtype.name for kind in ("float64", "float32")]
    assert names == ["float64", "float32"]
    assert ag.convert_to_tensor(0.1).dtype == ag.float32


def test_constants_and_variables_are_float32():
    made = []

    @ag.function
    def scaled(x):
        if not made:
            made.append(ag.Variable(0.5))
        return ag.constant(0.1), ag.cast(made[0], ag.float64) * x

    assert scaled(np.float64(2.0))[0].dtype == ag.float32
    assert made[0].dtype == ag.float32
