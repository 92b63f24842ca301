"""Input signatures: what a traced function declares to take, and the arguments fitted to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from autograph_lite.arguments import Arguments
from runtime import nest
from runtime.convert import convert_to_tensor
from runtime.locations import user_location
from runtime.tensor import Tensor
from runtime.tensor_spec import TensorSpec
from runtime.variables import Variable


class Fitted(NamedTuple):
    """Arguments that fit a signature.

    Attributes:
      arguments: the call's, with the signature's specs in the place of tensors.
      given: the call's, with tensors in the place of what became one.
      specs: the specs in `arguments`, in order.
      leaves: the tensors in `given`, in order.
    """

    arguments: Arguments
    given: Arguments
    specs: list[TensorSpec]
    leaves: list[Any]


class _Row(NamedTuple):
    path: str
    expected: str
    found: str
    fits: bool


def check_signature(signature: Any, name: str) -> tuple[Any, ...]:
    """An `input_signature` as a tuple.

    Raises:
      TypeError: it is no sequence, or holds something that is no spec.
    """
    if isinstance(signature, TensorSpec) or not isinstance(signature, Sequence):
        raise TypeError(
            f"{user_location()}: the input_signature of {name} is a list with a TensorSpec (or a "
            f"structure of them) for each argument, found {signature!r}"
        )
    for leaf in nest.flatten(list(signature)):
        if not isinstance(leaf, TensorSpec):
            raise TypeError(
                f"{user_location()}: the input_signature of {name} is made of TensorSpecs, found "
                f"{leaf!r} in it"
            )
    return tuple(signature)


def fit(signature: tuple[Any, ...], arguments: Arguments, skip: int, name: str) -> Fitted:
    """Fits the arguments of a call to a signature.

    Args:
      signature: specs, or structures of them, for the positional arguments.
      arguments: the call's.
      skip: how many positional arguments come before those of the signature (1 for methods).
      name: the function's, for messages.

    Raises:
      TypeError: they do not fit; the message shows both side by side.
    """
    given = arguments.positional[skip:]
    names = (arguments.names or ())[skip:]
    labels = [names[i] if i < len(names) else f"argument {i}" for i in range(len(signature))]
    fitting = _Fitting()
    pairs = [
        fitting.pair(given[i] if i < len(given) else _NOTHING, spec, labels[i])
        for i, spec in enumerate(signature)
    ]
    if not all(row.fits for row in fitting.rows):
        raise TypeError(_table(fitting.rows, name))
    rest, before = given[len(signature) :], arguments.positional[:skip]
    tensors, specs = [a for a, _ in pairs], [b for _, b in pairs]
    return Fitted(
        Arguments((*before, *specs, *rest), arguments.keywords, arguments.names),
        Arguments((*before, *tensors, *rest), arguments.keywords, arguments.names),
        fitting.specs,
        fitting.leaves,
    )


_NOTHING: Any = type("_Nothing", (), {"__repr__": lambda self: "nothing"})()


class _Fitting:
    """Walks a signature and the arguments side by side."""

    def __init__(self) -> None:
        self.rows: list[_Row] = []
        self.specs: list[TensorSpec] = []
        self.leaves: list[Any] = []

    def pair(self, value: Any, spec: Any, path: str) -> tuple[Any, Any]:
        """The value as it is handed on, and its spec."""
        if isinstance(spec, TensorSpec):
            return self.leaf(value, spec, path), spec
        wanted, parts = nest.parts(spec), nest.parts(value)
        assert wanted is not None
        if parts is None or not _alike(spec, value) or len(parts[1]) != len(wanted[1]):
            self.rows.append(_Row(path, _text(spec), _text(value), False))
            return value, spec
        labels = _labels(spec, path, len(wanted[1]))
        pairs = [
            self.pair(v, s, label) for v, s, label in zip(parts[1], wanted[1], labels, strict=True)
        ]
        return parts[2]([v for v, _ in pairs]), parts[2]([s for _, s in pairs])

    def leaf(self, value: Any, spec: TensorSpec, path: str) -> Any:
        found = value
        if not isinstance(value, TensorSpec | Tensor):
            try:
                value = _tensor(value, spec)
            except (TypeError, ValueError):
                self.rows.append(_Row(path, _text(spec), _text(found), False))
                return found
        fits = value.dtype is spec.dtype and _within(value.shape, spec.shape)
        self.rows.append(_Row(path, _text(spec), _text(found), fits))
        self.specs.append(spec)
        self.leaves.append(value)
        return value


def _tensor(value: Any, spec: TensorSpec) -> Tensor:
    if isinstance(value, Variable):
        return value.value()
    if value is _NOTHING or isinstance(value, str) != (spec.dtype.name == "string"):
        if not isinstance(value, bytes | list | tuple | np.ndarray):
            raise TypeError
    return convert_to_tensor(value, spec.dtype)


def _within(shape: Any, wanted: Any) -> bool:
    """Whether a shape is one that `wanted` allows; unknown sizes may turn out to fit."""
    return bool(wanted.is_compatible_with(shape))


def _alike(spec: Any, value: Any) -> bool:
    """Whether two containers may stand for one another, and have the same keys."""
    if isinstance(spec, dict) or isinstance(value, dict):
        return isinstance(spec, dict) and isinstance(value, dict) and set(spec) == set(value)
    if type(spec) in (list, tuple) and type(value) in (list, tuple):
        return True
    return type(spec) is type(value)


def _labels(spec: Any, path: str, count: int) -> list[str]:
    if isinstance(spec, dict):
        return [f"{path}[{key!r}]" for key in nest.sorted_keys(spec)]
    names = getattr(spec, "_fields", None)
    if names is not None:
        return [f"{path}.{name}" for name in names]
    return [f"{path}[{i}]" for i in range(count)]


def _text(value: Any) -> str:
    if isinstance(value, TensorSpec | Tensor):
        shape = value.shape
        return f"{value.dtype.name}{shape.as_list() if shape.rank is not None else '[...]'}"
    if isinstance(value, np.ndarray | np.generic):
        return f"{value.dtype.name}{list(value.shape)} array"
    if type(value) is dict:
        return "{" + ", ".join(f"{k!r}: {_text(v)}" for k, v in value.items()) + "}"
    if type(value) in (list, tuple):
        inner = ", ".join(map(_text, value))
        return f"[{inner}]" if type(value) is list else f"({inner})"
    text = "nothing" if value is _NOTHING else repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _table(rows: list[_Row], name: str) -> str:
    """Specification and arguments side by side."""
    heads = _Row("argument", "expected", "found", True)
    texts = [[r.path, r.expected, r.found, "" if r.fits else "<- differs"] for r in (heads, *rows)]
    widths = [max(map(len, column)) for column in zip(*texts, strict=True)]
    lines = ["  ".join(t.ljust(w) for t, w in zip(row, widths, strict=True)) for row in texts]
    body = "\n".join(f"  {line.rstrip()}" for line in lines)
    return f"{user_location()}: the arguments of {name} do not fit its input_signature\n{body}"
