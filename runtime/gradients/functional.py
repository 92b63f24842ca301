"""Derivatives of functions, as functions: `grad`, `value_and_grad`, `vjp`, `jvp`, `hessian`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime import nest
from runtime.context import as_called
from runtime.convert import convert_to_tensor
from runtime.gradients.forward import ForwardAccumulator
from runtime.gradients.tape import GradientTape
from runtime.gradients.unconnected import UnconnectedGradients
from runtime.locations import user_location
from runtime.tensor import Tensor
from runtime.variables import Variable

Argnums = "int | Sequence[int]"


def _tensors(value: Any) -> Any:
    """A structure with every number and array in it made a tensor; variables stay."""
    return nest.map_structure(
        lambda x: x if isinstance(x, Tensor | Variable) else convert_to_tensor(x), value
    )


def _with_sources(args: Sequence[Any], argnums: int | Sequence[int]) -> tuple[list[Any], Any]:
    """The arguments, and those among them that derivatives are taken of."""
    numbers = [argnums] if isinstance(argnums, int) else list(argnums)
    full = list(args)
    for number in numbers:
        if not -len(full) <= number < len(full):
            raise ValueError(
                f"{user_location()}: argument {number} of {len(full)} does not exist (argnums)"
            )
        full[number] = _tensors(full[number])
    chosen = [full[number] for number in numbers]
    return full, chosen[0] if isinstance(argnums, int) else tuple(chosen)


def value_and_grad(
    f: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """A function that gives what `f` gives, and its gradient.

    Args:
      f: a function that gives one number.
      argnums: the number of the argument to differentiate by, or several.
      has_aux: whether `f` gives a pair: the number, and something to hand through.

    Returns:
      A function of the same arguments that gives `(f(...), gradient)`. A tuple of numbers makes
      the gradient a tuple.

    >>> import autograph_lite as ag
    >>> value, slope = ag.value_and_grad(lambda x: x * x)(3.0)
    >>> float(value), float(slope)
    (9.0, 6.0)
    """

    def differentiated(*args: Any, **kwargs: Any) -> Any:
        full, sources = _with_sources(args, argnums)
        with GradientTape() as tape:
            tape.watch(sources)
            answer = as_called(f)(*full, **kwargs)
        target = answer[0] if has_aux else answer
        if getattr(target, "shape", None) is None or target.shape.rank not in (0, None):
            raise ValueError(
                f"{user_location()}: a gradient is taken of a function that gives one number, "
                f"found {target!r}; ag.vjp and ag.jvp take any"
            )
        gradient = tape.gradient(target, sources, unconnected_gradients=UnconnectedGradients.ZERO)
        return answer, gradient

    return differentiated


def grad(
    f: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """The gradient of a function that gives one number, as a function.

    Args:
      f: the function.
      argnums: the number of the argument to differentiate by, or several.
      has_aux: whether `f` gives a pair; then so does the gradient: itself and the second.

    >>> import autograph_lite as ag
    >>> float(ag.grad(ag.grad(lambda x: x ** 3))(2.0))
    12.0
    """
    both = value_and_grad(f, argnums, has_aux)

    def differentiated(*args: Any, **kwargs: Any) -> Any:
        answer, gradient = both(*args, **kwargs)
        return (gradient, answer[1]) if has_aux else gradient

    return differentiated


def vjp(f: Callable[..., Any], *primals: Any) -> tuple[Any, Callable[[Any], Any]]:
    """What `f` gives, and a function from the gradients of that to those of the arguments.

    Args:
      f: a function of tensors that gives tensors, or structures of them.
      *primals: its arguments.

    >>> import autograph_lite as ag
    >>> y, pullback = ag.vjp(lambda x: x * x, ag.constant([1.0, 2.0]))
    >>> pullback(ag.constant([1.0, 10.0]))[0].numpy().tolist()
    [2.0, 40.0]
    """
    arguments = [_tensors(p) for p in primals]
    with GradientTape(persistent=True) as tape:
        tape.watch(arguments)
        result = as_called(f)(*arguments)

    def pullback(gradients: Any) -> Any:
        found = tape.gradient(
            result, arguments, gradients, unconnected_gradients=UnconnectedGradients.ZERO
        )
        return tuple(found)

    return result, pullback


def jvp(f: Callable[..., Any], primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """What `f` gives, and its derivative along a direction.

    Args:
      f: a function of tensors that gives tensors, or structures of them.
      primals: a list of its arguments.
      tangents: how each of them moves.

    >>> import autograph_lite as ag
    >>> y, dy = ag.jvp(lambda x: x * x, [3.0], [1.0])
    >>> float(y), float(dy)
    (9.0, 6.0)
    """
    arguments = [_tensors(p) for p in primals]
    with ForwardAccumulator(arguments, list(tangents)) as accumulator:
        result = as_called(f)(*arguments)
    return result, accumulator.jvp(result, UnconnectedGradients.ZERO)


def jacobian(f: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """The derivatives of each element of what `f` gives, as a function.

    Args:
      f: a function that gives a tensor.
      argnums: the number of the argument to differentiate by, or several.

    >>> import autograph_lite as ag
    >>> ag.jacobian(lambda x: x * x)(ag.constant([1.0, 2.0])).numpy().tolist()
    [[2.0, 0.0], [0.0, 4.0]]
    """

    def differentiated(*args: Any, **kwargs: Any) -> Any:
        full, sources = _with_sources(args, argnums)
        with GradientTape() as tape:
            tape.watch(sources)
            result = as_called(f)(*full, **kwargs)
        return tape.jacobian(result, sources, UnconnectedGradients.ZERO)

    return differentiated


def hessian(f: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """The second derivatives of a function that gives one number, as a function.

    Args:
      f: the function.
      argnums: the number of the argument to differentiate by, or several.

    >>> import autograph_lite as ag
    >>> ag.hessian(lambda x: x[0] * x[1])(ag.constant([1.0, 2.0])).numpy().tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    if isinstance(argnums, int):
        return jacobian(grad(f, argnums), argnums)
    first = grad(f, argnums)

    def differentiated(*args: Any, **kwargs: Any) -> Any:
        rows = range(len(argnums))
        return tuple(
            jacobian(lambda *a, **k: first(*a, **k)[row], argnums)(*args, **kwargs)  # noqa: B023
            for row in rows
        )

    return differentiated
