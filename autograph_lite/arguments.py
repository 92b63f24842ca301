"""The arguments of a traced function: put in order, taken apart into tensors, and keyed.

Two calls share a trace when their keys are equal. A key holds the dtype and shape of tensors and
arrays, the value of Python scalars and strings, the structure of containers, and the identity of
everything else.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runtime import nest
from runtime.shapes import TensorShape
from runtime.tensor import EagerTensor, SymbolicTensor
from runtime.tensor_spec import TensorSpec
from runtime.variables import Variable

Leaf = Any
Key = Any

_BY_VALUE = frozenset({int, float, bool, complex, str, bytes, type(None), type(Ellipsis)})


class Arguments:
    """One call's arguments in canonical order.

    Attributes:
      positional: by position, defaults filled in, star arguments behind.
      keywords: keyword-only and other keyword arguments, sorted by name.
    """

    __slots__ = ("keywords", "positional")

    def __init__(self, positional: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        self.positional = positional
        self.keywords = keywords

    def key(self, leaves: list[Leaf]) -> Key:
        """The key of the call; its tensors and arrays are appended to `leaves`."""
        key = tuple([encode(value, leaves) for value in self.positional])
        if not self.keywords:
            return key
        return (*key, tuple((k, encode(v, leaves)) for k, v in self.keywords.items()))

    def replace(self, leaves: Iterator[Any]) -> Arguments:
        """The same arguments with other values for their tensors."""
        positional = tuple([decode(value, leaves) for value in self.positional])
        return Arguments(positional, {k: decode(v, leaves) for k, v in self.keywords.items()})


def encode(value: Any, leaves: list[Leaf]) -> Key:
    """The key of one argument; its tensors and arrays are appended to `leaves`."""
    kind = type(value)
    if kind is EagerTensor:
        leaves.append(value)
        array = value._value
        return (array.dtype, array.shape)
    if kind in _BY_VALUE:
        return (kind, value) if kind is not float or value == value else (kind, "nan")
    if kind is SymbolicTensor:
        leaves.append(value)
        return (value.dtype.np_dtype, value.shape.as_tuple())
    if kind is np.ndarray or isinstance(value, np.generic):
        leaves.append(value)
        return (value.dtype, value.shape)
    if kind is TensorSpec:
        leaves.append(value)
        return (value.dtype.np_dtype, value.shape.as_tuple())
    if isinstance(value, EagerTensor):
        leaves.append(value)
        return (value._value.dtype, ())
    parts = nest.parts(value)
    if parts is not None:
        structure, items, _ = parts
        return (structure, tuple([encode(item, leaves) for item in items]))
    return _identity(value)


def decode(value: Any, leaves: Iterator[Any]) -> Any:
    """`value` with its tensors and arrays replaced by the next `leaves`."""
    kind = type(value)
    if kind in _BY_VALUE:
        return value
    if is_leaf(value):
        return next(leaves)
    parts = nest.parts(value)
    if parts is None:
        return value
    _, items, rebuild = parts
    return rebuild([decode(item, leaves) for item in items])


def is_leaf(value: Any) -> bool:
    """Whether an argument is handed to the graph as a tensor."""
    return isinstance(value, EagerTensor | SymbolicTensor | np.ndarray | np.generic | TensorSpec)


class Identity:
    """The key of an object that counts by identity; it does not keep the object alive."""

    __slots__ = ("_hash", "_reference")

    def __init__(self, value: Any) -> None:
        self._hash = id(value)
        try:
            self._reference: Callable[[], Any] = weakref.ref(value)
        except TypeError:
            # Without weak references (some C types): keep it, or its id might come again.
            self._reference = lambda: value

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Identity):
            return NotImplemented
        mine = self._reference()
        return mine is not None and mine is other._reference()

    def __repr__(self) -> str:
        return f"<{type(self._reference()).__name__} at {self._hash:#x}>"


def _identity(value: Any) -> Key:
    if isinstance(value, Variable):
        return Identity(value)
    kind = type(value)
    if kind.__module__ == "enum" or isinstance(value, type):
        return value
    method = getattr(value, "__func__", None)
    if method is not None and getattr(value, "__self__", None) is not None:
        # Every look-up makes a new bound method; what counts is what it binds.
        return (Identity(method), _identity(value.__self__))
    return Identity(value)


def leaf_spec(leaf: Any) -> tuple[Any, TensorShape]:
    """Dtype and shape of a leaf as the trace sees them."""
    from runtime import dtypes

    if isinstance(leaf, np.ndarray | np.generic):
        return dtypes.from_numpy(leaf.dtype), TensorShape(leaf.shape)
    return leaf.dtype, leaf.shape


class Binder:
    """Puts the arguments of calls of one function into canonical order."""

    def __init__(self, function: Any, name: str) -> None:
        import inspect

        self.name = name
        self.signature = inspect.signature(function)
        kinds = [p.kind for p in self.signature.parameters.values()]
        positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        # Calls with just the positional parameters need no binding.
        self.simple = all(kind in positional for kind in kinds)
        self.count = len(kinds)

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Arguments:
        """The canonical form of a call.

        Raises:
          TypeError: the arguments do not fit the function's parameters.
        """
        if self.simple and not kwargs and len(args) == self.count:
            return Arguments(args, {})
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.name}(): {error}") from None
        bound.apply_defaults()
        keywords = bound.kwargs
        return Arguments(bound.args, {k: keywords[k] for k in sorted(keywords)})

    def parameter_names(self, count: int) -> list[str]:
        """Names for `count` positional arguments, those of a star argument numbered."""
        names: list[str] = []
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                names += [f"{name}_{i}" for i in range(count - len(names))]
            elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                names.append(name)
        return names[:count]
