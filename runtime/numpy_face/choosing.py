"""NumPy's functions that choose, search, sort and compare; each is NumPy's of the same name."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.numpy_face import unsupported
from runtime.numpy_face.lifted import lifted
from runtime.numpy_face.ufuncs import truth
from runtime.ops import (
    along_axis,
    comparison,
    counting,
    creation,
    gathering,
    joining,
    shaping,
    slicing,
    sorting,
    unary,
)
from runtime.ops.casting import cast
from runtime.ops.promotion import operands
from runtime.shapes import UNKNOWN, TensorShape, normal_axis
from runtime.tensor import Tensor

_VECTOR = TensorShape((None,))


def _flat(x: Any) -> Tensor:
    return shaping.reshape(x, [-1])


def where(condition: Any, x: Any = None, y: Any = None, /) -> Any:
    if x is None and y is None:
        return nonzero(condition)
    return gathering.where(truth(condition), x, y)


def nonzero(a: Any) -> Any:
    x = convert_to_tensor(a)
    places = gathering.where(truth(x))
    return tuple(joining.unstack(places, num=x.ndim, axis=1))


def argwhere(a: Any) -> Any:
    return gathering.where(truth(a))


def flatnonzero(a: Any) -> Any:
    return nonzero(_flat(a))[0]


def take(a: Any, indices: Any, axis: Any = None, out: Any = None, mode: str = "raise") -> Any:
    x = _flat(a) if axis is None else convert_to_tensor(a)
    places = gathering.integers(indices, "indices")
    at = 0 if axis is None else axis
    if mode != "raise":
        from runtime.ops.clipping import clip_by_value

        count: Any = x.shape[at]
        count = cast(shaping.shape(x)[at], places.dtype) if count is None else count
        places = places % count if mode == "wrap" else clip_by_value(places, 0, count - 1)
    return gathering.gather(x, places, axis=at)


def take_along_axis(arr: Any, indices: Any, axis: Any = -1) -> Any:
    x, places = convert_to_tensor(arr), gathering.integers(indices, "indices")
    if axis is None:
        return gathering.gather(_flat(x), _flat(places))
    return along_axis.take_along_axis(x, places, normal_axis(axis, x.ndim))


def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    from runtime.numpy_face.arranging import broadcast_arrays

    if mode != "raise":
        raise unsupported(f"mode={mode!r}")
    index, *options = broadcast_arrays(a, *choices)
    stacked = joining.stack(options)
    return shaping.squeeze(along_axis.take_along_axis(stacked, shaping.expand_dims(index, 0), 0), 0)


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    made: Any = default
    for condition, choice in reversed(list(zip(condlist, choicelist, strict=True))):
        made = gathering.where(truth(condition), choice, made)
    return made


def compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    x = _flat(a) if axis is None else convert_to_tensor(a)
    return gathering.gather(x, flatnonzero(condition), axis=0 if axis is None else axis)


def extract(condition: Any, arr: Any) -> Any:
    return gathering.gather(_flat(arr), flatnonzero(condition))


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    value = convert_to_tensor(x)
    conditions = [truth(c) for c in condlist]
    functions = list(funclist)
    default = functions.pop() if len(functions) > len(conditions) else 0

    def result(function: Any) -> Any:
        return function(value, *args, **kw) if callable(function) else function

    made: Any = gathering.where(truth(value == value), result(default), result(default))
    made = cast(made, value.dtype)
    for condition, function in zip(conditions, functions, strict=True):
        made = gathering.where(condition, cast(result(function), value.dtype), made)
    return made


def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    rows = convert_to_tensor(a) if sorter is None else gathering.gather(a, sorter)
    return gathering.searchsorted(rows, v, side, dtypes.int64)


def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    values, edges = operands(x, bins)
    shape = values.shape
    return lifted("numpy.digitize", [values, edges], [(dtypes.int64, shape)], right=right)


def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    from runtime.ops.reductions import count_nonzero as count

    return count(a, axis, keepdims)


def ix_(*args: Any) -> Any:
    out = []
    for i, vector in enumerate(args):
        x = convert_to_tensor(vector)
        x = nonzero(x)[0] if x.dtype is dtypes.bool_ else x
        out.append(shaping.reshape(x, [-1 if j == i else 1 for j in range(len(args))]))
    return tuple(out)


def unravel_index(indices: Any, shape: Any, order: str = "C") -> Any:
    if order != "C":
        raise unsupported(f"order={order!r}")
    rest, out = gathering.integers(indices, "indices"), []
    for size in reversed(tuple(shape)):
        out.append(rest % size)
        rest = rest // size
    return tuple(reversed(out))


def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: str = "C") -> Any:
    if order != "C" or mode != "raise":
        raise unsupported("mode or order")
    made: Any = 0
    for index, size in zip(multi_index, dims, strict=True):
        made = made * size + gathering.integers(index, "indices")
    return made


# ---- sorting


def sort(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None) -> Any:
    if axis is None:
        return sorting.sort(_flat(a), 0)
    return sorting.sort(a, axis)


def argsort(
    a: Any, axis: Any = -1, kind: Any = None, order: Any = None, *, stable: Any = None
) -> Any:
    made = sorting.argsort(_flat(a), 0) if axis is None else sorting.argsort(a, axis)
    return cast(made, dtypes.int64)


def partition(
    a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None
) -> Any:
    # A sorted array is partitioned at every place.
    return sort(a, axis)


def argpartition(
    a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect", order: Any = None
) -> Any:
    return argsort(a, axis)


def lexsort(keys: Any, axis: Any = -1) -> Any:
    rows = joining.stack(list(keys)) if isinstance(keys, list | tuple) else convert_to_tensor(keys)
    return lifted("numpy.lexsort", [rows], [(dtypes.int64, rows.shape[1:])], axis=axis)


def sort_complex(a: Any) -> Any:
    x = convert_to_tensor(a)
    wide = dtypes.complex64 if x.dtype.name in ("float16", "float32") else dtypes.complex128
    wanted = x.dtype if x.dtype.is_complex else wide
    return lifted("numpy.sort_complex", [x], [(wanted, x.shape)])


# ---- sets


def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    **_: Any,
) -> Any:
    x = convert_to_tensor(ar)
    if axis is not None:
        raise unsupported("axis")
    results: list[Any] = [(x.dtype, _VECTOR)]
    results += [(dtypes.int64, _VECTOR)] * return_index
    results += [(dtypes.int64, x.shape)] * return_inverse
    results += [(dtypes.int64, _VECTOR)] * return_counts
    options = {
        "return_index": return_index,
        "return_inverse": return_inverse,
        "return_counts": return_counts,
    }
    if len(results) > 1:
        return lifted("numpy.unique", [x], results, **options)
    if x.dtype.is_floating:
        return _first_of_runs(sorting.sort(_flat(x)))
    return sorting.sort(counting.unique(_flat(x)).y)


def _first_of_runs(values: Tensor) -> Tensor:
    """A sorted vector without what equals its neighbour on the left; gradients go through it."""
    here, left = values[1:], values[:-1]
    # NaNs come last, and are taken for equal.
    both_nan = comparison.logical_and(unary.is_nan(here), unary.is_nan(left))
    differs = comparison.logical_and(
        comparison.not_equal(here, left), comparison.logical_not(both_nan)
    )
    first = creation.ones_like(values[:1], dtype=dtypes.bool_)
    return slicing.boolean_mask(values, joining.concat([first, differs], 0))


def unique_values(x: Any, /) -> Any:
    return unique(x)


def _set_operation(name: str, a: Any, b: Any) -> Any:
    x, y = operands(a, b)
    return lifted(name, [x, y], [(x.dtype, _VECTOR)])


def union1d(ar1: Any, ar2: Any) -> Any:
    return _set_operation("numpy.union1d", ar1, ar2)


def intersect1d(
    ar1: Any, ar2: Any, assume_unique: bool = False, return_indices: bool = False
) -> Any:
    if return_indices:
        raise unsupported("return_indices")
    return _set_operation("numpy.intersect1d", ar1, ar2)


def setdiff1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    return _set_operation("numpy.setdiff1d", ar1, ar2)


def setxor1d(ar1: Any, ar2: Any, assume_unique: bool = False) -> Any:
    return _set_operation("numpy.setxor1d", ar1, ar2)


def isin(
    element: Any,
    test_elements: Any,
    assume_unique: bool = False,
    invert: bool = False,
    *,
    kind: Any = None,
) -> Any:
    x, y = operands(element, test_elements)
    return lifted("numpy.isin", [x, y], [(dtypes.bool_, x.shape)], invert=invert)


def trim_zeros(filt: Any, trim: str = "fb", axis: Any = None) -> Any:
    x = convert_to_tensor(filt)
    return lifted("numpy.trim_zeros", [x], [(x.dtype, UNKNOWN)], trim=trim)


# ---- equality of arrays


def array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    from runtime.ops.reductions import reduce_all

    x, y = operands(a1, a2)
    if not x.shape.is_compatible_with(y.shape):
        return convert_to_tensor(np.False_)
    same = comparison.equal(x, y)
    if equal_nan:
        same = comparison.logical_or(same, comparison.logical_and(x != x, y != y))
    return reduce_all(same)


def array_equiv(a1: Any, a2: Any) -> Any:
    from runtime.ops.reductions import reduce_all

    x, y = operands(a1, a2)
    try:
        shaping.broadcast_static_shape(x.shape, y.shape)
    except ValueError:
        return convert_to_tensor(np.False_)
    return reduce_all(comparison.equal(x, y))
