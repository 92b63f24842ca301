"""Functions that call themselves under a condition that is a tensor."""

import threading

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.state import LostStateError


def test_factorial_of_a_traced_function():
    @ag.function
    def fact(n):
        if n <= 1:
            return 1
        return n * fact(n - 1)

    assert [int(fact(ag.constant(n))) for n in (0, 1, 5, 10)] == [1, 1, 120, 3628800]
    assert float(fact(ag.constant(5.0))) == 120.0
    assert fact.experimental_get_tracing_count() == 2


def test_fibonacci_of_a_plain_helper():
    def fib(n):
        if n < 2:
            return n
        return fib(n - 1) + fib(n - 2)

    @ag.function
    def f(n):
        return fib(n)

    assert [int(f(ag.constant(n))) for n in range(10)] == [0, 1, 1, 2, 3, 5, 8, 13, 21, 34]


def test_a_tree_fold_over_arrays():
    left = np.array([1, 3, -1, -1, -1])
    right = np.array([2, 4, -1, -1, -1])
    value = np.array([1.0, 2.0, 3.0, 4.0, 5.0])

    @ag.function
    def fold(i):
        if i < 0:
            return 0.0, 0
        a, m = fold(ag.constant(left)[i])
        b, n = fold(ag.constant(right)[i])
        return ag.constant(value)[i] + a + b, ag.maximum(m, n) + 1

    total, depth = fold(ag.constant(0))
    assert float(total) == 15.0 and int(depth) == 3


@pytest.mark.parametrize("decorate", [ag.function, lambda f: f])
def test_mutual_recursion(decorate):
    @decorate
    def even(n):
        if n == 0:
            return True
        return odd(n - 1)

    @decorate
    def odd(n):
        if n == 0:
            return False
        return even(n - 1)

    @ag.function
    def both(n):
        return even(n), odd(n)

    for n in (0, 1, 6, 7):
        a, b = both(ag.constant(n))
        assert bool(a) is (n % 2 == 0) and bool(b) is (n % 2 == 1)


def test_two_functions_that_call_themselves_and_each_other():
    @ag.function
    def female(n):
        if n == 0:
            return 1
        return n - male(female(n - 1))

    @ag.function
    def male(n):
        if n == 0:
            return 0
        return n - female(male(n - 1))

    assert [int(female(ag.constant(n))) for n in range(8)] == [1, 1, 2, 2, 3, 3, 4, 5]
    assert [int(male(ag.constant(n))) for n in range(8)] == [0, 0, 1, 2, 2, 3, 4, 4]


def test_depth():
    @ag.function
    def depth(n):
        if n == 0:
            return ag.constant(0)
        return depth(n - 1) + 1

    assert int(depth(ag.constant(10_000))) == 10_000
    assert int(depth(ag.constant(10_000))) == 10_000
    found = []
    thread = threading.Thread(target=lambda: found.append(int(depth(ag.constant(6000)))))
    thread.start(), thread.join()
    assert found == [6000]


def test_ackermann():
    @ag.function
    def ackermann(m, n):
        if m == 0:
            return n + 1
        if n == 0:
            return ackermann(m - 1, 1)
        return ackermann(m - 1, ackermann(m, n - 1))

    assert int(ackermann(ag.constant(2), ag.constant(3))) == 9


def test_result_types_widen():
    @ag.function
    def halves(x, n):
        if n == 0:
            return 0
        return x + halves(x, n - 1)

    assert halves(ag.constant([0.5, 1.0]), ag.constant(3)).numpy().tolist() == [1.5, 3.0]
    assert halves(ag.constant([0.5, 1.0]), ag.constant(0)).numpy().tolist() == 0.0


def test_shapes_that_shrink():
    @ag.function
    def total(x):
        if ag.shape(x)[0] == 0:
            return 0.0
        return x[0] + total(x[1:])

    assert float(total(ag.range(100.0))) == 4950.0


def test_methods_and_closures():
    class Power:
        def __init__(self, base):
            self.base = base

        def __call__(self, n):
            if n == 0:
                return ag.constant(1)
            return self.base * self(n - 1)

    power = Power(ag.constant(3))

    @ag.function
    def f(n):
        return power(n)

    assert int(f(ag.constant(4))) == 81
    power.base = ag.constant(2)
    assert int(f(ag.constant(4))) == 16


