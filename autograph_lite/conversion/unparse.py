"""Tree to text, for people to read.

The text is never compiled by the library (the tree is), but it says the same: parsed again it gives
the same tree. `astunparse` knows the statements of older Pythons; what is newer, and everything
about expressions, is added here and in the two files this one builds on.
"""

from __future__ import annotations

import ast
from typing import Any

import gast

from autograph_lite.conversion.comments import Layout
from autograph_lite.conversion.depth import walks_deep
from autograph_lite.conversion.unparse_exprs import NAMED, TEST
from autograph_lite.conversion.unparse_patterns import PatternPrinter
from autograph_lite.conversion.unparse_strings import docstring_text

__all__ = ["to_text"]

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_COMPOUND = (
    *_DEFINITIONS,
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.With,
    ast.AsyncWith,
    ast.Try,
    ast.Match,
    getattr(ast, "TryStar", ast.Try),
)
_KEYWORDS: dict[type, str] = {
    ast.FunctionDef: "def",
    ast.AsyncFunctionDef: "async def",
    ast.ClassDef: "class",
    ast.If: "",  # or elif
    ast.For: "for",
    ast.AsyncFor: "async for",
    ast.While: "while",
    ast.With: "with",
    ast.AsyncWith: "async with",
}


@walks_deep
def to_text(node: Any, original_source: str | None = None) -> str:
    """The text of a tree.

    Args:
      node: a node, or a list of statements, of `gast` or `ast`.
      original_source: the text of the file whose positions the nodes hold. If given, its comments,
        its blank lines and its spelling of literals are kept where their place can be found.

    Returns:
      The text; that of statements ends with a newline.

    Example:
      >>> print(to_text(gast.parse("x = ((a + b) * c, -(2 ** n))")), end="")
      x = (a + b) * c, -2 ** n
    """
    if isinstance(node, list):
        node = ast.Module([_as_ast(statement) for statement in node], type_ignores=[])
    node = _as_ast(node)
    printer = _Printer(original_source)
    if isinstance(node, ast.expr):
        return printer.text_of(node, TEST)
    if not isinstance(node, (ast.Module, ast.stmt)):
        return printer.text_of_part(node)
    return printer.text_of_statements(node)


def _as_ast(node: Any) -> Any:
    return gast.gast_to_ast(node) if type(node).__module__.startswith("gast") else node


