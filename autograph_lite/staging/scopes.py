"""Tracing a branch or a loop body, and noting what it changes outside of its own names.

Converted code stores into attributes and items through `ag__.tracked`, which notes every change in
the innermost *scope*. When a branch has been traced, its changes are taken back and become values
that the `If` or `While` hands on, just like those of the user's variables.
"""

from __future__ import annotations

import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CellType, FunctionType
from typing import Any

from autograph_lite.errors import AutographError, StagingError
from autograph_lite.operators.undefined import Undefined
from autograph_lite.staging import leaks
from autograph_lite.staging.raising import stage_raise
from autograph_lite.staging.unrolling import GrowsWithEachPass
from runtime import nest
from runtime.context import building, current_graph
from runtime.errors import OutOfScopeError, SymbolicTensorError
from runtime.graph import FunctionGraph
from runtime.handles import ArrayHandle
from runtime.locations import user_location
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor


class _Absent:
    """Stands for an attribute or item that does not exist."""

    def __repr__(self) -> str:
        return "<absent>"


ABSENT = _Absent()


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """An attribute or item of an object, which staged code has changed.

    Attributes:
      owner: the object.
      kind: "attribute", "item", or "content" for all that is in a list, dict or set.
      key: the attribute's name, or the item's key.
    """

    owner: Any
    kind: str
    key: Any

    @property
    def identity(self) -> tuple[int, str, Any]:
        """Equal for two places that are the same one."""
        return (id(self.owner), self.kind, self.key)

    @property
    def name(self) -> str:
        """What an error message calls the place."""
        owner = getattr(self.owner, "place_kind", type(self.owner).__name__)
        if self.kind == "content":
            return f"the {owner}"
        return f"{owner}.{self.key}" if self.kind == "attribute" else f"{owner}[{self.key!r}]"

    def read(self) -> Any:
        """What is there now, a `MaybeUnbound` if on some paths only; ABSENT if nothing is."""
        found = self.held()
        return found if self.kind == "content" else _presence().perhaps(self.identity, found)

    def held(self) -> Any:
        """What is really there now; ABSENT if nothing is."""
        try:
            if self.kind == "content":
                return _content(self.owner)
            if self.kind == "attribute":
                return getattr(self.owner, self.key)
            if isinstance(self.owner, dict):
                # Not `[]`: a dict with defaults would make the item.
                return dict.get(self.owner, self.key, ABSENT)
            return self.owner[self.key]
        except (AttributeError, KeyError, IndexError, ValueError):
            return ABSENT

    def write(self, value: Any) -> None:
        """Puts a value there, or removes what is there if it is ABSENT or undefined."""
        if self.kind == "content":
            _replace_content(self.owner, value)
            return
        if value is ABSENT or isinstance(value, Undefined):
            if self.read() is not ABSENT:
                self._remove()
            return
        presence = _presence()
        presence.forget(self.identity)
        if type(value) is presence.MaybeUnbound:
            value = presence.hold(self, value)
        if self.kind == "attribute":
            _set_attribute(self.owner, self.key, value)
        else:
            self.owner[self.key] = value

    def put_back(self, held: Any, known: Any) -> None:
        """Puts there what `held()` has given before, of which `read()` has given `known`."""
        self.write(held)
        if known is not held and held is not ABSENT and self.kind != "content":
            _presence().remember(self, held, known)

    def error(self) -> Exception:
        """What Python raises for reading the place when nothing is there."""
        if self.kind == "attribute":
            kind = type(self.owner).__name__
            return AttributeError(f"{kind!r} object has no attribute {self.key!r}")
        return KeyError(self.key) if isinstance(self.owner, dict) else IndexError(self.key)

    def _remove(self) -> None:
        if self.kind == "attribute":
            delattr(self.owner, self.key)
        else:
            del self.owner[self.key]


def _set_attribute(owner: Any, name: str, value: Any) -> None:
    """Puts a value back where it was: what a class does on storing has been done."""
    if isinstance(type(owner).__setattr__, FunctionType):
        object.__setattr__(owner, name, value)
    else:
        setattr(owner, name, value)


def _content(owner: Any) -> Any:
    if isinstance(owner, deque):
        return list(owner)
    snapshot = getattr(owner, "snapshot", None)
    return snapshot() if snapshot is not None else owner.copy()


