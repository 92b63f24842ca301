"""Methods of users' classes that Python's own syntax calls: properties, `+`, `==`, `[...]`.

Converted code keeps that syntax, so Python would call these methods as they are. While a graph is
traced, the classes that it meets have stand-ins in their places, which call the converted method in
the thread that traces, and the method itself in others. What Python wants a plain number of, `len`
and `bool`, is asked by the operators of converted code.
"""

from __future__ import annotations

import enum
import threading
import types
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from autograph_lite.operators.calls import converted, is_users_own
from autograph_lite.operators.dispatch import is_staged, staging_active
from autograph_lite.operators.logic import not_
from autograph_lite.staging.fields import comparing_fields
from runtime.ops.comparison import not_equal

_BINARY = "add sub mul matmul truediv floordiv mod divmod pow lshift rshift and xor or".split()
_NAMES = frozenset(
    [f"__{prefix}{name}__" for name in _BINARY for prefix in ("", "r", "i")]
    + [f"__{name}__" for name in "neg pos abs invert eq ne lt le gt ge getitem".split()]
)

Stand = tuple[type, str, Any, Any]
_MISSING = object()


class _Met:
    """The classes that the trace has met.

    Attributes:
      lock: held where these are looked at: a thread that waits for one that traces may trace, too.
      depth: how many traces go on.
      classes: the classes.
      replaced: what stood where stand-ins are now, and these.
    """

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.depth = 0
        self.classes: set[type] = set()
        self.replaced: list[Stand] = []


_met = _Met()


@contextmanager
def reaching() -> Iterator[None]:
    """Within the block, `meet` puts stand-ins into classes; behind it, they are gone."""
    with _met.lock:
        _met.depth += 1
    try:
        yield
    finally:
        with _met.lock:
            _met.depth -= 1
            if not _met.depth:
                _leave()


def _leave() -> None:
    replaced, _met.replaced = _met.replaced, []
    _met.classes.clear()
    for cls, name, original, stand_in in reversed(replaced):
        if vars(cls).get(name) is not stand_in:
            continue  # the user's own code has put something else there, or nothing
        if original is _MISSING:
            type.__delattr__(cls, name)
        else:
            type.__setattr__(cls, name, original)


def meet(kind: type) -> None:
    """Has the methods of a class converted when Python's syntax calls them."""
    if kind in _met.classes or not _met.depth:
        return
    with _met.lock:
        for cls in kind.__mro__:
            if cls not in _met.classes:
                _met.classes.add(cls)
                if _is_users(cls):
                    _stand_in(cls)


def _is_users(cls: type) -> bool:
    return bool(cls.__flags__ & 1 << 9) and not issubclass(cls, enum.Enum | BaseException)


def _stand_in(cls: type) -> None:
    for name, found in list(vars(cls).items()):
        new: Any = None
        if name in _NAMES:
            new = comparing_fields(cls, name, found)
            if new is None and _can_be_converted(found):
                new = _standing_for(found)
        elif type(found) is property and _can_be_converted(found.fget):
            new = property(_standing_for(found.fget), found.fset, found.fdel, found.__doc__)
        if new is not None:
            _put(cls, name, new)
    if hasattr(vars(cls).get("__eq__"), "__ag_original__"):
        # Python's own `!=` would ask for the truth of what `__eq__` says.
        if getattr(cls, "__ne__", None) is object.__ne__:
            _put(cls, "__ne__", _unlike)


def _put(cls: type, name: str, new: Any) -> None:
    _met.replaced.append((cls, name, vars(cls).get(name, _MISSING), new))
    type.__setattr__(cls, name, new)


def _unlike(self: Any, other: Any) -> Any:
    """`!=` of a class that has an `__eq__` only."""
    if not staging_active():
        return object.__ne__(self, other)
    same = getattr(type(self), "__eq__")(self, other)  # noqa: B009 (object's takes less)
    return same if same is NotImplemented else not_(same)


def _can_be_converted(found: Any) -> bool:
    return is_users_own(found) and not found.__code__.co_filename.startswith("<string>")


def _standing_for(method: Any) -> types.FunctionType:
    @wraps(method)
    def stand_in(*args: Any, **keywords: Any) -> Any:
        if not staging_active():
            return method(*args, **keywords)
        return converted(method)(*args, **keywords)

    stand_in.__ag_original__ = method  # type: ignore[attr-defined]
    return stand_in  # type: ignore[return-value]


# ---- what Python wants a plain value of


def own(value: Any, name: str) -> Callable[..., Any] | None:
    """A method of the user's, converted; None if the class has none of that name."""
    method = getattr(type(value), name, None)
    if not isinstance(method, types.FunctionType) or not is_users_own(method):
        return None
    found: Callable[..., Any] = converted(types.MethodType(method, value))
    return found


def truth(value: Any) -> Any:
    """What `__bool__`, or `__len__`, says of an object's truth; the object, if it has neither."""
    ask = own(value, "__bool__")
    if ask is not None:
        return _checked(ask(), bool, "__bool__ should return bool, returned {}")
    if hasattr(type(value), "__bool__"):
        return value
    ask = own(value, "__len__")
    if ask is None:
        return value
    found = ask()
    return not_equal(found, 0) if is_staged(found) else found


def as_truth(found: Any) -> Any:
    """What `in` makes of what `__contains__` says."""
    if not is_staged(found):
        return bool(found)
    from autograph_lite.staging.logic import truth

    return truth(found)


def length(value: Any) -> Any:
    """`len(value)` of an object with a `__len__` of the user's; None if it has none."""
    ask = own(value, "__len__")
    return None if ask is None else ask()


def _checked(found: Any, kind: type, message: str) -> Any:
    if not isinstance(found, kind) and not is_staged(found):
        raise TypeError(message.format(type(found).__name__))
    return found


__all__ = ["as_truth", "length", "meet", "own", "reaching", "truth"]
