"""Functions of `math` on tensors: NumPy's, or written as a user would and converted like that."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import lru_cache, reduce
from typing import Any

import numpy as np

import runtime.api.math as math_
from autograph_lite.operators.calls import converted_anyway
from autograph_lite.staging.specs import is_number
from runtime.convert import convert_to_tensor
from runtime.dtypes import float64, int32, int64
from runtime.ops.casting import cast
from runtime.ops.promotion import beside, result_dtype
from runtime.tensor import SymbolicTensor, Tensor

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
    """The values as tensors of floats; numbers of Python's take the dtype of those beside them."""
    tensors = [None if is_number(value) else _as_float(value) for value in values]
    known = [tensor for tensor in tensors if tensor is not None]
    if not known:
        return [convert_to_tensor(value, float64) for value in values]
    widest = reduce(result_dtype, [tensor.dtype for tensor in known])
    partner = next(tensor for tensor in known if tensor.dtype is widest or tensor is known[-1])
    return [
        beside(partner, float(value))[1] if tensor is None else tensor
        for tensor, value in zip(tensors, values, strict=True)
    ]


def _as_float(value: Any) -> Tensor:
    tensor = convert_to_tensor(value)
    if tensor.dtype.kind in "fc":
        return tensor
    made = cast(tensor, float64)
    if isinstance(tensor, SymbolicTensor) and isinstance(made, SymbolicTensor):
        made.weak = tensor.weak
    return made


def _on_floats(function: Function) -> Function:
    return lambda *args: function(*_floats(*args))


def _whole(number: Any) -> Any:
    """An integer that is one of Python's, and takes its partner's dtype as those do."""
    made = cast(number, int32)
    if isinstance(made, SymbolicTensor):
        made.weak = True
    return made


def _is_close(a: Any, b: Any, *, rel_tol: Any = 1e-09, abs_tol: Any = 0.0) -> Any:
    a, b = _floats(a, b)
    allowed = math_.maximum(math_.maximum(math_.abs(a), math_.abs(b)) * rel_tol, abs_tol)
    near = math_.logical_and(math_.abs(a - b) <= allowed, math_.is_finite(a - b))
    return math_.logical_or(a == b, near)


def _hypot(*sides: Any) -> Any:
    return math_.sqrt(reduce(operator.add, [side * side for side in _floats(*sides)]))


def _log(x: Any, base: Any = None) -> Any:
    if base is None:
        return math_.log(*_floats(x))
    value, base = _floats(x, base)
    return math_.log(value) / math_.log(base)


def _ldexp(x: Any, exponent: Any) -> Any:
    return np.ldexp(_floats(x)[0], exponent)


def _folded(ufunc: Function, first: int) -> Function:
    return lambda *numbers: reduce(ufunc, numbers, convert_to_tensor(first))


@lru_cache
def functions() -> dict[Any, Function]:
    """What stands in for functions of `math` that are given tensors.

    Results are float64 as Python's are, but tensors of floats keep their dtype.
    """
    written = (factorial, perm, comb, isqrt, fsum, dist, remainder)
    table: dict[Any, Function] = {getattr(math, f.__name__): _later(f) for f in written}
    same = (
        "sqrt exp expm1 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh atanh erf "
        "erfc lgamma pow atan2"
    ).split()
    table.update({getattr(math, name): _on_floats(getattr(math_, name)) for name in same})
    for name in "copysign fmod cbrt exp2 modf frexp nextafter".split():
        # Two of them are younger than the oldest Python that is supported.
        if hasattr(math, name):
            table[getattr(math, name)] = _on_floats(getattr(np, name))
    table.update({math.ldexp: _ldexp, math.gcd: _folded(np.gcd, 0), math.lcm: _folded(np.lcm, 1)})
    table.update(
        {
            math.fabs: _on_floats(math_.abs),
            math.floor: lambda x: _whole(math_.floor(x)),
            math.ceil: lambda x: _whole(math_.ceil(x)),
            math.trunc: lambda x: _whole(x),
            math.log: _log,
            math.log2: lambda x: _log(x) / math.log(2.0),
            math.log10: lambda x: _log(x) / math.log(10.0),
            math.hypot: _hypot,
            math.isclose: _is_close,
            math.isnan: _on_floats(math_.is_nan),
            math.isinf: _on_floats(math_.is_inf),
            math.isfinite: _on_floats(math_.is_finite),
            math.degrees: lambda x: x * (180.0 / math.pi),
            math.radians: lambda x: x * (math.pi / 180.0),
        }
    )
    return table


def _later(function: Function) -> Function:
    """A function that is converted when it is called first."""
    return lambda *args: converted_anyway(function)(*args)


__all__ = ["functions"]
