"""From Python and NumPy values to tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.context import thread
from runtime.dtypes import DType, as_dtype
from runtime.locations import user_location
from runtime.shapes import TensorShape
from runtime.tensor import EagerTensor, Tensor, check_text

Converter = Callable[[Any, "DType | None", Any], "Tensor | None"]
_CONVERTERS: list[tuple[type, Converter]] = []

_INT32 = np.iinfo(np.int32)


def register_tensor_conversion_function(
    base_type: type | tuple[type, ...], conversion_func: Converter
) -> None:
    """Makes objects of `base_type` acceptable wherever a tensor is.

    Args:
      base_type: a class, or several.
      conversion_func: `conversion_func(value, dtype, name)` gives a tensor, or None if it cannot.

    >>> import autograph_lite as ag
    >>> class Celsius:
    ...     degrees = 20.0
    >>> ag.register_tensor_conversion_function(
    ...     Celsius, lambda value, dtype=None, name=None: ag.constant(value.degrees)
    ... )
    >>> float(ag.convert_to_tensor(Celsius()) + 1.0)
    21.0
    """
    kinds = base_type if isinstance(base_type, tuple) else (base_type,)
    _CONVERTERS.extend((kind, conversion_func) for kind in kinds)


def constant(value: Any, dtype: Any = None, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor with this value.

    Python integers become int32 (int64 if they do not fit), floats float32; NumPy's arrays and
    scalars keep their dtype.

    Args:
      value: a number, string, nested lists or tuples of them, or a NumPy array.
      dtype: the dtype to convert to.
      shape: the shape; a single value fills it.
      name: the operation's name in a graph.

    Raises:
      TypeError, ValueError: the value has no tensor of this dtype or shape.

    >>> import autograph_lite as ag
    >>> ag.constant([1, 2, 3, 4], shape=(2, 2)).numpy().tolist()
    [[1, 2], [3, 4]]
    """
    if isinstance(value, Tensor):
        return convert_to_tensor(value, dtype)
    array = to_array(value, None if dtype is None else as_dtype(dtype))
    if shape is not None:
        array = _shaped(array, TensorShape(shape))
    return _wrap(array, name)


def _shaped(array: Any, shape: TensorShape) -> Any:
    dims = tuple(shape.as_list())
    if array.size == 1:
        return np.broadcast_to(array.reshape(()), dims).copy()  # type: ignore[arg-type]
    if array.size != shape.num_elements():
        raise TypeError(
            f"{user_location()}: {array.size} values cannot fill a tensor of shape {dims}"
        )
    return array.reshape(dims)


def _wrap(array: Any, name: str | None = None) -> Tensor:
    graph = thread.graph
    if graph is None:
        return EagerTensor(array)
    return graph.constant(array, dtypes.from_numpy(array.dtype), name)


_array_source: Callable[[Any], Tensor | None] | None = None


def set_array_source(source: Callable[[Any], Tensor | None]) -> None:
    """Has NumPy arrays that are converted while a graph is built looked up first.

    Args:
      source: gives the tensor that stands for an array in the graph, or None.
    """
    global _array_source
    _array_source = source


def _known_array(array: Any, dtype: Any) -> Tensor | None:
    if _array_source is None or thread.graph is None:
        return None
    found = _array_source(array)
    if found is None or dtype is None or found.dtype is as_dtype(dtype):
        return found
    from runtime.ops.casting import cast

    return cast(found, dtype)


