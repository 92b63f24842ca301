"""The form between a graph and a plan: typed statements, without a word of Python in them.

A `Block` is a list of statements that define and use `Value`s. Printers turn it into a program; the
Python printer is `runtime.executor.python_printer`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from runtime.dtypes import DType
from runtime.locations import NOWHERE, Location
from runtime.ops.registry import OpDef
from runtime.shapes import TensorShape


class Value:
    """One array, scalar or list that exists while a plan runs.

    Attributes:
      name: a hint for its name in a printed plan.
      constant: its value if that is known when the plan is made, else None.
    """

    __slots__ = ("constant", "dtype", "name", "shape")

    def __init__(self, name: str, dtype: DType, shape: TensorShape, constant: Any = None) -> None:
        self.name = name
        self.dtype = dtype
        self.shape = shape
        self.constant = constant

    @property
    def is_scalar(self) -> bool:
        """Whether it is known to have no dimensions."""
        return self.shape.rank == 0

    def __repr__(self) -> str:
        return f"{self.name}:{self.dtype.name}{self.shape}"


@dataclass(slots=True)
class Call:
    """`outputs = kernel(*inputs, **keywords)`.

    Attributes:
      infix: Python-like operator that does the same, if there is one.
      several: whether the kernel gives a sequence of outputs even if there is one.
      reuse: the input whose memory takes the result of an elementwise ufunc (`out=`).
      in_place: `opdef.inplace`, with the attributes as keywords, does the work: nobody needs the
        first input any more.
      attrs: the operation's attributes.
    """

    opdef: OpDef
    kernel: Any
    inputs: list[Value]
    outputs: list[Value]
    keywords: dict[str, Any] = field(default_factory=dict)
    infix: str | None = None
    several: bool = False
    reuse: Value | None = None
    in_place: bool = False
    location: Location = NOWHERE
    attrs: dict[str, Any] = field(default_factory=dict)


@dataclass(slots=True)
class If:
    """Runs one of two blocks; each result is one value of the block that ran."""

    condition: Value
    then: Block
    orelse: Block
    results: list[Value]
    location: Location = NOWHERE


@dataclass(slots=True)
class While:
    """Runs `test`, and as long as its `condition` holds, `body`.

    Attributes:
      carried: the values that change from pass to pass.
      initial: what they are before the first pass.
    """

    test: Block
    condition: Value
    body: Block
    carried: list[Value]
    initial: list[Value]
    location: Location = NOWHERE


@dataclass(slots=True)
class Copy:
    """`target` is a copy of `source` that the plan owns and may write to."""

    target: Value
    source: Value


@dataclass(slots=True)
class Block:
    """Statements in order, and the values that they hand on."""

    statements: list[Any] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)


@dataclass(slots=True)
class Procedure:
    """A block with parameters: a whole plan, or a recursive function within it."""

    name: str
    parameters: list[Value]
    body: Block


def statement_inputs(statement: Any) -> list[Value]:
    """The values a statement uses from outside of itself."""
    if isinstance(statement, Call):
        return statement.inputs
    if isinstance(statement, Copy):
        return [statement.source]
    if isinstance(statement, If):
        used = outer_values(statement.then) + outer_values(statement.orelse)
        return [statement.condition, *used]
    if isinstance(statement, While):
        inside = set(map(id, statement.carried))
        used = outer_values(statement.body)
        tested = set(map(id, statement_outputs_of(statement.test)))
        used += outer_values(statement.test)
        if id(statement.condition) not in tested:
            used.append(statement.condition)
        return statement.initial + [v for v in used if id(v) not in inside]
    return []


def statement_outputs(statement: Any) -> list[Value]:
    """The values a statement defines for the statements after it."""
    if isinstance(statement, Call):
        return statement.outputs
    if isinstance(statement, If):
        return statement.results
    if isinstance(statement, While):
        return statement.carried
    if isinstance(statement, Copy):
        return [statement.target]
    return []


def statement_outputs_of(block: Block) -> list[Value]:
    """All values that a block's own statements define."""
    return [v for s in block.statements for v in statement_outputs(s)]


def outer_values(block: Block) -> list[Value]:
    """The values that a block uses and does not define, constants left out."""
    defined: set[int] = set()
    used: list[Value] = []
    for statement in block.statements:
        used += [v for v in statement_inputs(statement) if id(v) not in defined]
        defined.update(map(id, statement_outputs(statement)))
    used += [v for v in block.results if id(v) not in defined]
    return [v for v in used if v.constant is None]
