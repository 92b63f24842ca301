"""Who owns which memory, so that results can be written over what nobody needs any more.

A value is *owned* where it was made by a statement of the plan (not handed in, not a constant, not
a view) and no other live value shares its memory. An owned value whose last use is a statement may
be overwritten by it: elementwise ufuncs get `out=`, updates of lists and arrays happen in place.
Loops keep ownership from pass to pass, so that appending to a list, or `x[i] = v`, costs the same
however long it grows.
"""

from __future__ import annotations

from collections.abc import Container, Iterable
from typing import Any

import numpy as np

from runtime.executor.statements import (
    Block,
    Call,
    Copy,
    If,
    Procedure,
    Value,
    While,
    outer_values,
    statement_inputs,
    statement_outputs,
)

_WORTH_REUSING = 1024
"""Below this many elements, `out=` costs more than the allocation it saves."""

Ids = set[int]


class Live:
    """The ids of the values that are needed after one statement of a block.

    All statements of a block share what was found out of it, so that a long one costs no more than
    its length.
    """

    __slots__ = ("_defined_at", "_last_use", "_number", "_then")

    def __init__(
        self,
        then: Container[int],
        last_use: dict[int, int],
        defined_at: dict[int, int],
        number: int,
    ) -> None:
        self._then = then
        self._last_use = last_use
        self._defined_at = defined_at
        self._number = number

    def __contains__(self, value: object) -> bool:
        if self._last_use.get(value, -1) <= self._number and value not in self._then:  # type: ignore[call-overload]
            return False
        return self._defined_at.get(value, -1) <= self._number  # type: ignore[call-overload,no-any-return]


class Either:
    """The ids in one of two collections."""

    __slots__ = ("_first", "_second")

    def __init__(self, first: Container[int], second: Container[int]) -> None:
        self._first = first
        self._second = second

    def __contains__(self, value: object) -> bool:
        return value in self._first or value in self._second


def assign_memory(procedure: Procedure) -> None:
    """Decides for every statement what it may overwrite."""
    _Analysis().block(procedure.body, set(map(id, procedure.body.results)), set())


