"""Which exceptions the body of a staged `try` may raise, as far as its graph tells."""

from __future__ import annotations

from typing import Any

from autograph_lite.staging.caught import Kinds
from autograph_lite.staging.raising import RAISE
from autograph_lite.staging.scopes import Traced
from runtime.graph import FunctionGraph
from runtime.try_flow import may_raise


class Raised:
    """What is known of the exceptions that a body may raise.

    Attributes:
      errors: those that the user's `raise` statements raise.
      is_all: whether nothing else in the body may raise.
    """

    def __init__(self, body: Traced) -> None:
        self.errors: list[BaseException] = []
        self.is_all = True
        self._look_at(body.graph)

    def _look_at(self, graph: Any) -> None:
        for op in graph.operations:
            if op.opdef is RAISE:
                self.errors.append(op.attrs["maker"].error)
            elif op.type == "Try":
                self._look_at_try(op.attrs)
            else:
                inner = [a for a in op.attrs.values() if isinstance(a, FunctionGraph)]
                for part in inner:
                    self._look_at(part)
                if may_raise(op.opdef) and not inner:
                    self.is_all = False

    def _look_at_try(self, attrs: dict[str, Any]) -> None:
        """What a `try` lets through, and what its other parts raise."""
        self.is_all = False
        before, self.errors = self.errors, []
        self._look_at(attrs["body"])
        raised, self.errors = self.errors, before
        for kinds, handler in zip(attrs["kinds"], attrs["handlers"], strict=True):
            caught = [error for error in raised if isinstance(error, kinds)]
            raised = [error for error in raised if not isinstance(error, kinds)]
            self.errors += caught if _raises_again(handler) else []
            self._look_at(handler)
        self.errors += raised
        if attrs["orelse"] is not None:
            self._look_at(attrs["orelse"])

    def take(self, kinds: Kinds) -> list[BaseException]:
        """Those of the errors that a clause gets: the next ones get what is left."""
        taken = [error for error in self.errors if isinstance(error, kinds)]
        self.errors = [error for error in self.errors if not isinstance(error, kinds)]
        return taken


def _raises_again(graph: FunctionGraph) -> bool:
    """Whether a handler may raise what it was given."""
    return any(
        op.type == "Reraise"
        or any(_raises_again(a) for a in op.attrs.values() if isinstance(a, FunctionGraph))
        for op in graph.operations
    )


__all__ = ["Raised"]
