"""Turns the branches and loops of a function, whose jumps are lowered already, into calls."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Any

import gast

from autograph_lite.conversion import liveness
from autograph_lite.conversion.effects import effects_of
from autograph_lite.conversion.names import Names
from autograph_lite.conversion.passes.conditionals import convert_if
from autograph_lite.conversion.passes.fragments import Fragments
from autograph_lite.conversion.passes.loops import convert_for, convert_while, take_options
from autograph_lite.conversion.passes.tries import can_be_staged, convert_try
from autograph_lite.conversion.passes.variables import Original, Unbound, study_flow
from autograph_lite.conversion.passes.withs import convert_with, is_staged_with
from autograph_lite.conversion.scopes import Scope, Scopes
from autograph_lite.conversion.templates import place

__all__ = ["convert_control_flow"]

_CONSTRUCTS = (gast.If, gast.For, gast.While)
_Bound = dict[str, None]


def convert_control_flow(
    function: Any,
    scopes: Scopes,
    original: Original,
    native: set[Any],
    names: Names,
    staging: bool = False,
) -> None:
    """Rewrites the branches and loops of a function in place.

    Args:
      function: a gast `FunctionDef`.
      scopes: the scopes of the tree.
      original: what was found out about the function before its jumps were lowered.
      native: the branches and loops that stay as they are.
      names: names that are still free.
      staging: whether `try` and `with` are converted too.
    """
    _Conversion(function, scopes, original, native, names, staging).run()


class _Conversion:
    def __init__(
        self,
        function: Any,
        scopes: Scopes,
        original: Original,
        native: set[Any],
        names: Names,
        staging: bool,
    ) -> None:
        self.staging = staging
        self.function = function
        self.scopes = scopes
        self.scope: Scope = scopes[function]
        self.original = original
        self.native = native
        flow = original.flow or study_flow(function, scopes)
        self.graph, self.live, self.defined = flow
        # Variables that native `with` blocks bind are no loop variables: an exception that such a
        # block swallows is raised while tracing, never by a graph.
        trusting = self.graph.swallowing
        self.needed = liveness.analyse(self.graph, trusting=True) if trusting else self.live
        self.fragments = Fragments(self.scope, names)
        self.depth = 0  # how many fragments are around
        # What a call may rebind: variables of this function, and globals that it binds as well.
        self.rebound_inside = dict.fromkeys(
            sorted(self.scope.rebound_inside() | self.scope.bound_globals())
        )
        self.always_live = self.scope.captured() | self.scope.globals | self.scope.nonlocals

    def run(self) -> None:
        self.unbound = Unbound(self.scope, self.original, self.graph, self.defined)
        for statement in self.function.body:
            self.unbound.study(statement, list(self.outermost([statement])))
        starts = {}
        body: list[Any] = []
        own: _Bound = {}
        for statement in self.function.body:
            new, binds, _ = self.statement(statement)
            starts[statement] = len(body)
            body += new
            own.update(binds)
        self.function.body = self.unbound.finish(self.function, body, starts, own, self.fragments)

    def outermost(self, statements: list[Any]) -> Iterator[Any]:
        """The constructs that are converted and stand in no other such construct."""
        for node in statements:
            if isinstance(node, _CONSTRUCTS) and node not in self.native:
                yield node
            elif self.is_staged_try(node) or self.is_staged_with(node):
                yield node
            elif not isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
                for block in blocks(node):
                    yield from self.outermost(block)

    # Statements: each answers with what it becomes, the names that this binds itself, and all the
    # names that it binds, those bound by fragments included.

    def block(self, statements: Iterable[Any]) -> tuple[list[Any], _Bound, _Bound]:
        new: list[Any] = []
        own: _Bound = {}
        every: _Bound = {}
        outside, self.fragments.handed = self.fragments.handed, None
        for statement in statements:
            calls = self.rebound_inside and _calls(statement)
            made, binds, modified = self.statement(statement)
            if calls:
                modified = {**modified, **self.rebound_inside}
            new += made
            own.update(binds)
            every.update(modified)
        self.fragments.handed = outside
        return new, own, every

    def statement(self, node: Any) -> tuple[list[Any], _Bound, _Bound]:
        if isinstance(node, gast.If) and node not in self.native:
            return self.if_(node)
        if isinstance(node, gast.While) and node not in self.native:
            return self.while_(node)
        if isinstance(node, gast.For) and node not in self.native:
            return self.for_(node)
        if isinstance(node, (gast.Global, gast.Nonlocal)):
            return [], {}, {}
        if self.is_staged_try(node):
            return self.staged_try(node)
        if self.is_staged_with(node):
            return self.staged_with(node)
        if isinstance(node, (gast.Try, gast.TryStar)) or blocks(node):
            made = self.native_(node)
            self.fragments.handed = None  # its blocks may have given the names to others
            return made
        if isinstance(node, gast.Delete):
            binds = self.binds(node)
            return self.unbound.delete(node), binds, binds
        if getattr(node, "flag", None) is not None and self.is_idle(node):
            return [], {}, {}
        if isinstance(node, gast.AnnAssign) and isinstance(node.target, gast.Name) and self.depth:
            # Python refuses annotations of nonlocal names, and does not evaluate those of others.
            if node.value is None:
                return [], {}, {}
            node = place(gast.Assign([node.target], node.value, None), node)
        binds = self.binds(node)
        return [*self.unbound.check_augmented(node), node], binds, binds

    def is_idle(self, node: Any) -> bool:
        """Whether a flag is set that nobody will ask any more."""
        after = [then for at in self.graph.entry[node] for then in self.graph.succ[at]]
        return node.flag not in self.live.before(after)

    def binds(self, *nodes: Any) -> _Bound:
        known = self.graph.done_by.get(nodes[0]) if len(nodes) == 1 else None
        effects = known or effects_of(nodes, self.scopes)
        names = {**effects.writes, **dict.fromkeys(sorted(effects.deletes))}
        for name in self.original.carriers & names.keys():
            del names[name]
        return names

    def native_(self, node: Any) -> tuple[list[Any], _Bound, _Bound]:
        if isinstance(node, (gast.Try, gast.TryStar)):
            return self.try_(node)
        if isinstance(node, (gast.If, gast.While)):
            node.test.tested = True
        return self.compound(node)

    def compound(self, node: Any) -> tuple[list[Any], _Bound, _Bound]:
        """A statement that stays, but whose blocks are converted."""
        own = self.binds(*headers(node))
        every = dict(own)
        for part in [node, *getattr(node, "cases", ())]:
            for field in ("body", "orelse", "finalbody"):
                if getattr(part, field, None):
                    new, binds, modified = self.block(getattr(part, field))
                    setattr(part, field, new or [place(gast.Pass(), node)])
                    own.update(binds)
                    every.update(modified)
        return [node], own, every

    def try_(self, node: Any) -> tuple[list[Any], _Bound, _Bound]:
        _, own, every = self.compound(node)
        for handler in node.handlers:
            binds = self.binds(handler.type) if handler.type is not None else {}
            new, more_binds, modified = self.block(handler.body)
            handler.body = new or [place(gast.Pass(), handler)]
            inner_own, inner_every = {**binds, **more_binds}, {**binds, **modified}
            if handler.name is not None:
                name = handler.name.id
                if name in self.original.private:
                    inner_own.pop(name, None)
                    inner_every.pop(name, None)
                    self.unbound.in_handlers.add(name)
                else:
                    inner_own[name] = inner_every[name] = None
            own.update(inner_own)
            every.update(inner_every)
        return [node], own, every

    def is_staged_try(self, node: Any) -> bool:
        return (
            self.staging and node not in self.native and can_be_staged(node, self.original.private)
        )

    def staged_try(self, node: Any) -> tuple[list[Any], _Bound, _Bound]:
        starts = [block[0] for block in (*(h.body for h in node.handlers), node.orelse) if block]
        needed = [at for start in starts for at in self.graph.entry[start]]
        needed += [at for start in node.finalbody[:1] for at in self.graph.entry[start]]
        live = self.live.before(self.graph.after[node]) | self.live.before(needed)
        modified: _Bound = {}
        self.depth += 1

        def part(statements: list[Any]) -> tuple[list[Any], _Bound]:
            new, binds, every = self.block(statements)
            modified.update(every)
            return new, binds

        body = part(node.body)
        handlers = [part(handler.body) for handler in node.handlers]
        for handler, (_, binds) in zip(node.handlers, handlers, strict=True):
            if handler.name is not None:
                binds.pop(handler.name.id, None)  # it is the parameter of the fragment
        orelse, final = part(node.orelse), part(node.finalbody)
        self.depth -= 1
        for handler in node.handlers:
            if handler.name is not None:
                modified.pop(handler.name.id, None)
                self.unbound.in_handlers.add(handler.name.id)
        state = [name for name in modified if name in live or name in self.always_live]
        # A body that may raise is traced again: it must not see what it has changed itself.
        restored = self.restored(node.body, modified, state)
        parts = (body, handlers, orelse, final)
        new = convert_try(node, parts, state, self.fragments, restored)
        return new, {}, modified

    def is_staged_with(self, node: Any) -> bool:
        return self.staging and node not in self.native and is_staged_with(node)

    def staged_with(self, node: Any) -> tuple[list[Any], _Bound, _Bound]:
        (item,) = node.items
        own = self.binds(item.context_expr)
        target = self.binds(item.optional_vars) if item.optional_vars is not None else {}
        self.depth += 1
        body, binds, modified = self.block(node.body)
        self.depth -= 1
        modified = {**target, **modified}
        live = self.live.before(self.graph.after[node])
        state = [name for name in modified if name in live or name in self.always_live]
        # A block that may raise is traced again, too.
        restored = [n for n in self.restored(node.body, modified, state) if n not in target]
        block = (body, {**target, **binds})
        new = convert_with(node, block, state, self.fragments, restored)
        return new, own, {**own, **modified}

    def state(self, node: Any, modified: _Bound) -> list[str]:
        live = self.needed.before(self.graph.after[node])
        if node in self.graph.head:
            live |= self.needed.before(self.graph.head[node])
            live -= self.original.dead_in(node)
        return [name for name in modified if name in live or name in self.always_live]

    def restored(self, block: list[Any], modified: _Bound, state: list[str]) -> list[str]:
        """The variables that are not handed on, but that a block reads as they were before.

        Args:
          block: the block, not yet converted.
          modified: the variables that are changed before the block is traced.
          state: the variables that are handed on.
        """
        live = self.live.before([at for start in block[:1] for at in self.graph.entry[start]])
        return [name for name in modified if name in live and name not in state]

    def if_(self, node: Any) -> tuple[list[Any], _Bound, _Bound]:
        own = self.binds(node.test)
        self.depth += 1
        body, body_binds, modified = self.block(node.body)
        orelse, else_binds, else_modified = self.block(node.orelse)
        self.depth -= 1
        both = {**modified, **else_modified}
        state = self.state(node, both)
        # A staged branch is traced after the other: it must not see what that one has changed.
        restored = self.restored(node.orelse, modified, state)
        branches = ((body, body_binds), (orelse, else_binds))
        new = convert_if(node, branches, state, self.fragments, restored)
        return new, own, {**own, **both}

    def while_(self, node: Any) -> tuple[list[Any], _Bound, _Bound]:
        take_options(node)
        tested = self.binds(node.test)
        self.depth += 1
        body, binds, modified = self.block(node.body)
        self.depth -= 1
        modified = {**tested, **modified}
        if self.rebound_inside and _calls(node.test):
            modified.update(self.rebound_inside)
        # A staged loop hands what its test binds to its body.
        state = list(dict.fromkeys([*tested, *self.state(node, modified)]))
        new = convert_while(node, tested, body, binds, state, self.fragments)
        return new, {}, modified

    def for_(self, node: Any) -> tuple[list[Any], _Bound, _Bound]:
        take_options(node)
        own = self.binds(node.iter)
        target = self.binds(node.target)
        self.depth += 1
        body, binds, modified = self.block(node.body)
        self.depth -= 1
        modified = {**target, **modified}
        new = convert_for(
            node, body, {**target, **binds}, self.state(node, modified), self.fragments
        )
        return new, own, {**own, **modified}


def _calls(statement: Any) -> bool:
    """Whether a statement calls functions, which may bind variables of the one around them."""
    return any(isinstance(node, gast.Call) for node in ast.walk(statement))


def blocks(node: Any) -> list[list[Any]]:
    """The blocks of a compound statement that belong to the same function."""
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        return []
    found = [getattr(node, field, None) or [] for field in ("body", "orelse", "finalbody")]
    found += [part.body for part in getattr(node, "handlers", ())]
    found += [part.body for part in getattr(node, "cases", ())]
    return [block for block in found if block]


def headers(node: Any) -> list[Any]:
    """The parts of a compound statement that are not blocks."""
    parts = [getattr(node, field, None) for field in ("test", "iter", "target", "subject")]
    for item in getattr(node, "items", ()):
        parts += [item.context_expr, item.optional_vars]
    for case in getattr(node, "cases", ()):
        parts += [case.pattern, case.guard]
    return [part for part in parts if part is not None]
