"""Calls that read, or write, the variables of the function they stand in.

`locals()` in a fragment would show the fragment's variables. So it is told the names: it becomes
`ag__.locals_({'a': lambda: a, ...})`, and `vars()`, `dir()` and `eval(text)` are told through it.
Where the user stops for a debugger (`breakpoint()`, `pdb.set_trace()`), all variables are
mentioned, so that the debugger can show them. A function that calls `exec(text)` stays as it is,
since `exec` may write what later calls read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

from autograph_lite.conversion.census import Census
from autograph_lite.conversion.names import mangled
from autograph_lite.conversion.scopes import COMPREHENSIONS, FUNCTIONS, Scope, Scopes, analyse
from autograph_lite.conversion.templates import call, constant, load, place, thunk

__all__ = ["reads_namespace", "spell_out_namespaces"]

_READERS = frozenset({"locals", "vars", "dir", "eval", "exec", "breakpoint"})
_DEBUGGERS = frozenset({"breakpoint", "set_trace"})
_OWN_SCOPES = (*FUNCTIONS, *COMPREHENSIONS, gast.ClassDef)


def reads_namespace(census: Census) -> bool:
    """Whether there may be something to do in a tree."""
    return not (
        census.identifiers.isdisjoint(_READERS) and census.attributes.isdisjoint(_DEBUGGERS)
    )


def spell_out_namespaces(
    tree: Any, freevars: tuple[str, ...], class_name: str | None, shadowed: frozenset[str]
) -> None:
    """Rewrites the calls in place, and marks the functions that must stay as they are.

    Args:
      tree: a gast `FunctionDef` or `Lambda`.
      freevars: the names it takes from the functions around it.
      class_name: the class around it.
      shadowed: builtins that the module has something else for.
    """
    scopes = analyse(tree)
    rebound = {name for scope in scopes.values() for name in (*scope.bound, *scope.globals)}
    meant = _READERS - rebound - shadowed - set(freevars)
    for node, scope in scopes.items():
        if isinstance(node, FUNCTIONS) and not scope.yields:
            names = _visible(scope, scopes, freevars)
            _Rewriting(node, names, meant, class_name).run()


def _visible(scope: Scope, scopes: Scopes, freevars: tuple[str, ...]) -> list[str]:
    """The names that `locals()` shows: of the function's variables, and of those it closes over."""
    names = [*scope.params, *(name for name in scope.bound if scope.owns(name))]
    around = set(freevars)
    outer = scope.parent
    while outer is not None:
        if outer.kind == "function":
            around.update(name for name in outer.bound if outer.owns(name))
        outer = outer.parent
    names += sorted(scope.free() & around)
    return list(dict.fromkeys(names))


class _Rewriting:
    """Rewrites the calls that stand directly in one function."""

    def __init__(
        self, function: Any, names: list[str], meant: frozenset[str], class_name: str | None
    ) -> None:
        self.function = function
        self.names = names
        self.meant = meant
        self.class_name = class_name

    def run(self) -> None:
        if any(self.is_exec(node) for node in self.nodes(self.function.body)):
            self.function.stays = True
            return
        body = self.function.body
        if isinstance(body, list):
            body[:] = [self.visit(statement) for statement in body]
        else:
            self.function.body = self.visit(body)

    def nodes(self, part: Any) -> Iterator[Any]:
        """The nodes of the function that are in no other scope."""
        if isinstance(part, list):
            for item in part:
                yield from self.nodes(item)
        elif isinstance(part, gast.AST) and not isinstance(part, _OWN_SCOPES):
            yield part
            for field in part._fields:
                yield from self.nodes(getattr(part, field, None))

    def is_exec(self, node: Any) -> bool:
        """Whether a node is a call of `exec` that runs in the function's own namespace."""
        return (
            isinstance(node, gast.Call)
            and "exec" in self.meant
            and getattr(node.func, "id", None) == "exec"
            and len(node.args) == 1
            and not node.keywords
        )

    def visit(self, node: Any) -> Any:
        if isinstance(node, COMPREHENSIONS):
            # The first iterable is evaluated by the function itself.
            node.generators[0].iter = self.visit(node.generators[0].iter)
            return node
        if isinstance(node, (*FUNCTIONS, gast.ClassDef)):
            return node
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, gast.AST):
                setattr(node, field, self.visit(value))
            elif isinstance(value, list):
                value[:] = [self.visit(v) if isinstance(v, gast.AST) else v for v in value]
        if isinstance(node, gast.Call):
            name = getattr(node.func, "attr", getattr(node.func, "id", None))
            if name in _DEBUGGERS and name in self.meant | {"set_trace"}:
                return self.debugger(node)
            if getattr(node.func, "id", None) in self.meant:
                return self.call(node)
        return node

    def debugger(self, node: Any) -> Any:
        """`ag__.looking_back(breakpoint, lambda: (a, b, ...))()`"""
        names = place(gast.Tuple([load(name, node) for name in self.names], gast.Load()), node)
        node.func = call("looking_back", node.func, node.func, thunk(names))
        return node

    def call(self, node: Any) -> Any:
        name, count = node.func.id, len(node.args)
        if node.keywords or any(isinstance(arg, gast.Starred) for arg in node.args):
            return node
        if name == "eval" and count == 1:
            namespace = place(gast.Call(load("globals", node), [], []), node)
            node.args += [namespace, self.namespace(node)]
        elif name in ("locals", "vars") and count == 0:
            return self.namespace(node)
        elif name == "dir" and count == 0:
            return call("sorted_", node, self.namespace(node))
        return node

    def namespace(self, at: Any) -> Any:
        """`ag__.locals_({'a': lambda: a, ...})`."""
        keys = [constant(mangled(name, self.class_name), at) for name in self.names]
        values = [thunk(load(name, at)) for name in self.names]
        return call("locals_", at, place(gast.Dict(keys, values), at))
