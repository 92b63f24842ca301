"""break, continue and return, in any combination, in staged and Python loops."""

import contextlib

import numpy as np
import pytest

from tests.staging.differential import check, check_all

XS = np.array([1.0, -2.0, 3.0, 0.5])


def test_break_in_a_staged_for():
    def f(xs):
        s = 0.0
        for x in xs:
            if x < 0:
                break
            s += x
        return s

    check_all(f, (XS,), (np.abs(XS),))


def test_continue_in_a_staged_for():
    def f(xs):
        s = 0.0
        for x in xs:
            if x < 0:
                continue
            s += x
        return s

    check(f, XS)


def test_return_in_a_staged_for():
    def f(xs):
        for x in xs:
            if x < 0:
                return x * 10
        return 0.0

    check_all(f, (XS,), (np.abs(XS),))


def test_break_continue_and_return_together():
    def f(xs, limit):
        s = 0.0
        for x in xs:
            if x < 0:
                continue
            if s > limit:
                return s * 100
            if x > 2:
                break
            s += x
        return s

    check_all(f, (XS, np.float64(0.5)), (XS, np.float64(5.0)))


@pytest.mark.parametrize("bound", [-1.0, 2.0, 10.0])
def test_the_else_of_a_for(bound):
    def f(xs, bound):
        for x in xs:
            if x > bound:
                where = x
                break
        else:
            where = -1.0
        return where

    check(f, XS, np.float64(bound))


def test_the_else_of_a_while():
    def f(n):
        while n > 0:
            n = n - 3
            if n == 2:
                break
        else:
            n = n * 100
        return n

    check_all(f, (np.int32(5),), (np.int32(7),), (np.int32(0),))


def test_while_true_left_by_a_tensor_break():
    def f(x):
        steps = 0
        while True:
            if x > 100:
                break
            x = x * 2
            steps += 1
        return x, steps

    check(f, np.float64(3.0))


def test_while_true_left_by_return():
    def f(x):
        while True:
            x = x * 2
            if x > 100:
                return x

    check(f, np.float64(3.0))


def test_a_python_for_left_by_a_tensor_condition():
    def f(x):
        s = 0.0
        for i in range(5):
            s += x * i
            if s > 4:
                break
        return s, i

    check_all(f, (np.float64(1.0),), (np.float64(0.1),))


def test_a_python_for_with_continue_and_else():
    def f(x):
        s = 0.0
        for k in (1, 2, 3):
            if x * k < 1:
                continue
            s += k * x
            if s > 10:
                break
        else:
            s = -s
        return s

    check_all(f, (np.float64(0.4),), (np.float64(4.0),))


def test_break_out_of_the_inner_loop_only():
    def f(rows):
        s = 0.0
        for row in rows:
            for x in row:
                if x < 0:
                    break
                s += x
        return s

    check(f, np.array([[1.0, -1.0, 5.0], [2.0, 3.0, -1.0]]))


def test_return_out_of_two_loops():
    def f(rows):
        for i, row in enumerate(rows):
            for j, x in enumerate(row):
                if x < 0:
                    return i, j
        return -1, -1

    check_all(
        f,
        (np.array([[1.0, 1.0], [2.0, -3.0]]),),
        (np.array([[1.0, 1.0], [2.0, 3.0]]),),
        gradient=False,
    )


def test_a_python_loop_in_a_staged_one():
    def f(xs):
        s = 0.0
        for x in xs:
            for k in (1, 2, 3):
                if k * x > 2:
                    break
                s += k * x
            else:
                continue
            s += 100
        return s

    check(f, XS)


def test_a_staged_loop_in_a_python_one():
    def f(xs):
        s = 0.0
        for k in range(3):
            for x in xs:
                if x < 0:
                    break
                s += k * x
            if s > 1:
                return s, k
        return s, -1

    check_all(f, (XS,), (-XS,))


def test_falling_off_the_end():
    def f(x):
        def check_positive(v):
            if v > 0:
                return True

        check_positive(x)
        return x

    check(f, XS[0])


def test_early_returns_in_branches():
    def f(x):
        if x > 2:
            return x * x
        if x > 1:
            y = x + 1
        elif x > 0:
            return x / 2
        else:
            y = -x
        return y * 3

    check_all(f, *[(np.float64(v),) for v in (3.0, 1.5, 0.5, -1.0)])


