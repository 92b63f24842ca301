"""Complex numbers: their parts, conjugates and angles.

The gradient of a real result with respect to a complex number `a + b*i` is `d/da + i * d/db`, as
in TensorFlow; so the gradient of an analytic function is multiplied with the conjugate of its
derivative.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType
from runtime.ops import rules
from runtime.ops.apply import apply
from runtime.ops.casting import cast
from runtime.ops.gradients_support import unbroadcast
from runtime.ops.promotion import operands
from runtime.ops.registry import Spec, define, gradient
from runtime.tensor import Tensor


def _part_rule(inputs: Any, attrs: Any) -> Spec:
    return Spec(inputs[0].dtype.real_dtype, inputs[0].shape)


def _complex_dtype(part: DType) -> DType:
    return dtypes.complex128 if part is dtypes.float64 else dtypes.complex64


def _complex_kernel(re: Any, im: Any) -> Any:
    wide = np.dtype(np.complex128 if re.dtype.itemsize == 8 else np.complex64)
    made = np.empty(np.broadcast_shapes(re.shape, im.shape), wide)
    made.real, made.imag = re, im
    return made


COMPLEX = define(
    "Complex",
    kernel=_complex_kernel,
    infer=lambda inputs, attrs: Spec(
        _complex_dtype(inputs[0].dtype),
        rules.broadcast_shapes(inputs[0].shape, inputs[1].shape),
    ),
)


@gradient(COMPLEX)
def _(op: Any, dy: Tensor) -> Any:
    re, im = op.inputs
    return unbroadcast(_real(dy), re, im), unbroadcast(_imag(dy), im, re)


def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """Complex numbers made of their parts.

    Args:
      real: a tensor of float32 or float64.
      imag: a tensor of the same dtype; shapes broadcast.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.complex([1.0, 2.0], 0.5).numpy().tolist()
    [(1+0.5j), (2+0.5j)]
    """
    re, im = operands(real, imag)
    if re.dtype not in (dtypes.float32, dtypes.float64):
        raise TypeError(
            f"the parts of a complex number are float32 or float64, found {re.dtype.name}"
        )
    return apply(COMPLEX, (re, im), None, name)


# The parts of an array share its memory.
REAL = define("Real", kernel=lambda x: x.real, infer=_part_rule, aliases=0)
IMAG = define("Imag", kernel=lambda x: x.imag, infer=_part_rule, aliases=0)
CONJ = define("Conj", kernel=np.conj, infer=rules.same, elementwise=True)
ANGLE = define("Angle", kernel=np.angle, infer=_part_rule)


@gradient(REAL)
def _(op: Any, dy: Tensor) -> Any:
    return (complex(dy, _zero(dy)),)


@gradient(IMAG)
def _(op: Any, dy: Tensor) -> Any:
    return (complex(_zero(dy), dy),)


def _zero(dy: Tensor) -> Tensor:
    return convert_to_tensor(0.0, dy.dtype)


@gradient(CONJ)
def _(op: Any, dy: Tensor) -> Any:
    return (conj(dy),)


@gradient(ANGLE)
def _(op: Any, dy: Tensor) -> Any:
    return (complex(_zero(dy), dy) / conj(op.inputs[0]),)


def real(input: Any, name: str | None = None) -> Tensor:
    """The real part; real numbers are their own.

    >>> import autograph_lite as ag
    >>> ag.math.real([1 + 2j]).numpy().tolist()
    [1.0]
    """
    x = convert_to_tensor(input)
    return apply(REAL, (x,), None, name) if x.dtype.is_complex else x


def imag(input: Any, name: str | None = None) -> Tensor:
    """The imaginary part; 0 for real numbers.

    >>> import autograph_lite as ag
    >>> ag.math.imag([1 + 2j]).numpy().tolist()
    [2.0]
    """
    x = convert_to_tensor(input)
    if x.dtype.is_complex:
        return apply(IMAG, (x,), None, name)
    from runtime.ops.creation import zeros_like

    return zeros_like(x)


_real, _imag = real, imag


def conj(x: Any, name: str | None = None) -> Tensor:
    """The complex conjugate; real numbers are their own.

    >>> import autograph_lite as ag
    >>> ag.math.conj([1 + 2j]).numpy().tolist()
    [(1-2j)]
    """
    tensor = convert_to_tensor(x)
    return apply(CONJ, (tensor,), None, name) if tensor.dtype.is_complex else tensor


def angle(input: Any, name: str | None = None) -> Tensor:
    """The angle in radians between the number and the positive real axis.

    >>> import autograph_lite as ag
    >>> float(ag.math.angle(ag.constant(2j)))
    1.5707963267948966
    """
    x = convert_to_tensor(input)
    if x.dtype.is_complex:
        return apply(ANGLE, (x,), None, name)
    return cast(x < 0, x.dtype) * np.pi