class _Printer(PatternPrinter):
    """Prints statements."""

    def __init__(self, original_source: str | None) -> None:
        super().__init__(original_source)
        self._layout = Layout(original_source) if original_source is not None else None
        self._header_comment = ""
        self._in_class_or_module = True

    def text_of_statements(self, node: Any) -> str:
        statements = node.body if isinstance(node, ast.Module) else [node]
        if self._layout is not None and not isinstance(node, ast.Module):
            self._layout.start_at(_first_line(node))
        self._first_in_block = True
        if isinstance(node, ast.Module):
            self._documented_body(statements)
        else:
            self._block(statements)
        if self._layout is not None and isinstance(node, ast.Module):
            rest = self._layout.rest()
            if rest and statements and isinstance(statements[-1], _DEFINITIONS):
                rest = ["", "", *filter(None, rest[:1]), *rest[1:]]
            self._own_lines(rest)
        return self.f.getvalue().strip("\n") + "\n"

    # Layout: comments, blank lines, and the place of definitions.

    def dispatch(self, tree: Any) -> None:
        if isinstance(tree, list):
            self._block(tree)
        else:
            super().dispatch(tree)

    def _block(self, statements: list[Any], after: Any = None) -> None:
        """Writes statements that follow one another; `after` stands before them."""
        self._first_in_block = after is None
        previous = after
        column = None  # that of the block in the original
        for statement in statements:
            if self._layout is not None and self._layout.is_next(statement, _first_line(statement)):
                column = statement.col_offset
            compound = isinstance(statement, _COMPOUND)
            text = None if compound else self._spelling.statement(statement, 4 * self._indent)
            trailing = self._before(statement, previous, text)
            self._first_in_block = False
            previous = statement
            if text is not None:
                self.fill(text)
            else:
                self._header_comment = trailing if compound else ""
                super().dispatch(statement)
            if trailing and not compound:
                self.write(f"  {trailing}")
        if self._layout is not None and column is not None:
            self._own_lines(self._layout.end_of_block(column))

    def _before(self, statement: Any, previous: Any, as_it_was: str | None) -> str:
        """Writes what stands before a statement; returns the comment that follows it."""
        lines: list[str] = []
        trailing = ""
        if self._layout is not None and hasattr(statement, "lineno"):
            printed = (0, 0)
            if as_it_was is not None:
                printed = (statement.end_lineno, 0)
            elif not getattr(statement, "decorator_list", None):
                printed = self._original_header(statement)[1]
            lines, trailing = self._layout.before(statement, _first_line(statement), printed)
        blanks = 0
        if isinstance(statement, _DEFINITIONS) or isinstance(previous, _DEFINITIONS):
            if self._indent == 0:
                blanks = 2
            elif isinstance(statement, _DEFINITIONS):
                blanks = 1
        while lines and not lines[0]:
            lines = lines[1:]
            blanks = max(blanks, 1)
        if not self._first_in_block:
            self.write("\n" * blanks)
        self._own_lines(lines)
        return trailing

    def _own_lines(self, lines: list[str]) -> None:
        for line in lines:
            if line:
                self.fill(line)
            else:
                self.write("\n")

    def _original_header(self, node: Any) -> tuple[str | None, tuple[int, int]]:
        """A statement's header as it was, if it still is, and the position of its end."""
        keyword = _KEYWORDS.get(type(node))
        if self._layout is None or keyword is None or not hasattr(node, "lineno"):
            return None, (0, 0)
        colon = self._layout.colon(node.lineno)
        if colon is None:
            return None, (0, 0)
        text = self._spelling.header(node, keyword, colon, 4 * self._indent)
        return text, (0, 0) if text is None else colon

    def _header(self, node: Any, keyword: str) -> bool:
        """Writes a statement's header as it was, if it still is; says whether it did."""
        text, _ = self._original_header(node)
        if text is None or not text.startswith(keyword):
            return False
        self.fill(text)
        return True

    def _clause(self, node: Any, place: Any) -> None:
        """Writes the comments before a part of a statement: `elif`, `except`, `case`, `def`."""
        if self._layout is not None and hasattr(place, "lineno"):
            printed = self._original_header(place)[1]
            lines, self._header_comment = self._layout.before(node, place.lineno, printed)
            self._own_lines([line for line in lines if line])

    def enter(self) -> None:
        super().enter()
        if self._header_comment:
            self.write(f"  {self._header_comment}")
            self._header_comment = ""

    def _body(self, statements: list[Any]) -> None:
        self.enter()
        self.dispatch(statements)
        self.leave()

    def _documented_body(self, statements: list[Any]) -> None:
        """A body whose first statement, if it is a string, is a docstring."""
        first = statements[0] if statements else None
        if first is None or not _is_string(first):
            self._block(statements)
            return
        self._first_in_block = True
        text = self._spelling.statement(first, first.col_offset) if self._layout else None
        trailing = self._before(first, None, text)
        self.fill(text or docstring_text(first.value.value))
        self.write(f"  {trailing}" if trailing else "")
        self._block(statements[1:], after=first)

    # Definitions.

    def _FunctionDef(self, node: Any) -> None:
        self._function(node, "def")

    def _AsyncFunctionDef(self, node: Any) -> None:
        self._function(node, "async def")

    def _function(self, node: Any, keyword: str) -> None:
        self._decorators(node)
        if not self._header(node, keyword):
            self.fill(f"{keyword} {node.name}")
            self._type_params(node)
            self.write("(")
            self.dispatch(node.args)
            self.write(")")
            if node.returns is not None:
                self.write(" -> ")
                self.expr(node.returns, TEST)
        self.enter()
        self._documented_body(node.body)
        self.leave()

    def _ClassDef(self, node: Any) -> None:
        self._decorators(node)
        if not self._header(node, "class"):
            self.fill(f"class {node.name}")
            self._type_params(node)
            if node.bases or node.keywords:
                self.write("(")
                self.arguments_of_call([*node.bases, *node.keywords])
                self.write(")")
        self.enter()
        self._documented_body(node.body)
        self.leave()

    def _decorators(self, node: Any) -> None:
        for place, decorator in enumerate(node.decorator_list):
            if place:
                self._clause(node, decorator)
            self.fill("@")
            self.expr(decorator, NAMED)
            self.write(f"  {self._header_comment}" if self._header_comment else "")
        if node.decorator_list:
            self._clause(node, node)

    def _type_params(self, node: Any) -> None:
        params = getattr(node, "type_params", None)
        if params:
            self.write("[")
            self.commas(params, self.dispatch)
            self.write("]")

    def _TypeVar(self, node: Any) -> None:
        self.write(node.name)
        if node.bound is not None:
            self.write(": ")
            self.expr(node.bound, TEST)
        self._type_default(node)

    def _TypeVarTuple(self, node: Any) -> None:
        self.write(f"*{node.name}")
        self._type_default(node)

    def _ParamSpec(self, node: Any) -> None:
        self.write(f"**{node.name}")
        self._type_default(node)

    def _type_default(self, node: Any) -> None:
        default = getattr(node, "default_value", None)
        if default is not None:
            self.write(" = ")
            self.expr(default, TEST)

    def _TypeAlias(self, node: Any) -> None:
        self.fill("type ")
        self.expr(node.name, TEST)
        self._type_params(node)
        self.write(" = ")
        self.expr(node.value, TEST)

    # Simple statements.

    def _Expr(self, node: Any) -> None:
        self.fill()
        self.value(node.value)

    def _Assign(self, node: Any) -> None:
        self.fill()
        for target in node.targets:
            self.bare(target)
            self.write(" = ")
        self.value(node.value)

    def _AugAssign(self, node: Any) -> None:
        self.fill()
        self.expr(node.target, TEST)
        self.write(f" {self.binop[type(node.op).__name__]}= ")
        self.value(node.value)

    def _AnnAssign(self, node: Any) -> None:
        self.fill()
        needless = node.simple or not isinstance(node.target, ast.Name)
        self.write("" if needless else "(")
        self.expr(node.target, TEST)
        self.write(": " if needless else "): ")
        self.expr(node.annotation, TEST)
        if node.value is not None:
            self.write(" = ")
            self.value(node.value)

    def _Return(self, node: Any) -> None:
        self.fill("return")
        if isinstance(node.value, (ast.Yield, ast.YieldFrom)):
            self.write(" ")
            self.expr(node.value, TEST)
        elif node.value is not None:
            self.write(" ")
            self.value(node.value)

    def _Delete(self, node: Any) -> None:
        self.fill("del ")
        self.commas(node.targets, lambda target: self.expr(target, TEST))

    def _Assert(self, node: Any) -> None:
        self.fill("assert ")
        self.expr(node.test, TEST)
        if node.msg is not None:
            self.write(", ")
            self.expr(node.msg, TEST)

    def _Raise(self, node: Any) -> None:
        self.fill("raise")
        if node.exc is not None:
            self.write(" ")
            self.expr(node.exc, TEST)
        if node.cause is not None:
            self.write(" from ")
            self.expr(node.cause, TEST)

    # Compound statements.

    def _If(self, node: Any) -> None:
        keyword = "if"
        while True:
            if not self._header(node, keyword):
                self.fill(f"{keyword} ")
                self.expr(node.test, NAMED)
            self._body(node.body)
            rest = node.orelse
            if not (len(rest) == 1 and isinstance(rest[0], ast.If)):
                break
            if self._spelling.starts_with(rest[0], "if "):
                break  # it was written as `else:` and `if`, which is the same tree
            (node,) = rest
            keyword = "elif"
            self._clause(node, node)
        self._orelse(node)

    def _orelse(self, node: Any) -> None:
        if node.orelse:
            self.fill("else")
            self._body(node.orelse)

    def _While(self, node: Any) -> None:
        if not self._header(node, "while"):
            self.fill("while ")
            self.expr(node.test, NAMED)
        self._body(node.body)
        self._orelse(node)

    def _For(self, node: Any) -> None:
        self._for(node, "for ")

    def _AsyncFor(self, node: Any) -> None:
        self._for(node, "async for ")

    def _for(self, node: Any, keyword: str) -> None:
        if not self._header(node, keyword):
            self.fill(keyword)
            self.bare(node.target)
            self.write(" in ")
            self.bare(node.iter)
        self._body(node.body)
        self._orelse(node)

    def _With(self, node: Any) -> None:
        self._with(node, "with ")

    def _AsyncWith(self, node: Any) -> None:
        self._with(node, "async with ")

    def _with(self, node: Any, keyword: str) -> None:
        if not self._header(node, keyword):
            self._with_items(node, keyword)
        self._body(node.body)

    def _with_items(self, node: Any, keyword: str) -> None:
        self.fill(keyword)
        # `with (a, b):` has two items. One item that is a tuple needs parentheses twice.
        first = node.items[0]
        doubled = (
            len(node.items) == 1
            and first.optional_vars is None
            and isinstance(first.context_expr, ast.Tuple)
        )
        self.write("(" if doubled else "")
        self.commas(node.items, self.dispatch)
        self.write(")" if doubled else "")

    def _withitem(self, node: Any) -> None:
        self.expr(node.context_expr, TEST)
        if node.optional_vars is not None:
            self.write(" as ")
            self.expr(node.optional_vars, TEST)

    def _Try(self, node: Any, star: str = "") -> None:
        self.fill("try")
        self._body(node.body)
        for handler in node.handlers:
            self._handler(handler, star)
        self._orelse(node)
        if node.finalbody:
            self.fill("finally")
            self._body(node.finalbody)

    def _TryStar(self, node: Any) -> None:
        self._Try(node, "*")

    def _handler(self, node: Any, star: str) -> None:
        self._clause(node, node)
        self.fill(f"except{star}")
        if node.type is not None:
            self.write(" ")
            self.expr(node.type, TEST)
        if node.name is not None:
            self.write(f" as {node.name}")
        self._body(node.body)

    # match

    def _Match(self, node: Any) -> None:
        self.fill("match ")
        subject = node.subject
        if isinstance(subject, ast.Tuple) and len(subject.elts) > 1:
            self.bare(subject)
        else:
            self.expr(subject, NAMED)
        self.enter()
        for case in node.cases:
            self._case(case)
        self.leave()

    def _case(self, node: Any) -> None:
        self._clause(node, node.pattern)
        self.fill("case ")
        self.dispatch(node.pattern)
        if node.guard is not None:
            self.write(" if ")
            self.expr(node.guard, NAMED)
        self._body(node.body)


def _first_line(statement: Any) -> int:
    decorators = getattr(statement, "decorator_list", None)
    place = decorators[0] if decorators else statement
    return getattr(place, "lineno", 0)


def _is_string(statement: Any) -> bool:
    return (
        isinstance(statement, ast.Expr)
        and isinstance(statement.value, ast.Constant)
        and isinstance(statement.value.value, str)
        and statement.value.kind is None
    )
