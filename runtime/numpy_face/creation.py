"""NumPy's functions that make arrays like others; each is NumPy's of the same name."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype
from runtime.ops import creation as ops
from runtime.ops import diagonals, elementwise, gathering, unary
from runtime.ops.casting import cast
from runtime.ops.joining import stack
from runtime.ops.shaping import broadcast_to, expand_dims, identity, reshape, shape_tensor
from runtime.tensor import Tensor


def _cast(x: Any, dtype: Any) -> Tensor:
    tensor = convert_to_tensor(x)
    return tensor if dtype is None else cast(tensor, dtype)


def zeros_like(
    a: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None, **_: Any
) -> Any:
    like = convert_to_tensor(a)
    if shape is not None:
        return ops.zeros(shape, as_dtype(dtype or like.dtype))
    return ops.zeros_like(like, dtype)


def ones_like(
    a: Any, dtype: Any = None, order: Any = "K", subok: bool = True, shape: Any = None, **_: Any
) -> Any:
    like = convert_to_tensor(a)
    if shape is not None:
        return ops.ones(shape, as_dtype(dtype or like.dtype))
    return ops.ones_like(like, dtype)


def empty_like(
    prototype: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: bool = True,
    shape: Any = None,
    **_: Any,
) -> Any:
    return zeros_like(prototype, dtype, shape=shape)


def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: Any = "K",
    subok: bool = True,
    shape: Any = None,
    **_: Any,
) -> Any:
    like = convert_to_tensor(a)
    value = _cast(fill_value, as_dtype(dtype or like.dtype))
    return broadcast_to(value, shape_tensor(like) if shape is None else shape)


def copy(a: Any, order: Any = "K", subok: bool = False) -> Any:
    return identity(a)


def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    if endpoint:
        made = ops.linspace(start, stop, num, axis=axis)
        step = (convert_to_tensor(stop) - start) / (num - 1) if retstep else None
    else:
        step = (convert_to_tensor(stop) - start) / num
        last = elementwise.add(start, step * (num - 1))
        made = ops.linspace(start, last, num, axis=axis)
    made = _cast(made, dtype)
    return (made, step) if retstep else made


def logspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    base: Any = 10.0,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    powers = linspace(start, stop, num, endpoint, axis=axis)
    return _cast(elementwise.pow(cast(base, powers.dtype), powers), dtype)


def geomspace(
    start: Any, stop: Any, num: int = 50, endpoint: bool = True, dtype: Any = None, axis: int = 0
) -> Any:
    logs = linspace(unary.log(start), unary.log(stop), num, endpoint, axis=axis)
    return _cast(unary.exp(logs), dtype)


def meshgrid(*xi: Any, copy: bool = True, sparse: bool = False, indexing: str = "xy") -> Any:
    if not sparse:
        return tuple(gathering.meshgrid(*xi, indexing=indexing))
    rank, out = len(xi), []
    for i, x in enumerate(xi):
        place = {0: 1, 1: 0}.get(i, i) if indexing == "xy" and rank > 1 else i
        out.append(reshape(x, [-1 if j == place else 1 for j in range(rank)]))
    return tuple(out)


def diag(v: Any, k: int = 0) -> Any:
    x = convert_to_tensor(v)
    return diagonals.diag(x, k=k) if x.ndim == 1 else diagonal(x, k)


def diagflat(v: Any, k: int = 0) -> Any:
    return diag(reshape(v, [-1]), k)


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    from runtime.numpy_face.arranging import moveaxis

    x = moveaxis(convert_to_tensor(a), (axis1, axis2), (-2, -1))
    rows, columns = x.shape[-2], x.shape[-1]
    if rows is None or columns is None:
        return diagonals.diag_part(x, k=offset)
    size = max(0, min(rows + min(offset, 0), columns - max(offset, 0)))
    places = np.arange(size)
    return x[..., places - min(offset, 0), places + max(offset, 0)]


def trace(
    a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None
) -> Any:
    from runtime.ops.reductions import reduce_sum

    return _cast(reduce_sum(diagonal(a, offset, axis1, axis2), -1), dtype)


def _triangle(m: Any, keep: Any) -> Any:
    x = convert_to_tensor(m)
    rows, columns = ops.range(_size(x, -2)), ops.range(_size(x, -1))
    return gathering.where(keep(expand_dims(rows, 1), columns), x, ops.zeros((), x.dtype))


def _size(x: Tensor, axis: int) -> Any:
    from runtime.ops.shaping import shape

    known = x.shape[axis]
    return shape(x)[axis] if known is None else known


def tril(m: Any, k: int = 0) -> Any:
    return _triangle(m, lambda row, column: column - row <= k)


def triu(m: Any, k: int = 0) -> Any:
    return _triangle(m, lambda row, column: column - row >= k)


def tril_indices_from(arr: Any, k: int = 0) -> Any:
    from runtime.numpy_face.choosing import nonzero

    return nonzero(tril(ops.ones_like(arr, "int32"), k))


def triu_indices_from(arr: Any, k: int = 0) -> Any:
    from runtime.numpy_face.choosing import nonzero

    return nonzero(triu(ops.ones_like(arr, "int32"), k))


def diag_indices_from(arr: Any) -> Any:
    x = convert_to_tensor(arr)
    return (ops.range(_size(x, 0)),) * x.ndim


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    from runtime.ops.reordering import reverse

    values = convert_to_tensor(x)
    count = values.shape[0] if N is None else N
    columns = [ops.ones_like(values)]
    for _ in range(1, count or 0):
        columns.append(columns[-1] * values)
    made = stack(columns, 1)
    return made if increasing else reverse(made, [1])
