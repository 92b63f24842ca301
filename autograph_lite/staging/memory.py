"""The memory of an array that several names hold: its contents, and who stands for a part of it.

Its members are handles (see `runtime.handles`): the array itself, and views of it. A store through
any of them makes new contents, for which all of them stand from then on. The contents are a place
(see `autograph_lite.staging.scopes`) that branches and loops hand on, as they do what is in lists.
"""

from __future__ import annotations

import weakref
from typing import Any

from autograph_lite.staging import views
from autograph_lite.staging.scopes import made_in, note, stack
from runtime.context import building
from runtime.errors import OutOfScopeError
from runtime.graph import Operation
from runtime.handles import ArrayHandle, as_handle, contents, point
from runtime.ops.indexing import set_item
from runtime.ops.shaping import identity
from runtime.tensor import SymbolicTensor, Tensor

_Steps = tuple[Operation, ...]


class Memory:
    """What an array holds, for whoever holds it.

    Attributes:
      now: the tensor that is its contents now.
    """

    place_kind = "array"

    def __init__(self, now: SymbolicTensor) -> None:
        self.now = now
        # What a handle stands for, by the contents, so that old contents come back as they were.
        self._seen: dict[int, tuple[SymbolicTensor, dict[int, SymbolicTensor]]] = {}
        self._members: dict[int, tuple[weakref.ref[SymbolicTensor], _Steps]] = {}
        made_in(now.graph, self)
        self._note_contents()

    def _note_contents(self) -> None:
        known = _known_contents()
        if known is not None:
            known[id(self.now)] = (self.now, self)
        self._seen.setdefault(id(self.now), (self.now, {}))

    # ---- members

    def take_in(self, tensor: SymbolicTensor, steps: list[Operation]) -> None:
        """Makes a tensor a member: the view of the contents to which `steps` lead."""
        if not isinstance(tensor, ArrayHandle):
            stood_for = as_handle(tensor)
            if stood_for is not contents(tensor):
                raise AssertionError("a handle stands for what it was")
            if not steps and self.now is tensor:
                self.now = stood_for
                self._note_contents()
        self._join(tensor, tuple(steps))

    def _join(self, handle: SymbolicTensor, steps: _Steps) -> None:
        key = id(handle)

        def forget(_: Any) -> None:
            self._members.pop(key, None)
            _memories.pop(key, None)
            for _, seen in self._seen.values():
                seen.pop(key, None)

        self._members[key] = (weakref.ref(handle, forget), steps)
        _memories[key] = self
        self._seen[id(self.now)][1][key] = contents(handle)

    def members(self) -> list[SymbolicTensor]:
        """Who stands for the array, or a part of it."""
        found = [reference() for reference, _ in list(self._members.values())]
        return [handle for handle in found if handle is not None]

    def view(self, made: SymbolicTensor, owner: SymbolicTensor) -> SymbolicTensor:
        """A member for `made`, a view that has just been made of the member `owner`."""
        handle = ArrayHandle(made.op, made.value_index, made.dtype, made.shape)
        self._join(handle, (*self._members[id(owner)][1], made.op))
        return handle

    # ---- contents

    def snapshot(self) -> SymbolicTensor:
        """The contents, as a branch or loop hands them on."""
        return self.now

    def restore(self, tensor: SymbolicTensor) -> None:
        """Puts other contents in their place."""
        if not isinstance(tensor, SymbolicTensor):
            from runtime.convert import convert_to_tensor

            tensor = convert_to_tensor(tensor)
        self.now = contents(tensor)
        self._note_contents()
        known = self._seen[id(self.now)][1]
        for key, (reference, steps) in list(self._members.items()):
            handle = reference()
            if handle is None:
                continue
            if key not in known or not _is_there(known[key]):
                seen = self._look(steps)
                if seen is None:
                    continue
                known[key] = seen
            point(handle, known[key])

    def _look(self, steps: _Steps) -> SymbolicTensor | None:
        """A view of the contents; None where what it was made with is not known any more."""
        made: Any = self.now
        with building(self.now.graph):
            try:
                for step in steps:
                    made = views.view(step, made)
            except OutOfScopeError:
                return None
        return made  # type: ignore[no-any-return]

    def store(self, handle: SymbolicTensor, index: Any, value: Any) -> None:
        """`handle[index] = value`"""
        steps = list(self._members[id(handle)][1])
        note(self, "content", None)
        if steps and all(map(_is_number, steps)):
            # One store instead of one for each view.
            ahead = [piece for step in steps for piece in views.index_of(step)]
            pieces = index if type(index) is tuple else (index,)
            self.restore(set_item(self.now, (*ahead, *pieces), value))  # type: ignore[arg-type]
            return
        bases: list[Tensor] = [self.now]
        for step in steps:
            bases.append(views.view(step, bases[-1]))
        new = set_item(bases.pop(), index, value)
        for step in reversed(steps):
            new = views.put_back(step, bases.pop(), new)
        self.restore(new)  # type: ignore[arg-type]

    def replace(self, handle: SymbolicTensor, value: Tensor) -> None:
        """Gives all elements of a member new values."""
        if self._members[id(handle)][1]:
            self.store(handle, Ellipsis, value)
        else:
            note(self, "content", None)
            self.restore(identity(value))  # type: ignore[arg-type]


def _is_there(tensor: SymbolicTensor) -> bool:
    """Whether a graph has not taken an operation back."""
    return tensor.graph._by_name.get(tensor.op.name) is tensor.op


def _is_number(step: Operation) -> bool:
    from runtime.ops.indexing import Hole

    pieces = step.attrs.get("index", (None,))
    return all(type(piece) is int or isinstance(piece, Hole) for piece in pieces)


_memories: dict[int, Memory] = {}


def memory_of(handle: Any) -> Memory | None:
    """The memory that a handle belongs to."""
    return _memories.get(id(handle)) if isinstance(handle, ArrayHandle) else None


def _known_contents() -> dict[int, Any] | None:
    scopes = stack()
    return scopes[0].contents if scopes else None


def memory_with(tensor: SymbolicTensor) -> Memory | None:
    """The memory whose contents a tensor is, or was."""
    known = _known_contents()
    found = known.get(id(tensor)) if known is not None else None
    return None if found is None else found[1]


__all__ = ["Memory", "memory_of", "memory_with"]
