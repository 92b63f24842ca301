"""Arrays that are items of lists of the graph, and are stored to where the list would not see it."""

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.test_item_arrays import CALLS, made_of


def left_by_a_loop(xs, i):
    rows = made_of(xs)
    r = rows[0]
    for k in range(len(rows)):
        r = rows[k]
    r[0] = 99
    return rows


def after_items_have_moved(xs, i):
    rows = made_of(xs)
    r = rows[i]
    rows.insert(0, np.zeros(3))
    r[0] = 1
    return rows


def best_of_them(xs, i):
    best = None
    rows = made_of(xs)
    for r in rows:
        if best is None or r[0] > best[0]:
            best = r
    best[2] = 1
    return rows


def one_of_two_names_is_picked(xs, i):
    rows = [np.zeros(2) for _ in range(3)]
    a = rows[i]
    b = rows[0]
    a[0] = 1
    b[1] = 2
    return rows


def of_what_else_is_appended_to(xs, i):
    rows = [np.zeros(2)]
    for x in xs:
        cur = rows[-1]
        if x > 0:
            cur[0] += x
        else:
            rows.append(np.full(2, x))
    return rows


def of_a_list_and_its_part(xs, i):
    rows = made_of(xs)
    part = rows[1:]
    r = part[0]
    r[0] = 77
    return (part, rows)


def views_in_a_list(xs, i):
    m = np.zeros((3, 3))
    rows = [m[0], m[1], m[2]]
    r = rows[i]
    r[0] = 1
    return (m, rows)


def of_a_dict(xs, i):
    d = {0: np.zeros(2), 1: np.ones(2)}
    r = d[i]
    r[0] = 9
    return d


def kept_and_picked(xs, i):
    a = np.zeros(2)
    rows = [a, np.ones(2)]
    row = rows[i]
    row[0] = 5
    return (a, rows)


def in_a_list_that_grows(xs, i):
    a = np.zeros(2)
    rows = [a]
    for x in xs:
        if x > 0:
            rows.append(np.full(2, x))
    a[0] = 7
    return rows


def appended(xs, i):
    a = np.zeros(2)
    rows = []
    for x in xs:
        if x > 0:
            rows.append(np.full(2, x))
    rows.append(a)
    a[0] = 7
    return rows


def appended_in_a_loop(xs, i):
    a = np.zeros(2)
    rows = []
    for x in xs:
        if x > 0:
            rows.append(a)
    a[0] = 7
    return rows


def kept_too_and_stored_through_the_list(xs, i):
    a = np.zeros(2)
    rows = []
    for x in xs:
        if x > 0:
            rows.append(a)
    rows[0][0] = 7
    return (rows, a)


def in_a_list_joined(xs, i):
    a = np.zeros(2)
    rows = [a]
    for x in xs:
        if x > 0:
            rows = rows + [np.full(2, x)]
    a[0] = 7
    return rows


def in_a_list_of_a_branch(xs, i):
    a = np.zeros(2)
    rows = [a]
    if xs[0] > 0:
        rows.append(np.full(2, 4.0))
    a[0] = 7
    return rows


def in_a_row(xs, i):
    a = np.zeros(2)
    rows = [[a]]
    if xs[0] > 0:
        rows[0].append(np.full(2, 4.0))
    a[0] = 7
    return rows


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (left_by_a_loop, "a staged branch or loop has chosen it"),
        (after_items_have_moved, "take it from the list again"),
        (best_of_them, "a staged branch or loop has chosen it"),
        (one_of_two_names_is_picked, "on some paths"),
        (of_what_else_is_appended_to, "put a copy into the list"),
        (of_a_list_and_its_part, "one of them a copy or a part of the other"),
        (views_in_a_list, "on some paths"),
        (of_a_dict, "on some paths"),
        (kept_and_picked, "on some paths"),
        (in_a_list_that_grows, "put a copy into the list"),
        (appended, "put a copy into the list"),
        (appended_in_a_loop, "put a copy into the list"),
        (kept_too_and_stored_through_the_list, "on some paths"),
        (in_a_list_joined, "put a copy into the list"),
        (in_a_list_of_a_branch, "put a copy into the list"),
        (in_a_row, "put a copy into the list"),
    ],
)
def test_what_the_list_would_not_see_is_refused(function, message):
    with pytest.raises(StagingError, match=message) as raised:
        ag.function(function)(*CALLS[0])
    assert f"{__file__}:" in str(raised.value)


def test_two_items_that_turn_out_to_be_one():
    def both(xs, i):
        rows = made_of(xs)
        first, second = rows[i], rows[0]
        first[0] = 1
        return second[0]

    staged = ag.function(both)
    assert staged(CALLS[0][0], np.int32(1)) == 1.5
    with pytest.raises(StagingError, match="changed through two names"):
        staged(CALLS[0][0], np.int32(0))


def replaced(rows):
    rows[0] = np.full(2, 9.0)


def reversed_(rows):
    rows.reverse()


def deleted(rows):
    del rows[0]


def inserted(rows):
    rows.insert(0, np.full(2, 9.0))


def swapped(rows):
    rows[0], rows[1] = rows[1], rows[0]


def cut(rows):
    rows[:] = [np.full(2, 9.0), np.zeros(2)]


def popped_from_the_front(rows):
    rows.pop(0)


@pytest.mark.parametrize(
    "change", [replaced, reversed_, deleted, inserted, swapped, cut, popped_from_the_front]
)
def test_items_of_a_list_of_known_length_that_may_have_moved(change):
    def stores(k):
        rows = [np.zeros(2), np.ones(2)]
        row = rows[k]
        change(rows)
        row[0] = 5.0
        return rows

    with pytest.raises(StagingError, match="take it from the list again|on some paths"):
        ag.function(stores)(np.int32(0))