class _Analysis:
    """Ownership within one procedure."""

    def __init__(self) -> None:
        # The values that may share memory with a value: views of it, and what it views.
        self.family: dict[int, list[Value]] = {}

    def block(self, block: Block, live_after: Container[int], owned: Ids) -> Ids:
        """Analyses a block.

        Args:
          block: its statements are marked in place.
          live_after: ids of the values that are needed after it.
          owned: ids of the values that the block may consume.

        Returns:
          The ids of the values that are owned at its end.
        """
        owned = set(owned)
        live = _live_after_each(block, live_after)
        statements: list[Any] = []
        for number, statement in enumerate(block.statements):
            after = live[number]
            if isinstance(statement, Call):
                self.call(statement, after, owned)
            elif isinstance(statement, If):
                self.branch(statement, after, owned)
            elif isinstance(statement, While):
                statements += self.loop(statement, after, owned)
            elif isinstance(statement, Copy):
                owned.add(id(statement.target))
            statements.append(statement)
        block.statements = statements
        return owned

    def call(self, call: Call, after: Container[int], owned: Ids) -> None:
        opdef = call.opdef
        call.reuse, call.in_place = None, False
        first = call.inputs[0] if call.inputs else None
        if (
            opdef.inplace is not None
            and first is not None
            and self.dying(first, call, after, owned)
        ):
            call.in_place = True
            owned.discard(id(first))
        elif _is_elementwise(call):
            call.reuse = self.reusable(call, after, owned)
        if opdef.aliases is not None and call.inputs:
            base = call.inputs[opdef.aliases]
            for output in call.outputs:
                self.relate(base, output)
        elif opdef.fresh is True:
            owned.update(map(id, call.outputs))
        elif opdef.fresh:
            owned.update(id(v) for number, v in enumerate(call.outputs) if number in opdef.fresh)
        self.disown(_held(call), owned)

    def disown(self, held: Iterable[Value], owned: Ids) -> None:
        """Notes that somebody else keeps hold of values, and so of all they share memory with."""
        for value in held:
            owned.difference_update(map(id, self.family.get(id(value), [value])))

    def dying(self, value: Value, statement: Any, after: Container[int], owned: Ids) -> bool:
        """Whether a statement is the last to need the memory of `value`, and the plan owns it."""
        if id(value) not in owned or id(value) in after or value.constant is not None:
            return False
        if sum(v is value for v in statement_inputs(statement)) > 1:
            return False
        return all(id(v) not in after or v is value for v in self.family.get(id(value), ()))

    def reusable(self, call: Call, after: Container[int], owned: Ids) -> Value | None:
        target = call.outputs[0]
        size = target.shape.num_elements()
        if size is None or size < _WORTH_REUSING:
            return None
        for value in call.inputs:
            fits = value.shape == target.shape and value.dtype is target.dtype
            if fits and id(value) in owned and id(value) not in after:
                family = self.family.get(id(value), ())
                if all(id(v) not in after and v not in call.inputs for v in family):
                    owned.discard(id(value))
                    return value
        return None

    def relate(self, base: Value, view: Value) -> None:
        """Notes that two values may share memory, and so all that share it with either."""
        family = self.family.get(id(base), [base])
        other = self.family.get(id(view), [view])
        if other is family:
            return
        joined = family + other
        for member in joined:
            self.family[id(member)] = joined

    def apart(self, value: Value, others: Iterable[Value]) -> bool:
        """Whether a value shares memory with none of the others."""
        family = set(map(id, self.family.get(id(value), ()))) | {id(value)}
        return not any(id(v) in family for v in others)

    def branch(self, statement: If, after: Container[int], owned: Ids) -> None:
        used = set(map(id, statement_inputs(statement)))
        passed = {i for i in used & owned if i not in after and self._family_dead(i, after)}
        ends = []
        for block in (statement.then, statement.orelse):
            end = self.block(block, after, passed)
            ends.append((block, end))
        consumed: Ids = set()
        for number, result in enumerate(statement.results):
            if all(self._handed_on(block, number, end, after) for block, end in ends):
                owned.add(id(result))
            for block, _ in ends:
                source = block.results[number]
                if source.constant is None:
                    self.relate(source, result)
                    consumed.add(id(source))
        owned -= consumed - set(map(id, statement.results))
        self.disown(_held_inside(statement.then), owned)
        self.disown(_held_inside(statement.orelse), owned)

    def _family_dead(self, value: int, after: Container[int]) -> bool:
        return all(id(v) not in after for v in self.family.get(value, ()))

    def _handed_on(self, block: Block, number: int, owned: Ids, after: Container[int]) -> bool:
        """Whether a block's result is its own, and handed on under one name only."""
        value = block.results[number]
        alone = sum(v is value for v in block.results) == 1
        return alone and id(value) in owned and id(value) not in after

    def loop(self, loop: While, after: Container[int], owned: Ids) -> list[Copy]:
        """Finds the loop variables that can be updated in place; copies those not owned yet."""
        captured = statement_inputs(loop)[len(loop.initial) :]

        def is_ours_already(number: int) -> bool:
            start = loop.initial[number]
            others = [v for i, v in enumerate(loop.initial) if i != number] + captured
            return self.apart(start, others) and self.dying(start, loop, after, owned)

        numbers = [
            i for i, v in enumerate(loop.carried) if v.shape.rank != 0 or v.dtype.kind == "V"
        ]
        before = self.family
        while True:
            # What an earlier attempt found does not hold for this one.
            self.family = dict(before)
            kept = self._pass(loop, numbers)
            written = _written_in_place(loop.body)
            kept = [i for i in kept if is_ours_already(i) or id(loop.carried[i]) in written]
            if kept == numbers:
                break
            numbers = kept
        for number, (value, start) in enumerate(zip(loop.carried, loop.initial, strict=True)):
            if number not in numbers:
                for source in (start, loop.body.results[number]):
                    if source.constant is None:
                        self.relate(source, value)
        copies: list[Copy] = []
        for number in numbers:
            start = loop.initial[number]
            if is_ours_already(number):
                owned.discard(id(start))
            else:
                copy = Value(start.name, start.dtype, start.shape)
                copies.append(Copy(copy, start))
                loop.initial[number] = copy
            owned.add(id(loop.carried[number]))
        held = _held_inside(loop.body)
        kept_on = set(map(id, held))
        held += [
            start
            for value, start in zip(loop.carried, loop.initial, strict=True)
            if id(value) in kept_on
        ]
        self.disown(held, owned)
        return copies

    def _pass(self, loop: While, numbers: list[int]) -> list[int]:
        """Analyses test and body as if these loop variables were owned; which are, after it?"""
        ours = {id(loop.carried[i]) for i in numbers}
        carried = set(map(id, loop.carried))
        body_needs, test_needs = _used_from_outside(loop.body), _used_from_outside(loop.test)
        self.block(loop.test, carried | {id(loop.condition)} | body_needs | test_needs, set())
        nexts = loop.body.results
        outside = (body_needs | test_needs) - carried
        end = self.block(loop.body, set(map(id, nexts)) | outside, ours)
        return [
            i
            for i in numbers
            if id(nexts[i]) in end and self.apart(nexts[i], [*nexts[:i], *nexts[i + 1 :]])
        ]


