"""Nested Python values with holes for what the running graph knows: tensors, lists, exceptions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from autograph_lite.staging.either import EitherSpec
from autograph_lite.staging.list_specs import ListSpec, is_dynamic
from autograph_lite.staging.specs import StructureSpec, TensorSpec, spec_of
from runtime import nest
from runtime.ops.python_text import as_python
from runtime.tensor import SymbolicTensor, Tensor, check_text

_Fill = Callable[[Sequence[Any], bool], Any]
"""Makes a value of what belongs in the holes: arrays, or tensors that stay what they are."""


class Template:
    """Nested Python values with holes.

    Args:
      values: the values.
      is_users: whether the texts among them are the user's, and may not show tensors.

    Attributes:
      tensors: what belongs in the holes.
    """

    def __init__(self, values: Any, is_users: bool = True) -> None:
        self.tensors: list[Tensor] = []
        self._is_users = is_users
        self._fill = self._of(values)

    def fill(self, arrays: Sequence[Any]) -> Any:
        """The values as plain Python code would hold them, with arrays in the holes."""
        return self._fill(arrays, False)

    def fill_with_tensors(self, tensors: Sequence[Tensor]) -> Any:
        """The values, with eager tensors in the holes."""
        return self._fill(tensors, True)

    def _of(self, value: Any) -> _Fill:
        first = len(self.tensors)
        if is_caught(value):
            self.tensors.append(value.ag_error)
            return lambda given, kept: (given[first]._value if kept else given[first])[0]
        if isinstance(value, Tensor):
            self.tensors.append(value)
            weak = getattr(value, "weak", False)
            return lambda given, kept: given[first] if kept else _python(given[first], weak)
        if is_dynamic(value):
            spec: Any = spec_of(value, "a list")
            self.tensors += spec.leaves(value, "a list")
            return lambda given, kept: _list(spec, iter(given[first:]), kept)
        parts = nest.parts(value)
        if parts is None:
            if isinstance(value, str) and self._is_users:
                check_text(value)
            return lambda given, kept: value
        _, items, rebuild = parts
        fills = [self._of(item) for item in items]
        return lambda given, kept: rebuild([fill(given, kept) for fill in fills])


def _python(array: Any, weak: bool) -> Any:
    return array.item() if weak else as_python(array)


def _list(spec: ListSpec, leaves: Iterator[Any], kept: bool) -> Any:
    return spec.build(leaves) if kept else _plain(spec, leaves)


def _plain(spec: Any, leaves: Iterator[Any]) -> Any:
    """A value made of the arrays of its tensors, as plain Python code would hold it."""
    if isinstance(spec, ListSpec):
        flows = [next(leaves) for _ in spec.tensors()]
        if spec.element is None:
            return spec.kind()
        return spec.kind(_plain(spec.element, iter(row)) for row in zip(*flows, strict=True))
    if isinstance(spec, StructureSpec):
        return spec.rebuild([_plain(child, leaves) for child in spec.children])
    if isinstance(spec, TensorSpec):
        return _python(next(leaves), spec.weak)
    if isinstance(spec, EitherSpec):
        flag = next(leaves)
        values = _plain(spec.first, leaves), _plain(spec.second, leaves)
        return values[0] if flag else values[1]
    return spec.build(leaves)


def is_caught(value: Any) -> bool:
    """Whether a value is the exception of a staged `except` clause."""
    return isinstance(value, BaseException) and hasattr(value, "ag_raise")


def holds_staged(value: Any) -> bool:
    """Whether a value is symbolic, or a container with something symbolic inside."""
    if isinstance(value, SymbolicTensor) or is_caught(value) or is_dynamic(value):
        return True
    if isinstance(value, str | int | float | None):
        return False
    parts = nest.parts(value)
    return parts is not None and any(holds_staged(item) for item in parts[1])


__all__ = ["Template", "holds_staged", "is_caught"]
