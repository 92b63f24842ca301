"""From a graph to statements.

Lowering walks the operations in program order. What nobody needs is left out, what is known already
is computed now, and what was computed before in the same place is used again. Branches and loop
bodies become blocks that use the values around them directly.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.context import warnings_off, warnings_on
from runtime.executor.failing import is_kept
from runtime.executor.invariants import never_fails
from runtime.executor.statements import (
    Block,
    Call,
    If,
    Procedure,
    Value,
    While,
    statement_outputs,
)
from runtime.graph import FunctionGraph, Graph, Operation
from runtime.tensor import SymbolicTensor

_LARGEST_FOLDED = 1 << 20
"""Constants of more elements than this are not computed ahead of time."""


def lower(graph: Graph, name: str) -> Procedure:
    """The statements of a function graph; its outputs become the results."""
    parameters = [_value(t) for t in graph.inputs]
    values = dict(zip(map(id, graph.inputs), parameters, strict=True))
    body = _Lowering(values, {}).block(graph, [True] * len(graph.outputs))
    return Procedure(name, parameters, body)


def has_effects(op: Operation) -> bool:
    """Whether an operation must run even if nobody uses its outputs."""
    if op.opdef.stateful:
        return True
    return any(graph_has_effects(g) for g in subgraphs(op))


def graph_has_effects(graph: Graph) -> bool:
    """Whether a graph contains an operation with effects."""
    known = graph.__dict__.get("_has_effects")
    if known is None:
        known = any(has_effects(op) or is_kept(graph, op) for op in graph.operations)
        if graph.finished:
            graph.__dict__["_has_effects"] = known
    return known


def subgraphs(op: Operation) -> list[FunctionGraph]:
    """The graphs that an operation runs: branches, loop tests and bodies."""
    return [a for a in op.attrs.values() if isinstance(a, FunctionGraph)]


def _value(tensor: SymbolicTensor) -> Value:
    names = tensor.op.attrs.get("value_names")
    name = names[tensor.value_index] if names else tensor.op.name.rpartition("/")[2]
    if tensor.op.type != "Placeholder":
        name = _snake_case(name)
    return Value(name, tensor.dtype, tensor.shape)


@functools.lru_cache(maxsize=4096)
def _snake_case(name: str) -> str:
    """An op's name as Python would spell it, without its number.

    >>> _snake_case("LessEqual_3"), _snake_case("AddV2"), _snake_case("steps")
    ('less_equal', 'add', 'steps')
    """
    name = re.sub(r"V\d$", "", re.sub(r"_\d+$", "", name))
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower() if name[:1].isupper() else name


class _Lowering:
    """The state of lowering one block: values of tensors, and expressions computed before."""

    def __init__(self, values: dict[int, Value], computed: dict[Any, list[Value]]) -> None:
        self.values = values
        self.computed = computed
        self.statements: list[Any] = []
        # In a loop: what surrounds it, and the values that may differ from pass to pass.
        self.around: _Lowering | None = None
        self.varying: set[int] = set()

    def block(self, graph: Graph, wanted: Sequence[bool]) -> Block:
        """Lowers a graph whose inputs have values already; `wanted` selects its outputs."""
        outputs = [t for t, w in zip(graph.outputs, wanted, strict=True) if w]
        needed = needed_operations(graph, outputs)
        for op in graph.operations:
            if id(op) in needed:
                self.operation(op, needed)
        return Block(self.statements, [self.values[id(t)] for t in outputs])

    def inner(
        self, graph: FunctionGraph, arguments: Sequence[Value | None], wanted: Sequence[bool]
    ) -> Block:
        """Lowers a branch whose inputs are `arguments`."""
        inside = _Lowering(dict(self.values), dict(self.computed))
        inside.bind(graph.inputs, arguments)
        return inside.block(graph, wanted)

    def repeated(
        self,
        graph: FunctionGraph,
        carried: Sequence[Value],
        captured: Sequence[Value | None],
        wanted: Sequence[bool],
    ) -> Block:
        """Lowers a loop's test or body; what is the same in each pass goes before the loop."""
        inside = _Lowering(dict(self.values), dict(self.computed))
        inside.around = self
        inside.varying.update(map(id, carried))
        inside.bind(graph.inputs, [*carried, *captured])
        return inside.block(graph, wanted)

    def add(self, statement: Any) -> _Lowering:
        """Appends a statement, here or, if nothing in it varies, before the loop; says where."""
        if (
            self.around is not None
            and isinstance(statement, Call)
            and not any(id(v) in self.varying for v in statement.inputs)
            and never_fails(statement)
        ):
            return self.around.add(statement)
        self.statements.append(statement)
        self.varying.update(map(id, statement_outputs(statement)))
        return self

    def bind(self, tensors: Sequence[SymbolicTensor], values: Sequence[Value | None]) -> None:
        """Gives tensors their values."""
        for tensor, value in zip(tensors, values, strict=True):
            if value is not None:
                self.values[id(tensor)] = value

    def operation(self, op: Operation, needed: set[int]) -> None:
        kind = op.opdef.name
        if kind == "Placeholder":
            if id(op.outputs[0]) not in self.values:
                raise ValueError(f"no value is fed for {op.outputs[0]!r}, made at {op.location}")
        elif kind == "Const":
            self.constant(op.outputs[0], op.attrs["value"])
        elif kind in ("Identity", "StopGradient", "PreventGradient"):
            self.values[id(op.outputs[0])] = self.values[id(op.inputs[0])]
        elif kind == "CustomGradient":
            # Its other inputs matter to gradients only.
            for made, given in zip(op.outputs, op.inputs, strict=False):
                self.values[id(made)] = self.values[id(given)]
        elif kind == "If":
            self.branch(op, needed)
        elif kind == "While":
            self.loop(op, needed)
        elif kind == "Call":
            self.inline(op, needed)
        else:
            self.call(op)

    def constant(self, tensor: SymbolicTensor, array: Any) -> Value:
        value = _value(tensor)
        value.constant = array
        self.values[id(tensor)] = value
        return value

    def call(self, op: Operation) -> None:
        inputs = [self.values[id(t)] for t in op.inputs]
        pure = not has_effects(op)
        if pure and all(v.constant is not None for v in inputs) and self.fold(op, inputs):
            return
        key = _expression_key(op, inputs) if pure else None
        if key is not None and key in self.computed:
            for tensor, value in zip(op.outputs, self.computed[key], strict=True):
                self.values[id(tensor)] = value
            return
        outputs = [_value(t) for t in op.outputs]
        for tensor, value in zip(op.outputs, outputs, strict=True):
            self.values[id(tensor)] = value
        place = self.add(_call(op, inputs, outputs))
        if key is not None:
            self.computed[key] = place.computed[key] = outputs

    def fold(self, op: Operation, inputs: list[Value]) -> bool:
        """Computes an operation on constants now; False if that is not to be done."""
        if any((t.shape.num_elements() or 0) > _LARGEST_FOLDED for t in op.outputs):
            return False
        token = warnings_off()
        try:
            result = op.opdef.kernel(*[v.constant for v in inputs], **op.attrs)
        except Exception:
            # It fails whenever it runs, which may be never: the plan raises it in its place.
            return False
        finally:
            warnings_on(token)
        results = result if type(result) in (tuple, list) else [result]
        if any(not isinstance(r, np.ndarray | np.generic) for r in results):
            return False
        for tensor, array in zip(op.outputs, results, strict=True):
            self.constant(tensor, array)
        return True

    def branch(self, op: Operation, needed: set[int]) -> None:
        condition = self.values[id(op.inputs[0])]
        then, orelse = op.attrs["then"], op.attrs["orelse"]
        # A capture that only a dropped result needs has no value.
        arguments = [self.values.get(id(t)) for t in op.inputs[1:]]
        split = len(then.inputs)
        wanted = [id(t) in needed for t in op.outputs]
        kept = [t for t, w in zip(op.outputs, wanted, strict=True) if w]
        if condition.constant is not None:
            taken = then if condition.constant else orelse
            given = arguments[:split] if condition.constant else arguments[split:]
            self.splice(taken, given, op.outputs, wanted)
            return
        results = [_value(t) for t in kept]
        statement = If(
            condition,
            self.inner(then, arguments[:split], wanted),
            self.inner(orelse, arguments[split:], wanted),
            results,
            op.location,
        )
        for tensor, value in zip(kept, results, strict=True):
            self.values[id(tensor)] = value
        self.add(statement)

    def splice(
        self,
        graph: FunctionGraph,
        arguments: Sequence[Value | None],
        outputs: Sequence[SymbolicTensor],
        wanted: Sequence[bool],
    ) -> None:
        """Puts the operations of a graph here, as if they stood in the graph around it."""
        # A graph may be spliced in twice: its tensors get values of their own each time.
        inside = _Lowering(dict(self.values), self.computed)
        inside.statements = self.statements
        inside.around, inside.varying = self.around, self.varying
        inside.bind(graph.inputs, arguments)
        block = inside.block(graph, wanted)
        kept = [t for t, w in zip(outputs, wanted, strict=True) if w]
        for tensor, value in zip(kept, block.results, strict=True):
            self.values[id(tensor)] = value

    def inline(self, op: Operation, needed: set[int]) -> None:
        if op.attrs["function"].recursion is not None:
            self.call(op)
            return
        arguments = [self.values[id(t)] for t in op.inputs]
        wanted = [id(t) in needed for t in op.outputs]
        self.splice(op.attrs["function"], arguments, op.outputs, wanted)

    def loop(self, op: Operation, needed: set[int]) -> None:
        test, body, count = op.attrs["test"], op.attrs["body"], op.attrs["carried"]
        arguments = [self.values[id(t)] for t in op.inputs]
        initial, captured = arguments[:count], arguments[count:]
        wanted = _carried_to_keep(op, needed)
        carried = [_value(t) for t in op.outputs]
        for number, value in enumerate(carried):
            value.name = body.inputs[number].op.name
        test_captures = len(test.inputs) - count
        tested = self.repeated(test, carried, captured[:test_captures], [True])
        repeated = self.repeated(body, carried, captured[test_captures:], wanted)
        keep = [i for i, w in enumerate(wanted) if w]
        self.add(
            While(
                Block(tested.statements),
                tested.results[0],
                repeated,
                [carried[i] for i in keep],
                [initial[i] for i in keep],
                op.location,
            )
        )
        for i in keep:
            self.values[id(op.outputs[i])] = carried[i]


