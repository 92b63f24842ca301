"""`super()` without arguments."""

from __future__ import annotations

import sys
from typing import Any

import gast

from autograph_lite.conversion.scopes import Scope
from autograph_lite.conversion.templates import load

__all__ = ["convert_super"]


def convert_super(node: Any, scope: Scope | None, has_class: bool) -> Any:
    """`super()` becomes `super(__class__, self)`, since it may end up in a fragment.

    Args:
      node: the `Call`.
      scope: the innermost scope around it, of a function or a comprehension.
      has_class: whether the function converted is defined in a class.
    """
    if node.args or node.keywords:
        return node
    while scope is not None and scope.kind == "comprehension":
        if sys.version_info < (3, 12) or isinstance(scope.node, gast.GeneratorExp):
            return node  # there it does not find its arguments, converted or not
        scope = scope.parent
    if scope is None or not hasattr(scope.node, "args"):
        return node
    args = scope.node.args
    first = [*args.posonlyargs, *args.args][:1]
    while scope is not None and not has_class:
        scope = scope.parent
        has_class = scope is not None and isinstance(scope.node, gast.ClassDef)
    if first and has_class:
        node.args = [load("__class__", node), load(first[0].id, node)]
    return node
