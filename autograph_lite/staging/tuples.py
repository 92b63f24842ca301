"""Tuples whose length only the running graph knows: `t = (*t, x)` in a staged loop.

Such a tuple is a list of the graph that cannot be changed, and a tuple when the graph has run.
"""

from __future__ import annotations

from typing import Any, NoReturn

from autograph_lite.errors import StagingError
from autograph_lite.staging import specs
from autograph_lite.staging.either import EitherSpec, EitherValue, fork, holds_either
from autograph_lite.staging.list_specs import (
    KINDS,
    ListSpec,
    is_dynamic,
    joined,
    list_spec,
    list_spec_of,
)
from autograph_lite.staging.lists import StagedList, stacked, take_apart
from autograph_lite.staging.specs import Spec, StructureSpec
from runtime import nest
from runtime.convert import register_tensor_conversion_function
from runtime.ops.operators import set_repetition
from runtime.ops.unpacking import check_count
from runtime.tensor import Tensor


class StagedTuple(StagedList):
    """A tuple of a traced function; its length depends on a tensor."""

    __slots__ = ()
    python_kind = "tuple"

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, tuple | StagedTuple):
            raise TypeError(f'can only concatenate tuple (not "{type(other).__name__}") to tuple')
        return joined_tuple(self, other)

    def __radd__(self, other: Any) -> Any:
        return joined_tuple(other, self)

    __iadd__ = __add__  # type: ignore[assignment]

    def __mul__(self, count: Any) -> Any:
        return as_tuple(StagedList((), self.items) * count)

    __rmul__ = __imul__ = __mul__  # type: ignore[assignment]

    def __setitem__(self, index: Any, value: Any) -> NoReturn:
        raise TypeError("'tuple' object does not support item assignment")

    def __delitem__(self, index: Any) -> NoReturn:
        raise TypeError("'tuple' object doesn't support item deletion")

    def __getattribute__(self, name: str) -> Any:
        if name in _CHANGING:
            raise AttributeError(f"'tuple' object has no attribute {name!r}")
        return super().__getattribute__(name)


_CHANGING = frozenset("append extend insert pop clear reverse copy remove sort".split())


def as_tuple(values: Any) -> Any:
    """`tuple(values)`: of a length that the running graph knows, or as Python has it."""
    # Iterables are built on items, and those on this module.
    from autograph_lite.staging.iterables import is_counted, listed

    if is_counted(values) and not is_dynamic(values):
        values = listed(values)
    return StagedTuple((), values.items) if is_dynamic(values) else tuple(values)


def settled_sequence(values: Any) -> Any:
    """The items of an iterable: in Python's list if their number is known, else in the graph's."""
    from autograph_lite.staging.iterables import is_counted, listed

    if isinstance(values, EitherValue):
        return values
    if isinstance(values, Tensor) and values.shape.rank and values.shape[0] is not None:
        return list(values)
    found = listed(values) if is_counted(values) else values
    return found if is_dynamic(found) else list(found)


def joined_list(*parts: Any) -> Any:
    """The items of several sequences one after the other, as a list."""
    if holds_either(parts):
        return fork(joined_list, parts, {})
    made = StagedList()
    for part in parts:
        made.extend(part)
    return made


def joined_tuple(*parts: Any) -> Any:
    """The items of several sequences one after the other, as a tuple."""
    made = joined_list(*parts)
    if not isinstance(made, StagedList):
        return fork(as_tuple, (made,), {})
    return as_tuple(made)


def as_sequence(values: Any) -> StagedList:
    """A Python list or tuple as a sequence of the graph."""
    kind = KINDS[type(values)]
    return kind((), list_spec(list(values), "a sequence").items(values))


def join_tuples(a: Spec, b: Spec, path: str, where: str) -> Spec | None:
    """What holds for two tuples of which one at least has another length; None if one is none."""
    one, other = _of_any_length(a, path), _of_any_length(b, path)
    return None if one is None or other is None else joined(one, other, path)


def unpacked(values: Any, before: int, after: int) -> tuple[Any, ...] | None:
    """See `operators.unpacking`; None for what is unpacked as Python does it."""
    from autograph_lite.staging.iterables import is_counted, listed

    if isinstance(values, EitherValue):
        return tuple(fork(_as_python_unpacks, (values, before, after), {}))
    if isinstance(values, Tensor) or not (is_dynamic(values) or is_counted(values)):
        return None
    made = listed(values)
    items = made.items
    if items is None:
        return None
    check_count(items.flows[0], before + after, at_least=True)
    rest = StagedList((), made[before : -after or None].items)
    front = [made[number] for number in range(before)]
    return (*front, rest, *[made[number - after] for number in range(after)])


def _as_python_unpacks(values: Any, before: int, after: int) -> Any:
    from autograph_lite.operators.unpacking import unpacked as of_python

    return of_python(values, before, after)


def may_grow(a: Spec, b: Spec) -> bool:
    """Whether two specs are of tuples that a loop makes longer."""
    first, second = _lengths(a), _lengths(b)
    return bool(first) and bool(second) and len(first | second) > 1


def _lengths(spec: Spec) -> set[int | None]:
    """The lengths that a tuple may have, None for any; no length if it may be something else."""
    if isinstance(spec, EitherSpec):
        first, second = _lengths(spec.first), _lengths(spec.second)
        return first | second if first and second else set()
    if _is_dynamic(spec):
        return {None}
    is_tuple = isinstance(spec, StructureSpec) and spec.kind is tuple
    return {len(spec.children)} if is_tuple else set()  # type: ignore[attr-defined]


def _of_any_length(spec: Spec, path: str) -> ListSpec | None:
    if isinstance(spec, ListSpec):
        return spec if spec.kind is tuple else None
    if isinstance(spec, StructureSpec) and spec.kind is tuple:
        return ListSpec(list_spec_of(spec.children, f"{path}[...]").element, tuple)
    if isinstance(spec, EitherSpec):
        found = join_tuples(spec.first, spec.second, path, "")
        return found if isinstance(found, ListSpec) else None
    return None


def _join_dynamic(a: Spec, b: Spec, path: str, where: str) -> Spec | None:
    """`join_tuples`, where one of the two is of any length already."""
    return join_tuples(a, b, path, where) if _is_dynamic(a) or _is_dynamic(b) else None


def _is_dynamic(spec: Spec) -> bool:
    return isinstance(spec, ListSpec) and spec.kind is tuple


def join_growing(a: Spec, b: Spec, path: str, where: str) -> Spec | None:
    """`join_tuples`, where the elements have something that holds for all; else None."""
    try:
        return join_tuples(a, b, path, where)
    except StagingError:
        return None


def _spec(value: StagedTuple, path: str) -> Spec:
    assert value.items is not None
    return ListSpec(value.items.element, tuple)


def _repeat(values: Any, count: Any) -> StagedList:
    return as_sequence(values) * count


set_repetition(_repeat)
KINDS[tuple] = StagedTuple
nest.register(StagedTuple, lambda value: take_apart(value, tuple))
register_tensor_conversion_function(StagedTuple, stacked)
specs.register_kind((StagedTuple,), _spec, _join_dynamic)
# After the alternatives of `either`: two tuples of different lengths stay as they are.
specs.register_kind((), _spec, join_growing, is_alternative=True)

__all__ = [
    "StagedTuple",
    "as_sequence",
    "as_tuple",
    "join_growing",
    "may_grow",
    "settled_sequence",
    "unpacked",
]
