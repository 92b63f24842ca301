"""In which order can the parts of a function run?

`build` makes the control flow graph of one function: its nodes are simple statements and the
headers of compound ones. Functions inside it are single nodes.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph_lite.conversion.effects import Effects, effects_of
from autograph_lite.conversion.scopes import Scopes
from autograph_lite.conversion.walking import walk

__all__ = ["Graph", "build", "is_endless", "is_irrefutable", "never_suppresses"]

_LOOPS = (gast.For, gast.AsyncFor, gast.While)


class Graph:
    """A control flow graph.

    Attributes:
      effects: what each node does, by the node's number.
      succ: the nodes that may run next.
      hub: the node that runs next if this one raises, or -1.
      swallowing: the nodes where a `with` may end an exception that is raised while tracing, each
        with those that follow if it does not, as hardly any does.
      entry: the nodes with which a statement begins (several if it is part of a `finally`).
      after: the nodes that come after a compound statement.
      head: the nodes at which each pass of a loop begins.
      done_by: what each simple statement, and each expression in the header of another, does.
      span: the nodes that a statement has become, from the first to the one after the last.
      has_finals: whether there are `finally` clauses, whose nodes are in the spans of the jumps
        that they are run by, too.
    """

    def __init__(self) -> None:
        self.effects: list[Effects] = []
        self.succ: list[list[int]] = []
        self.hub: list[int] = []
        self.swallowing: dict[int, list[int]] = {}
        self.entry: dict[Any, list[int]] = {}
        self.after: dict[Any, list[int]] = {}
        self.head: dict[Any, list[int]] = {}
        self.done_by: dict[Any, Effects] = {}
        self.span: dict[Any, range] = {}
        self.has_finals = False


_NOTHING = Effects()


def build(body: list[Any], scopes: Scopes) -> Graph:
    """Builds the control flow graph of a function's body.

    Args:
      body: the statements.
      scopes: the scopes of the tree they are from.

    Example:
      >>> from autograph_lite.conversion.scopes import analyse
      >>> tree = gast.parse('''
      ... def f(a):
      ...     while a: a = g(a)
      ...     return a
      ... ''').body[0]
      >>> build(tree.body, analyse(tree)).succ
      [[1], [2], [4, 3], [5], [2], []]
    """
    builder = _Builder(scopes)
    builder.node()
    builder.block(body)
    return builder.graph


class _Jump:
    """Where a jump goes, and how many `finally` clauses are open there."""

    def __init__(self, node: int, depth: int) -> None:
        self.node = node
        self.depth = depth


class _Builder:
    def __init__(self, scopes: Scopes) -> None:
        self.graph = Graph()
        self.scopes = scopes
        self.current: int | None = None
        self.hub = -1
        self.breaks: list[_Jump] = []
        self.continues: list[_Jump] = []
        # What runs when a jump leaves an open `finally` or handler, and the hub outside of it.
        self.finals: list[tuple[list[Any] | Effects, int]] = []

    # Nodes

    def node(self, effects: Effects = _NOTHING, linked: bool = True) -> int:
        graph = self.graph
        index = len(graph.succ)
        graph.effects.append(effects)
        graph.succ.append([])
        graph.hub.append(self.hub)
        if linked:
            if self.current is not None:
                graph.succ[self.current].append(index)
            self.current = index
        return index

    def link(self, target: int) -> None:
        if self.current is not None:
            self.graph.succ[self.current].append(target)

    def run(self, *nodes: Any) -> int:
        """Adds a node for expressions and simple statements that run one after the other."""
        effects = effects_of([n for n in nodes if n is not None], self.scopes)
        if len(nodes) == 1:
            self.graph.done_by[nodes[0]] = effects
        return self.node(effects)

    # Statements

    def block(self, statements: Iterable[Any]) -> None:
        for statement in statements:
            first = len(self.graph.succ)
            handler = _HANDLERS.get(type(statement))
            if handler is not None:
                handler(self, statement)
            else:
                self.run(statement)
            self.graph.entry.setdefault(statement, []).append(first)
            self.graph.span[statement] = range(first, len(self.graph.succ))

    def _join(self, statement: Any, *ends: int | None) -> None:
        """Lets several ways come together after a compound statement."""
        self.current = None
        joint = self.node(linked=False)
        for end in ends:
            if end is not None:
                self.graph.succ[end].append(joint)
        if statement is not None:
            self.graph.after.setdefault(statement, []).append(joint)
        self.current = joint if any(end is not None for end in ends) else None

    def condition(self, test: Any) -> tuple[int | None, int | None]:
        """Adds the nodes of a test; gives those after which it is true, and false.

        Only what `:=` binds can depend on which parts of a test are evaluated.
        """
        negated = isinstance(test, gast.UnaryOp) and isinstance(test.op, gast.Not)
        splits = negated or isinstance(test, gast.BoolOp)
        if not splits or not any(isinstance(node, gast.NamedExpr) for node in walk(test)):
            node = self.run(test)
            return node, node
        if negated:
            yes, no = self.condition(test.operand)
            return no, yes
        is_and = isinstance(test.op, gast.And)
        decided: list[int | None] = []
        for value in test.values:
            yes, no = self.condition(value)
            decided.append(no if is_and else yes)
            self.current = yes if is_and else no
        last = self.current
        self._join(None, *decided)
        return (last, self.current) if is_and else (self.current, last)

    def _if(self, statement: Any) -> None:
        yes, no = self.condition(statement.test)
        self.current = yes
        self.block(statement.body)
        end = self.current
        self.current = no
        self.block(statement.orelse)
        self._join(statement, end, self.current)

    def _loop(self, statement: Any) -> None:
        graph = self.graph
        is_for = not isinstance(statement, gast.While)
        if is_for:
            self.run(statement.iter)
        else:
            self.node()
        first = len(graph.succ)
        if is_for:
            asked: Any = self.run(getattr(statement, "extra_test", None))
            yes, no = asked, asked
        else:
            yes, no = self.condition(statement.test)
        head = first
        graph.head.setdefault(statement, []).append(head)
        exit_ = self.node(linked=False)
        self.breaks.append(_Jump(exit_, len(self.finals)))
        self.continues.append(_Jump(head, len(self.finals)))
        self.current = yes
        if is_for:
            self.run(statement.target)
        self.block(statement.body)
        self.link(head)
        self.breaks.pop()
        self.continues.pop()
        self.current = None if is_endless(statement) else no
        self.block(statement.orelse)
        self.link(exit_)
        graph.after.setdefault(statement, []).append(exit_)
        self.current = exit_

    def _jump(self, statement: Any) -> None:
        self.run(getattr(statement, "value", None))
        if isinstance(statement, gast.Return):
            target = None
        else:
            jumps = self.breaks if isinstance(statement, gast.Break) else self.continues
            target = jumps[-1] if jumps else None
        self._through_finals(target.depth if target else 0)
        if target is not None:
            self.link(target.node)
        self.current = None

    def _through_finals(self, depth: int) -> None:
        """Runs the `finally` clauses that a jump leaves, innermost first."""
        finals, hub = self.finals, self.hub
        while len(self.finals) > depth and self.current is not None:
            final, outer_hub = self.finals[-1]
            self.finals, self.hub = self.finals[:-1], outer_hub
            if isinstance(final, Effects):
                self.node(final)
            else:
                self.block(final)
        self.finals, self.hub = finals, hub

    def _raise(self, statement: Any) -> None:
        self.run(statement.exc, statement.cause)
        self.current = None

    def _with(self, statement: Any) -> None:
        for item in statement.items:
            self.run(item.context_expr)
        hub, keeps = self.hub, all(never_suppresses(item) for item in statement.items)
        if not keeps:
            self.hub = self.node(linked=False)  # the exception may end here
            if hub >= 0:
                self.graph.succ[self.hub].append(hub)
            if not getattr(statement, "staged", False):
                self.graph.swallowing[self.hub] = list(self.graph.succ[self.hub])
        inner = self.hub
        for item in statement.items:
            if item.optional_vars is not None:
                self.run(item.optional_vars)
        self.block(statement.body)
        self.hub = hub
        self._join(statement, self.current, None if keeps else inner)

    def _try(self, statement: Any) -> None:
        self.node()
        final_hub = outer_hub = self.hub
        if statement.finalbody:
            self.graph.has_finals = True
            final_hub = self.node(linked=False)
            self.finals.append((statement.finalbody, outer_hub))
        self.hub = final_hub
        if statement.handlers:
            self.hub = self.node(linked=False)
        body_hub = self.hub
        self.block(statement.body)
        self.hub = final_hub
        self.block(statement.orelse)
        ends = [self.current]
        if statement.handlers:
            # An exception that no handler wants goes on.
            if final_hub >= 0:
                self.graph.succ[body_hub].append(final_hub)
            ends += [self._handler(handler, body_hub) for handler in statement.handlers]
        if statement.finalbody:
            self.finals.pop()
            self.hub = outer_hub
            self._join(None, *ends)
            self.block(statement.finalbody)
            ends = [self.current]
            self.current = final_hub
            self.block(statement.finalbody)
            if outer_hub >= 0:
                self.link(outer_hub)
        self._join(statement, *ends)

    def _handler(self, handler: Any, hub: int) -> int | None:
        self.current = hub
        self.run(handler.type)
        if handler.name is None:
            self.block(handler.body)
            return self.current
        self.run(handler.name)
        # However the handler is left, its name is unbound then.
        unbind = Effects()
        unbind.deletes.add(handler.name.id)
        outer = self.hub
        self.hub = self.node(unbind, linked=False)
        self.graph.hub[self.hub] = outer
        if outer >= 0:
            self.graph.succ[self.hub].append(outer)
        self.finals.append((unbind, outer))
        self.block(handler.body)
        self.finals.pop()
        self.hub = outer
        if self.current is not None:
            self.node(unbind)
        return self.current

    def _match(self, statement: Any) -> None:
        self.run(statement.subject)
        ends: list[int | None] = []
        for case in statement.cases:
            before = self.current
            # A pattern that fails may have bound some of its names.
            self.run(case.pattern)
            tried = self.current
            if case.guard is not None:
                tried = self.run(case.guard)
            self.block(case.body)
            ends.append(self.current)
            joint = self.node(linked=False)
            for end in (before, tried):
                if end is not None:
                    self.graph.succ[end].append(joint)
            self.current = joint
            if is_irrefutable(case):
                self.current = None
                break
        self._join(statement, *ends, self.current)


def is_endless(loop: Any) -> bool:
    """Whether a loop's test can never fail."""
    return (
        isinstance(loop, gast.While)
        and isinstance(loop.test, gast.Constant)
        and bool(loop.test.value)
    )


