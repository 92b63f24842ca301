"""Where may a variable be unbound?"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from autograph_lite.conversion.cfg import Graph
from autograph_lite.conversion.liveness import names_in, numbering

__all__ = ["Definedness", "analyse"]


class Definedness:
    """Whether variables are bound, at every node of a control flow graph.

    Attributes:
      doubtful: the `Name` nodes that may read an unbound variable.
      doubtful_free: those of them that read it from a function of their own.
      thunked: the names that may be unbound where conversion makes a lambda of what reads them.
      captured: the names that may be unbound when a function that uses them is made or called.
    """

    def __init__(self, names: list[str], unbound: list[int], bound: list[int]) -> None:
        self.doubtful: set[Any] = set()
        self.doubtful_free: set[Any] = set()
        self.thunked: set[str] = set()
        self.captured: set[str] = set()
        self._names = names
        self._unbound = unbound
        self._bound = bound

    def maybe_unbound(self, nodes: list[int]) -> set[str]:
        """The variables that may be unbound when one of these nodes begins."""
        return self._union(self._unbound, nodes)

    def maybe_bound(self, nodes: list[int]) -> set[str]:
        """The variables that may have a value when one of these nodes begins."""
        return self._union(self._bound, nodes)

    def _union(self, table: list[int], nodes: list[int]) -> set[str]:
        bits = 0
        for node in nodes:
            bits |= table[node]
        return names_in(bits, self._names)


def analyse(
    graph: Graph, local: Iterable[str], params: Iterable[str], fickle: Iterable[str] = ()
) -> Definedness:
    """Follows the values of variables forwards through the graph.

    Args:
      graph: the control flow graph of a function.
      local: the names that belong to the function.
      params: those of them that are bound from the start.
      fickle: those of them that may become unbound at any time.

    Example:
      >>> import gast
      >>> from autograph_lite.conversion import cfg, scopes
      >>> tree = gast.parse('''
      ... def f(a):
      ...     if a: b = c = 1
      ...     else: c = 2
      ...     return b, c
      ... ''').body[0]
      >>> graph = cfg.build(tree.body, scopes.analyse(tree))
      >>> [node.id for node in analyse(graph, 'abc', 'a').doubtful]
      ['b']
    """
    names, bit = numbering()
    every = start = 0
    for name in local:
        every |= bit(name)
    for name in params:
        start |= bit(name)
    always = 0
    for name in fickle:
        always |= bit(name)
    unbound, bound = _flow(graph, bit, every, start & ~always, always)
    table = Definedness(names, unbound, bound)
    deleted = {name for effects in graph.effects for name in effects.deletes if every & bit(name)}
    for index, effects in enumerate(graph.effects):
        at = unbound[index]
        for node in effects.loads:
            if at & every & bit(node.id):
                table.doubtful.add(node)
        table.doubtful_free.update(n for n in effects.free_loads if n in table.doubtful)
        table.thunked.update(n.id for n in effects.thunked if n in table.doubtful)
        # What is unbound somewhere may be so when a function that uses it is called.
        table.captured |= effects.captures & deleted
        if not effects.captures:
            continue
        # Where a path that has not bound the name joins, the function may be handed on, too.
        at |= _later(graph, unbound, index)
        # A function may use itself: nobody can call it before its name is bound.
        for name in effects.captures:
            if at & every & bit(name) and name not in effects.writes:
                table.captured.add(name)
    return table


def _later(graph: Graph, unbound: list[int], index: int) -> int:
    """Which variables may be unbound at a node that comes after another one."""
    found, seen, waiting = 0, {index}, [index]
    while waiting:
        for target in graph.succ[waiting.pop()]:
            if target not in seen:
                seen.add(target)
                waiting.append(target)
                found |= unbound[target]
    return found


def _flow(
    graph: Graph, bit: Any, every: int, start: int, always: int
) -> tuple[list[int], list[int]]:
    """Which variables may be unbound, and which may be bound, when each node begins."""
    count = len(graph.succ)
    writes, maybe, deletes = [0] * count, [0] * count, [0] * count
    for index, effects in enumerate(graph.effects):
        for name in effects.writes:
            maybe[index] |= bit(name)
            if name not in effects.maybe:
                writes[index] |= bit(name) & ~always
        for name in effects.deletes:
            deletes[index] |= bit(name)
    unbound, bound = [0] * count, [0] * count
    reached = [False] * count
    if count:
        unbound[0], bound[0], reached[0] = every & ~start, start, True
    pending = deque([0] if count else [])
    while pending:
        index = pending.popleft()
        less, more = unbound[index], bound[index]
        less_after = less & ~writes[index] | deletes[index]
        more_after = (more | maybe[index]) & ~deletes[index]
        targets = [(target, less_after, more_after) for target in graph.succ[index]]
        if graph.hub[index] >= 0:
            targets.append((graph.hub[index], less | less_after, more | more_after))
        for target, less_in, more_in in targets:
            new_less, new_more = unbound[target] | less_in, bound[target] | more_in
            changed = new_less != unbound[target] or new_more != bound[target]
            if changed or not reached[target]:
                unbound[target], bound[target] = new_less, new_more
                reached[target] = True
                pending.append(target)
    return unbound, bound
