"""Asking a dict for its keys, where only the running graph knows which it has.

A key that staged code stores on some paths only has a value that may be unbound; a loop's body is
traced first as if it were not there.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.operators.conditionals import no_state, set_no_state
from autograph_lite.operators.undefined import count_read
from autograph_lite.staging import loans
from autograph_lite.staging.chosen_keys import at_one, held_under, new_keys
from autograph_lite.staging.conditionals import cond, if_exp
from autograph_lite.staging.items import augitem, check_any, delete, load, store
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.presence import items_of, perhaps, remember
from autograph_lite.staging.scopes import Place, born, innermost, tracking
from autograph_lite.staging.specs import MaybeUnbound
from runtime.dtypes import int32
from runtime.locations import user_location
from runtime.ops.casting import cast
from runtime.ops.comparison import logical_or
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
    if isinstance(key, SymbolicTensor):
        new = new_keys(table, key)
        if new:
            make = _for_each_path(default)
            at_one(new, key, lambda k: setdefault(table, k, make()))
        elif new is None:
            store(table, key, get(table, key, default))
        return load(table, key)
    value = _perhaps(table, key)
    if value is _NOTHING or isinstance(value, MaybeUnbound):
        value = get(table, key, default)
        store(table, key, value)
    return value


def pop(table: dict[Any, Any], key: SymbolicTensor, *default: Any) -> Any:
    """`table.pop(key, *default)` of a key that only the running graph knows."""
    found = held_under(table, key)
    if not default:
        if not found:
            raise KeyError(key)
        check_any([one.is_it for one in found], KeyError(key))
        value = load(table, key)
    else:
        value = get(table, key, *default)
    for one in found:
        cond(one.is_it, partial(delete, table, one.key))
    return value


def counter(*values: Any, **counts: Any) -> Counter[Any]:
    """`Counter(*values, **counts)`"""
    made: Counter[Any] = Counter(**counts)
    born(made)
    count(made, *values)
    return made


def count(table: Counter[Any], *values: Any) -> None:
    """`table.update(*values)`, of items or counts of which the running graph may know more."""
    from autograph_lite.staging.iterables import is_counted
    from autograph_lite.staging.iteration import for_loop  # which goes over dicts itself
    from autograph_lite.staging.text import holds_staged

    def body(item: Any) -> None:
        augitem(table, item, "+=", 1)

    for given in values:
        if is_counted(given):
            for_loop(given, body, no_state, set_no_state, ())
            continue
        items = given if isinstance(given, Mapping) else list(given or ())
        if not holds_staged(items):
            for key in dict.fromkeys(items):
                loans.change(table, "item", key)
            table.update(items)
        elif isinstance(items, Mapping):
            for key, number in items.items():
                augitem(table, key, "+=", number)
        else:
            for item in items:
                body(item)


def _for_each_path(default: Any) -> Callable[[], Any]:
    """What gives a default to each of several paths, one of which is taken.

    A list or dict that nobody else holds may be another one on each, which can change then.
    """
    from autograph_lite.staging.births import adopt
    from autograph_lite.staging.object_holders import VariableHolders

    if not isinstance(default, list | dict) or VariableHolders().any_is_read(default, []):
        return lambda: default
    return lambda: adopt(dict(default) if isinstance(default, dict) else list(default))


def _perhaps(table: dict[Any, Any], key: Any) -> Any:
    value = dict.get(table, key, _NOTHING)
    if value is _NOTHING:
        # Should a later pass of a loop store it, this pass has to be traced again.
        count_read()
    return perhaps((id(table), "item", key), value)


def merging(owner: Any, other: Any) -> Any:
    """Notes that `owner |= other`, or `+=`, is about to be done; gives `other`, to be gone over."""
    if not tracking():
        return other
    if isinstance(owner, set | list | deque):
        loans.change(owner, "content", None)
    elif isinstance(owner, dict) and not isinstance(owner, Counter):
        if not getattr(type(other), "__ag_staged__", False):
            other = other if isinstance(other, Mapping) else dict(other)
            for key in other:
                loans.change(owner, "item", key)
    return other


# ---- copies


def copied(made: dict[Any, Any], table: dict[Any, Any]) -> None:
    """Notes of a copy of a dict which items are there on some paths only."""
    for key, value in _unmarked(table):
        if dict.get(made, key) is value:
            known = perhaps((id(table), "item", key), value)
            remember(Place(made, "item", key), value, known)


def copy(table: dict[Any, Any]) -> dict[Any, Any]:
    """`table.copy()`"""
    made = table.copy()
    born(made)
    copied(made, table)
    return made


def refuse_unmarked(table: Any) -> None:
    """Refuses a dict that another one is updated with, if it cannot tell which items are there.

    Raises:
      StagingError: it has keys that are there on some paths only.
    """
    keys = [key for key, _ in _unmarked(table)] if isinstance(table, dict) else []
    if keys:
        raise refusal(keys)


def _unmarked(table: dict[Any, Any]) -> list[tuple[Any, Any]]:
    """Items that are there on some paths only, and are like those that are on all of them."""
    found = []
    for key, value in dict.items(table):
        known = perhaps((id(table), "item", key), value)
        if isinstance(known, MaybeUnbound) and known.value is value:
            found.append((key, value))
    return found


# ---- all keys


def items(table: dict[Any, Any]) -> list[tuple[Any, Any, Any]]:
    """A dict's keys and values, and of each whether it is there: True, or a bool tensor."""
    found: list[tuple[Any, Any, Any]] = []
    for key, known in zip(table, items_of(table, table), strict=True):
        is_doubtful = isinstance(known, MaybeUnbound)
        found.append((key, known.value, known.bound) if is_doubtful else (key, known, True))
    return found


