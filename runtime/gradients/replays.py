"""The gradient of a `Try`: its parts are run again, eagerly, under a tape.

How far a body comes before it raises is known only by running it. So the gradient of a `Try` is an
operation that runs the body, and the handler or `else` that it led to, once more, operation by
operation, and asks a tape.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.context import building, thread
from runtime.errors import UnimplementedError
from runtime.gradients.sums import carries_gradient, zeros_for
from runtime.graph import FunctionGraph, Operation
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.lists import ListValue
from runtime.ops.registry import Spec, define, gradient
from runtime.recursion import EVERY_INPUT
from runtime.tensor import EagerTensor, Tensor

_RAISING = ("Raise", "CheckBound", "Assert", "Reraise")


def try_gradient(op: Any, given: Sequence[Tensor | None]) -> list[Tensor | None]:
    """The gradients of a `Try`'s inputs; see `runtime.ops.registry.define` for the form.

    Raises:
      UnimplementedError: a part has effects that running it again would repeat.
    """
    for graph in _parts(op.attrs):
        _refuse_effects(graph)
    attempt: Replayed = functools.partial(_attempt, op.attrs)
    return _replay(attempt, op, given)


Replayed = Callable[[list[Any]], list[Any]]
"""Takes eager tensors and gives eager tensors, by operations that tapes see."""


def _replay(function: Replayed, op: Any, given: Sequence[Tensor | None]) -> list[Tensor | None]:
    """The gradients of an operation that runs `function`, which is run again for them."""
    wanted = tuple(i for i, t in enumerate(op.inputs) if carries_gradient(t))
    present = tuple(i for i, dy in enumerate(given) if dy is not None)
    replay = _Replay(function, wanted, present, len(op.inputs))
    attrs = {"replay": replay, "outputs_list": True}
    seeds = [dy for dy in given if dy is not None]
    made = apply(TRY_GRADIENT, [*op.inputs, *seeds], attrs)
    gradients: list[Tensor | None] = [None] * len(op.inputs)
    for position, found in zip(wanted, made, strict=True):
        gradients[position] = found
    return gradients


def _parts(attrs: dict[str, Any]) -> list[FunctionGraph]:
    orelse = attrs["orelse"]
    return [attrs["body"], *attrs["handlers"], *([] if orelse is None else [orelse])]


def _refuse_effects(graph: FunctionGraph) -> None:
    for op in graph.operations:
        for inner in (a for a in op.attrs.values() if isinstance(a, FunctionGraph)):
            _refuse_effects(inner)
        if op.opdef.name == "Try":
            for inner in _parts(op.attrs):
                _refuse_effects(inner)
        elif op.opdef.stateful and op.outputs and op.opdef.name not in _RAISING:
            raise UnimplementedError(
                f"{user_location()}: the gradient of the `try` with {op.name} ({op.type}, at "
                f"{op.location}) in it is not known, since it runs the `try` again; read "
                "variables and draw random numbers before the `try`"
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
    return _replay(op.attrs["replay"], op, given)


class _Cells:
    """What the checkpoints of a body have stored last."""

    def __init__(self, values: Sequence[Any]) -> None:
        self.values = list(values)


def _attempt(attrs: dict[str, Any], arguments: Sequence[Any]) -> list[Any]:
    """Runs a `Try` on eager tensors."""
    count = attrs["cells"]
    cells = _Cells(arguments[:count])
    captured: list[Sequence[Any]] = []
    start = count
    for size in attrs["captured"]:
        captured.append(arguments[start : start + size])
        start += size
    try:
        results = _run(attrs["body"], [cells, *captured[0]])
    except BaseException as error:
        pairs = zip(attrs["kinds"], attrs["handlers"], captured[2:], strict=True)
        for kinds, handler, more in pairs:
            if isinstance(error, kinds):
                message = EagerTensor(np.array(str(error).encode(), dtype=object))
                caught = EagerTensor(ListValue([error]))
                return _run(handler, [*cells.values, message, caught, *more])
        raise
    if attrs["orelse"] is None:
        return results
    return _run(attrs["orelse"], [*results, *captured[1]])


def _run(graph: FunctionGraph, arguments: Sequence[Any]) -> list[Any]:
    values = dict(zip(map(id, graph.inputs), arguments, strict=True))
    for op in graph.operations:
        if op.opdef.name == "Placeholder":
            continue
        given = [values[id(t)] for t in op.inputs]
        for tensor, result in zip(op.outputs, _apply(op, given), strict=False):
            values[id(tensor)] = result
    return [values[id(t)] for t in graph.outputs]


def _apply(op: Operation, given: list[Any]) -> list[Any]:
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
            return _run(attrs["then"], given[1:split])
        return _run(attrs["orelse"], given[split:])
    if name == "While":
        return _loop(attrs, given)
    if name == "Call":
        return _run(attrs["function"], given)
    if name == "Try":
        return _attempt(attrs, given)
    if name in _RAISING:
        op.opdef.kernel(*[t._value for t in given], **attrs)
        return []
    if op.opdef.stateful:
        return []
    made = apply(op.opdef, given, attrs)
    return list(made) if isinstance(made, list | tuple) else [made]


def _loop(attrs: dict[str, Any], given: list[Any]) -> list[Any]:
    test, body, count = attrs["test"], attrs["body"], attrs["carried"]
    carried, captured = given[:count], given[count:]
    split = len(test.inputs) - count
    while _run(test, [*carried, *captured[:split]])[0]:
        carried = _run(body, [*carried, *captured[split:]])
    return carried
