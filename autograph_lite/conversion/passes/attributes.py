"""Reads of attributes in a `try` that may catch Python's error for those that are not there.

`o.x` becomes `ag__.attribute(o, 'x')`: staged code may have set it on some paths only. Everywhere
else the value itself raises the error where it is used. Before `o.x += 1` there is
`ag__.ask_for(o, 'x')`: a property must be read but once.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph_lite.conversion.names import LIBRARIES
from autograph_lite.conversion.walking import walk

__all__ = ["mark_attributes"]

# Those that let the error of a missing attribute through, of the builtins that are caught most.
_OTHERS = {
    *("ArithmeticError", "AssertionError", "FloatingPointError", "GeneratorExit", "IndexError"),
    *("KeyboardInterrupt", "KeyError", "LookupError", "NameError", "NotImplementedError"),
    *("OSError", "OverflowError", "RecursionError", "RuntimeError", "StopIteration"),
    *("SystemExit", "TypeError", "UnboundLocalError", "ValueError", "ZeroDivisionError"),
}


def mark_attributes(function: Any) -> None:
    """Marks the attributes that are read where the error of a missing one may be caught.

    Args:
      function: a gast `FunctionDef` or `Lambda`, with those in it.
    """
    for node in walk(function):
        is_try = isinstance(node, gast.Try) and any(map(_catches, node.handlers))
        if is_try or getattr(node, "staged", False):
            for statement in node.body:
                _mark(statement)


def _catches(handler: Any) -> bool:
    kinds = handler.type.elts if isinstance(handler.type, gast.Tuple) else [handler.type]
    return any(getattr(kind, "id", None) not in _OTHERS for kind in kinds)


def _mark(statement: Any) -> None:
    for node in walk(statement):
        if isinstance(node, gast.AugAssign):
            _mark_read(node.target)
        elif isinstance(getattr(node, "ctx", None), gast.Load):
            _mark_read(node)


def _mark_read(node: Any) -> None:
    if isinstance(node, gast.Attribute) and getattr(node.value, "id", None) not in LIBRARIES:
        # The compiler gives private names another name.
        node.may_be_missing = not node.attr.startswith("__")
