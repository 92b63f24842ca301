"""`x[index]`, and its functional update `set_item(x, index, value)`, with NumPy's meaning.

An index is an attribute of the op: a tuple of ints, slices, None and Ellipsis. What is known only
when the graph runs leaves a `Hole` there, which an extra input of the op fills.
"""

from __future__ import annotations

import builtins
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from runtime.context import shared
from runtime.convert import convert_to_tensor
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.rules import static_slice_size
from runtime.ops.shaping import (
    described_shape,
    dims_of,
    shape_tensor,
)
from runtime.shapes import UNKNOWN, TensorShape, broadcast_dims, broadcast_shapes
from runtime.static import static_value
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor

Slice = builtins.slice
Index = tuple[Any, ...]


@dataclass(frozen=True)
class Hole:
    """The place of input number `number` (counted from the first that fills holes)."""

    number: int

    def __repr__(self) -> str:
        return f"#{self.number}"


# ---- from what the user wrote to pieces and holes


def parse_index(index: Any) -> tuple[Index, list[Tensor]]:
    """The pieces of an index, and the tensors that fill its holes.

    Args:
      index: what stands between the brackets.

    Raises:
      TypeError: a piece is neither integer, slice, None, Ellipsis, mask nor integer tensor.

    >>> parse_index((0, slice(1, None), None))
    ((0, slice(1, None, None), None), [])
    """
    filling: list[Tensor] = []
    pieces = index if type(index) is tuple else (index,)
    parsed = tuple(_piece(piece, filling) for piece in pieces)
    if sum(1 for piece in parsed if piece is Ellipsis) > 1:
        raise IndexError(f"{user_location()}: an index can only have a single ellipsis ('...')")
    return parsed, filling


def _piece(piece: Any, filling: list[Tensor]) -> Any:
    kind = type(piece)
    if kind is int or piece is None or piece is Ellipsis:
        return piece
    if kind is Slice:
        bounds = (piece.start, piece.stop, piece.step)
        return Slice(*(_bound(bound, filling) for bound in bounds))
    if isinstance(piece, np.integer):
        return int(piece)
    if isinstance(piece, float | str | bytes | complex | dict | set):
        raise TypeError(
            f"{user_location()}: an index is made of integers, slices, None, Ellipsis, masks and "
            f"integer tensors, found {piece!r}"
        )
    if isinstance(piece, list | tuple) and not len(piece):
        piece = np.zeros(0, np.int64)
    tensor = convert_to_tensor(piece)
    if tensor.dtype.kind not in "iub":
        raise TypeError(
            f"{user_location()}: an index is an integer or bool tensor, found {tensor!r} of dtype "
            f"{tensor.dtype.name}"
        )
    if tensor.dtype.kind != "b" and tensor.shape.rank == 0:
        known = static_value(tensor)
        if known is not None:
            return int(known)
    filling.append(tensor)
    return Hole(len(filling) - 1)


def _bound(bound: Any, filling: list[Tensor]) -> Any:
    if bound is None or type(bound) is int:
        return bound
    if isinstance(bound, np.integer):
        return int(bound)
    if not isinstance(bound, Tensor) and hasattr(bound, "__index__"):
        return operator.index(bound)
    if isinstance(bound, float | str | bytes):
        raise TypeError(
            f"{user_location()}: the bounds of a slice are integers or None, found {bound!r}"
        )
    tensor = convert_to_tensor(bound)
    if tensor.dtype.kind not in "iu" or tensor.shape.rank not in (0, None):
        raise TypeError(
            f"{user_location()}: the bounds of a slice are scalar integers, found {tensor!r}"
        )
    known = static_value(tensor)
    if known is not None:
        return int(known)
    filling.append(tensor)
    return Hole(len(filling) - 1)


