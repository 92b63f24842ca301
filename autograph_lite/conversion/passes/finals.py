"""Jumps that leave a `finally`, in functions that are converted in order to be traced.

Such a jump discards an exception, or another jump, on its way. So what is in the `finally` becomes
a clause for all exceptions, and another one for their absence:

    try: ...                        try: ...
    finally:                        except BaseException:
        if done: return 1               if done: return 1
                                        raise
                                    else:
                                        if done: return 1

Jumps in the `try` wait: they leave a loop of one pass, and are done after the `finally`.
"""

from __future__ import annotations

import ast
import copy
from typing import Any

import gast

from autograph_lite.conversion.names import Names
from autograph_lite.conversion.passes.tries import jumps_out
from autograph_lite.conversion.templates import constant, load, place, quote, store

__all__ = ["lower_finals"]

_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda, gast.ClassDef)
_LOOPS = (gast.For, gast.While, gast.AsyncFor)
_SUSPENDING = (gast.Yield, gast.YieldFrom, gast.Await)


def lower_finals(function: Any, names: Names) -> None:
    """Rewrites the `try` statements of a function, and of the functions in it, in place.

    Args:
      function: a gast `FunctionDef`; anything else is left alone.
      names: hands out names.

    Example:
      >>> tree = gast.parse('''
      ... def f(x):
      ...     try: g(x)
      ...     finally: return 1
      ... ''').body[0]
      >>> lower_finals(tree, Names())
      >>> print(ast.unparse(gast.gast_to_ast(tree)))
      def f(x):
          try:
              g(x)
          except BaseException:
              return 1
              raise
          else:
              return 1
    """
    for block in _blocks(function):
        new: list[Any] = []
        for statement in block:
            lower_finals(statement, names)
            new += _lowered(statement, names) if _is_left(statement) else [statement]
        block[:] = new


def _blocks(node: Any) -> list[list[Any]]:
    found = [getattr(node, field, None) for field in ("body", "orelse", "finalbody")]
    found += [part.body for part in getattr(node, "handlers", ())]
    found += [part.body for part in getattr(node, "cases", ())]
    return [block for block in found if isinstance(block, list)]


def _is_left(node: Any) -> bool:
    """Whether a statement is a `try` with a jump that leaves its `finally`."""
    if not isinstance(node, gast.Try) or not any(map(jumps_out, node.finalbody)):
        return False
    return not any(isinstance(inner, _SUSPENDING) for inner in ast.walk(node))


def _lowered(node: Any, names: Names) -> list[Any]:
    final = node.finalbody
    inside = node.body
    if node.handlers or node.orelse:
        inside = [place(gast.Try(node.body, node.handlers, node.orelse, []), node)]
    before: list[Any] = []
    after: list[Any] = []
    if any(map(jumps_out, inside)):
        waiting = _Waiting(names)
        inside = waiting.block(inside, False)
        inside = quote("while True:\n    inside\n    break", node, inside=inside)
        before = waiting.record(0, node)
        after = waiting.jumps(node)
    made = quote(
        "try: inside\nexcept BaseException:\n    final\n    raise\nelse:\n    copied\n    after",
        node,
        inside=inside,
        final=final,
        copied=copy.deepcopy(final),
        after=after,
    )
    return [*before, *made]


class _Waiting:
    """The jumps of a block, which are to be done later."""

    def __init__(self, names: Names) -> None:
        self.jump = names.fresh("jump")
        self.value = names.fresh("returned")
        # The kinds of jumps: what is recorded of the first is 1, and so on.
        self.kinds: list[type] = []

    def record(self, number: int, at: Any) -> list[Any]:
        """Notes which jump waits; 0 for none."""
        return [place(gast.Assign([store(self.jump, at)], constant(number, at), None), at)]

    def block(self, statements: list[Any], in_loop: bool) -> list[Any]:
        """Lets the jumps of a block leave a loop around it instead.

        Args:
          statements: the block.
          in_loop: whether it stands in a loop of its own, which `break` and `continue` are for.
        """
        new: list[Any] = []
        for statement in statements:
            new += self.statement(statement, in_loop)
        return new

    def statement(self, node: Any, in_loop: bool) -> list[Any]:
        if isinstance(node, gast.Return) or (
            isinstance(node, (gast.Break, gast.Continue)) and not in_loop
        ):
            return self.wait(node)
        if isinstance(node, _FUNCTIONS) or not jumps_out(node, in_loop):
            return [node]
        is_loop = isinstance(node, _LOOPS)
        for block in _blocks(node):
            # Jumps in the `else` of a loop are for the loop around it.
            inside = in_loop or (is_loop and block is node.body)
            block[:] = self.block(block, inside)
        if not is_loop:
            return [node]
        return [node, *quote("if jump: break", node, jump=self.jump)]

    def wait(self, node: Any) -> list[Any]:
        if type(node) not in self.kinds:
            self.kinds.append(type(node))
        value: list[Any] = []
        if isinstance(node, gast.Return):
            given = node.value or constant(None, node)
            value = [place(gast.Assign([store(self.value, node)], given, None), node)]
        number = self.kinds.index(type(node)) + 1
        return [*value, *self.record(number, node), place(gast.Break(), node)]

    def jumps(self, at: Any) -> list[Any]:
        """Does the jump that has waited."""
        made: list[Any] = []
        for number, kind in enumerate(self.kinds, 1):
            jump = gast.Return(load(self.value, at)) if kind is gast.Return else kind()
            test = place(gast.Compare(load(self.jump, at), [gast.Eq()], [constant(number, at)]), at)
            made.append(place(gast.If(test, [place(jump, at)], []), at))
        return made
