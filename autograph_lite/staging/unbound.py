"""Reading names that only some paths of the staged code before have bound."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograph_lite.staging.raising import assert_bound
from autograph_lite.staging.specs import MaybeUnbound


def read(value: Any, load: Callable[[Any], Any]) -> Any:
    """The value of a name; where it has none, Python's error is raised when the graph runs.

    Args:
      value: what the name holds.
      load: the operator that reads it; of an unbound name it raises the error.
    """
    if not isinstance(value, MaybeUnbound):
        return value
    try:
        load(value.undefined)
    except NameError as error:
        assert_bound(value.bound, error)
    return value.value
