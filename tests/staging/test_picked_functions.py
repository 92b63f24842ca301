"""Functions, methods and classes that a tensor, or a Python value, picks: then they are called."""

import numpy as np
import pytest

from tests.staging.differential import check, check_all

X = np.float64(1.5)
EVERY = [(X, np.int32(n)) for n in range(3)]


def halved(x):
    while x > 1:
        x = x / 2
    return x


def raised(x):
    return x**3 if x > 1 else x


class Bend:
    """Methods with branches of their own."""

    scale = 2.0

    def up(self, x):
        return x * self.scale if x > 1 else x

    def down(self, x):
        return x - self.scale if x > 1 else -x

    def flat(self, x):
        return x * 0.5


FUNCTIONS = [halved, raised, lambda x: -x]


def by_index(x, n):
    return FUNCTIONS[n](x)


def by_key(x, n):
    return {0: halved, 1: raised, 2: lambda x: -x}[n](x)


def by_branch(x, n):
    if n == 0:
        f = halved
    elif n == 1:
        f = raised
    else:

        def f(x):
            return x * x

    return f(x) + f(x + 1)


def by_expression(x, n):
    return (halved if n == 0 else raised if n == 1 else abs)(x)


def by_a_function(x, n):
    def pick(n):
        if n == 0:
            return halved
        if n == 1:
            return raised
        return FUNCTIONS[2]

    return pick(n)(x)


def methods(x, n):
    bend = Bend()
    return [bend.up, bend.down, bend.flat][n](x)


def perhaps_none(x, n):
    f = None
    if n == 0:
        f = halved
    elif n == 1:
        f = raised
    return x if f is None else f(x)


@pytest.mark.parametrize(
    "function", [by_index, by_key, by_branch, by_expression, by_a_function, methods, perhaps_none]
)
def test_one_of_three_functions(function):
    check_all(function, *EVERY)


def test_a_loop_goes_from_one_function_to_the_next():
    def f(x, n):
        step = halved
        for k in range(n):
            if k == 1:
                step = raised
            if k == 2:
                step = FUNCTIONS[2]
            x = step(x) + 1
        return step(x)

    check_all(f, *((X, np.int32(n)) for n in range(5)))


def test_one_of_three_classes():
    class Small:
        def __init__(self, x):
            self.x = x

    class Large(Small):
        def __init__(self, x):
            super().__init__(x * 10)

    def f(x, n):
        return [Small, Large, Small][n](x).x

    check_all(f, *EVERY)


def test_functions_with_variables_of_their_branch():
    def f(x, n):
        if n == 0:
            a = x * 5

            def g(y):
                return y - a
        elif n == 1:
            b = x * x
            g = lambda y: y * b  # noqa: E731
        else:
            g = lambda y: y + x  # noqa: E731
        return g(x + 1)

    check_all(f, *EVERY)


def test_such_a_variable_is_unbound_where_the_branch_is_not_taken():
    def f(x):
        def g(y):
            return y - a

        if x > 0:
            a = x * 5
        return g(x)

    check_all(f, (np.float64(1.0),), (np.float64(-1.0),))


@pytest.mark.parametrize("flag", [True, False])
def test_what_python_values_pick_is_converted(flag):
    def f(x, flag):
        bend = Bend()
        a = (bend.up if flag else bend.down)(x)
        b = [bend.down, bend.up][flag](x)
        c = {True: bend.up, False: bend.down}[flag](x)
        d = ((flag and bend.up) or bend.down)(x)
        e = next(iter([bend.up, bend.down]))(x)
        if flag:
            g = bend.down
        else:
            g = bend.up
        return a, b, c, d, e, g(x), [halved, raised][int(flag)](x)

    check(f, X, flag)
