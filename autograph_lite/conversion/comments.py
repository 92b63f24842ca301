"""Where the comments and blank lines of a text stand, for those who print its tree.

The tree keeps neither, but its nodes keep their lines. While the statements are printed in order,
`Layout` gives out what stood before each of them, and each comment once.
"""

from __future__ import annotations

import ast
import io
import tokenize
from typing import Any, NamedTuple

__all__ = ["Layout"]

_SILENT = {tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER, tokenize.ENCODING}


class _Comment(NamedTuple):
    line: int
    column: int
    text: str
    statement: int  # the first line of the statement it stands in; 0 if it stands on its own


class Layout:
    """The comments and blank lines of a text, given out in order.

    Args:
      source: the text. If it cannot be split into tokens, there are none.

    Example:
      >>> text = "x = 1  # one\\n\\n# two\\ny = 2\\n"
      >>> layout, tree = Layout(text), ast.parse(text)
      >>> [layout.before(s, s.lineno) for s in tree.body]
      [([], '# one'), (['', '# two'], '')]
    """

    def __init__(self, source: str) -> None:
        self._comments: list[_Comment] = []
        self._code_lines: set[int] = set()  # lines on which a statement starts, stands or ends
        self._statements: dict[int, set[type]] = {}
        self._colons: dict[int, tuple[int, int]] = {}  # first line of a header -> its colon
        self._next = 0  # the first comment not given out
        self._line = 1  # everything before it has been given out
        self._blank: set[int] = {
            number for number, line in enumerate(source.split("\n"), 1) if not line.strip()
        }
        try:
            self._scan(source)
            for node in ast.walk(ast.parse(source)):
                if isinstance(node, (ast.stmt, ast.ExceptHandler)):
                    for place in (node, *getattr(node, "decorator_list", ())):
                        self._statements.setdefault(place.lineno, set()).add(type(node))
        except (tokenize.TokenError, SyntaxError, ValueError):
            self._comments = []

    def _scan(self, source: str) -> None:
        start, last = 0, None
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            line, column = token.start
            if token.type == tokenize.COMMENT:
                own = start == 0
                self._comments.append(_Comment(line, column, token.string, 0 if own else start))
            elif token.type == tokenize.NEWLINE:
                if last is not None and last.string == ":":
                    self._colons[start] = last.start
                start = 0
            elif token.type not in _SILENT:
                start, last = start or line, token
                self._code_lines.update(range(line, token.end[0] + 1))

    def start_at(self, line: int) -> None:
        """Passes over everything before a line."""
        self._line = max(self._line, line)
        while self._next < len(self._comments) and self._comments[self._next].line < line:
            self._next += 1

    def is_next(self, statement: Any, line: int) -> bool:
        """Whether a statement is one of the text, and not printed yet."""
        return line >= self._line and type(statement) in self._statements.get(line, ())

    def colon(self, line: int) -> tuple[int, int] | None:
        """The position of the colon of a header that starts on a line, if nothing follows it."""
        return self._colons.get(line)

    def before(
        self, statement: Any, line: int, printed: tuple[int, int] = (0, 0)
    ) -> tuple[list[str], str]:
        """What stands before a statement, and what follows on its line.

        Args:
          statement: its node; a node that copies the position of another does no harm.
          line: its first line, that of the first decorator if there is one.
          printed: the position up to which its text is printed as it is, with its comments.

        Returns:
          Comments and, as empty strings, blank lines; and the comment on the statement's own line.
        """
        if line < self._line:
            return [], ""
        lines: list[str] = []
        while self._next < len(self._comments) and self._comments[self._next].line < line:
            comment = self._comments[self._next]
            self._separate(lines, comment.line)
            lines.append(comment.text)
            self._next += 1
            self._line = comment.line + 1
        self._separate(lines, line)
        inside = [c for c in self._inside(line) if (c.line, c.column) >= printed]
        self._line = max(line, printed[0]) + 1
        if len(inside) == 1 and type(statement) in self._statements.get(line, ()):
            return lines, inside[0].text
        return lines + [comment.text for comment in inside], ""

    def _inside(self, line: int) -> list[_Comment]:
        """Takes out the comments within the statement that starts on a line."""
        found = []
        while self._next < len(self._comments) and self._comments[self._next].statement == line:
            found.append(self._comments[self._next])
            self._next += 1
        return found

    def _separate(self, lines: list[str], line: int) -> None:
        """Adds a blank line if the original has one just before a line."""
        if line - 1 in self._blank and line - 1 >= self._line - 1 and line > 1:
            lines.append("")

    def end_of_block(self, column: int) -> list[str]:
        """The comments that stand at the end of a block, indented as deeply as it is."""
        lines: list[str] = []
        while self._next < len(self._comments):
            comment = self._comments[self._next]
            code_between = any(n in self._code_lines for n in range(self._line, comment.line))
            if comment.statement or code_between or comment.column < max(column, 1):
                break
            self._separate(lines, comment.line)
            lines.append(comment.text)
            self._next += 1
            self._line = comment.line + 1
        return lines

    def rest(self) -> list[str]:
        """All comments not yet given out, and the blank lines before them."""
        lines: list[str] = []
        for comment in self._comments[self._next :]:
            self._separate(lines, comment.line)
            lines.append(comment.text)
            self._line = comment.line + 1
        self._next = len(self._comments)
        return lines
