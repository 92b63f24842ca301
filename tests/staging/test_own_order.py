"""Comparing, finding and sorting tuples and objects whose fields only the running graph knows."""

import collections
import dataclasses
import functools
import linecache

import attr
import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all

CALLS = [
    (np.array([0.5, -1.5, 2.0]), np.float64(1.5)),
    (np.array([0.5, 2.0, -1.5]), np.float64(-0.5)),
]
Pair = collections.namedtuple("Pair", "a b")


@dataclasses.dataclass
class Record:
    a: float
    b: float = 0.0
    note: float = dataclasses.field(default=0.0, compare=False)


@dataclasses.dataclass(order=True, frozen=True)
class Ordered:
    a: float
    b: float = 0.0


@attr.define(order=True)
class Attrs:
    a: float = attr.field(eq=abs)
    b: float = 0.0
    note: float = attr.field(default=0.0, eq=False)


class Heavier:
    """With an order and an equality written by hand."""

    def __init__(self, weight):
        self.weight = weight

    def __lt__(self, other):
        return self.weight < other.weight

    def __gt__(self, other):
        return self.weight > other.weight

    def __eq__(self, other):
        return self.weight == other.weight


class Backwards(tuple):
    """A tuple with an order of its own."""

    def __lt__(self, other):
        return self[0] > other[0]


def tuples_by_name(xs, x):
    a, b = (x, 1), (1.5, 1)
    return a == b, a != b, a < b, a <= b, a > b, a >= b


def lists_by_name(xs, x):
    a, b = [x, 1], [1.5, 1, 2]
    return a == b, a != b, a < b, a[:2] == b[:2]


def the_best_so_far(xs, x):
    best = (-9.0, -1)
    for i, v in enumerate(xs):
        candidate = (v, i)
        if candidate > best:
            best = candidate
    return best


def through_a_function(xs, x):
    def less(p, q):
        return p < q

    return less((x, 1), (1.5, 2)), less([x], [2.0]), less(x, 1.0)


def named_tuples(xs, x):
    p = Pair(x, 1)
    for v in xs:
        if v > p.a:
            p = Pair(v, p.b + 1)
    return p == Pair(2.0, 2), p < Pair(1.5, 9), [Pair(2.0, 2), Pair(1.5, 1), p].index(p)


def records(xs, x):
    same = Record(x, 1) == Record(x, 1, note=2)
    return same, Record(x) == Record(1.5), Record(x) != Record(1.5), Record(x) == (x, 0.0)


def ordered_records(xs, x):
    best = Ordered(-9.0)
    for v in xs:
        if Ordered(v) > best:
            best = Ordered(v, x)
    return best.a, Ordered(x) < best, Ordered(x) >= best, Ordered(x) <= Ordered(x)


def attrs_classes(xs, x):
    same = Attrs(-x, note=x) == Attrs(1.5), Attrs(x) != Attrs(-1.5)
    return same, Attrs(x) < Attrs(1.5, 1), max(Attrs(x), Attrs(1.0)).a


def extremes_of_objects(xs, x):
    heavy = max(Heavier(x), Heavier(1.0))
    light = min([Heavier(v) for v in (x, xs[0], xs[1])])
    return heavy.weight, light.weight, max(Ordered(x, 1), Ordered(1.5, 0)).b


def sorted_objects(xs, x):
    items = [Heavier(x), Heavier(xs[0]), Heavier(1.0)]
    items.sort()
    records = sorted([Ordered(v, i) for i, v in enumerate((x, xs[0], 1.5))], reverse=True)
    return [item.weight for item in items], [r.b for r in records]


def equal_objects_keep_their_order(xs, x):
    records = [Ordered(x, 1), Ordered(x, 1), Ordered(1.0, 3)]
    tagged = [(r, i) for i, r in enumerate(records)]
    forwards = sorted(tagged, key=lambda pair: pair[0].a)
    backwards = sorted(tagged, key=lambda pair: pair[0].a, reverse=True)
    own = sorted([Heavier(x), Heavier(x), Heavier(0.0)], reverse=True)
    return [i for _, i in forwards], [i for _, i in backwards], own[0].weight


def by_attributes(xs, x):
    records = [Record(v, i) for i, v in enumerate(xs)]
    records.sort(key=lambda r: r.a)
    other = sorted([Heavier(x), Heavier(1.0)], key=lambda h: (h.weight > 0, -h.weight))
    return [r.b for r in records], other[0].weight


