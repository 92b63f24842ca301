"""Tensors that live in Python objects: read as inputs of a trace, written back after each call."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from autograph_lite.arguments import Arguments
from autograph_lite.errors import AutographError
from autograph_lite.outputs import Absent, OutputTemplate
from autograph_lite.paths import ATTRIBUTE, MISSING, Path, take
from autograph_lite.staging.scopes import note
from runtime.context import thread
from runtime.shapes import TensorShape
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor


class StateRead:
    """A place whose tensor is an input of the trace.

    Attributes:
      path: the place.
      capture: which of the graph's captures stands for it.
      dtype: the NumPy dtype it must have.
      shape: the shape it must have.
      is_array: whether it is a NumPy array rather than a tensor.
    """

    __slots__ = ("capture", "dtype", "is_array", "path", "shape")

    def __init__(
        self, path: Path, capture: int, tensor: SymbolicTensor, is_array: bool = False
    ) -> None:
        self.path = path
        self.is_array = is_array
        self.capture = capture
        self.dtype = tensor.dtype.np_dtype
        self.shape: TensorShape = tensor.shape

    def fits(self, arguments: Arguments) -> bool:
        """Whether the place holds a tensor that the trace can take."""
        found = self.path.resolve(arguments)
        if type(found) is (np.ndarray if self.is_array else EagerTensor):
            value: Any = found if isinstance(found, np.ndarray) else found._value
            return value.dtype == self.dtype and self.shape.is_compatible_with(value.shape)
        if type(found) is SymbolicTensor and thread.graph is not None:
            return found.dtype.np_dtype == self.dtype and found.shape.is_subtype_of(self.shape)
        return False

    def read(self, arguments: Arguments) -> Tensor:
        """The tensor there; of an array, a copy that does not change with it."""
        found = self.path.resolve(arguments)
        if type(found) is np.ndarray:
            return EagerTensor(np.array(found))
        tensor: Tensor = found
        return tensor

    def describe(self, arguments: Arguments) -> str:
        """What has changed, in words."""
        found = self.path.resolve(arguments)
        wanted = f"a tensor of dtype {self.dtype.name} and shape {self.shape}"
        if isinstance(found, Tensor | np.ndarray):
            now = f"one of dtype {found.dtype.name} and shape {found.shape}"
        else:
            now = "gone" if found is MISSING else f"a {type(found).__name__}"
        return f"{self.path} is {now}, and was {wanted}"


def put_or_remove(owner: Any, kind: str, key: Any, value: Any) -> None:
    """Puts a value into a place, or removes what is there if the value is `Absent`."""
    if kind == ATTRIBUTE and value is not Absent:
        setattr(owner, key, value)
    elif kind == ATTRIBUTE:
        with suppress(AttributeError):
            delattr(owner, key)
    elif value is not Absent:
        owner[key] = value
    elif key in owner:
        del owner[key]


class StateWrite:
    """A place that each call of a trace gives a new value.

    Attributes:
      owner: leads to the object that the place is in.
      kind: ATTRIBUTE, ITEM, EXTEND for items that go to the end of a list, or CONTENT for all
        that is in a list.
      key: the attribute's name or the item's key.
      outputs: what is written, with numbers of the graph's outputs in it.
      first: the number of the first of these outputs.
      buffer: whether an array is there whose elements are set, rather than replaced.
    """

    EXTEND = "extend"
    CONTENT = "content"
    __slots__ = ("buffer", "first", "key", "kind", "outputs", "owner")

    def __init__(
        self,
        owner: Path,
        kind: str,
        key: Any,
        outputs: OutputTemplate,
        first: int,
        buffer: bool = False,
    ) -> None:
        self.owner = owner
        self.kind = kind
        self.key = key
        self.outputs = outputs
        self.first = first
        self.buffer = buffer

    def write(self, arguments: Arguments, tensors: Sequence[Any]) -> None:
        """Writes the outputs of one call."""
        owner = self.owner.resolve(arguments)
        if owner is MISSING:
            return
        count = len(self.outputs.tensors)
        value = self.outputs.fill(tensors[self.first : self.first + count])
        if self.outputs.is_doubtful:
            put_or_remove(owner, self.kind, self.key, value)
        elif self.kind == self.EXTEND:
            owner.extend(value)
        elif self.kind == self.CONTENT:
            owner[:] = value
        elif self.buffer and type(value) is EagerTensor:
            take(owner, self.kind, self.key)[...] = value._value
        elif self.kind == ATTRIBUTE:
            setattr(owner, self.key, value)
        else:
            owner[self.key] = value

    def note(self, arguments: Arguments) -> None:
        """Tells the innermost scope of the trace going on that the place will change."""
        owner = self.owner.resolve(arguments)
        if owner is not MISSING:
            whole = isinstance(owner, list)
            note(owner, "content" if whole else self.kind, None if whole else self.key)


class LostStateError(AutographError):
    """A traced function changed a container outside of it in a way that cannot be repeated."""
