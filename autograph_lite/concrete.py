"""ConcreteFunction: one trace of a function, ready to be called."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from autograph_lite import errors
from autograph_lite.arguments import Arguments, parts_of, thawed
from autograph_lite.collecting import collections_paused
from autograph_lite.guards import Guard
from autograph_lite.matching import matched
from autograph_lite.outputs import OutputTemplate
from autograph_lite.state import StateRead, StateWrite
from autograph_lite.watching import current_watch
from runtime.context import thread
from runtime.control_flow import CALL
from runtime.convert import convert_to_tensor
from runtime.graph import FunctionGraph
from runtime.ops.apply import apply
from runtime.shapes import TensorShape
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.tensor_spec import TensorSpec
from runtime.variables import Variable

if TYPE_CHECKING:
    from runtime.executor import Plan

Watched = tuple[Sequence[Guard], Sequence[StateRead], Sequence[StateWrite]]
NOTHING_WATCHED: Watched = ((), (), ())


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
        watched: Watched = NOTHING_WATCHED,
    ) -> None:
        self.name = name
        self.graph = graph
        self.output_template = outputs
        self._arguments = arguments
        self._argument_count = argument_count
        self._plan: Plan | None = None
        self._lock = threading.Lock()
        self.guards, self.state_reads, self.state_writes = watched
        self._depends_on_own = _on_own(self.guards, self.state_reads)
        captured = [outside for outside, _ in graph.captures]
        self.captured_inputs: list[Tensor] = captured
        self.has_outer_captures = any(isinstance(t, SymbolicTensor) for t in captured)
        self._captured_values = (
            [] if self.has_outer_captures else [t._value for t in captured]  # type: ignore[attr-defined]
        )
        self.last_used = 0
        # 1 for a trace of a bound function: its object is the first argument, and goes unsaid.
        self.skip = 0
        # Entries (see `autograph_lite.entries`) by the form of the calls that they are for.
        self.entries: dict[Any, Any] = {}

    def fits(self, arguments: Arguments) -> bool:
        """Whether the Python state around a call is what the trace was made for."""
        if self._depends_on_own:
            self._forget_gone()
        return all(guard.holds(arguments) for guard in self.guards) and all(
            read.fits(arguments) for read in self.state_reads
        )

    def _forget_gone(self) -> None:
        """Drops what was noted of objects that the trace itself has made, and that are no more."""
        guards = [g for g in self.guards if not g.path.root.is_gone]
        reads = [r for r in self.state_reads if not r.path.root.is_gone]
        if len(guards) < len(self.guards) or len(reads) < len(self.state_reads):
            self.guards, self.state_reads = guards, reads
            self.entries.clear()
            self._depends_on_own = _on_own(guards, reads)

    def misfits(self, arguments: Arguments) -> list[str]:
        """What keeps `fits` from being true, in words."""
        changed = [g.describe(arguments) for g in self.guards if not g.holds(arguments)]
        changed += [r.describe(arguments) for r in self.state_reads if not r.fits(arguments)]
        return changed

    # ---- what it is

    @property
    def inputs(self) -> list[SymbolicTensor]:
        """The graph's inputs: arguments, then captures."""
        return self.graph.inputs

    @property
    def outputs(self) -> list[SymbolicTensor]:
        """The graph's outputs, without those that are written to Python objects."""
        return self.graph.outputs[: len(self.output_template.tensors)]

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
        specs = self.arguments_with(self.input_specs)
        return specs.positional[self.skip :], specs.keywords

    def arguments_with(self, leaves: Sequence[Any]) -> Arguments:
        """The arguments of the trace, with these in the place of the tensors."""
        return thawed(self._arguments.replace(iter(leaves)))

    def argument_specs(self) -> Iterator[SymbolicTensor]:
        """The graph's inputs that stand for tensors among the arguments, in order."""
        return iter(self.graph.inputs[: self._argument_count])

    @property
    def structured_outputs(self) -> Any:
        """What the function gives, with a TensorSpec in the place of every tensor."""
        return self.output_template.fill([TensorSpec(t.shape, t.dtype) for t in self.outputs])

    @property
    def output_shapes(self) -> Any:
        """What the function gives, with its shape in the place of every tensor."""
        return self.output_template.fill([t.shape for t in self.outputs])

    @property
    def output_dtypes(self) -> Any:
        """What the function gives, with its dtype in the place of every tensor."""
        return self.output_template.fill([t.dtype for t in self.outputs])

    @property
    def plan(self) -> Plan:
        """The executable form of the graph, made when it is first needed."""
        if self._plan is None:
            with self._lock:
                if self._plan is None:
                    from runtime.executor import Plan

                    with collections_paused():
                        self._plan = Plan(self.graph, self.name)
        return self._plan

    def plan_source(self) -> str:
        """The Python source of the function of NumPy calls that runs the graph."""
        return self.plan.source

    def pretty_printed_signature(self, verbose: bool = True) -> str:
        """The signature as a line of text, or with the outputs below it if `verbose`.

        >>> import autograph_lite as ag
        >>> twice = ag.function(lambda x: x * 2, name="twice")
        >>> print(twice.get_concrete_function(ag.constant(1)).pretty_printed_signature())
        twice(x: int32[]) -> int32[]
        """
        text = f"{self.name}({', '.join(self._argument_texts())})"
        return f"{text} -> {self._output_text()}" if verbose else text

    def _argument_texts(self) -> Iterator[str]:
        texts = [_Text(f"{t.dtype.name}{_dims(t.shape)}") for t in self.argument_specs()]
        arguments = self.arguments_with(texts)
        names = self._arguments.names or ()
        for number, value in list(enumerate(arguments.positional))[self.skip :]:
            name = names[number] if number < len(names) else f"arg{number}"
            yield f"{name}: {value!r}" if _has_text(value) else f"{name}={value!r}"
        for name, value in arguments.keywords.items():
            yield f"{name}: {value!r}" if _has_text(value) else f"{name}={value!r}"

    def _output_text(self) -> str:
        texts = [_Text(f"{t.dtype.name}{_dims(t.shape)}") for t in self.outputs]
        return str(self.output_template.fill(texts))

    def __repr__(self) -> str:
        return f"<ag.ConcreteFunction {self.pretty_printed_signature()}>"

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
        try:
            return self.call_with(self.arguments_with(leaves), leaves)
        except Exception as error:
            if thread.graph is None:
                errors.clean_traceback(error)
            raise

    def _match(self, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Tensor]:
        specs = self.input_specs
        given = matched(self._arguments, args, kwargs)
        if given is None:
            # The tensors alone, in order, whatever the structure that they are to stand in.
            given = [leaf for value in (*args, *kwargs.values()) for leaf in _tensor_leaves(value)]
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

    def call_with(self, arguments: Arguments, leaves: Sequence[Any]) -> Any:
        """Runs the graph.

        Args:
          arguments: the call's, in which the paths of state start.
          leaves: the tensors and arrays among them, of the right dtypes and shapes, in order.
        """
        if thread.graph is not None or self.has_outer_captures:
            return self._call_in_graph(arguments, leaves)
        inputs: list[Tensor] = self.captured_inputs
        if self.state_reads:
            inputs = self._read_state(arguments)
        if thread.recorders:
            outputs = self._call_recorded(leaves, inputs)
        else:
            arrays = [t._value if type(t) is EagerTensor else _array(t) for t in leaves]
            captured = self._captured_values
            if self.state_reads:
                captured = [t._value for t in inputs]  # type: ignore[attr-defined]
            outputs = [EagerTensor(r) for r in self.plan.run(*arrays, *captured)]
        for write in self.state_writes:
            write.write(arguments, outputs)
        return self.output_template.fill(outputs)

    def _read_state(self, arguments: Arguments) -> list[Tensor]:
        """The captured tensors; those that live in Python objects as they are now."""
        inputs = list(self.captured_inputs)
        for read in self.state_reads:
            inputs[read.capture] = read.read(arguments)
        return inputs

    def _read_state_in_graph(self, arguments: Arguments) -> list[Tensor]:
        inputs = list(self.captured_inputs)
        for read in self.state_reads:
            # An array becomes an input of the trace that goes on, too.
            inputs[read.capture] = convert_to_tensor(read.path.resolve(arguments))
        return inputs

    def _call_in_graph(self, arguments: Arguments, leaves: Sequence[Any]) -> Any:
        inputs = [convert_to_tensor(t) for t in leaves]
        watch = current_watch()
        if watch is not None:
            watch.adopt(self, arguments)
        _refuse_redirected(self.graph)
        captured = self._read_state_in_graph(arguments)
        attrs = {"function": self.graph, "outputs_list": True}
        outputs = apply(CALL, [*inputs, *captured], attrs, self.name)
        for made, inside in zip(outputs, self.graph.outputs, strict=True):
            made.weak = inside.weak
        for write in self.state_writes:
            write.note(arguments)
            write.write(arguments, outputs)
        return self.output_template.fill(outputs)

    def _call_recorded(self, leaves: Sequence[Any], captured: list[Tensor]) -> list[Tensor]:
        """Runs the graph while tapes listen: it gives out what its gradient needs, to them."""
        from runtime.gradients.calls import call_recorded

        # Of arrays this makes copies: the tapes keep them.
        inputs = [convert_to_tensor(t) for t in leaves]
        return call_recorded(self.graph, [*inputs, *captured])


