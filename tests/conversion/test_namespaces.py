"""`locals()` and its relatives mean the user's function, wherever they stand in it."""

import sys

import pytest

from autograph_lite import operators
from autograph_lite.conversion import pipeline


def same(fn, *args, **named):
    """Runs a function as it is and converted, and gives the common answer."""
    new = pipeline.convert(fn, operators)
    expected = fn(*args, **named)
    assert new(*args, **named) == expected
    return expected


def test_locals_in_a_loop_and_in_a_branch():
    def subject(a, *rest, b=2, **named):
        for i in range(2):
            if i:
                c = a + i
                return locals()
        d = 1

    found = same(subject, 1, 5, b=3, k=4)
    assert found == {"a": 1, "rest": (5,), "b": 3, "named": {"k": 4}, "i": 1, "c": 2}


def test_unbound_and_deleted_variables_are_not_shown():
    def subject(a):
        if a:
            b = 1
        else:
            c = 2
        before = sorted(locals())
        del a
        return before, sorted(locals())

    assert same(subject, 1) == (["a", "b"], ["b", "before"])
    assert same(subject, 0) == (["a", "c"], ["before", "c"])


def test_vars_dir_and_eval():
    def subject(a):
        total = 0
        while a:
            total += eval("a * 10 + len('x')")
            a -= 1
            if a == 1:
                seen = dir(), dict(vars()), eval("total")
        return total, seen

    assert same(subject, 3)[1][0] == ["a", "total"]


def test_with_arguments_they_are_left_alone():
    def subject(a):
        if a:
            return vars(a), "b" in dir(a), eval("a", {"a": 7})

    assert same(subject, type("T", (), {"b": 1})())[2] == 7


def test_free_variables():
    outside = 10

    def subject(a):
        def inner(b):
            if b:
                return locals(), outside, a

        return inner(2)

    assert same(subject, 1) == ({"b": 2, "outside": 10, "a": 1}, 10, 1)


def test_format_with_all_locals():
    def subject(n):
        for i in range(n):
            if i == n - 1:
                return "{n} {i}".format(**locals())

    assert same(subject, 4) == "4 3"


def test_private_names():
    class Owner:
        def subject(self, __hidden):
            if __hidden:
                return sorted(locals())

    assert same(Owner.subject, Owner(), 1) == ["_Owner__hidden", "self"]


def test_exec():
    def subject(a):
        out = []
        for i in range(2):
            exec("out.append(a + i)")
        return out

    assert same(subject, 5) == [5, 6]


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="Python 3.13 forgets what exec wrote")
def test_what_exec_writes_is_found():
    def subject(a):
        if a:
            exec("b = a + 1")
            return locals()["b"], eval("b")

    assert same(subject, 1) == (2, 2)


def test_other_functions_of_that_name():
    def subject(locals):
        if locals:
            return locals()

    assert same(subject, lambda: "mine") == "mine"


def test_globals_are_the_modules():
    def subject(a):
        if a:
            return globals() is a

    assert same(subject, globals()) is True


def test_a_lambda():
    assert same(lambda a, b=2: a and locals(), 1) == {"a": 1, "b": 2}
