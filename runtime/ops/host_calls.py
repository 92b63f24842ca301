"""Calling Python from inside a graph."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from runtime.context import building
from runtime.convert import convert_to_tensor, to_array
from runtime.dtypes import DType, as_dtype
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.registry import NO_GRADIENT, Spec, define, gradient
from runtime.shapes import UNKNOWN, TensorShape
from runtime.tensor import EagerTensor, Tensor
from runtime.variables import Variable

_ANY = range(1 << 30)


def _readonly(array: Any) -> Any:
    """For the user's function: an array it cannot write to, or a scalar of NumPy or bytes."""
    if array.ndim == 0:
        return array[()]
    view = array.view()
    view.flags.writeable = False
    return view


class Types(tuple[DType, ...]):
    """The dtypes of the results; `listed` if the user gave them as a list."""

    listed: bool


def _spread(result: Any, types: Types) -> list[Any]:
    """What a function gave, as a list of results."""
    if not types:
        return []
    if types.listed and isinstance(result, list | tuple):
        return list(result)
    return [result] if len(types) == 1 else list(result)


def _results(result: Any, types: Types, function: Any) -> list[Any]:
    values = _spread(result, types)
    if len(values) != len(types):
        raise ValueError(
            f"{function!r} gave {len(values)} values, but Tout says there are {len(types)}"
        )
    made = []
    for value, dtype in zip(values, types, strict=True):
        if isinstance(value, Tensor | Variable):
            array = convert_to_tensor(value)._value  # type: ignore[attr-defined]
        else:
            array = to_array(value, None if hasattr(value, "dtype") else dtype)
        if array.dtype != dtype.np_dtype:
            raise TypeError(
                f"{function!r} gave a value of dtype {array.dtype}, but Tout says {dtype.name}"
            )
        made.append(array)
    return made


def _call(function: Callable[..., Any], arguments: Sequence[Any], types: Types) -> Any:
    with building(None):
        try:
            result = function(*arguments)
        except Exception as error:
            # It is the user's own: it must arrive as it was raised.
            error._explained = True  # type: ignore[attr-defined]
            raise
        made = _results(result, types, function)
    return tuple(made) if len(types) != 1 else made[0]


def _numpy_kernel(
    *arrays: Any, function: Any, types: Any, stateful: bool, outputs_list: bool = False
) -> Any:
    return _call(function, [_readonly(a) for a in arrays], types)


def _eager_kernel(*arrays: Any, function: Any, types: Any, **more: Any) -> Any:
    return _call(function, [EagerTensor(a) for a in arrays], types)


def _unknown(inputs: Sequence[Any], attrs: dict[str, Any]) -> Any:
    shapes = attrs.get("shapes") or [UNKNOWN] * len(attrs["types"])
    specs = [Spec(dtype, shape) for dtype, shape in zip(attrs["types"], shapes, strict=True)]
    return specs[0] if len(specs) == 1 else specs


NUMPY_CALL = define(
    "PyFunc",
    kernel=_numpy_kernel,
    infer=_unknown,
    gradient=NO_GRADIENT,
    stateful=True,
    holds=_ANY,
)
PURE_CALL = define(
    "PyFuncStateless", kernel=_numpy_kernel, infer=_unknown, gradient=NO_GRADIENT, holds=_ANY
)
EAGER_CALL = define("EagerPyFunc", kernel=_eager_kernel, infer=_unknown, stateful=True, holds=_ANY)


def _gradient_of(function: Callable[..., Any], types: Types, count: int) -> Callable[..., Any]:
    """The function that gives the gradients of another, of so many inputs.

    It takes the inputs and the gradients of the outputs. A tape may watch it in its turn, so there
    are derivatives of any order.
    """

    def gradient_function(*given: Any) -> list[Any]:
        from runtime.gradients.tape import GradientTape
        from runtime.ops.creation import zeros_like

        inputs, dys = list(given[:count]), list(given[count:])
        with GradientTape() as tape:
            tape.watch(inputs)
            result = function(*inputs)
            targets = [convert_to_tensor(t) for t in _spread(result, types)]
        found = tape.gradient(targets, inputs, output_gradients=dys)
        return [zeros_like(x) if g is None else g for x, g in zip(inputs, found, strict=True)]

    return gradient_function


