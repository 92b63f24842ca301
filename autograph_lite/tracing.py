"""One trace: runs a Python function once, on placeholders, and keeps the graph that comes of it."""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograph_lite.arguments import Arguments, frozen, is_leaf, leaf_spec, parts_of
from autograph_lite.changes import Change, holds_symbolic, settled
from autograph_lite.concrete import ConcreteFunction
from autograph_lite.errors import AutographError, StagingError
from autograph_lite.guards import is_value
from autograph_lite.outputs import Doubtful, OutputTemplate, ToTensor
from autograph_lite.paths import Root
from autograph_lite.printing import Passes
from autograph_lite.recursion import ActiveTrace
from autograph_lite.staging.array_stores import WantsTensors, note_made, stores_to_inputs
from autograph_lite.staging.births import own
from autograph_lite.staging.presence import perhaps
from autograph_lite.staging.raising import stage_raise
from autograph_lite.staging.scopes import NeverReturns, Scope, scope
from autograph_lite.staging.special import reaching
from autograph_lite.staging.specs import MaybeUnbound
from autograph_lite.staging.unrolling import WantsPythonItems
from autograph_lite.state import LostStateError, StateWrite
from autograph_lite.waiting import TracingLock
from autograph_lite.watch import Watch
from autograph_lite.watching import watching
from runtime import context, variables
from runtime.context import building, floats_of
from runtime.convert import convert_to_tensor
from runtime.errors import OutOfScopeError, SymbolicTensorError
from runtime.gradients.activity import graphs_of
from runtime.graph import FunctionGraph
from runtime.locations import user_location
from runtime.naming import name_scope
from runtime.tensor import SymbolicTensor, Tensor
from runtime.tensor_spec import TensorSpec
from runtime.variables import Variable

tracing_lock = TracingLock()
"""Held while tracing. There is one for all functions, so that no order of locks can be wrong."""


def trace(
    name: str,
    python_function: Callable[..., Any],
    run: Callable[..., Any],
    arguments: Arguments,
    leaves: Sequence[Any],
    active: ActiveTrace,
    to_tensor: ToTensor,
) -> ConcreteFunction:
    """Traces a function, as often as it takes to know what it gives when it calls itself.

    Args:
      name: what to call the graph.
      python_function: the function as the user wrote it.
      run: what is called: its converted form, or the function itself.
      arguments: what it is called with.
      leaves: the tensors, arrays and TensorSpecs among them, in order.
      active: notes how the function calls itself.
      to_tensor: gives the tensor for a value that the function gives, or None to keep it.
    """
    symbolic: frozenset[Any] = frozenset()
    refusal: StagingError | None = None
    with Passes() as passes:
        while True:
            passes.begin()
            given = (name, python_function, run, arguments, leaves, active, to_tensor)
            try:
                concrete = _pass(*given, symbolic)
            except Exception as error:
                if refusal is None or isinstance(error, WantsTensors):
                    raise
                # A tensor cannot be all that an array can.
                raise refusal from None
            if isinstance(concrete, ConcreteFunction):
                return concrete
            if concrete is not None:
                symbolic |= concrete.sites
                refusal = refusal or concrete.refusal
                active.passes -= 1  # it says nothing of the result


