"""What functions have of the variables from around them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from types import FunctionType
from typing import Any


def held_in_cells(function: FunctionType) -> Iterator[Any]:
    """The values of the variables from around a function, those that have none left out."""
    for cell in function.__closure__ or ():
        with suppress(ValueError):  # it is empty
            yield cell.cell_contents


__all__ = ["held_in_cells"]
