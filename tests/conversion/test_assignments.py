"""`:=` in operands that Python may skip becomes a statement."""

import textwrap

import pytest

from autograph_lite.conversion.census import take_census
from autograph_lite.conversion.names import Names
from autograph_lite.conversion.passes.assignments import lower_assignments, skips_assignments
from autograph_lite.conversion.scopes import analyse
from tests.conversion.passes_support import converted_text, function_of, same, text_of


def lowered(body):
    tree = function_of("def f(a, b, c):\n" + textwrap.indent(textwrap.dedent(body), "    "))
    assert skips_assignments(tree)
    names = Names({*take_census(tree).identifiers, "value"})
    lower_assignments([tree], analyse(tree), names, frozenset({"max"}))
    return textwrap.dedent(text_of(tree).split("\n", 1)[1])


STATEMENTS = {
    "if": (
        """
        if a and (y := b) > c:
            c = y
        """,
        """\
        if a:
            if (y := b) > c:
                c = y
        """,
    ),
    "if with a jump": (
        """
        if a and b and (y := c): return y
        return b
        """,
        """\
        test = False
        if a and b:
            if y := c:
                test = True
        if test:
            return y
        return b
        """,
    ),
    "elif": (
        """
        if a: c = 1
        elif a or (y := b): c = y
        else: c = 2
        """,
        """\
        if a:
            c = 1
        else:
            test = True
            if not a:
                if not (y := b):
                    test = False
            if test:
                c = y
            else:
                c = 2
        """,
    ),
    "while": (
        """
        while a < b and (y := c[a]):
            a += 1
            if y > 2: continue
            g(y)
        else:
            h(y)
        """,
        """\
        going = True
        while going:
            going = False
            if a < b:
                if y := c[a]:
                    going = True
                    a += 1
                    if y > 2:
                        continue
                    g(y)
        else:
            h(y)
        """,
    ),
    "while that a jump leaves": (
        """
        while (y := g(a)):
            if y > 2: break
        """,
        """\
        going = True
        while going:
            going = False
            if y := g(a):
                going = True
                if y > 2:
                    break
        """,
    ),
    "values": (
        "z = a or (y := b)",
        """\
        value_1 = a
        if not value_1:
            value_1 = y = b
        z = value_1
        """,
    ),
    "conditional expression": (
        "return (y := b) if a and (z := c) else c",
        """\
        test = False
        if a:
            if z := c:
                test = True
        if test:
            value_1 = y = b
        else:
            value_1 = c
        return value_1
        """,
    ),
    "comparison": (
        "return a < g(b) < (y := c)",
        """\
        value_2 = g(b)
        value_1 = a < value_2
        if value_1:
            value_1 = value_2 < (y := c)
        return value_1
        """,
    ),
    "what comes before": (
        "return g(a, b.c, *c, 1, **b)[a] + max(len(a), (y := b) if a else c)",
        """\
        value_1 = g(a, b.c, *c, 1, **b)[a]
        value_2 = max
        value_3 = len(a)
        if a:
            value_4 = y = b
        else:
            value_4 = c
        return value_1 + value_2(value_3, value_4)
        """,
    ),
    "an argument that changes": (
        "return len(a, b, k=a and (b := c))",
        """\
        value_1 = b
        value_2 = a
        if value_2:
            value_2 = b = c
        return len(a, value_1, k=value_2)
        """,
    ),
    "stars": (
        "return len(*a, **b, k=a and (y := c))",
        """\
        value_1 = [*a]
        value_2 = {**b}
        value_3 = a
        if value_3:
            value_3 = y = c
        return len(*value_1, **value_2, k=value_3)
        """,
    ),
    "dict": (
        "return {a: g(), **b, c: a and (y := c)}",
        """\
        value_1 = g()
        value_2 = {**b}
        value_3 = a
        if value_3:
            value_3 = y = c
        return {a: value_1, **value_2, c: value_3}
        """,
    ),
    "augmented": (
        "a += b and (y := c); a.b += b and (z := c)",
        """\
        value_1 = b
        if value_1:
            value_1 = y = c
        a += value_1
        old = a.b
        value_2 = b
        if value_2:
            value_2 = z = c
        old += value_2
        a.b = old
        """,
    ),
    "an expression for its effect": (
        "a and (y := b) and g(y)",
        """\
        if a:
            (y := b) and g(y)
        """,
    ),
    "assert": (
        "assert a or (y := b), 'no'",
        """\
        test = True
        if not a:
            if not (y := b):
                test = False
        assert test, 'no'
        """,
    ),
    "message": (
        "assert a, (y := b)",
        """\
        if not a:
            assert False, (y := b)
        """,
    ),
    "any": (
        "return any((y := v) > c for v in a if v for w in b if w)",
        """\
        found = False
        for v_1 in a:
            if v_1:
                for w_1 in b:
                    if w_1:
                        if (y := v_1) > c:
                            found = True
                            break
            if found:
                break
        return found
        """,
    ),
    "all": (
        """
        b += c and all(y := w for v, w in a)
        """,
        """\
        value_1 = c
        if value_1:
            found = True
            for v_1, w_1 in a:
                if not (y := w_1):
                    found = False
                    break
            value_1 = found
        b += value_1
        """,
    ),
    "not": (
        "if not (a and (y := b)): return c",
        """\
        test = False
        if a:
            if y := b:
                test = True
        if not test:
            return c
        """,
    ),
}


@pytest.mark.parametrize(("before", "after"), STATEMENTS.values(), ids=STATEMENTS)
def test_statement(before, after):
    assert lowered(before) == textwrap.dedent(after)


@pytest.mark.parametrize(
    "text",
    [
        "(y := a) and b",
        "a < (y := b)",
        "[y for y in a if (y := b)]",
        "lambda: (y := a)",
        "c if (y := a) else b",
    ],
)
def test_nothing_to_do(text):
    assert not skips_assignments(function_of(f"def f(a, b, c): return {text}"))


def test_functions_that_are_not_traced_stay_as_they_are():
    assert "a and (b := c)" in converted_text("def f(a, b, c): return a and (b := c)")


def test_parts_that_stay():
    for text in ("lambda: a and (y := b)", "sum(a and (y := b) for c in a)", "f'{a or (y := b)}'"):
        assert text in lowered(f"z = ({text}), a or (u := b)").replace('"', "'")


def test_names_that_a_call_may_change_are_read_before():
    text = """
        def f(n):
            def change(v):
                nonlocal k
                k += v
                return k
            k = n
            z = k + (n and (y := change(3))) + k
            k += n and (y := change(5))
            print(z, k)
            return [k, (n or (k := 9)), k, y]
        """
    same(text, (0,), (2,))


def test_each_kind_of_operand():
    text = """
        def say(v):
            print(v)
            return v
        def f(n, m):
            a = say(n) and (u := say(m)) or say(7)
            b = say(1) < say(n) < (v := say(m)) < say(9)
            c = [say(0), *[say(1)], (w := say(n)) if say(m) else say(3), {say(2): say(n) or (w := 5)}]
            while n > 0 and (x := say(n)) != m:
                n -= 1
                if n == 3: continue
                if n == 2: break
            else:
                print('else')
            if not (n or (y := m)) or (z := n) > 1: print('yes', z)
            elif m and (y := m): return y
            print(sorted(locals().items(), key=str))
            return a, b, c, x, y, z
        """
    same(text, *((n, m) for n in range(6) for m in range(6)))
