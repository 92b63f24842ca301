"""The gradient of a `Try`: its parts are run again, eagerly, under a tape.

How far a body comes before it raises is known only by running it. So the gradient of a `Try` is an
operation that runs the body, and the handler or `else` that it led to, once more, operation by
operation, and asks a tape. It takes the variables as they were before the `try`, and changes none.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.context import building, thread
from runtime.errors import UnimplementedError
from runtime.gradients.activity import graphs_of
from runtime.gradients.backward_graph import announce_before, placed_before
from runtime.gradients.custom import CUSTOM
from runtime.gradients.reverse import Gradients, ToVariables
from runtime.gradients.sums import carries_gradient, zeros_for
from runtime.graph import FunctionGraph, Operation
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.lists import ListValue
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.state import READ
from runtime.recursion import EVERY_INPUT
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor

_RAISING = ("Raise", "CheckBound", "Assert", "Reraise")
_ASSIGNING: dict[str, Callable[[Any, Any], Any]] = {
    "AssignVariable": lambda old, new: new,
    "AssignAddVariable": np.add,
    "AssignSubVariable": np.subtract,
}


def try_gradient(
    op: Any, given: Gradients, wanted: list[bool], variables: list[Any]
) -> tuple[Gradients, ToVariables]:
    """The gradients of a `Try`'s inputs, and of variables that its parts read.

    Args:
      op: the `Try`. Its variables are read right before it.
      given: the gradients of its outputs.
      wanted: which inputs' gradients are wanted.
      variables: the variables whose gradients are wanted.

    Raises:
      UnimplementedError: a part has effects that running it again would repeat.
    """
    used = _variables_of(op)
    known = {id(v) for v in variables}
    reads = [_read_before(op, v) for v in used]
    attempt: Replayed = functools.partial(_attempt, op.attrs, used)
    sought = [*wanted, *(id(v) in known for v in used)]
    made = _replay(attempt, [*op.inputs, *reads], given, sought)
    count = len(op.inputs)
    pairs = zip(used, made[count:], strict=True)
    return made[:count], [(v, g) for v, g in pairs if g is not None]


def _read_before(op: Any, variable: Any) -> SymbolicTensor:
    name = f"{variable.name.partition(':')[0]}/Read"
    made = op.graph.add(READ, (), {"variable": variable}, name)
    tensor = placed_before(op, made)
    announce_before(op, made)
    return tensor


Replayed = Callable[[list[Any]], list[Any]]
"""Takes eager tensors and gives eager tensors, by operations that tapes see."""


def _replay(
    function: Replayed, inputs: Sequence[Tensor], given: Gradients, sought: Sequence[bool]
) -> Gradients:
    """The gradients of what runs `function` on `inputs`, which is run again for them."""
    wanted = tuple(
        i for i, (t, s) in enumerate(zip(inputs, sought, strict=True)) if s and carries_gradient(t)
    )
    present = tuple(i for i, dy in enumerate(given) if dy is not None)
    gradients: Gradients = [None] * len(inputs)
    if not wanted:
        return gradients
    replay = _Replay(function, wanted, present, len(inputs))
    attrs = {"replay": replay, "outputs_list": True}
    seeds = [dy for dy in given if dy is not None]
    made = apply(TRY_GRADIENT, [*inputs, *seeds], attrs)
    for number, found in zip(wanted, made, strict=True):
        gradients[number] = found
    return gradients


def _variables_of(op: Any) -> list[Any]:
    """The variables that a `Try` reads or assigns.

    Raises:
      UnimplementedError: it has other effects.
    """
    used: dict[int, Any] = {}
    seen: set[int] = set()

    def look_at(graph: FunctionGraph) -> None:
        if id(graph) in seen:
            return
        seen.add(id(graph))
        for inner in graph.operations:
            if inner.opdef is READ or inner.type in _ASSIGNING:
                variable = inner.attrs["variable"]
                used[id(variable)] = variable
            elif inner.type != "Try" and _has_effect(inner):
                _refuse(inner)
            for part in graphs_of(inner):
                look_at(part)

    for part in graphs_of(op):
        look_at(part)
    return list(used.values())


def _has_effect(op: Any) -> bool:
    return bool(op.opdef.stateful and op.outputs and op.type not in _RAISING)


def _refuse(op: Any) -> None:
    raise UnimplementedError(
        f"{user_location()}: the gradient of the `try` with {op.name} ({op.type}, at "
        f"{op.location}) in it is not known, since it runs the `try` again; draw random numbers "
        "and the like before the `try`"
    )


class _Replay:
    """Runs a function under a tape, and asks for its gradients.

    Args:
      function: what is run.
      wanted: the numbers of the arguments whose gradients are wanted.
      present: the numbers of the results whose gradients are given.
      count: how many arguments there are; behind them come the given gradients.
    """

    def __init__(
        self, function: Replayed, wanted: Sequence[int], present: Sequence[int], count: int
    ) -> None:
        self.function = function
        self.wanted = wanted
        self.present = present
        self.count = count

    def __call__(self, tensors: list[Any]) -> list[Any]:
        from runtime.gradients.tape import GradientTape

        arguments, seeds = tensors[: self.count], tensors[self.count :]
        sources = [arguments[i] for i in self.wanted]
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(sources)
            results = self.function(arguments)
        # What has no value on the path that was taken has no gradient either.
        pairs = [(results[i], dy) for i, dy in zip(self.present, seeds, strict=True)]
        pairs = [pair for pair in pairs if pair[0] is not None and pair[0]._value is not None]
        targets, starts = [t for t, _ in pairs], [dy for _, dy in pairs]
        found = tape.gradient(targets, sources, starts)
        return [zeros_for(s) if g is None else g for s, g in zip(sources, found, strict=True)]


def _kernel(*values: Any, replay: _Replay, outputs_list: bool) -> Any:
    before, thread.recorders = thread.recorders, ()
    try:
        with building(None):
            made = replay([EagerTensor(v) for v in values])
    finally:
        thread.recorders = before
    return [t._value for t in made]


TRY_GRADIENT = define(
    "TryGradient",
    kernel=_kernel,
    infer=lambda inputs, attrs: [
        Spec(inputs[i].dtype, inputs[i].shape) for i in attrs["replay"].wanted
    ],
    holds=EVERY_INPUT,
    fresh=False,
)


@gradient(TRY_GRADIENT)
def _(op: Any, *given: Tensor | None) -> Any:
    return _replay(op.attrs["replay"], op.inputs, list(given), [True] * len(op.inputs))


class _Cells:
    """What the checkpoints of a body have stored last."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = list(values)


