"""Arrays that loops, branches, closures and containers hold while they are stored to."""

from __future__ import annotations

import contextlib
import dataclasses
import functools

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check

X = np.array([1.5, -0.5, 2.0])
GRID = np.arange(6.0).reshape(2, 3) + 0.25


def ping_pong_aliased(x):
    cur = x.copy()
    new = cur
    n = 0
    while n < x[0] + 2:
        for i in range(3):
            new[i] = cur[(i + 1) % 3] * 0.5 + 1.0
        cur, new = (new, cur)
        n += 1
    return (cur, new)


def prev_alias_in_loop(x):
    cur = np.zeros(3)
    prev = cur
    n = 0
    total = 0.0
    while n < x[0] + 2:
        total = total + prev[0]
        prev = cur
        cur[0] = cur[0] + 1.0
        n += 1
    return (total, prev, cur)


def prev_copy_in_loop(x):
    cur = np.zeros(3)
    prev = cur.copy()
    n = 0
    total = 0.0
    while n < x[0] + 2:
        total = total + prev[0]
        prev = cur.copy()
        cur[0] = cur[0] + 1.0
        n += 1
    return (total, prev, cur)


def nested_loops(x):
    out = np.zeros((3, 3))
    b = out
    i = 0
    for v in x:
        j = 0
        for w in x:
            if v > w:
                b[i, j] = v - w
            j += 1
        i += 1
    return out


def nested_loops_rows(x):
    out = np.zeros((3, 3))
    i = 0
    for v in x:
        row = out[i]
        j = 0
        for w in x:
            row[j] = v * w
            j += 1
        i += 1
    return out


def with_break(x):
    out = np.zeros(3)
    b = out
    i = 0
    for v in x:
        if v < 0:
            break
        b[i] = v
        i += 1
    else:
        b[0] = 100.0
    return out


def with_return(x):
    out = np.zeros(3)
    b = out
    i = 0
    for v in x:
        b[i] = v
        if v < 0:
            return out
        i += 1
    return out * 2


def in_try(x):
    out = np.zeros(3)
    b = out
    try:
        b[0] = x[0]
        if x[1] < 0:
            raise ValueError("no")
        b[1] = 5.0
    except ValueError:
        b[2] = 7.0
    return out


def in_with(x):
    out = np.zeros(3)
    b = out
    with contextlib.suppress(ValueError):
        b[0] = x[0]
        if x[1] < 0:
            raise ValueError("no")
        b[1] = 5.0
    return out


def either(x):
    a, c = (np.zeros(3), np.ones(3))
    b = a if x[0] > 0 else c
    b[0] = 5.0
    return (a, c, b)


def either_stmt(x):
    a, c = (np.zeros(3), np.ones(3))
    if x[0] > 0:
        b = a
    else:
        b = c
    b[0] = 5.0
    return (a, c, b)


def either_alone(x):
    if x[0] > 0:
        b = x * 2
    else:
        b = x.copy()
    b[0] = 5.0
    return b


def either_or_new(x):
    a = np.zeros(3)
    if x[0] > 0:
        b = a
    else:
        b = x * 2
    b[0] = 5.0
    return b


def lists_of_rows(x):
    rows = []
    for v in x:
        row = np.zeros(2)
        row[0] = v
        row[1] = v * 2
        rows.append(row)
    return rows


def lists_then_store(x):
    rows = []
    row = np.zeros(2)
    for v in x:
        row[0] = v
        rows.append(row)
    return rows


def lists_then_store_copy(x):
    rows = []
    row = np.zeros(2)
    for v in x:
        row[0] = v
        rows.append(row.copy())
    return rows


def fill(a, v):
    a[:] = v


def partial_fill(x):
    out = np.zeros(3)
    f = functools.partial(fill, out)
    f(x)
    return out


def mapped_fill(x):
    out = np.zeros((3, 2))
    list(map(fill, out, x))
    return out


def comp_fill(x):
    out = np.zeros((3, 2))
    [fill(r, v) for r, v in zip(out, x)]
    return out


def closure_made(x):

    def make():
        buf = np.zeros(3)

        def put(i, v):
            buf[i] = v

        def get():
            return buf

        return (put, get)

    put, get = make()
    b = get()
    put(0, x[0])
    put(1, x[1])
    return (b, get())


def closure_in_loop(x):
    buf = np.zeros(3)

    def put(i, v):
        buf[i] = v

    i = 0
    for v in x:
        put(i, v)
        i += 1
    return buf


@dataclasses.dataclass
class State:
    pos: object
    n: int = 0

    def step(self, v):
        self.pos[self.n] = v
        self.n += 1


def dataclass_state(x):
    buf = np.zeros(3)
    s = State(buf)
    for v in x:
        s.step(v)
    return (buf, s.pos)


