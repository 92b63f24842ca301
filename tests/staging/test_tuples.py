"""Tuples that staged code makes longer, or shorter."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all

COUNTS = [(np.int32(n),) for n in (3, 0, 1)]
ROWS = [(np.array(row),) for row in ([1.0, -2.0, 3.0], [-1.0])] + [(np.zeros(0),)]


def by_a_sum(n):
    t = ()
    for i in range(n):
        t = t + (i,)  # noqa: RUF005
    return t


def by_a_star(n):
    t = (1.5,)
    for i in range(n):
        t = (i * 2.0, *t)
    return t, len(t), t[0], t[-1]


def in_place(n):
    s = t = ()
    for i in range(n):
        t += (i,)
        s, t = t, (*s, 1)
    return s, t


def in_a_while(n):
    t = ()
    while len(t) < n:
        t = t + (len(t),)  # noqa: RUF005
    if not t:
        return -1
    return t[0] + 10


def in_two_loops(n):
    t = ()
    for i in range(n):
        for j in range(i):
            t += ((i, j),)
    return t


def in_a_dict(n):
    d = {"t": ()}
    for i in range(n):
        d["t"] = (*d["t"], i)
    return d


class Holder:
    def __init__(self):
        self.t = ()


def in_an_object(n):
    holder = Holder()
    for i in range(n):
        holder.t += (i,)
    return holder.t


def in_a_branch(n):
    t = (1, 2)
    if n > 0:
        t = (*t, 3)
    if n > 1:
        t = (*t, 4)
    return t


def in_a_function(n):
    def build(count):
        made = ()
        for i in range(count):
            made += (i * 2,)
        return made

    return build(n) + build(2)


def of_text(n):
    t = ("a",)
    for i in range(n):
        t += (str(i),)
    print(t)
    return "-".join(t)


def asked(n):
    t = ()
    for i in range(n):
        t += (i,)
    return t == (0, 1, 2), isinstance(t, tuple), isinstance(t, list), 2 in t, t.count(0)


def out_of_range(n):
    t = ()
    for i in range(n):
        t += (i,)
    return t[2]


def unpacked(n):
    t = ()
    for i in range(n):
        t += (i,)
    a, b, c = t
    return a + b + c


@pytest.mark.parametrize(
    "function",
    [
        *(by_a_sum, by_a_star, in_place, in_a_while, in_two_loops, in_a_dict, in_an_object),
        *(in_a_branch, in_a_function, of_text, asked, out_of_range, unpacked),
    ],
)
def test_growing(function):
    check_all(function, *COUNTS)


def by_their_sign(xs):
    positive, negative = (), ()
    for x in xs:
        if x > 0:
            positive += (x * x,)
        else:
            negative += (x, -x)
    return positive, negative, sum(positive), tuple(sorted(negative))


def of_pairs(xs):
    t = ()
    for i, x in enumerate(xs):
        t = (*t, (i, x))
    total = 0.0
    for i, x in t:
        total += i * x
    return t, total, t[1:], [*t, (0, 1.0)]


def made_of_iterables(xs):
    return tuple(x * 2 for x in xs), tuple([x for x in xs if x > 0]), tuple(xs)


def as_a_stack(xs):
    stack = ()
    for x in xs:
        stack = (x, *stack)
        if len(stack) > 2:
            stack = stack[:2]
    return stack


@pytest.mark.parametrize("function", [by_their_sign, of_pairs, made_of_iterables, as_a_stack])
def test_growing_by_rows(function):
    check_all(function, *ROWS)


def changed(n):
    t = ()
    for i in range(n):
        t += (i,)
    t[0] = 1
    return t


def appended_to(n):
    t = ()
    for i in range(n):
        t += (i,)
    t.append(1)
    return t


def test_tuples_do_not_change():
    with pytest.raises(TypeError, match="'tuple' object does not support item assignment"):
        ag.function(changed)(ag.constant(3))
    with pytest.raises(AttributeError, match="'tuple' object has no attribute 'append'"):
        ag.function(appended_to)(ag.constant(3))
