"""Prints expressions, with parentheses where precedence asks for them and nowhere else."""

from __future__ import annotations

import ast
import io
import sys
from collections.abc import Callable, Iterable
from typing import Any

from astunparse.unparser import Unparser

from autograph_lite.conversion import unparse_strings
from autograph_lite.conversion.spelling import Spelling

__all__ = ["NAMED", "TEST", "ExpressionPrinter"]

# Levels of precedence, loosest first.
BARE = 0  # a, b    yield x
NAMED = 1  # (a := b)
TEST = 2  # a if b else c    lambda: a
OR = 3
AND = 4
NOT = 5
COMPARE = 6
BITOR = 7
BITXOR = 8
BITAND = 9
SHIFT = 10
SUM = 11
TERM = 12
FACTOR = 13  # -a
POWER = 14
AWAIT = 15
ATOM = 16

_BINARY = {
    ast.BitOr: BITOR,
    ast.BitXor: BITXOR,
    ast.BitAnd: BITAND,
    ast.LShift: SHIFT,
    ast.RShift: SHIFT,
    ast.Add: SUM,
    ast.Sub: SUM,
    ast.Mult: TERM,
    ast.Div: TERM,
    ast.FloorDiv: TERM,
    ast.Mod: TERM,
    ast.MatMult: TERM,
    ast.Pow: POWER,
}
_LEVELS: dict[type, int] = {
    ast.Yield: BARE,
    ast.YieldFrom: BARE,
    ast.NamedExpr: NAMED,
    ast.Lambda: TEST,
    ast.IfExp: TEST,
    ast.Compare: COMPARE,
    ast.Await: AWAIT,
}
_WIDTH = 100


def level_of(node: ast.expr) -> int:
    """The precedence of an expression's outermost operator."""
    if isinstance(node, ast.BinOp):
        return _BINARY[type(node.op)]
    if isinstance(node, ast.BoolOp):
        return OR if isinstance(node.op, ast.Or) else AND
    if isinstance(node, ast.UnaryOp):
        return NOT if isinstance(node.op, ast.Not) else FACTOR
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex)):
        return FACTOR if repr(node.value).startswith("-") else ATOM
    return _LEVELS.get(type(node), ATOM)


