"""Gradients through branches and loops of graphs."""

from __future__ import annotations

import tracemalloc
from typing import Any

import numpy as np
import pytest

import autograph_lite as ag
from runtime.ops import lists
from tests.work import calls


def derivatives(f: Any, *sources: Any) -> list[Any]:
    with ag.GradientTape() as tape:
        tape.watch(sources)
        y = f(*sources)
    return list(tape.gradient(y, sources))


def same_in_all_ways(f: Any, *values: Any) -> list[Any]:
    """The gradients, the same unrolled, traced around, traced inside, and of second order."""
    sources = [ag.constant(np.asarray(v, np.float64)) for v in values]
    expected = derivatives(f, *sources)
    traced = ag.function(f)
    inside = ag.function(lambda *s: derivatives(f, *s))
    for found in (derivatives(traced, *sources), inside(*sources)):
        check(found, expected)

    def curvature(g: Any) -> Any:
        def total(*s: Any) -> Any:
            parts = [x for x in derivatives(g, *s) if x is not None]
            return sum(ag.reduce_sum(x * x) for x in parts)

        return total

    second = derivatives(curvature(f), *sources)
    for found in (
        derivatives(curvature(traced), *sources),
        ag.function(lambda *s: derivatives(curvature(f), *s))(*sources),
    ):
        check(found, second)
    return expected


def check(found: Any, expected: Any) -> None:
    for f, e in zip(found, expected, strict=True):
        # Behind staged control flow a zero may stand for no connection.
        f = 0.0 if f is None else f.numpy()
        e = 0.0 if e is None else e.numpy()
        np.testing.assert_allclose(f, e, rtol=1e-10, atol=1e-12)


class TestBranches:
    def test_nested_with_captured_values(self) -> None:
        def f(x: Any, y: Any) -> Any:
            z = x * y
            if x > 0.0:
                if y > 0.0:
                    z = z * z + x
                else:
                    z = ag.sin(z)
            elif y > 1.0:
                z = z / y
            return z * x

        for x, y in ((1.0, 2.0), (1.0, -2.0), (-1.0, 2.0), (-1.0, -2.0)):
            same_in_all_ways(f, x, y)

    def test_that_raise(self) -> None:
        def f(x: Any) -> Any:
            if x < 0.0:
                raise ValueError("negative")
            return ag.sqrt(x)

        same_in_all_ways(f, 4.0)
        with pytest.raises(ValueError, match="negative"):
            derivatives(ag.function(f), ag.constant(-1.0))

    def test_that_hand_on_nothing(self) -> None:
        v = ag.Variable(np.float64(0.0))

        def f(x: Any) -> Any:
            if x > 1.0:
                v.assign(x)
            return x * x

        same_in_all_ways(f, 2.0)

    def test_reading_variables(self) -> None:
        v, w = ag.Variable(2.0), ag.Variable(3.0)

        @ag.function
        def f(x: Any) -> Any:
            if x > 0.0:
                y = v * x
            else:
                y = w * w * x
            return y * v

        for x, expected in ((1.0, [4.0, 0.0]), (-1.0, [-9.0, -12.0])):
            with ag.GradientTape() as tape:
                y = f(ag.constant(x))
            assert [float(g) for g in tape.gradient(y, [v, w])] == expected

    def test_cond_case_and_switch_case(self) -> None:
        def f(x: Any, y: Any) -> Any:
            a = ag.cond(x > y, lambda: x * y, lambda: x - y)
            b = ag.case([(x > 3.0, lambda: a * a), (x > 1.0, lambda: a * 3.0)], lambda: y)
            return ag.switch_case(ag.cast(y, ag.int32), [lambda: b, lambda: b * x], lambda: b + y)

        for x, y in ((4.0, 0.0), (2.0, 1.0), (0.5, 2.0)):
            same_in_all_ways(f, x, y)

    def test_values_that_only_one_branch_makes(self) -> None:
        def f(x: Any) -> Any:
            y = x
            if x > 0.0:
                a = ag.exp(x)
                b = a * x
                y = ag.sin(b) * a
            return y

        same_in_all_ways(f, 0.5)
        same_in_all_ways(f, -0.5)


