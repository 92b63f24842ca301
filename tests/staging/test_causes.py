"""`raise ... from`: what exceptions were raised from, and amid which others."""

from __future__ import annotations

import traceback

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

REALS = [(np.float64(x),) for x in (-1.0, 0.5, 1.5, 3.0)]


def from_what_was_caught(x):
    try:
        if x > 0:
            raise ValueError("a", x)
    except ValueError as e:
        raise KeyError("b") from e
    return x


def from_none(x):
    try:
        if x > 0:
            raise ValueError("a", x)
    except ValueError:
        raise KeyError("b") from None
    return x


def from_nothing(x):
    try:
        if x > 0:
            raise ValueError("a")
    except ValueError:
        raise KeyError("b")  # noqa: B904
    return x


def from_a_new_one(x):
    if x > 0:
        raise KeyError("b") from ValueError("c")
    return x


def from_a_new_one_with_a_number(x):
    made = ValueError("c", x)
    made.__cause__ = TypeError(x + 1)
    if x > 0:
        raise KeyError("b") from made
    return x


def from_a_new_one_with_text(x):
    if x > 0:
        raise KeyError("b") from ValueError(f"<{x}>")
    return x


def from_an_index(x):
    try:
        y = [1.0, 2.0][int(x) + 5]
    except IndexError as e:
        raise KeyError("b") from e
    return y


def again(x):
    try:
        if x > 0:
            raise ValueError("a", x)
    except ValueError:
        raise
    return x


def in_a_handler_in_a_handler(x):
    try:
        if x > 0:
            raise ValueError("a", x)
    except ValueError as e:
        try:
            if x > 0:
                raise KeyError("b") from e
        except KeyError as e2:
            raise TypeError("t") from e2
    return x


def after_a_finally(x):
    try:
        if x > 0:
            raise ValueError("a", x)
    except ValueError as e:
        try:
            if x > 0:
                raise KeyError("b")
        finally:
            x = x + 1
        raise TypeError("t") from e
    return x


def chain(error):
    """What is shown of an exception and of those that it was raised from, and amid."""
    if error is None:
        return None
    args = [float(a) if isinstance(a, float | np.floating) else a for a in error.args]
    links = chain(error.__cause__), error.__suppress_context__, chain(error.__context__)
    return type(error).__name__, args, *links


@pytest.mark.parametrize(
    "function",
    [
        from_what_was_caught,
        from_none,
        from_nothing,
        from_a_new_one,
        from_a_new_one_with_a_number,
        from_a_new_one_with_text,
        from_an_index,
        again,
        in_a_handler_in_a_handler,
        after_a_finally,
    ],
)
def test_what_reaches_the_caller(function):
    with pytest.raises(Exception) as plain:  # noqa: PT011
        function(2.0)
    with pytest.raises(type(plain.value)) as staged:
        ag.function(function)(ag.constant(2.0))
    assert chain(staged.value) == chain(plain.value)


def asked_for_what_was_caught(x):
    try:
        try:
            if x > 0:
                raise ValueError("a", x)
        except ValueError as e:
            raise KeyError("b") from e
    except KeyError as e2:
        weight = 3 if isinstance(e2.__cause__, ValueError) else 5
        return e2.__cause__.args[1] * weight
    return x


def its_class(x):
    try:
        try:
            if x > 0:
                raise ValueError("a", x)
        except ValueError as e:
            raise KeyError("b") from e
    except KeyError as e2:
        return 1 if type(e2.__cause__) is ValueError else 2
    return 3


def a_new_one(x):
    try:
        if x > 0:
            raise KeyError("b") from ValueError("c")
    except KeyError as e2:
        return str(e2.__cause__), e2.__cause__.args[0]
    return "", ""


def none(x):
    try:
        if x > 0:
            raise KeyError("b")
    except KeyError as e2:
        return e2.__cause__ is None
    return False


def of_classes_of_which_one_has_one(x):
    try:
        if x > 1:
            raise KeyError("b")
        if x > 0:
            raise ValueError("b") from TypeError("q")
    except Exception as e2:
        return 1 if e2.__cause__ is None else 2
    return 3


def none_of_what_an_operation_raises(x):
    try:
        [1, 2][int(x)]
        if x > 0:
            raise KeyError("b")
    except Exception as e2:
        return 1 if e2.__cause__ is None else 2
    return 3


def the_cause_of_the_cause(x):
    try:
        try:
            try:
                if x > 0:
                    raise ValueError("a", x)
            except ValueError as e:
                raise KeyError("b") from e
        except KeyError as e:
            raise TypeError("c") from e
    except TypeError as e:
        return e.__cause__.__cause__.args[1] + 1.0
    return x


def the_first_of_a_chain(x):
    try:
        if x > 0:
            raise KeyError("b") from TypeError("q")
    except KeyError as e:
        while e is not None:
            last = e
            e = e.__cause__
        return str(last)
    return ""


def raised_itself(x):
    try:
        try:
            if x > 0:
                raise ValueError("a", x)
        except ValueError as e:
            raise KeyError("b") from e
    except KeyError as e2:
        raise e2.__cause__
    return x


def shown_by_python(x):
    try:
        if x > 0:
            raise ValueError("a", x)
    except ValueError as e:
        return len(traceback.format_exception(e)) > 0
    return False


@pytest.mark.parametrize(
    "function",
    [
        asked_for_what_was_caught,
        its_class,
        a_new_one,
        none,
        of_classes_of_which_one_has_one,
        none_of_what_an_operation_raises,
        the_cause_of_the_cause,
        the_first_of_a_chain,
        raised_itself,
        shown_by_python,
    ],
)
def test_asked_for_in_traced_code(function):
    check_all(function, *REALS)


def of_one_or_none(x):
    try:
        if x > 1:
            raise KeyError("b")
        if x > 0:
            raise KeyError("b") from TypeError("q")
    except KeyError as e:
        return 1 if e.__cause__ is None else 2
    return 3


def amid_what(x):
    try:
        if x > 0:
            raise KeyError("b")
    except KeyError as e:
        return 1 if e.__context__ is None else 2
    return 3


def whether_it_is_shown(x):
    try:
        if x > 0:
            raise KeyError("b") from None
    except KeyError as e:
        return e.__suppress_context__
    return False


def set_afterwards(x):
    try:
        if x > 0:
            raise KeyError("b")
    except KeyError as e:
        e.__cause__ = ValueError("c")
        raise
    return x


def a_number_of_a_new_one(x):
    try:
        if x > 0:
            raise KeyError("b") from ValueError(x)
    except KeyError as e:
        return e.__cause__.args[0] * 2
    return x


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (of_one_or_none, "`__cause__` of an exception that staged code raises in several ways"),
        (amid_what, "`__context__` of an exception that staged code has raised is known only"),
        (whether_it_is_shown, "`__suppress_context__` of an exception"),
        (set_afterwards, "`__cause__` of an exception that staged code has raised cannot be set"),
        (a_number_of_a_new_one, "`args` of an exception that staged code raises"),
    ],
)
def test_refusals(function, message):
    with pytest.raises(StagingError, match=rf"test_causes\.py:\d+: .*{message}"):
        ag.function(function)(ag.constant(1.0))