def dataclass_state_alone(x):
    s = State(np.zeros(3))
    for v in x:
        s.step(v)
    return s.pos


def swap_rows(x):
    a = x.copy()
    for i in range(len(a) - 1):
        tmp = a[i].copy()
        a[i] = a[i + 1]
        a[i + 1] = tmp
    return a


def swap_rows_bug(x):
    a = x.copy()
    tmp = a[0]
    a[0] = a[1]
    a[1] = tmp
    return a


def swap_fancy(x):
    a = x.copy()
    a[[0, 1]] = a[[1, 0]]
    return a


def as_index(x):
    idx = np.zeros(2, dtype=int)
    j = idx
    if x[0] > 0:
        idx[0] = 2
    return (x[j], x[j[0]])


@ag.function
def inner(a):
    return a * 2


def nested_function(x):
    out = np.zeros(3)
    b = out
    b[0] = x[0]
    y = inner(out)
    b[1] = 4.0
    return (y, inner(b))


def view_then_function(x):
    a = x.reshape(1, 3)
    a[0, 0] = 9.0
    t = x.T
    t[1] = 8.0
    return (x, a)


def neg_index_views(x):
    r = x[::-1]
    r[0] = 1.0
    s = x[1:]
    s[0] = 7.0
    e = x[..., None]
    e[0, 0] = 3.0
    return (x, r, s, e)


def recursion(a, n, v):
    a[n] = v
    if n > 0:
        recursion(a, n - 1, v * 2)


def recurse(x):
    out = np.zeros(3)
    recursion(out, 2, x[0])
    return out


def quicksort(a, lo, hi):
    if hi - lo > 1:
        m = lo
        for i in range(lo, hi - 1):
            if a[i] < a[hi - 1]:
                t = a[i]
                a[i] = a[m]
                a[m] = t
                m += 1
        t = a[hi - 1]
        a[hi - 1] = a[m]
        a[m] = t


def qs(x):
    a = x.copy()
    quicksort(a, 0, 3)
    return a


def insertion(a):
    for i in range(1, len(a)):
        j = i
        while j > 0 and a[j - 1] > a[j]:
            a[j - 1], a[j] = (a[j], a[j - 1])
            j -= 1


def ins(x):
    a = x.copy()
    insertion(a)
    return a


def ins_arg(x):
    insertion(x)
    return x


def conv_blocks(x):
    out = np.zeros((2, 2))
    for i in range(2):
        for j in range(2):
            block = out[i : i + 1, j : j + 1]
            block[...] = x[i] * x[j]
    return out


def inplace_ops(x):
    a = np.ones((2, 3))
    r = a[0]
    c = a[:, 1]
    r += x
    c *= 2.0
    a -= 1.0
    r[r > 0] = 0.0
    return (a, r, c)


def zlike_inplace(x):
    out = np.zeros_like(x)
    b = out
    b += x
    for v in x:
        b += v
    return out


def sum_into(total, v):
    total += v


def accum(x):
    t = np.zeros(3)
    for v in x:
        sum_into(t, v)
    return t


def x_inplace_local(x):
    y = x * 2
    y += 1.0
    return (x, y)


def cond_inplace(x):
    t = np.zeros(3)
    u = t
    if x[0] > 0:
        t += x
    else:
        u -= x
    return (t, u)


def item_item(x):
    g = np.zeros((2, 3))
    g[0][1] = x[0]
    g[1][:] = x
    g[1][0] += 2.0
    return g


def item_item_alias(x):
    g = np.zeros((2, 3))
    h = g
    g[0][1] = x[0]
    i = 0
    for v in x:
        h[1][i] = v
        i += 1
    return (g, h)


def dicts_rows(x):
    d = {"a": np.zeros(3), "b": np.zeros(3)}
    for k in d:
        row = d[k]
        row[0] = x[0]
    for k, row in d.items():
        row[1] = x[1]
    for row in d.values():
        row += 1.0
    return d


def enumerate_rows(x):
    out = np.zeros((3, 2))
    for i, row in enumerate(out):
        row[:] = x[i]
    return out


def zip_rows(x):
    out = np.zeros((3, 2))
    o2 = np.zeros((3, 2))
    for r, s, v in zip(out, o2, x):
        r[0] = v
        s[1] = v
    return (out, o2)


def maybe_none(x, out=None):
    if out is None:
        out = np.zeros(3)
    out[0] = x[0]
    return out


def stale_view_after_loop(x):
    out = np.zeros((3, 2))
    row = out[0]
    for i in range(3):
        row = out[i]
        row[0] = x[i]
    row[1] = 9.0
    return (out, row)


