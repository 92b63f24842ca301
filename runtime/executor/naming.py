"""Which values share a name in a printed plan.

Every value is assigned once, so a loop that is printed naively moves values around at the end of
each pass. Values that are handed on to one another (into a loop variable, out of a branch, through
an update in place) share one name where their lifetimes allow it, and the moves vanish. Lifetimes
are found as compilers find them: walking backwards, a value that is defined interferes with all
that are live at that point.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from runtime.executor.inlining import Inlining, is_large
from runtime.executor.statements import Block, Call, Copy, If, Procedure, Value, While

Ids = set[int]


class Naming:
    """The values that share names.

    Args:
      procedure: what is to be printed.
      inlining: the values that need no name.
    """

    def __init__(self, procedure: Procedure, inlining: Inlining) -> None:
        self._inlining = inlining
        self._leaders: dict[int, Value] = {}
        self._members: dict[int, list[Value]] = {}
        self._edges: dict[int, Ids] = {}
        self._ranks: dict[int, int] = {}
        self._parameters = set(map(id, procedure.parameters))
        # By the id of a statement: the large values that it is the last to use, what is live then.
        self._last_uses: dict[int, tuple[list[Value], Ids]] = {}
        self._pairs = _affinities(procedure, inlining)
        self._candidates = {id(v) for pair in self._pairs for v in pair}
        for number, parameter in enumerate(procedure.parameters):
            self._ranks[id(parameter)] = 0
            if id(parameter) in self._candidates:
                others = procedure.parameters[:number]
                self._interfere(parameter, {id(p) for p in others if id(p) in self._candidates})
        live = self._block(procedure.body, set())
        for parameter in procedure.parameters:
            self._interfere(parameter, live)
        for a, b in self._pairs:
            self._merge(a, b)

    def leader(self, value: Value) -> Value:
        """The value whose name `value` bears."""
        return self._leaders.get(id(value), value)

    def members(self, leader: Value) -> list[Value]:
        """All that share a name, the one whose own name is the best first."""
        members = self._members.get(id(leader), [leader])
        return sorted(members, key=lambda v: self._ranks.get(id(v), 2))

    def freed_after(self, statement: Any) -> list[Value]:
        """The large values that a statement uses last, if their names hold nothing else by then."""
        values, live = self._last_uses.get(id(statement), ((), set()))
        if not values:
            return []
        names = {self._leader_id(i) for i in live}
        return [v for v in values if self._leader_id(id(v)) not in names]

    def _leader_id(self, value: int) -> int:
        leader = self._leaders.get(value)
        return value if leader is None else id(leader)

    # ---- lifetimes

    def _used(self, values: Iterable[Value]) -> Ids:
        return {id(v) for value in values for v in self._inlining.uses(value)}

    def _interfere(self, value: Value, live: Ids) -> None:
        if id(value) not in self._candidates:
            return
        others = live & self._candidates
        others.discard(id(value))
        self._edges.setdefault(id(value), set()).update(others)
        for other in others:
            self._edges.setdefault(other, set()).add(id(value))

    def _block(self, block: Block, live_after: Ids) -> Ids:
        """Walks a block backwards; gives what is live before it."""
        live = live_after | self._used(block.results)
        for statement in reversed(block.statements):
            if isinstance(statement, Call):
                self._call(statement, live)
            elif isinstance(statement, Copy):
                self._interfere(statement.target, live)
                live.discard(id(statement.target))
                live |= self._used([statement.source])
            elif isinstance(statement, If):
                live = self._branch(statement, live)
            elif isinstance(statement, While):
                live = self._loop(statement, live)
        return live

    def _call(self, call: Call, live: Ids) -> None:
        """A call that is printed where its result is used is no definition."""
        if len(call.outputs) == 1 and id(call.outputs[0]) in self._inlining.statements:
            return
        outputs = set(map(id, call.outputs))
        for output in call.outputs:
            if id(output) in self._candidates:
                self._interfere(output, live | outputs)
        dead: dict[int, Value] = {}
        for value in (v for i in call.inputs for v in self._inlining.uses(i)):
            if id(value) not in live and id(value) not in self._parameters and is_large(value):
                dead[id(value)] = value
        if dead:
            self._last_uses[id(call)] = list(dead.values()), live & self._candidates | outputs
        live -= outputs
        live |= self._used(call.inputs)

    def _branch(self, statement: If, live: Ids) -> Ids:
        results = set(map(id, statement.results))
        if id(statement) in self._inlining.conditional:
            if not results <= self._inlining.statements.keys():
                self._interfere(statement.results[0], live)
                live = live - results
                arms = [statement.condition, *statement.then.results, *statement.orelse.results]
                live |= self._used(arms)
            return live
        before: Ids = set()
        for arm in (statement.then, statement.orelse):
            self._copies(statement.results, arm.results, live | results)
            before |= self._block(arm, live - results)
        return before | self._used([statement.condition])

    def _loop(self, loop: While, live: Ids) -> Ids:
        carried = set(map(id, loop.carried))
        for value in loop.carried:
            self._ranks.setdefault(id(value), 1)
        outside = (self._outer(loop.test, [loop.condition]) | self._outer(loop.body)) - carried
        throughout = (live - carried) | outside
        header = throughout | carried
        self._copies(loop.carried, loop.body.results, header)
        into_body = self._block(loop.body, set(throughout))
        into_test = self._block(
            Block(loop.test.statements, [loop.condition]),
            into_body | throughout | (live & carried),
        )
        self._copies(loop.carried, loop.initial, into_test | header)
        return throughout | (into_test - carried) | self._used(loop.initial)

    def _copies(self, targets: list[Value], sources: list[Value], live: Ids) -> None:
        """Targets that are assigned together; a target may share its own source's name."""
        for target, source in zip(targets, sources, strict=True):
            self._interfere(target, live - {id(source)})

    def _outer(self, block: Block, extra: Iterable[Value] = ()) -> Ids:
        """The ids of the named values that a block uses and does not define."""
        used: Ids = set()
        defined: Ids = set()

        def walk(inner: Block) -> None:
            for statement in inner.statements:
                if isinstance(statement, If):
                    used.update(self._used([statement.condition]))
                    defined.update(map(id, statement.results))
                    walk(statement.then)
                    walk(statement.orelse)
                elif isinstance(statement, While):
                    used.update(self._used([*statement.initial, statement.condition]))
                    defined.update(map(id, statement.carried))
                    walk(statement.test)
                    walk(statement.body)
                elif isinstance(statement, Call):
                    used.update(self._used(statement.inputs))
                    defined.update(map(id, statement.outputs))
                elif isinstance(statement, Copy):
                    used.update(self._used([statement.source]))
                    defined.add(id(statement.target))
            used.update(self._used(inner.results))

        walk(block)
        used.update(self._used(extra))
        return used - defined

    # ---- sharing

    def _merge(self, a: Value, b: Value) -> None:
        """Gives two values, and all that share their names, one name, unless they interfere."""
        first, second = self.leader(a), self.leader(b)
        if first is second:
            return
        edges = self._edges
        mine = self._members.get(id(first), [first])
        theirs = self._members.get(id(second), [second])
        ids = set(map(id, theirs))
        if any(edges.get(id(v), set()) & ids for v in mine):
            return
        joined = mine + theirs
        self._members[id(first)] = joined
        for value in joined:
            self._leaders[id(value)] = first