def _call(op: Operation, inputs: list[Value], outputs: list[Value]) -> Call:
    opdef = op.opdef
    kernel: Any = None
    keywords = op.attrs
    infix = opdef.infix
    if opdef.specialise is not None:
        kernel = opdef.specialise(op.attrs, op.inputs)
        if kernel is not None:
            keywords = {}
        elif infix is not None:
            # The operator stands for the unguarded ufunc only.
            infix = None
    if kernel is None:
        kernel = opdef.kernel
    several = len(outputs) != 1 or bool(op.attrs.get("outputs_list"))
    return Call(
        opdef,
        kernel,
        inputs,
        outputs,
        keywords,
        infix,
        several,
        location=op.location,
        attrs=op.attrs,
    )


def _expression_key(op: Operation, inputs: list[Value]) -> Any:
    """Equal for two operations that compute the same; None if that cannot be told."""
    if any(t.dtype.kind == "V" for t in op.outputs):
        # Lists that start alike grow apart: shared, none of them could grow in place.
        return None
    try:
        attrs = tuple(sorted(op.attrs.items()))
        hash(attrs)
    except TypeError:
        return None
    return (op.opdef.name, tuple(map(_identity, inputs)), attrs)


def _identity(value: Value) -> Any:
    constant = value.constant
    if constant is not None and getattr(constant, "ndim", 1) == 0 and constant.dtype != object:
        return (constant.dtype.char, constant.tobytes())
    return id(value)


