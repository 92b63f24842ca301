"""Lists, dicts and tuples that staged programs build, change and read."""

import enum

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check, check_all

XS = np.array([1.0, -2.0, 3.0, 0.5])
N = np.int32(7)
NONE = np.zeros((0,))


def test_append_under_a_condition():
    def f(xs):
        kept = []
        for x in xs:
            if x > 0:
                kept.append(x * 2)
        return kept

    check_all(f, (XS,), (-np.abs(XS),))


def test_append_tuples_and_dicts():
    def f(xs):
        pairs, rows = [], []
        for i, x in enumerate(xs):
            pairs.append((i, x))
            rows.append({"x": x, "i": i})
        return pairs, rows

    check(f, XS)


def test_extend_insert_and_pop():
    def f(xs):
        q = [0.0]
        for x in xs:
            q.extend([x, x * 2])
            q.insert(0, -x)
            if x > 0:
                q.pop()
        return q, q.pop(0), len(q)

    check(f, XS)


def test_plus_equals():
    def f(xs):
        q = []
        for x in xs:
            if x > 0:
                q += [x, 1.0]
            else:
                q += (x,)
        return q

    check(f, XS)


def test_item_assignment():
    def f(xs):
        q = [0.0] * 4
        for i, x in enumerate(xs):
            q[i] = x * 2
            q[-1] += x
        return q

    check(f, XS)


def test_item_assignment_in_a_grown_list():
    def f(xs):
        q = []
        for x in xs:
            q.append(x)
            if len(q) > 2:
                q[0] = q[1] + q[-1]
        return q

    check(f, XS)


def test_lists_in_lists():
    def f(rows):
        out = []
        for row in rows:
            inner = []
            for x in row:
                if x > 0:
                    inner.append(x)
            out.append(inner)
        return out, len(out)

    check(f, np.array([[1.0, -1.0], [2.0, 3.0], [-1.0, -2.0]]))


def test_rows_of_differing_shapes():
    def f(xs, n):
        out = []
        for i in range(n):
            out.append(xs[:i])
        return out

    check(f, XS, np.int32(3))


def test_len_and_truth():
    def f(xs):
        q = []
        for x in xs:
            if x > 0:
                q.append(x)
        if q:
            r = q[0]
        else:
            r = -1.0
        return len(q), r, not q

    check_all(f, (XS,), (-np.abs(XS),))


def test_in_a_list():
    def f(xs, y):
        q = []
        for x in xs:
            if x not in q:
                q.append(x)
        return q, y in q

    check_all(f, (np.array([1.0, 2.0, 1.0, 3.0]), np.float64(3.0)), gradient=False)


def test_slices():
    def f(xs):
        q = []
        for x in xs:
            q.append(x)
        return q[1:], q[:-1], q[::2], q[::-1], q[1:3]

    check(f, XS)


def test_delete_items():
    def f(xs):
        q = [x for x in xs]
        n = 0
        while len(q) > 2:
            del q[0]
            n += 1
        return q, n

    check(f, XS)


def test_iterate_zip_and_enumerate():
    def f(xs):
        q = []
        for x in xs:
            if x > 0:
                q.append(x)
        s = 0.0
        for a, b in zip(q, q[1:]):
            s += a * b
        for i, a in enumerate(q):
            s += i * a
        for a in reversed(q):
            s = s * 0.5 + a
        return s

    check(f, XS)


def test_a_list_passed_to_a_helper():
    def push(q, x):
        if x > 0:
            q.append(x)

    def f(xs):
        q = []
        for x in xs:
            push(q, x)
        return q

    check(f, XS)


def test_a_list_made_by_a_helper():
    def start(x):
        return [x, x + 1]

    def f(xs):
        q = start(xs[0])
        for x in xs:
            if x > 0:
                q.append(x)
        return q

    check(f, XS)


def test_a_list_passed_and_returned():
    def keep(q, x):
        if x > 0:
            q = q + [x]
        return q

    def f(xs):
        q = []
        for x in xs:
            q = keep(q, x)
        return q

    check(f, XS)


def test_containers_that_a_helper_makes_and_changes():
    def helper(x, **options):
        """Everything in it happens in a straight line."""
        options["scale"] = options.get("scale", 1.0) * 2
        d = {}
        d["x"] = x * options["scale"]
        q = [x]
        q.append(d["x"])
        del d["x"]
        s = {1}
        s.add(2)
        return q[0] + q[1] * len(s)

    def f(xs):
        total = 0.0
        for x in xs:
            total += helper(x, scale=0.5) + helper(x)
        return total

    check(f, XS)


