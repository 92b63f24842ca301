"""Guards: Python state that a trace took for granted, checked before each call.

Numbers, strings, booleans, None and tuples of them are compared by value, and so are arrays and
small tensors; containers by their items; functions, classes, variables and other objects by
identity. A guard keeps none of these objects alive.
"""

from __future__ import annotations

import operator
import types
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable, Container, Iterable
from functools import partial
from typing import Any

import numpy as np

from autograph_lite.arguments import Arguments, reference_to
from autograph_lite.paths import MISSING, Path
from runtime.tensor import EagerTensor

_VALUES = frozenset({int, float, bool, complex, str, bytes, type(None), type(Ellipsis)})


def is_value(value: Any) -> bool:
    """Whether a guard compares `value` rather than asks for the same object.

    >>> is_value((1, "a")), is_value([1])
    (True, False)
    """
    kind = type(value)
    return kind in _VALUES or (kind is tuple and all(map(is_value, value)))


def is_container(value: Any) -> bool:
    """Whether the items of `value` are looked at: no other classes than Python's own count.

    >>> is_container({1: 2}), is_container("ab")
    (True, False)
    """
    kind = type(value)
    named_tuple = issubclass(kind, tuple) and hasattr(kind, "_fields")
    return kind in _SEQUENCES or kind in DICTS or named_tuple


def same_value(a: Any, b: Any) -> bool:
    """Whether two values are the same to a program: type and sign count, NaN is NaN.

    >>> same_value(1, True), same_value(0.0, -0.0), same_value((1, 2.5), (1, 2.5))
    (False, False, True)
    """
    if a is b:
        return True
    if type(a) is not type(b):
        return False
    if type(a) is tuple:
        return len(a) == len(b) and all(map(same_value, a, b))
    if type(a) in (float, complex):
        return repr(a) == repr(b)
    return bool(a == b)


class ValueGuard:
    """A place that holds a plain value.

    Attributes:
      path: the place.
      value: what the trace found there.
    """

    __slots__ = ("path", "value")

    def __init__(self, path: Path, value: Any) -> None:
        self.path = path
        self.value = value

    def holds(self, arguments: Arguments) -> bool:
        """Whether the place holds at this call what the trace found."""
        return same_value(self.path.resolve(arguments), self.value)

    def describe(self, arguments: Arguments) -> str:
        """What has changed, in words."""
        found = self.path.resolve(arguments)
        now = "is gone" if found is MISSING else f"is {_short(found)}"
        return f"{self.path} {now}, and was {_short(self.value)}"


class IdentityGuard:
    """A place that holds one particular object.

    Attributes:
      path: the place.
      reference: gives the object, or None when it is gone.
      text: what the object is called in messages.
    """

    __slots__ = ("path", "reference", "text")

    def __init__(self, path: Path, value: Any) -> None:
        self.path = path
        self.reference = reference_to(value)
        self.text = _short(value)

    def holds(self, arguments: Arguments) -> bool:
        """Whether the place holds at this call the object that the trace found."""
        wanted = self.reference()
        return wanted is not None and self.path.resolve(arguments) is wanted

    def describe(self, arguments: Arguments) -> str:
        """What has changed, in words."""
        found = self.path.resolve(arguments)
        now = "is gone" if found is MISSING else f"is now {_short(found)}"
        return f"{self.path} {now}, and was {self.text}"


class MethodGuard:
    """A method: an attribute that is a function of an object's class, or of the class itself.

    Attributes:
      path: the place of the attribute.
      reference: gives the function, or None when it is gone.
      text: what it is called in messages.
    """

    __slots__ = ("path", "reference", "text")

    def __init__(self, path: Path, function: types.FunctionType) -> None:
        self.path = path
        self.reference = reference_to(function)
        self.text = _short(function)

    def holds(self, arguments: Arguments) -> bool:
        """Whether the method is at this call the function that the trace found."""
        return self.matches(self.path.resolve(arguments))

    def matches(self, value: Any) -> bool:
        """Whether a value is the method that the trace found."""
        wanted = self.reference()
        return wanted is not None and getattr(value, "__func__", value) is wanted

    def describe(self, arguments: Arguments) -> str:
        """What has changed, in words."""
        found = self.path.resolve(arguments)
        now = "is gone" if found is MISSING else f"is now {_short(found)}"
        return f"{self.path} {now}, and was {self.text}"


