"""Forward mode: derivatives along a direction, while the function runs.

The derivative along a direction is the gradient of a gradient: what a sweep backwards makes of a
target's gradient `u` is linear in `u`, and the sweep backwards through that, from the direction,
is the derivative forwards. So every gradient rule serves both modes.
"""

from __future__ import annotations

from typing import Any

from runtime import nest
from runtime.convert import convert_to_tensor
from runtime.gradients.sums import carries_gradient, zeros_for
from runtime.gradients.tape import GradientTape, connected
from runtime.gradients.unconnected import UnconnectedGradients
from runtime.locations import user_location
from runtime.tensor import Tensor
from runtime.variables import Variable


class ForwardAccumulator:
    """Gives derivatives along one direction of whatever is computed within its block.

    Args:
      primals: the tensors or variables to move, or a structure of them.
      tangents: the direction: for each of them, how it moves.

    Raises:
      ValueError: a tangent does not fit its primal.

    >>> import autograph_lite as ag
    >>> x = ag.constant([1.0, 2.0])
    >>> with ag.autodiff.ForwardAccumulator(x, ag.constant([1.0, 0.0])) as acc:
    ...     y = ag.reduce_sum(x ** 3)
    >>> acc.jvp(y).numpy()
    np.float32(3.0)
    """

    def __init__(self, primals: Any, tangents: Any) -> None:
        self._primals = nest.flatten(primals)
        self._tangents = [
            _tangent(t, p) for t, p in zip(nest.flatten(tangents), self._primals, strict=True)
        ]
        self._tape = GradientTape(persistent=True, watch_accessed_variables=False)

    def __enter__(self) -> ForwardAccumulator:
        self._tape.__enter__()
        self._tape.watch(self._primals)
        return self

    def __exit__(self, *exc: object) -> None:
        self._tape.__exit__(*exc)

    def jvp(self, primals: Any, unconnected_gradients: Any = UnconnectedGradients.NONE) -> Any:
        """The derivatives of tensors along the direction.

        Args:
          primals: a tensor computed within the block, or a structure of them.
          unconnected_gradients: what to give for one that does not depend on what moves: NONE or
            ZERO.
        """
        unconnected = UnconnectedGradients(unconnected_gradients)
        return nest.map_structure(lambda t: self._one(t, unconnected), primals)

    def _one(self, target: Any, unconnected: UnconnectedGradients) -> Any:
        if isinstance(target, Variable):
            for primal, tangent in zip(self._primals, self._tangents, strict=True):
                if primal is target:
                    return tangent
            return connected(None, target, unconnected)
        target = convert_to_tensor(target)
        found = self._forward(target) if carries_gradient(target) else None
        return connected(found, target, unconnected)

    def _forward(self, target: Tensor) -> Tensor | None:
        with GradientTape(watch_accessed_variables=False) as tape:
            direction = zeros_for(target)
            tape.watch(direction)
            gradients = self._tape.gradient(target, self._primals, direction)
        pairs = [(g, t) for g, t in zip(gradients, self._tangents, strict=True) if g is not None]
        if not pairs:
            return None
        found: Tensor | None = tape.gradient(
            [g for g, _ in pairs], direction, [t for _, t in pairs]
        )
        return found


def _tangent(tangent: Any, primal: Any) -> Tensor:
    made = convert_to_tensor(tangent, dtype_hint=primal.dtype)
    if made.dtype is not primal.dtype or not made.shape.is_compatible_with(primal.shape):
        raise ValueError(
            f"{user_location()}: a tangent is to be like its primal, {primal.dtype.name}"
            f"{primal.shape}, found {made.dtype.name}{made.shape}"
        )
    return made