@gradient(EAGER_CALL)
def _(op: Any, *dys: Any) -> Any:
    from runtime.ops.creation import zeros_like

    if not op.inputs:
        return ()
    filled = [zeros_like(y) if d is None else d for y, d in zip(op.outputs, dys, strict=True)]
    types = Types(x.dtype for x in op.inputs)
    types.listed = True
    attrs = {
        "function": _gradient_of(op.attrs["function"], op.attrs["types"], len(op.inputs)),
        "types": types,
        "shapes": [x.shape for x in op.inputs],
    }
    made = apply(EAGER_CALL, [*op.inputs, *filled], attrs)
    made = [made] if isinstance(made, Tensor) else made
    return tuple(
        g if x.dtype.is_differentiable else None for x, g in zip(op.inputs, made, strict=True)
    )


def _output_types(Tout: Any) -> tuple[Types, list[TensorShape]]:
    specs = [] if Tout is None else list(Tout) if isinstance(Tout, list | tuple) else [Tout]
    types = Types(s.dtype if hasattr(s, "shape") else as_dtype(s) for s in specs)
    types.listed = isinstance(Tout, list | tuple)
    return types, [TensorShape(getattr(s, "shape", None)) for s in specs]


def _applied(
    op: Any, func: Any, inp: Any, Tout: Any, attrs: dict[str, Any], name: str | None
) -> Any:
    if not callable(func):
        raise TypeError(f"{user_location()}: expected a function to call, found {func!r}")
    types, shapes = _output_types(Tout)
    inputs = [convert_to_tensor(x) for x in inp]
    made = apply(op, inputs, {"function": func, "types": types, **attrs}, name)
    outputs = [made] if isinstance(made, Tensor) else list(made)
    for tensor, shape in zip(outputs, shapes, strict=True):
        if hasattr(tensor, "set_shape") and shape.rank is not None:
            tensor.set_shape(shape)
    if isinstance(Tout, list | tuple):
        return outputs
    return outputs[0] if outputs else None


def py_function(
    func: Callable[..., Any] | None = None, inp: Any = None, Tout: Any = None, name: Any = None
) -> Any:
    """Calls a Python function with eager tensors, each time the graph runs.

    Gradients flow through it.

    Args:
      func: takes as many tensors as `inp` has, gives a value for each dtype in `Tout`.
      inp: a list of tensors or what can become some.
      Tout: the dtype of the result (or a TensorSpec), or a list of them; None for no result.
      name: the operation's name in a graph.

    Returns:
      A tensor, or a list of them if `Tout` is a list. In a graph their shapes are unknown.

    Raises:
      TypeError, ValueError: the function gives other dtypes, or more or fewer values.

    >>> import autograph_lite as ag
    >>> ag.py_function(lambda x: x * 2, [ag.constant(3)], ag.int32).numpy()
    np.int32(6)
    """
    return _applied(EAGER_CALL, func, inp or (), Tout, {}, name)


def numpy_function(
    func: Callable[..., Any] | None = None,
    inp: Any = None,
    Tout: Any = None,
    stateful: bool = True,
    name: Any = None,
) -> Any:
    """Calls a Python function with NumPy arrays, each time the graph runs.

    Args:
      func: takes as many arrays (read-only) as `inp` has, gives a value for each dtype in `Tout`.
      inp: a list of tensors or what can become some.
      Tout: the dtype of the result (or a TensorSpec), or a list of them; None for no result.
      stateful: False lets calls that nobody needs be dropped, and equal ones be merged.
      name: the operation's name in a graph.

    Returns:
      A tensor, or a list of them if `Tout` is a list. In a graph their shapes are unknown.

    Raises:
      TypeError, ValueError: the function gives other dtypes, or more or fewer values.

    >>> import autograph_lite as ag
    >>> ag.numpy_function(lambda x: x[::-1], [[1, 2]], ag.int32).numpy().tolist()
    [2, 1]
    """
    op = NUMPY_CALL if stateful else PURE_CALL
    return _applied(op, func, inp or (), Tout, {"stateful": stateful}, name)


def make_numpy_function(
    Tout: Any, stateful: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator: the function is called through `numpy_function`."""

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(func)
        def wrapper(*args: Any) -> Any:
            return numpy_function(func, args, Tout, stateful)

        return wrapper

    return decorate
