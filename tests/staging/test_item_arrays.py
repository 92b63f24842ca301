"""Arrays that are items of lists of the graph, and are stored to under another name."""

import dataclasses
from typing import Any

import numpy as np
import pytest

from tests.staging.differential import check_all

CALLS = [(np.array(xs), np.int32(i)) for xs in ([1.5, -2.0, 3.0], [-1.5, 2.0, 3.0]) for i in (0, 1)]


@dataclasses.dataclass
class Body:
    pos: Any
    m: float


class Queue:
    def __init__(self):
        self.rows = []

    def add(self, x):
        self.rows.append(np.array([x, 0.0]))

    def hit(self, i):
        r = self.rows[i]
        r[1] += 1


def made_of(xs):
    rows = []
    for x in xs:
        if x > -5:
            rows.append(np.array([x, x * 2, 0.0]))
    return rows


def bodies_of(xs):
    bodies = []
    for x in xs:
        if x > -5:
            bodies.append(Body(np.zeros(2), x))
    return bodies


def picked_by_the_position(xs, i):
    rows = [np.zeros(2) for _ in xs]
    for k, x in enumerate(xs):
        r = rows[k]
        if x > 0:
            r[0] += x
    return rows


def read_under_two_names(xs, i):
    rows = made_of(xs)
    r = rows[i]
    s = rows[i]
    r[0] = 7
    return (rows, s[0], r[0])


def stored_to_in_a_branch(xs, i):
    rows = made_of(xs)
    r = rows[i]
    if xs[0] > 0:
        r[1] = 9
    return (rows, r)


def stored_to_in_a_loop(xs, i):
    rows = made_of(xs)
    r = rows[i]
    for x in xs:
        r[0] += x
    return (rows, r)


def stored_to_after_an_append(xs, i):
    rows = made_of(xs)
    r = rows[i]
    rows.append(np.zeros(3))
    r[0] = 1
    return rows


def popped(xs, i):
    rows = made_of(xs)
    r = rows.pop()
    r[0] = 1
    return (rows, r)


def added_to(xs, i):
    rows = made_of(xs)
    r = rows[i]
    r += 1
    return (rows, r)


def bound_anew(xs, i):
    rows = made_of(xs)
    r = rows[i]
    r = r + 1
    r[0] = 5
    return (rows, r)


def a_view_of_it(xs, i):
    rows = made_of(xs)
    r = rows[i][1:]
    r[0] = 5
    return (rows, r)


def gone_over(xs, i):
    rows = made_of(xs)
    for r in rows:
        if r[0] > 0:
            r[2] = r[0] * 2
    return rows


def gone_over_with_its_number(xs, i):
    rows = made_of(xs)
    for k, r in enumerate(rows):
        r[2] = k
        if r[0] < 0:
            continue
        r[1] += 1
    return rows


def seen_under_its_name(xs, i):
    rows = made_of(xs)
    r = rows[i]
    rows[i][0] = 5
    return r


def after_a_swap(xs, i):
    rows = made_of(xs)
    rows[0], rows[i] = (rows[i], rows[0])
    r = rows[0]
    r[1] = 3
    return rows


def in_pairs(xs, i):
    pairs = []
    for x in xs:
        if x > -5:
            pairs.append((np.zeros(2), x))
    v, w = pairs[i]
    v[0] = w
    return pairs


def of_an_object(xs, i):
    bs = bodies_of(xs)
    p = bs[i].pos
    p[0] = 4
    return bs


def of_objects_gone_over(xs, i):
    bs = bodies_of(xs)
    for b in bs:
        b.pos[0] += b.m
        b.pos += 1
    return bs


def in_a_try(xs, i):
    rows = made_of(xs)
    r = rows[i]
    try:
        if xs[0] > 0:
            raise ValueError
        r[0] = 3
    except ValueError:
        r[1] = 4
    return rows


def in_a_function_called(xs, i):
    rows = made_of(xs)

    def bump(v):
        v[0] += 10

    bump(rows[i])
    for r in rows:
        bump(r)
    return rows


def in_a_list_in_a_list(xs, i):
    grid = [[np.zeros(2)]]
    for x in xs:
        if x > 0:
            grid.append([np.ones(2) * x])
    c = grid[i][0]
    c[0] = 8
    return grid


def computed_with(xs, i):
    rows = made_of(xs)
    last = rows[-1]
    last[0] = 1
    rows.append(last * 2)
    return rows


def of_a_part(xs, i):
    rows = made_of(xs)
    part = rows[1:]
    r = part[0]
    r[0] = 77
    return part


def by_methods(xs, i):
    rows = made_of(xs)
    r = rows[i]
    r[:] = 0
    np.add(r, 1, out=r)
    r.fill(3)
    return rows


def sorted_in_place(xs, i):
    rows = made_of(xs)
    r = rows[i]
    r.sort()
    return rows


def popped_in_a_loop(xs, i):
    rows = made_of(xs)
    while rows:
        r = rows.pop()
        r[0] = 5
        if r[1] < 0:
            break
    return rows


def in_a_while_loop(xs, i):
    rows = made_of(xs)
    k = 0
    while k < len(rows) and rows[k][0] < 50:
        r = rows[k]
        r[0] += 100
        k += 1
    return (rows, k)


def of_a_comprehension(xs, i):
    rows = [x * np.ones(2) for x in xs if x > -5]
    r = rows[i]
    r[0] = 0
    return rows


def under_a_second_name(xs, i):
    rows = made_of(xs)
    r = rows[i]
    t = r
    t[0] = 1
    return (rows, r)


