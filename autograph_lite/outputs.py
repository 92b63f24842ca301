"""The structure of what a traced function gives, with holes for its tensors."""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import partial
from typing import Any

from autograph_lite.arguments import parts_of, reference_to
from autograph_lite.staging.made import made_parts
from runtime.graph import Operation
from runtime.tensor import Tensor

ToTensor = Callable[[Any], "Tensor | None"]
Bind = Callable[[Any, str], str]


class OutputTemplate:
    """What a function gave while it was traced, taken apart.

    Attributes:
      tensors: the tensors in it, in order.

    >>> from runtime.convert import constant
    >>> from runtime.tensor import Tensor
    >>> value = {"a": constant(1), "b": None}
    >>> template = OutputTemplate(value, lambda v: v if isinstance(v, Tensor) else None)
    >>> template.fill(["first"])
    {'a': 'first', 'b': None}
    """

    def __init__(self, value: Any, to_tensor: ToTensor, borrowed: Container[int] = ()) -> None:
        """Takes a value apart.

        Args:
          value: what the function gave.
          to_tensor: gives the tensor for a part of it, or None if it is no tensor.
          borrowed: ids of objects that somebody else keeps alive.
        """
        self.tensors: list[Tensor] = []
        self._borrowed = borrowed
        self._root = self._node(value, to_tensor)

    def _node(self, value: Any, to_tensor: ToTensor) -> _Node:
        if type(value) is Doubtful:
            self.tensors.append(value.bound)
            flag = _Hole(len(self.tensors) - 1)
            return _Perhaps(flag, self._node(value.value, to_tensor), value.key)
        tensor = to_tensor(value)
        if tensor is not None:
            self.tensors.append(tensor)
            return _Hole(len(self.tensors) - 1)
        if isinstance(value, Operation):
            # What an assignment gives that is asked for no value.
            return _Static(None)
        parts = parts_of(value) or made_parts(value)
        if parts is None:
            return _Borrowed(value) if id(value) in self._borrowed else _Static(value)
        _, items, rebuild = parts
        if isinstance(value, dict) and items:
            rebuild, items = self._doubtful(value, items, rebuild)
        return _Container(type(value), [self._node(i, to_tensor) for i in items], rebuild)

    def _doubtful(self, table: Any, items: list[Any], rebuild: Any) -> Any:
        """The items of a dict, those marked that are there on some paths only."""
        from autograph_lite.staging import dicts

        found = {
            id(value): Doubtful(key, known, bound)
            for (key, known, bound), value in zip(dicts.items(table), table.values(), strict=True)
            if bound is not True
        }
        if not found:
            return rebuild, items
        return partial(_without_absent, rebuild), [found.get(id(item), item) for item in items]

    @property
    def is_doubtful(self) -> bool:
        """Whether it is one value that may turn out to be `Absent`."""
        return type(self._root) is _Perhaps

    @property
    def is_single(self) -> bool:
        """Whether the function gives one tensor."""
        return type(self._root) is _Hole

    def fill(self, outputs: Sequence[Any]) -> Any:
        """The structure with `outputs` in the holes."""
        return self._root.fill(outputs)

    def expression(self, names: Sequence[str], bind: Bind) -> str:
        """Python text that makes the structure.

        Args:
          names: the text for each tensor.
          bind: gives a name, in that text, to a Python object.
        """
        return self._root.expression(names, bind)


class Doubtful:
    """An item of a dict that is there if `bound` says so."""

    def __init__(self, key: Any, value: Any, bound: Tensor) -> None:
        self.key = key
        self.value = value
        self.bound = bound


class Absent:
    """Stands for an item of a dict that is not there."""


def _without_absent(rebuild: Callable[[list[Any]], Any], items: list[Any]) -> Any:
    made = rebuild(items)
    for key in [key for key, value in made.items() if value is Absent]:
        del made[key]
    from autograph_lite.staging.presence import without_absent

    return without_absent(made)


def _choose(bound: Any, value: Any, key: Any) -> Any:
    """What is in the place: inside another trace, it is the graph that knows."""
    if type(bound).__name__ == "SymbolicTensor":
        from autograph_lite.operators.undefined import Undefined
        from autograph_lite.staging.specs import MaybeUnbound

        return MaybeUnbound(bound, value, Undefined(f"the item {key!r}"))
    return value if bound else Absent


class _Hole:
    """The place of a tensor."""

    def __init__(self, number: int) -> None:
        self.number = number

    def fill(self, outputs: Sequence[Any]) -> Any:
        return outputs[self.number]

    def expression(self, names: Sequence[str], bind: Bind) -> str:
        return names[self.number]


class _Perhaps:
    """The place of an item of a dict that may not be there."""

    def __init__(self, flag: _Hole, value: _Node, key: Any) -> None:
        self.flag = flag
        self.value = value
        self.key = key

    def fill(self, outputs: Sequence[Any]) -> Any:
        return _choose(self.flag.fill(outputs), self.value.fill(outputs), self.key)

    def expression(self, names: Sequence[str], bind: Bind) -> str:
        choose, key = bind(_choose, "choose"), bind(self.key, "key")
        flag, value = self.flag.expression(names, bind), self.value.expression(names, bind)
        return f"{choose}({flag}, {value}, {key})"


class _Static:
    """A Python object, the same at each call."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def fill(self, outputs: Sequence[Any]) -> Any:
        return self.value

    def expression(self, names: Sequence[str], bind: Bind) -> str:
        return "None" if self.value is None else bind(self.value, "static")


class _Borrowed:
    """A Python object that the caller handed in; it is not kept alive."""

    def __init__(self, value: Any) -> None:
        self.reference = reference_to(value)

    def fill(self, outputs: Sequence[Any]) -> Any:
        return self.reference()

    def expression(self, names: Sequence[str], bind: Bind) -> str:
        return f"{bind(self.reference, 'borrowed')}()"


class _Container:
    """A container, made anew at each call."""

    def __init__(self, kind: type, items: list[_Node], rebuild: Callable[[list[Any]], Any]) -> None:
        self.kind = kind
        self.items = items
        self.rebuild = rebuild

    def fill(self, outputs: Sequence[Any]) -> Any:
        return self.rebuild([item.fill(outputs) for item in self.items])

    def expression(self, names: Sequence[str], bind: Bind) -> str:
        items = ", ".join(item.expression(names, bind) for item in self.items)
        if self.kind is tuple:
            return f"({items},)" if self.items else "()"
        if self.kind is list:
            return f"[{items}]"
        return f"{bind(self.rebuild, 'rebuild')}([{items}])"


_Node = _Hole | _Perhaps | _Static | _Borrowed | _Container
