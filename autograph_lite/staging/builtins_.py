"""Builtin functions of Python on staged values."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import runtime.ops.creation as creation
import runtime.ops.elementwise as elementwise
import runtime.ops.reductions as reductions
from autograph_lite.errors import StagingError
from autograph_lite.staging.specs import MaybeUnbound
from autograph_lite.staging.text import repr_ as repr_
from autograph_lite.staging.text import str_ as str_
from runtime import dtypes
from runtime.control_flow import as_condition
from runtime.convert import convert_to_tensor
from runtime.locations import user_location
from runtime.ops.casting import cast
from runtime.ops.shaping import reshape
from runtime.ops.shaping import shape as shape_of
from runtime.ops.sorting import sort
from runtime.ops.unary import abs as absolute
from runtime.tensor import Tensor


def abs_(x: Any) -> Any:
    """`abs(x)`."""
    return absolute(x)


def len_(x: Any) -> Any:
    """`len(x)`: the size of the first dimension, known while tracing if it can be."""
    if not isinstance(x, Tensor):
        return len(x)
    if x.shape.rank == 0:
        raise TypeError(f"{user_location()}: a scalar tensor has no len(): {x!r}")
    size = x.shape[0] if x.shape.rank else None
    return size if size is not None else shape_of(x)[0]


def int_(x: Any = 0, *base: Any) -> Any:
    """`int(x)`: rounds towards zero."""
    return _scalar_cast(x, dtypes.int32, "iu")


def float_(x: Any = 0.0) -> Any:
    """`float(x)`."""
    return _scalar_cast(x, dtypes.float32, "f")


def bool_(x: Any = False) -> Any:
    """`bool(x)`."""
    return as_condition(x, "bool()")


def _scalar_cast(x: Any, default: Any, kinds: str) -> Tensor:
    tensor = convert_to_tensor(x)
    size = tensor.shape.num_elements()
    if size is not None and size != 1:
        raise TypeError(
            f"{user_location()}: only a tensor with one element can become a number, "
            f"found {tensor!r}"
        )
    if tensor.shape.rank != 0:
        tensor = reshape(tensor, ())
    return tensor if tensor.dtype.kind in kinds else cast(tensor, default)


def range_(*bounds: Any) -> Tensor:
    """`range(...)` with tensors as bounds."""
    return creation.range(*bounds)


def divmod_(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """`divmod(x, y)`."""
    return elementwise.floordiv(x, y), elementwise.floormod(x, y)


def pow_(base: Any, exponent: Any, *modulus: Any) -> Tensor:
    """`pow(base, exponent)`, and with a modulus what is left of it."""
    raised = elementwise.pow(base, exponent)
    return elementwise.floormod(raised, modulus[0]) if modulus else raised


def round_(x: Any, *digits: Any) -> Tensor:
    """`round(x)`: to the nearest integer, halves to even; with digits, to so many decimals."""
    tensor = convert_to_tensor(x)
    if not digits or digits[0] is None:
        rounded = reductions_round(tensor)
        return cast(rounded, dtypes.int32) if tensor.dtype.is_floating else rounded
    scale = 10.0 ** digits[0]
    return reductions_round(tensor * scale) / scale


def reductions_round(tensor: Tensor) -> Tensor:
    """To the nearest whole number, halves to even."""
    from runtime.ops.unary import round as rint

    return rint(tensor)


def sum_(values: Any, *start: Any, **named: Any) -> Any:
    """`sum(values)` over the first dimension of a tensor."""
    begin = start[0] if start else named.get("start", 0)
    if not isinstance(values, Tensor):
        return sum(values, begin)
    total = reductions.reduce_sum(values, axis=0)
    return total if isinstance(begin, int) and begin == 0 else total + begin


def min_(*values: Any, key: Callable[[Any], Any] | None = None, **default: Any) -> Any:
    """`min(...)` of a tensor's elements, or of several tensors."""
    return _extreme(values, key, reductions.reduce_min, elementwise.minimum, "min")


def max_(*values: Any, key: Callable[[Any], Any] | None = None, **default: Any) -> Any:
    """`max(...)` of a tensor's elements, or of several tensors."""
    return _extreme(values, key, reductions.reduce_max, elementwise.maximum, "max")


def _extreme(values: Any, key: Any, reduce: Any, choose: Any, name: str) -> Any:
    if key is not None:
        raise StagingError(
            f"{user_location()}: {name}() with a key cannot be staged; "
            "use ag.argmax or ag.argmin of the keys"
        )
    if len(values) == 1:
        return reduce(values[0], axis=0)
    best = values[0]
    for value in values[1:]:
        best = choose(best, value)
    return best


def any_(values: Any) -> Tensor:
    """`any(values)` over a tensor's elements."""
    return reductions.reduce_any(_truths(values), axis=0)


def all_(values: Any) -> Tensor:
    """`all(values)` over a tensor's elements."""
    return reductions.reduce_all(_truths(values), axis=0)


def _truths(values: Tensor) -> Tensor:
    return values if values.dtype is dtypes.bool_ else values != 0


def sorted_(values: Any, *, key: Any = None, reverse: bool = False) -> Tensor:
    """`sorted(values)` of a tensor."""
    if key is not None:
        raise StagingError(
            f"{user_location()}: sorted() with a key cannot be staged; use ag.argsort of the "
            "keys and ag.gather"
        )
    return sort(values, axis=0, direction="DESCENDING" if reverse else "ASCENDING")


def isinstance_(value: Any, kinds: Any) -> bool:
    """`isinstance(value, kinds)`: a tensor is a Tensor."""
    if isinstance(value, MaybeUnbound):
        value = value.value
    return isinstance(value, kinds)


def iter_(values: Any, *sentinel: Any) -> Iterator[Any]:
    """`iter(values)` of a tensor whose length is known."""
    return iter(values)


def next_(iterator: Any, *default: Any) -> Any:
    """`next(iterator)`."""
    return next(iterator, *default)


def tuple_(values: Any = ()) -> tuple[Any, ...]:
    """`tuple(values)` of a tensor whose length is known."""
    return tuple(values)


def list_(values: Any = ()) -> list[Any]:
    """`list(values)` of a tensor whose length is known."""
    return list(values)


def set_(values: Any = ()) -> Any:
    """`set(values)`: tensors have no hash."""
    raise StagingError(
        f"{user_location()}: a set of a staged tensor's elements cannot be made while tracing; "
        "use ag.unique"
    )


def filter_(predicate: Any, values: Any) -> Any:
    """`filter(predicate, values)`."""
    return filter(predicate, values)


def map_(function: Any, *values: Any) -> Any:
    """`map(function, *values)`."""
    return map(function, *values)
