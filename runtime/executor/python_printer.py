"""Prints statements as the source of a Python function of direct NumPy calls.

Kernels and constants are parameters of a factory around the function, so that in it they are
closure variables: nothing is looked up by name while it runs. Scalars are NumPy scalars and use
Python's own operators; a scalar that is used once is written where it is used.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from runtime.executor.expressions import Expressions, Names, Origin, identifier, writes_item
from runtime.executor.inlining import Inlining
from runtime.executor.lines import Line
from runtime.executor.naming import Naming
from runtime.executor.outlining import outlined
from runtime.executor.statements import Block, Call, Copy, If, Procedure, Value, While
from runtime.ops.lists import ListValue

_INDENT = "    "
_LIST_STATEMENTS = frozenset(
    ("SavedPush", "SavedPop", "SavedPut", "SavedCut", "TensorListPushBack")
)
"""What these do in place, a statement of Python's on the list does."""


class PrintedPlan:
    """The source of a plan and what its names stand for.

    Attributes:
      source: the text of the factory.
      bindings: the factory's arguments by name: kernels and constants.
      origins: for each line that can fail, the ops in it that can and the user's location.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.source = ""
        self.bindings: dict[str, Any] = {}
        self.origins: dict[int, Origin] = {}


def print_python(procedure: Procedure) -> PrintedPlan:
    """The Python source of a procedure."""
    return _Printer(procedure).print()


class _Printer:
    """Writes one plan, line by line."""

    def __init__(self, procedure: Procedure) -> None:
        self.procedure = procedure
        self.plan = PrintedPlan(procedure.name)
        self.lines: list[Line] = []
        self.inlining = Inlining(procedure)
        self.naming = Naming(procedure, self.inlining)
        self.names = Names(self.naming)
        self.expressions = Expressions(self.names, self.inlining)

    def print(self) -> PrintedPlan:
        function = self.names.unique(identifier(self.procedure.name) or "plan")
        parameters = [self.names.of(p) for p in self.procedure.parameters]
        self.block(self.procedure.body, 2)
        results = [self.expressions.operand(v)[0] for v in self.procedure.body.results]
        comma = "," if len(results) == 1 else ""
        self.line(2, f"return ({', '.join(results)}{comma})")
        self.plan.bindings = self.names.bindings
        lines = [
            Line(0, f"def bind({', '.join(self.plan.bindings)}):"),
            Line(1, f"def {function}({', '.join(parameters)}):"),
            *outlined(self.lines, self.names.unique, parameters),
            Line(1, f"return {function}"),
        ]
        self.plan.source = "".join(f"{_INDENT * line.depth}{line.text}\n" for line in lines)
        self.plan.origins = {n: line.origin for n, line in enumerate(lines, 1) if line.origin}
        return self.plan

    def line(self, depth: int, text: str) -> None:
        """Writes a line, and notes which op may fail in the expressions that went into it."""
        self.lines.append(Line(depth, text, self.expressions.take_origin()))

    def aside(self, depth: int, block: Block, targets: list[Value]) -> list[Line]:
        """The lines of a block that hands its results to `targets`."""
        before, self.lines = self.lines, []
        self.block(block, depth)
        self.assign(targets, block.results, depth)
        lines, self.lines = self.lines, before
        return lines

    def block(self, block: Block, depth: int) -> None:
        for statement in block.statements:
            if isinstance(statement, Call):
                self.call(statement, depth)
                names = [self.names.of(v) for v in self.naming.freed_after(statement)]
                if names:
                    self.line(depth, "del " + ", ".join(dict.fromkeys(names)))
            elif isinstance(statement, If):
                self.branch(statement, depth)
            elif isinstance(statement, While):
                self.loop(statement, depth)
            elif isinstance(statement, Copy):
                self.copy(statement, depth)

    def copy(self, statement: Copy, depth: int) -> None:
        is_list = statement.source.dtype.kind == "V"
        copier = self.names.bind(
            *((ListValue, "copy_list") if is_list else (np.array, "copy_array"))
        )
        source = self.expressions.operand(statement.source, scalar=False)[0]
        self.line(depth, f"{self.names.of(statement.target)} = {copier}({source})")

    def call(self, call: Call, depth: int) -> None:
        if len(call.outputs) == 1 and id(call.outputs[0]) in self.inlining.statements:
            return
        if writes_item(call):
            self.store(call, depth)
            return
        if call.in_place and call.opdef.name in _LIST_STATEMENTS and "present" not in call.attrs:
            self.change_list(call, depth)
            return
        text = self.expressions.call(call)[0]
        targets = ", ".join(self.names.of(v) for v in call.outputs)
        if call.several and len(call.outputs) == 1:
            targets = f"({targets},)"
        self.line(depth, f"{targets} = {text}" if targets else text)

    def store(self, call: Call, depth: int) -> None:
        """`x[index] = value`, or `+=`; what the call gives is `x` itself."""
        base, value, *filling = call.inputs
        place = self.expressions.place(call, filling)
        text = self.expressions.operand(value, scalar=False)[0]
        self.expressions.may_fail(call)
        sign = "+=" if call.opdef.name == "AddItem" else "="
        self.line(depth, f"{place} {sign} {text}")
        target, source = self.names.of(call.outputs[0]), self.names.of(base)
        if target != source:
            self.line(depth, f"{target} = {source}")

    def change_list(self, call: Call, depth: int) -> None:
        """`saved.append(value)`, `a, b = saved.pop()`: the list itself is the first output."""
        changed, *given = call.inputs
        name = self.names.of(changed)
        texts = [self.expressions.operand(v, scalar=False)[0] for v in given]
        taken = [self.names.of(v) for v in call.outputs[1:]]
        alone = call.attrs.get("alone") or call.opdef.name == "TensorListPushBack"
        self.expressions.may_fail(call)
        if call.opdef.name == "SavedPop":
            comma = "," if len(taken) == 1 and not alone else ""
            targets = f"{', '.join(taken)}{comma} = " if taken else ""
            self.line(depth, f"{targets}{name}.pop()")
        elif call.opdef.name == "SavedPut":
            self.line(depth, f"{name}[{texts[0]}] = {_tuple(texts[1:], alone)}")
        elif call.opdef.name == "SavedCut":
            self.line(depth, f"del {name}[{texts[0]}:]")
        else:
            self.line(depth, f"{name}.append({_tuple(texts, alone)})")
        target = self.names.of(call.outputs[0])
        if target != name:
            self.line(depth, f"{target} = {name}")

    # ---- control flow

    def branch(self, statement: If, depth: int) -> None:
        if id(statement) in self.inlining.conditional:
            if id(statement.results[0]) not in self.inlining.statements:
                self.choose(statement, depth)
            return
        then = self.aside(depth + 1, statement.then, statement.results)
        orelse = self.aside(depth + 1, statement.orelse, statement.results)
        if orelse and not then:
            # Nothing happens where the condition holds: ask the opposite instead.
            self.line(depth, f"if {self.expressions.negated(statement.condition)[0]}:")
            self.lines += orelse
            return
        self.line(depth, f"if {self.expressions.condition(statement.condition)[0]}:")
        self.lines += then or [Line(depth + 1, "pass")]
        if orelse:
            self.lines += _as_elif(orelse, depth) or [Line(depth, "else:"), *orelse]

    def choose(self, statement: If, depth: int) -> None:
        """An `If` between two expressions; where one is the target itself, it has one arm."""
        target = self.names.of(statement.results[0])
        then, orelse = statement.then.results[0], statement.orelse.results[0]
        kept = [v for v in (then, orelse) if self.is_called(v, target)]
        if not kept or statement.condition in (then, orelse):
            self.line(depth, f"{target} = {self.expressions.choice(statement)[0]}")
            return
        asked = self.expressions.negated if kept[0] is then else self.expressions.condition
        self.line(depth, f"if {asked(statement.condition)[0]}:")
        other = orelse if kept[0] is then else then
        self.line(depth + 1, f"{target} = {self.expressions.operand(other)[0]}")

    def is_called(self, value: Value, name: str) -> bool:
        named = value.constant is None and id(value) not in self.inlining.statements
        return named and self.names.of(value) == name

    def loop(self, loop: While, depth: int) -> None:
        self.assign(loop.carried, loop.initial, depth)
        tested = self.aside(depth + 1, loop.test, [])
        if tested:
            self.line(depth, "while True:")
            self.lines += tested
            self.line(depth + 1, f"if {self.expressions.negated(loop.condition)[0]}:")
            self.line(depth + 2, "break")
        else:
            self.line(depth, f"while {self.expressions.condition(loop.condition)[0]}:")
        body = self.aside(depth + 1, loop.body, loop.carried)
        self.lines += body or [Line(depth + 1, "pass")]

    def assign(self, targets: list[Value], sources: list[Value], depth: int) -> None:
        """Assigns all sources to all targets at once."""
        moves: list[tuple[str, str, Any]] = []
        for target, source in zip(targets, sources, strict=True):
            name = self.names.of(target)
            text = self.expressions.operand(source, target.is_scalar)[0]
            origin = self.expressions.take_origin()
            if name != text:
                moves.append((name, text, origin))
        ordered = _in_order(moves)
        if ordered is None:
            names, texts = ", ".join(m[0] for m in moves), ", ".join(m[1] for m in moves)
            self.line(depth, f"{names} = {texts}")
            return
        self.lines += [Line(depth, f"{name} = {text}", origin) for name, text, origin in ordered]


def _as_elif(orelse: list[Line], depth: int) -> list[Line] | None:
    """The lines of an `else` that holds nothing but an `if`, as those of an `elif`."""
    first, *rest = orelse
    if not first.text.startswith("if "):
        return None
    if any(line.depth == depth + 1 and not line.text.startswith("el") for line in rest):
        return None
    moved = [Line(line.depth - 1, line.text, line.origin) for line in orelse]
    moved[0].text = f"el{moved[0].text}"
    return moved


def _in_order(moves: list[tuple[str, str, Any]]) -> list[tuple[str, str, Any]] | None:
    """The assignments in an order in which none overwrites what a later one needs, or None."""
    waiting = [(*move, set(re.findall(r"[^\W\d]\w*", move[1]))) for move in moves]
    ordered: list[tuple[str, str, Any]] = []
    while waiting:
        for number, (name, text, origin, _) in enumerate(waiting):
            if not any(name in used for n, (*_, used) in enumerate(waiting) if n != number):
                ordered.append((name, text, origin))
                del waiting[number]
                break
        else:
            return None
    return ordered


def _tuple(texts: list[str], alone: bool) -> str:
    """Some values as one: a lone one may stand for itself."""
    if len(texts) == 1:
        return texts[0] if alone else f"({texts[0]},)"
    return f"({', '.join(texts)})"
