"""Polynomials."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from runtime.convert import convert_to_tensor
from runtime.tensor import Tensor


def polyval(coeffs: Sequence[Any], x: Any, name: str | None = None) -> Tensor:
    """The value of a polynomial, by Horner's rule.

    Args:
      coeffs: a list of coefficients, that of the highest power first; they broadcast to `x`.
      x: where to evaluate.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.math.polyval([2, 1, 0], [1.0, 3.0]).numpy().tolist()
    [3.0, 21.0]
    """
    if not isinstance(coeffs, list | tuple):
        raise ValueError(f"coeffs must be a list, found {type(coeffs).__name__}")
    point = convert_to_tensor(x)
    if not coeffs:
        return point * 0
    total = convert_to_tensor(coeffs[0], dtype_hint=point.dtype) + point * 0
    for coefficient in coeffs[1:]:
        total = total * point + convert_to_tensor(coefficient, dtype_hint=point.dtype)
    return total
