"""`and`, `or`, `not` and comparisons."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

from autograph_lite.operators.dispatch import asked, is_staged, staging_active

__all__ = [
    "and_",
    "and_once",
    "both",
    "compare",
    "either",
    "in_",
    "is_",
    "is_not",
    "is_sequence",
    "not_",
    "not_in",
    "or_",
    "or_once",
]


def and_(first: Any, *others: Callable[[], Any]) -> Any:
    """`first and others[0]() and ...`

    Example:
      >>> and_(1, lambda: 0, lambda: 1 / 0)
      0
    """
    value = first
    for index, other in enumerate(others):
        value, truth = _asked_once(value)
        if is_staged(truth):
            if len(others) - index > _MOST_NESTED:
                return _halved(and_, value, others[index:])
            from autograph_lite.staging import conditionals as staged

            return staged.and_(value, _rest(and_, others[index:]), truth)
        if not truth:
            return value
        value = other()
    return value


class _Asked:
    """A value that has been asked for its truth already."""

    __slots__ = ("truth", "value")

    def __init__(self, value: Any, truth: bool) -> None:
        self.value = value
        self.truth = truth


def _asked_once(value: Any) -> tuple[Any, Any]:
    """A value and its truth."""
    return (value.value, value.truth) if type(value) is _Asked else (value, asked(value))


def _value_of(operand: Callable[[], Any]) -> Callable[[], Any]:
    def value() -> Any:
        found = operand()
        return found.value if type(found) is _Asked else found

    return value


def and_once(first: Any, *others: Callable[[], Any]) -> Any:
    """`and` that is an operand of `or`: that does not ask the value again that has decided.

    Example:
      >>> or_(and_once(0, lambda: 1 / 0), lambda: 2)
      2
    """
    return _once(and_, False, first, others)


def or_once(first: Any, *others: Callable[[], Any]) -> Any:
    """`or` that is an operand of `and`: that does not ask the value again that has decided.

    Example:
      >>> and_(or_once(1, lambda: 1 / 0), lambda: 2)
      2
    """
    return _once(or_, True, first, others)


def _once(
    operator_: Callable[..., Any],
    deciding: bool,
    first: Any,
    others: tuple[Callable[[], Any], ...],
) -> Any:
    value = first
    for index, other in enumerate(others):
        value, truth = _asked_once(value)
        if is_staged(truth):
            rest = (*others[index:-1], _value_of(others[-1]))
            return operator_(value, *rest)
        if bool(truth) is deciding:
            return _Asked(value, deciding)
        value = other()
    return value


def both(first: Any, *others: Callable[[], Any]) -> Any:
    """`and` whose result is only tested: an operand that is false is not asked again.

    Example:
      >>> both([], lambda: 1 / 0)
      False
    """
    value = asked(first)
    for index, other in enumerate(others):
        if is_staged(value):
            if len(others) - index > _MOST_NESTED:
                return _halved(both, value, others[index:])
            from autograph_lite.staging import logic as staged

            return staged.both(value, _rest(both, others[index:]))
        if not value:
            return False
        value = asked(other())
    return value


def either(first: Any, *others: Callable[[], Any]) -> Any:
    """`or` whose result is only tested: an operand that is true is not asked again.

    Example:
      >>> either([1], lambda: 1 / 0)
      True
    """
    value = asked(first)
    for index, other in enumerate(others):
        if is_staged(value):
            if len(others) - index > _MOST_NESTED:
                return _halved(either, value, others[index:])
            from autograph_lite.staging import logic as staged

            return staged.either(value, _rest(either, others[index:]))
        if value:
            return True
        value = asked(other())
    return value


_MOST_NESTED = 16
"""Operands that are staged one inside the other; of more, each half is staged by itself."""


def _halved(
    operator_: Callable[..., Any], first: Any, others: tuple[Callable[[], Any], ...]
) -> Any:
    """A chain of many operands as one of two shorter chains."""
    middle = len(others) // 2
    before = (*others[: middle - 1], _value_of(others[middle - 1]))
    start = operator_(first, *before)
    return operator_(start, _rest(operator_, others[middle:]))


def _rest(
    operator_: Callable[..., Any], others: tuple[Callable[[], Any], ...]
) -> Callable[[], Any]:
    """The operands that are left, as one."""
    if len(others) == 1:
        return others[0]
    return lambda: operator_(others[0](), *others[1:])


def or_(first: Any, *others: Callable[[], Any]) -> Any:
    """`first or others[0]() or ...`

    Example:
      >>> or_(0, lambda: 2, lambda: 1 / 0)
      2
    """
    value = first
    for index, other in enumerate(others):
        value, truth = _asked_once(value)
        if is_staged(truth):
            if len(others) - index > _MOST_NESTED:
                return _halved(or_, value, others[index:])
            from autograph_lite.staging import conditionals as staged

            return staged.or_(value, _rest(or_, others[index:]), truth)
        if truth:
            return value
        value = other()
    return value


def not_(value: Any) -> Any:
    """`not value`

    Example:
      >>> not_([])
      True
    """
    value = asked(value)
    if is_staged(value):
        from autograph_lite.staging import logic as staged

        return staged.not_(value)
    return not value


_COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def compare(left: Any, symbol: str, right: Any, *more: Any) -> Any:
    """A chain of comparisons: each symbol is followed by an operand, from the second on by a
    function that gives it.

    Example:
      >>> compare(1, '<', 2, '<', lambda: 3)
      True
    """
    value = _compare(left, symbol, right)
    for index in range(0, len(more), 2):
        if is_staged(value):
            from autograph_lite.staging import conditionals as staged

            return staged.and_(value, functools.partial(_go_on, right, *more[index:]))
        if not value:
            return value
        left, right = right, more[index + 1]()
        value = _compare(left, more[index], right)
    return value


def _go_on(left: Any, symbol: str, right: Callable[[], Any], *more: Any) -> Any:
    return compare(left, symbol, right(), *more)


def _compare(left: Any, symbol: str, right: Any) -> Any:
    function = _COMPARISONS.get(symbol)
    if function is not None:
        if type(left) in _NUMBERS or not staging_active():
            return function(left, right)
        if _may_be_lists(left) or _may_be_lists(right):
            from autograph_lite.staging.either import fork

            return fork(lambda a, b: _compare(a, symbol, b), (left, right), {})
        if _compares_items(left) and _compares_items(right):
            from autograph_lite.staging import logic as staged

            return staged.compare_sequences(left, symbol, right)
        if isinstance(left, dict) and isinstance(right, dict):
            from autograph_lite.staging import dicts

            dicts.refuse(left)
            dicts.refuse(right)
        return function(left, right)
    if symbol in ("is", "is not"):
        return is_(left, right) if symbol == "is" else is_not(left, right)
    return in_(left, right) if symbol == "in" else not_in(left, right)


def _compares_items(value: Any) -> bool:
    """Whether a value is a list or tuple without an order of its own."""
    kind: Any = type(value)
    if kind is list or kind is tuple:
        return True
    if not isinstance(value, list | tuple):
        return False
    return is_staged(value) or (kind.__eq__, kind.__lt__) in _OF_SEQUENCES


def _is_compared_staged(item: Any, container: Any) -> bool:
    """Whether `in` compares tensors that are in a Python list or tuple, or in such an item."""
    if not staging_active() or not isinstance(container, list | tuple):
        return False
    from autograph_lite.staging.text import holds_staged

    return holds_staged((item, container))


def _compares_itself(item: Any, container: Any) -> bool:
    """Whether an item is looked for in a list by an `__eq__` of the user's, while tracing."""
    if type(item).__module__ == "builtins" or not isinstance(container, list | tuple):
        return False
    own: Any = getattr(type(item), "__eq__", None)
    return staging_active() and own is not object.__eq__


