"""Variables that are one kind of thing on one path and another on the other."""

from __future__ import annotations

import dataclasses
import enum

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check, check_all

INTS = np.array([3, 1, 2, 5], np.int32)


def best_so_far(xs):
    best = None
    for x in xs:
        if best is None or x > best:
            best = x
    return best


def found_or_none(xs):
    hit = None
    for k, x in enumerate(xs):
        if x == 2:
            hit = k
            break
    if hit is None:
        return -1
    return hit + 10


def none_on_one_path(xs):
    result = None
    if xs[0] <= 2:
        result = xs[1]
    return result


def functions(xs):
    if xs[0] > 2:
        change = lambda v: v + 1  # noqa: E731
    else:
        change = lambda v: v * 100  # noqa: E731
    return change(xs[1])


def containers(xs):
    if xs[0] > 2:
        pair = (1, 2)
    else:
        pair = [xs[0]]
    return len(pair), pair[0]


def texts(xs):
    mode = "sum" if xs[0] > 2 else "product"
    if mode == "sum":
        return xs[0] + xs[1]
    return xs[0] * xs[1]


def optional_argument_of_a_helper(xs):
    def scaled(x, factor=None):
        if factor is None:
            return x
        return x * factor

    factor = xs[2] if xs[0] > 2 else None
    return scaled(xs[1], factor)


def not_none(xs):
    last = None
    total = 0
    for x in xs:
        if last is not None:
            total += x - last
        last = x
    return total


@pytest.mark.parametrize(
    "function",
    [
        best_so_far,
        found_or_none,
        none_on_one_path,
        functions,
        containers,
        texts,
        optional_argument_of_a_helper,
        not_none,
    ],
)
def test_like_python(function):
    other = np.array([1, 2, 7, 7], np.int32)
    check_all(function, (INTS,), (other,), gradient=False, dtypes=False)


def test_two_dtypes_keep_their_own():
    @ag.function
    def f(x):
        if x > 1.0:
            y = ag.constant([0.5, 0.25])
        else:
            y = ag.constant([1, 2])
        return ag.reduce_sum(y), y[0]

    large, small = f(ag.constant(2.0)), f(ag.constant(0.5))
    assert [t.dtype.name for t in large] == ["float32", "float32"]
    assert [t.dtype.name for t in small] == ["int32", "int32"]
    assert [float(t) for t in (*large, *small)] == [0.75, 0.5, 3.0, 1.0]


def test_reading_none_where_it_is_none_is_pythons_error():
    def f(xs):
        y = None
        if xs[0] > 2:
            y = xs[1]
        return y + 1

    check(f, INTS, gradient=False)
    with pytest.raises(TypeError, match="NoneType"):
        ag.function(f)(ag.constant(INTS * 0))


def test_gradient_goes_through():
    def f(xs):
        best = None
        for x in xs:
            if best is None or x * x > best:
                best = x * x
        return best

    check(f, np.array([0.5, -2.0, 1.0]))


class State(enum.Enum):
    IDLE = "idle"
    BUSY = "busy"
    DONE = "done"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2
    TOP = 3


@pytest.mark.parametrize("kind", [State, Level])
def test_members_of_enumerations_are_states(kind):
    idle, busy, done = kind

    def f(n):
        state, c = idle, 0
        while n > 0:
            if state == idle:
                state, c = busy, c + 1
            elif state is not done and state == busy:
                state, c = done, c + 10
            else:
                state, c = idle, c + 100
            n -= 1
        return c, state == busy

    check_all(f, *[(np.int32(n),) for n in range(6)], gradient=False)


