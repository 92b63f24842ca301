"""Functions of the library that make text of what they are given, called when the graph runs."""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from typing import Any

from autograph_lite.staging.text import formatted

_FUNCTIONS = {
    "re": {"sub", "escape"},
    "json": {"dumps"},
    "textwrap": {"dedent", "fill", "indent", "shorten"},
    "html": {"escape", "unescape"},
    "string": {"capwords"},
    "pprint": {"pformat"},
    "urllib.parse": {"quote", "quote_plus", "unquote", "unquote_plus"},
}
_METHODS: list[tuple[type, set[str]]] = [
    (re.Pattern, {"sub"}),
    (string.Template, {"safe_substitute", "substitute"}),
    (string.Formatter, {"format", "vformat"}),
]


def is_listed(f: Any) -> bool:
    """Whether a function is one of those that make text."""
    names = _FUNCTIONS.get(getattr(f, "__module__", None) or "")
    return names is not None and getattr(f, "__name__", "") in names


def makes_text(owner: Any, name: str) -> bool:
    """Whether `owner.name` is a method that makes text."""
    return any(isinstance(owner, kind) and name in names for kind, names in _METHODS)


def call(f: Callable[..., str], *args: Any, **keywords: Any) -> Any:
    """`f(*args, **keywords)` as a string tensor, of Python's values when the graph runs."""
    return formatted(lambda filled: f(*filled[0], **filled[1]), [list(args), keywords])


__all__ = ["call", "is_listed", "makes_text"]
