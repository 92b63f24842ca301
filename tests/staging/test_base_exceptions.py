"""Exceptions that are no `Exception`: SystemExit, GeneratorExit and the user's own."""

from __future__ import annotations

import contextlib
import sys

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import difference, run_plain, run_staged

REALS = [np.float64(v) for v in (1.0, -1.0, 0.0)]


class Stop(BaseException):
    pass


def an_exit(x):
    if x < 0:
        raise SystemExit(3)
    return x


def an_exit_by_sys(x):
    if x < 0:
        sys.exit(2)
    return x


def of_a_generator(x):
    if x < 0:
        raise GeneratorExit
    return x


def of_the_users(x):
    if x < 0:
        raise Stop(x)
    return x


def caught_by_its_class(x):
    y = x
    try:
        if x < 0:
            raise Stop(x)
        y = y * 2
    except Exception:
        y = 1.0
    except Stop as s:
        y = s.args[0] * 3
    return y


def caught_and_cleaned_up(x):
    y = x
    try:
        if x < 0:
            raise SystemExit(3)
        y = y * 2
    except SystemExit as s:
        return y * 5, s.args[0]
    finally:
        y = y + 1.0
    return y, 0


def caught_by_a_bare_clause(x):
    y = x
    try:
        if x < 0:
            raise Stop(3)
        y = y * 2
    except:  # noqa: E722
        y = 1.0
    return y


def raised_for_sure(x):
    y = x
    try:
        try:
            raise Stop(3)
        finally:
            y = 3.0 * x
    except BaseException as e:
        if isinstance(e, Stop):
            return y
    return 1.0


def in_a_loop(x):
    for k in range(5):
        if x + k > 3:
            raise SystemExit(k)
    return x


def of_several_classes(x):
    try:
        if x < 0:
            raise Stop(3)
        if x > 0:
            raise KeyError(3)
    except BaseException as e:
        return str(e), type(e) is Stop
    return "", False


def _caught(function):
    def run(x):
        try:
            return function(x)
        except BaseException as error:
            return type(error).__name__, tuple(map(float, error.args))

    return run


@pytest.mark.parametrize(
    "function",
    [
        an_exit,
        an_exit_by_sys,
        of_a_generator,
        of_the_users,
        caught_by_its_class,
        caught_and_cleaned_up,
        caught_by_a_bare_clause,
        raised_for_sure,
        in_a_loop,
        of_several_classes,
    ],
)
def test_base_exceptions(function):
    staged = ag.function(function)
    for x in REALS:
        plain = run_plain(_caught(function), (x,))
        found = difference(plain, run_staged(_caught(staged), (x,)), False, 1e-5)
        assert found is None, found


@pytest.mark.parametrize("kind", ["try", "suppress"])
def test_an_interrupt_while_a_try_is_traced_ends_the_trace(kind):
    interrupting = {"now": True}

    def waits():
        if interrupting["now"]:
            raise KeyboardInterrupt

    @ag.function
    def f(x):
        if kind == "try":
            try:
                if x < 0:
                    raise KeyError("below")
                waits()
            except KeyError:
                x = x * 2
        else:
            with contextlib.suppress(KeyError):
                if x < 0:
                    raise KeyError("below")
                waits()
        return x

    with pytest.raises(KeyboardInterrupt):
        f(ag.constant(1.0))
    interrupting["now"] = False
    assert float(f(ag.constant(1.0))) == 1.0
