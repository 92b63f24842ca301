"""Gradients of calls of traced functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph_lite as ag
from runtime.gradients.calls import root_of


def test_the_backward_function_is_made_once() -> None:
    @ag.function
    def f(x: Any) -> Any:
        return ag.sin(x) * x

    def g() -> Any:
        x = ag.constant(2.0)
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    first = g()
    graph = f.get_concrete_function(ag.constant(2.0)).graph
    made = dict(root_of(graph).__dict__["_derivatives"])
    assert float(g()) == float(first)
    assert root_of(graph).__dict__["_derivatives"] == made and len(made) == 1


def test_several_outputs_one_at_a_time() -> None:
    @ag.function
    def f(x: Any, y: Any) -> Any:
        a = ag.exp(x)
        return a * y, ag.sin(a), [x + 1.0]

    x, y = ag.constant(0.5), ag.constant(2.0)
    with ag.GradientTape(persistent=True) as tape:
        tape.watch([x, y])
        product, sine, (more,) = f(x, y)
    e = np.exp(0.5)
    assert float(tape.gradient(product, x)) == pytest.approx(2 * e)
    assert float(tape.gradient(product, y)) == pytest.approx(e)
    assert float(tape.gradient(sine, x)) == pytest.approx(np.cos(e) * e, rel=1e-5)
    assert float(tape.gradient(more, x)) == 1.0
    assert float(tape.gradient([product, more], x)) == pytest.approx(2 * e + 1)


def test_functions_in_functions() -> None:
    w = ag.Variable(3.0)

    @ag.function
    def inner(x: Any) -> Any:
        y = x
        for _ in ag.range(2):
            y = y * x * w
        return y

    @ag.function
    def outer(x: Any) -> Any:
        return inner(x) + inner(x * 2.0)

    x = ag.constant(2.0)

    def first(f: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, [x, w])

    # w² x³ + w² (2x)³
    assert [float(g) for g in first(outer)] == [9 * 9 * 3 * 4, 9 * 8 * 6]
    assert [float(g) for g in ag.function(lambda: first(outer))()] == [972.0, 432.0]


def test_side_effects_happen_once() -> None:
    count = ag.Variable(0)

    @ag.function
    def f(x: Any) -> Any:
        count.assign_add(1)
        return x * x

    x = ag.constant(3.0)
    with ag.GradientTape() as outer:
        outer.watch(x)
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        g = tape.gradient(y, x)
    assert (float(g), float(outer.gradient(g, x)), int(count)) == (6.0, 2.0, 1)


def test_arrays_and_numbers_as_arguments() -> None:
    @ag.function
    def f(x: Any, n: Any) -> Any:
        return ag.reduce_sum(x) * n * w

    w = ag.Variable(2.0)
    with ag.GradientTape() as tape:
        y = f(np.ones(3, np.float32), 4.0)
    assert float(tape.gradient(y, w)) == 12.0


def test_variables_as_arguments() -> None:
    @ag.function
    def f(v: Any) -> Any:
        return v * v

    v = ag.Variable(3.0)
    with ag.GradientTape() as tape:
        y = f(v)
    assert float(tape.gradient(y, v)) == 6.0


def test_captured_tensors() -> None:
    k = ag.constant(2.0)

    @ag.function
    def f(x: Any) -> Any:
        return x * k * k

    with ag.GradientTape() as tape:
        tape.watch(k)
        y = f(ag.constant(5.0))
    assert float(tape.gradient(y, k)) == 20.0


def test_unknown_shapes() -> None:
    @ag.function(input_signature=[ag.TensorSpec(None, ag.float64), ag.TensorSpec(None, ag.float64)])
    def f(x: Any, y: Any) -> Any:
        z = x * y + y
        if ag.reduce_sum(z) > 0.0:
            z = ag.reduce_mean(z * z, -1)
        return ag.reduce_sum(z)

    def check(x: Any, y: Any) -> None:
        with ag.GradientTape() as tape:
            tape.watch([x, y])
            out = f(x, y)
        traced = tape.gradient(out, [x, y])
        with ag.GradientTape() as tape:
            tape.watch([x, y])
            out = f.python_function(x, y)
        for a, b in zip(traced, tape.gradient(out, [x, y]), strict=True):
            np.testing.assert_allclose(a.numpy(), b.numpy())

    rng = np.random.default_rng(0)
    for shapes in (((2, 3), (3,)), ((4,), (1,)), ((2, 1), (1, 5)), ((), (2, 2))):
        check(*(ag.constant(rng.uniform(0.5, 1.0, s)) for s in shapes))


def test_gradients_of_a_graph() -> None:
    @ag.function
    def f(x: Any, y: Any) -> Any:
        z = x * y
        stopped = ag.gradients(z * x, [x, y], stop_gradients=[z])
        seeded = ag.gradients([z, z * z], x, grad_ys=[ag.constant(2.0), None])
        assert ag.gradients(y, x) == [None]
        zero = ag.gradients(y, x, unconnected_gradients="zero")
        return [*ag.gradients(z, [x, y]), stopped[0], *seeded, *zero]

    found = f(ag.constant(3.0), ag.constant(5.0))
    assert [float(g) for g in found] == [5.0, 3.0, 15.0, 10.0 + 2 * 15 * 5, 0.0]
    with pytest.raises(RuntimeError, match="GradientTape"):
        ag.gradients(ag.constant(1.0), ag.constant(1.0))


def test_gradients_stop_at_sources_too() -> None:
    @ag.function
    def f(x: Any, w: Any) -> Any:
        y = x * x * w
        z = y * x
        return [
            *ag.gradients(z, [x, y, w], stop_gradients=[y], unconnected_gradients="zero"),
            *ag.gradients(y, [y, x], stop_gradients=[y], unconnected_gradients="zero"),
        ]

    found = f(ag.constant(2.0), ag.constant(3.0))
    assert [float(g) for g in found] == [12.0, 2.0, 0.0, 1.0, 0.0]


def test_gradients_in_a_plain_graph() -> None:
    graph = ag.Graph()
    with graph.as_default():
        x = graph.placeholder(ag.float32, ag.TensorShape([]))
        y = x * x
        (dy,) = ag.gradients(y, x)
        (ddy,) = ag.gradients(dy, x)
    assert dy.graph is graph and ddy.graph is graph


def test_a_function_called_under_a_tape_in_a_thread() -> None:
    import threading

    @ag.function
    def f(x: Any) -> Any:
        for _ in ag.range(3):
            x = ag.sin(x) * x
        return x

    found: list[float] = []

    def work() -> None:
        x = ag.constant(0.7)
        for _ in range(20):
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            found.append(float(tape.gradient(y, x)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 80 and len(set(found)) == 1


def test_tensor_arrays_into_and_out_of_a_function() -> None:
    @ag.function
    def f(ta: Any) -> Any:
        out = ag.TensorArray(ag.float32, size=3)
        for i in ag.range(3):
            out = out.write(i, ta.read(i) * ta.read(0))
        return out

    x = ag.constant([1.0, 2.0, 3.0])

    def run() -> Any:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(ag.TensorArray(ag.float32, size=3).unstack(x)).stack()
        return tape.gradient(y, x)

    assert run().numpy().tolist() == [7.0, 1.0, 1.0]
    assert ag.function(run)().numpy().tolist() == [7.0, 1.0, 1.0]
