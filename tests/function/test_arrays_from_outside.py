"""Arrays from outside of a traced function that it stores to under other names than their own."""

from __future__ import annotations

import linecache

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError

X = np.array([1.5, -0.5, 2.0])
ARRAY = np.zeros(3)
GRID = np.zeros((2, 3))


class Model:
    def __init__(self):
        self.buffer = np.zeros(3)
        self.rows = [np.zeros(3), np.zeros(3)]
        self.named = {"a": np.zeros(3)}
        self.grid = np.zeros((2, 3))

    def put(self, i, v):
        buffer = self.buffer
        buffer[i] = v


MODEL = Model()


def fill(a, x):
    a[1] = x[1]


def a_global(x):
    b = ARRAY
    b[0] = x[0]
    return ARRAY * 1.0


def a_global_in_place(x):
    b = ARRAY
    b += x
    b[1] *= 2.0


def a_global_by_a_helper(x):
    fill(ARRAY, x)
    return ARRAY * 1.0


def a_global_in_a_branch(x):
    if x[0] > 0:
        fill(ARRAY, x)


def a_row(x):
    row = GRID[0]
    row[1] = x[0]


def a_column(x):
    column = GRID[:, 1]
    column[:] = x[:2]
    return GRID * 1.0


def by_a_method(x):
    ARRAY.fill(x[0])


def by_a_function(x):
    np.copyto(ARRAY, x)
    np.add(ARRAY, 1.0, out=ARRAY)


def an_attribute(x):
    b = MODEL.buffer
    b[0] = x[0]
    MODEL.buffer[1] = b[0] * 2
    return MODEL.buffer * 1.0


def an_attribute_by_a_helper(x):
    fill(MODEL.buffer, x)


def an_attribute_by_a_method(x):
    i = 0
    for v in x:
        MODEL.put(i, v)
        i += 1


def an_attribute_in_a_loop(x):
    b = MODEL.buffer
    i = 0
    for v in x:
        b[i] = v
        i += 1
    return b


def in_a_list(x):
    MODEL.rows[1][0] = x[0]
    row = MODEL.rows[1]
    row[1] = x[1]


def in_a_dict(x):
    row = MODEL.named["a"]
    row[0] = x[0]


def a_row_by_a_helper(x):
    fill(MODEL.grid[1], x)


def set_again(x):
    b = MODEL.buffer
    b[0] = x[0]
    MODEL.buffer = b


def a_copy(x):
    b = MODEL.buffer.copy()
    b[0] = x[0]
    return b


CASES = [
    a_global, a_global_in_place, a_global_by_a_helper, a_global_in_a_branch, a_row, a_column,
    by_a_method, by_a_function, an_attribute, an_attribute_by_a_helper, an_attribute_by_a_method,
    an_attribute_in_a_loop, in_a_list, in_a_dict, a_row_by_a_helper, set_again, a_copy,
]  # fmt: skip


def state():
    held = (ARRAY, GRID, MODEL.buffer, *MODEL.rows, MODEL.named["a"], MODEL.grid)
    return [np.array(value) for value in held]


def begin():
    ARRAY[:] = 0.0
    GRID[:] = 0.0
    MODEL.__init__()


def seen(function, wrap):
    begin()
    results = []
    for x in (X, -X * 2, X * 3):
        found = function(wrap(x))
        results.append(None if found is None else np.array(found))
    return results + state()


@pytest.mark.parametrize("function", CASES)
def test_like_python(function):
    plain = seen(function, np.array)
    staged = seen(ag.function(function), ag.constant)
    for a, b in zip(plain, staged, strict=True):
        assert (a is None) == (b is None)
        assert a is None or np.allclose(a, b), function.__name__


def test_the_array_itself_is_changed():
    begin()
    held = MODEL.buffer
    ag.function(an_attribute)(ag.constant(X))
    assert MODEL.buffer is held
    assert held.tolist() == [1.5, 3.0, 0.0]


def test_two_variables_are_refused():
    def function(x):
        b = ARRAY
        c = ARRAY
        b[0] = x[0]
        return c

    with pytest.raises(StagingError, match="was not made in the traced function"):
        ag.function(function)(ag.constant(X))


class Counted:
    calls = 0


def test_what_a_trace_counts_is_counted_once_though_it_begins_again():
    counted, log = Counted(), []

    @ag.function
    def f(x):
        counted.calls += 1
        log.append("traced")
        a, b = np.zeros(3), np.zeros(3)
        c, d = a, b
        fill(a, x)
        fill(b, x)
        return c + d

    np.testing.assert_array_equal(f(ag.constant(X)).numpy(), [0.0, -1.0, 0.0])
    assert (counted.calls, log) == (1, ["traced"])


def test_many_arrays_that_others_hold():
    made = "".join(f"    a{i} = np.zeros(3); b{i} = a{i}\n" for i in range(20))
    stored = "".join(f"    a{i}[{i % 3}] = x[0]\n" for i in range(20))
    text = f"def f(x):\n{made}{stored}    return {' + '.join(f'b{i}' for i in range(20))}\n"
    name = "<many arrays>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"np": np}
    exec(compile(text, name, "exec"), namespace)
    found = ag.function(namespace["f"])(ag.constant(X))
    np.testing.assert_array_equal(found.numpy(), namespace["f"](X))
