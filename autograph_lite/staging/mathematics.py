"""Functions of `math` on tensors: NumPy's, or written as a user would and converted like that."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache, reduce
from typing import Any

import numpy as np

from autograph_lite.operators.calls import converted_anyway
from runtime.convert import convert_to_tensor
from runtime.dtypes import float64, int64
from runtime.ops.casting import cast

Function = Callable[..., Any]


def _wide(number: Any) -> Any:
    """An integer of 64 bits, as what is multiplied on the way may not fit into 32."""
    return cast(convert_to_tensor(number), int64)


def factorial(number: Any) -> Any:
    """`math.factorial(number)`"""
    if number < 0:
        raise ValueError("factorial() not defined for negative values")
    found = _wide(1)
    for factor in range(1, _wide(number) + 1):
        found *= factor
    return found


def perm(number: Any, count: Any = None) -> Any:
    """`math.perm(number, count)`"""
    if count is None:
        count = number
    if number < 0:
        raise ValueError("n must be a non-negative integer")
    if count < 0:
        raise ValueError("k must be a non-negative integer")
    found = _wide(1)
    for less in range(_wide(count)):
        found *= _wide(number) - less
    return found


def comb(number: Any, count: Any) -> Any:
    """`math.comb(number, count)`"""
    if number < 0:
        raise ValueError("n must be a non-negative integer")
    if count < 0:
        raise ValueError("k must be a non-negative integer")
    found, every = _wide(1), _wide(number)
    if count > number:
        return found * 0
    for less in range(min(_wide(count), every - _wide(count))):
        found = found * (every - less) // (less + 1)
    return found


def isqrt(number: Any) -> Any:
    """`math.isqrt(number)`"""
    if number < 0:
        raise ValueError("isqrt() argument must be nonnegative")
    every = _wide(number)
    found = _wide(math.sqrt(every))
    # Not multiplied: near the largest integers that would overflow.
    while found > 0 and found > every // found:
        found -= 1
    while found + 1 <= every // (found + 1):
        found += 1
    return found


def fsum(numbers: Any) -> Any:
    """`math.fsum(numbers)`, but not rounded only once."""
    found = 0.0
    for number in numbers:
        found += number
    return found


def dist(first: Any, second: Any) -> Any:
    """`math.dist(first, second)`"""
    found = 0.0
    for a, b in zip(first, second, strict=True):
        found += (a - b) ** 2
    return math.sqrt(found)


def remainder(x: Any, y: Any) -> Any:
    """`math.remainder(x, y)`: exact, as `fmod` is."""
    if math.isinf(x) or y == 0:
        raise ValueError("math domain error")
    size, step = abs(x), abs(y)
    rest = math.fmod(size, step)
    short = step - rest
    if rest > short:
        rest = -short
    elif rest == short:
        # Half-way, the even multiple is the nearest one.
        rest = rest - 2 * math.fmod(0.5 * (size - rest), step)
    return math.copysign(1.0, x) * rest


def _floats(*values: Any) -> list[Any]:
    tensors = [convert_to_tensor(v) for v in values]
    return [t if t.dtype.kind in "fc" else cast(t, float64) for t in tensors]


def _on_floats(ufunc: Function) -> Function:
    return lambda *args: ufunc(*_floats(*args))


def _ldexp(x: Any, exponent: Any) -> Any:
    return np.ldexp(_floats(x)[0], exponent)


def _folded(ufunc: Function, first: int) -> Function:
    return lambda *numbers: reduce(ufunc, numbers, convert_to_tensor(first))


@lru_cache
def functions() -> dict[Any, Function]:
    """What stands in for functions of `math` that are given tensors."""
    written = (factorial, perm, comb, isqrt, fsum, dist, remainder)
    table: dict[Any, Function] = {getattr(math, f.__name__): _later(f) for f in written}
    for name in "copysign fmod cbrt exp2 modf frexp nextafter".split():
        # Two of them are younger than the oldest Python that is supported.
        if hasattr(math, name):
            table[getattr(math, name)] = _on_floats(getattr(np, name))
    table.update({math.ldexp: _ldexp, math.gcd: _folded(np.gcd, 0), math.lcm: _folded(np.lcm, 1)})
    return table


def _later(function: Function) -> Function:
    """A function that is converted when it is called first."""
    return lambda *args: converted_anyway(function)(*args)


__all__ = ["functions"]
