"""Optimizers that give each element a step of its own size."""

from __future__ import annotations

from typing import Any

from runtime.ops.casting import cast
from runtime.ops.elementwise import maximum, pow
from runtime.ops.unary import rsqrt, sqrt, square
from runtime.optimizers.base import Optimizer, Rate
from runtime.tensor import Tensor
from runtime.variables import Variable


class Adam(Optimizer):
    """Adam: steps by the mean of the gradients over the root of the mean of their squares.

    Args:
      learning_rate: a number, a variable, or a schedule.
      beta_1: how slowly the mean of the gradients changes.
      beta_2: how slowly the mean of their squares changes.
      epsilon: added to the root, so that nothing is divided by zero.
      amsgrad: whether the greatest mean of squares so far is used.
      **options: see `Optimizer`.

    >>> import autograph_lite as ag
    >>> w = ag.Variable(1.0)
    >>> _ = ag.optimizers.Adam(0.5).minimize(lambda: w * w, [w])
    >>> round(float(w), 3)
    0.5
    """

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        beta_1: float = 0.9,
        beta_2: float = 0.999,
        epsilon: float = 1e-7,
        amsgrad: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, **options)
        self.beta_1 = beta_1
        self.beta_2 = beta_2
        self.epsilon = epsilon
        self.amsgrad = amsgrad
        self.slots = ("mean", "square", "largest") if amsgrad else ("mean", "square")

    def update(
        self, gradient: Tensor, variable: Variable, rate: Tensor, step: Tensor, **kept: Variable
    ) -> None:
        mean, squares = kept["mean"], kept["square"]
        count = cast(step, variable.dtype)
        # Both means start from zero; this makes up for it.
        alpha = rate * sqrt(1 - pow(self.beta_2, count)) / (1 - pow(self.beta_1, count))
        mean.assign_add((gradient - mean) * (1 - self.beta_1))
        squares.assign_add((square(gradient) - squares) * (1 - self.beta_2))
        spread = squares.value()
        if self.amsgrad:
            spread = maximum(kept["largest"], spread)
            kept["largest"].assign(spread)
        variable.assign_sub(mean * alpha / (sqrt(spread) + self.epsilon))


class AdamW(Adam):
    """Adam with decay of the weights, independent of the gradients.

    Args:
      learning_rate: a number, a variable, or a schedule.
      weight_decay: the part of itself that each variable loses a step, times the learning rate.
      **options: see `Adam`.

    >>> import autograph_lite as ag
    >>> w = ag.Variable(1.0)
    >>> _ = ag.optimizers.AdamW(0.5, weight_decay=0.1).minimize(lambda: w * w, [w])
    >>> round(float(w), 3)
    0.45
    """

    def __init__(
        self, learning_rate: Rate = 0.001, weight_decay: float = 0.004, **options: Any
    ) -> None:
        super().__init__(learning_rate, weight_decay=weight_decay, **options)


class RMSprop(Optimizer):
    """RMSprop: steps by the gradient over the root of the mean of its squares.

    Args:
      learning_rate: a number, a variable, or a schedule.
      rho: how slowly the mean of squares changes.
      momentum: how much of the last step is made again.
      epsilon: added to the mean, so that nothing is divided by zero.
      centered: whether the squares are taken around the mean of the gradients.
      **options: see `Optimizer`.

    >>> import autograph_lite as ag
    >>> w = ag.Variable(1.0)
    >>> _ = ag.optimizers.RMSprop(0.1, rho=0.0).minimize(lambda: w * w, [w])
    >>> round(float(w), 3)
    0.9
    """

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        rho: float = 0.9,
        momentum: float = 0.0,
        epsilon: float = 1e-7,
        centered: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, **options)
        self.rho = rho
        self.momentum = momentum
        self.epsilon = epsilon
        self.centered = centered
        names = {"square": True, "mean": centered, "momentum": bool(momentum)}
        self.slots = tuple(name for name, there in names.items() if there)

    def update(
        self, gradient: Tensor, variable: Variable, rate: Tensor, step: Tensor, **kept: Variable
    ) -> None:
        squares = kept["square"]
        squares.assign_add((square(gradient) - squares) * (1 - self.rho))
        spread = squares.value()
        if self.centered:
            mean = kept["mean"]
            mean.assign_add((gradient - mean) * (1 - self.rho))
            spread = spread - square(mean)
        move = rate * gradient * rsqrt(spread + self.epsilon)
        if self.momentum:
            move = kept["momentum"].value() * self.momentum + move
            kept["momentum"].assign(move)
        variable.assign_sub(move)


class Adagrad(Optimizer):
    """Adagrad: steps by the gradient over the root of the sum of its squares so far.

    Args:
      learning_rate: a number, a variable, or a schedule.
      initial_accumulator_value: what the sums of squares start from.
      epsilon: added to the sum, so that nothing is divided by zero.
      **options: see `Optimizer`.

    >>> import autograph_lite as ag
    >>> w = ag.Variable(1.0)
    >>> _ = ag.optimizers.Adagrad(0.5, 0.0).minimize(lambda: w * w, [w])
    >>> round(float(w), 3)
    0.5
    """

    slots = ("accumulator",)

    def __init__(
        self,
        learning_rate: Rate = 0.001,
        initial_accumulator_value: float = 0.1,
        epsilon: float = 1e-7,
        **options: Any,
    ) -> None:
        super().__init__(learning_rate, **options)
        self.initial_accumulator_value = initial_accumulator_value
        self.epsilon = epsilon

    def make_slot(self, name: str, variable: Variable, value: float = 0.0) -> Variable:
        return super().make_slot(name, variable, self.initial_accumulator_value)

    def update(
        self, gradient: Tensor, variable: Variable, rate: Tensor, step: Tensor, **kept: Variable
    ) -> None:
        sums = kept["accumulator"]
        sums.assign_add(square(gradient))
        variable.assign_sub(rate * gradient * rsqrt(sums.value() + self.epsilon))
