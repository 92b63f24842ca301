"""The gradient of a call of a traced function: a call of another function, made once.

The forward function is made to give out what the backward function needs. Both are ordinary graphs
with plans of their own, so calls under a tape are as fast as others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime import graph as graphs
from runtime.context import building, thread
from runtime.control_flow import CALL
from runtime.gradients.activity import call_varies, variables_read
from runtime.gradients.backward_graph import BackwardGraph, announce, position, prune
from runtime.gradients.reverse import Gradients, Sweep, ToVariables
from runtime.gradients.sums import carries_gradient, is_list, zeros_for
from runtime.graph import FunctionGraph
from runtime.ops.apply import EagerOperation, apply
from runtime.ops.lists import ListValue, pack
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor


class Derivative:
    """The gradient of a function graph, for some of its outputs and some of its inputs.

    Args:
      forward: the function's graph.
      given: its outputs whose gradients are given.
      wanted: the numbers of its inputs whose gradients are wanted.
      variables: the variables whose gradients are wanted.

    Attributes:
      graph: the backward function. Its inputs are the given gradients, what is `needed` of the
        forward graph, and captures.
      needed: the tensors of the forward graph that the backward function takes.
      inputs: the numbers of the inputs of which it gives the gradients, first.
      variables: the variables of which it gives the gradients, after those.
    """

    def __init__(
        self,
        forward: FunctionGraph,
        given: Sequence[SymbolicTensor],
        wanted: Sequence[int],
        variables: Sequence[Any],
    ) -> None:
        self.needed: list[SymbolicTensor] = []
        self._places: list[SymbolicTensor] = []
        self.graph = BackwardGraph(f"{forward.name}_gradient", None, forward, self._supply)
        with building(self.graph):
            gradients = [self.graph.placeholder(t.dtype, t.shape, f"d_{t.op.name}") for t in given]
            sweep = Sweep([forward.inputs[i] for i in wanted], variables)
            for target, gradient in zip(given, gradients, strict=True):
                sweep.seed(target, gradient)
            sweep.run(list(forward.operations))
            found = [(i, sweep.gradient(forward.inputs[i])) for i in wanted]
            self.inputs = [i for i, g in found if g is not None]
            by_variable = sweep.variable_gradients
            self.variables = [v for v in variables if by_variable.get(id(v)) is not None]
            outputs = [g for _, g in found if g is not None]
            outputs += [by_variable[id(v)] for v in self.variables]  # type: ignore[misc]
            self.graph.outputs = [self.graph.resolve(t) for t in outputs]
        prune(self.graph)
        captured = [inside for _, inside in self.graph.captures]
        used = {id(t) for op in self.graph.operations for t in op.inputs}
        used.update(map(id, self.graph.outputs))
        pairs = [p for p in zip(self.needed, self._places, strict=True) if id(p[1]) in used]
        self.needed = [t for t, _ in pairs]
        self.graph.inputs = [*gradients, *(place for _, place in pairs), *captured]
        self.graph.finished = True

    def _supply(self, tensor: SymbolicTensor) -> Tensor:
        place = self.graph.placeholder(tensor.dtype, tensor.shape, tensor.op.name)
        self.needed.append(tensor)
        self._places.append(place)
        return place


def root_of(graph: FunctionGraph) -> FunctionGraph:
    """The graph that `graph` is, but for other outputs."""
    return graph.__dict__.get("_root", graph)  # type: ignore[no-any-return]


def with_outputs(graph: FunctionGraph, outputs: Sequence[SymbolicTensor]) -> FunctionGraph:
    """A graph of the same operations that gives other outputs; one for each choice of them."""
    root = root_of(graph)
    views = root.__dict__.setdefault("_views", {})
    key = tuple(map(id, outputs))
    view: FunctionGraph | None = views.get(key)
    if view is None:
        view = FunctionGraph.__new__(FunctionGraph)
        view.__dict__.update(root.__dict__)
        for own in ("_plan", "_variation"):
            view.__dict__.pop(own, None)
        view.__dict__["_root"] = root
        view.outputs = list(outputs)
        views[key] = view
    return view


def derivative(
    graph: FunctionGraph,
    given: Sequence[SymbolicTensor],
    wanted: Sequence[int],
    variables: Sequence[Any],
) -> Derivative:
    """The `Derivative` of a function graph, made when it is first needed."""
    root = root_of(graph)
    read = {id(v) for v in variables_read(root)}
    variables = [v for v in variables if id(v) in read]
    key = (tuple(map(id, given)), tuple(wanted), tuple(map(id, variables)))
    made: dict[Any, Derivative] = root.__dict__.setdefault("_derivatives", {})
    found = made.get(key)
    if found is None:
        with graphs.rewriting:
            found = made.get(key) or Derivative(root, given, wanted, variables)
            made[key] = found
    return found


# ---- calls while tapes listen


class _Recorded:
    """How a function is called while tapes listen.

    Attributes:
      graph: the function, giving out what its gradient needs, too.
      levels: how many of its outputs serve for gradients of first, second, ... order.
      wanted: the numbers of the inputs that some tape watches.
      variables: the variables that some tape watches.
    """

    def __init__(
        self, graph: FunctionGraph, wanted: Sequence[int], variables: Sequence[Any], order: int
    ) -> None:
        self.wanted = wanted
        self.variables = variables
        outputs = list(graph.outputs)
        self.levels = [len(outputs)]
        inside = set(map(id, graph.inputs))
        for _ in range(order):
            made = derivative(graph, _differentiable(outputs), wanted, variables)
            have = set(map(id, outputs)) | inside
            outputs += [t for t in made.needed if id(t) not in have]
            self.levels.append(len(outputs))
        self.graph = with_outputs(graph, outputs)

    def enclosing(self, numbers: Sequence[int]) -> list[int]:
        """Outputs, the numbered ones among them, for which everything needed was given out."""
        last = max(numbers)
        count = next((n for n in self.levels[:-1] if last < n), self.levels[-1])
        return [i for i in range(count) if carries_gradient(self.graph.outputs[i])]


def _differentiable(tensors: Sequence[SymbolicTensor]) -> list[SymbolicTensor]:
    return [t for t in tensors if carries_gradient(t)]


def call(graph: FunctionGraph, inputs: Sequence[Tensor], name: str | None = None) -> list[Any]:
    """Calls a function graph: at once, or as an operation of the graph being built.

    Args:
      graph: the function's graph.
      inputs: tensors for all of its inputs, captures among them.
      name: the operation's name in a graph.
    """
    if thread.graph is not None:
        attrs = {"function": graph, "outputs_list": True}
        return apply(CALL, list(inputs), attrs, name)  # type: ignore[no-any-return]
    if thread.recorders:
        return call_recorded(graph, inputs)
    return _run(graph, inputs)


def call_recorded(graph: FunctionGraph, inputs: Sequence[Tensor]) -> list[Any]:
    """Calls a function graph at once, while recorders listen, and tells them."""
    attrs: dict[str, Any] = {"function": graph, "outputs_list": True}
    recorders = thread.recorders
    # The elements of an eager TensorArray are what tapes know.
    inputs = [_packed(t) for t in inputs]
    tapes = [r for r in recorders if hasattr(r, "tracks")]
    wanted = tuple(
        i
        for i, t in enumerate(inputs)
        if carries_gradient(t) and any(tape.tracks(t) for tape in tapes)
    )
    read = [v for v in variables_read(root_of(graph)) if any(r.watches(v) for r in tapes)]
    if (wanted or read) and graph.recursion is None:
        views = root_of(graph).__dict__.setdefault("_recorded", {})
        key = (tuple(map(id, graph.outputs)), wanted, tuple(map(id, read)), len(tapes))
        recorded = views.get(key)
        if recorded is None:
            with graphs.rewriting:
                recorded = views[key] = _Recorded(graph, wanted, read, len(tapes))
        attrs = {"function": recorded.graph, "outputs_list": True, "recorded": recorded}
    outputs = _run(attrs["function"], inputs)
    op = EagerOperation(CALL, inputs, attrs, outputs)
    for recorder in recorders:
        recorder.record(op)
    return outputs[: len(graph.outputs)]


def _packed(tensor: Any) -> Tensor:
    """A tensor; for the contents of an eager TensorArray, a list made of its elements."""
    tensors = getattr(tensor._value, "tensors", None)
    if tensors is None or any(t is None for t in tensors):
        return tensor  # type: ignore[no-any-return]
    return pack(tensors)


def _run(graph: FunctionGraph, inputs: Sequence[Any]) -> list[Any]:
    plan = graph.__dict__.get("_plan")
    if plan is None:
        from runtime.executor import Plan

        plan = graph.__dict__["_plan"] = Plan(graph, graph.name)
    results = plan.run(*[t._value for t in inputs])
    return [
        EagerTensor(_nothing(t) if r is None else r)
        for r, t in zip(results, graph.outputs, strict=True)
    ]


def _nothing(tensor: SymbolicTensor) -> Any:
    """What stands for a tensor of a branch that was not taken; nobody looks at it."""
    return ListValue() if is_list(tensor) else tensor.dtype.np_dtype.type(0)


# ---- the gradient of a call


def call_gradient(
    op: Any, given: Gradients, wanted: list[bool], variables: list[Any]
) -> tuple[Gradients, ToVariables]:
    """The gradients of the inputs of a `Call`, and of variables that the function reads.

    Args:
      op: the `Call`. In a graph it may be given more outputs: what the gradient needs.
      given: the gradients of its outputs.
      wanted: which inputs' gradients are wanted.
      variables: the variables whose gradients are wanted.
    """
    graph = op.attrs["function"]
    if graph.recursion is not None:
        from runtime.gradients.recursion import recursive_call_gradient

        return recursive_call_gradient(op, given, variables)
    numbers = [i for i, g in enumerate(given) if g is not None]
    chosen = tuple(i for i, w in enumerate(wanted) if w and carries_gradient(op.inputs[i]))
    made = derivative(graph, [graph.outputs[i] for i in numbers], chosen, variables)
    if isinstance(op, EagerOperation):
        if not _all_there(made, graph):
            recorded: _Recorded = op.attrs["recorded"]
            numbers = recorded.enclosing(numbers)
            targets = [graph.outputs[i] for i in numbers]
            made = derivative(graph, targets, recorded.wanted, recorded.variables)
    else:
        graph = _give_out(op, made)
    gradients = [_or_zeros(given[i], op.outputs[i]) for i in numbers]
    handed = [_outside(op, graph, t) for t in made.needed]
    captured = [outside for outside, _ in made.graph.captures]
    results = call(made.graph, [*gradients, *handed, *captured])
    found: Gradients = [None] * len(op.inputs)
    for number, result in zip(made.inputs, results, strict=False):
        found[number] = result
    for number in chosen:
        if found[number] is None and call_varies(graph, _only(number, graph), ()):
            # Some output depends on it, though none whose gradient is given: zero, as TensorFlow
            # has it.
            found[number] = zeros_for(op.inputs[number])
    asked = set(map(id, variables))
    pairs = zip(made.variables, results[len(made.inputs) :], strict=True)
    return found, [(v, g) for v, g in pairs if id(v) in asked]


def _only(number: int, graph: FunctionGraph) -> list[bool]:
    return [i == number for i in range(len(graph.inputs))]


def _or_zeros(gradient: Tensor | None, tensor: Tensor) -> Tensor:
    return zeros_for(tensor) if gradient is None else gradient


def _all_there(made: Derivative, graph: FunctionGraph) -> bool:
    have = {*map(id, graph.outputs), *map(id, graph.inputs)}
    return all(id(t) in have for t in made.needed)


def _outside(op: Any, graph: FunctionGraph, tensor: SymbolicTensor) -> Tensor:
    """A tensor of the function, as the graph around its call knows it."""
    number = position(graph.inputs, tensor)
    if number is not None:
        return op.inputs[number]  # type: ignore[no-any-return]
    return op.outputs[position(graph.outputs, tensor)]  # type: ignore[no-any-return]


def _give_out(op: Any, made: Derivative) -> FunctionGraph:
    """Makes a `Call` give out what the gradient needs."""
    graph: FunctionGraph = op.attrs["function"]
    have = {*map(id, graph.outputs), *map(id, graph.inputs)}
    missing = [t for t in made.needed if id(t) not in have]
    if not missing:
        return graph
    view = with_outputs(graph, [*graph.outputs, *missing])
    op.attrs = {**op.attrs, "function": view}
    for tensor in missing:
        op.outputs.append(SymbolicTensor(op, len(op.outputs), tensor.dtype, tensor.shape))
    announce(op)
    return view
