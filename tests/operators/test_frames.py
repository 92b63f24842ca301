"""Converted code that looks at the stack sees functions, not their fragments."""

import inspect
import sys
import warnings

import pytest

from autograph_lite import operators
from autograph_lite.conversion import pipeline


def converted(fn):
    return pipeline.convert(fn, operators)


def names(depths):
    found = []
    for depth in depths:
        if depth >= 0:
            frame = sys._getframe(depth)
            found.append((frame.f_code.co_name, frame.f_lineno))
    return found


def caller(depths, fn):
    if depths:
        while True:
            return fn(depths)


def outermost(depths, fn, through):
    for _ in "x":
        if depths:
            return through(depths, fn)


def test_getframe_counts_functions():
    plain = outermost([0, 1, 2], names, caller)
    new = converted(outermost)([0, 1, 2], converted(names), converted(caller))
    assert new == plain
    assert [name for name, _ in new] == ["names", "caller", "outermost"]


def test_getframe_beyond_the_end():
    def deep(x):
        if x:
            return sys._getframe(100_000)

    with pytest.raises(ValueError, match="call stack is not deep enough"):
        converted(deep)(True)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="of Python 3.12")
def test_module_names():
    def where(x):
        if x:
            return sys._getframemodulename(0), sys._getframemodulename(1)

    assert converted(where)(1) == (__name__, __name__)


def warns(level):
    if level:
        for _ in range(1):
            warnings.warn("look", UserWarning, stacklevel=level)


def calls(level, fn):
    if level:
        fn(level)


@pytest.mark.parametrize("level", [1, 2, 3])
def test_warnings_point_at_the_same_line(level):
    def place(first, second):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            second(level, first)
        return caught[0].filename, caught[0].lineno

    assert place(converted(warns), converted(calls)) == place(warns, calls)


def test_inspect_stack():
    def callers(x):
        if x:
            return [(entry.function, entry.lineno) for entry in inspect.stack()[:2]]

    def calling(fn):
        if fn:
            return fn(1)

    assert converted(calling)(converted(callers)) == calling(callers)


def test_what_only_has_the_name():
    class Logger:
        def warn(self, text):
            return text * 2

    def use(logger):
        return logger.warn("ab")

    assert converted(use)(Logger()) == "abab"