def _pass(
    name: str,
    python_function: Callable[..., Any],
    run: Callable[..., Any],
    arguments: Arguments,
    leaves: Sequence[Any],
    active: ActiveTrace,
    to_tensor: ToTensor,
    symbolic: frozenset[Any],
) -> ConcreteFunction | WantsTensors | None:
    """Traces once.

    Gives None if the function calls itself and now more is known of the result, an exception if
    more arrays have to be made as tensors than those that are made at the places `symbolic`.
    """
    graph = FunctionGraph(name, context.current_graph(), is_function=True)
    watch = Watch(arguments, active.stand_ins)
    graph.varying = watch.tensors
    with (
        building(graph),
        floats_of([leaf_spec(leaf)[0] for leaf in leaves], active.is_part),
        name_scope("/"),
        scope(is_function=True) as changed,
        watching(watch),
        reaching(),
    ):
        changed.arrays.symbolic = symbolic
        placeholders = list(_placeholders(graph, arguments, leaves))
        graph.inputs += placeholders
        for placeholder, is_array in zip(placeholders, active.arrays, strict=False):
            if is_array:
                note_made(placeholder)
        active.begin(graph)
        call = arguments.replace(iter(placeholders), own)
        watch.observe_arguments(call)
        finished = begins_again = False
        try:
            _observe(watch, python_function, arguments)
            try:
                result = _result_of(run, call, graph)
            except NeverReturns as never:
                active.never_ended(never)
                result = None
            result = settled(result)
            _check_result(result, name, python_function)
            if active.called:
                result = active.settle(result)
            if active.called:
                to_tensor = output_tensor
            outputs = OutputTemplate(result, to_tensor, set(_objects(arguments)))
            graph.outputs = [graph.resolve(t) for t in outputs.tensors]
            if active.called and not active.is_settled(graph):
                begins_again = True
                return None
            if active.called:
                _refuse_changes(watch, changed, name)
                _refuse_stores(arguments, graph, name)
            writes = _take_state(watch, changed, graph)
            finished = True
        except WantsTensors as wanted:
            if wanted.scope is not changed or wanted.sites <= symbolic:
                raise
            begins_again = True
            return wanted
        finally:
            if not finished:
                _undo(watch, changed, begins_again)
    graph.finished = True
    graph.varying = ()
    reads = watch.state_reads(graph)
    guards = watch.make_guards(reads)
    specs = [TensorSpec(t.shape, t.dtype, t.op.name) for t in placeholders]
    kept = frozen(arguments, iter(specs))
    return ConcreteFunction(name, graph, kept, len(placeholders), outputs, (guards, reads, writes))


_SUSPENDED = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)


def _check_result(result: Any, name: str, function: Callable[..., Any]) -> None:
    """Refuses what would run on after the trace has ended."""
    if isinstance(result, _SUSPENDED):
        if not isinstance(result, types.AsyncGeneratorType):
            result.close()
        code = getattr(function, "__code__", None)
        where = f"{code.co_filename}:{code.co_firstlineno}" if code else str(user_location())
        raise StagingError(
            f"{where}: {name} gives a {type(result).__name__}, which would go on after the trace "
            "has ended; give a list of the values, or trace the function that uses them"
        )


def _result_of(run: Callable[..., Any], call: Arguments, graph: FunctionGraph) -> Any:
    """What a function gives; NeverReturns if it raises what only the running graph can raise."""
    try:
        return run(*call.positional, **call.keywords)
    except WantsPythonItems as wanted:
        raise StagingError(*wanted.args).with_traceback(wanted.__traceback__) from None
    except (AutographError, SymbolicTensorError, OutOfScopeError):
        raise
    except Exception as error:
        # Its message is made of tensors, or something is printed, or may be raised, before it.
        if not _acts(graph) and not any(map(holds_symbolic, error.args)):
            raise
        stage_raise(error)
        raise NeverReturns(f"{graph.name} raises {error!r}") from error


_SHOWING = ("TensorPrint", "HostCall", "PrintV2", "PrintString")


def _acts(graph: FunctionGraph) -> bool:
    """Whether a graph, or one that it runs, hands text to the outside or checks something."""
    waiting, seen = [graph], {id(graph)}
    while waiting:
        for op in waiting.pop().operations:
            if op.opdef.checks or op.type in _SHOWING:
                return True
            inner = [found for found in graphs_of(op) if id(found) not in seen]
            seen.update(map(id, inner))
            waiting += inner
    return False


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


def _objects(arguments: Arguments) -> Iterator[int]:
    """Ids of the objects among the arguments that are no containers."""
    stack = [value for _, value in arguments.items()]
    while stack:
        value = stack.pop()
        parts = None if is_leaf(value) else parts_of(value)
        if parts is not None:
            stack += parts[1]
        elif not is_value(value):
            yield id(value)


