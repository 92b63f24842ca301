"""What single expressions and simple statements become."""

import pytest

from tests.conversion.passes_support import converted_text

EXPRESSIONS = [
    ("a and b", "ag__.and_(a, lambda: b)"),
    ("a or b or c", "ag__.or_(a, lambda: b, lambda: c)"),
    ("not a", "ag__.not_(a)"),
    ("not (a and b)", "ag__.not_(ag__.and_(a, lambda: b))"),
    ("1 if a and b else 2", "ag__.if_exp(ag__.both(a, lambda: b), lambda: 1, lambda: 2)"),
    (
        "1 if not (a and b) else 2",
        "ag__.if_exp(ag__.not_(ag__.both(a, lambda: b)), lambda: 1, lambda: 2)",
    ),
    ("1 if a < 1 and b else 2", "ag__.if_exp(ag__.and_(a < 1, lambda: b), lambda: 1, lambda: 2)"),
    ("a < b", "ag__.compare(a, '<', b)"),
    ("a < b - 1", "a < b - 1"),
    ("a < b < c", "ag__.compare(a, '<', b, '<', lambda: c)"),
    ("a in b", "ag__.in_(a, b)"),
    ("a not in b", "ag__.not_in(a, b)"),
    ("a is None", "ag__.is_(a, None)"),
    ("a is not None", "ag__.is_not(a, None)"),
    ("a is b", "ag__.is_(a, b)"),
    ("a if b else c", "ag__.if_exp(b, lambda: a, lambda: c)"),
    ("g(a, *b, k=c)", "ag__.converted(g)(a, *b, k=c)"),
    ("a.g(b)", "ag__.converted(a.g)(b)"),
    ("g(a)(b)", "ag__.converted(ag__.converted(g)(a))(b)"),
    ("(lambda: a)()", "(lambda: a)()"),
    ("print(a, sep=b)", "ag__.tensor_print(a, sep=b)"),
    ("len(a)", "ag__.len_(a)"),
    ("max(*a, key=b)", "ag__.max_(*a, key=b)"),
    ("getattr(a, 'b')", "getattr(a, 'b')"),
    ("ValueError(a)", "ValueError(a)"),
    ("f'{a} {b!r:>{c}}'", "ag__.fstring('{} {!r:>{}}', a, b, c)"),
    ("f'{a.b}'", "ag__.fstring_lazy('{}', lambda: a.b)"),
    ("f'plain'", "f'plain'"),
    ("'%s' % a", "ag__.percent('%s', a)"),
    ("a % b", "a % b"),
    ("a[b]", "ag__.getitem(a, b)"),
    ("a[0]", "a[0]"),
    ("a[-1, ..., 1:2]", "a[-1, ..., 1:2]"),
    ("a[b:]", "ag__.getitem(a, slice(b, None))"),
    ("a[::b, 0]", "ag__.getitem(a, (slice(None, None, b), 0))"),
    ("a['k']", "ag__.getitem(a, 'k')"),
    ("a and (b := c)", "a and (b := c)"),
    ("lambda x: x and a", "lambda x: ag__.and_(x, lambda: a)"),
]


@pytest.mark.parametrize(("before", "after"), EXPRESSIONS)
def test_expression(before, after):
    text = converted_text(f"def f(a, b, c): return {before}")
    assert text.splitlines()[-1].strip() == f"return {after}"


STATEMENTS = [
    ("x[i] = v", "x = ag__.setitem(x, i, v)"),
    ("x[i + 1] = v", "x = ag__.setitem(x, i + 1, v)"),
    ("x[i] = g(v)", "x = ag__.setitem(x, i, ag__.converted(g)(v))"),
    (
        "x[g(i)] = g(v)",
        "value = ag__.converted(g)(v)\nx = ag__.setitem(x, ag__.converted(g)(i), value)",
    ),
    ("x['k'] = v", "ag__.tracked(x, lambda: x)['k'] = v"),
    ("x[i:] = v", "x = ag__.setitem(x, slice(i, None), v)"),
    ("x[i] += v", "x = ag__.augitem(x, i, '+=', v)"),
    ("x[i] *= v.a", "x = ag__.augitem(x, i, '*=', lambda: v.a, lazy=True)"),
    ("o[i] = v", "ag__.tracked(o, lambda: o)[i] = v"),
    ("x.a = v", "ag__.tracked(x).a = v"),
    ("x.a[i].b = v", "ag__.tracked(x).a[i].b = v"),
    ("x.a += v", "ag__.tracked(x).a += v"),
    ("del x.a", "del ag__.tracked(x).a"),
    ("x.a, i = v", "ag__.tracked(x).a, i = v"),
    (
        "x[i], x[v] = x[v], x[i]",
        "value, value_1 = ag__.getitem(x, v), ag__.getitem(x, i)\n"
        "x = ag__.setitem(x, i, value)\nx = ag__.setitem(x, v, value_1)",
    ),
    ("assert i", "ag__.assert_(i)"),
    ("assert i, v", "ag__.assert_(i, lambda: v)"),
    ("raise i", "raise ag__.raising(i)"),
    ("x: int = i", "x: int = i"),
]


@pytest.mark.parametrize(("before", "after"), STATEMENTS)
def test_statement(before, after):
    text = converted_text(f"def f(x, i, v): {before}")
    assert [line.strip() for line in text.splitlines()[1:]] == after.split("\n")


def test_super():
    text = converted_text("def f(me): return super().f", has_class=True)
    assert "super(__class__, me).f" in text
    assert "super()" in converted_text("def f(*me): return super().f", has_class=True)


def test_builtins_that_are_rebound():
    text = converted_text("""
        def f(len):
            global print
            for max in len(1): print(max(2))
        """)
    assert "ag__.converted(len)(1)" in text
    assert "ag__.converted(print)(ag__.converted(max)(2))" in text


def test_generators_inside_stay():
    text = converted_text("""
        def f(a):
            def g():
                if a and 1: yield 2
            return g
        """)
    assert "if a and 1:" in text


def test_statements_in_classes_stay():
    text = converted_text("""
        def f(a):
            class C:
                if a and 1: b = not a
                def m(self): return not a
        """)
    assert "if a and 1:" in text and "b = not a" in text and "return ag__.not_(a)" in text