def index_text(index: Index, holes: Sequence[str]) -> str:
    """Python's text of an index, with the names in `holes` in place of its holes.

    >>> index_text((0, slice(1, Hole(0)), Ellipsis), ["n"])
    '0, 1:n, ...'
    """

    def bound(value: Any) -> str:
        return (
            "" if value is None else holes[value.number] if isinstance(value, Hole) else str(value)
        )

    def piece(value: Any) -> str:
        if isinstance(value, Slice):
            step = "" if value.step is None else f":{bound(value.step)}"
            return f"{bound(value.start)}:{bound(value.stop)}{step}"
        if isinstance(value, Hole):
            return holes[value.number]
        return "..." if value is Ellipsis else str(value)

    text = ", ".join(piece(p) for p in index)
    # `x[i]` takes an array `i` as an index, `x[i,]` a tuple of one: they mean the same, and the
    # first is quicker. No piece at all is the empty tuple.
    return text or "()"


def _hole_count(index: Index) -> int:
    return sum(1 for _ in _holes_in(index))


def _holes_in(index: Index) -> Iterator[Hole]:
    for piece in index:
        parts = (piece.start, piece.stop, piece.step) if isinstance(piece, Slice) else (piece,)
        yield from (part for part in parts if isinstance(part, Hole))


def _keeps_array(index: Index) -> Index:
    """The same index in a form that never gives a bare element of an array of objects."""
    return index if Ellipsis in index else (*index, Ellipsis)


@lru_cache(maxsize=4096)
def _reader(text: str, holes: int) -> Callable[..., Any]:
    """`lambda x, h0, h1: x[<text>]`: NumPy's own indexing with nothing around it."""
    names = "".join(f", h{i}" for i in range(holes))
    return eval(f"lambda x{names}: x[{text}]", {"__builtins__": {}})


def _names(index: Index) -> list[str]:
    return [f"h{i}" for i in range(_hole_count(index))]


def reader(index: Index, strings: bool = False) -> Callable[..., Any]:
    """A function `(x, *filling)` that gives `x[index]`."""
    names = _names(index)
    return _reader(index_text(_keeps_array(index) if strings else index, names), len(names))


# ---- what is known of the result


def item_shape(shape: TensorShape, index: Index, filling: Sequence[Any]) -> TensorShape:
    """What is known of the shape of `x[index]`.

    Args:
      shape: that of `x`.
      index: the pieces.
      filling: what fills the holes, with `.dtype` and `.shape`.

    Raises:
      IndexError: a static integer is out of range, or there are more pieces than dimensions.
      ValueError: a slice's step is 0.
    """
    dims = shape.as_tuple()
    for piece in index:
        if isinstance(piece, Slice) and type(piece.step) is int and piece.step == 0:
            raise ValueError("slice step cannot be zero")
    if dims is None or any(
        filling[p.number].shape.rank is None for p in index if isinstance(p, Hole)
    ):
        return UNKNOWN
    pieces = _spelled_out(index, filling, len(dims), shape)
    axis = 0
    out: list[int | None] = []
    arrays: list[tuple[int | None, ...]] = []
    places: list[int] = []
    advanced = any(_is_array(piece, filling) for piece in pieces)
    for number, piece in enumerate(pieces):
        if piece is _GAP:
            continue
        if piece is None:
            out.append(1)
        elif isinstance(piece, Slice):
            out.append(_slice_size(dims[axis], piece))
            axis += 1
        elif isinstance(piece, int):
            _check_range(piece, dims[axis], axis, shape)
            axis += 1
            if advanced:
                arrays.append(())
                places.append(number)
        else:
            given = filling[piece.number]
            if given.dtype.kind == "b":
                axis += given.shape.rank
                arrays.append((None,))
            else:
                axis += 1
                arrays.append(given.shape.as_tuple())
            places.append(number)
    if not advanced:
        return TensorShape(tuple(out))
    return _with_arrays(pieces, places, arrays, out)


def _is_array(piece: Any, filling: Sequence[Any]) -> bool:
    if not isinstance(piece, Hole):
        return False
    given = filling[piece.number]
    return given.dtype.kind == "b" or given.shape.rank != 0


def _consumed(piece: Any, filling: Sequence[Any]) -> int:
    if piece is None:
        return 0
    if isinstance(piece, Hole) and filling[piece.number].dtype.kind == "b":
        rank: int = filling[piece.number].shape.rank
        return rank
    return 1


_GAP = object()
"""Stands for an ellipsis that takes no dimension."""


