"""`:=` in operands that Python may skip.

PYTEST_DONT_REWRITE: the assertions in the programs are plain ones.
"""

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check, check_all

X, SMALL, MINUS = np.float64(1.5), np.float64(0.25), np.float64(-1.5)
XS = np.array([1.0, 2.0, -3.0, 4.0])
PLAIN = ((1.5,), (0.25,), (-1.5,))
EVERY = ((X,), (SMALL,), (MINUS,), *PLAIN)


def test_an_if():
    def f(x):
        if x > 0 and (y := x * 2) > 1:
            return y
        return x - 1

    check_all(f, *EVERY)


def test_an_if_without_jumps():
    def f(x):
        total = 0.0
        if x > 0 and (y := x * 2) > 1:
            total += y
        return total

    check_all(f, *EVERY)


def test_a_name_that_was_not_bound():
    def f(x):
        if x > 0 and (y := x * 2) > 1:
            x = x + y
        return x * y

    check_all(f, *EVERY)


def test_a_name_that_keeps_its_value():
    def f(x):
        y = x - 1
        if x > 0 and (y := x * 2) > 1:
            x = x + y
        else:
            x = x - y
        return x * y

    check_all(f, *EVERY)


def test_chains_of_elifs():
    def f(x):
        if (m := x - 1) > 0 or (k := x + 1) > 0.2:
            z = m
        elif (u := x * m) > 1 and (w := x + 2) > 0.3:
            z = u + w
        elif x < -5 or (u := x - 1) > 0 or (v := u * 2) > 0:
            z = m * 3
        else:
            z = v
        return z + m

    check_all(f, *EVERY, (np.float64(-0.9),), (np.float64(-1.1),), (np.float64(-9.0),))


def test_the_alternative_that_was_not_evaluated():
    def f(x):
        if (m := x - 1) > 0 or (k := x + 1) > 0.2:
            return m * k
        return k

    check_all(f, *EVERY)


def test_a_while():
    def f(xs, n):
        i, total = 0, 0.0
        while i < n and (v := xs[i]) > 0:
            total += v
            i += 1
        return total, i

    check_all(f, *((XS, np.int32(n)) for n in (0, 1, 2, 4)), (XS, 2), ([1.0, -2.0, 3.0], 3))


def test_what_a_while_has_bound():
    def f(xs, n):
        i = 0
        while i < n and (v := xs[i]) > 0:
            i += 1
        return v + i

    check_all(f, *((XS, np.int32(n)) for n in (0, 1, 2, 4)), (XS, 0))


def test_a_while_with_jumps_and_an_else():
    def f(xs, n, limit):
        i, total = 0, 0.0
        while i < n and (v := xs[i]) != 7.0:
            i += 1
            if v < 0:
                continue
            total += v
            if total > limit:
                break
        else:
            total = -total
        return total

    check_all(f, *((XS, np.int32(n), np.float64(m)) for n in (0, 2, 4) for m in (0.5, 2.5, 50.0)))
    check(f, XS, 4, 50.0)


def test_a_while_that_a_return_leaves():
    def f(xs, n):
        i = 0
        while i < n or (v := i * 0.5) < 1:
            i += 1
            if xs[i % 4] < 0:
                return xs[i % 4] * 2
        return v + i

    check_all(f, *((XS, np.int32(n)) for n in (0, 1, 4)), (abs(XS), np.int32(1)), (XS, 1))


def test_a_while_whose_test_always_binds_that_a_jump_leaves():
    def f(x, limit):
        while (y := x / 2) > 1:
            x = y
            if x < limit:
                break
        else:
            x = -x
        return x, y

    check_all(f, *((np.float64(9.0), np.float64(m)) for m in (3.0, 0.5)), (9.0, 3.0), (0.5, X))


def test_loops_in_loops():
    def f(xs, n):
        total, i = 0.0, 0
        while i < n and (a := xs[i]) > -5:
            k = 0
            while k < i and (b := xs[k] * a) < 7:
                total += b
                k += 1
            i += 1
        return total

    check_all(f, *((XS, np.int32(n)) for n in (0, 1, 4)))


def test_loop_options_stay_in_front():
    def f(x):
        total = ag.zeros([0], ag.float64) if isinstance(x, ag.Tensor) else np.zeros([0])
        while x > 0 and (y := x * 2) > 1:
            ag.autograph.experimental.set_loop_options(maximum_iterations=7)
            x = x - 1
        return x + y

    check(f, np.float64(3.5))


def test_values_of_or_and_and():
    def f(x):
        z = (x > 1) or (b := x + 1) > 0
        a = x and (c := x * 3)
        return z, a

    def g(x):
        w = x or (b := x + 2)
        return w * 2

    check_all(f, *EVERY)
    check_all(g, *EVERY, (np.float64(0.0),), gradient=False)


def test_several_operands():
    def f(x):
        return (x > 0 and (y := x * 2) > 1 and y < 9) or x < -1

    check_all(f, *EVERY, (np.float64(6.0),))