class TensorGuard:
    """A place that holds a small tensor, or an array, at which Python has looked.

    Attributes:
      path: the place.
      array: what the trace found there.
    """

    __slots__ = ("array", "kind", "path")

    def __init__(self, path: Path, value: Any) -> None:
        self.path = path
        self.kind = type(value)
        # An array may be written to, a tensor's never is.
        self.array = np.array(value) if self.kind is np.ndarray else value._value

    def holds(self, arguments: Arguments) -> bool:
        """Whether the place holds at this call a tensor of the same elements."""
        return self.matches(self.path.resolve(arguments))

    def matches(self, value: Any) -> bool:
        """Whether a value is a tensor of the elements that the trace found."""
        if type(value) is not self.kind:
            return False
        array = value if self.kind is np.ndarray else value._value
        return (
            array.dtype == self.array.dtype
            and array.shape == self.array.shape
            and _same_bytes(array, self.array)
        )

    def describe(self, arguments: Arguments) -> str:
        """What has changed, in words."""
        found = self.path.resolve(arguments)
        now = "is gone" if found is MISSING else f"is {_short(found)}"
        return f"{self.path} {now}, and was {self.array!s:.60}"


def _same_bytes(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any]) -> bool:
    """Whether arrays of one dtype and shape hold the same: NaN is NaN, and signs of zeros count."""
    if a.size > SMALL and a.dtype.itemsize in (1, 2, 4, 8):
        bits = f"u{a.dtype.itemsize}"
        return bool((a.view(bits) == b.view(bits)).all())
    return a.tobytes() == b.tobytes()


class SameObjectGuard:
    """A place that holds the same tensor or array as another one.

    A trace has one input for the two, which follows the other place.

    Attributes:
      path: the place.
      other: the place that the input follows.
    """

    __slots__ = ("other", "path")

    def __init__(self, path: Path, other: Path) -> None:
        self.path = path
        self.other = other

    def holds(self, arguments: Arguments) -> bool:
        """Whether both places hold at this call the same object."""
        return self.path.resolve(arguments) is self.other.resolve(arguments)

    def describe(self, arguments: Arguments) -> str:
        """What has changed, in words."""
        return f"{self.path} is no longer the same object as {self.other}"


class PresenceGuard:
    """Whether there was something in a place, whatever it was.

    Attributes:
      path: the place.
      is_there: whether there was something.
    """

    __slots__ = ("is_there", "path")

    def __init__(self, path: Path, is_there: bool) -> None:
        self.path = path
        self.is_there = is_there

    def holds(self, arguments: Arguments) -> bool:
        """Whether that is as it was."""
        return (self.path.resolve(arguments) is not MISSING) is self.is_there

    def describe(self, arguments: Arguments) -> str:
        """What has changed, in words."""
        return f"{self.path} is gone" if self.is_there else f"{self.path} exists now, and did not"


class ContentGuard:
    """A container: how many items there are, and what they are.

    Items are compared like other guarded values; tensors and arrays among them may change, if
    somebody else takes care of them.

    Attributes:
      path: the place of the container.
    """

    __slots__ = ("_content", "path")

    def __init__(self, path: Path, value: Any, searched: Container[int] = ()) -> None:
        """Notes what is in a container.

        Args:
          path: its place.
          value: the container.
          searched: ids of containers in which tensors and arrays may change.
        """
        self.path = path
        self._content = _content(value, 0, searched)

    def holds(self, arguments: Arguments) -> bool:
        """Whether the container has at this call the items that the trace found."""
        return self.matches(self.path.resolve(arguments))

    def matches(self, value: Any) -> bool:
        """Whether a value is a container of the items that the trace found."""
        return bool(self._content(value))

    def describe(self, arguments: Arguments) -> str:
        """What has changed, in words."""
        return f"the items of {self.path} have changed"


