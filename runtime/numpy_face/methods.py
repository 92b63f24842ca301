"""The methods that make a tensor look like an array: `t.sum(axis=0)`, `t.T`, `t.reshape(2, -1)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.numpy_face.copying import VIEWING, apart
from runtime.tensor import EagerTensor, Tensor

_FROM_FUNCTIONS = {
    # method: module of this package, whose function of the same name takes the tensor first
    "statistics": ("all any argmax argmin cumprod cumsum max mean min prod ptp std sum var"),
    "arranging": "repeat squeeze swapaxes",
    "choosing": "argpartition argsort choose compress nonzero searchsorted take",
    "creation": "diagonal trace",
    "algebra": "dot",
    "numbers": "clip round",
}


def _method(module: str, name: str) -> Callable[..., Any]:
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        from importlib import import_module

        out = kwargs.pop("out", None)
        function = getattr(import_module(f"runtime.numpy_face.{module}"), name)
        made = function(self, *args, **kwargs)
        if name not in VIEWING:
            made = apart(made, (self,))
        if out is None:
            return made
        from runtime.numpy_face import store

        return store(made, out)

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"What NumPy's `{name}` does with an array, to this tensor."
    return method


def _sizes(args: tuple[Any, ...]) -> Any:
    """`reshape(2, 3)` means the same as `reshape((2, 3))`."""
    return args[0] if len(args) == 1 else args


def reshape(self: Tensor, *shape: Any, order: str = "C", copy: Any = None) -> Tensor:
    """The elements in another shape, given as numbers or as one tuple."""
    from runtime.numpy_face.arranging import reshape as function

    return function(self, _sizes(shape), order)


def transpose(self: Tensor, *axes: Any) -> Tensor:
    """The axes in another order, reversed by default; given as numbers or as one tuple."""
    from runtime.ops.shaping import transpose as function

    order = None if not axes or axes == (None,) else _sizes(axes)
    return function(self, [order] if isinstance(order, int) else order)


def _transposed(self: Tensor) -> Tensor:
    """The axes in reverse order."""
    return transpose(self)


def _matrix_transposed(self: Tensor) -> Tensor:
    """The last two axes exchanged."""
    from runtime.ops.shaping import matrix_transpose

    return matrix_transpose(self)


def astype(self: Tensor, dtype: Any, *_: Any, **__: Any) -> Tensor:
    """The elements in another dtype."""
    from runtime.ops.casting import cast

    # NumPy's reading of the type, not TensorFlow's.
    return apart(cast(self, "float64" if dtype is float else dtype), (self,))  # type: ignore[no-any-return]


def ravel(self: Tensor, order: str = "C") -> Tensor:
    """The elements as a vector."""
    from runtime.numpy_face.arranging import ravel as function

    return function(self, order)


def flatten(self: Tensor, order: str = "C") -> Tensor:
    """A copy of the elements as a vector."""
    return apart(ravel(self, order), (self,))  # type: ignore[no-any-return]


def copy(self: Tensor, order: str = "C") -> Tensor:
    """This tensor again; tensors do not change, so nothing is copied."""
    from runtime.ops.shaping import identity

    return identity(self)


def conj(self: Tensor) -> Tensor:
    """The complex conjugate."""
    from runtime.ops.complex_ import conj as function

    return apart(function(self), (self,))  # type: ignore[no-any-return]


def _real(self: Tensor) -> Tensor:
    """The real part."""
    from runtime.ops.complex_ import real

    return real(self)


def _imag(self: Tensor) -> Tensor:
    """The imaginary part."""
    from runtime.ops.complex_ import imag

    return imag(self)


def sort(self: Tensor, axis: Any = -1, **_: Any) -> Tensor:
    """A sorted tensor. (An array's `sort` works in place; tensors do not change.)"""
    from runtime.numpy_face.choosing import sort as function

    return function(self, axis)


def _size(self: Tensor) -> Any:
    """The number of elements; a tensor while tracing, if it is not known."""
    known = self.shape.num_elements()
    if known is not None:
        return known
    from runtime.ops.shaping import plain_int, size

    return plain_int(size(self))


def _itemsize(self: Tensor) -> int:
    """Bytes an element takes."""
    return self.dtype.size


def _nbytes(self: Tensor) -> Any:
    """Bytes that all elements take."""
    return _size(self) * self.dtype.size


def _array_ufunc(self: Tensor, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    from runtime.numpy_face import array_ufunc

    return array_ufunc(self, ufunc, method, *inputs, **kwargs)


def _array_function(self: Tensor, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    from runtime.numpy_face import array_function

    return array_function(self, func, types, args, kwargs)


# ---- eager tensors only


def item(self: EagerTensor, *args: Any) -> Any:
    """One element as a Python number."""
    return np.asarray(self._value).item(*args)


def tolist(self: EagerTensor) -> Any:
    """The elements as nested lists of Python numbers."""
    return self._value.tolist()


def tobytes(self: EagerTensor, order: Any = "C") -> bytes:
    """The elements' bytes."""
    return np.asarray(self._value).tobytes(order)


def _dlpack(self: EagerTensor, **kwargs: Any) -> Any:
    # Consumers may write to what they get, and tensors do not change: hand out a copy.
    kwargs.pop("copy", None)
    return np.array(self._value).__dlpack__(**kwargs)


def _dlpack_device(self: EagerTensor) -> Any:
    return np.asarray(self._value).__dlpack_device__()


def _buffer(self: EagerTensor, flags: int) -> memoryview:
    if self.dtype.kind in "SRV":
        raise BufferError(f"a tensor of dtype {self.dtype.name} has no buffer of bytes")
    # What `__array__` gives cannot be written to.
    array: Any = self.__array__()
    return memoryview(array)


def _contains(self: Tensor, item: Any) -> bool:
    """Whether some element equals `item`, as for arrays."""
    from runtime.ops.reductions import reduce_any

    return bool(reduce_any(self == item))


def _repr_html(self: Tensor) -> str:
    """What notebooks show."""
    from html import escape

    return f"<pre>{escape(repr(self))}</pre>"


def install() -> None:
    """Gives tensors their methods."""
    for module, names in _FROM_FUNCTIONS.items():
        for name in names.split():
            setattr(Tensor, name, _method(module, name))
    for function in (reshape, transpose, astype, flatten, ravel, copy, conj, sort):
        setattr(Tensor, function.__name__, function)
    for name, getter in {
        "T": _transposed,
        "mT": _matrix_transposed,
        "real": _real,
        "imag": _imag,
        "size": _size,
        "itemsize": _itemsize,
        "nbytes": _nbytes,
    }.items():
        setattr(Tensor, name, property(getter))
    for name, attribute in {
        "conjugate": conj,
        "__array_ufunc__": _array_ufunc,
        "__array_function__": _array_function,
        "_repr_html_": _repr_html,
        "__contains__": _contains,
        "__divmod__": lambda self, other: (self // other, self % other),
        "__rdivmod__": lambda self, other: (other // self, other % self),
        "__round__": lambda self, ndigits=0: self.round(ndigits or 0),
    }.items():
        setattr(Tensor, name, attribute)
    for eager in (item, tolist, tobytes):
        setattr(EagerTensor, eager.__name__, eager)
    for name, attribute in {
        "__dlpack__": _dlpack,
        "__dlpack_device__": _dlpack_device,
        "__buffer__": _buffer,
    }.items():
        setattr(EagerTensor, name, attribute)
