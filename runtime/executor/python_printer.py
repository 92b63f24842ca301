"""Prints statements as the source of a Python function of direct NumPy calls.

Kernels and constants are parameters of a factory around the function, so that in it they are
closure variables: nothing is looked up by name while it runs. Scalars are NumPy scalars and use
Python's own operators; a scalar that is used once is written where it is used.
"""

from __future__ import annotations

import keyword
import re
from typing import Any

import numpy as np

from runtime.executor.statements import (
    Block,
    Call,
    Copy,
    Free,
    If,
    Procedure,
    Value,
    While,
    statement_inputs,
)
from runtime.locations import Location
from runtime.ops.registry import OpDef

_INDENT = "    "
_RESERVED = frozenset(keyword.kwlist) | {"np", "True", "False", "None"}


class PrintedPlan:
    """The source of a plan and what its names stand for.

    Attributes:
      source: the text of the factory.
      bindings: the factory's arguments by name: kernels and constants.
      origins: for each line that calls a kernel, the op and the user's location.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.source = ""
        self.bindings: dict[str, Any] = {}
        self.origins: dict[int, tuple[OpDef, Location]] = {}


def print_python(procedure: Procedure) -> PrintedPlan:
    """The Python source of a procedure."""
    return _Printer(procedure).print()


class _Printer:
    """Writes one plan, line by line."""

    def __init__(self, procedure: Procedure) -> None:
        self.procedure = procedure
        self.plan = PrintedPlan(procedure.name)
        self.lines: list[str] = []
        self.taken: set[str] = set(_RESERVED)
        self.names: dict[int, str] = {}
        self.bound: dict[Any, str] = {}
        self.kept_alive: list[Any] = []
        # Scalars used once: where they are used, their expression stands instead of a name.
        self.expressions: dict[int, tuple[str, int]] = {}
        self.uses = _count_uses(procedure)

    def print(self) -> PrintedPlan:
        body_start = 2
        self.lines = [""] * body_start
        function = self.unique(_identifier(self.procedure.name) or "plan")
        parameters = ", ".join(self.name(p) for p in self.procedure.parameters)
        self.block(self.procedure.body, 2)
        results = ", ".join(self.operand(v)[0] for v in self.procedure.body.results)
        comma = "," if len(self.procedure.body.results) == 1 else ""
        self.lines.append(f"{_INDENT * 2}return ({results}{comma})")
        self.lines.append(f"{_INDENT}return {function}")
        self.lines[0] = f"def bind({', '.join(self.plan.bindings)}):"
        self.lines[1] = f"{_INDENT}def {function}({parameters}):"
        self.plan.source = "\n".join(self.lines) + "\n"
        return self.plan

    # ---- names

    def unique(self, name: str) -> str:
        candidate, number = name, 1
        while candidate in self.taken:
            candidate = f"{name}_{number}"
            number += 1
        self.taken.add(candidate)
        return candidate

    def name(self, value: Value) -> str:
        known = self.names.get(id(value))
        if known is None:
            known = self.names[id(value)] = self.unique(_identifier(value.name) or "v")
            self.kept_alive.append(value)
        return known

    def bind(self, thing: Any, name: str, key: Any = None) -> str:
        """The name under which a kernel or constant is known inside of the plan."""
        key = ("id", id(thing)) if key is None else key
        if key not in self.bound:
            unique = self.unique(_identifier(name) or "k")
            self.bound[key] = unique
            self.plan.bindings[unique] = thing
        return self.bound[key]

    def constant(self, value: Value, scalar: bool) -> str:
        """The name of a constant, bound as a NumPy scalar or as an array.

        An operator on two NumPy scalars is quick; between an array and a scalar a 0-d array is
        quicker than a NumPy scalar.
        """
        constant = value.constant
        if getattr(constant, "ndim", None) != 0 or constant.dtype == object:
            return self.bind(constant, f"c_{value.name}")
        kind = "scalar" if scalar else "array"
        bound = constant[()] if scalar else np.asarray(constant)
        key = (kind, constant.dtype.char, constant.tobytes())
        return self.bind(bound, _constant_name(constant, scalar), key)

    def operand(self, value: Value, scalar: bool = True) -> tuple[str, int]:
        """An expression for a value, and how tightly its operator binds."""
        if value.constant is not None:
            return self.constant(value, scalar), _ATOM
        if id(value) in self.expressions:
            return self.expressions.pop(id(value))
        return self.name(value), _ATOM

    # ---- statements

    def line(self, depth: int, text: str) -> None:
        self.lines.append(_INDENT * depth + text)

    def block(self, block: Block, depth: int) -> None:
        for number, statement in enumerate(block.statements):
            if isinstance(statement, Call):
                self.call(statement, depth, self.inlined(statement, block, number))
            elif isinstance(statement, If):
                self.branch(statement, depth)
            elif isinstance(statement, While):
                self.loop(statement, depth)
            elif isinstance(statement, Copy):
                source = self.operand(statement.source, scalar=False)[0]
                self.line(depth, f"{self.name(statement.target)} = {self._copier(statement)}({source})")
            elif isinstance(statement, Free):
                self.line(depth, "del " + ", ".join(self.name(v) for v in statement.values))

    def _copier(self, statement: Copy) -> str:
        if statement.source.dtype.kind == "V":
            return self.bind(_copy_list, "copy_list")
        return self.bind(np.array, "copy_array")

    def inlined(self, call: Call, block: Block, number: int) -> bool:
        """Whether a call's only use is further down in the same block, as a scalar expression."""
        if call.infix is None or len(call.outputs) != 1:
            return False
        output = call.outputs[0]
        scalars = output.is_scalar and all(v.is_scalar for v in call.inputs)
        if not scalars or self.uses.get(id(output), 0) != 1:
            return False
        if any(v is output for v in block.results):
            return True
        for statement in block.statements[number + 1 :]:
            if isinstance(statement, If) and statement.condition is output:
                return True
            if isinstance(statement, Call) and any(v is output for v in statement.inputs):
                return True
            if isinstance(statement, If | While):
                return False
        return False

    def call(self, call: Call, depth: int, inline: bool) -> None:
        text, strength = self.expression(call)
        if inline:
            self.expressions[id(call.outputs[0])] = (text, strength)
            return
        targets = ", ".join(self.name(v) for v in call.outputs)
        if call.several:
            targets = f"({targets}{',' if len(call.outputs) == 1 else ''})" if targets else ""
            targets = targets.strip("()") if len(call.outputs) > 1 else targets
        self.line(depth, f"{targets} = {text}" if targets else text)
        self.plan.origins[len(self.lines)] = (call.opdef, call.location)

    def expression(self, call: Call) -> tuple[str, int]:
        scalar = all(v.is_scalar for v in call.inputs)
        if call.infix is not None and call.reuse is None:
            operands = [self.operand(v, scalar) for v in call.inputs]
            return _infix(call.infix, operands)
        arguments = [self.operand(v, scalar)[0] for v in call.inputs]
        kernel, keywords = call.kernel, call.keywords
        if call.in_place:
            kernel, keywords = call.opdef.inplace, call.attrs
        if call.reuse is not None:
            arguments.append(f"out={self.name(call.reuse)}")
        arguments += [f"{k}={self.keyword(k, v)}" for k, v in keywords.items()]
        return f"{self.kernel(kernel, call.opdef)}({', '.join(arguments)})", _ATOM

    def kernel(self, kernel: Any, opdef: OpDef) -> str:
        name = getattr(kernel, "__name__", "")
        if isinstance(kernel, np.ufunc):
            name = f"np_{name}"
        elif not name.isidentifier() or name in ("kernel", "<lambda>"):
            name = opdef.name.lower()
        return self.bind(kernel, name)

    def keyword(self, name: str, value: Any) -> str:
        if value is None or type(value) in (bool, int, str):
            return repr(value)
        if type(value) is tuple and all(type(v) in (bool, int, str, type(None)) for v in value):
            return repr(value)
        return self.bind(value, name)

    def branch(self, statement: If, depth: int) -> None:
        condition = self.operand(statement.condition)[0]
        for value in statement.results:
            self.name(value)
        then, orelse = self.arm(statement.then, statement.results, depth), self.arm(
            statement.orelse, statement.results, depth
        )
        if then or not orelse:
            self.line(depth, f"if {condition}:")
            self.append(then or [(_INDENT * (depth + 1) + "pass", None)])
            if orelse:
                self.line(depth, "else:")
                self.append(orelse)
        else:
            self.line(depth, f"if not ({condition}):")
            self.append(orelse)

    def arm(self, block: Block, results: list[Value], depth: int) -> list[Any]:
        """The lines of one branch with their origins, printed aside."""
        lines, origins = self.lines, self.plan.origins
        self.lines, self.plan.origins = [], {}
        self.block(block, depth + 1)
        self.assign(results, block.results, depth + 1)
        printed = [(text, self.plan.origins.get(n)) for n, text in enumerate(self.lines, 1)]
        self.lines, self.plan.origins = lines, origins
        return printed

    def append(self, printed: list[Any]) -> None:
        for text, origin in printed:
            self.lines.append(text)
            if origin is not None:
                self.plan.origins[len(self.lines)] = origin

    def loop(self, loop: While, depth: int) -> None:
        self.assign(loop.carried, loop.initial, depth)
        mark = len(self.lines)
        self.line(depth, "")
        self.block(Block(loop.test.statements, [loop.condition]), depth + 1)
        condition = self.operand(loop.condition)[0]
        if len(self.lines) == mark + 1:
            self.lines[mark] = f"{_INDENT * depth}while {condition}:"
        else:
            self.lines[mark] = f"{_INDENT * depth}while True:"
            self.line(depth + 1, f"if not ({condition}):")
            self.line(depth + 2, "break")
        start = len(self.lines)
        self.block(loop.body, depth + 1)
        self.assign(loop.carried, loop.body.results, depth + 1)
        if len(self.lines) == start:
            self.line(depth + 1, "pass")

    def assign(self, targets: list[Value], sources: list[Value], depth: int) -> None:
        """Assigns all sources to all targets at once."""
        moves = [
            (self.name(t), self.operand(s, t.is_scalar)[0])
            for t, s in zip(targets, sources, strict=True)
        ]
        moves = [(t, s) for t, s in moves if t != s]
        if not moves:
            return
        for position, (target, _) in enumerate(moves):
            later = " ".join(source for _, source in moves[position + 1 :])
            if re.search(rf"\b{target}\b", later):
                left = ", ".join(t for t, _ in moves)
                right = ", ".join(s for _, s in moves)
                self.line(depth, f"{left} = {right}")
                return
        for target, source in moves:
            self.line(depth, f"{target} = {source}")


