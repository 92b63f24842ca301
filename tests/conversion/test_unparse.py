"""The text of a tree says what the tree says, and reads as if written."""

import ast
import glob
import os
import sys
import textwrap
import tokenize

import gast
import pytest

from autograph_lite.conversion.unparse import to_text

LIBRARY = os.path.dirname(os.__file__)
FILES = [
    file
    for file in sorted(glob.glob(os.path.join(LIBRARY, "**", "*.py"), recursive=True))
    if "site-packages" not in file
]
# As many parts as keep each below a few seconds; together they are all files.
PARTS = 24


def texts(files):
    for file in files:
        try:
            with tokenize.open(file) as source:
                text = source.read()
            yield file, text, ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, OSError):
            continue  # files that are not for this Python, or wrong on purpose


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_the_standard_library_goes_through(part):
    for file, _, tree in texts(FILES[part::PARTS]):
        wanted = ast.dump(tree)
        text = to_text(gast.ast_to_gast(tree))
        assert ast.dump(ast.parse(text)) == wanted, file


@pytest.mark.filterwarnings("ignore::SyntaxWarning", "ignore::DeprecationWarning")
def test_it_does_with_its_comments_too():
    for file, original, tree in texts(FILES[5::40]):
        text = to_text(tree, original)
        assert ast.dump(ast.parse(text)) == ast.dump(tree), file
        assert comments(text) == comments(original), file


def comments(text):
    lines = iter(text.splitlines(keepends=True))
    tokens = tokenize.generate_tokens(lambda: next(lines, ""))
    return [token.string for token in tokens if token.type == tokenize.COMMENT]


AS_WRITTEN = """
x = (a + b) * c - d ** -e
x = -a ** b, (-a) ** b, not a == b, (not a) == b
x = a and (b or c) or not d
x = (a and b) and c
x = a - (b - c) - d
x = a < b < c, (a < b) < c
x = a if b else c if d else e
x = (a if b else c) if d else e
x = (lambda: a)(), lambda a, /, b=1, *c, d, e=2, **f: a
x = f(a, *b, k=1, **c), f(x for x in y), f((x for x in y), z)
x = [y := f(a), y ** 2]
x = a[1:2, ...], a[:, ::2], a[b], a[b, c], a[()], a[(b,)]
x = (1).real, 1.5.real, 1j.imag, 0.1, -1
x = {**a, 'b': c}, {a, b}, {a: b for a, b in c}, {*a}
x = [a for a, b in c if d if e for f in (g, h)]
x = [a async for a in b]
x = 'it\\'s "quoted"', "it's", b"it's", 'tab\\t', '\\x00', 'é'
x = await a + (await b).c
x: int
x.y: int = 1
(x): int = 2
x, *y = *a, b
x += yield
for a, b in c, d:
    pass
else:
    pass
while a:
    if b:
        break
    elif c:
        continue
    else:
        del d, e[0], f.g
with a as b, c as (d, e), f:
    pass
with ((a, b)):
    pass
try:
    raise a from b
except (c, d) as e:
    raise
except f:
    global g, h
else:
    assert i, 'why'
finally:
    from . import j
    from ..k import l as m, n
    import o.p as q
if (n := len(a)) > 10:
    return (yield from a)
async def f(a: int, b: str = 'c', /, *d: e, g, **h) -> i:
    async with a as b:
        async for c in d:
            await e
""".strip()


def test_expressions_and_statements_come_out_as_people_write_them():
    text = to_text(ast.parse(AS_WRITTEN))
    assert text.replace("\n\n\nasync def", "\nasync def") == AS_WRITTEN + "\n"


MATCHING = """
match command, rest:
    case ["go", direction] | ["move", direction, *_] if direction:
        pass
    case {"x": 0 | 1 as x, "y": -1, **others}:
        pass
    case Point(x=0, y=(1 | 2) as y) | Other(None, True):
        pass
    case str() as text:
        pass
    case [1, [2, *rest]] as whole:
        pass
    case a.b | 1 + 2j | "s":
        pass
    case _:
        pass
"""


def test_match():
    tree = ast.parse(MATCHING)
    text = to_text(tree)
    assert ast.dump(ast.parse(text)) == ast.dump(tree)
    assert "case ['go', direction] | ['move', direction, *_] if direction:" in text
    assert "case {'x': 0 | 1 as x, 'y': -1, **others}:" in text


FSTRINGS = [
    'f"{a}"',
    'f"{a!r:>{width}.{precision}f} and {b:%Y-%m-%d}"',
    "f'{{literal}} {a} }}'",
    "f\"{d['k']} it's\"",
    "f'''{d[\"k\"]} it's \"quoted\"'''",
    'f\'{x:{"<" if y else ">"}{w}}\'',
    "f'{(lambda: 1)()}'",
    "f'{ {1: 2}[1] }'",
    "f'{(y := 3)}'",
    "f'\\n\\t\\\\ {a}'",
    "f'{a=}' 'more'",
    "f'{f\"{x}\"}'",
    'rf"\\d{a}"',
    "f'{a, b}'",
    "f''",
    "f'{*a, b}'",
    "f'{x:\\n}'",
]


