"""Keys of dicts that are one of several known ones: which, the running graph decides.

A dict may come to have each of them on the paths on which it is that one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph_lite.staging.conditionals import cond
from autograph_lite.staging.possible_values import possible_values
from autograph_lite.staging.presence import perhaps
from autograph_lite.staging.specs import MaybeUnbound
from runtime.ops.comparison import equal, logical_and
from runtime.tensor import Tensor


def new_keys(table: dict[Any, Any], key: Tensor) -> list[Any] | None:
    """What a key may be, if a dict may not have all of that; None if only the graph knows."""
    keys = possible_values(key)
    if keys is None:
        return None
    has_all = all(k in table and not is_doubtful(table, k) for k in keys)
    return [] if has_all else keys


def candidates(table: dict[Any, Any], key: Tensor) -> list[Any]:
    """The keys of a dict that a key may be when the graph runs."""
    values = possible_values(key)
    found = [k for k in table if _is_comparable(k, key)]
    return [k for k in found if values is None or isinstance(k, Tensor) or k in values]


def held_under(table: dict[Any, Any], key: Tensor) -> list[tuple[Any, Tensor]]:
    """The keys of a dict that a key may be, and for each whether it is that and is there."""
    found = []
    for k in candidates(table, key):
        item = perhaps((id(table), "item", k), table[k])
        is_it: Any = key == k
        if isinstance(item, MaybeUnbound):
            is_it = logical_and(is_it, item.bound)
        found.append((k, is_it))
    return found


def unguarded_item(table: dict[Any, Any], key: Any) -> Any:
    """What is under a key, if it is there."""
    item = perhaps((id(table), "item", key), table[key])
    return item.value if isinstance(item, MaybeUnbound) else table[key]


def _is_comparable(key: Any, tensor: Tensor) -> bool:
    text = isinstance(key, str | bytes)
    return text == (tensor.dtype.kind == "S") and (
        text or isinstance(key, int | float | bool | np.generic | Tensor)
    )


def is_doubtful(table: dict[Any, Any], key: Any) -> bool:
    """Whether a dict has an item on some paths only."""
    return isinstance(perhaps((id(table), "item", key), dict.get(table, key)), MaybeUnbound)


def at_one(keys: list[Any], key: Tensor, act: Callable[[Any], Any]) -> None:
    """Does something for that one of some keys which a key is when the graph runs."""
    first, *others = keys
    if not others:
        act(first)
        return

    cond(equal(key, first), partial(act, first), partial(at_one, others, key, act))


__all__ = ["at_one", "candidates", "held_under", "is_doubtful", "new_keys", "unguarded_item"]