def convert_to_tensor(
    value: Any, dtype: Any = None, dtype_hint: Any = None, name: str | None = None
) -> Tensor:
    """`value` as a tensor; tensors pass through, lists that hold tensors are stacked.

    Args:
      value: a tensor, variable, array, number, string, or nested lists and tuples of them.
      dtype: the dtype it must have. Tensors are not cast to it: `ag.cast` does that.
      dtype_hint: the dtype to prefer for Python values.
      name: the operation's name in a graph.

    Raises:
      ValueError: a tensor has another dtype than `dtype`.
      TypeError: no tensor can be made of `value`.

    >>> import autograph_lite as ag
    >>> ag.convert_to_tensor([1, 2], dtype=ag.float64).dtype
    ag.float64
    """
    if isinstance(value, Tensor):
        if dtype is not None and value.dtype != dtype:
            raise ValueError(
                f"{user_location()}: a tensor of dtype {value.dtype.name} cannot stand where "
                f"{as_dtype(dtype).name} is needed; convert it with ag.cast"
            )
        return value
    if type(value) is np.ndarray:
        known = _known_array(value, dtype)
        if known is not None:
            return known
    for kind, converter in _CONVERTERS:
        if isinstance(value, kind):
            made = converter(value, None if dtype is None else as_dtype(dtype), name)
            if made is not None:
                return convert_to_tensor(made, dtype)
    wanted = None if dtype is None else as_dtype(dtype)
    if isinstance(value, list | tuple) and holds_tensors(value):
        return _stacked(value, wanted, name)
    if wanted is None and dtype_hint is not None:
        hint = as_dtype(dtype_hint)
        if not isinstance(value, np.ndarray | np.generic):
            try:
                return _wrap(to_array(value, hint), name)
            except (TypeError, ValueError):
                return _wrap(to_array(value, None, thread.wide_floats), name)
    return _wrap(to_array(value, wanted, thread.wide_floats), name)


def holds_tensors(value: Any) -> bool:
    """Whether a nested list or tuple has a tensor (or variable) somewhere inside."""
    for item in value:
        if isinstance(item, Tensor) or is_convertible(item):
            return True
        if isinstance(item, list | tuple) and holds_tensors(item):
            return True
    return False


def is_convertible(value: Any) -> bool:
    """Whether a value is of a kind that was registered as convertible."""
    return any(isinstance(value, kind) for kind, _ in _CONVERTERS)


def _stacked(value: Any, dtype: DType | None, name: str | None) -> Tensor:
    from runtime.ops.joining import stack

    if dtype is None:
        dtype = _first_dtype(value)
    items = [
        item if isinstance(item, Tensor) else convert_to_tensor(item, None, dtype) for item in value
    ]
    return stack(items, name=name or "stack")


def _first_dtype(value: Any) -> DType | None:
    """The dtype of the first tensor inside; Python numbers beside it take that one."""
    for item in value:
        if isinstance(item, Tensor):
            return item.dtype
        if isinstance(item, list | tuple):
            found = _first_dtype(item)
            if found is not None:
                return found
        elif is_convertible(item):
            return convert_to_tensor(item).dtype
    return None


def to_array(value: Any, dtype: DType | None, wide_floats: bool = False) -> Any:
    """A NumPy array or scalar of a supported dtype that nobody else writes to.

    Args:
      value: what to make it of.
      dtype: its dtype; None for the one that suits the value.
      wide_floats: whether Python's floats become float64 then, not float32.

    Raises:
      TypeError, ValueError: no such array can be made; the message names the user's line.
    """
    kind = type(value)
    if kind is bool:
        return np.bool_(value) if dtype is None else _cast(np.bool_(value), dtype, value)
    if kind is int:
        return _integer(value, dtype)
    if kind is float:
        if dtype is None:
            return np.float64(value) if wide_floats else np.float32(value)
        if dtype.kind in "fc":
            return dtype.np_dtype.type(value)
        raise _unfit(value, dtype)
    if isinstance(value, np.ndarray | np.generic):
        return _from_numpy(value, dtype)
    if isinstance(value, str | bytes):
        return _string(value, dtype)
    if value is None or isinstance(value, dict | set):
        raise _unfit(value, dtype)
    if isinstance(value, TensorShape):
        value = value.as_list()
    return _from_python(value, dtype, wide_floats)


def _integer(value: int, dtype: DType | None) -> Any:
    try:
        if dtype is None:
            fits = _INT32.min <= value <= _INT32.max
            return np.int32(value) if fits else np.int64(value)
        if dtype.kind in "iufc":
            return dtype.np_dtype.type(value)
    except OverflowError:
        raise ValueError(
            f"{user_location()}: {value} does not fit into {dtype.name if dtype else 'int64'}"
        ) from None
    raise _unfit(value, dtype)


def plain_array(value: Any) -> Any:
    """An array of one of NumPy's subclasses (matrix, memmap, recarray) as an array.

    Raises:
      TypeError: it is masked, which tensors cannot be.
    """
    from sys import modules

    masked = modules.get("numpy.ma")
    if masked is not None and isinstance(value, masked.MaskedArray):
        raise TypeError(
            f"{user_location()}: a masked array cannot become a tensor, which has no mask; fill "
            "it with array.filled(value), or hand over array.data and array.mask"
        )
    return np.asarray(value)


