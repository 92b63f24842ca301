"""Prints the calls of a plan as Python expressions."""

from __future__ import annotations

import builtins
import keyword
import re
from typing import Any

import numpy as np

from runtime.executor.inlining import Inlining, is_scalar_expression
from runtime.executor.naming import Naming
from runtime.executor.statements import Call, If, Value
from runtime.locations import Location
from runtime.ops.registry import OpDef

Text = tuple[str, int]
"""An expression, and how tightly its outermost operator binds."""

Origin = tuple[tuple[OpDef, ...], Location]
"""The ops that may fail in a line of a plan, and the user's line that asked for them."""

ATOM = 12
_UNARY = 10
_COMPARISON = 3
_NOT = 2
_AND = 1
_OR = 0
_CHOICE = -1
_STRENGTHS = {
    "**": 11,
    "*": 9,
    "/": 9,
    "//": 9,
    "%": 9,
    "@": 9,
    "+": 8,
    "-": 8,
    "<<": 7,
    ">>": 7,
    "&": 6,
    "^": 5,
    "|": 4,
}
_RESERVED = frozenset(keyword.kwlist) | frozenset(dir(builtins)) | {"np"}
_KERNEL_NAMES = frozenset({"kernel", "static", "<lambda>", "lean", "inner", "run"})


class Names:
    """The names in a plan: those of values, and those of the kernels and constants bound to it.

    Attributes:
      bindings: what the factory around the plan binds, by name.
    """

    def __init__(self, naming: Naming) -> None:
        self.bindings: dict[str, Any] = {}
        self._naming = naming
        self._taken: set[str] = set(_RESERVED)
        self._numbers: dict[str, int] = {}  # the first number that may be free, by the name
        self._names: dict[int, str] = {}
        self._bound: dict[Any, str] = {}
        self._kept_alive: list[Any] = []

    def unique(self, name: str) -> str:
        """`name`, or `name` with a number if it is taken."""
        candidate, number = name, self._numbers.get(name, 1)
        while candidate in self._taken:
            candidate = f"{name}_{number}"
            number += 1
        self._taken.add(candidate)
        self._numbers[name] = number
        return candidate

    def of(self, value: Value) -> str:
        """The name of a value, which others may share."""
        leader = self._naming.leader(value)
        known = self._names.get(id(leader))
        if known is None:
            best = self._naming.members(leader)[0]
            known = self._names[id(leader)] = self.unique(identifier(best.name) or "v")
            self._kept_alive.append(leader)
        return known

    def bind(self, thing: Any, name: str, key: Any = None) -> str:
        """The name under which a kernel or constant is known inside of the plan."""
        key = ("id", id(thing)) if key is None else key
        if key not in self._bound:
            unique = self.unique(identifier(name) or "k")
            self._bound[key] = unique
            self.bindings[unique] = thing
        return self._bound[key]

    def constant(self, value: Value, scalar: bool) -> str:
        """The name of a constant, bound as a NumPy scalar or as an array.

        An operator on two NumPy scalars is quick; between an array and a scalar a 0-d array is
        quicker than a NumPy scalar.
        """
        constant = value.constant
        if getattr(constant, "ndim", None) != 0 or constant.dtype == object:
            return self.bind(constant, f"c_{value.name}")
        key = ("scalar" if scalar else "array", constant.dtype.char, constant.tobytes())
        name = _constant_name(constant, scalar)
        if key not in self._bound and name in self._taken:
            name = f"{name}_{constant.dtype.name}"
        return self.bind(constant[()] if scalar else np.asarray(constant), name, key)


