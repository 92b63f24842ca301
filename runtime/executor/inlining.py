"""Which statements are printed inside of the one statement that uses their result.

A value that is used once needs no name: `n % 2 == 0` is one line, not two. What is moved to its
use must mean the same there, so it is moved only past statements that write to no memory, and what
can fail only within the user's own line.
"""

from __future__ import annotations

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
    statement_inputs,
)

_MOST_OPERATIONS = 8
"""An expression of more operations than this is hard to read, and could nest too deeply."""

_WORTH_FREEING = 1 << 14
"""Arrays of fewer elements may stay until the plan ends."""

_CONNECTIVES = frozenset({"LogicalNot", "LogicalAnd", "LogicalOr"})


class Inlining:
    """What is printed where it is used.

    Attributes:
      statements: the `Call` or `If` that makes a value, by the value's id.
      conditional: ids of the `If`s that are printed as one conditional expression.
    """

    def __init__(self, procedure: Procedure) -> None:
        self.statements: dict[int, Call | If] = {}
        self.conditional: set[int] = set()
        self._uses = count_uses(procedure)
        self._weights: dict[int, int] = {}
        self._writes: dict[int, bool] = {}
        self._parameters = set(map(id, procedure.parameters))
        self._block(procedure.body)

    def uses(self, value: Value) -> list[Value]:
        """The named values that printing `value` needs."""
        if value.constant is not None:
            return []
        made_by = self.statements.get(id(value))
        if made_by is None:
            return [value]
        return self._named_operands(made_by)

    def _block(self, block: Block, alone: bool = False) -> None:
        """Looks through a block.

        Args:
          block: the block.
          alone: whether it hands on one value that is no variable of the user's: the condition of
            a loop, the result of an expression.
        """
        for statement in block.statements:
            if isinstance(statement, If):
                self._block(statement.then, len(statement.results) == 1)
                self._block(statement.orelse, len(statement.results) == 1)
                self._make_expression(statement)
            elif isinstance(statement, While):
                self._block(Block(statement.test.statements, [statement.condition]), True)
                self._block(statement.body)
        users, writers = self._users(block), self._next_writers(block)
        for number, statement in enumerate(block.statements):
            if self._movable(statement):
                user = users.get(id(_output(statement)))
                written = writers[number + 1]
                if user is None:
                    if written is None:
                        self._return(statement, block, alone)
                elif written is None or user <= written:
                    self._place(statement, block.statements[user])
        self._release(block)

    def _users(self, block: Block) -> dict[int, int]:
        """The number of the first statement of a block that uses a value, by the value's id."""
        users: dict[int, int] = {}
        for number, statement in enumerate(block.statements):
            for value in statement_inputs(statement):
                users.setdefault(id(value), number)
        return users

    def _next_writers(self, block: Block) -> list[int | None]:
        """For every place in a block, the number of the next statement that writes to memory."""
        found: list[int | None] = [None]
        for number in range(len(block.statements) - 1, -1, -1):
            found.append(number if self._writes_memory(block.statements[number]) else found[-1])
        found.reverse()
        return found

    def _make_expression(self, statement: If) -> None:
        """Notes an `If` that chooses between two scalar expressions."""
        if len(statement.results) != 1 or not statement.results[0].is_scalar:
            return
        if statement.results[0].dtype.kind in "SRV":
            return
        arms = (statement.then, statement.orelse)
        alone = all(
            isinstance(s, Call | If) and _results(s) and id(_output(s)) in self.statements
            for arm in arms
            for s in arm.statements
        )
        if not alone or self._weight(statement) > _MOST_OPERATIONS:
            return
        self.conditional.add(id(statement))
        if len(self._lines_that_may_fail(statement)) > 1:
            self.conditional.discard(id(statement))
            return
        if any(arm.results[0] is statement.condition for arm in arms):
            # `a and b` names `a` once, where the `If` uses it twice.
            self._uses[id(statement.condition)] -= 1

    def _movable(self, statement: Any) -> bool:
        if isinstance(statement, If):
            return id(statement) in self.conditional
        if not isinstance(statement, Call) or len(statement.outputs) != 1 or statement.several:
            return False
        if self._writes_memory(statement):
            return False
        if statement.opdef.name == "SavedAny":
            return True  # asked at once
        # Lists grow and shrink in place.
        return all(v.dtype.kind != "V" for v in (*statement.inputs, *statement.outputs))

    def _is_light(self, statement: Call | If) -> bool:
        """Whether a statement may be part of an expression: its result is used once."""
        once = self._uses.get(id(_output(statement)), 0) == 1
        return once and self._weight(statement) <= _MOST_OPERATIONS

    def _place(self, statement: Call | If, user: Any) -> None:
        """Moves a statement to the only use of its result, if that may be."""
        output = _output(statement)
        if not self._is_light(statement) or not any(v is output for v in _direct_uses(user)):
            return
        if self._may_move(statement, user):
            self.statements[id(output)] = statement

    def _return(self, statement: Call | If, block: Block, alone: bool) -> None:
        """Moves a statement to the end of its block, which hands on its result."""
        output = _output(statement)
        if not self._is_light(statement) or not any(v is output for v in block.results):
            return
        if self._may_return(statement, alone):
            self.statements[id(output)] = statement

    def _release(self, block: Block) -> None:
        """Gives a name back to what would keep a large array alive for longer by being moved."""
        last = len(block.statements)
        prints_at: dict[int, int] = {}  # where the value of a statement is printed, by its id
        for number in range(last - 1, -1, -1):
            statement = block.statements[number]
            outputs = _results(statement) if isinstance(statement, Call | If) else []
            if len(outputs) != 1 or id(outputs[0]) not in self.statements:
                for value in _direct_uses(statement):
                    prints_at[id(value)] = number
                continue
            place = prints_at.get(id(outputs[0]), last)
            between = (block.statements[n] for n in range(number + 1, place))
            if self._holds_memory(statement) and not all(map(self._is_inlined, between)):
                del self.statements[id(outputs[0])]
                place = number
            for value in _operands(statement):
                prints_at[id(value)] = place

    def _is_inlined(self, statement: Any) -> bool:
        if not isinstance(statement, Call | If) or len(_results(statement)) != 1:
            return False
        return id(_output(statement)) in self.statements

    def _holds_memory(self, statement: Call | If) -> bool:
        return any(
            is_large(v) and id(v) not in self._parameters for v in self._named_operands(statement)
        )

    def _named_operands(self, statement: Call | If) -> list[Value]:
        return [v for i in _operands(statement) for v in self.uses(i)]

    def _may_move(self, statement: Call | If, user: Any) -> bool:
        """Whether a failure of `statement` would still be reported at its own line.

        A printed line stands for one line of the user's, as far as it can fail.
        """
        if isinstance(user, Call):
            written = user.inputs[0] if user.in_place else user.reuse
            if written is _output(statement):
                return False
        lines = self._lines_that_may_fail(statement)
        if isinstance(user, While) or (isinstance(user, Call) and user.opdef.stateful):
            return not lines
        return not lines or len(lines | self._lines_that_may_fail(user)) == 1

    def _may_return(self, statement: Call | If, alone: bool) -> bool:
        """Whether a failure of `statement` may happen where its block hands on its results."""
        lines = self._lines_that_may_fail(statement)
        if alone:
            return len(lines) <= 1
        # A choice that becomes a variable of the user's reads better as a statement.
        return not lines and not isinstance(statement, If)

    def _lines_that_may_fail(self, statement: Call | If) -> set[Any]:
        if isinstance(statement, If):
            lines: set[Any] = set()
            operands = [statement.condition]
            if id(statement) in self.conditional:
                operands += [statement.then.results[0], statement.orelse.results[0]]
        else:
            lines = set() if is_scalar_expression(statement) else {statement.location}
            operands = statement.inputs
        for operand in operands:
            made_by = self.statements.get(id(operand))
            if made_by is not None:
                lines |= self._lines_that_may_fail(made_by)
        return lines

    def _weight(self, statement: Call | If) -> int:
        if isinstance(statement, Call):
            return 1 + sum(self._weights_of(v) for v in statement.inputs)
        used = {id(v): v for arm in (statement.then, statement.orelse) for v in arm.results}
        used[id(statement.condition)] = statement.condition
        return 1 + sum(self._weights_of(v) for v in used.values())

    def _weights_of(self, value: Value) -> int:
        made_by = self.statements.get(id(value))
        if made_by is None:
            return 0
        if id(value) not in self._weights:
            self._weights[id(value)] = self._weight(made_by)
        return self._weights[id(value)]

    def _writes_memory(self, statement: Any) -> bool:
        if isinstance(statement, Call):
            # What a recursive function does, its call does not tell.
            has_effects = statement.opdef.stateful or statement.opdef.name == "Call"
            return has_effects or statement.in_place or statement.reuse is not None
        if isinstance(statement, Copy):
            return False
        known = self._writes.get(id(statement))
        if known is None:
            blocks = (
                (statement.then, statement.orelse)
                if isinstance(statement, If)
                else (statement.test, statement.body)
            )
            known = any(self._writes_memory(s) for b in blocks for s in b.statements)
            self._writes[id(statement)] = known
        return known


