"""TensorArray: a list of tensors of one dtype, for loops that make one element a pass."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime import nest
from runtime.context import thread
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType, as_dtype
from runtime.locations import user_location
from runtime.ops import lists
from runtime.ops.apply import apply
from runtime.ops.lists import ListValue
from runtime.ops.promotion import cast_to
from runtime.shapes import UNKNOWN, TensorShape
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor


class Elements(ListValue):
    """The value of an eager TensorArray's flow: arrays, and the tensors that tapes know them by."""

    __slots__ = ("tensors",)
    tensors: list[Tensor | None]


def _flow_of(items: list[Tensor | None]) -> EagerTensor:
    value = Elements(None if t is None else t._value for t in items)  # type: ignore[attr-defined]
    value.tensors = list(items)
    return EagerTensor(value)


class _Facts:
    """What is known of the elements; all TensorArrays derived from one share it.

    A shape learnt inside a loop's body is so known behind the loop.
    """

    __slots__ = ("infer_shape", "shape")

    def __init__(self, shape: TensorShape, infer_shape: bool) -> None:
        self.shape = shape
        self.infer_shape = infer_shape

    def learn(self, shape: TensorShape, array: TensorArray) -> None:
        """Takes note of the shape of a written element.

        Raises:
          ValueError: it contradicts those before.
        """
        if not self.infer_shape:
            return
        if not self.shape.is_compatible_with(shape):
            raise ValueError(
                f"{user_location()}: an element of shape {shape} was written to a TensorArray "
                f"whose elements have shape {self.shape}; with infer_shape=False they may differ"
            )
        if self.shape.rank is None:
            self.shape = shape
        elif not array.has_declared_shape:
            self.shape = self.shape.most_specific_common_supertype(shape)


