"""Graph mode: operations go to a default graph, to be run in a session later."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from runtime import context, variables
from runtime.context import enter_busy, leave_busy, thread
from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype
from runtime.graph import Graph, Operation
from runtime.locations import user_location
from runtime.ops.registry import NO_GRADIENT, Spec, define
from runtime.shapes import TensorShape
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor

_lock = threading.Lock()
_default: Graph | None = None
_is_graph_mode = False


def _nothing(*values: Any) -> Any:
    return ()


GROUP = define(
    "NoOp", kernel=_nothing, infer=lambda inputs, attrs: [], gradient=NO_GRADIENT, stateful=True
)
DEFAULTED = define(
    "PlaceholderWithDefault",
    kernel=lambda value, shape: value,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, attrs["shape"]),
    gradient=lambda op, dy: (dy,),
    fresh=False,
)


def disable_eager_execution() -> None:
    """From now on operations are added to a default graph, in all threads.

    >>> import autograph_lite as ag
    >>> ag.compat.v1.disable_eager_execution()
    >>> ag.executing_eagerly()
    False
    >>> ag.compat.v1.enable_eager_execution()
    """
    global _is_graph_mode
    with _lock:
        if _is_graph_mode:
            return
        _is_graph_mode = True
    enter_busy()
    _install(_graph())


def enable_eager_execution(*ignored: Any) -> None:
    """Takes `disable_eager_execution` back: operations run at once."""
    global _is_graph_mode
    with _lock:
        if not _is_graph_mode:
            return
        _is_graph_mode = False
    leave_busy()
    _install(None)


def _install(graph: Graph | None) -> None:
    """Makes `graph` what threads build when they build nothing else."""
    type(thread).graph = graph
    type(variables.creation).hook = None if graph is None else staticmethod(_remember)
    thread.__dict__.pop("graph", None)


def _graph() -> Graph:
    global _default
    if _default is None:
        _default = Graph("default")
    return _default


def get_default_graph() -> Graph:
    """The graph that operations are added to, or would be in graph mode."""
    graph = context.current_graph()
    return _graph() if graph is None else graph


def reset_default_graph() -> None:
    """Starts the default graph afresh.

    Raises:
      RuntimeError: another graph is being built.
    """
    global _default
    if thread.graph is not None and thread.graph is not _default:
        raise RuntimeError("reset_default_graph: another graph is the default at present")
    _default = None
    if _is_graph_mode:
        _install(_graph())


@contextmanager
def allowing_variables(graph: Graph) -> Iterator[None]:
    """Within the block, variables may be made: they become those of `graph`."""
    before = variables.creation.hook
    variables.creation.hook = _remember
    try:
        yield
    finally:
        variables.creation.hook = before


def _remember(variable: Any) -> None:
    graph = get_default_graph()
    kept: list[Any] = graph.__dict__.setdefault("variables", [])
    kept.append((variable, variable._value))


def global_variables() -> list[Any]:
    """The variables made while the default graph was built."""
    return [variable for variable, _ in get_default_graph().__dict__.get("variables", ())]


def trainable_variables() -> list[Any]:
    """Those of `global_variables` that are trainable."""
    return [variable for variable in global_variables() if variable.trainable]


def global_variables_initializer() -> Operation:
    """An operation that gives all variables of the graph their initial values."""
    return variables_initializer(global_variables())


def local_variables_initializer() -> Operation:
    """An operation that does nothing: there are no local variables."""
    return no_op()


def variables_initializer(var_list: Sequence[Any], name: str = "init") -> Operation:
    """An operation that gives variables their initial values.

    Args:
      var_list: the variables.
      name: the operation's name.
    """
    first = {id(v): value for v, value in get_default_graph().__dict__.get("variables", ())}
    values = [EagerTensor(first.get(id(v), v._value)) for v in var_list]
    pairs = zip(var_list, values, strict=True)
    assigned = [variable.assign(value, read_value=False) for variable, value in pairs]
    return group(*assigned, name=name)


def group(*inputs: Any, name: str = "group_deps") -> Operation:
    """An operation that runs others.

    Args:
      *inputs: operations, or tensors, for whose operations they stand.
      name: the operation's name.
    """
    graph = get_default_graph()
    made = graph.add(GROUP, (), {}, name)
    control_inputs(graph)[id(made)] = [i.op if isinstance(i, SymbolicTensor) else i for i in inputs]
    return made


def no_op(name: str = "no_op") -> Operation:
    """An operation that does nothing."""
    return group(name=name)


def control_inputs(graph: Graph) -> dict[int, list[Operation]]:
    """For the operations of a graph, by id, those that must run whenever they do."""
    table: dict[int, list[Operation]] = graph.__dict__.setdefault("control_inputs", {})
    return table


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> SymbolicTensor:
    """A tensor whose value is fed when a session runs.

    Args:
      dtype: its dtype.
      shape: its shape; unknown by default.
      name: its operation's name.

    Raises:
      RuntimeError: no graph is being built.
    """
    graph = context.current_graph()
    if graph is None:
        raise RuntimeError(
            f"{user_location()}: a placeholder belongs to a graph; call "
            "ag.compat.v1.disable_eager_execution() first, or use `with graph.as_default():`"
        )
    return graph.placeholder(as_dtype(dtype), TensorShape(shape), name)


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """A tensor that is `input` unless another value is fed.

    Args:
      input: a tensor, or what can become one.
      shape: the shape that fed values must have.
      name: its operation's name.
    """
    from runtime.ops.apply import apply

    made: Tensor = apply(
        DEFAULTED, (convert_to_tensor(input),), {"shape": TensorShape(shape)}, name
    )
    return made
