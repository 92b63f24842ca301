"""Trigonometric and hyperbolic functions, element by element."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops.elementwise import unary
from runtime.ops.gradients_support import conjugate
from runtime.ops.registry import gradient
from runtime.ops.unary import reciprocal, rsqrt, square, unary_op
from runtime.tensor import Tensor

SIN = unary_op("Sin", np.sin)
COS = unary_op("Cos", np.cos)
TAN = unary_op("Tan", np.tan)
ASIN = unary_op("Asin", np.arcsin)
ACOS = unary_op("Acos", np.arccos)
ATAN = unary_op("Atan", np.arctan)
SINH = unary_op("Sinh", np.sinh)
COSH = unary_op("Cosh", np.cosh)
TANH = unary_op("Tanh", np.tanh)
ASINH = unary_op("Asinh", np.arcsinh)
ACOSH = unary_op("Acosh", np.arccosh)
ATANH = unary_op("Atanh", np.arctanh)


def _input(op: Any) -> Tensor:
    return conjugate(op.inputs[0])


@gradient(SIN)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * cos(_input(op)),)


@gradient(COS)
def _(op: Any, dy: Tensor) -> Any:
    return (-dy * sin(_input(op)),)


@gradient(TAN)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * (square(conjugate(op.outputs[0])) + 1),)


@gradient(ASIN)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * rsqrt(1 - square(_input(op))),)


@gradient(ACOS)
def _(op: Any, dy: Tensor) -> Any:
    return (-dy * rsqrt(1 - square(_input(op))),)


@gradient(ATAN)
def _(op: Any, dy: Tensor) -> Any:
    return (dy / (square(_input(op)) + 1),)


@gradient(SINH)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * cosh(_input(op)),)


@gradient(COSH)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * sinh(_input(op)),)


@gradient(TANH)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * (1 - square(conjugate(op.outputs[0]))),)


@gradient(ASINH)
def _(op: Any, dy: Tensor) -> Any:
    return (dy / cosh(conjugate(op.outputs[0])),)


@gradient(ACOSH)
def _(op: Any, dy: Tensor) -> Any:
    return (dy / sinh(conjugate(op.outputs[0])),)


@gradient(ATANH)
def _(op: Any, dy: Tensor) -> Any:
    return (dy * reciprocal(1 - square(_input(op))),)


def sin(x: Any, name: str | None = None) -> Tensor:
    """The sine of angles in radians.

    >>> import autograph_lite as ag
    >>> ag.math.sin([0.0]).numpy().tolist()
    [0.0]
    """
    return unary(SIN, x, name)


def cos(x: Any, name: str | None = None) -> Tensor:
    """The cosine of angles in radians.

    >>> import autograph_lite as ag
    >>> ag.math.cos([0.0]).numpy().tolist()
    [1.0]
    """
    return unary(COS, x, name)


def tan(x: Any, name: str | None = None) -> Tensor:
    """The tangent of angles in radians.

    >>> import autograph_lite as ag
    >>> ag.math.tan([0.0]).numpy().tolist()
    [0.0]
    """
    return unary(TAN, x, name)


def asin(x: Any, name: str | None = None) -> Tensor:
    """The angle in radians, within [-pi/2, pi/2], whose sine is `x`; NaN outside of [-1, 1].

    >>> import autograph_lite as ag
    >>> ag.math.asin([0.0, 2.0]).numpy().tolist()
    [0.0, nan]
    """
    return unary(ASIN, x, name)


def acos(x: Any, name: str | None = None) -> Tensor:
    """The angle in radians, within [0, pi], whose cosine is `x`; NaN outside of [-1, 1].

    >>> import autograph_lite as ag
    >>> ag.math.acos([1.0]).numpy().tolist()
    [0.0]
    """
    return unary(ACOS, x, name)


def atan(x: Any, name: str | None = None) -> Tensor:
    """The angle in radians, within [-pi/2, pi/2], whose tangent is `x`.

    >>> import autograph_lite as ag
    >>> ag.math.atan([0.0]).numpy().tolist()
    [0.0]
    """
    return unary(ATAN, x, name)


def sinh(x: Any, name: str | None = None) -> Tensor:
    """The hyperbolic sine.

    >>> import autograph_lite as ag
    >>> ag.math.sinh([0.0]).numpy().tolist()
    [0.0]
    """
    return unary(SINH, x, name)


def cosh(x: Any, name: str | None = None) -> Tensor:
    """The hyperbolic cosine.

    >>> import autograph_lite as ag
    >>> ag.math.cosh([0.0]).numpy().tolist()
    [1.0]
    """
    return unary(COSH, x, name)


def tanh(x: Any, name: str | None = None) -> Tensor:
    """The hyperbolic tangent.

    >>> import autograph_lite as ag
    >>> ag.math.tanh([0.0, 100.0]).numpy().tolist()
    [0.0, 1.0]
    """
    return unary(TANH, x, name)


def asinh(x: Any, name: str | None = None) -> Tensor:
    """The inverse of the hyperbolic sine.

    >>> import autograph_lite as ag
    >>> ag.math.asinh([0.0]).numpy().tolist()
    [0.0]
    """
    return unary(ASINH, x, name)


def acosh(x: Any, name: str | None = None) -> Tensor:
    """The inverse of the hyperbolic cosine; NaN below 1.

    >>> import autograph_lite as ag
    >>> ag.math.acosh([1.0]).numpy().tolist()
    [0.0]
    """
    return unary(ACOSH, x, name)


def atanh(x: Any, name: str | None = None) -> Tensor:
    """The inverse of the hyperbolic tangent; NaN outside of [-1, 1].

    >>> import autograph_lite as ag
    >>> ag.math.atanh([0.0, 1.0]).numpy().tolist()
    [0.0, inf]
    """
    return unary(ATANH, x, name)
