"""How the original text spells what a node says, as long as the node still says it.

Rewriting leaves most of a function as it was. What it left is printed in the user's own words: the
text at the node's position is parsed, and if it gives the node, it is the node's text.
"""

from __future__ import annotations

import ast
from typing import Any

__all__ = ["Spelling"]

_NOT_IN_HEADER = {"body", "orelse", "finalbody", "handlers", "decorator_list", "type_comment"}


class Spelling:
    """The spellings of one text.

    Args:
      source: the text the nodes' positions refer to, or None: then nothing has a spelling.

    Example:
      >>> text = "x = 0xff + a[i+1]"
      >>> Spelling(text).expression(ast.parse(text).body[0].value)
      '0xff + a[i+1]'
    """

    def __init__(self, source: str | None) -> None:
        self._lines = source.split("\n") if source is not None else None

    def expression(self, node: Any) -> str | None:
        """The text of an expression, if it is on one line or is a string."""
        text = self._segment(node)
        if text is None:
            return None
        if "\n" in text and not isinstance(node, (ast.Constant, ast.JoinedStr)):
            return None
        try:
            parsed = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError):
            return None
        return text if ast.dump(parsed) == ast.dump(node) else None

    def statement(self, node: Any, column: int) -> str | None:
        """The text of a statement that is not compound, moved to another column."""
        text = self._segment(node)
        if text is None:
            return None
        wanted = ast.dump(node)
        for candidate in dict.fromkeys((_moved(text, column - node.col_offset), text)):
            try:
                (parsed,) = ast.parse(candidate).body
            except (SyntaxError, ValueError):
                continue
            if ast.dump(parsed) == wanted:
                return candidate
        return None

    def header(self, node: Any, keyword: str, end: tuple[int, int], column: int) -> str | None:
        """The text of a compound statement before its colon.

        Args:
          node: the statement.
          keyword: what the text must start with.
          end: the line and the column (in characters) of the colon.
          column: where the text is moved to.
        """
        text = self._text((node.lineno, node.col_offset), end, end_in_bytes=False)
        if text is None or not text.startswith(keyword):
            return None
        text = _moved(text, column - node.col_offset)
        try:
            (parsed,) = ast.parse(f"{text.removeprefix('el')}:\n pass").body
        except (SyntaxError, ValueError):
            return None
        if type(parsed) is not type(node):
            return None
        fields = [field for field in node._fields if field not in _NOT_IN_HEADER]
        same = all(_dump(getattr(node, f, None)) == _dump(getattr(parsed, f)) for f in fields)
        return text if same else None

    def starts_with(self, node: Any, word: str) -> bool:
        """Whether the text at a node's position starts with a word."""
        line = getattr(node, "lineno", 0)
        if self._lines is None or not 0 < line <= len(self._lines):
            return False
        return self._lines[line - 1].encode()[node.col_offset :].startswith(word.encode())

    def _segment(self, node: Any) -> str | None:
        end = (getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None))
        if self._lines is None or not hasattr(node, "lineno") or None in end:
            return None
        return self._text((node.lineno, node.col_offset), end)  # type: ignore[arg-type]

    def _text(
        self, start: tuple[int, int], end: tuple[int, int], end_in_bytes: bool = True
    ) -> str | None:
        """The text between two positions."""
        if self._lines is None or not 0 < start[0] <= end[0] <= len(self._lines):
            return None
        lines = self._lines[start[0] - 1 : end[0]]
        last = lines[-1]
        cut = last.encode()[: end[1]].decode(errors="replace") if end_in_bytes else last[: end[1]]
        lines = [*lines[:-1], cut]
        lines[0] = lines[0].encode()[start[1] :].decode(errors="replace")
        return "\n".join(lines)


def _moved(text: str, columns: int) -> str:
    """A text whose lines after the first are indented more, or less, deeply."""
    first, *rest = text.split("\n")
    if columns >= 0:
        rest = [" " * columns + line if line.strip() else line for line in rest]
    else:
        rest = [line[min(-columns, len(line) - len(line.lstrip(" "))) :] for line in rest]
    return "\n".join([first, *rest])


def _dump(value: Any) -> Any:
    if isinstance(value, list):
        return list(map(_dump, value))
    return ast.dump(value) if isinstance(value, ast.AST) else value