class Expressions:
    """Prints values where they are used.

    Attributes:
      origin: what may fail in what was printed since it was last taken.
    """

    def __init__(self, names: Names, inlining: Inlining) -> None:
        self.names = names
        self.origin: Origin | None = None
        self._inlining = inlining

    def may_fail(self, call: Call) -> None:
        """Notes that a call is printed that may fail."""
        known = () if self.origin is None else self.origin[0]
        self.origin = ((*known, call.opdef), call.location)

    def take_origin(self) -> Origin | None:
        """The origin of what was printed last; it is forgotten."""
        origin, self.origin = self.origin, None
        return origin

    def operand(self, value: Value, scalar: bool = True) -> Text:
        """A value: the name of it or of a constant, or the expression that makes it."""
        if value.constant is not None:
            return self.names.constant(value, scalar), ATOM
        made_by = self._inlining.statements.get(id(value))
        if made_by is None:
            return self.names.of(value), ATOM
        return self.choice(made_by) if isinstance(made_by, If) else self.call(made_by)

    def condition(self, value: Value) -> Text:
        """A value of which only the truth counts."""
        made_by = self._inlining.statements.get(id(value))
        if isinstance(made_by, Call):
            name = made_by.opdef.name
            if name == "LogicalNot":
                return self.negated(made_by.inputs[0])
            if name in ("LogicalAnd", "LogicalOr"):
                symbol, strength = ("and", _AND) if name == "LogicalAnd" else ("or", _OR)
                return _joined(symbol, strength, [self.condition(v) for v in made_by.inputs])
        if isinstance(made_by, If):
            return self.choice(made_by, truth_only=True)
        return self.operand(value)

    def negated(self, value: Value) -> Text:
        """The opposite of a condition."""
        made_by = self._inlining.statements.get(id(value))
        if isinstance(made_by, Call) and made_by.opdef.name == "LogicalNot":
            return self.condition(made_by.inputs[0])
        text, strength = self.condition(value)
        return f"not {text if strength > _NOT else f'({text})'}", _NOT

    def choice(self, statement: If, truth_only: bool = False) -> Text:
        """An `If` between two expressions."""
        print_value = self.condition if truth_only else self.operand
        then, orelse = statement.then.results[0], statement.orelse.results[0]
        if then is statement.condition:
            return _joined("or", _OR, [print_value(statement.condition), print_value(orelse)])
        if orelse is statement.condition:
            return _joined("and", _AND, [print_value(statement.condition), print_value(then)])
        parts = [
            text if strength > _CHOICE else f"({text})"
            for text, strength in (
                print_value(then),
                self.condition(statement.condition),
                print_value(orelse),
            )
        ]
        return f"{parts[0]} if {parts[1]} else {parts[2]}", _CHOICE

    def call(self, call: Call) -> Text:
        """A call of a kernel, spelt as an operator or an index where that does the same."""
        if len(call.outputs) != 1 or not is_scalar_expression(call):
            self.may_fail(call)
        if reads_item(call):
            return self.place(call, call.inputs[1:]), ATOM
        if multiplies_transposed(call):
            return self._product(call)
        scalar = all(v.is_scalar for v in call.inputs)
        if call.infix is not None and call.reuse is None and not call.in_place:
            return _infix(call.infix, [self.operand(v, scalar) for v in call.inputs])
        kernel, keywords = call.kernel, call.keywords
        if call.in_place:
            kernel, keywords = call.opdef.inplace, call.attrs
        arguments = [self.operand(v, scalar)[0] for v in call.inputs]
        if call.reuse is not None:
            # Behind a ufunc's operands stands where the result goes: quicker than by keyword.
            arguments.append(self.names.of(call.reuse))
        arguments += [f"{k}={self._keyword(k, v)}" for k, v in keywords.items()]
        return f"{self._kernel(kernel, call.opdef)}({', '.join(arguments)})", ATOM

    def _product(self, call: Call) -> Text:
        """`a.T @ b`, with whichever matrix is transposed."""
        factors: list[Text] = []
        for value, how in zip(call.inputs, ("a_how", "b_how"), strict=True):
            text, strength = self.operand(value, scalar=False)
            if call.attrs.get(how):
                text, strength = f"{text if strength == ATOM else f'({text})'}.T", ATOM
            factors.append((text, strength))
        return _infix("@", factors)

    def place(self, call: Call, filling: list[Value]) -> str:
        """`x[index]`, for the item that a call reads or writes."""
        from runtime.ops.indexing import index_text

        base, strength = self.operand(call.inputs[0], scalar=False)
        holes = [self._bound_of(v) for v in filling]
        text = index_text(call.attrs["index"], holes)
        return f"{base if strength == ATOM else f'({base})'}[{text}]"

    def _bound_of(self, value: Value) -> str:
        constant = value.constant
        if constant is not None and constant.ndim == 0 and constant.dtype.kind in "iu":
            return str(int(constant))
        return self.operand(value)[0]

    def _kernel(self, kernel: Any, opdef: OpDef) -> str:
        name = getattr(kernel, "__name__", "")
        if isinstance(kernel, np.ufunc):
            name = f"np_{name}"
        elif not name.isidentifier() or name in _KERNEL_NAMES or name.startswith("_"):
            name = opdef.name.lower()
        return self.names.bind(kernel, name)

    def _keyword(self, name: str, value: Any) -> str:
        if value is None or type(value) in (bool, int, str):
            return repr(value)
        if type(value) is tuple and all(type(v) in (bool, int, str, type(None)) for v in value):
            return repr(value)
        return self.names.bind(value, name)


