"""Stores into attributes and items while tracing: done through a proxy that notes them.

`ag__.tracked(o).a.b = v` reads like the user's statement. While nothing is traced, `tracked(o)` is
`o`; otherwise it is a `Tracked`, through which the store goes to the same object, after its place
has been noted in the innermost scope (see `autograph_lite.staging.scopes`).
"""

from __future__ import annotations

import operator
import types
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph_lite.staging import array_changes, array_stores, dicts, loans
from autograph_lite.staging.contents import Slot
from autograph_lite.staging.either import EitherValue, fork_effect
from autograph_lite.staging.holders import Own
from autograph_lite.staging.items import delete, load, store
from autograph_lite.staging.picked_arrays import check_picked
from autograph_lite.staging.scopes import belongs, depth, fill, note, tracking
from runtime.locations import user_location
from runtime.tensor import SymbolicTensor, Tensor


def tracked(owner: Any, variable: Callable[[], Any] | None = None) -> Any:
    """`owner`, or a proxy of it while its changes are to be noted.

    Args:
      owner: the object that a store starts from.
      variable: a function that reads the global or enclosing variable that holds it, if one does.
    """
    if not tracking():
        return owner
    if variable is None:
        return Tracked(owner)
    return Tracked(owner, partial(_rebind, variable), _variable(variable))


def _variable(reader: Any) -> Own:
    """The variable that a function reads."""
    code = reader.__code__
    if reader.__closure__:
        (cell,) = reader.__closure__
        return Own(code.co_freevars[0], Slot(cell, "attribute", "cell_contents"))
    return Own(None, Slot(reader.__globals__, "item", code.co_names[0]))


def _rebind(variable: Callable[[], Any], new: Any) -> None:
    """Gives the variable that a function reads another value."""
    if variable.__closure__:  # type: ignore[attr-defined]
        (cell,) = variable.__closure__  # type: ignore[attr-defined]
        note(cell, "attribute", "cell_contents")
        cell.cell_contents = new
    else:
        names = variable.__globals__  # type: ignore[attr-defined]
        (name,) = variable.__code__.co_names  # type: ignore[attr-defined]
        note(names, "item", name)
        names[name] = new


def untracked(value: Any) -> Any:
    """What a proxy stands for; other values as they are."""
    return object.__getattribute__(value, "_owner") if type(value) is Tracked else value


_NOBODY = Own()


class Tracked:
    """A proxy of an object: what is reached through it is proxied too, stores are noted."""

    __slots__ = ("_own", "_owner", "_put_back")
    _owner: Any
    _put_back: Callable[[Any], None] | None
    _own: Own

    def __init__(
        self, owner: Any, put_back: Callable[[Any], None] | None = None, own: Own = _NOBODY
    ) -> None:
        object.__setattr__(self, "_owner", owner)
        object.__setattr__(self, "_put_back", put_back)
        object.__setattr__(self, "_own", own)

    def __getattribute__(self, name: str) -> Any:
        owner = object.__getattribute__(self, "_owner")
        if name == "__dict__":
            belongs(owner.__dict__, owner)
        if name == "flat" and isinstance(owner, np.ndarray | SymbolicTensor):
            return _Flat(owner)
        slot = Slot(owner, "attribute", name)
        return Tracked(getattr(owner, name), lambda new: setattr(self, name, new), Own(None, slot))

    def __setattr__(self, name: str, value: Any) -> None:
        owner = untracked(self)
        if isinstance(owner, EitherValue):
            fork_effect(owner, lambda alternative: setattr(Tracked(alternative), name, value))
            return
        setter = _users_setter(owner, name)
        if setter is not None:
            setter(untracked(value))
            return
        loans.change(owner, "attribute", name)
        setattr(owner, name, untracked(value))

    def __delattr__(self, name: str) -> None:
        owner = untracked(self)
        loans.change(owner, "attribute", name)
        delattr(owner, name)

    def __getitem__(self, key: Any) -> Any:
        key = untracked(key)

        def put_back(new: Any) -> None:
            self[key] = new

        owner = untracked(self)
        item = load(owner, key)
        check_picked(owner, key, item)
        return Tracked(item, put_back, Own(None, Slot(owner, "item", key)))

    def __setitem__(self, key: Any, value: Any) -> None:
        owner = untracked(self)
        new = store(owner, untracked(key), untracked(value), object.__getattribute__(self, "_own"))
        if new is not owner:
            _put_back(self, new)

    def __delitem__(self, key: Any) -> None:
        delete(untracked(self), untracked(key))


class _Flat:
    """`array.flat`, to whose items is stored."""

    def __init__(self, array: Any) -> None:
        self.array = array

    def __setitem__(self, key: Any, value: Any) -> None:
        if isinstance(key, int | Tensor | slice):
            array_changes.put_flat(self.array, key, value)
        else:
            self.array.flat[key] = value


def _users_setter(owner: Any, name: str) -> Callable[[Any], Any] | None:
    """What the user has defined to store this attribute: a property's setter, or __setattr__."""
    from autograph_lite.operators.calls import converted

    kind = type(owner)
    method = kind.__setattr__
    if isinstance(method, types.FunctionType):
        if converted(method) is not method:
            return lambda value: converted(method)(owner, name, value)
        return None
    for cls in kind.__mro__:
        found = vars(cls).get(name)
        if isinstance(found, property) and found.fset is not None:
            return partial(converted(found.fset), owner)
        if found is not None:
            return None
    return None


def _put_back(proxy: Tracked, new: Any) -> None:
    """Stores a functional update of a proxy's object where the object was found."""
    put_back = object.__getattribute__(proxy, "_put_back")
    if put_back is None:
        raise TypeError(
            f"{user_location()}: item assignment to {new!r}: a tensor does not change; assign to "
            "a local variable, or keep it in an ag.Variable"
        )
    owner = untracked(proxy)
    if isinstance(owner, np.ndarray):
        fill(owner)
    put_back(new)


def _in_place(name: str) -> Callable[[Any, Any], Any]:
    """An augmented assignment: the proxy's object takes part itself."""
    function: Callable[[Any, Any], Any] = getattr(operator, f"i{name}")
    making: Callable[[Any, Any], Any] = getattr(operator, name, None) or getattr(
        operator, f"{name}_"
    )

    def method(self: Any, other: Any) -> Any:
        owner = untracked(self)
        other = dicts.merging(owner, untracked(other))
        if isinstance(owner, np.ndarray) and depth() > 1:
            new = making(array_stores.tensor_of(owner), other)
            return array_stores.replace(owner, new, object.__getattribute__(self, "_own"))
        if isinstance(owner, SymbolicTensor):
            own = object.__getattribute__(self, "_own")
            return array_stores.in_place(owner, making, other, own)
        return function(owner, other)

    return method


for _name in "add sub mul matmul truediv floordiv mod pow lshift rshift and xor or".split():
    setattr(Tracked, f"__i{_name}__", _in_place(_name))

__all__ = ["tracked", "untracked"]
