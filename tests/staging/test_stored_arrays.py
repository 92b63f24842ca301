"""Arrays that are stored to while others hold them too: names, views, containers, callers."""

from __future__ import annotations

import numpy as np
import pytest

from tests.staging.differential import check

X = np.array([1.5, -0.5, 2.0])
GRID = np.arange(6.0).reshape(2, 3) + 0.25


# ---- a second name


def two_names(x):
    out = np.zeros(3)
    b = out
    b[0] = x[1]
    return out, b


def two_names_the_other_way(x):
    out = np.zeros(3)
    b = out
    out[1] = x[0]
    b[2] = out[1] * 2
    return b


def two_names_like(x):
    out = np.zeros_like(x)
    b = out
    b[0] = x[1]
    out[1] = 5.0
    return out + b


def name_of_an_argument(x):
    b = x
    b[0] = 3.0
    return x, b


def in_a_branch(x):
    out = np.zeros(3)
    b = out
    if x[0] > 0:
        b[0] = x[1]
        out[1] += 2.0
    else:
        b[2] = x[2]
    return out, b


def in_a_branch_python_values(x):
    out = np.zeros(3)
    b = out
    if x[0] > 0:
        b[0] = 1.0
    return out


def in_a_loop(x):
    out = np.zeros_like(x)
    b = out
    for i in range(len(x)):
        b[i] = x[i] * 2
    return out


def in_a_staged_loop(x):
    out = np.zeros(3)
    b = out
    i = 0
    while i < x[0] + 1:
        b[i] = x[i] * 2
        i += 1
    return out, b


def in_a_loop_over_rows(x):
    out = np.zeros_like(x)
    b = out
    i = 0
    for v in x:
        b[i] = v * 2 + out[i]
        i += 1
    return out


def read_between(x):
    out = np.zeros(3)
    b = out
    total = 0.0
    for v in x:
        b[0] = b[0] + v
        total += out[0]
    return total, out


# ---- helpers that fill their arguments


def fill(a, x):
    a[0] = x[0]
    a[1:] = x[1:] * 2


def fill_loop(a, x):
    for i in range(len(x)):
        a[i] = x[i] * (i + 1)


def fill_staged(a, x):
    i = 0
    for v in x:
        if v > 0:
            a[i] = v
        i += 1


def fill_where(a, x):
    if x[0] > 0:
        a[0] = x[0]
    else:
        fill(a, x)


def helped(x):
    out = np.zeros(3)
    fill(out, x)
    return out


def helped_like(x):
    out = np.empty_like(x)
    fill(out, x)
    return out * 2


def helped_argument(x):
    fill(x, x * 3)
    return x


def helped_twice(x):
    out = np.zeros(3)
    other = np.ones(3)
    fill(out, x)
    fill_loop(other, out)
    fill_where(out, other)
    return out, other


def helped_staged(x):
    out = np.zeros(3)
    fill_staged(out, x)
    return out


def helped_in_a_loop(x):
    out = np.zeros((4, 3))
    n = 0
    for v in x:
        fill(out[n], x * v)
        n += 1
    return out


def helped_in_a_branch(x):
    out = np.zeros(3)
    if x[1] < 0:
        fill(out, x)
    return out


def filled_and_given(a, x):
    a[0] = x[0]
    return a


def helped_and_given(x):
    out = np.zeros(3)
    out = filled_and_given(out, x)
    return out


def helped_and_given_another(x):
    out = np.zeros(3)
    new = filled_and_given(out, x)
    new[1] = 7.0
    return out, new


# ---- views


def a_row(x):
    out = np.zeros((2, 3))
    row = out[0]
    row[:] = x
    row[1] += 1.0
    return out


def rows_of_an_argument(x):
    row = x[0]
    row[1] = 10.0
    return x, row


def row_sees_array(x):
    out = np.zeros((2, 3))
    row = out[1]
    out[1, 0] = x[0]
    out[0, 0] = x[1]
    return row * 2


def row_by_tensor(x):
    out = np.zeros((2, 3))
    i = 0
    if x[0] > 0:
        i = 1
    row = out[i]
    row[:] = x
    row[0] = 4.0
    return out


def a_column(x):
    out = np.zeros((3, 2))
    column = out[:, 1]
    column[:] = x
    column[0] = 9.0
    return out


def a_part(x):
    out = np.zeros(5)
    part = out[1:4]
    part[:] = x
    part[::2] = 1.0
    return out


def a_row_in_place(x):
    out = np.zeros((2, 3))
    row = out[0]
    row += x
    row *= 2.0
    return out


def a_transposed(x):
    out = np.zeros((3, 2))
    t = out.T
    t[0] = x
    return out


