"""Exceptions as objects: attributes of Python's own, exceptions that are kept, chosen and caused."""

from __future__ import annotations

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check_all

REALS = [(np.float64(v),) for v in (1.0, -1.0, 0.0)]


def numbers_and_texts_of_the_system(x):
    try:
        if x < 0:
            raise OSError(2, "no")
    except OSError as e:
        return e.errno, e.strerror
    return 0, ""


def the_code_of_an_exit(x):
    try:
        if x < 0:
            raise SystemExit(x * 2)
    except SystemExit as e:
        return e.code
    return 0.0


def of_several_classes(x):
    try:
        if x < 0:
            raise OSError(2, "no", "file")
        if x > 0:
            raise FileNotFoundError(2, "nono")
    except OSError as e:
        return e.errno, str(e)
    return 0, ""


def kept_and_raised(x):
    err = None
    try:
        if x < 0:
            raise ValueError(x)
    except ValueError as e:
        err = e
    if err is not None:
        raise err
    return x


def of_a_class_that_is_chosen(x):
    cls = ValueError if x < 0 else KeyError
    if x != 0:
        raise cls("a")
    return x


def chosen_and_made_at_once(x):
    if x != 0:
        raise (ValueError if x < 0 else KeyError)(x)
    return x


def caused_by_another(x):
    try:
        if x < 0:
            raise ValueError(x)
    except ValueError as e:
        raise KeyError(1) from e
    return x


def without_its_traceback(x):
    try:
        if x < 0:
            raise ValueError(x)
    except ValueError as e:
        raise e.with_traceback(None)
    return x


@pytest.mark.parametrize(
    "function",
    [
        numbers_and_texts_of_the_system,
        the_code_of_an_exit,
        of_several_classes,
        kept_and_raised,
        of_a_class_that_is_chosen,
        chosen_and_made_at_once,
        caused_by_another,
        without_its_traceback,
    ],
)
def test_raised_objects(function):
    check_all(function, *REALS, dtypes=False)


def test_the_cause_is_what_was_caught():
    with pytest.raises(KeyError) as seen:
        ag.function(caused_by_another)(ag.constant(-1.0))
    assert type(seen.value.__cause__) is ValueError
    assert float(seen.value.__cause__.args[0]) == -1.0


def more_arguments(x):
    try:
        if x < 0:
            raise ValueError(x)
    except ValueError as e:
        e.args = (*e.args, 3)
        raise
    return x


def an_attribute(x):
    try:
        if x < 0:
            e = ValueError(x)
            e.x = x
            raise e
    except ValueError as e:
        e.x = e.x * 5
        raise
    return x


@pytest.mark.parametrize("function, name", [(more_arguments, "args"), (an_attribute, "x")])
def test_what_is_caught_cannot_be_changed(function, name):
    text = f"`{name}` of an exception that staged code has raised cannot be set"
    with pytest.raises(ag.errors.StagingError, match=text):
        ag.function(function)(ag.constant(1.0))


def of_an_assertion(x):
    try:
        assert x > 0, "not positive"
    except AssertionError as e:
        return type(e).__name__, type(e) is AssertionError
    return "", False


def the_largest_of_nothing(xs):
    kept = [x for x in xs if x > 5]
    try:
        return max(kept), ""
    except ValueError as e:
        return 0.0, str(e)


def test_classes_and_texts_are_pythons():
    check_all(of_an_assertion, *REALS)
    check_all(the_largest_of_nothing, (np.array([1.0, 7.0]),), (np.array([1.0, 2.0]),))