def _may_be_lists(value: Any) -> bool:
    """Whether a value is one of several objects."""
    return getattr(type(value), "__ag_either__", False) and value.fixed


_NUMBERS = frozenset({int, float, bool, complex})
_OF_SEQUENCES: tuple[Any, ...] = ((list.__eq__, list.__lt__), (tuple.__eq__, tuple.__lt__))
_CONTAINERS = frozenset({list, tuple, dict, set, frozenset, str, bytes, range})


def in_(item: Any, container: Any) -> Any:
    """`item in container`

    Example:
      >>> in_(1, [1, 2])
      True
    """
    if staging_active() and type(container) not in _CONTAINERS:
        from autograph_lite.staging import special

        own = special.own(container, "__contains__")
        if own is not None:
            return special.as_truth(own(item))
    staged_items = is_staged(item) or is_staged(container)
    if staged_items or _is_compared_staged(item, container) or _compares_itself(item, container):
        from autograph_lite.staging import logic as staged

        return staged.in_(item, container)
    if isinstance(container, dict) and staging_active():
        from autograph_lite.staging import dicts

        return dicts.has(container, item)
    return item in container


def not_in(item: Any, container: Any) -> Any:
    """`item not in container`

    Example:
      >>> not_in(1, [1, 2])
      False
    """
    if staging_active():
        return not_(in_(item, container))
    return item not in container


def is_(left: Any, right: Any) -> Any:
    """`left is right`

    Example:
      >>> is_(None, None)
      True
    """
    if is_staged(left) or is_staged(right):
        from autograph_lite.staging import logic as staged

        return staged.is_(left, right)
    return left is right


def is_not(left: Any, right: Any) -> Any:
    """`left is not right`

    Example:
      >>> is_not(None, None)
      False
    """
    if is_staged(left) or is_staged(right):
        from autograph_lite.staging import logic as staged

        return staged.not_(staged.is_(left, right))
    return left is not right


def is_sequence(value: Any, count: int, or_longer: bool = False) -> Any:
    """Whether a sequence pattern of `count` items may fit a value: a sequence, but not a text.

    Args:
      value: the subject.
      count: how many items there must be.
      or_longer: whether there may be more.

    Example:
      >>> is_sequence((1, 2), 2), is_sequence("ab", 2), is_sequence([1, 2, 3], 2, True)
      (True, False, True)
    """
    if is_staged(value):
        from autograph_lite.staging import logic as staged

        return staged.is_sequence(value, count, or_longer)
    from collections.abc import Sequence

    if not isinstance(value, Sequence) or isinstance(value, str | bytes | bytearray):
        return False
    return len(value) >= count if or_longer else len(value) == count