def stale_view_after_staged_loop(x):
    out = np.zeros((3, 2))
    row = out[0]
    i = 0
    for v in x:
        row = out[i]
        row[0] = v
        i += 1
    row[1] = 9.0
    return (out, row)


def multi_assign(x):
    a = b = np.zeros(3)
    a[0] = x[0]
    c, d = (a, b)
    d[1] = x[1]
    return (a, b, c, d)


def walrus(x):
    (b := np.zeros(3))[0] = x[0]
    c = b
    c[1] = 2.0
    return b


def global_random(x):
    rng = np.random.default_rng(0)
    out = np.zeros(3)
    b = out
    b[0] = x[0] + rng.normal()
    return out


CASES = [
    ping_pong_aliased, prev_alias_in_loop, prev_copy_in_loop, nested_loops, nested_loops_rows, with_break, with_return, in_try, in_with, either_alone, either_or_new, lists_of_rows, lists_then_store_copy, partial_fill, mapped_fill, comp_fill, closure_made, closure_in_loop, dataclass_state, dataclass_state_alone, as_index, nested_function, view_then_function, neg_index_views, recurse, qs, ins, ins_arg, conv_blocks, inplace_ops, zlike_inplace, accum, x_inplace_local, cond_inplace, item_item, item_item_alias, dicts_rows, enumerate_rows, zip_rows, maybe_none, stale_view_after_loop, multi_assign, walrus, global_random,
]  # fmt: skip
GRIDS = [swap_rows, swap_rows_bug, swap_fancy]
REFUSED = [either, either_stmt, lists_then_store, stale_view_after_staged_loop]


@pytest.mark.parametrize("function", CASES)
def test_like_python(function):
    check(function, X)
    check(function, -X, gradient=False)


@pytest.mark.parametrize("function", GRIDS)
def test_grids(function):
    check(function, GRID)


@pytest.mark.parametrize("function", REFUSED)
def test_refused(function):
    with pytest.raises(StagingError, match=r"test_\w+\.py:\d+: an array is stored to that"):
        ag.function(function)(ag.constant(X))


def bound_in_a_try_and_stored_to_by_the_handler(xs):
    a = np.zeros(2)
    try:
        b = a
        if xs[0] > 0:
            raise ValueError("positive")
        b[1] = 3
    except ValueError:
        b[0] = 9
    return a


def bound_in_a_try_and_added_to_by_the_handler(xs):
    a = np.zeros(2)
    try:
        b = a
        if xs[0] > 0:
            raise ValueError("positive")
    except ValueError:
        b *= 2
        b += 1
    return a


@pytest.mark.parametrize(
    "function",
    [
        bound_in_a_try_and_stored_to_by_the_handler,
        bound_in_a_try_and_added_to_by_the_handler,
    ],
)
def test_a_handler_that_stores_to_an_array_from_around_the_try(function):
    with pytest.raises(StagingError, match="that other names or containers may hold"):
        ag.function(function)(np.array([1.0, 2.0]))


def test_a_handler_that_stores_to_an_array_of_its_own():
    def filled(xs):
        out = np.zeros(2)
        try:
            row = xs * 2
            out[0] = 1
            if xs[0] > 0:
                raise ValueError("positive")
            out[1] = 3
        except ValueError:
            row[0] = 9
            out[1] = 2
            out += row
        return out, row

    for first in (1.0, -1.0):
        check(filled, np.array([first, 2.0]))


def computed_from_arrays_of_the_trace(xs):
    rows = [np.full(3, 0.5), np.maximum(np.zeros(3), 2.0) * 0.5]
    for k, row in enumerate(rows):
        row[k] = xs[k] * 2
        if k > xs[1]:
            break
    return rows


def computed_by_an_operator_under_two_names(xs):
    a = np.ones(3) + 1.0
    b = a
    b[0] = xs[0]
    return a, b


def computed_and_given_to_a_function(xs):
    def put(row, at):
        row[at] += xs[at]

    a = -np.arange(3.0)
    pair = [a, a[1:]]
    for k in range(2):
        put(pair[k], k)
    return a, pair


@pytest.mark.parametrize(
    "function",
    [
        computed_from_arrays_of_the_trace,
        computed_by_an_operator_under_two_names,
        computed_and_given_to_a_function,
    ],
)
def test_arrays_that_numpy_computes_from_those_of_the_trace(function):
    for first in (1.5, -0.5):
        check(function, np.array([first, -0.5, 2.0]))


def test_what_numpy_computes_from_other_things_is_refused_for_what_it_is():
    def stored(xs):
        text = float(np.ones(3)[0]).hex()  # which nobody knows of a tensor
        a = X * 2.0
        b = a
        b[0] = xs[0]
        return a, text

    with pytest.raises(StagingError, match=r"test_\w+\.py:\d+: an array that was not made in the"):
        ag.function(stored)(X)
