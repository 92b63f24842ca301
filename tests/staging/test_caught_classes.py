"""The class of a caught exception, where exceptions of several classes may arrive."""

from __future__ import annotations

import numpy as np
import pytest

from tests.staging.differential import check_all

REALS = [(np.float64(v),) for v in (1.0, -1.0, 0.0)]


def by_isinstance(x):
    try:
        if x < 0:
            raise ValueError("a")
        raise KeyError("k")
    except Exception as e:
        if isinstance(e, KeyError):
            return 1
        return 2


def by_type(x):
    try:
        if x < 0:
            raise ValueError("a")
        raise KeyError("k")
    except Exception as e:
        if type(e) is KeyError:
            return 1
        return 2


def by_a_pattern(x):
    try:
        if x < 0:
            raise ValueError("a")
        raise KeyError("k")
    except Exception as e:
        match e:
            case KeyError():
                return 1
            case _:
                return 2


def of_a_clause_for_two(x):
    try:
        if x < 0:
            raise ValueError("a")
        raise KeyError("k")
    except (ValueError, KeyError) as e:
        if isinstance(e, ValueError):
            return 1
        return 2


def of_narrower_classes(x):
    try:
        if x < 0:
            raise FileNotFoundError("a")
        if x == 0:
            raise PermissionError("z")
    except OSError as e:
        if isinstance(e, FileNotFoundError):
            return 1
        return 2
    return 3


class Failed(Exception):
    def __init__(self, v):
        self.value = v


def with_what_operations_raise(x):
    try:
        if x < 0:
            raise Failed(x * 2)
        a = [1, 2][int(x) + 1]
        print(a)
        if x == 0:
            raise KeyError("k")
    except Exception as e:
        if isinstance(e, Failed):
            return e.value
        if isinstance(e, LookupError):
            return 5.0
        return 7.0
    return 1.0


def kept_and_asked_later(x):
    err = None
    try:
        if x < 0:
            raise ValueError("a")
        if x == 0:
            raise KeyError("k")
    except Exception as e:
        err = e
    if err is not None:
        if isinstance(err, KeyError):
            return 1
        return 2
    return 3


def by_name(x):
    try:
        if x < 0:
            raise ValueError("a")
        if x == 0:
            raise KeyError("k")
    except Exception as e:
        return type(e).__name__ + e.__class__.__name__
    return "no"


def raised_anew(x):
    try:
        if x < 0:
            raise ValueError("a")
        if x == 0:
            raise KeyError("k")
    except Exception as e:
        try:
            raise type(e)("again")
        except KeyError as k:
            return 1
        except ValueError:
            return 2
    return 3


def of_an_index(x):
    a = [1, 2]
    try:
        if x < 0:
            raise ValueError("a")
        y = a[int(x) + 2]
        print(y)
    except Exception as e:
        return isinstance(e, (IndexError, KeyError))
    return False


def in_a_loop(x):
    n = 0
    for i in range(3):
        try:
            if x < i - 1:
                raise ValueError("a")
            if x == i:
                raise KeyError("k")
        except (ValueError, KeyError) as e:
            while n < 20:
                if isinstance(e, KeyError):
                    n += 3
                n += 1
    return n


@pytest.mark.parametrize(
    "function",
    [
        by_isinstance,
        by_type,
        by_a_pattern,
        of_a_clause_for_two,
        of_narrower_classes,
        with_what_operations_raise,
        kept_and_asked_later,
        by_name,
        raised_anew,
        of_an_index,
        in_a_loop,
    ],
)
def test_the_class_of_what_is_caught(function):
    check_all(function, *REALS)
