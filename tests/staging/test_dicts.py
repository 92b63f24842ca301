"""Dicts with tensors as keys, with keys that some paths store, and their views."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all

ROWS = [(np.array(row),) for row in ([3.0, -1.0, 2.0, 5.0], [0.5])]
COUNTS = [(np.int32(n),) for n in (1, 5, 2)]


def lists_by_name(xs):
    found = {"small": [], "large": []}
    for x in xs:
        found["large" if x > 2 else "small"].append(x)
    return found


def lists_by_number(xs):
    found = {0: [], 1: []}
    for i, x in enumerate(xs):
        found[i % 2].append(x * x)
    return found[0], found[1]


def keys_of_python(xs):
    squares = {name: x * x for name, x in zip("abcd", xs)}  # noqa: B905
    places = {}
    for i, x in enumerate(xs):
        places[i] = x
    return squares, places


def extremes_of_views(xs):
    found = {i: xs[i % 1] * i for i in range(3)}
    return max(found.values()), min(found.values()), sorted(found), sum(map(abs, found.values()))


@pytest.mark.parametrize(
    "function", [lists_by_name, lists_by_number, keys_of_python, extremes_of_views]
)
def test_dicts_of_rows(function):
    check_all(function, *ROWS)


def perhaps_there(n):
    d = {"a": 1.0}
    if n > 2:
        d["b"] = 2.0
    if "b" in d:
        d["a"] += d["b"]
    for _ in range(n):
        if "b" in d and d["b"] < 9.0:
            d["b"] = d["b"] * 2
    return d["a"], d.get("b", -1.0)


def not_there(n):
    d = {"a": 1.0}
    if n > 2:
        d["b"] = 2.0
    return d["b"]


def places_or_nothing(n):
    out = [None] * 4
    for i in range(n % 4):
        out[i] = i * 2
    return out


@pytest.mark.parametrize("function", [perhaps_there, not_there, places_or_nothing])
def test_what_some_paths_store(function):
    check_all(function, *COUNTS)


def no_such_list(n):
    found = {1: [1], 2: [2]}
    found[n].append(3)
    return found


def test_a_list_that_is_not_there():
    check_all(no_such_list, *COUNTS)


def gained(n):
    d = {}
    for i in range(n):
        d[i] = i * 2
    return d


def test_a_key_that_only_the_graph_knows_is_refused():
    with pytest.raises(ag.errors.StagingError, match="a dict cannot gain a key that only the"):
        ag.function(gained)(ag.constant(3))


def test_a_dict_of_names_and_rows():
    def f(xs):
        table = dict(zip("abc", xs))
        more = dict(enumerate(xs), k=xs[0])
        return table, table["b"] * more[2], len(more)

    check_all(f, (np.array([1.0, 2.0, 3.0]),))