class TestLoops:
    def test_unknown_trip_count(self) -> None:
        def f(x: Any) -> Any:
            y = x
            while y < 50.0:
                y = y * x + 1.0
            return y

        for x in (1.5, 3.0, 60.0):
            same_in_all_ways(f, x)

    def test_no_pass_at_all(self) -> None:
        def f(x: Any, n: Any) -> Any:
            y = x * 2.0
            while n > 100.0:
                y = y * x
                n -= 1.0
            return y

        (dx, _) = same_in_all_ways(f, 3.0, 2.0)
        assert float(dx) == 2.0

    def test_nested_with_integers_beside(self) -> None:
        def f(x: Any, w: Any) -> Any:
            total = 0.0
            count = 0
            for i in ag.range(3):
                row = x
                for j in ag.range(i + 1):
                    row = ag.tanh(row * w + ag.cast(j, ag.float64))
                    count += 1
                total += ag.reduce_sum(row) * ag.cast(count, ag.float64)
            return total

        same_in_all_ways(f, [0.5, -0.25], [1.0, 0.5])

    def test_early_exit_and_skips(self) -> None:
        def f(x: Any, limit: Any) -> Any:
            total = ag.zeros([], ag.float64)
            for value in x:
                if value < 0.0:
                    continue
                total += value * value * limit
                if total > 10.0:
                    break
            else:
                total = total * 2.0
            return total

        same_in_all_ways(f, [1.0, -2.0, 3.0, 1.5], 1.0)
        same_in_all_ways(f, [0.1, -2.0, 0.3], 1.0)

    def test_return_from_within(self) -> None:
        def f(x: Any) -> Any:
            y = x
            for i in ag.range(10):
                y = y * x
                if y > 20.0:
                    return y * ag.cast(i, ag.float64)
            return y

        same_in_all_ways(f, 2.0)
        same_in_all_ways(f, 1.1)

    def test_values_that_swap_places(self) -> None:
        def f(a: Any, b: Any) -> Any:
            for _ in ag.range(5):
                a, b = b, ag.sin(a) + b * 0.5
            return a * b

        same_in_all_ways(f, 0.3, 0.7)

    def test_growing_shapes(self) -> None:
        def f(x: Any) -> Any:
            y = x
            for _ in ag.range(3):
                y = ag.concat([y * 2.0, x], 0)
            return ag.reduce_sum(y * y)

        same_in_all_ways(f, [1.0, 2.0])

    def test_rows_written_and_read(self) -> None:
        def f(x: Any) -> Any:
            y = x * 1.0
            for i in ag.range(1, 4):
                y = ag.tensor_scatter_nd_update(y, [[i]], [y[i - 1] * y[i]])
            return ag.reduce_sum(y * y[2])

        same_in_all_ways(f, [1.0, 2.0, 0.5, 3.0])

    def test_tensor_arrays(self) -> None:
        def f(x: Any) -> Any:
            ta = ag.TensorArray(ag.float64, size=4, element_shape=[])
            ta = ta.unstack(x)
            out = ag.TensorArray(ag.float64, size=0, dynamic_size=True, element_shape=[])
            for i in ag.range(4):
                out = out.write(i, ta.read(3 - i) * x[0])
                if i > 0:
                    out = out.write(i - 1, out.read(i) * out.read(i - 1))
            return ag.reduce_sum(out.stack() * x)

        same_in_all_ways(f, [1.0, 2.0, 0.5, 3.0])

    def test_rows_picked_by_arrays_of_indices(self) -> None:
        def f(x: Any) -> Any:
            total = ag.zeros([2], ag.float64)
            for i in ag.range(3):
                picked = x[ag.stack([i, i, (i + 1) % 3])]
                total = ag.sin(total) + ag.reduce_sum(picked * picked[0], 0)
            return ag.reduce_sum(total * x[1])

        same_in_all_ways(f, [[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]])

    def test_variables_to_second_order(self) -> None:
        v = ag.Variable(np.array([0.5, 0.25]))

        def f(x: Any) -> Any:
            for _ in ag.range(3):
                x = ag.tanh(x * v) + v[0]
            return ag.reduce_sum(x)

        def second(g: Any) -> Any:
            x = ag.constant(np.array([0.2, 0.4]))
            with ag.GradientTape() as outer:
                outer.watch(x)
                with ag.GradientTape() as inner:
                    inner.watch(x)
                    y = g(x)
                dx, dv = inner.gradient(y, [x, v])
                z = ag.reduce_sum(dx * dx) + ag.reduce_sum(dv * dv)
            return outer.gradient(z, [x, v])

        expected = second(f)
        check(second(ag.function(f)), expected)
        check(ag.function(lambda: second(f))(), expected)

    def test_lists_saved_by_loops_in_branches_in_loops(self) -> None:
        def f(x: Any) -> Any:
            y = x
            for i in ag.range(4):
                if i % 2 == 0:
                    for _ in ag.range(i + 1):
                        y = ag.sin(y) * x
                else:
                    y = y + x
            return y

        same_in_all_ways(f, 0.7)
        third = ag.grad(ag.grad(ag.grad(f)))
        x = ag.constant(np.float64(0.7))
        assert float(ag.function(third)(x)) == pytest.approx(float(third(x)))
        traced = ag.grad(ag.grad(ag.grad(ag.function(f))))
        assert float(traced(x)) == pytest.approx(float(third(x)))

    def test_growing_lists(self) -> None:
        def f(x: Any) -> Any:
            found = []
            y = x
            for _ in ag.range(3):
                y = ag.sin(y) + x
                found.append(y * x)
            return ag.reduce_sum(ag.stack(found))

        x = [0.5, 1.5]
        same_in_all_ways(f, x)

    def test_variables_in_the_body(self) -> None:
        v = ag.Variable(np.float64(0.5))
        w = ag.Variable(np.ones(2), trainable=True)

        def f(x: Any) -> Any:
            for _ in ag.range(3):
                x = ag.tanh(x * v + w)
                v.assign_add(0.1)
            return ag.reduce_sum(x * v)

        def run(g: Any) -> Any:
            v.assign(0.5)
            with ag.GradientTape() as tape:
                y = g(ag.constant(np.array([0.2, 0.4])))
            return tape.gradient(y, [v, w])

        check(run(ag.function(f)), run(f))
        check(ag.function(lambda: run(f))(), run(f))

    def test_while_loop_with_a_bound(self) -> None:
        def f(x: Any) -> Any:
            def body(i: Any, y: Any) -> Any:
                return i + 1, y * x

            start = (ag.constant(0), x)
            _, y = ag.while_loop(lambda i, y: i < 100, body, start, maximum_iterations=4)
            return y

        (dx,) = same_in_all_ways(f, 1.5)
        assert float(dx) == pytest.approx(5 * 1.5**4)

    def test_second_order_of_linear_steps(self) -> None:
        def f(x: Any) -> Any:
            y = x * 1.0
            for _ in ag.range(ag.cast(ag.reduce_sum(x), ag.int32)):
                y = y + x * 2.0
            return ag.reduce_sum(y)

        def g(x: Any) -> Any:
            rows = []
            for row in x:
                rows.append(row)
            return ag.reduce_sum(rows[-1] * 3.0)

        # The second gradient makes loops save, and then needs nothing of it.
        same_in_all_ways(f, np.linspace(0.1, 1.0, 12))
        same_in_all_ways(g, np.linspace(0.1, 1.0, 12))

    def test_loops_of_linear_steps_need_to_save_nothing(self) -> None:
        @ag.function
        def g(x: Any) -> Any:
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = x
                for _ in ag.range(5):
                    y = y * 3.0
            return tape.gradient(y, x)

        assert float(g(ag.constant(1.0))) == 243.0

    def test_third_order_through_a_loop(self) -> None:
        def power(x: Any) -> Any:
            y = x
            for _ in ag.range(4):
                y = y * x
            return y

        f: Any = power
        for _ in range(3):
            f = ag.grad(f)
        x = ag.constant(np.float64(1.5))
        assert float(ag.function(f)(x)) == pytest.approx(60 * 1.5**2)
        g: Any = ag.function(power)
        for _ in range(3):
            g = ag.grad(g)
        assert float(g(x)) == pytest.approx(60 * 1.5**2)

    def test_a_tape_in_each_pass(self) -> None:
        @ag.function
        def newton(x: Any) -> Any:
            for _ in ag.range(20):
                with ag.GradientTape() as tape:
                    tape.watch(x)
                    y = x * x - 2.0
                x = x - y / tape.gradient(y, x)
            return x

        assert float(newton(ag.constant(np.float64(1.0)))) == pytest.approx(2**0.5, rel=1e-12)
        slope = ag.grad(newton)(ag.constant(np.float64(1.0)))
        assert float(slope) == pytest.approx(0.0, abs=1e-9)

    def test_a_tape_in_each_pass_of_a_loop_in_a_loop(self) -> None:
        v = ag.Variable(2.0)

        @ag.function
        def descend(n: Any) -> Any:
            for _ in ag.range(n):
                for rate in ag.constant([0.1, 0.2]):
                    with ag.GradientTape() as tape:
                        loss = v * v
                    slope = tape.gradient(loss, v)
                    v.assign_sub(rate * slope)
            return v

        assert float(descend(ag.constant(3))) == pytest.approx(2 * (0.8 * 0.6) ** 3)

    def test_a_gradient_taken_in_a_branch(self) -> None:
        @ag.function
        def f(x: Any, wanted: Any) -> Any:
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = x
                for _ in ag.range(3):
                    y = y * x
            g = ag.zeros([])
            if wanted:
                g = tape.gradient(y, x)
            return g

        assert float(f(ag.constant(2.0), ag.constant(True))) == 32.0
        assert float(f(ag.constant(2.0), ag.constant(False))) == 0.0

    def test_a_tape_asked_in_both_branches_and_in_a_loop(self) -> None:
        @ag.function
        def f(x: Any, y: Any) -> Any:
            with ag.GradientTape() as tape:
                tape.watch([x, y])
                z = x * x * y
            if x > y:
                g = tape.gradient(z, x)
            else:
                g = tape.gradient(z, y)
            return g

        assert float(f(ag.constant(3.0), ag.constant(2.0))) == 12.0
        assert float(f(ag.constant(3.0), ag.constant(5.0))) == 9.0

        @ag.function
        def once(x: Any) -> Any:
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = x * x
            total = 0
            for _ in ag.range(1):
                total += tape.gradient(y, x)
            return total

        assert float(once(ag.constant(3.0))) == 6.0

    def test_reading_one_row_a_pass_costs_one_row(self) -> None:
        """Not a whole gradient of zeros each pass, whose time would grow with its square."""

        @ag.function
        def g(x: Any) -> Any:
            with ag.GradientTape() as tape:
                tape.watch(x)
                total = ag.zeros([100])
                for row in x:
                    total += row * row
                y = ag.reduce_sum(total)
            return tape.gradient(y, x)

        x = ag.constant(np.ones((500, 100), np.float32))
        np.testing.assert_array_equal(g(x).numpy(), 2 * np.ones((500, 100)))
        plan = g.get_concrete_function(x).plan_source()
        assert "get_item_grad" not in plan.lower()

    def test_writing_one_item_a_pass_costs_one_item(self, monkeypatch: Any) -> None:
        @ag.function
        def g(x: Any) -> Any:
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = x * 1.0
                ta = ag.TensorArray(ag.float64, size=0, dynamic_size=True, element_shape=[])
                for i in ag.range(1, len(x)):
                    y[i] = y[i] * ag.sin(y[i - 1])
                    ta = ta.write(i - 1, y[i])
                total = ag.reduce_sum(y) + ag.reduce_sum(ta.stack())
            return tape.gradient(total, x)

        made: list[int] = []

        class Counted(lists.ListValue):
            __slots__ = ()

            def __init__(self, items: Any = ()) -> None:
                super().__init__(items)
                made.append(len(self))

        def work(n: int) -> int:
            x = ag.constant(np.full(n, 0.9))
            g(x)
            made.clear()
            return calls(g, x)

        monkeypatch.setattr(lists, "ListValue", Counted)
        small, large = work(500), work(1000)
        assert 1.5 * small < large < 2.5 * small
        assert 0 < len(made) < 10  # no list is copied in each pass, ...
        plan = g.get_concrete_function(ag.constant(np.full(1000, 0.9))).plan_source()
        passes = [line for line in plan.splitlines() if line.startswith(" " * 12)]
        assert "            d_y[the_position_1] += tensor_list_get_or_zeros" in passes
        assert not [line for line in passes if "copy" in line or "(y" in line or "(d_y" in line]

    def test_shapes_are_kept_rather_than_what_has_them(self) -> None:
        @ag.function(input_signature=[ag.TensorSpec([None], ag.float64)])
        def g(x: Any) -> Any:
            with ag.GradientTape() as tape:
                tape.watch(x)
                total = ag.zeros([], ag.float64)
                for i in ag.range(10):
                    total += ag.reduce_sum(x * 2.0 + ag.cast(i, ag.float64))
            return tape.gradient(total, x)

        size = 100_000
        x = ag.constant(np.ones(size))
        assert g(x).numpy().tolist() == [20.0] * size
        tracemalloc.start()
        g(x)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 6 * size * 8

    def test_only_what_is_needed_is_kept(self) -> None:
        size = 100_000

        @ag.function
        def g(x: Any) -> Any:
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = x
                for _ in ag.range(20):
                    # Of each pass only the sine's argument is needed; sums and scales are not.
                    y = ag.sin((y * 2.0 + 1.0) * 0.5 - 0.25)
            return tape.gradient(y, x)

        x = ag.constant(np.ones(size))
        g(x)
        tracemalloc.start()
        g(x)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 27 * size * 8


