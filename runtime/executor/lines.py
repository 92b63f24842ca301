"""A line of the source of a plan."""

from __future__ import annotations

from dataclasses import dataclass

from runtime.executor.expressions import Origin


@dataclass(slots=True)
class Line:
    """A line of the source; `origin` says what in it may fail."""

    depth: int
    text: str
    origin: Origin | None = None


__all__ = ["Line"]
