"""Members of enumerations, functions and classes that branches and loops hand on as themselves.

Each is one thing, never taken apart. A variable that may hold any of several of them holds an
`EitherValue` of them; what a graph hands on of it are bool tensors that tell which one it is.
"""

from __future__ import annotations

import enum
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from autograph_lite.staging import specs
from autograph_lite.staging.either import FLAG, EitherValue, alternatives
from autograph_lite.staging.specs import Leaves, NextLeaf, Spec, StaticSpec
from runtime.convert import convert_to_tensor
from runtime.ops.comparison import logical_and, logical_not, logical_or


@dataclass(frozen=True, slots=True, eq=False)
class ChoiceSpec(Spec):
    """One of several members; a bool tensor for each but the last tells whether it is that one."""

    members: tuple[Any, ...]

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, ChoiceSpec)
            and len(self.members) == len(other.members)
            and all(map(_is_same, self.members, other.members))
        )

    def __hash__(self) -> int:
        return len(self.members)

    def _leaves(self, value: Any, path: str) -> Leaves:
        return [convert_to_tensor(_is_member(value, member)) for member in self.members[:-1]]

    def build(self, leaves: NextLeaf) -> Any:
        flags = [next(leaves) for _ in self.members[:-1]]
        made = self.members[-1]
        for flag, member in zip(reversed(flags), reversed(self.members[:-1]), strict=True):
            known = specs.known_flag(flag)
            if known is None:
                made = EitherValue(flag, member, made)
            elif known:
                made = member
        return made

    def tensors(self) -> Iterator[specs.TensorSpec]:
        for _ in self.members[:-1]:
            yield FLAG


def _is_member(value: Any, member: Any) -> Any:
    """Whether a value is a member: a bool, or a tensor of one."""
    if not isinstance(value, EitherValue):
        return _is_same(value, member)
    first, second = _is_member(value.first, member), _is_member(value.second, member)
    if isinstance(first, bool) and isinstance(second, bool):
        if first is second:
            return first
        return value.is_first if first else logical_not(value.is_first)
    return logical_or(
        logical_and(value.is_first, first), logical_and(logical_not(value.is_first), second)
    )


def each_once(value: EitherValue) -> Any:
    """The same, with each object in it once only: picks of picks would grow and grow."""
    members: list[Any] = []
    count = 0
    for member in alternatives(value):
        count += 1
        if not any(_is_same(member, other) for other in members):
            members.append(member)
    if len(members) == count:
        return value
    made = members[-1]
    for member in reversed(members[:-1]):
        found = _is_member(value, member)
        if isinstance(found, bool):
            made = member if found else made
        else:
            made = EitherValue(found, member, made, fixed=value.fixed)
    return made


def _is_same(a: Any, b: Any) -> bool:
    """Whether two members are one; methods are made anew whenever they are asked for."""
    return a is b or (type(a) is type(b) is types.MethodType and a == b)


_THINGS = (
    enum.Enum,
    types.FunctionType,
    types.MethodType,
    types.BuiltinFunctionType,
    type,
    types.NoneType,
)


def _members(value: Any) -> list[Any] | None:
    """The members that a value may be; None if it may be something else."""
    if isinstance(value, _THINGS):
        return [value]
    if isinstance(value, EitherValue):
        first, second = _members(value.first), _members(value.second)
        if first is not None and second is not None:
            return _merged(first, second)
    return None


def _merged(first: list[Any], second: list[Any]) -> list[Any]:
    return first + [b for b in second if not any(_is_same(a, b) for a in first)]


def choice_of(value: Any) -> ChoiceSpec | None:
    """The spec of an `EitherValue` of members alone; None for any other."""
    members = _members(value)
    return None if members is None else ChoiceSpec(tuple(members))


def _of_spec(spec: Spec) -> list[Any] | None:
    if isinstance(spec, ChoiceSpec):
        return list(spec.members)
    if isinstance(spec, StaticSpec) and isinstance(spec.value, _THINGS):
        return [spec.value]
    return None


def join_choices(a: Spec, b: Spec, path: str, where: str) -> Spec | None:
    """What holds for two specs of members; None if one is of something else."""
    first, second = _of_spec(a), _of_spec(b)
    if first is None or second is None:
        return None
    return ChoiceSpec(tuple(_merged(first, second)))


specs.register_kind((), lambda value, path: None, join_choices)

__all__ = ["ChoiceSpec", "choice_of", "each_once", "join_choices"]
