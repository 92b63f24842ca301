"""Element types, named as TensorFlow names them and backed by NumPy's.

>>> as_dtype("float32") is float32
True
>>> as_dtype(float).name, as_dtype(np.uint8).name
('float32', 'uint8')
"""

from __future__ import annotations

import builtins
from typing import Any

import numpy as np

from runtime.locations import user_location

# In this module, `bool` is a DType.
Truth = builtins.bool

__all__ = [
    "DType",
    "as_dtype",
    "bool",
    "bool_",
    "complex64",
    "complex128",
    "double",
    "float16",
    "float32",
    "float64",
    "half",
    "int8",
    "int16",
    "int32",
    "int64",
    "resource",
    "string",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "variant",
]


class DType:
    """The type of a tensor's elements.

    Compares equal to whatever `as_dtype` would turn into it, so `x.dtype == "float32"` and
    `x.dtype == np.float32` both work.
    """

    __slots__ = ("_limits", "as_numpy_dtype", "kind", "name", "np_dtype")

    def __init__(self, name: str, numpy_type: Any, kind: str | None = None) -> None:
        self.name = name
        self.as_numpy_dtype = numpy_type
        self.np_dtype = np.dtype(numpy_type)
        # NumPy's kind code; 'S' marks strings, 'R' variables' handles and 'V' lists and the like.
        self.kind = kind or self.np_dtype.kind
        self._limits: tuple[Any, Any] | None = None

    @property
    def dtype(self) -> np.dtype[Any]:
        """NumPy's dtype; this is where NumPy looks, so that `np.zeros(3, x.dtype)` works.

        Raises:
          AttributeError: NumPy has none.
        """
        if self.kind in "RV":
            raise AttributeError(f"NumPy has no dtype for {self.name}")
        return self.np_dtype

    @property
    def is_floating(self) -> Truth:
        """Whether the elements are real floating point numbers."""
        return self.kind == "f"

    @property
    def is_integer(self) -> Truth:
        """Whether the elements are integers, signed or not (booleans are not)."""
        return self.kind in "iu"

    @property
    def is_unsigned(self) -> Truth:
        """Whether the elements are integers without a sign."""
        return self.kind == "u"

    @property
    def is_complex(self) -> Truth:
        """Whether the elements are complex numbers."""
        return self.kind == "c"

    @property
    def is_bool(self) -> Truth:
        """Whether the elements are booleans."""
        return self.kind == "b"

    @property
    def is_numeric(self) -> Truth:
        """Whether arithmetic is defined on the elements."""
        return self.kind in "iufc"

    @property
    def is_numpy_compatible(self) -> Truth:
        """Whether an array of NumPy can hold the elements."""
        return self.kind not in "RV"

    @property
    def is_differentiable(self) -> Truth:
        """Whether gradients flow through tensors of this type."""
        return self.kind in "fc"

    @property
    def size(self) -> int:
        """Bytes an element takes."""
        return self.np_dtype.itemsize

    @property
    def real_dtype(self) -> DType:
        """The type of the real and imaginary parts; the type itself if it is not complex."""
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    @property
    def base_dtype(self) -> DType:
        """The type itself; there are no reference types here."""
        return self

    @property
    def as_datatype_enum(self) -> int:
        """The number ONNX and TensorFlow's files would not share; kept for ordering only."""
        return _ORDER[self.name]

    @property
    def limits(self) -> tuple[Any, Any]:
        """The least and the greatest value."""
        if self._limits is None:
            if self.kind in "iu":
                info: Any = np.iinfo(self.np_dtype)
                self._limits = (info.min, info.max)
            elif self.kind in "fc":
                info = np.finfo(self.np_dtype)
                self._limits = (info.min, info.max)
            elif self.kind == "b":
                self._limits = (False, True)
            else:
                raise TypeError(f"{self.name} has no least and greatest value")
        return self._limits

    @property
    def min(self) -> Any:
        """The least value."""
        return self.limits[0]

    @property
    def max(self) -> Any:
        """The greatest value."""
        return self.limits[1]

    def is_compatible_with(self, other: Any) -> Truth:
        """Whether a tensor of `other` may stand where one of this type is expected."""
        return self == other

    def __eq__(self, other: object) -> Truth:
        if other is self:
            return True
        if other is None:
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __ne__(self, other: object) -> Truth:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return f"ag.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"

    def __reduce__(self) -> Any:
        return as_dtype, (self.name,)

    def __int__(self) -> int:
        return self.as_datatype_enum


