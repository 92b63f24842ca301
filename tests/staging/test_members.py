"""Members of enumerations that are asked for by a value, and machines that go from one to another."""

import enum

import numpy as np

from tests.staging.differential import check, check_all


class State(enum.Enum):
    IDLE = 0
    RUNNING = 1
    STOPPED = 2
    BROKEN = 3


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 5


def test_a_member_by_its_value():
    def f(n):
        state = State(n)
        return state is State.STOPPED, state.name, state.value * 2

    check_all(f, *((np.int32(n),) for n in (0, 2, 3, 7)))


def test_a_member_that_is_a_number():
    def f(n):
        return Level(n) + 1, Level(n) > Level.LOW

    check_all(f, (np.int32(1),), (np.int32(5),), (np.int32(4),))


def test_python_values_give_python_members():
    def f(n):
        state = State(1)
        return state is State.RUNNING, n + state.value

    check(f, np.int32(1))


def test_a_machine_of_four_states():
    def f(xs):
        state = State.IDLE
        seen = []
        for x in xs:
            if state is State.IDLE and x > 0:
                state = State.RUNNING
            elif state is State.RUNNING:
                state = State.STOPPED if x > 4 else State.BROKEN if x < 0 else state
            elif state == State.STOPPED:
                state = State.IDLE
            seen.append(state.value)
        return seen, state.name, state is State.BROKEN

    check_all(f, (np.array([1.0, 5.0, 2.0, 9.0, 0.0]),), (np.array([1.0, -1.0, 3.0, 0.0, 0.0]),))
