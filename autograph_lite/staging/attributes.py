"""Reading attributes that may be there on some paths only."""

from __future__ import annotations

from types import MemberDescriptorType
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.operators.items import shape
from autograph_lite.operators.undefined import count_read
from autograph_lite.staging.conditionals import if_exp
from autograph_lite.staging.either import EitherValue, fork
from autograph_lite.staging.presence import perhaps
from autograph_lite.staging.raising import assert_bound
from autograph_lite.staging.scopes import Place
from autograph_lite.staging.specs import MaybeUnbound, unguarded
from runtime.locations import user_location

_NOTHING = object()


def attribute(owner: Any, name: str) -> Any:
    """`owner.name`; where it is not there, Python's error is raised here, read later or not."""
    if isinstance(owner, EitherValue):
        return fork(attribute, (owner, name), {})
    ask_for(owner, name)
    try:
        value = getattr(owner, name)
    except AttributeError:
        # Should a later pass of a loop store it, this pass has to be traced again.
        count_read()
        raise
    found = unguarded(value)
    return value if found is value else found.value


def ask_for(owner: Any, name: str) -> None:
    """Raises Python's error here where an attribute is not there; runs no code of the user's."""
    if isinstance(owner, EitherValue):
        fork(ask_for, (owner, name), {})
        return
    found = perhaps((id(owner), "attribute", name), _stored(owner, name))
    if isinstance(found, MaybeUnbound):
        assert_bound(found.bound, Place(owner, "attribute", name).error())


def _stored(owner: Any, name: str) -> Any:
    """What an object itself has under a name, in its `__dict__` or a slot."""
    held = getattr(owner, "__dict__", None)
    if isinstance(held, dict) and name in held:
        return held[name]
    slot = getattr(type(owner), name, None)
    return getattr(owner, name, _NOTHING) if isinstance(slot, MemberDescriptorType) else _NOTHING


def getattr_(owner: Any, name: str, *default: Any) -> Any:
    """`getattr(owner, name, default)`"""
    _known_name(name)
    if name == "shape" and hasattr(owner, name):
        return shape(owner)
    if not default or isinstance(owner, EitherValue):
        return getattr(owner, name, *default)
    found = _perhaps(owner, name)
    if isinstance(found, MaybeUnbound):
        return if_exp(found.bound, lambda: found.value, lambda: default[0])
    return default[0] if found is _NOTHING else found


def hasattr_(owner: Any, name: str) -> Any:
    """`hasattr(owner, name)`"""
    _known_name(name)
    if isinstance(owner, EitherValue):
        return fork(hasattr_, (owner, name), {})
    found = _perhaps(owner, name)
    return found.bound if isinstance(found, MaybeUnbound) else found is not _NOTHING


def _known_name(name: Any) -> None:
    if not isinstance(name, str):
        raise StagingError(
            f"{user_location()}: the attribute of a name that is made of tensors cannot be staged; "
            "choose among the attributes with `if`, or make a tensor of them and use an index"
        )


def _perhaps(owner: Any, name: str) -> Any:
    found = getattr(owner, name, _NOTHING)
    if found is _NOTHING:
        # Should a later pass of a loop store it, this pass has to be traced again.
        count_read()
    return perhaps((id(owner), "attribute", name), found)
