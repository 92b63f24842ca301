"""Arrays of a graph that several names hold: tensors that can be made to mean another one.

A tensor does not change. Where code stores to an array that others hold too, the object that they
hold becomes an `ArrayHandle`: it stands for the newest tensor of its contents. The graph itself
never holds a handle, but what it stands for at the time (see `Graph.resolve`).
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any

from runtime.errors import SymbolicTensorError
from runtime.graph import FunctionGraph, Graph
from runtime.locations import user_location
from runtime.tensor import SymbolicTensor, Tensor


class ArrayHandle(SymbolicTensor):
    """A symbolic tensor that is no output of an operation itself: it stands for one."""

    __slots__ = ()


InPlace = Callable[[Any, Callable[[Any, Any], Any], Any], Any]
_in_place: InPlace | None = None


def set_in_place(change: InPlace) -> None:
    """Has `change(tensor, operator, operand)` done for `tensor += operand` and its kin."""
    global _in_place
    _in_place = change


def _augmented(name: str) -> Callable[[Any, Any], Any]:
    operator = getattr(Tensor, f"__{name}__")

    def method(self: SymbolicTensor, other: Any) -> Any:
        if _in_place is None or self._shape.rank == 0:
            return operator(self, other)
        return _in_place(self, operator, other)

    return method


def changing_method(tensor: SymbolicTensor, name: str) -> Callable[..., Any] | None:
    """What `tensor.fill` and its kin are; converted code knows what to do with them."""
    if name not in ("fill", "put", "partition"):
        return None

    def method(self: SymbolicTensor, *args: Any, **keywords: Any) -> Any:
        raise SymbolicTensorError(
            f"{user_location()}: {name}() changes an array in place, and {self!r} cannot change in "
            "code that is not converted"
        )

    method.__name__ = name
    return MethodType(method, tensor)


def install() -> None:
    """Gives symbolic tensors what changes an array in place."""
    for name in "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift".split():
        setattr(SymbolicTensor, f"__i{name}__", _augmented(name))


def contents(tensor: SymbolicTensor) -> SymbolicTensor:
    """What a tensor stands for: the output of an operation.

    Of any tensor but a handle, the tensor itself.
    """
    return tensor.op.outputs[tensor.value_index]


def point(handle: SymbolicTensor, tensor: SymbolicTensor) -> None:
    """Makes a handle stand for `tensor`, of the same dtype and shape."""
    for name in ("op", "value_index", "graph", "_shape", "known", "weak"):
        setattr(handle, name, getattr(tensor, name))


def as_handle(tensor: SymbolicTensor) -> SymbolicTensor:
    """Turns a tensor into a handle that stands for what it was; gives that.

    In the graphs a new tensor takes its place, so that all that Python's names hold is the handle.
    """
    op = tensor.op
    stead = SymbolicTensor(op, tensor.value_index, tensor.dtype, tensor.shape)
    stead.weak, stead.known = tensor.weak, tensor.known
    op.outputs[tensor.value_index] = stead
    _replace(tensor.graph, tensor, stead)
    tensor.__class__ = ArrayHandle
    return stead


def _replace(graph: Graph, old: SymbolicTensor, new: SymbolicTensor) -> None:
    """Puts `new` in the place of `old` in a graph, and in what is being built inside of it."""
    if graph is old.graph:
        for op in reversed(graph.operations):
            if op is old.op:
                break
            _in_list(op.inputs, old, new)
        _in_list(graph.inputs, old, new)
        _in_list(graph.outputs, old, new)
    if not isinstance(graph, FunctionGraph):
        return
    graph.rename(old, new)
    for reference in graph.inside:
        inner = reference()
        if inner is not None:
            _replace(inner, old, new)


def _in_list(tensors: list[Any], old: SymbolicTensor, new: SymbolicTensor) -> None:
    for number, tensor in enumerate(tensors):
        if tensor is old:
            tensors[number] = new


__all__ = [
    "ArrayHandle",
    "as_handle",
    "changing_method",
    "contents",
    "install",
    "point",
    "set_in_place",
]
