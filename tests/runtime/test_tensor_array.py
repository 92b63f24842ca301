"""TensorArrays do the same eagerly and in graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph_lite as ag


def both(fn: Any, *args: Any) -> list[Any]:
    return [fn(*args), ag.function(fn, autograph=False)(*args)]


def values(result: Any) -> Any:
    return ag.nest.map_structure(lambda t: t.numpy().tolist(), result)


def test_write_read_stack() -> None:
    def fn(x: Any) -> Any:
        ta = ag.TensorArray(ag.float32, size=3)
        for i in range(3):
            ta = ta.write(i, x * i)
        return ta.stack(), ta.read(1), ta.size(), ta.gather([2, 0]), ta.concat()

    for result in both(fn, ag.constant([1.0, 2.0])):
        assert values(result) == (
            [[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]],
            [1.0, 2.0],
            3,
            [[2.0, 4.0], [0.0, 0.0]],
            [0.0, 0.0, 1.0, 2.0, 2.0, 4.0],
        )


def test_unstack_scatter_split() -> None:
    def fn(x: Any) -> Any:
        a = ag.TensorArray(ag.int32, size=3).unstack(x)
        b = ag.TensorArray(ag.int32, size=4).scatter([3, 0], x[:2]).write(1, 5).write(2, 6)
        c = ag.TensorArray(ag.int32, size=2, infer_shape=False).split(x, [1, 2])
        return a.stack(), b.stack(), c.read(1), c.concat()

    for result in both(fn, ag.constant([1, 2, 3])):
        assert values(result) == ([1, 2, 3], [2, 5, 6, 1], [2, 3], [1, 2, 3])


def test_growing() -> None:
    def fn(x: Any) -> Any:
        ta = ag.TensorArray(ag.float32, size=0, dynamic_size=True)
        for i in range(3):
            ta = ta.write(i, x)
        return ta.size(), ta.stack()

    for result in both(fn, ag.constant(2.0)):
        assert values(result) == (3, [2.0, 2.0, 2.0])


def test_elements_never_written_are_zero_where_the_shape_is_known() -> None:
    def fn(x: Any) -> Any:
        ta = ag.TensorArray(ag.float32, size=2, element_shape=[2]).write(1, x)
        return ta.stack()

    for result in both(fn, ag.constant([1.0, 2.0])):
        assert values(result) == [[0.0, 0.0], [1.0, 2.0]]


@pytest.mark.parametrize(
    "misuse",
    [
        lambda x: ag.TensorArray(ag.float32, size=2).write(2, x).stack(),
        lambda x: ag.TensorArray(ag.float32, size=2).write(-1, x).stack(),
        lambda x: ag.TensorArray(ag.float32, size=2).read(0),
        lambda x: ag.TensorArray(ag.float32, size=2).read(5),
        lambda x: ag.TensorArray(ag.float32, size=2).write(0, x).write(1, [[1.0]]).stack(),
        lambda x: (
            ag.TensorArray(ag.float32, 2, infer_shape=False).write(0, x).write(1, [x, x]).stack()
        ),
        lambda x: ag.TensorArray(ag.int32, size=2).write(0, x).stack(),
    ],
)
def test_misuse_is_refused(misuse: Any) -> None:
    for fn in (misuse, ag.function(misuse, autograph=False)):
        with pytest.raises((ValueError, IndexError, TypeError)):
            fn(ag.constant(1.0))


def test_carried_through_loops() -> None:
    def fn(n: Any) -> Any:
        ta = ag.TensorArray(ag.int32, size=n)
        _, ta = ag.while_loop(
            lambda i, ta: i < n, lambda i, ta: (i + 1, ta.write(i, i * i)), (0, ta)
        )
        return ta.stack()

    for result in both(fn, ag.constant(4)):
        assert values(result) == [0, 1, 4, 9]


def test_handed_in_and_out_of_functions() -> None:
    @ag.function(autograph=False)
    def double(ta: Any) -> Any:
        return ta.write(0, ta.read(0) * 2.0)

    given = ag.TensorArray(ag.float32, 2).unstack(ag.constant([1.0, 5.0]))
    made = double(given)
    assert values((given.stack(), made.stack())) == ([1.0, 5.0], [2.0, 5.0])


def test_the_element_shape_is_known_behind_a_loop() -> None:
    shapes = []

    @ag.function(autograph=False)
    def fn(x: Any) -> Any:
        ta = ag.TensorArray(ag.float32, size=3)
        _, ta = ag.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t.write(i, x)), (0, ta))
        shapes.append(ta.stack().shape)
        return ta.stack()

    fn(ag.ones([2, 5]))
    assert shapes[0][1:] == (2, 5)


def test_gradients() -> None:
    def fn(x: Any) -> Any:
        ta = ag.TensorArray(ag.float32, size=3).unstack(x)
        out = ag.TensorArray(ag.float32, size=2).write(0, ta.read(0) * ta.read(2))
        return ag.reduce_sum(out.write(1, ta.read(1) ** 2).stack())

    x = ag.constant([2.0, 3.0, 4.0])
    for called in (fn, ag.function(fn, autograph=False)):
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = called(x)
        np.testing.assert_allclose(tape.gradient(y, x).numpy(), [4.0, 6.0, 2.0])
