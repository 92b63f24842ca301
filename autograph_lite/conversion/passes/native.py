"""Which branches and loops have to stay as they are?

A jump that leaves a `finally` clause discards an exception or another jump on its way. Flags cannot
say that, so every `if` and loop between such a jump and its target stays native, and so does every
other jump of the same `try`.
"""

from __future__ import annotations

from typing import Any

import gast

__all__ = ["Jumps", "find_jumps"]

_BRANCHES = (gast.If, gast.For, gast.While)


class Jumps:
    """What the jumps of one function demand.

    Attributes:
      native: the branches and loops that must stay native.
      crossed: the branches and loops that some jump leaves for a target further out.
      lowered_return: whether a `return` stands in a branch or loop that is converted.
      returns_value: whether some `return` has a value other than None.
    """

    def __init__(self) -> None:
        self.native: set[Any] = set()
        self.crossed: set[Any] = set()
        self.lowered_return = False
        self.returns_value = False


def find_jumps(body: list[Any], staging: bool = False) -> Jumps:
    """Looks at the jumps in a function's body.

    Args:
      body: the statements.
      staging: whether `try` and `with` are converted like branches and loops.

    Example:
      >>> loop = gast.parse('''
      ... for x in y:
      ...     try: f(x)
      ...     finally: break
      ... ''').body
      >>> find_jumps(loop).native == set(loop)
      True
    """
    finder = _Finder((*_BRANCHES, gast.Try, gast.With) if staging else _BRANCHES)
    finder.block(body)
    return finder.result()


class _Finder:
    def __init__(self, converted: tuple[type, ...]) -> None:
        self.converted = converted
        # What is around the current statement: branches, loops, `try`s and, for the clauses that
        # are special, pairs of 'finally' and the `try`, of 'else' and the loop.
        self.around: list[Any] = []
        self.paths: list[tuple[Any, list[Any]]] = []  # each jump and what it leaves
        self.jumping_tries: set[Any] = set()
        self.jumps = Jumps()

    def block(self, statements: list[Any]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: Any) -> None:
        if isinstance(node, (gast.Return, gast.Break, gast.Continue)):
            self.jump(node)
        elif isinstance(node, (gast.Try, gast.TryStar)):
            self.try_(node)
        elif isinstance(node, (gast.For, gast.While)):
            self.inside(node, node.body)
            # It moves out of the loop, into a branch of its own.
            self.inside(("else", node), node.orelse)
        elif isinstance(node, gast.If):
            self.inside(node, node.body)
            self.inside(node, node.orelse)
        elif isinstance(node, gast.With):
            if getattr(node, "staged", False):
                self.inside(node, node.body)
            else:
                self.block(node.body)
        elif isinstance(node, gast.Match):
            for case in node.cases:
                self.block(case.body)

    def inside(self, around: Any, statements: list[Any]) -> None:
        self.around.append(around)
        self.block(statements)
        self.around.pop()

    def try_(self, node: Any) -> None:
        self.around.append(node)
        self.block(node.body)
        for handler in node.handlers:
            self.block(handler.body)
        self.block(node.orelse)
        self.inside(("finally", node), node.finalbody)
        self.around.pop()

    def jump(self, node: Any) -> None:
        start = 0
        if isinstance(node, gast.Return):
            value = node.value
            if value is not None and not (isinstance(value, gast.Constant) and value.value is None):
                self.jumps.returns_value = True
        else:
            loops = [i for i, a in enumerate(self.around) if isinstance(a, (gast.For, gast.While))]
            start = loops[-1]
        path = self.around[start:]
        self.jumping_tries.update(
            item[1] for item in path if isinstance(item, tuple) and item[0] == "finally"
        )
        self.paths.append((node, path))

    def branches(self, path: list[Any]) -> list[Any]:
        """The converted statements on a path; the `else` of a loop counts as the loop."""
        items = [
            item[1] if isinstance(item, tuple) and item[0] == "else" else item for item in path
        ]
        return [item for item in items if isinstance(item, self.converted)]

    def result(self) -> Jumps:
        jumps = self.jumps
        forced = [not self.jumping_tries.isdisjoint(_plain(path)) for _, path in self.paths]
        changed = True
        while changed:
            changed = False
            no_return = any(
                force and isinstance(jump, gast.Return)
                for force, (jump, _) in zip(forced, self.paths, strict=True)
            )
            for index, (jump, path) in enumerate(self.paths):
                branches = self.branches(path)
                force = forced[index] or not jumps.native.isdisjoint(branches)
                force = force or (no_return and isinstance(jump, gast.Return))
                if force and (not forced[index] or not jumps.native.issuperset(branches)):
                    jumps.native.update(branches)
                    forced[index] = changed = True
        for jump, path in self.paths:
            branches = self.branches(path)
            is_return = isinstance(jump, gast.Return)
            jumps.crossed.update(branches if is_return else branches[1:])
            if is_return and not jumps.native.issuperset(branches):
                jumps.lowered_return = True
        return jumps


def _plain(path: list[Any]) -> list[Any]:
    return [item for item in path if not isinstance(item, tuple)]
