"""Python's own text on tensors: methods of `str`, items, repetition, when the graph runs.

A scalar string tensor of a trace is the text that plain Python would hold at that point, so it has
what `str` has: `text.upper()`, `text[1:]`, `text * 3`, `"a" in text`. Results are text, or numbers;
errors are Python's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import dtypes, nest
from runtime.dtypes import DType
from runtime.locations import Location, raise_at, user_location
from runtime.ops.apply import apply
from runtime.ops.lists import LIST, ListValue
from runtime.ops.registry import NO_GRADIENT, Spec, define
from runtime.shapes import SCALAR
from runtime.tensor import SymbolicTensor, Tensor

Fill = Callable[[Any], Any]


def as_python(array: Any) -> Any:
    """An array as plain Python code over NumPy would hold it: text as str, scalars as scalars."""
    if getattr(array, "dtype", None) == np.dtype(object):
        decoded = np.vectorize(_decoded, otypes=[object])(array)
        return decoded[()] if decoded.ndim == 0 else decoded
    return array[()] if getattr(array, "ndim", None) == 0 else array


def _decoded(item: Any) -> Any:
    return item.decode("utf-8", "replace") if isinstance(item, bytes) else item


def encoded(text: str) -> Any:
    """A text as the array that holds it."""
    return np.array(text.encode("utf-8", "replace"), dtype=object)


def _holes(value: Any, tensors: list[Tensor]) -> Fill:
    """What fills a nested value when the arrays of its tensors are known."""
    if isinstance(value, Tensor):
        number = len(tensors)
        tensors.append(value)
        if getattr(value, "weak", False):
            return lambda arrays: arrays[number].item()
        return lambda arrays: as_python(arrays[number])
    parts = nest.parts(value)
    if parts is None:
        return lambda arrays: value
    fills = [_holes(item, tensors) for item in parts[1]]
    return lambda arrays: parts[2]([fill(arrays) for fill in fills])


def _run(arrays: Any, function: Callable[..., Any], fill: Fill, location: Location) -> Any:
    try:
        return function(*fill(arrays))
    except Exception as error:
        return raise_at(error, location)


def _value_kernel(*arrays: Any, function: Any, fill: Fill, dtype: DType, location: Location) -> Any:
    found = _run(arrays, function, fill, location)
    return encoded(found) if dtype is dtypes.string else dtype.np_dtype.type(found)


TEXT_VALUE = define(
    "PythonText",
    kernel=_value_kernel,
    infer=lambda inputs, attrs: Spec(attrs["dtype"], SCALAR),
    gradient=NO_GRADIENT,
)


def _list_kernel(*arrays: Any, function: Any, fill: Fill, location: Location) -> Any:
    return ListValue(map(encoded, _run(arrays, function, fill, location)))


TEXT_LIST = define(
    "PythonTextList",
    kernel=_list_kernel,
    infer=lambda inputs, attrs: LIST,
    gradient=NO_GRADIENT,
)


def _applied(op: Any, function: Callable[..., Any], args: Any, **attrs: Any) -> Any:
    tensors: list[Tensor] = []
    fill = _holes(list(args), tensors)
    attrs.update(function=function, fill=fill, location=user_location())
    return apply(op, tensors, attrs)


def ask(function: Callable[..., Any], *args: Any, dtype: DType = dtypes.string) -> Tensor:
    """`function(*args)` when the graph runs, of Python's values: a text, or a number.

    A number takes its partner's dtype, as a plain one does.
    """
    made = _applied(TEXT_VALUE, function, args, dtype=dtype)
    if isinstance(made, SymbolicTensor) and dtype is not dtypes.string:
        made.weak = dtype is not dtypes.bool_
    return made  # type: ignore[no-any-return]


def ask_list(function: Callable[..., Any], *args: Any) -> Tensor:
    """`function(*args)` when the graph runs: a list of the graph, of texts."""
    return _applied(TEXT_LIST, function, args)  # type: ignore[no-any-return]


def is_text(value: Any) -> bool:
    """Whether a value is a text that only the running graph knows."""
    return (
        isinstance(value, SymbolicTensor) and value.dtype is dtypes.string and value.shape.rank == 0
    )


_TEXTS = (
    "capitalize casefold center expandtabs format join ljust lower lstrip removeprefix "
    "removesuffix replace rjust rstrip strip swapcase title translate upper zfill"
).split()
_TRUTHS = (
    "endswith isalnum isalpha isascii isdecimal isdigit isidentifier islower isnumeric "
    "isprintable isspace istitle isupper startswith"
).split()
_NUMBERS = "count find index rfind rindex".split()
LISTS = frozenset("rsplit split splitlines".split())
_PARTS = ("partition", "rpartition")
_METHODS = {
    **dict.fromkeys(_TEXTS, dtypes.string),
    **dict.fromkeys(_TRUTHS, dtypes.bool_),
    **dict.fromkeys(_NUMBERS, dtypes.int32),
}


class TextMethod:
    """A method of `str`, of a text that only the running graph knows.

    Attributes:
      text: the text.
      name: the method's name.
    """

    __ag_staged__ = True

    def __init__(self, text: Any, name: str) -> None:
        self.text = text
        self.name = name

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        return call_method(self.text, self.name, *args, **keywords)


def method(text: Tensor, name: str) -> TextMethod | None:
    """The method `name` of a text; None if `str` has none of that name, or it gives bytes."""
    known = name in _METHODS or name in LISTS or name in _PARTS
    return TextMethod(text, name) if known else None


def call_method(text: Any, name: str, *args: Any, **keywords: Any) -> Any:
    """`text.name(*args, **keywords)`, where one of them is staged.

    Raises:
      TypeError: the method gives a list, whose length is known when the graph runs.
    """
    if name in _PARTS:
        return tuple(_part(number, text, name, *args) for number in range(3))
    if name not in _METHODS:
        raise TypeError(
            f"{user_location()}: {name}() of a text that is made of tensors gives a list of "
            "unknown length, which only converted code can use"
        )

    def run(text: str, args: Any, keywords: Any) -> Any:
        return getattr(text, name)(*args, **keywords)

    return ask(run, text, list(args), keywords, dtype=_METHODS[name])


def _part(number: int, text: Any, name: str, *args: Any) -> Tensor:
    return ask(lambda text, *args: getattr(text, name)(*args)[number], text, *args)


def item(text: Any, index: Any) -> Tensor:
    """`text[index]`, where one of them is staged."""
    if isinstance(index, slice):
        bounds = (index.start, index.stop, index.step)
        return ask(lambda text, *bounds: text[slice(*bounds)], text, *bounds)
    return ask(lambda text, index: text[index], text, index)


def repeated(text: Any, count: Any) -> Tensor:
    """`text * count`, where one of them is a tensor."""
    return ask(lambda text, count: text * count, text, count)


__all__ = [
    "LISTS", "TextMethod", "as_python", "ask", "ask_list", "call_method", "encoded", "is_text",
    "item", "method", "repeated",
]  # fmt: skip