def reads_item(call: Call) -> bool:
    """Whether a call is just `x[index]`."""
    return call.opdef.name in ("GetItem", "GetElement") and call.inputs[0].dtype.kind not in "SRV"


def multiplies_transposed(call: Call) -> bool:
    """Whether a call is the product of two matrices, some transposed, none conjugated."""
    if call.opdef.name != "BatchMatMul" or any(v.shape.rank != 2 for v in call.inputs):
        return False
    return "h" not in (call.attrs.get("a_how"), call.attrs.get("b_how"))


def writes_item(call: Call) -> bool:
    """Whether a call is just `x[index] = value`, or `+=`, on an array that may be written to."""
    if not call.in_place or call.inputs[0].dtype.kind in "SRV":
        return False
    if call.opdef.name == "AddItem":
        # An array of indices may name a place twice.
        return all(v.is_scalar and v.dtype.kind != "b" for v in call.inputs[2:])
    return call.opdef.name == "SetItem"


def _joined(symbol: str, strength: int, operands: list[Text]) -> Text:
    """Operands joined by `and` or `or`, which need no parentheses among their own kind."""
    texts = [t if s >= strength and s != _CHOICE else f"({t})" for t, s in operands]
    return f" {symbol} ".join(texts), strength


def _infix(symbol: str, operands: list[Text]) -> Text:
    if len(operands) == 1:
        text, strength = operands[0]
        return f"{symbol}{text if strength >= _UNARY else f'({text})'}", _UNARY
    strength = _STRENGTHS.get(symbol, _COMPARISON)
    (left, left_strength), (right, right_strength) = operands
    left_needs = strength + 1 if strength == _COMPARISON else strength
    if symbol == "**":
        left_needs = ATOM
    left = left if left_strength >= left_needs else f"({left})"
    right = right if right_strength > strength else f"({right})"
    return f"{left} {symbol} {right}", strength


def identifier(name: str) -> str:
    """A name made fit for Python."""
    cleaned = re.sub(r"\W", "_", name)
    if not cleaned or cleaned[0].isdigit():
        cleaned = f"v_{cleaned}" if cleaned else ""
    return cleaned.lower() if cleaned[:1].isupper() else cleaned


def _constant_name(constant: Any, scalar: bool) -> str:
    text = str(constant).replace("+", "").replace("-", "m")
    text = re.sub(r"\.0$", "", text) if constant.dtype.kind not in "iu" else text
    text = re.sub(r"[^0-9a-zA-Z]", "_", text.replace(".", "p"))
    return f"c{text}" if scalar else f"a{text}"
