"""Tensors: eager ones hold an array, symbolic ones are an output of an operation in a graph."""

from __future__ import annotations

import re
import sys
from types import CodeType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from runtime import dtypes
from runtime.dtypes import DType
from runtime.errors import SymbolicTensorError
from runtime.locations import user_location
from runtime.shapes import TensorShape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from runtime.graph import Graph, Operation


class Tensor:
    """An array of one dtype: a value (eager) or a promise of one inside a graph (symbolic).

    Tensors do not change; `Variable` does. Operators and NumPy's functions work on both kinds;
    whatever needs a value at once (`bool`, `int`, `numpy()`) works on eager ones only.

    >>> import autograph_lite as ag
    >>> ag.constant([1.0, 2.0]) * 10
    <ag.Tensor: shape=(2,), dtype=float32, numpy=array([10., 20.], dtype=float32)>
    """

    __slots__ = ("__weakref__",)
    # NumPy's arrays leave binary operators with a tensor on the right to the tensor.
    __array_priority__ = 100.0
    __ag_staged__ = False

    if TYPE_CHECKING:
        # The operators are attached by `runtime.ops.operators`, which knows the operations.
        def __getattr__(self, name: str) -> Any: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __floordiv__(self, other: Any) -> Tensor: ...
        def __rfloordiv__(self, other: Any) -> Tensor: ...
        def __mod__(self, other: Any) -> Tensor: ...
        def __rmod__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __rpow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __rmatmul__(self, other: Any) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __xor__(self, other: Any) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def __neg__(self) -> Tensor: ...
        def __pos__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __abs__(self) -> Tensor: ...
        def __getitem__(self, index: Any) -> Tensor: ...

    @property
    def dtype(self) -> DType:
        """The type of the elements."""
        raise AssertionError("every kind of tensor knows its dtype")

    @property
    def shape(self) -> TensorShape:
        """The sizes, as far as they are known; all of them for an eager tensor."""
        raise AssertionError("every kind of tensor knows its shape")

    @property
    def ndim(self) -> int:
        """The number of dimensions.

        Raises:
          ValueError: it is not known while tracing; `ag.rank(x)` finds it when the graph runs.
        """
        rank = self.shape.rank
        if rank is None:
            raise ValueError(
                f"{self!r} has an unknown number of dimensions while tracing; "
                "use ag.rank(x) for the number at run time"
            )
        return rank

    def get_shape(self) -> TensorShape:
        """The sizes, as `shape` gives them."""
        return self.shape

    def ref(self) -> TensorReference:
        """A hashable stand-in for this tensor, equal to itself only; `deref()` gives it back."""
        return TensorReference(self)

    def __hash__(self) -> int:
        raise TypeError(
            f"{self!r} is unhashable, because == compares tensors element by element; "
            "use x.ref() as the key of a dictionary or the member of a set"
        )


class TensorReference:
    """A hashable reference to a tensor or variable, made by its `ref()`."""

    __slots__ = ("_referent",)

    def __init__(self, referent: Any) -> None:
        self._referent = referent

    def deref(self) -> Any:
        """The tensor or variable itself."""
        return self._referent

    def __hash__(self) -> int:
        return id(self._referent)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TensorReference) and other._referent is self._referent

    def __repr__(self) -> str:
        return f"<Reference wrapping {self._referent!r}>"


