"""What is converted when it is called, and what runs as it is."""

import functools
import math
import textwrap
import types
import warnings

import numpy as np
import pytest

from autograph_lite import operators
from autograph_lite.conversion import pipeline
from autograph_lite.errors import ConversionError
from autograph_lite.operators import calls
from autograph_lite.operators.calls import convert_callable


def is_converted(f):
    return pipeline.is_converted(f.__code__)


def plain(x):
    if x:
        return 1
    return 0


class Thing:
    def __init__(self, x):
        if x:
            self.x = x

    def method(self, y):
        return y if y else self.x

    @classmethod
    def made(cls, y):
        return cls(y or 1)

    @staticmethod
    def static(y):
        return y or 2

    def __call__(self, y):
        return y and self.x


def test_functions_methods_and_partials():
    new = convert_callable(plain)
    assert is_converted(new) and new(3) == 1
    thing = Thing(5)
    for bound in (thing.method, Thing.made, thing):
        new = convert_callable(bound)
        assert isinstance(new, types.MethodType) and is_converted(new.__func__)
    assert convert_callable(thing.method)(0) == 5
    assert is_converted(convert_callable(Thing.static))
    assert convert_callable(thing)(1) == 5
    partial = convert_callable(functools.partial(plain, 0))
    assert is_converted(partial.func) and partial() == 0
    assert is_converted(convert_callable(lambda x: x or 1))


def test_classes():
    made = convert_callable(Thing)(3)
    assert type(made) is Thing and made.x == 3
    with pytest.raises(TypeError, match=r"__init__\(\) missing 1 required positional argument"):
        convert_callable(Thing)()

    class Meta(type):
        def __call__(cls, *args):
            return "meta"

    class Odd(metaclass=Meta):
        def __init__(self):
            pass

    class New:
        def __new__(cls, x):
            return x if x else super().__new__(cls)

        def __init__(self, x):
            self.x = "new" if not x else 1

    assert convert_callable(Odd)() == "meta"
    assert convert_callable(New)(5) == 5 and convert_callable(New)(0).x == "new"
    assert convert_callable(int) is int and convert_callable(ValueError) is ValueError


def test_libraries_run_as_they_are():
    for f in (len, math.sin, np.sum, np.linalg.norm, textwrap.dedent, print, "a".join):
        assert convert_callable(f) is f


def test_generators_and_marked_functions_run_as_they_are():
    def generator():
        yield 1

    @calls.do_not_convert
    def marked(x):
        return x or 1

    @functools.wraps(marked)
    def wrapper(x):
        return marked(x) or 1

    assert convert_callable(generator) is generator
    assert convert_callable(marked) is marked
    assert is_converted(convert_callable(wrapper))


def test_what_cannot_be_called_is_left_to_python():
    assert convert_callable(3) == 3
    with pytest.raises(TypeError, match="'int' object is not callable"):
        convert_callable(3)()


def test_no_source_warns_once():
    namespace = {"__name__": "made"}
    parts = "def f(x):", "    return x or 1"
    exec(compile("\n".join(parts), "<nowhere>", "exec"), namespace)
    with pytest.warns(UserWarning, match="f .*<nowhere>.*do_not_convert"):
        assert convert_callable(namespace["f"]) is namespace["f"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert convert_callable(namespace["f"]) is namespace["f"]


def test_without_a_graph_nothing_is_converted():
    assert operators.converted(plain) is plain


def test_asked_for_by_name():
    def generator():
        yield 1

    assert calls.forced(textwrap.dedent)("  x") == "x"
    thing = Thing(4)
    assert calls.forced(thing.method)(0) == 4 and calls.forced(thing)(1) == 4
    for f in (generator, len, 3):
        with pytest.raises(ConversionError):
            calls.forced(f)
