"""Gradient descent, with momentum."""

from __future__ import annotations

from typing import Any

from runtime.optimizers.base import Optimizer, Rate
from runtime.tensor import Tensor
from runtime.variables import Variable


class SGD(Optimizer):
    """Gradient descent: each step goes against the gradient, or on in the direction so far.

    Args:
      learning_rate: a number, a variable, or a schedule.
      momentum: how much of the last step is made again.
      nesterov: whether to look ahead along the momentum.
      **options: see `Optimizer`.

    Raises:
      ValueError: the momentum is not between 0 and 1.

    >>> import autograph_lite as ag
    >>> w = ag.Variable(4.0)
    >>> optimizer = ag.optimizers.SGD(0.25)
    >>> _ = optimizer.minimize(lambda: w * w, [w])
    >>> w.numpy()
    np.float32(2.0)
    """

    def __init__(
        self,
        learning_rate: Rate = 0.01,
        momentum: float = 0.0,
        nesterov: bool = False,
        **options: Any,
    ) -> None:
        if not 0.0 <= momentum <= 1.0:
            raise ValueError(f"a momentum lies between 0 and 1, found {momentum}")
        super().__init__(learning_rate, **options)
        self.momentum = momentum
        self.nesterov = nesterov
        self.slots = ("momentum",) if momentum else ()

    def update(
        self, gradient: Tensor, variable: Variable, rate: Tensor, step: Tensor, **kept: Variable
    ) -> None:
        if not self.momentum:
            variable.assign_sub(rate * gradient)
            return
        move = kept["momentum"].value() * self.momentum - rate * gradient
        kept["momentum"].assign(move)
        variable.assign_add(move * self.momentum - rate * gradient if self.nesterov else move)
