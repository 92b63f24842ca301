"""What a loop saves for its gradient goes into room made before it, where its length is known."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph_lite as ag
from runtime.gradients import trips
from tests.gradients.test_control_flow import same_in_all_ways


def plan_of(f: Callable[..., Any], *values: Any, order: int = 1) -> str:
    """The plan of the gradient of `f` by its first argument."""
    for _ in range(order):
        f = ag.grad(f)
    tensors = [ag.constant(np.asarray(v, np.float64)) for v in values]
    source: str = ag.function(f).get_concrete_function(*tensors).plan_source()
    return source


def peak(g: Callable[..., Any], *args: Any) -> int:
    """The most memory that a call takes at one time, once everything has been traced."""
    g(*args)
    g(*args)
    tracemalloc.start()
    g(*args)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def over_range(x: Any) -> Any:
    for _ in ag.range(10):
        x = ag.sin(x)
    return x


def downwards(x: Any) -> Any:
    for i in ag.range(10, 2, -3):
        x = ag.sin(x) * ag.cast(i, ag.float64)
    return x


def over_rows(v: Any) -> Any:
    s = ag.constant(0.5, ag.float64)
    for row in v:
        s = ag.sin(s + ag.reduce_sum(row * row))
    return s


def over_pairs(v: Any) -> Any:
    s = ag.constant(0.5, ag.float64)
    for a, b in zip(v, v[1:], strict=False):
        s = ag.sin(s + ag.reduce_sum(a * b))
    return s


def counted_by_hand(x: Any) -> Any:
    i = 1
    while i <= 7 and x > -5.0:
        x = ag.sin(x) * 1.5
        i += 2
    return x


def with_break(x: Any) -> Any:
    for _ in ag.range(10):
        x = ag.sin(x)
        if x < 0.5:
            break
    return x


def with_continue(x: Any) -> Any:
    for i in ag.range(6):
        if i % 2 == 0:
            continue
        x = ag.sin(x) * x
    return x


def bounded(x: Any) -> Any:
    return ag.while_loop(lambda x: x > 0.6, lambda x: (ag.sin(x) * x,), [x], maximum_iterations=50)[
        0
    ]


def bounded_while(x: Any) -> Any:
    # Python itself knows of no bound: it is not reached.
    while x > 0.4:
        ag.autograph.experimental.set_loop_options(maximum_iterations=6)
        x = ag.sin(x) * 0.9
    return x


def nested(x: Any) -> Any:
    for i in ag.range(3):
        for _ in ag.range(4):
            x = ag.sin(x) + ag.cast(i, ag.float64) * x
            if x > 2.0:
                break
    return x


def no_pass(x: Any) -> Any:
    for _ in ag.range(5, 2):
        x = ag.sin(x)
    return x * x


def over_arrays(x: Any) -> Any:
    array = ag.TensorArray(ag.float64, 6)
    for i in ag.range(6):
        x = ag.sin(x) * 1.5
        array = array.write(i, x * x)
    return ag.reduce_sum(array.stack() * array.read(3))


def over_lists(x: Any) -> Any:
    made = []
    for _ in ag.range(6):
        x = ag.sin(x) * 1.5
        made.append(x * x)
    return ag.reduce_sum(ag.stack(made) * made[2])


KNOWN = {
    over_range: (1.3, 10, "the_position"),
    downwards: (1.3, 3, "passes"),
    over_rows: (np.arange(6.0).reshape(3, 2), 3, "the_position"),
    over_pairs: (np.arange(8.0).reshape(4, 2), 3, "the_position"),
    counted_by_hand: (1.3, 4, "passes"),
    with_break: (1.3, 10, "the_position"),
    with_continue: (1.3, 6, "the_position"),
    bounded: (1.6, 50, "passes"),
    bounded_while: (0.5, 6, "passes"),
    over_arrays: (1.3, 6, "the_position"),
    over_lists: (1.3, 6, "the_position"),
}


@pytest.mark.parametrize("f", KNOWN, ids=lambda f: f.__name__)
class TestKnownLengths:
    def test_room_is_made_before_the_loop(self, f: Any) -> None:
        value, passes, place = KNOWN[f]
        lines = [line.strip() for line in plan_of(f, value).splitlines()]
        made = lines.index(f"saved = preallocated(passes={passes})")
        assert made < next(i for i, line in enumerate(lines) if line.startswith("while"))
        assert any(
            line.startswith((f"saved[{place}] = ", f"saved[{place}_1] = ")) for line in lines
        )
        assert not any("saved.append(" in line for line in lines)

    def test_gradients_are_the_same(self, f: Any) -> None:
        same_in_all_ways(f, KNOWN[f][0])

    def test_reverse_loops_have_room_too(self, f: Any) -> None:
        value, passes, _ = KNOWN[f]
        plan = plan_of(lambda x: ag.reduce_sum(ag.grad(f)(x) ** 2), value)
        # For the loop itself, for the gradient and for its gradient; and for the loop that is the
        # gradient.
        assert plan.count(f"preallocated(passes={passes})") == 3


def test_what_a_loop_that_ends_early_has_left_empty_is_cut_off() -> None:
    plan = plan_of(with_break, 1.3)
    assert "        del saved[the_position:]\n" in plan
    assert "del saved" not in plan_of(over_range, 1.3)
    for start in (0.2, 0.6, 1.3, 1.6):
        same_in_all_ways(with_break, start)
        same_in_all_ways(bounded, start)


def test_nested_loops_make_room_in_each_pass() -> None:
    plan = plan_of(nested, 0.3)
    assert "        saved = preallocated(passes=3)\n" in plan
    assert "            saved_1 = preallocated(passes=4)\n" in plan
    assert "            del saved_1[" in plan
    same_in_all_ways(nested, 0.3)
    same_in_all_ways(nested, 1.5)


def test_loops_without_a_pass() -> None:
    (dx,) = same_in_all_ways(no_pass, 1.5)
    assert float(dx) == 3.0
    assert "preallocated(passes=0)" in plan_of(no_pass, 1.5)


def test_loops_of_unknown_length_grow() -> None:
    def until_small(x: Any) -> Any:
        while x > 0.5:
            x = ag.sin(x)
        return x

    plan = plan_of(until_small, 1.3)
    assert "saved.append(args_0)" in plan
    assert "preallocated" not in plan


@pytest.mark.parametrize("step", [0, -1])
def test_counters_that_lead_away_from_the_end_bound_nothing(step: int) -> None:
    def f(x: Any, n: Any) -> Any:
        i = 0
        while i < 10 and n > 0:
            x = ag.sin(x)
            i += step
            n = n - 1
        return x

    x = ag.constant(1.3, ag.float64)
    g = ag.function(ag.grad(f))
    assert "append" in g.get_concrete_function(x, ag.constant(3)).plan_source()
    expected = ag.grad(lambda x: ag.sin(ag.sin(ag.sin(x))))(x)
    np.testing.assert_allclose(g(x, ag.constant(3)), expected)


def test_bounds_far_beyond_what_is_needed_take_no_memory() -> None:
    @ag.function
    def g(x: Any) -> Any:
        with ag.GradientTape() as tape:
            tape.watch(x)
            (y,) = ag.while_loop(
                lambda y: y > 0.5, lambda y: (ag.sin(y),), [x], maximum_iterations=10**9
            )
        return tape.gradient(y, x)

    x = ag.constant(1.3, ag.float64)
    assert peak(g, x) < 10_000
    assert "saved.append(" in g.get_concrete_function(x).plan_source()


def test_room_is_limited() -> None:
    assert trips.Trips(1 << 13, exact=False).room == 1 << 13
    assert trips.Trips((1 << 13) + 1, exact=False).room is None
    assert trips.Trips(1 << 20, exact=True).room == 1 << 20
    assert trips.Trips((1 << 20) + 1, exact=True).room is None


def test_two_gradients_of_one_loop() -> None:
    @ag.function
    def g(x: Any, w: Any) -> Any:
        with ag.GradientTape(persistent=True) as tape:
            tape.watch([x, w])
            y = x
            for _ in ag.range(5):
                y = ag.sin(y * w)
                if y < 0.4:
                    break
        return tape.gradient(y, x), tape.gradient(y, w), tape.gradient(y, [x, w])

    x, w = ag.constant(1.3, ag.float64), ag.constant(0.8, ag.float64)
    dx, dw, both = g(x, w)
    np.testing.assert_allclose([dx, dw], both)


def test_variables_read_and_changed_in_bounded_loops() -> None:
    v, w = ag.Variable(0.5, dtype=ag.float64), ag.Variable(1.5, dtype=ag.float64)

    def f(x: Any) -> Any:
        for _ in ag.range(4):
            x = ag.tanh(x * v + w)
            v.assign_add(0.1)
            if x > 0.999:
                break
        return ag.reduce_sum(x * v)

    def run(g: Any) -> Any:
        v.assign(0.5)
        with ag.GradientTape() as tape:
            y = g(ag.constant(np.array(0.2)))
        return tape.gradient(y, [v, w])

    for found in (run(ag.function(f)), ag.function(lambda: run(f))()):
        np.testing.assert_allclose(found, run(f))


class TestMemory:
    """Measured: references are all that is kept besides what the gradient needs."""

    def test_one_number_for_each_pass(self) -> None:
        passes = 10_000

        def f(x: Any) -> Any:
            for _ in ag.range(passes):
                x = ag.sin(x) * 1.0001
            return x

        g = ag.function(ag.grad(f))
        most = peak(g, ag.constant(0.7, ag.float64))
        # A reference, and the number that it leads to.
        assert passes * 8 < most < passes * (8 + 32) + 10_000

    def test_one_array_for_each_pass(self) -> None:
        size, passes = 10_000, 30

        def f(x: Any) -> Any:
            for _ in ag.range(passes):
                x = ag.tanh(x * 0.5 + 0.25)
            return ag.reduce_sum(x)

        g = ag.function(ag.grad(f))
        most = peak(g, ag.constant(np.ones(size)))
        assert most < (passes + 6) * size * 8

    def test_gradients_that_end_early_keep_what_was_saved_until_then(self) -> None:
        size = 10_000

        def f(x: Any) -> Any:
            for i in ag.range(1000):
                x = ag.tanh(x * 0.5 + 0.25)
                if i == 4:
                    break
            return ag.reduce_sum(x)

        g = ag.function(ag.grad(f))
        most = peak(g, ag.constant(np.ones(size)))
        assert most < (5 + 6) * size * 8 + 1000 * 8