def needed_operations(graph: Graph, outputs: Sequence[SymbolicTensor]) -> set[int]:
    """Ids of the operations that must run, and of the tensors that somebody uses."""
    if not graph.finished:
        return _find_needed(graph, outputs)
    # A branch is asked about once for every construct around it.
    known: dict[tuple[int, ...], set[int]] = graph.__dict__.setdefault("_needed", {})
    # Gradients still add operations, which save what they need.
    key = (len(graph.operations), *map(id, outputs))
    found = known.get(key)
    if found is None:
        found = known[key] = _find_needed(graph, outputs)
    return found


def _find_needed(graph: Graph, outputs: Sequence[SymbolicTensor]) -> set[int]:
    needed = set(map(id, outputs))
    for op in reversed(graph.operations):
        used = [t for t in op.outputs if id(t) in needed]
        if used or has_effects(op) or is_kept(graph, op):
            needed.add(id(op))
            needed.update(map(id, _used_inputs(op, needed)))
    return needed


def _used_inputs(op: Operation, needed: set[int]) -> Sequence[SymbolicTensor]:
    if op.opdef.name == "If":
        then, orelse = op.attrs["then"], op.attrs["orelse"]
        wanted = [id(t) in needed for t in op.outputs]
        inside = _used_captures(then, wanted) + _used_captures(orelse, wanted)
        return [op.inputs[0], *(t for t, u in zip(op.inputs[1:], inside, strict=True) if u)]
    if op.opdef.name == "CustomGradient":
        return op.inputs[: len(op.outputs)]
    return op.inputs


def _used_captures(graph: FunctionGraph, wanted: Sequence[bool]) -> list[bool]:
    outputs = [t for t, w in zip(graph.outputs, wanted, strict=True) if w]
    needed = needed_operations(graph, outputs)
    return [id(t) in needed for t in graph.inputs]


def _carried_to_keep(op: Operation, needed: set[int]) -> list[bool]:
    """Which loop variables the test, the effects or somebody behind the loop depend on."""
    test, body, count = op.attrs["test"], op.attrs["body"], op.attrs["carried"]
    tested = needed_operations(test, test.outputs)
    keep = [id(op.outputs[i]) in needed or id(test.inputs[i]) in tested for i in range(count)]
    while True:
        outputs = [t for t, k in zip(body.outputs, keep, strict=True) if k]
        used = needed_operations(body, outputs)
        wider = [k or id(body.inputs[i]) in used for i, k in enumerate(keep)]
        if wider == keep:
            return keep
        keep = wider
