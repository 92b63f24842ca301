"""Exceptions while tracing and while running: what they say, and that nothing is left half made."""

import sys
import traceback
import types

import pytest

import autograph_lite as ag

one = ag.constant(1)


def files_in(error):
    """The files in a traceback; before Python 3.11 the frame that raises again stays in it."""
    entries = traceback.extract_tb(error.__traceback__)
    entries = entries if sys.version_info >= (3, 11) else entries[:1] + entries[2:]
    return {entry.filename for entry in entries}


@pytest.mark.parametrize("kind", [ValueError, KeyError, KeyboardInterrupt, SystemExit])
def test_after_a_failed_trace_the_next_call_works(kind):
    box = types.SimpleNamespace(h=one, n=0, table={"k": one}, rows=[one], fail=True)
    count = 0

    @ag.function
    def f(x):
        nonlocal count
        count = x
        box.h = box.h + x
        box.n += 1
        box.table["k"] = x
        box.table["new"] = x
        box.rows[0] = x
        box.rows.append(x)
        for _ in ag.range(3):
            box.h = box.h * 2
        if box.fail:
            raise kind("stop")
        return box.h

    with pytest.raises(kind):
        f(one)
    assert ag.executing_eagerly()
    # As in Python, what was done to Python's own values before the exception stays done.
    assert int(box.h) == 1 and box.n == 1 and count == 0
    assert {k: int(v) for k, v in box.table.items()} == {"k": 1}
    assert [int(v) for v in box.rows] == [1]
    assert len(f._cache) == 0
    box.fail = False
    assert int(f(one)) == 16 and int(box.h) == 16 and int(count) == 1
    assert [int(v) for v in box.rows] == [1, 1]


def test_a_failure_in_an_inner_function_leaves_the_outer_usable():
    fail = True

    @ag.function
    def inner(x):
        if fail:
            raise RuntimeError("inner")
        return x + 1

    @ag.function
    def outer(x):
        return inner(x) * 2

    with pytest.raises(RuntimeError, match="inner"):
        outer(one)
    fail = False
    assert int(outer(one)) == 4


def test_a_first_trace_that_fails_may_still_make_its_variables():
    class Model:
        v = None
        fail = True

        @ag.function
        def f(self, x):
            if self.fail:
                ag.Variable(0)
                raise ValueError("not yet")
            if self.v is None:
                self.v = ag.Variable(1)
            return self.v + x

    model = Model()
    for _ in range(2):
        with pytest.raises(ValueError, match="not yet"):
            model.f(one)
    model.fail = False
    assert int(model.f(one)) == 2 and int(model.f(one)) == 2


def test_tracebacks_show_the_user_only():
    @ag.function
    def f(x):
        return helper(x)

    def helper(x):
        raise ValueError("here")

    class Model:
        @ag.function
        def g(self, x):
            return helper(x)

    for call in (f, Model().g):
        with pytest.raises(ValueError) as caught:
            call(one)
        assert files_in(caught.value) == {__file__}


def test_tracebacks_of_failing_runs_show_the_user_only():
    @ag.function
    def f(x, n):
        return ag.reshape(x, [n])

    x = ag.constant([1, 2])
    assert f(x, ag.constant(2)).shape == [2]
    f(x, ag.constant(2))
    for _ in range(2):
        with pytest.raises(ag.errors.InvalidArgumentError) as caught:
            f(x, ag.constant(3))
        assert files_in(caught.value) == {__file__}
    assert f(x, ag.constant(2)).shape == [2]


def test_a_symbolic_tensor_that_escapes_is_explained():
    kept = []

    @ag.function
    def f(x):
        helper = [x + 1]
        kept.append(lambda: helper[0])
        return x

    f(one)
    with pytest.raises(TypeError, match="exists only inside"):
        kept[0]() + 1


def test_generators_and_coroutines_are_refused():
    @ag.function
    def numbers(x):
        yield x

    @ag.function
    async def later(x):
        return x

    for f in (numbers, later):
        with pytest.raises(ag.errors.StagingError, match=r"test_failures.py:\d+: .* gives a"):
            f(one)
