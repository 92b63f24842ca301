"""`not`, `in` and `is` on staged values."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from autograph_lite.operators.calls import converted_anyway
from autograph_lite.operators.dispatch import asked
from autograph_lite.staging.builtins_ import all_, any_, len_
from autograph_lite.staging.conditionals import if_exp
from autograph_lite.staging.either import EitherValue, fork
from autograph_lite.staging.iterables import Mapped, Zipped, counted, is_counted
from autograph_lite.staging.iteration import StagedIterator, fold
from autograph_lite.staging.partly_read import comes_to
from autograph_lite.staging.specs import MaybeUnbound
from autograph_lite.staging.tuples import StagedTuple
from runtime.control_flow import as_condition
from runtime.convert import constant
from runtime.dtypes import bool_
from runtime.ops.comparison import equal, logical_and, logical_not, logical_or
from runtime.ops.python_text import ask, is_text
from runtime.ops.reductions import reduce_any
from runtime.tensor import SymbolicTensor, Tensor


def not_(value: Any) -> Any:
    """`not value` for a staged value."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, EitherValue):
        return fork(not_, (value,), {})
    if not getattr(type(value), "__ag_staged__", False):
        return not value
    return logical_not(as_condition(value, "`not`"))


def both(first: Any, second: Callable[[], Any]) -> Any:
    """`first and second()`, of which only the truth is asked."""
    return if_exp(as_condition(first, "`and`"), lambda: truth(second()), lambda: False)


def either(first: Any, second: Callable[[], Any]) -> Any:
    """`first or second()`, of which only the truth is asked."""
    return if_exp(as_condition(first, "`or`"), lambda: True, lambda: truth(second()))


def truth(value: Any) -> Any:
    """Whether a value counts as true: a bool, or a tensor of one."""
    value = asked(value)
    staged = getattr(type(value), "__ag_staged__", False) or isinstance(value, Tensor)
    return as_condition(value, "a condition") if staged else bool(value)


def in_(item: Any, container: Any) -> Any:
    """`item in container`, where one of them is staged.

    In a tensor, the item is compared with every element; in a Python container, with each item
    that could be equal to it.
    """
    if isinstance(container, EitherValue) or isinstance(item, EitherValue):
        return fork(in_, (item, container), {})
    if is_text(container) or (is_text(item) and isinstance(container, str)):
        return ask(operator.contains, container, item, dtype=bool_)
    if isinstance(container, StagedIterator):
        return converted_anyway(comes_to)(container, item)
    if isinstance(container, Tensor):
        return reduce_any(equal(container, item))
    if is_counted(container):
        return any_(Mapped(lambda candidate: _equal(candidate, item), counted(container)))
    found: Any = constant(False)
    if isinstance(container, dict) and isinstance(item, SymbolicTensor):
        from autograph_lite.staging.chosen_keys import held_under  # which is built on this

        for one in held_under(container, item):
            found = logical_or(found, one.is_it)
        return found
    for candidate, is_there in _members(container):
        same = candidate is item or _equal(candidate, item)
        if isinstance(same, Tensor) or (same and is_there is not True):
            same = as_condition(same, "`in`") if isinstance(same, Tensor) else is_there
            found = logical_or(found, same if is_there is True else logical_and(same, is_there))
        elif same:
            return True
    return found


def _members(container: Any) -> Iterator[tuple[Any, Any]]:
    """What is in a container, and whether it is there: True, or a bool tensor."""
    if isinstance(container, dict):
        from autograph_lite.staging.dicts import items  # they are built on this

        yield from ((key, is_there) for key, _, is_there in items(container))
    else:
        yield from ((item, True) for item in container)


def _equal(a: Any, b: Any) -> Any:
    # Operators are built on this.
    from autograph_lite.operators.logic import compare

    return compare(a, "==", b)


def is_(left: Any, right: Any) -> Any:
    """`left is right` where one is staged: a tensor is itself only, and never None.

    Bools of Python's that a branch or loop has made a tensor of are True or False.
    """
    if isinstance(left, MaybeUnbound):
        left = left.value
    if isinstance(left, EitherValue) or isinstance(right, EitherValue):
        return fork(is_, (left, right), {})
    for value, other in ((left, right), (right, left)):
        if isinstance(value, bool) and isinstance(other, SymbolicTensor):
            if other.weak and other.dtype.is_bool:
                return other if value else not_(other)
    return left is right


_DECIDES = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def compare_sequences(left: Any, symbol: str, right: Any) -> Any:
    """`left < right` and the like for lists and tuples, item by item as Python does."""
    if symbol == "!=":
        return not_(compare_sequences(left, "==", right))
    if _is_list(left) is not _is_list(right):
        return False if symbol == "==" else _DECIDES[symbol](left, right)
    if is_counted(left) or is_counted(right):
        return _compare_staged(left, symbol, right)
    pairs = list(zip(left, right, strict=False))
    if symbol == "==":
        if len(left) != len(right):
            return False
        return all_([_same(a, b) for a, b in pairs])

    def decide(start: int) -> Any:
        for number in range(start, len(pairs)):
            a, b = pairs[number]
            same = _same(a, b)
            if same is False:
                return _less(a, symbol, b)
            if same is not True:
                after = number + 1
                return if_exp(same, partial(decide, after), partial(_less, a, symbol, b))
        return _DECIDES[symbol](len(left), len(right))

    return decide(0)


def _is_list(value: Any) -> bool:
    return isinstance(value, list) and not isinstance(value, StagedTuple)


def _compare_staged(left: Any, symbol: str, right: Any) -> Any:
    """The same for lists of which the running graph knows the length."""
    pairs = Zipped([counted(left), counted(right)])
    sizes = len_(left), len_(right)
    if symbol == "==":
        equal_items = Mapped(lambda pair: _same(*pair), pairs)
        return if_exp(truth(sizes[0] == sizes[1]), lambda: all_(equal_items), lambda: False)

    def look(found: Any, pair: Any) -> Any:
        decided, result = found
        differs = both(not_(decided), lambda: not_(_same(*pair)))
        result = if_exp(truth(differs), lambda: _less(pair[0], symbol, pair[1]), lambda: result)
        return logical_or(decided, differs), result

    decided, result = fold(look, pairs, (constant(False), constant(False)))
    return if_exp(decided, lambda: result, lambda: _DECIDES[symbol](*sizes))


def _same(a: Any, b: Any) -> Any:
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return compare_sequences(a, "==", b)
    return True if a is b else truth(a == b)


def _less(a: Any, symbol: str, b: Any) -> Any:
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return compare_sequences(a, symbol, b)
    return truth(_DECIDES[symbol](a, b))


def is_sequence(value: Any, count: int, or_longer: bool) -> Any:
    """Whether a sequence pattern of `count` items may fit a staged value."""
    if isinstance(value, EitherValue):
        return fork(is_sequence, (value, count, or_longer), {})
    if isinstance(value, Tensor) and value.shape.rank == 0:
        return False
    size = len_(value)
    return size >= count if or_longer else size == count


__all__ = ["both", "compare_sequences", "either", "in_", "is_", "is_sequence", "not_", "truth"]
