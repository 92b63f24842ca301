"""What a tree holds, found in one walk, so that passes with nothing to do need not walk it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import gast

from autograph_lite.conversion.walking import LEAVES

__all__ = ["Census", "take_census"]


class Census(NamedTuple):
    """What a tree holds.

    Attributes:
      kinds: the kinds of its nodes, but for those that hold nothing.
      identifiers: every identifier that may be a variable.
      attributes: the names of the attributes that are asked for.
      keywords: whether some function takes any keywords, `**keywords`.
    """

    kinds: set[type]
    identifiers: set[str]
    attributes: set[str]
    keywords: bool

    def holds(self, *kinds: type) -> bool:
        """Whether there is a node of one of these kinds."""
        return not self.kinds.isdisjoint(kinds)


# Not to be asked for names: most nodes of a tree are of these kinds.
_NAMELESS = {
    gast.Constant,
    gast.Load,
    gast.Store,
    gast.Call,
    gast.Expr,
    gast.Assign,
    gast.If,
    gast.BinOp,
    gast.Compare,
}
_NAME_FIELDS = ("id", "name", "asname", "rest", "arg")


def take_census(tree: Any) -> Census:
    """Says what a tree holds.

    Args:
      tree: a gast node.

    Example:
      >>> census = take_census(gast.parse("import a.b as c\\nfor d in e.f: global g"))
      >>> sorted(census.identifiers), census.attributes
      (['a', 'c', 'd', 'e', 'g'], {'f'})
      >>> census.holds(gast.While, gast.For), census.holds(gast.If)
      (True, False)
    """
    kinds: set[type] = set()
    identifiers: set[str] = set()
    attributes: set[str] = set()
    keywords = False
    pending = [tree]
    while pending:
        node = pending.pop()
        kind = type(node)
        kinds.add(kind)
        if kind is gast.Name:
            identifiers.add(node.id)
            if node.annotation is None:
                continue
        for value in node.__dict__.values():
            if type(value) is list:
                pending += [item for item in value if isinstance(item, gast.AST)]
            elif isinstance(value, gast.AST) and type(value) not in LEAVES:
                pending.append(value)
        if kind is gast.Attribute:
            attributes.add(node.attr)
        elif kind is gast.arguments:
            keywords = keywords or node.kwarg is not None
        elif kind is not gast.Name and kind not in _NAMELESS:
            identifiers.update(_names_in(node))
    return Census(kinds, identifiers, attributes, keywords)


def _names_in(node: Any) -> Iterator[str]:
    for field in _NAME_FIELDS:
        value = getattr(node, field, None)
        if isinstance(value, str):
            yield value.partition(".")[0]
    yield from (name for name in getattr(node, "names", ()) if isinstance(name, str))
