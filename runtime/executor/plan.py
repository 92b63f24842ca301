"""Plans: what a graph becomes before it runs, a generated Python function of NumPy calls."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.context import warnings_off, warnings_on
from runtime.errors import InvalidArgumentError, LinAlgError, OpError
from runtime.executor.lower import lower
from runtime.executor.ownership import assign_memory
from runtime.executor.python_printer import print_python
from runtime.graph import Graph, rewriting
from runtime.locations import Location, raise_at
from runtime.recursion import link, with_room


class Plan:
    """A graph made ready to run.

    Attributes:
      source: the text of the function that runs it.
      function: the function itself; it lets NumPy warn, and its errors are NumPy's.
      run: `run(*arrays)` gives the tuple of output arrays.
    """

    def __init__(self, graph: Graph, name: str) -> None:
        with rewriting:
            procedure = lower(graph, name)
        assign_memory(procedure)
        printed = print_python(procedure)
        self.source = printed.source
        self.filename = f"<plan of {name}>"
        self._origins = printed.origins
        namespace: dict[str, Any] = {}
        exec(compile(self.source, self.filename, "exec", dont_inherit=True), namespace)
        function = namespace["bind"](**printed.bindings)
        self.function: Callable[..., tuple[Any, ...]] = function
        recursion = getattr(graph, "recursion", None)
        if recursion is not None:
            recursion.function, recursion.plan = function, self
        # The plans of recursive graphs that this one calls.
        self._called = link(function, printed.bindings, Plan)
        if self._called:
            self.function = with_room(function)
        self.run = _guarded(self.function, self)

    def explain(self, error: Exception) -> BaseException:
        """Raises `error`, with the place of the user's program that it comes from.

        Errors of NumPy become InvalidArgumentError; the user's own keep their type, and what they
        were raised amid.
        """
        context = error.__context__
        try:
            return self._explain(error)
        except BaseException as raised:
            raised.__context__ = context
            raise

    def _explain(self, error: Exception) -> BaseException:
        origin = self._origin(error)
        if origin is None:
            raise error
        opdefs, location = origin
        if getattr(error, "_located", False):
            raise error
        if any(op.stateful for op in opdefs) or isinstance(error, OpError):
            raised: BaseException = error.with_traceback(None)
        else:
            kinds: dict[type, type] = {
                ZeroDivisionError: ZeroDivisionError,
                IndexError: IndexError,
                MemoryError: MemoryError,
                RecursionError: RecursionError,
                np.linalg.LinAlgError: LinAlgError,
            }
            kind = kinds.get(type(error), InvalidArgumentError)
            name = f"{opdefs[0].name}: " if len(opdefs) == 1 else ""
            raised = kind(f"{location}: {name}{str(error).strip()}")
        raise_at(raised, location)
        return raised

    def _origin(self, error: Exception) -> tuple[Any, Location] | None:
        """The ops and the user's line of the innermost statement of a plan that failed."""
        plans = {self.filename: self}
        waiting = list(self._called)
        while waiting:
            plan = waiting.pop()
            if plan.filename not in plans:
                plans[plan.filename] = plan
                waiting += plan._called
        origin = None
        for frame, number in traceback.walk_tb(error.__traceback__):
            plan = plans.get(frame.f_code.co_filename)
            if plan is not None:
                origin = plan._origins.get(number, origin)
        return origin


def _guarded(function: Callable[..., Any], plan: Plan) -> Callable[..., Any]:
    """`function` with NumPy's warnings off and errors that name the user's line."""

    def run(*arrays: Any) -> Any:
        token = warnings_off()
        try:
            return function(*arrays)
        except Exception as error:
            failure = error
        finally:
            warnings_on(token)
        return plan.explain(failure)

    return run
