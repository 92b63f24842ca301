"""A `defaultdict` that is asked for keys which only the running graph knows it to have."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from itertools import count

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

NUMBERS = [(np.float64(2.0),), (np.float64(-2.0),), (np.float64(0.5),)]
VECTORS = [(np.array([1.0, -2.0, 3.0]),), (np.array([-1.0, -2.0, -3.0]),)]


class Box:
    def __init__(self):
        self.total = 0.0

    def add(self, value):
        self.total += value


class Groups:
    def __init__(self):
        self.lists = defaultdict(list)
        self.counts = defaultdict(int)

    def add(self, value):
        if value > 0:
            self.lists[0].append(value)
            self.counts[0] += 1
        else:
            self.lists[1].append(value)
            self.counts[1] += 1


def lists_in_branches(v):
    d = defaultdict(list)
    if v > 0:
        d["p"].append(v)
    else:
        d["n"].append(v)
    return len(d), "p" in d, "n" in d, d


def lists_under_numbers(v):
    d = defaultdict(list)
    if v > 0:
        d[0].append(v)
    else:
        d[1].append(v)
    return len(d), 0 in d, d[0], len(d)


def numbers_asked_for(v):
    d = defaultdict(float)
    y = d["a"] if v > 0 else d["b"] + 1
    return y, len(d), "a" in d, d[7], len(d)


def numbers_added_to(v):
    d = defaultdict(float)
    if v > 0:
        d[0] += v
    else:
        d[1] -= v
    total = d[0] + d[1]
    return total, len(d)


def another_default(v):
    d = defaultdict(lambda: 1.0)
    for i in range(3):
        if v > i:
            d[i] += v
        else:
            d[i, 1] *= v
    return d[0], d[1], d[0, 1], d[2, 1], len(d)


def a_list_of_two_by_default(v):
    d = defaultdict(lambda: [0.0, 1.0])
    if v > 0:
        d["a"][0] = v
    else:
        d["b"][1] = v
    return d["a"], d["b"]


def arrays(v):
    d = defaultdict(lambda: np.zeros(2))
    if v > 0:
        d["a"][0] += v
    else:
        d["b"][1] += v
    return d["a"] + d["b"], len(d)


def objects(v):
    d = defaultdict(Box)
    if v > 0:
        d["a"].add(v)
    else:
        d["b"].add(v)
    d["a"].add(1.0)
    return d["a"].total, d["b"].total, len(d)


def in_methods(v):
    groups = Groups()
    groups.add(v)
    sizes = len(groups.lists), len(groups.counts), 0 in groups.lists
    return *sizes, groups.lists[0], groups.counts[0], len(groups.counts), 1 in groups.counts


def a_list_with_two_names(v):
    d = defaultdict(list)
    r = [0.0]
    if v > 0:
        d["p"] = r
        d[1] = r
    d["p"].append(v)
    d[1].append(2.0)
    return r, d["p"], d[1]


def branches_in_branches(v):
    d = defaultdict(list)
    if v > 0:
        if v > 1:
            d["a"].append(v)
        d["b"].append(v)
    if v > 2:
        d["a"].append(1.0)
    return len(d), d["a"], len(d)


def nested(v):
    d = defaultdict(lambda: defaultdict(list))
    if v > 0:
        d["a"]["x"].append(v)
    else:
        d["b"]["y"].append(v)
    d["a"]["x"].append(1.0)
    return len(d), len(d["a"]), "x" in d["a"], "y" in d["b"], d["a"]["x"], len(d["b"]), len(d)


def nested_partially(v):
    d = defaultdict(partial(defaultdict, float))
    if v > 0:
        d["a"][0] += v
    else:
        d["a"][1] -= v
        d["b"][0] += 1.0
    return len(d), d["a"][0], d["a"][1], d["b"][0], len(d["a"]), len(d["b"])


def gone_over(v):
    d = defaultdict(list)
    if v > 0:
        d["p"].append(v)
    else:
        d["n"].append(v)
    total = 0.0
    for key in d:
        total += sum(d[key])
    for _, items in d.items():
        total += len(items)
    return total


def asked_for_known_keys(v):
    d = defaultdict(list)
    if v > 0:
        d["p"].append(v)
    for key in ("p", "q"):
        d[key].append(2.0)
    return {key: sum(items) for key, items in d.items()}


def copies(v):
    d = defaultdict(list)
    if v > 0:
        d["p"].append(v)
    else:
        d["n"].append(v)
    return dict(d), d.copy()


def deleted(v):
    d = defaultdict(list)
    if v > 0:
        d["a"].append(1)
    d["a"] = [v]
    del d["a"]
    return len(d), d["a"], len(d)


def defaults_with_effects(v):
    log = []

    def make():
        log.append(1)
        return [0.0]

    d = defaultdict(make)
    if v > 0:
        d["a"].append(v)
    d["a"].append(1.0)
    d["b"].append(2.0)
    return len(log), d["a"], d["b"]


def defaults_that_raise(v):
    def make():
        raise KeyError("no default")

    d = defaultdict(make)
    if v > 0:
        d["a"] = v
    try:
        return d["a"]
    except KeyError as error:
        return -1.0 if str(error) == "'no default'" else -2.0


def numbers_for_names(v):
    d = defaultdict(lambda: len(d))
    if v > 0:
        d["a"]
    d["b"], d["c"], d["a"]
    return d["a"], d["b"], d["c"], len(d)


def no_default(v):
    d = defaultdict(None)
    if v > 0:
        d["a"] = 1
    return d["a"]


def in_expressions(v):
    d = defaultdict(int)
    first = [d[key] for key in ("a", "b")]
    second = d["c"] if v > 0 else 5
    third = v > 0 and d["e"] == 0
    return first, len(d), second, third, "e" in d


def a_counter_stores_nothing(v):
    found = Counter()
    if v > 0:
        found["a"] += 1
    total = found["a"] + found["b"] + found[3]
    return total, len(found), "b" in found


def default_or_text(v):
    d = defaultdict(str)
    if v > 0:
        d["a"] += "x"
    else:
        d["b"] += "yz"
    return d["a"] + d["b"] + "!", len(d)


BRANCHES = [
    lists_in_branches,
    lists_under_numbers,
    numbers_asked_for,
    numbers_added_to,
    another_default,
    a_list_of_two_by_default,
    arrays,
    objects,
    in_methods,
    a_list_with_two_names,
    branches_in_branches,
    nested,
    nested_partially,
    gone_over,
    asked_for_known_keys,
    copies,
    deleted,
    defaults_with_effects,
    defaults_that_raise,
    numbers_for_names,
    no_default,
    in_expressions,
    a_counter_stores_nothing,
    default_or_text,
]


@pytest.mark.parametrize("function", BRANCHES)
def test_keys_of_some_paths(function):
    check_all(function, *NUMBERS)


def lists_in_a_loop(xs):
    d = defaultdict(list)
    for v in xs:
        if v > 0:
            d["p"].append(v)
        else:
            d["n"].append(v)
    return sum(d["p"]), len(d["n"]), len(d)


def numbers_in_a_loop(xs):
    d = defaultdict(float)
    for v in xs:
        if v > 0:
            d["p"] += v
        else:
            d["n"] -= v
    return d["p"], d["n"], len(d)


def nested_in_a_loop(xs):
    d = defaultdict(lambda: defaultdict(float))
    for v in xs:
        if v > 0:
            d["a"]["x"] += v
        else:
            d["b"]["y"] += v
    return d["a"]["x"], d["b"]["y"], len(d), len(d["b"])


def dicts_in_a_loop(xs):
    d = defaultdict(dict)
    for v in xs:
        if v > 0:
            d["a"]["x"] = v
        else:
            d["b"]["y"] = v
    return len(d), len(d["a"]), len(d["b"]), d["a"].get("x", 0.0)


def groups_in_a_loop(xs):
    groups = Groups()
    for v in xs:
        groups.add(v)
    return len(groups.lists), groups.lists[0], groups.lists[1], groups.counts[0], len(groups.counts)


@pytest.mark.parametrize(
    "function",
    [lists_in_a_loop, numbers_in_a_loop, nested_in_a_loop, dicts_in_a_loop, groups_in_a_loop],
)
def test_keys_of_some_passes(function):
    check_all(function, *VECTORS)


def test_a_while_loop():
    def function(n):
        d = defaultdict(int)
        i = 0
        while i < n:
            if i % 2 == 0:
                d["even"] += i
            else:
                d["odd"] += i
            if i % 3 == 0:
                d["third"]
            i += 1
        sizes = d["even"], len(d), "third" in d, "odd" in d, d.get("odd", -1)
        return *sizes, d["odd"], len(d)

    check_all(function, *((np.int32(n),) for n in (0, 1, 2, 5)))


def test_a_list_made_by_every_pass():
    def function(n):
        found = defaultdict(list)
        name = "a"
        for i in range(n):
            found[name].append(i)
        return found

    check_all(function, *((np.int32(n),) for n in (0, 1, 3)))


def of_a_tensor(k):
    d = defaultdict(int)
    d[1] = 5
    return d[k]


def list_of_a_tensor(k):
    d = defaultdict(list)
    d[1].append(5)
    d[k].append(3)
    return d[1]


@pytest.mark.parametrize("function", [of_a_tensor, list_of_a_tensor])
def test_a_key_that_only_the_graph_knows(function):
    check_all(function, (np.int32(1),))
    with pytest.raises(StagingError, match="cannot gain a key that only the running graph knows"):
        ag.function(function)(ag.constant(2))


def test_a_key_of_a_counter_that_only_the_graph_knows():
    def function(k):
        found = Counter()
        found[1] = 5
        return found[k] + Counter()[k]

    check_all(function, (np.int32(1),), (np.int32(2),))


def test_an_object_under_a_key_of_some_paths_that_only_the_graph_knows():
    def function(v, k):
        d = {}
        if v > 0:
            d[1] = [v]
        else:
            d[2] = [v]
        d[3] = [1.0]
        d[k].append(v)
        return d[3], len(d)

    check_all(function, *((np.float64(1.0), np.int32(k)) for k in (3, 1, 2, 7)))


def asked_of_an_iterator(v):
    d = defaultdict(count().__next__)
    if v > 0:
        d["a"]
    return d["a"]


def updated(v):
    d = defaultdict(list)
    if v > 0:
        d["p"].append(v)
    e = {}
    e.update(d)
    return e


def spread(v):
    d = defaultdict(list)
    if v > 0:
        d["p"].append(v)
    return {**d, "q": 1}


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (asked_of_an_iterator, "for a default in a branch or loop on a tensor"),
        (updated, "a dict has the key 'p' on some paths only"),
        (spread, "a dict has the key 'p' on some paths only"),
    ],
)
def test_refusals(function, message):
    with pytest.raises(StagingError, match=rf"test_defaultdicts\.py:\d+: .*{message}"):
        ag.function(function)(ag.constant(1.0))


def test_lists_kept_in_an_object_of_some_paths():
    class Store:
        def __init__(self):
            self.table = {}

        def add(self, value):
            if value > 0:
                self.table[0] = [value]
            else:
                self.table[1] = [value]

    def function(v):
        store = Store()
        store.add(v)
        return len(store.table)

    check_all(function, *NUMBERS)