Variables = dict[int, Any]
"""By the id of a variable, its value in this run."""


def _attempt(attrs: dict[str, Any], used: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
    """Runs a `Try` on eager tensors; behind its inputs come the values of variables."""
    count = len(arguments) - len(used)
    variables = {id(v): value for v, value in zip(used, arguments[count:], strict=True)}
    return _Run(variables).attempt(attrs, arguments[:count])


class _Run:
    """Runs graphs on eager tensors, one operation after the other.

    None stands for what has no value on the path that was taken.
    """

    def __init__(self, variables: Variables) -> None:
        self.before = variables
        self.variables = dict(variables)

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
        for op in graph.operations:
            if op.opdef.name == "Placeholder":
                continue
            given = [values[id(t)] for t in op.inputs]
            for tensor, result in zip(op.outputs, self.operation(op, given), strict=False):
                values[id(tensor)] = result
        return [values[id(t)] for t in graph.outputs]

    def operation(self, op: Operation, given: list[Any]) -> list[Any]:
        name, attrs = op.opdef.name, op.attrs
        if name == "Const":
            return [EagerTensor(attrs["value"])]
        if name == "Unbound":
            return [None]
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
            return self.graph(attrs["function"], given)
        if name == "Try":
            return self.attempt(attrs, given)
        if name == "ReadVariable":
            return [self.variables[id(attrs["variable"])]]
        if name in _ASSIGNING:
            return [self.assign(name, attrs["variable"], given[0])]
        if any(t is None for t in given):
            return [None] * len(op.outputs)
        if name in _RAISING:
            _raise_with_parts(op, given)
            return []
        if name == "PartOfError":
            return _part_of_error(attrs, given[0]._value[0]) or self.made(op, given)
        if op.opdef.stateful:
            return []
        return self.made(op, given)

    def made(self, op: Operation, given: list[Any]) -> list[Any]:
        made = apply(op.opdef, given, op.attrs)
        return list(made) if isinstance(made, list | tuple) else [made]

    def assign(self, name: str, variable: Any, value: Any) -> Any:
        """An assignment that only this run knows of.

        What is read later is a value of the variable, too: its gradient is the variable's, and
        goes past the assignment.
        """
        key = id(variable)
        new = EagerTensor(_ASSIGNING[name](self.variables[key]._value, value._value))
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


def _raise_with_parts(op: Operation, given: list[Any]) -> None:
    """Raises what an operation raises; a handler finds the tensors that tapes see with it."""
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
