"""Keys of dicts that are one of several known ones: which, the running graph decides.

A dict may come to have each of them on the paths on which it is that one.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from autograph_lite.staging.conditionals import cond
from autograph_lite.staging.possible_values import possible_values
from autograph_lite.staging.presence import items_of
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


class Found(NamedTuple):
    """An item of a dict that may be the one under a key.

    Attributes:
      key: its own key.
      value: what it is, if it is there.
      is_it: a bool tensor: whether its key is that key, and it is there.
      is_sure: whether it is there on all paths.
    """

    key: Any
    value: Any
    is_it: Any
    is_sure: bool


def held_under(table: dict[Any, Any], key: Tensor) -> list[Found]:
    """The items of a dict that may be the one under a key."""
    keys = candidates(table, key)
    found = []
    for k, item in zip(keys, items_of(table, keys), strict=True):
        if isinstance(item, MaybeUnbound):
            found.append(Found(k, item.value, logical_and(key == k, item.bound), False))
        else:
            found.append(Found(k, item, key == k, True))
    return found


def _is_comparable(key: Any, tensor: Tensor) -> bool:
    text = isinstance(key, str | bytes)
    return text == (tensor.dtype.kind == "S") and (
        text or isinstance(key, int | float | bool | np.generic | Tensor)
    )


def is_doubtful(table: dict[Any, Any], key: Any) -> bool:
    """Whether a dict has an item on some paths only."""
    return isinstance(items_of(table, [key])[0], MaybeUnbound)


def at_one(keys: list[Any], key: Tensor, act: Callable[[Any], Any]) -> None:
    """Does something for that one of some keys which a key is when the graph runs."""
    first, *others = keys
    if not others:
        act(first)
        return

    cond(equal(key, first), partial(act, first), partial(at_one, others, key, act))


__all__ = ["at_one", "candidates", "held_under", "is_doubtful", "new_keys"]
