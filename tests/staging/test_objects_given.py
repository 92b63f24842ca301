"""Objects and deques that a traced function makes and gives."""

from __future__ import annotations

import collections

import numpy as np

import autograph_lite as ag


class Cell:
    def __init__(self, x):
        self.x = x
        self.items = []

    def double(self):
        return self.x * 2


class Slotted:
    __slots__ = ("x", "y")

    def __init__(self, x):
        self.x = x


def test_attributes_have_values():
    @ag.function
    def f(n):
        cell = Cell(n)
        cell.items.append(n + 1)
        return cell

    for n in (3, 5):
        made = f(ag.constant(n))
        assert type(made) is Cell
        assert made.x.numpy() == n
        assert made.items[0].numpy() == n + 1
        assert made.double().numpy() == 2 * n
    assert f(ag.constant(1)) is not f(ag.constant(1))


def test_in_containers_and_in_one_another():
    @ag.function
    def f(n):
        return {"cells": [Cell(Cell(n)), Cell(2)]}

    first, second = f(ag.constant(np.float64(1.5)))["cells"]
    assert first.x.x.numpy() == 1.5
    assert second.x == 2


def test_items_of_any_length():
    @ag.function
    def f(n):
        cell = Cell(n)
        for i in range(n):
            cell.items.append(i)
        return cell

    assert [x.numpy() for x in f(ag.constant(3)).items] == [0, 1, 2]


def test_slots():
    @ag.function
    def f(n):
        return Slotted(n)

    made = f(ag.constant(4))
    assert made.x.numpy() == 4
    assert not hasattr(made, "y")


def test_deques():
    @ag.function
    def f(n):
        last = collections.deque([n, n + 1], maxlen=2)
        last.append(n + 2)
        return last

    made = f(ag.constant(1))
    assert type(made) is collections.deque
    assert made.maxlen == 2
    assert [x.numpy() for x in made] == [2, 3]


def test_called_by_a_traced_function():
    @ag.function
    def inner(n):
        return Cell(n + 1)

    @ag.function
    def outer(n):
        cell = inner(n)
        cell.x = cell.x * 2
        return cell.x

    assert outer(ag.constant(3)).numpy() == 8
