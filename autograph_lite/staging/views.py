"""Whose memory a tensor stands for: views of arrays, as the graph shows them.

In NumPy `row = out[0]` is a view: what is stored to `row` is stored to `out`. In the graph `row` is
an operation on `out`, so what a tensor is a view of can be read off the operations.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import Any

from autograph_lite.staging.scopes import is_contents, stack
from runtime.context import current_graph
from runtime.gradients.activity import graphs_of
from runtime.graph import FunctionGraph, Operation
from runtime.handles import contents
from runtime.ops.apply import apply
from runtime.ops.complex_ import complex as complex_
from runtime.ops.complex_ import imag, real
from runtime.ops.indexing import Hole, set_item
from runtime.ops.reordering import reverse
from runtime.ops.shaping import reshape, shape_tensor, transpose
from runtime.tensor import SymbolicTensor, Tensor

_SHAPING = ("Reshape", "ExpandDims", "Squeeze", "EnsureShape")
_Step = Operation


def chain_of(tensor: SymbolicTensor) -> tuple[SymbolicTensor, list[_Step]]:
    """The tensor that holds the memory of `tensor`, and the views that lead from it to `tensor`."""
    steps: list[_Step] = []
    current = contents(tensor)
    while True:
        op = current.op
        if is_contents(current):
            return current, steps[::-1]
        if _is_view(op):
            steps.append(op)
        elif op.type != "Guard":
            outside = _outside(current)
            if outside is None:
                return current, steps[::-1]
            current = contents(outside)
            continue
        current = op.inputs[0]


def _outside(tensor: SymbolicTensor) -> SymbolicTensor | None:
    """What a tensor stands for that a graph has captured of the trace; None for any other."""
    outside = outside_of(tensor)
    return outside if isinstance(outside, SymbolicTensor) else None


def _is_view(op: Operation) -> bool:
    if op.type == "GetItem":
        return _is_basic(op)
    if op.type in _SHAPING:
        return op.type != "Reshape" or _is_in_order(op.inputs[0])
    return op.type in ("Transpose", "ReverseV2", "Real", "Imag") and len(op.inputs) == 1


def _is_basic(op: Operation) -> bool:
    """Whether an index is made of numbers and slices only: that gives a view."""
    filling = op.inputs[1:]
    for piece in op.attrs["index"]:
        if isinstance(piece, Hole):
            tensor = filling[piece.number]
            if tensor.shape.rank != 0 or tensor.dtype.kind not in "iu":
                return False
    return True


def _is_in_order(tensor: SymbolicTensor) -> bool:
    """Whether elements are sure to stand in memory as they do in the array."""
    _, steps = chain_of(tensor)
    return all(op.type in _SHAPING or _is_leading(op) for op in steps)


def _is_leading(op: Operation) -> bool:
    """Whether an index takes one block of memory, or the axes of a vector are turned round."""
    if op.type == "Transpose":
        return op.inputs[0].shape.rank in (0, 1)
    if op.type != "GetItem":
        return False
    pieces = op.attrs["index"]
    ahead = [isinstance(piece, int | Hole) or piece is None for piece in pieces]
    if all(ahead):
        return True
    last = pieces[-1]
    return all(ahead[:-1]) and isinstance(last, slice) and last.step in (None, 1)


def is_known_here(tensor: SymbolicTensor) -> bool:
    """Whether the graph that is being built can see a tensor, rather than one that is over."""
    graph, home = current_graph(), contents(tensor).graph
    while graph is not None and graph is not home:
        graph = getattr(graph, "outer", None)
    return graph is not None


# ---- arrays among which the graph chooses


def origins(
    tensor: SymbolicTensor, noted: Container[int] | None = None, in_lists: bool = True
) -> Iterator[SymbolicTensor]:
    """The tensors whose memory that of `tensor` may be, once branches and loops have chosen.

    Args:
      tensor: an array.
      in_lists: whether an item of a list may be what was put into it.
      noted: if given, what the array was before it was stored to is gone through too, up to tensors
        with these ids. (Nobody holds what has been stored to as it was before.)
    """
    waiting, seen = [tensor], set()
    while waiting:
        root, _ = chain_of(waiting.pop())
        if id(root) in seen or (noted is not None and id(root) in noted):
            continue
        seen.add(id(root))
        yield root
        if noted is not None and root.op.type == "SetItem":
            waiting.append(root.op.inputs[0])
        if in_lists or root.op.type != "TensorListGetItem":
            waiting += chosen(root)


def alternatives(tensor: SymbolicTensor) -> Iterator[tuple[SymbolicTensor, list[_Step]]]:
    """What a tensor may be, once branches and loops have chosen: see `chain_of`."""
    waiting, seen = [tensor], set()
    while waiting:
        root, steps = chain_of(waiting.pop())
        found = chosen(root)
        if not found:
            yield root, steps
        elif id(root) not in seen:
            seen.add(id(root))
            waiting += found


def outside_of(tensor: SymbolicTensor) -> Tensor | None:
    """What an input of a graph stands for that has been captured; None for any other."""
    graph = tensor.graph
    if tensor.op.type != "Placeholder" or not isinstance(graph, FunctionGraph):
        return None
    return graph.captured(tensor)


def chosen(tensor: SymbolicTensor) -> list[SymbolicTensor]:
    """What the tensor of a branch or loop, or that of an item of a list, may be."""
    if tensor.shape.rank == 0:
        return []
    if tensor.op.type == "TensorListGetItem":
        return [found for found in elements(tensor.op.inputs[0]) if found is not None]
    if tensor.op.type == "Placeholder":
        return [found for _, found in _choices().get(id(tensor), ())]
    return _left_by_parts(tensor)


def note_choices(placeholders: Sequence[SymbolicTensor], found: Sequence[Sequence[Tensor]]) -> None:
    """Notes what the inputs of the graph of a handler may be.

    Args:
      placeholders: the inputs.
      found: what they are, for each place where the statement may raise.
    """
    for number, placeholder in enumerate(placeholders):
        if placeholder.shape.rank == 0:
            continue
        known = _choices().setdefault(id(placeholder), [])
        for leaves in found:
            leaf = leaves[number] if number < len(leaves) else None
            if isinstance(leaf, SymbolicTensor):
                known.append((placeholder, leaf))


def _choices() -> dict[int, list[tuple[SymbolicTensor, SymbolicTensor]]]:
    scopes = stack()
    return scopes[0].arrays.choices if scopes else {}


def elements(values: SymbolicTensor) -> Iterator[SymbolicTensor | None]:
    """What has been put into a list of the graph; None for what the graph does not show."""
    waiting, seen = [values], set()
    while waiting:
        current = waiting.pop()
        outside = _outside(current)
        if outside is not None:
            waiting.append(outside)
            continue
        if id(current) in seen:
            continue
        seen.add(id(current))
        op = current.op
        if op.type == "While":
            # In its body, an input stands for the variable itself.
            seen.update(id(graph.inputs[current.value_index]) for graph in graphs_of(op))
        if op.type == "Placeholder":
            yield None
        held = op.opdef.holds
        yield from (tensor for number, tensor in enumerate(op.inputs) if number in held)
        waiting += _left_by_parts(current)
        if op.type.startswith("TensorList"):
            waiting += [tensor for tensor in op.inputs if tensor.dtype.kind == "V"]


def _left_by_parts(tensor: SymbolicTensor) -> list[SymbolicTensor]:
    """What the branches of a statement, or the passes of a loop, leave in one of its tensors."""
    op = tensor.op
    found: list[SymbolicTensor] = []
    for graph in graphs_of(op):
        if op.type == "While" and graph is op.attrs["test"]:
            continue
        if tensor.value_index < len(graph.outputs):
            found.append(graph.outputs[tensor.value_index])
    if op.type == "While":
        found.append(op.inputs[tensor.value_index])
    return found


# ---- doing it again, and the other way round


def view(step: _Step, base: Tensor) -> Any:
    """The same view of another tensor."""
    return apply(step.opdef, (base, *step.inputs[1:]), step.attrs)


def put_back(step: _Step, base: Tensor, new: Tensor) -> Tensor:
    """`base` with `new` where `step` looks."""
    if step.type == "GetItem":
        return set_item(base, index_of(step), new)
    if step.type == "Transpose":
        order = step.attrs["perm"]
        if order is None:
            return transpose(new)
        rank = len(order)
        inverse = [0] * rank
        for place, axis in enumerate(order):
            inverse[axis % rank] = place
        return transpose(new, inverse)
    if step.type == "ReverseV2":
        return reverse(new, step.attrs["axis"])
    if step.type == "Real":
        return complex_(new, imag(base))
    if step.type == "Imag":
        return complex_(real(base), new)
    known = base.shape
    return reshape(new, list(known) if known.is_fully_defined() else shape_tensor(base))


def index_of(step: _Step) -> tuple[Any, ...]:
    """An index as the user wrote it."""
    filling = step.inputs[1:]

    def filled(piece: Any) -> Any:
        if isinstance(piece, Hole):
            return filling[piece.number]
        if isinstance(piece, slice):
            return slice(filled(piece.start), filled(piece.stop), filled(piece.step))
        return piece

    return tuple(map(filled, step.attrs["index"]))


__all__ = [
    "alternatives",
    "chain_of",
    "chosen",
    "elements",
    "index_of",
    "is_known_here",
    "note_choices",
    "origins",
    "outside_of",
    "put_back",
    "view",
]
