"""`cond`, `while_loop`, `case` and `switch_case`: control flow as operations with subgraphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import context, dtypes, nest
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType
from runtime.graph import FunctionGraph
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.comparison import less, logical_and, not_equal
from runtime.ops.lists import ListValue
from runtime.ops.registry import Spec, define, gradient
from runtime.recursion import EVERY_INPUT, RECURSE_WITH_EFFECTS
from runtime.shapes import SCALAR, TensorShape
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


def _marker(attrs: Any, inputs: Any) -> Any:
    """What calls a graph that is not inlined, because it runs itself."""
    recursion = attrs["function"].recursion
    return None if recursion is None else recursion.marker


CALL = define(
    "Call",
    kernel=_runs_in_plans_only,
    infer=lambda inputs, attrs: [Spec(t.dtype, t.shape) for t in attrs["function"].outputs],
    specialise=_marker,
    holds=EVERY_INPUT,
    fresh=False,
)


@gradient(IF, WHILE, CALL)
def _(op: Any, *dys: Tensor | None) -> Any:
    # Sweeps backwards stand on these operations: they cannot stand at the top.
    from runtime.gradients.reverse import structured_gradient

    return structured_gradient(op, dys)


def _anything(dtype: DType, shape: TensorShape) -> Any:
    if dtype.kind == "V":
        return ListValue()
    # As gradients have the shapes of what they belong to, so has this, as far as it is known.
    dims = shape.as_tuple()
    return np.zeros(() if dims is None or None in dims else dims, dtype.np_dtype)


UNBOUND = define(
    "Unbound",
    kernel=_anything,
    infer=lambda inputs, attrs: Spec(attrs["dtype"], attrs["shape"]),
    gradient="no gradient",
)


def graph_effects(graph: FunctionGraph) -> bool:
    """Whether running a graph does more than compute its outputs."""
    return any(
        (op.opdef.stateful and op.opdef is not RECURSE_WITH_EFFECTS)
        or any(graph_effects(g) for g in op.attrs.values() if isinstance(g, FunctionGraph))
        for op in graph.operations
    )


def unbound(dtype: DType, shape: TensorShape) -> SymbolicTensor:
    """A tensor of the graph being built that has no value; only a slip would ever read it."""
    return apply(UNBOUND, (), {"dtype": dtype, "shape": shape})


def function_graph(name: str) -> FunctionGraph:
    """A new graph inside the one being built."""
    return FunctionGraph(name, context.current_graph())


def build_if(condition: Tensor, then: FunctionGraph, orelse: FunctionGraph) -> list[SymbolicTensor]:
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

    Args:
      value: a tensor, or what can become one.
      where: what asks for its truth, and, if that is known, ` at ` which place.

    Raises:
      ValueError: it has more than one element. If that shows only when the graph runs,
        InvalidArgumentError is raised then.
    """
    truth = getattr(type(value), "__ag_truth__", None)
    tensor = convert_to_tensor(value if truth is None else truth(value))
    size = tensor.shape.num_elements()
    if size is not None and size != 1:
        raise ValueError(
            f"{user_location()}: the condition of {where.partition(' at ')[0]} must be one truth "
            f"value, found {tensor!r}; {_ONE_TRUTH}"
        )
    if tensor.dtype is not dtypes.bool_:
        tensor = not_equal(tensor, "" if tensor.dtype is dtypes.string else 0)
    return tensor if tensor.shape.rank == 0 else apply(TRUTH, (tensor,))


_ONE_TRUTH = "use ag.reduce_all(x) or ag.reduce_any(x)"


def _the_truth(x: Any) -> Any:
    if x.size != 1:
        raise ValueError(
            f"a condition must be one truth value, found bools of shape {x.shape}; {_ONE_TRUTH}"
        )
    return x.reshape(())[()]


TRUTH = define(
    "Truth",
    kernel=_the_truth,
    infer=lambda inputs, attrs: Spec(dtypes.bool_, SCALAR),
    gradient="no gradient",
)


# ---- the functions that users call


def cond(
    pred: Any,
    true_fn: Callable[[], Any],
    false_fn: Callable[[], Any],
    name: str | None = None,
) -> Any:
    """What `true_fn()` gives if `pred` is true, else what `false_fn()` gives.

    Args:
      pred: a scalar bool tensor, or a Python value.
      true_fn: a function of no arguments that gives tensors or structures of them.
      false_fn: likewise; in a graph both must give the same structure and dtypes.
      name: the operation's name in a graph.

    Raises:
      TypeError: the two give different structures or dtypes in a graph.

    >>> import autograph_lite as ag
    >>> ag.cond(ag.constant(3) > 2, lambda: "large", lambda: "small")
    'large'
    """
    if not isinstance(pred, SymbolicTensor):
        return true_fn() if pred else false_fn()
    condition = as_condition(pred, f"cond at {user_location()}")
    then, first = _traced("then", context.as_called(true_fn))
    orelse, second = _traced("else", context.as_called(false_fn))
    rebuild = _same_structure(first, second, then, orelse)
    return rebuild(build_if(condition, then, orelse))


