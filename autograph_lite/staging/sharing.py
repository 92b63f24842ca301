"""Lists, dicts and objects that other names hold too, where a branch or loop makes them anew.

A branch or loop hands on tensors: of two lists that meet in a variable it makes a third. That is no
matter while only the variable knows them. Where something else holds one of them as well, another
variable, a container or the caller, Python would let it see what is done under this name later. So
what is made anew, and what it was made of, is *shared*: to change it is refused.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph_lite.staging import loans, scopes
from autograph_lite.staging.either import (
    EitherSpec,
    EitherValue,
    alternative_specs,
    alternatives,
    can_change,
)
from autograph_lite.staging.either import ObjectSpec as OneObject
from autograph_lite.staging.list_specs import ListSpec
from autograph_lite.staging.object_holders import ValueHolders, VariableHolders
from autograph_lite.staging.objects import ObjectSpec
from autograph_lite.staging.scopes import Place, Scope
from autograph_lite.staging.specs import (
    MaybeUnbound,
    MaybeUnboundSpec,
    SameSpec,
    Spec,
    StaticSpec,
    StructureSpec,
    unguarded,
)
from runtime import nest
from runtime.tensor import Tensor

Path = tuple[Any, ...]
_STAYING = (SameSpec, StaticSpec)


class Sharing:
    """What a branch or loop makes anew although others hold it too.

    Attributes:
      paths: where it is among the values that are handed on.
      objects: what was there before, by id.
    """

    def __init__(self, names: Sequence[str], depth: int | None = None) -> None:
        """Takes the variables, and how many functions run, if it is to look when more do."""
        self.names = set(names)
        self.depth = depth
        # What a `return` has left: on that path the code of the function does not go on.
        self.returned = {n for n, name in enumerate(names) if name.startswith("return_value")}
        self.paths: set[Path] = set()
        self.objects: dict[int, Any] = {}
        # Lists that have the same items, by the slots of those in which the path has put them.
        self.copies: dict[int, list[Any]] = {}
        # Who holds what, made when it is first asked for, while it is looked at.
        self.staying: Callable[[], ValueHolders] | None = None
        self.variables: Callable[[], VariableHolders] | None = None

    def look(
        self,
        ends: Sequence[tuple[Sequence[Any], Scope | None]],
        specs: Sequence[Spec],
        places: Sequence[Place],
    ) -> bool:
        """Looks at the values on some paths; says whether that has found more.

        Args:
          ends: for each path the variables, then what is in the places; and the scope in which the
            path has been traced, None for what was there before.
          specs: what is handed on of them.
          places: the places.
        """
        known = len(self.paths) + len(self.objects)
        self.variables = functools.cache(lambda: VariableHolders(self.names, self.depth))
        for values, scope in ends:
            self._look_at(values, specs, places, scope)
        self.variables = self.staying = None  # they hold frames
        return len(self.paths) + len(self.objects) > known

    def _look_at(
        self,
        values: Sequence[Any],
        specs: Sequence[Spec],
        places: Sequence[Place],
        scope: Scope | None,
    ) -> None:
        count = len(values) - len(places)
        pairs = zip(values[:count], specs, strict=False)
        # Variables that hold the same object before and after.
        staying = [value for value, spec in pairs if isinstance(spec, _STAYING)]
        self.staying = functools.cache(lambda: ValueHolders(staying))
        # What is in a list, and the list itself, may both be handed on.
        owners_of = {id(v): id(p.owner) for v, p in zip(values[count:], places, strict=True)}
        found: dict[int, _Held] = {}
        for slot, value in enumerate(values):
            if isinstance(value, Tensor):
                continue
            if scope is not None and loans.is_of_graph(value):
                self.copies.setdefault(slot, []).extend(
                    other for other in value.copies if id(other) not in scope.born
                )
            returned = slot in self.returned and slot < count
            for path, part, holder in _parts(value, specs[slot], (slot,), slot):
                inside, step = holder if isinstance(holder, tuple) else (holder, None)
                held = found.setdefault(id(part), _Held(part))
                held.add(path, (owners_of.get(inside, inside), step), returned)
        for held in found.values():
            slots = {path[0] for path in held.paths if path} or {0}
            owners = [places[slot - count].owner for slot in slots if slot >= count]
            self._note(held, owners, scope)
        if scope is not None:
            self._look_at_loans(scope)

    def _note(self, held: _Held, owners: list[Any], scope: Scope | None) -> None:
        """Notes an object, if others hold it who see what becomes of it."""
        made_anew = [path for path in held.paths if path != _STAYS]
        places = {path for path in made_anew + held.returned if path}
        part = held.part
        if not made_anew and not held.returned:
            return
        if id(part) in self.objects and places <= self.paths:
            return
        is_old = self._was_there(part, scope)
        lent = scope is not None and id(part) in scope.loans
        others = lent or (is_old and self._is_held(part, owners))
        if others or len(held.holders) + bool(held.returned) > 1:
            self.paths.update(path for path in held.returned if path)
        if made_anew and (others or len(held.holders) > 1):
            self.paths.update(path for path in made_anew if path)
            if is_old:
                self.objects[id(part)] = part

    def _look_at_loans(self, scope: Scope) -> None:
        """What has been put into lists of the graph, and was there before."""
        for known in scope.loans.values():
            for loan in known:
                for part in loans.changeable(loan.item):
                    if id(part) in scope.loans and self._was_there(part, scope):
                        self.objects[id(part)] = part

    def _is_held(self, part: Any, owners: list[Any]) -> bool:
        if not owners and any(id(part) in scope.copies for scope in scopes.stack()):
            return True
        assert self.staying is not None and self.variables is not None
        if self.staying().any_holds(part, owners):
            return True
        return self.variables().any_is_read(part, owners)

    def _was_there(self, part: Any, scope: Scope | None) -> bool:
        """Whether an object has not been made on the path itself."""
        if scope is None:
            return True
        if id(part) in scope.born:
            return False
        # A display that nobody is seen to change is not noted when it is made.
        return scopes.is_ours(part) or self._is_held(part, [])

    def mark(self, values: Sequence[Any] = ()) -> None:
        """Refuses that what is shared changes from here on.

        Args:
          values: the variables, then what is in the places, made anew.
        """
        for part in self.objects.values():
            loans.share(part)
        for slot, lists in self.copies.items():
            if slot < len(values) and loans.is_of_graph(values[slot]):
                for other in lists:
                    loans.hold_the_same(values[slot], other)
        for slot, *path in self.paths:
            part = values[slot] if slot < len(values) else None
            for step in path:
                part = _child(part, step)
            for alternative in _alternatives(part):
                # An object from before is itself, among others that have been made anew.
                if can_change(alternative) and not _is_one(part, alternative):
                    loans.share(alternative)


def _is_one(part: Any, alternative: Any) -> bool:
    """Whether an alternative of a value has been there before."""
    scope = scopes.innermost()
    return part is not alternative and scope is not None and id(alternative) not in scope.born


class _Held:
    """Where an object is among the values that are handed on."""

    def __init__(self, part: Any) -> None:
        self.part = part
        self.paths: list[Path | None] = []
        self.holders: set[Any] = set()
        self.returned: list[Path | None] = []

    def add(self, path: Path | None, holder: Any, returned: bool) -> None:
        """Notes one more place, and what holds the object there."""
        if returned:
            self.returned.append(path)
        else:
            self.paths.append(path)
            self.holders.add(holder)


_STAYS: Path = ()


def _parts(
    value: Any, spec: Spec, path: Path | None, holder: Any
) -> Iterator[tuple[Path | None, Any, Any]]:
    """What can change in a value, where it will be, and what holds it now.

    The place is None in what becomes a list of the graph, and `_STAYS` for what stays where it is.
    """
    value = unguarded(value)
    if isinstance(value, MaybeUnbound):
        value = value.value
    if isinstance(spec, MaybeUnboundSpec):
        spec = spec.inner
    made = [s for s in alternative_specs(spec) if not isinstance(s, OneObject)]
    if isinstance(spec, EitherSpec) and len(made) < len(list(alternative_specs(spec))):
        known = [s.value for s in alternative_specs(spec) if isinstance(s, OneObject)]
        for alternative in _alternatives(value):
            if any(alternative is one for one in known):
                yield _STAYS, alternative, holder
            else:
                for one in made:
                    yield from _parts(alternative, one, path, holder)
        return
    if isinstance(value, EitherValue):
        for alternative in _alternatives(value):
            if not isinstance(spec, EitherSpec):
                yield from _parts(alternative, spec, path, holder)
            elif can_change(alternative):
                yield _STAYS, alternative, holder
        return
    if isinstance(value, Tensor):
        return
    if isinstance(spec, EitherSpec):
        if can_change(value):
            yield path, value, holder
        return
    if isinstance(spec, _STAYING):
        if can_change(value):
            yield _STAYS, value, holder
        return
    if isinstance(spec, ListSpec):
        yield path, value, holder
        for number, item in enumerate(list(value) if _is_plain(value) else ()):
            for part in loans.changeable(item):
                yield None, part, (id(value), number)
        return
    if can_change(value):
        yield path, value, holder
    for step, inner in _children_of(spec):
        place = None if path is None else (*path, step)
        yield from _parts(_child(value, step), inner, place, (id(value), step))


def _is_plain(value: Any) -> bool:
    return isinstance(value, list) and getattr(value, "items", None) is None


def _children_of(spec: Spec) -> list[tuple[Any, Spec]]:
    if isinstance(spec, ObjectSpec):
        return list(zip(spec.names, spec.children, strict=True))
    return list(enumerate(spec.children)) if isinstance(spec, StructureSpec) else []


def _alternatives(value: Any) -> Iterator[Any]:
    return alternatives(value.value if isinstance(value, MaybeUnbound) else value)


def _child(value: Any, step: Any) -> Any:
    """A part of a value: an attribute by its name, an item by its number."""
    if isinstance(value, MaybeUnbound):
        value = value.value
    if isinstance(step, str):
        return getattr(value, "__dict__", {}).get(step)
    parts = nest.parts(value)
    return parts[1][step] if parts is not None and step < len(parts[1]) else None


__all__ = ["Sharing"]
