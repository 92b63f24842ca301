"""Derivatives beyond the second, where a formula for the first would not have them."""

from __future__ import annotations

import math

import numpy as np
import pytest

import autograph_lite as ag


def derivative(f, order):
    for _ in range(order):
        f = ag.grad(f)
    return f


def at(f, x, order):
    return float(derivative(f, order)(ag.constant(x, ag.float64)).numpy())


# The series of each function at the point: https://dlmf.nist.gov/10.2.E2, /10.25.E2 and /25.12.E1.
SERIES = [
    (ag.math.special.bessel_j1, 0.0, {1: 0.5, 2: 0.0, 3: -3 / 8, 5: 5 / 16}),
    (ag.math.bessel_i1, 0.0, {1: 0.5, 2: 0.0, 3: 3 / 8, 5: 5 / 16}),
    (ag.math.special.spence, 1.0, {1: -1.0, 2: 1 / 2, 3: -2 / 3, 4: 3 / 2}),
]


@pytest.mark.parametrize(("function", "point", "expected"), SERIES)
def test_derivatives_where_a_quotient_would_be_nought_by_nought(function, point, expected):
    for order, value in expected.items():
        np.testing.assert_allclose(at(function, point, order), value, rtol=1e-12, atol=1e-12)


def test_derivatives_of_spence_near_one_do_not_cancel():
    for x in (1 - 1e-6, 1 + 1e-6, 1.049, 1.051, 0.949, 0.951):
        series = sum(-((1 - x) ** k) * (k + 1) / (k + 2) for k in range(40))
        np.testing.assert_allclose(at(ag.math.special.spence, x, 2), -series, rtol=1e-9)


@pytest.mark.parametrize("order", [1, 2, 3])
def test_igamma_by_its_parameter(order):
    a, x, step = 1.3, 0.8, 0.02

    def f(a):
        return ag.math.igamma(a, ag.constant(x, ag.float64))

    def before(a):
        return at(f, a, order - 1) if order > 1 else float(f(ag.constant(a, ag.float64)))

    # Central differences of the order below, of the sixth order of the step.
    weights = {1: 45.0, 2: -9.0, 3: 1.0}
    found = sum(w * (before(a + k * step) - before(a - k * step)) for k, w in weights.items())
    np.testing.assert_allclose(at(f, a, order), found / (60 * step), rtol=1e-7)


@pytest.mark.parametrize("traced", [False, True], ids=["eager", "traced"])
def test_calls_of_python_have_derivatives_of_any_order(traced):
    def f(x):
        return ag.py_function(lambda t: t**4, [x], ag.float64)

    for order in range(1, 5):
        g = derivative(f, order)
        if traced:
            g = ag.function(g)
        value = g(ag.constant(3.0, ag.float64)).numpy()
        np.testing.assert_allclose(value, math.perm(4, order) * 3.0 ** (4 - order))


def test_calls_of_python_have_gradients_of_several_inputs_and_results():
    def f(x, y):
        a, b = ag.py_function(lambda s, t: (s * t, s + t), [x, y], [ag.float64, ag.float64])
        return a * b

    x, y = ag.constant(2.0, ag.float64), ag.constant(5.0, ag.float64)
    hessian = ag.grad(lambda x: ag.grad(f)(x, y))(x)  # of x**2 y + x y**2
    np.testing.assert_allclose(hessian.numpy(), 2 * 5.0)
