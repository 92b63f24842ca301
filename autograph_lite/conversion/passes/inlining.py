"""Variables of comprehensions that would clash with those of fragments.

Since Python 3.12, comprehensions are compiled into the function around them. Where that function
takes a variable from outside, only to hand it to functions in it, and a comprehension has one of
the same name, Python 3.12 and 3.13 take one for the other. Fragments are such functions, so a
comprehension's variable gets another name there.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import gast

from autograph_lite.conversion.names import Names
from autograph_lite.conversion.scopes import COMPREHENSIONS, FUNCTIONS, Scope, Scopes

__all__ = ["rename_clashing_variables"]


def rename_clashing_variables(tree: Any, scopes: Scopes, names: Names) -> None:
    """Renames variables of comprehensions in place, where Python would mix them up.

    Args:
      tree: the converted tree.
      scopes: its scopes.
      names: names that are still free.
    """
    if sys.version_info < (3, 12):
        return
    for comprehension in _in_fragments(tree):
        scope = scopes[comprehension]
        clashing = _mentioned_around(scope).intersection(filter(scope.owns, scope.bound))
        for name in sorted(clashing):
            _Renaming(scopes, name, names.fresh(name)).inside(comprehension)


def _in_fragments(tree: Any) -> Iterator[Any]:
    """The comprehensions that are compiled into a fragment."""
    pending = [(tree, False)]
    while pending:
        node, inside = pending.pop()
        if isinstance(node, FUNCTIONS):
            inside = getattr(node, "fragment", False)
        elif isinstance(node, (gast.ClassDef, gast.GeneratorExp)):
            inside = False
        elif isinstance(node, COMPREHENSIONS) and inside:
            yield node
        for field in node._fields:
            value = getattr(node, field, None)
            items = value if isinstance(value, list) else [value]
            pending += [(item, inside) for item in items if isinstance(item, gast.AST)]


def _mentioned_around(scope: Scope) -> set[str]:
    """The names that mean something in the function around a comprehension."""
    around = scope.parent
    while around is not None and around.kind == "comprehension":
        around = around.parent
    return {*around.bound, *around.free()} if around is not None else set()


class _Renaming:
    def __init__(self, scopes: Scopes, old: str, new: str) -> None:
        self.scopes = scopes
        self.old = old
        self.new = new

    def inside(self, node: Any) -> None:
        """Renames in a comprehension, save in what the function around it evaluates."""
        first = node.generators[0]
        self.visit(first.target)
        for test in first.ifs:
            self.visit(test)
        results = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
        for part in [*node.generators[1:], *results]:
            self.visit(part)

    def visit(self, node: Any) -> None:
        if isinstance(node, gast.Name):
            if node.id == self.old:
                node.id = self.new
            return
        if isinstance(node, FUNCTIONS) and self.owns(node):
            for default in [*node.args.defaults, *node.args.kw_defaults]:
                if default is not None:
                    self.visit(default)
            return
        if isinstance(node, COMPREHENSIONS) and self.owns(node):
            self.visit(node.generators[0].iter)
            return
        for field in node._fields:
            value = getattr(node, field, None)
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, gast.AST):
                    self.visit(item)

    def owns(self, node: Any) -> bool:
        scope = self.scopes.get(node)
        return scope is not None and scope.owns(self.old)
