"""`set_loop_options` under other names than its own, and other than as the first statement."""

from __future__ import annotations

from autograph_lite.autograph.experimental import set_loop_options as say

import autograph_lite as ag


def test_the_most_passes():
    @ag.function
    def f(n):
        i = 0
        while i < n:
            say(maximum_iterations=3)
            i += 1
        return i

    assert f(ag.constant(10)).numpy() == 3
    assert f(ag.constant(2)).numpy() == 2


def test_in_a_for_behind_another_statement():
    @ag.function
    def f(n):
        total = 0
        for i in ag.range(n):
            total += i
            ag.autograph.experimental.set_loop_options(maximum_iterations=3)
        return total

    assert f(ag.constant(10)).numpy() == 3


def test_shapes():
    @ag.function
    def f(x, n):
        y = x
        for _ in ag.range(n):
            say(shape_invariants=[(y, ag.TensorShape([None]))])
            y = ag.concat([y, x], 0)
        return y

    assert f(ag.constant([1.0, 2.0]), ag.constant(3)).numpy().shape == (8,)


def test_the_loop_inside_is_meant():
    @ag.function
    def f(n):
        total = 0
        for _ in ag.range(n):
            for _ in ag.range(n):
                say(maximum_iterations=2)
                total += 1
        return total

    assert f(ag.constant(5)).numpy() == 10


def test_elsewhere_it_does_nothing():
    @ag.function
    def f(n):
        say(maximum_iterations=2)
        return n

    assert f(ag.constant(5)).numpy() == 5
