"""Items of lists of the graph that can change themselves: what is done to one is put back.

A list whose length only the running graph knows holds tensors, not objects. `rows[i]` of a list of
lists makes a new list out of them: it is *lent*. When `rows[i].append(x)` has changed it, the new
contents are put back into `rows`: before `rows` is looked at again, and before the trace of a
branch or loop begins or ends, since what is lent in it is known in it only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.staging import links, scopes
from autograph_lite.staging.either import can_change
from autograph_lite.staging.holders import Own, holders
from autograph_lite.staging.objects import attributes_of, is_object
from autograph_lite.staging.scopes import Scope
from autograph_lite.staging.views import chain_of
from runtime import nest
from runtime.handles import contents
from runtime.locations import Location, raise_at, user_location
from runtime.ops.apply import apply
from runtime.ops.registry import NO_GRADIENT, define
from runtime.tensor import SymbolicTensor, Tensor

_MOVED = (
    "{}: an item of a list whose length depends on a tensor is changed under a name that it had "
    "before items of the list may have moved, been replaced or been copied; take it from the list "
    "again before changing it"
)
_SHARED = (
    "{}: {} is changed that other names or containers may hold too, on some paths: a staged "
    "branch or loop has put it in a list of the graph, or has put another in its place; change it "
    "before that, take it from the list again, or make a new one"
)
_ELSEWHERE = (
    "{}: {} is changed that other names or containers may hold too: it is from a list whose "
    "length depends on a tensor, and was put there twice, or is kept elsewhere as well, where the "
    "change would not be seen; put a copy into the list, as in `rows.append(list(row))`, or change "
    "it before it is put there"
)
_COPIED = (
    "{}: {} is changed that is in two lists whose lengths depend on tensors, one of them a copy "
    "or a part of the other, which is read later: it would not see the change; change it in the "
    "list that is read, by its index or in a `for` over that list"
)


def _check(first: Any, second: Any, location: Location) -> Any:
    if first == second:
        # No `except` of the user's is for what Python would do without complaint.
        error = StagingError(
            "an item of a list whose length depends on a tensor is changed through two names, or "
            "through one of two that are read; take it from the list again after the first change"
        )
        raise_at(error, location)
    return ()


CHECK_APART = define(
    "CheckApart",
    kernel=_check,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
    checks=True,
)


class Loan:
    """An item of a list, lent to the code that is traced.

    Attributes:
      owner: the list.
      place: what tells its place from others: the index if that is known, else any object.
      position: where the item is, counted from the front.
      item: what has been made of it.
      scope: in which it has been lent.
      changed: whether it has been changed since it was put back last.
      moved: whether the items of the list may be elsewhere now.
      is_shared: whether others hold it too, so that it cannot change any more.
      beside: positions at which items have been put since, and which may be this one.
    """

    __slots__ = (
        "beside", "changed", "is_shared", "item", "moved", "owner", "place", "position", "scope",
    )  # fmt: skip

    def __init__(self, owner: Any, place: Any, position: Any, item: Any, scope: Scope) -> None:
        self.owner = owner
        self.place = place
        self.position = position
        self.item = item
        self.scope = scope
        self.changed = False
        self.moved = False
        self.is_shared = False
        self.beside: list[Any] = []


class Behind:
    """The position behind the last item of a list, as the list is now."""

    def __init__(self, items: Any) -> None:
        self.items = items


def lend(owner: Any, index: Any, position: Any, item: Any, is_shared: bool = False) -> None:
    """Notes that `item` is what is in a list of the graph, if it can change."""
    innermost = scopes.innermost()
    if innermost is None or not any(True for _ in changeable(item)):
        return
    loan = Loan(owner, place_of(index), position, item, innermost)
    loan.is_shared = is_shared
    owner.loans.append(loan)
    _register(loan)


def lend_array(owner: Any, index: Any, position: Any, item: Any) -> None:
    """Notes that `item`, an array or what holds arrays, has been taken from a list."""
    innermost = scopes.innermost()
    if innermost is None or not any(True for _ in arrays_in(item)):
        return
    if any(one.item is item for one in owner.loans):
        return
    loan = Loan(owner, place_of(index), position, item, innermost)
    owner.loans.append(loan)
    innermost.loans.setdefault(id(item), []).append(loan)


def of_arrays(arrays: Sequence[Any]) -> list[Loan]:
    """What has been lent of lists that holds one of some arrays."""
    found: list[Loan] = []
    for scope in scopes.stack():
        for loan in _all(scope):
            if loan.owner is not None and loan not in found:
                parts = list(arrays_in(loan.item))
                if any(part is array for part in parts for array in arrays):
                    found.append(loan)
    return found


def lent(owner: Any, index: Any) -> Any:
    """What has been lent from this place in the trace that goes on; None if nothing has."""
    if not owner.loans:
        return None
    innermost, place = scopes.innermost(), place_of(index)
    for loan in owner.loans:
        if loan.scope is innermost and not loan.moved and not loan.beside:
            if _is_same(loan.place, place):
                return loan.item
    return None


def change(part: Any, kind: str, key: Any) -> None:
    """Notes that the user's code is about to change an object, which may be lent.

    Args:
      part: the object.
      kind: see `scopes.Place`.
      key: the same.

    Raises:
      StagingError: it is lent, and where it belongs is not known any more.
    """
    for scope in scopes.stack():
        for loan in scope.loans.get(id(part), ()):
            changes(loan, part)
    scopes.note(part, kind, key)


def changes(loan: Loan, part: Any) -> None:
    """Notes that a part of what is lent is about to change, so that it is put back."""
    refuse_unseen(loan, part)
    loan.changed = True


def refuse_unseen(loan: Loan, part: Any) -> None:
    """Refuses that a part of what is lent changes, where others would not see that."""
    if loan.is_shared:
        message = _SHARED if loan.owner is None else _ELSEWHERE
        raise StagingError(message.format(user_location(), kind_of(part)))
    if loan.moved:
        raise StagingError(_MOVED.format(user_location()))
    if loan.owner is not None and links.is_in_a_copy(loan.owner):
        raise StagingError(_COPIED.format(user_location(), kind_of(part)))
    if loan.owner is not None and links.is_elsewhere(loan.owner, loan.place):
        raise StagingError(_ELSEWHERE.format(user_location(), kind_of(part)))
    if not loan.changed:
        _check_names(loan)


def forget_changes() -> None:
    """Forgets that something lent has changed: what has changed it has been taken back."""
    for scope in scopes.stack():
        for loan in _all(scope):
            loan.changed = False


def note_changed(part: Any) -> None:
    """Notes that an object has other contents now than when it was put back last, if it is lent."""
    for scope in scopes.stack():
        for loan in scope.loans.get(id(part), ()):
            if not loan.is_shared and not loan.moved:
                loan.changed = True


def _check_names(loan: Loan) -> None:
    """Has the graph refuse that an item changes which is read later under another name."""
    if loan.owner is None:
        return
    others = [
        other
        for other in loan.owner.loans
        if other.item is not loan.item and not _is_apart(other.place, loan.place)
    ]
    read = set(map(id, links.read_among(other.item for other in others)))
    for other in others:
        if id(other.item) in read or _has_read_arrays(other.item):
            positions = _position(loan), _position(other)
            apply(CHECK_APART, positions, {"location": user_location()})


def _has_read_arrays(item: Any) -> bool:
    """Whether a variable that is read later holds an array of an item, or a view of one."""
    arrays = {id(contents(array)) for array in arrays_in(item)}
    if not arrays:
        return False

    def is_wanted(value: Any) -> bool:
        return isinstance(value, SymbolicTensor) and id(chain_of(value)[0]) in arrays

    return any(True for _ in holders(is_wanted, Own()))


def is_of_graph(value: Any) -> bool:
    """Whether a value is a list that the graph may come to hold."""
    return isinstance(value, list) and hasattr(type(value), "python_kind")


def put_too(owner: Any, item: Any) -> None:
    """Notes that what is put into a list of the graph is in another one, from which it was lent."""
    for scope in scopes.stack():
        for loan in scope.loans.get(id(item), ()):
            if loan.owner is not owner and is_of_graph(loan.owner):
                links.hold_the_same(owner, loan.owner)


def share(part: Any) -> None:
    """Notes that others hold an object too, which the graph does not know: it cannot change."""
    innermost = scopes.innermost()
    if innermost is None:
        return
    loan = Loan(None, None, None, part, innermost)
    loan.is_shared = True
    innermost.loans.setdefault(id(part), []).append(loan)


def kind_of(part: Any) -> str:
    """What the user calls the class of an object, with its article."""
    if isinstance(part, Tensor):
        return "an array"
    return f"a {getattr(part, 'python_kind', type(part).__name__)}"


def copied(items: list[Any]) -> None:
    """Notes that a list goes on in the graph: what has been put into it before is not in it now."""
    innermost = scopes.innermost()
    if innermost is None:
        return
    for item in items:
        loan = Loan(None, None, None, item, innermost)
        loan.moved = True
        _register(loan)


def twins(items: list[Any]) -> set[int]:
    """The indices of items of a list that are one object, or hold one, that can change.

    In a list of the graph each has a place of its own: what is done to one is not seen in another.
    """
    parts = [(number, id(part)) for number, item in enumerate(items) for part in changeable(item)]
    places: dict[int, set[int]] = {}
    for number, part in parts:
        places.setdefault(part, set()).add(number)
    return {number for number, part in parts if len(places[part]) > 1}


def _register(loan: Loan) -> None:
    for part in changeable(loan.item):
        known = loan.scope.loans.setdefault(id(part), [])
        if loan not in known:
            known.append(loan)


def changeable(value: Any, around: tuple[int, ...] = ()) -> Iterator[Any]:
    """The objects in a value that can change, itself included."""
    if isinstance(value, Tensor) or id(value) in around:
        return
    if can_change(value):
        yield value
    for item in _inside(value):
        yield from changeable(item, (*around, id(value)))


def _inside(value: Any) -> Any:
    """What an object or container holds."""
    if is_object(value):
        return attributes_of(value).values()
    parts = nest.parts(value)
    return () if parts is None else parts[1]


def arrays_in(value: Any, around: tuple[int, ...] = ()) -> Iterator[Any]:
    """The arrays of the graph in a value, itself included."""
    if isinstance(value, SymbolicTensor):
        if value.shape.rank != 0 and value.dtype.kind in "biufc":
            yield value
        return
    if id(value) in around:
        return
    for part in _inside(value):
        yield from arrays_in(part, (*around, id(value)))


# ---- putting back


def settle(owner: Any) -> None:
    """Puts back what has been changed of a list's items."""
    for loan in list(owner.loans):
        for part in changeable(loan.item):
            # A list that is lent may have lent items itself.
            if isinstance(part, list) and part is not owner and getattr(part, "loans", None):
                settle(part)
        if loan.changed:
            _put_back(loan)


