"""The variables from around functions that they bind: what a branch that calls them may change."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, MethodType
from typing import Any, NamedTuple

from autograph_lite.code_reads import FREE, GLOBAL, code_reads
from autograph_lite.operators.calls import call_method
from autograph_lite.operators.undefined import Undefined
from autograph_lite.staging.cells import held_in_cells
from runtime.locations import is_library_file


class Binding(NamedTuple):
    """A `nonlocal` or `global` variable.

    Attributes:
      name: what it is called.
      holder: its cell, or the globals of a module.
    """

    name: str
    holder: Any

    def get(self) -> Any:
        """What it holds."""
        try:
            if isinstance(self.holder, dict):
                return self.holder[self.name]
            return self.holder.cell_contents
        except (KeyError, ValueError):
            return Undefined(self.name)

    def set(self, value: Any) -> None:
        """Binds it to a value."""
        if not isinstance(self.holder, dict):
            self.holder.cell_contents = value
        elif isinstance(value, Undefined):
            self.holder.pop(self.name, None)
        else:
            self.holder[self.name] = value


def bindings(values: Iterable[Any]) -> list[Binding]:
    """The variables that functions among some values bind, each once."""
    found: dict[tuple[str, int], Binding] = {}
    for function in _functions(values):
        for chain in code_reads(function.__code__).stored:
            holder: Any = function.__globals__
            if chain.kind == FREE:
                free = function.__code__.co_freevars
                if chain.name not in free:
                    continue
                assert function.__closure__ is not None
                holder = function.__closure__[free.index(chain.name)]
            found.setdefault((chain.name, id(holder)), Binding(chain.name, holder))
    return list(found.values())


def variables_of(
    known: list[Binding],
) -> tuple[Callable[[], tuple[Any, ...]], Callable[[Iterable[Any]], None], tuple[str, ...]]:
    """What gives bindings, what sets them, and their names."""

    def get_state() -> tuple[Any, ...]:
        return tuple(binding.get() for binding in known)

    def set_state(values: Iterable[Any]) -> None:
        for binding, value in zip(known, values, strict=True):
            binding.set(value)

    return get_state, set_state, tuple(binding.name for binding in known)


def _functions(values: Iterable[Any]) -> Iterator[FunctionType]:
    """The functions among values, and those that these have in variables from around them."""
    waiting, seen = list(values), set()
    while waiting:
        value = waiting.pop()
        while isinstance(value, functools.partial | MethodType):
            value = value.func if isinstance(value, functools.partial) else value.__func__
        if not isinstance(value, FunctionType):
            value = call_method(type(value))
        if not isinstance(value, FunctionType) or id(value) in seen:
            continue
        seen.add(id(value))
        waiting += held_in_cells(value)
        if is_library_file(value.__code__.co_filename):
            continue
        yield value
        called = (c.name for c in code_reads(value.__code__).chains if c.kind == GLOBAL)
        waiting += [value.__globals__[name] for name in called if name in value.__globals__]


__all__ = ["Binding", "bindings", "variables_of"]
