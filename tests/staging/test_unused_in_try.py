"""Errors that a `try` is for, of values that nobody uses: they are raised all the same."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all

CALLS = [(np.array([1.0, 2.0, 3.0]), np.int32(k)) for k in (0, 1, 2, 3, -3, -4, 7)]


def an_index(xs, i):
    try:
        y = xs[i]  # noqa: F841
    except IndexError:
        return 1.0
    return 2.0


def an_index_of_a_list(xs, i):
    items = [1.0, xs[0]]
    try:
        items[i]
    except LookupError:
        return 1.0
    return 2.0


def an_index_of_a_list_of_the_graph(xs, i):
    items = []
    for x in xs:
        if x > 1:
            items.append(x)
    try:
        items[i]
    except Exception:
        return 1.0
    return 2.0


def popped_off(xs, i):
    items = []
    for x in xs:
        if x > i:
            items.append(x)
    try:
        items.pop()
        items.pop()
    except IndexError as error:
        return str(error)
    return "none"


def a_key(xs, i):
    table = {0: 1.0, 1: xs[0]}
    try:
        table[i]
    except KeyError:
        return 1.0
    return 2.0


def in_order(xs, i):
    n = 0
    try:
        n = 1
        xs[i]
        n = 2
        xs[i + 1]
        n = 3
    except IndexError:
        pass
    return n


def in_a_loop(xs, i):
    n = 0
    try:
        for k in range(i):
            xs[k]
            n += 1
    except IndexError:
        return -n
    return n


def in_an_endless_loop(xs, i):
    k = 0
    try:
        while True:
            xs[k]
            k += 1
            if k > i + 5:
                break
    except IndexError:
        pass
    return k


def in_a_branch(xs, i):
    try:
        if xs[0] > 0:
            xs[i]
    except IndexError:
        return 1
    return 0


def in_a_function(xs, i):
    def look(k):
        xs[k]
        return 3

    try:
        return look(i)
    except IndexError:
        return 1


def in_a_try_in_a_try(xs, i):
    try:
        try:
            xs[i]
        except ValueError:
            return 0
        except IndexError:
            xs[i - 1]
    except IndexError:
        return 1
    return 2


def a_number_of_text(xs, i):
    text = str(i) + "x" if i > 1 else str(i)
    try:
        int(text)
    except ValueError:
        return 1
    return 0


def a_place_of_a_list(xs, i):
    items = [1, 2]
    try:
        items.index(i)
    except ValueError:
        return 1
    return 0


def unpacked(xs, i):
    items = []
    for x in xs:
        if x > i:
            items.append(x)
    try:
        _, _ = items
    except ValueError:
        return 1
    return 0


def the_first_of_a_slice(xs, i):
    try:
        xs[i:][0]
    except IndexError:
        return 1
    return 0


def a_character(xs, i):
    try:
        "ab"[i]
    except IndexError:
        return 1
    return 0


def a_store(xs, i):
    made = np.zeros(3)
    try:
        made[i] = 2.0
    except IndexError:
        return 1
    return 0


def a_key_of_some_paths(xs, i):
    table = {}
    if i > 1:
        table["a"] = xs[0]
    n = 0
    try:
        n = xs[i] * 2
        if i > 5:
            table["a"]
    except IndexError:
        return -1.0
    return n


def the_most_of_nothing(xs, i):
    items = []
    if i > 1:
        items.append(i)
    try:
        max(items)
    except ValueError:
        return 1
    return 0


def with_a_gradient(xs, i):
    y = xs[0]
    try:
        y = xs[0] * xs[1]
        xs[i]
        y = y * xs[2]
    except IndexError:
        y = y + xs[1]
    return y


FUNCTIONS = [
    an_index,
    an_index_of_a_list,
    an_index_of_a_list_of_the_graph,
    popped_off,
    a_key,
    in_order,
    in_a_loop,
    in_an_endless_loop,
    in_a_branch,
    in_a_function,
    in_a_try_in_a_try,
    a_number_of_text,
    a_place_of_a_list,
    unpacked,
    the_first_of_a_slice,
    a_character,
    a_store,
    a_key_of_some_paths,
    the_most_of_nothing,
    with_a_gradient,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_errors_of_unused_values(function):
    check_all(function, *CALLS)


def test_the_block_before_a_finally():
    def function(xs, i):
        log = []
        try:
            xs[i]
            log.append(1)
        finally:
            print("end")
        return log

    staged = ag.function(function)
    assert len(staged(ag.constant([1.0]), ag.constant(0))) == 1
    with pytest.raises(IndexError, match="out of bounds"):
        staged(ag.constant([1.0]), ag.constant(1))


def test_what_cannot_fail_is_left_out():
    @ag.function
    def function(xs, i):
        try:
            xs[0]
            xs + 1.0
            ag.reduce_sum(xs)
            y = xs[i]
        except IndexError:
            y = 0.0
        return y

    graph = function.get_concrete_function(ag.constant([1.0]), ag.constant(0)).graph
    (attempt,) = [op for op in graph.get_operations() if op.type == "Try"]
    from runtime.executor.lower import needed_operations

    body = attempt.attrs["body"]
    needed = needed_operations(body, body.outputs)
    left_out = {op.type for op in body.operations if id(op) not in needed}
    assert {"AddV2", "Sum"} <= left_out


def test_a_traced_function():
    @ag.function
    def looking(xs, i):
        if i > 0:
            xs[i]
        return 3.0

    @ag.function
    def function(xs, i):
        try:
            looking(xs, i)
        except IndexError:
            # Outside of the `try`, it stays as it is.
            return looking(xs, i) + 1.0
        return 2.0

    xs = ag.constant([1.0])
    assert [function(xs, ag.constant(i)).numpy() for i in (0, 5, -1)] == [2.0, 4.0, 2.0]


def test_outside_of_a_try_nothing_is_kept():
    @ag.function
    def function(xs, i):
        xs[i]
        return 1.0

    assert function(ag.constant([1.0]), ag.constant(5)).numpy() == 1.0
