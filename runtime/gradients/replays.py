"""The gradient of a `Try`: its parts are run again, eagerly, under a tape.

How far a body comes before it raises is known only by running it. So the gradient of a `Try` is an
operation that runs the body, and the handler or `else` that it led to, once more, operation by
operation, and asks a tape. It takes the variables as they were before the `try`, and changes none.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from runtime.context import building, thread
from runtime.errors import UnimplementedError
from runtime.gradients.activity import graphs_of
from runtime.gradients.backward_graph import announce_before, placed_before
from runtime.gradients.eager_runs import ASSIGNING, EagerRun
from runtime.gradients.reverse import Gradients, ToVariables
from runtime.gradients.sums import carries_gradient, zeros_for
from runtime.graph import FunctionGraph
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.state import READ
from runtime.recursion import EVERY_INPUT
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor


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
            if inner.opdef is READ or inner.type in ASSIGNING:
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
    return bool(op.opdef.stateful and op.outputs and not op.opdef.checks)


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


def _attempt(attrs: dict[str, Any], used: Sequence[Any], arguments: Sequence[Any]) -> list[Any]:
    """Runs a `Try` on eager tensors; behind its inputs come the values of variables."""
    count = len(arguments) - len(used)
    variables = {id(v): value for v, value in zip(used, arguments[count:], strict=True)}
    return EagerRun(variables).attempt(attrs, arguments[:count])
