"""Prints the patterns of `case` clauses."""

from __future__ import annotations

import ast
from typing import Any

from autograph_lite.conversion.unparse_exprs import TEST, ExpressionPrinter

__all__ = ["PatternPrinter"]


class PatternPrinter(ExpressionPrinter):
    """Writes patterns, and the expressions in them."""

    def _MatchValue(self, node: Any) -> None:
        self.expr(node.value, TEST)

    def _MatchSingleton(self, node: Any) -> None:
        self.write(repr(node.value))

    def _MatchSequence(self, node: Any) -> None:
        self.write("[")
        self.commas(node.patterns, self.dispatch)
        self.write("]")

    def _MatchStar(self, node: Any) -> None:
        self.write(f"*{node.name or '_'}")

    def _MatchMapping(self, node: Any) -> None:
        self.write("{")
        pairs: list[Any] = [*zip(node.keys, node.patterns, strict=True)]
        if node.rest is not None:
            pairs.append(node.rest)

        def pair(item: Any) -> None:
            if isinstance(item, str):
                self.write(f"**{item}")
                return
            self.expr(item[0], TEST)
            self.write(": ")
            self.dispatch(item[1])

        self.commas(pairs, pair)
        self.write("}")

    def _MatchClass(self, node: Any) -> None:
        self.expr(node.cls, TEST)
        self.write("(")
        named = list(zip(node.kwd_attrs, node.kwd_patterns, strict=True))

        def argument(item: Any) -> None:
            if isinstance(item, tuple):
                self.write(f"{item[0]}=")
                item = item[1]
            self.dispatch(item)

        self.commas([*node.patterns, *named], argument)
        self.write(")")

    def _MatchAs(self, node: Any) -> None:
        if node.pattern is not None:
            self._closed_pattern(node.pattern, (ast.MatchAs,))
            self.write(" as ")
        self.write(node.name or "_")

    def _MatchOr(self, node: Any) -> None:
        for place, pattern in enumerate(node.patterns):
            self.write(" | " if place else "")
            self._closed_pattern(pattern, (ast.MatchAs, ast.MatchOr))

    def _closed_pattern(self, node: Any, open_types: tuple[type, ...]) -> None:
        opened = isinstance(node, open_types) and getattr(node, "pattern", node) is not None
        self.write("(" if opened else "")
        self.dispatch(node)
        self.write(")" if opened else "")
