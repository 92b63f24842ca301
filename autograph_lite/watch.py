"""What a trace reads and changes of the Python world around it.

While a function is traced, every function that it calls is shown to the innermost `Watch`, which
finds in its bytecode what it may read (see `autograph_lite.code_reads`) and remembers what is
there. At the end it compares: what stayed the same becomes a guard, tensors become inputs, and
what was given a tensor is put back and becomes an output.
"""

from __future__ import annotations

import copy
import operator
import types
from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograph_lite.arguments import Arguments
from autograph_lite.changes import Change, appended
from autograph_lite.code_reads import FREE, GLOBAL, PARAMETER, Chain, code_reads
from autograph_lite.guards import (
    DICTS,
    MOST_ITEMS,
    SMALL,
    Guard,
    IdentityGuard,
    MethodGuard,
    PresenceGuard,
    SameObjectGuard,
    ValueGuard,
    guard_for,
    is_container,
    is_value,
    same_value,
)
from autograph_lite.operators.calls import is_library_module
from autograph_lite.paths import (
    ATTRIBUTE,
    ITEM,
    MISSING,
    PRESENCE,
    Path,
    Root,
    function_at,
    is_missing,
    is_plain,
    property_getter,
    take,
)
from autograph_lite.staging import special
from autograph_lite.staging.lists import StagedList
from autograph_lite.staging.scopes import (
    ABSENT,
    Scope,
    is_filled,
    is_ours,
    note,
    tracking,
)
from autograph_lite.state import StateRead, StateWrite
from runtime import nest
from runtime.graph import FunctionGraph
from runtime.tensor import EagerTensor, Tensor
from runtime.variables import Variable

_NO_STATE = (type, types.ModuleType, types.FunctionType, Variable)

_NO_ATTRIBUTES = (*_NO_STATE, Tensor, np.ndarray, np.generic, list, dict, set, frozenset, deque)
_MEASURES = frozenset({"dtype", "nbytes", "ndim", "shape", "size"})
_ONLY_CHANGE = frozenset(
    "add append appendleft clear discard extend extendleft insert remove reverse update".split()
)
"""Methods of containers that give nothing, and do the same whatever is in there."""