def _traced(name: str, function: Callable[[], Any]) -> tuple[FunctionGraph, Any]:
    graph = function_graph(name)
    with context.building(graph):
        return graph, function()


def _same_structure(
    first: Any, second: Any, then: FunctionGraph, orelse: FunctionGraph
) -> Callable[[Sequence[Any]], Any]:
    """Makes both results outputs of their graphs; gives how to rebuild the structure."""
    a, b = nest.flatten(first, True), nest.flatten(second, True)
    try:
        nest.assert_same_structure(first, second)
    except (TypeError, ValueError) as error:
        raise TypeError(
            f"{user_location()}: the branches of cond give different structures, {first!r} and "
            f"{second!r}: {error}"
        ) from None
    kept: dict[int, Any] = {}
    for number, (x, y) in enumerate(zip(a, b, strict=True)):
        if x is None and y is None:
            kept[number] = None
            continue
        with context.building(then):
            x = then.resolve(convert_to_tensor(x))
        with context.building(orelse):
            y = orelse.resolve(convert_to_tensor(y, dtype_hint=x.dtype))
        if x.dtype is not y.dtype:
            raise TypeError(
                f"{user_location()}: the branches of cond give dtypes {x.dtype.name} and "
                f"{y.dtype.name}; convert one with ag.cast"
            )
        then.outputs.append(x)
        orelse.outputs.append(y)

    def rebuild(outputs: Sequence[Any]) -> Any:
        leaves = iter(outputs)
        flat = [kept[n] if n in kept else next(leaves) for n in range(len(a))]
        return nest.pack_sequence_as(first, flat, True)

    return rebuild


def case(
    pred_fn_pairs: Any,
    default: Callable[[], Any] | None = None,
    exclusive: bool = False,
    strict: bool = False,
    name: str | None = None,
) -> Any:
    """The result of the function whose condition is the first true one.

    Args:
      pred_fn_pairs: a list of pairs (condition, function of no arguments).
      default: the function to call if no condition is true; by default the last pair's.
      exclusive: whether to check that at most one condition is true.
      strict: accepted for TensorFlow's sake.
      name: the operation's name in a graph.

    Raises:
      TypeError: the functions give different structures or dtypes in a graph.
      InvalidArgumentError: `exclusive`, and several conditions are true.

    >>> import autograph_lite as ag
    >>> x = ag.constant(30)
    >>> ag.case([(x > 100, lambda: 2), (x > 10, lambda: 1)], default=lambda: 0)
    1
    """
    pairs = list(pred_fn_pairs.items() if isinstance(pred_fn_pairs, dict) else pred_fn_pairs)
    if not pairs:
        raise ValueError("case needs at least one pair of condition and function")
    if exclusive:
        _check_exclusive([pred for pred, _ in pairs])
    if default is None:
        *pairs, (_, default) = pairs

    def choose(number: int) -> Any:
        if number == len(pairs):
            assert default is not None
            return default()
        pred, function = pairs[number]
        return cond(pred, function, lambda: choose(number + 1))

    return choose(0)


def _check_exclusive(conditions: Sequence[Any]) -> None:
    from runtime.ops.casting import cast
    from runtime.ops.debugging import Assert
    from runtime.ops.elementwise import add

    total: Any = 0
    for condition in conditions:
        total = add(total, cast(condition, dtypes.int32))
    Assert(total <= 1, ["several conditions of an exclusive case are true:", *conditions])


