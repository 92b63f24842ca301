"""Sessions: they run parts of a graph, with values fed for some of its tensors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import nest
from runtime.context import building
from runtime.convert import convert_to_tensor
from runtime.errors import InvalidArgumentError
from runtime.executor import Plan
from runtime.graph import Graph, Operation
from runtime.graph_mode import control_inputs, get_default_graph
from runtime.tensor import EagerTensor, SymbolicTensor
from runtime.variables import Variable


class _Stack(threading.local):
    sessions: tuple[Session, ...] = ()


_stack = _Stack()


def get_default_session() -> Session | None:
    """The session of the innermost `with session:` block in this thread, or None."""
    return _stack.sessions[-1] if _stack.sessions else None


class Session:
    """Runs operations of a graph.

    Args:
      target: accepted for TensorFlow's sake.
      graph: the graph; the default one if none is given.
      config: accepted for TensorFlow's sake.

    >>> import autograph_lite as ag
    >>> graph = ag.Graph()
    >>> with graph.as_default():
    ...     x = ag.compat.v1.placeholder(ag.float32, [None])
    ...     y = ag.reduce_sum(x)
    >>> with ag.compat.v1.Session(graph=graph) as session:
    ...     session.run({"sum": y}, feed_dict={x: [1, 2, 3]})
    {'sum': np.float32(6.0)}
    """

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        self.graph = get_default_graph() if graph is None else graph
        self._plans: dict[Any, tuple[int, Plan]] = {}
        self._closed = False
        self._outer: list[Any] = []

    def __enter__(self) -> Session:
        _stack.sessions = (*_stack.sessions, self)
        entered = self.graph.as_default()
        entered.__enter__()
        self._outer.append(entered)
        return self

    def __exit__(self, *exception: Any) -> None:
        _stack.sessions = _stack.sessions[:-1]
        self._outer.pop().__exit__(*exception)
        self.close()

    def close(self) -> None:
        """Frees what the session holds; it cannot run any more."""
        self._closed = True
        self._plans = {}

    def run(
        self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None
    ) -> Any:
        """Computes tensors and runs operations.

        Args:
          fetches: a tensor, variable, operation or a name of one; or a nested structure of them.
          feed_dict: values by tensor, or by a tensor's name.
          options: accepted for TensorFlow's sake.
          run_metadata: accepted for TensorFlow's sake.

        Returns:
          The structure of `fetches`, with NumPy arrays and scalars in the place of tensors and
          None in the place of operations.

        Raises:
          RuntimeError: the session is closed.
          ValueError: a fed value has a shape or dtype that does not fit; the name is told.
          InvalidArgumentError: a placeholder that is needed is not fed.
          TypeError: something cannot be fetched or fed.
        """
        if self._closed:
            raise RuntimeError("this session is closed; make a new one")
        found: list[SymbolicTensor | Operation] = []
        fill = self._template(fetches, found)
        feeds = self._feeds(feed_dict or {})
        tensors = [f for f in found if isinstance(f, SymbolicTensor)]
        plan = self._plan(found, [t for t, _ in feeds])
        with building(None):
            results = plan.run(*[value for _, value in feeds])
        values = {id(t): EagerTensor(r).numpy() for t, r in zip(tensors, results, strict=True)}
        return fill([values.get(id(f)) for f in found])

    # ---- what to run

    def _template(self, fetches: Any, found: list[Any]) -> Callable[[Sequence[Any]], Any]:
        """Collects what is fetched; gives how to put the results together."""
        parts = None if _is_node(fetches) else nest.parts(fetches)
        if parts is not None:
            fills = [self._template(item, found) for item in parts[1]]
            rebuild = parts[2]
            return lambda values: rebuild([fill(values) for fill in fills])
        number = len(found)
        found.append(self._node(fetches, "fetched"))
        return lambda values: values[number]

    def _node(self, value: Any, verb: str) -> SymbolicTensor | Operation:
        node: Any = value
        if isinstance(value, str):
            try:
                node = self._named(value)
            except KeyError as error:
                raise ValueError(f"{value!r} cannot be {verb}: {error.args[0]}") from None
        elif isinstance(value, Variable):
            with building(self.graph):
                node = self._read(value)
        if not isinstance(node, SymbolicTensor | Operation):
            raise TypeError(
                f"{value!r} (a {type(value).__name__}) cannot be {verb}: expected a tensor, a "
                "variable, an operation, or the name of one"
            )
        if node.graph is not self.graph:
            raise ValueError(
                f"{node!r} cannot be {verb}: it belongs to {node.graph!r}, and this session runs "
                f"{self.graph!r}"
            )
        return node

    def _read(self, variable: Variable) -> Any:
        reads: dict[int, Any] = self.graph.__dict__.setdefault("variable_reads", {})
        if id(variable) not in reads:
            reads[id(variable)] = variable.value()
        return reads[id(variable)]

    def _named(self, name: str) -> SymbolicTensor | Operation:
        if ":" in name:
            return self.graph.get_tensor_by_name(name)
        return self.graph.get_operation_by_name(name)

    def _feeds(self, feed_dict: Any) -> list[tuple[SymbolicTensor, Any]]:
        feeds: list[tuple[SymbolicTensor, Any]] = []
        for key, value in _pairs(feed_dict):
            tensor = self._node(key, "fed")
            if isinstance(tensor, Operation):
                if len(tensor.outputs) != 1:
                    raise TypeError(f"{tensor!r} cannot be fed: feed one of its tensors")
                tensor = tensor.outputs[0]
            feeds.append((tensor, _fed(tensor, value)))
        return feeds

    def _plan(self, found: list[Any], fed: list[SymbolicTensor]) -> Plan:
        key = (tuple(map(id, found)), tuple(map(id, fed)))
        count = len(self.graph.operations)
        known = self._plans.get(key)
        if known is None or known[0] != count:
            with building(None):
                known = self._plans[key] = (count, _part(self.graph, found, fed))
        return known[1]


def _is_node(value: Any) -> bool:
    return isinstance(value, SymbolicTensor | Operation | Variable | str)


def _pairs(feed_dict: Any) -> list[tuple[Any, Any]]:
    """Keys and values; a key may be a structure of tensors, fed with the like."""
    pairs: list[tuple[Any, Any]] = []
    items = feed_dict.items() if hasattr(feed_dict, "items") else feed_dict
    for key, value in items:
        parts = None if _is_node(key) else nest.parts(getattr(key, "deref", lambda k=key: k)())
        if parts is None:
            pairs.append((key.deref() if hasattr(key, "deref") else key, value))
        else:
            pairs += list(zip(parts[1], list(value), strict=True))
    return pairs


def _fed(tensor: SymbolicTensor, value: Any) -> Any:
    """The array that is fed for a tensor, checked."""
    if isinstance(value, SymbolicTensor):
        raise TypeError(
            f"the value fed for {tensor.name!r} must be an array, found {value!r}; run it first"
        )
    wanted = f"{tensor.dtype.name}{tensor.shape.as_list() if tensor.shape.rank is not None else ''}"
    with building(None):
        try:
            given = np.asarray(value._value if isinstance(value, EagerTensor) else value)
            if not _may_become(given.dtype, tensor.dtype):
                raise TypeError(f"{given.dtype} is not {tensor.dtype.name}")
            kept = given.astype(tensor.dtype.np_dtype) if given.dtype.kind in "biufc" else value
            array = convert_to_tensor(kept, tensor.dtype)._value  # type: ignore[attr-defined]
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"cannot feed {value!r} for {tensor.name!r}, which is {wanted}: {error}"
            ) from None
    if not tensor.shape.is_compatible_with(array.shape):
        raise ValueError(
            f"cannot feed a value of shape {array.shape} for {tensor.name!r}, which is {wanted}"
        )
    return array


def _may_become(given: Any, dtype: Any) -> bool:
    """Whether an array's dtype may be converted to a placeholder's: never to a lesser kind."""
    order = "biufc"
    if given.kind not in order or dtype.kind not in order:
        return True
    # Integers are signed where nobody says otherwise.
    highest = "i" if dtype.kind == "u" else dtype.kind
    return order.find(given.kind) <= order.find(highest)


def _part(graph: Graph, found: list[Any], fed: list[SymbolicTensor]) -> Plan:
    """The plan of the operations that `found` depends on, where `fed` tensors are given."""
    given = set(map(id, fed))
    control = control_inputs(graph)
    needed: set[int] = set()
    stack = [f.op if isinstance(f, SymbolicTensor) else f for f in found if id(f) not in given]
    while stack:
        op = stack.pop()
        if id(op) in needed:
            continue
        needed.add(id(op))
        stack += control.get(id(op), ())
        stack += [t.op for t in op.inputs if id(t) not in given]
    part = Graph(graph.name)
    part.operations = [op for op in graph.operations if id(op) in needed]
    for op in part.operations:
        if op.opdef.name == "Placeholder" and id(op.outputs[0]) not in given:
            tensor = op.outputs[0]
            raise InvalidArgumentError(
                f"no value is fed for placeholder {op.name!r} ({tensor.dtype.name}"
                f"{tensor.shape}), made at {op.location}, which what is fetched depends on"
            )
    part.operations = [op for op in part.operations if not any(id(t) in given for t in op.outputs)]
    part.inputs = fed
    part.outputs = [f for f in found if isinstance(f, SymbolicTensor)]
    part.finished = True
    return Plan(part, "session")


class InteractiveSession(Session):
    """A session that is the default one from the time when it is made."""

    def __init__(self, target: str = "", graph: Graph | None = None, config: Any = None) -> None:
        super().__init__(target, graph, config)
        _stack.sessions = (*_stack.sessions, self)

    def close(self) -> None:
        """Frees what the session holds, and is the default no more."""
        _stack.sessions = tuple(s for s in _stack.sessions if s is not self)
        super().close()


def _session(session: Session | None) -> Session:
    found = session or get_default_session()
    if found is None:
        raise ValueError("there is no default session; use `with session:` or give one")
    return found


def _eval(self: SymbolicTensor, feed_dict: Any = None, session: Session | None = None) -> Any:
    """The tensor's value, computed by a session."""
    return _session(session).run(self, feed_dict)


def _run(self: Operation, feed_dict: Any = None, session: Session | None = None) -> None:
    """Runs the operation in a session."""
    _session(session).run(self, feed_dict)


SymbolicTensor.eval = _eval  # type: ignore[attr-defined]
Operation.run = _run  # type: ignore[attr-defined]

__all__ = ["InteractiveSession", "Session", "get_default_session"]
