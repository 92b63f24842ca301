"""The operations that read and write variables.

A variable holds an array that nobody ever writes into: an assignment puts another in its place. So
a read costs nothing and is a snapshot for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from runtime.ops.registry import NO_GRADIENT, OpDef, Spec, define
from runtime.shapes import TensorShape


def _state(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    variable = attrs["variable"]
    return Spec(variable.dtype, variable.shape)


def _changed(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    variable = attrs["variable"]
    if not inputs[0].shape.is_compatible_with(variable.shape):
        raise ValueError(
            f"a value of shape {inputs[0].shape} cannot be assigned to variable "
            f"{variable.name!r} of shape {variable.shape}"
        )
    return Spec(variable.dtype, variable.shape)


def _read_kernel(variable: Any) -> Any:
    return variable._value


def _read_lean(attrs: dict[str, Any], inputs: Sequence[Any]) -> Any:
    variable = attrs["variable"]
    return lambda: variable._value


# Reads are stateful, to stay in order with assignments. The tape takes the variable itself for
# their source, so they have no inputs to give gradients to.
READ = define(
    "ReadVariable",
    kernel=_read_kernel,
    infer=_state,
    gradient=lambda op, dy: (),
    specialise=_read_lean,
    stateful=True,
    fresh=False,
)


def _check_shape(variable: Any, value: Any) -> None:
    shape: TensorShape = variable.shape
    if value.shape != shape._dims and not shape.is_compatible_with(value.shape):
        raise ValueError(
            f"a value of shape {value.shape} cannot be assigned to variable "
            f"{variable.name!r} of shape {shape}"
        )


def _assign_kernel(value: Any, variable: Any) -> Any:
    _check_shape(variable, value)
    variable._value = value
    return value


def _updating(combine: Any) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """The kernel of an update, and the one that puts the new value in the memory of `delta`."""

    def kernel(delta: Any, variable: Any) -> Any:
        with variable._lock:
            value = combine(variable._value, delta)
            _check_shape(variable, value)
            variable._value = value
        return value

    def inplace(delta: Any, variable: Any) -> Any:
        with variable._lock:
            value = variable._value
            fits = type(delta) is np.ndarray and value.shape == delta.shape
            if fits and value.dtype == delta.dtype:
                value = combine(value, delta, delta)
            else:
                value = combine(value, delta)
                _check_shape(variable, value)
            variable._value = value
        return value

    return kernel, inplace


def _assignment(name: str, kernel: Callable[..., Any], inplace: Any = None) -> OpDef:
    return define(
        name,
        kernel=kernel,
        infer=_changed,
        gradient=NO_GRADIENT,
        inplace=inplace,
        stateful=True,
        holds=(0,),
        fresh=False,
    )


ASSIGN = _assignment("AssignVariable", _assign_kernel)
ASSIGN_ADD = _assignment("AssignAddVariable", *_updating(np.add))
ASSIGN_SUB = _assignment("AssignSubVariable", *_updating(np.subtract))