def a_reshaped(x):
    out = np.zeros((2, 3))
    flat = out.reshape(-1)
    flat[4] = x[0]
    flat[:2] = x[1:]
    return out, flat


def a_raveled(x):
    out = np.zeros((2, 3))
    flat = out.ravel()
    flat[4] = x[0]
    return out


def over_rows(x):
    out = np.zeros((3, 2))
    for row in out:
        row[0] = x[0]
        row[1] = row[0] * 2
    return out


def over_rows_of_an_argument(x):
    for row in x:
        row[0] = row[1] + 1.0
    return x


def over_rows_of_a_tensor(x):
    out = x * 2
    for row in out:
        if row[0] > 2.0:
            row[:] = row[::-1]
    return out


def view_of_view(x):
    out = np.zeros((2, 2, 3))
    block = out[1]
    row = block[0]
    row[:] = x
    block[1] = row * 2
    return out


def swapped_rows(x):
    a = x[0]
    b = x[1]
    a[0] = b[1]
    b[0] = a[0] + 1.0
    return x


def rows_in_a_staged_loop(x):
    out = np.zeros((3, 3))
    i = 0
    for v in x:
        row = out[i]
        row[:] = v
        row[i] = 0.0
        i += 1
    return out


def row_before_a_loop(x):
    out = np.zeros((2, 3))
    row = out[1]
    i = 0
    for v in x:
        row[i] = v
        i += 1
    return out


def row_of_a_helper(x):
    out = np.zeros((2, 3))
    fill(out[0], x)
    fill(out[1], out[0])
    return out


# ---- copies are copies


def copies(x):
    a = x.copy()
    b = np.array(x)
    c = np.copy(x)
    d = x.astype(x.dtype)
    e = x[[0, 1, 2]]
    f = x[x > -10.0]
    g = +x
    h = x.flatten()
    k = np.concatenate([x])
    a[0] = 1.0
    b[0] = 2.0
    c[0] = 3.0
    d[0] = 4.0
    e[0] = 5.0
    f[0] = 6.0
    g[0] = 7.0
    h[0] = 8.0
    k[0] = 9.0
    return x, a, b, c, d, e, f, g, h, k


def taken(x):
    row = np.take(x, 0, axis=0)
    row[0] = 100.0
    return x, row


def old_and_new(x):
    old = x
    new = old.copy()
    new[0] = 5.0
    return old, new


# ---- containers and attributes


def in_a_list(x):
    out = np.zeros(3)
    rows = [out, out]
    rows[0][1] = x[0]
    return out, rows[1]


def in_a_dict(x):
    out = np.zeros(3)
    table = {"a": out}
    table["a"][1] = x[0]
    out[0] = x[1]
    return out, table["a"]


def in_a_tuple(x):
    pair = (np.zeros(3), np.ones(3))
    pair[0][1] = x[0]
    a, b = pair
    b[2] = x[1]
    return pair


def in_a_nested_list(x):
    rows = [[np.zeros(3)], [np.zeros(3)]]
    first = rows[0]
    first[0][1] = x[1]
    return rows


def the_same_row(x):
    rows = [np.zeros(3)] * 2
    rows[0][1] = x[1]
    return rows


class Holder:
    def __init__(self, size):
        self.buffer = np.zeros(size)

    def put(self, i, x):
        self.buffer[i] = x


def attribute(x):
    holder = Holder(3)
    buffer = holder.buffer
    holder.put(0, x[0])
    buffer[1] = x[1]
    return buffer, holder.buffer


def attribute_in_a_loop(x):
    holder = Holder(3)
    buffer = holder.buffer
    i = 0
    for v in x:
        holder.put(i, v)
        i += 1
    return buffer


def two_holders(x):
    a, b = Holder(3), Holder(3)
    b.buffer = a.buffer
    a.put(1, x[0])
    b.put(2, x[1])
    return a.buffer, b.buffer


def history(x):
    out = np.zeros(3)
    seen = []
    for i in range(3):
        out[i] = x[i]
        seen.append(out)
    return seen


def history_of_copies(x):
    out = np.zeros(3)
    seen = []
    for i in range(3):
        out[i] = x[i]
        seen.append(out.copy())
    return seen


def enclosed(x):
    out = np.zeros(3)

    def put(i, v):
        out[i] = v

    put(0, x[0])
    put(1, x[1])
    return out


def enclosed_in_a_loop(x):
    out = np.zeros(3)
    other = out

    def put(i, v):
        out[i] = v

    i = 0
    for v in x:
        put(i, v)
        i += 1
    return out, other


# ---- in place


def in_place(x):
    out = np.zeros(3)
    b = out
    out += x
    b *= 2.0
    return out, b


def in_place_alone(x):
    out = np.zeros(3)
    out += x
    out[1] -= 3.0
    out /= 2.0
    return out


