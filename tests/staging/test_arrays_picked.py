"""Arrays of a list, the running graph knows which, that are stored to."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

WS = [(np.array(w, np.int32),) for w in ([2, 3, 0, 2, 0], [1, -2, 5, 0, 1])]


def two_names_and_a_list(w):
    a, b = np.zeros(2, np.int32), np.ones(2, np.int32)
    both = [a, b]
    for x in w:
        both[x % 2][0] += x
    return a, b


def a_name_and_a_list(w):
    a = np.zeros(2, np.int32)
    both = [a, np.ones(2, np.int32)]
    both[w[0] % 2][0] += 7
    return a


def added_to_as_a_whole(w):
    a = np.zeros(2, np.int32)
    both = [a, np.ones(2, np.int32)]
    both[w[0] % 2] += w[1]
    return a


def twice_in_a_list(w):
    a = np.zeros(2, np.int32)
    both = [a, a]
    both[w[0] % 2][0] += 1
    return both


def rows_of_a_matrix(w):
    m = np.zeros((3, 2), np.int32)
    rows = list(m)
    rows[w[0] % 3][0] = 5
    return m


@pytest.mark.parametrize(
    "function",
    [
        two_names_and_a_list,
        a_name_and_a_list,
        added_to_as_a_whole,
        twice_in_a_list,
        rows_of_a_matrix,
    ],
)
def test_arrays_that_others_hold_are_refused(function):
    with pytest.raises(StagingError, match="is stored to that other names or containers may hold"):
        ag.function(function)(WS[0][0])


def test_arrays_of_a_tuple_are_refused():
    @ag.function
    def f(w):
        both = (np.zeros(2, np.int32), np.ones(2, np.int32))
        for i, x in enumerate(w):
            both[x % 2][i % 2] += x
        return both

    with pytest.raises(StagingError, match="an array of a tuple is stored to.*in a list"):
        f(WS[0][0])


def in_a_dict(w):
    both = {"x": np.zeros(2, np.int32), "y": np.zeros(2, np.int32)}
    both["x" if w[0] > 1 else "y"][0] += 1
    return both


def in_a_list_alone(w):
    both = [np.zeros(2, np.int32), np.ones(2, np.int32)]
    for x in w:
        both[x % 2][0] += x
    return both


def under_a_name_that_nobody_reads(w):
    a = np.zeros(2, np.int32)
    both = [a, np.ones(2, np.int32)]
    both[w[0] % 2][0] += 7
    return both


def rows_of_the_matrix_itself(w):
    m = np.zeros((3, 2), np.int32)
    m[w[0] % 3][0] = 5
    m[w[0] % 3, 1] += 2
    return m


@pytest.mark.parametrize(
    "function",
    [in_a_dict, in_a_list_alone, under_a_name_that_nobody_reads, rows_of_the_matrix_itself],
)
def test_like_python(function):
    check_all(function, *WS)
