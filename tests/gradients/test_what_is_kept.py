"""Of tensors of which a gradient needs the shape only, only the shape is kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph_lite as ag
from tests.gradients.test_control_flow import same_in_all_ways
from tests.gradients.test_room_for_saving import peak

ROWS, SIZE = 30, 5000
FULL = ROWS * SIZE * 8

MATRIX = ag.TensorSpec([None, None], ag.float64)


def mapped(x: Any) -> Any:
    return ag.reduce_sum(ag.map_fn(lambda row: row * 2.0, x))


def taken_in_one_branch(x: Any) -> Any:
    total = ag.reduce_sum(x[:1])
    for row in x:
        doubled = row * 2.0
        if total > 0.0:
            total += ag.reduce_sum(doubled)
        else:
            total -= 1.0
    return total


def split_and_half_used(x: Any) -> Any:
    total = ag.zeros([], ag.float64)
    for row in x:
        first, _ = ag.split(row * 2.0, 2)
        total += ag.reduce_sum(first)
    return total


def repeated(x: Any) -> Any:
    total = ag.zeros([], ag.float64)
    for row in x:
        total += ag.reduce_sum(ag.repeat(row * 2.0, 2))
    return total


@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("f", [taken_in_one_branch, split_and_half_used, repeated, mapped])
def test_loops_keep_shapes(f: Any, known: bool) -> None:
    @ag.function(input_signature=[ag.TensorSpec([ROWS, SIZE], ag.float64) if known else MATRIX])
    def g(x: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    # The gradient itself, and little more; the rows of a result of unknown size are a list first.
    limit = 2.2 if f is mapped and not known else 1.2
    assert peak(g, ag.constant(np.ones((ROWS, SIZE)))) < limit * FULL
    same_in_all_ways(f, np.linspace(0.1, 1.0, 12).reshape(3, 4))
    same_in_all_ways(f, np.linspace(-1.0, 0.1, 12).reshape(3, 4))