def switch_case(
    branch_index: Any,
    branch_fns: Any,
    default: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """The result of the branch with the number `branch_index`.

    Args:
      branch_index: a scalar integer tensor.
      branch_fns: functions of no arguments: a list, or pairs (number, function), or a dict.
      default: the function to call for other numbers; by default the last branch.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.switch_case(ag.constant(1), [lambda: 10, lambda: 20])
    20
    """
    if isinstance(branch_fns, dict):
        branches = sorted(branch_fns.items())
    else:
        branches = list(branch_fns)
        if branches and callable(branches[0]):
            branches = list(enumerate(branches))
    default = default or branches[-1][1]
    index = convert_to_tensor(branch_index)

    def choose(number: int) -> Any:
        if number == len(branches):
            assert default is not None
            return default()
        key, function = branches[number]
        return cond(index == key, function, lambda: choose(number + 1))

    return choose(0)


def while_loop(
    cond: Callable[..., Any],
    body: Callable[..., Any],
    loop_vars: Any,
    shape_invariants: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    maximum_iterations: Any = None,
    name: str | None = None,
) -> Any:
    """Calls `body` on the loop variables as long as `cond` holds of them.

    Args:
      cond: `cond(*loop_vars)` gives a scalar bool tensor.
      body: `body(*loop_vars)` gives their next values, in the same structure.
      loop_vars: a list or tuple of tensors, or structures of them.
      shape_invariants: shapes that hold on every pass, in the structure of `loop_vars`; without
        them, sizes that change from pass to pass become unknown by themselves.
      parallel_iterations: accepted for TensorFlow's sake.
      back_prop: accepted for TensorFlow's sake.
      swap_memory: accepted for TensorFlow's sake.
      maximum_iterations: the most passes to make.
      name: the operation's name in a graph.

    Returns:
      The last values of the loop variables.

    Raises:
      TypeError: `body` gives another structure or other dtypes.

    >>> import autograph_lite as ag
    >>> i, x = ag.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2), [0, 1.0])
    >>> float(x)
    8.0
    """
    if context.current_graph() is None:
        return _eager_while(cond, body, loop_vars, maximum_iterations)
    return _GraphWhile(cond, body, loop_vars, shape_invariants, maximum_iterations).build()


def _eager_while(
    cond: Callable[..., Any], body: Callable[..., Any], loop_vars: Any, most: Any
) -> Any:
    values = nest.map_structure(convert_to_tensor, tuple(loop_vars), expand_composites=True)
    passes = 0
    while (most is None or passes < int(most)) and cond(*values):
        result = body(*values)
        result = tuple(result) if isinstance(result, list | tuple) else (result,)
        nest.assert_same_structure(tuple(loop_vars), result)
        values = nest.map_structure(convert_to_tensor, result, expand_composites=True)
        passes += 1
    return nest.pack_sequence_as(loop_vars, nest.flatten(values, True), True)


class _GraphWhile:
    """A `while_loop` in the graph being built; shapes generalise to a fixed point."""

    def __init__(
        self, test: Any, body: Any, loop_vars: Any, shape_invariants: Any, most: Any
    ) -> None:
        self.test = context.as_called(test)
        self.body = context.as_called(body)
        self.loop_vars = loop_vars
        self.most = most
        self.initial = [convert_to_tensor(v) for v in nest.flatten(loop_vars, True)]
        self.count = len(self.initial)
        self.shapes = [t.shape for t in self.initial]
        if shape_invariants is not None:
            self.shapes = [TensorShape(s) for s in _flat_shapes(shape_invariants)]
        self.fixed = shape_invariants is not None

    def build(self) -> Any:
        while True:
            test, body = self.trace()
            outputs = body.outputs[: len(self.initial)]
            wider = [
                known.most_specific_common_supertype(t.shape)
                for known, t in zip(self.shapes, outputs, strict=True)
            ]
            if wider == self.shapes:
                break
            if self.fixed:
                raise ValueError(
                    f"{user_location()}: a pass of while_loop gives shapes "
                    f"{[str(t.shape) for t in outputs]}, which the shape_invariants "
                    f"{[str(s) for s in self.shapes]} do not allow"
                )
            self.shapes = wider
        start = list(self.initial)
        if self.most is not None:
            start.append(convert_to_tensor(0))
        results = build_while(test, body, start)[: len(self.initial)]
        return nest.pack_sequence_as(self.loop_vars, results, True)

    def trace(self) -> tuple[FunctionGraph, FunctionGraph]:
        test, body = function_graph("test"), function_graph("body")
        with context.building(test):
            condition = as_condition(self.test(*self.variables(test)), "while_loop")
            if self.most is not None:
                condition = logical_and(less(test.inputs[self.count], self.most), condition)
            test.outputs = [test.resolve(condition)]
        with context.building(body):
            result = self.body(*self.variables(body))
            passes = [body.inputs[self.count] + 1] if self.most is not None else []
            outputs = [*self.matched(result), *passes]
            body.outputs = [body.resolve(t) for t in outputs]
        return test, body

    def variables(self, graph: FunctionGraph) -> Any:
        pairs = zip(self.initial, self.shapes, strict=True)
        graph.inputs = [graph.placeholder(t.dtype, shape, "variable") for t, shape in pairs]
        packed = nest.pack_sequence_as(self.loop_vars, list(graph.inputs), True)
        if self.most is not None:
            graph.inputs.append(graph.placeholder(dtypes.int32, SCALAR, "passes"))
        return packed

    def matched(self, result: Any) -> list[Tensor]:
        """The body's result, checked against the loop variables."""
        result = result if isinstance(result, list | tuple) else [result]
        try:
            nest.assert_same_structure(list(self.loop_vars), list(result))
        except (TypeError, ValueError) as error:
            raise TypeError(
                f"{user_location()}: the body of while_loop gives another structure than its "
                f"loop_vars: {error}"
            ) from None
        made: list[Tensor] = []
        for variable, value in zip(self.initial, nest.flatten(list(result), True), strict=True):
            tensor = convert_to_tensor(value, dtype_hint=variable.dtype)
            if tensor.dtype is not variable.dtype:
                raise TypeError(
                    f"{user_location()}: a loop variable of while_loop is {variable.dtype.name} "
                    f"before and {tensor.dtype.name} after a pass; convert it with ag.cast"
                )
            made.append(tensor)
        return made


def _flat_shapes(shapes: Any) -> list[Any]:
    """The shapes in a structure of TensorShapes; None stands for an unknown one."""
    if shapes is None or isinstance(shapes, TensorShape):
        return [shapes]
    if hasattr(shapes, "shape"):
        return [shapes.shape]
    parts = nest.parts(shapes)
    if parts is None:
        raise TypeError(f"shape_invariants are to be TensorShapes, found {shapes!r}")
    return [shape for item in parts[1] for shape in _flat_shapes(item)]
