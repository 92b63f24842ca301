"""Lists, dicts and objects that other names hold too, where a branch or loop makes them anew.

A branch or loop hands on tensors: of two lists that meet in a variable it makes a third. That is no
matter while only the variable knows them. Where something else holds one of them as well, another
variable, a container or the caller, Python would let it see what is done under this name later. So
what is made anew, and what it was made of, is *shared*: to change it is refused. So is to change
the items of a list of the graph, where it has one twice or others hold one too.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph_lite.staging import links, loans, scopes
from autograph_lite.staging.either import can_change
from autograph_lite.staging.handed_on import (
    STAYING,
    STAYS,
    Path,
    alternatives,
    at,
    counted,
    parts,
)
from autograph_lite.staging.object_holders import ValueHolders, VariableHolders
from autograph_lite.staging.own_variables import OwnVariables
from autograph_lite.staging.scopes import Place, Scope
from autograph_lite.staging.specs import Spec
from runtime.tensor import Tensor


class Sharing:
    """What a branch or loop makes anew although others hold it too.

    Attributes:
      paths: where it is among the values that are handed on.
      objects: what was there before, by id.
      lists: by the id of a list that stays the same, or by where it is among the values: lists of
        the graph with items that are elsewhere, too.
    """

    def __init__(
        self,
        names: Sequence[str],
        depth: int | None = None,
        repeats: bool = False,
    ) -> None:
        """Takes what it is to look at.

        Args:
          names: the variables.
          depth: how many functions go on, if those further in end with what they raise.
          repeats: whether what is done on a path may be done again and again.
        """
        self.own = OwnVariables(names)
        self.repeats = repeats
        self.depth = depth
        # What a `return` has left: on that path the code of the function does not go on.
        self.returned = {n for n, name in enumerate(names) if name.startswith("return_value")}
        self.paths: set[Path] = set()
        self.objects: dict[int, Any] = {}
        # What is itself after the branch or loop, though it may be beside what is made anew.
        self.itself: dict[int, Any] = {}
        self.lists: dict[Any, _List] = {}
        # Lists of the graph from which something is, by where it is among the values.
        self.taken: dict[Path, dict[int, Any]] = {}
        # Lists that have the same items, by the slots of those in which the path has put them.
        self.copies: dict[int, dict[int, Any]] = {}
        # Where lists are, while it is looked at.
        self.where: dict[int, Path] = {}
        # Who holds what, made when it is first asked for, while it is looked at.
        self.staying: Callable[[], ValueHolders] | None = None
        self.handed_on: Callable[[], ValueHolders] | None = None
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
        known = self._known()
        self.variables = functools.cache(lambda: VariableHolders(self.own, self.depth))
        try:
            for values, scope in ends:
                self._look_at(values, specs, places, scope)
        finally:
            self.variables = self.staying = self.handed_on = None  # they hold frames
            self.where = {}
        return self._known() > known

    def _known(self) -> int:
        linked = sum(one.links.size() + len(one.same) for one in self.lists.values())
        return len(self.paths) + len(self.objects) + linked

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
        staying = [value for value, spec in pairs if isinstance(spec, STAYING)]
        self.staying = functools.cache(lambda: ValueHolders(staying))
        self.handed_on = functools.cache(lambda: ValueHolders([list(values[:count])]))
        # What is in a list, and the list itself, may both be handed on.
        owners_of = {id(v): id(p.owner) for v, p in zip(values[count:], places, strict=True)}
        found: dict[int, _Held] = {}
        owners = {count + number: place.owner for number, place in enumerate(places)}
        self.where = {id(owner): (slot,) for slot, owner in owners.items()}
        if self.repeats and scope is not None:
            self._note_repeated(owners, scope)
        for slot, value in enumerate(values):
            if isinstance(value, Tensor):
                continue
            if scope is not None and loans.is_of_graph(value):
                known = value.links.copies.items()
                new = {one: other for one, other in known if one not in scope.born}
                self.copies.setdefault(slot, {}).update(new)
            returned = slot in self.returned and slot < count
            for path, part, holder in parts(value, specs[slot], (slot,), slot):
                inside, step = holder if isinstance(holder, tuple) else (holder, None)
                held = found.setdefault(id(part), _Held(part))
                held.add(path, (owners_of.get(inside, inside), step), returned)
                if isinstance(part, list) and path:
                    self.where.setdefault(id(part), path)
                    self._note_again(part, owners)
                elif path is None:
                    held.lists.setdefault(inside, set()).add(step[0])
        for held in found.values():
            slots = {path[0] for path in held.paths if path} or {0}
            self._note(held, [owners[slot] for slot in slots if slot in owners], scope)
            if held.lists:
                self._note_lists(held, owners, scope)
        if scope is not None:
            self._look_at_loans(scope, owners)

    def _note_repeated(self, owners: dict[int, Any], scope: Scope) -> None:
        """Notes what branches of a loop have put into lists: a pass may put it there once more."""
        for owner, part, places in scope.put_elsewhere:
            if id(owner) in self.where and self._was_there(part, scope):
                found = self._links(id(owner), owners)
                found.put(part, places)
                if links.ANY in places:
                    found.twins.add(links.ANY)

    def _note_again(self, known: Any, owners: dict[int, Any]) -> None:
        """Notes of a list what is known of it already."""
        if loans.is_of_graph(known) and known.links.size():
            self._links(id(known), owners).add(known.links)

    def _note_lists(self, held: _Held, owners: dict[int, Any], scope: Scope | None) -> None:
        """Notes lists that get an object which is in other places, too."""
        part = held.part
        for other in _lent_from(part, scope):
            for known in held.lists:
                self._list(known, owners).same[id(other)] = other
        alive = [inside for inside, _ in held.holders if self._is_alive(inside, owners)]
        if len(alive) > 1:
            for known, places in held.lists.items():
                self._links(known, owners).twins.update(places)
        elif self._was_there(part, scope) and self._is_elsewhere(part, owners):
            for known, places in held.lists.items():
                self._links(known, owners).put(part, places)

    def _is_alive(self, known: Any, owners: dict[int, Any]) -> bool:
        """Whether a container that is changed on a path can be reached at its end."""
        assert self.handed_on is not None
        owner = next((one for one in owners.values() if id(one) == known), None)
        if owner is None or self.handed_on().any_holds(owner, []):
            return True
        return scopes.is_copy(owner) or self._is_held(owner, [])

    def _is_elsewhere(self, part: Any, owners: dict[int, Any]) -> bool:
        return scopes.is_copy(part) or self._is_held(part, list(owners.values()))

    def _links(self, known: int, owners: dict[int, Any]) -> links.Links:
        return self._list(known, owners).links

    def _list(self, known: int, owners: dict[int, Any]) -> _List:
        """What is noted of a list."""
        path = self.where.get(known, ())
        if not path:
            return _List(None)  # it is not handed on: nobody asks
        owner = owners.get(path[0]) if len(path) == 1 else None
        if not loans.is_of_graph(owner):
            return self.lists.setdefault(path, _List(None))
        return self.lists.setdefault(id(owner), _List(owner))

    def _note(self, held: _Held, owners: list[Any], scope: Scope | None) -> None:
        """Notes an object, if others hold it who see what becomes of it."""
        made_anew = [path for path in held.paths if path != STAYS]
        places = {path for path in made_anew + held.returned if path}
        part = held.part
        if STAYS in held.paths or STAYS in held.returned:
            self.itself[id(part)] = part
        if not made_anew and not held.returned:
            return
        if id(part) in self.objects and places <= self.paths:
            return
        is_old = self._was_there(part, scope)
        lent = scope is not None and id(part) in scope.loans
        for path in places:
            for one in _lent_from(part, scope):
                self.taken.setdefault(path, {})[id(one)] = one
        others = lent or (is_old and self._is_held(part, owners))
        if others or len(held.holders) + bool(held.returned) > 1:
            self.paths.update(path for path in held.returned if path)
        if made_anew and (others or len(held.holders) > 1):
            self.paths.update(path for path in made_anew if path)
            if is_old:
                self.objects[id(part)] = part

    def _look_at_loans(self, scope: Scope, owners: dict[int, Any]) -> None:
        """What has been put into lists of the graph, and was there before."""
        for known in scope.loans.values():
            for loan in known:
                is_twice = _is_lent_twice(loan, known)
                for part, count in counted(loans.changeable(loan.item)):
                    is_twice = is_twice or count > 0
                    if id(part) in scope.loans and self._was_there(part, scope):
                        self.objects[id(part)] = part
                        # A loop may put it there again and again, if not at the same index.
                        again = self.repeats and not links.has_one_index(loan.place)
                        is_twice = is_twice or again
                        if loan.owner is not None and self._is_elsewhere(part, owners):
                            places = links.indices(loan.place)
                            self._links(id(loan.owner), owners).put(part, places)
                if is_twice and loan.owner is not None:
                    places = links.indices(loan.place)
                    self._links(id(loan.owner), owners).twins.update(places)

    def _is_held(self, part: Any, owners: list[Any]) -> bool:
        if not owners and scopes.is_copy(part):
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
                for other in lists.values():
                    links.hold_the_same(values[slot], other)
        for key, found in self.lists.items():
            known = at(values, key) if found.owner is None else found.owner
            if loans.is_of_graph(known):
                known.links.add(found.links)
                for part, places in found.links.elsewhere.values():
                    scopes.put_elsewhere(known, part, places)
                for other in found.same.values():
                    if other is not known:
                        links.hold_the_same(known, other)
        for path, sources in self.taken.items():
            for alternative in filter(can_change, alternatives(at(values, path))):
                for source in sources.values():
                    source.links.taken[id(alternative)] = alternative
        for path in self.paths:
            part = at(values, path)
            for alternative in alternatives(part):
                if can_change(alternative) and not self._is_itself(part, alternative):
                    loans.share(alternative)

    def _is_itself(self, part: Any, alternative: Any) -> bool:
        """Whether an alternative of a value has been there before."""
        if part is alternative:
            return False
        scope = scopes.innermost()
        is_old = scope is not None and id(alternative) not in scope.born
        return is_old or id(alternative) in self.itself


def _lent_from(part: Any, scope: Scope | None) -> Iterator[Any]:
    """The lists of the graph from which an object is, that were there before a path."""
    around = scopes.stack() if scope is None else (scope, *scopes.stack())
    for one in around:
        for loan in one.loans.get(id(part), ()):
            if loans.is_of_graph(loan.owner) and (
                scope is None or id(loan.owner) not in scope.born
            ):
                yield loan.owner


class _List:
    """What is noted of a list of the graph.

    Attributes:
      owner: the list, if it stays the same.
      links: its items that are in other places, too.
      same: by id the lists from which it has items.
    """

    def __init__(self, owner: Any) -> None:
        self.owner = owner
        self.links = links.Links()
        self.same: dict[int, Any] = {}


class _Held:
    """Where an object is among the values that are handed on."""

    def __init__(self, part: Any) -> None:
        self.part = part
        self.paths: list[Path | None] = []
        self.holders: set[Any] = set()
        self.returned: list[Path | None] = []
        # Those that become lists of the graph, by id, and its indices there.
        self.lists: dict[Any, set[int]] = {}

    def add(self, path: Path | None, holder: Any, returned: bool) -> None:
        """Notes one more place, and what holds the object there."""
        if returned:
            self.returned.append(path)
        else:
            self.paths.append(path)
            self.holders.add(holder)


def _is_lent_twice(loan: loans.Loan, known: Sequence[loans.Loan]) -> bool:
    """Whether what is in one place of a list of the graph is in another place of it, too."""
    others = [one for one in known if one is not loan and one.owner is loan.owner]
    return loan.owner is not None and any(one.item is loan.item for one in others)


__all__ = ["Sharing"]