def test_a_list_parameter():
    def f(q, xs):
        for x in xs:
            if x > 0:
                q.append(x)
        return q

    check(f, [np.float64(9.0)], XS, gradient=False)


def test_a_list_in_an_attribute():
    class Stack:
        def __init__(self):
            self.items = []

        def push(self, x):
            self.items.append(x)

    def f(xs):
        stack = Stack()
        for x in xs:
            if x > 0:
                stack.push(x)
        return stack.items, len(stack.items)

    check(f, XS)


def test_lists_in_a_dict():
    def f(xs):
        groups = {"low": [], "high": []}
        for x in xs:
            if x > 0.7:
                groups["high"].append(x)
            else:
                groups["low"].append(x)
        return groups

    check(f, XS)


def test_a_dict_made_in_the_body():
    def f(xs):
        s = 0.0
        for x in xs:
            d = {}
            d["a"] = x
            d["b"] = d["a"] * 2
            d["a"] += 1
            s += d["a"] * d["b"]
        return s

    check(f, XS)


def test_a_dict_of_lists_made_in_the_body():
    def f(xs):
        out = []
        for x in xs:
            d = {"q": []}
            for k in range(3):
                if x > k:
                    d["q"].append(x * k)
            out.append(d["q"])
        return out

    check(f, XS)


def test_setdefault_and_update():
    def f(xs):
        d = {"n": 0}
        for x in xs:
            d.update(n=d["n"] + 1)
            d.setdefault("s", 0.0)
            d["s"] += x
        return d

    check(f, XS)


def test_comprehensions():
    def f(xs):
        return (
            [x * 2 for x in xs],
            [x for x in xs if x > 0],
            [x if x > 0 else -x for x in xs],
            [(i, x) for i, x in enumerate(xs) if i > 0],
        )

    check(f, XS)


def test_comprehensions_in_comprehensions():
    def f(rows):
        return (
            [[x * 2 for x in row] for row in rows],
            [x for row in rows for x in row if x > 0],
            [[x for x in row if x > 0] for row in rows],
        )

    check(f, np.array([[1.0, -1.0], [2.0, 3.0]]))


def test_dict_comprehensions_with_python_keys():
    def f(xs):
        d = {k: xs[i] for i, k in enumerate(("a", "b"))}
        e = {k: [x * v for x in xs if x > 0] for k, v in d.items()}
        return d, e

    check(f, XS)


def test_a_set_of_tensors_is_an_error():
    @ag.function
    def f(xs):
        return {x for x in xs}

    with pytest.raises(TypeError) as caught:
        f(ag.constant(XS))
    assert "unhashable" in str(caught.value)


def test_generator_expressions():
    def f(xs):
        return (
            sum(x * x for x in xs),
            max(x for x in xs if x > 0),
            min(abs(x) for x in xs),
            any(x > 2 for x in xs),
            all(x > -3 for x in xs),
            sorted(x for x in xs),
            list(x + 1 for x in xs),
            len([x for x in xs if x > 0]),
        )

    check(f, XS)


def test_python_sequences_indexed_by_tensors():
    def f(i, x):
        table = [1.0, 2.0, 4.0]
        parts = (x, x * 2, x * 3)
        rows = [[1, 2], [3, 4], [5, 6]]
        names = ("a", "b", "c")
        return table[i], parts[i], rows[i], names[i], range(5, 8)[i]

    check_all(f, (np.int32(0), np.float64(2.0)), (np.int32(-1), np.float64(2.0)))


def test_a_dict_with_a_tensor_key():
    def f(k, x):
        d = {1: x, 2: x * 2, 5: 0.0}
        return d[k]

    check_all(f, *[(np.int32(k), np.float64(3.0)) for k in (1, 2, 5)])


def test_a_missing_key():
    def f(k):
        d = {1: 10, 2: 20}
        return d[k]

    @ag.function
    def staged(k):
        d = {1: 10, 2: 20}
        return d[k]

    with pytest.raises(KeyError):
        staged(ag.constant(3))
    assert int(staged(ag.constant(2))) == f(2)


def test_store_at_a_tensors_index():
    def f(i, x):
        q = [x, x * 2, x * 3]
        q[i] = 0.0
        q[i - 1] += 1.0
        return q

    check_all(f, (np.int32(0), np.float64(2.0)), (np.int32(2), np.float64(2.0)))


