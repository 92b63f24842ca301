"""Numbers that classes, functions, modules and other objects from outside hold, changed on a path."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all

CALLS = [(np.float64(2.0),), (np.float64(-3.0),), (np.float64(9.0),)]


class Counter:
    total = 0

    @staticmethod
    def add():
        Counter.total = Counter.total + 1

    @classmethod
    def add_to_class(cls):
        cls.total += 1


class Box:
    def __init__(self):
        self.count = 0
        self.name = "none"


BOX, COUNTS, TABLE = Box(), [0, 0], {"seen": 0}


def of_a_class(x):
    Counter.total = 0
    if x > 0:
        Counter.total += 1
    return Counter.total


def in_methods_of_a_class(x):
    Counter.total = 0
    if x > 0:
        Counter.add()
    if x > 5:
        Counter.add_to_class()
    return Counter.total


def through_an_instance(x):
    Counter.total = 0
    if x > 0:
        Counter().__class__.total += 1
    return Counter.total


def of_a_class_in_the_function(x):
    class Local:
        passes = 0

    while x < 5:
        Local.passes += 1
        x = x + 2
    return Local.passes


def new_in_a_class(x):
    if hasattr(Counter, "best"):
        del Counter.best
    if x > 0:
        Counter.best = 3
    return hasattr(Counter, "best")


def of_a_function(x):
    def double(y):
        double.calls += 1
        return y * 2

    double.calls = 0
    if x > 0:
        x = double(x)
    while x < 5:
        x = double(x + 6)
    return x, double.calls


def of_a_module(x):
    module = sys.modules[__name__]
    module.found = False
    if x > 0:
        module.found = True
    return module.found


def of_an_object(x):
    BOX.count, BOX.name = 0, "none"
    for i in range(3):
        if x > i:
            BOX.count += 1
            BOX.name = "some"
    return BOX.count, BOX.name


def in_containers(x):
    COUNTS[:] = [0, 0]
    TABLE["seen"] = 0
    while x < 5:
        COUNTS[1] += 1
        TABLE["seen"] += 2
        x = x + 2
    return COUNTS[1], TABLE["seen"]


@pytest.mark.parametrize(
    "function",
    [
        of_a_class,
        in_methods_of_a_class,
        through_an_instance,
        of_a_class_in_the_function,
        new_in_a_class,
        of_a_function,
        of_a_module,
        of_an_object,
        in_containers,
    ],
    ids=lambda f: f.__name__,
)
def test_like_python(function):
    check_all(function, *CALLS, dtypes=False)


def test_counts_go_on_from_call_to_call():
    class Calls:
        positive = 0

    @ag.function
    def f(x):
        if x > 0:
            Calls.positive += 1
        return x

    for x in (1.0, -1.0, 2.0, 3.0):
        f(ag.constant(x))
    assert int(Calls.positive) == 3


def test_what_sets_an_object_up_is_done_once():
    class Layer:
        def __init__(self):
            self.built = False

        def __call__(self, x):
            if not self.built:
                self.weight = ag.Variable(2.0)
                self.built = True
                self.units = 1
            return x * self.weight

    layer = Layer()

    @ag.function
    def f(x):
        while x < 10:
            x = layer(x)
        return x

    assert f(ag.constant(3.0)).numpy() == 12
    assert f(ag.constant(1.0)).numpy() == 16
    assert layer.built is True


def test_numbers_that_are_looked_up_again():
    known = {}

    def fibonacci(n):
        if n not in known:
            known[n] = n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)
        return known[n]

    @ag.function
    def f(x):
        while x < 10:
            x = x + fibonacci(6)
        for _ in range(fibonacci(4)):
            x = x + fibonacci(5)
        return x

    assert f(ag.constant(3)).numpy() == 26
    assert f(ag.constant(20)).numpy() == 35