def _replace_content(owner: Any, value: Any) -> None:
    restore = getattr(owner, "restore", None)
    if restore is not None:
        restore(value)
    elif isinstance(value, list) and getattr(value, "items", None) is not None:
        # A list of the graph, of any length.
        if isinstance(owner, deque):
            raise GrowsWithEachPass(
                f"{user_location()}: the length of a deque comes to depend on a tensor; use a "
                "list, with append, pop(0) and `items[-n:]`"
            )
        raise StagingError(
            f"{user_location()}: the length of {owner!r} comes to depend on a tensor, but the "
            "list was not made by the code that is traced; make it there, as in `rows = []`, or "
            "use a TensorArray"
        )
    elif isinstance(owner, set) and not isinstance(value, set):
        raise StagingError(leaks.refusal(owner))
    elif isinstance(owner, list):
        owner[:] = value
    elif isinstance(owner, deque):
        owner.clear()
        owner.extend(value)
    else:
        owner.clear()
        owner.update(value)


@dataclass(slots=True)
class Arrays:
    """What a trace of a function knows of NumPy's arrays.

    Attributes:
      sites: each array that the trace has made, and where, by its id.
      constants: tensors made of arrays, and the arrays, by the tensors' ids.
      gone_over: what loops go over now.
      choices: what the inputs of the graphs of handlers may be, with these, by their ids.
      lists: lists that have held arrays of NumPy's, by their ids.
      taken: arrays that have been taken from lists of the graph, and the lists, by their ids.
      lent: tensors, and arrays of NumPy's, that have been put into lists of the graph, by id.
      made: tensors that stand for arrays of NumPy's, by id.
      stored: tensors that were stored to, by id.
      plain: whether tensors come of arguments, operators and NumPy's functions only, by id.
      carried: tensors that stand, in loops, for what operators have given, by id.
      symbolic: where arrays are made that have to be tensors from the start.
    """

    sites: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    constants: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    choices: dict[int, list[Any]] = field(default_factory=dict)
    lists: dict[int, Any] = field(default_factory=dict)
    taken: dict[int, tuple[Any, Any]] = field(default_factory=dict)
    lent: dict[int, Any] = field(default_factory=dict)
    gone_over: list[Any] = field(default_factory=list)
    made: dict[int, Any] = field(default_factory=dict)
    stored: dict[int, Any] = field(default_factory=dict)
    plain: dict[int, tuple[Any, bool]] = field(default_factory=dict)
    carried: dict[int, Any] = field(default_factory=dict)
    symbolic: frozenset[Any] = frozenset()


