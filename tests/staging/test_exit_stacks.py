"""`with contextlib.ExitStack()` around code that may raise when the graph runs."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all

REALS = [(np.float64(v),) for v in (1.0, -1.0)]


def callbacks(x):
    log = []
    y = x
    try:
        with contextlib.ExitStack() as st:
            st.callback(log.append, "cleanup")
            if x < 0:
                raise ValueError(x)
            y = y * 2
            log.append("end")
    except ValueError:
        log.append("caught")
    return log, y


def given_up_in_a_branch(x):
    log = []
    with contextlib.ExitStack() as st:
        st.callback(log.append, "cleanup")
        if x < 0:
            st.pop_all()
        log.append("end")
    return log


def filled_in_a_branch(x):
    log = []
    with contextlib.ExitStack() as st:
        if x < 0:
            st.callback(log.append, "cleanup")
        log.append("end")
    return log


class M:
    def __init__(s, log):
        s.log = log

    def __enter__(s):
        s.log.append("in")
        return s

    def __exit__(s, *a):
        s.log.append("out")


def a_manager(x):
    log = []
    try:
        with contextlib.ExitStack() as st:
            st.enter_context(M(log))
            if x < 0:
                raise ValueError(x)
            log.append("end")
    except ValueError:
        log.append("caught")
    return log


@contextlib.contextmanager
def gm(log):
    log.append("in")
    try:
        yield 3
    finally:
        log.append("out")


def a_generators_end(x):
    log = []
    try:
        with contextlib.ExitStack() as st:
            st.enter_context(gm(log))
            if x < 0:
                raise ValueError(x)
            log.append("end")
    except ValueError:
        log.append("caught")
    return log


def callbacks_in_a_loop(x):
    log = []
    with contextlib.ExitStack() as st:
        for i in range(3):
            st.callback(log.append, i)
        y = [1, 2, 3][int(x) + 1]
    return log, y


def a_generator_that_is_not_watched(x):
    log = []
    with contextlib.ExitStack() as st:
        st.enter_context(gm(log))
        y = [1, 2, 3][int(x) + 1]
    return log, y


def filled_before(x):
    log = []
    st = contextlib.ExitStack()
    st.callback(log.append, "x")
    with st:
        if x < -5:
            raise ValueError(x)
    return log


def filled_by_and_by(x):
    log = []
    try:
        with contextlib.ExitStack() as st:
            st.callback(log.append, 1)
            if x < 0:
                raise ValueError(x)
            st.callback(log.append, 2)
            if x > 0:
                raise KeyError(x)
            log.append(9)
    except (KeyError, ValueError):
        log.append(0)
    return log


def an_exception_of_python(x):
    with contextlib.ExitStack() as st:
        st.enter_context(contextlib.suppress(KeyError))
        raise KeyError
    return x


def given_up_where_it_may_raise(x):
    log = []
    try:
        with contextlib.ExitStack() as st:
            st.callback(log.append, 1)
            if x < 0:
                raise ValueError(x)
            kept = st.pop_all()
        kept.close()
    except (KeyError, ValueError):
        log.append(0)
    return log


def given_up(x):
    log = []
    with contextlib.ExitStack() as st:
        st.callback(log.append, 1)
        kept = st.pop_all()
    kept.close()
    return log


@pytest.mark.parametrize(
    "function",
    [
        callbacks,
        a_manager,
        callbacks_in_a_loop,
        a_generator_that_is_not_watched,
        filled_before,
        filled_by_and_by,
        an_exception_of_python,
        given_up,
    ],
)
def test_exit_stacks(function):
    check_all(function, *REALS, gradient=False)


@pytest.mark.parametrize(
    "function, text",
    [
        (given_up_in_a_branch, "what an ExitStack holds cannot depend on a tensor"),
        (filled_in_a_branch, "what an ExitStack holds cannot depend on a tensor"),
        (a_generators_end, "cannot hold a generator's context manager"),
        (given_up_where_it_may_raise, r"cannot give up what it holds, with pop_all\(\) or close"),
    ],
)
def test_what_is_refused(function, text):
    with pytest.raises(ag.errors.StagingError, match=text):
        ag.function(function)(ag.constant(1.0))
