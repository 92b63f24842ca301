"""Jumps that leave a `finally`: they discard exceptions and other jumps."""

from __future__ import annotations

import numpy as np
import pytest

from tests.staging.differential import check_all

CALLS = [(np.float64(2.0),), (np.float64(-3.0),), (np.float64(0.5),)]


def a_return_after_a_raise(x):
    try:
        if x > 0:
            raise ValueError("a")
        return x
    finally:
        return x * 2


def a_break_in_one_pass(x):
    for i in range(3):
        try:
            if x > 0:
                raise ValueError("a")
        finally:
            if i == 1:
                break
    return i


def inside_of_an_except(x):
    try:
        try:
            if x > 0:
                raise ValueError("a")
        finally:
            return 5.0
    except Exception:
        return 4.0


def in_a_function_called(x):
    try:
        r = _inner(x)
    except Exception:
        r = 4.0
    return r


def _inner(x):
    try:
        if x > 0:
            raise ValueError("a")
    finally:
        if x > 1:
            return 5.0
    return 1.0


def a_continue(x):
    i = 0
    while x < 5:
        x = x + 1
        try:
            if x > 2:
                raise ValueError("a")
        finally:
            i += 1
            continue
    return i


def discarding_jumps(x):
    log = []
    for i in range(4):
        try:
            if x > 0:
                return i, log
            if i == 2:
                break
        finally:
            log.append(i)
            if i < 2:
                continue
    return x, log


def with_clauses(x):
    try:
        if x > 1:
            return 1.0
        elif x > 0:
            raise KeyError("k")
        y = 3.0
    except KeyError:
        y = 4.0
        return y
    else:
        y = y * 2
    finally:
        if x < 0:
            return 8.0
    return y


def out_of_a_loop_inside(x):
    n = 0
    while n < 5:
        try:
            for j in range(3):
                n = n + 1
                if x * j > 2:
                    return j
                if x > 0:
                    raise ValueError(n)
        finally:
            if n > 2:
                break
    else:
        n = 100
    return n


def one_in_another(x):
    try:
        try:
            if x > 0:
                raise ValueError("a")
            return 1.0
        finally:
            if x > 1:
                return 2.0
    finally:
        if x < 0:
            return 3.0


def in_inner_functions(x):
    def g(y):
        try:
            return y
        finally:
            return y + 1

    while x < 4:
        x = g(x) + 1
        try:
            if x > 2:
                break
        finally:
            x = x + 1
            if x > 3:
                continue
    return x


@pytest.mark.filterwarnings("ignore:.*finally.*:SyntaxWarning")
@pytest.mark.parametrize(
    "function",
    [
        a_return_after_a_raise,
        a_break_in_one_pass,
        inside_of_an_except,
        in_a_function_called,
        a_continue,
        discarding_jumps,
        with_clauses,
        out_of_a_loop_inside,
        one_in_another,
        in_inner_functions,
    ],
    ids=lambda f: f.__name__,
)
def test_like_python(function):
    check_all(function, *CALLS, dtypes=False)


def test_on_python_values():
    def f(x):
        for i in range(3):
            try:
                if x > i:
                    raise ValueError(i)
                return i
            finally:
                if x == 2:
                    break
        return -1

    check_all(f, (0,), (1,), (2,))
