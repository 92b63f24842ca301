"""Arrays of a list that are stored to where only the running graph knows which one it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograph_lite.errors import StagingError
from autograph_lite.staging import array_stores
from autograph_lite.staging.contents import Slot
from autograph_lite.staging.holders import Own
from autograph_lite.staging.list_specs import is_dynamic
from autograph_lite.staging.places import is_symbolic
from runtime.locations import user_location
from runtime.tensor import SymbolicTensor


def check_picked(owner: Any, key: Any, item: Any) -> None:
    """Refuses a store to an item of a list, if that is an array which others may hold.

    The list gets another array in its place, which they would not see.

    Args:
      owner: the list, dict or tuple.
      key: which item.
      item: the item.

    Raises:
      StagingError: others hold an array that it may be, or it is of a tuple.
    """
    if not is_symbolic(key) or not isinstance(item, SymbolicTensor) or item.shape.rank == 0:
        return
    if isinstance(owner, tuple):
        raise StagingError(
            f"{user_location()}: an array of a tuple is stored to, and only the running graph "
            "knows which one; keep the arrays in a list"
        )
    if not isinstance(owner, list | dict) or is_dynamic(owner):
        return
    for place, value in list(owner.items() if isinstance(owner, dict) else enumerate(owner)):
        if isinstance(value, np.ndarray | SymbolicTensor) and value.shape != ():
            if array_stores.others(value, Own(None, Slot(owner, "item", place))):
                array_stores.refuse_chosen()


__all__ = ["check_picked"]
