"""What is known of lists whose length only the running graph knows, and what they are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from autograph_lite.staging import scopes, specs
from autograph_lite.staging.either import EitherValue
from autograph_lite.staging.elements import generalised, is_alike, join_elements
from autograph_lite.staging.outside_arrays import base_of
from autograph_lite.staging.specs import Leaves, NextLeaf, Spec, StructureSpec, TensorSpec, spec_of
from autograph_lite.staging.views import chain_of
from runtime import context, dtypes, nest
from runtime.convert import convert_to_tensor
from runtime.ops import list_edits as edits
from runtime.ops import lists as ops
from runtime.shapes import SCALAR
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor

if TYPE_CHECKING:
    from autograph_lite.staging.lists import StagedList

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
        new = generalised(spec_of(value))
        if self.element is None:
            count = max(1, sum(1 for _ in new.tensors()))
            return Items(new, self.flows[:1] * count)
        return ListSpec(join_elements(self.element, new, "an element")).items(self)

    def each(
        self, change: Callable[[Tensor, Any], Tensor], value: Any, is_new: bool = True
    ) -> Items:
        """The contents after `change(flow, leaf)` with the leaves of `value`.

        Args:
          change: makes a list of the graph of another.
          value: an item.
          is_new: whether the item is put into the list; else it is put back.
        """
        if is_new:
            note_lent(value)
        wide = self.widened(value)
        assert wide.element is not None
        leaves: list[Any] = list(wide.element.leaves(value, "an element")) or [convert_to_tensor(0)]
        changed = [change(f, x) for f, x in zip(wide.flows, leaves, strict=True)]
        return Items(wide.element, tuple(changed))

    def all(self, change: Callable[[Tensor], Tensor]) -> Items:
        """The contents after `change(flow)` of every flow."""
        return Items(self.element, tuple(change(f) for f in self.flows))


def note_lent(value: Any) -> None:
    """Notes that arrays are put into a list of the graph: that cannot see what they become."""
    if isinstance(value, SymbolicTensor):
        if value.shape.rank != 0 and value.dtype.kind in "biufc":
            scopes.note_lent(chain_of(value)[0])
        return
    if isinstance(value, np.ndarray):
        scopes.note_lent(base_of(value))
        return
    parts = nest.parts(value) if type(value) in (list, tuple, dict) else None
    for part in parts[1] if parts is not None else ():
        note_lent(part)


@dataclass(frozen=True, slots=True)
class ListSpec(Spec):
    """A list of any length, or a tuple, with elements of one spec."""

    is_by_value: ClassVar[bool] = True

    element: Spec | None
    kind: type = list

    def items(self, value: Any) -> Items:
        """The contents of `value`, a list or Items, with elements of this spec."""
        if is_dynamic(value):
            value = value.items
        elif isinstance(value, EitherValue):
            value = self._of_either(value)
        if isinstance(value, Items):
            return self._recast(value)
        elements = list(value)
        note_lent(elements)
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
        made = KINDS[list]((), Items(self.element, tuple(ops.empty() for _ in range(count))))
        made.extend(KINDS[list]((), items))
        assert made.items is not None
        return made.items

    def _of_either(self, value: EitherValue) -> Any:
        """The contents of one of two lists."""
        first, second = value.first, value.second
        made = _if_exp()(
            value.is_first,
            lambda: KINDS[list]((), self.items(first)),
            lambda: KINDS[list]((), self.items(second)),
        )
        return made.items

    def _leaves(self, value: Any, path: str) -> Leaves:
        return list(self.items(value).flows)

    def build(self, leaves: NextLeaf) -> Any:
        flows = tuple(next(leaves) for _ in self.tensors())
        if isinstance(flows[0], EagerTensor) and context.executing_eagerly():
            return self.kind(as_python_list(self.element, flows))
        return KINDS[self.kind]((), Items(self.element, flows))

    def tensors(self) -> Iterator[TensorSpec]:
        count = 0 if self.element is None else sum(1 for _ in self.element.tensors())
        for _ in range(max(1, count)):
            yield _LIST


KINDS: dict[type, type[StagedList]] = {}
"""The classes of what is a list, or a tuple, when the graph has run."""


def is_dynamic(value: Any) -> bool:
    """Whether `value` is a list whose length only the running graph knows."""
    return isinstance(value, KINDS[list]) and value.items is not None


def list_spec(values: Any, path: str) -> ListSpec:
    """The spec of a list of any length that `values`, a list, is one of."""
    if is_dynamic(values):
        return ListSpec(values.items.element)
    return list_spec_of([spec_of(v, path) for v in values], path)


def list_spec_of(children: Iterable[Spec], path: str) -> ListSpec:
    """The spec of a list of any length, the items of which have these specs."""
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
    return joined(first, second, path)


def joined(a: ListSpec, b: ListSpec, path: str) -> ListSpec:
    """What holds for two lists of any length, or two tuples."""
    if a.element is None or b.element is None:
        return ListSpec(a.element or b.element, a.kind)
    return ListSpec(join_elements(a.element, b.element, f"{path}[...]"), a.kind)


def _if_exp() -> Callable[..., Any]:
    # Branches know lists, too.
    from autograph_lite.staging.conditionals import if_exp as staged

    return staged


def as_python_list(element: Spec | None, flows: Sequence[EagerTensor]) -> list[Any]:
    """The real list that a dynamic one has become when the graph has run."""
    if element is None:
        return []
    if context.thread.recorders:
        # Taken out one by one, so that gradients find their way back.
        items = Items(element, tuple(flows))
        return [items.get(number) for number in range(len(flows[0]._value))]
    rows = zip(*(flow._value for flow in flows), strict=True)
    return [element.build(iter([EagerTensor(x) for x in row])) for row in rows]


__all__ = [
    "KINDS", "Items", "ListSpec", "as_python_list", "is_dynamic", "join_lists", "joined",
    "list_spec", "list_spec_of",
]  # fmt: skip
