"""Bringing the operands of a binary op to one dtype.

Python numbers are weak: they take the tensor's dtype where NumPy 2 (NEP 50) lets them. An array of
NumPy takes the tensor's dtype when its kind allows that, as in TensorFlow, and its integers fit.
Two tensors promote as NumPy's arrays do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import dtypes
from runtime.context import thread
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor

_KIND_RANK = {"b": 0, "u": 1, "i": 1, "f": 2, "c": 3}


def operands(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    """Both operands as tensors of the dtype in which the op is to be computed.

    Raises:
      TypeError: one of them cannot become a tensor, or they have no common dtype.
    """
    if isinstance(x, Tensor):
        if isinstance(y, Tensor):
            return _both(x, y)
        return beside(x, y)
    if isinstance(y, Tensor):
        b, a = beside(y, x)
        return a, b
    a = convert_to_tensor(x)
    if not _is_python_number(x) and _is_python_number(y):
        return beside(a, y)
    b = convert_to_tensor(y)
    if _is_python_number(x):
        b, a = beside(b, x)
        return a, b
    return _both(a, b)


def _is_python_number(value: Any) -> bool:
    return isinstance(value, bool | int | float | complex)


def beside(tensor: Tensor, other: Any) -> tuple[Tensor, Tensor]:
    """A tensor and something that is not one, brought to a common dtype."""
    dtype = tensor.dtype
    kind = type(other)
    if kind is int or kind is float or kind is bool or kind is complex:
        wanted = weak_result(dtype, other)
        made = convert_to_tensor(other, wanted)
        if isinstance(tensor, SymbolicTensor) and tensor.weak:
            made.weak = True  # type: ignore[attr-defined]
        return cast_to(tensor, wanted), made
    if isinstance(other, np.ndarray | np.generic):
        found = dtypes.from_numpy(other.dtype)
        if isinstance(tensor, SymbolicTensor) and tensor.weak:
            return _both(tensor, convert_to_tensor(other))
        if found is not dtype and _takes(dtype, found) and _fits(dtype, other):
            return tensor, convert_to_tensor(other.astype(dtype.np_dtype))
        return _both(tensor, convert_to_tensor(other))
    return _both(tensor, convert_to_tensor(other, dtype_hint=dtype))


def _takes(dtype: DType, found: DType) -> bool:
    """Whether NumPy data of `found` may silently become `dtype`."""
    if dtype.kind not in _KIND_RANK or found.kind not in _KIND_RANK or "b" in (dtype.kind,):
        return False
    return _KIND_RANK[found.kind] <= _KIND_RANK[dtype.kind]


def _fits(dtype: DType, data: Any) -> bool:
    """Whether integers of NumPy keep their values in `dtype`; else the operands promote."""
    if dtype.kind not in "iu" or data.size == 0 or np.can_cast(data.dtype, dtype.np_dtype):
        return True
    return bool(int(data.min()) >= dtype.min and int(data.max()) <= dtype.max)


def weak_result(dtype: DType, number: Any) -> DType:
    """The dtype of a tensor of `dtype` combined with a Python number, as NEP 50 has it.

    >>> weak_result(dtypes.float32, 2).name, weak_result(dtypes.int32, 0.5).name
    ('float32', 'float64')
    """
    kind = dtype.kind
    if type(number) is bool or kind not in _KIND_RANK:
        return dtype
    rank = 1 if type(number) is int else 2 if type(number) is float else 3
    if rank <= _KIND_RANK[kind]:
        return dtype
    if kind == "b":
        return dtypes.int32 if rank == 1 else python_float() if rank == 2 else dtypes.complex64
    if rank == 2:
        return dtypes.float64
    return dtypes.complex64 if dtype.name in ("float16", "float32") else dtypes.complex128


def python_float() -> DType:
    """What a Python float becomes where no dtype is named."""
    return dtypes.float64 if thread.wide_floats else dtypes.float32


def _both(a: Tensor, b: Tensor) -> tuple[Tensor, Tensor]:
    x, y = a.dtype, b.dtype
    if x is y:
        return a, b
    weak_a = isinstance(a, SymbolicTensor) and a.weak
    weak_b = isinstance(b, SymbolicTensor) and b.weak
    if weak_a and not weak_b and _KIND_RANK.get(x.kind, 9) <= _KIND_RANK.get(y.kind, -1):
        return cast_to(a, y), b
    if weak_b and not weak_a and _KIND_RANK.get(y.kind, 9) <= _KIND_RANK.get(x.kind, -1):
        return a, cast_to(b, x)
    common = result_dtype(x, y)
    return cast_to(a, common), cast_to(b, common)


def result_dtype(x: DType, y: DType) -> DType:
    """What two arrays of these dtypes promote to in NumPy 2.

    Raises:
      TypeError: they have no common dtype.
    """
    if x is y:
        return x
    if x.kind not in _KIND_RANK or y.kind not in _KIND_RANK:
        raise TypeError(f"tensors of dtypes {x.name} and {y.name} have no common dtype")
    return dtypes.from_numpy(np.promote_types(x.np_dtype, y.np_dtype))


def cast_to(tensor: Tensor, dtype: DType) -> Tensor:
    """`tensor` in `dtype`; itself if it has that dtype already."""
    if tensor.dtype is dtype:
        return tensor
    if isinstance(tensor, EagerTensor) and not _recorded():
        return EagerTensor(tensor._value.astype(dtype.np_dtype))
    from runtime.ops.casting import cast

    return cast(tensor, dtype)


def _recorded() -> bool:
    return bool(thread.recorders) or thread.graph is not None
