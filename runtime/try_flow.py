"""`try` in graphs: one operation that runs a body and, if it raises, the handler for it.

What the body's variables are when it raises depends on how far it has come. So before every
operation that may raise, a `Checkpoint` stores them in *cells*, a list that body and handlers
share.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.graph import FunctionGraph
from runtime.ops.apply import apply
from runtime.ops.lists import ListValue
from runtime.ops.registry import NO_GRADIENT, OpDef, Spec, define, gradient
from runtime.recursion import EVERY_INPUT
from runtime.shapes import SCALAR, TensorShape
from runtime.tensor import SymbolicTensor, Tensor

_SAFE = frozenset(
    "Const Placeholder Identity StopGradient Cast Shape Size Rank Range ZerosLike OnesLike Unbound "
    "Checkpoint If While TensorPrint ShowText ReadVariable SavedNothing SavedRoom SavedPush "
    "SavedPut SavedCut SavedPop SavedPopGradients SavedAny".split()
)


def may_raise(opdef: OpDef) -> bool:
    """Whether an operation can raise when it runs.

    `If` and `While` raise through the operations in them only.
    """
    if opdef.name in _SAFE:
        return False
    return not opdef.elementwise or opdef.name in ("FloorDiv", "FloorMod", "Pow")


def _store(cells: ListValue, *values: Any) -> Any:
    cells[:] = values
    return ()


CHECKPOINT = define(
    "Checkpoint",
    kernel=_store,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
)


def checkpoint(cells: Tensor, values: Sequence[Tensor]) -> None:
    """Notes the variables' values, for the handlers."""
    apply(CHECKPOINT, [cells, *values])


def _reraise(error: Any) -> Any:
    raise error[0]


RERAISE = define(
    "Reraise",
    kernel=_reraise,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
    checks=True,
)


def reraise(error: Tensor) -> None:
    """Raises the exception that a handler was given."""
    apply(RERAISE, [error])


def _run_later(*values: Any, **attrs: Any) -> Any:
    raise AssertionError("a Try runs inside of a plan only")


def _specialised(attrs: dict[str, Any], inputs: Any) -> Callable[..., Any]:
    """The kernel of a `Try`: its parts are plans of their own."""
    from runtime.executor import Plan

    body = Plan(attrs["body"], "try_body")
    orelse = None if attrs["orelse"] is None else Plan(attrs["orelse"], "else_body")
    handlers = [
        (kinds, Plan(graph, "except_body"))
        for kinds, graph in zip(attrs["kinds"], attrs["handlers"], strict=True)
    ]
    cell_count, sizes = attrs["cells"], attrs["captured"]

    def run(*values: Any) -> Any:
        cells = ListValue(values[:cell_count])
        parts = _split(values[cell_count:], sizes)
        try:
            results = body.run(cells, *parts[0])
        except BaseException as error:
            for number, (kinds, handler) in enumerate(handlers):
                if isinstance(error, kinds):
                    message = np.array(str(error).encode(), dtype=object)
                    return handler.run(*cells, message, ListValue([error]), *parts[2 + number])
            raise
        return results if orelse is None else orelse.run(*results, *parts[1])

    return run


def _split(values: Sequence[Any], sizes: Sequence[int]) -> list[Sequence[Any]]:
    parts: list[Sequence[Any]] = []
    start = 0
    for size in sizes:
        parts.append(values[start : start + size])
        start += size
    return parts


TRY = define(
    "Try",
    kernel=_run_later,
    infer=lambda inputs, attrs: [Spec(dtype, shape) for dtype, shape in attrs["specs"]],
    specialise=_specialised,
    stateful=True,
    # A part may give out again what it was given.
    holds=EVERY_INPUT,
    fresh=False,
)


@gradient(TRY)
def _(op: Any, *dys: Tensor | None) -> Any:
    # The sweep is built on operations: it cannot stand at the top.
    from runtime.gradients.reverse import structured_gradient

    return structured_gradient(op, dys)


def cells_placeholder(graph: FunctionGraph) -> SymbolicTensor:
    """The cells as an input of a body's graph."""
    return graph.placeholder(dtypes.variant, SCALAR, "cells")


def build_try(
    body: FunctionGraph,
    handlers: Sequence[tuple[tuple[type[BaseException], ...], FunctionGraph]],
    orelse: FunctionGraph | None,
    initial: Sequence[Tensor],
    specs: Sequence[tuple[dtypes.DType, TensorShape]],
) -> list[SymbolicTensor]:
    """Adds a `Try` to the graph being built.

    Args:
      body: its first input is the list of cells.
      handlers: pairs of exception classes and a graph whose first inputs are the cells' values,
        the message and the exception.
      orelse: a graph whose first inputs are the outputs of `body`, or None.
      initial: what the cells hold at first.
      specs: dtypes and shapes of the outputs, the same of handlers and of `orelse` (or `body`).
    """
    from runtime.executor.failing import keep_failing

    keep_failing(body)
    graphs = [body, orelse, *(graph for _, graph in handlers)]
    captured = [[] if g is None else [outside for outside, _ in g.captures] for g in graphs]
    for graph in graphs:
        if graph is not None:
            graph.finished = True
    attrs = {
        "body": body,
        "orelse": orelse,
        "handlers": tuple(graph for _, graph in handlers),
        "kinds": tuple(kinds for kinds, _ in handlers),
        "cells": len(initial),
        "captured": tuple(map(len, captured)),
        "specs": tuple(specs),
        "outputs_list": True,
    }
    made: list[SymbolicTensor] = apply(TRY, [*initial, *(t for c in captured for t in c)], attrs)
    return made