def test_a_member_or_none_in_either_order():
    def f(n):
        state, c = None, 0
        for _ in range(n):
            if state is None:
                state = Level.LOW
            elif state is Level.LOW:
                state, c = Level.HIGH, c + 10
            else:
                state, c = Level.TOP, c + 100
        return c, state is None, state is Level.HIGH

    def g(n):
        k = None if n > 2 else State.IDLE
        if n == 3 or n == 0:
            k = State.IDLE if n > 2 else None
        return k is None

    check_all(f, *[(np.int32(n),) for n in range(5)], gradient=False)
    check_all(g, *[(np.int32(n),) for n in range(5)], gradient=False)


def test_what_is_done_with_a_member():
    table = {State.IDLE: 1, State.BUSY: 2, State.DONE: 3}

    def f(n):
        k = State.IDLE if n > 2 else (State.BUSY if n > 1 else State.DONE)
        match k:
            case State.IDLE:
                r = 1
            case State.BUSY:
                r = 2
            case _:
                r = 3
        return r, table[k], k in (State.BUSY, State.DONE), k is State.BUSY

    check_all(f, *[(np.int32(n),) for n in (1, 2, 3)], gradient=False)
    given = ag.function(lambda n: State.IDLE if n > 2 else State.BUSY)
    assert given(ag.constant(3)) is State.IDLE
    assert given(ag.constant(1)) is State.BUSY


def test_a_growing_tuple_of_some_kinds():
    def f(n):
        t = ()
        for i in range(n):
            t = t + (i, None, [i])  # noqa: RUF005
        return t

    check_all(f, (np.int32(0),), (np.int32(1),), (np.int32(5),))


def test_a_growing_tuple_of_very_many_kinds_is_refused_by_its_lengths():
    @ag.function
    def f(n):
        t = ()
        for i in range(n):
            t = t + (i, None, [i], {"a": i}, "x", (i,), (i, i), 1.0, {"b": 1}, {"c": 1})  # noqa: RUF005
        return t

    with pytest.raises(ag.errors.StagingError, match="tuples of lengths 0 and 10"):
        f(ag.constant(5))


@dataclasses.dataclass
class Place:
    a: float
    b: float


class Room:
    def __init__(self, a):
        self.a = a


def any_of_many_kinds(x, n):
    p, q = Place(x, 1.0), Place(x * 2, 2.0)
    if n == 1:
        r = p
    elif n == 2:
        r = q
    elif n == 3:
        r = Place(0.0, x)
    elif n == 4:
        r = Room(x)
    elif n == 5:
        r = [x]
    else:
        r = None
    if r is None:
        return 0.0, r is p, isinstance(r, Room)
    if isinstance(r, list):
        return r[0], False, False
    return r.a, r is p, isinstance(r, Room)


def any_of_many_kinds_in_a_loop(x, n):
    r = None
    for i in range(n):
        if i == 1:
            r = [x]
        elif i == 2:
            r = {"a": x}
        elif i == 3:
            r = Room(x)
    if isinstance(r, list):
        return r[0]
    if isinstance(r, dict):
        return r["a"] * 2
    return r.a * 3 if isinstance(r, Room) else x


def many_kinds_returned(x, n):
    if n == 1:
        r = [x]
    elif n == 2:
        r = {"a": x}
    elif n == 3:
        r = (x, 1.0)
    elif n == 4:
        r = x
    else:
        r = "none"
    return r, x


@pytest.mark.parametrize(
    "function", [any_of_many_kinds, any_of_many_kinds_in_a_loop, many_kinds_returned]
)
def test_values_of_many_kinds(function):
    check_all(
        function,
        *[(np.float64(2.0), np.int32(n)) for n in range(1, 7)],
        gradient=function is not many_kinds_returned,
    )


def test_the_truth_of_containers_and_objects_of_two_kinds():
    def f(x):
        pair = (0.0, x)
        if x > 2:
            pair = (*pair, 1.0)
        if x > 1:
            pair = ()
        table = {"a": x} if x > 2 else ()
        return bool(pair), bool(table)

    check_all(f, *[(np.float64(x),) for x in (0.5, 1.5, 3.0)], gradient=False)
