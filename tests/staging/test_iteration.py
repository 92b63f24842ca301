"""Everything that can be gone over: ranges, rows, Python's combinations of them, iterators."""

import functools
import itertools

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check, check_all

XS = np.array([1.0, -2.0, 3.0, 0.5])
YS = np.array([0.5, 1.5, 2.5])


def test_range_with_tensor_bounds():
    def f(a, b, c):
        out = []
        for i in range(a, b, c):
            out.append(i)
        return out

    check_all(
        f,
        (np.int32(1), np.int32(7), np.int32(2)),
        (np.int32(7), np.int32(1), np.int32(-3)),
        (np.int32(7), np.int32(1), np.int32(1)),
    )


def test_len_and_items_of_a_range():
    def f(n):
        r = range(n)
        return len(r), r[1], [i * 2 for i in r]

    check(f, np.int32(5), gradient=False)


def test_enumerate_with_a_start():
    def f(xs, k):
        s = 0.0
        for i, x in enumerate(xs, k):
            s += i * x
        return s

    check(f, XS, np.int32(2))


def test_zip_stops_at_the_shortest():
    def f(xs, ys):
        out = []
        for x, y in zip(xs, ys):
            out.append(x * y)
        return out

    check(f, XS, YS)


def test_zip_of_tensors_and_python_lists():
    def f(xs):
        s = 0.0
        for x, k, i in zip(xs, [1, 2, 3], range(10)):
            s += x * k + i
        return s

    check(f, XS)


def test_enumerate_of_zip_of_enumerate():
    def f(xs, ys):
        s = 0.0
        for i, ((j, x), y) in enumerate(zip(enumerate(xs, 1), ys)):
            s += i * x + j * y
        return s

    check(f, XS, YS)


def test_reversed():
    def f(xs):
        s = 0.0
        for x in reversed(xs):
            s = s * 2 + x
        for i in reversed(range(len(xs))):
            s = s * 0.5 + xs[i]
        return s

    check(f, XS)


def test_reversed_range_with_a_tensor_bound():
    def f(n):
        out = []
        for i in reversed(range(n)):
            out.append(i)
        return out

    check(f, np.int32(4))


def test_map():
    def f(xs, ys):
        out = []
        for v in map(lambda a, b: a * b if a > 0 else b, xs, ys):
            out.append(v)
        return out, list(map(abs, xs)), sum(map(lambda v: v * v, xs))

    check(f, XS, YS)


def test_filter():
    def f(xs):
        s = 0.0
        for x in filter(lambda v: v > 0, xs):
            s = s * 2 + x
        return s, list(filter(lambda v: v < 1, xs))

    check(f, XS)


def test_filter_then_enumerate():
    def f(xs):
        s = 0.0
        for i, x in enumerate(filter(lambda v: v > 0, xs)):
            s += i * x
        return s

    check(f, XS)


def test_filter_with_break_and_else():
    def f(xs, limit):
        s = 0.0
        for x in filter(lambda v: v > 0, xs):
            if s > limit:
                break
            s += x
        else:
            s = -s
        return s

    check_all(f, (XS, np.float64(0.5)), (XS, np.float64(50.0)))


def test_iter_and_next():
    def f(xs):
        it = iter(xs)
        first = next(it)
        s = 0.0
        for x in it:
            s += x * first
        return s, next(it, -1.0)

    check(f, XS)


def test_next_in_a_loop():
    def f(xs):
        it = iter(xs)
        s = 0.0
        for x in it:
            y = next(it, 0.0)
            s += x * y
        return s

    check(f, XS)


def test_itertools_count():
    def f(limit):
        s = 0
        for i in itertools.count(2, 3):
            if s > limit:
                break
            s += i
        return s, i

    check(f, np.int32(20))


def test_count_from_a_tensor():
    def f(start, limit):
        for i in itertools.count(start):
            if i * i > limit:
                return i

    check(f, np.int32(2), np.int32(30))


def test_islice():
    def f(xs, n):
        out = []
        for x in itertools.islice(xs, n):
            out.append(x)
        return out, list(itertools.islice(xs, 1, None, 2))

    check_all(f, (XS, np.int32(2)), (XS, np.int32(9)))


