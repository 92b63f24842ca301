"""Objects that lead to one another, of which a branch or loop chooses one."""

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

CALLS = [(np.array([1.5, -2.0, 3.0]),), (np.array([-1.5, 2.0, 3.0]),)]


class Node:
    def __init__(self, value):
        self.value = value
        self.next = None
        self.prev = None


def ring(count):
    nodes = [Node(k * 1.0) for k in range(count)]
    for k in range(count):
        nodes[k].next = nodes[(k + 1) % count]
        nodes[k].prev = nodes[k - 1]
    return nodes


def a_cursor(xs):
    current = ring(2)[0]
    for x in xs:
        if x > 0:
            current = current.next
    return current.value


def a_cursor_that_changes_what_it_meets(xs):
    nodes = ring(3)
    current = nodes[0]
    for x in xs:
        current = current.next if x > 0 else current.prev
        current.value += x
    return [node.value for node in nodes], current.value


def one_by_branch(xs):
    first, second = ring(2)
    total = 0.0
    for x in xs:
        node = first if x > 0 else second
        total += node.next.value * x
    return total


@pytest.mark.parametrize("function", [a_cursor, a_cursor_that_changes_what_it_meets, one_by_branch])
def test_cycles(function):
    check_all(function, *CALLS)


def test_a_while_loop_over_a_cycle_is_refused():
    def goes_round(xs):
        current = ring(2)[0]
        steps = 0
        while steps < xs[0]:
            current = current.next
            steps += 1
        return current.value

    with pytest.raises(StagingError, match="lead to one another .* keep the objects in a list"):
        ag.function(goes_round)(*CALLS[0])
