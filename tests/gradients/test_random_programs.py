"""Gradients of random programs: traced, unrolled and by differences they must be the same."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

import autograph_lite as ag
from tests.gradients.programs import Writer, make

MORE = int(os.environ.get("AG_RANDOM_PROGRAMS", "0"))
"""How many more programs to try than usual; they take about a second each."""

SEEDS = range(24 + MORE)


def build(seed: int, stops: bool = True) -> tuple[Any, Any, Any]:
    rng = np.random.default_rng(seed)
    w = ag.Variable(rng.normal(size=3))
    source = Writer(seed).write()
    if not stops:
        source = source.replace("ag.stop_gradient", "ag.identity")
    program = make(source, ag=ag, w=w)
    return program, w, ag.constant(rng.normal(size=(3, 3)))


def gradients(f: Any, x: Any, n: Any, w: Any) -> list[Any]:
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = f(x, n)
    return [y, *tape.gradient(y, [x, w], unconnected_gradients="zero")]


def second(f: Any, x: Any, n: Any, w: Any) -> list[Any]:
    with ag.GradientTape() as tape:
        tape.watch(x)
        _, dx, dw = gradients(f, x, n, w)
        y = ag.reduce_sum(ag.sin(dx)) + ag.reduce_sum(dw * dw)
    return tape.gradient(y, [x, w], unconnected_gradients="zero")


def close(found: Any, expected: Any) -> None:
    for f, e in zip(found, expected, strict=True):
        np.testing.assert_allclose(f.numpy(), e.numpy(), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_traced_gradients_are_those_of_the_unrolled_program(seed: int) -> None:
    program, w, x = build(seed)
    n = ag.constant(2)
    expected = gradients(program, x, n, w)
    traced = ag.function(program)
    close(gradients(traced, x, n, w), expected)
    inside = ag.function(lambda x, n: gradients(program, x, n, w))
    close(inside(x, n), expected)
    nested = ag.function(lambda x, n: gradients(traced, x, n, w))
    close(nested(x, n), expected)


@pytest.mark.parametrize("seed", SEEDS[::3])
def test_second_gradients_are_those_of_the_unrolled_program(seed: int) -> None:
    program, w, x = build(seed)
    n = ag.constant(2)
    expected = second(program, x, n, w)
    traced = ag.function(program)
    close(second(traced, x, n, w), expected)
    inside = ag.function(lambda x, n: second(program, x, n, w))
    close(inside(x, n), expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_gradients_agree_with_differences(seed: int) -> None:
    # Differences would see through stop_gradient.
    program, w, x = build(seed, stops=False)
    n = ag.constant(2)
    dx = gradients(ag.function(program), x, n, w)[1].numpy()
    start = x.numpy()

    def slope(place: Any, step: float) -> float:
        ends = []
        for sign in (1, -1):
            moved = start.copy()
            moved[place] += sign * step
            ends.append(float(program(ag.constant(moved), n)))
        return (ends[0] - ends[1]) / (2 * step)

    for place in np.ndindex(3, 3):
        fine, coarse = slope(place, 1e-6), slope(place, 1e-5)
        if abs(fine - coarse) > 1e-4 * max(1.0, abs(fine)):
            continue  # a branch changes in between
        assert dx[place] == pytest.approx(fine, rel=1e-4, abs=1e-5), place