def doubtful(table: dict[Any, Any]) -> list[Any]:
    """The keys that are there on some paths only."""
    _asks_for_keys(table)
    return [key for key, _, bound in items(table) if bound is not True]


def _asks_for_keys(table: dict[Any, Any]) -> None:
    """Should a later pass of a loop store a further key, this pass has to be traced again."""
    scope = innermost()
    if scope is not None and id(table) not in scope.born:
        count_read()


def len_(table: dict[Any, Any]) -> Any:
    """`len(table)`"""
    if not doubtful(table):
        return len(table)
    total: Any = 0
    for _, _, bound in items(table):
        total = total + (1 if bound is True else cast(bound, int32))
    if isinstance(total, SymbolicTensor):
        total.weak = True
    return total


def asked(value: Any) -> Any:
    """What is asked for its truth: of a dict with keys of some paths, whether it has any."""
    if not isinstance(value, dict) or not doubtful(value):
        return value
    flags = [bound for _, _, bound in items(value)]
    if any(bound is True for bound in flags):
        return True
    found = flags[0]
    for bound in flags[1:]:
        found = logical_or(found, bound)
    return found


class DoubtfulItems:
    """The keys, values or items of a dict with keys that are there on some paths only.

    Attributes:
      found: what there is, and of each whether it is there: True, or a bool tensor.
    """

    __ag_staged__ = True

    def __init__(self, table: dict[Any, Any], name: str = "keys") -> None:
        self.doubtful = doubtful(table)
        if name == "keys":
            self.found = [(key, bound) for key, _, bound in items(table)]
        elif name == "values":
            self.found = [(value, bound) for _, value, bound in items(table)]
        else:
            self.found = [((key, value), bound) for key, value, bound in items(table)]

    def __iter__(self) -> Any:
        raise refusal(self.doubtful)

    def __len__(self) -> int:
        raise refusal(self.doubtful)

    def __eq__(self, other: object) -> bool:
        raise refusal(self.doubtful)

    __hash__ = object.__hash__

    def listed(self) -> StagedList:
        """A list of those that are there."""
        made = StagedList([])
        for value, bound in self.found:
            if bound is True:
                made.append(value)
            else:
                cond(bound, partial(made.append, value))
        return made


def opened(value: Any) -> Any:
    """What is gone over: of a dict with keys of some paths, those that are there."""
    return DoubtfulItems(value) if isinstance(value, dict) and doubtful(value) else value


def refuse(table: Any) -> None:
    """Refuses a dict that has to be known as a whole.

    Raises:
      StagingError: it has keys that are there on some paths only.
    """
    if isinstance(table, dict):
        keys = doubtful(table)
        if keys:
            raise refusal(keys)


def refusal(keys: list[Any]) -> StagingError:
    """The error for asking a dict what it holds, which only the running graph knows."""
    shown = ", ".join(map(repr, keys))
    some = f"the key {shown}" if len(keys) == 1 else f"the keys {shown}"
    return StagingError(
        f"{user_location()}: a dict has {some} on some paths only, and what is done with it "
        "cannot be staged so; give the dict its keys before the branch"
    )


__all__ = [
    "DoubtfulItems",
    "asked",
    "copied",
    "copy",
    "doubtful",
    "get",
    "has",
    "items",
    "len_",
    "merging",
    "opened",
    "refusal",
    "refuse",
    "refuse_unmarked",
    "setdefault",
]
