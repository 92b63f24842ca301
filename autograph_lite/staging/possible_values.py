"""Which values a tensor may have, where the graph shows that they are a few."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import numpy as np

from autograph_lite.staging.scopes import innermost, stack
from autograph_lite.staging.views import elements, outside_of
from runtime.gradients.activity import graphs_of
from runtime.static import static_value
from runtime.tensor import SymbolicTensor, Tensor

_MOST = 64
"""More values than these are not gone through."""

# What is computed for each of the values that the inputs may have.
_COMPUTED = frozenset(
    {"Abs", "AddV2", "Cast", "FloorDiv", "Maximum", "Minimum", "Mul", "Neg", "Sub"}
)


def possible_values(value: Any) -> list[Any] | None:
    """Python's numbers and texts that a tensor may be.

    Args:
      value: a tensor of no dimensions, or such a number or text itself.

    Returns:
      None if only the running graph knows.
    """
    if isinstance(value, str | int | float):
        return [value]
    if not isinstance(value, Tensor) or value.shape.rank != 0:
        return None
    found = _Search().values(value)
    return None if found is None else list(found)


class Carried:
    """What a variable of a loop, a text or an integer, may be at the beginning of a pass.

    Attributes:
      values: those that are known by now; None if only the running graph knows.
      are_asked: whether anything depends on them.
    """

    def __init__(self, initial: Any) -> None:
        self.values = possible_values(initial)
        self.are_asked = False

    def stand_for(self, tensor: Any) -> None:
        """Notes, in the trace that goes on, that a tensor stands for the variable."""
        scope = innermost()
        if scope is not None:
            scope.carried[id(tensor)] = (tensor, self)

    def add(self, left: Any) -> bool:
        """Takes what a pass leaves in the variable; answers whether that is anything new."""
        if not self.are_asked or self.values is None:
            return False
        found = possible_values(left)
        if found is not None and set(found) <= set(self.values):
            return False
        self.values = None if found is None else [*dict.fromkeys([*self.values, *found])]
        return True


def _carried(tensor: SymbolicTensor) -> Carried | None:
    for scope in stack():
        if id(tensor) in scope.carried:
            return scope.carried[id(tensor)][1]  # type: ignore[no-any-return]
    return None


class _Search:
    """Goes back from a tensor to what branches and loops have chosen it from."""

    def __init__(self, operands: dict[int, Any] | None = None) -> None:
        """Begins a search.

        Args:
          operands: if something is computed from the values, those of what else is, by id: more
            might be computed from what a variable of a loop may be.
        """
        self.computes = operands is not None
        self.operands: dict[int, Any] = {} if operands is None else operands
        # What has been come to already: its values are among those that are found.
        self.seen: set[int] = set()

    def values(self, tensor: Any) -> dict[Any, None] | None:
        """The values, in order; None if they are not known, or are too many."""
        found = self._values(tensor)
        return None if found is None or len(found) > _MOST else found

    def _values(self, tensor: Any) -> dict[Any, None] | None:
        known = static_value(tensor)
        if known is not None:
            return {_python(known): None}
        if not isinstance(tensor, SymbolicTensor):
            return None
        if id(tensor) in self.seen:
            return {}
        self.seen.add(id(tensor))
        carried = _carried(tensor)
        if carried is not None:
            if self.computes or carried.values is None:
                return None
            carried.are_asked = True
            return dict.fromkeys(carried.values)
        outside = outside_of(tensor)
        if outside is not None:
            return self.values(outside)
        op = tensor.op
        if op.type in ("If", "While"):
            return self._left_by_parts(tensor)
        if op.type == "TensorListGetItem":
            return self._any_of(list(elements(op.inputs[0])))
        if op.type == "FloorMod" and tensor.dtype.is_integer:
            count = static_value(op.inputs[1])
            if count is not None and 0 < count <= _MOST:
                return dict.fromkeys(range(int(count)))
        elif op.type in _COMPUTED:
            return self._computed(op)
        return {False: None, True: None} if tensor.dtype.is_bool else None

    def _left_by_parts(self, tensor: SymbolicTensor) -> dict[Any, None] | None:
        op, slot = tensor.op, tensor.value_index
        graphs = [graph for graph in graphs_of(op) if graph is not op.attrs.get("test")]
        parts: list[Any] = [graph.outputs[slot] for graph in graphs if slot < len(graph.outputs)]
        if op.type == "While":
            parts.append(op.inputs[slot])
            # A pass may leave the variable as it is.
            self.seen.update(id(graph.inputs[slot]) for graph in graphs)
        return self._any_of(parts)

    def _any_of(self, parts: list[Any]) -> dict[Any, None] | None:
        found: dict[Any, None] = {}
        for part in parts:
            values = None if part is None else self.values(part)
            if values is None:
                return None
            found.update(values)
        return found

    def _computed(self, op: Any) -> dict[Any, None] | None:
        known = [self._operand(tensor) for tensor in op.inputs]
        given = [list(values) for values in known if values is not None]
        if len(given) < len(known) or prod(map(len, given)) > _MOST:
            return None
        types = [tensor.dtype.np_dtype.type for tensor in op.inputs]
        found: dict[Any, None] = {}
        try:
            with np.errstate(all="ignore"):
                for values in product(*given):
                    inputs = [make(value) for make, value in zip(types, values, strict=True)]
                    found[_python(op.opdef.kernel(*inputs, **op.attrs))] = None
        except ArithmeticError:
            return None  # of some it cannot be computed, if the graph comes to them at all
        return found

    def _operand(self, tensor: Any) -> dict[Any, None] | None:
        if id(tensor) not in self.operands:
            self.operands[id(tensor)] = _Search(self.operands).values(tensor)
        return self.operands[id(tensor)]  # type: ignore[no-any-return]


def _python(value: Any) -> Any:
    """Python's number or text for one of NumPy's."""
    value = value.item() if hasattr(value, "item") else value
    return value.decode() if isinstance(value, bytes) else value


__all__ = ["Carried", "possible_values"]
