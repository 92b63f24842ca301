"""Changing the dtype of tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype
from runtime.ops.apply import apply
from runtime.ops.registry import Spec, define, gradient
from runtime.tensor import Tensor


def _cast_kernel(x: Any, dtype: Any) -> Any:
    if x.dtype.kind == "c" and dtype.kind not in "cb":
        x = x.real
    if dtype.kind in "iu" and x.dtype.kind == "f":
        # NumPy leaves the result of an out-of-range float undefined; keep its answer, quietly.
        return x.astype(dtype.np_dtype)
    return x.astype(dtype.np_dtype)


CAST = define(
    "Cast",
    kernel=_cast_kernel,
    infer=lambda inputs, attrs: Spec(attrs["dtype"], inputs[0].shape),
)


@gradient(CAST)
def _(op: Any, dy: Tensor) -> Any:
    source = op.inputs[0].dtype
    return (cast(dy, source) if source.is_differentiable else None,)


def cast(x: Any, dtype: Any, name: str | None = None) -> Tensor:
    """`x` converted to `dtype`: floats to integers towards zero, anything non-zero to True.

    Args:
      x: a tensor or what can become one, of any shape.
      dtype: the dtype to convert to.
      name: the operation's name in a graph.

    Returns:
      A tensor of the same shape; `x` itself if it has the dtype.

    >>> import autograph_lite as ag
    >>> ag.cast([2.7, -2.7], ag.int32).numpy().tolist()
    [2, -2]
    """
    wanted = as_dtype(dtype)
    tensor = x if isinstance(x, Tensor) else convert_to_tensor(x)
    if tensor.dtype is wanted:
        return tensor
    if wanted.kind in "SRV" or tensor.dtype.kind in "SRV":
        raise TypeError(f"cannot cast {tensor.dtype.name} to {wanted.name}")
    return apply(CAST, (tensor,), {"dtype": wanted}, name)


def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """`value` in `dtype`, with what does not fit clipped to the least or greatest value.

    >>> import autograph_lite as ag
    >>> ag.saturate_cast([300.0, -1.0], ag.uint8).numpy().tolist()
    [255, 0]
    """
    from runtime.ops.clipping import clip_by_value

    wanted = as_dtype(dtype)
    tensor = convert_to_tensor(value)
    if wanted.is_integer or wanted.is_floating:
        low = max(float(wanted.min), float(tensor.dtype.min))
        high = min(float(wanted.max), float(tensor.dtype.max))
        kind = tensor.dtype.np_dtype.type
        top = kind(high)
        if tensor.dtype.is_floating and float(top) > float(wanted.max):
            top = np.nextafter(top, kind(0))
        tensor = clip_by_value(tensor, kind(low), top)
    return cast(tensor, wanted, name)
