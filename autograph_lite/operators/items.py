"""Items and attributes: reading them, storing to them."""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Callable
from typing import Any, TypeVar

from runtime.context import thread
from runtime.shapes import TensorShape

__all__ = [
    "ask_for", "attribute", "augitem", "getitem", "merging", "new_dict", "new_list", "new_set",
    "setitem", "shape", "sure_items", "tracked",
]  # fmt: skip

T = TypeVar("T")

slice_ = slice  # for code in which `slice` means something else

_IN_PLACE: dict[str, Callable[[Any, Any], Any]] = {
    "+=": operator.iadd,
    "-=": operator.isub,
    "*=": operator.imul,
    "@=": operator.imatmul,
    "/=": operator.itruediv,
    "%=": operator.imod,
    "**=": operator.ipow,
    "<<=": operator.ilshift,
    ">>=": operator.irshift,
    "|=": operator.ior,
    "^=": operator.ixor,
    "&=": operator.iand,
    "//=": operator.ifloordiv,
}


def getitem(container: Any, index: Any) -> Any:
    """`container[index]`

    Example:
      >>> getitem('abc', 1)
      'b'
    """
    if thread.graph is not None:
        from autograph_lite.staging import items as staged

        return staged.getitem(container, index)
    return container[index]


def setitem(container: Any, index: Any, value: Any) -> Any:
    """`container[index] = value`

    Returns:
      What the variable that held the container is to hold now.

    Example:
      >>> setitem([1, 2], 0, 3)
      [3, 2]
    """
    if thread.graph is not None:
        from autograph_lite.staging import items as staged

        return staged.setitem(container, index, value)
    container[index] = value
    return container


def augitem(container: Any, index: Any, symbol: str, value: Any, lazy: bool = False) -> Any:
    """`container[index] += value`, and the like.

    Args:
      container: a container.
      index: which item of it.
      symbol: which operator.
      value: the right operand.
      lazy: whether `value` is a function that gives the right operand.

    Returns:
      What the variable that held the container is to hold now.

    Example:
      >>> augitem([1, 2], 0, '+=', 3)
      [4, 2]
    """
    if thread.graph is not None:
        from autograph_lite.staging import items as staged

        return staged.augitem(container, index, symbol, value, lazy)
    item = container[index]
    container[index] = _IN_PLACE[symbol](item, value() if lazy else value)
    return container


def tracked(owner: T, variable: Callable[[], T] | None = None) -> T:
    """The object that an attribute or item is stored to.

    Example:
      >>> tracked(owner := [1]) is owner
      True
    """
    if thread.graph is not None:
        from autograph_lite.staging import items as staged

        return staged.tracked(owner, variable)
    return owner


def attribute(owner: Any, name: str) -> Any:
    """`owner.name`, in a `try` that may catch the error of its not being there.

    Example:
      >>> attribute(1j, 'imag')
      1.0
    """
    if thread.graph is not None:
        from autograph_lite.staging import attributes as staged

        return staged.attribute(owner, name)
    return getattr(owner, name)


def ask_for(owner: Any, name: str) -> None:
    """Before `owner.name` is changed, in a `try` that may catch the error of its not being there.

    Example:
      >>> ask_for(1j, 'imag')
    """
    if thread.graph is not None:
        from autograph_lite.staging import attributes as staged

        staged.ask_for(owner, name)


def shape(owner: Any) -> Any:
    """`owner.shape`: of a tensor, with tensors for the sizes that only the running graph knows.

    Example:
      >>> import numpy
      >>> shape(numpy.zeros((2, 3)))
      (2, 3)
    """
    found = owner.shape
    if type(found) is not TensorShape or found.is_fully_defined() or thread.graph is None:
        return found
    from autograph_lite.staging import shapes as staged

    return staged.opened(owner, found)


def merging(owner: Any, other: T) -> T:
    """The right operand of `owner |= other` or `owner += [...]`, which may change the owner.

    Example:
      >>> merging({}, {'a': 1})
      {'a': 1}
    """
    if isinstance(owner, dict | set | list | deque) and thread.graph is not None:
        from autograph_lite.staging import dicts

        return dicts.merging(owner, other)  # type: ignore[no-any-return]
    return other


def sure_items(table: T) -> T:
    """`table` as it is copied in `{**table}`.

    Example:
      >>> {**sure_items({'a': 1})}
      {'a': 1}
    """
    if isinstance(table, dict) and thread.graph is not None:
        from autograph_lite.staging import dicts

        dicts.refuse_unmarked(table)
    return table


def new_list(values: list[T]) -> list[T]:
    """A list that the function goes on to change.

    Example:
      >>> new_list([1])
      [1]
    """
    if thread.graph is not None:
        from autograph_lite.staging import lists as staged

        return staged.StagedList(values)
    return values


def new_dict(values: T) -> T:
    """A dict that the function goes on to change.

    Example:
      >>> new_dict({'a': 1})
      {'a': 1}
    """
    if thread.graph is not None:
        from autograph_lite.staging.scopes import born

        born(values)
    return values


new_set = new_dict
