"""`with` becomes `ag__.with_`, in functions that are converted in order to be traced.

    ag__.with_(manager, with_body, get_state, set_state, ('y',))

What the block raises when the graph runs may be swallowed there, so it is traced like the body of a
`try`. The managers that nearly all blocks have, files and the library's own, swallow nothing; they
keep their `with`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

import gast

from autograph_lite.conversion.cfg import never_suppresses
from autograph_lite.conversion.passes.fragments import Fragments
from autograph_lite.conversion.passes.tries import jumps_out
from autograph_lite.conversion.templates import load, place

__all__ = ["convert_with", "is_staged_with", "mark_withs"]


def mark_withs(function: Any) -> None:
    """Marks the `with` statements that become calls, and gives each manager one of its own.

    Args:
      function: a gast `FunctionDef`, changed in place, with the functions in it.
    """
    for node in ast.walk(function):
        if isinstance(node, gast.With) and not all(map(never_suppresses, node.items)):
            _mark(node)


def _mark(node: Any) -> None:
    if len(node.items) > 1:
        inner = place(gast.With(node.items[1:], node.body, None), node)
        node.items, node.body = node.items[:1], [inner]
        _mark(inner)
    node.staged = not never_suppresses(node.items[0])


def is_staged_with(node: Any) -> bool:
    """Whether a statement is a `with` that becomes a call: it is marked, and nothing jumps out."""
    return bool(getattr(node, "staged", False)) and not any(map(jumps_out, node.body))


def convert_with(
    node: Any,
    block: tuple[list[Any], Iterable[str]],
    state: list[str],
    fragments: Fragments,
    restored: Sequence[str] = (),
) -> list[Any]:
    """Rewrites a `with`.

    Args:
      node: the `With`.
      block: its converted block, and the names that this and the target bind.
      state: the variables that are handed around.
      fragments: makes the functions.
      restored: further variables that the block changes, and reads before that.
    """
    (item,) = node.items
    body, binds = block
    value = fragments.names.role("entered")
    if item.optional_vars is not None:
        target = [item.optional_vars]
        assign = gast.Assign(target, load(value, item.optional_vars), None)
        body = [place(assign, item.optional_vars), *body]
    name, definitions = fragments.define("with_body", body, binds, node, (value,))
    defining, handing = fragments.state(state, node, restored)
    arguments = [item.context_expr, load(name, node), *handing]
    return [*definitions, *defining, fragments.call("with_", node, arguments)]