def settle_all() -> None:
    """Puts back all that has been changed in the traces that go on."""
    while True:
        changed = [loan for scope in scopes.stack() for loan in _all(scope) if loan.changed]
        if not changed:
            return
        for loan in changed:
            if loan.changed:
                _put_back(loan)


def _all(scope: Scope) -> list[Loan]:
    return [loan for loans in scope.loans.values() for loan in loans]


@contextmanager
def amid_a_change() -> Iterator[None]:
    """Within the block, lists may be looked at while the user changes their items."""
    changed = [loan for scope in scopes.stack() for loan in _all(scope) if loan.changed]
    try:
        yield
    finally:
        for loan in changed:
            loan.changed = True


def _put_back(loan: Loan) -> None:
    loan.changed = False
    settle(loan.owner)
    position = _position(loan)
    for other in loan.beside:
        apply(CHECK_APART, (position, other), {"location": user_location()})
    loan.owner.put_back(position, loan.item)
    _register(loan)
    for other in loan.owner.loans:
        if other is not loan:
            _put_beside(other, loan.place, position)


def _position(loan: Loan) -> Any:
    if not isinstance(loan.position, Behind):
        return loan.position
    position = loan.position.items.length()
    if loan.scope is scopes.innermost():
        loan.position = position
    return position


