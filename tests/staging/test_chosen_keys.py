"""Keys of dicts that are one of several known values, as branches choose them."""

import collections

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from autograph_lite.staging.possible_values import possible_values
from tests.staging.differential import check_all

XS = np.array([1.5, -2.0, 3.0, 0.5, -1.0])


def counted(xs):
    counts = {}
    for x in xs:
        k = "p" if x > 0 else "n"
        counts[k] = counts.get(k, 0) + 1
    return counts.get("p", 0), counts.get("n", 0)


def counted_by_a_counter(xs):
    counts = collections.Counter()
    for x in xs:
        counts["p" if x > 0 else "n"] += 1
    return counts["p"], counts["n"], len(counts), sum(counts.values())


def grouped_by_setdefault(xs):
    groups = {}
    for x in xs:
        key = "z" if x == 0.5 else ("p" if x > 0 else "n")
        groups.setdefault(key, []).append(x)
    return groups.get("p"), groups["n"], len(groups.get("z", []))


def grouped_and_used_twice(xs):
    groups = {}
    for x in xs:
        group = groups.setdefault("p" if x > 0 else "n", [])
        group.append(x)
        group.append(1.0)
    return groups["p"], groups["n"]


def grouped_by_a_defaultdict(xs):
    groups = collections.defaultdict(list)
    for x in xs:
        groups[int(x > 0) + int(x > 1)].append(x)
    return groups[0], groups[1], groups[2]


def nested_defaults(xs):
    table = collections.defaultdict(dict)
    for x in xs:
        table["p" if x > 0 else "n"]["a" if x > 1 else "b"] = x
    return table["p"].get("a", 0.0), table["n"].get("b", 0.0)


def a_default_that_others_hold(xs):
    empty, groups = [], {}
    group = groups.setdefault("p" if xs[0] > 0 else "n", empty)
    return len(group), empty, groups.get("p"), groups.get("n")


def truths_as_keys(xs):
    last = {}
    for x in xs:
        last[x > 0] = x
    return last.get(True, 0.0), last.get(False, 0.0)


def remainders_as_keys(xs):
    sums = {}
    for i, x in enumerate(xs):
        sums[i % 2] = sums.get(i % 2, 0.0) + x
    return sums


def tried_first(xs):
    sums = {}
    for x in xs:
        k = "p" if x > 0 else "n"
        try:
            sums[k] += x
        except KeyError:
            sums[k] = x
    return sums["p"], sums["n"]


def chosen_by_the_pass_before(xs):
    sums, key = {}, "p"
    for x in xs:
        sums[key] = sums.get(key, 0.0) + x
        key = "p" if x > 0 else "n"
    return sums.get("p"), sums.get("n", 0.0)


def a_state_of_a_machine(xs):
    counts, state = {}, "idle"
    for x in xs:
        if state == "idle" and x > 0:
            state = "run"
        elif state == "run" and x < 0:
            state = "idle"
        counts[state] = counts.get(state, 0) + 1
    return counts.get("idle", 0), counts.get("run", 0)


def popped(xs):
    table = {"p": 1.0, "n": 2.0, "z": 3.0}
    key = "p" if xs[0] > 0 else "n"
    first = table.pop(key)
    second = table.pop(key, 7.0)
    return first, second, len(table), table.get("p"), table.get("n"), sum(table.values())


def a_list_popped_and_changed(xs):
    table = {"p": [1.0], "n": [2.0]}
    items = table.pop("p" if xs[0] > 0 else "n")
    items.append(xs[1])
    return items, len(table)


def deleted(xs):
    table = {1: 2.0, 2: 3.0, 3: 4.0}
    del table[int(np.sum(xs > 0))]
    return len(table), table.get(2, 0.0), table.get(3, 0.0)


def deleted_though_it_is_not_there(xs):
    table = {"p": 1}
    del table["p" if xs[0] > 0 else "n"]
    return len(table)


def popped_though_it_is_not_there(xs):
    table = {"p": 1}
    try:
        return table.pop("p" if xs[0] > 0 else "n")
    except KeyError:
        return -1


def a_counter_of_what_a_generator_gives(xs):
    counts = collections.Counter("p" if x > 0 else "n" for x in xs)
    counts.update(xs > 1)
    counts.update({"p": 2}, n=3)
    return counts["p"], counts["n"], counts[True], counts[False], counts["q"]


def a_counter_of_a_list(xs):
    counts = collections.Counter(["p" if x > 0 else "n" for x in xs])
    return counts["p"], counts["n"]


def a_key_that_is_there_on_some_paths(xs):
    table = {}
    if xs[0] > 0:
        table["p"] = 1
    key = "p" if xs[1] > 0 else "n"
    return key in table, table.get(key, 7)


def a_key_or_none(xs):
    table, key = {}, None if xs[0] > 0 else "p"
    table[key] = 1
    return len(table), "p" in table, None in table


def keys_of_other_kinds_beside(xs):
    table, key = {(1, 2): 3}, "p" if xs[0] > 0 else "n"
    return table.get(key, 5), key in table, table.pop(key, 6)