def a_grown_list_sorted_again(xs, x):
    records = [Record(x, 1), Record(0.5, 2)]
    records.sort(key=lambda r: -r.a)
    if x > 0:
        records.append(Record(x - 1, 3))
    records.sort(key=lambda r: r.a)
    rows = []
    for v in xs:
        if v > -1:
            rows.append([v, x])
    rows.sort(reverse=True)
    rows[0].append(7.0)
    return [r.a for r in records], [r.b for r in records], rows


def a_grown_list_of_objects(xs, x):
    items, ranks = [], [Ordered(0.5, 1), Ordered(x, 2)]
    for v in xs:
        if v > -1:
            items.append(Heavier(v))
            ranks.append(Ordered(x, len(ranks)))
    heaviest = max(items).weight
    items.sort(reverse=True)
    up, down = sorted(ranks), sorted(ranks, reverse=True)
    return [item.weight for item in items], [r.b for r in up], [r.b for r in down], heaviest


def sorted_again_and_again(xs, x):
    records = [Record(v, i) for i, v in enumerate((x, 0.5, xs[0], 1.0))]
    for sign in (1, -1, 1, -1, 1, -1, 1):
        records.sort(key=lambda r: sign * r.a)  # noqa: B023 (called at once)
    return [r.b for r in records]


def sorted_in_a_loop_or_grown(xs, x):
    records = [Ordered(0.5, 1), Ordered(x, 2)]
    if x > 0.3:
        for _ in (1, 2):
            for _ in map(abs, xs):
                records = sorted(records, reverse=True)
    elif x < 0.1:
        records.append(Ordered(0.3, 4))
        records.sort(key=lambda r: -r.a)
    return [r.b for r in records]


def tuples_of_one_of_two_dtypes(xs, x):
    leader = (x, 1)
    for i, _ in enumerate(xs):
        low = np.float32(0.25) * np.float32(i - 2)
        leader = sorted([leader, (low, i)])[0]
    return leader, len(leader)


def dicts_by_an_item(xs, x):
    rows = [{"a": x, "b": 1}, {"a": 1.0, "b": 2}, {"a": xs[0], "b": 3}]
    return [row["b"] for row in sorted(rows, key=lambda row: -row["a"])]


def by_a_function_of_two(xs, x):
    def compare(a, b):
        if a * b > 0:
            return a - b
        return b - a

    key = functools.cmp_to_key(lambda a, b: (b > a) * 1.0 - (a > b) * 1.0)
    return sorted([x, 1.0, 0.2], key=key), max(xs, key=lambda v: -v), compare(x, 1.0)


def finding_objects(xs, x):
    items = [Heavier(x), Heavier(xs[0])]
    return items.index(Heavier(xs[0])), Heavier(1.5) in items, items.count(Heavier(x))


def objects_in_tuples(xs, x):
    return (Ordered(x), 1) == (Ordered(1.5), 1), [Ordered(x)] < [Ordered(1.6)]


def an_order_of_its_own(xs, x):
    a, b = Backwards((x, 1)), Backwards((1.5, 2))
    return a < b, b < a


def long_lists(xs, x):
    a, b = [0] * 3000 + [x], [0] * 3000 + [1.5]
    return a < b, a == b, a > b


@pytest.mark.parametrize(
    "function",
    [
        tuples_by_name,
        lists_by_name,
        the_best_so_far,
        through_a_function,
        named_tuples,
        records,
        ordered_records,
        attrs_classes,
        extremes_of_objects,
        sorted_objects,
        equal_objects_keep_their_order,
        by_attributes,
        a_grown_list_sorted_again,
        a_grown_list_of_objects,
        sorted_again_and_again,
        sorted_in_a_loop_or_grown,
        tuples_of_one_of_two_dtypes,
        dicts_by_an_item,
        by_a_function_of_two,
        finding_objects,
        objects_in_tuples,
        an_order_of_its_own,
        long_lists,
    ],
)
def test_like_python(function):
    check_all(function, *CALLS, dtypes=False)


def test_methods_that_attrs_has_written_need_no_text():
    linecache.clearcache()
    check_all(attrs_classes, *CALLS, dtypes=False)


def test_the_class_is_as_before():
    before = Record.__eq__, Ordered.__lt__

    @ag.function
    def f(x):
        return Record(x) == Record(1.0), Ordered(x) < Ordered(2.0)

    assert [bool(v) for v in f(np.float64(1.0))] == [True, True]
    assert (Record.__eq__, Ordered.__lt__) == before
    assert Record(1.0) == Record(1.0)
    assert "__ne__" not in vars(Record)