class EagerTensor(Tensor):
    """A tensor with a value. Its array is never written to."""

    __slots__ = ("_value",)
    _value: Any

    def __init__(self, value: Any) -> None:
        self._value = value

    @property
    def dtype(self) -> DType:
        return dtypes.from_numpy(self._value.dtype)

    @property
    def shape(self) -> TensorShape:
        shape = TensorShape.__new__(TensorShape)
        shape._dims = self._value.shape
        return shape

    @property
    def graph(self) -> NoReturn:
        """Eager tensors belong to no graph."""
        raise AttributeError("an eager tensor has no graph; only tensors seen while tracing do")

    @property
    def device(self) -> str:
        """Where the values are: always in the memory of this process."""
        return "/device:CPU:0"

    def numpy(self) -> Any:
        """The value: a NumPy array that is the caller's to change, or a NumPy scalar.

        >>> import autograph_lite as ag
        >>> ag.constant([1, 2]).numpy()
        array([1, 2], dtype=int32)
        """
        value = self._value
        if value.ndim == 0:
            return value[()]
        return value.copy()

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        value = np.asarray(self._value)
        if dtype is not None and np.dtype(dtype) != value.dtype:
            if copy is False:
                raise ValueError(f"a {value.dtype} tensor as {np.dtype(dtype)} needs a copy")
            return value.astype(dtype)
        if copy:
            return value.copy()
        # The memory is shared, and nobody may change a tensor through it.
        shared = value.view()
        shared.flags.writeable = False
        return shared

    def __bool__(self) -> bool:
        value = self._value
        if value.size != 1:
            raise ValueError(
                f"the truth value of a tensor of shape {value.shape} is not clear; "
                "use ag.reduce_any(x) or ag.reduce_all(x)"
            )
        return bool(value)

    def __int__(self) -> int:
        return int(self._one("int"))

    def __float__(self) -> float:
        return float(self._one("float"))

    def __complex__(self) -> complex:
        return complex(self._one("complex"))

    def __index__(self) -> int:
        if self.dtype.kind not in "iu":
            raise TypeError(f"only integer tensors can be an index, found {self.dtype.name}")
        return int(self._one("index"))

    def _one(self, wanted: str) -> Any:
        if self._value.size != 1:
            raise TypeError(
                f"only a tensor with one element can become {wanted}; "
                f"this one has shape {self._value.shape}"
            )
        return self._value.item() if self._value.dtype.kind != "O" else self._value.reshape(())[()]

    def __len__(self) -> int:
        if self._value.ndim == 0:
            raise TypeError("a scalar tensor has no len()")
        return len(self._value)

    def __iter__(self) -> Iterator[Tensor]:
        if self._value.ndim == 0:
            raise TypeError("cannot iterate over a scalar tensor; expected at least one dimension")
        return (self[i] for i in range(len(self._value)))

    def __format__(self, spec: str) -> str:
        if self._value.ndim == 0:
            value = self._value[()]
            return format(value.item() if hasattr(value, "item") else value, spec)
        # What the array shows, without the tensor's facts around it.
        return format(self._value, spec)

    def __str__(self) -> str:
        return f"ag.Tensor({_array_text(self._value)}, {self._facts()})"

    def __repr__(self) -> str:
        value = repr(self._value[()]) if self._value.ndim == 0 else repr(self._value)
        if self._value.ndim == 0 and value.startswith("np."):
            # NumPy 2 writes scalars as np.float32(1.0); TensorFlow shows the bare number.
            value = str(self._value)
        elif "\n" in value:
            value = "\n" + value
        return f"<ag.Tensor: shape={self._value.shape}, dtype={self.dtype.name}, numpy={value}>"

    def _facts(self) -> str:
        return f"shape={self._value.shape}, dtype={self.dtype.name}"

    def __reduce__(self) -> Any:
        return EagerTensor, (self._value,)

    def __copy__(self) -> EagerTensor:
        return self

    def __deepcopy__(self, memo: Any) -> EagerTensor:
        return self


def _array_text(value: Any) -> str:
    if value.ndim == 0:
        item = value[()]
        return repr(item) if isinstance(item, bytes | str) else str(item)
    text = np.array2string(value, separator=" ")
    return f"\n{text}" if "\n" in text else text


UNASKED: Any = object()

_TEXT_OF_SYMBOLIC = re.compile(
    r"""ag\.Tensor\("[^"]+:\d+", shape=|<ag\.Tensor '[^']+:\d+' shape=.* dtype=\w+>"""
)


_is_converted: Callable[[CodeType], bool] = lambda code: False  # noqa: E731


