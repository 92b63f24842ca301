"""Learning rates that change from step to step.

A schedule is a function of the step number that gives the learning rate; any function will do.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.convert import convert_to_tensor
from runtime.ops.casting import cast
from runtime.ops.elementwise import divide, maximum, minimum, pow
from runtime.ops.gathering import where
from runtime.ops.trigonometric import cos
from runtime.ops.unary import ceil, floor
from runtime.tensor import Tensor


class LearningRateSchedule:
    """A learning rate as a function of the step number."""

    def __call__(self, step: Any) -> Tensor:
        """The learning rate of a step, float32; steps count from 0."""
        return self.rate(cast(convert_to_tensor(step), "float32"))

    def rate(self, step: Tensor) -> Tensor:
        """The learning rate of a step, given as float32."""
        raise TypeError(f"{type(self).__name__} does not say the rate: give it `rate`")


class ExponentialDecay(LearningRateSchedule):
    """`initial_learning_rate * decay_rate ** (step / decay_steps)`.

    Args:
      initial_learning_rate: the rate of the first step.
      decay_steps: in so many steps the rate changes by the factor `decay_rate`.
      decay_rate: that factor.
      staircase: whether it changes at once at the end of them.

    >>> import autograph_lite as ag
    >>> float(ag.optimizers.schedules.ExponentialDecay(1.0, 10, 0.5)(20))
    0.25
    """

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        decay_rate: float,
        staircase: bool = False,
    ) -> None:
        self.initial_learning_rate = initial_learning_rate
        self.decay_steps = decay_steps
        self.decay_rate = decay_rate
        self.staircase = staircase

    def rate(self, step: Tensor) -> Tensor:
        done = step / self.decay_steps
        done = floor(done) if self.staircase else done
        return self.initial_learning_rate * pow(self.decay_rate, done)


class InverseTimeDecay(LearningRateSchedule):
    """`initial_learning_rate / (1 + decay_rate * step / decay_steps)`.

    Args:
      initial_learning_rate: the rate of the first step.
      decay_steps: in so many steps the divisor grows by `decay_rate`.
      decay_rate: that growth.
      staircase: whether it grows at once at the end of them.

    >>> import autograph_lite as ag
    >>> float(ag.optimizers.schedules.InverseTimeDecay(1.0, 10, 0.5)(20))
    0.5
    """

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        decay_rate: float,
        staircase: bool = False,
    ) -> None:
        self.initial_learning_rate = initial_learning_rate
        self.decay_steps = decay_steps
        self.decay_rate = decay_rate
        self.staircase = staircase

    def rate(self, step: Tensor) -> Tensor:
        done = step / self.decay_steps
        done = floor(done) if self.staircase else done
        return divide(self.initial_learning_rate, 1 + self.decay_rate * done)


class PolynomialDecay(LearningRateSchedule):
    """From `initial_learning_rate` to `end_learning_rate` within `decay_steps`.

    Args:
      initial_learning_rate: the rate of the first step.
      decay_steps: how many steps it takes.
      end_learning_rate: the rate from then on.
      power: of the polynomial; 1 goes straight.
      cycle: whether to begin again, with more steps each time, rather than stay.

    >>> import autograph_lite as ag
    >>> float(ag.optimizers.schedules.PolynomialDecay(1.0, 10, 0.5)(5))
    0.75
    """

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        end_learning_rate: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
    ) -> None:
        self.initial_learning_rate = initial_learning_rate
        self.decay_steps = decay_steps
        self.end_learning_rate = end_learning_rate
        self.power = power
        self.cycle = cycle

    def rate(self, step: Tensor) -> Tensor:
        steps: Any = self.decay_steps
        if self.cycle:
            steps = steps * maximum(1.0, ceil(step / steps))
        else:
            step = minimum(step, steps)
        left = pow(1 - step / steps, self.power)
        return (self.initial_learning_rate - self.end_learning_rate) * left + self.end_learning_rate


class CosineDecay(LearningRateSchedule):
    """Half a cosine down to `alpha`, perhaps after a warm-up.

    Args:
      initial_learning_rate: the rate that a warm-up starts from, or the decay without one.
      decay_steps: how many steps the decay takes.
      alpha: the part of the rate that is left at the end.
      warmup_target: the rate that the warm-up leads to; None for no warm-up.
      warmup_steps: how many steps it takes.

    >>> import autograph_lite as ag
    >>> round(float(ag.optimizers.schedules.CosineDecay(1.0, 10)(5)), 4)
    0.5
    """

    def __init__(
        self,
        initial_learning_rate: float,
        decay_steps: float,
        alpha: float = 0.0,
        warmup_target: float | None = None,
        warmup_steps: float = 0,
    ) -> None:
        self.initial_learning_rate = initial_learning_rate
        self.decay_steps = decay_steps
        self.alpha = alpha
        self.warmup_target = warmup_target
        self.warmup_steps = warmup_steps

    def rate(self, step: Tensor) -> Tensor:
        if self.warmup_target is None:
            return self._decayed(step, self.initial_learning_rate)
        rise = self.warmup_target - self.initial_learning_rate
        rising = self.initial_learning_rate + rise * (step / max(self.warmup_steps, 1))
        after = self._decayed(step - self.warmup_steps, self.warmup_target)
        return where(step < self.warmup_steps, rising, after)

    def _decayed(self, step: Tensor, start: float) -> Tensor:
        done = minimum(step, self.decay_steps) / self.decay_steps
        cosine = 0.5 * (1.0 + cos(done * math.pi))
        return start * ((1 - self.alpha) * cosine + self.alpha)


class PiecewiseConstantDecay(LearningRateSchedule):
    """One rate after the other.

    Args:
      boundaries: the last step of each rate but the last, in order.
      values: the rates, one more than there are boundaries.

    Raises:
      ValueError: the numbers do not fit.

    >>> import autograph_lite as ag
    >>> rate = ag.optimizers.schedules.PiecewiseConstantDecay([10, 20], [0.5, 0.25, 0.125])
    >>> float(rate(15))
    0.25
    """

    def __init__(self, boundaries: Sequence[float], values: Sequence[float]) -> None:
        if len(values) != len(boundaries) + 1:
            raise ValueError(
                f"{len(boundaries)} boundaries part {len(boundaries) + 1} values, "
                f"found {len(values)}"
            )
        self.boundaries = list(boundaries)
        self.values = list(values)

    def rate(self, step: Tensor) -> Tensor:
        made: Any = convert_to_tensor(np.float32(self.values[-1]))
        pairs = list(zip(self.boundaries, self.values, strict=False))
        for boundary, value in reversed(pairs):
            made = where(step <= boundary, np.float32(value), made)
        return made  # type: ignore[no-any-return]
