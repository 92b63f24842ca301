"""The arguments of a traced function: put in order, taken apart into tensors, and keyed.

Two calls share a trace when their keys are equal. A key holds the dtype and shape of tensors and
arrays, the value of Python scalars and strings, the structure of containers, and the identity of
everything else.
"""

from __future__ import annotations

import functools
import types
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runtime import nest
from runtime.convert import plain_array
from runtime.handles import contents
from runtime.shapes import TensorShape
from runtime.tensor import EagerTensor, SymbolicTensor
from runtime.tensor_spec import TensorSpec

Leaf = Any
Key = Any

_BY_VALUE = frozenset({int, float, bool, complex, str, bytes, type(None), type(Ellipsis)})
_BY_HASH = frozenset({range, frozenset, TensorShape})


class Arguments:
    """One call's arguments in canonical order.

    Attributes:
      positional: by position, defaults filled in, star arguments behind.
      keywords: keyword-only and other keyword arguments, sorted by name.
      names: of the positional ones, where they are known.
    """

    __slots__ = ("keywords", "names", "positional")

    def __init__(
        self,
        positional: tuple[Any, ...],
        keywords: dict[str, Any],
        names: tuple[str, ...] | None = None,
    ) -> None:
        self.positional = positional
        self.keywords = keywords
        self.names = names

    def key(self, leaves: list[Leaf]) -> Key:
        """The key of the call; its tensors and arrays are appended to `leaves`."""
        key = tuple([encode(value, leaves) for value in self.positional])
        if not self.keywords:
            return key
        return (*key, tuple((k, encode(v, leaves)) for k, v in self.keywords.items()))

    def replace(
        self, leaves: Iterator[Any], change: Callable[[Any], Any] = lambda value: value
    ) -> Arguments:
        """The same arguments with other values for their tensors, and then `change`d."""
        positional = tuple([change(decode(value, leaves)) for value in self.positional])
        keywords = {k: change(decode(v, leaves)) for k, v in self.keywords.items()}
        return Arguments(positional, keywords, self.names)

    def items(self) -> Iterator[tuple[int | str, Any]]:
        """Places (positions, then keywords) and what stands there."""
        yield from enumerate(self.positional)
        yield from self.keywords.items()


def encode(value: Any, leaves: list[Leaf]) -> Key:
    """The key of one argument; its tensors and arrays are appended to `leaves`."""
    kind = type(value)
    if kind is EagerTensor:
        leaves.append(value)
        array = value._value
        return (array.dtype, array.shape)
    if kind in _BY_VALUE:
        if kind is complex or (kind is float and not (value and value == value)):
            # -0.0 equals 0.0, and NaN nothing; their texts tell which they are.
            return (kind, repr(value))
        return (kind, value)
    if isinstance(value, SymbolicTensor):
        leaves.append(contents(value))
        return (value.dtype.np_dtype, value.shape.as_tuple())
    if kind is np.ndarray or isinstance(value, np.generic):
        leaves.append(value)
        return (value.dtype, value.shape)
    if kind is TensorSpec:
        leaves.append(value)
        return (value.dtype.np_dtype, value.shape.as_tuple())
    if isinstance(value, np.ndarray):
        # A matrix, np.memmap or record array: the array in it is what tensors are made of.
        array = plain_array(value)
        leaves.append(array)
        return (array.dtype, array.shape)
    parts = parts_of(value)
    if parts is not None:
        structure, items, _ = parts
        if kind is dict:
            # The order of insertion is the order of loops over it.
            structure = (dict, tuple(value))
            items = value.values()
        return (structure, tuple([encode(item, leaves) for item in items]))
    return _opaque(value, kind)


def decode(value: Any, leaves: Iterator[Any]) -> Any:
    """`value` with its tensors and arrays replaced by the next `leaves`."""
    kind = type(value)
    if kind in _BY_VALUE:
        return value
    if is_leaf(value):
        return next(leaves)
    if kind is dict:
        return {key: decode(item, leaves) for key, item in value.items()}
    parts = parts_of(value)
    if parts is None:
        return value
    _, items, rebuild = parts
    return rebuild([decode(item, leaves) for item in items])


def parts_of(value: Any) -> nest.Parts | None:
    """See `nest.parts`; to arguments a slice is a container, too."""
    if type(value) is slice:
        return slice, [value.start, value.stop, value.step], lambda items: slice(*items)
    return nest.parts(value)


def is_leaf(value: Any) -> bool:
    """Whether an argument is handed to the graph as a tensor."""
    return isinstance(value, EagerTensor | SymbolicTensor | np.ndarray | np.generic | TensorSpec)