def is_scalar_expression(call: Call) -> bool:
    """Whether a call is an operator, or a ufunc that never fails, on scalars."""
    if not call.outputs:
        return False
    scalars = call.outputs[0].is_scalar and all(v.is_scalar for v in call.inputs)
    if not scalars or call.outputs[0].dtype.kind in "SRV":
        return False
    if call.opdef.name == "Pow" and call.outputs[0].dtype.kind in "iu":
        return False  # an integer to a negative power
    if call.infix is not None or call.opdef.name in _CONNECTIVES:
        return True
    return isinstance(call.kernel, np.ufunc) and not call.keywords


def _results(statement: Call | If) -> list[Value]:
    return statement.outputs if isinstance(statement, Call) else statement.results


def _output(statement: Call | If) -> Value:
    return _results(statement)[0]


def _operands(statement: Call | If) -> list[Value]:
    """What an expression is made of."""
    if isinstance(statement, Call):
        return statement.inputs
    return [statement.condition, statement.then.results[0], statement.orelse.results[0]]


def is_large(value: Value) -> bool:
    """Whether the memory of a value is worth giving back before the plan ends."""
    size = value.shape.num_elements()
    return value.shape.rank != 0 and (size is None or size >= _WORTH_FREEING)


def _direct_uses(statement: Any) -> list[Value]:
    """The values that a statement uses itself, rather than in a block inside of it."""
    if isinstance(statement, Call):
        return statement.inputs
    if isinstance(statement, If):
        return [statement.condition]
    if isinstance(statement, While):
        return statement.initial
    return []


def count_uses(procedure: Procedure) -> dict[int, int]:
    """How often each value is used, by its id."""
    uses: dict[int, int] = {}

    def count(value: Value) -> None:
        uses[id(value)] = uses.get(id(value), 0) + 1

    def walk(block: Block) -> None:
        for statement in block.statements:
            if isinstance(statement, If):
                count(statement.condition)
                walk(statement.then)
                walk(statement.orelse)
            elif isinstance(statement, While):
                for value in statement.initial:
                    count(value)
                walk(statement.test)
                count(statement.condition)
                walk(statement.body)
            else:
                for value in statement_inputs(statement):
                    count(value)
        for value in block.results:
            count(value)

    walk(procedure.body)
    return uses
