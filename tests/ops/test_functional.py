"""map, fold, scan, and calls of Python: eagerly and in graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph_lite as ag

X = [1, 2, 3]

CASES: list[tuple[Any, Any]] = [
    (lambda x: ag.map_fn(lambda t: t * t, x), [1, 4, 9]),
    (lambda x: ag.map_fn(lambda t: (t, t * 2), x), ([1, 2, 3], [2, 4, 6])),
    (lambda x: ag.map_fn(lambda t: {"a": t[0] + t[1]}, (x, x)), {"a": [2, 4, 6]}),
    (
        lambda x: ag.map_fn(lambda t: ag.cast(t, ag.float32), x, fn_output_signature=ag.float32),
        [1.0, 2.0, 3.0],
    ),
    (lambda x: ag.vectorized_map(lambda t: t + 1, x), [2, 3, 4]),
    (lambda x: ag.vectorized_map(lambda t: t[0] + t[1], (x, x[:1])), [2, 3, 4]),
    (lambda x: ag.scan(lambda a, t: a + t, x), [1, 3, 6]),
    (lambda x: ag.scan(lambda a, t: a + t, x, reverse=True), [6, 5, 3]),
    (lambda x: ag.scan(lambda a, t: a + t, x, initializer=10), [11, 13, 16]),
    (lambda x: ag.scan(lambda a, t: (a[1], a[0] + t), x, (0, 1)), ([1, 1, 3], [1, 3, 4])),
    (lambda x: ag.foldl(lambda a, t: a * 10 + t, x), 123),
    (lambda x: ag.foldr(lambda a, t: a * 10 + t, x), 321),
    (lambda x: ag.foldl(lambda a, t: a - t, x, initializer=0), -6),
    (lambda x: ag.map_fn(lambda t: t * 2, x[:0]), []),
    (lambda x: ag.py_function(lambda t: t * int(t[1]), [x], ag.int32), [2, 4, 6]),
    (lambda x: ag.numpy_function(lambda t: t[::-1], [x], ag.int32), [3, 2, 1]),
    (
        lambda x: ag.numpy_function(lambda t: (t.max(), t.min()), [x], [ag.int32, ag.int32]),
        [3, 1],
    ),
]


def plain(value: Any) -> Any:
    return ag.nest.map_structure(lambda t: t.numpy().tolist(), value)


@pytest.mark.parametrize("number", range(len(CASES)))
def test_eager_and_traced(number: int) -> None:
    fn, expected = CASES[number]
    assert plain(fn(ag.constant(X))) == expected
    assert plain(ag.function(fn, autograph=False)(ag.constant(X))) == expected


# vectorized_map spreads an axis of size 1 where the sizes are known while tracing.
@pytest.mark.parametrize("number", [n for n in range(len(CASES)) if n != 5])
def test_sizes_known_only_when_the_graph_runs(number: int) -> None:
    fn, expected = CASES[number]
    spec = [ag.TensorSpec([None], ag.int32)]
    traced = ag.function(fn, autograph=False, input_signature=spec)
    assert plain(traced(ag.constant(X))) == expected


def test_python_runs_on_every_call() -> None:
    calls = []

    @ag.function(autograph=False)
    def fn(x: Any) -> Any:
        ag.py_function(lambda t: calls.append(int(t)), [x], None)
        return x

    fn(ag.constant(1))
    fn(ag.constant(2))
    assert calls == [1, 2]


def test_the_users_exceptions_arrive_as_they_are() -> None:
    class Mine(ValueError):
        pass

    def fail(x: Any) -> Any:
        raise Mine("as it was")

    def fn(x: Any) -> Any:
        return ag.numpy_function(fail, [x], ag.int32)

    for called in (fn, ag.function(fn, autograph=False)):
        with pytest.raises(Mine, match="^as it was$"):
            called(ag.constant(1))


@pytest.mark.parametrize(
    "misuse",
    [
        lambda: ag.numpy_function(lambda x: 1.5, [1], ag.int32),
        lambda: ag.numpy_function(lambda x: np.float64(1), [1], ag.float32),
        lambda: ag.py_function(lambda x: (x, x), [1], [ag.int32]),
        lambda: ag.py_function(3, [1], ag.int32),
        lambda: ag.numpy_function(lambda x: x.fill(0), [np.ones(2)], ag.float64),
        lambda: ag.map_fn(lambda x: x, 3),
        lambda: ag.map_fn(lambda x: x, (ag.ones([2]), ag.ones([3]))),
        lambda: ag.foldl(lambda a, x: a, ag.ones([0])),
    ],
)
def test_misuse_is_refused(misuse: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        misuse()


def test_gradients_flow() -> None:
    x = ag.constant([1.0, 2.0])
    functions = [
        lambda x: ag.map_fn(lambda t: t**3, x),
        lambda x: ag.py_function(lambda t: t**3, [x], ag.float32),
        ag.function(lambda x: ag.map_fn(lambda t: t**3, x), autograph=False),
        ag.function(lambda x: ag.py_function(lambda t: t**3, [x], ag.float32), autograph=False),
    ]
    for fn in functions:
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = ag.reduce_sum(fn(x))
        np.testing.assert_allclose(tape.gradient(y, x).numpy(), [3.0, 12.0], rtol=1e-6)
