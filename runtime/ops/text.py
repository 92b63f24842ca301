"""Arrays as text, the way TensorFlow's `tf.print` writes them."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

_ESCAPES = {
    0x0A: b"\\n",
    0x0D: b"\\r",
    0x09: b"\\t",
    0x22: b'\\"',
    0x27: b"\\'",
    0x5C: b"\\\\",
}


def array_text(array: Any, summarize: int = 3) -> str:
    """An array as text: elements in brackets, long axes cut short.

    Args:
      array: an array or NumPy scalar.
      summarize: how many elements to show at either end of an axis; -1 for all.

    >>> array_text(np.arange(8))
    '[0 1 2 ... 5 6 7]'
    >>> array_text(np.array([0.1, 1 / 3], np.float32))
    '[0.1 0.333333343]'
    """
    array = np.asarray(array)
    ends = array.size if summarize < 0 else min(summarize, array.size)
    return _axis_text(array, 0, array.ndim, ends, _element_text(array.dtype))


def _axis_text(array: Any, depth: int, rank: int, ends: int, element: Callable[[Any], str]) -> str:
    if depth == rank:
        return element(array[()] if isinstance(array, np.ndarray) else array)
    between = " " if depth == rank - 1 else "\n" * (rank - depth - 1) + " " * (depth + 1)
    count = len(array)
    shown = [_axis_text(array[i], depth + 1, rank, ends, element) for i in range(min(ends, count))]
    text = between.join(shown)
    if count > 2 * ends:
        text += between + "..."
    for i in range(max(ends, count - ends), count):
        text += between + _axis_text(array[i], depth + 1, rank, ends, element)
    return f"[{text}]"


def _element_text(dtype: np.dtype[Any]) -> Callable[[Any], str]:
    kind = dtype.kind
    if kind == "f":
        return double_text if dtype.itemsize == 8 else float_text
    if kind == "b":
        return lambda value: "1" if value else "0"
    if kind == "c":
        part = double_text if dtype.itemsize == 16 else float_text
        return lambda value: f"({part(value.real)},{part(value.imag)})"
    if kind == "O":
        return quoted
    return str


def float_text(value: Any) -> str:
    """A float32 with 6 digits if they tell it apart from all others, else with 9.

    >>> float_text(np.float32(0.1)), float_text(np.float32(1e10)), float_text(np.float32(1 / 3))
    ('0.1', '1e+10', '0.333333343')
    """
    number = float(value)
    if not math.isfinite(number):
        return str(number)
    short = f"{number:.6g}"
    return short if np.float32(short) == np.float32(number) else f"{number:.9g}"


def double_text(value: Any) -> str:
    """A float64 with 15 digits if they tell it apart from all others, else with 17."""
    number = float(value)
    if not math.isfinite(number):
        return str(number)
    short = f"{number:.15g}"
    return short if float(short) == number else f"{number:.17g}"


def quoted(value: Any) -> str:
    r"""Bytes in double quotes, with what cannot be seen escaped as in C.

    >>> print(quoted(b"a\nb"))
    "a\nb"
    """
    if not isinstance(value, bytes):
        return str(value)
    out = bytearray()
    for byte in value:
        if byte in _ESCAPES:
            out += _ESCAPES[byte]
        elif byte < 0x20 or byte == 0x7F:
            out += b"\\%03o" % byte
        else:
            out.append(byte)
    return f'"{out.decode("utf-8", "replace")}"'
