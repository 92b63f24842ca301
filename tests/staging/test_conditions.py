"""What can be asked whether it is true: numbers, tensors, chains, `in`, `and`, `or`, `match`."""

import numpy as np

from tests.staging.differential import check, check_all

ONE, ZERO, MINUS = np.float64(1.5), np.float64(0.0), np.float64(-1.5)
XS = np.array([1.0, -2.0, 3.0, 0.5])


def test_numbers_as_conditions():
    def f(n):
        if n:
            return n * 2
        return n - 1

    check_all(f, (np.int32(3),), (np.int32(0),))


def test_a_size_one_tensor_as_a_condition():
    def f(v):
        if v:
            return v * 2
        return v - 1

    check_all(f, (np.array([3.0]),), (np.array([0.0]),), (np.array([[2.0]]),))


def test_a_number_as_a_loop_test():
    def f(n):
        steps = 0
        while n:
            n //= 2
            steps += 1
        return steps

    check_all(f, (np.int32(9),), (np.int32(0),))


def test_chained_comparisons():
    def f(x, y):
        a = 0 < x < y
        b = -1 <= x <= y < 5
        return a, b, (1 if 0 < x < y < 10 else 2)

    check_all(f, (ONE, np.float64(2.0)), (MINUS, ONE), (ONE, ZERO))


def test_chains_evaluate_once():
    def f(x):
        calls = []

        def middle():
            calls.append(1)
            return x * 2

        r = 0 < middle() < 5
        return r, len(calls)

    check_all(f, (ONE,), (np.float64(4.0),))


def test_in_python_containers():
    def f(n):
        a = n in (1, 2, 3)
        b = n not in [4, 5]
        if n in {7, 8}:
            c = 1
        else:
            c = 0
        return a, b, c

    check_all(f, (np.int32(2),), (np.int32(7),), (np.int32(5),))


def test_in_a_tensor():
    def f(x, xs):
        return x in xs, x not in xs

    check_all(f, (np.float64(3.0), XS), (np.float64(4.0), XS))


def test_in_a_dict_and_a_range():
    def f(n):
        d = {1: "a", 5: "b"}
        return n in d, n in range(3, 6)

    check_all(f, (np.int32(5),), (np.int32(2),))


def test_not():
    def f(x):
        return not x, not x > 0, not (x > 0 and x < 1)

    check_all(f, (ONE,), (ZERO,), (MINUS,))


def test_and_gives_operands():
    def f(x, y):
        return x and y, x > 0 and y, (x and y and x + y)

    check_all(f, (ONE, np.float64(2.0)), (ZERO, ONE), (ONE, ZERO), gradient=False, dtypes=False)


def test_or_gives_operands():
    def f(x, y):
        return x or y, x or y or 7.0

    check_all(f, (ONE, np.float64(2.0)), (ZERO, ONE))
    check(f, ZERO, ZERO, gradient=False)


def test_and_does_not_evaluate_what_python_would_not():
    def f(xs, i):
        return 0 <= i and i < len(xs) and xs[i] > 0

    check_all(f, (XS, np.int32(0)), (XS, np.int32(9)), (XS, np.int32(-1)), dtypes=False)


def test_or_with_python_values():
    def f(x, flag):
        a = flag or x > 0
        b = flag and x > 0
        return (1 if a else 2), (1 if b else 2)

    check_all(f, (ONE, True), (MINUS, False), (MINUS, True), (ONE, False))


def test_conditional_expressions_nested():
    def f(x):
        return 1.0 if x > 1 else x if x > 0 else -x if x > -1 else -1.0

    check_all(f, *[(np.float64(v),) for v in (2.0, 0.5, -0.5, -3.0)])


def test_any_and_all():
    def f(xs):
        return any(xs > 2), all(xs > -3), any([xs[0] > 2, xs[1] < 0]), all((xs[0] > 0, True))

    check(f, XS)


def test_any_and_all_over_generators_stop_early():
    def f(xs):
        seen = []

        def look(x):
            seen.append(x)
            return x < 0

        return any(look(x) for x in xs), len(seen)

    check(f, XS, gradient=False)


