"""Changes in branches and loops that staging does not follow are refused."""

from __future__ import annotations

import array
import io
import random
from collections import OrderedDict
from contextvars import ContextVar

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all


def helper(out):
    out += 9


def merged(values):
    values |= {2}


MAKERS_AND_CHANGES = [
    (lambda: {1}, lambda s: s.add(2), "a set"),
    (lambda: {1}, merged, "a set"),
    (lambda: {1, 2}, lambda s: set.discard(s, 2), "a set"),
    (lambda: bytearray(b"a"), lambda b: b.append(2), "a bytearray"),
    (lambda: io.StringIO("b"), lambda b: b.write("a"), "a StringIO"),
    (lambda: io.BytesIO(), lambda b: b.write(b"a"), "a BytesIO"),
    (lambda: array.array("i"), lambda a: a.append(1), "an array"),
    (lambda: OrderedDict(a=1, b=2), lambda d: d.move_to_end("a"), "an OrderedDict"),
    (lambda: random.Random(0), lambda r: r.random(), "a Random"),
    (lambda: ContextVar("c", default=1), lambda c: c.set(3), "a ContextVar"),
    (lambda: np.random.default_rng(0), lambda r: r.random(), "a Generator"),
]
ARRAYS_AND_CHANGES = [
    (lambda: np.zeros(3), lambda a: a.fill(2.0)),
    (lambda: np.array([2.0, 1.0]), lambda a: a.sort()),
    (lambda: np.zeros(3), lambda a: np.add(a, 1, out=a)),
    (lambda: np.zeros(9999), lambda a: np.copyto(a, 1)),
    (lambda: np.zeros(3), helper),
]


@pytest.mark.parametrize("make, change, name", MAKERS_AND_CHANGES)
def test_in_a_branch(make, change, name):
    def function(n):
        made = make()
        if n > 1:
            change(made)
        return n

    with pytest.raises(StagingError, match=rf"test_leaks\.py:\d+: {name} that was"):
        ag.function(function)(ag.constant(0))


@pytest.mark.parametrize("make, change, name", MAKERS_AND_CHANGES)
def test_in_a_loop(make, change, name):
    def function(n):
        made = make()
        for _ in range(n):
            change(made)
        return n

    with pytest.raises(StagingError, match=f"{name} that was made outside of this"):
        ag.function(function)(ag.constant(0))


@pytest.mark.parametrize("make, change", ARRAYS_AND_CHANGES)
def test_arrays_in_a_branch(make, change):
    def function(n):
        made = make()
        if n > 1:
            change(made)
        return made

    check_all(function, (np.int32(0),), (np.int32(2),))


@pytest.mark.parametrize("make, change", ARRAYS_AND_CHANGES)
def test_arrays_in_a_loop(make, change):
    def function(n):
        made = make()
        for _ in range(n):
            change(made)
        return made

    check_all(function, (np.int32(0),), (np.int32(2),))


@pytest.mark.parametrize("make, change", ARRAYS_AND_CHANGES)
def test_arrays_where_nothing_is_staged(make, change):
    def function(n):
        made = make()
        change(made)
        return made * n

    check_all(function, (np.int32(2),))


@pytest.mark.parametrize("make, change, name", MAKERS_AND_CHANGES)
def test_where_nothing_is_staged(make, change, name):
    def function(n):
        made = make()
        change(made)
        if n > 1:
            change(make())
        return n

    assert ag.function(function)(ag.constant(0)).numpy() == 0


def unbound_methods(n):
    items = [1]
    if n > 1:
        list.append(items, 4)
    return items


def unbound_methods_in_a_loop(n):
    items = []
    for i in range(n):
        list.append(items, i)
    return items


def a_method_that_is_handed_on(n):
    items = []
    list(map(items.append, range(n)))
    return items


def changed_before(n):
    seen = {1}
    seen.add(2)
    out = np.zeros(2)
    out += 1
    if n > 1:
        out[:] = len(seen)
    return out


@pytest.mark.parametrize(
    "function",
    [unbound_methods, unbound_methods_in_a_loop, a_method_that_is_handed_on, changed_before],
)
def test_like_python(function):
    check_all(function, (np.int32(0),), (np.int32(3),))