def test_effects_run_once_per_level():
    seen = ag.Variable(0)

    @ag.function
    def count(n):
        seen.assign_add(1)
        if n > 0:
            count(n - 1)

    count(ag.constant(5))
    assert seen.numpy() == 6


def test_python_recursion_still_unrolls():
    def depth(tree):
        if tree is None:
            return 0
        return 1 + max(depth(tree[0]), depth(tree[1]))

    @ag.function
    def f(x):
        if x > 0:
            x = x * depth(((None, None), (None, (None, None))))
        return x

    assert int(f(ag.constant(2))) == 6


def test_a_recursion_that_never_ends_is_refused():
    @ag.function
    def forever(n):
        return forever(n - 1) + 1

    with pytest.raises(ag.errors.StagingError, match=r"test_recursion.py:\d+: forever"):
        forever(ag.constant(1))

    @ag.function
    def ping(n):
        return pong(n) if n > 0 else pong(n + 1)

    @ag.function
    def pong(n):
        return ping(n - 1)

    with pytest.raises(ag.errors.StagingError, match="never end"):
        ping(ag.constant(1))


def test_a_python_value_that_never_ends_is_refused():
    @ag.function
    def count(n, k):
        if n > 0:
            return count(n, k + 1)
        return n

    with pytest.raises(ag.errors.StagingError, match="pass the values that change as tensors"):
        count(ag.constant(1), 0)


def test_an_endless_run_raises_recursion_error():
    @ag.function
    def endless(n):
        if n == -1:
            return n
        return endless(n + 1)

    with pytest.raises(RecursionError, match="test_recursion.py"):
        endless(ag.constant(1))
    assert int(endless(ag.constant(-1))) == -1


def test_errors_within_a_recursion_name_the_line():
    @ag.function
    def f(x, n):
        if n == 0:
            return ag.reshape(x, [ag.size(x) + n + 1])  # the line
        return f(x, n - 1)

    with pytest.raises(ag.errors.InvalidArgumentError) as caught:
        f(ag.constant([1.0, 2.0]), ag.constant(3))
    line = next(n for n, t in enumerate(open(__file__), 1) if t.rstrip().endswith("# the line"))
    assert f"test_recursion.py:{line}" in str(caught.value)


def test_nested_functions_that_call_themselves():
    @ag.function
    def f(n, k):
        m = 2 * k

        def fact(i):
            return m if i <= 1 else i * fact(i - 1)

        def fib(i):
            if i < 2:
                return i * m
            return fib(i - 1) + fib(i - 2)

        def even(i):
            return True if i == 0 else odd(i - 1)

        def odd(i):
            return False if i == 0 else even(i - 1)

        return fact(n), fib(n), even(n)

    for k in (3, ag.constant(3)):
        assert [int(v) for v in f(ag.constant(10), k)] == [3628800 * 6, 55 * 6, 1]
        assert [int(v) for v in f(ag.constant(5), k)] == [120 * 6, 5 * 6, 0]


def test_nested_functions_that_python_values_end():
    @ag.function
    def f(n):
        out, count = [], 0

        def go(k, depth):
            out.append(k)
            if k > 0:
                if depth > 0:
                    go(k - 1, depth - 1)

        def steps(k, depth):
            nonlocal count
            if k > 0:
                count += 1
                if depth > 0:
                    steps(k - 1, depth - 1)

        go(n, 4)
        steps(n, 4)
        return out, count

    assert [int(v) for v in f(ag.constant(2))[0]] == [2, 1, 0]
    assert int(f(ag.constant(2))[1]) == 2
    assert len(f(ag.constant(9))[0]) == 5 and int(f(ag.constant(9))[1]) == 5


def test_nested_functions_that_never_end_are_refused():
    @ag.function
    def f(n):
        def go(k):
            return go(k - 1) if k > 0 else go(k + 1)

        return go(n)

    with pytest.raises(ag.errors.StagingError, match="calls itself on every path"):
        f(ag.constant(3))


