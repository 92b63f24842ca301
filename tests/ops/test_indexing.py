"""Indexing agrees with NumPy for every kind of index, in value and in static shape."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import autograph_lite as ag
from runtime.graph import FunctionGraph
from runtime.ops.indexing import get_item, set_item

ARRAY = np.arange(24).reshape(2, 3, 4)
PIECES: list[Any] = [
    0,
    -1,
    slice(None),
    slice(1, None),
    slice(None, None, -1),
    slice(3, 0, -2),
    None,
    Ellipsis,
    [0, 1],
    np.array([[0, 1], [1, 0]]),
    np.array([True, False]),
    np.array(True),
]


def numpy_answer(array: Any, index: Any) -> Any:
    try:
        return array[index]
    except IndexError:
        return None


@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("array", [ARRAY, ARRAY[:, :2, 0]], ids=["rank 3", "rank 2"])
def test_all_combinations(array: Any, length: int) -> None:
    graph = FunctionGraph("g", None)
    tensor = ag.constant(array)
    for index in itertools.product(PIECES, repeat=length):
        if sum(1 for p in index if p is Ellipsis) > 1:
            continue
        expected = numpy_answer(array, index)
        if expected is None:
            with pytest.raises((IndexError, ValueError)):
                tensor[index]
            continue
        np.testing.assert_array_equal(tensor[index].numpy(), expected)
        with graph.as_default():
            static = get_item(tensor, index).shape
        assert static.is_compatible_with(expected.shape), index


def bounds() -> Any:
    return st.one_of(st.none(), st.integers(-6, 6))


def slices() -> Any:
    return st.builds(slice, bounds(), bounds(), bounds().filter(lambda s: s != 0))


@settings(max_examples=60, deadline=None, database=None)
@given(
    st.lists(st.one_of(slices(), st.integers(-3, 2), st.none()), min_size=1, max_size=4),
    st.booleans(),
)
def test_bounds_known_only_when_the_graph_runs(pieces: list[Any], stored: bool) -> None:
    def dynamic(piece: Any) -> Any:
        if isinstance(piece, slice):
            parts = (piece.start, piece.stop, piece.step)
            return slice(*[None if p is None else zero + p for p in parts])
        return piece if piece is None else zero + piece

    zero: Any = 0
    expected = numpy_answer(ARRAY, tuple(pieces))

    @ag.function(autograph=False)
    def fn(x: Any, z: Any) -> Any:
        nonlocal zero
        zero = z
        index = tuple(dynamic(p) for p in pieces)
        return set_item(x, index, -5) if stored else x[index]

    if expected is None:
        with pytest.raises((IndexError, ValueError)):
            fn(ag.constant(ARRAY), ag.constant(0))
        return
    found = fn(ag.constant(ARRAY), ag.constant(0)).numpy()
    if stored:
        changed = ARRAY.copy()
        changed[tuple(pieces)] = -5
        expected = changed
    np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("index", [5, -3, (0, 0, 0, 0), 1.0, "a", slice(1.0), (..., ...), {}])
def test_refusals_name_the_line(index: Any) -> None:
    for fn in (lambda t: t[index], ag.function(lambda t: t[index], autograph=False)):
        with pytest.raises((IndexError, TypeError, ValueError), match="test_indexing.py"):
            fn(ag.constant(ARRAY))


def test_an_index_out_of_range_at_run_time() -> None:
    @ag.function(autograph=False)
    def fn(x: Any, i: Any) -> Any:
        return x[i]

    assert fn(ag.constant([1, 2]), ag.constant(-1)).numpy() == 2
    with pytest.raises(IndexError, match="out of bounds"):
        fn(ag.constant([1, 2]), ag.constant(2))


def test_set_item_changes_nothing_else() -> None:
    x = ag.constant([1, 2, 3])
    assert set_item(x, 1, 9).numpy().tolist() == [1, 9, 3]
    assert x.numpy().tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="set|stored|broadcast|Set"):
        set_item(x, slice(0, 2), [1, 2, 3])


def test_strings_stay_tensors() -> None:
    words = ag.constant([["a", "b"]])
    assert words[0, 1].numpy() == b"b"
    assert [w.numpy() for w in words[0]] == [b"a", b"b"]
