"""Python's operators on tensors.

Two eager tensors, or one and a Python number, go straight to NumPy's ufunc while nobody is tracing
or recording: NumPy's own promotion is the rule then, so nothing is left to decide.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

import numpy as np

from runtime import handles
from runtime.context import shared, thread, warnings_off, warnings_on
from runtime.convert import is_convertible
from runtime.numpy_face import methods
from runtime.ops import bitwise, comparison, elementwise, indexing, matmul, shaping, unary
from runtime.ops.python_text import is_text, repeated
from runtime.tensor import EagerTensor, SymbolicTensor, Tensor

_new = object.__new__
_DATA = (Tensor, np.ndarray, np.generic, int, float, complex, str, bytes, list, tuple)
_OUR_PACKAGES = ("runtime", "autograph_lite")
_ANSWERS = [
    *(f"__r{name}__" for name in "add sub mul truediv floordiv mod pow matmul".split()),
    *("__lt__", "__gt__", "__le__", "__ge__"),
]


def _binary(name: str, ufunc: Any, function: Callable[..., Any]) -> Any:
    """The method `x <op> y`."""

    def method(self: Any, other: Any) -> Any:
        if shared.busy == 0 and type(self) is EagerTensor:
            kind = type(other)
            if kind is EagerTensor:
                operand = other._value
            elif kind is int or kind is float:
                operand = other
            else:
                return _general(function, self, other)
            token = warnings_off()
            try:
                value = ufunc(self._value, operand)
            except (ValueError, TypeError, ArithmeticError):
                return function(self, other)
            finally:
                warnings_on(token)
            if type(value) is bytes:
                return function(self, other)
            made = _new(EagerTensor)
            made._value = value
            return made
        return _general(function, self, other)

    method.__name__ = method.__qualname__ = name
    return method


def _general(function: Callable[..., Any], x: Any, y: Any) -> Any:
    if _defers(y):
        return NotImplemented
    return function(x, y)


def _defers(other: Any) -> bool:
    """Whether `other` is not data at all, so that its own reflected operator decides."""
    if isinstance(other, _DATA):
        return False
    return other is None or isinstance(other, dict | set) or callable(other) or _answers(other)


def _answers(other: Any, names: Iterable[str] = _ANSWERS) -> bool:
    """Whether `other` is an object of the user's whose class has operators, and no tensor."""
    kind = type(other)
    if kind.__module__.partition(".")[0] in _OUR_PACKAGES:
        return False
    if hasattr(kind, "__array__") or is_convertible(other):
        return False
    return any(isinstance(getattr(kind, name, None), FunctionType) for name in names)


def _compares_itself(other: Any) -> bool:
    """Whether `other` is not data, and has an `==` of its own."""
    if isinstance(other, _DATA) or not (callable(other) or _answers(other, ("__eq__",))):
        return False
    own: Any = type(other).__eq__
    return own is not object.__eq__


def _reflected(name: str, ufunc: Any, function: Callable[..., Any]) -> Any:
    """The method that is called for `y <op> x` when `y` is no tensor."""

    def method(self: Any, other: Any) -> Any:
        if shared.busy == 0 and type(self) is EagerTensor:
            kind = type(other)
            if kind is int or kind is float:
                token = warnings_off()
                try:
                    value = ufunc(other, self._value)
                except (ValueError, TypeError, ArithmeticError):
                    return function(other, self)
                finally:
                    warnings_on(token)
                made = _new(EagerTensor)
                made._value = value
                return made
        if _defers(other):
            return NotImplemented
        return function(other, self)

    method.__name__ = method.__qualname__ = name
    return method


def _slow(name: str, function: Callable[..., Any], reflected: bool = False) -> Any:
    def method(self: Any, other: Any) -> Any:
        if _defers(other):
            return NotImplemented
        return function(other, self) if reflected else function(self, other)

    method.__name__ = method.__qualname__ = name
    return method