class Identity:
    """The key of an object that counts by identity; it does not keep the object alive."""

    __slots__ = ("_hash", "reference")

    def __init__(self, value: Any) -> None:
        self._hash = id(value)
        self.reference = reference_to(value)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Identity):
            return NotImplemented
        mine = self.reference()
        return mine is not None and mine is other.reference()

    def __repr__(self) -> str:
        value = self.reference()
        if value is None:
            return "<an object that is gone>"
        name = getattr(value, "__qualname__", None)
        return name if isinstance(name, str) else f"<{type(value).__name__} at {self._hash:#x}>"


def frozen(arguments: Arguments, specs: Iterator[Any]) -> Arguments:
    """Arguments to keep: `specs` for the tensors, and no object is kept alive."""
    return _mapped(arguments.replace(specs), _froze)


def thawed(arguments: Arguments) -> Arguments:
    """Arguments with their objects in place again."""
    return _mapped(arguments, lambda v: v.reference() if type(v) is Identity else v)


def _mapped(arguments: Arguments, change: Callable[[Any], Any]) -> Arguments:
    def walk(value: Any) -> Any:
        if type(value) is dict:
            return {key: walk(item) for key, item in value.items()}
        parts = None if type(value) in _BY_VALUE or is_leaf(value) else parts_of(value)
        if parts is None:
            return change(value)
        return parts[2]([walk(item) for item in parts[1]])

    positional = tuple(map(walk, arguments.positional))
    keywords = {key: walk(value) for key, value in arguments.keywords.items()}
    return Arguments(positional, keywords, arguments.names)


def _froze(value: Any) -> Any:
    kind = type(value)
    if kind in _BY_VALUE or kind in _BY_HASH or is_leaf(value) or kind is Identity:
        return value
    return Identity(value)


def reference_to(value: Any) -> Callable[[], Any]:
    """A function that gives `value`, or None when it is gone; it does not keep it alive.

    Values of types without weak references (some of C) are kept, or their id might come again.
    """
    try:
        return weakref.ref(value)
    except TypeError:
        return lambda: value


def identities(key: Key) -> list[Identity]:
    """The objects that a key names. When one is gone, no call can have the key again."""
    if type(key) is Identity:
        return [key]
    return [found for part in key for found in identities(part)] if type(key) is tuple else []


def _opaque(value: Any, kind: type) -> Key:
    """The key of what is neither a tensor nor a container of them."""
    if kind is types.MethodType:
        # Every look-up makes a new bound method; what counts is what it binds.
        return (kind, _function_key(value.__func__), _opaque(value.__self__, type(value.__self__)))
    if kind is types.FunctionType:
        return _function_key(value)
    if getattr(kind, "is_bound_function", False):
        return (kind, Identity(value.__func__), _opaque(value.__self__, type(value.__self__)))
    if kind is functools.partial:
        ignored: list[Leaf] = []
        inner = encode((value.func, value.args, value.keywords), ignored)
        # Tensors bound by a partial are not arguments: then it counts by identity.
        return Identity(value) if ignored else (kind, inner)
    if kind is frozenset:
        # Sets are equal whose items differ in type only.
        return (kind, frozenset([encode(item, []) for item in value]))
    if kind in _BY_HASH or isinstance(value, np.dtype):
        return (kind, value)
    return Identity(value)


def _function_key(function: Any) -> Key:
    """Functions made anew by the same `lambda` or `def`, binding nothing, are the same one."""
    if type(function) is not types.FunctionType:
        return Identity(function)
    if function.__closure__ or function.__defaults__ or function.__kwdefaults__:
        return Identity(function)
    if function.__dict__:
        return Identity(function)
    return (types.FunctionType, Identity(function.__code__), id(function.__globals__))


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
        self.names = tuple(self.parameter_names(self.count))

    def bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Arguments:
        """The canonical form of a call.

        Raises:
          TypeError: the arguments do not fit the function's parameters.
        """
        if self.simple and not kwargs and len(args) == self.count:
            return Arguments(args, {}, self.names)
        try:
            bound = self.signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{self.name}(): {error}") from None
        bound.apply_defaults()
        keywords = bound.kwargs
        positional = bound.args
        names = tuple(self.parameter_names(len(positional)))
        return Arguments(positional, {k: keywords[k] for k in sorted(keywords)}, names)

    def parameter_names(self, count: int) -> list[str]:
        """Names for `count` positional arguments, those of a star argument numbered."""
        names: list[str] = []
        for name, parameter in self.signature.parameters.items():
            if parameter.kind is parameter.VAR_POSITIONAL:
                names += [f"{name}_{i}" for i in range(count - len(names))]
            elif parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                names.append(name)
        return names[:count]
