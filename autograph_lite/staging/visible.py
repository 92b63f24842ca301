"""Variables that hold what no later code may use: tensors of branches that are over."""

from __future__ import annotations

from typing import Any

from autograph_lite.staging.objects import attributes_of, is_object
from autograph_lite.staging.scopes import was_born
from autograph_lite.staging.specs import Lost
from runtime import nest
from runtime.context import current_graph
from runtime.graph import Graph
from runtime.tensor import SymbolicTensor


def visible(values: tuple[Any, ...], names: tuple[str, ...]) -> tuple[Any, ...]:
    """The values of variables; those that the graph being built cannot see are `Lost`.

    A branch or loop hands on what is read later. What else it has bound keeps the value that the
    trace has left there, which is nobody's any more.
    """
    graph = current_graph()
    return tuple(
        Lost(names[place] if place < len(names) else "a variable")
        if _is_lost(value, graph)
        else value
        for place, value in enumerate(values)
    )


def _is_lost(value: Any, graph: Graph | None, around: tuple[int, ...] = ()) -> bool:
    if isinstance(value, SymbolicTensor):
        while graph is not None and graph is not value.graph:
            graph = getattr(graph, "outer", None)
        return graph is None
    for name in ("bound", "is_first", "_items"):
        # A perhaps-unbound value, an alternative, a list of the graph.
        inside = getattr(value, name) if name in getattr(type(value), "__slots__", ()) else None
        if inside is not None:
            return _is_lost(getattr(inside, "flows", (inside,))[0], graph)
    if nest.is_nested(value):
        parts = nest.parts(value)
        return parts is not None and any(_is_lost(item, graph, around) for item in parts[1])
    if is_object(value) and was_born(value) and id(value) not in around:
        around = (*around, id(value))
        return any(_is_lost(item, graph, around) for item in attributes_of(value).values())
    return False


__all__ = ["visible"]
