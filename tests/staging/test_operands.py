"""`items or [0]` and `items if c else [0]`: the list itself, or another one."""

from __future__ import annotations

import numpy as np
import pytest

from tests.staging.differential import check, check_all


def list_or_a_new_one(xs, x):
    items = [v for v in xs if v > x]
    items = items or [x]
    items.append(x)
    return items


def operand_that_is_only_read(xs, x):
    items = [v for v in xs if v > x]
    s = sum(items or [x])
    items.append(x)
    return items, s


def operand_that_is_gone_over(xs, x):
    items = [v for v in xs if v > x]
    s = 0.0
    for w in items or [x]:
        s += w
    items.append(x)
    return items, s


def operand_of_a_conditional_expression(xs, x):
    items = [1.0, 2.0]
    s = 0.0
    for w in xs:
        s += sum(items if w > 0 else [x])
        items[0] = w
    return items, s


def operand_that_has_a_name(xs, x):
    items = [1.0, 2.0]
    s = 0.0
    for w in xs:
        t = items if w > 0 else [x, x]
        s += t[0]
        items[0] = w
    return items, s


def operand_of_library_functions(xs, x):
    items = [v for v in xs if v > x]
    t = items or [x]
    s = np.sum(np.stack(t)) + len(t) + max(t)
    y = [w * 2 for w in t] + t
    return y, s


def operand_that_changes(xs, x):
    items = [v for v in xs if v > x]
    t = items or [x]
    t.append(5.0)
    return items, t


def parameter_with_a_default(xs, x):
    def first(given=None):
        given = given or [x]
        given.append(2.0)
        return given[0]

    items = [v for v in xs if v > x]
    return first(items), first(), items


def carried_and_read(xs, x):
    items = [v for v in xs if v > x]
    s = 0.0
    for w in xs:
        items = items or [x]
        s += items[0]
    return items, s


def carried_or_made_in_a_pass(xs, x):
    items = [v for v in xs if v > x]
    s = 0.0
    for w in xs:
        items = items if w > 0 else [w, 1.0]
        s += sum(items)
    return items, s


def carried_with_a_known_length(xs, x):
    items = [1.0, 2.0]
    s = 0.0
    for w in xs:
        items = items if w > 0 else [w, 1.0]
        s += sum(items)
    return items, s


def carried_out_of_a_branch(xs, x):
    items = [v for v in xs if v > x]
    if x > 3:
        items = items or [x]
        items.append(x)
    return items


def emptied_by_an_expression(xs, x):
    items = []
    for w in xs:
        items = items if w > 0 else []
        items.append(w)
    return items


def dict_or_a_new_one(xs, x):
    items = {"a": x}
    for w in xs:
        items = items if w > 0 else {"a": w}
        items["a"] += w
    return items


def best_pair(xs, x):
    best = [0.0, 0.0]
    for w in xs:
        best = [w, x] if w > best[0] else best
    return best


def pair_of_a_while(xs, x):
    best = [0.0, 0.0]
    while best[0] < 5:
        best = best if x > 3 else [best[0] + 1, x]
        best = [best[0] + 1, best[1]]
    return best


def put_into_a_list(xs, x):
    row = [x, 1.0]
    rows = [row]
    for w in xs:
        row = row if w > 0 else [w, x]
        rows.append(row)
    return rows


FUNCTIONS = [
    list_or_a_new_one,
    operand_that_is_only_read,
    operand_that_is_gone_over,
    operand_of_a_conditional_expression,
    operand_that_has_a_name,
    operand_of_library_functions,
    operand_that_changes,
    parameter_with_a_default,
    carried_and_read,
    carried_or_made_in_a_pass,
    carried_with_a_known_length,
    carried_out_of_a_branch,
    emptied_by_an_expression,
    dict_or_a_new_one,
    best_pair,
    pair_of_a_while,
    put_into_a_list,
]


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_like_python(function):
    for x in (2.0, 5.0):
        check(function, np.array([1.0, -2.0, 3.0]), np.float64(x), dtypes=False)


def test_operands_of_both_kinds():
    def f(x, y):
        a = x and x * 2 or y
        b = (x or y) and (y and x + 1 or x - 1)
        c = (x > 1 and (x or y)) or y * 3
        d = ((x and y) or (y and x) or x + 5) and y - 1
        return a, b, c, d

    numbers = [np.float64(0.0), np.float64(1.5), np.float64(2.0)]
    check_all(f, *((x, y) for x in numbers for y in numbers), gradient=False)
    check_all(f, *((x, y) for x in (0.0, 1.5) for y in (0.0, 2.0)), gradient=False)
