"""Objects that a trace makes for itself are no reason to trace again."""

from __future__ import annotations

import copy
import dataclasses
import functools
import gc

import numpy as np
import pytest

import autograph_lite as ag


class Scale:
    def __init__(self, k):
        self.k = k

    def apply(self, x):
        return x * self.k

    def times(self, n):
        return Scale(self.k * n)


@dataclasses.dataclass
class Shift:
    k: int

    def apply(self, x):
        return x + self.k


class Slotted:
    __slots__ = ("k",)

    def __init__(self, k):
        self.k = k

    def apply(self, x):
        return x * self.k


@ag.autograph.experimental.do_not_convert
def made_elsewhere(k):
    return Scale(k)


PROTOTYPE = Scale(5)


def over_a_list(x):
    for each in [Scale(1), Shift(2)]:
        x = each.apply(x)
    return x


def over_a_generator(x):
    def made():
        yield Scale(2)
        yield Shift(3)

    for each in made():
        x = each.apply(x)
    return x


def with_a_tensor_inside(x):
    scale = Scale(ag.constant(3))
    scale.k = scale.k + x
    return scale.apply(x)


def in_a_traced_function(x):
    @ag.function
    def inner(y):
        return Scale(2).apply(y)

    return inner(x)


MAKING = {
    "a class": lambda x: Scale(3).apply(x),
    "an unconverted function": lambda x: made_elsewhere(3).apply(x),
    "a copy": lambda x: copy.copy(PROTOTYPE).apply(x),
    "a method": lambda x: PROTOTYPE.times(2).apply(x),
    "a dataclass": lambda x: Shift(4).apply(x),
    "another dataclass": lambda x: dataclasses.replace(Shift(4), k=5).apply(x),
    "slots": lambda x: Slotted(3).apply(x),
    "a partial": lambda x: functools.partial(Scale(3).apply)(x),
    "an array inside": lambda x: Scale(np.array(3)).apply(x),
    "a map": lambda x: sum(map(lambda s: s.apply(x), (Scale(i) for i in range(3)))),
    "a list": over_a_list,
    "a generator": over_a_generator,
    "a tensor inside": with_a_tensor_inside,
    "a traced function": in_a_traced_function,
}


@pytest.mark.parametrize("function", MAKING.values(), ids=MAKING)
def test_one_trace_serves_all_calls(function):
    traced = ag.function(function)
    expected = function(ag.constant(2)).numpy()
    for _ in range(4):
        assert traced(ag.constant(2)).numpy() == expected
        gc.collect()
    assert traced.experimental_get_tracing_count() == 1


def test_an_object_that_lives_on_is_still_guarded():
    class Lazy:
        scale = None

        @ag.function
        def __call__(self, x):
            if self.scale is None:
                self.scale = Scale(3)
            return self.scale.apply(x)

    lazy = Lazy()
    assert [int(lazy(ag.constant(2))) for _ in range(3)] == [6, 6, 6]
    lazy.scale.k = 10
    assert int(lazy(ag.constant(2))) == 20


def test_an_object_that_goes_later_is_forgotten():
    kept = []

    def f(x):
        scale = Scale(3)
        if not kept:
            kept.append(scale)
        return scale.apply(x)

    traced = ag.function(f)
    assert [int(traced(ag.constant(2))) for _ in range(3)] == [6, 6, 6]
    count = traced.experimental_get_tracing_count()
    kept[0] = None
    gc.collect()
    assert [int(traced(ag.constant(2))) for _ in range(3)] == [6, 6, 6]
    assert traced.experimental_get_tracing_count() <= count + 1
