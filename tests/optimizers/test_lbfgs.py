"""L-BFGS: on Rosenbrock's valley, quadratics, and a regression."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph_lite as ag

minimize = ag.optimizers.lbfgs_minimize


def rosenbrock(x: Any) -> Any:
    return ag.reduce_sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


@pytest.mark.parametrize("traced", [False, True])
def test_rosenbrock(traced: bool) -> None:
    def search(start: Any) -> Any:
        found = minimize(ag.value_and_grad(rosenbrock), start, tolerance=1e-8, max_iterations=100)
        return found.converged, found.num_iterations, found.position, found.objective_value

    run = ag.function(search) if traced else search
    converged, steps, position, value = run(ag.constant(np.array([-1.2, 1.0])))
    assert bool(converged) and int(steps) < 80
    np.testing.assert_allclose(position.numpy(), np.ones(2), atol=1e-6)
    assert float(value) < 1e-12


def test_a_quadratic_is_solved() -> None:
    rng = np.random.default_rng(0)
    root = rng.normal(size=(12, 12))
    matrix = root @ root.T + np.eye(12)
    right = rng.normal(size=12)
    found = minimize(
        ag.value_and_grad(
            lambda x: (
                0.5 * ag.reduce_sum(x * ag.linalg.matvec(matrix, x)) - ag.reduce_sum(x * right)
            )
        ),
        ag.constant(np.zeros(12)),
        max_iterations=200,
    )
    np.testing.assert_allclose(found.position.numpy(), np.linalg.solve(matrix, right), atol=1e-6)


def test_variables_are_trained() -> None:
    rng = np.random.default_rng(1)
    x = rng.normal(size=(50, 3))
    labels = (x @ [1.0, -2.0, 0.5] + 0.3 + rng.normal(size=50) * 0.1 > 0).astype(np.float64)
    w, b = ag.Variable(np.zeros((3, 1))), ag.Variable(np.zeros(1))

    def loss() -> Any:
        logits = (ag.matmul(x, w) + b)[:, 0]
        wrong = ag.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)
        return ag.reduce_mean(wrong) + 0.01 * ag.reduce_sum(w * w)

    found = ag.optimizers.LBFGS(100).minimize(loss, [w, b])
    assert bool(found.converged)
    assert float(loss()) < 0.35
    assert np.sign(w.numpy()[:, 0]).tolist() == [1.0, -1.0, 1.0]


def test_it_stops_where_no_step_helps() -> None:
    found = minimize(
        ag.value_and_grad(lambda x: -ag.reduce_sum(x)), ag.constant([0.0]), max_iterations=3
    )
    assert not bool(found.converged)
