"""Runs graphs eagerly, one operation after the other, so that tapes see what happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.errors import UnimplementedError
from runtime.executor.lower import needed_operations
from runtime.gradients.calls import call
from runtime.gradients.custom import CUSTOM
from runtime.gradients.replayed_rules import traced_rule
from runtime.graph import FunctionGraph, Operation
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.lists import ListValue
from runtime.tensor import EagerTensor, SymbolicTensor

ASSIGNING: dict[str, Callable[[Any, Any], Any]] = {
    "AssignVariable": lambda old, new: new,
    "AssignAddVariable": np.add,
    "AssignSubVariable": np.subtract,
}
"""What operations make of a variable's value and their input."""


class _Cells:
    """What the checkpoints of a body have stored last."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = list(values)


Variables = dict[int, Any]
"""By the id of a variable, its value in this run."""


class EagerRun:
    """Runs graphs on eager tensors, one operation after the other.

    None stands for what has no value on the path that was taken.
    """

    def __init__(self, variables: Variables) -> None:
        self.before = variables
        self.variables = dict(variables)
        # The graphs that are being run and the values of their tensors, the innermost last.
        self.frames: list[tuple[FunctionGraph, dict[int, Any]]] = []

    def attempt(self, attrs: dict[str, Any], arguments: Sequence[Any]) -> list[Any]:
        """Runs a `Try`."""
        count = attrs["cells"]
        cells = _Cells(arguments[:count])
        captured: list[Sequence[Any]] = []
        start = count
        for size in attrs["captured"]:
            captured.append(arguments[start : start + size])
            start += size
        try:
            results = self.graph(attrs["body"], [cells, *captured[0]])
        except BaseException as error:
            pairs = zip(attrs["kinds"], attrs["handlers"], captured[2:], strict=True)
            for kinds, handler, more in pairs:
                if isinstance(error, kinds):
                    message = EagerTensor(np.array(str(error).encode(), dtype=object))
                    caught = EagerTensor(ListValue([error]))
                    return self.graph(handler, [*cells.values, message, caught, *more])
            raise
        if attrs["orelse"] is None:
            return results
        return self.graph(attrs["orelse"], [*results, *captured[1]])

    def graph(self, graph: FunctionGraph, arguments: Sequence[Any]) -> list[Any]:
        """Runs a branch, a loop body or a part of a `Try`."""
        values = dict(zip(map(id, graph.inputs), arguments, strict=True))
        self.frames.append((graph, values))
        try:
            # What nobody uses does not run: it may raise, as reading an absent item does.
            needed = needed_operations(graph, graph.outputs)
            for op in graph.operations:
                if op.opdef.name == "Placeholder" or id(op) not in needed:
                    continue
                given = [values.get(id(t)) for t in op.inputs]
                for tensor, result in zip(op.outputs, self.operation(op, given), strict=False):
                    values[id(tensor)] = result
            return [values[id(t)] for t in graph.outputs]
        finally:
            self.frames.pop()

    def operation(self, op: Operation, given: list[Any]) -> list[Any]:
        name, attrs = op.opdef.name, op.attrs
        if name == "Const":
            return [EagerTensor(attrs["value"])]
        if name == "Unbound":
            return [_nothing(op.outputs[0])]
        if name == "Checkpoint":
            given[0].values = given[1:]
            return []
        if name == "If":
            split = 1 + len(attrs["then"].inputs)
            if given[0]:
                return self.graph(attrs["then"], given[1:split])
            return self.graph(attrs["orelse"], given[split:])
        if name == "While":
            return self.loop(attrs, given)
        if name == "Call":
            return self.call(attrs["function"], given)
        if name in ("Recurse", "RecurseWithEffects"):
            return self.call(attrs["target"].graph, given)
        if name == "Try":
            return self.attempt(attrs, given)
        if name == "ReadVariable":
            return [self.variables[id(attrs["variable"])]]
        if name in ASSIGNING:
            return [self.assign(name, attrs["variable"], given[0])]
        if any(t is None for t in given):
            return [None] * len(op.outputs)
        if name == "CustomGradient":
            return self.custom(op, given)
        if op.opdef.checks and not op.outputs:
            _check(op, given)
            return []
        if name == "PartOfError":
            return _part_of_error(attrs, given[0]._value[0]) or self.made(op, given)
        if op.opdef.stateful and not op.opdef.checks:
            return []
        return self.made(op, given)

    def made(self, op: Operation, given: list[Any]) -> list[Any]:
        made = apply(op.opdef, given, op.attrs)
        return list(made) if isinstance(made, list | tuple) else [made]

    def call(self, graph: FunctionGraph, given: list[Any]) -> list[Any]:
        """Calls a function: by its plan, if it is one that calls itself."""
        recursive = graph.recursion is not None
        return call(graph, given) if recursive else self.graph(graph, given)

    def custom(self, op: Operation, given: list[Any]) -> list[Any]:
        """Results with a gradient of the user's own, on the values that its function uses."""
        rule = traced_rule(op)
        taken = [*(self.value(t, op) for t in rule.taken), *rule.captured()]

        def run(*dys: Any) -> list[Any]:
            return rule.distributed(self.graph(rule.graph, [*dys, *taken]))

        made: list[Any] = apply(CUSTOM, given, {**op.attrs, "rule": run})
        return made

    def value(self, tensor: SymbolicTensor, op: Operation) -> Any:
        """The value of a tensor of a graph that is being run, or of one around it."""
        for graph, values in reversed(self.frames):
            if id(tensor) in values:
                return values[id(tensor)]
            for outside, inside in graph.captures:
                if outside is tensor:
                    return values[id(inside)]
        raise UnimplementedError(
            f"{op.location}: the gradient function of a custom_gradient in a `try` uses {tensor!r} "
            f"from outside of the `try`, made at {tensor.op.location}; use it in the `try`, too"
        )

    def assign(self, name: str, variable: Any, value: Any) -> Any:
        """An assignment that only this run knows of.

        What is read later is a value of the variable, too: its gradient is the variable's, and
        goes past the assignment.
        """
        key = id(variable)
        new = EagerTensor(ASSIGNING[name](self.variables[key]._value, value._value))
        attrs = {"results": 1, "rule": lambda dy: [dy], "outputs_list": True}
        (made,) = apply(CUSTOM, [new, self.before[key]], attrs)
        self.variables[key] = made
        return made

    def loop(self, attrs: dict[str, Any], given: list[Any]) -> list[Any]:
        test, body, count = attrs["test"], attrs["body"], attrs["carried"]
        carried, captured = given[:count], given[count:]
        split = len(test.inputs) - count
        while self.graph(test, [*carried, *captured[:split]])[0]:
            carried = self.graph(body, [*carried, *captured[split:]])
        return carried