float16 = DType("float16", np.float16)
float32 = DType("float32", np.float32)
float64 = DType("float64", np.float64)
int8 = DType("int8", np.int8)
int16 = DType("int16", np.int16)
int32 = DType("int32", np.int32)
int64 = DType("int64", np.int64)
uint8 = DType("uint8", np.uint8)
uint16 = DType("uint16", np.uint16)
uint32 = DType("uint32", np.uint32)
uint64 = DType("uint64", np.uint64)
complex64 = DType("complex64", np.complex64)
complex128 = DType("complex128", np.complex128)
bool_ = DType("bool", np.bool_)
string = DType("string", np.object_, kind="S")
resource = DType("resource", np.object_, kind="R")
variant = DType("variant", "V8", kind="V")

bool = bool_
half = float16
double = float64

_ALL = (
    bool_,
    uint8,
    int8,
    uint16,
    int16,
    uint32,
    int32,
    uint64,
    int64,
    float16,
    float32,
    float64,
    complex64,
    complex128,
    string,
    resource,
    variant,
)
_ORDER = {dtype.name: number for number, dtype in enumerate(_ALL)}
_BY_NAME: dict[str, DType] = {dtype.name: dtype for dtype in _ALL}
_BY_NAME.update(half=float16, double=float64, float=float32, int=int32, str=string, object=string)
_BY_NUMPY: dict[Any, DType] = {d.np_dtype: d for d in _ALL if d.kind not in "SRV"}
_BY_NUMPY[np.dtype(object)] = string
# The dtype that a list at run time shows; see `runtime.ops.lists`.
_BY_NUMPY[variant.np_dtype] = variant
_BY_PYTHON: dict[Any, DType] = {
    # TensorFlow's reading of Python's types; int is NumPy's, which is wider than `constant` gives.
    float: float32,
    int: int64,
    Truth: bool_,
    complex: complex128,
    str: string,
    bytes: string,
}


def from_numpy(dtype: np.dtype[Any]) -> DType:
    """The type that a NumPy dtype stands for; the quick way when it is known to be one.

    Raises:
      TypeError: NumPy's dtype has no counterpart (structured, datetime, float128, ...).
    """
    found = _BY_NUMPY.get(dtype)
    if found is not None:
        return found
    if dtype.kind in "SU":
        return string
    native = dtype.newbyteorder("=")
    if native in _BY_NUMPY:
        return _BY_NUMPY[native]
    # NumPy has several C types of one width (long and long long); they mean the same.
    by_width = _BY_NAME.get(dtype.name)
    if by_width is None:
        raise TypeError(
            f"{user_location()}: there are no tensors of NumPy's dtype {dtype}; expected one of "
            + ", ".join(d.name for d in _ALL[:15])
        )
    return by_width


def as_dtype(value: Any) -> DType:
    """The DType that `value` names.

    Args:
      value: a DType, its name, a NumPy dtype or scalar type, or a Python type.

    Raises:
      TypeError: `value` names no type of tensors.

    >>> as_dtype(np.dtype("int16"))
    ag.int16
    """
    if type(value) is DType:
        return value
    if isinstance(value, str):
        found = _BY_NAME.get(value)
        if found is not None:
            return found
    try:
        found = _BY_PYTHON.get(value)
    except TypeError:
        found = None
    if found is not None:
        return found
    try:
        return from_numpy(np.dtype(value))
    except TypeError as error:
        raise TypeError(
            f"cannot make a dtype of {value!r}: expected one of "
            + ", ".join(d.name for d in _ALL[:15])
            + ", a NumPy dtype or a Python type"
        ) from error