class TestOtherWaysThroughPython:
    """State in objects and containers, exceptions, and functions made along the way."""

    def test_objects(self) -> None:
        class Cell:
            def __init__(self, w: Any) -> None:
                self.w = w
                self.h = ag.zeros_like(w)

            def step(self, x: Any) -> None:
                self.h = ag.tanh(self.h * self.w + x)

        def f(x: Any, w: Any) -> Any:
            cell = Cell(w)
            for i in ag.range(3):
                cell.step(x[i])
            return ag.reduce_sum(cell.h * x)

        same_in_all_ways(f, [0.1, 0.2, 0.3], [0.5, 0.6, 0.7])

    def test_dictionaries(self) -> None:
        def f(x: Any) -> Any:
            d = {"a": x, "b": [x * 2.0, 0.0]}
            for _ in ag.range(3):
                d["a"] = ag.sin(d["a"]) * d["b"][0]
                if ag.reduce_sum(d["a"]) > 0.0:
                    d["b"][0] = d["a"] * 0.5
            return ag.reduce_sum(d["a"])

        same_in_all_ways(f, [0.1, 0.2, 0.3])

    def test_lists_that_branches_append_to(self) -> None:
        def f(x: Any) -> Any:
            found = []
            for row in x:
                if row > 0.15:
                    found.append(row * row)
                else:
                    found.append(ag.sin(row))
            total = 0.0
            for value in found:
                total += value * found[0]
            return total + found.pop()

        same_in_all_ways(f, [0.1, 0.2, 0.3])

    def test_items_assigned(self) -> None:
        @ag.function
        def f(x: Any) -> Any:
            y = x * 1.0
            for i in ag.range(3):
                y[i] = y[i] * y[(i + 1) % 3]
            return ag.reduce_sum(y * x)

        x = ag.constant(np.array([0.1, 0.2, 0.3]))
        np.testing.assert_allclose(ag.grad(f)(x).numpy(), [0.058, 0.139, 0.052])

    def test_exceptions_caught(self) -> None:
        def f(x: Any) -> Any:
            try:
                if x < 0.0:
                    raise ValueError("negative")
                y = ag.sqrt(x) * x
            except ValueError:
                y = x * x
            return y * x

        same_in_all_ways(f, 0.5)
        same_in_all_ways(f, -0.5)

    def test_functions_made_in_a_pass(self) -> None:
        def f(x: Any) -> Any:
            y = x
            for i in ag.range(3):
                step = lambda v: v * x + ag.cast(i, ag.float64)  # noqa: B023, E731
                y = step(y)
            return y

        same_in_all_ways(f, 1.1)

    def test_complex_numbers(self) -> None:
        def f(x: Any) -> Any:
            z = ag.complex(x, x * 2.0)
            for _ in ag.range(3):
                z = z * z * 0.5
            return ag.math.real(z * ag.math.conj(z))

        same_in_all_ways(f, 0.7)

    def test_computed_again_in_each_pass(self) -> None:
        def f(x: Any) -> Any:
            step = ag.recompute_grad(lambda h: ag.tanh(h * x) + h)
            h = x
            for _ in ag.range(3):
                h = step(h)
            return h

        def plain(x: Any) -> Any:
            h = x
            for _ in ag.range(3):
                h = ag.tanh(h * x) + h
            return h

        again = ag.recompute_grad(plain)
        check(same_in_all_ways(again, 0.7), same_in_all_ways(plain, 0.7))
        same_in_all_ways(f, 0.7)

    def test_a_persistent_tape_asked_twice(self) -> None:
        def f(x: Any) -> Any:
            with ag.GradientTape(persistent=True) as tape:
                tape.watch(x)
                y = x
                for _ in ag.range(3):
                    y = ag.sin(y) * x
                z = y * y
            return tape.gradient(z, x) * tape.gradient(y, x)

        same_in_all_ways(f, 0.7)


class TestWhereTheGradientStops:
    def test_counters_and_comparisons(self) -> None:
        @ag.function
        def f(x: Any) -> Any:
            n = 0
            while x > 1.0:
                x = x / 2.0
                n += 1
            return ag.cast(n, ag.float32)

        x = ag.constant(10.0)
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        assert tape.gradient(y, x) is None or float(tape.gradient(y, x)) == 0.0

    def test_stop_gradient_in_a_loop(self) -> None:
        def f(x: Any) -> Any:
            y = x
            for _ in ag.range(3):
                y = ag.stop_gradient(y) * x
            return y

        (dx,) = same_in_all_ways(f, 2.0)
        assert float(dx) == 8.0


def test_map_fn_and_scan() -> None:
    def f(x: Any) -> Any:
        mapped = ag.map_fn(lambda row: ag.sin(row) * ag.reduce_sum(row), x)
        scanned = ag.scan(lambda a, row: ag.tanh(a + row), mapped)
        return ag.reduce_sum(scanned * mapped)

    same_in_all_ways(f, np.linspace(0.1, 0.9, 6).reshape(3, 2))
