"""GradientTape itself: what it records, and how it is asked."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import autograph_lite as ag


def number(x: Any) -> Any:
    return None if x is None else x.numpy().tolist()


def test_watched_tensors_and_variables() -> None:
    x, y, v, frozen = (
        ag.constant(2.0),
        ag.constant(3.0),
        ag.Variable(5.0),
        ag.Variable(7.0, trainable=False),
    )
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        z = x * y * v * frozen
    assert number(tape.gradient(z, x)) == 105.0
    assert tape.gradient(z, y) is None
    assert number(tape.gradient(z, v)) == 42.0
    assert tape.gradient(z, frozen) is None
    assert tape.watched_variables() == (v,)


def test_variables_are_not_watched_unasked() -> None:
    v, w = ag.Variable(5.0), ag.Variable(7.0)
    with ag.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(v)
        z = v * w
    assert [number(g) for g in tape.gradient(z, [v, w])] == [7.0, None]


def test_structures_of_sources_and_targets() -> None:
    x, y = ag.constant(2.0), ag.constant([1.0, 2.0])
    with ag.GradientTape() as tape:
        tape.watch({"x": x, "y": [y]})
        out = {"a": x * x, "b": (ag.reduce_sum(y) * x,)}
    found = tape.gradient(out, {"first": (x,), "second": [y]})
    assert number(found["first"][0]) == 7.0
    assert number(found["second"][0]) == [2.0, 2.0]


def test_output_gradients() -> None:
    x = ag.constant([1.0, 2.0])
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = x * x, 3.0 * x
    assert number(tape.gradient(y, x, output_gradients=ag.constant([1.0, 10.0]))) == [2.0, 40.0]
    assert number(tape.gradient([y, z], x, output_gradients=[[1.0, 0.0], None])) == [5.0, 3.0]
    with pytest.raises(ValueError, match="as many output_gradients"):
        tape.gradient([y, z], x, output_gradients=[ag.constant([1.0, 0.0])])
    with pytest.raises(ValueError, match="cannot start from"):
        tape.gradient(y, x, output_gradients=ag.constant([1.0, 2.0, 3.0]))


def test_unconnected_sources() -> None:
    x, v = ag.constant([1.0, 2.0]), ag.Variable([[1.0]])
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = ag.constant(1.0) * 2.0
    zero = ag.UnconnectedGradients.ZERO
    assert tape.gradient(y, [x, v]) == [None, None]
    assert [number(g) for g in tape.gradient(y, [x, v], unconnected_gradients=zero)] == [
        [0.0, 0.0],
        [[0.0]],
    ]
    assert number(tape.gradient(y, x, unconnected_gradients="zero")) == [0.0, 0.0]
    with pytest.raises(ValueError):
        tape.gradient(y, x, unconnected_gradients="some")


def test_integers_have_no_gradient() -> None:
    i, x = ag.constant(3), ag.constant(2.0)
    with ag.GradientTape() as tape:
        tape.watch([i, x])
        y = x * ag.cast(i, ag.float32)
        j = i * 2
    assert tape.gradient([y, j], [i]) == [None]


def test_a_tape_is_asked_once_unless_persistent() -> None:
    x = ag.Variable(1.0)
    with ag.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    with pytest.raises(RuntimeError, match="persistent=True"):
        tape.gradient(y, x)


def test_a_target_that_is_a_source() -> None:
    x = ag.constant(2.0)
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    assert number(tape.gradient(x, x)) == 1.0
    assert number(tape.gradient(z, y)) == 8.0
    assert [number(g) for g in tape.gradient(z, [x, y])] == [32.0, 8.0]


def test_asking_within_the_block_ends_the_recording() -> None:
    x = ag.constant(2.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        g = tape.gradient(y, x)
    assert number(g) == 4.0


def test_stop_recording_and_reset() -> None:
    x = ag.constant(2.0)
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            hidden = x * x * x
        z = y + hidden
    assert number(tape.gradient(z, x)) == 4.0
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        tape.reset()
        z = y * x
    assert tape.gradient(z, x) is None
    with pytest.raises(ValueError, match="not recording"), tape.stop_recording():
        pass
    with tape, pytest.raises(ValueError, match="recording already"), tape:
        pass


def test_only_tensors_and_variables_can_be_watched_or_sources() -> None:
    with ag.GradientTape(persistent=True) as tape:
        with pytest.raises(ValueError, match="can watch tensors and variables"):
            tape.watch(2.0)
        y = ag.constant(1.0)
    with pytest.raises(TypeError, match="with respect to tensors and variables"):
        tape.gradient(y, 2.0)


def test_nested_tapes_to_the_fourth_order() -> None:
    def derivative(f: Any) -> Any:
        def g(x: Any) -> Any:
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = f(x)
            return tape.gradient(y, x)

        return g

    f: Any = lambda x: ag.sin(x) * x  # noqa: E731
    expected = [
        lambda x: np.cos(x) * x + np.sin(x),
        lambda x: 2 * np.cos(x) - x * np.sin(x),
        lambda x: -3 * np.sin(x) - x * np.cos(x),
        lambda x: -4 * np.cos(x) + x * np.sin(x),
    ]
    x = ag.constant(np.float64(0.7))
    for want in expected:
        f = derivative(f)
        assert float(f(x)) == pytest.approx(want(0.7), rel=1e-12)
        assert float(ag.function(f)(x)) == pytest.approx(want(0.7), rel=1e-12)


def test_two_tapes_at_once() -> None:
    x = ag.constant(3.0)
    with ag.GradientTape() as one, ag.GradientTape() as two:
        one.watch(x)
        y = x * x
        two.watch(y)
        z = y * y
    assert number(one.gradient(z, x)) == 108.0
    assert number(two.gradient(z, y)) == 18.0


def test_inner_tape_does_not_see_what_came_before() -> None:
    x = ag.constant(3.0)
    with ag.GradientTape(persistent=True) as outer:
        outer.watch(x)
        y = x * x
        with ag.GradientTape() as inner:
            inner.watch(y)
            z = y * x
        assert inner.gradient(z, [x, y])[0] is None
    assert number(outer.gradient(z, x)) == 27.0


def test_the_values_are_those_at_the_time() -> None:
    v = ag.Variable(2.0)
    with ag.GradientTape() as tape:
        y = v * v
        v.assign(100.0)
        z = y + v
    assert number(tape.gradient(z, v)) == 5.0


def test_tapes_of_threads_do_not_mix() -> None:
    found: dict[int, Any] = {}
    together = threading.Barrier(4)

    def work(n: int) -> None:
        x = ag.constant(float(n))
        for _ in range(50):
            together.wait()
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = x * x * x
            found[n] = float(tape.gradient(y, x))

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert found == {n: 3.0 * n * n for n in range(4)}


def test_memory_is_given_back() -> None:
    import gc
    import weakref

    x = ag.constant(np.ones(10))
    with ag.GradientTape() as tape:
        tape.watch(x)
        y = x * 2.0
        z = y * y
    alive = weakref.ref(y)
    del y
    assert alive() is not None
    tape.gradient(z, x)
    del z
    gc.collect()
    assert alive() is None


class TestJacobian:
    def test_shapes(self) -> None:
        x, v = ag.constant(np.arange(6.0).reshape(2, 3)), ag.Variable(np.ones(4))
        with ag.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = ag.matmul(x, x, transpose_b=True) * v[0]
        found = tape.jacobian(y, [x, v])
        assert [g.shape for g in found] == [(2, 2, 2, 3), (2, 2, 4)]
        scalar = tape.jacobian(y, {"x": x})["x"]
        np.testing.assert_allclose(scalar.numpy(), found[0].numpy())

    @pytest.mark.parametrize("size", [3, 40])
    def test_in_a_graph(self, size: int) -> None:
        def jacobian(x: Any) -> Any:
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = ag.cumsum(x * x)
            return tape.jacobian(y, x)

        x = ag.constant(np.linspace(0.0, 1.0, size))
        expected = np.tril(np.broadcast_to(2 * x.numpy(), (size, size)))
        np.testing.assert_allclose(jacobian(x).numpy(), expected)
        np.testing.assert_allclose(ag.function(jacobian)(x).numpy(), expected)
        spec = ag.TensorSpec([None], ag.float64)
        loose = ag.function(jacobian, input_signature=[spec])
        np.testing.assert_allclose(loose(x).numpy(), expected)

    def test_of_a_loop_in_a_graph(self) -> None:
        @ag.function
        def jacobian(x: Any) -> Any:
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = x
                for i in ag.range(3):
                    y = y * x[i % 2] + ag.reduce_sum(y)
            return y, tape.jacobian(y, x)

        def y(x: Any) -> Any:
            made = x
            for i in range(3):
                made = made * x[i % 2] + made.sum()
            return made

        start = np.linspace(0.1, 1.0, 20)
        value, found = jacobian(ag.constant(start))
        np.testing.assert_allclose(value.numpy(), y(start))
        for n in range(20):
            step = np.zeros(20)
            step[n] = 1e-6
            column = (y(start + step) - y(start - step)) / 2e-6
            np.testing.assert_allclose(found.numpy()[:, n], column, rtol=1e-6, atol=1e-6)

    def test_unconnected(self) -> None:
        x = ag.constant([1.0, 2.0])
        with ag.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = ag.constant([1.0, 2.0, 3.0])
        assert tape.jacobian(y, x) is None
        zero = tape.jacobian(y, x, unconnected_gradients=ag.UnconnectedGradients.ZERO)
        assert zero.shape == (3, 2) and not zero.numpy().any()

    def test_batch_jacobian(self) -> None:
        x = ag.constant(np.random.default_rng(0).normal(size=(4, 3)))
        w = ag.constant(np.random.default_rng(1).normal(size=(3, 2)))

        def both(x: Any) -> Any:
            with ag.GradientTape(persistent=True) as tape:
                tape.watch(x)
                y = ag.tanh(ag.matmul(x, w))
            return tape.batch_jacobian(y, x), tape.jacobian(y, x)

        batch, full = both(x)
        assert batch.shape == (4, 2, 3)
        np.testing.assert_allclose(batch.numpy(), np.einsum("bobi->boi", full.numpy()))
        np.testing.assert_allclose(ag.function(both)(x)[0].numpy(), batch.numpy())

    def test_batch_jacobian_without_influence(self) -> None:
        x = ag.constant(np.ones((4, 3)))
        with ag.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = ag.constant(np.ones((4, 2)))
        assert tape.batch_jacobian(y, x) is None
        zero = tape.batch_jacobian(y, x, unconnected_gradients="zero")
        assert zero.shape == (4, 2, 3) and not zero.numpy().any()

    def test_batch_jacobian_wants_as_many_rows(self) -> None:
        x = ag.constant([[1.0], [2.0]])
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = ag.reduce_sum(x, 0, keepdims=True)
        with pytest.raises(ValueError, match="as many rows"):
            tape.batch_jacobian(y, x)


def test_complex_numbers_follow_tensorflow() -> None:
    z = ag.constant(1.0 + 2.0j)
    with ag.GradientTape(persistent=True) as tape:
        tape.watch(z)
        square = z * z
        size = ag.abs(z)
        real = ag.math.real(z) * 3.0
    # The conjugate of the derivative, where there is one.
    assert complex(tape.gradient(square, z)) == pytest.approx(2 - 4j)
    assert complex(tape.gradient(size, z)) == pytest.approx((1 + 2j) / 5**0.5)
    assert complex(tape.gradient(real, z)) == 3.0
