"""NumPy's functions that make arrays, where sizes or values are tensors: an entry for each.

They are not reached through NumPy's protocols, which ask for an array among the arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph_lite.staging.list_specs import is_dynamic
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType, as_dtype, float64
from runtime.ops import creation
from runtime.ops.casting import cast
from runtime.ops.promotion import result_dtype
from runtime.ops.shaping import broadcast_to, identity
from runtime.tensor import Tensor


def _shape(shape: Any) -> Any:
    """A shape as the library's own functions take it."""
    if isinstance(shape, Tensor) and shape.shape.rank == 0:
        return [shape]
    return shape


def _dtype(dtype: Any, default: DType = float64) -> DType:
    return default if dtype is None else as_dtype(dtype)


def zeros(shape: Any, dtype: Any = None, order: str = "C", **_: Any) -> Tensor:
    return creation.zeros(_shape(shape), _dtype(dtype))


def ones(shape: Any, dtype: Any = None, order: str = "C", **_: Any) -> Tensor:
    return creation.ones(_shape(shape), _dtype(dtype))


def full(shape: Any, fill_value: Any, dtype: Any = None, order: str = "C", **_: Any) -> Tensor:
    value = _array_of(fill_value)
    if dtype is not None:
        value = cast(value, as_dtype(dtype))
    return broadcast_to(value, _shape(shape))


def arange(*bounds: Any, dtype: Any = None, **_: Any) -> Tensor:
    made = creation.range(*bounds)
    return made if dtype is None else cast(made, as_dtype(dtype))


def eye(N: Any, M: Any = None, k: int = 0, dtype: Any = float, **_: Any) -> Tensor:
    from runtime.ops.comparison import equal

    rows = creation.range(N)
    columns = creation.range(N if M is None else M)
    return cast(equal(rows[:, None] + k, columns[None, :]), as_dtype(dtype))


def array(object: Any, dtype: Any = None, **_: Any) -> Tensor:
    made = identity(_array_of(object))
    return made if dtype is None else cast(made, as_dtype(dtype))


def asarray(a: Any, dtype: Any = None, *_: Any, **__: Any) -> Tensor:
    made = _array_of(a)
    return made if dtype is None else cast(made, as_dtype(dtype))


def _array_of(value: Any) -> Tensor:
    """A tensor of what NumPy would make an array of; nested sequences are stacked."""
    if isinstance(value, list | tuple) and not is_dynamic(value) and value:
        from runtime.ops.joining import stack

        parts = [_array_of(item) for item in value]
        kinds = [part.dtype for part in parts]
        common = kinds[0]
        for kind in kinds[1:]:
            common = result_dtype(common, kind)
        return stack([cast(part, common) for part in parts])
    if isinstance(value, float | int) and not isinstance(value, bool | np.generic):
        return convert_to_tensor(np.asarray(value))
    return convert_to_tensor(value)


def table() -> dict[Any, Callable[..., Any]]:
    """NumPy's functions and what stands for them here."""
    functions = (zeros, ones, full, arange, eye, array, asarray)
    named = {getattr(np, f.__name__): f for f in functions}
    return {
        **named, np.empty: zeros, np.identity: eye, np.asanyarray: asarray,
        np.ascontiguousarray: asarray,
    }  # fmt: skip


__all__ = ["table"]
