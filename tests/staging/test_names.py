"""Names that only some paths of a staged program bind."""

import numpy as np

from tests.staging.differential import check, check_all

ONE, MINUS = np.float64(1.5), np.float64(-1.5)
N0, N3 = np.int32(0), np.int32(3)


def test_bound_in_one_branch():
    def f(x):
        if x > 0:
            y = x * 2
        return y

    check_all(f, (ONE,), (MINUS,))


def test_bound_in_the_else_branch():
    def f(x):
        if x > 0:
            pass
        else:
            y = x * 2
        return y

    check_all(f, (ONE,), (MINUS,))


def test_bound_and_read_under_the_same_condition():
    def f(x):
        if x > 0:
            y = x * 2
        z = x
        if x > 0:
            z = y + 1
        return z

    check_all(f, (ONE,), (MINUS,))


def test_bound_only_inside_the_loop():
    def f(n, x):
        for i in range(n):
            y = x * i
        return y

    check_all(f, (N3, ONE), (N0, ONE))


def test_the_target_after_the_loop():
    def f(n):
        for i in range(n):
            pass
        return i

    check_all(f, (N3,), (N0,))


def test_the_target_keeps_an_older_value():
    def f(n):
        i = 7
        for i in range(n):
            pass
        return i

    check_all(f, (N3,), (N0,))


def test_bound_in_the_first_pass_and_read_later():
    def f(xs):
        total = 0.0
        for i, x in enumerate(xs):
            if i == 0:
                first = x
            total += x * first
        return total

    check(f, np.array([2.0, 3.0, 4.0]))


def test_read_before_it_is_bound_in_a_pass():
    def f(xs):
        total = 0.0
        for x in xs:
            if x > 2:
                total += y
            y = x
        return total

    check_all(f, (np.array([1.0, 3.0, 4.0]),), (np.array([3.0, 4.0]),))


def test_deleted():
    def f(x):
        y = x
        if x > 0:
            del y
        return y

    check_all(f, (ONE,), (MINUS,))


def test_deleted_in_a_loop_and_bound_again():
    def f(n, x):
        y = x
        for i in range(n):
            z = y * 2
            del y
            y = z + i
        return y

    check_all(f, (N3, ONE), (N0, ONE))


def test_bound_by_unpacking():
    def f(rows):
        for a, b in rows:
            c = a * b
        return a, b, c

    check(f, np.array([[1.0, 2.0], [3.0, 4.0]]))


def test_bound_in_both_branches_at_different_depths():
    def f(x):
        if x > 0:
            if x > 1:
                y = 1.0
            else:
                y = x
        elif x < -1:
            y = -x
        return y

    check_all(f, (ONE,), (np.float64(0.5),), (MINUS,), (np.float64(-0.5),))


def test_unread_costs_nothing():
    def f(x):
        if x > 0:
            y = x
        if x > 100:
            return y
        return x

    check_all(f, (ONE,), (MINUS,))


def test_a_while_that_runs_zero_times():
    def f(x):
        while x > 1:
            y = x
            x = x - 1
        return x, y

    check_all(f, (np.float64(2.5),), (np.float64(0.5),))


def test_read_by_an_inner_function():
    def f(x):
        if x > 0:
            y = x

        def inner():
            return y * 2

        return inner()

    check_all(f, (ONE,), (MINUS,))


def test_changed_by_an_inner_function():
    def f(xs):
        total = 0.0

        def add(v):
            nonlocal total
            total += v

        for x in xs:
            if x > 0:
                add(x)
        return total

    check(f, np.array([1.0, -2.0, 3.0]))


def test_a_structure_bound_in_one_branch():
    def f(x):
        if x > 0:
            pair = (x, x * 2)
        return pair[1]

    check_all(f, (ONE,), (MINUS,))


def test_a_list_bound_in_one_branch():
    def f(x):
        if x > 0:
            values = [x]
        if x > 0:
            values.append(x * 2)
            return values[1]
        return x

    check_all(f, (ONE,), (MINUS,))


def test_an_attribute_set_in_one_branch():
    class Box:
        pass

    def f(x):
        box = Box()
        if x > 0:
            box.value = x
        return box.value

    check_all(f, (ONE,), (MINUS,))


def test_a_key_set_in_one_branch():
    def f(x):
        d = {}
        if x > 0:
            d["a"] = x
        return d["a"]

    check_all(f, (ONE,), (MINUS,))


def test_names_of_builtins_rebound():
    def f(xs):
        sum = 0.0
        for max in xs:
            sum = sum + max
        return sum

    check(f, np.array([1.0, 2.0]))


def test_a_walrus_in_a_loop_test():
    def f(x):
        count = 0
        while (y := x / 2) > 1:
            x = y
            count += 1
        return y, count

    check(f, np.float64(9.0))


def test_what_one_pass_binds_the_passes_after_it_keep():
    def f(xs):
        found = 0
        for x in xs:
            if x > 2:
                large = x
                found = 1
        return large if found == 1 else xs[0]

    check_all(
        f,
        (np.array([3, 1, 2], np.int32),),
        (np.array([1, 7, 2], np.int32),),
        (np.array([1, 0, 2], np.int32),),
        gradient=False,
    )


def test_a_name_that_an_inner_loop_leaves_behind():
    def f(xs, n):
        u = 0.5
        for i in range(n):
            for z in xs:
                if z > u + i:
                    break
            else:
                z = -1.5
            u = z * 0.5
        return u

    check(f, np.array([0.25, 1.0, 2.0]), np.int32(3))


def test_augmented_assignment_of_a_name_that_some_paths_bind():
    def f(n):
        if n > 0:
            x = 1
        if n <= 0:
            x = 2
        if n == 3:
            x += 10
        return x

    def g(n):
        for i in range(n):
            if i > 2:
                break
            x = i
        x += 1
        return x

    check_all(f, (N0,), (N3,), (np.int32(1),), gradient=False)
    check_all(g, (N0,), (N3,), (np.int32(9),), gradient=False)


def test_a_called_function_rebinds_what_the_loop_tests():
    def f(n):
        c = 0

        def step():
            nonlocal c
            c += 1
            return c

        while step() < n:
            pass
        return c

    check(f, np.int32(3), gradient=False, dtypes=False)


_total = 0


def test_a_called_function_rebinds_a_global_that_the_loop_tests():
    def f(n):
        global _total
        _total = 0

        def step():
            global _total
            _total += 1

        while _total < n:
            step()
        return _total

    check(f, np.int32(3), gradient=False, dtypes=False)


def test_a_generator_expression_reads_what_a_loop_has_found():
    def f(x):
        i = 0
        while i < 3:
            i += 1
            if x > i:
                v = x * 2
                break
        else:
            return x
        return sum(k * v for k in (x, 2.0))

    check_all(f, (ONE,), (MINUS,), (np.float64(2.5),))