# ---- what happens to the list


def grows(owner: Any) -> None:
    """Notes that an item is about to be added at the end: -1 will be another place then."""
    for loan in owner.loans:
        if not isinstance(loan.place, int) or loan.place < 0:
            loan.place = loan


def replaced(owner: Any, index: Any, position: Any) -> None:
    """Notes that the user's code has put another item at a place."""
    place = place_of(index)
    owner.links.replaced(place)
    for loan in list(owner.loans):
        if _is_same(loan.place, place) and loan.scope is scopes.innermost():
            _forget(loan)
    for loan in owner.loans:
        _put_beside(loan, place, position)


def _put_beside(loan: Loan, place: Any, position: Any) -> None:
    if _is_apart(loan.place, place):
        return
    if loan.scope is scopes.innermost():
        loan.beside.append(position)
    else:
        loan.moved = True


def moved(owner: Any, index: Any = None) -> None:
    """Notes that items of a list have moved; that at `index` has left it, and is on its own."""
    owner.links.moved()
    place = None if index is None else place_of(index)
    for loan in list(owner.loans):
        if place is not None and _is_same(loan.place, place):
            _forget(loan)
        else:
            loan.moved = True


def dropped(owner: Any, index: Any, position: Any) -> None:
    """Notes that the item at `index` has left a list; it is on its own."""
    place = place_of(index)
    if not isinstance(place, int) or place != -1:
        moved(owner, index)
        return
    for loan in list(owner.loans):
        if _is_same(loan.place, place):
            _forget(loan)
        else:
            _put_beside(loan, place, position)