_repeat: Callable[[Any, Any], Any] | None = None


def set_repetition(repeat: Callable[[Any, Any], Any]) -> None:
    """Has `repeat(values, count)` repeat Python's lists and tuples, where `count` is traced."""
    global _repeat
    _repeat = repeat


def _multiply(x: Any, y: Any) -> Any:
    """`x * y`; one integer times a sequence is left to the sequence, which repeats itself."""
    tensor, other = (x, y) if isinstance(x, Tensor) else (y, x)
    if type(tensor) is SymbolicTensor and (is_text(tensor) or type(other) is str):
        return repeated(tensor, other) if is_text(tensor) else repeated(other, tensor)
    if is_text(other):
        return repeated(other, tensor)
    if isinstance(other, list | tuple | str | bytes) and tensor.dtype.is_integer:
        if tensor.shape.rank == 0:
            if type(other) in (list, tuple) and type(tensor) is SymbolicTensor and _repeat:
                return _repeat(other, tensor)
            return NotImplemented
    return elementwise.multiply(x, y)


def _prefix(name: str, function: Callable[[Any], Any]) -> Any:
    def method(self: Any) -> Any:
        return function(self)

    method.__name__ = method.__qualname__ = name
    return method


def _copied(x: Any) -> Any:
    """`+x`: of an array, a copy."""
    return shaping.identity(x) if isinstance(x, SymbolicTensor) else x


def _install() -> None:
    fast = {
        "add": (np.add, elementwise.add),
        "sub": (np.subtract, elementwise.subtract),
        "mul": (np.multiply, _multiply),
    }
    for name, (ufunc, function) in fast.items():
        setattr(Tensor, f"__{name}__", _binary(f"__{name}__", ufunc, function))
        setattr(Tensor, f"__r{name}__", _reflected(f"__r{name}__", ufunc, function))
    checked: dict[str, Callable[..., Any]] = {
        "truediv": elementwise.divide,
        "floordiv": elementwise.floordiv,
        "mod": elementwise.floormod,
        "pow": elementwise.pow,
        "matmul": matmul.matmul_operator,
        "and": bitwise.and_operator,
        "or": bitwise.or_operator,
        "xor": bitwise.xor_operator,
        "lshift": bitwise.left_shift,
        "rshift": bitwise.right_shift,
    }
    for name, checking in checked.items():
        setattr(Tensor, f"__{name}__", _slow(f"__{name}__", checking))
        setattr(Tensor, f"__r{name}__", _slow(f"__r{name}__", checking, reflected=True))
    compared = {
        "lt": (np.less, comparison.less),
        "le": (np.less_equal, comparison.less_equal),
        "gt": (np.greater, comparison.greater),
        "ge": (np.greater_equal, comparison.greater_equal),
    }
    for name, (ufunc, comparing) in compared.items():
        setattr(Tensor, f"__{name}__", _binary(f"__{name}__", ufunc, comparing))

    single = {
        "neg": unary.negative,
        "pos": _copied,
        "abs": unary.abs,
        "invert": bitwise.invert_operator,
    }
    for name, alone in single.items():
        setattr(Tensor, f"__{name}__", _prefix(f"__{name}__", alone))

    def __eq__(self: Any, other: Any) -> Any:
        if _compares_itself(other):
            return NotImplemented
        return comparison.tensor_equals(self, other)

    def __ne__(self: Any, other: Any) -> Any:
        if _compares_itself(other):
            return NotImplemented
        return comparison.tensor_equals(self, other, comparison.NOT_EQUAL)

    methods.install()
    handles.install()
    Tensor.__getitem__ = indexing.tensor_getitem  # type: ignore[method-assign]
    Tensor.__eq__ = __eq__  # type: ignore[method-assign]
    Tensor.__ne__ = __ne__  # type: ignore[method-assign]


_install()

__all__ = ["Tensor", "thread"]
