"""Graphs: operations in program order, with explicit inputs, outputs and captures.

A graph that is the body of a function, branch or loop is a `FunctionGraph`. Tensors of an outer
graph, and eager tensors, that it uses become *captures*: inputs of its own, so that a graph is
understood from its own lines alone.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Container, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime import context
from runtime.dtypes import DType
from runtime.errors import OutOfScopeError
from runtime.locations import Location, user_location
from runtime.ops.registry import OpDef, Spec, define
from runtime.shapes import TensorShape
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor

rewriting = threading.RLock()
"""Held while a graph that is finished is changed, and while a plan is made of one."""


class Operation:
    """One application of an op inside a graph."""

    __slots__ = ("__weakref__", "attrs", "graph", "inputs", "location", "name", "opdef", "outputs")

    def __init__(
        self,
        graph: Graph,
        opdef: OpDef,
        inputs: Sequence[SymbolicTensor],
        attrs: dict[str, Any],
        name: str,
        location: Location,
    ) -> None:
        self.graph = graph
        self.opdef = opdef
        self.inputs = list(inputs)
        self.attrs = attrs
        self.name = name
        self.location = location
        self.outputs: list[SymbolicTensor] = []

    @property
    def type(self) -> str:
        """The name of the op that this applies."""
        return self.opdef.name

    def get_attr(self, name: str) -> Any:
        """An attribute's value.

        Raises:
          ValueError: there is none of this name.
        """
        if name not in self.attrs:
            raise ValueError(f"{self.name} ({self.type}) has no attribute {name!r}")
        return self.attrs[name]

    def __repr__(self) -> str:
        return f"<ag.Operation '{self.name}' type={self.type}>"


CONSTANT = define(
    "Const",
    kernel=lambda value, dtype: value,
    infer=lambda inputs, attrs: Spec(attrs["dtype"], TensorShape(attrs["value"].shape)),
    gradient="no gradient",
)
PLACEHOLDER = define(
    "Placeholder",
    kernel=lambda **attrs: None,
    infer=lambda inputs, attrs: Spec(attrs["dtype"], attrs["shape"]),
    gradient="no gradient",
)


class Graph:
    """Operations in the order in which they were asked for.

    >>> import autograph_lite as ag
    >>> graph = ag.Graph()
    >>> with graph.as_default():
    ...     y = ag.constant(2) + 3
    >>> [op.type for op in graph.get_operations()]
    ['Const', 'Const', 'AddV2']
    """

    def __init__(self, name: str = "graph") -> None:
        self.name = name
        self.operations: list[Operation] = []
        self.inputs: list[SymbolicTensor] = []
        self.outputs: list[SymbolicTensor] = []
        self._name_counts: dict[str, int] = {}
        self._by_name: dict[str, Operation] = {}
        self.finished = False
        # Whether what may raise runs though nobody needs it: so it is in the body of a `try`.
        self.keeps_failing = False

    # ---- building

    def add(
        self,
        opdef: OpDef,
        inputs: Sequence[Tensor],
        attrs: dict[str, Any],
        name: str | None = None,
        location: Location | None = None,
    ) -> Operation:
        """Appends an operation.

        Args:
          opdef: the op it applies.
          inputs: its tensors; those of outer graphs are captured.
          attrs: the op's attributes.
          name: its name; made unique. The op's own name by default.
          location: where the user asked for it; found on the stack by default.
        """
        if context.thread.before_adding is not None:
            context.thread.before_adding(opdef)
            for guard in filter(_is_guard, inputs):
                # To read it may raise, as its own operation does.
                context.thread.before_adding(guard.op.opdef)
        own = [self.resolve(t) for t in inputs]
        specs = opdef.infer(own, attrs)
        op_name = self.unique_name(name or opdef.name)
        op = Operation(self, opdef, own, attrs, op_name, location or user_location())
        if type(specs) is Spec:
            op.outputs = [SymbolicTensor(op, 0, specs.dtype, specs.shape)]
        else:
            listed: Any = specs
            op.outputs = [SymbolicTensor(op, i, s.dtype, s.shape) for i, s in enumerate(listed)]
        self.operations.append(op)
        self._by_name[op.name] = op
        return op

    def resolve(self, tensor: Tensor) -> SymbolicTensor:
        """`tensor` as a tensor of this graph.

        Raises:
          OutOfScopeError: it belongs to a graph that this one cannot see.
        """
        if isinstance(tensor, EagerTensor):
            return self.constant(tensor._value, tensor.dtype)
        if not isinstance(tensor, SymbolicTensor):
            raise TypeError(f"expected a tensor, found {tensor!r}")
        if tensor.graph is self:
            return tensor.op.outputs[tensor.value_index]
        raise OutOfScopeError(_out_of_scope(tensor, self))

    def constant(self, value: Any, dtype: DType, name: str | None = None) -> SymbolicTensor:
        """A tensor of this graph with a value known now; the array must never change."""
        return self.add(CONSTANT, (), {"value": value, "dtype": dtype}, name or "Const").outputs[0]

    def placeholder(
        self, dtype: DType, shape: TensorShape, name: str | None = None
    ) -> SymbolicTensor:
        """A tensor whose value is handed in when the graph runs."""
        attrs = {"dtype": dtype, "shape": shape}
        return self.add(PLACEHOLDER, (), attrs, name or "Placeholder").outputs[0]

    def unique_name(self, name: str) -> str:
        """`name` inside the current name scope, with a number when it is taken."""
        if context.thread.name_scope:
            name = f"{context.thread.name_scope}/{name}"
        count = self._name_counts.get(name)
        if count is None:
            self._name_counts[name] = 0
            return name
        while True:
            count += 1
            numbered = f"{name}_{count}"
            if numbered not in self._name_counts:
                self._name_counts[name] = count
                self._name_counts[numbered] = 0
                return numbered

    @contextmanager
    def as_default(self) -> Iterator[Graph]:
        """Within the block, operations are added to this graph, and variables may be made."""
        from runtime.graph_mode import allowing_variables

        with context.building(self), allowing_variables(self):
            yield self

    def forget_after(self, count: int) -> None:
        """Takes back all operations but the first `count`: their tensors belong nowhere then."""
        nowhere = self._empty()
        for op in self.operations[count:]:
            self._by_name.pop(op.name, None)
            op.graph = nowhere
            for tensor in op.outputs:
                tensor.graph = nowhere
        del self.operations[count:]

    def _empty(self) -> Graph:
        return Graph(self.name)

    # ---- looking at it

    def get_operations(self) -> list[Operation]:
        """The operations of this graph, without those inside of branches and loop bodies."""
        return list(self.operations)

    def get_operation_by_name(self, name: str) -> Operation:
        """The operation called `name`.

        Raises:
          KeyError: there is none.
        """
        if name not in self._by_name:
            raise KeyError(f"graph {self.name} has no operation {name!r}")
        return self._by_name[name]

    def get_tensor_by_name(self, name: str) -> SymbolicTensor:
        """The tensor called `name` ("operation:output").

        Raises:
          KeyError: there is none.
        """
        op_name, _, index = name.partition(":")
        outputs = self.get_operation_by_name(op_name).outputs
        if not index.isdigit() or int(index) >= len(outputs):
            raise KeyError(f"operation {op_name!r} has {len(outputs)} outputs, asked for {name!r}")
        return outputs[int(index)]

    def __str__(self) -> str:
        from runtime.graph_text import graph_text

        return graph_text(self)

    def __repr__(self) -> str:
        return f"<ag.Graph {self.name!r} of {len(self.operations)} operations>"


def _is_guard(tensor: Tensor) -> bool:
    """Whether a tensor stands for a value that is there on some paths only."""
    return type(tensor) is SymbolicTensor and tensor.op.opdef.name == "Guard"


class FunctionGraph(Graph):
    """The graph of a function, branch or loop body: it may use tensors from outside of it.

    Attributes:
      outer: the graph in which it was made; None for one made while executing eagerly.
      captures: pairs (tensor outside, the input that stands for it here), in order of first use.
    """

    def __init__(self, name: str, outer: Graph | None, is_function: bool = False) -> None:
        super().__init__(name)
        self.outer = outer
        # The graph of a whole function keeps the eager tensors it uses to itself: it outlives
        # the trace during which it was made.
        self.is_function = is_function
        self.captures: list[tuple[Tensor, SymbolicTensor]] = []
        # What stands for this graph where it runs itself.
        self.recursion: Any = None
        # Ids of eager tensors in whose place another may stand at the next call.
        self.varying: Container[int] = ()
        # id of a tensor outside -> (the tensor, so that its id stays taken; the input inside).
        self._seen: dict[int, tuple[Tensor, SymbolicTensor]] = {}
        # The graphs that were begun inside of this one.
        self.inside: list[weakref.ref[FunctionGraph]] = []
        if isinstance(outer, FunctionGraph):
            outer.inside.append(weakref.ref(self))

    def resolve(self, tensor: Tensor) -> SymbolicTensor:
        if type(tensor) is SymbolicTensor:
            if tensor.graph is self:
                return tensor
        elif isinstance(tensor, SymbolicTensor):
            return self.resolve(tensor.op.outputs[tensor.value_index])
        known = self._seen.get(id(tensor))
        if known is not None:
            return known[1]
        if isinstance(tensor, SymbolicTensor):
            if self.finished or self.outer is None:
                raise OutOfScopeError(_out_of_scope(tensor, self))
            if _is_guard(tensor):
                return self._guard(tensor)
        elif not isinstance(tensor, EagerTensor):
            raise TypeError(f"expected a tensor, found {tensor!r}")
        own = self.outer is None or (self.is_function and isinstance(tensor, EagerTensor))
        outside = tensor if own else self._resolve_outside(tensor)
        again = self._seen.get(id(outside))
        inside = self._capture(outside) if again is None else again[1]
        self._seen[id(tensor)] = (tensor, inside)
        return inside

    def _guard(self, tensor: SymbolicTensor) -> SymbolicTensor:
        """What asks whether a name is bound, here, where the name is read."""
        op = tensor.op
        inside = self.add(op.opdef, [self.resolve(t) for t in op.inputs], op.attrs).outputs[0]
        inside.weak = tensor.weak
        self._seen[id(tensor)] = (tensor, inside)
        return inside

    def forget_after(self, count: int) -> None:
        forgotten = set(map(id, self.operations[count:]))
        self.inputs = [t for t in self.inputs if id(t.op) not in forgotten]
        self.captures = [pair for pair in self.captures if id(pair[1].op) not in forgotten]
        self._seen = {k: v for k, v in self._seen.items() if id(v[1].op) not in forgotten}
        super().forget_after(count)

    def captured(self, inside: SymbolicTensor) -> Tensor | None:
        """What an input of the graph stands for that has been captured; None for any other."""
        for outside, placeholder in self.captures:
            if placeholder is inside:
                return outside
        return None

    def rename(self, old: SymbolicTensor, new: SymbolicTensor) -> None:
        """Has another tensor from outside stand behind what was captured of `old`."""
        self.captures = [(new if out is old else out, inside) for out, inside in self.captures]
        known = self._seen.pop(id(old), None)
        if known is not None:
            self._seen[id(new)] = (new if known[0] is old else known[0], known[1])

    def _empty(self) -> Graph:
        return FunctionGraph(self.name, None)

    def _resolve_outside(self, tensor: Tensor) -> Tensor:
        assert self.outer is not None
        try:
            return self.outer.resolve(tensor)
        except OutOfScopeError:
            raise OutOfScopeError(_out_of_scope(tensor, self)) from None  # type: ignore[arg-type]

    def _capture(self, outside: Tensor) -> SymbolicTensor:
        inside = self.placeholder(outside.dtype, outside.shape, "capture")
        if isinstance(outside, SymbolicTensor):
            inside.weak = outside.weak
        elif isinstance(outside, EagerTensor) and id(outside) not in self.varying:
            # An eager tensor never changes: while tracing its value may be looked at.
            inside.op.attrs["known"] = outside._value
        self.inputs.append(inside)
        self.captures.append((outside, inside))
        self._seen[id(outside)] = (outside, inside)
        return inside


def _out_of_scope(tensor: SymbolicTensor, graph: Graph) -> str:
    return (
        f"{tensor!r}, made at {tensor.op.location}, belongs to graph {tensor.graph.name!r} and "
        f"cannot be used in {graph.name!r}: a symbolic tensor exists only inside the function, "
        "branch or loop body whose trace made it. Return it from there, or keep it in an "
        "ag.Variable."
    )
