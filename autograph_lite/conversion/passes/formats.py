"""Which `%` may format a text: Python's syntax is the same as that of remainders."""

from __future__ import annotations

from typing import Any

import gast

from autograph_lite.conversion.scopes import Scope

__all__ = ["may_format"]


def may_format(node: Any, scope: Scope | None) -> bool:
    """Whether the left side of a `%` may be a text.

    Remainders are common, and stay as the user wrote them: that of a variable is taken for one
    unless a text is assigned to the variable.

    Args:
      node: the `BinOp`.
      scope: the scope that it stands in.
    """
    left, right = node.left, node.right
    # Numbers are not divided by tuples and dicts.
    if _is_text(left) or isinstance(right, (gast.Tuple, gast.Dict)):
        return True
    if isinstance(right, gast.Constant) and not isinstance(right.value, str):
        return False
    if isinstance(left, gast.Subscript):
        return _is_text(left.slice)
    if isinstance(left, gast.Name) and scope is not None:
        owner = scope.owner(left.id)
        return owner is None or _holds_text(owner, left.id)
    return isinstance(left, gast.Attribute)


def _is_text(node: Any) -> bool:
    if isinstance(node, gast.BinOp) and isinstance(node.op, gast.Add):
        return _is_text(node.left) or _is_text(node.right)
    if isinstance(node, gast.IfExp):
        return _is_text(node.body) or _is_text(node.orelse)
    return isinstance(node, gast.JoinedStr) or (
        isinstance(node, gast.Constant) and isinstance(node.value, str)
    )


def _holds_text(scope: Scope, name: str) -> bool:
    """Whether a text is assigned to a variable somewhere."""
    for node in gast.walk(scope.node):
        if isinstance(node, (gast.Assign, gast.AugAssign, gast.AnnAssign, gast.NamedExpr)):
            targets = node.targets if isinstance(node, gast.Assign) else [node.target]
            named = any(isinstance(t, gast.Name) and t.id == name for t in targets)
            if named and node.value is not None and _is_text(node.value):
                return True
    return False
