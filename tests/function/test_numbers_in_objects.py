"""Python's own numbers and text in objects, which branches and loops over tensors change."""

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import autograph_lite as ag

Box = types.SimpleNamespace


def agrees(function: Callable[..., Any], calls: list[Any], **start: Any) -> Any:
    """Asserts that each call leaves in an object what it would as plain Python; gives the object.

    Args:
      function: takes the object and what is in `calls`.
      calls: the numbers or lists of numbers of each call.
      **start: the attributes that the object begins with.
    """
    plain, staged = Box(**start), Box(**start)
    traced = ag.function(function)
    for call in calls:
        expected = function(plain, np.asarray(call))
        found = traced(staged, ag.constant(call))
        assert as_python(found) == as_python(expected), call
        assert as_python(vars(staged)) == as_python(vars(plain)), call
    assert traced.experimental_get_tracing_count() <= 2 + len({np.shape(c) for c in calls})
    return staged


def as_python(value: Any) -> Any:
    """A value with numbers and text in the place of tensors and arrays."""
    if isinstance(value, dict):
        return {key: as_python(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_python(item) for item in value]
    if isinstance(value, ag.Tensor):
        value = value.numpy()
    if isinstance(value, bytes):
        return value.decode()
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def counted(box, xs):
    for x in xs:
        box.seen += 1
        if x > 1:
            box.large = box.large + 1
    return box.seen - box.large


def test_numbers_count_what_a_loop_does():
    agrees(counted, [[1, 2, 3], [4, 0, 0], [1, 1]], seen=0, large=0)


def flagged(box, x):
    if x > 2:
        box.done = True
    return x


def test_a_flag_is_set_only_where_the_branch_is_taken():
    box = agrees(flagged, [1, 2, 3, 1], done=False)
    assert bool(box.done)
    box.done = False
    traced = ag.function(flagged)
    for x, expected in ((1, False), (5, True), (1, True)):
        traced(box, ag.constant(x))
        assert bool(box.done) is expected


def until_done(box, limit):
    box.done = False
    steps = 0
    while not box.done:
        steps += 1
        box.level = box.level + 0.5
        if box.level > limit:
            box.done = True
    return steps


def test_a_loop_ends_by_a_flag_in_an_object():
    agrees(until_done, [2, 3, 7], done=True, level=0.0)


def first_time(box, x):
    if x > 0:
        box.best = 3
    return x


@pytest.mark.parametrize("start", [{"best": None}, {"best": 1}, {"best": "none"}, {}])
def test_a_number_takes_the_place_of_anything(start):
    agrees(first_time, [-1, 1, -1], **start)
    agrees(first_time, [1, -1, 1], **start)


def named(box, x):
    if x > 0:
        box.sign = "positive"
    elif x < 0:
        box.sign = "negative"
    return x


def test_text_is_that_of_the_branch_taken():
    agrees(named, [-1, 0, 1, 0, -1], sign="none")


def in_containers(box, xs):
    for x in xs:
        box.table["n"] += 1
        if x > 2:
            box.row[1] += 1
    return xs


def test_items_of_dicts_and_lists():
    agrees(in_containers, [[1, 2, 3], [3, 4, 0]], table={"n": 0}, row=[0, 0])


def lazily(box, x):
    if x > 0:
        if box.scale is None:
            box.scale = 5
        return x * box.scale
    return x


def test_what_is_made_when_it_is_wanted():
    agrees(lazily, [-1, 2, -3, 4], scale=None)


class Environment:
    """What a program of reinforcement learning calls again and again."""

    def __init__(self):
        self.reset()

    def reset(self):
        self.place, self.steps, self.over = 0.0, 0, False

    def step(self, action):
        self.place = self.place + action
        self.steps += 1
        if self.place > 3 or self.steps >= 6:
            self.over = True
        return self.place


def test_a_method_that_steps_until_it_is_over():
    def episode(environment, action):
        total = 0.0
        while not environment.over:
            total += environment.step(action)
        return total

    plain, staged, traced = Environment(), Environment(), ag.function(episode)
    for action in (1.25, 0.5, 2.0):
        plain.reset()
        staged.reset()
        expected = episode(plain, np.float64(action))
        assert traced(staged, ag.constant(action, ag.float64)).numpy() == expected
        assert as_python(vars(staged)) == as_python(vars(plain))
    assert traced.experimental_get_tracing_count() == 1


def test_the_gradient_goes_through_such_a_number():
    box = Box(total=0.0)

    @ag.function
    def f(xs):
        box.total = 0.0
        for x in xs:
            if x > 0:
                box.total = box.total + x * x
        return box.total

    xs = ag.constant([1.0, -2.0, 3.0])
    assert ag.grad(f)(xs).numpy().tolist() == [2.0, 0.0, 6.0]


def test_outside_of_branches_and_loops_numbers_change_once_a_trace():
    box = Box(traces=0)

    @ag.function
    def f(x):
        box.traces += 1
        return x + 1 if x > 0 else x

    for x in (1, -1, 2):
        f(ag.constant(x))
    assert box.traces == 1


def test_what_is_appended_while_tracing_is_so_once_a_trace():
    log = []

    @ag.function
    def f(x):
        if x > 0:
            log.append("traced")
        return x

    for x in (1, -1, 2):
        f(ag.constant(x))
    assert log == ["traced"]


def test_a_variable_that_a_function_binds_outside_of_itself_counts_what_is_traced():
    count = 0

    def fresh():
        nonlocal count
        count += 1
        return count

    @ag.function
    def f(x):
        return x + fresh() if x > 0 else x - fresh()

    found = [int(f(ag.constant(x))) for x in (5, -5, 7)]
    assert (found, count) == ([6, -7, 8], 2)
