"""`cond`, `while_loop`, `case` and `switch_case`: control flow as operations with subgraphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime import context, dtypes
from runtime.dtypes import DType
from runtime.graph import FunctionGraph, Graph
from runtime.ops.apply import apply
from runtime.ops.registry import Spec, define
from runtime.shapes import TensorShape
from runtime.tensor import SymbolicTensor, Tensor


def _runs_in_plans_only(*values: Any, **attrs: Any) -> Any:
    raise AssertionError("control flow operations exist in graphs only")


def _branch_specs(inputs: Any, attrs: Any) -> list[Spec]:
    return [
        Spec(a.dtype, a.shape.most_specific_common_supertype(b.shape))
        for a, b in zip(attrs["then"].outputs, attrs["orelse"].outputs, strict=True)
    ]


IF = define("If", kernel=_runs_in_plans_only, infer=_branch_specs)
WHILE = define(
    "While",
    kernel=_runs_in_plans_only,
    infer=lambda inputs, attrs: [
        Spec(t.dtype, t.shape) for t in attrs["body"].inputs[: attrs["carried"]]
    ],
)
CALL = define(
    "Call",
    kernel=_runs_in_plans_only,
    infer=lambda inputs, attrs: [Spec(t.dtype, t.shape) for t in attrs["function"].outputs],
)
UNBOUND = define(
    "Unbound",
    kernel=lambda dtype, shape: None,
    infer=lambda inputs, attrs: Spec(attrs["dtype"], attrs["shape"]),
    gradient="no gradient",
)


def unbound(dtype: DType, shape: TensorShape) -> SymbolicTensor:
    """A tensor of the graph being built that has no value; only a slip would ever read it."""
    return apply(UNBOUND, (), {"dtype": dtype, "shape": shape})


def function_graph(name: str) -> FunctionGraph:
    """A new graph inside the one being built."""
    return FunctionGraph(name, context.current_graph())


def build_if(
    condition: Tensor, then: FunctionGraph, orelse: FunctionGraph
) -> list[SymbolicTensor]:
    """Adds an `If` to the graph being built.

    Args:
      condition: a scalar bool tensor.
      then: the graph of one branch, finished, with its outputs.
      orelse: the other's; its outputs agree with the first's in number and dtype.
    """
    captured = [outside for graph in (then, orelse) for outside, _ in graph.captures]
    attrs = {"then": then, "orelse": orelse, "outputs_list": True}
    then.finished = orelse.finished = True
    outputs = apply(IF, [condition, *captured], attrs)
    for made, a, b in zip(outputs, then.outputs, orelse.outputs, strict=True):
        made.weak = a.weak and b.weak
    return outputs


def build_while(
    test: FunctionGraph, body: FunctionGraph, initial: Sequence[Tensor]
) -> list[SymbolicTensor]:
    """Adds a `While` to the graph being built.

    Args:
      test: a graph whose first inputs are the loop variables and whose output is a scalar bool.
      body: a graph with the same first inputs, whose outputs are their next values.
      initial: the loop variables before the first pass, of the dtypes of `body`'s inputs.
    """
    captured = [outside for graph in (test, body) for outside, _ in graph.captures]
    attrs = {"test": test, "body": body, "carried": len(initial), "outputs_list": True}
    test.finished = body.finished = True
    outputs = apply(WHILE, [*initial, *captured], attrs)
    for made, variable in zip(outputs, body.inputs, strict=False):
        made.weak = variable.weak
    return outputs


def as_condition(value: Any, where: str) -> Tensor:
    """`value` as a scalar bool tensor: numbers and tensors of one element count as in Python.

    Raises:
      ValueError: it has, or may have, more than one element.
    """
    from runtime.convert import convert_to_tensor
    from runtime.ops.comparison import not_equal
    from runtime.ops.shaping import reshape

    tensor = convert_to_tensor(value)
    size = tensor.shape.num_elements()
    if size is not None and size != 1:
        raise ValueError(
            f"the condition of {where} must be one truth value, found {tensor!r}; "
            "use ag.reduce_all(x) or ag.reduce_any(x)"
        )
    if tensor.dtype is not dtypes.bool_:
        tensor = not_equal(tensor, 0)
    return tensor if tensor.shape.rank == 0 else reshape(tensor, ())


def trace_into(graph: FunctionGraph, function: Callable[..., Any], *arguments: Any) -> Any:
    """Calls `function` with operations going to `graph`."""
    with context.building(graph):
        return function(*arguments)


def current_or_none() -> Graph | None:
    """The graph being built, or None."""
    return context.current_graph()
