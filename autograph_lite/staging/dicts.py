"""Asking a dict whether it has a key, where only the running graph knows.

A key that staged code stores on some paths only has a value that may be unbound; a loop's body is
traced first as if it were not there.
"""

from __future__ import annotations

from typing import Any

from autograph_lite.operators.undefined import count_read
from autograph_lite.staging.conditionals import if_exp
from autograph_lite.staging.items import load, store
from autograph_lite.staging.specs import MaybeUnbound, unguarded
from runtime.tensor import SymbolicTensor

_NOTHING = object()


def has(table: dict[Any, Any], key: Any) -> Any:
    """`key in table`"""
    value = _perhaps(table, key)
    return value.bound if isinstance(value, MaybeUnbound) else value is not _NOTHING


def get(table: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """`table.get(key, default)`"""
    if isinstance(key, SymbolicTensor):
        from autograph_lite.staging.logic import in_

        return if_exp(in_(key, table), lambda: load(table, key), lambda: default)
    value = _perhaps(table, key)
    if isinstance(value, MaybeUnbound):
        return if_exp(value.bound, lambda: value.value, lambda: default)
    return default if value is _NOTHING else value


def setdefault(table: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """`table.setdefault(key, default)`"""
    value = _perhaps(table, key)
    if value is _NOTHING or isinstance(value, MaybeUnbound):
        value = get(table, key, default)
        store(table, key, value)
    return value


def _perhaps(table: dict[Any, Any], key: Any) -> Any:
    value = dict.get(table, key, _NOTHING)
    if value is _NOTHING:
        # Should a later pass of a loop store it, this pass has to be traced again.
        count_read()
    return unguarded(value)


__all__ = ["get", "has", "setdefault"]
