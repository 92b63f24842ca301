"""Lists and objects that several names or containers hold, where a branch or loop joins them."""

from __future__ import annotations

import functools
from collections import deque

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

CALLS = [(np.int32(0),), (np.int32(2),), (np.int32(4),)]


class Cell:
    def __init__(self, x):
        self.x = x


def the_current_group(n):
    current = []
    rows = [current]
    for i in range(n):
        if i == 2:
            current = []
            rows.append(current)
        current.append(i)
    return rows


def the_current_object(n):
    current = Cell(0)
    cells = [current]
    for i in range(n):
        if i == 2:
            current = Cell(0)
            cells.append(current)
        current.x = current.x + 10
    return [cell.x for cell in cells]


def the_current_item(n):
    current = [0]
    rows = [current]
    for i in range(n):
        if i == 2:
            current = [0]
            rows.append(current)
        current[0] += 10
    return rows


def a_row_that_goes_on_growing(n):
    row, rows = [], []
    for i in range(n):
        row.append(i)
        rows.append(row)
    return rows


def one_name_of_two_rebound(n):
    a = [1]
    b = a
    if n > 1:
        a = [5]
    a.append(9)
    return b


def the_callers_list(n):
    def change(items):
        if n > 1:
            items = [5]
        items.append(9)

    given = [1]
    change(given)
    return given


def an_alias_on_one_path(n):
    grid = [[0], [1]]
    if n > 1:
        grid[0] = [5]
    else:
        grid[1] = grid[0]
    grid[0].append(7)
    return grid


def an_old_list_or_a_new_one(n):
    a = [1]
    if n > 1:
        b = a
    else:
        b = [2]
    b.append(3)
    return a, b


def two_names_in_one_branch(n):
    a, b = [0], [1]
    if n > 1:
        a = []
        b = a
    a.append(3)
    return a, b


def put_in_a_list_in_a_loop(n):
    rows, row = [], [1]
    for _ in range(n):
        rows.append(row)
    row.append(5)
    return rows


def put_in_a_list_in_a_branch(n):
    rows, row = [], [1]
    if n > 1:
        rows.append(row)
    row.append(5)
    return rows


def put_in_a_list_in_a_try(n):
    rows, row = [], [1]
    try:
        rows.append(row)
        if n > 1:
            raise ValueError
    except ValueError:
        rows.append([7])
    row.append(3)
    return rows


def rebound_in_a_try(n):
    try:
        a = [1]
        b = a
        if n > 1:
            raise ValueError
        a = [2]
    except ValueError:
        pass
    a.append(5)
    return b


def changed_in_a_handler(n):
    a = [1]
    b = a
    try:
        if n > 1:
            raise ValueError
        a = [2]
    except ValueError:
        a.append(9)
    return b


def given_by_a_function(n):
    def choose(items):
        if n > 1:
            return items
        return [2]

    a = [1]
    chosen = choose(a)
    chosen.append(3)
    return a, chosen


REFUSED = [
    the_current_group,
    the_current_object,
    the_current_item,
    a_row_that_goes_on_growing,
    an_alias_on_one_path,
    two_names_in_one_branch,
    put_in_a_list_in_a_loop,
    put_in_a_list_in_a_branch,
    put_in_a_list_in_a_try,
    rebound_in_a_try,
]


@pytest.mark.parametrize("function", REFUSED, ids=lambda f: f.__name__)
def test_changes_of_what_others_hold_too_are_refused(function):
    message = r"test_shared_objects\.py:\d+: a (list|Cell) is changed that other names or"
    with pytest.raises(StagingError, match=message):
        ag.function(function)(ag.constant(4))


# ---- what nobody else holds changes as it likes


def reset_in_a_loop(n):
    items = []
    for i in range(n):
        if i == 2:
            items = []
        items.append(i)
    return items


def handed_over_and_begun_anew(n):
    rows, row = [], []
    for i in range(n):
        row.append(i)
        if i % 2 == 1:
            rows.append(row)
            row = []
    return rows, row


def made_longer_by_adding(n):
    items = [0]
    rows = []
    for i in range(n):
        items = items + [i]
        rows.append(items)
    return rows, items


def changed_after_adding(n):
    items = [0]
    for i in range(n):
        items = items + [i]
    items.append(5)
    return items


def copies_put_in_a_list(n):
    path, paths = [0], []
    for i in range(n):
        path.append(i)
        paths.append(list(path))
    path.append(8)
    return paths, path


def made_anew_on_every_pass(n):
    rows = []
    for i in range(n):
        row = []
        rows.append(row)
        row.append(i)
    return rows


def another_name_that_nobody_reads_later(n):
    row = [n]
    pair = (row, 1)
    if n > 1:
        pair = ([2], 1)
    pair[0].append(4)
    return pair


