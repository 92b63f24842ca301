"""`+=` and its kin of arrays that operators have given, and that others hold too."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

X = np.array([1.0, 2.0, 3.0, 4.0])


class Holder:
    pass


def two_names(x):
    y = np.zeros(4) + x
    z = y
    z += 1
    return y, z


def all_operators(x):
    y = x * 1.0
    z = y
    z *= 2
    z **= 2
    z //= 3
    z -= 1
    z /= 2
    z %= 5
    return y, z


def of_bits(x):
    y = x > 2
    z = y
    z &= x < 4
    z |= x < 2
    z ^= x < 3
    return y


def prefix_and_product(x):
    y = -x
    w = x @ np.ones((4, 2))
    z, v = y, w
    z += 1
    v *= z[0]
    return y, w


def rows(x):
    a = x.reshape(2, 2)
    for row in a:
        row += 1
    return a


def rows_seen_by_the_argument(x):
    if x[0] > 0:
        for row in x.reshape(2, 2):
            row += 1
    return x


def rows_in_a_branch(x):
    a = x.reshape(2, 2) * 1.0
    for row in a:
        if row[0] > 1:
            row += 1
    return a


def rows_in_a_staged_loop(x):
    a = x.reshape(2, 2) + 1
    i = 0
    while i < x[1]:
        row = a[i]
        row += x[i]
        i += 1
    return a


def decrease(a):
    a -= 1


def by_a_helper(x):
    y = x + 1
    decrease(y)
    return y


def by_a_closure(x):
    y = x + 1

    def increase():
        nonlocal y
        y += 1

    z = y
    increase()
    return y, z


def in_a_staged_loop(x):
    y = x + 1
    z = y
    n = 0
    while n < x[0] + 2:
        z += x
        n += 1
    return y, z


def in_two_branches(x):
    y = x + 1
    z = y[1:]
    if x[0] > 0:
        z += 1
    else:
        y *= 2
    return y, z


def previous_is_the_same(x):
    now = x + 1
    previous = now
    n = 0
    total = 0.0
    while n < x[0] + 2:
        total += previous[0]
        previous = now
        now += 1
        n += 1
    return previous, now, total


def in_containers(x):
    y = x + 1
    items, by_name = [y], {"a": y}
    y += 1
    items[0] *= 2
    by_name["a"] -= x
    return y, items, by_name


def in_an_attribute(x):
    o = Holder()
    y = x + 1
    o.a = y
    o.a += 1
    y *= 2
    return y, o.a


def in_an_attribute_in_a_loop(x):
    o = Holder()
    o.a = x + 1
    y = o.a
    for v in x:
        o.a *= v
        if v > 3:
            o.a[1] += 2
        y -= 1
    return o.a


def transposed(x):
    a = x.reshape(2, 2) + 0
    b = a.T
    b += [1, 2]
    return a


def alone(x):
    y = x + 1
    for v in x:
        y += v
    z = y * 2
    z -= y
    return z


def made_anew(x):
    a = x + 1
    b = a
    n = 0
    while n < x[0] + 2:
        a = a * 2
        a += 1
        n += 1
    return a, b


def scalars(x):
    y = x.sum()
    z = y
    z += 1
    w = x[0]
    w += 1
    return y, z, x


# ---- views that were taken before a loop


def view_and_array_in_a_loop(x):
    a = np.zeros(2)
    r = a[:1]
    n = x[0]
    while n > 0:
        r[0] += 1
        a[0] *= 2
        n -= 1
    return a


def view_and_array_in_branches(x):
    a = np.zeros(4)
    w = a[1:3]
    for v in x - 2:
        if v > 0:
            a[1] += v
        else:
            w[1] += a[1] + 1
    return a, w


def view_and_attribute(x):
    o = Holder()
    o.a = x + 1
    v = o.a[1:]
    for q in x:
        if q > 2:
            v[0] += q
        else:
            o.a[1] *= 2
    return o.a, v


def view_and_attribute_in_place(x):
    o = Holder()
    o.a = x + 1
    v = o.a[1:]
    for q in x:
        v += q
        o.a *= 2
    return o.a, v


def view_and_item(x):
    items = [x + 1]
    v = items[0][1:]
    for q in x:
        if q > 2:
            v[0] += q
        else:
            items[0][1] *= 2
    return items, v


def view_and_item_of_a_new_list(x):
    items = [x + 1]
    v = items[0][1:]
    for q in x:
        v += q
        items[0][0] *= 2
        items = [*items]
    return items, v


def view_in_nested_loops(x):
    a = x + 1
    r = a[:1]
    n = x[0] + 2
    total = 0.0
    while n > 0:
        total += r[0]
        m = 0
        while m < n:
            a[0] += m
            r[0] += 1
            total += a[0]
            m += 1
        n -= 1
    return a, r, total


# ---- where something may be raised


def second_name_in_try(x):
    a = x + 1
    try:
        b = a
        b += 1
        if x[0] > 0:
            raise ValueError
        b += 10
    except ValueError:
        a *= 2
    return a


def second_name_in_try_by_items(x):
    a = x + 1
    try:
        b = a
        b[0] = 1
        if x[0] > 0:
            raise ValueError
        b[0] = 10
    except ValueError:
        a[0] *= 2
    return a


# ---- views of another kind


def vector_turned_round(x):
    a = x + 1
    b = a.T.ravel()
    b[0] = 9
    c = a.T.reshape(2, 2)
    c[1] += 1
    return a, b


def matrix_turned_round(x):
    a = x.reshape(2, 2) + 1
    b = a.T.ravel()
    b[0] = 9
    return a, b


CASES = [
    second_name_in_try, second_name_in_try_by_items, vector_turned_round, matrix_turned_round,
    two_names, all_operators, of_bits, prefix_and_product, rows, rows_seen_by_the_argument,
    rows_in_a_branch, rows_in_a_staged_loop, by_a_helper, by_a_closure, in_a_staged_loop,
    in_two_branches, previous_is_the_same, in_containers, in_an_attribute,
    in_an_attribute_in_a_loop, transposed, alone, made_anew, scalars, view_and_array_in_a_loop,
    view_and_array_in_branches, view_and_attribute, view_and_attribute_in_place, view_and_item,
    view_and_item_of_a_new_list, view_in_nested_loops,
]  # fmt: skip


@pytest.mark.parametrize("function", CASES)
def test_like_numpy(function):
    check_all(function, (X,))
    check_all(function, (X - 3,), gradient=False)


# ---- what is no array of NumPy's


def test_an_argument_is_not_changed():
    def f(x):
        y = x
        y += 1
        return x, y

    old, new = ag.function(f)(ag.constant(X))
    np.testing.assert_array_equal(old, X)
    np.testing.assert_array_equal(new, X + 1)


@pytest.mark.parametrize("staged", [False, True])
def test_tensors_of_the_library_do_not_change(staged):
    weights = ag.Variable(np.ones((4, 4)))

    def f(x):
        h = ag.matmul(x[None, :], weights) * 2
        before = h
        n = 0
        while n < (x[0] * 3 if staged else 3):
            skip = h
            h += ag.tanh(x)
            h += skip
            n += 1
        return before, h

    first, last = ag.function(f)(ag.constant(X))
    np.testing.assert_array_equal(first, np.full((1, 4), 20.0))
    assert np.asarray(last).min() > 100


def test_nothing_is_added_where_nobody_else_holds_it():
    def changed(x):
        y = x + 1
        y *= 2
        y -= x
        return y

    def made(x):
        y = x + 1
        y = y * 2
        y = y - x
        return y

    graphs = [ag.function(f).get_concrete_function(ag.constant(X)).graph for f in (changed, made)]
    first, second = ([op.type for op in graph.operations] for graph in graphs)
    assert first == second


# ---- what is refused


def chosen(x):
    y = x + 1
    z = y if x[0] > 0 else y * 2
    z += 1
    return y, z


def lent(x):
    found = []
    r = x + 1
    for v in x:
        r += v
        found.append(r)
    return found


def put_in_its_place(x):
    a = x + 1
    b = a
    n = 0
    while n < x[0] + 2:
        a += 1
        a = a * 2
        n += 1
    return a, b


@pytest.mark.parametrize("function", [chosen, lent, put_in_its_place])
def test_refused(function):
    with pytest.raises(StagingError, match=r"test_\w+\.py:\d+: an array is stored to that"):
        ag.function(function)(ag.constant(X))


def test_dtypes_and_shapes_are_those_of_numpy():
    def halves(x):
        y = x.astype(np.int64)
        z = y
        z += 0.5
        return y

    def wider(x):
        y = x + 1
        z = y
        z += np.ones((2, 4))  # NumPy raises here, too
        return y

    with pytest.raises(TypeError, match="Cannot cast output"):
        ag.function(halves)(ag.constant(X))
    with pytest.raises(ValueError, match="cannot be stored in a place of shape"):
        ag.function(wider)(ag.constant(X))


def an_array_of_no_dimensions(x):
    z = np.zeros(())
    z += x
    w = z.copy()
    z[()] = 7
    w[...] += x
    return z, w


def test_arrays_of_no_dimensions():
    check_all(an_array_of_no_dimensions, (np.float64(1.5),))
