"""Variables that may be unbound.

A fragment cannot leave a variable of the user's function unbound the way Python does, since what it
does not bind it cannot declare, and since Python words the error differently there. So where a
fragment is concerned, an unbound variable holds an `ag__.Undefined`, and reads that may meet one go
through `ag__.ld`, which raises Python's own error.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import gast

from autograph_lite.conversion import cfg, definedness, liveness
from autograph_lite.conversion.census import Census
from autograph_lite.conversion.names import mangled
from autograph_lite.conversion.passes.exception_names import private_exceptions
from autograph_lite.conversion.passes.fragments import Fragments
from autograph_lite.conversion.scopes import Scope, Scopes
from autograph_lite.conversion.templates import call, constant, load, place, quote, store
from autograph_lite.conversion.walking import walk

__all__ = ["Original", "Unbound", "is_docstring", "study_flow", "study_original"]


class Flow(NamedTuple):
    """How control and values flow in a function."""

    graph: cfg.Graph
    live: liveness.Liveness
    defined: definedness.Definedness


def study_flow(function: Any, scopes: Scopes, fickle: Iterable[str] = ()) -> Flow:
    """Analyses a function.

    Args:
      function: a gast `FunctionDef`.
      scopes: the scopes of the tree it is in.
      fickle: the names of variables that may become unbound at any time.
    """
    scope = scopes[function]
    graph = cfg.build(function.body, scopes)
    local = [name for name in scope.bound if scope.owns(name)]
    defined = definedness.analyse(graph, local, scope.params, fickle)
    return Flow(graph, liveness.analyse(graph), defined)


class Original:
    """What is known of a function before its jumps are lowered.

    Attributes:
      doubtful: the `Name` nodes that may read an unbound variable.
      doubtful_free: those of them that read it from a function of their own.
      thunked: the names that may be unbound where conversion makes a lambda of what reads them.
      captured: the names that may be unbound when a function that uses them is made.
      private: the names of exceptions that are used in their `except` clauses only.
      carriers: variables that only carry a value from one statement to the next, found later.
      checked: `Name` nodes that have to be read through `ag__.ld`, found later.
      checked_free: the same for reads from functions inside this one.
      flow: how control and values flow in the function, as long as that stays true.
    """

    def __init__(self, table: definedness.Definedness, private: set[str]) -> None:
        self.doubtful = table.doubtful
        self.doubtful_free = table.doubtful_free
        self.thunked = table.thunked
        self.captured = table.captured
        self.private = private
        self.carriers: set[str] = set()
        self.checked: set[Any] = set()
        self.checked_free: set[Any] = set()
        self.flow: Flow | None = None
        self._dead: dict[Any, set[str]] = {}

    def dead_in(self, loop: Any) -> set[str]:
        """The variables whose values no later pass of a loop, and nothing after it, needs."""
        return self._dead.get(loop, set())


def study_original(function: Any, scopes: Scopes, census: Census) -> Original:
    """Analyses a function before its jumps are lowered.

    Args:
      function: a gast `FunctionDef`.
      scopes: the scopes of the tree it is in.
      census: what that tree holds.
    """
    scope = scopes[function]
    fickle = scope.deleted_inside()
    flow = study_flow(function, scopes, fickle)
    private = private_exceptions(function, scope) if census.holds(gast.ExceptHandler) else set()
    original = Original(flow.defined, private)
    local = {name for name in scope.bound if scope.owns(name)}
    for loop, heads in flow.graph.head.items():
        needed = flow.live.before(heads) | flow.live.before(flow.graph.after[loop])
        original._dead[loop] = local - needed
    if not fickle:
        original.flow = flow
    return original


class Unbound:
    """Finds the variables that need an `Undefined`, and places it.

    Attributes:
      in_handlers: the names of exceptions that live in a fragment of their own.
    """

    def __init__(
        self,
        scope: Scope,
        original: Original,
        graph: cfg.Graph,
        defined: definedness.Definedness,
    ) -> None:
        self.scope = scope
        self.original = original
        self.graph = graph
        self.defined = defined
        self.in_handlers: set[str] = set()
        # The statement before which a variable gets its value; None stands for the first one.
        self.places: dict[str, Any] = dict.fromkeys(sorted(original.thunked))

    def study(self, statement: Any, constructs: list[Any]) -> None:
        """Looks at a statement of the function's outermost block, and the constructs in it."""
        if not constructs:
            return
        start = self.graph.entry[statement]
        needed: dict[str, None] = {}
        for construct in constructs:
            unbound = self.defined.maybe_unbound(self.graph.entry[construct]) | self.scope.deleted
            for bound_here, doubtful in self._touched(construct):
                needed.update((name, None) for name in bound_here if name in unbound)
                needed.update((node.id, None) for node in doubtful)
        bound = self.defined.maybe_bound(start)
        for name in needed:
            if self.scope.owns(name) and name not in self.places:
                self.places[name] = None if name in bound else statement

    def _touched(self, construct: Any) -> Iterator[tuple[Iterable[str], Iterable[Any]]]:
        """The names that a construct may bind, and its `Name`s that may read an unbound one."""
        doubtful = self.original.doubtful
        effects = [self.graph.effects[index] for index in self.graph.span[construct]]
        if not self.graph.has_finals and not any(effect.closures for effect in effects):
            for effect in effects:
                yield effect.writes, [node for node in effect.loads if node in doubtful]
                yield effect.deletes, ()
            return
        for node in walk(construct):
            if type(node) not in _BINDING_NOTHING:
                yield _bound_by(node), (node,) if node in doubtful else ()

    def delete(self, node: Any) -> list[Any]:
        """Rewrites a `del`."""
        new: list[Any] = []
        for target in _flat(node.targets):
            if isinstance(target, gast.Name) and self.is_unbindable(target.id):
                if not getattr(node, "quiet", False):
                    read = "ld" if target.id in self.places else "ld_free"
                    new.append(place(gast.Expr(call(read, node, load(target.id, node))), node))
                new.append(self.undefined(target.id, node))
            elif getattr(node, "quiet", False):
                new += quote("name = None\ndel name", node, name=target.id)
            else:
                new.append(place(gast.Delete([target]), node))
        return new

    def is_unbindable(self, name: str) -> bool:
        """Whether a variable of this function, or of one around it, may hold an `Undefined`."""
        if name in self.places:
            return True
        owner = self.scope.owner(name)
        return owner is not None and name in owner.unbindable

    def undefined(self, name: str, at: Any) -> Any:
        """`name = ag__.Undefined('name')`"""
        shown = mangled(name, self.scope.class_name())
        value = call("Undefined", at, constant(shown, at))
        return place(gast.Assign([store(name, at)], value, None), at)

    def check_augmented(self, node: Any) -> list[Any]:
        """`x += 1` reads `x`."""
        if not isinstance(node, gast.AugAssign) or not isinstance(node.target, gast.Name):
            return []
        name = node.target.id
        if name not in self.places and self.is_unbindable(name):
            return [self._checked("ld_free", node)]
        doubtful = node.target in self.original.doubtful or node.target in self.defined.doubtful
        if name in self.places and doubtful:
            return [self._checked("ld", node)]
        return []

    def _checked(self, read: str, node: Any) -> Any:
        """`x = ag__.ld(x)`: of a value that staged code has on some paths only, the value."""
        name = node.target.id
        value = call(read, node, load(name, node))
        return place(gast.Assign([store(name, node)], value, None), node)

    def finish(
        self,
        function: Any,
        body: list[Any],
        starts: dict[Any, int],
        own: dict[str, None],
        fragments: Fragments,
    ) -> list[Any]:
        """Adds the `Undefined`s and the declarations to the converted body."""
        params = set(self.scope.params)
        for name in fragments.declared:
            if name not in own and name not in params and name not in self.in_handlers:
                self.places.setdefault(name, None)
        for name in self.scope.bound:
            bound = name in own or name in fragments.declared or name in self.in_handlers
            if self.scope.owns(name) and name not in params and not bound:
                self.places.setdefault(name, None)
        self.scope.unbindable.update(self.places)
        self._check_reads()
        before: dict[int, list[Any]] = {}
        first = 1 if body and is_docstring(body[0]) else 0
        for name, statement in self.places.items():
            if name in params:
                continue
            index = first if statement is None else starts[statement]
            at = statement or (body[first] if len(body) > first else function)
            before.setdefault(index, []).append(self.undefined(name, at))
        new: list[Any] = []
        for index, statement in enumerate(body):
            if index == first:
                new += self._declarations(statement)
            new += before.get(index, ())
            new.append(statement)
        return new or [place(gast.Pass(), function)]

    def _declarations(self, at: Any) -> list[Any]:
        new: list[Any] = []
        if self.scope.globals:
            new.append(place(gast.Global(sorted(self.scope.globals)), at))
        if self.scope.nonlocals:
            new.append(place(gast.Nonlocal(sorted(self.scope.nonlocals)), at))
        return new

    def _check_reads(self) -> None:
        for node in self.original.doubtful:
            if node.id in self.places:
                free = node in self.original.doubtful_free
                (self.original.checked_free if free else self.original.checked).add(node)
        # Where flags stand for jumps, Python always finds a value; staged code cannot tell.
        for node in self.defined.doubtful - self.original.doubtful:
            if node.id in self.places:
                free = node in self.defined.doubtful_free
                (self.original.checked_free if free else self.original.checked).add(node)
        for name in self.original.captured:
            if name in self.places:
                self.original.checked_free.update(self.scope.captured_loads(name))


