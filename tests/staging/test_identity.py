"""`is` and `type` of what a branch or a loop over tensors has left."""

import enum

import numpy as np

from tests.staging.differential import check_all

MISSING = object()
BOTH = [(np.float64(1.5),), (np.float64(-1.5),)]


class Colour(enum.Enum):
    RED = 1
    BLUE = 2


class Node:
    def __init__(self, value):
        self.value = value


class Leaf(Node):
    pass


def test_a_mark_for_what_is_missing():
    def f(x):
        found = MISSING
        if x > 0:
            found = x
        return 0.0 if found is MISSING else found * 2, MISSING is not found

    check_all(f, *BOTH)


def test_a_member_in_a_variable():
    def f(x):
        wanted = Colour.RED
        colour = Colour.RED if x > 0 else Colour.BLUE
        return colour is wanted, colour is not wanted, wanted is colour, colour is Colour.BLUE

    check_all(f, *BOTH)


def test_one_of_two_objects():
    def f(x):
        a, b = Node(x), Node(-x)
        picked = a if x > 0 else b
        return picked is a, picked is b, b is not picked

    check_all(f, *BOTH)


def test_bools_of_python_that_became_tensors():
    def f(xs):
        found, none = False, True
        for x in xs:
            if x > 2:
                found = True
                none = False
        return found is True, found is False, none is not True, True is found

    check_all(f, (np.array([1.0, 3.0]),), (np.array([1.0, 2.0]),))


def test_bools_of_numpy_are_neither():
    def f(x):
        large = x > 1
        return large is True, large is False, large is not True

    check_all(f, *BOTH)


def test_the_class_of_what_a_branch_has_made():
    def f(x):
        if x > 0:
            node = Node(x)
        else:
            node = Leaf(x * 2)
        kind = type(node)
        return kind is Leaf, type(node) is Node, kind == Leaf, isinstance(node, Leaf), node.value

    check_all(f, *BOTH)


def test_arguments_left_out():
    def f(x, scale=MISSING):
        def scaled(x, scale=MISSING):
            return x if scale is MISSING else x * scale

        return scaled(x) + scaled(x, x)

    check_all(f, *BOTH)
