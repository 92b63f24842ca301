"""Discrete cosine transforms, as products with a matrix."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from runtime.ops.fft import as_real, fit_to, last_sizes
from runtime.ops.matmul import matmul
from runtime.ops.shaping import expand_dims, squeeze
from runtime.tensor import Tensor


def _cosines(kind: int, n: int, ortho: bool) -> Any:
    """The matrix of a cosine transform of `n` numbers, which stand in rows."""
    k, j = np.arange(n)[:, None], np.arange(n)
    if kind == 1:
        made = 2 * np.cos(np.pi * k * j / (n - 1))
        made[0] = 1.0
        made[-1] = (-1.0) ** j
        return made
    if kind == 2:
        made = 2 * np.cos(np.pi * (k + 0.5) * j / n)
    elif kind == 3:
        made = 2 * np.cos(np.pi * k * (j + 0.5) / n)
        if not ortho:
            made[0] = 1.0
    else:
        made = 2 * np.cos(np.pi * (k + 0.5) * (j + 0.5) / n)
    if ortho:
        made = made * math.sqrt(0.5 / n)
        if kind == 2:
            made[:, 0] *= math.sqrt(0.5)
        elif kind == 3:
            made[0] *= math.sqrt(0.5)
    return made


def dct(
    input: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The discrete cosine transform along the last axis.

    Args:
      input: real numbers.
      type: 1, 2, 3 or 4.
      n: the length to cut or fill up the axis to.
      axis: -1.
      norm: None or "ortho".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.signal.dct([1.0, 1.0], norm="ortho").numpy().round(4).tolist()
    [1.414199948310852, 0.0]
    """
    if type not in (1, 2, 3, 4) or norm not in (None, "ortho") or (type == 1 and norm):
        raise ValueError(
            f'type must be 1 to 4 and norm None or "ortho" (not for type 1), found {type}, {norm!r}'
        )
    if axis != -1:
        raise ValueError(f"dct works along the last axis, found axis={axis}")
    x = as_real(input)
    if n is not None:
        x = fit_to(x, (int(n),))
    (length,) = last_sizes(x, 1)
    if type == 1 and length < 2:
        raise ValueError("a cosine transform of type 1 needs at least two numbers")
    matrix = _cosines(type, length, norm == "ortho").astype(x.dtype.np_dtype)
    return squeeze(matmul(expand_dims(x, -2), matrix), [-2], name)


def idct(
    input: Any,
    type: int = 2,
    n: int | None = None,
    axis: int = -1,
    norm: str | None = None,
    name: str | None = None,
) -> Tensor:
    """The inverse of `dct`, up to a factor of twice the length unless `norm` is "ortho".

    Args:
      input: real numbers.
      type: the type of the transform to invert.
      n: None.
      axis: -1.
      norm: None or "ortho".
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> there = ag.signal.dct([1.0, 3.0], norm="ortho")
    >>> ag.signal.idct(there, norm="ortho").numpy().round(4).tolist()
    [1.0, 3.0]
    """
    inverse = {1: 1, 2: 3, 3: 2, 4: 4}.get(type, type)
    return dct(input, inverse, n, axis, norm, name)