# Most nodes of a tree are of these kinds.
_BINDING_NOTHING = {
    gast.Constant,
    gast.Load,
    gast.Store,
    gast.BinOp,
    gast.Compare,
    gast.Call,
    gast.Attribute,
    gast.Subscript,
    gast.Expr,
    gast.Assign,
    gast.AugAssign,
    gast.If,
    gast.While,
    gast.For,
}


def is_docstring(node: Any) -> bool:
    """Whether a statement is nothing but a string."""
    return (
        isinstance(node, gast.Expr)
        and isinstance(node.value, gast.Constant)
        and isinstance(node.value.value, str)
    )


def _bound_by(node: Any) -> Iterable[str]:
    """The names that a node itself, of whatever kind, binds or may bind."""
    if isinstance(node, gast.Name):
        return () if isinstance(node.ctx, (gast.Load, gast.Param)) else (node.id,)
    if isinstance(node, gast.alias):
        return (node.asname or node.name.partition(".")[0],)
    names = (getattr(node, field, None) for field in ("name", "rest"))
    return [name for name in names if isinstance(name, str)]


def _flat(targets: list[Any]) -> Iterable[Any]:
    for target in targets:
        if isinstance(target, (gast.Tuple, gast.List)):
            yield from _flat(target.elts)
        else:
            yield target
