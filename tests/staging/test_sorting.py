"""Order: sorted, min and max of pairs, with keys, and what asks where a value stands."""

import collections
import itertools

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from runtime.errors import SymbolicTensorError
from tests.staging.differential import check, check_all

N = np.int32(5)
XS = np.array([2.0, -1.0, 2.0, 0.5])


def test_sorting_pairs():
    def f(n):
        pairs = [(n, 2), (n - 1, 3), (n, 1)]
        pairs.sort()
        return pairs, sorted([(n, 1.5), (2, 2.5)], reverse=True), sorted([[3, n], [1, n]])

    check_all(f, (N,), (np.int32(2),))


def test_sorting_pairs_of_a_grown_list():
    def f(xs):
        pairs = []
        for i, x in enumerate(xs):
            if x > 0:
                pairs.append((x, i))
        found = sorted(pairs, reverse=True)
        pairs.sort(key=lambda pair: -pair[1])
        return found, pairs

    check(f, XS)


def test_sorting_keeps_the_order_of_equal_items():
    def f(xs):
        pairs = [(x, i) for i, x in enumerate(xs)]
        down = sorted(pairs, key=lambda pair: pair[0], reverse=True)
        return down, sorted(pairs, key=lambda pair: (pair[0] > 1, -pair[1]))

    check(f, XS)


def test_keys_of_text():
    def f(n):
        words = [f"{n}", "abc", f"{n}{n}"]
        return sorted(words, key=len), min(words, key=len), max(words, key=len), sorted(f"{n}20")

    check(f, N)


def test_least_and_greatest_pairs():
    def f(n):
        pairs = [(n, 2), (n - 1, 3), (n, 1)]
        return min(pairs), max(pairs), min((n, 1), (n, 0)), max(pairs, key=lambda p: p[1])

    check(f, N)


def test_where_a_value_stands():
    def f(n):
        return [1, 2, 5].index(n), (5, 1, 5).count(n), (1, 5).index(n)

    check(f, N)
    check_all(lambda n: [1, 2].index(n), (N,), (np.int32(2),))
    check(lambda n: str(n).index("7"), N)
    check(lambda n: str(n).index("5"), N)


def test_where_other_values_stand():
    def f(n):
        rows = [[n, 1], [2, 3], None]
        words = ["a", f"{n}"]
        found = collections.deque([1, 5]).index(n), rows.index([2, 3]), words.count("5")
        return *found, [None, 3, 5].index(n), ["a", 5].count(n), [n, 3].index(3)

    check(f, N)


def test_functions_of_numbers():
    def f(n):
        return complex(n, 1), n.item() * 0.5, list(itertools.pairwise(range(n)))

    check(f, N)


def test_the_rest_of_a_generator():
    def count(n):
        i = 0
        while i < n:
            yield i
            i = i + 1

    def f(n):
        numbers = count(n)
        first, second = next(numbers, -1), next(numbers, -1)
        return first, second, list(numbers)

    check_all(f, (N,), (np.int32(1),))


class Holder:
    def __init__(self, n):
        self.a5 = n


@pytest.mark.parametrize(
    ("function", "kind", "message"),
    [
        (lambda n: getattr(Holder(n), f"a{n}"), StagingError, "name that is made of tensors"),
        (lambda n: hash(f"{n}"), StagingError, "the hash of what only the running graph knows"),
        (lambda n: set(f"{n}"), StagingError, "a set of the characters of a text"),
        (lambda n: dict.fromkeys(f"{n}"), SymbolicTensorError, "the characters of a symbolic"),
    ],
)
def test_refusals(function, kind, message):
    with pytest.raises(kind, match=message):
        ag.function(function)(ag.constant(N))