class Watch:
    """Observes one trace. See the module."""

    def __init__(self, arguments: Arguments, stand_ins: dict[int, tuple[Any, Any]]) -> None:
        self.arguments = arguments
        # Tensors that stand for arrays from outside, by the arrays' ids.
        self.stand_ins = stand_ins
        # Places of arrays, by the arrays' ids.
        self.arrays: dict[int, tuple[Any, Path]] = {}
        # Ids of arrays whose elements were used as Python values.
        self.looked_at: set[int] = set()
        # Places to which the trace has given tensors, and what was there, if it was no tensor.
        self.replaced: list[tuple[Path, Any]] = []
        # Places of large arrays whose sizes are read.
        self.measured: dict[Any, tuple[Path, Any]] = {}
        # Names of attributes that observed code assigns to.
        self.assigned: set[str] = set()
        # Names of attributes that observed code reads.
        self.loaded: set[str] = set()
        # Objects that can be reached, with their attributes as they were, by id.
        self.objects: dict[int, tuple[Any, dict[str, Any], Path]] = {}
        # Places that observed code may read: path and what was there when it began.
        self.seen: dict[Any, tuple[Path, Any]] = {}
        # Eager tensors found there, by id: the trace's captures are looked up here.
        self.tensors: dict[int, tuple[EagerTensor, Path]] = {}
        # Globals and cells that observed code binds.
        self.bound: dict[Any, tuple[Path, str, Any, Any]] = {}
        # The places of these, by the ids of what they are in.
        self.names: set[Any] = set()
        self.owners: dict[int, Path] = {}
        self.containers: dict[int, tuple[Any, Any, Path]] = {}
        # Objects found in containers, by id: code may reach their attributes in a loop.
        self.contained: dict[int, tuple[Any, Path]] = {}
        # Functions that were observed, with the objects handed to them.
        self.observed: dict[Any, Any] = {}
        # Code of the functions that were called, by id.
        self.codes: dict[int, types.CodeType] = {}
        # For plain functions that call themselves: what traces them, by the id of their code.
        self.helpers: dict[int, Any] = {}
        # Containers among the arguments are copied for the trace: the copies, by id.
        self.copies: dict[int, tuple[Any, Path]] = {}
        self.guards: dict[Any, Guard] = {}
        # Methods that observed code calls, and attributes of which it asks whether they are there.
        self.attributes: dict[Any, MethodGuard | PresenceGuard] = {}

    # ---- observing

    def observe_arguments(self, call: Arguments) -> None:
        """Notes the containers that stand for the call's own while tracing."""
        names = call.names or ()
        for place, value in call.items():
            known = isinstance(place, int) and place < len(names)
            text = names[place] if known else str(place)  # type: ignore[index]
            self._observe_copy(value, Path(Root(text, place)))

    def _observe_copy(self, value: Any, path: Path) -> None:
        parts = None if isinstance(value, Tensor) else nest.parts(value)
        special.meet(type(value))
        if parts is None:
            if path.steps:
                self._note_contained(value, path)
            return
        self.copies[id(value)] = (value, path)
        if type(value) is dict:
            self.containers[id(value)] = (value, value.copy(), path)
            for key, item in value.items():
                self._observe_copy(item, path.then(ITEM, key))
        elif isinstance(value, list) or type(value) is tuple:
            if isinstance(value, list):
                self.containers[id(value)] = (value, list(value), path)
            for number, item in enumerate(value):
                self._observe_copy(item, path.then(ITEM, number))
        elif isinstance(parts[0], tuple) and not isinstance(value, dict):
            for name, item in zip(parts[0][1], parts[1], strict=True):
                self._observe_copy(item, path.then(ATTRIBUTE, name))

    def observe(self, function: Any, roots: dict[str, Root]) -> None:
        """Notes what a function may read, before it runs.

        Args:
          function: a Python function, as the user wrote it.
          roots: where its parameters' values can be found again, as far as that is known.
        """
        reads = code_reads(function.__code__)
        known = (id(function), *(root.identity for root in roots.values()))
        is_new = known not in self.observed
        self.observed[known] = function
        self.assigned |= reads.assigned
        self.loaded |= reads.loaded
        for chain in reads.chains if is_new else ():
            path = self._start(chain, function, roots)
            if path is not None:
                self._follow(path, chain)
        if is_new:
            self._look_into_contained(reads.loaded)
        for chain in reads.stored:
            path = self._start(chain, function, roots, bind=True)
            if path is not None:
                owner, (kind, key) = Path(path.root, path.steps[:-1]), path.steps[-1]
                value = path.resolve(self.arguments)
                self.names.add((id(owner.resolve(self.arguments)), kind, key))
                self.bound.setdefault(path.identity, (owner, kind, key, value))
                if tracking():
                    # A branch that calls the function hands on what it binds.
                    note(owner.resolve(self.arguments), kind, key)

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
        if root is None:
            return None
        root.made_here = root.is_passing and is_ours(root.resolve(self.arguments))
        return Path(root)

    def _follow(self, path: Path, chain: Chain) -> None:
        value = path.resolve(self.arguments)
        if value is MISSING:
            return
        self._own(value, path)
        for kind, key in chain.steps:
            if kind == PRESENCE:
                self._note_presence(path.then(ATTRIBUTE, key), value)
                return
            if isinstance(value, Tensor | Variable | np.ndarray) or _is_foreign(value):
                if kind == ATTRIBUTE and key in _MEASURES and type(value) is np.ndarray:
                    if value.size > SMALL and (path.steps or chain.kind != PARAMETER):
                        # Nothing asks for its elements: it only has to be the same array.
                        self.measured.setdefault(path.identity, (path, value))
                        return
                if kind == ITEM:
                    self.looked_at.add(id(value))
                break
            if not is_plain(value, kind, key):
                if kind == ATTRIBUTE and is_missing(value, key):
                    place = path.then(kind, key)
                    self.seen.setdefault(place.identity, (place, MISSING))
                elif kind == ATTRIBUTE and (getter := property_getter(value, key)):
                    self._follow_property(path, value, getter)
                elif kind == ATTRIBUTE and (function := function_at(value, key)):
                    self._note_method(path.then(kind, key), function)
                elif key in _ONLY_CHANGE:
                    self._search_container(value, path)
                elif is_container(value):
                    # One of its methods is called, which may read all of it.
                    self._note_value(path, value, chain)
                return
            value = take(value, kind, key)
            path = path.then(kind, key)
            if value is MISSING:
                return
            self._own(value, path)
        self._note_value(path, value, chain)

    def _note_presence(self, path: Path, owner: Any) -> None:
        """Notes whether an object, which has no code of its own for that, has an attribute."""
        _, name = path.steps[-1]
        if is_missing(owner, name):
            self.seen.setdefault(path.identity, (path, MISSING))
        elif is_plain(owner, ATTRIBUTE, name):
            self.attributes.setdefault((*path.identity, PRESENCE), PresenceGuard(path, True))

    def _note_method(self, path: Path, function: types.FunctionType) -> None:
        if not is_library_module(function.__module__, function.__code__.co_filename):
            self.attributes.setdefault(path.identity, MethodGuard(path, function))

    def _follow_property(self, path: Path, value: Any, function: Any) -> None:
        """Notes what the code of a property may read of its object, and of globals."""
        known = (id(value), id(function))
        if known in self.observed:
            return
        # Both stay alive, so that their ids stay taken.
        self.observed[known] = (value, function)
        owner = function.__code__.co_varnames[:1]
        for chain in code_reads(function.__code__).chains:
            if chain.kind != PARAMETER:
                start = self._start(chain, function, {})
            else:
                start = path if (chain.name,) == owner else None
            if start is not None:
                self._follow(start, chain)

    def _note_value(self, path: Path, value: Any, chain: Chain) -> None:
        if (path.steps or chain.kind != PARAMETER) and not _is_foreign(value):
            self._note(path, value)
        else:
            self._search_container(value, path)

    def _own(self, value: Any, path: Path) -> None:
        if is_value(value) or id(value) in self.owners:
            return
        self.owners[id(value)] = path
        special.meet(type(value))
        if path.root.is_passing or is_ours(value):
            # The trace may have made it itself.
            return
        attributes = getattr(value, "__dict__", None)
        if type(attributes) is dict and not isinstance(value, _NO_STATE):
            if len(attributes) <= MOST_ITEMS:
                self.objects[id(value)] = (value, attributes.copy(), path)

    def _note(self, path: Path, value: Any) -> None:
        self.seen.setdefault(path.identity, (path, value))
        if type(value) is EagerTensor:
            self._note_tensor(value, path)
        elif type(value) is np.ndarray and value.dtype.kind in "biufc":
            if is_ours(value):
                # The trace has made it itself, whatever has been found to hold it.
                return
            self.arrays.setdefault(id(value), (value, path))
        else:
            self._search_container(value, path)

    def _note_tensor(self, tensor: EagerTensor, path: Path) -> None:
        known = self.tensors.setdefault(id(tensor), (tensor, path))
        if known[1] is not path:
            # It is in two places, and an input can follow one of them only.
            self.seen.setdefault(path.identity, (path, tensor))

    def stand_in(self, array: Any) -> Tensor | None:
        """The tensor that stands for an array from outside while tracing, if it is one."""
        known = self.arrays.get(id(array))
        if known is None or known[0] is not array:
            return None
        made = self.stand_ins.get(id(array))
        if made is None:
            made = self.stand_ins[id(array)] = (array, EagerTensor(np.array(array)))
        self.tensors.setdefault(id(made[1]), (made[1], known[1]))
        return made[1]

    def _search_container(self, value: Any, path: Path) -> None:
        if is_container(value):
            self._search(value, path, [MOST_ITEMS])

    def _search(self, value: Any, path: Path, budget: list[int]) -> None:
        """Finds the tensors in a container."""
        if id(value) in self.containers or len(value) > budget[0]:
            return
        budget[0] -= len(value)
        kind = type(value)
        if kind is not frozenset and not isinstance(value, tuple):
            self._own(value, path)
        self.containers[id(value)] = (value, copy.copy(value), path)
        if kind is set or kind is frozenset:
            return
        for key, item in list(value.items() if kind in DICTS else enumerate(value)):
            self._note_item(path.then(ITEM, key), item, budget)

    def _note_item(self, path: Path, item: Any, budget: list[int]) -> None:
        kind = type(item)
        if kind is EagerTensor:
            self._note_tensor(item, path)
        elif is_container(item):
            self._search(item, path, budget)
        elif kind is np.ndarray or isinstance(item, Variable):
            self._note(path, item)
        else:
            self._note_contained(item, path)

    def _note_contained(self, item: Any, path: Path) -> None:
        if not (is_value(item) or isinstance(item, _NO_ATTRIBUTES) or is_ours(item)):
            self.contained.setdefault(id(item), (item, path))

    def _look_into_contained(self, names: frozenset[str]) -> None:
        """Notes these attributes of the objects in containers, and of those that they lead to."""
        waiting = list(self.contained.values())
        for item, path in waiting:
            known = len(self.contained)
            for name in names:
                value = take(item, ATTRIBUTE, name) if is_plain(item, ATTRIBUTE, name) else MISSING
                if value is not MISSING:
                    self._note(path.then(ATTRIBUTE, name), value)
                    self._note_contained(value, path.then(ATTRIBUTE, name))
            waiting += list(self.contained.values())[known:]

    def calls_again(self, function: Any) -> bool:
        """Whether a function is called for at least the second time in this trace."""
        code = function.__code__
        known = id(code) in self.codes
        self.codes[id(code)] = code
        return known

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
                if isinstance(moved, SameObjectGuard):
                    moved.other = _anchored(moved.other, arguments)
                self.guards[path.identity] = moved
        for read in concrete.state_reads:
            path = _anchored(read.path, arguments)
            tensor = path.resolve(self.arguments)
            if type(tensor) is EagerTensor:
                self._note_tensor(tensor, path)
            elif type(tensor) is np.ndarray:
                self.seen.setdefault(path.identity, (path, tensor))
                self.arrays.setdefault(id(tensor), (tensor, path))

    def owns(self, value: Any) -> bool:
        """Whether a value is an object from outside that the traced code has been seen to read."""
        return id(value) in self.owners

    # ---- the end of the trace

    def path_to(self, owner: Any) -> Path:
        """How a later call finds an object that this trace changed."""
        copied = self.copies.get(id(owner))
        if copied is not None and copied[0] is owner:
            return copied[1]
        known = self.owners.get(id(owner))
        if known is not None and known.resolve(self.arguments) is owner:
            return known
        return Path(Root.at_object(owner, type(owner).__name__.lower()))

    def changes(self, scope: Scope) -> Iterator[Change]:
        """The places that the trace changed, each once."""
        known: set[Any] = set()
        for change in self._all_changes(scope):
            place = (id(change.owner), change.kind, change.key)
            if place not in known:
                known.add(place)
                yield change

    def _all_changes(self, scope: Scope) -> Iterator[Change]:
        listed: set[int] = set()
        for place, before in scope.changes.values():
            owner = self.path_to(place.owner)
            after = place.read()
            if place.kind == "content":
                listed.add(id(place.owner))
                yield from self._content_changes(owner, place.owner, before, after)
            elif after is not before:
                yield Change(owner, place.owner, place.kind, place.key, before, after)
        for value, attributes, path in list(self.objects.values()):
            for key, after in list(vars(value).items()):
                before = attributes.get(key, ABSENT)
                if after is not before:
                    yield Change(path, value, ATTRIBUTE, key, before, after)
        for owner, kind, key, before in self.bound.values():
            holder = owner.resolve(self.arguments)
            after = take(holder, kind, key)
            if after is not before:
                old, new = (ABSENT if v is MISSING else v for v in (before, after))
                yield Change(owner, holder, kind, key, old, new)
        for value, before, path in self.containers.values():
            if id(value) not in listed:
                yield from self._content_changes(path, value, before, value)

    def _content_changes(self, path: Path, owner: Any, before: Any, after: Any) -> Iterator[Change]:
        if isinstance(owner, StagedList) and owner.items is not None:
            yield Change(path, owner, StateWrite.CONTENT, None, before, owner)
        elif isinstance(owner, list):
            common = min(len(before), len(after))
            for key in range(common):
                if after[key] is not before[key]:
                    yield Change(path, owner, ITEM, key, before[key], after[key])
            if len(after) > common:
                rest = list(after[common:])
                yield Change(path, owner, StateWrite.EXTEND, common, ABSENT, rest)
        elif type(owner) is deque:
            new = appended(before, after)
            if new:
                yield Change(path, owner, StateWrite.EXTEND, len(before), before, new)
        elif type(owner) in DICTS:
            for key in after:
                old = before.get(key, ABSENT)
                if after[key] is not old:
                    yield Change(path, owner, ITEM, key, old, after[key])

    def is_filled(self, change: Change) -> bool:
        """Whether a change was made to the elements of an array that stays where it is."""
        return (
            type(change.before) is np.ndarray
            and isinstance(change.after, Tensor)
            and (is_filled(change.before) or self._is_array_of_its_owner(change))
        )

    def _is_array_of_its_owner(self, change: Change) -> bool:
        """Whether no observed code gives the attribute another array."""
        return change.kind == ATTRIBUTE and change.key not in self.assigned

    def note_replaced(self, change: Change, scope: Scope) -> None:
        """Notes what a tensor has taken the place of, where the trace may have relied on it."""
        path = change.path.then(change.kind, change.key)
        if type(change.before) is EagerTensor:
            # Where a branch leaves the place alone, what was there is handed on.
            self._note_tensor(change.before, path)
        elif change.before is ABSENT:
            self.replaced.append((path, ABSENT))
        elif is_value(change.before) and (
            self._may_be_read(change) or scope.may_leave(change.owner, change.kind, change.key)
        ):
            self.replaced.append((path, change.before))

    def _may_be_read(self, change: Change) -> bool:
        """Whether the code that was observed may read a place, for all its bytecode tells."""
        if change.kind == ITEM:
            return (id(change.owner), ITEM, change.key) not in self.names
        named = change.key in self.assigned or change.key == "cell_contents"
        return change.key in self.loaded or not named

    def is_copy(self, owner: Any) -> bool:
        """Whether an object stands for one of the call's own while tracing."""
        return id(owner) in self.copies and self.copies[id(owner)][0] is owner

    def state_reads(self, graph: FunctionGraph) -> list[StateRead]:
        """Which captures of a graph are tensors that live in Python objects."""
        reads: list[StateRead] = []
        for number, (outside, inside) in enumerate(graph.captures):
            tensor, path = self.tensors.get(id(outside), (None, None))
            if tensor is outside and path is not None and not path.root.made_here:
                found = path.resolve(self.arguments)
                if found is tensor:
                    reads.append(StateRead(path, number, inside))
                elif id(found) in self.arrays and self.stand_in(found) is tensor:
                    reads.append(StateRead(path, number, inside, is_array=True))
        return reads

    def _has_changed(self, value: Any) -> bool:
        """Whether the trace has changed the items of a list or dict."""
        known = self.containers.get(id(value))
        if known is None:
            return type(value) in (list, dict)
        if isinstance(value, set):
            return bool(known[0] != known[1])
        items, before = (list(v.values() if type(v) in DICTS else v) for v in known[:2])
        return len(items) != len(before) or any(map(operator.is_not, items, before))

    def _before_shrinking(self, value: Any) -> Any:
        """What was in a container before the trace, if the trace has taken items out of it."""
        known = self.containers.get(id(value))
        if known is None or known[0] is not value or isinstance(value, StagedList):
            return None
        before = known[1]
        gone = any(k not in value for k in before) if type(before) in DICTS else False
        return before if gone or len(value) < len(before) else None

    def _place(self, path: Path) -> Any:
        """Equal for paths that lead to one place."""
        if not path.steps:
            return path.identity
        owner = Path(path.root, path.steps[:-1]).resolve(self.arguments)
        return (id(owner), path.steps[-1])

    def make_guards(self, reads: list[StateRead]) -> list[Guard]:
        """Guards for what was read and is as it was before the trace."""
        guards = dict(self.guards)
        guards.update((k, g) for k, g in self.attributes.items() if g.holds(self.arguments))
        for path, before in self.replaced:
            absent = before is ABSENT
            guards[path.identity] = (
                PresenceGuard(path, False) if absent else ValueGuard(path, before)
            )
        inputs = {self._place(read.path) for read in reads}
        followed = {id(read.path.resolve(self.arguments)): read.path for read in reads}
        for identity, (path, before) in self.seen.items():
            now = path.resolve(self.arguments)
            same = same_value(now, before) if is_value(before) else now is before
            is_data = type(before) in (EagerTensor, np.ndarray)
            is_input = is_data and self._place(path) in inputs
            shrunk = self._before_shrinking(before)
            if shrunk is not None or (now is MISSING and before is not MISSING):
                # What is gone is gone for the next call, too, which is another trace's then.
                guard = guard_for(path, before if shrunk is None else shrunk)
                if guard is not None:
                    guards.setdefault(identity, guard)
                continue
            if same and is_data and not is_input and id(now) in followed:
                guards[identity] = SameObjectGuard(path, followed[id(now)])
                continue
            handed_in = is_input and id(now) not in self.looked_at
            if same and not handed_in and not self._has_changed(before):
                guard = guard_for(path, before, self.containers)
                if guard is not None:
                    guards.setdefault(identity, guard)
        for identity, (path, array) in self.measured.items():
            known = identity in self.seen or self._place(path) in inputs
            if not known and path.resolve(self.arguments) is array:
                guards.setdefault(identity, IdentityGuard(path, array))
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
