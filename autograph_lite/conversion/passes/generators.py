"""A generator turned inside out: it calls its consumer with each item instead of yielding it.

    for x in rows:                  for x in rows:
        yield x * 2                     if consumer(x * 2):
                                            return

The consumer answers whether it has had enough. Then loops over tensors in a generator can be staged
together with the loop that goes over the generator.
"""

from __future__ import annotations

import ast
from typing import Any

import gast

from autograph_lite.conversion.names import Names
from autograph_lite.conversion.templates import place, quote

__all__ = ["invert_generator", "is_invertible"]

_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)
_YIELDS = (gast.Yield, gast.YieldFrom)


def is_invertible(node: Any) -> bool:
    """Whether every `yield` of a generator is a statement, outside of `try` and `with`.

    Example:
      >>> is_invertible(gast.parse("def f(x):\\n for y in x: yield y").body[0])
      True
    """
    return all(_is_plain(statement) for statement in node.body)


def _is_plain(node: Any) -> bool:
    if isinstance(node, _FUNCTIONS):
        return True
    if isinstance(node, gast.Expr) and isinstance(node.value, _YIELDS):
        return not _has_yield(node.value.value)
    if isinstance(node, (gast.Try, gast.TryStar, gast.With)) or not _has_blocks(node):
        return not _has_yield(node)
    return all(_is_plain(child) for child in ast.iter_child_nodes(node))


def _has_blocks(node: Any) -> bool:
    return isinstance(node, gast.stmt) and isinstance(getattr(node, "body", None), list)


def _has_yield(node: Any) -> bool:
    if node is None or isinstance(node, _FUNCTIONS):
        return False
    if isinstance(node, _YIELDS):
        return True
    return any(_has_yield(child) for child in ast.iter_child_nodes(node))


def invert_generator(node: Any, names: Names) -> None:
    """Rewrites a generator in place; its consumer is a new first parameter.

    Args:
      node: a gast `FunctionDef` that `is_invertible`.
      names: hands out names.
    """
    consumer = names.fresh("consumer")
    parameter = place(gast.Name(consumer, gast.Param(), None, None), node)
    node.args.posonlyargs.insert(0, parameter)
    node.body[:] = _inverted(node.body, consumer, names)


def _inverted(statements: list[Any], consumer: str, names: Names) -> list[Any]:
    new: list[Any] = []
    for statement in statements:
        new += _statement(statement, consumer, names)
    return new


def _statement(node: Any, consumer: str, names: Names) -> list[Any]:
    if isinstance(node, gast.Expr) and isinstance(node.value, gast.Yield):
        value = node.value.value or quote("None", node)[0].value
        return quote("if CONSUMER(VALUE): return", node, CONSUMER=consumer, VALUE=value)
    if isinstance(node, gast.Expr) and isinstance(node.value, gast.YieldFrom):
        text = "for ITEM in VALUES:\n    if CONSUMER(ITEM): return"
        item = names.fresh("item")
        return quote(text, node, ITEM=item, VALUES=node.value.value, CONSUMER=consumer)
    if isinstance(node, gast.Return):
        return quote("return", node)
    if not isinstance(node, _FUNCTIONS):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                setattr(node, field, _inverted(block, consumer, names))
        for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            part.body[:] = _inverted(part.body, consumer, names)
    return [node]
