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
