"""Containers and objects inside of others, which stay the same ones while the others change.

`rows[1] = []` in a branch leaves a list of which the first item is the very list that it was, even
if the other branch changes what is in that. So what is handed on of `rows` is made anew only where
the branches leave different things in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograph_lite.staging.either import can_change
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.scopes import is_ours
from autograph_lite.staging.specs import (
    MaybeUnbound,
    MaybeUnboundSpec,
    SameSpec,
    Spec,
    StructureSpec,
    items_of,
    spec_of,
)
from autograph_lite.staging.views import is_known_here
from runtime import nest
from runtime.handles import ArrayHandle

_CONTAINERS = (list, tuple, dict, StagedList)


def kept_spec(value: Any, left: Any, path: str = "") -> Spec:
    """The spec of what a branch or loop leaves, in which the trace's own objects are themselves.

    Args:
      value: what it leaves.
      left: the same, with copies of what the branch has changed in it.
      path: what the user calls it.
    """
    if isinstance(value, MaybeUnbound) and isinstance(left, MaybeUnbound):
        return MaybeUnboundSpec(kept_spec(value.value, left.value, path), left.undefined)
    spec = spec_of(left, path)
    if type(value) not in _CONTAINERS or not isinstance(spec, StructureSpec):
        return spec
    parts, found = nest.parts(value), nest.parts(left)
    if parts is None or found is None or len(parts[1]) != len(found[1]):
        return spec
    values, copies = parts[1], found[1]
    if isinstance(value, dict):
        values, copies = items_of(value, parts), items_of(left, found)
    children = _children(values, copies, spec.children, path)
    if all(new is old for new, old in zip(children, spec.children, strict=True)):
        return spec
    return StructureSpec(spec.kind, children, spec.rebuild)


def _stays(value: Any) -> bool:
    """Whether a value is an array that others hold too, and that is known here."""
    return type(value) is ArrayHandle and is_known_here(value)


def _children(
    values: Sequence[Any], left: Sequence[Any], known: Sequence[Spec], path: str
) -> tuple[Spec, ...]:
    children: list[Spec] = []
    for number, (value, copy, spec) in enumerate(zip(values, left, known, strict=True)):
        if _stays(value) or (can_change(value) and is_ours(value)):
            children.append(SameSpec(value, spec))
        elif isinstance(value, MaybeUnbound) and isinstance(spec, MaybeUnboundSpec):
            inside = copy.value if isinstance(copy, MaybeUnbound) else copy
            (inner,) = _children([value.value], [inside], [spec.inner], path)
            children.append(MaybeUnboundSpec(inner, value.undefined))
        else:
            new = kept_spec(value, copy, f"{path}[{number}]")
            children.append(spec if new == spec else new)
    return tuple(children)


__all__ = ["kept_spec"]
