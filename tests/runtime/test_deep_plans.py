"""Graphs that are nested more deeply than Python's source may be, and plans that are long."""

import time

import numpy as np
import pytest

import autograph_lite as ag


def function(tmp_path, source):
    """The function `f` of a source, which is in a file as those of users are."""
    path = tmp_path / "program.py"
    path.write_text(source)
    namespace = {}
    exec(compile(source, str(path), "exec"), namespace)
    return namespace["f"]


def agree(f, *values):
    staged = ag.function(f)
    for value in map(np.float64, values):
        assert np.allclose(staged(ag.constant(value)).numpy(), f(value)), value


@pytest.mark.parametrize("word", ["or", "and"])
def test_many_terms(tmp_path, word):
    sign = "<" if word == "or" else ">"
    terms = f" {word} ".join(f"x {sign} {-i}" for i in range(150))
    f = function(tmp_path, f"def f(x):\n    return {terms}\n")
    agree(f, -50.5, 0.5, -149.5)


def test_a_long_chain(tmp_path):
    links = " < ".join(f"x + {i % 149}" for i in range(150))
    f = function(tmp_path, f"def f(x):\n    if {links}:\n        return x\n    return -x\n")
    agree(f, 1.5)


def nested_calls(count, test):
    """Functions that call one another in a branch, with values before and after the call."""
    source = ""
    for number in reversed(range(count)):
        inner = f"g{number + 1}(x + 1)" if number + 1 < count else "x"
        name = f"g{number}" if number else "f"
        source += (
            f"def {name}(x):\n    s = x * 0.5\n    t = 1.0\n    if {test}:\n"
            f"        y = s * 0.1\n        s = s + {inner}\n        t = y + 0.5 * s\n"
            f"    else:\n        s = s - t\n    return s * 0.3 + t\n"
        )
    return source


def test_many_ifs_in_one_another(tmp_path):
    agree(function(tmp_path, nested_calls(110, "x > 0")), 1.5, -1.5, -59.5, -60.5, -100.5)


def test_failures_in_deep_blocks_name_their_line(tmp_path):
    source = nested_calls(110, "x > 0").replace(" + x\n", " + check(x)\n")
    source += "def check(x):\n    assert x < 200, 'too large'\n    return x\n"
    f = function(tmp_path, source)
    agree(f, 3.5)
    with pytest.raises(AssertionError, match="too large") as caught:
        ag.function(f)(ag.constant(100.5))
    assert caught.traceback[-1].name == "check"


def test_many_loops_in_one_another(tmp_path):
    source = ""
    for number in reversed(range(25)):
        inner = f"g{number + 1}(x + 1)" if number + 1 < 25 else "x"
        name = f"g{number}" if number else "f"
        source += (
            f"def {name}(x):\n    k = 0\n    s = x\n    while k < x:\n"
            f"        s = s + 0.5 * {inner}\n        k = k + 30\n    return s\n"
        )
    agree(function(tmp_path, source), 1.5, 6.5)


def seconds(count):
    def f(x):
        s = x
        for i in range(count):
            s = s * x + i
        return s

    start = time.process_time()
    ag.function(f)(ag.constant(np.float64(0.5)))
    return time.process_time() - start


def test_unrolled_loops_cost_as_much_as_they_are_long():
    seconds(10)
    short = min(seconds(500), seconds(500))
    assert seconds(4000) < 24 * short
