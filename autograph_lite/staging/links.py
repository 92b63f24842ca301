"""What is known of the items of a list of the graph that are in other places, too.

A list whose length only the running graph knows holds tensors, not objects. An object that has been
put into it twice, or that others hold as well, is another one in each of these places: what is done
to it in one place is not seen in the others, so it is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from autograph_lite.staging import scopes

ANY = -1
"""Stands for the index of an item that may be anywhere."""


class Links:
    """What is known of one list.

    Attributes:
      twins: the indices of items that it has twice, or that a list beside it has.
      elsewhere: by id the items that others held, too, when they were put there, and their indices.
      taken: by id what branches and loops have made of its items.
      copies: by id itself and the lists that have the same objects in them, if there are such; the
        one dict of them all.
    """

    __slots__ = ("copies", "elsewhere", "taken", "twins")

    def __init__(self) -> None:
        self.copies: dict[int, Any] = {}
        self.clear()

    def clear(self) -> None:
        """Forgets the items; those that come are others."""
        self.twins: set[int] = set()
        self.elsewhere: dict[int, tuple[Any, set[int]]] = {}
        self.taken: dict[int, Any] = {}

    def put(self, part: Any, places: Iterable[int]) -> None:
        """Notes that others hold an item, which may be at some indices."""
        self.elsewhere.setdefault(id(part), (part, set()))[1].update(places)

    def add(self, other: Links) -> None:
        """Adds what is known of another list, the items of which this one gets."""
        self.twins |= other.twins
        for part, places in other.elsewhere.values():
            self.put(part, places)

    def moved(self) -> None:
        """Notes that items may be at other indices now."""
        if self.twins:
            self.twins.add(ANY)
        for _, places in self.elsewhere.values():
            places.add(ANY)

    def replaced(self, place: Any) -> None:
        """Notes that another item is at a place now."""
        if isinstance(place, int):
            self.twins.discard(place)
            for _, places in self.elsewhere.values():
                places.discard(place)

    def size(self) -> int:
        """How much is known."""
        return len(self.twins) + len(self.elsewhere)


# ---- places


def has_one_index(place: Any) -> bool:
    """Whether a place is an index counted from the front, and so the same while a list grows."""
    return isinstance(place, int) and place >= 0


def indices(place: Any) -> set[int]:
    """The indices that an item may have which is at a place."""
    return {place if has_one_index(place) else ANY}


# ---- questions


def may_be_twin(owner: Any, place: Any) -> bool:
    """Whether an item of a list of the graph may have been the same object as another one."""
    links = owner.links
    if any(other.links.twins for other in links.copies.values() if other is not owner):
        return True
    is_known = has_one_index(place) and ANY not in links.twins
    return place in links.twins if is_known else bool(links.twins)


def is_in_a_copy(owner: Any) -> bool:
    """Whether another list that is read later has the items of a list, too."""
    return bool(read_among(other for other in owner.links.copies.values() if other is not owner))


def is_elsewhere(owner: Any, place: Any) -> bool:
    """Whether others that are read later may hold the object at a place of a list."""
    copies = owner.links.copies.values() or [owner]
    found = [part for one in copies for part in _put_at(one, place if one is owner else None)]
    if any(scopes.is_copy(part) or not scopes.was_born(part) for part in found):
        return True
    return bool(read_among(found))


def _put_at(owner: Any, place: Any) -> Iterator[Any]:
    """The objects that others held, too, and that may be at a place of a list."""
    for part, places in owner.links.elsewhere.values():
        if not has_one_index(place) or place in places or ANY in places:
            yield part
    yield from owner.links.taken.values()


def read_among(parts: Iterable[Any]) -> list[Any]:
    """Those of some objects to which variables lead that are read later."""
    found = list(parts)
    if not found:
        return found
    # It goes over all that the variables hold, and knows lists itself.
    from autograph_lite.staging.object_holders import VariableHolders

    holders = VariableHolders()
    return [part for part in found if holders.any_is_read(part, [])]


def hold_the_same(first: Any, second: Any) -> None:
    """Notes that two lists of the graph have items that are the same objects to the user."""
    together = first.links.copies or {id(first): first}
    others = second.links.copies or {id(second): second}
    if together is others:
        return
    together.update(others)
    for known in (first, *others.values()):
        known.links.copies = together


__all__ = [
    "ANY",
    "Links",
    "has_one_index",
    "hold_the_same",
    "indices",
    "is_elsewhere",
    "is_in_a_copy",
    "may_be_twin",
    "read_among",
]