def two_fronts(n):
    front, after = [1], []
    for _ in range(n):
        for v in front:
            after.append(v + 1)
        front = after
        after = []
    return front


def looked_at_only(n):
    best = [0]
    rows = [best, [1]]
    for i in range(n):
        if i > 1:
            best = [i]
    return best, rows


def rebound_before_anything_is_raised(n):
    a = [1]
    b = a
    try:
        a = [2]
        if n > 1:
            raise ValueError
    except ValueError:
        a.append(9)
    return a, b


def returned_in_a_container(n):
    items, others = [1], [2]
    for i in range(n):
        if i == 3:
            return {"all": [items, others]}
        items += [i]
        others = others + [i]
        others.append(i)
    items.append(8)
    return {"all": [items, others]}


def rebound_in_a_try_of_its_own(n):
    rows = []
    for i in range(n):
        row = [i]
        try:
            row.append(1)
            if i > 1:
                raise ValueError
            row.append(5)
        except ValueError:
            row = [7]
            row.append(3)
        row.append(4)
        rows.append(row)
    return rows


def cut_in_a_loop_over_a_generator(n):
    def doubled(items):
        for item in items:
            if item > 0:
                yield item * 2

    words = []
    for item in doubled([n, n - 1, n - 2]):
        if item > 5:
            break
        for k in range(2):
            words.append(item + k)
        words = words[-2:]
    return words


ALLOWED = [
    given_by_a_function,
    one_name_of_two_rebound,
    the_callers_list,
    an_old_list_or_a_new_one,
    reset_in_a_loop,
    handed_over_and_begun_anew,
    made_longer_by_adding,
    changed_after_adding,
    copies_put_in_a_list,
    made_anew_on_every_pass,
    another_name_that_nobody_reads_later,
    two_fronts,
    looked_at_only,
    rebound_before_anything_is_raised,
    rebound_in_a_try_of_its_own,
    returned_in_a_container,
    changed_in_a_handler,
    cut_in_a_loop_over_a_generator,
]


@pytest.mark.parametrize("function", ALLOWED, ids=lambda f: f.__name__)
def test_like_python(function):
    check_all(function, *CALLS, gradient=False, dtypes=False)


def held_by_a_deque(x):
    items = [x]
    keep = deque([items])
    if x > 0:
        items = [x * 2]
    items.append(x)
    return len(keep[0])


def held_by_a_partial(x):
    items = [x]
    count = functools.partial(len, items)
    if x > 0:
        items = [x * 2]
    items.append(x)
    return count()


def held_by_a_function(x):
    items = [x]

    def counter(items):
        return lambda: len(items)

    count = counter(items)
    if x > 0:
        items = [x * 2]
    items.append(x)
    return count()


def held_by_a_method(x):
    items = [x]
    count = items.__len__ if x is None else Holder(items).count
    if x > 0:
        items = [x * 2]
    items.append(x)
    return count()


class Holder:
    def __init__(self, items):
        self.items = items

    def count(self):
        return len(self.items)


@pytest.mark.parametrize(
    "function", [held_by_a_deque, held_by_a_partial, held_by_a_function, held_by_a_method]
)
def test_what_holds_an_old_list_sees_what_is_done_to_it(function):
    for value in (1.0, -1.0):
        check_all(function, (np.float64(value),))


def test_what_very_much_is_held_may_be_held_by_others():
    pile = [[[n] for n in range(100)] for _ in range(1000)]

    @ag.function
    def grown(x):
        items, held = [x], pile
        if x > 0:
            items = [x * 2]
        items.append(x)
        return len(items), len(held)

    assert [int(v) for v in grown(np.float64(1.0))] == [2, 1000]


class Total:
    def __init__(self, value):
        self.value = value

    def __iadd__(self, other):
        self.value = self.value + other
        return self


def in_place_of_an_object_in_a_loop(x):
    p = Total(1.0)
    q = p
    while p.value < x + 4:
        p += 1
    return q.value, p.value


def in_place_of_a_list_or_a_new_one(x):
    items = [0]
    first = items
    i = 0
    while i < x:
        if i == 1:
            items = items + [9]  # noqa: RUF005
        else:
            items += [i]
        i += 1
    return first, items


def in_place_of_one_of_two_lists(x):
    items = [0]
    first = items
    if x > 1:
        items = [7]
    items += [x]
    return first, items


@pytest.mark.parametrize(
    "function",
    [
        in_place_of_an_object_in_a_loop,
        in_place_of_a_list_or_a_new_one,
        in_place_of_one_of_two_lists,
    ],
)
def test_what_is_changed_in_place_keeps_its_other_names(function):
    check_all(function, *[(np.int32(v),) for v in (0, 2, 3)])