def _spelled_out(index: Index, filling: Sequence[Any], rank: int, shape: TensorShape) -> list[Any]:
    """The pieces with whole slices in place of the ellipsis, one for every dimension."""
    taken = sum(_consumed(p, filling) for p in index if p is not Ellipsis)
    if taken > rank:
        raise IndexError(f"too many indices: shape {shape} has {rank} dimensions, found {taken}")
    whole: list[Any] = [Slice(None)] * (rank - taken)
    at = next((i for i, p in enumerate(index) if p is Ellipsis), None)
    if at is None:
        return [*index, *whole]
    # Even an empty ellipsis keeps the array indices on its sides apart.
    return [*index[:at], *(whole or [_GAP]), *index[at + 1 :]]


def _slice_size(size: int | None, piece: Any) -> int | None:
    bounds = (piece.start, piece.stop, piece.step)
    if bounds == (None, None, None) or bounds == (None, None, -1):
        return size
    if any(isinstance(b, Hole) for b in bounds):
        return None
    return static_slice_size(size, *bounds)


def _check_range(place: int, size: int | None, axis: int, shape: TensorShape) -> None:
    if size is not None and not -size <= place < size:
        raise IndexError(
            f"index {place} is out of bounds for axis {axis} of shape {shape}: "
            f"expected {-size} to {size - 1}"
        )


def _with_arrays(
    pieces: Sequence[Any],
    places: Sequence[int],
    arrays: Sequence[tuple[int | None, ...]],
    out: list[int | None],
) -> TensorShape:
    """Puts the dimensions that array indices make where NumPy puts them."""
    made: tuple[int | None, ...] = ()
    for dims in arrays:
        made = _broadcast_masks(made, dims)
    together = places[-1] - places[0] + 1 == len(places)
    before = sum(1 for p in pieces[: places[0]] if p is None or isinstance(p, Slice))
    at = before if together else 0
    return TensorShape((*out[:at], *made, *out[at:]))


def _broadcast_masks(
    a: tuple[int | None, ...], b: tuple[int | None, ...]
) -> tuple[int | None, ...]:
    made = broadcast_dims(a, b)
    # How many a mask selects is unknown, and one (or none beside one) broadcasts.
    return made