def _copy_list(values: Any) -> Any:
    return type(values)(values)


_ATOM = 9
_STRENGTHS = {
    "**": 8,
    "*": 6,
    "/": 6,
    "//": 6,
    "%": 6,
    "@": 6,
    "+": 5,
    "-": 5,
    "<<": 4,
    ">>": 4,
    "&": 3,
    "^": 2,
    "|": 1,
}


def _infix(symbol: str, operands: list[tuple[str, int]]) -> tuple[str, int]:
    if len(operands) == 1:
        text, strength = operands[0]
        return f"{symbol}{text if strength > 7 else f'({text})'}", 7
    strength = _STRENGTHS.get(symbol, 0)
    (left, left_strength), (right, right_strength) = operands
    if left_strength < strength or (symbol == "**" and left_strength != _ATOM) or strength == 0:
        left = left if left_strength > strength else f"({left})"
    if right_strength <= strength:
        right = f"({right})"
    return f"{left} {symbol} {right}", strength


def _identifier(name: str) -> str:
    cleaned = re.sub(r"\W", "_", name)
    if not cleaned or cleaned[0].isdigit():
        cleaned = f"v_{cleaned}" if cleaned else ""
    return cleaned.lower() if cleaned[:1].isupper() else cleaned


def _constant_name(constant: Any, scalar: bool) -> str:
    text = re.sub(r"[^0-9a-zA-Z]", "_", str(constant).replace("-", "minus_"))
    return f"c{text}" if scalar else f"a{text}"


def _count_uses(procedure: Procedure) -> dict[int, int]:
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
            elif isinstance(statement, Free):
                for value in statement.values:
                    # A freed value needs its name.
                    count(value)
                    count(value)
            else:
                for value in statement_inputs(statement):
                    count(value)
        for value in block.results:
            count(value)

    walk(procedure.body)
    return uses
