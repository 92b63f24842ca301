"""`try` becomes `ag__.try_`, in functions that are converted in order to be traced.

    ag__.try_(try_body, ((lambda: ValueError, except_body),), else_body, finally_body, ...)

Elsewhere `try` stays as it is: then Python's own statement is the best there can be.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Any

import gast

from autograph_lite.conversion.passes.fragments import Fragments
from autograph_lite.conversion.templates import call, load, place, thunk

__all__ = ["can_be_staged", "convert_try", "guard_stars", "jumps_out"]

_Part = tuple[list[Any], Iterable[str]]


def can_be_staged(node: Any, private: set[str]) -> bool:
    """Whether a `try` can become a call: nothing jumps out, exceptions have names of their own.

    Args:
      node: a `Try`, whose jumps are lowered as far as they can be.
      private: names of exceptions that are used in their `except` clauses only.
    """
    if not isinstance(node, gast.Try) or getattr(node, "quiet", False):
        return False
    for handler in node.handlers:
        if handler.name is not None and handler.name.id not in private:
            return False
    return not any(map(jumps_out, ast.iter_child_nodes(node)))


def jumps_out(node: Any, in_loop: bool = False) -> bool:
    """Whether a statement, if it stands in no loop, has a jump that leaves it, or suspends."""
    if isinstance(node, (gast.Return, gast.Yield, gast.YieldFrom, gast.Await)):
        return True
    if isinstance(node, (gast.Break, gast.Continue)):
        return not in_loop
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)):
        return False
    inside = in_loop or isinstance(node, (gast.For, gast.While, gast.AsyncFor))
    return any(jumps_out(child, inside) for child in ast.iter_child_nodes(node))


def guard_stars(function: Any) -> None:
    """Puts each `try` with `except*` into `with ag__.except_star():`, in place.

    Such a `try` stays as it is, and catches nothing of what the graph raises.

    Args:
      function: a gast `FunctionDef`; the functions in it are changed too.
    """
    for node in ast.walk(function):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and not getattr(node, "guards", False):
                block[:] = [_guarded(s) if isinstance(s, gast.TryStar) else s for s in block]


def _guarded(node: Any) -> Any:
    made = place(gast.With([gast.withitem(call("except_star", node), None)], [node], None), node)
    made.guards = True
    return made


def convert_try(
    node: Any,
    parts: tuple[_Part, Sequence[_Part], _Part, _Part],
    state: list[str],
    fragments: Fragments,
    restored: Sequence[str] = (),
) -> list[Any]:
    """Rewrites a `try`.

    Args:
      node: the `Try`.
      parts: body, handlers, `else` and `finally`: converted blocks, each with the names it binds.
      state: the variables that are handed around.
      fragments: makes the functions.
      restored: further variables that the body changes, and reads before that.
    """
    body, handlers, orelse, final = parts
    definitions: list[Any] = []

    def part(role: str, block: _Part, params: tuple[str, ...] = ()) -> Any:
        if not block[0]:
            return fragments.nothing(node)
        name, definition = fragments.define(role, block[0], block[1], node, params)
        definitions.extend(definition)
        return load(name, node)

    arguments = [part("try_body", body)]
    cases: list[Any] = []
    for handler, block in zip(node.handlers, handlers, strict=True):
        name = handler.name.id if handler.name is not None else fragments.names.fresh("error")
        role = f"except_body_{len(cases) + 1}" if cases else "except_body"
        kind = handler.type if handler.type is not None else load("BaseException", handler)
        cases.append(_tuple([thunk(kind), part(role, block, (name,))], handler))
    arguments += [_tuple(cases, node), part("else_body", orelse), part("finally_body", final)]
    defining, handing = fragments.state(state, node, restored)
    return [*definitions, *defining, fragments.call("try_", node, arguments + handing)]


def _tuple(items: list[Any], at: Any) -> Any:
    return place(gast.Tuple(items, gast.Load()), at)