class Scope:
    """The changes of one traced branch, loop body or function."""

    def __init__(self) -> None:
        self.changes: dict[tuple[int, str, Any], tuple[Place, Any]] = {}
        # What was really in those places.
        self.held: dict[tuple[int, str, Any], Any] = {}
        # Objects made in the scope, by id: what happens to them is nobody's business outside.
        self.born: dict[int, Any] = {}
        # Those among them that can change without staging knowing of it.
        self.watched: dict[int, Any] = {}
        # The keys of dicts, in order, as they were before items were added or deleted.
        self.orders: dict[int, tuple[Any, list[Any]]] = {}
        # Arrays whose elements are set: a tensor stands for them until the trace ends.
        self.filled: dict[int, Any] = {}
        # Copies of the caller's containers: made for the trace, but changes of them are noted.
        self.copies: dict[int, Any] = {}
        # Lists of the graph, objects that parts inside have put into them, and their indices there.
        self.put_elsewhere: list[tuple[Any, Any, set[int]]] = []
        # Of the outermost scope: all objects that the trace has made, in parts that are over too.
        self.ever_born: dict[int, Any] = {}
        # What is lent of lists of the graph: see `autograph_lite.staging.loans`.
        self.loans: dict[int, list[Any]] = {}
        # The graph that is built in it.
        self.graph: Any = current_graph()
        # Places that only branches and loops change: what was there may be there after them, too.
        self.perhaps_changed: set[tuple[int, str, Any]] = set()
        # Whether it is that of a whole function.
        self.is_function = False
        # Arrays that the trace knows more of: see `autograph_lite.staging.array_stores`.
        self.contents: dict[int, Any] = {}
        self.arrays = Arrays()
        # Of the outermost scope: Python's iterators that loops have left where a tensor decides.
        self.left: dict[int, Any] = {}
        # What variables of loops may be, by the ids of their tensors: see `possible_values`.
        self.carried: dict[int, Any] = {}

    def note(self, place: Place, before: Any) -> None:
        """Notes that a place is about to change from `before`."""
        self.changes.setdefault(place.identity, (place, before))
        self.held.setdefault(place.identity, place.held() if place.kind != "content" else before)
        if place.kind == "item" and isinstance(place.owner, dict):
            self.orders.setdefault(id(place.owner), (place.owner, list(place.owner)))

    def hand_over(self) -> None:
        """Tells the scope around this one what has changed in it."""
        if _scopes.stack:
            outer = _scopes.stack[-1]
            for place, before in self.changes.values():
                if id(place.owner) not in outer.born:
                    outer.held.setdefault(place.identity, self.held.get(place.identity, before))
                    outer.note(place, before)
            outer.born.update(self.born)
            outer.watched.update(self.watched)
            for part, loans in self.loans.items():
                outer.loans.setdefault(part, []).extend(loans)
                for loan in loans:
                    loan.scope = outer

    def forget_variables(self, graph: FunctionGraph) -> None:
        """Leaves to the traced code's own variables the places that held a tensor of its graph.

        So it is with a `global` name that a branch assigns to, and a function called in it as well.
        """
        for identity, (_, before) in list(self.changes.items()):
            if isinstance(before, SymbolicTensor) and before.graph is graph:
                memory = _memory_of(before)
                if memory is None or id(memory) in self.born:
                    del self.changes[identity]

    def has_staged_changes(self) -> bool:
        """Whether a place has changed that belongs to the graph."""
        changes = self.changes.values()
        return any(_is_staged_change(place, before, place.read()) for place, before in changes)

    def _begun(self, after: dict[tuple[int, str, Any], Any]) -> set[int]:
        """Ids of the objects from outside that the scope has set up: given a Variable, say.

        That is done once, and so is what is noted of it, `self.built = True`.
        """
        return {
            id(place.owner)
            for identity, (place, before) in self.changes.items()
            if place.kind != "content"
            and not isinstance(after[identity], _PLAIN)
            and not _is_staged_change(place, before, after[identity])
        }

    def may_leave(self, owner: Any, kind: str, key: Any) -> bool:
        """Whether only branches and loops change a place, so that it may stay as it was."""
        found = self.perhaps_changed
        return (id(owner), kind, key) in found or (id(owner), "content", None) in found

    def take_back(self, numbers: bool = True) -> dict[tuple[int, str, Any], Any]:
        """Restores every place; gives what was there at the end of the scope.

        Places of objects from outside of the trace into which nothing staged was put, nor another
        number or text, are left alone: what a trace does to Python's own state, it does once, there
        and then.

        Args:
          numbers: whether numbers and text of objects from outside are put back too.
        """
        after = {identity: place.read() for identity, (place, _) in self.changes.items()}
        begun = self._begun(after)
        for identity, (place, before) in list(self.changes.items()):
            if not _is_staged_change(place, before, after[identity]):
                is_set_up = id(place.owner) in begun and isinstance(before, _UNSET)
                if not numbers or is_set_up or not _is_counted(place, before, after[identity]):
                    del self.changes[identity], after[identity]
        outer = [scope.changes for scope in _scopes.stack if scope is not self]
        for identity in self.changes:
            if not any(identity in changes for changes in outer):
                _scopes.stack[0].perhaps_changed.add(identity)
        self.put_back()
        for owner, order in self.orders.values():
            _put_in_order(owner, order)
        return after

    def put_back(self) -> None:
        """Restores every place."""
        for place, before in reversed(self.changes.values()):
            place.put_back(self.held.get(place.identity, before), before)


def _put_in_order(owner: dict[Any, Any], order: list[Any]) -> None:
    """Brings the keys of a dict into the order that they had."""
    if list(owner) == order or len(owner) != len(order) or any(key not in owner for key in order):
        return
    for key in order:
        owner[key] = owner.pop(key)


