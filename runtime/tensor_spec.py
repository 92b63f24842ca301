"""TensorSpec: the dtype and shape that a traced function expects of an argument."""

from __future__ import annotations

from typing import Any

from runtime import dtypes
from runtime.dtypes import DType, as_dtype
from runtime.shapes import TensorShape
from runtime.tensor import Tensor


class TensorSpec:
    """The dtype and (perhaps partly unknown) shape of a tensor.

    Args:
      shape: anything that TensorShape takes; `None` sizes match any size.
      dtype: the dtype.
      name: what the tensor is called.

    >>> TensorSpec([None, 2], dtypes.float32).is_compatible_with(TensorSpec([3, 2]))
    True
    """

    __slots__ = ("dtype", "name", "shape")

    def __init__(self, shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> None:
        self.shape: TensorShape = TensorShape(shape)
        self.dtype: DType = as_dtype(dtype)
        self.name = name

    @classmethod
    def from_tensor(cls, tensor: Tensor, name: str | None = None) -> TensorSpec:
        """The spec of a tensor."""
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> TensorSpec:
        """The same spec under another name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, value: Any) -> bool:
        """Whether a tensor, or the tensors of a spec, may be given where this is expected."""
        return bool(self.dtype is value.dtype and self.shape.is_compatible_with(value.shape))

    def most_specific_compatible_type(self, other: TensorSpec) -> TensorSpec:
        """The narrowest spec that admits both.

        Raises:
          ValueError: the dtypes differ.
        """
        if self.dtype is not other.dtype:
            raise ValueError(f"{self} and {other} have different dtypes")
        return TensorSpec(self.shape.most_specific_common_supertype(other.shape), self.dtype)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, TensorSpec)
            and self.dtype is other.dtype
            and self.shape == other.shape
        )

    def __hash__(self) -> int:
        return hash((self.dtype, self.shape))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"

    def __reduce__(self) -> Any:
        return TensorSpec, (self.shape, self.dtype.name, self.name)
