"""Python source in colour, for terminals and for pages."""

from __future__ import annotations

import html
import io
import keyword
import os
import tokenize
from typing import Any, TextIO

__all__ = ["to_html", "to_terminal", "wants_colour"]

_ANSI = {
    "keyword": "\x1b[35m",
    "string": "\x1b[32m",
    "comment": "\x1b[2;3m",
    "number": "\x1b[36m",
    "definition": "\x1b[1;34m",
    "decorator": "\x1b[33m",
    "operator": "\x1b[1;33m",
}
_RESET = "\x1b[0m"
_STRINGS = {
    getattr(tokenize, name)
    for name in ("STRING", "FSTRING_START", "FSTRING_MIDDLE", "FSTRING_END")
    if hasattr(tokenize, name)
}

Piece = tuple[str, str]
"""A stretch of text and its class (a key of the colour table, or '')."""


def wants_colour(stream: TextIO | None, choice: str = "auto") -> bool:
    """Whether to colour what is written to `stream`.

    Args:
      stream: where the text goes; None if that is closed.
      choice: `always`, `never`, or `auto`: on terminals that can, unless NO_COLOR is set.
    """
    if choice != "auto" or stream is None:
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def to_terminal(source: str) -> str:
    """Python source with the colours of a terminal; by Pygments if that is installed."""
    try:
        from pygments import highlight
        from pygments.formatters import TerminalFormatter
        from pygments.lexers import PythonLexer
    except ImportError:
        return "".join(
            f"{_ANSI[kind]}{text}{_RESET}" if kind else text for text, kind in pieces(source)
        )
    coloured: str = highlight(source, PythonLexer(stripnl=False), TerminalFormatter())
    return coloured if source.endswith("\n") else coloured.rstrip("\n")


def to_html(source: str) -> list[str]:
    """Python source as lines of HTML, each coloured piece in a `span` of its class."""
    lines = [""]
    for text, kind in pieces(source):
        for number, part in enumerate(text.split("\n")):
            if number:
                lines.append("")
            if part:
                escaped = html.escape(part, quote=False)
                lines[-1] += f'<span class="{kind}">{escaped}</span>' if kind else escaped
    return lines


def pieces(source: str) -> list[Piece]:
    """Splits Python source into pieces with classes; together they are the source.

    Example:
      >>> pieces("x = 1")
      [('x = ', ''), ('1', 'number')]
    """
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    found: list[Piece] = []
    done = 0
    for kind, start, end in _coloured(source):
        first, last = starts[start[0] - 1] + start[1], starts[end[0] - 1] + end[1]
        if first > done:
            found.append((source[done:first], ""))
        if last > max(first, done):
            found.append((source[max(first, done) : last], kind))
        done = max(done, last)
    if done < len(source):
        found.append((source[done:], ""))
    return found


def _coloured(source: str) -> list[Any]:
    """The tokens of `source` that have a class, as (class, start, end)."""
    found: list[Any] = []
    previous = ""
    try:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            kind = _class_of(token, previous)
            if kind:
                found.append((kind, token.start, token.end))
            if token.type not in (tokenize.NL, tokenize.INDENT, tokenize.DEDENT):
                previous = token.string
    except (tokenize.TokenError, SyntaxError):
        return found  # what follows the place where it is not Python any more stays plain
    return found


def _class_of(token: tokenize.TokenInfo, previous: str) -> str:
    if token.type == tokenize.COMMENT:
        return "comment"
    if token.type in _STRINGS:
        return "string"
    if token.type == tokenize.NUMBER:
        return "number"
    if token.type == tokenize.NAME:
        if previous in ("def", "class"):
            return "definition"
        if keyword.iskeyword(token.string):
            return "keyword"
        if token.string == "ag__":
            return "operator"
        if previous == "@":
            return "decorator"
    return ""