def test_index_out_of_range_of_a_grown_list():
    def f(xs, i):
        q = []
        for x in xs:
            if x > 0:
                q.append(x)
        return q[i]

    check_all(f, (XS, np.int32(1)), (XS, np.int32(3)), (XS, np.int32(-4)))


def test_pop_from_an_empty_list():
    def f(xs):
        q = []
        for x in xs:
            if x > 0:
                q.append(x)
        return q.pop()

    check_all(f, (XS,), (-np.abs(XS),))


def test_stack_and_concat():
    def f(rows):
        q = []
        for row in rows:
            if row[0] > 0:
                q.append(row)
        return np.stack(q), np.concatenate(q), np.array(q)

    check(f, np.array([[1.0, -1.0], [-2.0, 3.0], [3.0, 5.0]]))


def test_a_list_extended_by_itself():
    def f(xs):
        q = [x for x in xs if x > 0]
        q.extend(q)
        q += q
        return q

    check(f, XS)


def test_repeated_lists():
    def f(n, x):
        q = [x] * n
        q.append(1.0)
        return q, [0] * n

    check(f, np.int32(3), np.float64(2.0))


def test_copy_reverse_and_clear():
    def f(xs):
        q = []
        for x in xs:
            q.append(x)
            if x < 0:
                q.clear()
        r = q.copy()
        r.reverse()
        q.append(7.0)
        return q, r

    check(f, XS)


def test_index_count_and_remove():
    def f(xs, y):
        q = []
        for x in xs:
            q.append(x)
        n = q.count(y)
        i = q.index(y)
        q.remove(y)
        return n, i, q

    check(f, np.array([1.0, 3.0, 2.0, 3.0]), np.float64(3.0), gradient=False)


def test_sort_a_grown_list():
    def f(xs):
        q = []
        for x in xs:
            if x < 2:
                q.append(x)
        q.sort()
        r = sorted(q, reverse=True)
        return q, r

    check(f, XS)


def test_nested_lists_that_are_changed_inside():
    def f(xs):
        grid = [[0.0, 0.0] for _ in range(2)]
        for x in xs:
            if x > 0:
                grid[0][1] += x
            else:
                grid[1].append(x)
        return grid

    check(f, XS)


def test_a_list_as_a_stack():
    def f(n):
        stack = [n]
        total = 0
        while stack:
            k = stack.pop()
            total += k
            if k > 1:
                stack.append(k - 1)
                stack.append(k - 2)
        return total

    check(f, np.int32(5))


