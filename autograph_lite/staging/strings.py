"""Text of a trace taken to pieces, and the builtin functions that make text of numbers."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from functools import partial
from typing import Any

from autograph_lite.staging.list_specs import Items
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.specs import TensorSpec
from autograph_lite.staging.text import formatted
from runtime import dtypes
from runtime.ops.python_text import ask, ask_list
from runtime.shapes import SCALAR

_TEXT = TensorSpec(dtypes.string, SCALAR)


def characters(text: Any) -> StagedList:
    """`list(text)`."""
    return StagedList((), Items(_TEXT, (ask_list(list, text),)))


def pieces(text: Any, name: str, *args: Any, **keywords: Any) -> StagedList:
    """`text.split(...)` and its kin: a list whose length the running graph knows."""

    def run(text: str, args: Any, keywords: Any) -> list[str]:
        return getattr(text, name)(*args, **keywords)  # type: ignore[no-any-return]

    return StagedList((), Items(_TEXT, (ask_list(run, text, list(args), keywords),)))


def _of_number(function: Callable[..., str], *args: Any) -> Any:
    return formatted(lambda filled: function(*filled), list(args))


def functions() -> dict[Any, Callable[..., Any]]:
    """Builtin functions between text and numbers, and what stands in for them."""
    names = ("ascii", "bin", "chr", "format", "hex", "oct")
    table = {
        getattr(builtins, name): partial(_of_number, getattr(builtins, name)) for name in names
    }
    return {**table, ord: partial(ask, ord, dtype=dtypes.int32)}


__all__ = ["characters", "functions", "pieces"]
