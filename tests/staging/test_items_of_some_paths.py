"""Items that are there on some paths only, or changed on one path and replaced on the other."""

from __future__ import annotations

import numpy as np
import pytest

from tests.staging.differential import check_all


class Box:
    pass


def asked_for_before_it_is_read(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = x
    if "b" in d:
        return d["b"]
    return 0


def a_list_with_two_names(x):
    d = {}
    r = [0]
    if x > 0:
        d["b"] = r
    r.append(1)
    return d


def caught_if_it_is_not_there(x):
    d = {"a": 1}
    if x > 0:
        d["b"] = x
    try:
        r = d["b"]
    except KeyError:
        r = 5
    return r


def merged_or_made(x):
    e = {"a": 1}
    if x > 0:
        e |= {"b": 2}
    else:
        e = {**e, "b": 3}
    e["b"] += 1
    return e


def one_of_two_dicts(x):
    r = {}
    if x > 0:
        r = {"a": 1, "b": [x]}
    if r:
        r["b"].append(2)
    else:
        r["b"] = [3]
    return r


def an_item_of_one_of_two_dicts(x):
    r = {}
    if x > 0:
        r = {"b": [x]}
    if r:
        r["b"].append(2)
    else:
        r["b"] = [3]
    return r["b"]


def a_number_of_one_of_two_dicts(x):
    r = {}
    if x > 0:
        r = {"a": 1, "b": x}
    if r:
        r["b"] += 2
    else:
        r["b"] = 3
    return r["b"]


def with_a_default(x):
    d = {}
    if x > 0:
        d["b"] = x
    return d.get("b", 7) + 1


def read_where_it_may_not_be(x):
    d = {}
    if x > 0:
        d["b"] = x
    return d["b"]


def a_list_that_is_added_to(x):
    d = {}
    if x > 0:
        d["b"] = [x]
    if "b" in d:
        d["b"].append(1)
    return d


def an_old_list_changed_or_a_new_one(x):
    d = {"b": [x]}
    if x > 0:
        d["b"].append(2)
    else:
        d["b"] = [3]
    return d


def a_list_read_where_it_may_not_be(x):
    d = {}
    if x > 0:
        d["b"] = [x]
    return d["b"]


def a_dict_changed_or_a_new_one(x):
    d = {0: [x]}
    if x > 0:
        d[0].append(2)
    else:
        d = {0: [3]}
    return d


def a_list_of_an_object_changed_or_a_new_one(x):
    o = Box()
    o.l = [x]
    if x > 0:
        o.l.append(2)
    else:
        o.l = [3]
    return o.l


def a_row_changed_or_a_new_one(x):
    r = [[x], [1.0]]
    if x > 0:
        r[0].append(2)
    else:
        r[0] = [3]
    return r


def an_array(x):
    d = {}
    if x > 0:
        d["b"] = np.zeros(2)
    return d


def a_tuple(x):
    d = {}
    r = (0, 1)
    if x > 0:
        d["b"] = r
    return d


def nothing(x):
    d = {}
    r = None
    if x > 0:
        d["b"] = None
    return d


FUNCTIONS = [
    asked_for_before_it_is_read,
    a_list_with_two_names,
    caught_if_it_is_not_there,
    merged_or_made,
    one_of_two_dicts,
    an_item_of_one_of_two_dicts,
    a_number_of_one_of_two_dicts,
    with_a_default,
    read_where_it_may_not_be,
    a_list_that_is_added_to,
    an_old_list_changed_or_a_new_one,
    a_list_read_where_it_may_not_be,
    a_dict_changed_or_a_new_one,
    a_list_of_an_object_changed_or_a_new_one,
    a_row_changed_or_a_new_one,
    an_array,
    a_tuple,
    nothing,
]


@pytest.mark.parametrize("function", FUNCTIONS)
def test_items_of_some_paths(function):
    check_all(function, (np.float64(2.0),), (np.float64(0.0),))
