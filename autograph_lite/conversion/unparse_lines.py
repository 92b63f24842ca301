"""Tree to lines of text, each with the line of the original that it came from."""

from __future__ import annotations

from typing import Any, NamedTuple

import gast

from autograph_lite.conversion.unparse import _Printer
from autograph_lite.conversion.unparse_exprs import NAMED

__all__ = ["Line", "to_lines"]


class Line(NamedTuple):
    """A printed line.

    Attributes:
      text: without its line break.
      origin: the line of the original that holds its statement; 0 where there is none.
    """

    text: str
    origin: int


def to_lines(node: Any, original_source: str) -> list[Line]:
    """The lines that `to_text` prints, with where they came from.

    Args:
      node: a statement of `gast`.
      original_source: the text its positions refer to.

    Example:
      >>> for line in to_lines(gast.parse("if a:\\n  b = 1").body[0], "if a:\\n  b = 1"):
      ...     print(line.origin, line.text)
      1 if a:
      2     b = 1
    """
    printer = _LinePrinter(original_source)
    text = printer.text_of_statements(gast.gast_to_ast(node))
    return [
        Line(line, printer.origins.get(number, 0))
        for number, line in enumerate(text.rstrip("\n").split("\n"))
    ]


class _LinePrinter(_Printer):
    """Notes for each line that is begun which statement is being printed.

    Attributes:
      origins: the original's line by the number of the printed line, counted from 0.
    """

    def __init__(self, original_source: str) -> None:
        super().__init__(original_source)
        self._origin = 0
        self._counted = (0, 0)  # up to which position the line breaks are counted, and how many
        self.origins: dict[int, int] = {}

    def _before(self, statement: Any, previous: Any, as_it_was: str | None) -> str:
        trailing = super()._before(statement, previous, as_it_was)
        self._origin = getattr(statement, "lineno", 0)
        return trailing

    def _decorators(self, node: Any) -> None:
        for decorator in node.decorator_list:
            self._origin = decorator.lineno
            self.fill("@")
            self.expr(decorator, NAMED)
        self._origin = node.lineno

    def fill(self, text: str = "") -> None:
        # The very first line break is stripped in the end, so the breaks before number the line.
        position, breaks = self._counted
        self.f.seek(position)
        breaks += self.f.read().count("\n")
        self._counted = (self.f.tell(), breaks)
        for offset in range(text.count("\n") + 1):
            self.origins[breaks + offset] = self._origin + offset
        super().fill(text)
