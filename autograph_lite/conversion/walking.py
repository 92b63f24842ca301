"""Visiting all nodes of a gast tree, fast."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

__all__ = ["LEAVES", "walk"]

LEAVES = frozenset({gast.Constant, gast.Load, gast.Store})
"""Kinds of nodes that hold no others and no names. Most nodes of a tree are of these."""


def walk(tree: Any) -> Iterator[Any]:
    """The nodes of a tree, in the order of the program.

    Args:
      tree: a node.

    Example:
      >>> [type(node).__name__ for node in walk(gast.parse("a + 1").body[0])]
      ['Expr', 'BinOp', 'Name', 'Load', 'Add', 'Constant']
    """
    pending = [tree]
    node_type = gast.AST
    while pending:
        node = pending.pop()
        yield node
        values = node.__dict__
        children: list[Any] = []
        for field in node._fields:
            value = values.get(field)
            if type(value) is list:
                children += [item for item in value if isinstance(item, node_type)]
            elif isinstance(value, node_type):
                children.append(value)
        pending += reversed(children)
