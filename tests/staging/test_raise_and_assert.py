"""Exceptions of staged programs: raised when they are met, with the user's type and message.

PYTEST_DONT_REWRITE: the assertions in the programs are plain ones.
"""

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check, check_all

ONE, MINUS = np.float64(1.5), np.float64(-1.5)
XS = np.array([1.0, -2.0, 3.0])


class Refused(Exception):
    """An exception with arguments of its own."""

    def __init__(self, code, value):
        super().__init__(code, value)
        self.code = code


def test_only_when_taken():
    def f(x):
        if x < 0:
            raise ValueError("negative")
        return x * 2

    check_all(f, (ONE,), (MINUS,))


def test_with_an_fstring_of_tensors():
    def f(x):
        if x < 0:
            raise ValueError(f"negative: {x:.3f} after {1 + 1}")
        return x * 2

    check_all(f, (ONE,), (MINUS,))


def test_percent_and_format_in_messages():
    def f(x):
        if x < -1:
            raise KeyError("%.2f" % x)
        if x < 0:
            raise IndexError("{:>8.1f}|".format(x))
        return x

    check_all(f, (ONE,), (MINUS,), (np.float64(-0.5),))


def test_before_later_effects():
    def f(xs):
        for x in xs:
            print("at", x)
            if x < 0:
                raise RuntimeError("stop")
        print("end", x)
        return x

    check_all(f, (XS,), (np.abs(XS),))


def test_a_users_exception():
    def f(x):
        if x < 0:
            raise Refused(7, x)
        return x

    with pytest.raises(Refused) as caught:
        ag.function(f)(ag.constant(-2.0))
    assert caught.value.args[0] == 7 and float(caught.value.args[1]) == -2.0


def test_at_the_users_line():
    def f(x):
        if x < 0:
            raise ValueError("here")  # this line
        return x

    with pytest.raises(ValueError) as caught:
        ag.function(f)(ag.constant(-2.0))
    lines = [entry.lineno for entry in caught.traceback if str(entry.path) == __file__]
    with open(__file__) as source:
        assert "# this line" in source.readlines()[lines[-1]]


def test_in_both_branches():
    def f(x):
        if x > 0:
            raise ValueError("positive")
        else:
            raise TypeError("not positive")

    check_all(f, (ONE,), (MINUS,))


def test_assert():
    def f(x):
        assert x > 0
        return x * 2

    check_all(f, (ONE,), (MINUS,))


def test_assert_with_a_message():
    def f(x):
        assert x > 0, f"x is {x}"
        return x * 2

    check_all(f, (ONE,), (MINUS,))


def test_assert_in_a_loop():
    def f(xs):
        s = 0.0
        for i, x in enumerate(xs):
            assert x > -1, ("too small", i)
            s += x
        return s

    check_all(f, (np.abs(XS),))
    with pytest.raises(AssertionError) as caught:
        ag.function(f)(ag.constant(XS))
    assert caught.value.args[0][0] == "too small" and int(caught.value.args[0][1]) == 1


def test_caught():
    def f(x):
        try:
            if x < 0:
                raise ValueError("negative")
            y = x * 2
        except ValueError:
            y = -1.0
        return y

    check_all(f, (ONE,), (MINUS,))


def test_caught_with_else_and_finally():
    def f(x):
        log = []
        try:
            if x < 0:
                raise ValueError("negative")
        except ValueError as error:
            log.append("caught")
            y = -x
        else:
            log.append("fine")
            y = x * 2
        finally:
            log.append("end")
        return y, len(log)

    check_all(f, (ONE,), (MINUS,))


def test_caught_in_a_loop():
    def f(xs):
        s = 0.0
        for x in xs:
            try:
                if x < 0:
                    raise ValueError("negative")
                s += x
            except ValueError:
                s += 100
        return s

    check(f, XS)


def test_not_caught_by_another_type():
    def f(x):
        try:
            if x < 0:
                raise ValueError("negative")
        except KeyError:
            return 0.0
        return x

    check_all(f, (ONE,), (MINUS,))


def test_raised_by_a_called_function():
    def root(x):
        if x < 0:
            raise ValueError("no root")
        return x**0.5

    def f(xs):
        s = 0.0
        for x in xs:
            try:
                s += root(x)
            except ValueError:
                s -= 1
        return s

    check(f, XS)


def test_index_errors_of_lists():
    def f(n):
        values = [1.0, 2.0, 3.0]
        return values[n]

    check_all(f, (np.int32(1),), (np.int32(-1),), (np.int32(3),))


def test_raise_after_a_staged_loop():
    def f(xs):
        s = 0.0
        for x in xs:
            s += x
        if s > 3:
            raise OverflowError(f"sum {s}")
        return s

    check_all(f, (XS,), (np.abs(XS),))


def test_division_by_zero_of_integers():
    def f(n, d):
        if d != 0:
            return n // d
        return -1

    check_all(f, (np.int32(7), np.int32(2)), (np.int32(7), np.int32(0)))


def test_raise_in_a_while():
    def f(n):
        while n > 0:
            n = n - 2
            if n == 1:
                raise ArithmeticError("odd")
        return n

    check_all(f, (np.int32(6),), (np.int32(5),))


def test_raised_on_every_path():
    def f(x):
        print("before", x)
        for k in (1, 2):
            raise ValueError(f"always {x:.1f} {k}")
        return x

    check_all(f, (ONE,), (MINUS,))


def test_raised_in_a_helper_after_printing():
    def refuse(reason):
        raise KeyError(reason)

    def f(x):
        if x > 0:
            print("positive", x)
        refuse("no")

    check_all(f, (ONE,), (MINUS,))


def test_what_is_raised_first():
    def f(x):
        if x < 0:
            raise ValueError("negative")
        raise KeyError("always")

    check_all(f, (ONE,), (MINUS,))


def left_by_an_error(x):
    try:
        while True:
            x = x - 2
            if x < 0:
                raise KeyError("k")
    except KeyError:
        return x


def left_by_an_error_with_a_list(x):
    n, rows = 0, []
    try:
        while True:
            n += 1
            rows.append(x)
            x = x - 2
            if x < 0:
                raise ValueError(f"after {n}")
    except ValueError as error:
        return x, n, rows, str(error)


def left_by_an_error_to_the_caller(x):
    while True:
        x = x - 2
        if x < 0:
            raise ValueError("below")


@pytest.mark.parametrize(
    "function", [left_by_an_error, left_by_an_error_with_a_list, left_by_an_error_to_the_caller]
)
def test_a_loop_without_end_that_an_error_leaves(function):
    check_all(function, *[(np.float64(v),) for v in (5.0, 100.0, -3.0)])