def emptied(owner: Any) -> None:
    """Notes that all items have left a list."""
    owner.links.clear()
    for loan in list(owner.loans):
        _forget(loan)


def _forget(loan: Loan) -> None:
    loan.owner.loans.remove(loan)
    for loans in loan.scope.loans.values():
        if loan in loans:
            loans.remove(loan)


def close(scope: Scope) -> None:
    """Forgets what has been lent in a scope that is over."""
    for loan in _all(scope):
        if loan.owner is not None and loan in loan.owner.loans:
            loan.owner.loans.remove(loan)


# ---- places


def place_of(index: Any) -> Any:
    """What tells whether two places are the same: a number if it is known, else the tensor."""
    if isinstance(index, Tensor):
        op = getattr(index, "op", None)
        if op is not None and op.type == "Const" and not index.shape.rank:
            return int(op.attrs["value"])
        return index
    return int(index)


def _is_same(a: Any, b: Any) -> bool:
    return a == b if isinstance(a, int) and isinstance(b, int) else a is b


def _is_apart(a: Any, b: Any) -> bool:
    return isinstance(a, int) and isinstance(b, int) and a != b and (a < 0) == (b < 0)


__all__ = [
    "Behind",
    "amid_a_change",
    "arrays_in",
    "change",
    "changes",
    "changeable",
    "close",
    "copied",
    "dropped",
    "emptied",
    "forget_changes",
    "grows",
    "lend",
    "lend_array",
    "lent",
    "moved",
    "note_changed",
    "of_arrays",
    "refuse_unseen",
    "replaced",
    "settle",
    "settle_all",
    "share",
]
