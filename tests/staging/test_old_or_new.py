"""What is changed is the old object on one path, and a new one on the other."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tests.staging.differential import check_all


class Cell:
    def __init__(self, a):
        self.a = a

    def bump(self, x):
        self.a += x


CELL, ITEMS, TABLE, HOLDER = (Cell(1.0), [1.0], {"a": 1.0}, Cell(Cell(1.0)))


def an_old_object_or_a_new_one(x):
    cell = Cell(1.0)
    if x > 0:
        other = cell
    else:
        other = Cell(3.0)
    other.a += x
    return (cell.a, other.a)


def a_method_of_it(x):
    cell = Cell(1.0)
    if x > 0:
        other = cell
    else:
        other = Cell(3.0)
    other.bump(x)
    return (cell.a, other.a)


def the_other_way_round(x):
    cell = Cell(1.0)
    if x > 0:
        other = Cell(3.0)
    else:
        other = cell
    other.a += x
    cell.a *= 2
    return (cell.a, other.a)


def changed_under_the_old_name(x):
    cell = Cell(1.0)
    if x > 0:
        other = cell
    else:
        other = Cell(3.0)
    cell.a += x
    return (cell.a, other.a)


def a_list(x):
    cell = [1.0]
    if x > 0:
        other = cell
    else:
        other = [3.0]
    other.append(x)
    return (cell, other)


def an_item_of_a_list(x):
    cell = [1.0]
    if x > 0:
        other = cell
    else:
        other = [3.0]
    other[0] += x
    return (cell, other)


def a_dict(x):
    cell = {"a": 1.0}
    if x > 0:
        other = cell
    else:
        other = {"a": 3.0}
    other["a"] += x
    return (cell["a"], other["a"])


def a_conditional_expression(x):
    cell = Cell(1.0)
    other = cell if x > 0 else Cell(3.0)
    other.a += x
    return (cell.a, other.a)


def the_result_of_or(x):
    cell = [1.0]
    other = x > 0 and cell or [3.0]
    other.append(x)
    return (cell, other)


def given_by_a_function(x):

    def choose(c):
        if x > 0:
            return c
        return Cell(3.0)

    cell = Cell(1.0)
    o = choose(cell)
    o.a += x
    return (cell.a, o.a)


def in_passes_that_are_unrolled(x):
    cell = Cell(1.0)
    other = cell
    for i in range(3):
        if x > 0:
            other = Cell(3.0)
        other.a += x
        x = x - 1
    return (cell.a, other.a)


def in_an_attribute(x):
    cell = Cell(1.0)
    hold = Cell(None)
    if x > 0:
        hold.a = cell
    else:
        hold.a = Cell(7.0)
    hold.a.a += x
    return (cell.a, hold.a.a)


def of_the_caller(x):
    cell = Cell(1.0)

    def f(c):
        if x > 0:
            c = Cell(3.0)
        c.a += x
        return c.a

    r = f(cell)
    return (cell.a, r)


def one_of_three(x):
    a = Cell(1.0)
    b = Cell(2.0)
    if x > 0:
        o = a
    elif x < -5:
        o = b
    else:
        o = Cell(5.0)
    o.a += x
    return (a.a, b.a, o.a)


def an_object_outside(x):
    CELL.a = 1.0
    if x > 0:
        other = CELL
    else:
        other = Cell(3.0)
    other.a += x
    return (CELL.a, other.a)


def a_list_outside(x):
    ITEMS[:] = [1.0]
    if x > 0:
        other = ITEMS
    else:
        other = [3.0]
    other[0] += x
    return (ITEMS[0], other[0])


def a_dict_outside(x):
    TABLE["a"] = 1.0
    other = TABLE if x > 0 else {"a": 3.0}
    other["a"] += x
    return (TABLE["a"], other["a"])


def an_object_in_one_outside(x):
    HOLDER.a.a = 1.0
    if x > 0:
        other = HOLDER.a
    else:
        other = Cell(3.0)
    other.a += x
    return (HOLDER.a.a, other.a)


def an_object_by_or(x):
    cell = Cell(1.0)
    other = x > 0 and cell or Cell(3.0)
    other.a += x
    return (cell.a, other.a)


def two_objects_outside(x):
    other = CELL if x > 0 else HOLDER.a
    CELL.a = 1.0
    HOLDER.a.a = 2.0
    other.a += x
    return (CELL.a, HOLDER.a.a)


def in_an_inner_function(x):
    cell = Cell(1.0)

    def get():
        return cell

    if x > 0:
        other = get()
    else:
        other = Cell(3.0)
    other.a += x
    return (get().a, other.a)


def in_a_dict(x):
    cells = {"a": [1.0]}
    if x > 0:
        row = cells["a"]
    else:
        row = [2.0]
    row.append(x)
    return (cells, row)


def an_object_or_none(x):
    cell = Cell(1.0)
    o = None
    if x > 0:
        o = cell
    if o is not None:
        o.a += x
    return cell.a


def a_list_or_none(x):
    cell = [1.0]
    o = None
    if x > 0:
        o = cell
    if o is not None:
        o.append(x)
    if o:
        o.append(2.0)
    return cell


def of_two_new_ones_or_a_third(n):
    x = n * 1.0
    if n > 1:
        a = Cell(x)
        b = Cell(2 * x)
        o = a if n > 3 else b
    else:
        o = Cell(0.0 * x)
    o.a += 1
    return o.a


def the_current_object(n):
    cell = Cell(0)
    cells = [cell]
    cur = cell
    for i in range(n):
        if i == 1:
            cur = Cell(100)
        cur.a += 1
    return (cell.a, cur.a, cells[0].a)


def the_current_list(n):
    first = []
    cur = first
    for i in range(n):
        if i == 2:
            cur = []
        cur.append(i)
    return (first, cur)


def an_item_of_the_current_list(n):
    first = [0]
    cur = first
    for i in range(n):
        if i == 2:
            cur = [7]
        cur[0] += i
    return (first, cur)


def taking_turns(n):
    a = Cell(1)
    b = Cell(2)
    for i in range(n):
        a, b = (b, a)
        a.a += i
    return (a.a, b.a)


def the_best_so_far(n):
    cells = [Cell(3), Cell(1), Cell(2)]
    best = cells[0]
    for c in cells:
        if c.a * n < best.a * n:
            best = c
    best.a = 10
    return [c.a for c in cells]


def the_best_so_far_or_none(n):
    cells = [Cell(3), Cell(1), Cell(2)]
    best = None
    for c in cells:
        if best is None or c.a * n < best.a * n:
            best = c
    best.a = 10
    return [c.a for c in cells]


def made_longer_in_a_loop(n):
    items = [1]
    keep = items
    for i in range(n):
        items = items + [i]
    items.append(7)
    return (items, keep)


def made_longer_out_of_a_dict(n):
    d = {"a": [1]}
    items = d["a"]
    for i in range(n):
        items = items + [i]
    items.append(7)
    return (d, items)


def cut_in_a_loop(n):
    items = [1, 2, 3, 4]
    orig = items
    while n > 1:
        items = items[1:]
        n = n - 2
    items.append(5)
    return (items, orig)


def made_longer_in_a_function(n):

    def ext(l, n):
        for i in range(n):
            l = l + [i]
        l.append(7)
        return l

    base = [1]
    a = ext(base, n)
    return (a, base)


def read_only(x):
    base = [x, x * 2]
    rows = [base]
    if x > 0:
        base = [x * 3, x * 4]
    a, b = base
    found = [v * w for v, w in zip(base, rows[0])]
    found += [a, b, *reversed(base), *itertools.accumulate(base), *map(abs, base), *base]
    total = sum(base) + max(base) + len(base) + base[-1] + np.sum(base) + np.stack(base)[0]
    return found, total, base == [x * 3, x * 4], base == rows[0], sorted(base), base + [x]


def read_only_behind_a_loop(x):
    base = [x, x * 2]
    rows = [base]
    y = x
    while y > 0:
        base = base + [y]
        y = y - 1
    found = [v * w for v, w in zip(base, rows[0])]
    found += [*reversed(base), *itertools.accumulate(base)]
    total = sum(base) + max(base) + len(base) + base[-1] + np.sum(base)
    return found, total, base == [x, x * 2], base == rows[0], base[1:], rows


@pytest.mark.parametrize(
    "function",
    [
        an_old_object_or_a_new_one,
        a_method_of_it,
        the_other_way_round,
        changed_under_the_old_name,
        a_list,
        an_item_of_a_list,
        a_dict,
        a_conditional_expression,
        the_result_of_or,
        given_by_a_function,
        in_passes_that_are_unrolled,
        in_an_attribute,
        of_the_caller,
        one_of_three,
        an_object_outside,
        a_list_outside,
        a_dict_outside,
        an_object_in_one_outside,
        an_object_by_or,
        two_objects_outside,
        in_an_inner_function,
        in_a_dict,
        an_object_or_none,
        a_list_or_none,
        read_only,
        read_only_behind_a_loop,
    ],
    ids=lambda f: f.__name__,
)
def test_in_branches(function):
    check_all(function, (np.float64(2.0),), (np.float64(-3.0),), (np.float64(-9.0),), dtypes=False)


@pytest.mark.parametrize(
    "function",
    [
        of_two_new_ones_or_a_third,
        the_current_object,
        the_current_list,
        an_item_of_the_current_list,
        taking_turns,
        the_best_so_far,
        the_best_so_far_or_none,
        made_longer_in_a_loop,
        made_longer_in_a_function,
        made_longer_out_of_a_dict,
        cut_in_a_loop,
    ],
    ids=lambda f: f.__name__,
)
def test_in_loops(function):
    check_all(function, (np.int32(0),), (np.int32(2),), (np.int32(5),), dtypes=False)


def test_arguments():

    def with_object(x, cell):
        cell.a = 1.0
        other = cell if x > 0 else Cell(3.0)
        other.a += x
        return (cell.a, other.a)

    def with_list(x, items):
        other = items if x > 0 else [3.0]
        other[0] += x
        return (items[0], other[0])

    for x in (np.float64(2.0), np.float64(-3.0)):
        check_all(with_object, (x, Cell(1.0)), dtypes=False, gradient=False)
        check_all(with_list, (x, [1.0]), dtypes=False, gradient=False)


def an_old_list_shortened_or_a_copy(xs, x, n):
    items = [v for v in xs]  # noqa: C416
    kept = [0.5]
    first = items
    for w in xs:
        if w > 5:
            return {"q": [items, kept], "n": n}
        if not items:
            items = kept.copy()
        elif w > x:
            del items[0 : n % 3]
    return {"q": [items, kept], "n": len(first)}


def test_deleting_from_one_of_two_lists():
    xs = np.array([1.0, -2.0, 3.0, 0.5])
    calls = [(xs, np.float64(v), np.int32(n)) for v in (0.0, 2.0, 4.0) for n in (0, 2)]
    check_all(an_old_list_shortened_or_a_copy, *calls)
    check_all(an_old_list_shortened_or_a_copy, (xs * 3, np.float64(0.0), np.int32(1)))


def a_list_that_may_have_been_returned(x, n):
    items, kept = [1.0, 2.0], []
    for c in (1, 2, 3):
        if kept:
            kept.extend(items)
            kept = kept[:3]
        if x > 0 or n < c:
            return [items, kept]
        kept.append(x)
    return [kept]


def test_a_list_changes_after_a_return_that_may_have_left_it():
    calls = [(np.float64(v), np.int32(n)) for v in (1.0, -1.0) for n in (0, 1, 2, 3)]
    check_all(a_list_that_may_have_been_returned, *calls)