class TensorArray:
    """A list of tensors of one dtype, written and read by index.

    In traced functions every write gives a new TensorArray, so go on with the one it returns:
    `ta = ta.write(i, x)`.

    Args:
      dtype: the dtype of the elements.
      size: how many elements it starts with, none of them written.
      dynamic_size: whether writing behind the end makes it longer.
      clear_after_read: accepted for TensorFlow's sake; elements may always be read again.
      tensor_array_name: accepted for TensorFlow's sake.
      handle: accepted for TensorFlow's sake.
      flow: the tensor of dtype variant that another TensorArray gives as its `flow`.
      infer_shape: whether all elements must have one shape, the first one's.
      element_shape: the shape of the elements, as far as it is known.
      colocate_with_first_write_call: accepted for TensorFlow's sake.
      name: accepted for TensorFlow's sake.

    >>> import autograph_lite as ag
    >>> ta = ag.TensorArray(ag.float32, size=2)
    >>> ta.write(0, 1.0).write(1, 2.0).stack().numpy().tolist()
    [1.0, 2.0]
    """

    def __init__(
        self,
        dtype: Any,
        size: Any = None,
        dynamic_size: bool | None = None,
        clear_after_read: bool | None = None,
        tensor_array_name: str | None = None,
        handle: Any = None,
        flow: Any = None,
        infer_shape: bool = True,
        element_shape: Any = None,
        colocate_with_first_write_call: bool = True,
        name: str | None = None,
    ) -> None:
        self._dtype = as_dtype(dtype)
        self._dynamic_size = bool(dynamic_size)
        self.has_declared_shape = element_shape is not None
        shape = TensorShape(element_shape) if element_shape is not None else UNKNOWN
        self._facts = _Facts(shape, infer_shape)
        # Either a list of tensors, while executing eagerly, or one tensor of dtype variant.
        self._elements: list[Tensor | None] | None = None
        self._flow: Any = flow
        if flow is None:
            many = 0 if size is None else size
            if thread.graph is None:
                self._elements = [None] * int(convert_to_tensor(many))  # type: ignore[call-overload]
            else:
                self._flow = lists.empty(many)

    # ---- facts

    @property
    def dtype(self) -> DType:
        """The dtype of the elements."""
        return self._dtype

    @property
    def dynamic_size(self) -> bool:
        """Whether writing behind the end makes it longer."""
        return self._dynamic_size

    @property
    def element_shape(self) -> TensorShape:
        """What is known of the shape of the elements."""
        return self._facts.shape

    @property
    def flow(self) -> Tensor:
        """Its contents as one tensor of dtype variant."""
        if self._elements is not None:
            return _flow_of(self._elements)
        return self._flow  # type: ignore[no-any-return]

    @property
    def handle(self) -> Tensor:
        """Its contents, as `flow` gives them."""
        return self.flow

    def size(self, name: str | None = None) -> Tensor:
        """The number of elements."""
        items = self._items()
        if items is not None:
            return convert_to_tensor(len(items))
        return lists.length(self._flow)

    def __len__(self) -> int:
        items = self._items()
        if items is None:
            raise TypeError("len() of a TensorArray is not known while tracing; use its size()")
        return len(items)

    def _items(self) -> list[Tensor | None] | None:
        """The elements, while executing eagerly; None in graphs."""
        if thread.graph is not None or isinstance(self._flow, SymbolicTensor):
            return None
        if self._elements is None:
            value = self._flow._value
            if isinstance(value, Elements):
                self._elements = list(value.tensors)
            else:
                self._elements = self._elements_of(self._flow, value)
            self._flow = None
        return self._elements

    def _elements_of(self, flow: Tensor, value: Any) -> list[Tensor | None]:
        """The elements of a list that a traced function has given."""
        if not thread.recorders:
            return [None if v is None else EagerTensor(v) for v in value]
        # So that tapes learn where the elements come from.
        return [
            None if v is None else lists.get(flow, i, self._dtype, self.element_shape)
            for i, v in enumerate(value)
        ]

    def _with(self, flow: Any) -> TensorArray:
        """This TensorArray around other contents."""
        made = TensorArray.__new__(TensorArray)
        made._dtype = self._dtype
        made._dynamic_size = self._dynamic_size
        made.has_declared_shape = self.has_declared_shape
        made._facts = self._facts
        made._elements = None
        made._flow = flow
        return made

    def identity(self) -> TensorArray:
        """A TensorArray of the same contents."""
        return self._with(self.flow)

    # ---- one element

    def _element(self, value: Any) -> Tensor:
        if isinstance(value, SymbolicTensor) and value.weak:
            value = cast_to(value, self._dtype)
        made = convert_to_tensor(value, self._dtype)
        self._facts.learn(made.shape, self)
        return made

    def write(self, index: Any, value: Any, name: str | None = None) -> TensorArray:
        """Puts `value` at `index`.

        Args:
          index: a scalar integer.
          value: a tensor of the TensorArray's dtype, or what can become one.
          name: accepted for TensorFlow's sake.

        Returns:
          The TensorArray to go on with.

        Raises:
          IndexError: `index` is out of range and the size is not dynamic.
          ValueError: the value's dtype or shape is not that of the elements.
        """
        element = self._element(value)
        items = self._items()
        if items is None:
            flow = lists.put(self.flow, index, element, self._dynamic_size)
            return self._with(flow)
        number = int(convert_to_tensor(index).numpy())  # type: ignore[attr-defined]
        if number < 0 or (number >= len(items) and not self._dynamic_size):
            raise IndexError(
                f"{user_location()}: index {number} is out of range of a TensorArray of "
                f"{len(items)}; with dynamic_size=True it grows"
            )
        items.extend([None] * (number + 1 - len(items)))
        items[number] = element
        return self

    def read(self, index: Any, name: str | None = None) -> Tensor:
        """The element at `index`.

        Raises:
          IndexError: `index` is out of range.
          ValueError: the element was never written and its shape is not known.
        """
        items = self._items()
        if items is None:
            return lists.get(self.flow, index, self._dtype, self.element_shape)
        number = int(convert_to_tensor(index).numpy())  # type: ignore[attr-defined]
        if not -len(items) <= number < len(items):
            raise IndexError(
                f"{user_location()}: index {number} is out of range of a TensorArray of "
                f"{len(items)}"
            )
        found = items[number]
        return self._missing(number) if found is None else found

    def _missing(self, number: int) -> Tensor:
        from runtime.ops.creation import zeros

        if not self.element_shape.is_fully_defined():
            raise ValueError(
                f"{user_location()}: element {number} of the TensorArray was never written"
            )
        return zeros(self.element_shape, self._dtype)

    # ---- all elements

    def _written(self, items: Sequence[Tensor | None]) -> list[Tensor]:
        return [self._missing(i) if t is None else t for i, t in enumerate(items)]

    def _attrs(self) -> dict[str, Any]:
        return {"dtype": self._dtype, "element_shape": self.element_shape}

    def stack(self, name: str | None = None) -> Tensor:
        """All elements along a new first axis.

        Raises:
          ValueError: their shapes differ, or some were never written.
        """
        from runtime.ops.joining import stack

        items = self._items()
        if items is None:
            return lists.stack(self.flow, self._dtype, self.element_shape)
        if not items:
            return lists.stack(EagerTensor(ListValue()), self._dtype, self.element_shape)
        return stack(self._written(items))

    def gather(self, indices: Any, name: str | None = None) -> Tensor:
        """The elements at `indices` along a new first axis."""
        from runtime.ops.joining import stack

        where = convert_to_tensor(indices)
        items = self._items()
        if items is None:
            return apply(lists.GATHER, (self.flow, where), self._attrs())
        numbers = where.numpy().tolist()  # type: ignore[attr-defined]
        return stack([self.read(i) for i in numbers])

    def concat(self, name: str | None = None) -> Tensor:
        """All elements joined along their first axis; their lengths may differ."""
        from runtime.ops.joining import concat

        items = self._items()
        if items is None:
            return apply(lists.CONCAT, (self.flow,), self._attrs())
        return concat(self._written(items), 0)

    def unstack(self, value: Any, name: str | None = None) -> TensorArray:
        """Makes the rows of `value` the elements.

        Returns:
          The TensorArray to go on with.
        """
        from runtime.ops.joining import unstack

        rows = convert_to_tensor(value, self._dtype)
        if rows.shape.rank == 0:
            raise ValueError(f"{user_location()}: a scalar has no rows to unstack")
        self._facts.learn(rows.shape[1:], self)
        items = self._items()
        if items is None:
            return self._with(apply(lists.FROM_TENSOR, (rows,)))
        items[:] = unstack(rows)
        return self

    def scatter(self, indices: Any, value: Any, name: str | None = None) -> TensorArray:
        """Puts the rows of `value` at `indices`.

        Returns:
          The TensorArray to go on with.
        """
        from runtime.ops.joining import unstack

        where, rows = convert_to_tensor(indices), convert_to_tensor(value, self._dtype)
        self._facts.learn(rows.shape[1:], self)
        if self._items() is None:
            attrs = {"grows": self._dynamic_size}
            return self._with(apply(lists.SCATTER, (self.flow, where, rows), attrs))
        for i, row in zip(where.numpy().tolist(), unstack(rows), strict=True):  # type: ignore[attr-defined]
            self.write(i, row)
        return self

    def split(self, value: Any, lengths: Any, name: str | None = None) -> TensorArray:
        """Cuts `value` along its first axis into elements of these lengths.

        Returns:
          The TensorArray to go on with.

        Raises:
          ValueError: the lengths do not add up.
        """
        from runtime.ops.joining import split

        rows, sizes = convert_to_tensor(value, self._dtype), convert_to_tensor(lengths)
        self._facts.learn(TensorShape((None,)).concatenate(rows.shape[1:]), self)
        items = self._items()
        if items is None:
            return self._with(apply(lists.SPLIT, (rows, sizes)))
        items[:] = split(rows, sizes.numpy().tolist())  # type: ignore[attr-defined]
        return self

    def close(self, name: str | None = None) -> None:
        """Nothing is left to be done: memory goes back by itself."""

    def __repr__(self) -> str:
        return f"<ag.TensorArray dtype={self._dtype.name} element_shape={self.element_shape}>"


def _take_apart(array: TensorArray) -> nest.Parts:
    kind = (TensorArray, ("flow",), array.dtype)
    return kind, [array.flow], lambda items: array._with(items[0])


nest.register(TensorArray, _take_apart, is_composite=True)
