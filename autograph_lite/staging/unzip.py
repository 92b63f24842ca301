"""`zip(*rows)`: the columns of rows of which only the running graph knows how many there are."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from autograph_lite.errors import StagingError
from autograph_lite.operators.conditionals import no_body
from autograph_lite.staging.conditionals import cond
from autograph_lite.staging.iterables import Mapped, counted, is_counted, listed
from autograph_lite.staging.list_specs import ListSpec, is_dynamic
from autograph_lite.staging.specs import Spec, StructureSpec, TensorSpec
from autograph_lite.staging.tuples import as_tuple
from runtime.locations import user_location


def unzip(rows: Any) -> Iterator[Any] | None:
    """The columns of rows, each a tuple; None if Python knows how many rows there are.

    Raises:
      ValueError: when the graph runs: there are no rows, so nobody knows how many columns.
      StagingError: the rows' length is not known while tracing.
    """
    if not is_counted(rows):
        return None
    rows = listed(rows)
    if not is_dynamic(rows):
        return None
    width = _width(rows.items.element)
    if width is None:
        raise StagingError(
            f"{user_location()}: zip(*rows) of rows whose length is not known while tracing cannot "
            "be staged; put tuples of one length into the list, or go over the rows"
        )

    def nothing() -> None:
        raise ValueError(f"not enough values to unpack (expected {width}, got 0)")

    some = rows.items.length() > 0
    cond(some, no_body, nothing)
    return iter([as_tuple(Mapped(_item(n), counted(rows))) for n in range(width)])


def _width(row: Spec | None) -> int | None:
    """How many items a row has."""
    if isinstance(row, TensorSpec):
        return row.shape[0] if row.shape.rank else None
    if isinstance(row, StructureSpec) and not isinstance(row, ListSpec):
        return len(row.children) if row.kind in (list, tuple) or _is_named(row.kind) else None
    return None


def _is_named(kind: Any) -> bool:
    """Whether a kind of structure is that of a named tuple."""
    return isinstance(kind, type) and issubclass(kind, tuple)


def _item(number: int) -> Callable[[Any], Any]:
    return lambda row: row[number]


__all__ = ["unzip"]
