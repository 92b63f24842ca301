"""`gradients`: of tensors of a graph with respect to others, without a tape."""

from __future__ import annotations

from typing import Any

from runtime import nest
from runtime.context import thread
from runtime.convert import convert_to_tensor
from runtime.gradients.reverse import Sweep
from runtime.gradients.sums import carries_gradient
from runtime.gradients.tape import connected, seed_for
from runtime.gradients.unconnected import UnconnectedGradients
from runtime.locations import user_location
from runtime.tensor import SymbolicTensor
from runtime.variables import Variable


def gradients(
    ys: Any,
    xs: Any,
    grad_ys: Any = None,
    name: str = "gradients",
    gate_gradients: bool = False,
    aggregation_method: Any = None,
    stop_gradients: Any = None,
    unconnected_gradients: Any = UnconnectedGradients.NONE,
) -> list[Any]:
    """The gradients of the sum of `ys` with respect to each of `xs`, in the graph being built.

    Args:
      ys: a tensor of the graph, or a list of them.
      xs: a tensor or variable, or a list of them.
      grad_ys: for each of `ys`, what its gradient starts from; ones by default.
      name: accepted for TensorFlow's sake.
      gate_gradients: accepted for TensorFlow's sake.
      aggregation_method: accepted for TensorFlow's sake.
      stop_gradients: tensors through which no gradient is to pass.
      unconnected_gradients: what to give for one of `xs` without influence: NONE or ZERO.

    Returns:
      A list of gradients.

    Raises:
      RuntimeError: no graph is being built.

    >>> import autograph_lite as ag
    >>> @ag.function
    ... def slope(x):
    ...     return ag.gradients(x * x, x)[0]
    >>> slope(ag.constant(3.0)).numpy()
    np.float32(6.0)
    """
    if thread.graph is None:
        raise RuntimeError(
            f"{user_location()}: gradients() is for graphs; use ag.GradientTape while executing "
            "eagerly"
        )
    targets = [convert_to_tensor(y) for y in nest.flatten(ys)]
    sources = nest.flatten(xs)
    seeds = [None] * len(targets) if grad_ys is None else nest.flatten(grad_ys)
    graph = next((t.graph for t in targets if isinstance(t, SymbolicTensor)), thread.graph)
    tensors = [None if isinstance(x, Variable) else graph.resolve(x) for x in sources]
    stops = {id(graph.resolve(t)) for t in nest.flatten(stop_gradients) if t is not None}
    variables = [x for x in sources if isinstance(x, Variable)]
    sweep = Sweep([t for t in tensors if t is not None], variables, stops)
    for target, seed in zip(targets, seeds, strict=True):
        own = graph.resolve(target)
        if carries_gradient(own):
            sweep.seed(own, seed_for(own, seed))
    sweep.run(list(graph.operations))
    unconnected = UnconnectedGradients(unconnected_gradients)
    found = [
        sweep.variable_gradients.get(id(x)) if t is None else sweep.gradient(t)
        for x, t in zip(sources, tensors, strict=True)
    ]
    return [connected(g, x, unconnected) for g, x in zip(found, sources, strict=True)]
