"""Python lists made in traced functions: real lists until their length depends on a tensor.

Converted code makes a `StagedList` where the user's code makes a list that it goes on to change. It
is a list, and stays one while its length is known. A branch or loop that makes the length depend on
a tensor turns its contents into lists of the graph, one for each tensor that an element is made of.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from autograph_lite.errors import StagingError
from autograph_lite.staging import loans, specs
from autograph_lite.staging.axes import from_front, to_front
from autograph_lite.staging.either import EitherValue
from autograph_lite.staging.elements import generalised, is_alike, join_elements
from autograph_lite.staging.places import checked
from autograph_lite.staging.scopes import born, tracking
from autograph_lite.staging.specs import Leaves, NextLeaf, Spec, StructureSpec, TensorSpec, spec_of
from runtime import context, dtypes, nest
from runtime.convert import convert_to_tensor, register_tensor_conversion_function
from runtime.locations import user_location
from runtime.ops import joining
from runtime.ops import list_edits as edits
from runtime.ops import lists as ops
from runtime.ops.apply import apply
from runtime.ops.list_splices import spliced
from runtime.ops.unpacking import check_count, wanted_items
from runtime.shapes import SCALAR
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor

_LIST = TensorSpec(dtypes.variant, SCALAR)


@dataclass(frozen=True, slots=True)
class Items:
    """The contents of a list whose length only the running graph knows.

    Attributes:
      element: the spec of every element; None while the list is sure to be empty.
      flows: a list of the graph for each tensor of an element; at least one, for the length.
    """

    element: Spec | None
    flows: tuple[Tensor, ...]

    def length(self) -> Tensor:
        """The number of elements, int32."""
        return ops.length(self.flows[0])

    def get(self, index: Any) -> Any:
        """Element `index`; negative ones count from the end."""
        if self.element is None:
            raise IndexError("list index out of range")
        pairs = zip(self.flows, self.element.tensors(), strict=False)
        leaves = [ops.get(flow, index, t.dtype, t.shape) for flow, t in pairs]
        return self.element.build(iter(leaves))

    def widened(self, value: Any) -> Items:
        """The same contents, with an element spec that admits `value` too."""
        new = spec_of(value)
        if self.element is None:
            count = max(1, sum(1 for _ in new.tensors()))
            return Items(new, self.flows[:1] * count)
        return ListSpec(join_elements(self.element, new, "an element")).items(self)

    def each(self, change: Callable[[Tensor, Any], Tensor], value: Any) -> Items:
        """The contents after `change(flow, leaf)` with the leaves of `value`."""
        wide = self.widened(value)
        assert wide.element is not None
        leaves: list[Any] = list(wide.element.leaves(value, "an element")) or [convert_to_tensor(0)]
        changed = [change(f, x) for f, x in zip(wide.flows, leaves, strict=True)]
        return Items(wide.element, tuple(changed))

    def all(self, change: Callable[[Tensor], Tensor]) -> Items:
        """The contents after `change(flow)` of every flow."""
        return Items(self.element, tuple(change(f) for f in self.flows))


@dataclass(frozen=True, slots=True)
class ListSpec(Spec):
    """A list of any length, or a tuple, with elements of one spec."""

    element: Spec | None
    kind: type = list

    def items(self, value: Any) -> Items:
        """The contents of `value`, a list or Items, with elements of this spec."""
        if isinstance(value, StagedList) and value.items is not None:
            value = value.items
        elif isinstance(value, EitherValue):
            value = self._of_either(value)
        if isinstance(value, Items):
            return self._recast(value)
        elements = list(value)
        if self.element is None:
            return Items(None, (ops.empty(),))
        rows = [self.element.leaves(e, "an element") or [convert_to_tensor(0)] for e in elements]
        count = max(1, sum(1 for _ in self.element.tensors()))
        columns = [[row[i] for row in rows] for i in range(count)]
        flows = [ops.pack(column) if column else ops.empty() for column in columns]
        return Items(self.element, tuple(flows))

    def _recast(self, items: Items) -> Items:
        if items.element == self.element or self.element is None:
            return items
        old = [] if items.element is None else list(items.element.tensors())
        new = list(self.element.tensors())
        if items.element is None:
            return Items(self.element, items.flows[:1] * max(1, len(new)))
        if not is_alike(items.element, self.element):
            return self._one_by_one(items)
        flows = [
            flow if a.dtype is b.dtype else edits.cast_elements(flow, b.dtype)
            for flow, a, b in zip(items.flows, old, new, strict=True)
        ]
        return Items(self.element, tuple(flows))

    def _one_by_one(self, items: Items) -> Items:
        """The same list, each element brought to this spec by itself."""
        assert self.element is not None
        count = max(1, sum(1 for _ in self.element.tensors()))
        made = StagedList((), Items(self.element, tuple(ops.empty() for _ in range(count))))
        made.extend(StagedList((), items))
        assert made.items is not None
        return made.items

    def _of_either(self, value: EitherValue) -> Any:
        """The contents of one of two lists."""
        first, second = value.first, value.second
        made = _if_exp()(
            value.is_first,
            lambda: StagedList((), self.items(first)),
            lambda: StagedList((), self.items(second)),
        )
        return made.items

    def _leaves(self, value: Any, path: str) -> Leaves:
        return list(self.items(value).flows)

    def build(self, leaves: NextLeaf) -> Any:
        flows = tuple(next(leaves) for _ in self.tensors())
        if isinstance(flows[0], EagerTensor) and context.executing_eagerly():
            return self.kind(_as_python(self.element, flows))
        return KINDS[self.kind]((), Items(self.element, flows))

    def tensors(self) -> Iterator[TensorSpec]:
        count = 0 if self.element is None else sum(1 for _ in self.element.tensors())
        for _ in range(max(1, count)):
            yield _LIST


_COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

KINDS: dict[type, type[StagedList]] = {}
"""The classes of what is a list, or a tuple, when the graph has run."""


class StagedList(list[Any]):
    """A list of a traced function.

    Attributes:
      items: None while it is an ordinary list; else its contents in the graph.
      loans: what has been lent of its items.
    """

    __slots__ = ("_items", "loans")
    __ag_staged__ = True
    _items: Items | None
    loans: list[loans.Loan]
    python_kind = "list"

    def __init__(self, values: Iterable[Any] = (), items: Items | None = None) -> None:
        super().__init__(values)
        self._items = items
        self.loans = []
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
            self._changed(state)
            super().clear()
        else:
            self._items = None
            super().__setitem__(slice(None), state)

    def _changing(self) -> Items | None:
        if tracking():
            loans.change(self, "content", None)
        return self.items

    def _changed(self, items: Items) -> None:
        if self._items is None:
            loans.copied(list(self))
        self._items = items

    def put_back(self, position: Tensor, item: Any) -> None:
        """Puts an item that has changed back to where it has been taken from."""
        items = self._changing()
        if items is not None:
            self._changed(items.each(lambda flow, x: ops.put(flow, position, x), item))

    def lend(self, index: Any, position: Any) -> Any:
        """Item `index`; if it changes, it will be put back."""
        assert self.items is not None
        item = loans.lent(self, index)
        if item is None:
            item = self.items.get(position)
            loans.lend(self, index, position, item)
        return item

    # ---- methods of list

    def append(self, value: Any) -> None:
        items = self._changing()
        if items is None:
            super().append(value)
        else:
            self._changed(items.each(ops.push, value))
            loans.grows(self)
            loans.lend(self, -1, loans.Behind(items), value)

    def extend(self, values: Iterable[Any]) -> None:
        if getattr(type(values), "__ag_staged__", False) and not _is_static_list(values):
            self._extend_staged(values)
        else:
            for value in list(values):
                self.append(value)

    def _extend_staged(self, values: Any) -> None:
        if values is self:
            values = self.copy()
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
        if self.items is None and not _is_symbolic(count):
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
        if items is None and not _is_symbolic(index):
            super().insert(index, value)
            return
        items = items or self._as_items()
        position = convert_to_tensor(index)
        self._changed(items.each(lambda flow, x: ops.insert(flow, position, x), value))
        loans.moved(self)

    def pop(self, index: Any = -1) -> Any:
        items = self._changing()
        if items is None and not _is_symbolic(index):
            return super().pop(index)
        items = items or self._as_items()
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
        else:
            self._changed(items.all(edits.reversed_list))
            loans.moved(self)

    def copy(self) -> StagedList:
        return type(self)(() if self.items is not None else self, self.items)

    def remove(self, value: Any) -> None:
        items = self._changing()
        if items is None and not _looks_staged(self, value):
            super().remove(value)
            return
        items = items or self._as_items()
        position = _searching().index(self, value, "list.remove(x): x not in list")
        self._changed(items.all(lambda flow: edits.drop(flow, position)))
        loans.moved(self)

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        items = self._changing()
        if items is None and not _looks_staged(self):
            super().sort(key=key, reverse=reverse)
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
        if items is None and not _is_symbolic(index):
            super().__setitem__(index, value)
            return
        items = items or self._as_items()
        if isinstance(index, slice):
            self._set_slice(items, index, value)
            return
        position = checked(items.flows[0], index, "list assignment index out of range")
        self._changed(items.each(lambda flow, x: ops.put(flow, position, x), value))
        loans.replaced(self, index, position)
        loans.lend(self, index, position, value)

    def __delitem__(self, index: Any) -> None:
        items = self._changing()
        if items is None and not _is_symbolic(index):
            super().__delitem__(index)
            return
        items = items or self._as_items()
        if isinstance(index, slice):
            self._changed(items.all(lambda flow: spliced(flow, index, None)))
            loans.moved(self)
            return
        position = checked(items.flows[0], index, "list assignment index out of range")
        self._changed(items.all(lambda flow: edits.drop(flow, position)))
        loans.dropped(self, index, position)

    def _set_slice(self, items: Items, index: slice, values: Any) -> None:
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
        if self.items is None and not _is_symbolic(index):
            found = super().__getitem__(index)
            return StagedList(found) if isinstance(index, slice) else found
        items = self.items or self._as_items()
        if not isinstance(index, slice):
            position = checked(items.flows[0], index, f"{self.python_kind} index out of range")
            return items.get(position) if self.items is None else self.lend(index, position)
        bounds = (index.start, index.stop, index.step)
        return type(self)((), items.all(lambda flow: edits.sliced(flow, *bounds)))

    def __len__(self) -> int:
        self._only_static("len()")
        return super().__len__()

    def __iter__(self) -> Iterator[Any]:
        count = None if self.items is None else wanted_items()
        if count is not None:
            return self.unpacked(count)
        self._only_static("iteration")
        return super().__iter__()

    def unpacked(self, count: int) -> Iterator[Any]:
        """The items, of which there must be `count` when the graph runs."""
        assert self.items is not None
        check_count(self.items.flows[0], count)
        return iter([self.items.get(number) for number in range(count)])

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


def _if_exp() -> Callable[..., Any]:
    # Branches know lists, too.
    from autograph_lite.staging.conditionals import if_exp as staged

    return staged


def _range(count: Any) -> Any:
    from runtime.ops.creation import range as make_range

    return make_range(count)


def _is_static_list(value: Any) -> bool:
    return type(value) is StagedList and value.items is None


def is_dynamic(value: Any) -> bool:
    """Whether `value` is a list whose length only the running graph knows."""
    return isinstance(value, StagedList) and value.items is not None


def _is_symbolic(index: Any) -> bool:
    if isinstance(index, slice):
        return any(_is_symbolic(i) for i in (index.start, index.stop, index.step))
    return getattr(type(index), "__ag_staged__", False)


def list_spec(values: Any, path: str) -> ListSpec:
    """The spec of a list of any length that `values`, a list, is one of."""
    if is_dynamic(values):
        return ListSpec(values.items.element)
    return list_spec_of([spec_of(v, path) for v in values], path)


def list_spec_of(children: Iterable[Spec], path: str) -> ListSpec:
    element: Spec | None = None
    for child in children:
        child = generalised(specs.apart(child, path))
        element = child if element is None else join_elements(element, child, path)
    return ListSpec(element)


def join_lists(a: Spec, b: Spec, path: str, where: str) -> Spec | None:
    """What holds for two lists of which one at least has another length; None if one is none."""
    pair: list[ListSpec] = []
    for spec in (a, b):
        if isinstance(spec, ListSpec) and spec.kind is list:
            pair.append(spec)
        elif isinstance(spec, StructureSpec) and spec.kind is list:
            pair.append(list_spec_of(spec.children, f"{path}[...]"))
        else:
            return None
    first, second = pair
    if first.element is None or second.element is None:
        return ListSpec(first.element or second.element)
    return ListSpec(join_elements(first.element, second.element, f"{path}[...]"))


def take_apart(value: StagedList, kind: type = list) -> nest.Parts:
    """What `runtime.nest` knows of a list, or of what is a `kind` when the graph has run."""
    if value.items is None:
        return list, list(value), _as_it_is_needed
    element = value.items.element

    def rebuild(flows: list[Any]) -> Any:
        if flows and isinstance(flows[0], EagerTensor):
            return kind(_as_python(element, flows))
        return KINDS[kind]((), Items(element, tuple(flows)))

    return (f"{kind.__name__} of any length", element), list(value.items.flows), rebuild


def _as_it_is_needed(values: list[Any]) -> list[Any]:
    """A list for the trace that goes on; for the caller, when a graph has run, a plain one."""
    return StagedList(values) if tracking() else values


def _as_python(element: Spec | None, flows: Sequence[EagerTensor]) -> list[Any]:
    """The real list that a dynamic one has become when the graph has run."""
    if element is None:
        return []
    if context.thread.recorders:
        # Taken out one by one, so that gradients find their way back.
        items = Items(element, tuple(flows))
        return [items.get(number) for number in range(len(flows[0]._value))]
    rows = zip(*(flow._value for flow in flows), strict=True)
    return [element.build(iter([EagerTensor(x) for x in row])) for row in rows]


def stacked(value: StagedList, dtype: Any, name: Any) -> Tensor | None:
    if value.items is None:
        return None
    element = _tensor_element(value.items.element)
    return ops.stack(value.items.flows[0], element.dtype, element.shape)


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
