"""Lists, dicts and objects inside of others, which branches, loops and `try` change beside them."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

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


def one_branch_replaces_an_item_the_other_changes_one(xs, x, n):
    grid = [[], [x]]
    if n > 2:
        if x > 0:
            grid[1] = [0.5]
    else:
        grid[0].append(np.cos(x))
    grid[0].append(2.0)
    return grid


def a_branch_beside_one_that_raises(xs, x, n):
    grid = [[], [x]]
    if n > 2:
        if x > 100:
            raise ValueError
        grid[1] = [0.5]
    else:
        if x > 100:
            raise ValueError
        else:
            grid[0] = [x]
        grid[1].append(x)
    return grid


def a_changed_list_beside_one_that_raises(xs, x, n):
    row, grid = [], [[], [x]]
    if n > 1:
        grid[1] = row
        row.append(x)
    else:
        raise ValueError("small")
    grid[1].append(1.0)
    return grid, row


def a_loop(xs, x, n):
    grid = [[], [x]]
    for v in xs:
        if v > 0.6:
            grid[1] = [v]
        else:
            grid[0].append(v)
    grid[0].append(5.0)
    return grid


def a_dict_of_lists_and_dicts(xs, x, n):
    table = {"q": [x], "p": {"z": [1.0]}}
    inside = table["p"]["z"]
    for v in xs:
        if v > 0:
            table["q"] = [v]
        else:
            table["p"]["z"].append(v)
    inside.append(x)
    return table


def a_tuple_that_is_made_anew(xs, x, n):
    row, table = [x], {"q": [0.0]}
    pair = (row, table)
    if x > 1:
        row.append(2.0)
        pair = (row, {"q": [x]})
    row.append(3.0)
    pair[1]["q"].append(4.0)
    return pair


def a_try(xs, x, n):
    grid = [[], [x]]
    try:
        if n < 1:
            raise ValueError
        grid[1] = [0.5]
        grid[0].append(x)
        if n > 3:
            raise ValueError
        grid[0].append(x + 1)
    except ValueError:
        grid[0].append(2.0)
        grid[1].append(2.0)
    grid[0].append(5.0)
    return grid


def a_try_with_an_else(xs, x, n):
    grid = [[], [x]]
    for v in xs:
        try:
            if v > 0.6:
                raise ValueError
            grid[0].append(v)
        except ValueError:
            grid[1] = [v]
        else:
            grid[1].append(v)
    return grid


def objects_in_a_list(xs, x, n):
    points = [Point(x, 1.0), Point(1.0, x)]
    for v in xs:
        if v > 0:
            points[0] = Point(v, points[1].a)
        else:
            points[1].a += v
        points[0].b += 1.0
    return [(p.a, p.b) for p in points]


def objects_in_a_dict(xs, x, n):
    cells = {"a": Cell(x), "b": Cell(1.0)}
    if x > 0:
        cells["a"] = Cell(2.0)
        cells["a"].push(x)
    else:
        cells["b"].push(x)
        cells["b"].items.append(x)
    cells["b"].push(x + 3)
    return [(c.a, c.items) for c in cells.values()]


def returned_on_one_path(xs, x, n):
    table = {"a": 1.0, "row": [x]}
    if n > 1:
        table["row"].append(2.0)
        return {"table": table}


def returned_after_a_change_on_the_same_path(xs, x, n):
    table = {"a": 1.0, "b": 1.0}
    if n > 1:
        for v in xs:
            table["b"] += v
        if x > 1:
            return {"table": table}
        table["a"] = x
    p = 2.0 + x
    return {"table": table, "p": p}


def bound_on_one_path(xs, x, n):
    row = [x]
    if n > 1:
        row.append(1.0)
        pair = (row, "first")
        if x > 1:
            row.append(2.0)
    if n > 1:
        row.append(3.0)
        return pair
    return row


@pytest.mark.parametrize(
    "function",
    [
        one_branch_replaces_an_item_the_other_changes_one,
        a_branch_beside_one_that_raises,
        a_changed_list_beside_one_that_raises,
        a_loop,
        a_dict_of_lists_and_dicts,
        a_tuple_that_is_made_anew,
        a_try,
        a_try_with_an_else,
        objects_in_a_list,
        objects_in_a_dict,
        returned_on_one_path,
        returned_after_a_change_on_the_same_path,
        bound_on_one_path,
    ],
)
def test_like_python(function):
    check_all(function, *CALLS, dtypes=False)


@dataclasses.dataclass
class Doubled:
    a: object

    def __post_init__(self):
        self.c = self.a * 2


class Slotted:
    __slots__ = ("a",)

    def __init__(self, a):
        self.a = a


def more_than_the_fields(x):
    d = Doubled(x)
    n = x
    while n > 0:
        d = Doubled(x + 5)
        n -= 1
    return d.c, [p.c for p in [Doubled(v) for v in (x, x + 1, x - 1) if v > 0]]


def more_than_the_fields_or_none(x):
    d = None
    if x > 0:
        d = Doubled(x)
    if d is not None:
        return d.c
    return x


def an_old_object_with_slots(x):
    t = Slotted(x)
    u = t
    if x > 0:
        t = Slotted(x * 9)
    t.a = t.a + 1
    return u.a, t.a


@pytest.mark.parametrize(
    "function", [more_than_the_fields, more_than_the_fields_or_none, an_old_object_with_slots]
)
def test_attributes_that_are_no_fields(function):
    check_all(function, (np.float64(3.0),), (np.float64(0.0),))
