"""Arrays taken from lists of the graph, and stored to under another name.

`row = rows[k]` of a list whose length, or of which the index, only the running graph knows gives a
tensor; the array is *lent*, see `autograph_lite.staging.loans`. What is stored to it is put back.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.staging import links, loans, scopes, views
from autograph_lite.staging.contents import Slot
from autograph_lite.staging.holders import Own, holders
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.memory import Memory
from runtime.locations import user_location
from runtime.tensor import SymbolicTensor

_GONE_ON = (
    "{}: an array is stored to that is from a list whose length or index depends on a tensor, "
    "where the list would not see it: a staged branch or loop has chosen it; store through the "
    "list, as in `rows[k][0] = x`, or to a copy"
)


def note(owner: Any, item: Any) -> None:
    """Notes that arrays have been taken from a list, which holds them, too."""
    from autograph_lite.staging.array_stores import is_numpys  # it knows these lists itself

    stack = scopes.stack()
    for array in loans.arrays_in(item) if stack else ():
        stack[0].arrays.taken[id(array)] = (array, owner)
        if not is_dynamic(owner) and any(map(is_numpys, owner)):
            # In a loop that changes it, the graph does not show what was put into it before.
            stack[0].arrays.lists[id(owner)] = owner


def is_of_arrays(found: list[loans.Loan]) -> bool:
    """Whether what is lent is from a list that has held arrays of NumPy's."""
    stack = scopes.stack()
    return bool(stack) and any(id(loan.owner) in stack[0].arrays.lists for loan in found)


def loans_of(array: SymbolicTensor, memory: Memory | None) -> list[loans.Loan]:
    """The loans of lists of which an array is an item, or in one.

    Args:
      array: the array, or a view of it.
      memory: its memory, if it has one.
    """
    stack = scopes.stack()
    if not stack or not stack[0].arrays.taken:
        return []
    root = views.chain_of(array)[0]
    return loans.of_arrays([root] if memory is None else [root, *memory.members()])


def is_put_back(found: list[loans.Loan], slot: Slot | None) -> bool:
    """Whether lists see a new array that is put in the place through which it is stored to."""
    owner = None if slot is None else slot.owner
    return all(
        loan.owner is owner or any(part is owner for part in loans.changeable(loan.item))
        for loan in found
    )


def check_store(array: SymbolicTensor, found: list[loans.Loan], slot: Slot | None) -> None:
    """Has the lists that have lent an array see what is stored to it.

    Args:
      array: the array.
      found: its loans.
      slot: the place that gets a new array, if there is one.

    Raises:
      StagingError: it is from a list that would not see it, or others would not.
    """
    for loan in found:
        if slot is None:
            loans.changes(loan, array)
        else:
            loans.refuse_unseen(loan, array)
    stack = scopes.stack()
    if not found and slot is None and stack and stack[0].arrays.taken:
        _check_chosen(array)


def is_in_list(keys: Container[int], key_of: Callable[[SymbolicTensor], int]) -> bool:
    """Whether a list of the graph that is read later has, or may have, certain arrays in it.

    Args:
      keys: of the arrays.
      key_of: gives the key of a tensor.
    """
    for held in holders(is_dynamic, Own(), kinds=(list,)):
        for flow in held.value.items.flows:
            for element in views.elements(flow):
                if element is None or key_of(views.chain_of(element)[0]) in keys:
                    return True
    return False


def _check_chosen(array: SymbolicTensor) -> None:
    """Refuses a store to what a branch or loop has taken from a list that is read later."""
    taken = scopes.stack()[0].arrays.taken
    roots = views.origins(array, in_lists=False)
    owners = [taken[id(root)][1] for root in roots if id(root) in taken]
    if any(not scopes.was_born(owner) for owner in owners) or links.read_among(owners):
        raise StagingError(_GONE_ON.format(user_location()))


__all__ = ["check_store", "is_in_list", "is_of_arrays", "is_put_back", "loans_of", "note"]
