"""`except ... as name`, where the name is used elsewhere too.

Python unbinds the name at the end of the clause. A fragment cannot meet an unbound variable, so the
name becomes an ordinary variable, which `passes/variables.py` knows how to unbind:

    except E as error:
        name = error
        try: ...
        finally: del name
"""

from __future__ import annotations

import ast
from typing import Any

import gast

from autograph_lite.conversion.names import Names
from autograph_lite.conversion.scopes import FUNCTIONS, Scope
from autograph_lite.conversion.templates import load, place, quote
from autograph_lite.conversion.walking import walk

__all__ = ["private_exceptions", "share_exceptions"]

# What conversion makes functions of, or lambdas.
_TAKEN_APART = (
    gast.If, gast.For, gast.While, gast.BoolOp, gast.IfExp, gast.Compare, gast.JoinedStr,
    gast.Assert, gast.With,
)  # fmt: skip


def share_exceptions(function: Any, scope: Scope, names: Names) -> None:
    """Rewrites the `except` clauses of a function in place, where that is needed.

    Args:
      function: a gast `FunctionDef`.
      scope: its scope.
      names: names that are still free.
    """
    handlers = [
        node
        for node in _own_nodes(function)
        if isinstance(node, gast.ExceptHandler) and node.name is not None
    ]
    if not handlers or not any(isinstance(node, _TAKEN_APART) for node in _own_nodes(function)):
        return
    private = private_exceptions(function, scope)
    for handler in handlers:
        if handler.name.id not in private:
            _share(handler, scope, names)


def _share(handler: Any, scope: Scope, names: Names) -> None:
    name = handler.name
    error = names.fresh("error")
    scope.bound[error] = None
    assign = place(gast.Assign([name], load(error, handler), None), handler)
    (guarded,) = quote("try: body\nfinally: del name", handler, body=handler.body, name=name.id)
    guarded.finalbody[0].quiet = guarded.quiet = True
    handler.name = place(gast.Name(error, gast.Store(), None, None), name)
    handler.body = [assign, guarded]


def _own_nodes(function: Any) -> Any:
    """The nodes of a function, without those of the functions in it."""
    pending = list(function.body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, FUNCTIONS):
            pending.extend(ast.iter_child_nodes(node))


def private_exceptions(function: Any, scope: Scope) -> set[str]:
    """The names of exceptions that are used in their `except` clauses only.

    Example:
      >>> from autograph_lite.conversion.scopes import analyse
      >>> tree = gast.parse('''
      ... def f():
      ...     try: g()
      ...     except A as a: print(a)
      ...     except B as b: print(b)
      ...     b = 1
      ... ''').body[0]
      >>> private_exceptions(tree, analyse(tree)[tree])
      {'a'}
    """
    handlers: dict[str, set[Any]] = {}
    mentions: dict[str, set[Any]] = {}
    shared = scope.captured() | scope.globals | scope.nonlocals | scope.deleted | set(scope.params)
    for node in walk(function):
        if isinstance(node, gast.Name):
            mentions.setdefault(node.id, set()).add(node)
        elif isinstance(node, gast.ExceptHandler) and node.name is not None:
            inside = handlers.setdefault(node.name.id, set())
            inside.update(n for n in walk(node) if isinstance(n, gast.Name))
        else:
            for field in ("name", "asname", "rest"):
                if isinstance(getattr(node, field, None), str):
                    shared.add(getattr(node, field).partition(".")[0])
    return {
        name for name, inside in handlers.items() if name not in shared and mentions[name] <= inside
    }
