"""Forward mode, and derivatives as functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph_lite as ag

Forward = ag.autodiff.ForwardAccumulator


def f(x: Any) -> Any:
    y = x
    for i in ag.range(3):
        y = ag.sin(y) * x + ag.cast(i, ag.float64)
    if ag.reduce_sum(y) > 0.0:
        y = y * x[0]
    return y


X = np.array([0.3, 0.7, -0.2])
T = np.array([1.0, -0.5, 2.0])


def difference(g: Any, x: Any, t: Any, step: float = 1e-6) -> Any:
    ends = [g(ag.constant(x + sign * step * t)).numpy() for sign in (1, -1)]
    return (ends[0] - ends[1]) / (2 * step)


def jvp(g: Any) -> Any:
    def run(x: Any, t: Any) -> Any:
        with Forward(x, t) as acc:
            y = g(x)
        return acc.jvp(y)

    return run


def test_along_a_direction() -> None:
    x, t = ag.constant(X), ag.constant(T)
    expected = difference(f, X, T)
    for run in (jvp(f), jvp(ag.function(f)), ag.function(jvp(f))):
        np.testing.assert_allclose(run(x, t).numpy(), expected, rtol=1e-7)


def test_of_structures_and_unconnected() -> None:
    x, v = ag.constant(2.0), ag.Variable(3.0)
    with Forward([x, v], [ag.constant(1.0), ag.constant(10.0)]) as acc:
        out = {"a": x * v, "b": [v * v]}
        other = ag.constant(1.0)
    found = acc.jvp(out)
    assert float(found["a"]) == 23.0 and float(found["b"][0]) == 60.0
    assert acc.jvp(other) is None
    assert float(acc.jvp(other, unconnected_gradients="zero")) == 0.0
    assert float(acc.jvp(x)) == 1.0 and float(acc.jvp(v)) == 10.0


def test_tangents_are_like_their_primals() -> None:
    with pytest.raises(ValueError, match="like its primal"):
        Forward(ag.constant([1.0, 2.0]), ag.constant([1.0]))


def test_forward_over_reverse_and_reverse_over_forward() -> None:
    x, t = ag.constant(X), ag.constant(T)
    g = lambda x: ag.reduce_sum(f(x) ** 2)  # noqa: E731
    hessian = ag.hessian(g)(x).numpy()
    with Forward(x, t) as acc:
        slope = ag.grad(g)(x)
    np.testing.assert_allclose(acc.jvp(slope).numpy(), hessian @ T, rtol=1e-9)
    with ag.GradientTape() as tape:
        tape.watch(x)
        with Forward(x, t) as acc:
            y = g(x)
        dy = acc.jvp(y)
    np.testing.assert_allclose(tape.gradient(dy, x).numpy(), hessian @ T, rtol=1e-9)


def test_forward_over_forward() -> None:
    x, one = ag.constant(np.float64(2.0)), ag.constant(np.float64(1.0))
    with Forward(x, one) as outer:
        with Forward(x, one) as inner:
            y = x * x * x
        dy = inner.jvp(y)
    assert float(dy) == 12.0 and float(outer.jvp(dy)) == 12.0


class TestFunctions:
    def test_grad(self) -> None:
        g = ag.grad(lambda x, y: x * x * y, argnums=(0, 1))
        assert [float(d) for d in g(3.0, 4.0)] == [24.0, 9.0]
        assert float(ag.grad(lambda x, y: x * y, 1)(3.0, 4.0)) == 3.0
        assert float(ag.grad(lambda x: 1.0 + 0.0 * ag.constant(1.0))(2.0)) == 0.0

    def test_structures_and_aux(self) -> None:
        def loss(params: Any, x: Any) -> Any:
            y = params["w"] * x + params["b"]
            return ag.reduce_sum(y), y

        params = {"w": ag.constant(2.0), "b": ag.Variable(1.0)}
        (value, y), slope = ag.value_and_grad(loss, has_aux=True)(params, 3.0)
        assert (float(value), float(y)) == (7.0, 7.0)
        assert float(slope["w"]) == 3.0 and float(slope["b"]) == 1.0
        slope, _ = ag.grad(loss, has_aux=True)(params, 3.0)
        assert float(slope["w"]) == 3.0

    def test_under_function(self) -> None:
        third = ag.function(ag.grad(ag.grad(ag.grad(lambda x: ag.sin(x) * x))))
        x = 0.5
        expected = -3 * np.sin(x) - x * np.cos(x)
        assert float(third(ag.constant(np.float64(x)))) == pytest.approx(expected)

    def test_vjp_and_jvp(self) -> None:
        x = ag.constant(X)
        y, pullback = ag.vjp(f, x)
        seed = ag.constant(np.array([1.0, 2.0, 3.0]))
        jacobian = ag.jacobian(f)(x).numpy()
        np.testing.assert_allclose(pullback(seed)[0].numpy(), seed.numpy() @ jacobian)
        np.testing.assert_allclose(pullback(seed)[0].numpy(), seed.numpy() @ jacobian)
        same, along = ag.jvp(f, [x], [ag.constant(T)])
        np.testing.assert_allclose(same.numpy(), y.numpy())
        np.testing.assert_allclose(along.numpy(), jacobian @ T)

    def test_hessians_of_several_arguments(self) -> None:
        g = lambda x, y: ag.reduce_sum(x * x) * y  # noqa: E731
        found = ag.hessian(g, (0, 1))(ag.constant([1.0, 2.0]), ag.constant(3.0))
        assert found[0][0].numpy().tolist() == [[6.0, 0.0], [0.0, 6.0]]
        assert found[0][1].numpy().tolist() == [2.0, 4.0]
        assert found[1][0].numpy().tolist() == [2.0, 4.0]
        assert float(found[1][1]) == 0.0

    def test_what_cannot_be(self) -> None:
        with pytest.raises(ValueError, match="gives one number"):
            ag.grad(lambda x: x)(ag.constant([1.0, 2.0]))
        with pytest.raises(ValueError, match="argument 2"):
            ag.grad(lambda x: x, 2)(1.0)


def bent(x: Any) -> Any:
    if x > 1.0:
        return x * x
    return x


def test_functions_handed_over_are_converted() -> None:
    @ag.function
    def run(x: Any) -> Any:
        w = x * 1.0
        return [
            ag.grad(bent)(x),
            ag.vjp(bent, x)[1](ag.constant(1.0))[0],
            ag.jvp(bent, [x], [ag.constant(1.0)])[1],
            ag.jacobian(bent)(x),
            ag.grad(ag.recompute_grad(bent))(x),
            ag.reduce_sum(ag.map_fn(bent, ag.stack([w, w]))),
            ag.cond(x > 0.0, lambda: bent(x), lambda: x),
        ]

    assert [float(y) for y in run(ag.constant(3.0))] == [6.0] * 5 + [18.0, 9.0]
    assert [float(y) for y in run(ag.constant(0.5))] == [1.0] * 5 + [1.0, 0.5]
