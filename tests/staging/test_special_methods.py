"""Properties and special methods of users' classes, which branch on tensors or change objects."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all

CALLS = [(np.int32(0),), (np.int32(2),), (np.int32(5),)]


class Number:
    def __init__(self, x):
        self.x = x
        self.log = []

    def __add__(self, o):
        if self.x > 1:
            return Number(self.x + o.x)
        return Number(self.x - o.x)

    def __radd__(self, o):
        return Number(o + self.x) if self.x > 1 else Number(o)

    def __iadd__(self, o):
        if o.x > 2:
            self.x = self.x + o.x
        self.log.append(o.x)
        return self

    def __eq__(self, o):
        if self.x > 3:
            return False
        return self.x == o.x

    def __hash__(self):
        return 1

    def __lt__(self, o):
        for i in range(self.x):
            if i > o.x:
                return False
        return True

    def __len__(self):
        if self.x > 2:
            return self.x
        return 0

    def __getitem__(self, k):
        if k > self.x:
            raise IndexError(k)
        return self.x - k

    def __contains__(self, v):
        return v < self.x and v != 1

    def __neg__(self):
        while self.x > 3:
            self.x = self.x - 1
        return Number(-self.x)

    @property
    def clipped(self):
        if self.x > 3:
            return 3
        return self.x

    @clipped.setter
    def clipped(self, v):
        if v > 3:
            self.x = 3
        else:
            self.x = v


class Special(Number):
    def __bool__(self):
        return plain_bool(self.x > 2)

    def __add__(self, o):
        r = super().__add__(o)
        r.x = r.x * 10
        return r

    @property
    def clipped(self):
        return super().clipped + 100


def arithmetic(n):
    a = Number(n)
    b = Number(2)
    return ((a + b).x, sum([Number(1), Number(n)], Number(0)).x, (3 + a).x, (-a).x, a.x)


def in_place(n):
    a = Number(n)
    c = a
    a += Number(n)
    if n > 1:
        a += Number(4)
    return (a.x, c.x, a.log)


def comparisons(n):
    a = Number(n)
    return (
        a == Number(2),
        a != Number(2),
        a < Number(1),
        Number(1) < a,
        Number(3) > a,
        a in [Number(2), Number(0)],
    )


def containers_and_truth(n):
    a = Number(n)
    t = 0
    if a:
        t = 1
    return (len(a), t, not a, a[0], 1 in a, 3 in a, n in Number(3), a[-1], 4 not in a)


def raising(n):
    a = Number(n)
    try:
        return a[3]
    except IndexError:
        return -1


def properties(n):
    a = Number(n)
    c = a.clipped
    a.clipped = n + 1
    return (c, a.clipped, a.x)


def of_subclasses(n):
    a = Special(n)
    r = a + Number(1)
    t = "y" if a else "n"
    while a:
        a.x = a.x - 1
    return (r.x, a.clipped, t, a.x, bool(a), a or 7 if n > 9 else 1)


def of_an_object_outside(n):
    return ((OUT + Number(n)).x, OUT.clipped)


OUT = Number(4)


def plain_bool(v):
    return bool(v)


class CountsQuestions:
    def __init__(self):
        self.n = 0

    def __bool__(self):
        self.n += 1
        if self.n > 2:
            return False
        return True


def asked_once(n):
    c = CountsQuestions()
    t = 0
    if n > 1 and c:
        t += 1
    if c and n > 1:
        t += 10
    if not c:
        t += 100
    x = c and 5
    return (t, c.n, x if n > 99 else 0)


def in_tests(n):
    a = Special(n)
    assert Number(n + 3), "no"
    return [v.x for v in (a, Number(5)) if v]


@pytest.mark.parametrize(
    "function",
    [
        arithmetic,
        in_place,
        comparisons,
        containers_and_truth,
        raising,
        properties,
        of_subclasses,
        of_an_object_outside,
        asked_once,
        in_tests,
    ],
    ids=lambda f: f.__name__,
)
def test_like_python(function):
    check_all(function, *CALLS, dtypes=False)


def test_classes_are_as_they_were_after_the_trace():
    before = dict(vars(Number))

    @ag.function
    def f(n):
        a = Number(n)
        return (a + a).x, a != a, a.clipped

    f(ag.constant(3))
    assert dict(vars(Number)) == before

    @ag.function
    def fails(n):
        a = Number(n)
        raise ValueError(a.clipped)

    with pytest.raises(ValueError):
        fails(ag.constant(3))
    assert dict(vars(Number)) == before


def test_changes_in_a_branch():
    class Counted:
        def __init__(self):
            self.reads = 0

        @property
        def value(self):
            self.reads += 1
            return 2

        def __getitem__(self, key):
            self.reads += 10
            return key

        def __len__(self):
            self.reads += 100
            return 3

    def f(n):
        counted, total = Counted(), 0
        if n > 1:
            total = counted.value + counted[1]
        while n > 3:
            total += len(counted)
            n = n - 1
        return counted.reads, total

    check_all(f, *CALLS, dtypes=False)


class Weight:
    def __init__(self, w):
        self.w = w

    def __add__(self, o):
        if o > 0:
            return o * self.w
        return -o


@pytest.mark.parametrize(
    "function",
    [lambda x, o: o + x, lambda x, o: [o][0] + x],
    ids=["an argument", "in a list"],
)
def test_arguments_that_are_only_used_with_operators(function):
    traced, weight = ag.function(function), Weight(3)
    assert [float(traced(ag.constant(x), weight)) for x in (1.0, -2.0)] == [3.0, 2.0]
    weight.w = 4
    assert float(traced(ag.constant(1.0), weight)) == 4.0


def test_items_of_arguments_that_are_only_used_with_operators():
    traced = ag.function(lambda x, items: items[0] + x)
    assert [float(traced(ag.constant(x), [Weight(3)])) for x in (1.0, -2.0)] == [3.0, 2.0]


def test_what_traced_code_does_to_a_class_stays():
    class Equal:
        def __eq__(self, other):
            return True

        def __ne__(self, other):
            return False

        def __neg__(self):
            return 1

    @ag.function
    def f(x):
        equal = Equal()
        found = equal == x
        del Equal.__ne__
        Equal.__neg__ = lambda self: 2
        return found

    own = Equal.__eq__
    assert bool(f(ag.constant(1.0)))
    assert Equal.__eq__ is own and "__ne__" not in vars(Equal) and -Equal() == 2


def test_threads_that_trace_with_one_class():
    def traced(k):
        return ag.function(lambda x: Weight(k) + x)

    functions = [traced(k) for k in range(16)]
    before = dict(vars(Weight))
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda f: float(f(ag.constant(2.0))), functions))
    assert found == [2.0 * k for k in range(16)]
    assert dict(vars(Weight)) == before
