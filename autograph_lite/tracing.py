"""One trace: runs a Python function once, on placeholders, and keeps the graph that comes of it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograph_lite.arguments import Arguments, frozen, leaf_spec
from autograph_lite.concrete import ConcreteFunction
from autograph_lite.outputs import OutputTemplate
from autograph_lite.paths import Root
from autograph_lite.staging.scopes import ABSENT, NeverReturns, Scope, scope
from autograph_lite.state import LostStateError, StateWrite
from autograph_lite.watch import Watch, holds_symbolic, watching
from runtime import context, variables
from runtime.context import building
from runtime.convert import convert_to_tensor
from runtime.graph import FunctionGraph
from runtime.locations import user_location
from runtime.tensor import SymbolicTensor, Tensor
from runtime.tensor_spec import TensorSpec
from runtime.variables import Variable

tracing_lock = threading.RLock()
"""Held while tracing. There is one for all functions, so that no order of locks can be wrong."""


def trace(
    name: str,
    python_function: Callable[..., Any],
    run: Callable[..., Any],
    arguments: Arguments,
    leaves: Sequence[Any],
) -> ConcreteFunction:
    """Traces a function.

    Args:
      name: what to call the graph.
      python_function: the function as the user wrote it.
      run: what is called: its converted form, or the function itself.
      arguments: what it is called with.
      leaves: the tensors, arrays and TensorSpecs among them, in order.
    """
    graph = FunctionGraph(name, context.current_graph(), is_function=True)
    watch = Watch(arguments)
    with building(graph), scope() as changed, watching(watch):
        placeholders = list(_placeholders(graph, arguments, leaves))
        graph.inputs += placeholders
        call = arguments.replace(iter(placeholders))
        finished = False
        try:
            _observe(watch, python_function, arguments)
            try:
                result = run(*call.positional, **call.keywords)
            except NeverReturns:
                result = None
            outputs = OutputTemplate(result, output_tensor)
            graph.outputs = [graph.resolve(t) for t in outputs.tensors]
            writes = _take_state(watch, changed, graph)
            finished = True
        finally:
            if not finished:
                _undo(watch, changed)
    graph.finished = True
    reads = watch.state_reads(graph)
    guards = watch.make_guards(reads)
    specs = [TensorSpec(t.shape, t.dtype, t.op.name) for t in placeholders]
    kept = frozen(arguments, iter(specs))
    return ConcreteFunction(name, graph, kept, len(placeholders), outputs, (guards, reads, writes))


def _placeholders(
    graph: FunctionGraph, arguments: Arguments, leaves: Sequence[Any]
) -> Iterator[SymbolicTensor]:
    for leaf, name in zip(leaves, _leaf_names(arguments), strict=True):
        dtype, shape = leaf_spec(leaf)
        own = leaf.name if isinstance(leaf, TensorSpec) else None
        yield graph.placeholder(dtype, shape, own or name)


def _leaf_names(arguments: Arguments) -> Iterator[str]:
    names = arguments.names or ()
    for place, value in arguments.items():
        name = place if isinstance(place, str) else names[place] if place < len(names) else "arg"
        inside: list[Any] = []
        Arguments((value,), {}).key(inside)
        yield from [name] * len(inside)


def _observe(watch: Watch, function: Callable[..., Any], arguments: Arguments) -> None:
    """Shows the watch the function that is traced, with its parameters as roots."""
    owner = getattr(function, "__self__", None)
    plain = getattr(function, "__func__", function)
    while hasattr(plain, "__wrapped__") and not hasattr(plain, "__code__"):
        plain = plain.__wrapped__
    if not hasattr(plain, "__code__"):
        return
    names = list(arguments.names or ())
    roots = {name: Root(name, i) for i, name in enumerate(names)}
    roots.update((key, Root(key, key)) for key in arguments.keywords)
    if owner is not None and plain.__code__.co_argcount:
        first = plain.__code__.co_varnames[0]
        roots[first] = Root.at_object(owner, first)
    watch.observe(plain, roots)


def output_tensor(value: Any) -> Tensor | None:
    """What a function gives as a tensor; None for containers, None and other Python objects."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, Variable | np.ndarray | np.generic | bool | int | float | complex | str):
        return convert_to_tensor(value)
    return None


def _tensor_only(value: Any) -> Tensor | None:
    return value if isinstance(value, Tensor) else None


def _take_state(watch: Watch, changed: Scope, graph: FunctionGraph) -> list[StateWrite]:
    """Puts back what the trace changed to tensors; gives the writes that each call is to do.

    What it changed to Python values stays: that is an effect of the trace.
    """
    writes: list[StateWrite] = []
    restore: list[tuple[Any, str, Any, Any]] = []
    for owner, holder, kind, key, before, after in watch.changes(changed):
        if not holds_symbolic(after):
            continue
        outputs = OutputTemplate(after, _tensor_only)
        if not outputs.tensors:
            raise LostStateError(
                f"{user_location()}: {owner} is left with {after!r}, which exists only while "
                "tracing; give it a tensor, or a structure of tensors"
            )
        writes.append(StateWrite(owner, kind, key, outputs, len(graph.outputs)))
        graph.outputs += [graph.resolve(t) for t in outputs.tensors]
        restore.append((holder, kind, key, before))
    for change in reversed(restore):
        _restore(*change)
    return writes


def _restore(holder: Any, kind: str, key: Any, before: Any) -> None:
    if kind == StateWrite.EXTEND:
        del holder[key:]
    elif kind == "attribute":
        if before is ABSENT:
            delattr(holder, key)
        else:
            setattr(holder, key, before)
    elif before is ABSENT:
        del holder[key]
    else:
        holder[key] = before


def _undo(watch: Watch, changed: Scope) -> None:
    """After a failure: nothing that the trace changed outside of it stays changed."""
    changes = [
        (holder, kind, key, before)
        for _, holder, kind, key, before, after in watch.changes(changed)
        if holds_symbolic(after)
    ]
    for change in reversed(changes):
        _restore(*change)
    changed.take_back()


@contextmanager
def creation_of_variables(hook: Callable[[Any], None]) -> Iterator[None]:
    """Within the block, `hook` is told of each variable made, and may refuse it."""
    before = variables.creation.hook
    variables.creation.hook = hook
    try:
        yield
    finally:
        variables.creation.hook = before


__all__ = ["creation_of_variables", "output_tensor", "trace", "tracing_lock"]
