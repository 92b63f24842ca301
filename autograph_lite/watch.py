"""What a trace reads and changes of the Python world around it.

While a function is traced, every function that it calls is shown to the innermost `Watch`, which
finds in its bytecode what it may read (see `autograph_lite.code_reads`) and remembers what is there.
At the end it compares: what stayed the same becomes a guard, tensors become inputs, and what was
given a tensor is put back and becomes an output.
"""

from __future__ import annotations

import copy
import functools
import threading
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from autograph_lite.arguments import Arguments
from autograph_lite.code_reads import FREE, GLOBAL, PARAMETER, Chain, code_reads, parameter_names
from autograph_lite.guards import Guard, guard_for, is_value, same_value
from autograph_lite.operators.calls import call_method, is_library_module, set_watcher
from autograph_lite.paths import ATTRIBUTE, ITEM, MISSING, Path, Root, is_plain, take
from autograph_lite.staging.scopes import ABSENT, Scope
from autograph_lite.state import StateRead, StateWrite
from runtime import nest
from runtime.graph import FunctionGraph
from runtime.locations import user_location
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor
from runtime.variables import Variable

_MOST_ITEMS = 200
"""Containers of more items are not searched for tensors."""


class Watch:
    """Observes one trace. See the module."""

    def __init__(self, arguments: Arguments) -> None:
        self.arguments = arguments
        # Places that observed code may read: path and what was there when it began.
        self.seen: dict[Any, tuple[Path, Any]] = {}
        # Eager tensors found there, by id: the trace's captures are looked up here.
        self.tensors: dict[int, tuple[EagerTensor, Path]] = {}
        # Globals and cells that observed code binds.
        self.bound: dict[Any, tuple[Path, str, Any, Any]] = {}
        self.owners: dict[int, Path] = {}
        self.containers: dict[int, tuple[Any, Any, Path]] = {}
        self.guards: dict[Any, Guard] = {}

    # ---- observing

    def observe(self, function: Any, roots: dict[str, Root]) -> None:
        """Notes what a function may read, before it runs.

        Args:
          function: a Python function, as the user wrote it.
          roots: where its parameters' values can be found again, as far as that is known.
        """
        reads = code_reads(function.__code__)
        for chain in reads.chains:
            path = self._start(chain, function, roots)
            if path is not None:
                self._follow(path, chain)
        for chain in reads.stored:
            path = self._start(chain, function, roots, bind=True)
            if path is not None:
                owner, (kind, key) = Path(path.root, path.steps[:-1]), path.steps[-1]
                value = path.resolve(self.arguments)
                self.bound.setdefault(path.identity, (owner, kind, key, value))

    def _start(
        self, chain: Chain, function: Any, roots: dict[str, Root], bind: bool = False
    ) -> Path | None:
        if chain.kind == GLOBAL:
            space = function.__globals__
            if chain.name not in space and not bind:
                return None
            return Path(Root.keeping(space, ""), ((ITEM, chain.name),))
        if chain.kind == FREE:
            names = function.__code__.co_freevars
            if function.__closure__ is None or chain.name not in names:
                return None
            cell = function.__closure__[names.index(chain.name)]
            return Path(Root.keeping(cell, chain.name), ((ATTRIBUTE, "cell_contents"),))
        root = roots.get(chain.name)
        return None if root is None else Path(root)

    def _follow(self, path: Path, chain: Chain) -> None:
        value = path.resolve(self.arguments)
        if value is MISSING:
            return
        self._own(value, path)
        for kind, key in chain.steps:
            if isinstance(value, Tensor | Variable | np.ndarray) or _is_foreign(value):
                break
            if not is_plain(value, kind, key):
                return
            value = take(value, kind, key)
            path = path.then(kind, key)
            if value is MISSING:
                return
            self._own(value, path)
        if (path.steps or chain.kind != PARAMETER) and not _is_foreign(value):
            self._note(path, value)

    def _own(self, value: Any, path: Path) -> None:
        if not is_value(value):
            self.owners.setdefault(id(value), path)

    def _note(self, path: Path, value: Any) -> None:
        self.seen.setdefault(path.identity, (path, value))
        if type(value) is EagerTensor:
            self.tensors.setdefault(id(value), (value, path))
        elif type(value) in (list, dict, tuple):
            self._search(value, path, [_MOST_ITEMS])

    def _search(self, value: Any, path: Path, budget: list[int]) -> None:
        """Finds the tensors in a container."""
        if id(value) in self.containers or len(value) > budget[0]:
            return
        budget[0] -= len(value)
        if type(value) is not tuple:
            self._own(value, path)
            self.containers[id(value)] = (value, value.copy(), path)
        for key, item in list(value.items() if type(value) is dict else enumerate(value)):
            if type(item) is EagerTensor:
                self.tensors.setdefault(id(item), (item, path.then(ITEM, key)))
            elif type(item) in (list, dict, tuple):
                self._search(item, path.then(ITEM, key), budget)
            elif isinstance(item, Variable):
                self.seen.setdefault(path.then(ITEM, key).identity, (path.then(ITEM, key), item))

    def adopt(self, concrete: Any, arguments: Arguments) -> None:
        """Takes over what a traced function that this one calls depends on.

        Args:
          concrete: the ConcreteFunction that is called.
          arguments: what it is called with.
        """
        for guard in concrete.guards:
            path = _anchored(guard.path, arguments)
            if path.identity not in self.guards:
                moved = copy.copy(guard)
                moved.path = path
                self.guards[path.identity] = moved
        for read in concrete.state_reads:
            path = _anchored(read.path, arguments)
            tensor = path.resolve(self.arguments)
            if type(tensor) is EagerTensor:
                self.tensors.setdefault(id(tensor), (tensor, path))

    # ---- the end of the trace

    def path_to(self, owner: Any) -> Path:
        """How a later call finds an object that this trace changed."""
        known = self.owners.get(id(owner))
        if known is not None and known.resolve(self.arguments) is owner:
            return known
        return Path(Root.at_object(owner, type(owner).__name__.lower()))

    def changes(self, scope: Scope) -> Iterator[tuple[Path, str, Any, Any, Any, Any]]:
        """The places that the trace changed: owner's path, owner, kind, key, before, after."""
        listed: set[int] = set()
        for place, before in scope.changes.values():
            owner = self.path_to(place.owner)
            after = place.read()
            if place.kind == "content":
                listed.add(id(place.owner))
                yield from self._content_changes(owner, place.owner, before, after)
            elif after is not before:
                yield owner, place.owner, place.kind, place.key, before, after
        for owner, kind, key, before in self.bound.values():
            holder = owner.resolve(self.arguments)
            after = take(holder, kind, key)
            if after is not before:
                old, new = (ABSENT if v is MISSING else v for v in (before, after))
                yield owner, holder, kind, key, old, new
        for value, before, path in self.containers.values():
            if id(value) not in listed:
                yield from self._content_changes(path, value, before, value)

    def _content_changes(
        self, path: Path, owner: Any, before: Any, after: Any
    ) -> Iterator[tuple[Path, Any, str, Any, Any, Any]]:
        if type(owner) is list:
            common = min(len(before), len(after))
            for key in range(common):
                if after[key] is not before[key]:
                    yield path, owner, ITEM, key, before[key], after[key]
            if len(after) > common:
                yield path, owner, StateWrite.EXTEND, common, ABSENT, list(after[common:])
        elif type(owner) is dict:
            for key in after:
                old = before.get(key, ABSENT)
                if after[key] is not old:
                    yield path, owner, ITEM, key, old, after[key]

    def state_reads(self, graph: FunctionGraph) -> list[StateRead]:
        """Which captures of a graph are tensors that live in Python objects."""
        reads: list[StateRead] = []
        for number, (outside, inside) in enumerate(graph.captures):
            tensor, path = self.tensors.get(id(outside), (None, None))
            if tensor is outside and path is not None:
                if path.resolve(self.arguments) is tensor:
                    reads.append(StateRead(path, number, inside))
        return reads

    def make_guards(self, reads: list[StateRead]) -> list[Guard]:
        """Guards for what was read and is as it was before the trace."""
        guards = dict(self.guards)
        inputs = {read.path.identity for read in reads}
        for identity, (path, before) in self.seen.items():
            now = path.resolve(self.arguments)
            same = same_value(now, before) if is_value(before) else now is before
            if same and identity not in inputs:
                guard = guard_for(path, before)
                if guard is not None:
                    guards.setdefault(identity, guard)
        return list(guards.values())


