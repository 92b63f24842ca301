"""Trees go to gast as gast's own conversion takes them there, and back as its own takes them back."""

import ast
import sys
import textwrap

import gast
import pytest

from autograph_lite.conversion import pipeline, source
from autograph_lite.conversion.lifting import to_gast
from autograph_lite.conversion.lowering import to_ast
from autograph_lite.conversion.passes import expressions, jumps

TEXTS = [
    """
    @decorated
    def f(a, b: int = 1, /, *c, d, e=2, **g) -> str:
        '''Docstring.'''
        global h
        try:
            import i.j as k, l
        except (A, B) as error:
            raise C from error
        except D:
            pass
        else:
            x: int = 1
        finally:
            del x
        return f"{a!r:>{b}} {{}}"
    """,
    """
    class C(B, metaclass=M):
        x, *y = [i for i in z if i], {j: k for j, k in l}, {m}
        async def f(self):
            async with a as b, c: await d
            async for e in f: yield (yield from g)
    """,
    """
    match x:
        case 1 | -2: pass
        case {"a": b, **rest}: pass
        case [c, *_] if (d := c): pass
        case P(e, f=None) as g: pass
    """,
    "lambda a, *b, c=1: a[1:2, ..., ::3] @ ~b.c if not a < b <= c else b'1' + 2j",
    "from . import a; assert b, c; d += 1; while_ = e; print(*f, **g)",
]


def dumped(tree):
    return gast.dump(tree, include_attributes=True)


@pytest.mark.parametrize("text", TEXTS)
def test_a_tree_is_lifted_as_gast_does_it(text):
    tree = ast.parse(textwrap.dedent(text))
    assert dumped(to_gast(tree)) == dumped(gast.ast_to_gast(tree))
    assert ast.dump(to_ast(to_gast(tree))) == ast.dump(tree)


@pytest.mark.parametrize("module", [pipeline, source, expressions, jumps, ast, textwrap])
def test_whole_files_are_lifted_as_gast_does_it(module):
    with open(module.__file__, encoding="utf-8") as file:
        tree = ast.parse(file.read())
    assert dumped(to_gast(tree)) == dumped(gast.ast_to_gast(tree))


def test_what_came_with_python_3_12_has_no_parameters_before():
    (function,) = to_gast(ast.parse("def f(): pass")).body
    assert function.type_params == []


@pytest.mark.skipif(sys.version_info < (3, 12), reason="needs Python 3.12")
def test_type_parameters_are_lifted_as_gast_does_it():
    tree = ast.parse("type A[B] = list[B]\ndef f[C: int, *D, **E](c: C): pass\nclass F[G]: pass")
    assert dumped(to_gast(tree)) == dumped(gast.ast_to_gast(tree))
