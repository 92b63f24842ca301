"""What may be None or an object, changed under this name or another one."""

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

CALLS = [
    (np.array([0.5, -1.5, 2.0]), np.float64(1.5)),
    (np.array([0.5, 2.0, -1.5]), np.float64(-0.5)),
]


class Value:
    def __init__(self, v):
        self.v = v
        self.next = None


class Holder:
    def __init__(self):
        self.current = None
        self.old = None


class Scaled:
    """With operators for numbers on either side."""

    def __init__(self, x):
        self.x = x

    def __mul__(self, factor):
        return Scaled(self.x * factor)

    __rmul__ = __mul__

    def __radd__(self, other):
        return Scaled(other + self.x)

    def __gt__(self, other):
        return self.x > other


def a_list_or_none(xs, x):
    found = None
    if x > 0:
        found = [x]
    if found is None:
        found = [xs[0]]
    else:
        found.append(xs[0])
    return found, len(found)


def a_dict_or_none(xs, x):
    found = None
    if x > 0:
        found = {"a": x}
    if found is not None:
        found["a"] += 1
    else:
        found = {"a": xs[0]}
    return found


def an_attribute_that_was_none(xs, x):
    holder = Holder()
    if x > 0:
        holder.current = Value(x)
    if holder.current is None:
        holder.current = Value(xs[0])
    else:
        holder.current.v += xs[0]
    return holder.current.v


def an_attribute_in_a_loop(xs, x):
    holder = Holder()
    for v in xs:
        if holder.current is None:
            holder.current = Value(v)
        else:
            holder.current.v += v
    return holder.current.v if holder.current is not None else x


def the_old_one_of_a_loop(xs, x):
    holder = Holder()
    holder.current = Value(0.0)
    for v in xs:
        holder.current.v += 1
        if v > 1:
            holder.old = holder.current
            holder.current = Value(v)
    return holder.current.v, holder.old.v


def a_list_in_an_attribute(xs, x):
    holder, cells = Holder(), [0.0]
    if x > 0:
        holder.current = cells
    cells.append(9.0)
    return holder.current


def a_list_in_a_dict(xs, x):
    found, cells = {"k": None}, [0.0]
    if x > 0:
        found["k"] = cells
    cells.append(9.0)
    return found


def operators_of_the_right_side(xs, x):
    product, total = x * Scaled(2.0), x + Scaled(1.0)
    return product.x, total.x, (Scaled(2.0) * x).x, x < Scaled(1.0), x == Scaled(x)


@pytest.mark.parametrize(
    "function",
    [
        a_list_or_none,
        a_dict_or_none,
        an_attribute_that_was_none,
        an_attribute_in_a_loop,
        the_old_one_of_a_loop,
        a_list_in_an_attribute,
        a_list_in_a_dict,
        operators_of_the_right_side,
    ],
)
def test_like_python(function):
    check_all(function, *CALLS, dtypes=False)


def _in_a_tuple(xs, x):
    cells = [0.0]
    pair = (cells, 1) if x > 0 else (None, 0)
    cells.append(9.0)
    return pair


def _new_and_held(xs, x):
    holder = Holder()
    if x > 0:
        made = Value(x)
        holder.current = made
    else:
        made = Value(-x)
    made.v += 1
    return holder.current.v if holder.current is not None else 0.0


def _linked(xs, x):
    head = tail = Value(x)
    for v in xs:
        tail.next = Value(v)
        tail = tail.next
    return head.next.v


@pytest.mark.parametrize("function", [_in_a_tuple, _new_and_held, _linked])
def test_what_two_names_may_hold_is_not_changed_unseen(function):
    with pytest.raises(StagingError, match="is changed that other names or containers may hold"):
        ag.function(function)(*CALLS[0])


def _sorted_and_changed(xs, x):
    values = [Value(v) for v in xs]
    for value in sorted(values, key=lambda value: value.v):
        value.next = x
    return [value.next for value in values]


def _a_part_changed(xs, x):
    values = [Value(v) for v in xs]
    for first, second in zip(values, values[1:], strict=False):
        second.v += first.v
    return [value.v for value in values]


def _some_changed(xs, x):
    rows = [[v] for v in xs]
    for row in [row for row in rows if row[0] > 1]:
        row.append(x)
    return rows


def _another_list_changed(xs, x):
    values, large = [Value(v) for v in xs], []
    for value in values:
        if value.v > 1:
            large.append(value)
    for value in large:
        value.v = x
    return [value.v for value in values]


@pytest.mark.parametrize(
    "function", [_sorted_and_changed, _a_part_changed, _some_changed, _another_list_changed]
)
def test_a_copy_of_a_list_that_is_read_later_is_not_changed_unseen(function):
    with pytest.raises(StagingError, match="is in two lists whose lengths depend on tensors"):
        ag.function(function)(*CALLS[0])


def copies_that_nobody_reads(xs, x):
    values = [Value(v) for v in xs]
    values = sorted(values, key=lambda value: value.v)
    values[0].v = 9.0
    values = values[1:]
    for value in values:
        value.v += 1
    rows = []
    for v in xs:
        rows.append([v])
        rows = rows[-2:]
        rows[-1].append(x)
    return [value.v for value in values], rows


def test_a_copy_instead_of_a_list():
    check_all(copies_that_nobody_reads, *CALLS, dtypes=False)