def _affinities(procedure: Procedure, inlining: Inlining) -> list[tuple[Value, Value]]:
    """Pairs of values of which one is handed on to the other, loops first."""
    loops: list[tuple[Value, Value]] = []
    others: list[tuple[Value, Value]] = []

    def pair(into: list[tuple[Value, Value]], target: Value, source: Value) -> None:
        if source.constant is None and id(source) not in inlining.statements:
            into.append((target, source))

    def walk(block: Block) -> None:
        for statement in block.statements:
            if isinstance(statement, If):
                if id(statement) in inlining.conditional:
                    continue
                for arm in (statement.then, statement.orelse):
                    walk(arm)
                    for target, source in zip(statement.results, arm.results, strict=True):
                        pair(others, target, source)
            elif isinstance(statement, While):
                walk(statement.test)
                walk(statement.body)
                for target, source in zip(statement.carried, statement.body.results, strict=True):
                    pair(loops, target, source)
                for target, source in zip(statement.carried, statement.initial, strict=True):
                    pair(loops, target, source)
            elif isinstance(statement, Call):
                if statement.in_place:
                    pair(others, statement.outputs[0], statement.inputs[0])
                elif statement.reuse is not None:
                    pair(others, statement.outputs[0], statement.reuse)
            elif isinstance(statement, Copy):
                pair(others, statement.target, statement.source)

    walk(procedure.body)
    return loops + others


__all__ = ["Naming"]
