"""Which variables will be read again?"""

from __future__ import annotations

from collections.abc import Callable

from autograph_lite.conversion.cfg import Graph

__all__ = ["Liveness", "analyse"]


class Liveness:
    """The variables that are read later, at every node of a control flow graph.

    Example:
      >>> import gast
      >>> from autograph_lite.conversion import cfg, scopes
      >>> tree = gast.parse('''
      ... def f(a, b):
      ...     while a:
      ...         a = b
      ...         c = a
      ...     return a
      ... ''').body[0]
      >>> graph = cfg.build(tree.body, scopes.analyse(tree))
      >>> live, loop = analyse(graph), tree.body[0]
      >>> sorted(live.before(graph.head[loop])), sorted(live.before(graph.after[loop]))
      (['a', 'b'], ['a'])
    """

    def __init__(self, names: list[str], live: list[int]) -> None:
        self._names = names
        self._live = live

    def before(self, nodes: list[int]) -> set[str]:
        """The variables that may be read at or after one of these nodes, before being bound."""
        bits = 0
        for node in nodes:
            bits |= self._live[node]
        return names_in(bits, self._names)


def names_in(bits: int, names: list[str]) -> set[str]:
    """The names whose bits are set."""
    found = set()
    while bits:
        low = bits & -bits
        found.add(names[low.bit_length() - 1])
        bits ^= low
    return found


def numbering() -> tuple[list[str], Callable[[str], int]]:
    """A list of names, and a function that gives each name a bit of its own."""
    names: list[str] = []
    bits: dict[str, int] = {}

    def bit(name: str) -> int:
        if name not in bits:
            bits[name] = 1 << len(names)
            names.append(name)
        return bits[name]

    return names, bit


def analyse(graph: Graph, trusting: bool = False) -> Liveness:
    """Finds, backwards through the graph, where the value of each variable is still needed.

    Args:
      graph: the control flow graph.
      trusting: whether what a `with` block binds counts as bound behind it, though the block might
        have ended early by an exception that was swallowed.
    """
    swallowing = graph.swallowing if trusting else {}
    names, bit = numbering()
    count = len(graph.succ)
    uses, kept = [0] * count, [0] * count
    for index, effects in enumerate(graph.effects):
        for name in effects.reads() | effects.captures:
            uses[index] |= bit(name)
        kills = 0
        for name in effects.writes:
            if name not in effects.maybe:
                kills |= bit(name)
        for name in effects.deletes:
            kills |= bit(name)
        kept[index] = ~kills
    before = _predecessors(graph)
    live = [0] * count
    pending = list(range(count))
    waiting = [True] * count
    while pending:
        index = pending.pop()
        waiting[index] = False
        bits = 0
        for successor in swallowing.get(index, graph.succ[index]):
            bits |= live[successor]
        bits = uses[index] | bits & kept[index]
        if graph.hub[index] >= 0:
            bits |= live[graph.hub[index]]
        if bits != live[index]:
            live[index] = bits
            for predecessor in before[index]:
                if not waiting[predecessor]:
                    waiting[predecessor] = True
                    pending.append(predecessor)
    return Liveness(names, live)


def _predecessors(graph: Graph) -> list[list[int]]:
    before: list[list[int]] = [[] for _ in graph.succ]
    for index, successors in enumerate(graph.succ):
        for successor in successors:
            before[successor].append(index)
        if graph.hub[index] >= 0:
            before[graph.hub[index]].append(index)
    return before