def _observe(watch: Watch, function: Callable[..., Any], arguments: Arguments) -> None:
    """Shows the watch the function that is traced, with its parameters as roots."""
    owner = getattr(function, "__self__", None)
    plain = getattr(function, "__func__", function)
    while hasattr(plain, "__wrapped__") and not hasattr(plain, "__code__"):
        plain = plain.__wrapped__
    if not hasattr(plain, "__code__"):
        return
    names = list(arguments.names or ())
    roots: dict[str, Root] = {}
    for place, value in arguments.items():
        name = place if isinstance(place, str) else names[place] if place < len(names) else ""
        # What is in a container has been taken apart: it is described by the key.
        if name and not is_leaf(value) and parts_of(value) is None:
            roots[name] = Root(name, place)
    if owner is not None and plain.__code__.co_argcount:
        first = plain.__code__.co_varnames[0]
        roots[first] = Root.at_object(owner, first)
    watch.calls_again(plain)
    watch.observe(plain, roots)


def output_tensor(value: Any) -> Tensor | None:
    """What a function gives as a tensor; None for containers, None and other Python objects."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, Variable | np.ndarray | np.generic | bool | int | float | complex | str):
        return convert_to_tensor(value)
    return None


def tensor_only(value: Any) -> Tensor | None:
    """A value if it is a tensor; None for all others, which stay what they are."""
    return value if isinstance(value, Tensor) else None


def _refuse_changes(watch: Watch, changed: Scope, name: str) -> None:
    """A graph that runs itself changes tensors and variables, not objects of Python."""
    from autograph_lite.function import Function

    for change in watch.changes(changed):
        if isinstance(change.owner, Function):
            continue  # it notes its traces
        raise LostStateError(
            f"{user_location()}: {name} calls itself and changes {change.path}, which a graph "
            "cannot do each time anew; keep it in an ag.Variable, or hand it on and return it"
        )


def _refuse_stores(arguments: Arguments, graph: FunctionGraph, name: str) -> None:
    """A graph that runs itself gets its arrays by value."""
    stored = stores_to_inputs(graph)
    for tensor, argument in zip(graph.inputs, _leaf_names(arguments), strict=False):
        if any(tensor is one for one in stored):
            raise LostStateError(
                f"{user_location()}: {name} calls itself and stores to its argument {argument}, an "
                "array, which a graph cannot do for its caller; store to a copy and return that, "
                "as in `a = a.copy()`, or write a loop"
            )


def _take_state(watch: Watch, changed: Scope, graph: FunctionGraph) -> list[StateWrite]:
    """Puts back what the trace changed to tensors; gives the writes that each call is to do.

    What it changed to Python values stays: that is an effect of the trace.
    """
    writes: list[StateWrite] = []
    changes: list[Change] = []
    left: list[Any] = []
    for change in list(watch.changes(changed)):
        after = settled(change.after)
        if holds_symbolic(after) or watch.is_copy(change.owner):
            left.append(_doubtful(change, after))
            changes.append(change._replace(after=after))
        elif after is not change.after:
            change.put(after)
    for change, found in zip(changes, left, strict=True):
        outputs = OutputTemplate(found, tensor_only)
        if not outputs.tensors and holds_symbolic(change.after):
            raise LostStateError(
                f"{user_location()}: {change.path} is left with {change.after!r}, which exists "
                "only while tracing; give it a tensor, or a structure of tensors"
            )
        first = len(graph.outputs)
        if change.kind not in (StateWrite.EXTEND, StateWrite.CONTENT):
            watch.note_replaced(change, changed)
        filled = watch.is_filled(change)
        writes.append(StateWrite(change.path, change.kind, change.key, outputs, first, filled))
        graph.outputs += [graph.resolve(t) for t in outputs.tensors]
    for change in reversed(changes):
        change.take_back()
    return writes


def _doubtful(change: Change, after: Any) -> Any:
    """What a place is left with, `after` as it is settled: marked if it is on some paths only."""
    known = perhaps((id(change.owner), change.kind, change.key), change.after)
    if isinstance(known, MaybeUnbound):
        return Doubtful(change.key, settled(known.value), known.bound)
    return after


def _undo(watch: Watch, changed: Scope, begins_again: bool) -> None:
    """After a failure: no tensor of the trace stays in what it changed outside of it.

    Where the trace `begins_again`, nothing stays that will be done once more.
    """
    changes = [c for c in watch.changes(changed) if begins_again or holds_symbolic(c.after)]
    for change in reversed(changes):
        change.take_back()
    changed.take_back(numbers=False)


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
