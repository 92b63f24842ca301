"""Variables that a branch or loop hands on, beside variables of the same names elsewhere."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

from tests.staging.differential import check_all

CALLS = [(np.array([1.5, 2.0]), np.float64(v)) for v in (2.0, -1.0)]


class Cell:
    def __init__(self, a):
        self.a = a
        self.b = 0.5


@contextlib.contextmanager
def lending(cell, amount):
    cell.b += amount
    try:
        yield
    finally:
        cell.b = cell.b * 0.5


@contextlib.contextmanager
def counting(cell):
    yield
    cell.a = cell.a * 10


def passes(cell, xs):
    for x in xs:
        yield x
    cell.b = cell.a + 1


def the_manager_has_one_of_its_own(xs, x):
    cell, box = Cell(0.0), Cell(x)
    with contextlib.suppress(ValueError):
        with lending(box, cell.b):
            cell = Cell([x, x * 2, 2.0][2 % 3])
            box.a = np.array([w for w in xs]).sum()
    with contextlib.suppress(ValueError):
        cell.b += cell.a
    return cell.a, cell.b, box.a, box.b


def the_manager_holds_what_the_block_binds(xs, x):
    first = cell = Cell(x)
    with counting(cell):
        if x > 0:
            cell = Cell(x + 1)
        cell.a += 1
    return first.a, cell.a


def only_the_manager_holds_it(xs, x):
    cell = Cell(x)
    boxes = [cell.a]
    with counting(cell):
        if x > 0:
            cell = Cell(x + 1)
        cell.a += 1
    return boxes, cell.a


def the_generator_holds_what_the_loop_binds(xs, x):
    cell = Cell(x)
    total = 0.0
    for v in passes(cell, [1.0, 2.0]):
        if x > v:
            cell = Cell(v)
        cell.a += 1
        total += cell.a
    return total, cell.a


def a_function_that_is_called_again(xs, x):
    def work(cell, left):
        first = cell
        if x > left:
            cell = Cell(x)
        cell.a += 1
        if left > 0:
            work(cell, left - 1)
        return first.a + cell.a

    kept = Cell(x)
    return work(kept, 2), kept.a


@pytest.mark.parametrize(
    "function",
    [
        the_manager_has_one_of_its_own,
        the_manager_holds_what_the_block_binds,
        only_the_manager_holds_it,
        the_generator_holds_what_the_loop_binds,
        a_function_that_is_called_again,
    ],
)
def test_as_plain_python(function):
    check_all(function, *CALLS)
