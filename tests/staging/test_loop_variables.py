"""Variables of staged loops and branches: weak numbers, growing shapes, structures, None."""

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check, check_all

XS = np.array([1.5, -2.0, 0.5], np.float32)
INTS = np.array([3, -1, 4], np.int32)


def test_a_python_int_becomes_a_float():
    def total(xs):
        s = 0
        for x in xs:
            s += x
        return s

    check(total, XS)


def test_a_python_float_carry_keeps_its_partners_dtype():
    def decay(xs):
        s = 1.0
        for x in xs:
            s = s * 0.5 + x
        return s

    check(decay, XS)


def test_an_int_becomes_a_vector():
    def total(rows):
        s = 0
        for row in rows:
            s = s + row
        return s

    check(total, np.arange(6.0).reshape(3, 2))


def test_numbers_that_feed_each_other():
    def weave(xs):
        a, b, c = 0, 1, 2
        for x in xs:
            a, b, c = b, c, a + x
        return a, b, c

    check(weave, XS)


def test_a_chain_of_numbers_settles_in_any_order():
    def chain(xs):
        a = b = c = d = 0
        for x in xs:
            d = c
            c = b
            b = a
            a = a + x
        return a, b, c, d

    check(chain, np.array([0.5, 1.5, 2.5, 3.5]))


def test_a_vector_that_grows():
    def grow(n):
        v = np.zeros(1)
        for i in range(n):
            v = np.concatenate([v, v + i])
        return v

    check(grow, np.int32(3), gradient=False)


def test_a_vector_that_grows_has_a_gradient():
    def grow(x, n):
        v = np.reshape(x, (1,))
        for i in range(n):
            v = np.concatenate([v, v[:1] * x])
        return v

    check(grow, np.float64(1.5), np.int32(3))


def test_a_number_before_and_a_row_after():
    def last(rows):
        best = 0.0
        for row in rows:
            if np.sum(row) > np.sum(best):
                best = row
        return np.sum(best)

    check(last, np.array([[1.0, 2.0], [0.5, 4.0], [1.0, 1.0]]))


def test_a_dict_gains_a_key_in_the_body():
    def run(n):
        state = {"x": 1}
        for i in range(n):
            state["x"] = state["x"] * 2
            state["last"] = i
        return state["x"], state["last"]

    check(run, np.int32(3))


def test_a_dict_whose_keys_change_value():
    def run(xs):
        seen = {"low": 0, "high": 0, "sum": 0.0}
        for x in xs:
            if x > 0:
                seen["high"] += 1
            else:
                seen["low"] += 1
            seen["sum"] += x
        return seen

    check(run, XS)


def test_branches_of_which_one_is_weak():
    def pick(x):
        y = x if x > 0 else 0
        z = 1 if x > 10 else x * 2
        return y, z

    check_all(pick, (np.float32(2.0),), (np.float32(-2.0),), (np.float32(12.0),))


def test_branches_of_different_shapes():
    def pick(x):
        if x[0] > 0:
            y = x[1:]
        else:
            y = x[:1]
        return y * 2

    check_all(pick, (np.array([1.0, 2.0, 3.0]),), (np.array([-1.0, 2.0, 3.0]),))


def test_none_before_a_loop():
    def first_positive(xs):
        found = None
        for x in xs:
            if found is None and x > 0:
                found = x
        if found is None:
            found = -1.0
        return found

    check_all(first_positive, (XS,), (-np.abs(XS),))


def test_none_in_one_branch():
    def half(x):
        y = None
        if x > 0:
            y = x / 2
        return 0.0 if y is None else y

    check_all(half, (np.float64(3.0),), (np.float64(-3.0),))


def test_largest_so_far_with_none():
    def largest(xs):
        best = None
        for x in xs:
            if best is None or x > best:
                best = x
        return best

    check(largest, XS)


def test_a_bool_that_flips():
    def flips(xs):
        up = False
        count = 0
        for x in xs:
            if up:
                count += 1
            up = not up
        return up, count

    check(flips, XS)


def test_an_int_that_is_divided():
    def halves(n):
        x = 100
        while n > 0:
            x = x / 2
            n -= 1
        return x

    check(halves, np.int32(3), dtypes=False)


def test_tuples_take_turns():
    def fibonacci(n):
        pair = (0, 1)
        for _ in range(n):
            pair = (pair[1], pair[0] + pair[1])
        return pair

    check(fibonacci, np.int32(10))


def test_nested_structures_are_carried():
    def run(xs):
        state = {"pair": (0, 0.0), "row": [1, 2]}
        for x in xs:
            count, total = state["pair"]
            state = {"pair": (count + 1, total + x), "row": [state["row"][1], state["row"][0]]}
        return state

    check(run, XS)


def test_text_is_carried():
    def words(n):
        text = "none"
        for i in range(n):
            text = "some"
        return text

    check_all(words, (np.int32(2),), (np.int32(0),))


@pytest.mark.parametrize("count", [0, 1, 4])
def test_loops_in_loops(count):
    def triangle(n, x):
        total = 0
        for i in range(n):
            inner = 0
            for j in range(i):
                inner += j * x
            total += inner
        return total

    check(triangle, np.int32(count), np.float64(0.5))


def test_two_strong_dtypes_need_a_cast():
    @ag.function
    def mixed(x, n):
        if n > 0:
            y = x
        else:
            y = ag.cast(x, ag.float64) if False else n
        return y

    # Either the dtypes are brought together, or the error names the variable and the line.
    try:
        result = mixed(ag.constant(1.5), ag.constant(2))
    except ag.autograph.StagingError as error:
        assert "'y'" in str(error)
    else:
        assert float(result) == 1.5


@pytest.mark.parametrize(("start", "most"), [(1.0, 4), (1.0, 40), (1000.0, 4), (1.0, 0)])
def test_a_bound_on_the_passes_of_a_while(start, most):
    @ag.function
    def double(x, most):
        k = 0
        while x < 100.0:
            ag.autograph.experimental.set_loop_options(maximum_iterations=most)
            x = x * 2.0
            k += 1
            if k == 9:
                break
        return x, k

    x, passes = start, 0
    while x < 100.0 and passes < most:
        x, passes = x * 2.0, passes + 1
    # The bound may be a number or a tensor.
    for bound in (most, ag.constant(most)):
        found = double(ag.constant(start), bound)
        assert [float(t) for t in found] == [x, passes]


@pytest.mark.parametrize(("length", "most"), [(4, 6), (9, 6), (0, 6), (9, 0)])
def test_a_bound_on_the_passes_of_a_for(length, most):
    @ag.function
    def total(n):
        s, last = 0, -1
        for i in ag.range(n):
            ag.autograph.experimental.set_loop_options(maximum_iterations=most)
            s, last = s + i * i, i
        return s, last

    passes = min(length, most)
    found = total(ag.constant(length))
    assert [int(t) for t in found] == [sum(i * i for i in range(passes)), passes - 1]


def test_a_python_number_beside_a_scalar_of_numpy():
    def f(n):
        steps = np.array([0.1, 0.2])
        total, count = -0.25, 0
        for i in range(n):
            total += steps[0]
            count = count + np.int64(2)
        half = 1.0 if n > 1 else 2.0
        return total, count, half + steps[1], half * np.float64(3)

    check_all(f, (np.int32(3),), (np.int32(1),), rtol=1e-12)
