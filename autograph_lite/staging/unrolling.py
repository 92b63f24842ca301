"""Python loops that are unrolled while tracing, and might never end."""

from __future__ import annotations

from autograph_lite.errors import StagingError
from runtime.context import current_graph
from runtime.locations import user_location

_MOST_OPERATIONS = 100_000
"""A graph that unrolled loops have made this long is taken for endless."""


class WantsPythonItems(StagingError):
    """Something can be staged only if the loop around it is unrolled.

    A `for` over a tensor of known length does that; where none does, users get a plain
    `StagingError`.

    Attributes:
      most: how many passes such a loop may have; None if it may have any number.
    """

    most: int | None = None


class GrowsWithEachPass(WantsPythonItems):
    """What a loop hands on is made of more with each pass."""

    most = 1000
    # To trace more would take long, and the graph would be large.


def check(passes: int) -> None:
    """Looks at a Python loop that has made many passes while a graph is built.

    Args:
      passes: how many it has made.

    Raises:
      StagingError: the passes have added so much to the graph that there seems to be no end.
    """
    graph = current_graph()
    size = 0
    while graph is not None:
        size += len(graph.operations)
        graph = getattr(graph, "outer", None)
    if size > _MOST_OPERATIONS:
        raise StagingError(
            f"{user_location()}: this loop has been unrolled {passes} times, its condition being a "
            f"Python value, and the graph has {size} operations: only a tensor could end it, and "
            "none is asked. Make the condition a tensor (`while i < n`, `while not done`), or "
            "leave the loop by a `break` under a tensor's condition rather than by an exception."
        )
