"""Python loops that nothing known while tracing ends."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from autograph_lite.staging import unrolling
from tests.staging.differential import check


def test_an_endless_loop_is_refused(monkeypatch):
    monkeypatch.setattr(unrolling, "_MOST_OPERATIONS", 2000)

    @ag.function
    def f(n):
        i = 0
        while True:
            i += 1
            n = n + i

    with pytest.raises(StagingError, match=r"unrolled \d+ times, its condition being a Python"):
        f(ag.constant(3))


def test_a_long_python_loop_that_adds_nothing_is_not():
    @ag.function
    def f(x):
        count = 0
        while count < 50_000:
            count += 1
        return x + count

    assert int(f(ag.constant(1))) == 50_001


def halved_until_small(x, passes=12):
    cs = [x]
    for _ in range(passes):
        new = [cs[0] * 0.5]
        if new[0] < 1:
            break
        cs = new
    return cs


def centres(x):
    points = [x, x + 1, x + 5, x + 6, x - 1, x + 7]
    cs = [points[0], points[2]]
    for _ in range(6):
        groups = [[], []]
        for point in points:
            groups[0 if abs(point - cs[0]) < abs(point - cs[1]) else 1].append(point)
        new = [sum(group) / len(group) if group else c for group, c in zip(groups, cs)]
        if new == cs:
            break
        cs = new
    return cs


def test_lists_that_take_turns_until_a_break():
    for function in (halved_until_small, centres):
        for x in (30.0, 1.5):
            check(function, np.float64(x))


def test_what_a_variable_may_hold_does_not_double_with_each_pass():
    def operations(graph):
        inner = [
            g for op in graph.operations for g in op.attrs.values() if hasattr(g, "operations")
        ]
        return len(graph.operations) + sum(map(operations, inner))

    def size(passes):
        staged = ag.function(halved_until_small)
        return operations(staged.get_concrete_function(np.float64(30.0), passes).graph)

    assert size(12) < 16 * size(6)
