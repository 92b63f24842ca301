"""Lists, dicts and objects that are taken out of lists of any length, and changed then."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

XS = np.array([1.0, -2.0, 3.0, 0.5])
CALLS = [
    (XS, np.float64(1.5), np.int32(4)),
    (-XS, np.float64(-0.5), np.int32(0)),
    (XS * 0.1, np.float64(0.5), np.int32(2)),
]


@dataclasses.dataclass
class Point:
    a: float
    b: float


class Cell:
    def __init__(self, a):
        self.a = a
        self.items = []

    def push(self, value):
        if value > 0:
            self.items.append(value)
        else:
            self.a -= value


def rows_of(xs):
    rows = [[]]
    for v in xs:
        if v > 0:
            rows.append([v])
    return rows


def appended_to_an_item(xs, x, n):
    rows = rows_of(xs)
    rows[1].append(x)
    rows[-1].append(x * 2)
    rows[n % 2].insert(0, 7.0)
    return rows


def appended_to_while_the_list_grows(xs, x, n):
    rows = [[], [x]]
    for v in xs:
        rows.append([])
        rows[1].append(v)
    return rows


def appended_to_in_one_branch(xs, x, n):
    rows = [[]]
    for v in xs:
        if v > 0:
            rows.append([v])
        else:
            rows[0].append(v)
    if n > 1:
        rows[1].append(x)
    else:
        rows[0] = [x]
    rows[0].append(2.0)
    return rows


def under_a_name(xs, x, n):
    rows = rows_of(xs)
    row, other = rows[0], rows[1]
    row.append(x)
    if n > 1:
        row.append(x * 2)
        other.append(1.0)
    row.append(len(rows[0]))
    return rows, row


def changed_after_it_was_appended(xs, x, n):
    rows = []
    for v in xs:
        row = []
        rows.append(row)
        for w in xs:
            if w > v:
                row.append(w)
        rows[-1].append(x)
        row.append(v)
    return rows


def each_in_turn(xs, x, n):
    rows = rows_of(xs)
    for row in rows:
        if len(row) > 0:
            row.append(x)
        row.reverse()
    for number, row in enumerate(rows):
        row.append(number * 1.0)
    return rows


def taken_out_and_changed(xs, x, n):
    rows = rows_of(xs)
    first = rows[0]
    del rows[0]
    first.append(x)
    last = rows.pop()
    last.append(2.0)
    return rows, first, last


def replaced_and_changed(xs, x, n):
    rows = rows_of(xs)
    old = rows[1]
    rows[1] = [x]
    old.append(2.0)
    rows[1].append(3.0)
    return rows, old


def set_to_a_list_that_grows(xs, x, n):
    rows, row = rows_of(xs), [x]
    rows[0] = row
    row.append(5.0)
    return rows


def objects(xs, x, n):
    cells = [Cell(x)]
    for v in xs:
        if v < 2:
            cells.append(Cell(v))
    cells[1].a = 5.0
    cells[0].push(x)
    cell = cells[n % 2]
    cell.a += 1.0
    cell.items.append(x)
    for cell in cells:
        cell.push(cell.a - 1)
    return [(cell.a, cell.items) for cell in cells]


def data_classes(xs, x, n):
    points = [Point(x, 0.0)]
    for v in xs:
        if v < 2:
            points.append(Point(v, 1.0))
        points[0].b += v
    for p in points:
        for q in points:
            if p.a < q.a:
                p.b += 1.0
    return [(p.a, p.b) for p in points]


def dicts(xs, x, n):
    table = [{"a": x, "seen": [x]}]
    for v in xs:
        if v > 0:
            table.append({"a": v, "seen": []})
        table[0]["a"] += v
        table[-1]["seen"].append(v)
    return table


def lists_in_lists_in_lists(xs, x, n):
    cube = [[[x]]]
    for v in xs:
        if v > 0:
            cube.append([[v], []])
        cube[0].append([v])
        cube[0][0].append(v)
        cube[-1][-1].append(x)
    return cube


def read_under_another_index(xs, x, n):
    cube = [[[v], [x]] for v in xs]
    for row in cube:
        row.append([x, x])
    row = cube[1]
    cell = row[0]
    cell.append(7.0)
    found = len(cube[(n + 1) % 2][0])
    cell.append(8.0)
    return cube, found, cube[(n + 1) % 2][0][-1]


def the_last_before_another_came(xs, x, n):
    rows = rows_of(xs)
    last = rows[-1]
    rows.append([])
    rows[-1].append(5.0)
    last.append(x)
    return rows


def changed_before_a_try_looks(xs, x, n):
    rows = rows_of(xs)
    row = rows[1]
    row.append(x)
    try:
        found = rows[n % 2][-1]
        if found > 1:
            raise ValueError
    except (ValueError, IndexError):
        found = 9.0
    return rows, found


class Around:
    def __enter__(self):
        return self

    def __exit__(self, *raised):
        return None


def taken_in_a_with(xs, x, n):
    rows = rows_of(xs)
    with Around():
        row = rows[1]
        row.append(x)
    row.append(2.0)
    rows[1].append(3.0)
    row.append(4.0)
    return rows


def in_a_try(xs, x, n):
    rows = rows_of(xs)
    try:
        rows[0].append(x)
        if n > 3:
            raise ValueError
        rows[1].append(x)
    except ValueError:
        rows[0].append(9.0)
    rows[0].append(8.0)
    return rows


def in_a_try_that_makes_the_list(xs, x, n):
    try:
        rows = [[v] for v in xs if v > -5]
        row = rows[n % 2]
        row.append(x)
        if row[0] > x:
            raise ValueError
        y = rows[n % 2][1] * 5.0
    except ValueError:
        y = x * 3.0
    return y


def changed_in_a_branch_of_a_try_in_a_loop(xs, x, n):
    rows = [[x], [1.0, x], []]
    k = n
    while k > 0:
        k -= 1
        try:
            if x > 50:
                break
            rows[n % 3] = [x, x * 2]
            for row in rows:
                if row:
                    row[0] = x + k
        except ValueError:
            rows.append([x])
    return rows


def appended_to_items_of_items(xs, x, n):
    groups = []
    i = 0
    while i < 2:
        rows = []
        j = 0
        while j < n + 1:
            rows.append([x])
            j += 1
        groups.append(rows)
        i += 1
    groups[0][0].append(x + 1)
    groups[1][-1].insert(0, x + 2)
    groups[n % 2].append([x, x, x])
    return groups


def made_longer_by_a_loop(xs, x, n):
    rows = [[v] for v in xs]
    row = rows[0]
    for v in xs:
        if v > 1:
            row.append(v)
    return rows


def objects_changed_after_they_were_appended(xs, x, n):
    cells = []
    for v in xs:
        cell = Cell(v)
        cells.append(cell)
        cell.a += 10.0
        cell.items.append(v)
        cell.items.append(x)
    cells[n % 2].a = x
    cells[0].items[0] += 7.0
    return [cell.a for cell in cells], [cell.items for cell in cells]


def nested_in_comprehensions(xs, x, n):
    rows = [[v] for v in xs]
    grid = [[0] * n for _ in range(n)]
    for k, row in enumerate(rows):
        row.append(x)
        row[0] += 7.0
        rows[k].append(x)
        if k > 1:
            rows[k][0] = x
    for i in range(n):
        for j in range(n):
            grid[i][j] = i * j
    return rows, grid


@pytest.mark.parametrize(
    "function",
    [
        objects_changed_after_they_were_appended,
        nested_in_comprehensions,
        appended_to_an_item,
        appended_to_while_the_list_grows,
        appended_to_in_one_branch,
        under_a_name,
        changed_after_it_was_appended,
        each_in_turn,
        taken_out_and_changed,
        replaced_and_changed,
        set_to_a_list_that_grows,
        objects,
        data_classes,
        dicts,
        lists_in_lists_in_lists,
        read_under_another_index,
        the_last_before_another_came,
        changed_before_a_try_looks,
        taken_in_a_with,
        in_a_try,
        in_a_try_that_makes_the_list,
        changed_in_a_branch_of_a_try_in_a_loop,
        appended_to_items_of_items,
        made_longer_by_a_loop,
    ],
)
def test_like_python(function):
    check_all(function, *CALLS, dtypes=False)


def test_two_items_that_may_be_the_same():
    @ag.function
    def f(xs, i, j):
        rows = rows_of(xs)
        a, b = rows[i], rows[j]
        a.append(1.0)
        b.append(2.0)
        return rows

    xs = ag.constant(XS)
    found = f(xs, ag.constant(0), ag.constant(1))
    assert [[float(v) for v in row] for row in found] == [[1.0], [1.0, 2.0], [3.0], [0.5]]
    with pytest.raises(ag.errors.StagingError, match="is changed through two names"):
        f(xs, ag.constant(1), ag.constant(1))


@pytest.mark.parametrize(
    "move",
    [
        lambda rows: rows.insert(0, []),
        lambda rows: rows.pop(0),
        lambda rows: rows.__delitem__(0),
        lambda rows: rows.reverse(),
        lambda rows: rows.__setitem__(slice(0, 1), []),
        lambda rows: rows.__delitem__(slice(0, 1)),
    ],
    ids="insert pop del reverse set_slice del_slice".split(),
)
def test_an_item_that_has_moved(move):
    @ag.function
    def f(xs):
        rows = rows_of(xs)
        row = rows[1]
        move(rows)
        row.append(1.0)
        return rows

    with pytest.raises(ag.errors.StagingError, match="under a name that it had before items"):
        f(ag.constant(XS))


def test_the_first_item_may_be_the_last():
    @ag.function
    def f(xs):
        rows = [[x] for x in xs if x > 0]
        first = rows[0]
        rows[-1].append(1.0)
        first.append(2.0)
        return rows

    found = f(ag.constant(XS))
    assert [[float(v) for v in row] for row in found] == [[1.0, 2.0], [3.0], [0.5, 1.0]]
    with pytest.raises(ag.errors.StagingError, match="is changed through two names"):
        f(ag.constant([1.0, -2.0, -3.0, -0.5], ag.float64))


def test_an_item_that_was_there_before_the_list_grew():
    @ag.function
    def f(xs):
        row = [1.0]
        rows = [row, [2.0]]
        for v in xs:
            rows.append([v])
        row.append(1.0)
        return rows

    with pytest.raises(ag.errors.StagingError, match="take it from the list again"):
        f.get_concrete_function(ag.TensorSpec([None], ag.float64))


def test_an_item_that_is_read_under_the_name_that_it_had_before():
    @ag.function
    def f(xs):
        row = [1.0]
        rows = [row, [2.0]]
        for v in xs:
            rows.append([v])
            rows[0].append(v)
        return rows, row

    with pytest.raises(ag.errors.StagingError, match="is kept elsewhere as well"):
        f(ag.constant(XS))


def test_what_only_looks_at_items_puts_nothing_back():
    @ag.function
    def f(xs):
        rows = rows_of(xs)
        total = 0.0
        for row in rows:
            for v in row:
                total += v
        return total + rows[0][-1] if len(rows[0]) else total

    text = str(f.get_concrete_function(ag.constant(XS)).graph)
    assert "TensorListSetItem" not in text


def twins_changed_after_a_branch(x):
    row = [0, 0]
    rows = [row, row]
    if x > 0:
        rows.append([7, 7])
    rows[0][0] = 5
    return rows


def twins_changed_after_a_loop(x):
    rows = [[0, 0]] * 2
    while x > 0:
        rows.append([7, 7])
        x = x - 1
    rows[1].append(5)
    return rows


def twins_that_have_moved(x):
    row = [0]
    rows = [[3], row, row]
    if x > 0:
        rows.append([7])
    rows.pop(0)
    rows[0].append(5)
    return rows


@pytest.mark.parametrize(
    "function", [twins_changed_after_a_branch, twins_changed_after_a_loop, twins_that_have_moved]
)
def test_twins_do_not_change(function):
    with pytest.raises(StagingError, match="is changed that other names or containers may hold"):
        ag.function(function)(ag.constant(1))


def test_others_beside_twins_change():
    def f(x):
        row = [0, 0]
        rows = [row, row, [1, 1]]
        if x > 0:
            rows.append([7, 7])
        rows[2][0] = 4
        rows.append([x, x])
        rows[-1][0] = 6
        return rows

    check_all(f, (np.int32(-1),), (np.int32(1),))
