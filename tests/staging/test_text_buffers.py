"""`print(file=...)`, `redirect_stdout` and `io.StringIO`."""

from __future__ import annotations

import contextlib
import io
import sys

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

CALLS = [(np.float64(2.0),), (np.float64(-3.0),)]


def printed_to_a_buffer(x):
    buffer = io.StringIO()
    print("x is", x, 3, sep="-", end="!", file=buffer)
    return buffer.getvalue()


def printed_in_branches(x):
    buffer = io.StringIO()
    print("begin", file=buffer)
    if x > 0:
        print("positive", file=buffer)
        print(x, file=buffer)
    else:
        buffer.write(f"{x:.2f}")
    return buffer.getvalue()


def redirected(x):
    buffer = io.StringIO()
    with contextlib.redirect_stdout(buffer):
        print("inside", x)
    print("outside", x)
    return buffer.getvalue()


def redirected_in_a_loop(x):
    buffer = io.StringIO()
    with contextlib.redirect_stdout(buffer):
        while x < 4:
            print(x)
            x = x + 1.5
    return buffer.getvalue(), len(buffer.getvalue())


def redirected_to_nothing(x):
    with contextlib.redirect_stdout(None):
        print("unseen", x)
    print("seen", x)
    return x


def redirected_on_a_stack(x):
    with contextlib.ExitStack() as stack:
        buffer = stack.enter_context(contextlib.redirect_stdout(io.StringIO()))
        print(x)
    return buffer.getvalue()


def stdout_replaced(x):
    before = sys.stdout
    sys.stdout = buffer = io.StringIO()
    print(x)
    sys.stdout = before
    return buffer.getvalue()


def written_to_stdout(x):
    sys.stdout.write(f"{x}\n")
    print(x, file=sys.stdout)
    return x


def one_of_two_buffers(x):
    a, b = io.StringIO(), io.StringIO()
    print(x, file=a if x > 0 else b)
    return a.getvalue(), b.getvalue()


def emptied_and_read(x):
    buffer = io.StringIO()
    print(x, file=buffer)
    buffer.seek(0)
    first = buffer.read()
    buffer.seek(0)
    buffer.truncate()
    buffer.write("q")
    buffer.truncate(0)
    buffer.seek(0)
    buffer.writelines(["a", f"{x}"])
    return first, buffer.getvalue()


def closed(x):
    with io.StringIO() as buffer:
        print(x, file=buffer)
        text = buffer.getvalue()
    try:
        buffer.getvalue()
    except ValueError as error:
        return text, str(error)


def lines_of_plain_text(x):
    buffer = io.StringIO()
    buffer.write("a\nb\n")
    buffer.seek(0)
    return [line.strip() for line in buffer], isinstance(buffer, io.StringIO)


def printed_in_a_try(x):
    buffer = io.StringIO()
    try:
        print("before", file=buffer)
        if x > 0:
            raise ValueError(x)
        print("after", file=buffer)
    except ValueError as error:
        print("caught", error, file=buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(
    "function",
    [
        printed_to_a_buffer,
        printed_in_branches,
        redirected,
        redirected_in_a_loop,
        redirected_to_nothing,
        redirected_on_a_stack,
        stdout_replaced,
        written_to_stdout,
        one_of_two_buffers,
        emptied_and_read,
        closed,
        lines_of_plain_text,
        printed_in_a_try,
    ],
    ids=lambda f: f.__name__,
)
def test_like_python(function):
    check_all(function, *CALLS, gradient=False)


def test_streams_from_outside():
    kept = io.StringIO()

    @ag.function
    def f(x):
        with contextlib.redirect_stdout(kept):
            print("redirected", x)
        print("given", x, file=kept)

    f(ag.constant(1.0))
    f(ag.constant(2.0))
    assert kept.getvalue() == "redirected 1.0\ngiven 1.0\nredirected 2.0\ngiven 2.0\n"


def test_stderr_is_that_of_the_call():
    @ag.function
    def f(x):
        print(x, file=sys.stderr)

    for number in (1.0, 2.0):
        with contextlib.redirect_stderr(io.StringIO()) as seen:
            f(ag.constant(number))
        assert seen.getvalue() == f"{number}\n"


def test_prints_of_traced_functions_that_are_called():
    @ag.function
    def inner(x):
        print("inner", x)

    @ag.function
    def redirects(x):
        with contextlib.redirect_stdout(io.StringIO()):
            inner(x)

    for _ in range(2):
        with pytest.raises(StagingError, match=r"what inner prints cannot be redirected by a"):
            redirects(ag.constant(1.0))
        inner(ag.constant(1.0))


def test_a_place_inside_of_the_text_is_refused():
    @ag.function
    def f(x):
        buffer = io.StringIO()
        print(x, file=buffer)
        buffer.seek(2)
        return buffer.getvalue()

    with pytest.raises(StagingError, match=r"a StringIO that holds text of the graph cannot be"):
        f(ag.constant(1.0))
