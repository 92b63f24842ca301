"""Operations on whole lists of a graph: other dtype, other order, a part."""

from __future__ import annotations

from typing import Any

from runtime.convert import convert_to_tensor
from runtime.dtypes import DType
from runtime.ops.apply import apply
from runtime.ops.lists import DROP, LIST, ListValue
from runtime.ops.registry import define, gradient
from runtime.ops.sorting import argsort
from runtime.tensor import Tensor


def _cast_kernel(values: ListValue, dtype: DType) -> ListValue:
    kind = dtype.np_dtype
    return ListValue([None if v is None else v.astype(kind) for v in values])


CAST_ELEMENTS = define(
    "TensorListCast", kernel=_cast_kernel, infer=lambda inputs, attrs: LIST, gradient=None
)


@gradient(CAST_ELEMENTS)
def _(op: Any, dy: Tensor) -> Any:
    # The elements' own dtypes are not kept; gradients are cast where they are added up.
    return (dy,)


def cast_elements(values: Tensor, dtype: DType) -> Tensor:
    """The list with every element in `dtype`."""
    return apply(CAST_ELEMENTS, (values,), {"dtype": dtype})


REVERSE = define(
    "TensorListReverse",
    kernel=lambda values: ListValue(values[::-1]),
    infer=lambda inputs, attrs: LIST,
)


@gradient(REVERSE)
def _(op: Any, dy: Tensor) -> Any:
    return (reversed_list(dy),)


def reversed_list(values: Tensor) -> Tensor:
    """The list from its end to its start."""
    return apply(REVERSE, (values,))


PERMUTE = define(
    "TensorListPermute",
    kernel=lambda values, order: ListValue([values[place] for place in order]),
    infer=lambda inputs, attrs: LIST,
)


@gradient(PERMUTE)
def _(op: Any, dy: Tensor) -> Any:
    return permuted(dy, argsort(op.inputs[1])), None


def permuted(values: Tensor, order: Tensor) -> Tensor:
    """The list of `values[order[0]]`, `values[order[1]]` and so on: each element once."""
    return apply(PERMUTE, (values, order))


def drop(values: Tensor, index: Tensor) -> Tensor:
    """The list without element `index`; negative ones count from the end."""
    return apply(DROP, (values, index))


def _bounds(given: Any, known: tuple[bool, bool, bool]) -> slice:
    rest = iter(given)
    return slice(*[int(next(rest)) if k else None for k in known])


def _slice_kernel(values: ListValue, *given: Any, known: tuple[bool, bool, bool]) -> ListValue:
    return ListValue(values[_bounds(given, known)])


SLICE = define("TensorListSlice", kernel=_slice_kernel, infer=lambda inputs, attrs: LIST)


def _unslice_kernel(
    part: ListValue, whole: ListValue, *given: Any, known: tuple[bool, bool, bool]
) -> ListValue:
    filled = ListValue([None] * len(whole))
    for place, value in zip(range(*_bounds(given, known).indices(len(whole))), part, strict=True):
        filled[place] = value
    return filled


UNSLICE = define("TensorListUnslice", kernel=_unslice_kernel, infer=lambda inputs, attrs: LIST)


@gradient(SLICE)
def _(op: Any, dy: Tensor) -> Any:
    whole = apply(UNSLICE, (dy, *op.inputs), op.attrs)
    return (whole, *[None] * (len(op.inputs) - 1))


@gradient(UNSLICE)
def _(op: Any, dy: Tensor) -> Any:
    part = apply(SLICE, (dy, *op.inputs[2:]), op.attrs)
    return (part, *[None] * (len(op.inputs) - 1))


def sliced(values: Tensor, start: Any = None, stop: Any = None, step: Any = None) -> Tensor:
    """The elements that Python's `values[start:stop:step]` would pick."""
    bounds = (start, stop, step)
    known = tuple(bound is not None for bound in bounds)
    given = [convert_to_tensor(bound) for bound in bounds if bound is not None]
    return apply(SLICE, (values, *given), {"known": known})