def put_into_an_object(xs, i):
    rows = made_of(xs)
    r = rows[i]
    o = Body(r, 1.0)
    o.pos[0] = 4
    return (rows, r)


def by_both_ways(xs, i):
    rows = made_of(xs)
    r = rows[i]
    r[0] = 1
    rows[i][1] = 2
    return (rows, r)


def by_turns(xs, i):
    rows = made_of(xs)
    rows[i][1] = 2
    r = rows[i]
    r[0] = 1
    rows[i][2] = 4
    r[1] += 1
    return rows


def of_the_last(xs, i):
    iv = []
    for x in xs:
        if iv and iv[-1][1] > x:
            iv[-1][1] = x
        else:
            iv.append(np.array([x, x + 1]))
    return iv


def of_the_last_by_name(xs, i):
    iv = []
    for x in xs:
        if iv:
            last = iv[-1]
            if last[1] > x:
                last[1] = x
                continue
        iv.append(np.array([x, x + 1]))
    return iv


def of_objects_by_names(xs, i):
    bs = bodies_of(xs)
    for b in bs:
        p = b.pos
        p[0] += b.m
        q = p
        q[1] = 2
    b = bs[i]
    p = b.pos
    p[1] = 5
    return (bs, p, b.pos)


def of_rows_of_rows(xs, i):
    grid = [[np.zeros(2)]]
    for x in xs:
        if x > 0:
            grid.append([np.ones(2) * x])
    grid[i][0][1] = 3
    row = grid[i]
    row[0][0] = 5
    c = row[0]
    c[1] += 2
    return grid


def of_a_list_in_a_dict(xs, i):
    st = {"rows": made_of(xs), "n": 0}
    r = st["rows"][i]
    r[0] = 5
    st["n"] += 1
    return st


def of_a_list_in_an_object(xs, i):
    q = Queue()
    for x in xs:
        if x > -9:
            q.add(x)
    for k, x in enumerate(xs):
        if x > 0:
            q.hit(k)
    q.hit(i)
    return q.rows


def best_of_them_copied(xs, i):
    pop = [np.array([x, 1.0]) for x in xs if x > -9]
    best = pop[0]
    for p in pop:
        if p[0] > best[0]:
            best = p
    best = best.copy()
    best[0] = 0
    return (pop, best)


def of_pairs_of_items(xs, i):
    parts = made_of(xs)
    for a in range(len(parts)):
        for b in range(a + 1, len(parts)):
            pa = parts[a]
            pb = parts[b]
            pa[2] += pb[0]
            pb[2] -= pa[0]
    return parts


def of_a_list_of_known_length(xs, i):
    rows = [np.zeros(2) for _ in range(3)]
    for k, x in enumerate(xs):
        row = rows[k]
        row[0] = x
        row += k
    return rows


def of_a_display(xs, i):
    rows = [xs * 2, xs * 3]
    r = rows[i]
    r[0] = 0
    return rows


@pytest.mark.parametrize(
    "function",
    [
        picked_by_the_position,
        read_under_two_names,
        stored_to_in_a_branch,
        stored_to_in_a_loop,
        stored_to_after_an_append,
        popped,
        added_to,
        bound_anew,
        a_view_of_it,
        gone_over,
        gone_over_with_its_number,
        seen_under_its_name,
        after_a_swap,
        in_pairs,
        of_an_object,
        of_objects_gone_over,
        in_a_try,
        in_a_function_called,
        in_a_list_in_a_list,
        computed_with,
        of_a_part,
        by_methods,
        sorted_in_place,
        popped_in_a_loop,
        in_a_while_loop,
        of_a_comprehension,
        under_a_second_name,
        put_into_an_object,
        by_both_ways,
        by_turns,
        of_the_last,
        of_the_last_by_name,
        of_objects_by_names,
        of_rows_of_rows,
        of_a_list_in_a_dict,
        of_a_list_in_an_object,
        best_of_them_copied,
        of_pairs_of_items,
        of_a_display,
        of_a_list_of_known_length,
    ],
)
def test_the_list_sees_what_is_stored(function):
    check_all(function, *CALLS)


def added_to_in_a_loop(xs, i):
    rows = [xs * 2, np.ones(3)]
    others = [np.zeros(3), np.ones(3)]
    for j in range(i + 1):
        row = rows[j % 2]
        row += 5.0
        other = others[i]
        if xs[0] > 0:
            other *= 2.0
            other += xs
    return rows, others


class Swallows:
    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        return kind is ValueError


def before_a_with(xs, i):
    rows = [xs * 2, np.ones(3)]
    row = rows[i]
    row[0] = 7.0
    total = 0.0
    for x in (0.5, -1.0):
        with Swallows():
            if xs[0] > x:
                raise ValueError("large")
            total += x
    return rows, total


def unpacked(xs, i):
    rows = made_of(xs)
    first, second, _ = rows
    first[i] += second[0]
    return rows


def rows_unpacked(xs, i):
    rows = []
    for x in xs:
        if x > -9:
            rows.append([x])
    first, second, _ = rows
    first.append(7.0)
    second[0] = 3.0
    return rows


def read_before(xs, i):
    rows = [xs * 2, np.ones(3)]
    total = sum(rows) * rows[i]
    rows[0][1] = 3.0
    return rows, total


@pytest.mark.parametrize(
    "function", [unpacked, rows_unpacked, read_before, added_to_in_a_loop, before_a_with]
)
def test_items_taken_in_other_ways(function):
    check_all(function, *CALLS)
