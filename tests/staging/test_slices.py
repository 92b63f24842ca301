"""Slices of lists and tuples with tensors as their ends, and lists cut, filled and compared."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check, check_all

XS = np.array([1.0, 2.0, 3.0, 4.0])


def ints(*values):
    return tuple(np.int32(v) for v in values)


ENDS = [ints(v) for v in (2, 0, -1, 9)]
PAIRS = [(XS, *ints(i, j)) for i, j in ((0, 2), (1, 1), (3, 1), (-3, 9))]


def of_numbers(n):
    items = [1, 2, 3]
    return items[:n], items[n:], [4, 5][:n], items[-n:], len(items[:n]), sum(items[n:])


def of_a_tuple(n):
    t = (1, 2, 3)
    total = 0
    for v in t[n:]:
        total += v
    return t[:n], total, t[n:] + (9,), (*t[:n], 7)  # noqa: RUF005


def of_other_sequences(n):
    total = 0
    for i in range(10)[n:]:
        total += i
    return total, "text"[:n], [*[1, 2][:n], 9]


def of_pairs(n):
    total = 0.0
    for a, b in [(1, 2.5), (3, 4.5), (5, 6.5)][:n]:
        total += a * b
    return total, [[1, 2], [3], [4, 5, 6]][:n]


def of_text(n):
    names = ["a", "b", "c"]
    print(names[:n])
    return "".join(names[n:])


def rotated(n):
    items = [1, 2, 3, 4]
    items = items[n:] + items[:n]
    head = items[:n]
    head.append(9)
    return items, head, max(items[:n], default=0)


def shortened(n):
    items = list(range(5))
    while len(items) > n:
        items = items[:-1]
        if not items:
            break
    return items


def passed_on(n):
    def rest(values, k):
        return values[k:]

    part = slice(n, None)
    return rest([1, 2, 3], n), rest((1, 2, 3), n), [1, 2, 3][part]


@pytest.mark.parametrize(
    "function",
    [of_numbers, of_a_tuple, of_other_sequences, of_pairs, of_text, rotated, shortened, passed_on],
)
def test_slices(function):
    check_all(function, *ENDS)


def with_a_step(k):
    items = [1, 2, 3, 4, 5]
    return items[::k], items[1::k], (1, 2, 3)[::k]


def test_a_step():
    check_all(with_a_step, *[ints(k) for k in (1, 2, -1, -2)])


def read(xs, i, j):
    items = [xs[0], xs[1] * 2, 3.0, xs[2]]
    grown = [x for x in xs if x > 1]
    return items[i:j], items[i:], items[:j], grown[i:j], grown[::-1], grown[-1:]


def assigned(xs, i, j):
    items = [1.0, 2.0, 3.0, 4.0]
    items[i:j] = [xs[0], xs[1] * xs[1], 5.0]
    return items


def assigned_to_a_grown_list(xs, i, j):
    items = [x * 2 for x in xs if x > 0]
    items[i:j] = [x * 10 for x in xs if x > 2]
    items[:1] = []
    items[::2] = items[::2][::-1]
    return items


def deleted(xs, i, j):
    items = [1.0, xs[1], 3.0, xs[3]]
    del items[i:j]
    items.append(xs[0])
    return items


def deleted_from_a_grown_list(xs, i, j):
    items = [x * x for x in xs if x > 0]
    del items[i:j]
    del items[:1]
    return items


def assigned_in_a_loop(xs, i, j):
    items = [1.0, 2.0]
    for k in range(j):
        items[k : k + 1] = [xs[k % 4], xs[i]]
    return items


@pytest.mark.parametrize(
    "function",
    [
        *(read, assigned, assigned_to_a_grown_list, deleted, deleted_from_a_grown_list),
        assigned_in_a_loop,
    ],
)
def test_two_ends(function):
    check_all(function, *PAIRS)


def assigned_at_known_ends(xs, i, j):
    items = [1.0, 2.0]
    items[:1] = [x for x in xs if x > i]
    other = [5.0, 6.0, 7.0]
    other[1:] = xs[:2]
    other[:0] = other
    third = [1, 2, 3, 4]
    third[::2] = range(j)
    return items, other, len(other), third


def test_other_lists_at_known_ends():
    check_all(assigned_at_known_ends, *[(XS, *ints(i, 2)) for i in (2, 0, 9)])
    check_all(assigned_at_known_ends, (XS, *ints(1, 3)))


def of_lists_that_builtins_make(n):
    a = sorted((2.0, 1.0))
    del a[:n]
    b = list((2.0, 1.0))
    del b[:n]
    c = sorted([3.0, 1.0], reverse=True)
    c[:n] = [5.0]
    return a, b, c


def of_empty_lists_in_order(n):
    kept, other, grown = sorted([]), [], []
    del kept[:n]
    other[n:] = grown[:n]
    other = sorted(other, reverse=True)
    other.sort()
    other.append(1.0)
    return kept, other


@pytest.mark.parametrize("function", [of_lists_that_builtins_make, of_empty_lists_in_order])
def test_lists_in_order(function):
    check_all(function, *[ints(n) for n in (0, 1, 2)])


def deleted_with_a_step(k):
    items = [1, 2, 3, 4, 5]
    del items[::k]
    return items


def assigned_with_a_step(k):
    items = [1, 2, 3, 4, 5]
    items[::k] = [7, 8, 9]
    return items


def test_changes_with_a_step():
    for function in (deleted_with_a_step, assigned_with_a_step):
        check_all(function, *[ints(k) for k in (2, 3, -2)])


def window(xs, k):
    last = []
    sums = []
    for x in xs:
        last.append(x)
        last = last[-k:]
        sums.append(sum(last))
    return sums


def test_a_sliding_window():
    check(window, XS, np.int32(2))


def unpacked(xs, n):
    kept = [x for x in xs if x > n]
    a, b = kept
    (c, d), e = tuple(kept), sum(kept)
    return a * b + c - d * e


def unpacked_pieces(xs, n):
    key, value = f"k{n}=v".split("=")
    p, q = xs[xs > 2]
    return key, value, p * q


def test_unpacking():
    check_all(unpacked, *[(XS, np.int32(n)) for n in (2, 1, 3)])
    check_all(unpacked_pieces, *[(XS, np.int32(n)) for n in (2, 1)])


def compared(xs, n):
    kept = [x for x in xs if x > n]
    other = [x for x in xs if x > 2]
    return (
        *(kept == other, kept != other, kept < other, kept >= other),
        *(kept == [3.0, 4.0], (1, 2)[:n] == (1, 2), kept == tuple(kept), [9.0] > kept),
    )


def test_comparison():
    check_all(compared, *[(XS, np.int32(n)) for n in (2, 0, 3, 9)])


def repeated(n):
    items = [1]
    return [1, 2] * n, items * n, n * items, (0,) * n, n * (1, 2)


def test_repetition():
    check_all(repeated, *[ints(n) for n in (3, 0, -1)])


def rows_swapped_by_a_list(xs):
    a, p = np.arange(4.0).reshape(2, 2), 0
    if xs[0] > 0:
        p = 1
    a[[0, p]] = a[[p, 0]]
    return a, xs[[p, 0]], np.isclose(a[p], a[0] + 0.5, atol=xs[1])


def test_a_list_of_tensors_as_an_index():
    for first in (1.0, -1.0):
        check(rows_swapped_by_a_list, np.array([first, 0.6]), gradient=False)


def test_tolerances_keep_their_digits():
    near = np.isclose(ag.constant(9.9999999e-06, ag.float64), 0.0, rtol=0, atol=1e-5)
    assert bool(near)