def _check(op: Operation, given: list[Any]) -> None:
    """Raises what an operation may raise; a handler finds the tensors that tapes see with it."""
    try:
        op.opdef.kernel(*[t._value for t in given], **op.attrs)
    except BaseException as error:
        if op.opdef.name == "Raise":
            error._ag_parts = op.attrs["maker"].parts(given)  # type: ignore[attr-defined]
        raise


def _part_of_error(attrs: dict[str, Any], error: Any) -> list[Any] | None:
    """The tensors that a caught exception was raised with; None if it was not raised by a graph."""
    parts = getattr(error, "_ag_parts", None)
    if parts is None:
        return None
    found = attrs["take"](parts[attrs["name"]])
    specs = attrs["outputs"]
    return [
        cast(item, spec.dtype) if isinstance(item, EagerTensor) else EagerTensor(item)
        for item, spec in zip(found, specs, strict=True)
    ]


def _nothing(tensor: SymbolicTensor) -> Any:
    """What stands for a value that there is not on the path taken, as near to plans as can be.

    Flags are asked all the same, and lists are added to. Of an array of unknown shape a zero of no
    dimensions would go no way that the array goes, nor would its gradient.
    """
    if tensor.dtype.kind == "V":
        return EagerTensor(ListValue())
    dims = tensor.shape.as_tuple()
    if dims is None or None in dims:
        if tensor.dtype.kind in "fc":
            return None
        dims = ()
    if tensor.dtype.kind in "SR":
        return EagerTensor(np.full(dims, b"", object)) if tensor.dtype.kind == "S" else None
    return EagerTensor(np.zeros(dims, tensor.dtype.np_dtype))
