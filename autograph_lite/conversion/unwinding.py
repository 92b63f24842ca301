"""Makes converted functions tidy up after exceptions that leave them.

An exception that is raised in the body of a loop passes through the library's loop on its way out.
So a function that has fragments is compiled inside

    try:
        ...
    except ag__overflow:
        raise
    except:
        ag__tidy()
        raise

and `ag__tidy` drops the library's frames from the traceback. Entering a `try` costs nothing. An
overflow of the stack is let through as it is, since there may be no room for a call.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from autograph_lite.errors import tidy_traceback

__all__ = ["HELPERS", "watch_exceptions"]

HELPERS: Mapping[str, object] = {"ag__overflow": RecursionError, "ag__tidy": tidy_traceback}

_HANDLERS = """
try:
    pass
except ag__overflow:
    raise
except:
    ag__tidy()
    raise
"""


def watch_exceptions(function: Any, owners: list[Any], name: str) -> Any:
    """Puts the body of a function, and of each function in it, into such a `try`.

    Functions without fragments stay as they are, and so do lambdas inside.

    Args:
      function: a function of Python's own `ast`. It is changed.
      owners: the functions in it, and perhaps itself, that have fragments of their own.
      name: if the function is a lambda, the name of the function that takes its place.

    Returns:
      The function, or the one that takes its place.
    """
    if isinstance(function, ast.Lambda) and function in owners:
        function = _function_of(function, name)
        _wrap(function)
    for each in owners:
        if isinstance(each, ast.FunctionDef):
            _wrap(each)
    return function


def _function_of(node: ast.Lambda, name: str) -> ast.FunctionDef:
    """The function that does what a lambda does."""
    (new,) = ast.parse(f"def {name}(): pass").body
    assert isinstance(new, ast.FunctionDef)
    new.args = node.args
    new.body = [ast.copy_location(ast.Return(node.body), node.body)]
    return ast.copy_location(new, node)


def _wrap(function: ast.FunctionDef) -> None:
    body = function.body
    first = body[0]
    documented = (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    )
    (new,) = ast.parse(_HANDLERS).body
    assert isinstance(new, ast.Try)
    for node in ast.walk(new):
        if isinstance(node, (ast.stmt, ast.expr, ast.excepthandler)):
            ast.copy_location(node, function)
            node.end_lineno, node.end_col_offset = node.lineno, node.col_offset
    new.body = body[documented:]
    if new.body:
        function.body = [*body[:documented], new]