def _refuse_redirected(graph: FunctionGraph) -> None:
    # Not at the top: functions can be traced without all that staging knows.
    from autograph_lite.staging.text_buffers import check_call

    check_call(graph)


def _array(leaf: Any) -> Any:
    """The array of an argument; a copy where the caller may go on writing to it."""
    if isinstance(leaf, np.ndarray):
        return np.array(leaf)
    return convert_to_tensor(leaf)._value  # type: ignore[attr-defined]


def _tensor_leaves(value: Any) -> Iterator[Any]:
    if isinstance(value, Tensor | Variable | np.ndarray | np.generic):
        yield value
    else:
        parts = parts_of(value)
        if parts is not None:
            for item in parts[1]:
                yield from _tensor_leaves(item)


class _Text(str):
    """A text that stands for a tensor in a printed signature, without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _dims(shape: TensorShape) -> str:
    return "<unknown rank>" if shape.rank is None else str(shape.as_list())


def _has_text(value: Any) -> bool:
    parts = parts_of(value)
    return type(value) is _Text if parts is None else any(map(_has_text, parts[1]))


def _on_own(guards: Sequence[Guard], reads: Sequence[StateRead]) -> bool:
    """Whether something was noted of objects that the trace itself has made."""
    return any(noted.path.root.made_here for noted in (*guards, *reads))
