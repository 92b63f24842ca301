"""Replaces `break`, `continue` and `return` by structured code.

Where a branch ends in a jump, what follows the branch moves into the other branch:

    if done: return x           if done: return_value = x
    rest                        else: rest

Where that cannot express it, the jump sets a flag, and what follows asks the flag. The three jumps
share one pass, since they mix in one block and share its restructuring.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import gast

from autograph_lite.conversion.cfg import is_endless, is_irrefutable, never_suppresses
from autograph_lite.conversion.names import Names
from autograph_lite.conversion.passes.native import Jumps, find_jumps
from autograph_lite.conversion.scopes import Scope
from autograph_lite.conversion.templates import constant, load, place, quote, store

__all__ = ["Lowered", "lower_jumps"]

# Deeper nesting is avoided: Python counts each level as two calls.
_MAX_NESTING = 8
_MAX_CHAIN = 10


class Lowered(NamedTuple):
    """What the jumps of a function have become.

    Attributes:
      native: the branches and loops that must stay native.
      changed: whether the function is no longer as it was.
    """

    native: set[Any]
    changed: bool


def lower_jumps(function: Any, scope: Scope, names: Names, staging: bool = False) -> Lowered:
    """Rewrites a function's jumps in place.

    Args:
      function: a gast `FunctionDef`.
      scope: its scope; the flags are added to it.
      names: names that are still free.
      staging: whether `try` is converted like branches and loops.

    Example:
      >>> import ast
      >>> from autograph_lite.conversion.scopes import analyse
      >>> tree = gast.parse('''
      ... def f(xs):
      ...     for x in xs:
      ...         if x: continue
      ...         g(x)
      ... ''').body[0]
      >>> _ = lower_jumps(tree, analyse(tree)[tree], Names())
      >>> print(ast.unparse(gast.gast_to_ast(tree)))
      def f(xs):
          for x in xs:
              if x:
                  pass
              else:
                  g(x)
    """
    before = list(_statements(function.body))
    jumps = find_jumps(function.body, staging)
    lowering = _Lowering(jumps, scope, names, staging)
    function.body = lowering.function(function.body)
    changed = bool(lowering.flags) or before != list(_statements(function.body))
    return Lowered(jumps.native, changed)


def _statements(block: list[Any]) -> Iterator[Any]:
    """The statements of a block, and None where a block of theirs begins or ends."""
    for node in block:
        yield node
        for inner in _blocks(node):
            if inner:
                yield None
                yield from _statements(inner)
                yield None


class _Loop:
    """The flags of one loop, named when they are first needed."""

    def __init__(self, native: bool) -> None:
        self.native = native
        self.flags: dict[str, str] = {}


class _Result:
    """A lowered block.

    Attributes:
      body: the statements.
      pending: the flags that may be set when it is done.
      ends: whether it is never done, or only with a flag set.
      doubt: whether a flag may have been set since flags were asked last.
    """

    def __init__(self) -> None:
        self.body: list[Any] = []
        self.pending: dict[str, None] = {}
        self.ends = False
        self.doubt = False

    def pend(self, flags: Iterable[str]) -> None:
        """Records flags that may have been set."""
        for flag in flags:
            self.pending[flag] = None
            self.doubt = True


class _Lowering:
    def __init__(self, jumps: Jumps, scope: Scope, names: Names, staging: bool) -> None:
        self.staging = staging
        self.jumps = jumps
        self.scope = scope
        self.names = names
        self.flags: set[str] = set()
        self.read_flags: set[str] = set()
        self.return_flag = ""
        self.return_value = ""

    def function(self, body: list[Any]) -> list[Any]:
        if not self.jumps.lowered_return:
            return self.without_idle_flags(self.block(body, False, None, 0).body)
        self.return_flag = self.fresh("do_return")
        if self.jumps.returns_value:
            self.return_value = self.fresh("return_value")
            if not _ends(body):
                body = body + [place(gast.Return(constant(None, body[-1])), body[-1])]
        new = self.without_idle_flags(self.block(body, False, None, 0).body)
        if self.return_value:
            value = load(self.return_value, body[-1])
            new.append(place(gast.Return(value), body[-1]))
        if self.return_flag in self.read_flags:
            first = 1 if _is_docstring(new[0]) else 0
            new[first:first] = self.flag(self.return_flag, False, body[first])
        return new

    def fresh(self, base: str) -> str:
        name = self.names.fresh(base)
        self.scope.bound[name] = None
        self.flags.add(name)
        return name

    def without_idle_flags(self, body: list[Any]) -> list[Any]:
        """Drops what sets flags that nobody reads."""
        idle = self.flags - self.read_flags - {self.return_value}
        for name in idle:
            del self.scope.bound[name]
        return _without(body, idle) if idle else body

    def flag(self, name: str, value: bool, at: Any) -> list[Any]:
        node = place(gast.Assign([store(name, at)], constant(value, at), None), at)
        node.flag = name
        return [node]

    def none_of(self, flags: Iterable[str], at: Any) -> Any:
        """`not (a or b)`"""
        flags = list(flags)
        self.read_flags.update(flags)
        test = load(flags[0], at)
        if len(flags) > 1:
            test = place(gast.BoolOp(gast.Or(), [load(flag, at) for flag in flags]), at)
        return place(gast.UnaryOp(gast.Not(), test), at)

    # Blocks

    def block(self, statements: list[Any], inside: bool, loop: _Loop | None, depth: int) -> _Result:
        """Lowers a block.

        Args:
          statements: the block.
          inside: whether it is a part of a converted branch or loop.
          loop: the loop that `break` and `continue` are for.
          depth: how many blocks were moved into branches around it.
        """
        result = _Result()
        sink = result.body
        queue = deque(statements)
        while queue and not result.ends:
            statement = queue.popleft()
            if result.doubt and not isinstance(statement, gast.Pass):
                result.doubt, inside = False, True
                sink = []
                test = self.none_of(result.pending, statement)
                result.body.append(place(gast.If(test, sink, []), statement))
            if isinstance(statement, gast.If):
                self.if_(statement, sink, queue, result, (inside, loop, depth))
            elif isinstance(statement, (gast.For, gast.While)):
                self.loop(statement, sink, queue, result, (inside, loop, depth))
            elif isinstance(statement, (gast.Break, gast.Continue)):
                self.break_or_continue(statement, sink, result, loop)
            elif isinstance(statement, gast.Return):
                self.return_(statement, sink, result, inside)
            else:
                self.other(statement, sink, result, (inside, loop, depth))
        if not result.body:
            at = statements[0] if statements else None
            result.body.append(place(gast.Pass(), at))
        return result

    def inner(self, statements: list[Any], result: _Result, context: Any) -> _Result:
        """Lowers a block that is a part of a statement of the block of `result`."""
        if not statements:
            return _Result()
        new = self.block(statements, *context)
        result.pend(new.pending)
        return new

    # Jumps

    def break_or_continue(
        self, statement: Any, sink: list[Any], result: _Result, loop: _Loop | None
    ) -> None:
        assert loop is not None
        result.ends = True
        if loop.native:
            sink.append(statement)
            return
        base = "did_break" if isinstance(statement, gast.Break) else "did_continue"
        if base not in loop.flags:
            loop.flags[base] = self.fresh(base)
        sink += self.flag(loop.flags[base], True, statement)
        result.pend([loop.flags[base]])

    def return_(self, statement: Any, sink: list[Any], result: _Result, inside: bool) -> None:
        result.ends = True
        if not inside:
            sink.append(statement)
            return
        if self.return_value:
            value = statement.value or constant(None, statement)
            target = [store(self.return_value, statement)]
            sink.append(place(gast.Assign(target, value, None), statement))
        elif statement.value is not None:
            sink.append(place(gast.Expr(statement.value), statement))
        sink += self.flag(self.return_flag, True, statement)
        result.pend([self.return_flag])

    # Compound statements

    def if_(
        self, node: Any, sink: list[Any], queue: deque[Any], result: _Result, context: Any
    ) -> None:
        inside, loop, depth = context
        native = node in self.jumps.native
        if not native and _chain_length(node) > _MAX_CHAIN:
            sink += self.split_chain(node, queue)
        if not native and node in self.jumps.crossed and queue and depth < _MAX_NESTING:
            if _ends(node.body):
                node.orelse = node.orelse + list(queue)
                queue.clear()
                depth += 1
            elif node.orelse and _ends(node.orelse):
                node.body = node.body + list(queue)
                queue.clear()
                depth += 1
        within = (inside or not native, loop, depth)
        body = self.inner(node.body, result, within)
        orelse = self.inner(node.orelse, result, within)
        node.body, node.orelse = body.body, orelse.body
        result.ends = body.ends and orelse.ends
        sink.append(node)

    def split_chain(self, node: Any, queue: deque[Any]) -> list[Any]:
        """Cuts a long chain of `elif`s, and puts its other parts in front of the queue.

        They stand one after the other, not one inside the other.
        """
        flag = self.fresh("fell_through")
        self.read_flags.add(flag)
        parts = []
        first = part = node
        while _chain_length(part) > _MAX_CHAIN:
            for _ in range(_MAX_CHAIN - 1):
                part = part.orelse[0]
            rest, part.orelse = part.orelse, self.flag(flag, True, part.orelse[0])
            part = rest[0]
            body = self.flag(flag, False, part) + rest
            parts.append(place(gast.If(load(flag, part), body, []), part))
        if first in self.jumps.crossed:
            self.jumps.crossed.update(parts)
        queue.extendleft(reversed(parts))
        return self.flag(flag, False, node)

    def loop(
        self, node: Any, sink: list[Any], queue: deque[Any], result: _Result, context: Any
    ) -> None:
        inside, _, depth = context
        if node in self.jumps.native:
            node.body = self.block(node.body, inside, _Loop(True), depth).body
            node.orelse = self.inner(node.orelse, result, context).body
            sink.append(node)
            return
        if is_endless(node):
            # Only a jump ends it, and then its `else` does not run.
            node.orelse = []
        loop = _Loop(False)
        body = self.block(node.body, True, loop, 0)
        node.body = body.body
        after = {flag: None for flag in body.pending if flag not in loop.flags.values()}
        flags = dict(after)
        did_break, did_continue = loop.flags.get("did_break"), loop.flags.get("did_continue")
        if did_continue in self.read_flags:
            node.body[:0] = self.flag(did_continue, False, node)  # type: ignore[arg-type]
        if did_break:
            sink += self.flag(did_break, False, node)
            flags = {did_break: None, **flags}
        endless = is_endless(node) and not did_break
        if flags:
            self.stop_at(node, flags)
        sink.append(node)
        result.pend(after)
        result.ends = endless
        orelse, node.orelse = node.orelse, []
        if orelse and did_break:
            guard = place(gast.If(self.none_of([did_break], orelse[0]), orelse, []), orelse[0])
            if _has_jump(orelse):
                self.jumps.crossed.add(guard)
            queue.appendleft(guard)
        else:
            queue.extendleft(reversed(orelse))

    def stop_at(self, node: Any, flags: Iterable[str]) -> None:
        """Makes a loop stop when a flag is set."""
        go_on = self.none_of(flags, node)
        if isinstance(node, gast.For):
            node.extra_test = go_on
        elif is_endless(node):
            node.test = go_on
        else:
            node.test = place(gast.BoolOp(gast.And(), [go_on, node.test]), node.test)

    def other(self, node: Any, sink: list[Any], result: _Result, context: Any) -> None:
        sink.append(node)
        if isinstance(node, gast.Raise):
            result.ends = True
        elif isinstance(node, gast.With):
            self.with_(node, sink, result, context)
        elif isinstance(node, (gast.Try, gast.TryStar)):
            self.try_(node, result, context)
        elif isinstance(node, gast.Match):
            ends = True
            for case in node.cases:
                new = self.inner(case.body, result, context)
                case.body, ends = new.body, ends and new.ends
            result.ends = ends and is_irrefutable(node.cases[-1])

    def with_(self, node: Any, sink: list[Any], result: _Result, context: Any) -> None:
        if getattr(node, "staged", False) and node not in self.jumps.native:
            context = (True, *context[1:])
        if len(node.items) > 1 and _has_jump(node.body):
            inner = place(gast.With(node.items[1:], node.body, None), node)
            node.items, node.body = node.items[:1], [inner]
        discards = _may_discard(node.body) and not all(map(never_suppresses, node.items))
        body = self.inner(node.body, result, context)
        node.body = body.body
        if discards and body.pending:
            # An exception on the way out that is swallowed here takes the jump with it.
            completed = self.fresh("completed")
            sink[-1:] = [*self.flag(completed, False, node), node]
            node.body += self.flag(completed, True, node.body[-1])
            untouched = self.none_of([completed], node)
            sink.append(place(gast.If(untouched, self.reset(body, node), []), node))

    def reset(self, body: _Result, at: Any) -> list[Any]:
        """Forgets the jumps of a block that an exception has discarded."""
        return [node for flag in body.pending for node in self.flag(flag, False, at)]

    def try_(self, node: Any, result: _Result, context: Any) -> None:
        if self.staging and isinstance(node, gast.Try) and node not in self.jumps.native:
            context = (True, *context[1:])
        discards = _may_discard(node.body)
        body = self.inner(node.body, result, context)
        node.body, ends = body.body, body.ends
        if node.orelse and body.ends:
            node.orelse = []
        elif node.orelse and body.pending:
            # Python skips the `else` when a jump leaves the body.
            inside = self.inner(node.orelse, result, (True, *context[1:]))
            test = self.none_of(body.pending, node.orelse[0])
            node.orelse, ends = [place(gast.If(test, inside.body, []), node.orelse[0])], inside.ends
        elif node.orelse:
            orelse = self.inner(node.orelse, result, context)
            node.orelse, ends = orelse.body, orelse.ends
        for handler in node.handlers:
            new = self.inner(handler.body, result, context)
            handler.body, ends = new.body, ends and new.ends
            if discards and body.pending:
                handler.body[:0] = self.reset(body, handler)
        final = self.inner(node.finalbody, result, context)
        node.finalbody = final.body
        result.ends = ends or final.ends


def _is_docstring(node: Any) -> bool:
    return (
        isinstance(node, gast.Expr)
        and isinstance(node.value, gast.Constant)
        and isinstance(node.value.value, str)
    )


def _is_elif(orelse: list[Any]) -> bool:
    return len(orelse) == 1 and isinstance(orelse[0], gast.If)


def _chain_length(node: Any) -> int:
    length = 1
    while _is_elif(node.orelse):
        node = node.orelse[0]
        length += 1
    return length


def _ends(statements: list[Any]) -> bool:
    """Whether a block that is not yet lowered never runs to its end."""
    return any(_statement_ends(statement) for statement in statements)


def _statement_ends(node: Any) -> bool:
    if isinstance(node, (gast.Return, gast.Break, gast.Continue, gast.Raise)):
        return True
    if isinstance(node, gast.If):
        return bool(node.orelse) and _ends(node.body) and _ends(node.orelse)
    if isinstance(node, gast.While):
        return is_endless(node) and not _breaks(node.body)
    if isinstance(node, (gast.Try, gast.TryStar)):
        if _ends(node.finalbody):
            return True
        done = _ends(node.body) or _ends(node.orelse)
        return done and all(_ends(handler.body) for handler in node.handlers)
    if isinstance(node, gast.Match):
        return is_irrefutable(node.cases[-1]) and all(_ends(case.body) for case in node.cases)
    return False


def _blocks(node: Any) -> list[list[Any]]:
    """The blocks of a compound statement, but not those of functions and classes."""
    if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
        return []
    blocks = [getattr(node, field, None) or [] for field in ("body", "orelse", "finalbody")]
    blocks += [handler.body for handler in getattr(node, "handlers", ())]
    blocks += [case.body for case in getattr(node, "cases", ())]
    return blocks


def _breaks(statements: list[Any]) -> bool:
    """Whether a `break` in the body of a loop leaves that loop."""
    for node in statements:
        if isinstance(node, gast.Break):
            return True
        blocks = [node.orelse] if isinstance(node, (gast.For, gast.While)) else _blocks(node)
        if any(_breaks(block) for block in blocks):
            return True
    return False


def _has_jump(statements: list[Any]) -> bool:
    for node in statements:
        if isinstance(node, (gast.Break, gast.Continue, gast.Return)):
            return True
        if any(_has_jump(block) for block in _blocks(node)):
            return True
    return False


def _may_discard(statements: list[Any]) -> bool:
    """Whether a jump in a block may be discarded by an exception that is raised on its way."""
    for node in statements:
        exits = isinstance(node, gast.With) or getattr(node, "finalbody", None)
        exits = exits and not getattr(node, "quiet", False)
        if exits and _has_jump([node]):
            return True
        if any(_may_discard(block) for block in _blocks(node)):
            return True
    return False


def _without(statements: list[Any], idle: set[str]) -> list[Any]:
    kept = [node for node in statements if getattr(node, "flag", None) not in idle]
    for node in kept:
        if isinstance(node, (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)):
            continue
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if block:
                setattr(node, field, _without(block, idle))
        for part in [*getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
            part.body = _without(part.body, idle)
    if not kept and statements:
        kept = quote("pass", statements[0])
    return kept