@pytest.mark.parametrize("text", FSTRINGS)
def test_fstrings(text):
    tree = ast.parse(text, mode="eval").body
    assert ast.dump(ast.parse(to_text(tree), mode="eval").body) == ast.dump(tree)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="such f-strings are of Python 3.12")
@pytest.mark.parametrize(
    "text", ["f'{d['k']}'", "f'{'\\n'.join(a)}'", "f'{f'{f'{x}'}'}'", "f'{a!r:{b:{c}}}'"]
)
def test_fstrings_within_their_own_quotes(text):
    tree = ast.parse(text, mode="eval").body
    assert ast.dump(ast.parse(to_text(tree), mode="eval").body) == ast.dump(tree)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="of Python 3.11")
def test_exception_groups_and_starred_subscripts():
    text = "try:\n    a[*b], a[*b, c]\nexcept* (C, D) as e:\n    pass\n"
    text += "\n\ndef f(*args: *Ts):\n    pass\n"
    assert to_text(ast.parse(text)) == text


@pytest.mark.skipif(sys.version_info < (3, 12), reason="of Python 3.12")
def test_type_parameters():
    text = textwrap.dedent(
        """\
        type Pair[T: int, *Ts, **P] = tuple[T, *Ts]


        def first[T: (int, str)](x: T) -> T:
            return x


        class Box[T](Base, metaclass=Meta):
            pass
        """
    )
    assert to_text(ast.parse(text)) == text
    assert to_text(gast.parse(text)) == text


def test_constants_that_have_no_literal():
    values = [float("inf"), -float("inf"), complex("inf"), 1e308, -0.0, -3, 2 - 1j]
    for value in values:
        text = to_text(ast.Expression(ast.Constant(value)).body)
        assert eval(text) == value
    assert to_text(ast.BinOp(ast.Constant(-2), ast.Pow(), ast.Name("n"))) == "(-2) ** n"
    nan = eval(to_text(ast.Constant(float("nan"))))
    assert nan != nan


def test_docstrings_stand_on_their_lines():
    text = '''\
def f():
    """Says "this".

    Then that: \\\\ and \\x00 and "
    """


class C:
    """Ends with a quote\\""""

    x = 1
'''
    assert to_text(ast.parse(text)) == text.replace("\n\n    x", "\n    x")


def test_definitions_are_set_apart():
    text = to_text(gast.parse("x = 1\ndef f():\n  def g(): pass\n  def h(): pass\n  g()\ny = 2"))
    assert text == (
        "x = 1\n\n\ndef f():\n    def g():\n        pass\n\n    def h():\n        pass\n"
        "    g()\n\n\ny = 2\n"
    )


def test_one_statement_one_expression_and_a_list():
    body = gast.parse("a = 1\nb").body
    assert to_text(body) == "a = 1\nb\n"
    assert to_text(body[0]) == "a = 1\n"
    assert to_text(body[1].value) == "b"
    assert to_text(gast.parse("def f(a, *, b=1): pass").body[0].args) == "a, *, b=1"


def test_long_calls_are_broken():
    names = ", ".join(f"argument_number_{i}" for i in range(9))
    text = to_text(gast.parse(f"if x:\n    value = function({names}, last='x')"))
    assert max(map(len, text.splitlines())) <= 100
    assert text.splitlines()[1] == "    value = function("
    assert text.endswith("    )\n")
    assert gast.dump(gast.parse(text)) == gast.dump(gast.parse(text))


COMMENTED = '''\
# Before everything.
import math  # the module


def area(r,  # the radius
         scale=0x10):
    """Doc."""

    # Squares it.
    s = r*r  # in place

    if s > 10:  # too big
        # Explains the branch.
        return [
            1,   # one
            2,
        ]
        # At the end of the block.
    # Before the other.
    elif s < 1:
        pass
    else:
        return math.pi*s

    # Last words.


# After everything.
'''


def test_comments_blank_lines_and_spelling_are_kept():
    assert to_text(ast.parse(COMMENTED), COMMENTED) == COMMENTED


def test_one_function_of_a_file_keeps_its_own_comments():
    text = to_text(gast.parse(COMMENTED).body[1], COMMENTED)
    assert text.startswith("def area(r,  # the radius")
    assert text.rstrip().endswith("# Last words.")
    assert "everything" not in text


def test_what_was_rewritten_loses_its_spelling_and_not_its_comments():
    source = "def f(x):\n    # Why.\n    y = x+x  # what\n    return (y)\n"
    tree = gast.parse(source)
    statement = tree.body[0].body[0]
    statement.value.op = gast.Mult()
    assert to_text(tree, source) == source.replace("x+x", "x * x")


def test_synthesised_nodes_that_copy_positions_repeat_no_comment():
    source = "if x:  # why\n    # inside\n    y = 1\nz = 2\n"
    tree = gast.parse(source)
    branch = tree.body[0]
    body = gast.parse("def if_body():\n    pass").body[0]
    for node in gast.walk(body):
        gast.copy_location(node, branch)
    body.body = branch.body
    call = gast.copy_location(gast.parse("cond(x, if_body)").body[0], branch)
    for node in gast.walk(call):
        gast.copy_location(node, branch)
    tree.body[:1] = [body, call]
    assert to_text(tree, source) == (
        "# why\ndef if_body():\n    # inside\n    y = 1\n\n\ncond(x, if_body)\nz = 2\n"
    )