def set_converted_code(is_converted: Callable[[CodeType], bool]) -> None:
    """Makes known which code was made of the user's by conversion."""
    global _is_converted
    _is_converted = is_converted


def check_text(text: str) -> None:
    """Refuses a text that shows a symbolic tensor where the running graph would show a value.

    Raises:
      SymbolicTensorError: it shows one.
    """
    if "ag.Tensor" in text and _TEXT_OF_SYMBOLIC.search(text):
        raise SymbolicTensorError(
            f"{user_location()}: this text was made while tracing, by code that is not converted, "
            f"and shows a symbolic tensor in the place of its value: {text!r}. Make it in a "
            "function that is converted, with an f-string, str.format or `%`."
        )


class SymbolicTensor(Tensor):
    """A tensor of a graph: what an operation will yield when the graph runs."""

    __slots__ = ("_dtype", "_shape", "graph", "known", "op", "value_index", "weak")
    __ag_staged__ = True

    def __init__(self, op: Operation, index: int, dtype: DType, shape: TensorShape) -> None:
        self.op = op
        self.value_index = index
        self.graph: Graph = op.graph
        self._dtype = dtype
        self._shape = shape
        # A weak tensor began as a Python number: like one, it takes its partner's dtype.
        self.weak = False
        # What `runtime.static` found out about the value: unasked, None (unknown) or an array.
        self.known: Any = UNASKED

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def shape(self) -> TensorShape:
        return self._shape

    @property
    def name(self) -> str:
        """The name of the operation and which of its outputs this is."""
        return f"{self.op.name}:{self.value_index}"

    @property
    def device(self) -> str:
        """Where the values will be: always in the memory of this process."""
        return ""

    def item(self) -> Tensor:
        """The one element as a Python number, which takes the dtype of its partner."""
        from runtime.ops.shaping import identity, reshape

        found = identity(self if self.shape.rank == 0 else reshape(self, ()))
        if isinstance(found, SymbolicTensor):
            found.weak = self._dtype.kind != "b"
        return found

    def tolist(self) -> Any:
        """The elements as nested lists of what `item()` gives.

        Raises:
          SymbolicTensorError: their number is not known while tracing.
        """
        if self.shape.rank == 0:
            return self.item()
        size = self.shape[0] if self.shape.rank else None
        if size is None:
            raise SymbolicTensorError(
                f"{user_location()}: tolist() of {self!r}, whose shape is not known while tracing; "
                "go over it with `for`"
            )
        return [self[number].tolist() for number in range(size)]  # type: ignore[index]

    def set_shape(self, shape: Any) -> None:
        """Adds what is known about the shape.

        Raises:
          ValueError: it contradicts what is known already.
        """
        self._shape = self._shape.merge_with(shape)

    def __hash__(self) -> int:
        # In a graph that is run by sessions, tensors are the keys of what is fed.
        if not hasattr(self.graph, "captures"):
            return id(self)
        raise SymbolicTensorError(
            f"{user_location()}: {self!r} is unhashable: only the running graph knows its value, "
            "so it can be no new key of a dict and no member of a set. Give the dict its keys "
            "before, and it is compared with them; or use a list, or x.ref() for the tensor itself"
        )

    def consumers(self) -> list[Operation]:
        """The operations of the graph that take this tensor."""
        return [op for op in self.graph.operations if any(t is self for t in op.inputs)]

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and self._dtype.kind == "S" and self._shape.rank == 0:
            # The text that plain Python would hold here.
            from runtime.ops.python_text import method

            found = method(self, name)
            if found is not None:
                return found
        elif name in ("fill", "put", "partition"):
            from runtime.handles import changing_method

            return changing_method(self, name)
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _misuse(self, what: str, mend: str) -> NoReturn:
        raise SymbolicTensorError(
            f"{what} of a symbolic tensor is not known while tracing: {self!r} "
            f"(made at {self.op.location}) gets its value when the graph runs. {mend}"
        )

    def numpy(self) -> NoReturn:
        """Not available: the tensor has no value yet.

        Raises:
          AttributeError: always.
        """
        raise AttributeError(
            f"numpy() of a symbolic tensor: {self!r} (made at {self.op.location}) has no value "
            "while tracing. Return it from the function, or print it with ag.print."
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NoReturn:
        raise SymbolicTensorError(
            f"a symbolic tensor cannot become a NumPy array: {self!r} (made at "
            f"{self.op.location}) has no value while tracing. Use the function's ag.* "
            "counterpart, or ag.numpy_function to call NumPy when the graph runs."
        )

    def __bool__(self) -> NoReturn:
        self._misuse(
            "the bool",
            f"The code that asks, at {user_location()}, runs unconverted: in a function without "
            "@ag.function (or with autograph=False), a special method such as __getattr__, a "
            "generator, the guard of a `case`, beside a `:=`, or in a library. Move the condition "
            "to a statement of a plain function that is decorated or called from one, or call "
            "ag.cond, ag.while_loop, ag.logical_and and the like.",
        )

    def __int__(self) -> NoReturn:
        self._misuse("the int", "Use ag.cast(x, ag.int32), or int(x) inside converted code.")

    def __float__(self) -> NoReturn:
        self._misuse("the float", "Use ag.cast(x, ag.float32), or float(x) in converted code.")

    def __complex__(self) -> NoReturn:
        self._misuse("the complex value", "Use ag.cast(x, ag.complex64).")

    def __index__(self) -> NoReturn:
        self._misuse(
            "the integer value",
            "An index into a Python list or range() must be a Python number; use ag.gather, "
            "ag.range, or index a tensor.",
        )

    def __len__(self) -> int:
        rank = self._shape.rank
        if rank == 0:
            raise TypeError(f"a scalar tensor has no len(): {self!r}, made at {self.op.location}")
        size = self._shape[0]
        if size is None:
            self._misuse("the len", "Use ag.shape(x)[0], or len(x) inside converted code.")
        return size

    def __iter__(self) -> Iterator[Tensor]:
        if self._shape.rank == 0 and self._dtype.kind == "S":
            self._misuse(
                "the characters",
                "In converted code, go over the text with `for`, or ask count() or `in` of it.",
            )
        if self._shape.rank == 0:
            raise TypeError(
                f"cannot iterate over a scalar tensor: {self!r}, made at {self.op.location}; "
                "expected at least one dimension"
            )
        size = self._shape[0] if self._shape.rank else None
        if size is None:
            from runtime.ops.unpacking import check_count, wanted_items

            size = wanted_items()
            if size is not None:
                check_count(self, size)
        if size is None:
            self._misuse(
                "the number of rows",
                "A `for` over a tensor is staged inside converted code; elsewhere use ag.unstack "
                "or ag.while_loop.",
            )
        return (self[i] for i in range(size))

    def __str__(self) -> str:
        self._check_shown(sys._getframe(1).f_code)
        return f'ag.Tensor("{self.name}", shape={self._shape}, dtype={self._dtype.name})'

    def __repr__(self) -> str:
        self._check_shown(sys._getframe(1).f_code)
        return f"<ag.Tensor '{self.name}' shape={self._shape} dtype={self._dtype.name}>"

    def _check_shown(self, code: CodeType) -> None:
        """Refuses to be shown within text that converted code has Python make at once.

        What converted code itself makes text with is staged; what else asks may be a debugger.
        """
        if _is_converted(code):
            raise SymbolicTensorError(
                f"{user_location()}: the text of a symbolic tensor (made at {self.op.location}) "
                "is not known while tracing, and what makes text here runs at once. Use an "
                "f-string, str.format, or `%` with the template written out."
            )

    def __copy__(self) -> SymbolicTensor:
        return self

    def __deepcopy__(self, memo: Any) -> SymbolicTensor:
        return self

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a symbolic tensor cannot be pickled: {self!r}")