def _content(value: Any, depth: int, searched: Container[int]) -> Callable[[Any], Any]:
    """A function that tells whether another container has the same items."""
    kind = type(value)
    is_dict = kind in DICTS
    keys = tuple(value) if is_dict else ()
    count = len(value)
    same_items = _nothing_compared
    if depth < _DEEPEST and count <= MOST_ITEMS:
        items = list(value.values() if is_dict else value)
        if all(map(is_value, items)):
            same_items = partial(_same_values, items)
        else:
            may_change = id(value) in searched
            tests = [_item(item, depth + 1, searched, may_change) for item in items]
            same_items = partial(_all_pass, tests)

    def matches(other: Any) -> bool:
        if type(other) is not kind or len(other) != count:
            return False
        if is_dict:
            return tuple(other) == keys and same_items(other.values())
        return same_items(other)

    return matches


def _item(
    item: Any, depth: int, searched: Container[int], may_change: bool
) -> Callable[[Any], Any]:
    """A function that tells whether another item is the same."""
    kind = type(item)
    if is_value(item):
        return partial(same_value, item)
    if is_container(item):
        return _content(item, depth, searched)
    if may_change and kind in (EagerTensor, np.ndarray):
        return lambda other: type(other) is kind
    reference = reference_to(item)
    return lambda other: other is not None and other is reference()


def _same_values(values: list[Any], others: Iterable[Any]) -> bool:
    return all(map(operator.is_, values, others)) or all(map(same_value, values, others))


def _all_pass(tests: list[Callable[[Any], Any]], others: Iterable[Any]) -> bool:
    return all(test(other) for test, other in zip(tests, others, strict=True))


def _nothing_compared(others: Iterable[Any]) -> bool:
    return True


_SEQUENCES = frozenset({list, tuple, deque, set, frozenset})
DICTS = frozenset({dict, OrderedDict, defaultdict, Counter})

MOST_ITEMS = 1000
"""Of containers of more items, only the length is compared."""

_DEEPEST = 3
"""Containers within containers are compared so far down."""

SMALL = 64
"""Tensors of more elements are compared by identity."""

Guard = (
    ValueGuard
    | IdentityGuard
    | MethodGuard
    | TensorGuard
    | SameObjectGuard
    | PresenceGuard
    | ContentGuard
)


def guard_for(path: Path, value: Any, searched: Container[int] = ()) -> Guard | None:
    """The guard that is right for what a trace found at a place, if any is.

    Modules have none.

    Args:
      path: the place.
      value: what the trace found there.
      searched: ids of containers in which tensors and arrays may change.
    """
    if value is MISSING:
        return PresenceGuard(path, is_there=False)
    if is_value(value):
        return ValueGuard(path, value)
    if type(value) in (EagerTensor, np.ndarray):
        # A tensor that is the same object has the same elements; an array may be written to.
        is_array = type(value) is np.ndarray
        array = value if is_array else value._value
        if (is_array or array.size <= SMALL) and array.dtype.kind in "biufc":
            return TensorGuard(path, value)
    if is_container(value):
        return ContentGuard(path, value, searched)
    if isinstance(value, list | dict | set | types.ModuleType | tuple):
        return None
    if type(value) is types.MethodType or type(value) is types.BuiltinFunctionType:
        return None
    return IdentityGuard(path, value)


def _short(value: Any) -> str:
    name = getattr(value, "__qualname__", None)
    text = name if isinstance(name, str) else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
