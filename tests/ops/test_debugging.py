"""Assertions: those that hold, those that do not, at once and in graphs."""

from __future__ import annotations

from typing import Any

import pytest

import autograph_lite as ag

D = ag.debugging

HOLD: list[Any] = [
    lambda x: D.assert_equal(x, [1.0, 2.0]),
    lambda x: D.assert_none_equal(x, 5.0),
    lambda x: D.assert_less(x, 3.0),
    lambda x: D.assert_less_equal(x, 2.0),
    lambda x: D.assert_greater(x, 0.5),
    lambda x: D.assert_greater_equal(x, 1.0),
    lambda x: D.assert_positive(x),
    lambda x: D.assert_negative(-x),
    lambda x: D.assert_non_negative(x),
    lambda x: D.assert_non_positive(-x),
    lambda x: D.assert_near(x, [1.0, 2.0000002]),
    lambda x: D.assert_rank(x, 1),
    lambda x: D.assert_rank_at_least(x, 1),
    lambda x: D.assert_rank_in(x, (0, 1)),
    lambda x: D.assert_type(x, ag.float32),
    lambda x: D.assert_scalar(x[0]),
    lambda x: D.assert_shapes([(x, ("N",)), (ag.ones([2, 3]), ("N", "M"))]),
    lambda x: D.assert_shapes({x.ref(): "N"}),
    lambda x: D.assert_all_finite(x, "x"),
    lambda x: D.assert_same_float_dtype([x], ag.float32),
    lambda x: D.assert_proper_iterable([x]),
    lambda x: D.Assert(x[0] > 0.0, [x]),
]
FAIL: list[Any] = [
    lambda x: D.assert_equal(x, [1.0, 3.0], message="mine"),
    lambda x: D.assert_none_equal(x, 2.0, message="mine"),
    lambda x: D.assert_less(x, 2.0, message="mine"),
    lambda x: D.assert_greater(x, 1.0, message="mine"),
    lambda x: D.assert_negative(x, message="mine"),
    lambda x: D.assert_near(x, [1.0, 2.1], message="mine"),
    lambda x: D.assert_rank(x, 2, message="mine"),
    lambda x: D.assert_rank_at_least(x, 2, message="mine"),
    lambda x: D.assert_rank_in(x, (0, 2), message="mine"),
    lambda x: D.assert_type(x, ag.int32, message="mine"),
    lambda x: D.assert_integer(x, message="mine"),
    lambda x: D.assert_scalar(x, message="mine"),
    lambda x: D.assert_shapes([(x, ("N",)), (ag.ones([3]), ("N",))], message="mine"),
    lambda x: D.assert_shapes([(x, (3,))], message="mine"),
    lambda x: D.assert_all_finite(x / 0.0, "mine"),
    lambda x: D.Assert(x[0] > 1.0, ["mine", x]),
]


def run(check: Any) -> Any:
    def fn(x: Any) -> Any:
        check(x)
        return x + 1.0

    return fn


@pytest.mark.parametrize("number", range(len(HOLD)))
def test_holds(number: int) -> None:
    x = ag.constant([1.0, 2.0])
    run(HOLD[number])(x)
    traced = ag.function(run(HOLD[number]), autograph=False)
    assert traced(x).numpy().tolist() == [2.0, 3.0]


@pytest.mark.parametrize("number", range(len(FAIL)))
def test_fails_and_names_the_line(number: int) -> None:
    x = ag.constant([1.0, 2.0])
    for fn in (run(FAIL[number]), ag.function(run(FAIL[number]), autograph=False)):
        with pytest.raises((ValueError, TypeError), match="test_debugging.py:.*mine"):
            fn(x)


def test_shapes_known_only_when_the_graph_runs() -> None:
    @ag.function(autograph=False, input_signature=[ag.TensorSpec(None), ag.TensorSpec([None])])
    def fn(a: Any, b: Any) -> Any:
        D.assert_rank(a, 1)
        D.assert_shapes([(b, ("N",)), (ag.ones([2]), ("N",))])
        return b

    fn(ag.ones([3]), ag.ones([2]))
    with pytest.raises(ag.errors.InvalidArgumentError):
        fn(ag.ones([3, 1]), ag.ones([2]))
    with pytest.raises(ag.errors.InvalidArgumentError):
        fn(ag.ones([3]), ag.ones([4]))


def test_the_values_are_shown() -> None:
    with pytest.raises(ValueError, match=r"x = \[1 2\] y = \[1 3\]"):
        D.assert_equal([1, 2], [1, 3])