def _is_staged_change(place: Place, before: Any, after: Any) -> bool:
    return is_ours(place.owner) or _holds_staged(before, after)


_UNSET = (bool, type(None), _Absent)
_PLAIN = (bool, int, float, complex, str, type(None), _Absent)


def _is_counted(place: Place, before: Any, after: Any) -> bool:
    """Whether a place has been given another number or text, as the graph can do on one path.

    A variable outside that a function binds is another thing: it counts what is traced.
    """
    if _is_of_variables(place.owner):
        return False
    if place.kind == "content":
        if not (type(before) is type(after) is list and len(before) == len(after)):
            return False
        pairs = [(a, b) for a, b in zip(before, after, strict=True) if a is not b]
        return bool(pairs) and all(_is_other_number(a, b) for a, b in pairs)
    if place.kind == "item" and before is ABSENT:
        # A dict that remembers what has been computed knows it on every path.
        return False
    return _is_other_number(before, after)


def _is_of_variables(owner: Any) -> bool:
    """Whether an object holds a variable of a function, or those of a module."""
    return type(owner) is CellType or (type(owner) is dict and "__builtins__" in owner)


def _is_other_number(before: Any, after: Any) -> bool:
    if isinstance(before, EagerTensor):  # what an earlier call has left
        return isinstance(after, _PLAIN)
    if not (isinstance(before, _PLAIN) and isinstance(after, _PLAIN)):
        return False
    if {type(before), type(after)} <= {type(None), _Absent}:
        return False
    return type(before) is not type(after) or repr(before) != repr(after)


def _holds_staged(*values: Any) -> bool:
    """Whether there is anything staged in the values, or in containers among them."""
    for value in values:
        if getattr(type(value), "__ag_staged__", False) or hasattr(type(value), "flows"):
            return True
        parts = nest.parts(value)
        if parts is not None and _holds_staged(*parts[1]):
            return True
    return False


class _Scopes(threading.local):
    stack: tuple[Scope, ...] = ()
    # What `sys.stdout` and `sys.stderr` were before the trace.
    streams: tuple[Any, Any] = (None, None)


_scopes = _Scopes()


def tracking() -> bool:
    """Whether changes of attributes and items are being noted in this thread."""
    return bool(_scopes.stack)


def fill(array: Any) -> None:
    """Notes that elements of an array from outside are set."""
    _scopes.stack[0].filled[id(array)] = array


def is_filled(array: Any) -> bool:
    """Whether elements of an array have been set in the trace that goes on."""
    return bool(_scopes.stack) and id(array) in _scopes.stack[0].filled


def streams_outside() -> tuple[Any, Any]:
    """What `sys.stdout` and `sys.stderr` were before the trace that goes on."""
    return _scopes.streams


def is_ours(owner: Any) -> bool:
    """Whether an object has been made in the trace that goes on."""
    return is_among(owner, _scopes.stack)


def is_among(owner: Any, scopes: tuple[Scope, ...]) -> bool:
    """Whether an object has been made in one of these scopes."""
    return any(id(owner) in scope.born or id(owner) in scope.copies for scope in scopes)


def is_copy(owner: Any) -> bool:
    """Whether an object stands for one of the caller's, which will see what becomes of it."""
    return any(id(owner) in scope.copies for scope in _scopes.stack)


def was_born(owner: Any) -> bool:
    """Whether the trace that goes on has made an object, be it in a part that is over."""
    return bool(_scopes.stack) and id(owner) in _scopes.stack[0].ever_born


@contextmanager
def seen_from(scopes: tuple[Scope, ...]) -> Iterator[None]:
    """Within the block, what scopes inside of these have made is made in a part that is over."""
    before, _scopes.stack = _scopes.stack, scopes
    try:
        yield
    finally:
        _scopes.stack = before


_knows_outside: list[Callable[[Any], bool]] = []


def set_outside(knows: Callable[[Any], bool]) -> None:
    """Has `knows` asked whether an object was there before the trace that goes on."""
    _knows_outside[:] = [knows]


def is_outside(owner: Any) -> bool:
    """Whether an object that the traced code has been seen to read was there before the trace."""
    if was_born(owner) or is_ours(owner):
        return False
    return any(knows(owner) for knows in _knows_outside)