def test_conditional_expressions():
    def f(x, other):
        return (p := x) if x > 0 and (q := x * 2) > 1 else other

    def g(x, other):
        z = (p := x * 2) if x > 0.5 else (q := other * x)
        return z + p

    check_all(f, *((x, np.float64(7.0)) for x in (X, SMALL, MINUS, 1.5)))
    check_all(g, *((x, np.float64(7.0)) for x in (X, SMALL, 1.5, -1.5)))


def test_chains_of_comparisons():
    def f(x):
        if 0 < x < (y := x * x) < 9:
            return y
        return x - 1

    def g(x):
        z = x - 1
        inside = z < x < (y := z * 4)
        return y if inside else z

    def h(x):
        z = x - 1
        inside = z < x - 2 < (y := z * 4)
        return y

    check_all(f, *EVERY, (np.float64(3.5),))
    check_all(g, *EVERY)
    check_all(h, *EVERY)


def test_assertions():
    def f(x):
        assert x > 0 or (y := x + 2) > 1, f"{x:.2f}"
        return x * 2

    def g(x):
        assert x > 0 and (y := x * 2) > 1
        return y

    def h(x):
        assert x > 0, (text := "too small")
        return x

    for each in (f, g, h):
        check_all(each, *EVERY)


def test_what_comes_before_is_evaluated_before():
    def f(x):
        def say(text, value):
            print(text, value)
            return value

        z = say("a", x) * say("b", x + 2) + (say("c", x) > 0 and (y := say("d", x * 3)))
        most = max(say("f", x - 1), (y := say("g", x)) if x > 1 else say("h", x * 2))
        return z + say("e", most)

    check_all(f, (X,), (SMALL,), (MINUS,))


def test_names_that_change_meanwhile():
    def f(x):
        y = x * 3
        return y + ((y := x + 1) if x > 1 else x) + y

    def g(x):
        def change():
            nonlocal y
            y = y + x
            return y

        y = x * 3
        return y + ((z := change()) if x > 1 else x) + y

    check_all(f, *EVERY)
    check_all(g, *EVERY)


def test_arguments_and_displays():
    def f(x, *more, **named):
        rows = [x, *more, (y := x * 2) if x > 1 else x]
        table = {"a": x, **named, "b": (y := x * 3) if x < 1 else x}
        return rows, table

    def g(x):
        def inner(*values, **named):
            return sum(values) + named["k"] * named.get("b", 1.0)

        return inner(x, *(x, 2.0), b=x + 1, k=(y := x * 2) if x > 1 else x)

    check_all(f, *EVERY)
    check_all(g, *EVERY)


def test_indexes():
    def f(xs, i):
        return xs[i] + xs[(k := i + 1) if i < 2 else 0] * xs[i - 1 : i + 2][0]

    check_all(f, *((XS, np.int32(n)) for n in (1, 2)))


def test_statements_of_all_kinds():
    def f(x, xs):
        x > 0 and (y := x * 2) > 1 and print("large")
        total = x
        total += (z := x * 2) if x > 1 else 1.0
        kept: float = (z := x * 3) if x < 1 else 2.0
        for v in xs if x < 1 and (z := x + 1) > 0 else xs * 2:
            total += v
        if not (x > 0 and (w := x + 1) > 0.5):
            total -= 1.0
        return total, kept, z

    check_all(f, *((x, XS) for x in (X, SMALL, MINUS, 1.5, -1.5)))


def test_raise():
    def f(x):
        if x > 1 and (y := x * 2) > 2:
            raise ValueError(f"{y:.1f}" if x > 9 or (z := y) > 1 else "other")
        return x

    check_all(f, *EVERY)


def test_guards():
    def f(x, k):
        match k:
            case 1 if x > 0 and (y := x * 2) > 1:
                return y
            case 1 | 2 if x > 0 or (y := x + 1) > 0:
                return x * 3
        return x

    check_all(f, *((x, np.int32(k)) for x in (X, SMALL, MINUS) for k in (1, 2, 3)))


def test_comprehensions():
    def f(xs):
        return [y for v in xs if v > 0 and (y := v * 2) > 2]

    def g(xs, x):
        w = 0.0
        if x > 0 and [(w := v * 2) for v in (xs[0], xs[1])][0] > 1:
            return w
        return w - 1

    check(f, XS)
    check_all(g, (XS, X), (XS, MINUS), (XS, 1.5))


def test_each_operand_is_asked_once():
    class Odd:
        def __init__(self, truth):
            self.truth, self.asked = truth, 0

        def __bool__(self):
            self.asked += 1
            return self.truth

    def f(x, one, two):
        odds = Odd(one), Odd(two)
        if odds[0] and (y := odds[1]):
            x = x + 1
        else:
            x = x - 1
        if odds[0] or (y := odds[1]):
            x = x * 3
        z = odds[0] and (y := odds[1])
        z = odds[0] or (y := odds[1])
        return x, odds[0].asked, odds[1].asked

    check_all(f, *((X, a, b) for a in (True, False) for b in (True, False)))


def test_lists_as_operands():
    def f(x, n):
        rows = [x for _ in range(n)]
        if rows and (y := rows[0]) > 1:
            return y
        return x * 3

    check_all(f, *((x, np.int32(n)) for x in (X, MINUS) for n in (0, 2)))


