"""Objects of two classes, one made in each branch, and what is done to them afterwards."""

import numpy as np
import pytest

from tests.staging.differential import check_all

X = np.float64(1.5)
BOTH = [(X, np.int32(0)), (X, np.int32(1))]


class Square:
    def __init__(self, side):
        self.side = side

    def area(self):
        return self.side * self.side

    def grow(self, by):
        self.side = self.side + by
        return self


class Circle:
    def __init__(self, radius):
        self.radius = radius * 0.5
        self.side = radius

    def area(self):
        area = 3.0
        if self.radius > 0.5:
            area = 3.25 * self.radius
        return area * self.radius

    def grow(self, by):
        self.radius *= by
        return self


class Cube(Square):
    def __init__(self, side):
        super().__init__(side * 10)

    def area(self):
        return 6 * super().area()


def made(x, n):
    if n == 0:
        shape = Square(x)
    else:
        shape = Circle(x)
    return shape.area(), shape.side


def in_an_expression(x, n):
    shape = Square(x) if n == 0 else Cube(x)
    return shape.area()


def changed_afterwards(x, n):
    if n == 0:
        shape = Square(x)
    else:
        shape = Circle(x)
    shape.side = shape.side + 1
    if x > 1:
        shape.grow(2.0)
    return shape.area(), shape.side


def changed_in_a_loop(x, n):
    shape = Square(x)
    if n == 0:
        shape = Circle(x)
    for _ in range(3):
        shape.grow(1.5)
    return shape.area()


def given(x, n):
    def make(x, n):
        if n == 0:
            return Square(x)
        return Circle(x * 2)

    return make(x, n).area() + make(-x, 1 - n).area()


def by_class(x, n):
    return [Square, Cube, Square][n](x).area()


def of_one_class_or_the_other_in_three_branches(x, n):
    if n == 0:
        shape = Square(x)
    elif n == 1:
        shape = Cube(x)
    else:
        shape = Square(x * 3)
    return shape.area()


def made_again_in_a_loop(x, n):
    shape = Square(x)
    for k in range(n):
        shape = Circle(x * k)
    return shape.area()


def beside_a_branch_that_raises(x, n):
    if n == 0:
        raise ValueError("no shape")
    else:
        shape = Cube(x * 10)
    return shape.side


def beside_another_branch_that_raises(x, n):
    if n == 0:
        shape = Square(x * 10)
    elif n == 1:
        shape = Circle(x * 10)
    else:
        raise ValueError("no shape")
    return shape.side


@pytest.mark.parametrize(
    "function",
    [
        made,
        in_an_expression,
        changed_afterwards,
        changed_in_a_loop,
        given,
        by_class,
        of_one_class_or_the_other_in_three_branches,
        made_again_in_a_loop,
        beside_a_branch_that_raises,
        beside_another_branch_that_raises,
    ],
)
def test_objects_of_two_classes(function):
    check_all(function, *BOTH, (X, np.int32(2)))
