"""NumPy arrays from outside whose elements a traced function sets."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag

buffer = np.zeros(3)


@ag.function
def fill_global(x):
    buffer[0] = x
    for i in ag.range(3):
        buffer[i] += 1.0
    return x


def test_global_array_is_filled_at_each_call():
    kept = buffer
    for value in (5.0, 7.0):
        fill_global(ag.constant(value))
        assert buffer is kept
        assert type(buffer) is np.ndarray
    assert buffer.tolist() == [8.0, 2.0, 2.0]


def test_array_of_an_enclosing_function():
    table = np.zeros((2, 2))

    @ag.function
    def store(x):
        table[1] = x * 2
        if ag.reduce_sum(x) > 3:
            table[0, 0] = -1.0
        return x

    store(ag.constant([1.0, 1.0], ag.float64))
    assert table.tolist() == [[0.0, 0.0], [2.0, 2.0]]
    store(ag.constant([2.0, 2.0], ag.float64))
    assert table.tolist() == [[-1.0, 0.0], [4.0, 4.0]]


def test_array_in_a_dict():
    tables = {"a": np.zeros(2)}
    kept = tables["a"]

    @ag.function
    def store(x):
        tables["a"][1] = x
        return x

    store(ag.constant(3.0))
    assert tables["a"] is kept
    assert kept.tolist() == [0.0, 3.0]


def test_subclasses_of_arrays_are_taken_as_arrays(tmp_path):
    f = ag.function(lambda x: x * 2)
    mapped = np.memmap(tmp_path / "numbers", dtype=np.float32, mode="w+", shape=3)
    for value in (mapped, np.matrix([[1, 2], [3, 4]])):
        for _ in range(3):
            np.testing.assert_array_equal(f(value), np.asarray(value) * 2)
    mapped[1] = 5
    np.testing.assert_array_equal(f(mapped), [0, 10, 0])
    np.testing.assert_array_equal(ag.function(lambda rows: rows[0] + 1)([mapped]), [1, 6, 1])


def test_masked_arrays_are_refused():
    masked = np.ma.array([1, 2], mask=[False, True])
    for take in (ag.constant, ag.convert_to_tensor, ag.function(lambda x: x + 1)):
        with pytest.raises(TypeError, match=r"test_arrays\.py:\d+: a masked array"):
            take(masked)
