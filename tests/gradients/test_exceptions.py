"""Gradients through staged `try` statements."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph_lite as ag
from runtime.control_flow import unbound
from runtime.executor import Plan
from runtime.gradients.eager_runs import EagerRun
from runtime.graph import FunctionGraph
from tests.staging.differential import check_all

XS = np.array([0.5, -1.25, 2.0, 0.75])


def lists_that_grow_before_a_raise(xs, x):
    items = []
    for w in xs:
        try:
            items.append(w * x)
            if w < 0:
                raise ValueError("negative")
            items.append(w * w)
        except ValueError:
            items.append(x * 3.0)
    return sum(items), len(items)


def lists_made_in_a_try(xs, x):
    items = [x]
    try:
        items = [w * x for w in xs]
        if items[0] > 0.5:
            raise KeyError("large")
        items.append(x * x)
    except KeyError:
        items.append(items[1] * x)
    return items[-1] * items[0]


def lists_taken_back(xs, x):
    items = [x, x * 2.0, x * 3.0]
    try:
        last = items.pop()
        if last > 2.0:
            raise ValueError("large")
        items[0] = last * x
    except ValueError:
        items.append(last * last)
    return items[0] + items[-1]


def objects_changed_before_a_raise(xs, x):
    table = {"a": x, "b": 0.0}
    for w in xs:
        try:
            table["a"] = table["a"] * w
            if table["a"] < 0:
                raise ValueError("negative")
            table["b"] += table["a"] * x
        except ValueError:
            table["a"] = table["a"] * table["a"] + x
    return table["a"] + table["b"]


def what_only_some_paths_have(xs, x):
    total = x * 0.0
    for w in xs:
        try:
            if w > 1:
                raise ValueError("large")
            if w > 0:
                part = w * x
            else:
                part = -w
            if part < 0.6:
                raise ValueError("small")
            other = part * part
        except ValueError:
            other = w
        total += other
    return total


def a_return_from_a_handler(xs, x):
    for w in xs:
        try:
            if w * x < 0:
                raise ValueError("negative")
            x = x + w
        except ValueError:
            return x * w
    return x


def a_break_from_a_handler(xs, x):
    total = x
    for w in xs:
        try:
            total = total * w
            if total < 0:
                raise ValueError("negative")
        except ValueError:
            total = total * total
            break
        else:
            total = total + w * x
        finally:
            x = x * 0.5
    return total * x


def jumps_out_of_nested_handlers(xs, x):
    items, place = [x], 0
    for w in xs:
        try:
            try:
                if w * x > 1:
                    raise ValueError("large")
            except ValueError:
                if w > 1.5:
                    place = 9
                    break
            else:
                if w < -1:
                    place = 9
                    break
            x = x + items[place] * w
        finally:
            items.append(x * w)
    return x * items[-1]


PROGRAMS = [
    jumps_out_of_nested_handlers,
    lists_that_grow_before_a_raise,
    lists_made_in_a_try,
    lists_taken_back,
    objects_changed_before_a_raise,
    what_only_some_paths_have,
    a_return_from_a_handler,
    a_break_from_a_handler,
]


@pytest.mark.parametrize("f", PROGRAMS, ids=lambda f: f.__name__)
def test_against_differences(f):
    # `check_all` compares gradients with differences, too.
    for x in (1.5, -0.75, 0.25):
        check_all(f, (XS, np.float64(x)), (-XS, np.float64(x)), (XS[::-1].copy(), np.float64(x)))


class TestVariables:
    """Read in a `try`, and assigned there."""

    def slopes(self, f: Any, *variables: Any) -> list[list[Any]]:
        """The gradients by the argument and variables: eager, traced around, traced inside."""
        before = [v.numpy() for v in variables]

        def run(g: Any) -> Any:
            for v, value in zip(variables, before, strict=True):
                v.assign(value)
            x = ag.constant(1.5, ag.float64)
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = g(x)
            return tape.gradient(y, [x, *variables], unconnected_gradients="zero")

        runs = [run(f), run(ag.function(f)), ag.function(lambda: run(f))()]
        return [[float(g) for g in gradients] for gradients in runs]

    def test_reading(self) -> None:
        v, w = ag.Variable(2.0, dtype=ag.float64), ag.Variable(0.5, dtype=ag.float64)

        def f(x: Any) -> Any:
            total = x
            for i in ag.range(4):
                try:
                    total = total * v
                    if total > 5.0:
                        raise ValueError("large")
                except ValueError:
                    total = total * w * w + ag.cast(i, ag.float64)
            return total

        eager, *traced = self.slopes(f, v, w)
        for found in traced:
            np.testing.assert_allclose(found, eager)

    def test_a_variable_that_changes_between(self) -> None:
        v = ag.Variable(2.0, dtype=ag.float64)

        def f(x: Any) -> Any:
            for _ in ag.range(3):
                try:
                    x = x * v
                    if x > 4.0:
                        raise ValueError("large")
                except ValueError:
                    x = x / (v + 1.0)
                v.assign_add(1.0)
            return x

        eager, *traced = self.slopes(f, v)
        for found in traced:
            np.testing.assert_allclose(found, eager)

    def test_counting_what_was_caught(self) -> None:
        caught = ag.Variable(0, dtype=ag.int32, trainable=False)
        v = ag.Variable(2.0, dtype=ag.float64)

        def f(x: Any) -> Any:
            for _ in ag.range(4):
                try:
                    x = x * v
                    if x > 4.0:
                        raise ValueError("large")
                except ValueError:
                    caught.assign_add(1)
                    x = x * 0.25 + ag.cast(caught, ag.float64) * x
            return x

        x = ag.constant(1.5, ag.float64)
        made = []
        for g in (f, ag.function(f)):
            caught.assign(0)
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = g(x)
            # Running the `try` again for the gradient counts nothing.
            made.append([*map(float, tape.gradient(y, [x, v])), int(caught)])
        np.testing.assert_allclose(made[1], made[0])
        assert made[0][-1] > 1

    def test_assigning_what_is_differentiated_by(self) -> None:
        v = ag.Variable(2.0, dtype=ag.float64)

        def f(x: Any) -> Any:
            for _ in ag.range(4):
                try:
                    x = x * v
                    v.assign_sub(0.25)
                    if x > 4.0:
                        raise ValueError("large")
                    v.assign(x * 0.5)
                    x = x * v * v
                except ValueError:
                    x = x / (1.0 + v)
            return x * v

        eager, *traced = self.slopes(f, v)
        for found in traced:
            np.testing.assert_allclose(found, eager)

    def test_other_effects_are_refused(self) -> None:
        @ag.function
        def f(x: Any) -> Any:
            try:
                y = x * ag.random.uniform([], dtype=ag.float64)
                if y > 3.0:
                    raise ValueError("large")
            except ValueError:
                y = x * 2.0
            return y

        x = ag.constant(1.5, ag.float64)
        with pytest.raises(ag.errors.UnimplementedError, match="draw random numbers"):
            ag.grad(f)(x)


@ag.custom_gradient
def cube(x: Any) -> Any:
    square = x * x
    # Twice the true gradient, to be told from it.
    return square * x, lambda dy: dy * 6.0 * square


@ag.custom_gradient
def scaled(x: Any, y: Any) -> Any:
    return x * y, lambda dy: (ag.cond(dy > 0.0, lambda: dy * y, lambda: dy * 0.5), None)


weight = ag.Variable(0.7, dtype=ag.float64)
again = ag.recompute_grad(lambda x: ag.sin(x) * x * weight)


@ag.function
def called(x: Any) -> Any:
    for _ in ag.range(2):
        x = ag.sin(x) + x
    return x


@ag.function
def recursive(x: Any) -> Any:
    if x * x > 4.0:
        return x * x
    return recursive(x * 1.5) * x


@pytest.mark.parametrize(
    "g", [cube, lambda x: scaled(x, x * 2.0), again, called, recursive],
    ids=["custom", "custom with a branch", "computed again", "called", "recursive"],
)  # fmt: skip
def test_functions_in_a_try(g: Any) -> None:
    def f(x: Any) -> Any:
        for _ in ag.range(3):
            try:
                y = x * 0.5
                x = g(x) * 0.7
                if x > 0.6:
                    raise ValueError("large")
            except ValueError:
                x = g(y) * 0.4 + x * 0.1
        return x

    def second(f: Any) -> Any:
        return lambda x: ag.reduce_sum(ag.grad(f)(x) ** 2)

    for value in (0.4, 1.2, -0.8):
        x = ag.constant(value, ag.float64)
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        expected = tape.gradient(y, [x, weight], unconnected_gradients="zero")
        with ag.GradientTape() as tape:
            tape.watch(x)
            y = ag.function(f)(x)
        found = tape.gradient(y, [x, weight], unconnected_gradients="zero")
        np.testing.assert_allclose(found, expected)
        np.testing.assert_allclose(ag.function(ag.grad(f))(x), expected[0])
        expected = ag.grad(second(f))(x)
        np.testing.assert_allclose(ag.grad(second(ag.function(f)))(x), expected)
        np.testing.assert_allclose(ag.function(ag.grad(second(f)))(x), expected)


def test_a_tape_around_a_loop_in_a_try() -> None:
    def f(x: Any) -> Any:
        try:
            with ag.GradientTape() as tape:
                tape.watch(x)
                y = x
                for _ in ag.range(3):
                    y = ag.sin(y) * x
            slope = tape.gradient(y, x)
            if slope > 1.0:
                raise ValueError("steep")
        except ValueError:
            slope = x * 0.1
        return slope

    def plain(x: Any) -> Any:
        slope = ag.grad(lambda x: ag.sin(ag.sin(ag.sin(x) * x) * x) * x)(x)
        return slope if slope <= 1.0 else x * 0.1

    for value in (0.4, 1.2):
        x = ag.constant(value, ag.float64)
        np.testing.assert_allclose(ag.function(f)(x), plain(x))
        expected = ag.grad(plain)(x)
        np.testing.assert_allclose(ag.grad(ag.function(f))(x), expected)
        np.testing.assert_allclose(ag.function(ag.grad(f))(x), expected)


def test_second_order() -> None:
    def f(x: Any, w: Any) -> Any:
        total = x
        for i in ag.range(4):
            try:
                total = total * total * w
                if total > 2.0:
                    raise ValueError("large")
            except ValueError:
                total = ag.sin(total) + ag.cast(i, ag.float64) * x * x
        return total

    g = ag.function(f)
    x, w = ag.constant(1.3, ag.float64), ag.constant(0.9, ag.float64)

    def slope(x: Any) -> Any:
        return ag.grad(g)(x, w)

    e = 1e-5
    expected = (
        slope(ag.constant(1.3 + e, ag.float64)) - slope(ag.constant(1.3 - e, ag.float64))
    ) / (2 * e)
    np.testing.assert_allclose(ag.grad(slope)(x), expected, rtol=1e-6)
    np.testing.assert_allclose(ag.function(ag.grad(slope))(x), expected, rtol=1e-6)


@pytest.mark.parametrize("dtype", [ag.bool, ag.int32, ag.float64], ids=lambda d: d.name)
def test_what_has_no_value_counts_as_in_plans(dtype: Any) -> None:
    graph = FunctionGraph("part", None)
    with graph.as_default():
        flag = ag.cast(unbound(dtype, ag.TensorShape([])), ag.bool)
        chosen = ag.cond(flag, lambda: ag.constant(1.0), lambda: ag.constant(2.0))
        graph.outputs = [graph.resolve(chosen), graph.resolve(ag.logical_not(flag))]
    found = [t.numpy() for t in EagerRun({}).graph(graph, [])]
    assert found == list(Plan(graph, "part").run()) == [2.0, True]


def unpacked(xs, x):
    try:
        a, b = [w * x for w in xs if w > x]
        y = a * b
    except ValueError:
        y = x * x * xs[0]
    return y


def asserted_by_the_library(xs, x):
    try:
        ag.debugging.Assert(x > xs[0], ["small"])
        y = x * xs[1]
    except ag.errors.InvalidArgumentError:
        y = x * x
    return y


def not_a_number(xs, x):
    try:
        y = ag.debugging.check_numerics(xs[0] / x, "found") * x
    except ag.errors.InvalidArgumentError:
        y = x * 3.0
    return y


@pytest.mark.parametrize(
    ("f", "value", "gradient"),
    [
        (unpacked, 0.6, 2.0 * 2.0 * 0.75 * 0.6),
        (unpacked, 2.0, 2.0 * 2.0 * 0.5),
        (unpacked, -2.0, -4.0 * 0.5),
        (asserted_by_the_library, 2.0, -1.25),
        (asserted_by_the_library, 0.25, 0.5),
        (not_a_number, 0.0, 3.0),
        (not_a_number, 2.0, 0.0),
    ],
)
def test_checks_raise_again_where_the_body_runs_again(
    f: Any, value: float, gradient: float
) -> None:
    x = ag.constant(value, ag.float64)
    found = ag.function(ag.grad(lambda x: f(ag.constant(XS), x)))(x)
    np.testing.assert_allclose(found.numpy(), gradient, atol=1e-9)


def test_what_a_try_prints_is_printed_once(capsys: Any) -> None:
    def f(x: Any) -> Any:
        try:
            print("before", x)
            if x > 1:
                raise ValueError("large")
            y = x * x
        except ValueError:
            print("caught", x)
            y = x * 3.0
        return y

    g = ag.function(ag.grad(f))
    assert [float(g(ag.constant(v))) for v in (0.5, 2.0)] == [1.0, 3.0]
    assert capsys.readouterr().out == "before 0.5\nbefore 2.0\ncaught 2.0\n"


def a_key_that_a_clause_may_add(xs, x):
    log = {}
    t = x
    for w in xs:
        if w > 0:
            try:
                t = t * w
                if w < 1:
                    raise ValueError("small")
            except ValueError:
                log.setdefault("p", x)
                if x > 2:
                    t = t * 2
    return t


def test_what_nobody_needs_of_a_clause_is_not_run():
    check_all(a_key_that_a_clause_may_add, (XS, np.float64(1.5)), (XS, np.float64(2.5)))