def test_islice_of_count():
    def f(n):
        s = 0
        for i in itertools.islice(itertools.count(5), n):
            s += i
        return s

    check(f, np.int32(3))


def test_product():
    def f(xs, ys):
        s = 0.0
        for x, y in itertools.product(xs, ys):
            if x > y:
                s += x * y
        return s

    check(f, XS, YS)


def test_product_of_ranges():
    def f(n, m):
        out = []
        for i, j in itertools.product(range(n), range(m)):
            if i < j:
                out.append(i * 10 + j)
        return out

    check(f, np.int32(3), np.int32(4))


def test_accumulate():
    def f(xs):
        return (
            list(itertools.accumulate(xs)),
            list(itertools.accumulate(xs, lambda a, b: a * b)),
            list(itertools.accumulate(xs, max)),
        )

    check(f, XS)


def test_accumulate_with_an_initial_value():
    def f(xs):
        return list(itertools.accumulate(xs, initial=10.0))

    check(f, XS)


def test_chain():
    def f(xs, ys):
        s = 0.0
        for v in itertools.chain(xs, ys):
            s = s * 0.5 + v
        return s

    check(f, XS, YS)


def test_pairwise():
    def f(xs):
        s = 0.0
        for a, b in itertools.pairwise(xs):
            s += a * b
        return s

    check(f, XS)


def test_takewhile_and_dropwhile():
    def f(xs):
        s = 0.0
        for v in itertools.takewhile(lambda v: v > 0, xs):
            s += v
        for v in itertools.dropwhile(lambda v: v > 0, xs):
            s += 10 * v
        return s

    check(f, XS)


def test_repeat_a_tensors_number_of_times():
    def f(x, n):
        s = 0.0
        for v in itertools.repeat(x, n):
            s += v
        return s

    check(f, np.float64(2.0), np.int32(3))


def test_starmap_and_combinations():
    def f(xs):
        s = 0.0
        for v in itertools.starmap(lambda a, b: a - b, zip(xs, xs[1:])):
            s = s * 2 + v
        for a, b in itertools.combinations(xs, 2):
            s += a * b
        return s

    check(f, XS)


def test_reduce():
    def f(xs):
        return (
            functools.reduce(lambda a, b: a * b, xs),
            functools.reduce(lambda a, b: a + b if b > 0 else a, xs, 0.0),
        )

    check(f, XS)


def test_reduce_over_a_range():
    def f(n):
        return functools.reduce(lambda a, i: a * (i + 1), range(n), 1)

    check(f, np.int32(5))


def test_sum_min_max_of_many_things():
    def f(xs, n):
        return (
            sum(xs),
            sum(range(n)),
            sum([xs[0], xs[1]], 5.0),
            max(xs),
            min(xs[0], xs[1], 0.25),
            max(xs, key=lambda v: -v),
            min([x * x for x in xs]),
        )

    check(f, XS, np.int32(4))


def test_a_class_with_iter_that_gives_a_tensors_iterator():
    class Batch:
        def __init__(self, rows):
            self.rows = rows

        def __iter__(self):
            return iter(self.rows)

        def __len__(self):
            return len(self.rows)

    def f(xs):
        batch = Batch(xs)
        s = 0.0
        for x in batch:
            s = s * 2 + x
        return s, len(batch)

    check(f, XS)


def test_a_class_with_getitem():
    class Rows:
        def __init__(self, rows):
            self.rows = rows

        def __getitem__(self, i):
            return self.rows[i] * 2

        def __len__(self):
            return len(self.rows)

    def f(xs, n):
        rows = Rows(xs)
        s = 0.0
        for i in range(n):
            s += rows[i]
        return s, rows[0], len(rows)

    check(f, XS, np.int32(3))


def test_a_generator_function_over_a_tensor():
    def positive(xs):
        for x in xs:
            if x > 0:
                yield x * 2

    def f(xs):
        s = 0.0
        for v in positive(xs):
            s = s * 0.5 + v
        return s

    check(f, XS)