def _is_elementwise(call: Call) -> bool:
    """Whether a call is of a ufunc that reads each element just before it writes it."""
    kernel = call.kernel
    # `matmul` is a ufunc too, but of whole matrices: it would copy what it is to write over.
    return isinstance(kernel, np.ufunc) and kernel.signature is None and not call.keywords


def _live_after_each(block: Block, live_after: Container[int]) -> list[Live]:
    """For every statement, the ids of the values needed after it."""
    last_use: dict[int, int] = {}
    defined_at: dict[int, int] = {}
    for number, statement in enumerate(block.statements):
        last_use.update((id(v), number) for v in statement_inputs(statement))
        defined_at.update((id(v), number) for v in statement_outputs(statement))
    end = Either(set(map(id, block.results)), live_after)
    return [Live(end, last_use, defined_at, n) for n in range(len(block.statements))]


def _used_from_outside(block: Block) -> Ids:
    return set(map(id, outer_values(block)))


def _held(call: Call) -> list[Value]:
    """The inputs of a call that a variable, a list or the user keeps hold of."""
    return [v for number, v in enumerate(call.inputs) if number in call.opdef.holds]


def _held_inside(block: Block) -> list[Value]:
    """What the calls in a block, however deep, give others to keep."""
    held: list[Value] = []
    for statement in block.statements:
        if isinstance(statement, Call):
            held += _held(statement)
        elif isinstance(statement, If):
            held += _held_inside(statement.then) + _held_inside(statement.orelse)
        elif isinstance(statement, While):
            held += _held_inside(statement.test) + _held_inside(statement.body)
    return held


def _written_in_place(block: Block) -> Ids:
    """Values that some statement in the block overwrites, followed back through its results."""
    written: Ids = set()
    for statement in block.statements:
        if isinstance(statement, Call):
            if statement.in_place:
                written.add(id(statement.inputs[0]))
            elif statement.reuse is not None:
                written.add(id(statement.reuse))
        elif isinstance(statement, If):
            written |= _written_in_place(statement.then) | _written_in_place(statement.orelse)
        elif isinstance(statement, While):
            inner = _written_in_place(statement.body)
            written |= inner
            pairs: Iterable[tuple[Value, Value]] = zip(
                statement.carried, statement.initial, strict=True
            )
            written |= {id(start) for value, start in pairs if id(value) in inner}
    return written
