"""Text that Python's library, users' classes and templates in variables make of tensors."""

import html
import json
import re
import string
import textwrap

import numpy as np
import pytest

import autograph_lite as ag
from runtime.errors import SymbolicTensorError
from tests.staging.differential import check, check_all

N = np.int32(7)
X = np.float64(-2.5)
TEMPLATE = "<%s>"


class Named:
    def __init__(self, n):
        self.n = n

    def __str__(self):
        return f"Named {self.n}"

    def __repr__(self):
        return "positive" if self.n > 0 else f"Named({self.n})"


class Shop:
    label = "%d items"

    def show(self, n):
        return self.label % n


def test_containers_in_fstrings():
    def f(n, x):
        pair = (n, [x])
        return f"{[n]} {pair} { {'a': n, 'b': (x,)} }", f"{[n, x]!r:>40}", f"{(n,)}"

    check(f, N, X)


def test_percent_with_a_template_in_a_variable():
    def f(n, x):
        local = "%s and %s"
        longer = local + ": %d"
        return TEMPLATE % n, local % (n, x), longer % (n, x, n), {"k": "%r"}["k"] % n

    check(f, N, X)
    check(lambda n: Shop().show(n), N)


def test_remainders_of_variables():
    def f(n, m):
        return n % m, [n][0] % m, (n + m) % m, divmod(n, m)

    check(f, N, np.int32(4))


def test_join_reads_iterators():
    def f(n):
        a = ", ".join(map(str, [n, n + 1]))
        b = ", ".join(str(n + i) for i in range(3))
        c = ", ".join(filter(None, [str(n), "", f"{n}!"]))
        return a, b, c, "".join(map("{:>4}".format, [n, n])), "".join(map(lambda v: f"{v}", [n]))

    check(f, N)


def test_functions_of_the_library():
    def f(n):
        text = f"<{n} & {n}>"
        a = string.Template("$a and ${b}").substitute(a=n, b=text)
        b = re.sub(r"\d", "*", text) + re.compile("&").sub("and", text)
        return a, b, html.escape(text), textwrap.fill(text * 3, 10), "{a}".format_map({"a": n})

    check(f, N)
    check(lambda n: json.dumps({"a": [f"{n}", "b"]}), N)


def test_text_of_objects():
    def f(n):
        o = Named(n)
        print(o, [o])
        return str(o), repr(o), f"{o} {o!r} {[o]}", "%s %r" % (o, o), str([o, n])

    check_all(f, (N,), (np.int32(-3),))


class Price(Named):
    def __format__(self, spec):
        return f"{self.n}$"


def test_text_of_objects_in_templates():
    def f(n):
        named = Named(n)
        joined = ", ".join(map(str, [named, named])) + ", ".join(map(repr, [named]))
        return "{} {!r} {a}".format(named, named, a=named), joined, f"{named!s:>12}|{n}"

    check_all(f, (N,), (np.int32(-3),))


def test_objects_that_format_themselves_are_not_shown_wrongly():
    with pytest.raises(SymbolicTensorError, match="shows a symbolic tensor"):
        ag.function(lambda n: f"{Price(n)}")(ag.constant(N))
    with pytest.raises(SymbolicTensorError, match="shows a symbolic tensor"):
        ag.function(lambda n: f"{Price(n)} {n}")(ag.constant(N))


def test_text_of_objects_that_is_known():
    def f(n):
        return f"{Named(3)} {n}", str(Named(2))

    check(f, N)


def test_text_made_outside_of_converted_code_is_refused():
    @ag.autograph.do_not_convert
    def show(n):
        return f"n is {n}"

    with pytest.raises(SymbolicTensorError) as caught:
        ag.function(lambda n: show(n))(ag.constant(N))
    assert "shows a symbolic tensor in the place of its value" in str(caught.value)


def test_percent_of_an_unknown_template_is_refused():
    def f(template, n):
        return template % n

    with pytest.raises(SymbolicTensorError, match="what makes text here runs at once"):
        ag.function(f)("<%s>", ag.constant(N))
