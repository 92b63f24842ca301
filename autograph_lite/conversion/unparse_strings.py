"""How constants are written: strings, f-strings, docstrings, numbers."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from typing import Any

__all__ = ["QUOTES", "docstring_text", "fstring", "literal", "number"]

QUOTES = ("'", '"', "'''", '"""')
_INFINITY = f"1e{sys.float_info.max_10_exp + 1}"

# (expression, quotes it may use, whether its strings are raw) -> text
WriteField = Callable[[ast.expr, tuple[str, ...], bool], str]


def number(value: Any) -> str:
    """The text of a number, None, True or False; infinities as literals that overflow to them.

    >>> number(float("inf")), number(-0.5), number(None)
    ('1e309', '-0.5', 'None')
    """
    if isinstance(value, float) and value != value:
        return f"({_INFINITY} - {_INFINITY})"
    text = repr(value)
    if isinstance(value, (float, complex)):
        text = text.replace("inf", _INFINITY)
    return text


def literal(value: str | bytes, quotes: tuple[str, ...] = QUOTES, raw: bool = False) -> str:
    """The text of a string constant.

    Args:
      value: the string.
      quotes: the quotes to choose from.
      raw: whether special characters stand for themselves; only long quotes hold line ends.

    >>> print(literal("it's"))
    "it's"
    """
    if isinstance(value, bytes):
        return _bytes_literal(value, quotes)
    if raw:
        for quote in quotes:
            if quote not in value and not value.endswith(("\\", quote[0])):
                return f"{quote}{value}{quote}"
    for quote in quotes:
        if quote[0] not in value:
            return f"{quote}{_escaped(value, quote)}{quote}"
    return f"{quotes[0]}{_escaped(value, quotes[0])}{quotes[0]}"


def _bytes_literal(value: bytes, quotes: tuple[str, ...]) -> str:
    text = repr(value)
    if text[1] in quotes:
        return text
    quote = quotes[0]
    body = text[2:-1].replace(f"\\{text[1]}", text[1]).replace(quote, f"\\{quote}")
    return f"b{quote}{body}{quote}"


def _escaped(value: str, quote: str) -> str:
    """The inside of a literal between the given quotes."""
    text = "".join(map(_escape, value))
    if len(quote) == 1:
        return text.replace(quote, f"\\{quote}")
    text = text.replace(quote, "".join(f"\\{mark}" for mark in quote))
    if text.endswith(quote[0]) and not text.endswith(f"\\{quote[0]}"):
        text = f"{text[:-1]}\\{quote[0]}"
    return text


def _escape(character: str) -> str:
    if character == "\\" or not character.isprintable():
        return repr(character)[1:-1]
    return character


def docstring_text(value: str) -> str:
    """A docstring: its line ends as they are, between triple quotes."""
    kept = "".join(c if c in "\n\t" else _escape(c) for c in value)
    kept = kept.replace('"""', '\\"\\"\\"')
    if kept.endswith('"'):
        kept = f'{kept[:-1]}\\"'
    return f'"""{kept}"""'


def fstring(node: ast.JoinedStr, quotes: tuple[str, ...], write_field: WriteField) -> str:
    """The text of an f-string: the first way of writing it that means the same tree."""
    wanted = ast.dump(node)
    for text in _fstring_candidates(node, quotes, write_field):
        try:
            parsed = ast.parse(text, mode="eval").body
        except (SyntaxError, ValueError):
            continue
        if ast.dump(parsed) == wanted:
            return text
    return ast.unparse(node)


def _fstring_candidates(
    node: ast.JoinedStr, quotes: tuple[str, ...], write_field: WriteField
) -> Iterator[str]:
    for raw in (False, True):
        for quote in quotes:
            # Before Python 3.12, fields may not hold the quotes of the string around them.
            inner = tuple(mark for mark in QUOTES if mark[0] != quote[0] and mark in quotes)
            if not inner and len(quote) == 3:
                inner = tuple(mark for mark in quotes if len(mark) == 1)
            if inner:
                yield f"f{quote}{_parts(node, quote, inner, raw, write_field)}{quote}"
    for quote in quotes:
        yield f"f{quote}{_parts(node, quote, QUOTES, False, write_field)}{quote}"


def _parts(
    node: ast.JoinedStr, quote: str, inner: tuple[str, ...], raw: bool, write_field: WriteField
) -> str:
    out: list[str] = []
    for part in node.values:
        if isinstance(part, ast.Constant):
            assert isinstance(part.value, str)
            text = part.value if raw and len(quote) == 3 else _escaped(part.value, quote)
            out.append(text.replace("{", "{{").replace("}", "}}"))
            continue
        assert isinstance(part, ast.FormattedValue)
        text = write_field(part.value, inner, raw)
        out.append("{ " if text.startswith("{") else "{")
        out.append(text)
        if part.conversion != -1:
            out.append(f"!{chr(part.conversion)}")
        if part.format_spec is not None:
            assert isinstance(part.format_spec, ast.JoinedStr)
            out.append(":" + _parts(part.format_spec, quote, inner, raw, write_field))
        out.append("}")
    return "".join(out)