def in_place_in_a_loop(x):
    out = np.zeros(3)
    b = out
    for v in x:
        out += v
    return b


def in_place_argument(a, x):
    a += x
    a[0] *= 2.0


def in_place_by_a_helper(x):
    out = np.ones(3)
    in_place_argument(out, x)
    return out


# ---- methods and functions that change an array


def sorted_in_place(x):
    out = x.copy()
    out.sort()
    return out


def sorted_in_a_branch(x):
    out = x.copy()
    if x[0] > 0:
        out.sort()
    return out


def sorted_rows(x):
    out = x * -1.0
    out.sort(axis=0)
    row = out[0]
    row.sort()
    return out


def filled(x):
    out = np.zeros(3)
    b = out
    out.fill(x[0])
    return b


def filled_in_a_branch(x):
    out = np.zeros(2)
    if x[0] > 0:
        out.fill(1.0)
    return out


def copied_to(x):
    out = np.zeros((2, 3))
    np.copyto(out, x)
    np.copyto(out[0], x * 2)
    return out


def copied_where(x):
    out = np.zeros(3)
    np.copyto(out, x, where=x > 0)
    return out


def added_at(x):
    out = np.zeros(3)
    index = np.array([0, 0, 2])
    np.add.at(out, index, x)
    np.subtract.at(out, [1], 2.0)
    return out


def put(x):
    out = np.zeros((2, 3))
    np.put(out, [0, 4], x[:2])
    out.put([1], x[2])
    return out


def diagonal(x):
    out = np.zeros((3, 3))
    np.fill_diagonal(out, x)
    return out


def diagonal_number(x):
    out = np.zeros((3, 3)) * x
    np.fill_diagonal(out, 1.0)
    return out


def with_out(x):
    out = np.zeros(3)
    np.multiply(x, 2.0, out=out)
    np.add(out, 1.0, out=out)
    np.sqrt(np.abs(out), out)
    return out


def with_out_view(x):
    out = np.zeros((2, 3))
    np.multiply(x, 2.0, out=out[0])
    np.exp(x, out=out[1])
    return out


def with_out_function(x):
    out = np.zeros(3)
    np.cumsum(x, out=out)
    return out


def masked(x):
    out = np.zeros(3)
    b = out
    b[x > 0] = 1.0
    np.putmask(out, x < 0, -1.0)
    np.place(out, x > 1.9, [5.0])
    return out


def partitioned(x):
    out = x.copy()
    out.partition(1)
    return out[1]


def flat_item(x):
    out = np.zeros((2, 3))
    out.flat[4] = x[0]
    return out


# ---- branches and loops that choose between arrays


def made_in_branches(x):
    if x[0] > 0:
        out = np.zeros(3)
    else:
        out = np.ones(3)
    out[0] = x[1]
    return out


def ping_pong(x):
    cur = x.copy()
    new = np.zeros_like(x)
    n = 0
    while n < x[0] + 2:
        for i in range(3):
            new[i] = cur[i] * 0.5 + 1.0
        cur, new = new, cur
        n += 1
    return cur


VECTORS = [
    two_names, two_names_the_other_way, two_names_like, name_of_an_argument, in_a_branch,
    in_a_branch_python_values, in_a_loop, in_a_staged_loop, in_a_loop_over_rows, read_between,
    helped, helped_like, helped_argument, helped_twice, helped_staged, helped_in_a_loop,
    helped_in_a_branch, helped_and_given, helped_and_given_another, a_row, row_sees_array,
    row_by_tensor, a_column, a_part, a_row_in_place, a_transposed, a_reshaped, a_raveled,
    over_rows, view_of_view, rows_in_a_staged_loop, row_before_a_loop, row_of_a_helper, copies,
    old_and_new, in_a_list, in_a_dict, in_a_tuple, in_a_nested_list, the_same_row, attribute,
    attribute_in_a_loop, two_holders, history, history_of_copies, enclosed, enclosed_in_a_loop,
    in_place, in_place_alone, in_place_in_a_loop, in_place_by_a_helper, sorted_in_place,
    sorted_in_a_branch, filled, filled_in_a_branch, copied_where, added_at, put, diagonal,
    diagonal_number, with_out, with_out_view, with_out_function, masked, partitioned, flat_item,
    made_in_branches, ping_pong, copied_to,
]  # fmt: skip
GRIDS = [
    rows_of_an_argument, over_rows_of_an_argument, over_rows_of_a_tensor, swapped_rows, taken,
    sorted_rows,
]  # fmt: skip


@pytest.mark.parametrize("function", VECTORS)
def test_vectors(function):
    check(function, X)
    check(function, -X, gradient=False)


@pytest.mark.parametrize("function", GRIDS)
def test_grids(function):
    check(function, GRID)
