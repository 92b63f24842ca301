"""The NumPy face: tensors in the place of arrays.

`np.sin(t)` and `np.concatenate([t, a])` arrive here through `__array_ufunc__` and
`__array_function__`, on eager and on symbolic tensors. The functions that are understood stand,
under NumPy's names, in the modules of this package, written with the library's own operations, so
that gradients flow and graphs are built. What is not among them runs in NumPy itself on the values
of eager tensors, and is refused for symbolic ones.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType
from typing import Any

import numpy as np

from runtime.context import thread
from runtime.errors import SymbolicTensorError
from runtime.locations import user_location
from runtime.numpy_face.copying import VIEWING, apart, copying
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor

_FUNCTION_MODULES = (
    ("numpy", "runtime.numpy_face.creation"),
    ("numpy", "runtime.numpy_face.arranging"),
    ("numpy", "runtime.numpy_face.choosing"),
    ("numpy", "runtime.numpy_face.statistics"),
    ("numpy", "runtime.numpy_face.without_nan"),
    ("numpy", "runtime.numpy_face.order_statistics"),
    ("numpy", "runtime.numpy_face.samples"),
    ("numpy", "runtime.numpy_face.algebra"),
    ("numpy", "runtime.numpy_face.numbers"),
    ("numpy.linalg", "runtime.numpy_face.linalg"),
    ("numpy.fft", "runtime.numpy_face.fourier"),
)


def _public(module: ModuleType) -> dict[str, Callable[..., Any]]:
    return {
        name: value
        for name, value in vars(module).items()
        if not name.startswith("_")
        and callable(value)
        and getattr(value, "__module__", None) == module.__name__
    }


@lru_cache(maxsize=1)
def function_table() -> dict[Any, Callable[..., Any]]:
    """NumPy's functions and what stands for them here."""
    table: dict[Any, Callable[..., Any]] = {}
    for numpy_name, name in _FUNCTION_MODULES:
        numpy_module = importlib.import_module(numpy_name)
        for key, function in _public(importlib.import_module(name)).items():
            original = getattr(numpy_module, key, None)
            if original is not None and not isinstance(original, np.ufunc):
                table[original] = _with_out(function if key in VIEWING else copying(function))
    return table


@lru_cache(maxsize=1)
def ufunc_table() -> dict[np.ufunc, Callable[..., Any]]:
    """NumPy's ufuncs and what stands for them here."""
    from runtime.numpy_face import ufuncs

    return ufuncs.TABLE


def supported() -> list[str]:
    """The NumPy functions that take tensors of both kinds, by name, sorted.

    >>> len(supported()) >= 200
    True
    """
    names = {f"numpy.{ufunc.__name__}" for ufunc in ufunc_table()}
    for function in function_table():
        module = getattr(function, "__module__", "numpy") or "numpy"
        names.add(f"{module}.{function.__name__}")
    return sorted(names)


# ---- the protocols


def array_ufunc(self: Tensor, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
    """`__array_ufunc__` of tensors; see NumPy's documentation of the protocol."""
    out = kwargs.pop("out", None)
    function = _ufunc_method(ufunc, method)
    if function is not None and set(kwargs) <= {"axis", "keepdims", "dtype"}:
        dtype = kwargs.pop("dtype", None)
        if dtype is not None:
            from runtime.ops.casting import cast

            inputs = tuple(cast(x, dtype) for x in inputs)
        made = apart(function(*inputs, **kwargs), inputs)
        return made if out is None else _store_all(made, out)
    if out is not None:
        kwargs["out"] = out
    return _in_numpy(getattr(ufunc, method), inputs, kwargs, f"{ufunc.__name__} ({method})")


def _ufunc_method(ufunc: np.ufunc, method: str) -> Callable[..., Any] | None:
    if method == "__call__":
        return ufunc_table().get(ufunc)
    from runtime.numpy_face import ufuncs

    return ufuncs.METHODS.get((ufunc, method))


_BY_PLACE = inspect.Parameter.POSITIONAL_OR_KEYWORD


def _with_out(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that writes its result into an array, if one is given as `out=`."""

    parameters = list(inspect.signature(function).parameters.values())
    places = [n for n, p in enumerate(parameters) if p.name == "out" and p.kind is _BY_PLACE]
    place = places[0] if places else 1 << 30

    @functools.wraps(function)
    def call(*args: Any, **keywords: Any) -> Any:
        out = keywords.pop("out", None)
        if len(args) > place:
            out, args = args[place], (*args[:place], None, *args[place + 1 :])
        made = function(*args, **keywords)
        return made if out is None else store(made, out)

    return call


_writer: Callable[[Any, Any], Any] | None = None


def set_writer(writer: Callable[[Any, Any], Any]) -> None:
    """Has `writer(array, made)` write results of traced code into an array, or tensor."""
    global _writer
    _writer = writer


def _store_all(made: Any, out: tuple[Any, ...]) -> Any:
    if type(made) in (list, tuple):
        pairs = zip(made, out, strict=True)
        return tuple(m if target is None else store(m, target) for m, target in pairs)
    return store(made, out[0])


def store(made: Any, target: Any) -> Any:
    """Writes a result into the array given as `out=`, as `array += tensor` asks for."""
    if isinstance(target, tuple):
        (target,) = target
    if _writer is not None and isinstance(made, Tensor) and thread.graph is not None:
        return _writer(target, made)
    if isinstance(target, Tensor):
        raise TypeError(f"{user_location()}: tensors do not change; out= must be a NumPy array")
    if isinstance(made, SymbolicTensor):
        raise SymbolicTensorError(
            f"{user_location()}: a symbolic tensor cannot be written into a NumPy array: {made!r} "
            "has no value while tracing. Write `x = x + t` instead of `x += t`"
        )
    np.copyto(target, np.asarray(made), casting="same_kind")
    return target


def array_function(
    self: Tensor, func: Callable[..., Any], types: Any, args: Any, kwargs: Any
) -> Any:
    """`__array_function__` of tensors; see NumPy's documentation of the protocol."""
    function = function_table().get(func)
    if function is None:
        return _in_numpy(func, args, kwargs, func.__name__)
    if kwargs.get("dtype") is float:
        # NumPy's reading of the type, not TensorFlow's.
        kwargs = {**kwargs, "dtype": np.dtype(float)}
    try:
        return function(*args, **kwargs)
    except _Unsupported as error:
        return _in_numpy(func, args, kwargs, f"{func.__name__} ({error.what})")


class _Unsupported(NotImplementedError):
    """An argument of NumPy's is not understood here.

    Attributes:
      what: the argument.
    """

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{user_location()}: {what} is not supported for tensors while tracing; leave it out, "
            "or call NumPy when the graph runs, with ag.numpy_function"
        )
        self.what = what


def unsupported(what: str) -> Exception:
    """For functions of this package: an argument that only NumPy itself understands."""
    return _Unsupported(what)


def _in_numpy(func: Callable[..., Any], args: Any, kwargs: Any, name: str) -> Any:
    """NumPy's own function on the values of eager tensors."""

    def value(item: Any) -> Any:
        if isinstance(item, SymbolicTensor):
            raise SymbolicTensorError(
                f"{user_location()}: np.{name} does not take symbolic tensors, and {item!r} has "
                "no value while tracing; call it through ag.numpy_function"
            )
        if isinstance(item, EagerTensor):
            return np.asarray(item)
        if isinstance(item, list | tuple) and not hasattr(item, "_fields"):
            return type(item)(value(i) for i in item)
        return item

    return func(*[value(a) for a in args], **{k: value(v) for k, v in kwargs.items()})
