"""Lists, dicts and objects that a tensor picks, and that are changed then."""

from __future__ import annotations

import numpy as np
import pytest

from tests.staging.differential import check_all


class Box:
    def __init__(self):
        self.v = 0

    def add(self, x):
        self.v += x


def append_to_picked_list(n):
    buckets = [[], [], []]
    for i in range(n):
        buckets[i % 3].append(i)
    return buckets


def append_to_chosen_list(n):
    odd, even = [], []
    for i in range(n):
        (odd if i % 2 else even).append(i)
    return odd, even


def attribute_of_chosen_object(n):
    a, b = Box(), Box()
    chosen = a if n > 2 else b
    chosen.v = 9
    return a.v, b.v, chosen.v


def attribute_of_picked_object(n):
    boxes = [Box(), Box()]
    for i in range(n):
        boxes[i % 2].v += i
    return boxes[0].v, boxes[1].v


def method_of_picked_object(n):
    boxes = [Box(), Box(), Box()]
    for i in range(n):
        boxes[i % 3].add(i + 1)
    return [box.v for box in boxes]


def item_of_picked_row(n):
    table = [[1, 2], [3, 4], [5, 6]]
    for i in range(n):
        table[i % 3][i % 2] += i
    return table


def reading_picked_row(n):
    table = [[1, 2], [3, 4]]
    return table[n % 2][0] + table[n % 2][1], len(table[n % 2])


def item_of_chosen_dict(n):
    a, b = {"k": 1}, {"k": 2}
    chosen = a if n > 2 else b
    chosen["k"] += 5
    return a["k"], b["k"], chosen["k"]


def new_dicts_from_every_branch(n):
    if n > 4:
        return {"kind": 1, "v": (n, n - 4)}
    if n > 1:
        return {"kind": 2, "v": (n, 0)}
    return {"kind": 3, "v": (0, 0)}


@pytest.mark.parametrize(
    "function",
    [
        append_to_picked_list,
        append_to_chosen_list,
        attribute_of_chosen_object,
        attribute_of_picked_object,
        method_of_picked_object,
        item_of_picked_row,
        reading_picked_row,
        item_of_chosen_dict,
        new_dicts_from_every_branch,
    ],
)
def test_like_python(function):
    check_all(function, (np.int32(5),), (np.int32(2),), (np.int32(0),), dtypes=False)
