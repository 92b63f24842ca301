"""Callables that are not Python code, and change what they are given without staging knowing of it.

`operator.setitem(rows, 0, x)`, or a function of an extension, changes a list while tracing, once,
whichever path the graph takes. So the containers among the arguments are compared before and after.
"""

from __future__ import annotations

import types
from collections import deque
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.staging import leaks
from autograph_lite.staging.scopes import depth, innermost

_CONTAINERS = (list, dict, set, deque, bytearray)
_PYTHON_CODE = (types.FunctionType, types.MethodType)
_NOTHING = object()


def watching(f: Any) -> Any:
    """`f`, whose changes of containers are refused in branches and loops if nobody has noted them.

    Args:
      f: what the user's code calls; Python code is given back as it is.
    """
    if isinstance(f, _PYTHON_CODE):
        return f
    owner = getattr(f, "__self__", None)

    def call(*args: Any, **keywords: Any) -> Any:
        given = (owner, *args, *keywords.values()) if depth() > 1 else ()
        before = [(value, _state(value)) for value in given if isinstance(value, _CONTAINERS)]
        made = f(*args, **keywords)
        for value, state in before:
            if _is_changed(value, state):
                raise StagingError(leaks.refusal(value))
        return made

    return call


def _state(value: Any) -> Any:
    if isinstance(value, list):
        return list.copy(value)  # of a list of the graph, too
    return bytes(value) if isinstance(value, bytearray) else value.copy()


def _is_changed(value: Any, before: Any) -> bool:
    """Whether a container is not what it was, and nothing will put it back."""
    scope = innermost()
    if scope is None or id(value) in scope.born or (id(value), "content", None) in scope.changes:
        return False
    after = _state(value)
    if isinstance(value, dict):
        keys = [key for key in {**before, **after} if _differs(before, after, key)]
        return any((id(value), "item", key) not in scope.changes for key in keys)
    if isinstance(value, list | deque):
        return list(map(id, before)) != list(map(id, after))
    return bool(before != after)


def _differs(before: Any, after: Any, key: Any) -> bool:
    return dict.get(before, key, _NOTHING) is not dict.get(after, key, _NOTHING)


__all__ = ["watching"]
