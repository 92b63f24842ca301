"""What is printed where parts of a program are traced more than once."""

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check


def in_a_handler(x):
    counts = [0]
    try:
        counts[0] += 1
        if x < 0:
            raise ValueError
    except ValueError:
        print("failed", counts[0])
    return counts


def in_a_branch_of_a_loop(xs):
    table = {"n": 0}
    for x in xs:
        if x > 1:
            table["n"] += 1
        elif x > 5:
            print(table["n"])
    return table


class Account:
    def __init__(self):
        self.balance = 100.0


def in_all_parts_of_a_try(xs):
    account = Account()
    for x in xs:
        try:
            if x > 2:
                raise ValueError(x)
            account.balance -= x
        except ValueError as error:
            print("refused", error)
        else:
            print("left", account.balance)
        finally:
            print("done", account.balance)
    return account.balance


@pytest.mark.parametrize("function", [in_a_branch_of_a_loop, in_all_parts_of_a_try])
def test_values_that_become_tensors_are_printed_when_the_graph_runs(function):
    check(function, np.array([1.0, 2.0, 3.0]))


def test_what_a_handler_prints():
    for x in (3.0, -3.0):
        check(in_a_handler, np.float64(x), gradient=False)


def test_known_values_are_printed_while_tracing_and_once(capsys):
    @ag.function
    def tries(x):
        total = 0
        try:
            print("tried")
            if x > 0:
                raise ValueError("positive")
            total += x
        except ValueError:
            print("caught")
            total = 1.0
        return total

    tries(np.float64(1.0))
    tries(np.float64(-1.0))
    assert capsys.readouterr().out == "tried\ncaught\n"


def test_what_is_printed_before_an_error_is_shown(capsys):
    @ag.function
    def fails(xs):
        total = 0.0
        for x in xs:
            print("begins")
            total += x
            raise KeyError("here")
        return total

    with pytest.raises(KeyError):
        fails(np.array([1.0, 2.0]))
    assert "begins" in capsys.readouterr().out


def loud(value):
    print("asked")
    return value


def a_test_that_prints(x):
    while loud(x > 0):
        x -= 1
    return x


def a_test_that_prints_and_has_effects(x):
    left = [x]
    while loud(left[-1] > 0):
        left.append(left[-1] - 1)
    return left[-1]


def a_final_part(x):
    try:
        if x < 0:
            raise ValueError
    finally:
        print("asked")
    return x


def a_final_part_that_is_left(x):
    try:
        if x < 0:
            return x
        x = x * 2
    finally:
        print("asked")
    return x


def an_array_that_has_to_be_a_tensor(x):
    print("asked")
    a = np.zeros(3)
    b = a
    if x > 0:
        b[0] = x
    return a


@pytest.mark.parametrize(
    "function",
    [
        a_test_that_prints,
        a_test_that_prints_and_has_effects,
        a_final_part,
        a_final_part_that_is_left,
        an_array_that_has_to_be_a_tensor,
    ],
)
def test_what_is_traced_twice_prints_known_values_once(function, capsys):
    ag.function(function)(np.float64(2.0))
    assert capsys.readouterr().out == "asked\n"


def test_a_final_part_prints_what_it_does_before_a_known_error(capsys):
    @ag.function
    def fails(x):
        try:
            y = x * 2
            raise KeyError("known")
        finally:
            print("asked")
        return y

    with pytest.raises(KeyError):
        fails(np.float64(2.0))
    assert capsys.readouterr().out == "asked\n"


def test_the_same_text_is_printed_as_often_as_one_trace_prints_it(capsys):
    @ag.function
    def prints(x):
        for _ in range(3):
            print("asked")
        a = np.zeros(3)
        b = a
        if x > 0:
            b[0] = x
        print("asked")
        return a

    prints(np.float64(2.0))
    assert capsys.readouterr().out == "asked\n" * 4