class Counter:
    def __init__(self):
        self.calls = 0

    def depth(self, n):
        self.calls += 1
        if n <= 0:
            return 0
        return 1 + self.depth(n - 1)


def test_counting_the_calls_in_an_object_is_refused():
    @ag.function
    def f(n):
        counter = Counter()
        return counter.depth(n), counter.calls

    with pytest.raises(ag.errors.AutographError, match="depth calls itself and changes"):
        f(ag.constant(3))


def test_an_endless_function_that_binds_what_is_around_it():
    @ag.function
    def f(x):
        count = 0

        def go(k):
            nonlocal count
            count += 1
            if k > 0:
                go(k - 1)
                go(k - 2)

        go(x)
        return count

    with pytest.raises(ag.errors.StagingError) as caught:
        f(ag.constant(3))
    line = f.python_function.__code__.co_firstlineno + 8
    assert f"test_recursion.py:{line}: go calls itself in branches" in str(caught.value)
    assert "binds count of the function around it" in str(caught.value)


def test_a_counted_function_that_binds_what_is_around_it():
    @ag.function
    def f(x):
        count = x * 0

        def go(k):
            nonlocal count
            count += 1
            if k > 0 and count < x:
                go(k - 1)

        go(9)
        return count

    assert [int(f(ag.constant(n))) for n in (0, 4, 30)] == [1, 4, 10]


def test_an_endless_function_of_lists():
    @ag.function
    def f(xs):
        def sort(items):
            if len(items) <= 1:
                return items
            first = items[0]
            return sort([x for x in items[1:] if x < first]) + [first]

        return sort(list(xs))

    with pytest.raises(ag.errors.StagingError, match="sort calls itself in branches.*a loop"):
        f(ag.constant([1.0, 3.0, 2.0]))


def filled(grid, row, value):
    if row >= 3:
        return grid
    if value > 0:
        grid = grid.copy()
        grid[row, row] = value
    return filled(grid, row + 1, value)


def added(array, count):
    if count <= 0:
        return
    array += count
    added(array, count - 1)


def reached(seen, place, size):
    if seen[place]:
        return 0
    seen[place] = 1
    total = 1
    if place + 1 < size:
        total = total + reached(seen, place + 1, size)
    return total


def summed(count):
    if count <= 0:
        return 0.1
    return summed(count - 1) + 1 / 3


def test_a_copy_of_an_array_is_handed_on():
    def calls(value, row):
        return filled(np.zeros((3, 3)), row, value)

    for value in (1.5, -1.5):
        plain = calls(value, 1)
        made = ag.function(calls)(np.float64(value), np.int32(1))
        np.testing.assert_array_equal(made, plain)


def test_arrays_that_a_recursive_function_stores_to_are_refused():
    def adds(count):
        array = np.zeros(2)
        added(array, count)
        return array

    def reaches(place):
        seen = np.zeros(5, np.int32)
        return reached(seen, place, np.int32(5)), seen

    with pytest.raises(LostStateError, match="added calls itself and stores to its arg"):
        ag.function(adds)(np.int32(3))
    with pytest.raises(LostStateError, match="its argument seen, an array, which a"):
        ag.function(reaches)(np.int32(0))


def test_floats_of_a_recursive_function_keep_their_digits():
    def calls(x, count):
        return summed(count) * x

    made = ag.function(calls)(np.float64(1.0), np.int32(3))
    assert float(made) == pytest.approx(summed(3), rel=1e-15)


def test_an_array_after_a_tensor_is_another_trace():
    def adds(row, left):
        row += 1
        if left > 0:
            return adds(row, left - 1)
        return row.sum()

    def reads(row, left):
        if left > 0:
            return reads(row * 2, left - 1)
        return row.sum()

    def both(function):
        def called(xs, left):
            array = np.zeros(3)
            array[0] = xs[0]
            return function(xs * 2, left), function(array, left), array

        return called

    xs, left = np.array([1.0, 2.0, 3.0]), np.int32(2)
    for made, plain in zip(ag.function(both(reads))(xs, left), both(reads)(xs, left), strict=True):
        np.testing.assert_array_equal(made, plain)
    with pytest.raises(LostStateError, match="adds calls itself and stores to its argument row"):
        ag.function(both(adds))(xs, left)
