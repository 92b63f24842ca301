"""Functions with gradients of the user's own, and functions computed again on the way back."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from runtime import context, nest
from runtime.context import as_called, thread
from runtime.convert import convert_to_tensor
from runtime.gradients.activity import graphs_of, variables_read
from runtime.gradients.sums import carries_gradient, zeros_for
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.registry import Spec, define, gradient
from runtime.ops.state import READ
from runtime.tensor import Tensor
from runtime.variables import Variable

F = TypeVar("F", bound=Callable[..., Any])

# Its inputs are the results, then what gradients go to: the arguments and the variables read. The
# results come out as they are; their gradients go past the operations that made them.
CUSTOM = define(
    "CustomGradient",
    kernel=lambda *values, results, **attrs: list(values[:results]),
    infer=lambda inputs, attrs: [Spec(t.dtype, t.shape) for t in inputs[: attrs["results"]]],
    fresh=False,
    holds=range(1 << 30),
)


@gradient(CUSTOM)
def _(op: Any, *given: Tensor | None) -> Any:
    results = op.attrs["results"]
    seeds = [zeros_for(t) if dy is None else dy for dy, t in zip(given, op.outputs, strict=True)]
    return (*[None] * results, *op.attrs["rule"](*seeds))


def custom_gradient(f: Any = None) -> Any:
    """Gives a function a gradient of its own.

    Args:
      f: a function that gives `(result, grad_fn)`. `grad_fn` takes the gradient of each tensor of
        the result and gives one for each positional argument. If `f` reads variables, `grad_fn`
        has an argument `variables`, and gives a pair: the arguments' gradients and a list of the
        variables'.

    Raises:
      TypeError: `f` or `grad_fn` gives something else.

    >>> import autograph_lite as ag
    >>> @ag.custom_gradient
    ... def clipped(x):
    ...     return x * 1.0, lambda dy: ag.minimum(dy, 0.5)
    >>> x = ag.constant(2.0)
    >>> with ag.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = clipped(x)
    >>> tape.gradient(y, x).numpy()
    np.float32(0.5)
    """
    if f is None:
        return custom_gradient

    @functools.wraps(f)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return _call(f, args, kwargs)

    return wrapped


def _call(f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Any:
    arguments = nest.map_structure(_as_tensor, list(args))
    leaves = nest.flatten(arguments, expand_composites=True)
    with _VariableWatcher() as watcher:
        answer = as_called(f)(*arguments, **kwargs)
    if not isinstance(answer, tuple) or len(answer) != 2 or not callable(answer[1]):
        raise TypeError(
            f"{user_location()}: a function with a custom gradient gives a pair (result, function "
            f"of the gradients), found {answer!r}"
        )
    result, grad_fn = answer
    results = [convert_to_tensor(t) for t in nest.flatten(result, expand_composites=True)]
    inside = {id(leaf) for leaf in leaves}
    variables = [v for v in watcher.variables if id(v) not in inside]
    rule = _Rule(grad_fn, leaves, variables)
    takers = [*rule.takers, *(v.value() for v in variables)]
    attrs = {"results": len(results), "rule": rule, "outputs_list": True}
    made = apply(CUSTOM, [*results, *takers], attrs)
    return nest.pack_sequence_as(result, made, expand_composites=True)


def _as_tensor(leaf: Any) -> Any:
    if leaf is None or isinstance(leaf, Variable | str) or callable(leaf):
        return leaf
    return convert_to_tensor(leaf)


class _Rule:
    """Calls the user's gradient function, and checks what it gives.

    Attributes:
      takers: the tensors among the arguments' leaves, and the values of the variables among them.
    """

    def __init__(
        self, grad_fn: Callable[..., Any], leaves: Sequence[Any], variables: Sequence[Any]
    ) -> None:
        self.grad_fn = grad_fn
        self.leaves = leaves
        self.variables = list(variables)
        self.takers = [
            leaf.value() if isinstance(leaf, Variable) else leaf
            for leaf in leaves
            if isinstance(leaf, Variable | Tensor)
        ]

    def __call__(self, *given: Tensor) -> list[Tensor | None]:
        if self.variables and _takes_variables(self.grad_fn):
            answer = self.grad_fn(*given, variables=self.variables)
            if not isinstance(answer, tuple) or len(answer) != 2:
                raise TypeError(
                    f"{user_location()}: a gradient function that takes `variables` gives a pair: "
                    f"the gradients of the arguments and those of the variables; found {answer!r}"
                )
            to_arguments, to_variables = answer
        elif self.variables:
            names = ", ".join(v.name for v in self.variables)
            raise TypeError(
                f"{user_location()}: a function with a custom gradient reads variables ({names}): "
                "its gradient function must take an argument `variables`"
            )
        else:
            to_arguments, to_variables = self.grad_fn(*given), []
        flat = self._flat(to_arguments, len(self.leaves), "arguments")
        paired = zip(self.leaves, flat, strict=True)
        made = [g for leaf, g in paired if isinstance(leaf, Variable | Tensor)]
        made += self._flat(to_variables, len(self.variables), "variables")
        takers = [*self.takers, *self.variables]
        return [
            None if g is None else convert_to_tensor(g, dtype_hint=t.dtype)
            for g, t in zip(made, takers, strict=True)
        ]

    def _flat(self, gradients: Any, count: int, what: str) -> list[Any]:
        flat = nest.flatten(gradients, expand_composites=True)
        if count == 0:
            return []
        if len(flat) != count:
            raise ValueError(
                f"{user_location()}: a custom gradient gives {len(flat)} gradients for {count} "
                f"{what}"
            )
        return flat


def _takes_variables(function: Callable[..., Any]) -> bool:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    return any(p.name == "variables" or p.kind is p.VAR_KEYWORD for p in parameters)


class _VariableWatcher:
    """Notes the trainable variables that are read within its block."""

    def __init__(self) -> None:
        self._found: dict[int, Any] = {}

    @property
    def variables(self) -> list[Any]:
        return list(self._found.values())

    def __enter__(self) -> _VariableWatcher:
        context.enter_busy()
        thread.recorders = (*thread.recorders, self)
        return self

    def __exit__(self, *exc: object) -> None:
        thread.recorders = tuple(r for r in thread.recorders if r is not self)
        context.leave_busy()

    def record(self, op: Any) -> None:
        """Notes the variables that an operation reads."""
        read = [op.attrs["variable"]] if op.opdef is READ else []
        for graph in graphs_of(op):
            read += variables_read(graph)
        for variable in read:
            if variable.trainable:
                self._found.setdefault(id(variable), variable)


# ---- computing again


BARRIER = define(
    "RecomputeBarrier",
    kernel=lambda x, *later: x,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, inputs[0].shape),
    aliases=0,
)


@gradient(BARRIER)
def _(op: Any, dy: Tensor) -> Any:
    return (dy, *[None] * (len(op.inputs) - 1))


def recompute_grad(f: F) -> F:
    """A function that keeps nothing for its gradient, but is computed again when that is needed.

    Args:
      f: a function of tensors; it must give the same when it is called again.

    >>> import autograph_lite as ag
    >>> f = ag.recompute_grad(lambda x: ag.exp(x) * x)
    >>> x = ag.constant(0.0)
    >>> with ag.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = f(x)
    >>> tape.gradient(y, x).numpy()
    np.float32(1.0)
    """
    from runtime.gradients.tape import GradientTape

    @custom_gradient
    def computed(*args: Any, **kwargs: Any) -> Any:
        result = as_called(f)(*args, **kwargs)

        def grad_fn(*given: Tensor, variables: Sequence[Any] = ()) -> Any:
            # The copies depend on the gradients given: nothing computed before will do for them.
            copies = nest.map_structure(
                lambda x: apply(BARRIER, (x, *given)) if isinstance(x, Tensor) else x, list(args)
            )
            leaves = nest.flatten(copies, expand_composites=True)
            sources = [x for x in leaves if isinstance(x, Tensor | Variable)]
            with GradientTape() as tape:
                tape.watch(sources)
                again = as_called(f)(*copies, **kwargs)
            targets = nest.flatten(again, expand_composites=True)
            found = tape.gradient(targets, [*sources, *variables], list(given))
            rest = iter(found)
            flat = [next(rest) if isinstance(x, Tensor | Variable) else None for x in leaves]
            return (flat, list(rest)) if variables else flat

        return result, grad_fn

    return functools.wraps(f)(computed)  # type: ignore[return-value]


__all__ = ["carries_gradient", "custom_gradient", "recompute_grad"]
