"""In which order `sorted` puts items: tuples by their first items, then by their second."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph_lite.operators.logic import and_, or_
from autograph_lite.staging.either import EitherValue, alternative_specs, alternatives, fork
from autograph_lite.staging.iterables import Mapped, counted, listed
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.own_order import hold_an_order, order_by_comparing
from autograph_lite.staging.specs import StructureSpec, TensorSpec
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType
from runtime.errors import SymbolicTensorError
from runtime.ops.casting import cast
from runtime.ops.gathering import gather
from runtime.ops.joining import stack
from runtime.ops.list_edits import permuted
from runtime.ops.promotion import result_dtype
from runtime.ops.reordering import reverse as reversed_axis
from runtime.ops.sorting import argsort
from runtime.tensor import Tensor

_SEQUENCES = (tuple, list)


def in_python(values: Any, key: Any, reverse: bool) -> list[Any] | None:
    """The items in order, if their order is known while tracing."""
    if any(isinstance(value, Tensor) for value in values):
        return None
    try:
        return builtins.sorted(values, key=key, reverse=reverse)
    except SymbolicTensorError:
        return None


def are_structures(items: Any) -> bool:
    """Whether the items of a list are tuples, or lists of known lengths."""
    if is_dynamic(items):
        element = items.items.element
        return isinstance(element, StructureSpec) and element.kind in _SEQUENCES
    return any(_is_structure(item) for item in items)


def _is_structure(item: Any) -> bool:
    return isinstance(item, _SEQUENCES) and not is_dynamic(item)


def order_of(keys: Any, reverse: bool) -> Tensor:
    """Where the items belong that have these keys; equal ones keep their order.

    Args:
      keys: a tensor, or a list of scalars, of tuples, or of objects that have an order.
      reverse: whether the largest come first.
    """
    if hold_an_order(keys):
        return order_by_comparing(keys, reverse)
    columns = _columns(keys)
    if len(columns) == 1 and columns[0].dtype.kind != "S":
        (column,) = columns
        if reverse and column.dtype.kind not in "ub":
            return argsort(-column, axis=0, stable=True)
        if not reverse:
            return argsort(column, axis=0, stable=True)
    if reverse:
        # Backwards before and after: what is equal is then in its first order.
        columns = [reversed_axis(column, [0]) for column in columns]
    order: Any = None
    for column in builtins.reversed(columns):
        found = argsort(column if order is None else gather(column, order), axis=0, stable=True)
        order = found if order is None else gather(order, found)
    if not reverse:
        return order  # type: ignore[no-any-return]
    return reversed_axis(_last(columns[0]) - order, [0])


def _last(column: Tensor) -> Any:
    from runtime.ops.shaping import shape

    return shape(column)[0] - 1


def _columns(keys: Any) -> list[Any]:
    """The keys as tensors, those that decide first in front."""
    if isinstance(keys, Tensor):
        return [keys]
    if not are_structures(keys):
        return [stack(_of_one_dtype(keys))]
    if is_dynamic(keys):
        count = len(keys.items.element.children)
    else:
        count = min(len(key) for key in keys)
    columns = [listed(Mapped(partial(_item, n), counted(keys))) for n in range(count)]
    return [found for column in columns for found in _columns(column)]


def _of_one_dtype(keys: Any) -> Any:
    """The keys; where some may have several dtypes, all in one."""
    dtypes = _dtypes(keys)
    if dtypes is None:
        return keys
    to_common = partial(cast, dtype=functools.reduce(result_dtype, dtypes))

    def brought(key: Any) -> Any:
        return fork(to_common, (key,), {})

    return listed(Mapped(brought, counted(keys))) if is_dynamic(keys) else list(map(brought, keys))


def _dtypes(keys: Any) -> list[DType] | None:
    """The dtypes that keys may have, if some key may have several."""
    if is_dynamic(keys):
        found = list(alternative_specs(keys.items.element))
        numbers = [spec.dtype for spec in found if isinstance(spec, TensorSpec)]
        return numbers if len(numbers) == len(found) > 1 else None
    if not any(isinstance(key, EitherValue) for key in keys):
        return None
    return [convert_to_tensor(value).dtype for key in keys for value in alternatives(key)]


def _item(number: int, key: Any) -> Any:
    return key[number]


def rearranged(items: Any, order: Tensor) -> Any:
    """The items in another order."""
    from autograph_lite.staging.items import load

    if is_dynamic(items):
        copy = items.copy()
        copy.restore(copy.items.all(lambda flow: permuted(flow, order)))
        return copy
    return StagedList([load(items, order[number]) for number in range(len(items))])


def less(a: Any, b: Any) -> Any:
    """`a < b`, of tuples and lists by their items."""
    if not (_is_structure(a) and _is_structure(b)):
        return a < b
    found: Any = len(a) < len(b)
    for x, y in builtins.reversed(list(zip(a, b, strict=False))):
        found = or_(less(x, y), _then(equal(x, y), found))
    return found


def equal(a: Any, b: Any) -> Any:
    """`a == b`, of tuples and lists by their items."""
    if not (_is_structure(a) and _is_structure(b)):
        return a == b
    found: Any = len(a) == len(b)
    for x, y in zip(a, b, strict=False):
        found = and_(found, partial(equal, x, y))
    return found


def _then(first: Any, second: Any) -> Callable[[], Any]:
    return lambda: and_(first, lambda: second)


__all__ = ["are_structures", "equal", "in_python", "less", "order_of", "rearranged"]