def _from_numpy(value: Any, dtype: DType | None) -> Any:
    if isinstance(value, np.ndarray) and type(value) is not np.ndarray:
        value = plain_array(value)
    found = dtypes.from_numpy(value.dtype)
    if found.kind == "S":
        return _string(value, dtype)
    if dtype is None or dtype is found:
        return np.array(value, dtype=found.np_dtype) if value.ndim else value[()]
    return _cast(value, dtype, value)


def _cast(value: Any, dtype: DType, original: Any) -> Any:
    if dtype.kind in "SRV" or not (
        np.can_cast(value.dtype, dtype.np_dtype, "same_kind")
        or (value.dtype.kind in "iu" and dtype.kind in "iufc")
    ):
        raise _unfit(original, dtype)
    return value.astype(dtype.np_dtype)


def _string(value: Any, dtype: DType | None) -> Any:
    if dtype is not None and dtype.kind != "S":
        raise _unfit(value, dtype)
    array = np.asarray(value, dtype=object)
    encoded = np.empty(array.shape, dtype=object)
    flat = encoded.reshape(-1)
    for i, item in enumerate(array.reshape(-1)):
        if not isinstance(item, str | bytes):
            raise _unfit(item, dtypes.string)
        if isinstance(item, str):
            check_text(item)
        flat[i] = item.encode() if isinstance(item, str) else bytes(item)
    return encoded


def _from_python(value: Any, dtype: DType | None, wide_floats: bool) -> Any:
    try:
        array = np.asarray(value)
    except (ValueError, TypeError) as error:
        if "inhomogeneous" in str(error):
            raise ValueError(
                f"{user_location()}: rows of different lengths cannot become a tensor: {value!r}"
            ) from None
        raise _unfit(value, dtype) from None
    if array.dtype.kind in "OSU":
        return _mixed(value, array, dtype)
    if dtype is not None:
        if array.size == 0 and dtype.kind == "S":
            return array.astype(object)
        fits = array.size == 0 or dtype.kind != "b" or array.dtype.kind == "b"
        fits = fits and not (dtype.kind in "iu" and array.dtype.kind in "fc" and array.size)
        fits = fits and not (dtype.kind == "f" and array.dtype.kind == "c" and array.size)
        if not fits:
            raise _unfit(value, dtype)
        return array.astype(dtype.np_dtype)
    if isinstance(value, np.ndarray) or _holds_numpy(value):
        return array
    return _default_width(array, value, wide_floats)


def _holds_numpy(value: Any) -> bool:
    """Whether the first leaf of nested lists is NumPy's: then its dtype is kept."""
    while isinstance(value, list | tuple) and value:
        value = value[0]
    return isinstance(value, np.ndarray | np.generic)


def _default_width(array: Any, value: Any, wide_floats: bool) -> Any:
    kind = array.dtype.kind
    if kind == "f":
        is_narrow = _is_python_numbers(value) and not wide_floats
        return array.astype(np.float32) if is_narrow else array
    if kind == "i":
        if array.size and not (_INT32.min <= array.min() and array.max() <= _INT32.max):
            return array.astype(np.int64)
        return array.astype(np.int32)
    if kind == "u":
        raise ValueError(f"{user_location()}: {value!r} does not fit into int64")
    return array


def _is_python_numbers(value: Any) -> bool:
    return not hasattr(value, "dtype")


def _mixed(value: Any, array: Any, dtype: DType | None) -> Any:
    flat = np.asarray(value, dtype=object).reshape(-1)
    if all(isinstance(item, str | bytes) for item in flat):
        return _string(np.asarray(value, dtype=object), dtype)
    if any(isinstance(item, int) and not isinstance(item, bool) for item in flat) and not any(
        isinstance(item, str | bytes) for item in flat
    ):
        raise ValueError(f"{user_location()}: {value!r} does not fit into any integer dtype")
    raise _unfit(value, dtype)


def _unfit(value: Any, dtype: DType | None) -> TypeError:
    what = f"a tensor of dtype {dtype.name}" if dtype is not None else "a tensor"
    shown = repr(value)
    if len(shown) > 80:
        shown = shown[:77] + "..."
    return TypeError(
        f"{user_location()}: {shown} (a {type(value).__name__}) cannot become {what}; expected "
        "a tensor, a NumPy array, a number, a string, or nested lists of them"
    )