def test_nested_ranges_that_depend_on_each_other():
    def f(n):
        out = []
        for i in range(n):
            for j in range(i, n):
                if (i + j) % 2:
                    out.append((i, j))
        return out

    check(f, np.int32(4))


def test_rows_of_a_matrix():
    def f(m):
        s = 0.0
        for i, row in enumerate(m):
            a, b = row
            s += i * a + b * np.sum(row)
        return s

    check(f, np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.uint16, np.uint32, np.int64, np.uint64])
def test_ranges_up_to_small_dtypes_count_as_python_does(dtype):
    def up(n):
        s = 0
        for i in range(n):
            s += i * i
        return s

    def down(n):
        s = 0
        for i in range(n, 0, -1):
            s += i * i
        return s

    for f in (up, down):
        assert int(ag.function(f)(dtype(120))) == f(120)


def test_floats_are_no_bounds_of_ranges():
    with pytest.raises(TypeError, match=r"test_iteration\.py:\d+: a tensor of dtype float32"):
        ag.function(lambda n: list(range(n)))(ag.constant(0.5))


def test_max_and_min_keep_the_first_of_equals_and_what_cannot_be_compared_as_python_does():
    def largest(xs, x):
        found = x
        for v in xs:
            found = max(found, v)
        return found, max([v * 1.0 for v in xs if v == v], default=x), max(x, 0, x * 2)

    def smallest(xs, x):
        return min(x, *xs), min([v for v in xs], default=x), min(0.0, x)

    zeros, nans = np.array([0.0, -0.0, -1.0]), np.array([np.nan, 2.0, np.nan])
    for function in (largest, smallest):
        for xs in (zeros, -zeros, nans, nans[::-1].copy()):
            for x in (0.0, -0.0, np.nan, 3.0):
                plain = function(xs, np.float64(x))
                staged = ag.function(function)(ag.constant(xs), ag.constant(np.float64(x)))
                for a, b in zip(plain, staged, strict=True):
                    assert repr(np.float64(a)) == repr(np.float64(b.numpy())), (xs, x)


def test_strict_zip_of_what_differs_in_length():
    def f(a, b):
        total = 0.0
        for x, y in zip(a, b, strict=True):
            total += x * y
        return total

    check_all(f, (XS, XS), (XS, YS), (YS, XS))


def test_strict_zip_of_lists_whose_lengths_the_graph_knows():
    def f(xs):
        positive = [x for x in xs if x > 0]
        small = [x for x in xs if x < 2]
        total = 0.0
        for x, y, z in zip(positive, small, [1.0, 2.0], strict=True):
            total += x * y + z
        return total

    calls = ([3.0, 1.0, -1.0], [3.0, -1.0, -2.0], [3.0, 1.0, 0.5], [3.0, 3.0, 0.5])
    check_all(f, *((np.array(call),) for call in calls))


def test_strict_zip_as_a_list():
    def f(xs):
        return list(zip(xs, [x for x in xs if x > 0], strict=True))

    check_all(f, (np.array([1.0, 2.0]),), (np.array([1.0, -2.0]),))


def test_the_same_value_forever_beside_items():
    def f(xs):
        total = 0.0
        for x, scale in zip(xs, itertools.repeat(2.0)):
            total += x * scale
        for x, (scale, name) in zip(xs, itertools.repeat((xs[0], "ab"))):
            total += x * scale * len(name)
        return total, list(map(lambda x, y: x * y, xs, itertools.repeat(xs[1])))

    check(f, XS)


def test_a_list_is_filled_from_what_looks_at_it():
    def f(x):
        values = [x, x]
        values.extend(scale * values[-1] for scale in (1.0, 2.0, 3.0))
        values += (values[0] * len(values) for _ in range(2))
        values.extend(map(lambda scale: values[-1] + scale, [1.0, 2.0]))
        values.extend(values)
        values += values
        return values

    check(f, np.float64(2.0))


def test_a_list_is_filled_from_a_generator_over_a_tensor_that_looks_at_it():
    def f(xs):
        sums = [0.0]
        sums.extend(x + sums[-1] for x in xs)
        return sums

    check(f, XS)
