"""Loops whose variables are made of more objects with each pass: over few items, they are unrolled."""

from __future__ import annotations

from collections import deque

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from autograph_lite.staging import unrolling
from tests.staging.differential import check_all

CALLS = [(np.array(xs, np.float32),) for xs in ([1, 2, 3, 4, 5], [3, -1, 2, 2, 0])]


class Node:
    def __init__(self, v, after=None):
        self.v = v
        self.after = after


def a_window(xs):
    window = deque(maxlen=3)
    means = []
    for x in xs:
        window.append(x)
        means.append(sum(window) / len(window))
    return means


def the_most_in_a_window(xs):
    window = deque([xs[0]] * 3, maxlen=3)
    total = 0.0
    for x in xs:
        window.append(x)
        total += max(window) - min(window)
    return total


def ordered_and_asked(xs):
    window = deque([xs[0]], maxlen=3)
    for x in xs:
        window.appendleft(x)
    return sorted(window), any(w > 2 for w in window), all(window)


def a_queue(xs):
    queue = deque()
    for x in xs:
        queue.append(x)
    total = 0.0
    while queue:
        total = total * 0.5 + queue.popleft()
    return total


def a_queue_of_pairs(xs):
    queue = deque()
    for i, x in enumerate(xs):
        queue.append((i, x))
        if len(queue) > 2:
            queue.popleft()
    return list(queue)


def a_linked_list(xs):
    head = None
    for x in xs:
        head = Node(x, head)
    total = 0.0
    while head is not None:
        total = total * 0.5 + head.v
        head = head.after
    return total


class Tree:
    def __init__(self, v):
        self.v = v
        self.low = self.high = None


def a_search_tree(xs):
    def insert(tree, v):
        if tree is None:
            return Tree(v)
        if v < tree.v:
            tree.low = insert(tree.low, v)
        else:
            tree.high = insert(tree.high, v)
        return tree

    def total(tree):
        return 0.0 if tree is None else total(tree.low) * 0.5 + tree.v + total(tree.high)

    root = None
    for x in xs[:3]:
        root = insert(root, x)
    return total(root)


def nested_tuples(xs):
    nested = ()
    for x in xs:
        nested = (x, nested)
    return nested


def a_queue_in_nested_loops(xs):
    queue = deque()
    for x in xs:
        for y in xs[:2]:
            queue.append(x * y)
        queue.popleft()
    return sum(queue)


@pytest.mark.parametrize(
    "function",
    [
        *(a_window, the_most_in_a_window, ordered_and_asked, a_queue, a_queue_of_pairs),
        *(a_linked_list, a_search_tree, nested_tuples, a_queue_in_nested_loops),
    ],
)
def test_like_python(function):
    check_all(function, *CALLS)


def test_it_prints_once():
    def printed(xs):
        queue = deque()
        for x in xs:
            queue.append(x)
            print(x, len(queue))
        return sum(queue)

    check_all(printed, *CALLS)


def test_loops_of_many_passes_are_not_unrolled(monkeypatch):
    monkeypatch.setattr(unrolling.GrowsWithEachPass, "most", 4)
    with pytest.raises(StagingError, match="the length of a deque comes to depend on a tensor"):
        ag.function(a_queue)(ag.constant([1.0] * 5))
    with pytest.raises(StagingError, match="change their type on every pass: the position, head"):
        ag.function(a_linked_list)(ag.constant([1.0] * 5))


def a_long_chain(xs):
    a = b = c = d = e = f = g = None
    for x in xs:
        a, b, c, d, e, f, g = x, a, b, c, d, e, f
    return a, b, g


def test_variables_that_feed_each_other_are_not_taken_for_growing_ones():
    check_all(a_long_chain, *CALLS)
    staged = ag.function(a_long_chain)
    staged.get_concrete_function(ag.TensorSpec([None], ag.float32))


def test_nor_are_those_of_unknown_length():
    staged = ag.function(a_linked_list)
    with pytest.raises(StagingError, match="change their type on every pass"):
        staged.get_concrete_function(ag.TensorSpec([None], ag.float32))
