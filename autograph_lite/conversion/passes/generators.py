"""A generator turned inside out: it calls its consumer with each item instead of yielding it.

    for x in rows:                  for x in rows:
        yield x * 2                     if consumer(x * 2):
                                            return

The consumer answers whether it has had enough. Then loops over tensors in a generator can be staged
together with the loop that goes over the generator. Likewise the `yield` of a context manager's
generator becomes a call of the block of the `with`, which answers nothing.
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


def is_invertible(node: Any, managing: bool = False) -> bool:
    """Whether every `yield` of a generator is a statement, outside of `try` and `with`.

    Its value, which is None where a `for` asks, may be assigned.

    Args:
      node: a gast `FunctionDef`.
      managing: whether `yield` may stand in `try` and `with` too, but be reached only once.

    Example:
      >>> is_invertible(gast.parse("def f(x):\\n for y in x: yield y").body[0])
      True
    """
    if managing and not _yields_once(node.body):
        return False
    return all(_is_plain(statement, managing) for statement in node.body)


def _yields_once(statements: list[Any]) -> bool:
    """Whether no path through a block comes to a second `yield`."""
    yielding = [statement for statement in statements if _has_yield(statement)]
    if len(yielding) != 1:
        return not yielding
    (node,) = yielding
    if isinstance(node, (gast.For, gast.AsyncFor, gast.While)):
        return False
    found = [getattr(node, field, None) or [] for field in ("body", "orelse", "finalbody")]
    found += [part.body for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))]
    inside = [block for block in found if any(map(_has_yield, block))]
    if len(inside) > 1 and not isinstance(node, (gast.If, gast.Match)):
        return False
    return all(map(_yields_once, inside))


def _is_plain(node: Any, managing: bool) -> bool:
    if isinstance(node, _FUNCTIONS):
        return True
    if isinstance(node, gast.Expr) and isinstance(node.value, gast.YieldFrom):
        return not managing and not _has_yield(node.value.value)
    if isinstance(node, (gast.Expr, gast.Assign)) and isinstance(node.value, gast.Yield):
        return not _has_yield(node.value.value)
    closed = () if managing else (gast.Try, gast.TryStar, gast.With)
    if isinstance(node, closed) or not _has_blocks(node):
        return not _has_yield(node)
    return all(_is_plain(child, managing) for child in ast.iter_child_nodes(node))


def _has_blocks(node: Any) -> bool:
    return isinstance(node, (gast.stmt, gast.ExceptHandler)) and isinstance(
        getattr(node, "body", None), list
    )


def _has_yield(node: Any) -> bool:
    if node is None or isinstance(node, _FUNCTIONS):
        return False
    if isinstance(node, _YIELDS):
        return True
    return any(_has_yield(child) for child in ast.iter_child_nodes(node))


def invert_generator(node: Any, names: Names, managing: bool = False) -> None:
    """Rewrites a generator in place; its consumer is a new first parameter.

    Args:
      node: a gast `FunctionDef` that `is_invertible`.
      names: hands out names.
      managing: whether the consumer is the block of a `with`.
    """
    consumer = names.fresh("consumer")
    parameter = place(gast.Name(consumer, gast.Param(), None, None), node)
    node.args.posonlyargs.insert(0, parameter)
    node.body[:] = _Inversion(consumer, names, managing).block(node.body)


class _Inversion:
    def __init__(self, consumer: str, names: Names, managing: bool) -> None:
        self.consumer = consumer
        self.names = names
        self.managing = managing

    def block(self, statements: list[Any]) -> list[Any]:
        return [new for statement in statements for new in self.statement(statement)]

    def statement(self, node: Any) -> list[Any]:
        if isinstance(node, (gast.Expr, gast.Assign)) and isinstance(node.value, gast.Yield):
            return self.yield_(node)
        if isinstance(node, gast.Expr) and isinstance(node.value, gast.YieldFrom):
            text = "for ITEM in VALUES:\n    if CONSUMER(ITEM): return"
            item = self.names.fresh("item")
            holes = {"ITEM": item, "VALUES": node.value.value, "CONSUMER": self.consumer}
            return quote(text, node, **holes)
        if isinstance(node, gast.Return):
            return quote("return", node)
        if not isinstance(node, _FUNCTIONS):
            for field in ("body", "orelse", "finalbody"):
                block = getattr(node, field, None)
                if isinstance(block, list):
                    setattr(node, field, self.block(block))
            for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ())):
                part.body[:] = self.block(part.body)
        return [node]

    def yield_(self, node: Any) -> list[Any]:
        value = node.value.value or quote("None", node)[0].value
        text = "CONSUMER(VALUE)" if self.managing else "if CONSUMER(VALUE): return"
        new = quote(text, node, CONSUMER=self.consumer, VALUE=value)
        if isinstance(node, gast.Assign):
            node.value = quote("None", node)[0].value
            new.append(node)
        return new
