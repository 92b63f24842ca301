"""ConcreteFunction: one trace of a function, ready to be called."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from autograph_lite.arguments import Arguments
from runtime import nest
from runtime.context import thread
from runtime.control_flow import CALL
from runtime.convert import convert_to_tensor
from runtime.executor import Plan
from runtime.graph import FunctionGraph
from runtime.ops.apply import EagerOperation, apply
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensor_spec import TensorSpec


class ConcreteFunction:
    """A graph with the dtypes and shapes of its inputs fixed, made by tracing a function.

    Attributes:
      graph: the traced graph. Its inputs are the tensors among the arguments, then the captures.
      structured_outputs: what the function gives, with a TensorSpec for every tensor.

    >>> import autograph_lite as ag
    >>> @ag.function
    ... def twice(x):
    ...     return x * 2
    >>> concrete = twice.get_concrete_function(ag.TensorSpec([None], ag.float32))
    >>> concrete(ag.constant([1.0, 2.0])).numpy().tolist()
    [2.0, 4.0]
    """

    def __init__(
        self,
        name: str,
        graph: FunctionGraph,
        arguments: Arguments,
        argument_count: int,
        outputs: OutputTemplate,
    ) -> None:
        self.name = name
        self.graph = graph
        self._arguments = arguments
        self._argument_count = argument_count
        self._outputs = outputs
        self._plan: Plan | None = None
        self._lock = threading.Lock()
        captured = [outside for outside, _ in graph.captures]
        self.captured_inputs: list[Tensor] = captured
        self.has_outer_captures = any(isinstance(t, SymbolicTensor) for t in captured)
        self._captured_values = (
            () if self.has_outer_captures else tuple(t._value for t in captured)  # type: ignore[attr-defined]
        )

    # ---- what it is

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The graph's inputs: arguments, then captures."""
        return self.graph.inputs

    @property
    def outputs(self) -> list[SymbolicTensor]:
        """The graph's outputs."""
        return self.graph.outputs

    @property
    def input_specs(self) -> list[TensorSpec]:
        """What each tensor among the arguments must be."""
        return [
            TensorSpec(t.shape, t.dtype, t.op.name)
            for t in self.graph.inputs[: self._argument_count]
        ]

    @property
    def structured_input_signature(self) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments of the trace, with a TensorSpec in the place of every tensor."""
        specs = self._arguments.replace(iter(self.input_specs))
        return specs.positional, specs.keywords

    @property
    def structured_outputs(self) -> Any:
        """What the function gives, with a TensorSpec in the place of every tensor."""
        return self._outputs.fill([TensorSpec(t.shape, t.dtype) for t in self.graph.outputs])

    @property
    def output_shapes(self) -> Any:
        """What the function gives, with its shape in the place of every tensor."""
        return self._outputs.fill([t.shape for t in self.graph.outputs])

    @property
    def output_dtypes(self) -> Any:
        """What the function gives, with its dtype in the place of every tensor."""
        return self._outputs.fill([t.dtype for t in self.graph.outputs])

    @property
    def plan(self) -> Plan:
        """The executable form of the graph, made when it is first needed."""
        if self._plan is None:
            with self._lock:
                if self._plan is None:
                    self._plan = Plan(self.graph, self.name)
        return self._plan

    def plan_source(self) -> str:
        """The Python source of the function of NumPy calls that runs the graph."""
        return self.plan.source

    def __repr__(self) -> str:
        args = ", ".join(f"{s.dtype.name}{s.shape}" for s in self.input_specs)
        return f"<ag.ConcreteFunction {self.name}({args}) -> {self._outputs.fill_text(self)}>"

    # ---- calling

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph.

        Args:
          *args: the tensors, in order; Python arguments of the trace may be repeated or left out.
          **kwargs: tensors by their parameter's name.

        Raises:
          TypeError, ValueError: they are not what the trace was made for.
        """
        leaves = self._match(args, kwargs)
        return self.call_with(leaves)

    def _match(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Tensor]:
        specs = self.input_specs
        given = [leaf for value in args for leaf in _tensor_leaves(value)]
        for spec in specs[len(given) :]:
            if spec.name in kwargs:
                given += list(_tensor_leaves(kwargs[spec.name]))
        if len(given) != len(specs):
            raise TypeError(
                f"{self.name} takes {len(specs)} tensors ({', '.join(map(str, specs))}), "
                f"found {len(given)}"
            )
        return [self._checked(value, spec) for value, spec in zip(given, specs, strict=True)]

    def _checked(self, value: Any, spec: TensorSpec) -> Tensor:
        tensor = value if isinstance(value, Tensor) else convert_to_tensor(value, spec.dtype)
        if not spec.is_compatible_with(tensor):
            raise ValueError(
                f"{self.name}: argument {spec.name!r} is to be {spec.dtype.name}{spec.shape}, "
                f"found {tensor.dtype.name}{tensor.shape}"
            )
        return tensor

    def call_with(self, leaves: Sequence[Any]) -> Any:
        """Runs the graph on tensors (or arrays) of the right dtypes and shapes, in order."""
        if thread.graph is not None or self.has_outer_captures:
            return self._call_in_graph(leaves)
        arrays = [t._value if type(t) is EagerTensor else _array(t) for t in leaves]
        results = self.plan.run(*arrays, *self._captured_values)
        outputs: list[Tensor] = [EagerTensor(r) for r in results]
        if thread.recorders:
            self._record(leaves, outputs)
        return self._outputs.fill(outputs)

    def _call_in_graph(self, leaves: Sequence[Any]) -> Any:
        inputs = [convert_to_tensor(t) for t in leaves]
        attrs = {"function": self.graph, "outputs_list": True}
        outputs = apply(CALL, [*inputs, *self.captured_inputs], attrs, self.name)
        return self._outputs.fill(outputs)

    def _record(self, leaves: Sequence[Any], outputs: list[Tensor]) -> None:
        inputs = [t if isinstance(t, Tensor) else EagerTensor(np.asarray(t)) for t in leaves]
        attrs = {"function": self.graph, "outputs_list": True}
        op = EagerOperation(CALL, [*inputs, *self.captured_inputs], attrs, outputs)
        for recorder in thread.recorders:
            recorder.record(op)