class ExpressionPrinter(Unparser):  # type: ignore[misc]
    """Writes expressions to `self.f`.

    Args:
      original_source: the text the nodes' positions refer to, if there is one.
      quotes: the quotes strings may be written with, the preferred first.
      raw: whether strings hold their special characters as they are (within f-strings).
    """

    def __init__(
        self,
        original_source: str | None = None,
        quotes: tuple[str, ...] = unparse_strings.QUOTES,
        raw: bool = False,
    ) -> None:
        # The base class prints at once, so its own initialisation is not wanted.
        self.f = io.StringIO()
        self.future_imports: list[str] = []
        self._indent = 0
        self._quotes = quotes
        self._raw = raw
        self._spelling = Spelling(original_source)

    def text_of(self, node: ast.expr, level: int) -> str:
        """The text of an expression alone."""
        outer, self.f = self.f, io.StringIO()
        self.expr(node, level)
        text, self.f = self.f.getvalue(), outer
        return text

    def text_of_part(self, node: Any) -> str:
        """The text of something that is neither expression nor statement, parameters say."""
        outer, self.f = self.f, io.StringIO()
        self.dispatch(node)
        text, self.f = self.f.getvalue(), outer
        return text

    def expr(self, node: Any, level: int) -> None:
        """Writes an expression where at least the given precedence is wanted."""
        enclosed = level_of(node) < level
        self.write("(" if enclosed else "")
        original = self._spelling.expression(node)
        if original is not None:
            self.write(original)
        else:
            self.dispatch(node)
        self.write(")" if enclosed else "")

    def bare(self, node: Any) -> None:
        """Writes an expression where a tuple needs no parentheses."""
        if isinstance(node, ast.Tuple) and len(node.elts) > 1:
            self.commas(node.elts, lambda element: self.expr(element, TEST))
        else:
            self.expr(node, TEST)

    def value(self, node: Any) -> None:
        """Writes the value of a statement, its arguments on lines of their own if it is long."""
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            self.dispatch(node)
            return
        written = self.f.getvalue()
        column = len(written) - (written.rfind("\n") + 1)
        outer, self.f = self.f, io.StringIO()
        self.bare(node)
        text, self.f = self.f.getvalue(), outer
        fits = column + len(text) <= _WIDTH or "\n" in text
        if fits or not isinstance(node, ast.Call) or not (node.args or node.keywords):
            self.write(text)
        else:
            self._long_call(node)

    def _long_call(self, node: ast.Call) -> None:
        self.expr(node.func, ATOM)
        self.write("(")
        indent = "\n" + "    " * (self._indent + 1)
        line = ""
        for argument in [*node.args, *node.keywords]:
            outer, self.f = self.f, io.StringIO()
            self._argument(argument)
            text, self.f = self.f.getvalue() + ",", outer
            if line and len(indent) - 1 + len(line) + 1 + len(text) > _WIDTH:
                self.write(indent + line)
                line = text
            else:
                line = f"{line} {text}".lstrip()
        self.write(indent + line)
        self.write("\n" + "    " * self._indent + ")")

    def commas(self, items: Iterable[Any], write: Callable[[Any], None]) -> None:
        """Writes items with commas between them."""
        for place, item in enumerate(items):
            self.write(", " if place else "")
            write(item)

    # Atoms.

    def _Constant(self, node: Any) -> None:
        value = node.value
        if isinstance(value, (str, bytes)):
            self.write("u" if node.kind == "u" else "")
            self.write(unparse_strings.literal(value, self._quotes, self._raw))
        elif value is Ellipsis:
            self.write("...")
        else:
            self.write(unparse_strings.number(value))

    def _JoinedStr(self, node: Any) -> None:
        self.write(unparse_strings.fstring(node, self._quotes, _within_fstring))

    def _FormattedValue(self, node: Any) -> None:
        self._JoinedStr(ast.JoinedStr([node]))

    def _List(self, node: Any) -> None:
        self.write("[")
        self._elements(node)
        self.write("]")

    def _Set(self, node: Any) -> None:
        if node.elts:
            self.write("{")
            self._elements(node)
            self.write("}")
        else:
            self.write("{*()}")

    def _Tuple(self, node: Any) -> None:
        self.write("(")
        self._elements(node)
        self.write(",)" if len(node.elts) == 1 else ")")

    def _elements(self, node: Any) -> None:
        self.commas(node.elts, lambda element: self.expr(element, NAMED))

    def _Dict(self, node: Any) -> None:
        def item(pair: Any) -> None:
            key, value = pair
            if key is None:
                self.write("**")
                self.expr(value, BITOR)
            else:
                self.expr(key, TEST)
                self.write(": ")
                self.expr(value, TEST)

        self.write("{")
        self.commas(zip(node.keys, node.values, strict=True), item)
        self.write("}")

    # Comprehensions.

    def _ListComp(self, node: Any) -> None:
        self._comprehensions("[", node, "]")

    def _SetComp(self, node: Any) -> None:
        self._comprehensions("{", node, "}")

    def _GeneratorExp(self, node: Any) -> None:
        self._comprehensions("(", node, ")")

    def _comprehensions(self, opening: str, node: Any, closing: str) -> None:
        self.write(opening)
        self.expr(node.elt, NAMED)
        for generator in node.generators:
            self.dispatch(generator)
        self.write(closing)

    def _DictComp(self, node: Any) -> None:
        self.write("{")
        self.expr(node.key, TEST)
        self.write(": ")
        self.expr(node.value, TEST)
        for generator in node.generators:
            self.dispatch(generator)
        self.write("}")

    def _comprehension(self, node: Any) -> None:
        self.write(" async for " if node.is_async else " for ")
        self.bare(node.target)
        self.write(" in ")
        self.expr(node.iter, OR)
        for condition in node.ifs:
            self.write(" if ")
            self.expr(condition, OR)

    # Operators.

    def _NamedExpr(self, node: Any) -> None:
        self.expr(node.target, ATOM)
        self.write(" := ")
        self.expr(node.value, TEST)

    def _Yield(self, node: Any) -> None:
        self.write("yield")
        if node.value is not None:
            self.write(" ")
            self.bare(node.value)

    def _YieldFrom(self, node: Any) -> None:
        self.write("yield from ")
        self.expr(node.value, TEST)

    def _Await(self, node: Any) -> None:
        self.write("await ")
        self.expr(node.value, ATOM)

    def _Lambda(self, node: Any) -> None:
        self.write("lambda")
        parameters = self.text_of_part(node.args)
        self.write(f" {parameters}: " if parameters else ": ")
        self.expr(node.body, TEST)

    def _IfExp(self, node: Any) -> None:
        self.expr(node.body, OR)
        self.write(" if ")
        self.expr(node.test, OR)
        self.write(" else ")
        self.expr(node.orelse, TEST)

    def _BoolOp(self, node: Any) -> None:
        word = " or " if isinstance(node.op, ast.Or) else " and "
        for place, operand in enumerate(node.values):
            self.write(word if place else "")
            self.expr(operand, level_of(node) + 1)

    def _UnaryOp(self, node: Any) -> None:
        self.write(self.unop[type(node.op).__name__])
        self.write(" " if isinstance(node.op, ast.Not) else "")
        self.expr(node.operand, level_of(node))

    def _BinOp(self, node: Any) -> None:
        level = level_of(node)
        left, right = (AWAIT, FACTOR) if level == POWER else (level, level + 1)
        self.expr(node.left, left)
        self.write(f" {self.binop[type(node.op).__name__]} ")
        self.expr(node.right, right)

    def _Compare(self, node: Any) -> None:
        self.expr(node.left, COMPARE + 1)
        for operator, operand in zip(node.ops, node.comparators, strict=True):
            self.write(f" {self.cmpops[type(operator).__name__]} ")
            self.expr(operand, COMPARE + 1)

    # What follows an atom.

    def _Attribute(self, node: Any) -> None:
        text = self.text_of(node.value, ATOM)
        self.write(f"({text})" if text.isdigit() else text)
        self.write(f".{node.attr}")

    def _Subscript(self, node: Any) -> None:
        self.expr(node.value, ATOM)
        self.write("[")
        index = node.slice
        starred = isinstance(index, ast.Tuple) and any(
            isinstance(element, ast.Starred) for element in index.elts
        )
        if isinstance(index, ast.Tuple) and not (starred and sys.version_info < (3, 11)):
            if starred and len(index.elts) == 1:
                self.dispatch(index.elts[0])
            else:
                self.bare(index)
        else:
            self.expr(index, TEST)
        self.write("]")

    def _Slice(self, node: Any) -> None:
        if node.lower is not None:
            self.expr(node.lower, TEST)
        self.write(":")
        if node.upper is not None:
            self.expr(node.upper, TEST)
        if node.step is not None:
            self.write(":")
            self.expr(node.step, TEST)

    def _Starred(self, node: Any) -> None:
        self.write("*")
        self.expr(node.value, BITOR)

    def _Call(self, node: Any) -> None:
        self.expr(node.func, ATOM)
        arguments = [*node.args, *node.keywords]
        if len(arguments) == 1 and isinstance(arguments[0], ast.GeneratorExp):
            self.dispatch(arguments[0])  # its parentheses are those of the call
            return
        self.write("(")
        self.arguments_of_call(arguments)
        self.write(")")

    def arguments_of_call(self, arguments: list[Any]) -> None:
        """Writes the arguments of a call, or the bases and keywords of a class."""
        self.commas(arguments, self._argument)

    def _argument(self, node: Any) -> None:
        if isinstance(node, ast.keyword):
            self.write("**" if node.arg is None else f"{node.arg}=")
            self.expr(node.value, TEST)
        elif isinstance(node, ast.Starred):
            self.write("*")
            self.expr(node.value, TEST)
        else:
            self.expr(node, NAMED)

    def _keyword(self, node: Any) -> None:
        self._argument(node)

    # Parameters.

    def _arguments(self, node: Any) -> None:
        positional = [*node.posonlyargs, *node.args]
        defaults = [None] * (len(positional) - len(node.defaults)) + node.defaults
        parts: list[Any] = []  # (stars, parameter, default), or a sign that stands alone
        for place, (arg, default) in enumerate(zip(positional, defaults, strict=True), 1):
            parts.append(("", arg, default))
            if place == len(node.posonlyargs):
                parts.append("/")
        if node.vararg is not None:
            parts.append(("*", node.vararg, None))
        elif node.kwonlyargs:
            parts.append("*")
        for arg, default in zip(node.kwonlyargs, node.kw_defaults, strict=True):
            parts.append(("", arg, default))
        if node.kwarg is not None:
            parts.append(("**", node.kwarg, None))
        self.commas(parts, self._parameter)

    def _parameter(self, part: Any) -> None:
        if isinstance(part, str):
            self.write(part)
            return
        stars, arg, default = part
        self.write(stars + arg.arg)
        if arg.annotation is not None:
            self.write(": ")
            self.expr(arg.annotation, TEST)
        if default is not None:
            self.write("=" if arg.annotation is None else " = ")
            self.expr(default, TEST)


def _within_fstring(node: ast.expr, quotes: tuple[str, ...], raw: bool) -> str:
    """The text of an expression in a field of an f-string."""
    printer = ExpressionPrinter(None, quotes, raw)
    outer = io.StringIO()
    printer.f = outer
    if isinstance(node, (ast.Yield, ast.YieldFrom)):
        printer.dispatch(node)
    elif isinstance(node, ast.Tuple):
        printer.bare(node)
    else:
        # A lambda's colon, and that of `:=`, would start the format.
        printer.expr(node, OR if isinstance(node, ast.Lambda) else TEST)
    return outer.getvalue()