def test_in_try_with_and_functions_inside():
    def f(x):
        def inner(v):
            if v > 0 and (y := v * 2) > 1:
                return y
            raise ValueError("no")

        try:
            if x > 1 and (z := inner(x)) > 1:
                x = z
            else:
                x = inner(x)
        except ValueError:
            if x < 0 or (z := x) > 0.1:
                x = x * 5
        return x

    check_all(f, *EVERY)


def test_an_attribute_of_an_object():
    class Box:
        def __init__(self, v):
            self.v = v

        def double(self, by):
            self.v = self.v * by
            return self.v

    def f(x):
        box = Box(x)
        if box.v > 0 and (y := box.double(2)) > 1:
            box.v = box.v + y
        return box.v

    check_all(f, *EVERY)


def test_the_line_of_an_error():
    def f(x):
        if x > 0 and (y := x * 2) > 1:
            x = x + y
        return x + y  # here

    with pytest.raises(UnboundLocalError) as caught:
        ag.function(f)(ag.constant(-1.0))
    first = f.__code__.co_firstlineno
    assert caught.traceback[-1].lineno + 1 == first + 3


def test_names_of_functions_around():
    def f(x):
        y = x * 3

        def inner(v):
            nonlocal y
            if v > 0 and (y := v * 2) > 1:
                return y + 1
            return y

        return inner(x) + y

    check_all(f, *EVERY)


def test_names_that_locals_show():
    def f(x, k):
        if k > 0 and (y := x * k) is not None:
            x = y
        return x, sorted(locals())

    check_all(f, (X, 1), (X, 0))


def test_generators():
    def f(xs):
        def large(rows):
            for v in rows:
                if v > 0 and (y := v * 2) > 3:
                    yield y
                yield (z := v) if v < 0 else v + 1

        total = 0.0
        for v in large(xs):
            total += v
        return total

    check(f, XS)


def test_a_name_in_a_lambda_or_a_text_is_refused():
    def f(x):
        return (lambda v: v > 0 and (y := v * 2) > 1)(x)

    def g(x):
        return f"{x > 0 and (y := x * 2) > 1}"

    for each in (f, g):
        with pytest.raises(
            TypeError, match=r"test_assignments_in_operands\.py:\d+.* beside a `:=`"
        ):
            ag.function(each)(ag.constant(1.5))


def test_augmented_assignments():
    class Box:
        total = 1.0

    def f(x):
        y = x * 3
        y += (y := x + 1) if x > 1 else x
        box = Box()
        box.total += y * 2 if x > 1 and (y := y - x) > 1 else x
        return y, box.total

    def g(xs, i):
        rows = xs * 2
        rows[i] += rows[i - 1] if xs[i] > 0 and (i := i + 1) < 3 else xs[0]
        rows[i - 1 : i + 1] *= (k := i + 2) if i < 3 else 2
        return rows, i

    def h(x):
        def change():
            nonlocal y
            y = y + x
            return y

        y = x * 3
        y += (z := change()) if x > 1 else x
        return y

    check_all(f, *EVERY)
    check_all(g, *((XS, np.int32(n)) for n in (0, 1, 2)))
    check_all(h, *EVERY)


def test_what_any_and_all_have_found():
    def f(xs, x):
        if any((w := v * 2) > x for v in xs):
            return w
        return w - 100

    def g(xs, x):
        v = 7.0
        if x > 0 and not all((w := v) < x or (u := v + 1) > 9 for v in (xs[0], xs[1], xs[3])):
            return w * u + v
        return v

    def h(xs, n):
        i = 0
        while i < n and any(
            i < k < (m := k * 2) and (w := v) > 1 for k in range(n) for v in xs if v != 0
        ):
            i += 1
        return m, w, i

    def k(xs, x):
        if x > 1:
            y = x
        return any((w := v * y) > x for v in xs), w

    check_all(k, (XS, X), (XS, SMALL), (XS, 1.5), (XS, 0.5))
    check_all(f, *((XS, np.float64(x)) for x in (0.5, 1.5, 3.0, 50.0)), (XS, 3.0))
    check_all(g, *((XS, np.float64(x)) for x in (-1.0, 1.5, 3.0, 50.0)), (XS, 3.0))
    check_all(h, *((XS, np.int32(n)) for n in (0, 1, 2, 4)), (XS, 3))


def test_any_in_any():
    def f(xs, x):
        if any((w := v) > 1 and all((u := v * k) > x for k in xs if k > 0) for v in xs):
            return w, u
        return w, x

    def g(xs, x):
        if any((w := sum([v * k for k in (x, 2.0)])) > 1 for v in xs):
            return w
        return x

    for each in (f, g):
        check_all(each, *((XS, np.float64(x)) for x in (-1.0, 1.5, 3.0, 50.0)), (XS, 3.0))


def test_any_of_the_users():
    def any(items):
        return len(list(items)) + 0.5

    def f(xs, x):
        return any((w := v) > 1 for v in (1, 2, 3)) * w * x

    check(f, XS, X)