def test_a_list_as_a_queue():
    def f(n):
        queue = [(n, 0)]
        order = []
        while len(queue) > 0:
            k, depth = queue.pop(0)
            order.append(k * 10 + depth)
            if k > 1:
                queue.append((k // 2, depth + 1))
        return order

    check(f, np.int32(9))


def test_tuples_grow_by_python_loops():
    def f(x):
        t = ()
        for k in range(3):
            t = t + (x * k,)
            if x > 0:
                t = (*t[:-1], t[-1] + 1)
        return t

    check(f, np.float64(2.0))


def test_membership_and_slices_of_parameters():
    def f(q, x):
        head, *rest = q
        return x in q, rest, q[:1] + [x]

    check(f, [np.float64(1.0), np.float64(2.0)], np.float64(2.0), gradient=False)


def test_unpacking_a_grown_list_of_known_length():
    def f(x):
        q = []
        if x > 0:
            q = [x, x * 2]
        else:
            q = [x, -x]
        a, b = q
        return a * b

    check(f, np.float64(2.0))


def test_arguments_from_lists():
    def add(a, b, c):
        return a + 10 * b + 100 * c

    def f(xs):
        q = [xs[0], xs[1]]
        return add(*q, 1.0), [*q, 5.0]

    check(f, XS)


def test_two_names_for_one_list():
    def f(xs):
        kept = [0.0, 1.0]
        other = kept
        for x in xs:
            if x > 0:
                other[0] = x
            kept.append(x)
        return kept, other[0], len(other)

    check(f, XS)


def test_integers_repeat_sequences_from_either_side():
    def f(n):
        return [1] * n, n * [2, 3], (n + 1) * [0]

    found = ag.function(f)(ag.constant(3))
    assert [[int(v) for v in part] for part in found] == [list(part) for part in f(3)]
    assert f(ag.constant(3)) == f(3)
    three = ag.constant(3)
    assert ("ab" * three, three * "ab", (1,) * three) == ("ababab", "ababab", (1, 1, 1))


def test_arrays_times_lists_are_multiplied_one_by_one():
    for f in (lambda v: [1, 2] * v, lambda v: v * [1, 2]):
        for numbers in ([3, 4], [3.0, 4.0]):
            expected = f(np.array(numbers))
            np.testing.assert_array_equal(f(ag.constant(numbers)), expected)
            np.testing.assert_array_equal(ag.function(f)(ag.constant(numbers)), expected)


def test_a_returned_list_of_one_thing_or_another():
    def numbers_or_none(xs):
        found = []
        for x in xs:
            if x > 0:
                found.append(x)
            else:
                found.append(None)
        total = 0.0
        for v in found:
            if v is not None:
                total += v
        return found, total

    def of_two_dtypes(xs):
        t = np.mean(xs) if xs[0] > 0 else np.float32(2.0)
        found = [0.5]
        for x in xs:
            found += [x, t]
        return found

    for function in (numbers_or_none, of_two_dtypes):
        check_all(function, (XS,), (-XS,), dtypes=False)


class Kind(enum.Enum):
    LOW = "low"
    HIGH = "high"
    HUGE = "huge"


def test_a_returned_list_of_members_of_an_enumeration():
    @ag.function
    def f(xs):
        kinds = [Kind.HUGE]
        for x in xs:
            kinds.append(Kind.LOW if x < 1 else Kind.HIGH)
        return kinds

    found = f(ag.constant([0.5, 2.0, -1.0]))
    assert found == [Kind.HUGE, Kind.LOW, Kind.HIGH, Kind.LOW]


def test_sorted_python_numbers_take_the_dtype_of_their_partners():
    def grown(x, n):
        items = [2.0, 1.0]
        for i in range(n):
            items.append(0.5)
        s = x
        for v in sorted(items, reverse=True):
            s += v
        return s, sorted(items)[0] * x

    def fixed(x, n):
        a, b = sorted([float(n), 1.0])
        return a * x, b * x

    check_all(grown, (np.float32(0.5), np.int32(3)), (np.float64(0.5), np.int32(0)))
    check_all(fixed, (np.float64(0.5), np.int32(3)))
    x = ag.constant(np.float64(0.5))
    assert ag.function(grown)(x, ag.constant(3))[0].dtype == ag.float64


def rows_read_twice(xs):
    rows = []
    for x in xs:
        if x > 0:
            rows.append([x, x * x])
        else:
            rows.append([x])
    total = rows[0][-1] * 2.0
    for row in rows:
        total += rows[0][0] * row[-1]
    return rows, total


def test_gradients_of_lists_in_lists_are_added():
    check_all(rows_read_twice, (XS,), (-XS,))


def test_a_long_list_of_numbers_is_one_constant():
    numbers = list(range(3000))

    def f(values, n):
        return values[n], numbers[-n], [float(v) for v in numbers][n]

    check(f, numbers, N)
    check(f, numbers, np.int32(3000))
    graph = ag.function(lambda v, n: v[n]).get_concrete_function(numbers, ag.constant(3)).graph
    assert len(graph.operations) < 10


def names_of_comprehensions(xs, x):
    return (
        [y for v in xs if (y := v * 2) > x],
        {i: z for i, v in enumerate(xs) if (z := v + x) is not None} if x is None else 0,
        sum(w for v in xs if (w := v * v) > x),
        [[u for k in (1, 2) if (u := v * k) > x] for v in xs],
    )


def names_that_are_read_after_comprehensions(xs, x):
    doubled = [(y := v * 2) for v in xs]
    return doubled, y + x


def test_names_that_comprehensions_bind():
    xs = np.array([1.0, -2.0, 3.0])
    check_all(names_of_comprehensions, (xs, np.float64(1.5)), (-xs, np.float64(0.5)))
    check_all(names_that_are_read_after_comprehensions, (xs, np.float64(1.5)))


def test_no_handler_of_the_users_takes_a_refusal():
    @ag.function
    def f(w):
        seen = set()
        for x in w:
            try:
                seen.add(x)
            except TypeError:
                return -1
        return len(seen)

    with pytest.raises(TypeError, match="no member of a set"):
        f(ag.constant([1, 2]))


def visited(xs):
    seen, order = [], []
    for x in xs:
        if (x, 1) not in seen:
            seen.append((x, 1))
        else:
            order.append(x)
    return seen, order, (xs[0], 2) in seen


def test_tuples_in_lists_of_the_graph():
    for xs in ([1.0, 2.0, 1.0, 2.5], [3.0, 3.0, 3.0, 3.0]):
        check(visited, np.array(xs))
