"""Lists of tensors inside graphs: what TensorArrays and staged Python lists are made of.

A list is a scalar tensor of dtype variant whose value at run time is a `ListValue`, a Python list
of arrays. Elements keep their own shapes; None marks a place that was never written, which counts
as zero to the gradients. Ops that change a list give a new one; plans let them change the old one
where nobody else needs it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.dtypes import DType
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.registry import NO_GRADIENT, Spec, define, gradient
from runtime.shapes import SCALAR, UNKNOWN, TensorShape
from runtime.static import static_value
from runtime.tensor import SymbolicTensor, Tensor


class ListValue(list[Any]):
    """A list at run time. It shows a dtype and a shape, as arrays do, so tensors can hold it."""

    __slots__ = ()
    dtype = np.dtype("V8")
    shape = ()
    ndim = 0
    size = 1


LIST = Spec(dtypes.variant, SCALAR)


def _list(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    return LIST


def _element(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    return Spec(attrs["dtype"], attrs["element_shape"])


def _place(values: ListValue, index: Any) -> int:
    """`index` checked against a list; negative ones count from the end."""
    number = int(index)
    size = len(values)
    if not -size <= number < size:
        raise IndexError(f"index {number} is out of range of a list of {size}")
    return number


def _at(values: ListValue, index: Any) -> Any:
    found = values[_place(values, index)]
    if found is None:
        raise ValueError(f"element {int(index)} of the list was never written")
    return found


# ---- making lists


RESERVE = define(
    "TensorListReserve",
    kernel=lambda size: ListValue([None] * int(size)),
    infer=_list,
    gradient=NO_GRADIENT,
)
LENGTH = define(
    "TensorListLength",
    kernel=lambda values: np.int32(len(values)),
    infer=lambda inputs, attrs: Spec(dtypes.int32, SCALAR),
    gradient=NO_GRADIENT,
)


def _from_tensor_kernel(tensor: Any) -> ListValue:
    if tensor.dtype.kind == "O":
        return ListValue(tensor[i, ...] for i in range(tensor.shape[0]))
    return ListValue(tensor)


FROM_TENSOR = define("TensorListFromTensor", kernel=_from_tensor_kernel, infer=_list, holds=(0,))
PACK = define(
    "TensorListPack",
    kernel=lambda *values: ListValue(values),
    infer=_list,
    holds=range(1 << 30),
)


@gradient(FROM_TENSOR)
def _(op: Any, dy: Tensor) -> Any:
    return (stack_like(dy, op.inputs[0]),)


@gradient(PACK)
def _(op: Any, dy: Tensor) -> Any:
    return tuple(get_or_zeros(dy, _index(i), x) for i, x in enumerate(op.inputs))


def _index(number: int) -> Tensor:
    from runtime.convert import convert_to_tensor

    return convert_to_tensor(number)


# ---- one element


GET = define(
    "TensorListGetItem",
    kernel=lambda values, index, dtype, element_shape: _at(values, index),
    infer=_element,
    fresh=False,
)


@gradient(GET)
def _(op: Any, dy: Tensor) -> Any:
    return one_element(op.inputs[0], op.inputs[1], dy), None


def _grown(values: ListValue, index: Any, grows: bool) -> int:
    number = int(index)
    if number < 0 or (number >= len(values) and not grows):
        raise IndexError(f"index {number} is out of range of a list of {len(values)}")
    if number >= len(values):
        values.extend([None] * (number + 1 - len(values)))
    return number


def _set_in_place(values: ListValue, index: Any, value: Any, grows: bool = False) -> ListValue:
    if grows or index < 0 or index >= len(values):
        index = _grown(values, index, grows)
    values[int(index)] = value
    return values


def _set_kernel(values: ListValue, index: Any, value: Any, grows: bool = False) -> ListValue:
    return _set_in_place(ListValue(values), index, value, grows)


SET = define(
    "TensorListSetItem",
    kernel=_set_kernel,
    infer=_list,
    inplace=_set_in_place,
    holds=(2,),
)


@gradient(SET)
def _(op: Any, dy: Tensor) -> Any:
    values, index, value = op.inputs
    # Taken before it is cleared, which can then be done in place.
    to_value = get_or_zeros(dy, index, value)
    back = apply(CLEAR, (dy, index))
    if op.attrs.get("grows"):
        back = apply(RESIZE, (back, length(values)))
    return back, None, to_value


def _clear_in_place(values: ListValue, index: Any) -> ListValue:
    if -len(values) <= index < len(values):
        values[int(index)] = None
    return values


CLEAR = define(
    "TensorListClear",
    kernel=lambda values, index: _clear_in_place(ListValue(values), index),
    infer=_list,
    inplace=_clear_in_place,
)


@gradient(CLEAR)
def _(op: Any, dy: Tensor) -> Any:
    return apply(CLEAR, (dy, op.inputs[1])), None


# ---- at the end, or anywhere


def _push_in_place(values: ListValue, value: Any) -> ListValue:
    values.append(value)
    return values


PUSH = define(
    "TensorListPushBack",
    kernel=lambda values, value: ListValue([*values, value]),
    infer=_list,
    inplace=_push_in_place,
    holds=(1,),
)


@gradient(PUSH)
def _(op: Any, dy: Tensor) -> Any:
    last = _index(-1)
    to_value = get_or_zeros(dy, last, op.inputs[1])
    return apply(DROP, (dy, last)), to_value


def _insert_in_place(values: ListValue, index: Any, value: Any) -> ListValue:
    values.insert(int(index), value)
    return values


INSERT = define(
    "TensorListInsert",
    kernel=lambda values, index, value: _insert_in_place(ListValue(values), index, value),
    infer=_list,
    inplace=_insert_in_place,
    holds=(2,),
)


def _inserted_at(index: Tensor, after: Tensor) -> Tensor:
    """Where `list.insert(index, ...)` has put its value in the list `after`."""
    from runtime.ops.elementwise import maximum, minimum
    from runtime.ops.gathering import where

    before = length(after) - 1
    return where(index < 0, maximum(index + before, 0), minimum(index, before))


@gradient(INSERT)
def _(op: Any, dy: Tensor) -> Any:
    place = _inserted_at(op.inputs[1], op.outputs[0])
    to_value = get_or_zeros(dy, place, op.inputs[2])
    return apply(DROP, (dy, place)), None, to_value


def _insert_none_in_place(values: ListValue, index: Any) -> ListValue:
    values.insert(int(index), None)
    return values


INSERT_NONE = define(
    "TensorListInsertNone",
    kernel=lambda values, index: _insert_none_in_place(ListValue(values), index),
    infer=_list,
    inplace=_insert_none_in_place,
)


@gradient(INSERT_NONE)
def _(op: Any, dy: Tensor) -> Any:
    return apply(DROP, (dy, op.inputs[1])), None


def _drop_in_place(values: ListValue, index: Any) -> ListValue:
    del values[_place(values, index)]
    return values


DROP = define(
    "TensorListDrop",
    kernel=lambda values, index: _drop_in_place(ListValue(values), index),
    infer=_list,
    inplace=_drop_in_place,
)


@gradient(DROP)
def _(op: Any, dy: Tensor) -> Any:
    from runtime.ops.gathering import where

    values, index = op.inputs
    return apply(INSERT_NONE, (dy, where(index < 0, index + length(values), index))), None


def _resize_in_place(values: ListValue, size: Any) -> ListValue:
    wanted = int(size)
    del values[wanted:]
    values.extend([None] * (wanted - len(values)))
    return values


RESIZE = define(
    "TensorListResize",
    kernel=lambda values, size: _resize_in_place(ListValue(values), size),
    infer=_list,
    inplace=_resize_in_place,
)


@gradient(RESIZE)
def _(op: Any, dy: Tensor) -> Any:
    return apply(RESIZE, (dy, length(op.inputs[0]))), None


# ---- all elements


def _filled(values: Sequence[Any], dtype: DType, element_shape: TensorShape) -> list[Any]:
    """The elements, with zeros for those never written where their shape is known."""
    if all(v is not None for v in values):
        return list(values)
    dims = next((v.shape for v in values if v is not None), None)
    if dims is None and element_shape.is_fully_defined():
        dims = tuple(element_shape.as_list())  # type: ignore[arg-type]
    if dims is None:
        missing = [i for i, v in enumerate(values) if v is None]
        raise ValueError(f"elements {missing[:5]} of the list were never written")
    return [np.zeros(dims, dtype.np_dtype) if v is None else v for v in values]


def _stack_kernel(values: ListValue, dtype: DType, element_shape: TensorShape) -> Any:
    if not values:
        if not element_shape.is_fully_defined():
            raise ValueError(
                "an empty list cannot be stacked: the shape of its elements is not known"
            )
        return np.zeros((0, *element_shape.as_list()), dtype.np_dtype)  # type: ignore[misc]
    items = _filled(values, dtype, element_shape)
    first = items[0].shape
    for number, item in enumerate(items):
        if item.shape != first:
            raise ValueError(
                "a list whose elements differ in shape cannot be stacked: element 0 has shape "
                f"{first}, element {number} has {item.shape}"
            )
    if dtype.kind == "S":
        return np.stack(items)
    return np.array(items, dtype.np_dtype)


def _list_length(tensor: Any) -> int | None:
    """The length of a list, where it is known while tracing."""
    if isinstance(tensor, SymbolicTensor):
        op = tensor.op
        if op.opdef is RESERVE:
            size = static_value(op.inputs[0])
            return None if size is None else int(size)
        if op.opdef is SET and not op.attrs.get("grows"):
            return _list_length(op.inputs[0])
        if op.opdef is PACK:
            return len(op.inputs)
        if op.opdef is FROM_TENSOR:
            return op.inputs[0].shape[0] if op.inputs[0].shape.rank else None
    return None


def _stacked(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    size = TensorShape((_list_length(inputs[0]),))
    return Spec(attrs["dtype"], size.concatenate(attrs["element_shape"]))


STACK = define("TensorListStack", kernel=_stack_kernel, infer=_stacked)


@gradient(STACK)
def _(op: Any, dy: Tensor) -> Any:
    return (apply(FROM_TENSOR, (dy,)),)


def _gather_kernel(
    values: ListValue, indices: Any, dtype: DType, element_shape: TensorShape
) -> Any:
    chosen = ListValue(values[_place(values, i)] for i in np.ravel(indices).tolist())
    return _stack_kernel(chosen, dtype, element_shape)


GATHER = define(
    "TensorListGather",
    kernel=_gather_kernel,
    infer=lambda inputs, attrs: Spec(
        attrs["dtype"],
        TensorShape((inputs[1].shape[0] if inputs[1].shape.rank == 1 else None,)).concatenate(
            attrs["element_shape"]
        ),
    ),
)


@gradient(GATHER)
def _(op: Any, dy: Tensor) -> Any:
    values, indices = op.inputs
    return apply(SPREAD, (length(values), indices, dy)), None


def _spread_kernel(size: Any, indices: Any, rows: Any) -> ListValue:
    made = ListValue([None] * int(size))
    for i, row in zip(np.ravel(indices).tolist(), rows, strict=True):
        made[i] = row if made[i] is None else made[i] + row
    return made


SPREAD = define("TensorListSpread", kernel=_spread_kernel, infer=_list, holds=(2,))


@gradient(SPREAD)
def _(op: Any, dy: Tensor) -> Any:
    _, indices, rows = op.inputs
    return None, None, apply(GATHER_LIKE, (dy, indices, rows))


def _gather_like_kernel(values: ListValue, indices: Any, like: Any) -> Any:
    made = np.zeros(like.shape, like.dtype)
    for n, i in enumerate(np.ravel(indices).tolist()):
        if values[i] is not None:
            made[n] = values[i]
    return made


GATHER_LIKE = define(
    "TensorListGatherLike",
    kernel=_gather_like_kernel,
    infer=lambda inputs, attrs: Spec(inputs[2].dtype, inputs[2].shape),
    measures=(2,),
)


@gradient(GATHER_LIKE)
def _(op: Any, dy: Tensor) -> Any:
    values, indices, _ = op.inputs
    return apply(SPREAD, (length(values), indices, dy)), None, None


def _scatter_in_place(values: ListValue, indices: Any, rows: Any, grows: bool) -> ListValue:
    for i, row in zip(np.ravel(indices).tolist(), rows, strict=True):
        values[_grown(values, i, grows)] = np.asarray(row)
    return values


SCATTER = define(
    "TensorListScatterIntoExistingList",
    kernel=lambda values, indices, rows, grows: _scatter_in_place(
        ListValue(values), indices, rows, grows
    ),
    infer=_list,
    inplace=_scatter_in_place,
    holds=(2,),
)


@gradient(SCATTER)
def _(op: Any, dy: Tensor) -> Any:
    _, indices, rows = op.inputs
    to_rows = apply(GATHER_LIKE, (dy, indices, rows))
    return apply(CLEAR_ALL, (dy, indices)), None, to_rows


def _clear_all_in_place(values: ListValue, indices: Any) -> ListValue:
    for i in np.ravel(indices).tolist():
        values[i] = None
    return values


CLEAR_ALL = define(
    "TensorListClearAll",
    kernel=lambda values, indices: _clear_all_in_place(ListValue(values), indices),
    infer=_list,
    inplace=_clear_all_in_place,
)


@gradient(CLEAR_ALL)
def _(op: Any, dy: Tensor) -> Any:
    return apply(CLEAR_ALL, (dy, op.inputs[1])), None


def _concat_kernel(values: ListValue, dtype: DType, element_shape: TensorShape) -> Any:
    if not values:
        tail = element_shape[1:].as_tuple() if element_shape.rank else ()
        return np.zeros((0, *(d or 0 for d in tail or ())), dtype.np_dtype)
    return np.concatenate(_filled(values, dtype, element_shape))


CONCAT = define(
    "TensorListConcat",
    kernel=_concat_kernel,
    infer=lambda inputs, attrs: Spec(
        attrs["dtype"],
        TensorShape((None,)).concatenate(attrs["element_shape"][1:])
        if attrs["element_shape"].rank
        else UNKNOWN,
    ),
)


@gradient(CONCAT)
def _(op: Any, dy: Tensor) -> Any:
    return (apply(SPLIT, (dy, apply(LENGTHS, (op.inputs[0],)))),)


LENGTHS = define(
    "TensorListElementLengths",
    kernel=lambda values: np.array([0 if v is None else len(v) for v in values], np.int64),
    infer=lambda inputs, attrs: Spec(dtypes.int64, TensorShape((None,))),
    gradient=NO_GRADIENT,
)


def _split_kernel(tensor: Any, lengths: Any) -> ListValue:
    ends = np.cumsum(lengths)
    if int(ends[-1] if ends.size else 0) != len(tensor):
        raise ValueError(f"lengths {lengths.tolist()} do not add up to the {len(tensor)} rows")
    return ListValue(np.split(tensor, ends[:-1])) if ends.size else ListValue()


SPLIT = define("TensorListSplit", kernel=_split_kernel, infer=_list, holds=(0,))


@gradient(SPLIT)
def _(op: Any, dy: Tensor) -> Any:
    return apply(CONCAT_LIKE, (dy, *op.inputs)), None


def _concat_like_kernel(values: ListValue, like: Any, lengths: Any) -> Any:
    made = np.zeros(like.shape, like.dtype)
    for value, end, size in zip(values, np.cumsum(lengths), lengths, strict=True):
        if value is not None:
            made[end - size : end] = value
    return made


CONCAT_LIKE = define(
    "TensorListConcatLike",
    kernel=_concat_like_kernel,
    infer=lambda inputs, attrs: Spec(inputs[1].dtype, inputs[1].shape),
    measures=(1,),
)


@gradient(CONCAT_LIKE)
def _(op: Any, dy: Tensor) -> Any:
    return apply(SPLIT, (dy, op.inputs[2])), None, None


# ---- what gradients of lists need


def _get_or_zeros_kernel(values: ListValue, index: Any, like: Any) -> Any:
    number = int(index)
    found = values[number] if -len(values) <= number < len(values) else None
    if found is not None:
        return found
    if isinstance(like, ListValue):
        return ListValue([None] * len(like))
    return np.zeros(like.shape, like.dtype)


GET_OR_ZEROS = define(
    "TensorListGetOrZeros",
    kernel=_get_or_zeros_kernel,
    infer=lambda inputs, attrs: Spec(inputs[2].dtype, inputs[2].shape),
    fresh=False,
    measures=(2,),
)


@gradient(GET_OR_ZEROS)
def _(op: Any, dy: Tensor) -> Any:
    return one_element(op.inputs[0], op.inputs[1], dy), None, None


def get_or_zeros(values: Tensor, index: Tensor, like: Tensor) -> Tensor:
    """Element `index` of a list of gradients: zeros like `like` where nothing was written."""
    return apply(GET_OR_ZEROS, (values, index, like))


def _stack_like_kernel(values: ListValue, like: Any) -> Any:
    made = np.zeros(like.shape, like.dtype)
    for number, value in enumerate(values):
        if value is not None:
            made[number] = value
    return made


STACK_LIKE = define(
    "TensorListStackLike",
    kernel=_stack_like_kernel,
    infer=lambda inputs, attrs: Spec(inputs[1].dtype, inputs[1].shape),
    measures=(1,),
)


@gradient(STACK_LIKE)
def _(op: Any, dy: Tensor) -> Any:
    return apply(FROM_TENSOR, (dy,)), None


def stack_like(values: Tensor, like: Tensor) -> Tensor:
    """A list of gradients as a tensor like `like`."""
    return apply(STACK_LIKE, (values, like))


def _one_element_kernel(values: ListValue, index: Any, value: Any) -> ListValue:
    # Out of range only where a gradient reads beyond what was written: zero then, too.
    return _accumulate_in_place(ListValue([None] * len(values)), index, value)


ONE_ELEMENT = define("TensorListOneElement", kernel=_one_element_kernel, infer=_list, holds=(2,))


@gradient(ONE_ELEMENT)
def _(op: Any, dy: Tensor) -> Any:
    return None, None, get_or_zeros(dy, op.inputs[1], op.inputs[2])


def one_element(values: Tensor, index: Tensor, value: Tensor) -> Tensor:
    """A list as long as `values` in which only `value` is written, at `index`."""
    return apply(ONE_ELEMENT, (values, index, value))


def _accumulate_in_place(values: ListValue, index: Any, value: Any) -> ListValue:
    number = int(index)
    if -len(values) <= number < len(values):
        values[number] = _sum(values[number], value)
    return values


ACCUMULATE = define(
    "TensorListAccumulate",
    kernel=lambda values, index, value: _accumulate_in_place(ListValue(values), index, value),
    infer=_list,
    inplace=_accumulate_in_place,
    holds=(2,),
)


@gradient(ACCUMULATE)
def _(op: Any, dy: Tensor) -> Any:
    return dy, None, get_or_zeros(dy, op.inputs[1], op.inputs[2])


def _sum(x: Any, y: Any) -> Any:
    """The sum of two gradients, None for zero; those of lists are lists."""
    if x is None or y is None:
        return y if x is None else x
    return _add_kernel(x, y) if isinstance(x, ListValue) else x + y


def _add_kernel(a: ListValue, b: ListValue) -> ListValue:
    if len(a) != len(b):
        raise ValueError(f"lists of {len(a)} and {len(b)} elements cannot be added")
    return ListValue(_sum(x, y) for x, y in zip(a, b, strict=True))


ADD = define("TensorListAdd", kernel=_add_kernel, infer=_list)


@gradient(ADD)
def _(op: Any, dy: Tensor) -> Any:
    return dy, dy


def add_lists(a: Tensor, b: Tensor) -> Tensor:
    """The sum of two lists of gradients, place by place."""
    for one, other in ((b, a), (a, b)):
        if isinstance(one, SymbolicTensor) and one.op.opdef is ONE_ELEMENT:
            # In a loop that reads one element a pass, this keeps a pass from copying the list.
            return apply(ACCUMULATE, (other, *one.op.inputs[1:]))
    return apply(ADD, (a, b))


def zeros_like_list(values: Tensor) -> Tensor:
    """A list as long as `values` in which nothing is written: zero, as a gradient."""
    return apply(RESERVE, (length(values),))


def length(values: Tensor) -> Tensor:
    """The number of elements of a list, int32."""
    return apply(LENGTH, (values,))


# ---- by function


def empty(size: Any = 0) -> Tensor:
    """A list of `size` elements, none of them written yet."""
    from runtime.convert import convert_to_tensor

    return apply(RESERVE, (convert_to_tensor(size),))


def pack(values: Sequence[Tensor]) -> Tensor:
    """A list of these tensors."""
    return apply(PACK, list(values)) if values else empty()


def push(values: Tensor, value: Tensor) -> Tensor:
    """The list with one element more."""
    return apply(PUSH, (values, value))


def get(values: Tensor, index: Any, dtype: DType, element_shape: TensorShape = UNKNOWN) -> Tensor:
    """Element `index` of a list; negative ones count from the end."""
    return apply(GET, (values, _number(index)), {"dtype": dtype, "element_shape": element_shape})


def put(values: Tensor, index: Any, value: Tensor, grows: bool = False) -> Tensor:
    """The list with element `index` replaced; `grows` if it may lie behind the end."""
    return apply(SET, (values, _number(index), value), {"grows": True} if grows else {})


def insert(values: Tensor, index: Any, value: Tensor) -> Tensor:
    """The list with `value` put in before `index`, as Python's `list.insert` does."""
    return apply(INSERT, (values, _number(index), value))


def pop(
    values: Tensor, index: Any, dtype: DType, element_shape: TensorShape = UNKNOWN
) -> tuple[Tensor, Tensor]:
    """The list without element `index`, and that element."""
    number = _number(index)
    value = get(values, number, dtype, element_shape)
    return apply(DROP, (values, number)), value


def stack(values: Tensor, dtype: DType, element_shape: TensorShape = UNKNOWN) -> Tensor:
    """All elements of a list along a new first axis."""
    return apply(STACK, (values,), {"dtype": dtype, "element_shape": element_shape})


def _number(index: Any) -> Tensor:
    from runtime.convert import convert_to_tensor

    made = convert_to_tensor(index)
    if made.dtype.kind not in "iu" or made.shape.rank not in (0, None):
        raise TypeError(f"{user_location()}: an index of a list is one integer, found {index!r}")
    return made
