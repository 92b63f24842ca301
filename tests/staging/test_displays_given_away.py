"""Lists, sets and dicts that are made right where a call takes them, and changed later."""

from __future__ import annotations

import operator
from collections import OrderedDict, deque, namedtuple

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

OUTSIDE = [1]


class Q:
    def __init__(self, a):
        self.a = a


class Rows(list):
    pass


Pair = namedtuple("Pair", "a b", defaults=(0,))
MADE = [
    (lambda: Q([1]), lambda o: o.a),
    (lambda: Q(Q([1])), lambda o: o.a.a),
    (lambda: Q(a=[1]), lambda o: o.a),
    (lambda: Q(((1, [2]),)), lambda o: o.a[0][1]),
    (lambda: Q([i for i in range(3)]), lambda o: o.a),
    (lambda: Q({"k": [1]}), lambda o: o.a["k"]),
    (lambda: Pair([1]), lambda o: o.a),
    (lambda: dict(a=[1]), lambda o: o["a"]),
    (lambda: dict([("a", [1])]), lambda o: o["a"]),
    (lambda: OrderedDict(a=[1]), lambda o: o["a"]),
    (lambda: tuple([[1]]), lambda o: o[0]),
    (lambda: list([[1]]), lambda o: o[0]),
    (lambda: sorted([[1], [0]]), lambda o: o[0]),
    (lambda: list(zip([[1]], [[2]], strict=True)), lambda o: o[0][1]),
    (lambda: deque([[1]]), lambda o: o[0]),
]


@pytest.mark.parametrize("make, part", MADE)
def test_appending(make, part):
    def f(x):
        o = make()
        if x > 0:
            part(o).append(5)
        return part(o)

    check_all(f, (np.int32(-1),), (np.int32(1),))


def added(o, x):
    o.a += [x]


def doubled(o, x):
    o.a *= 2


def popped(o, x):
    o.a.pop()


def stored(o, x):
    o.a[0] = 7


def deleted(o, x):
    del o.a[0]


def by_method(o, x):
    o.a.__setitem__(0, 7)


def under_a_name(o, x):
    values = o.a
    values += [4]


@pytest.mark.parametrize(
    "change",
    [added, doubled, popped, stored, deleted, by_method, under_a_name],
    ids=lambda f: f.__name__,
)
def test_other_changes(change):
    def f(x):
        o = Q([1, 2])
        if x > 0:
            change(o, x)
        return o.a

    check_all(f, (np.int32(-1),), (np.int32(1),))


def test_a_method_under_a_name():
    def f(x):
        o = Q([1])
        g = o.a.append
        if x > 0:
            g(5)
        return o.a

    check_all(f, (np.int32(-1),), (np.int32(1),))


def test_merging_dicts():
    def f(x):
        o = Q({"a": 1})
        if x > 0:
            o.a |= {"a": 4}
        return o.a["a"]

    check_all(f, (np.int32(-1),), (np.int32(1),))


def a_set(x):
    o = Q({1, 2})
    if x > 0:
        o.a |= {5}
    return 5 in o.a


def a_class_of_lists(x):
    rows = Rows([1])
    if x > 0:
        rows.append(5)
    return len(rows)


def a_class_of_lists_by_its_name(x):
    rows = Rows([1])
    if x > 0:
        list.append(rows, 5)
    return len(rows)


def a_class_of_lists_added_to(x):
    rows = Rows([1])
    if x > 0:
        rows += [5]
    return len(rows)


def added_in_c(x):
    rows = Rows([1])
    if x > 0:
        operator.iadd(rows, [5])
    return len(rows)


def stored_in_c(x):
    if x > 0:
        operator.setitem(OUTSIDE, 0, 5)
    return len(OUTSIDE)


def stored_in_a_loop(x):
    while x > 0:
        operator.setitem(OUTSIDE, 0, 5)
        x = x - 1
    return x


REFUSED = [
    a_set,
    a_class_of_lists,
    a_class_of_lists_by_its_name,
    a_class_of_lists_added_to,
    added_in_c,
    stored_in_c,
    stored_in_a_loop,
]


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_what_staging_cannot_follow_is_refused(function, monkeypatch):
    monkeypatch.setitem(globals(), "OUTSIDE", [1])
    with pytest.raises(StagingError, match=r"test_displays_given_away\.py:\d+"):
        ag.function(function)(ag.constant(1))


def test_functions_of_c_that_read_or_that_staging_follows():
    def f(x):
        values = [3, 1]
        if x > 0:
            operator.setitem(values, 0, 9)
            operator.iadd(values, [operator.getitem(values, 0)])
        return values, operator.concat([1], [2])

    check_all(f, (np.int32(-1),), (np.int32(1),))
