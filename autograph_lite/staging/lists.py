"""Python lists made in traced functions: real lists until their length depends on a tensor.

Converted code makes a `StagedList` where the user's code makes a list that it goes on to change. It
is a list, and stays one while its length is known. A branch or loop that makes the length depend on
a tensor turns its contents into lists of the graph, one for each tensor that an element is made of.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NoReturn

from autograph_lite.errors import StagingError
from autograph_lite.staging import item_arrays, loans, specs
from autograph_lite.staging.axes import from_front, to_front
from autograph_lite.staging.elements import join_elements
from autograph_lite.staging.links import Links, hold_the_same, may_be_twin
from autograph_lite.staging.list_specs import (
    KINDS,
    Items,
    ListSpec,
    as_python_list,
    is_dynamic,
    join_lists,
    list_spec,
)
from autograph_lite.staging.places import checked, is_symbolic
from autograph_lite.staging.scopes import born, tracking
from autograph_lite.staging.specs import Spec, StructureSpec, TensorSpec, spec_of
from runtime import nest
from runtime.convert import convert_to_tensor, register_tensor_conversion_function
from runtime.locations import user_location
from runtime.ops import joining
from runtime.ops import list_edits as edits
from runtime.ops import lists as ops
from runtime.ops.apply import apply
from runtime.ops.list_splices import spliced
from runtime.ops.promotion import cast_to, python_float, result_dtype
from runtime.ops.unpacking import check_count, wanted_items
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor

_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class StagedList(list[Any]):
    """A list of a traced function.

    Attributes:
      items: None while it is an ordinary list; else its contents in the graph.
      loans: what has been lent of its items.
      links: what is known of its items that are in other places, too.
    """

    __slots__ = ("_items", "links", "loans")
    __ag_staged__ = True
    _items: Items | None
    loans: list[loans.Loan]
    links: Links
    python_kind = "list"

    def __init__(self, values: Iterable[Any] = (), items: Items | None = None) -> None:
        super().__init__(values)
        self._items = items
        self.loans = []
        self.links = Links()
        born(self)

    @property
    def items(self) -> Items | None:
        if self.loans:
            loans.settle(self)
        return self._items

    # ---- the state that branches and loops hand on

    def snapshot(self) -> Any:
        """What is in it now: a list, or Items."""
        return list(self) if self.items is None else self.items

    def restore(self, state: Any) -> None:
        """Puts back what `snapshot` gave, or the contents of another list."""
        if isinstance(state, StagedList):
            state = state.snapshot()
        if isinstance(state, Items):
            self._set(state)
            super().clear()
        else:
            self._items = None
            self.links.clear()
            super().__setitem__(slice(None), state)

    def _changing(self) -> Items | None:
        if tracking():
            loans.change(self, "content", None)
        return self.items

    def _changed(self, items: Items) -> None:
        self._set(items)
        if tracking():
            # While the new contents were made, the old ones may have been put back.
            loans.note_changed(self)

    def _set(self, items: Items) -> None:
        if self._items is None:
            self.links.twins = loans.twins(list(self))
            loans.copied(list(self))
        self._items = items

    def _moved(self) -> None:
        """Notes that items may be elsewhere now: arrays are lent while the length is known, too."""
        if self.loans:
            loans.moved(self)

    def put_back(self, position: Tensor, item: Any) -> None:
        """Puts an item that has changed back to where it has been taken from."""
        items = self._changing()
        if items is None and super().__len__():
            items = self._as_items()  # an array that only the running graph tells from others
        if items is not None:
            self._changed(items.each(lambda flow, x: ops.put(flow, position, x), item, False))

    def lend(self, index: Any, position: Any) -> Any:
        """Item `index`; if it changes, it will be put back."""
        assert self.items is not None
        item = loans.lent(self, index)
        if item is None:
            item = self.items.get(position)
            is_twin = may_be_twin(self, loans.place_of(index))
            loans.lend(self, index, position, item, is_twin)
            self._lend_arrays(index, position, item)
        return item

    def _lend_arrays(self, index: Any, position: Any, item: Any) -> None:
        loans.lend_array(self, index, position, item)
        item_arrays.note(self, item)

    # ---- methods of list

    def append(self, value: Any) -> None:
        items = self._changing()
        if items is None:
            super().append(value)
        else:
            loans.put_too(self, value)
            self._changed(items.each(ops.push, value))
            loans.grows(self)
            loans.lend(self, -1, loans.Behind(items), value)

    def extend(self, values: Iterable[Any]) -> None:
        if getattr(type(values), "__ag_staged__", False) and not _is_static_list(values):
            self._extend_staged(values)
        else:
            # An iterator may look at the list that it fills.
            for value in list(values) if isinstance(values, list) else values:
                self.append(value)

    def _extend_staged(self, values: Any) -> None:
        if values is self:
            values = self.copy()
        if self.items is None and not len(self) and isinstance(values, StagedList):
            self._changing()
            assert values.items is not None  # `extend` itself takes lists of known lengths
            self._changed(values.items)
            hold_the_same(values, self)
            return
        _for_loop()(values, self.append, tuple, lambda state: None, ())

    def __iadd__(self, values: Iterable[Any]) -> StagedList:  # type: ignore[override,misc]
        self.extend(values)
        return self

    def __add__(self, other: Any) -> Any:
        made = self.copy()
        made.extend(other)
        return made

    def __radd__(self, other: Any) -> Any:
        return StagedList(other) + self

    def __mul__(self, count: Any) -> Any:
        if self.items is None and not is_symbolic(count):
            return StagedList(super().__mul__(count))
        if isinstance(count, Tensor) and not (
            count.dtype.is_integer and count.shape.rank in (0, None)
        ):
            # An array times a list of numbers, which is multiplied one by one.
            return count * convert_to_tensor(list(self), dtype_hint=count.dtype)
        made = StagedList()
        _for_loop()(_range(count), lambda _: made.extend(self), tuple, lambda state: None, ())
        return made

    __rmul__ = __mul__

    def __imul__(self, count: Any) -> StagedList:  # type: ignore[override,misc]
        self._changing()
        self.restore(self * count)
        return self

    def insert(self, index: Any, value: Any) -> None:
        items = self._changing()
        if items is None and not is_symbolic(index):
            super().insert(index, value)
            self._moved()
            return
        items = items or self._as_items()
        position = convert_to_tensor(index)
        self._changed(items.each(lambda flow, x: ops.insert(flow, position, x), value))
        loans.moved(self)

    def pop(self, index: Any = -1) -> Any:
        items = self._changing()
        if items is None and not is_symbolic(index):
            value = super().pop(index)
            self._moved()
            return value
        items = items or self._as_items()
        if items.element is None:
            raise IndexError("pop from empty list")
        position = checked(items.flows[0], index, "pop index out of range")
        value = loans.lent(self, index)
        value = items.get(position) if value is None else value
        self._changed(items.all(lambda flow: edits.drop(flow, position)))
        loans.dropped(self, index, position)
        return value

    def clear(self) -> None:
        self._changing()
        loans.emptied(self)
        self._items = None
        super().clear()

    def reverse(self) -> None:
        items = self._changing()
        if items is None:
            super().reverse()
            self._moved()
        else:
            self._changed(items.all(edits.reversed_list))
            loans.moved(self)

    def copy(self) -> StagedList:
        if self.items is None:
            return type(self)(self)
        made = type(self)((), self.items)
        hold_the_same(self, made)
        return made

    def remove(self, value: Any) -> None:
        items = self._changing()
        if items is None and not _looks_staged(self, value):
            super().remove(value)
            self._moved()
            return
        items = items or self._as_items()
        position = _searching().index(self, value, "list.remove(x): x not in list")
        self._changed(items.all(lambda flow: edits.drop(flow, position)))
        loans.moved(self)

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        items = self._changing()
        if items is None and key is None and not _searching().compares_staged(self):
            super().sort(key=key, reverse=reverse)
            self._moved()
        else:
            self.restore(_searching().ordered(self, key, reverse))
            loans.moved(self)

    def index(self, value: Any, *bounds: Any) -> Any:
        if self.items is None and not _looks_staged(self, value):
            return super().index(value, *bounds)
        if bounds:
            self._refuse("index() with bounds")
        return _searching().index(self, value)

    def count(self, value: Any) -> Any:
        if self.items is None and not _looks_staged(self, value):
            return super().count(value)
        return _searching().count(self, value)

    def __setitem__(self, index: Any, value: Any) -> None:
        items = self._changing()
        if isinstance(index, slice):
            self._set_slice(items, index, _settled(value))
            return
        if items is None and not is_symbolic(index):
            super().__setitem__(index, value)
            self._moved()
            return
        items = items or self._as_items()
        position = checked(items.flows[0], index, "list assignment index out of range")
        self._changed(items.each(lambda flow, x: ops.put(flow, position, x), value))
        loans.replaced(self, index, position)
        loans.lend(self, index, position, value)

    def __delitem__(self, index: Any) -> None:
        items = self._changing()
        if items is None and not is_symbolic(index):
            super().__delitem__(index)
            self._moved()
            return
        items = items or self._as_items()
        if isinstance(index, slice):
            self._changed(items.all(lambda flow: spliced(flow, index, None)))
            loans.moved(self)
            return
        position = checked(items.flows[0], index, "list assignment index out of range")
        self._changed(items.all(lambda flow: edits.drop(flow, position)))
        loans.dropped(self, index, position)

    def _set_slice(self, items: Items | None, index: slice, values: Any) -> None:
        if items is None and type(values) is list and not is_symbolic(index):
            super().__setitem__(index, values)
            self._moved()
            return
        items = items or self._as_items()
        if not isinstance(values, StagedList):
            made = StagedList()
            made.extend(values)
            values = made
        element = list_spec(values, "the list").element
        if element is not None and items.element is not None:
            element = join_elements(items.element, element, "an element")
        spec = ListSpec(element or items.element)
        flows = zip(spec.items(items).flows, spec.items(values).flows, strict=True)
        self._changed(Items(spec.element, tuple(spliced(f, index, part) for f, part in flows)))
        loans.moved(self)

    def __getitem__(self, index: Any) -> Any:
        if self.items is None and not is_symbolic(index):
            found = super().__getitem__(index)
            return StagedList(found) if isinstance(index, slice) else found
        items = self.items or self._as_items()
        if not isinstance(index, slice):
            position = checked(items.flows[0], index, f"{self.python_kind} index out of range")
            if self.items is not None:
                return self.lend(index, position)
            item = loans.lent(self, index)
            if item is None:
                item = items.get(position)
                self._lend_arrays(index, position, item)
            return item
        bounds = (index.start, index.stop, index.step)
        part = type(self)((), items.all(lambda flow: edits.sliced(flow, *bounds)))
        hold_the_same(self, part)
        return part

    def __len__(self) -> int:
        self._only_static("len()")
        return super().__len__()

    def __iter__(self) -> Iterator[Any]:
        count = None if self.items is None else wanted_items()
        if count is not None:
            return self.unpacked(count)
        self._only_static("iteration")
        return self._gone_over()

    def _gone_over(self) -> Iterator[Any]:
        yield from super().__iter__()
        if self._items is not None:
            raise StagingError(
                f"{user_location()}: the length of a list comes to depend on a tensor while it is "
                "gone over here; go over the list itself with `for`, or over a copy of it"
            )

    def unpacked(self, count: int) -> Iterator[Any]:
        """The items, of which there must be `count` when the graph runs."""
        assert self.items is not None
        check_count(self.items.flows[0], count)
        return iter([self.lend(number, convert_to_tensor(number)) for number in range(count)])

    def __contains__(self, value: Any) -> bool:
        self._only_static("in")
        return super().__contains__(value)

    def __eq__(self, other: object) -> Any:
        return self._compared("==", other)

    def __ne__(self, other: object) -> Any:
        return self._compared("!=", other)

    def __lt__(self, other: Any) -> Any:
        return self._compared("<", other)

    def __le__(self, other: Any) -> Any:
        return self._compared("<=", other)

    def __gt__(self, other: Any) -> Any:
        return self._compared(">", other)

    def __ge__(self, other: Any) -> Any:
        return self._compared(">=", other)

    def _compared(self, symbol: str, other: Any) -> Any:
        if not isinstance(other, list | tuple):
            return NotImplemented
        if self.items is None and not is_dynamic(other):
            return _COMPARE[symbol](list(self), other)
        from autograph_lite.staging.logic import compare_sequences

        return compare_sequences(self, symbol, other)

    __hash__ = None  # type: ignore[assignment]

    def __bool__(self) -> bool:
        self._only_static("bool()")
        return super().__len__() > 0

    def __repr__(self) -> str:
        if self.items is None:
            return super().__repr__()
        element = self.items.element
        return f"<staged list of {'nothing' if element is None else specs.describe(element)}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        return list, (list(self),)

    # ---- what `ag.stack` and `ag.concat` ask for

    def __ag_truth__(self) -> Any:
        return self.items.length() > 0 if self.items is not None else len(self) > 0

    def __ag_stack__(self, axis: Any, name: Any) -> Tensor:
        if self.items is None:
            return joining.stack(list(self), axis, name)
        made = stacked(self, None, name)
        assert made is not None
        return from_front(made, axis) if axis else made

    def __ag_concat__(self, axis: Any, name: Any) -> Tensor:
        if self.items is None:
            return joining.concat(list(self), axis, name)
        element = _tensor_element(self.items.element)
        if axis == 0:
            attrs = {"dtype": element.dtype, "element_shape": element.shape}
            return apply(ops.CONCAT, (self.items.flows[0],), attrs, name)
        # Along another axis: join with that axis in front, then put it back.
        front = StagedList()
        for_loop = _for_loop()
        for_loop(self, lambda x: front.append(to_front(x, axis)), tuple, lambda s: None, ())
        return from_front(front.__ag_concat__(0, name), axis)

    def _as_items(self) -> Items:
        return list_spec(self, "the list").items(self)

    def _only_static(self, what: str) -> None:
        if self.items is not None:
            self._refuse(what)

    def _refuse(self, what: str) -> NoReturn:
        raise StagingError(
            f"{user_location()}: {what} of a list whose length depends on a tensor cannot be "
            "staged here; inside converted code use len(), indexing, append, pop, insert, for, "
            "or make a tensor of it with ag.stack"
        )


def _searching() -> Any:
    from autograph_lite.staging import searching

    return searching


def _looks_staged(values: Any, value: Any = None) -> bool:
    """Whether comparing the items of a list, or comparing them with a value, has to be staged."""
    return isinstance(value, SymbolicTensor) or any(isinstance(v, SymbolicTensor) for v in values)


def _for_loop() -> Callable[..., None]:
    # Loops over lists are built on lists; the import cannot stand at the top.
    from autograph_lite.staging.iteration import for_loop

    return for_loop


def _settled(values: Any) -> Any:
    # Tuples are built on lists; the import cannot stand at the top.
    from autograph_lite.staging.tuples import settled_sequence

    return values if is_dynamic(values) else settled_sequence(values)


def _range(count: Any) -> Any:
    from runtime.ops.creation import range as make_range

    return make_range(count)


def _is_static_list(value: Any) -> bool:
    return type(value) is StagedList and value.items is None


def take_apart(value: StagedList, kind: type = list) -> nest.Parts:
    """What `runtime.nest` knows of a list, or of what is a `kind` when the graph has run."""
    if value.items is None:
        return list, list(value), _as_it_is_needed
    element = value.items.element

    def rebuild(flows: list[Any]) -> Any:
        if flows and isinstance(flows[0], EagerTensor):
            return kind(as_python_list(element, flows))
        return KINDS[kind]((), Items(element, tuple(flows)))

    return (f"{kind.__name__} of any length", element), list(value.items.flows), rebuild


def _as_it_is_needed(values: list[Any]) -> list[Any]:
    """A list for the trace that goes on; for the caller, when a graph has run, a plain one."""
    return StagedList(values) if tracking() else values


def stacked(value: StagedList, dtype: Any, name: Any) -> Tensor | None:
    if value.items is None:
        return None
    made, left = _stacked(value.items.element, list(value.items.flows))
    assert not left
    return made


def _stacked(element: Spec | None, flows: list[Tensor]) -> tuple[Tensor, list[Tensor]]:
    """The tensor of all elements, and the flows that are not theirs.

    Of rows, each a list or tuple of one length, the columns are stacked side by side.
    """
    if element is None:
        return convert_to_tensor([], python_float()), flows[1:]
    if not isinstance(element, StructureSpec) or element.kind not in (list, tuple):
        spec = _tensor_element(element)
        return ops.stack(flows[0], spec.dtype, spec.shape), flows[1:]
    columns = []
    for child in element.children:
        column, flows = _stacked(child, flows)
        columns.append(column)
    if not columns:
        _tensor_element(element)
    return joining.stack(_of_one_dtype(columns), axis=1), flows


def _of_one_dtype(tensors: list[Tensor]) -> list[Tensor]:
    """The tensors, converted to the dtype that is common to them."""
    dtype = functools.reduce(result_dtype, [tensor.dtype for tensor in tensors])
    return [cast_to(tensor, dtype) for tensor in tensors]


def _tensor_element(element: Spec | None) -> TensorSpec:
    """The spec of a list's elements, which must be tensors."""
    if isinstance(element, TensorSpec):
        return element
    raise StagingError(
        f"{user_location()}: a list of {'nothing' if element is None else specs.describe(element)}"
        " cannot become one tensor"
    )


def _spec(value: Any, path: str) -> Spec | None:
    if type(value) is list:
        children = tuple(spec_of(item, path) for item in value)
        return StructureSpec(list, children, _as_it_is_needed)
    items = value if isinstance(value, Items) else value.items
    return None if items is None else ListSpec(items.element)


KINDS[list] = StagedList
nest.register(StagedList, take_apart)
register_tensor_conversion_function(StagedList, stacked)
specs.register_kind((list, StagedList, Items), _spec, join_lists)