def is_irrefutable(case: Any) -> bool:
    """Whether a case of a `match` always fits."""
    pattern = case.pattern
    while isinstance(pattern, gast.MatchAs) and pattern.pattern is not None:
        pattern = pattern.pattern
    if isinstance(pattern, gast.MatchOr):
        pattern = pattern.patterns[-1]
    return case.guard is None and isinstance(pattern, gast.MatchAs) and pattern.pattern is None


def never_suppresses(item: Any) -> bool:
    """Whether a context manager is known to let exceptions through: files do, and the library's."""
    call = item.context_expr
    if not isinstance(call, gast.Call):
        return False
    if isinstance(call.func, gast.Attribute):
        return call.func.attr in _LETTING_THROUGH
    return isinstance(call.func, gast.Name) and call.func.id in ("open", *_LETTING_THROUGH)


_LETTING_THROUGH = frozenset(
    {
        *("GradientTape", "name_scope", "device", "init_scope", "control_dependencies"),
        *("errstate", "except_star"),
    }
)


_HANDLERS: dict[type, Any] = {
    gast.If: _Builder._if,
    gast.For: _Builder._loop,
    gast.AsyncFor: _Builder._loop,
    gast.While: _Builder._loop,
    gast.Break: _Builder._jump,
    gast.Continue: _Builder._jump,
    gast.Return: _Builder._jump,
    gast.Raise: _Builder._raise,
    gast.With: _Builder._with,
    gast.AsyncWith: _Builder._with,
    gast.Try: _Builder._try,
    gast.TryStar: _Builder._try,
    gast.Match: _Builder._match,
}
