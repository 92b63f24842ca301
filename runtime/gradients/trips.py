"""How many passes a loop makes at most, where that is known before it runs.

What a loop saves for its gradient is then stored into a list that is made once, before the loop.
The number is read off the loop's test: it holds only while a variable that starts at a known number
and changes by a known step has not come to a known end. Staged `for` loops over ranges and rows,
`maximum_iterations` and counters written by hand are all of this form.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from runtime.control_flow import IF
from runtime.gradients.backward_graph import position
from runtime.graph import FunctionGraph
from runtime.static import static_value
from runtime.tensor import SymbolicTensor, Tensor

_REVERSED = {"Less": "Greater", "LessEqual": "GreaterEqual"}
_REVERSED |= {other: name for name, other in _REVERSED.items()}

_MOST_ROOM = 1 << 20
"""References kept ready for a loop that makes all of its passes: 8 MB."""

_MOST_SPARE_ROOM = 1 << 13
"""References kept ready for a loop that may end early: 64 KB, made in some microseconds."""


class Trips(NamedTuple):
    """What is known of the number of passes.

    Attributes:
      most: there are no more.
      exact: whether there are no fewer, either.
    """

    most: int
    exact: bool

    @property
    def room(self) -> int | None:
        """The number of places to keep ready; None if that is too much to do so."""
        return self.most if self.most <= (_MOST_ROOM if self.exact else _MOST_SPARE_ROOM) else None


def trips_of(op: Any) -> Trips | None:
    """How many passes a `While` makes, as far as that is known before it runs."""
    known: Trips | None = op.attrs.get("trips")
    if known is not None:
        return known
    test, count = op.attrs["test"], op.attrs["carried"]
    conditions = list(_conjuncts(test.outputs[0]))
    found = [_passes(op, condition, test.inputs, count) for condition in conditions]
    bounds = [passes for passes in found if passes is not None]
    return Trips(min(bounds), len(bounds) == len(conditions)) if bounds else None


def pass_counter(op: Any) -> int | None:
    """The number of a loop variable that counts a `While`'s passes from zero, if there is one."""
    for number in range(op.attrs["carried"]):
        if _start(op, number) == 0 and _step(op, number) == 1:
            return number
    return None


def _conjuncts(condition: SymbolicTensor) -> Iterator[SymbolicTensor]:
    """The conditions that must all hold for this one to hold."""
    op = condition.op
    if op.opdef.name == "LogicalAnd":
        for part in op.inputs:
            yield from _conjuncts(part)
    elif op.opdef is IF and _is_short_circuit(op, condition.value_index):
        yield from _conjuncts(op.inputs[0])
        yield from _conjuncts(op.attrs["then"].outputs[condition.value_index])
    else:
        yield condition


def _is_short_circuit(op: Any, number: int) -> bool:
    """Whether an `If` is `a and b`: where `a` is false, its result is `a`."""
    then, orelse = op.attrs["then"], op.attrs["orelse"]
    place = position(orelse.inputs, orelse.outputs[number])
    return place is not None and op.inputs[1 + len(then.inputs) + place] is op.inputs[0]


def _outside(tensor: Tensor, graph: FunctionGraph | None = None) -> Tensor:
    """What a tensor of a graph within `graph` stands for in it, or as far outside as it goes."""
    while isinstance(tensor, SymbolicTensor) and tensor.graph is not graph:
        captures: Any = getattr(tensor.graph, "captures", ())
        outside = next((out for out, inside in captures if inside is tensor), None)
        if outside is None:
            return tensor
        tensor = outside
    return tensor


def _passes(op: Any, condition: SymbolicTensor, variables: Any, count: int) -> int | None:
    """After how many passes a condition of a loop fails, or None if that is not known."""
    kind = condition.op.opdef.name
    if kind not in _REVERSED:
        return None
    left, right = (_outside(t, op.attrs["test"]) for t in condition.op.inputs)
    number = position(variables[:count], left)
    if number is None:
        number = position(variables[:count], right)
        kind, right = _REVERSED[kind], left
    if number is None:
        return None
    start, step, end = _start(op, number), _step(op, number), _integer(right)
    if start is None or not step or end is None or (step > 0) != kind.startswith("Less"):
        return None
    reached = abs(step) - 1 if not kind.endswith("Equal") else abs(step)
    distance = end - start if step > 0 else start - end
    return max(0, (distance + reached) // abs(step))


def _start(op: Any, number: int) -> int | None:
    return _integer(op.inputs[number])


def _step(op: Any, number: int) -> int | None:
    """By how much a loop variable changes on every pass, if that is known."""
    variable, changed = op.attrs["body"].inputs[number], op.attrs["body"].outputs[number].op
    if changed.opdef.name not in ("AddV2", "Sub"):
        return None
    first, second = changed.inputs
    if first is variable:
        step = _integer(second)
        return -step if step is not None and changed.opdef.name == "Sub" else step
    return _integer(first) if second is variable and changed.opdef.name == "AddV2" else None


def _integer(tensor: Tensor) -> int | None:
    """The value of an integer tensor, if it is known while tracing."""
    tensor = _outside(tensor)
    if tensor.dtype.kind not in "iu":
        return None
    value = static_value(tensor)
    return None if value is None or value.ndim != 0 else int(value)


__all__ = ["Trips", "pass_counter", "trips_of"]
