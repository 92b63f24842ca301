"""Finds and parses the source of a live function.

`parse_function` answers with the function's own tree, taken out of the tree of its whole file, so
that every node has the line and the column it has in that file. Whether the text found is really
the text the function was compiled from is not guessed: the text is compiled again and the code
objects are compared.
"""

from __future__ import annotations

import linecache
import types
from typing import Any, NamedTuple

from autograph_lite.conversion import codematch, recovery
from autograph_lite.conversion.depth import walks_deep
from autograph_lite.conversion.lifting import to_gast
from autograph_lite.errors import NoSourceError

__all__ = ["SourceInfo", "parse_function"]

_PYTEST_REWRITES = "@pytest_ar"


class SourceInfo(NamedTuple):
    """Where a function's tree came from, and what its text alone does not tell.

    Attributes:
      filename: the file name the function was compiled with; the rewritten tree is compiled with
        the same one.
      firstlineno: the line of the first decorator, or of the `def` or `lambda`.
      text: the text of the whole file (notebook cell, string) the tree was parsed from.
      flags: the future statements in force, as compiler flags.
      class_name: the innermost class around the function, for the mangling of private names.
      name: the name in the function's code object (`<lambda>` for a lambda).
      qualname: the function's `__qualname__` as compiled.
      freevars: the names the function takes from enclosing functions.
    """

    filename: str
    firstlineno: int
    text: str
    flags: int
    class_name: str | None
    name: str
    qualname: str
    freevars: tuple[str, ...]


@walks_deep
def parse_function(fn: types.FunctionType | types.MethodType) -> tuple[Any, SourceInfo]:
    """Parses the source of a function.

    Args:
      fn: a Python function, lambda or method; it may be decorated, nested, or made by `exec`.

    Returns:
      The gast node of the function (`FunctionDef`, `AsyncFunctionDef` or `Lambda`; a fresh copy
      that may be changed), and a `SourceInfo`.

    Raises:
      NoSourceError: no text can be found, or the text is not the one the function was made from.

    Example:
      >>> import textwrap
      >>> node, info = parse_function(textwrap.dedent)
      >>> node.name, info.class_name
      ('dedent', None)
    """
    fn = getattr(fn, "__func__", fn)
    code = getattr(fn, "__code__", None)
    if not isinstance(code, types.CodeType):
        raise NoSourceError(
            f"{fn!r} is not a Python function", "give the Python function that calls it"
        )
    text, site = _locate(fn, code)
    qualname = getattr(code, "co_qualname", fn.__qualname__)
    info = SourceInfo(
        filename=code.co_filename,
        firstlineno=code.co_firstlineno,
        text=text,
        flags=codematch.future_flags(code),
        class_name=site.class_name,
        name=code.co_name,
        qualname=qualname,
        freevars=code.co_freevars,
    )
    return to_gast(site.node), info


def _locate(fn: Any, code: types.CodeType) -> tuple[str, codematch.Site]:
    """The text and the place in it that `code` was compiled from."""
    text = _cached_text(fn, code)
    doubt = None
    if text:
        site, doubt = _match(text, fn, code)
        if site is not None:
            return text, site
    # The cached text may be older than the module (it was reloaded), or absent.
    linecache.checkcache(code.co_filename)
    fresh = _cached_text(fn, code)
    if fresh and fresh != text:
        site, doubt = _match(fresh, fn, code)
        if site is not None:
            return fresh, site
    found = recovery.find_text(fn)
    if found is not None:
        return found
    raise _no_source(code, doubt)


def _cached_text(fn: Any, code: types.CodeType) -> str:
    """The text of the function's file, from files, notebooks, doctests and loaders alike.

    All of them put their text where `linecache` finds it. The attribute is looked up at each
    call, since doctest replaces it while it runs.
    """
    return "".join(linecache.getlines(code.co_filename, fn.__globals__))


def _match(
    text: str, fn: Any, code: types.CodeType
) -> tuple[codematch.Site | None, NoSourceError | None]:
    """Finds `code` in `text`; the error says why a text that was found will not do."""
    try:
        exact, likely = codematch.index_of(code.co_filename, text).find(code)
    except (SyntaxError, ValueError, RecursionError) as problem:
        return None, NoSourceError(
            f"{code.co_filename} does not parse ({problem})",
            "mend the file, and restart the program if it was edited after it was imported",
        )
    if exact is not None:
        return exact, None
    if likely is not None and _rewritten_at_import(fn) and codematch.covers(likely, code):
        return likely.site, None
    return None, NoSourceError(
        f"{code.co_filename} does not hold, at line {code.co_firstlineno}, the code that "
        f"{code.co_name!r} was made from: the file was edited after it was imported, or its "
        "code was changed by a tool",
        "restart the program, or reload the module",
    )


def _rewritten_at_import(fn: Any) -> bool:
    """Whether the module's loader is one that may change the tree before compiling it."""
    if _PYTEST_REWRITES in fn.__globals__:
        return True
    loader = fn.__globals__.get("__loader__")
    home = getattr(type(loader), "__module__", "")
    return loader is not None and not home.startswith(("_frozen_importlib", "zipimport"))


def _no_source(code: types.CodeType, doubt: NoSourceError | None) -> NoSourceError:
    if doubt is not None:
        return doubt
    filename = code.co_filename
    if filename == "<stdin>":
        return NoSourceError(
            "it was typed at a prompt that keeps no text",
            "put it in a file, or use IPython or the prompt of Python 3.13",
        )
    if filename.startswith("<") and filename.endswith(">"):
        return NoSourceError(
            f"it was made by exec or eval, under the name {filename!r}, and its text is kept "
            "nowhere",
            "put it in a file, or add the text to linecache.cache under a file name of its own "
            "and compile it with that name",
        )
    return NoSourceError(
        f"its file {filename!r} cannot be read",
        "ship the source file beside the compiled one",
    )
