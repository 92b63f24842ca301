"""Dicts with keys, and objects with attributes, that are there on some paths only."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

COUNTS = [(np.int32(n),) for n in (0, 1, 3)]


class Box:
    pass


class Sink:
    def __init__(self):
        self.total = 0

    def __setitem__(self, key, value):
        self.total += value


def a_new_key(n):
    found = {}
    if n > 1:
        found["y"] = n
    return len(found), bool(found), not found, 3 if found else 4, found


def a_deleted_key(n):
    found = {"y": 1, "z": 2}
    if n > 1:
        del found["y"]
    return len(found), found


def a_cleared_dict(n):
    found = {"y": 1, "z": 2}
    if n > 1:
        found.clear()
    if found:
        return 1
    return 2


def a_merged_dict(n):
    found = {"y": 1}
    if n > 1:
        found |= {"z": 3}
    return len(found), found


def a_made_dict(n):
    found = dict(y=1)
    if n > 1:
        found.update(z=2)
    return found, found.copy(), {**found, "c": 3}, dict(found)


def going_over(n):
    found = {"y": 1, "z": 7}
    if n > 1:
        found["w"] = 5
    if n > 2:
        del found["z"]
    total = 0
    for key in found:
        total += found[key]
    for _, value in found.items():
        if value > 6:
            break
        total += value
    else:
        total = -total
    return total, list(found.values()), sum(found.values())


def keywords(n):
    def count(**options):
        return len(options)

    options = {"y": 1}
    if n > 1:
        options["z"] = 5
    return count(**options)


def in_a_try(n):
    found = {"a": 1}
    try:
        if n > 1:
            raise ValueError
        found["b"] = 3
    except ValueError:
        pass
    return len(found)


def in_a_loop(n):
    found = {}
    for i in range(n):
        found.setdefault("x", i)
        found["last"] = i
    return len(found), found


def twice(n):
    found = {"a": 1}
    if n > 1:
        found["b"] = 2
    if n > 2:
        found["b"] = 3
    size = len(found)
    return size, found.pop("b", 7), found


def stored_after(n):
    found = {"a": 1}
    if n > 1:
        found["b"] = 2
    found["b"] = 5
    return len(found), found


def deleted_after(n):
    found = {"a": 1}
    if n > 1:
        found["b"] = 4
    del found["b"]
    return len(found)


def other_values(n):
    found = {}
    if n > 1:
        found["text"] = "abc"
        found["list"] = [1, n]
        found["nothing"] = None
        found["object"] = Box()
    return len(found), "text" in found, "list" in found, "nothing" in found, "object" in found


def returned_lists(n):
    found = {}
    if n > 1:
        found["list"] = [1, n]
        found["nothing"] = None
    return found


def nested(n):
    found = {"a": 1}
    if n > 0:
        found["b"] = None
        if n > 1:
            found["b"] = 2
            del found["a"]
    return len(found), "a" in found, "b" in found


def counted(n):
    found = Counter()
    for _ in range(n):
        found["a"] += 1
    if n > 1:
        found.update(["b"])
    return found["a"], found["b"], len(found), dict(found)


def with_defaults(n):
    found = defaultdict(int)
    for i in range(n):
        found["a"] += i
    return dict(found)


def lists_by_default(n):
    found = defaultdict(list)
    name = "a"
    found[name].append(n)
    for i in range(n):
        found[name].append(i)
    return found[name]


def attributes(n):
    box = Box()
    if n > 1:
        box.y = n
    return hasattr(box, "y"), getattr(box, "y", -1)


def deleted_attributes(n):
    box = Box()
    box.y = 3
    if n > 1:
        del box.y
    return hasattr(box, "y"), getattr(box, "y", -1), hasattr(box, "z")


def text_attributes(n):
    box = Box()
    if n > 1:
        box.y = "a"
    return hasattr(box, "y"), getattr(box, "y", "b")


def attributes_in_a_loop(n):
    box = Box()
    for i in range(n):
        box.best = max(box.best, i) if hasattr(box, "best") else i
    return getattr(box, "best", -1)


def from_a_closure(n):
    found = {"a": 1, "c": 3}

    def change():
        found["b"] = 1
        del found["c"]

    if n > 1:
        change()
    return len(found), found


def through_the_dict(n):
    box = Box()
    box.s = box.t = 1
    if n > 1:
        box.__dict__["s"] = 3
        vars(box).update(t=4)
    return box.s, box.t


def stored_by_a_method(n):
    sink = Sink()
    if n > 1:
        sink["a"] = 3
    return sink.total


CASES = [
    *(a_new_key, a_deleted_key, a_cleared_dict, a_merged_dict, a_made_dict, going_over, keywords),
    *(in_a_try, in_a_loop, twice, stored_after, deleted_after, other_values, returned_lists),
    *(nested, counted, with_defaults, lists_by_default, attributes, deleted_attributes),
    *(from_a_closure, text_attributes, attributes_in_a_loop, through_the_dict, stored_by_a_method),
]


@pytest.mark.parametrize("function", CASES, ids=lambda f: f.__name__)
def test_like_python(function):
    check_all(function, *COUNTS)


def test_keys_as_a_list():
    def names(n):
        found = {"a": 1}
        if n > 1:
            found["b"] = 2
        return list(found)

    staged = ag.function(names)
    assert [key.numpy() for key in staged(ag.constant(0))] == [b"a"]
    assert [key.numpy() for key in staged(ag.constant(2))] == [b"a", b"b"]


def test_a_function_that_gives_such_a_dict_to_another():
    def inner(n):
        found = {"a": 1}
        if n > 1:
            found["b"] = 4
        return found

    inner_staged = ag.function(inner)

    @ag.function
    def outer(n):
        found = inner_staged(n)
        return len(found), found

    for n in (0, 2):
        size, found = outer(ag.constant(n))
        assert size.numpy() == len(found) == len(inner(n))


def text(found):
    return str(found)


def compared(found):
    return found == {"a": 1}


def keys_compared(found):
    return found.keys() == {"a"}


def formatted(found):
    return f"{found}"


@pytest.mark.parametrize("use", [text, compared, keys_compared, formatted])
def test_what_is_refused(use):
    @ag.function
    def function(n):
        found = {"a": 1}
        if n > 1:
            found["b"] = 2
        return use(found)

    with pytest.raises(StagingError, match=r"test_dict_keys\.py:\d+: .*key 'b' on"):
        function(ag.constant(0))


@pytest.mark.parametrize("autograph_calls", [1, 3])
def test_what_lives_outside(autograph_calls):
    table, box = {"a": 1}, Box()

    @ag.function
    def function(n):
        if n > 1:
            table["b"] = n
            box.y = n
        return n

    for _ in range(autograph_calls):
        function(ag.constant(0))
    assert table == {"a": 1}
    assert vars(box) == {}
    for _ in range(autograph_calls):
        function(ag.constant(2))
    assert list(table) == ["a", "b"]
    assert table["b"].numpy() == box.y.numpy() == 2


def test_a_key_that_is_new_when_the_graph_runs():
    @ag.function
    def function(n):
        found = {"k0": 1}
        found[f"k{n}"] = 2
        return found["k0"]

    assert function(ag.constant(0)).numpy() == 2
    with pytest.raises(StagingError, match="give the dict its keys before"):
        function(ag.constant(3))
