"""Python loops that nothing known while tracing ends."""

from __future__ import annotations

import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from autograph_lite.staging import unrolling


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