def _array(leaf: Any) -> Any:
    """The array of an argument; a copy where the caller may go on writing to it."""
    if isinstance(leaf, np.ndarray):
        return np.array(leaf)
    return convert_to_tensor(leaf)._value  # type: ignore[attr-defined]


def _tensor_leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Tensor | np.ndarray | np.generic):
        yield value
    elif type(value) in (int, float, bool, complex):
        yield value
    else:
        parts = nest.parts(value)
        if parts is not None:
            for item in parts[1]:
                yield from _tensor_leaves(item)


class OutputTemplate:
    """The structure of what a function gives, with holes for its tensors."""

    def __init__(self, value: Any, to_tensor: Callable[[Any], Tensor | None]) -> None:
        self.tensors: list[Tensor] = []
        self._fill = self._template(value, to_tensor)
        self.is_single = isinstance(value, Tensor)

    def _template(
        self, value: Any, to_tensor: Callable[[Any], Tensor | None]
    ) -> Callable[[Sequence[Any]], Any]:
        tensor = to_tensor(value)
        if tensor is not None:
            number = len(self.tensors)
            self.tensors.append(tensor)
            return lambda outputs: outputs[number]
        parts = nest.parts(value)
        if parts is None:
            return lambda outputs: value
        _, items, rebuild = parts
        fills = [self._template(item, to_tensor) for item in items]
        return lambda outputs: rebuild([fill(outputs) for fill in fills])

    def fill(self, outputs: Sequence[Any]) -> Any:
        """The structure with `outputs` in the holes."""
        return self._fill(outputs)

    def fill_text(self, concrete: ConcreteFunction) -> str:
        """The structure in words."""
        texts = [f"{t.dtype.name}{t.shape}" for t in concrete.graph.outputs]
        return str(self.fill(texts)).replace("'", "")
