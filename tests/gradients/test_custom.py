"""Custom gradients, and computing again."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph_lite as ag


def first(f: Any, *sources: Any) -> list[Any]:
    with ag.GradientTape() as tape:
        tape.watch([s for s in sources if not isinstance(s, ag.Variable)])
        y = f(*sources)
    return [None if g is None else float(g) for g in tape.gradient(y, list(sources))]


def in_all_ways(f: Any, *sources: Any) -> list[Any]:
    eager = first(f, *sources)
    assert first(ag.function(f), *sources) == pytest.approx(eager)

    def inside() -> Any:
        with ag.GradientTape() as tape:
            tape.watch([s for s in sources if not isinstance(s, ag.Variable)])
            y = f(*sources)
        return tape.gradient(y, list(sources))

    assert [float(g) for g in ag.function(inside)()] == pytest.approx(eager)
    return eager


def test_its_own_gradient() -> None:
    @ag.custom_gradient
    def log1pexp(x: Any) -> Any:
        e = ag.exp(x)
        return ag.math.log(1.0 + e), lambda dy: dy * (1.0 - 1.0 / (1.0 + e))

    assert in_all_ways(log1pexp, ag.constant(100.0)) == [1.0]


def test_gradient_of_the_gradient() -> None:
    @ag.custom_gradient
    def cube(x: Any) -> Any:
        square = x * x
        return square * x, lambda dy: dy * 3.0 * square

    x = ag.constant(2.0)

    def slope(x: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = cube(x)
        return tape.gradient(y, x)

    assert float(slope(x)) == 12.0
    assert in_all_ways(slope, x) == [12.0]


def test_nested() -> None:
    @ag.custom_gradient
    def inner(x: Any) -> Any:
        return x * 2.0, lambda dy: dy * 10.0

    @ag.custom_gradient
    def outer(x: Any, y: Any) -> Any:
        def grad(dy: Any) -> Any:
            return dy * inner(y), dy * x

        return inner(x) * y, grad

    assert in_all_ways(outer, ag.constant(3.0), ag.constant(5.0)) == [10.0, 3.0]
    assert in_all_ways(lambda x: inner(inner(x)), ag.constant(3.0)) == [100.0]


def test_with_variables() -> None:
    v = ag.Variable(3.0)

    @ag.custom_gradient
    def scaled(x: Any) -> Any:
        def grad(dy: Any, variables: Any) -> Any:
            assert variables == [v]
            return dy * 7.0, [dy * 11.0]

        return x * v, grad

    def f(x: Any) -> Any:
        return scaled(x) * 2.0

    x = ag.constant(2.0)

    def run() -> Any:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, [x, v])

    for g in (run, ag.function(run)):
        assert [float(d) for d in g()] == [14.0, 22.0]


def test_variables_need_an_argument() -> None:
    v = ag.Variable(3.0)

    @ag.custom_gradient
    def scaled(x: Any) -> Any:
        return x * v, lambda dy: dy

    with ag.GradientTape() as tape:
        y = scaled(ag.constant(1.0))
    with pytest.raises(TypeError, match="argument `variables`"):
        tape.gradient(y, v)


def test_several_results_in_a_structure() -> None:
    @ag.custom_gradient
    def f(x: Any, y: Any) -> Any:
        def grad(da: Any, db: Any) -> Any:
            return da * 2.0, db * 3.0

        return {"a": x * 1.0, "b": y * 1.0}, grad

    def g(x: Any, y: Any) -> Any:
        out = f(x, y)
        return out["a"] * 10.0 + out["b"]

    assert in_all_ways(g, ag.constant(1.0), ag.constant(1.0)) == [20.0, 3.0]
    # A result that nobody uses has a gradient of zero.
    assert in_all_ways(lambda x, y: f(x, y)["a"], ag.constant(1.0), ag.constant(1.0)) == [2.0, 0.0]


def test_in_a_staged_loop_and_branch() -> None:
    @ag.custom_gradient
    def f(x: Any) -> Any:
        return ag.sin(x), lambda dy: dy * 0.5

    def g(x: Any) -> Any:
        for _ in ag.range(3):
            if x > 0.0:
                x = f(x)
        return x

    assert in_all_ways(g, ag.constant(0.5)) == [0.125]


def test_wrong_answers() -> None:
    with pytest.raises(TypeError, match="gives a pair"):
        ag.custom_gradient(lambda x: x)(ag.constant(1.0))
    two = ag.custom_gradient(lambda x: (x * 1.0, lambda dy: [dy, dy]))
    x = ag.constant(1.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = two(x)
    with pytest.raises(ValueError, match="2 gradients for 1"):
        tape.gradient(y, x)


def test_keyword_arguments_and_none() -> None:
    @ag.custom_gradient
    def f(x: Any, scale: float = 1.0) -> Any:
        return x * scale, lambda dy: None

    x = ag.constant(1.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = f(x, scale=3.0)
    assert float(y) == 3.0 and tape.gradient(y, x) is None


class TestRecompute:
    def test_it_calls_again(self) -> None:
        calls = []

        @ag.recompute_grad
        def f(x: Any) -> Any:
            calls.append(1)
            return ag.sin(x) * x

        x = ag.constant(2.0)
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert len(calls) == 1
        assert float(tape.gradient(y, x)) == pytest.approx(np.cos(2.0) * 2 + np.sin(2.0), rel=1e-6)
        assert len(calls) == 2

    def test_in_graphs_and_to_second_order(self) -> None:
        v = ag.Variable(np.float64(0.5))

        def plain(x: Any) -> Any:
            return ag.sin(x * v) * x

        def second(f: Any) -> Any:
            def run(x: Any) -> Any:
                with ag.GradientTape() as outer:
                    outer.watch(x)
                    with ag.GradientTape() as inner:
                        inner.watch(x)
                        y = f(x)
                    dx, dv = inner.gradient(y, [x, v])
                    z = dx * dv
                return [dx, dv, *outer.gradient(z, [x, v])]

            return run

        x = ag.constant(np.float64(0.7))
        expected = [float(g) for g in second(plain)(x)]
        again = ag.recompute_grad(plain)
        assert [float(g) for g in second(again)(x)] == pytest.approx(expected)
        assert [float(g) for g in ag.function(second(again))(x)] == pytest.approx(expected)

    def test_a_graph_computes_twice(self) -> None:
        f = ag.recompute_grad(lambda x: ag.exp(ag.sin(x)))

        @ag.function
        def g(x: Any) -> Any:
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return y, tape.gradient(y, x)

        source = g.get_concrete_function(ag.constant(np.ones(5000))).plan_source()
        assert source.count("np_exp(") == 2