def stack() -> tuple[Scope, ...]:
    """The scopes that are open, the innermost last."""
    return _scopes.stack


def innermost() -> Scope | None:
    """The scope in which changes are noted; None if they are not."""
    return _scopes.stack[-1] if _scopes.stack else None


def made_outside(owner: Any) -> bool:
    """Whether an object has been made in the trace, but not in the innermost branch or loop."""
    found = [id(owner) in scope.born for scope in _scopes.stack]
    return any(found) and not found[-1] and type(owner).__module__ in ("builtins", "itertools")


def depth() -> int:
    """How many branches, loop bodies and functions are being traced, one inside the other."""
    return len(_scopes.stack)


def note(owner: Any, kind: str, key: Any) -> None:
    """Notes, in the innermost scope, that a place is about to change."""
    innermost = _scopes.stack[-1]
    place = Place(owner, kind, key)
    if id(owner) not in innermost.born and place.identity not in innermost.changes:
        innermost.note(place, place.read())
    _presence().forget(place.identity)


def born(owner: Any) -> None:
    """Notes that an object has been made in the innermost scope."""
    if _scopes.stack:
        innermost = _scopes.stack[-1]
        innermost.born[id(owner)] = owner
        _scopes.stack[0].ever_born[id(owner)] = owner
        if leaks.is_watched(owner):
            innermost.watched[id(owner)] = owner


def adopt(owner: Any) -> None:
    """Notes that an object has been made by the function that is traced, whoever finds it first."""
    outermost = _scopes.stack[0]
    if not is_ours(owner):
        outermost.born[id(owner)] = outermost.ever_born[id(owner)] = owner


def made_in(graph: Any, owner: Any) -> None:
    """Notes that an object is as new as the tensors of a graph."""
    for scope in _scopes.stack:
        if scope.graph is graph:
            # Scopes inside of it may add to the same graph, later.
            scope.born[id(owner)] = owner
            return


def note_constant(tensor: Any, array: Any) -> None:
    """Notes that a tensor has been made of an array, and stands for it."""
    if _scopes.stack and isinstance(tensor, SymbolicTensor):
        made = tensor.op.outputs[tensor.value_index]
        _scopes.stack[0].arrays.constants[id(made)] = (made, array)


@contextmanager
def going_over(arrays: list[Any]) -> Iterator[None]:
    """Within the block, loops go over these arrays."""
    if not _scopes.stack or not arrays:
        yield
        return
    noted = _scopes.stack[0].arrays.gone_over
    noted += arrays
    try:
        yield
    finally:
        for array in arrays:
            place = next(n for n, known in enumerate(noted) if known is array)
            del noted[place]


def each_of(array: Any) -> Iterator[Any]:
    """The items of an array that a loop goes over while tracing."""
    with going_over([array]):
        yield from array


def is_contents(tensor: SymbolicTensor) -> bool:
    """Whether a tensor is, or was, all that is in an array which several names hold."""
    return bool(_scopes.stack) and id(tensor) in _scopes.stack[0].contents


def note_lent(array: Any) -> None:
    """Notes that an array is put into a list of the graph."""
    if _scopes.stack:
        _scopes.stack[0].arrays.lent[id(array)] = array


def made_now(owner: Any) -> None:
    """Notes that an object is new, and that what has been done to it is how it was made."""
    born(owner)
    for name in getattr(owner, "__dict__", ()) if _scopes.stack else ():
        _scopes.stack[-1].changes.pop((id(owner), "attribute", name), None)


def belongs(part: Any, owner: Any) -> None:
    """Notes that what is done to `part` is done to `owner`: it is as new as that is."""
    for scope in _scopes.stack:
        if id(owner) in scope.born:
            scope.born[id(part)] = part


def copied(owner: Any) -> None:
    """Notes that a container is the trace's own copy of one that the caller has handed over."""
    innermost = _scopes.stack[-1]
    innermost.born.pop(id(owner), None)
    innermost.copies[id(owner)] = owner


def put_elsewhere(owner: Any, part: Any, indices: set[int]) -> None:
    """Notes that an object that others hold too has been put into a list of the graph."""
    if _scopes.stack:
        _scopes.stack[-1].put_elsewhere.append((owner, part, indices))


