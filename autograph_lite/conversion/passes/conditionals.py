"""`if` becomes `ag__.cond`."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import gast

from autograph_lite.conversion.passes.fragments import Fragments
from autograph_lite.conversion.templates import load

__all__ = ["convert_if"]


def convert_if(
    node: Any,
    branches: tuple[tuple[list[Any], Iterable[str]], tuple[list[Any], Iterable[str]]],
    state: list[str],
    fragments: Fragments,
    restored: Sequence[str] = (),
) -> list[Any]:
    """Rewrites a branch.

    Args:
      node: the `If`.
      branches: the converted blocks, each with the names that it binds itself.
      state: the variables that are handed around.
      fragments: makes the functions.
      restored: the variables that the first block changes and the second one reads.
    """
    definitions: list[Any] = []
    node.test.tested = True
    arguments: list[Any] = [node.test]
    for role, (body, binds) in zip(("if_body", "else_body"), branches, strict=True):
        if not all(isinstance(statement, gast.Pass) for statement in body):
            name, definition = fragments.define(role, body, binds, node)
            definitions += definition
            arguments.append(load(name, node))
        else:
            arguments.append(fragments.nothing(node))
    defining, handing = fragments.state(state, node, restored)
    if not handing and isinstance(arguments[-1], gast.Constant):
        arguments.pop()
    return [*definitions, *defining, fragments.call("cond", node, arguments + handing)]
