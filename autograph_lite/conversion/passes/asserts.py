"""`assert`."""

from __future__ import annotations

from typing import Any

import gast

from autograph_lite.conversion.templates import call, place, thunk

__all__ = ["convert_assert"]


def convert_assert(node: Any) -> Any:
    """`assert t, m` becomes `ag__.assert_(t, lambda: m)`."""
    message = [thunk(node.msg)] if node.msg is not None else []
    return place(gast.Expr(call("assert_", node, node.test, *message)), node)
