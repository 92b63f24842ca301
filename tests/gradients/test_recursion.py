"""Gradients of functions that call themselves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph_lite as ag

w = ag.Variable(np.float64(0.5))


@ag.function
def power(x: Any, n: Any) -> Any:
    if n == 0:
        return ag.ones_like(x)
    return x * power(x, n - 1)


@ag.function
def tree(x: Any, n: Any) -> Any:
    if n <= 1:
        return ag.sin(x * w)
    left = tree(x * 0.5, n - 1)
    return left * tree(x + left, n - 2) + w


def plain_tree(x: float, n: int, w: float) -> float:
    if n <= 1:
        return float(np.sin(x * w))
    left = plain_tree(x * 0.5, n - 1, w)
    return left * plain_tree(x + left, n - 2, w) + w


@ag.function
def even(x: Any, n: Any) -> Any:
    if n == 0:
        return x
    return odd(x * x, n - 1) * 0.5


@ag.function
def odd(x: Any, n: Any) -> Any:
    if n == 0:
        return ag.sin(x)
    return even(x + 1.0, n - 1)


def first(f: Any, *args: Any) -> Any:
    with ag.GradientTape() as tape:
        tape.watch(args)
        y = f(*args)
    return tape.gradient(y, [args[0], w], unconnected_gradients="zero")


X = ag.constant(np.float64(1.5))


def test_power_to_third_order() -> None:
    n = ag.constant(5)
    assert float(first(power, X, n)[0]) == pytest.approx(5 * 1.5**4)
    assert float(ag.function(lambda: first(power, X, n))()[0]) == pytest.approx(5 * 1.5**4)
    f: Any = lambda x: power(x, n)  # noqa: E731
    for expected in (5 * 1.5**4, 20 * 1.5**3, 60 * 1.5**2):
        f = ag.grad(f)
        assert float(f(X)) == pytest.approx(expected)
        assert float(ag.function(f)(X)) == pytest.approx(expected)


def test_trees_with_a_variable() -> None:
    n = ag.constant(6)
    w.assign(0.5)
    step = 1e-6
    dx = (plain_tree(1.5 + step, 6, 0.5) - plain_tree(1.5 - step, 6, 0.5)) / (2 * step)
    dw = (plain_tree(1.5, 6, 0.5 + step) - plain_tree(1.5, 6, 0.5 - step)) / (2 * step)
    for found in (first(tree, X, n), ag.function(lambda: first(tree, X, n))()):
        assert float(found[0]) == pytest.approx(dx, rel=1e-6)
        assert float(found[1]) == pytest.approx(dw, rel=1e-6)


def test_mutual_recursion() -> None:
    def plain(x: float, n: int) -> float:
        for i in range(n):
            x = x * x if i % 2 == 0 else x + 1.0
        x = np.sin(x) if n % 2 else x
        return float(x * 0.5 ** ((n + 1) // 2))

    for n in range(5):
        x, step = 0.7, 1e-6
        expected = (plain(x + step, n) - plain(x - step, n)) / (2 * step)
        found = first(even, ag.constant(np.float64(x)), ag.constant(n))[0]
        assert float(found) == pytest.approx(expected, rel=1e-6)


def test_in_a_loop() -> None:
    @ag.function
    def f(x: Any) -> Any:
        for i in ag.range(3):
            x = power(x, i + 1) + x
        return x

    def plain(x: float) -> float:
        for i in range(3):
            x = x ** (i + 1) + x
        return x

    found = float(first(f, X)[0])
    assert found == pytest.approx((plain(1.5 + 1e-6) - plain(1.5 - 1e-6)) / 2e-6, rel=1e-6)


def test_effects_cannot_be_repeated() -> None:
    count = ag.Variable(0)

    @ag.function
    def f(x: Any, n: Any) -> Any:
        count.assign_add(1)
        if n == 0:
            return x
        return f(x * 2.0, n - 1)

    with pytest.raises(ag.errors.UnimplementedError, match="calls itself"):
        first(f, X, ag.constant(3))