def test_is_none():
    def f(x, other=None):
        if other is None:
            other = x
        return x + other, x is None, x is not None

    check(f, ONE)
    check(f, ONE, MINUS)


def test_isinstance():
    def f(x):
        return (x if isinstance(x, (int, str)) else x * 2), isinstance("a", str)

    check(f, ONE)


def test_match_values_and_guards():
    def f(n):
        match n:
            case 0:
                return 10
            case 1 | 2:
                return 20
            case k if k > 100:
                return k
            case _:
                return -1

    check_all(f, *[(np.int32(v),) for v in (0, 2, 500, 7)])


def test_match_sequences():
    def f(xs):
        match xs:
            case (a, b):
                return a + b
            case (a, b, c):
                return a * b * c
            case _:
                return xs[0]

    check(f, [ONE, MINUS])
    check(f, [ONE, MINUS, ONE])
    check(f, [ONE])


def test_conditions_that_change_from_python_to_tensor():
    def f(x):
        done = False
        steps = 0
        while not done:
            x = x * 2
            steps += 1
            done = x > 10
        return x, steps

    check(f, ONE)


def test_while_with_and():
    def f(xs, target):
        i = 0
        while i < len(xs) and xs[i] != target:
            i += 1
        return i

    check_all(f, (XS, np.float64(3.0)), (XS, np.float64(9.0)))


def test_while_with_or_and_a_counter():
    def f(x):
        k = 0
        while x > 1 or k < 2:
            x = x / 2
            k += 1
        return x, k

    check_all(f, (np.float64(9.0),), (np.float64(0.5),))


def test_bool_and_comparisons_as_numbers():
    def f(xs):
        count = 0
        for x in xs:
            count += x > 0
        return count, bool(xs[0]), (xs[0] > 0) + 1

    check(f, XS, dtypes=False)


def test_comparisons_of_tuples():
    def f(a, b):
        best = (0.0, -1)
        for i, x in enumerate((a, b)):
            if (x, i) > best:
                best = (x, i)
        return best

    check_all(f, (ONE, MINUS), (MINUS, ONE), (MINUS, MINUS), gradient=False)


def test_equality_of_structures():
    def f(a, b):
        return (a, b) == (b, a), [a, b] != [a, b]

    check_all(f, (ONE, ONE), (ONE, MINUS))


def test_a_list_of_any_length_as_an_operand():
    def f(xs, n):
        items = [v for v in xs if v > 0]
        t = 0.0
        if n == 4 or items:
            t += 2.0
        if items and n > 2:
            t += 3.0
        while (n > 5 and items) or len(items) > 1:
            t += items.pop()
        return t if items or n > 2 else t - 0.5

    xs = np.array([1.0, -2.0, 3.0])
    check_all(f, (xs, np.int32(4)), (-xs, np.int32(1)), (xs - 5, np.int32(6)))


def test_in_lists_and_tuples_of_tensors():
    def f(n, k):
        items = [n, n + 1]
        first = 2 in [0, 1, k]
        second = 3 not in (n, k)
        return first, second, 4 in items, (1, 2) in [(0, k), (n, 2)], (n, 1) in ((1, 1), (2, k))

    check_all(f, *[(np.int32(n), np.int32(k)) for n in (1, 2, 3) for k in (0, 1, 2, 3)])


def test_a_condition_on_a_list_that_a_branch_has_cut():
    def f(x, k):
        kept = [0.5, 1.0]
        if x > 0:
            kept.pop()
        if len(kept) in [1, k]:
            return x
        return x * 2

    check_all(f, (ONE, np.int32(2)), (MINUS, np.int32(2)), (MINUS, np.int32(0)))


def test_any_and_all_are_truths_whatever_the_items_are():
    def f(xs, n):
        kept = [x for x in xs if x > 0]
        counts = [i for i in range(n)]
        return (
            any(kept),
            all(kept),
            any(counts) + 1,
            all(x for x in kept),
            any(i - 1 for i in counts),
        )

    for n in (0, 1, 2):
        check(f, np.array([1.0, -2.0, 3.0]), np.int32(n), dtypes=False, gradient=False)
        check(f, np.array([-1.0, -2.0, 0.0]), np.int32(n), dtypes=False, gradient=False)