@contextmanager
def scope(is_function: bool = False) -> Iterator[Scope]:
    """Within the block, changes are noted in a new scope.

    Args:
      is_function: whether a function is traced in it, to a graph that others may run too.
    """
    before = _scopes.stack
    opened = Scope()
    opened.is_function = is_function
    streams = _scopes.streams
    if is_function or not before:
        _scopes.streams = (sys.stdout, sys.stderr)
    _scopes.stack = (*before, opened)
    try:
        yield opened
    finally:
        _scopes.stack, _scopes.streams = before, streams
        if not before:
            _presence().forget_all()


@contextmanager
def untracked() -> Iterator[None]:
    """Within the block, changes are not noted."""
    before, _scopes.stack = _scopes.stack, ()
    try:
        yield
    finally:
        _scopes.stack = before


class NeverReturns(AutographError):
    """Every path of the code being traced raises: nothing after it can be reached."""


@dataclass(slots=True)
class Traced:
    """What tracing a branch or body gave.

    Attributes:
      graph: its operations.
      values: what the traced function gave.
      left: the same, with copies of what take_back() has changed since.
      scope: the places it changed.
      after: what is in those places at its end.
      after_left: the same, with copies like those in `left`.
      error: the exception that it always raises, if so.
    """

    graph: FunctionGraph
    values: Any
    left: Any
    scope: Scope
    after: dict[tuple[int, str, Any], Any]
    after_left: dict[tuple[int, str, Any], Any]
    error: BaseException | None = None

    def left_of(self, value: Any) -> Any:
        """A value from before, with copies of what has been changed in it when this ended."""
        changes = type(value) is ArrayHandle or not isinstance(value, (Tensor, *_PLAIN))
        if not changes or self.error is not None:
            return value
        with building(self.graph):
            for identity, (place, _) in self.scope.changes.items():
                place.write(self.after[identity])
            try:
                (left,) = _snapshots()((value,), self.scope)
            finally:
                self.scope.put_back()
        return left


def trace(graph: FunctionGraph, function: Callable[[], Any]) -> Traced:
    """Traces `function` into `graph`; what it changes through `tracked` is taken back.

    An exception that the function raises belongs to the user's program, and Python would raise it
    only when the branch is taken: it becomes an operation that raises it, and is kept in `error`.
    Errors of staging itself are raised.
    """
    error: BaseException | None = None
    values: Any = None
    _settle()
    before = leaks.states(_watched())
    with building(graph), scope() as changed:
        try:
            values = function()
            _settle()
        except NeverReturns as never:
            error = never
        except (AutographError, SymbolicTensorError, OutOfScopeError, KeyboardInterrupt):
            changed.take_back()
            raise
        except BaseException as raised:
            error = raised
            stage_raise(raised)
        finally:
            if changed.loans:
                _loans().close(changed)
        changed.forget_variables(graph)
        copied = _snapshots()
        left = copied(values, changed)
        contents = {identity: place.read() for identity, (place, _) in changed.changes.items()}
        after_left = dict(zip(contents, copied(tuple(contents.values()), changed), strict=True))
        after = changed.take_back()
    leaks.check(before)
    return Traced(graph, values, left, changed, after, after_left, error)


def _watched() -> list[Any]:
    """What exists before a branch or loop, and may be changed by it without being noted."""
    return [value for scope in _scopes.stack for value in scope.watched.values()]


def _settle() -> None:
    """Puts back what has been changed of the items of lists, where any are lent."""
    if any(scope.loans for scope in _scopes.stack):
        _loans().settle_all()


def _loans() -> Any:
    # They know lists and objects, too.
    from autograph_lite.staging import loans

    return loans


def _memory_of(value: Any) -> Any:
    # It is one of the places that are noted here.
    from autograph_lite.staging.memory import memory_of

    return memory_of(value)


def _presence() -> Any:
    # It knows specs, which are built on scopes.
    from autograph_lite.staging import presence

    return presence


def _snapshots() -> Callable[[Any, Scope], Any]:
    # It knows lists and objects, which are built on scopes; the import cannot stand at the top.
    from autograph_lite.staging.snapshots import snapshots

    return snapshots
