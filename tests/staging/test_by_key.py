"""`sorted`, `min` and `max` of Python's items by what a tensor says of them."""

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check

XS = np.array([1.0, 3.0, 2.0, 2.5])


def test_the_order_of_a_tensor_by_its_positions():
    def f(xs):
        order = sorted(range(4), key=lambda i: xs[i])
        return order, [xs[i] for i in order], sorted(range(len(xs)), key=lambda i: -xs[i])

    check(f, XS)


def test_the_position_of_the_least_and_the_most():
    def f(xs):
        least = min(range(4), key=lambda i: xs[i])
        most = max([0, 1, 2], key=lambda i: xs[i])
        return least, most, max(range(4), key=xs.__getitem__), xs[least] + xs[most]

    check(f, XS)


def test_by_tuples():
    def f(xs):
        def key(i):
            return xs[i] < 2.2, -xs[i]

        return sorted(range(4), key=key), min(range(4), key=key), max(range(4), key=key)

    check(f, XS)


def test_names_by_what_a_table_says():
    def f(xs):
        table = {"u": 0, "v": 1, "w": 2}
        best = max(table, key=lambda name: xs[table[name]])
        pairs = sorted(table.items(), key=lambda pair: xs[pair[1]])
        return best, pairs, min(["w", "v"], key=lambda name: xs[table[name]])

    check(f, XS)


def test_a_default_and_a_key_with_a_branch():
    def f(xs):
        def far(i):
            if xs[i] > 2:
                return xs[i] - 2
            return 2 - xs[i]

        nothing = max((i for i in range(4) if i > 9), key=far, default=-1)
        return max(range(4), key=far), min((2, 3, 1), key=far), nothing

    check(f, XS)


def test_the_first_of_equal_ones():
    def f(xs):
        return min(range(4), key=lambda i: xs[i] * 0), max(range(4), key=lambda i: xs[i] // 2)

    check(f, XS)


def test_of_python_values_alone_the_result_is_python():
    @ag.function
    def f(x):
        names = ["ccc", "a", "bb"]
        assert min(names, key=len) == "a"
        assert max(names, key=len) == "ccc"
        assert sorted(names, key=len, reverse=True) == ["ccc", "bb", "a"]
        return x + len(sorted(names, key=len)[1])

    assert f(ag.constant(1)).numpy() == 3


@pytest.mark.parametrize("name", ["min", "max", "sorted"])
def test_each_item_is_asked_once(name):
    asked = []

    @ag.function
    def f(x):
        def key(item):
            asked.append(item)
            return -item

        return x + len(str(eval(name)([3, 1, 2], key=key)))

    f(ag.constant(1))
    assert asked == [3, 1, 2]
