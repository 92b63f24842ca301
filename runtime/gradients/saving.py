"""What a loop saves on its way forward, for its gradient on the way back.

A pass saves one array or a tuple of arrays; the gradient's passes pop them off the list in reverse
order. Saving and popping are each other's gradients, so a gradient of a gradient needs nothing new:
there a list of gradients holds a tuple for each pass, with None for zero.

Where the number of passes has a known bound, the list is made at its full length before the loop,
a pass puts what it saves in its place, and places that a loop left empty by ending are cut off.
Else the list grows. It holds references: what a pass has computed is kept where it is. Rows of an
array made beforehand would have to be copied into, or kept whole for as long as one row is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.gradients.sums import carries_gradient
from runtime.ops.apply import apply
from runtime.ops.lists import LIST, ListValue, zeros_like_list
from runtime.ops.registry import NO_GRADIENT, Spec, define, gradient
from runtime.shapes import SCALAR
from runtime.tensor import SymbolicTensor, Tensor

SAVED_NOTHING = define(
    "SavedNothing",
    kernel=ListValue,
    infer=lambda inputs, attrs: LIST,
    gradient=NO_GRADIENT,
)


def preallocated(passes: int) -> ListValue:
    """A list with a place for what each pass saves."""
    return ListValue([None] * passes)


SAVED_ROOM = define(
    "SavedRoom",
    kernel=preallocated,
    infer=lambda inputs, attrs: LIST,
    gradient=NO_GRADIENT,
)

SAVED_ANY = define(
    "SavedAny",
    kernel=lambda saved: np.bool_(len(saved) > 0),
    infer=lambda inputs, attrs: Spec(dtypes.bool_, SCALAR),
    # In Python a list is as true as it is long.
    infix="",
    gradient=NO_GRADIENT,
)


# ---- pushing


def _push_in_place(saved: Any, *values: Any, present: Any = None, alone: bool = False) -> Any:
    if present is not None:
        rest = iter(values)
        values = tuple(next(rest) if there else None for there in present)
    saved.append(values[0] if alone else values)
    return saved


def _push_kernel(saved: Any, *values: Any, present: Any = None, alone: bool = False) -> Any:
    return _push_in_place(ListValue(saved), *values, present=present, alone=alone)


PUSH = define(
    "SavedPush",
    kernel=_push_kernel,
    infer=lambda inputs, attrs: LIST,
    inplace=_push_in_place,
    holds=range(1, 1 << 30),
)


def push(saved: Tensor, values: Sequence[Tensor | None]) -> Tensor:
    """The list with one tuple more; None where a place is left empty."""
    there = [v for v in values if v is not None]
    if len(there) == len(values):
        return apply(PUSH, (saved, *there))  # type: ignore[no-any-return]
    present = tuple(v is not None for v in values)
    return apply(PUSH, (saved, *there), {"present": present})  # type: ignore[no-any-return]


@gradient(PUSH)
def _(op: Any, dy: Tensor) -> Any:
    return _gradients_of_saved(op, dy, op.inputs[1:])


def _gradients_of_saved(op: Any, dy: Tensor, saved: Sequence[Tensor]) -> Any:
    """The gradients of the list before an operation saved a tuple on it, and of the tuple."""
    present = op.attrs.get("present") or [True] * len(saved)
    likes: list[Tensor | None] = []
    rest = iter(saved)
    for there in present:
        tensor = next(rest) if there else None
        likes.append(tensor if tensor is not None and carries_gradient(tensor) else None)
    popped, made = pop_gradients(dy, likes)
    return (popped, *[g for g, there in zip(made, present, strict=True) if there])


# ---- saving into room made before


def _put_in_place(saved: Any, number: Any, *values: Any, alone: bool = False) -> Any:
    saved[number] = values[0] if alone else values
    return saved


def _put_kernel(saved: Any, number: Any, *values: Any, alone: bool = False) -> Any:
    return _put_in_place(ListValue(saved), number, *values, alone=alone)


PUT = define(
    "SavedPut",
    kernel=_put_kernel,
    infer=lambda inputs, attrs: LIST,
    inplace=_put_in_place,
    holds=range(2, 1 << 30),
)


@gradient(PUT)
def _(op: Any, dy: Tensor) -> Any:
    # The gradients of later passes have been popped by then.
    popped, *made = _gradients_of_saved(op, dy, op.inputs[2:])
    return (popped, None, *made)


def _cut_in_place(saved: Any, count: Any) -> Any:
    del saved[count:]
    return saved


CUT = define(
    "SavedCut",
    kernel=lambda saved, count: ListValue(saved[:count]),
    infer=lambda inputs, attrs: LIST,
    inplace=_cut_in_place,
)


@gradient(CUT)
def _(op: Any, dy: Tensor) -> Any:
    return dy, None


# ---- popping


def _pop_in_place(saved: Any, alone: bool = False, **attrs: Any) -> Any:
    return (saved, saved.pop()) if alone else (saved, *saved.pop())


def _pop_kernel(saved: Any, alone: bool = False, **attrs: Any) -> Any:
    return _pop_in_place(ListValue(saved), alone)


def _pop_lone_kernel(saved: Any) -> Any:
    return _pop_in_place(ListValue(saved), True)


# The values popped may be known elsewhere; the list is as new as the one before was.
POP = define(
    "SavedPop",
    kernel=_pop_kernel,
    infer=lambda inputs, attrs: [LIST, *(Spec(d, s) for d, s in attrs["specs"])],
    inplace=_pop_in_place,
    # The dtypes and shapes are for those who trace only.
    specialise=lambda attrs, inputs: _pop_lone_kernel if attrs.get("alone") else _pop_kernel,
    fresh=(0,),
)


@gradient(POP)
def _(op: Any, dy: Tensor | None, *values: Tensor | None) -> Any:
    if dy is None:
        dy = zeros_like_list(op.outputs[0])
    return (push(dy, values),)


def pop_all(saved: Tensor) -> Any:
    """An operation that pops one tuple, with no values yet; see `also_pop`."""
    tensor: SymbolicTensor = apply(
        POP, (saved,), {"specs": (), "value_names": ("saved",), "outputs_list": True}
    )[0]
    return tensor.op


def also_pop(op: Any, tensor: Tensor) -> SymbolicTensor:
    """The next value of the tuple that `op` pops, of the dtype and shape of `tensor`."""
    made = SymbolicTensor(op, len(op.outputs), tensor.dtype, tensor.shape)
    name = tensor.op.name.rpartition("/")[2] if isinstance(tensor, SymbolicTensor) else "value"
    op.attrs = {
        **op.attrs,
        "specs": (*op.attrs["specs"], (tensor.dtype, tensor.shape)),
        "value_names": (*op.attrs["value_names"], name),
    }
    op.outputs.append(made)
    return made


def keep_used(op: Any, saved: Sequence[Any], graph: Any) -> list[Any]:
    """Takes values that nobody uses out of what `op` pops; gives the rest of `saved`."""
    used = {id(t) for other in graph.operations for t in other.inputs}
    used.update(map(id, graph.outputs))
    pairs = [(s, t) for s, t in zip(saved, op.outputs[1:], strict=True) if id(t) in used]
    names = [
        op.attrs["value_names"][t.value_index] for t in (op.outputs[0], *(t for _, t in pairs))
    ]
    op.outputs = [op.outputs[0], *(t for _, t in pairs)]
    for number, tensor in enumerate(op.outputs):
        tensor.value_index = number
    specs = tuple((t.dtype, t.shape) for t in op.outputs[1:])
    op.attrs = {**op.attrs, "specs": specs, "value_names": tuple(names), **how_saved(pairs)}
    return [s for s, _ in pairs]


def how_saved(values: Sequence[Any]) -> dict[str, Any]:
    """Attributes of the operations that save and pop these values: one needs no tuple."""
    return {"alone": True} if len(values) == 1 else {}


# ---- popping gradients, where None is zero


def _pop_gradients_in_place(saved: Any, *likes: Any, places: Any, **attrs: Any) -> Any:
    values = saved.pop()
    made = []
    for place, like in zip(places, likes, strict=True):
        value = None if values is None else values[place]
        made.append(_zero_like(like) if value is None else value)
    return (saved, *made)


def _zero_like(like: Any) -> Any:
    if isinstance(like, list):
        return ListValue([None] * len(like))
    return np.zeros(like.shape, like.dtype)


def _pop_gradients_kernel(saved: Any, *likes: Any, places: Any, **attrs: Any) -> Any:
    return _pop_gradients_in_place(ListValue(saved), *likes, places=places)


POP_GRADIENTS = define(
    "SavedPopGradients",
    kernel=_pop_gradients_kernel,
    infer=lambda inputs, attrs: [LIST, *(Spec(t.dtype, t.shape) for t in inputs[1:])],
    inplace=_pop_gradients_in_place,
    fresh=(0,),
    measures=range(1, 1 << 30),
)


@gradient(POP_GRADIENTS)
def _(op: Any, dy: Tensor | None, *values: Tensor | None) -> Any:
    if dy is None:
        dy = zeros_like_list(op.outputs[0])
    places = op.attrs["places"]
    width = max(places, default=-1) + 1
    tuple_: list[Tensor | None] = [None] * width
    for place, value in zip(places, values, strict=True):
        tuple_[place] = value
    return (push(dy, tuple_), *[None] * len(values))


def pop_gradients(
    saved: Tensor, likes: Sequence[Tensor | None]
) -> tuple[Tensor, list[Tensor | None]]:
    """The list without its last tuple, and the gradients in that tuple.

    Args:
      saved: a list of tuples of gradients.
      likes: for each place, the tensor whose gradient it is, or None if it is not asked for.
    """
    places = tuple(i for i, like in enumerate(likes) if like is not None)
    attrs = {"places": places, "outputs_list": True}
    popped, *found = apply(POP_GRADIENTS, (saved, *[t for t in likes if t is not None]), attrs)
    made: list[Tensor | None] = [None] * len(likes)
    for place, value in zip(places, found, strict=True):
        made[place] = value
    return popped, made
