"""Variables hold values that change, and stand for tensors."""

from __future__ import annotations

import copy
import pickle
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import autograph_lite as ag


def test_facts() -> None:
    v = ag.Variable([1.0, 2.0], name="w", trainable=False)
    assert (v.name, v.dtype, v.shape, v.trainable) == ("w:0", ag.float32, (2,), False)
    assert repr(v) == (
        "<ag.Variable 'w:0' shape=(2,) dtype=float32, numpy=array([1., 2.], dtype=float32)>"
    )
    assert repr(ag.Variable(3)).endswith("numpy=3>")
    with ag.name_scope("layer"):
        assert ag.Variable(0.0, name="b").name == "layer/b:0"


@pytest.mark.parametrize(
    ("initial", "dtype", "expected"),
    [
        (1, None, "int32"),
        (1.5, None, "float32"),
        (1, ag.float64, "float64"),
        (lambda: ag.ones([2]), None, "float32"),
        (np.float64(2), None, "float64"),
        ("text", None, "string"),
        ([True], None, "bool"),
    ],
)
def test_initial_values(initial: Any, dtype: Any, expected: str) -> None:
    assert ag.Variable(initial, dtype=dtype).dtype == expected


def test_the_initial_array_may_change_afterwards() -> None:
    source = np.array([1, 2])
    v = ag.Variable(source)
    source[0] = 9
    assert v.numpy().tolist() == [1, 2]
    v.numpy()[0] = 9
    assert v.numpy().tolist() == [1, 2]


@pytest.mark.parametrize(
    "change",
    [
        lambda v: v.assign(ag.constant([1, 2])),
        lambda v: v.assign([1.0, 2.0, 3.0]),
        lambda v: v.assign(1.0),
        lambda v: v.assign("text"),
        lambda v: v.assign(ag.constant([1.0, 2.0], ag.float64)),
        lambda v: ag.Variable(),
        lambda v: ag.Variable(1.0, shape=[3]),
    ],
)
def test_what_does_not_fit_is_refused_and_the_line_named(change: Any) -> None:
    v = ag.Variable([5.0, 6.0])
    with pytest.raises((ValueError, TypeError), match="test_variables.py"):
        change(v)
    assert v.numpy().tolist() == [5.0, 6.0]


def test_shapes_that_vary() -> None:
    v = ag.Variable([1.0], shape=[None])
    assert v.assign([1.0, 2.0, 3.0]).numpy().tolist() == [1.0, 2.0, 3.0]
    with pytest.raises(ValueError, match="shape"):
        v.assign([[1.0]])
    w = ag.Variable([1.0], validate_shape=False)
    assert w.assign([[1.0]]).numpy().tolist() == [[1.0]]


def test_reads_are_snapshots() -> None:
    v = ag.Variable([1.0])
    before = v.read_value()
    v.assign_add([1.0])
    assert (before.numpy()[0], v.value().numpy()[0]) == (1.0, 2.0)


def test_assignments_can_be_chained_and_used() -> None:
    v = ag.Variable(1.0)
    assert (v.assign_add(2.0).assign_sub(1.0) * 10).numpy() == 20.0


def test_operators() -> None:
    v = ag.Variable([1.0, 2.0])
    results = {
        "array": np.ones(2, np.float32) + v,
        "scalar": np.float32(1) + v,
        "minus": 3 - v,
        "index": v[1:],
        "compare": v > 1.5,
        "negative": -v,
        "times": v * v,
        "power": v**2,
    }
    assert all(isinstance(r, ag.Tensor) for r in results.values())
    assert results["array"].numpy().tolist() == [2.0, 3.0]
    assert [float(x) for x in v] == [1.0, 2.0]
    assert len(v) == 2 and float(ag.Variable(2.5)) == 2.5 and range(ag.Variable(3)) == range(3)
    assert (v == None) is False  # noqa: E711
    assert [10, 20][ag.Variable(1)] == 20


def test_hashing_goes_by_reference() -> None:
    v = ag.Variable(1)
    with pytest.raises(TypeError, match=r"ref\(\)"):
        hash(v)
    assert {v.ref(): "x"}[v.ref()] == "x"
    assert v.ref().deref() is v


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("scatter_nd_update", [1, 9, 3]),
        ("scatter_nd_add", [1, 11, 3]),
        ("scatter_nd_sub", [1, -7, 3]),
        ("scatter_nd_max", [1, 9, 3]),
        ("scatter_nd_min", [1, 2, 3]),
    ],
)
def test_scattered_updates(method: str, expected: list[int]) -> None:
    v = ag.Variable([1, 2, 3])
    assert getattr(v, method)([[1]], [9]).numpy().tolist() == expected
    w = ag.Variable([1, 2, 3])
    rows = SimpleNamespace(indices=ag.constant([1]), values=ag.constant([9]))
    getattr(w, method.replace("_nd", ""))(rows)
    assert w.numpy().tolist() == expected


def test_additions_from_many_threads_all_count() -> None:
    v = ag.Variable(0)

    def work() -> None:
        for _ in range(500):
            v.assign_add(1)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert v.numpy() == 2000


def test_copies_are_independent() -> None:
    v = ag.Variable([1.0], name="w", trainable=False)
    for other in (copy.copy(v), copy.deepcopy(v), pickle.loads(pickle.dumps(v))):
        other.assign([5.0])
        assert (other.name, other.trainable) == ("w:0", False)
    assert v.numpy().tolist() == [1.0]


# ---- in graphs


def test_effects_happen_in_program_order() -> None:
    v = ag.Variable(1.0)

    @ag.function(autograph=False)
    def f(x: Any) -> Any:
        before = v + 0.0
        v.assign(x)
        between = v * 1.0
        v.assign_add(1.0)
        return before, between, v.read_value()

    assert [float(t) for t in f(ag.constant(5.0))] == [1.0, 5.0, 6.0]
    assert [float(t) for t in f(ag.constant(7.0))] == [6.0, 7.0, 8.0]


def test_assigned_memory_is_never_written_over() -> None:
    v, w = ag.Variable(ag.zeros([2000])), ag.Variable(ag.zeros([2000]))

    @ag.function(autograph=False)
    def f(x: Any) -> Any:
        y = x + 1.0
        v.assign(y)
        z = y * 2.0
        w.assign(z)
        return z + y

    assert f(ag.ones([2000])).numpy()[0] == 6.0
    assert (v.numpy()[0], w.numpy()[0]) == (2.0, 4.0)


def test_variables_made_on_every_call_are_refused() -> None:
    @ag.function(autograph=False)
    def f(x: Any) -> Any:
        return ag.Variable(1.0) + x

    with pytest.raises(ValueError, match="test_variables.py"):
        f(ag.constant(1.0))


def test_initial_values_may_not_depend_on_arguments() -> None:
    made: list[Any] = []

    @ag.function(autograph=False)
    def f(x: Any) -> Any:
        if not made:
            made.append(ag.Variable(x * 2.0))
        return made[0] + x

    with pytest.raises(ValueError, match="depends on"):
        f(ag.constant(1.0))


def test_initial_values_are_computed_at_once() -> None:
    made: list[Any] = []

    @ag.function(autograph=False)
    def f(x: Any) -> Any:
        if not made:
            made.append(ag.Variable(ag.fill([2], 3.0) + 1.0))
        return made[0] * x

    assert f(ag.constant(2.0)).numpy().tolist() == [8.0, 8.0]
    assert made[0].numpy().tolist() == [4.0, 4.0]