@pytest.mark.parametrize(
    "function",
    [
        a_key_or_none,
        keys_of_other_kinds_beside,
        counted,
        counted_by_a_counter,
        grouped_by_setdefault,
        grouped_and_used_twice,
        grouped_by_a_defaultdict,
        nested_defaults,
        a_default_that_others_hold,
        truths_as_keys,
        remainders_as_keys,
        tried_first,
        chosen_by_the_pass_before,
        a_state_of_a_machine,
        popped,
        a_list_popped_and_changed,
        deleted,
        deleted_though_it_is_not_there,
        popped_though_it_is_not_there,
        a_counter_of_what_a_generator_gives,
        a_counter_of_a_list,
        a_key_that_is_there_on_some_paths,
    ],
)
def test_as_plain_python(function):
    check_all(function, (XS,), (-XS,), (XS[::-1].copy(),))


def three_texts_in_turn(xs, n):
    last, key, i = {}, "p", 0
    while i < n:
        last[key] = i
        if xs[i % 3] > 0:
            key = "p"
        elif key == "p":
            key = "q"
        elif key == "q":
            key = "r"
        i += 1
    return [last.get(key, -1) for key in "pqr"]


def a_machine_with_numbers(xs, n):
    counts, state, i = collections.Counter(), 0, 0
    while i < n:
        if state == 0 and xs[i % 3] > 0:
            state = 1
        elif state == 1 and xs[i % 3] < 0:
            state = 2
        counts[state] += 1
        i += 1
    return [counts[state] for state in range(3)]


def keys_that_change_places(xs, n):
    last, a, b = {}, "p", "q"
    for i in range(n):
        last[a] = i
        a, b = b, a
        if xs[i % 3] > 0:
            b = "r"
    return [last.get(key, -1) for key in "pqr"]


def defaults_of_loops_in_a_try(xs, n):
    p, i = xs[0] > 0, 2
    items = [x for x in xs]
    sums = collections.defaultdict(float)
    left = n % 4
    while left > 0:
        left -= 1
        try:
            for _ in range(n % 5):
                sums[1 if (i == len(items) or p) else 2] = (sums[0] + xs[0]) / n
        except KeyError:
            i = n % 4
    return sums[0], sums[1], sums[2]


@pytest.mark.parametrize(
    "function",
    [
        three_texts_in_turn,
        a_machine_with_numbers,
        keys_that_change_places,
        defaults_of_loops_in_a_try,
    ],
)
def test_keys_that_loops_carry(function):
    check_all(function, *[(xs, np.int32(n)) for xs in (XS, -XS) for n in (0, 1, 6)])


def test_possible_values():
    found = {}

    @ag.function
    def f(x, n):
        text = "a" if x > 0 else ("b" if x > 1 else "a")
        number = 1 if x > 0 else -1
        state = "idle"
        for _ in range(n):
            if x > 2:
                state = "run"
        # A loop that computes a number from itself.
        count = 0
        for _ in range(n):
            if x > 2:
                count = 3 - count
        found["text"] = possible_values(text)
        found["number"] = possible_values(number * 2 + int(x > 5))
        found["remainder"] = possible_values((n + 1) % 3)
        found["state"] = possible_values(state)
        found["others"] = [possible_values(count), possible_values(n), possible_values(n % 100)]
        return x

    f(np.float64(1.0), np.int32(3))
    assert found == {
        "text": ["a", "b"],
        "number": [2, 3, -2, -1],
        "remainder": [0, 1, 2],
        "state": ["run", "idle"],
        "others": [None, None, None],
    }


def test_keys_that_a_loop_computes_are_refused():
    @ag.function
    def f(n):
        table, key = {}, 0
        for i in range(n):
            table[key] = i
            key += 1
        return table

    with pytest.raises(StagingError, match="a dict cannot gain a key that only the running graph"):
        f(np.int32(3))


def test_keys_that_only_the_running_graph_knows_are_refused():
    @ag.function
    def f(n):
        table = {}
        while n > 0:
            table[n] = 1
            n -= 1
        return table

    with pytest.raises(StagingError, match="a dict cannot gain a key that only the running graph"):
        f(np.int32(3))


def numbers_of_a_long_recurrence(xs):
    a, b = 0, int(xs[0] > 0)
    for _ in range(40):
        a, b = b, (a + b) - a
    table = {0: 1.0, 1: 2.0}
    table[b] = 5.0
    return table


def keys_that_change_places_often(xs):
    a, b, table = "p", "n", {}
    for i in range(40):
        if xs[i % 5] > i - 20:
            a, b = b, a
    table[a] = 1
    return len(table), table.get("p", 0)


def a_number_that_cannot_be_computed_on_some_paths(xs):
    table = {1: 1.0}
    if xs[0] > 0:
        table[1 // int(xs[0] > 0)] = 2.0
    return table[1]


@pytest.mark.parametrize(
    "function",
    [
        numbers_of_a_long_recurrence,
        keys_that_change_places_often,
        a_number_that_cannot_be_computed_on_some_paths,
    ],
)
def test_values_that_are_far_away(function):
    check_all(function, (XS,), (-XS,))
