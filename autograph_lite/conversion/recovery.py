"""Finds the text of functions made by `exec` and `eval`, which no file holds.

The text was a string in the running program, and often still is one: a constant of the code that
called `exec`, a variable of it, the argument of `python -c`, the history of the prompt. Each such
string that names the function is compiled; if one of its code objects equals the function's, it is
proven to be the right text.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterable, Iterator
from typing import Any

from autograph_lite.conversion import codematch

__all__ = ["find_text"]

_MAX_TRIES = 200  # strings compiled for one function
_MAX_LENGTH = 1_000_000
_MAX_ENTRY = 400  # lines of one statement at the prompt


def find_text(fn: Any) -> tuple[str, codematch.Site] | None:
    """The text `fn` was made from, and its place there, if the program still holds the text."""
    code: types.CodeType = fn.__code__
    filename = code.co_filename
    if not (filename.startswith("<") and filename.endswith(">")):
        return None
    word = "lambda" if code.co_name == "<lambda>" else code.co_name
    tries = 0
    seen: set[str] = set()
    for text in _texts(fn, word):
        if text in seen:
            continue
        seen.add(text)
        for variant in _variants(text):
            tries += 1
            if tries > _MAX_TRIES:
                return None
            site = _site_in(variant, code)
            if site is not None:
                return variant, site
    return None


def _site_in(text: str, code: types.CodeType) -> codematch.Site | None:
    try:
        index = codematch.Index(code.co_filename, text)
        return index.find(code)[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None  # it is not the text of a program


def _variants(text: str) -> Iterator[str]:
    """The text, and what is commonly made of it before it is compiled."""
    import textwrap

    yield text
    dedented = textwrap.dedent(text)
    for variant in (dedented, dedented.strip(), text.lstrip(" \t")):
        if variant != text:
            yield variant


def _texts(fn: Any, word: str) -> Iterator[str]:
    """The strings of the program that mention `word`, the likeliest first."""
    for value in _strings(fn):
        if word in value and len(value) <= _MAX_LENGTH and ("def " in value or "lambda" in value):
            yield value
    if fn.__code__.co_filename == "<stdin>":
        yield from _prompt_entries(word)


def _strings(fn: Any) -> Iterator[str]:
    yield from sys.orig_argv
    seen: set[int] = set()
    for scope in _scopes(fn):
        if id(scope) in seen:
            continue
        seen.add(id(scope))
        yield from _strings_of(list(scope.values()), fn.__code__)


def _scopes(fn: Any) -> Iterator[dict[str, Any]]:
    """The variables in reach: of the callers, of their modules, and of all modules."""
    frame = sys._getframe(1)
    callers: list[dict[str, Any]] = []
    while frame is not None:
        yield {"constants": frame.f_code}
        yield dict(frame.f_locals)
        callers.append(frame.f_globals)
        frame = frame.f_back  # type: ignore[assignment]
    yield from callers
    yield fn.__globals__
    standard = sys.stdlib_module_names
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] not in standard:
            yield getattr(module, "__dict__", {})


def _strings_of(values: Iterable[Any], but_not_in: types.CodeType) -> Iterator[str]:
    for value in values:
        if type(value) is str:
            yield value
        elif isinstance(value, types.CodeType):
            yield from _constants(value)
        elif isinstance(value, types.FunctionType):
            if value.__code__ is not but_not_in:
                yield from _constants(value.__code__)
        elif isinstance(value, type) and value.__module__ not in sys.stdlib_module_names:
            members = [m for m in vars(value).values() if isinstance(m, types.FunctionType)]
            yield from _strings_of(members, but_not_in)


def _constants(code: types.CodeType) -> Iterator[str]:
    for const in code.co_consts:
        if type(const) is str:
            yield const
        elif isinstance(const, types.CodeType):
            yield from _constants(const)


def _prompt_entries(word: str) -> Iterator[str]:
    """What was typed at the prompt: from a line that names the function to some line after it."""
    readline: Any = sys.modules.get("readline")
    if readline is None:
        return
    length = readline.get_current_history_length()
    lines = [readline.get_history_item(i) or "" for i in range(1, length + 1)]
    starts = [i for i, line in enumerate(lines) if word in line]
    for start in reversed(starts):
        # Decorators are lines of the same entry.
        while start > 0 and lines[start - 1].startswith("@"):
            start -= 1
        entry = lines[start]
        yield entry + "\n"
        for line in lines[start + 1 : start + _MAX_ENTRY]:
            if line and not line[0].isspace() and not line.startswith((")", "]", "}", "@", "def")):
                break
            entry += "\n" + line
            yield entry + "\n"