def test_out_of_a_with():
    @contextlib.contextmanager
    def noted(log):
        log.append("in")
        try:
            yield
        finally:
            log.append("out")

    def f(x):
        log = []
        with noted(log):
            if x > 0:
                return x * 2, len(log)
        return x, len(log)

    check_all(f, (np.float64(1.0),), (np.float64(-1.0),))


def test_out_of_a_with_in_a_loop():
    def f(xs):
        s = 0.0
        for x in xs:
            with contextlib.nullcontext():
                if x < 0:
                    continue
                if x > 2:
                    break
            s += x
        return s

    check(f, XS)


def test_out_of_try_finally():
    def f(x):
        y = 0.0
        try:
            if x > 0:
                return x * 2 + y
            y = x
        finally:
            y = y + 1
        return y

    check_all(f, (np.float64(1.0),), (np.float64(-1.0),))


def test_finally_runs_at_every_pass():
    def f(xs):
        count = 0
        s = 0.0
        for x in xs:
            try:
                if x < 0:
                    continue
                if x > 2:
                    break
                s += x
            finally:
                count += 1
        return s, count

    check(f, XS)


def test_a_return_in_a_called_function():
    def sign(x):
        if x > 0:
            return 1.0
        if x < 0:
            return -1.0
        return 0.0

    def f(xs):
        s = 0.0
        for x in xs:
            s += sign(x) * x
        return s

    check(f, XS)


def test_a_return_value_of_another_structure():
    def f(xs):
        for x in xs:
            if x < 0:
                return {"found": x, "pair": (x, 1)}
        return {"found": 0.0, "pair": (0.0, 0)}

    check_all(f, (XS,), (np.abs(XS),))


def test_recursion_over_python_depth():
    def power(x, n):
        if n == 0:
            return 1.0
        if n % 2:
            return x * power(x, n - 1)
        half = power(x, n // 2)
        return half * half

    def f(x):
        return power(x, 7)

    check(f, np.float64(1.25))


def test_continue_in_while():
    def f(n):
        s = 0
        while n > 0:
            n -= 1
            if n % 2 == 0:
                continue
            s += n
        return s

    check(f, np.int32(9))


def test_a_target_that_a_loop_leaves_behind_inside_of_another_one():
    def returning(xs):
        u = 2.0
        for a in xs:
            if a > 2.5:
                return u
            for b in xs:
                for z in xs:
                    break
                else:
                    z = u
                u = u * 0.5 + z * b
        return u

    def broken(xs, n):
        u, rows = 2.0, [xs[0]]
        for a in xs:
            if a < n:
                rows[-1] = u
                if u > 1.5:
                    break
            while u > 0.5:
                for z in xs[1:]:
                    break
                else:
                    z = a
                u = u * 0.5 + z * 0.01
        return u, rows

    def guarded(xs):
        u = 2.0
        for a in xs:
            try:
                if a > 2.5:
                    raise ValueError
                for b in xs:
                    for z in xs if u > 100 else xs[1:]:
                        break
                    else:
                        z = u
                    u = u * 0.5 + z * b
            except ValueError:
                u = u + 1
        return u

    check_all(returning, (XS,), (np.abs(XS),), (XS - 5,))
    check_all(broken, (XS, np.int32(1)), (np.abs(XS), np.int32(2)))
    check_all(guarded, (XS,), (np.abs(XS),), gradient=False)


def test_the_else_of_a_loop_that_only_jumps_end_never_runs():
    def f(xs):
        n, t = 0, xs[0]
        while True:
            if n > 2:
                break
            n += 1
            if xs[n] > 0:
                t = xs[n] * 2
        else:
            t = t + missing  # noqa: F821
            q = t
        t = xs[1]
        return t * n

    def within_a_loop(xs):
        total = 0.0
        for x in xs:
            while True:
                total = total + x
                if total > 1.0:
                    t = x
                    break
                x = x + 1.0
            else:
                total, q = t, total
                return q
        return total

    check_all(f, (XS,), (-XS,))
    check_all(within_a_loop, (XS,), (-XS,))