def _item_spec(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    x = inputs[0]
    return Spec(x.dtype, item_shape(x.shape, attrs["index"], inputs[1:]))


# ---- x[index]


def _get_kernel(x: Any, *filling: Any, index: Index) -> Any:
    if not filling and x.dtype.kind != "O":
        return x[index]
    return reader(index, x.dtype.kind == "O")(x, *filling)


def _get_lean(attrs: dict[str, Any], inputs: Sequence[Any]) -> Any:
    index: Index = attrs["index"]
    if inputs[0].dtype.kind in "SRV":
        return reader(index, strings=True)
    if len(inputs) == 1:
        return operator.itemgetter(index[0] if len(index) == 1 else index)
    if index == (Hole(0),):
        return operator.getitem
    return reader(index)


GET_ITEM = define("GetItem", kernel=_get_kernel, infer=_item_spec, specialise=_get_lean, aliases=0)


# One element of numbers is never a view: what it was taken from may be written to.
GET_ELEMENT = define("GetElement", kernel=_get_kernel, infer=_item_spec, specialise=_get_lean)


def _is_element(x: Tensor, pieces: Index, filling: Sequence[Tensor]) -> bool:
    return (
        x.shape.rank == len(pieces)
        and x.dtype.kind not in "SRV"
        and all(isinstance(p, int | Hole) for p in pieces)
        and all(t.shape.rank == 0 and t.dtype.kind != "b" for t in filling)
    )


@gradient(GET_ITEM, GET_ELEMENT)
def _(op: Any, dy: Tensor) -> Any:
    x, *filling = op.inputs
    return (_item_grad(dy, x, op.attrs["index"], filling), *[None] * len(filling))


def get_item(x: Any, index: Any, name: str | None = None) -> Tensor:
    """`x[index]`.

    Args:
      x: a tensor or what can become one.
      index: what stands between the brackets: integers, slices, None, Ellipsis, bool masks,
        integer tensors and arrays, as for a NumPy array.
      name: the operation's name in a graph.

    Raises:
      IndexError: an integer is out of range, or there are too many.
      TypeError: a piece of the index is of a kind that cannot be one.
    """
    tensor = x if isinstance(x, Tensor) else convert_to_tensor(x)
    if type(tensor) is SymbolicTensor and tensor.dtype.kind == "S" and tensor.shape.rank == 0:
        from runtime.ops.python_text import item

        return item(tensor, index)
    pieces, filling = parse_index(index)
    op = GET_ELEMENT if _is_element(tensor, pieces, filling) else GET_ITEM
    return apply(op, (tensor, *filling), {"index": pieces}, name)


def tensor_getitem(self: Any, index: Any) -> Any:
    """The operator `x[index]` of tensors."""
    if shared.busy == 0 and type(self) is EagerTensor and _is_static(index):
        value = self._value
        if value.dtype.kind not in "OV":
            try:
                return EagerTensor(value[index])
            except (IndexError, ValueError):
                pass  # told again below, with the user's line
    return get_item(self, index)


def _is_static(index: Any) -> bool:
    """Whether an index is made of Python's own integers and slices, which NumPy takes as is."""
    kind = type(index)
    if kind is int or index is None or index is Ellipsis:
        return True
    if kind is Slice:
        return all(type(b) is int or b is None for b in (index.start, index.stop, index.step))
    return kind is tuple and all(map(_is_static_piece, index))


def _is_static_piece(piece: Any) -> bool:
    return type(piece) is not tuple and _is_static(piece)


# ---- its gradient: zeros, with `dy` added at the place


def _writes_once(index: Index, filling: Sequence[Any]) -> bool:
    """Whether no element can be meant twice: then `=` does what `+=` would."""
    return not any(
        isinstance(p, Hole) and filling[p.number].dtype.kind != "b" and filling[p.number].ndim
        for p in index
    )


def _item_grad_kernel(
    dy: Any, *rest: Any, index: Index, shape: Any = None, accumulate: bool = True
) -> Any:
    if shape is None:
        dims, *rest = rest  # type: ignore[assignment]
        shape = dims_of(dims)
    made = np.zeros(shape, dy.dtype)
    pieces = filled_index(index, rest)
    if _writes_once(index, rest):
        made[pieces] = dy
    else:
        np.add.at(made, pieces, dy)
    return made


def _item_grad_lean(attrs: dict[str, Any], inputs: Sequence[Any]) -> Any:
    shape, index = attrs.get("shape"), attrs["index"]
    if shape is None or len(inputs) > 1:
        return None
    dtype = inputs[0].dtype.np_dtype
    zeros = np.zeros

    def kernel(dy: Any) -> Any:
        made = zeros(shape, dtype)
        made[index] = dy
        return made

    return kernel


def filled_index(index: Index, filling: Sequence[Any]) -> Index:
    """The index with values in its holes, ready for NumPy."""
    if not filling:
        return index

    def fill(part: Any) -> Any:
        return filling[part.number] if isinstance(part, Hole) else part

    return tuple(
        Slice(fill(p.start), fill(p.stop), fill(p.step)) if isinstance(p, Slice) else fill(p)
        for p in index
    )


def _item_grad_spec(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    return Spec(inputs[0].dtype, described_shape(inputs, attrs, 1))


GET_ITEM_GRAD = define(
    "GetItemGrad",
    kernel=_item_grad_kernel,
    infer=_item_grad_spec,
    specialise=_item_grad_lean,
)


@gradient(GET_ITEM_GRAD)
def _(op: Any, dy: Tensor) -> Any:
    skipped = 1 if op.attrs.get("shape") is not None else 2
    filling = op.inputs[skipped:]
    back = apply(GET_ITEM, (dy, *filling), {"index": op.attrs["index"]})
    return (back, *[None] * (len(op.inputs) - 1))


def _item_grad(dy: Tensor, x: Tensor, index: Index, filling: Sequence[Tensor]) -> Tensor:
    dims = shape_tensor(x)
    if isinstance(dims, tuple):
        return apply(GET_ITEM_GRAD, (dy, *filling), {"index": index, "shape": dims})
    return apply(GET_ITEM_GRAD, (dy, dims, *filling), {"index": index})


# ---- x with x[index] = value


def _set_in_place(x: Any, value: Any, *filling: Any, index: Index) -> Any:
    if not isinstance(x, np.ndarray):
        x = np.array(x)  # of a NumPy number nothing can be changed
    x[filled_index(index, filling)] = value
    return x


def _set_kernel(x: Any, value: Any, *filling: Any, index: Index) -> Any:
    return _set_in_place(np.array(x), value, *filling, index=index)


def _set_lean(attrs: dict[str, Any], inputs: Sequence[Any]) -> Any:
    index: Index = attrs["index"]
    if not inputs[0].shape.rank:
        return None  # it may be a NumPy number
    if len(inputs) == 2:
        place = index[0] if len(index) == 1 else index

        def static(x: Any, value: Any) -> Any:
            made = x.copy()
            made[place] = value
            return made

        return static
    if index != (Hole(0),):
        return None

    def kernel(x: Any, value: Any, place: Any) -> Any:
        made = x.copy()
        made[place] = value
        return made

    return kernel


def _set_spec(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    x, value, *filling = inputs
    place = item_shape(x.shape, attrs["index"], filling)
    if place.rank is not None and value.shape.rank is not None:
        # NumPy lets a value with extra dimensions of size 1 in front be stored, too.
        dims = list(value.shape)
        while len(dims) > place.rank and dims[0] in (1, None):
            dims.pop(0)
        found = TensorShape(tuple(dims))
        both = broadcast_shapes(place, found)
        if both.rank != place.rank or not both.is_compatible_with(place):
            raise ValueError(
                f"a value of shape {value.shape} cannot be stored in a place of shape {place}"
            )
    return Spec(x.dtype, x.shape)


SET_ITEM = define(
    "SetItem",
    kernel=_set_kernel,
    infer=_set_spec,
    specialise=_set_lean,
    inplace=_set_in_place,
)


@gradient(SET_ITEM)
def _(op: Any, dy: Tensor) -> Any:
    from runtime.ops.gradients_support import copied, unbroadcast
    from runtime.ops.shaping import expand_dims

    value, filling = op.inputs[1], op.inputs[2:]
    index = op.attrs["index"]
    zero = convert_to_tensor(dy.dtype.np_dtype.type(0))
    # Taken before it is overwritten, which can then be done in place.
    if _is_element(dy, index, filling):
        place = apply(GET_ELEMENT, (dy, *filling), {"index": index})
    else:
        place = copied(apply(GET_ITEM, (dy, *filling), {"index": index}))
    to_x = apply(SET_ITEM, (dy, zero, *filling), {"index": index})
    for _ in range((value.shape.rank or 0) - (place.shape.rank or 0)):
        place = expand_dims(place, 0)
    to_value = unbroadcast(place, value)
    return (to_x, to_value, *[None] * len(filling))


def set_item(x: Any, index: Any, value: Any, name: str | None = None) -> Tensor:
    """A copy of `x` in which `x[index]` is `value`.

    Args:
      x: a tensor or what can become one.
      index: as for `x[index]`.
      value: broadcasts to the shape of `x[index]`; cast to the dtype of `x`.
      name: the operation's name in a graph.

    Returns:
      A tensor of the dtype and shape of `x`.

    Raises:
      IndexError: an integer is out of range.
      InvalidArgumentError: `value` does not fit.

    >>> from runtime.convert import constant
    >>> set_item(constant([1, 2, 3]), 1, 9).numpy().tolist()
    [1, 9, 3]
    """
    tensor = x if isinstance(x, Tensor) else convert_to_tensor(x)
    pieces, filling = parse_index(index)
    made = _stored(value, tensor)
    return apply(SET_ITEM, (tensor, made, *filling), {"index": pieces}, name)


def _stored(value: Any, target: Tensor) -> Tensor:
    """`value` as NumPy stores it into an array of the dtype of `target`."""
    dtype = target.dtype
    if type(value) in (int, float, bool) and dtype.kind in "iufcb":
        return convert_to_tensor(np.asarray(value).astype(dtype.np_dtype)[()])
    made = convert_to_tensor(value, dtype_hint=dtype)
    return made if made.dtype is dtype else cast(made, dtype)
