"""Scopes, liveness and definedness, on the odd corners of Python."""

import gast
import pytest

from autograph_lite.conversion import cfg, definedness, liveness
from autograph_lite.conversion.census import take_census
from autograph_lite.conversion.effects import effects_of
from autograph_lite.conversion.names import Names, mangled
from autograph_lite.conversion.scopes import analyse
from tests.conversion.passes_support import function_of


def scope_of(text):
    tree = function_of(text)
    scopes = analyse(tree)
    return tree, scopes, scopes[tree]


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("a = b", {"a"}),
        ("a, (b, *c) = d", {"a", "b", "c"}),
        ("a[0] = b.c = 1", set()),
        ("a: int", {"a"}),
        ("a: int = 1", {"a"}),
        ("import a.b, c as d", {"a", "d"}),
        ("from a import b as c, d", {"c", "d"}),
        ("del a", {"a"}),
        ("for a in b: pass", {"a"}),
        ("with a as b, c as (d, e): pass", {"b", "d", "e"}),
        ("def a(b): c = 1", {"a"}),
        ("class A(b): c = 1", {"A"}),
        ("try: pass\n    except E as a: pass", {"a"}),
        ("[a for b in c if (d := b)]", {"d"}),
        ("(lambda a: (b := a))", set()),
        ("a += 1", {"a"}),
        ("match a:\n        case [b, *c] | {'k': b, **c} as d: pass", {"b", "c", "d"}),
        ("match a:\n        case C(x=b) if (c := b): pass", {"b", "c"}),
        ("global a; a = 1", set()),
    ],
)
def test_what_binds_a_name(statement, names):
    _, _, scope = scope_of(f"def f():\n    {statement}")
    assert {name for name in scope.bound if scope.owns(name)} == names


def test_free_names():
    _, _, scope = scope_of("""
        def f(a):
            b = [c for c in d]
            class C:
                e = 1
                def g(self): return e, __class__, h
            return lambda: (a, i)
        """)
    assert scope.free() == {"d", "e", "h", "i"}
    assert scope.captured() == {"a"}


def test_comprehensions_do_not_capture_but_generators_do():
    _, _, scope = scope_of(
        "def f(a, b, c): return [a for _ in x], (b for _ in x), [lambda: c for _ in x]"
    )
    assert scope.captured() == {"b", "c"}


def test_class_scopes_are_invisible_from_inside():
    tree, scopes, scope = scope_of("""
        def f():
            x = 1
            class C:
                x = 2
                def g(self): return x
        """)
    assert scope.captured() == {"x"}


def test_names_deleted_from_inside():
    _, _, scope = scope_of("""
        def f():
            x = y = 1
            def g():
                nonlocal x
                del x
        """)
    assert scope.deleted_inside() == {"x"}


def test_effects_are_conditional():
    tree, scopes, _ = scope_of(
        "def f(): (a := 1) and (b := 2); [c := 3 for d in e]; x if (g := 1) else (h := 2)"
    )
    effects = effects_of(tree.body, scopes)
    assert set(effects.writes) == {"a", "b", "c", "g", "h"}
    assert effects.maybe == {"b", "c", "h"}


def doubtful(text):
    tree, scopes, scope = scope_of(text)
    graph = cfg.build(tree.body, scopes)
    local = [name for name in scope.bound if scope.owns(name)]
    table = definedness.analyse(graph, local, scope.params, scope.deleted_inside())
    return [(node.id, node.lineno) for node in sorted(table.doubtful, key=lambda n: n.lineno)]


@pytest.mark.parametrize(
    ("body", "names"),
    [
        ("if a: x = 1\n    x", ["x"]),
        ("if a: x = 1\n    else: x = 2\n    x", []),
        ("if a: x = 1\n    else: raise E\n    x", []),
        ("if a: x = 1\n    else: return\n    x", []),
        ("for x in a: pass\n    x", ["x"]),
        ("for x in a: x", []),
        ("while True:\n        x = 1\n        if a: break\n    x", []),
        ("while True:\n        if a: break\n        x = 1\n    x", ["x"]),
        ("while a: x = 1\n    else: x = 2\n    x", []),
        ("while a:\n        x = 1\n        if a: break\n    else: x = 2\n    x", []),
        ("while a:\n        if a: break\n        x = 1\n    else: x = 2\n    x", ["x"]),
        ("try: x = g()\n    except E: pass\n    x", ["x"]),
        ("try: x = g()\n    except E: x = 1\n    x", []),
        ("try: x = g()\n    except E: raise\n    x", []),
        ("try: x = g()\n    finally: pass\n    x", []),
        ("try: x = g()\n    finally: x", ["x"]),
        ("try: pass\n    except E as x: x\n    x", ["x"]),
        ("with a: x = 1\n    x", ["x"]),
        ("with open(a): x = 1\n    x", []),
        ("x = 1\n    del x\n    x", ["x"]),
        ("match a:\n        case [x]: x\n    x", ["x"]),
        ("match a:\n        case [x]: x\n        case x: x\n    x", []),
        ("if (x := a) and (y := x): x, y\n    x", []),
        ("if (x := a) and (y := x): pass\n    y", ["y"]),
        ("if not (a and (y := a)): pass\n    else: y", []),
        ("while (x := a): x\n    x", []),
        ("for i in a:\n        try: continue\n        finally: x = 1\n    x", ["x"]),
        ("while True:\n        try:\n            break\n        finally: x = 1\n    x", []),
    ],
)
def test_where_variables_may_be_unbound(body, names):
    assert [name for name, _ in doubtful(f"def f(a):\n    {body}")] == names


def test_what_is_live_in_a_loop():
    tree, scopes, _ = scope_of("""
        def f(a, b):
            for x in a:
                if x:
                    c = x
                    continue
                y = b
                b = y
            return c
        """)
    graph = cfg.build(tree.body, scopes)
    live, loop = liveness.analyse(graph), tree.body[0]
    assert live.before(graph.head[loop]) == {"b", "c"}
    assert live.before(graph.after[loop]) == {"c"}


def test_variables_that_a_handler_reads_are_live_in_the_body():
    tree, scopes, _ = scope_of("""
        def f(a):
            try:
                b = 1
                if a: pass
                b = 2
            except E:
                return b
        """)
    graph = cfg.build(tree.body, scopes)
    branch = tree.body[0].body[1]
    assert "b" in liveness.analyse(graph).before(graph.after[branch])


def test_names():
    names = Names({"a", "a_1"})
    assert [names.fresh("a"), names.fresh("a"), names.fresh("b"), names.role("b")] == [
        "a_2", "a_3", "b", "b_1",
    ]  # fmt: skip
    tree = gast.parse("def f(a): import b.c; g = h.i(j=1)\nclass C: pass\nglobal k")
    assert take_census(tree).identifiers >= {"f", "a", "b", "g", "h", "C", "k"}
    assert mangled("__a", "C") == "_C__a" and mangled("__a__", "C") == "__a__"
    assert mangled("__a", "__") == "__a" and mangled("__a", "__C") == "_C__a"
