"""Bits of integers, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops import rules
from runtime.ops.comparison import logical_and, logical_not, logical_or, logical_xor
from runtime.ops.elementwise import binary, unary
from runtime.ops.promotion import operands
from runtime.ops.registry import NO_GRADIENT, OpDef, define
from runtime.tensor import Tensor


def _bits(name: str, ufunc: Any, infix: str | None) -> OpDef:
    return define(
        name,
        kernel=ufunc,
        infer=rules.broadcast,
        gradient=NO_GRADIENT,
        infix=infix,
        elementwise=True,
    )


AND = _bits("BitwiseAnd", np.bitwise_and, "&")
OR = _bits("BitwiseOr", np.bitwise_or, "|")
XOR = _bits("BitwiseXor", np.bitwise_xor, "^")
LEFT_SHIFT = _bits("LeftShift", np.left_shift, "<<")
RIGHT_SHIFT = _bits("RightShift", np.right_shift, ">>")
INVERT = _bits("Invert", np.invert, None)


def _integers(op: OpDef, x: Any, y: Any, name: str | None) -> Tensor:
    a, b = operands(x, y)
    for tensor in (a, b):
        if tensor.dtype.kind not in "iub":
            raise TypeError(f"{op.name} takes integers, found {tensor.dtype.name}")
    return binary(op, a, b, name)


def bitwise_and(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits that both integers have.

    >>> import autograph_lite as ag
    >>> ag.bitwise.bitwise_and([6, 5], 3).numpy().tolist()
    [2, 1]
    """
    return _integers(AND, x, y, name)


def bitwise_or(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits that at least one of the integers has.

    >>> import autograph_lite as ag
    >>> ag.bitwise.bitwise_or([6, 5], 3).numpy().tolist()
    [7, 7]
    """
    return _integers(OR, x, y, name)


def bitwise_xor(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The bits that exactly one of the integers has.

    >>> import autograph_lite as ag
    >>> ag.bitwise.bitwise_xor([6, 5], 3).numpy().tolist()
    [5, 6]
    """
    return _integers(XOR, x, y, name)


def left_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x << y`; bits that leave the dtype are lost.

    >>> import autograph_lite as ag
    >>> ag.bitwise.left_shift([1, 3], 2).numpy().tolist()
    [4, 12]
    """
    return _integers(LEFT_SHIFT, x, y, name)


def right_shift(x: Any, y: Any, name: str | None = None) -> Tensor:
    """`x >> y`; the sign stays.

    >>> import autograph_lite as ag
    >>> ag.bitwise.right_shift([8, -8], 2).numpy().tolist()
    [2, -2]
    """
    return _integers(RIGHT_SHIFT, x, y, name)


def invert(x: Any, name: str | None = None) -> Tensor:
    """Every bit turned over; `not` of booleans.

    >>> import autograph_lite as ag
    >>> ag.bitwise.invert([0, 7]).numpy().tolist()
    [-1, -8]
    """
    return unary(INVERT, x, name)


# ---- the operators & | ^ ~, which mean logic for booleans


def _is_bool(x: Any, y: Any) -> bool:
    tensors = [v for v in (x, y) if isinstance(v, Tensor)]
    return all(t.dtype.is_bool for t in tensors) and _fits_bool(x) and _fits_bool(y)


def _fits_bool(value: Any) -> bool:
    return isinstance(value, Tensor) or convert_to_tensor(value).dtype.is_bool


def and_operator(x: Any, y: Any) -> Tensor:
    """`x & y`."""
    return logical_and(x, y) if _is_bool(x, y) else bitwise_and(x, y)


def or_operator(x: Any, y: Any) -> Tensor:
    """`x | y`."""
    return logical_or(x, y) if _is_bool(x, y) else bitwise_or(x, y)


def xor_operator(x: Any, y: Any) -> Tensor:
    """`x ^ y`."""
    return logical_xor(x, y) if _is_bool(x, y) else bitwise_xor(x, y)


def invert_operator(x: Tensor) -> Tensor:
    """`~x`."""
    return logical_not(x) if x.dtype.is_bool else invert(x)
