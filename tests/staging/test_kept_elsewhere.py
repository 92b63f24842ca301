"""Objects that a branch or loop puts into lists while other places hold them, too."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

CALLS = [(np.float32(v),) for v in (2.0, -1.0, 3.5)]


class Cell:
    def __init__(self, t):
        self.t = t


def in_each_pass(x):
    row = [x]
    rows = []
    for _ in np.zeros(3) + x:
        rows.append(row)
    rows[0][0] = x * 5
    return rows[1][0]


def in_passes_of_a_while(x):
    row = [x]
    rows = []
    i = 0
    while i < x:
        rows.append(row)
        i += 1
    if len(rows) > 0:
        rows[0][0] = x * 5
    return row[0]


def twice_in_a_branch(x):
    rows = []
    row = [x]
    if x > 1:
        rows.append(row)
        rows.append(row)
    if len(rows) > 0:
        rows[0].append(x * 3)
    return rows


def twice_in_a_pass(x):
    rows = []
    i = 0
    while i < x:
        row = [x]
        rows.append(row)
        rows.append(row)
        i += 1
    for r in rows:
        r.append(x * 3)
    return rows


def twice_in_an_item(x):
    rows = []
    i = 0
    while i < x:
        cell = Cell(x)
        rows.append((cell, cell))
        i += 1
    for first, _ in rows:
        first.t = first.t + 1
    return [second.t for _, second in rows]


def twice_in_a_dict(x):
    rows = []
    i = 0
    while i < x:
        cell = Cell(x)
        rows.append({"a": cell, "b": cell})
        i += 1
    for r in rows:
        r["a"].t = r["a"].t + 1
    return [r["b"].t for r in rows]


def picked_objects(x):
    cells = [Cell(x), Cell(x + 1)]
    picked = [cell for cell in cells if cell.t > 1]
    for cell in picked:
        cell.t = cell.t + 1
    return cells[0].t


def picked_rows(x):
    rows = [[x], [x + 1]]
    picked = []
    for row in rows:
        if x > 0:
            picked.append(row)
    for row in picked:
        row[0] = row[0] + 1
    return rows[0][0]


def picked_from_a_dict(x):
    rows = {"a": [x], "b": [x + 1]}
    picked = []
    for key in rows:
        if x > 0:
            picked.append(rows[key])
    for row in picked:
        row[0] = row[0] + 1
    return rows["a"][0]


def picked_names(x):
    a, b = [x], [x + 1]
    picked = []
    if x > 0:
        picked.append(a)
    if x > 1:
        picked.append(b)
    for row in picked:
        row[0] = row[0] + 1
    return a[0]


def in_a_table(x):
    a = [x]
    table = {"rows": []}
    if x > 0:
        table["rows"].append(a)
    for row in table["rows"]:
        row.append(x)
    return len(a)


def picked_twice(x):
    cells = [Cell(x), Cell(x + 1)]
    picked = [cell for cell in cells if cell.t > 1]
    picked = [cell for cell in picked if cell.t < 9]
    for cell in picked:
        cell.t = cell.t + 1
    return cells[0].t


def one_of_two_lists(x):
    a = [x]
    rows, others = [], []
    if x > 0:
        rows.append(a)
    else:
        others.append([x])
    kept = rows if x > 1 else others
    for row in kept:
        row.append(x)
    return a


def put_twice_then_picked(x):
    row = [x]
    rows = []
    if x > 0:
        rows.append(row)
        rows.append(row)
    kept = [r for r in rows if r[0] < 9]
    kept[0].append(x)
    return kept[1]


@pytest.mark.parametrize(
    "function",
    [
        *(picked_twice, one_of_two_lists, put_twice_then_picked),
        *(in_each_pass, in_passes_of_a_while, twice_in_a_branch, twice_in_a_pass),
        *(twice_in_an_item, twice_in_a_dict, picked_objects, picked_rows, picked_from_a_dict),
        *(picked_names, in_a_table),
    ],
)
def test_they_do_not_change_under_one_of_the_names(function):
    with pytest.raises(StagingError, match="may hold too: it is from a list whose length"):
        ag.function(function)(ag.constant(2.0))


def test_nor_do_those_of_the_caller():
    @ag.function
    def f(cells, x):
        picked = [cell for cell in cells if cell[0] > x]
        for cell in picked:
            cell[0] = cell[0] + 1
        return len(picked)

    with pytest.raises(StagingError, match="is kept elsewhere as well"):
        f([[ag.constant(1.0)], [ag.constant(2.0)]], ag.constant(0.5))


def only_read(x):
    cells = [Cell(x), Cell(x + 1)]
    picked = [cell for cell in cells if cell.t > 1]
    total = x
    for cell in picked:
        total += cell.t
    return total + cells[0].t


def nobody_reads_the_others(x):
    cells = [Cell(x), Cell(x + 1)]
    picked = [cell for cell in cells if cell.t > 1]
    for cell in picked:
        cell.t = cell.t + 1
    return [cell.t for cell in picked]


def new_in_each_pass(x):
    rows = []
    i = 0
    while i < x:
        row = [x, i]
        rows.append(row)
        i += 1
    for row in rows:
        row[0] = row[0] + 1
    return rows


def replaced_by_what_is_picked(x):
    cells = [Cell(x), Cell(x - 1), Cell(x + 1)]
    cells = [cell for cell in cells if cell.t > 1]
    for cell in cells:
        cell.t = cell.t * 2
    return [cell.t for cell in cells]


def changed_before(x):
    row = [x]
    rows = []
    row.append(x + 1)
    if x > 0:
        rows.append(row)
    return rows, row


def copies_are_put_there(x):
    row = [x]
    rows = []
    i = 0
    while i < x:
        rows.append(list(row))
        i += 1
    for r in rows:
        r[0] = r[0] * 2
    return rows, row


def others_than_the_ones_put_twice(x):
    row = [x]
    rows = []
    if x > 0:
        rows.append(row)
        rows.append(row)
        rows.append([x + 1])
        rows[2][0] = x * 3
    return rows


@pytest.mark.parametrize(
    "function",
    [
        *(only_read, nobody_reads_the_others, new_in_each_pass, replaced_by_what_is_picked),
        *(changed_before, copies_are_put_there, others_than_the_ones_put_twice),
    ],
)
def test_like_python(function):
    check_all(function, *CALLS)


class Item:
    def __init__(self, v=0):
        self.v = v


WS = [(np.array(w, np.int32),) for w in ([1, -2, 3, 4, 2], [3, 0, 3, 2, -5])]


def the_best_row_changed(w):
    rows = [[x, 0] for x in w]
    best = None
    for r in rows:
        if r[0] > 2:
            best = r
    if best is not None:
        best[1] = 1
    return [r[1] for r in rows]


def the_found_object_changed(w):
    items = [Item(x) for x in w]
    found = None
    for item in items:
        if item.v > 2:
            found = item
            break
    if found:
        found.v = 0
    return [item.v for item in items]


def the_open_group_extended(w):
    groups = []
    group = None
    for x in w:
        if x > 0:
            group = [x]
            groups.append(group)
        elif group is not None:
            group.append(x)
    return groups


def all_changed_and_one_kept(w):
    items = [Item(x) for x in w]
    keep = None
    for item in items:
        if keep is None or item.v > keep.v:
            keep = item
    for item in items:
        item.v *= 2
    return keep.v


def changed_while_one_is_kept(w):
    items = [Item(x) for x in w]
    best = None
    for item in items:
        if best is None or item.v > best.v:
            best = item
        item.v = item.v + 1
    return [item.v for item in items]


def put_in_by_branches_of_a_loop(w):
    row = [0]
    rows = []
    for x in w:
        if x > 0:
            rows.append(row)
    for r in rows:
        r[0] += 1
    return rows


def put_in_beside_others(w):
    row = [0]
    rows = []
    for x in w:
        if x > 0:
            rows.append(row)
        else:
            rows.append([0])
    rows[-1][0] = 7
    return rows


def read_by_a_handler(w):
    a = [w[0]]
    rows = []
    out = 0
    if w[0] > 0:
        rows.append(a)
    try:
        for r in rows:
            r[0] = r[0] + 1
        if w[0] > 0:
            raise ValueError
    except ValueError:
        out = a[0]
    return out


def read_by_a_finally(w):
    a = [w[0]]
    rows, out = [], []
    if w[0] > 0:
        rows.append(a)
    try:
        for r in rows:
            r[0] = r[0] + 1
    finally:
        out.append(a[0])
    return out


def read_by_an_else(w):
    a = [w[0]]
    rows, out = [], []
    if w[0] > 0:
        rows.append(a)
    try:
        for r in rows:
            r[0] = r[0] + 1
        if w[0] > 9:
            raise ValueError
    except ValueError:
        pass
    else:
        out.append(a[0])
    return out


def read_by_a_test(w):
    a = [w[0]]
    rows = []
    i = 0
    if w[0] > 0:
        rows.append(a)
    while i < 20 and a[0] < 10:
        rows[0][0] = rows[0][0] + 1
        i += 1
    return i


@pytest.mark.parametrize(
    "function",
    [
        *(the_best_row_changed, the_found_object_changed, the_open_group_extended),
        *(all_changed_and_one_kept, changed_while_one_is_kept, put_in_by_branches_of_a_loop),
        *(put_in_beside_others, read_by_a_handler, read_by_a_finally, read_by_an_else),
        read_by_a_test,
    ],
)
def test_no_change_is_lost(function):
    with pytest.raises(StagingError, match="is changed that other names or containers may hold"):
        ag.function(function)(WS[0][0])


def one_of_two_items_read(w):
    rows = [[x] for x in w]
    a, b = rows[1], rows[w[0] % 3]
    b[0] = 50
    return a[0]


def test_two_names_for_what_may_be_one_item():
    staged = ag.function(one_of_two_items_read)
    assert int(staged(np.array([2, 7, 3], np.int32))) == 7
    with pytest.raises(StagingError, match="through one of two that are read"):
        staged(np.array([1, 7, 3], np.int32))


def two_groups(w):
    low, high = [], []
    for x in w:
        r = [x]
        if x > 2:
            high.append(r)
        else:
            low.append(r)
    for r in high:
        r[0] = r[0] * 2
    for r in low:
        r[0] = r[0] * 3
    return low, high


def two_groups_of_objects(w):
    low, high = [], []
    for x in w:
        item = Item(x)
        if x > 2:
            high.append(item)
        else:
            low.append(item)
    for item in high:
        item.v = item.v * 2
    for item in low:
        item.v = item.v * 3
    return [item.v for item in low], [item.v for item in high]


def put_in_by_a_try(w):
    rows = []
    for x in w:
        r = [x]
        try:
            if x > 3:
                raise ValueError
            rows.append(r)
        except ValueError:
            pass
    for r in rows:
        r[0] = r[0] * 2
    return rows


def put_in_by_a_function(w):
    def keep(rows, r, x):
        if x > 2:
            rows.append(r)

    rows = []
    for x in w:
        r = [x]
        keep(rows, r, x)
    for r in rows:
        r[0] = r[0] * 2
    return rows


def left_out_by_continue(w):
    rows = []
    for x in w:
        r = [x]
        if x < 2:
            continue
        rows.append(r)
    for r in rows:
        r[0] = r[0] * 2
    return rows


def taken_again_under_the_name(w):
    rows = []
    for x in w:
        row = [x]
        if x > 1:
            rows.append(row)
    i = 0
    while i < len(rows):
        row = rows[i]
        row[0] = row[0] * 2
        i += 1
    return rows


def another_index(w):
    a = [w[0]]
    rows = [[w[1]]]
    if w[0] > 0:
        rows.append(a)
    rows[0].append(w[2])
    return rows, a


def emptied_and_filled(w):
    a = [w[0]]
    rows = []
    if w[0] > 0:
        rows.append(a)
    rows.clear()
    rows.append([w[1]])
    rows[0].append(w[2])
    return rows, a


def replaced(w):
    a = [w[0]]
    rows = [[w[1]]]
    if w[0] > 0:
        rows.append(a)
    rows[0] = [w[2]]
    rows[0].append(w[0])
    return rows, a


def set_at_one_index_in_each_pass(w):
    row = [w[0]]
    rows = [[w[1]], [w[2]]]
    i = 0
    while i < w[3]:
        rows[0] = row
        i += 1
        rows.append([w[0]])
    rows[0].append(w[1])
    return rows


def the_best_only_read(w):
    items = [Item(x) for x in w]
    best = items[0]
    for item in items:
        if item.v > best.v:
            best = item
    most = best.v
    for item in items:
        item.v -= most
    return [item.v for item in items]


def neighbours_changed(w):
    rows = [[x] for x in w]
    for i in range(len(rows) - 1):
        rows[i][0], rows[i + 1][0] = rows[i + 1][0], rows[i][0]
        a, b = rows[i], rows[i + 1]
        a[0] = b[0] + a[0]
    return rows


def changed_in_a_try_whose_rows_are_replaced(w):
    rows = [[w[0]], [1, w[1]], []]
    k = w[3]
    while k > 0:
        k -= 1
        try:
            for _ in (1, 2):
                for row in rows:
                    if row:
                        row[0] = w[2]
                rows[0] = [k, k]
        except ValueError:
            k = 0
    return rows


def cut_off_in_each_pass(w):
    rows = [[], [w[0]]]
    i = 0
    while i < 3:
        i += 1
        if w[0] > i + 1:
            continue
        for _ in (1, 2):
            rows[0].append(w[1])
            rows.append([])
            rows = rows[-3:]
    return rows


@pytest.mark.parametrize(
    "function",
    [
        *(two_groups, two_groups_of_objects, put_in_by_a_try, put_in_by_a_function),
        *(left_out_by_continue, taken_again_under_the_name, another_index, emptied_and_filled),
        *(replaced, set_at_one_index_in_each_pass, the_best_only_read, neighbours_changed),
        *(changed_in_a_try_whose_rows_are_replaced, cut_off_in_each_pass),
    ],
)
def test_changes_that_nobody_else_sees(function):
    check_all(function, *WS)


def popped(w):
    numbers = [1, 2, 3]
    last = numbers.pop(w[0] % 2)
    del numbers[w[2] % 2]
    return numbers, last


def popped_from_a_list_of_the_graph(w):
    numbers = [x for x in w]
    i = 0
    while i < len(numbers):
        if numbers[i] < 0:
            numbers.pop(i)
        else:
            i += 1
    return numbers


def deleted_from_a_list_of_an_array(w):
    numbers = list(w)
    del numbers[w[0] % 2]
    return numbers


@pytest.mark.parametrize(
    "function", [popped, popped_from_a_list_of_the_graph, deleted_from_a_list_of_an_array]
)
def test_items_leave_at_an_index_that_is_a_tensor(function):
    check_all(function, *WS)


def rows_changed_in_a_loop_and_by_the_handler(xs, i):
    rows = [[xs[0]], [1.0, xs[1]], []]
    try:
        for j in range(i):
            if xs[j] > 0:
                raise ValueError("positive")
            rows[(i + 1) % 3] = [2.0, xs[0]]
    except ValueError:
        rows[0][0] = 5.0
        for row in rows:
            if len(row):
                row[0] = row[0] + 5.0
    return rows


def test_a_handler_changes_rows_that_the_body_has_changed():
    for xs in ([1.5, -2.0, 3.0], [-1.5, 2.0, 3.0]):
        for i in (0, 1, 2):
            check_all(rows_changed_in_a_loop_and_by_the_handler, (np.array(xs), np.int32(i)))