def _anchored(path: Path, arguments: Arguments) -> Path:
    """A path that starts at the object which an argument is, rather than at the argument."""
    if path.root.argument is None:
        return path
    return Path(Root.at_object(path.root.resolve(arguments), path.root.text), path.steps)


def _is_foreign(value: Any) -> bool:
    """Whether a value is a module of a library: what is in there counts as constant."""
    if not isinstance(value, types.ModuleType):
        return False
    return is_library_module(value.__name__, getattr(value, "__file__", None) or "<builtin>")


def holds_symbolic(value: Any) -> bool:
    """Whether there is a symbolic tensor in a value."""
    if isinstance(value, SymbolicTensor) or getattr(type(value), "__ag_staged__", False):
        return True
    parts = nest.parts(value)
    return parts is not None and any(map(holds_symbolic, parts[1]))


class _Active(threading.local):
    watches: tuple[Watch, ...] = ()


_active = _Active()


def current_watch() -> Watch | None:
    """The watch of the innermost trace in this thread."""
    return _active.watches[-1] if _active.watches else None


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Within the block, functions that are called are shown to `watch`."""
    before = _active.watches
    _active.watches = (*before, watch)
    try:
        yield
    finally:
        _active.watches = before


def observe_call(called: Any, converted: Any) -> Any:
    """Shows the current watch what converted code is about to call.

    Args:
      called: what the user's code calls.
      converted: its converted form.

    Returns:
      What to call: the converted form.
    """
    watches = _active.watches
    if watches:
        function, owner = _plain(called)
        if function is not None:
            roots: dict[str, Root] = {}
            names = parameter_names(function.__code__)
            if owner is not None and names:
                roots[names[0]] = Root.at_object(owner, _called(owner))
            watches[-1].observe(function, roots)
    return converted


def _plain(called: Any) -> tuple[types.FunctionType | None, Any]:
    """The Python function that a call runs, and the object that it is bound to, if any."""
    owner: Any = None
    while type(called) is functools.partial:
        called = called.func
    if type(called) is types.MethodType:
        called, owner = called.__func__, called.__self__
    if type(called) is types.FunctionType:
        return called, owner
    method = call_method(type(called))
    return method, None if method is None else called


set_watcher(observe_call)


def _called(owner: Any) -> str:
    name = getattr(owner, "__qualname__", None)
    return name if isinstance(name, str) else type(owner).__name__.lower()


__all__ = ["Watch", "current_watch", "holds_symbolic", "observe_call", "user_location", "watching"]
