"""`ag.print`: writing the values of tensors, at once or when the graph runs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

from runtime import nest
from runtime.context import thread
from runtime.convert import convert_to_tensor
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.registry import NO_GRADIENT, define
from runtime.ops.text import array_text
from runtime.tensor import Tensor
from runtime.variables import Variable

Pieces = tuple["str | int", ...]


class _Place:
    """Stands for a tensor in a structure while that becomes text.

    It takes the room of a quoted `{}`, which is what line breaks of long structures depend on. The
    characters are private ones, which `repr` never leaves in the user's own text.
    """

    def __init__(self, number: int) -> None:
        self.number = number

    def __repr__(self) -> str:
        return f"\ue000{chr(0xE100 + self.number % 4096)}{chr(0xE100 + self.number // 4096)}\ue001"


def template(values: Sequence[Any], separator: str) -> tuple[Pieces, list[Tensor]]:
    """The text of some values, cut where tensors belong.

    Args:
      values: nested structures with tensors in them. Strings among them stand for themselves;
        inside of structures everything is shown as by `repr`.
      separator: what stands between two values.

    Returns:
      (pieces of text, with the numbers of tensors between them; the tensors).
    """
    tensors: list[Tensor] = []
    pieces: list[str | int] = []
    for number, value in enumerate(values):
        if number:
            pieces.append(separator)
        if isinstance(value, str):
            pieces.append(value)
        elif isinstance(value, Tensor | Variable):
            pieces.append(len(tensors))
            tensors.append(convert_to_tensor(value))
        else:
            pieces += _structure(value, tensors)
    return tuple(pieces), tensors


def _structure(value: Any, tensors: list[Tensor]) -> list[str | int]:
    import pprint
    import re

    def mark(leaf: Any) -> Any:
        if not isinstance(leaf, Tensor | Variable):
            return leaf
        tensors.append(convert_to_tensor(leaf))
        return _Place(len(tensors) - 1)

    text = pprint.pformat(nest.map_structure(mark, value))
    parts: list[str | int] = []
    for i, part in enumerate(re.split("\ue000(..)\ue001", text, flags=re.DOTALL)):
        if i % 2:
            parts.append(ord(part[0]) - 0xE100 + 4096 * (ord(part[1]) - 0xE100))
        elif part:
            parts.append(part)
    return parts


def fill(pieces: Pieces, arrays: Sequence[Any], summarize: int) -> str:
    """The text, with arrays where their numbers stand."""
    return "".join(p if isinstance(p, str) else array_text(arrays[p], summarize) for p in pieces)


# ---- where to


def writer(stream: Any) -> Callable[[str], Any]:
    """A function that writes text to what the user gave as `output_stream`.

    Raises:
      ValueError: it is none of the kinds that are known.
    """
    if stream is sys.stdout or stream is sys.__stdout__:
        # Looked up when it is written to: it may have been redirected since.
        return lambda text: _write(sys.stdout, text)
    if stream is sys.stderr or stream is sys.__stderr__:
        return lambda text: _write(sys.stderr, text)
    if isinstance(stream, str) and stream.startswith("file://"):
        return _appender(stream[len("file://") :])
    if hasattr(stream, "write"):
        return lambda text: _write(stream, text)
    if callable(stream):
        return lambda text: stream(text.removesuffix("\n"))
    raise ValueError(
        f"{user_location()}: output_stream is sys.stdout, sys.stderr, a file, 'file://<path>', "
        f"or a function of a string such as logging.info; found {stream!r}"
    )


def _write(stream: Any, text: str) -> None:
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = getattr(stream, "encoding", None) or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def _appender(path: str) -> Callable[[str], Any]:
    def append(text: str) -> None:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)

    return append


def _print_kernel(
    *arrays: Any, pieces: Pieces, summarize: int, end: str, write: Callable[[str], Any]
) -> Any:
    write(fill(pieces, arrays, summarize) + end)
    return ()


def _print_alone_kernel(array: Any, end: str, write: Callable[[str], Any]) -> Any:
    item = array[()]
    write((item.decode("utf-8", "replace") if isinstance(item, bytes) else str(item)) + end)
    return ()


PRINT = define(
    "PrintV2",
    kernel=_print_kernel,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
)
PRINT_STRING = define(
    "PrintString",
    kernel=_print_alone_kernel,
    infer=lambda inputs, attrs: [],
    gradient=NO_GRADIENT,
    stateful=True,
)


def tensor_print(
    *inputs: Any,
    output_stream: Any = None,
    summarize: int | None = 3,
    sep: str = " ",
    end: str = "\n",
    name: str | None = None,
) -> Any:
    """Prints values: at once while executing eagerly, each time the graph runs otherwise.

    Args:
      *inputs: tensors, Python values, and structures of them. Of a tensor the elements are shown.
      output_stream: sys.stderr (the default) or sys.stdout, an open file, "file://" and a path, or
        a function of a string, such as `logging.info`.
      summarize: how many elements to show at either end of each axis; -1 or None for all.
      sep: what stands between two values.
      end: what comes last.
      name: the operation's name in a graph.

    Returns:
      The operation, in a graph.

    >>> import sys
    >>> import autograph_lite as ag
    >>> ag.print("x:", ag.constant([1.5, 2.0]), output_stream=sys.stdout)
    x: [1.5 2]
    """
    write = writer(sys.stderr if output_stream is None else output_stream)
    shown = -1 if summarize is None else summarize
    if len(inputs) == 1 and isinstance(inputs[0], Tensor) and _is_text(inputs[0]):
        apply(PRINT_STRING, (inputs[0],), {"end": end, "write": write}, name)
    else:
        pieces, tensors = template(inputs, sep)
        attrs = {"pieces": pieces, "summarize": shown, "end": end, "write": write}
        apply(PRINT, tensors, attrs, name)
    return None if thread.graph is None else thread.graph.operations[-1]


def _is_text(tensor: Tensor) -> bool:
    return tensor.dtype.kind == "S" and tensor.shape.rank == 0
