"""What all optimizers share: learning rate, step count, clipping and their own variables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from runtime.context import as_called
from runtime.convert import convert_to_tensor
from runtime.gradients.tape import GradientTape
from runtime.locations import user_location
from runtime.module import Module
from runtime.ops.casting import cast
from runtime.ops.clipping import clip_by_global_norm, clip_by_norm, clip_by_value
from runtime.ops.creation import fill, zeros
from runtime.tensor import Tensor
from runtime.variables import Variable

Rate = Any
"""A number, a variable, or a schedule: a function of the step number."""


class Optimizer(Module):
    """Changes variables so that what their gradients are of becomes smaller.

    Subclasses say which variables they keep for each trained one (`slots`), and what a step does
    (`update`). A step can stand inside a traced function, loops included.

    Args:
      learning_rate: a number, a variable, or a schedule.
      weight_decay: the part of itself that each variable loses a step, times the learning rate.
      clipnorm: the greatest norm of each gradient.
      clipvalue: the greatest size of each element of a gradient.
      global_clipnorm: the greatest norm of all gradients together.
      name: the optimizer's name.

    Raises:
      ValueError: more than one way of clipping is asked for.
    """

    slots: tuple[str, ...] = ()
    """The names of the variables kept for each trained variable."""

    def __init__(
        self,
        learning_rate: Rate,
        *,
        weight_decay: float | None = None,
        clipnorm: float | None = None,
        clipvalue: float | None = None,
        global_clipnorm: float | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(name)
        if sum(c is not None for c in (clipnorm, clipvalue, global_clipnorm)) > 1:
            raise ValueError(
                "an optimizer clips in one way: clipnorm, clipvalue or global_clipnorm; found "
                f"{clipnorm}, {clipvalue} and {global_clipnorm}"
            )
        self.weight_decay = weight_decay
        self.clipnorm = clipnorm
        self.clipvalue = clipvalue
        self.global_clipnorm = global_clipnorm
        self.iterations = Variable(0, trainable=False, name="iterations", dtype="int64")
        self._rate: Any = learning_rate if callable(learning_rate) else self._own(learning_rate)
        self._trained: list[Variable] = []
        self._kept: list[dict[str, Variable]] = []

    @staticmethod
    def _own(rate: Any) -> Variable:
        if isinstance(rate, Variable):
            return rate
        return Variable(float(rate), trainable=False, name="learning_rate", dtype="float32")

    @property
    def learning_rate(self) -> Any:
        """The learning rate of the next step: a variable, or what the schedule gives."""
        return self._rate(self.iterations.value()) if callable(self._rate) else self._rate

    @learning_rate.setter
    def learning_rate(self, rate: Rate) -> None:
        if callable(rate):
            self._rate = rate
        elif callable(self._rate):
            self._rate = self._own(rate)
        else:
            self._rate.assign(rate)

    def build(self, variables: Sequence[Variable]) -> None:
        """Makes the variables kept for these; `apply_gradients` does so by itself at first use.

        Args:
          variables: the variables to be trained.
        """
        known = set(map(id, self._trained))
        for variable in variables:
            if id(variable) not in known:
                kept = {name: self.make_slot(name, variable) for name in self.slots}
                self._trained.append(variable)
                self._kept.append(kept)

    def make_slot(self, name: str, variable: Variable, value: float = 0.0) -> Variable:
        """A variable like a trained one, filled with one value."""
        dims = variable.shape.as_tuple()
        start = zeros(dims, variable.dtype)
        if value:
            start = fill(dims, convert_to_tensor(variable.dtype.np_dtype.type(value)))
        stem = variable.name.partition(":")[0]
        return Variable(start, trainable=False, name=f"{stem}/{name}")

    def kept(self, variable: Variable) -> dict[str, Variable]:
        """The variables kept for a trained one, by name."""
        for trained, kept in zip(self._trained, self._kept, strict=True):
            if trained is variable:
                return kept
        raise KeyError(f"{variable.name} is not among the variables that {self.name} trains")

    def apply_gradients(self, grads_and_vars: Iterable[tuple[Any, Variable]]) -> Variable:
        """Makes one step.

        Args:
          grads_and_vars: pairs of a gradient and the variable it is of; a gradient of None leaves
            its variable as it is.

        Returns:
          The number of steps made, a variable.

        Raises:
          ValueError: there is no gradient at all.
        """
        pairs = [(g, v) for g, v in grads_and_vars if g is not None]
        if not pairs:
            raise ValueError(
                f"{user_location()}: {self.name} has no gradient for any variable: was the loss "
                "computed from them, inside of the tape's block?"
            )
        variables = [v for _, v in pairs]
        self.build(variables)
        gradients = self._clipped([convert_to_tensor(g) for g, _ in pairs])
        rate = convert_to_tensor(self.learning_rate)
        step = self.iterations.value() + 1
        for gradient, variable in zip(gradients, variables, strict=True):
            own = cast(rate, variable.dtype)
            if self.weight_decay:
                variable.assign_sub(variable * (own * self.weight_decay))
            self.update(gradient, variable, own, step, **self.kept(variable))
            if variable.constraint is not None:
                variable.assign(variable.constraint(variable.value()))
        self.iterations.assign_add(1)
        return self.iterations

    def update(
        self, gradient: Tensor, variable: Variable, rate: Tensor, step: Tensor, **kept: Variable
    ) -> None:
        """Makes one step of one variable.

        Args:
          gradient: its gradient, clipped.
          variable: the variable.
          rate: the learning rate, in the variable's dtype.
          step: the number of this step, counted from 1, int64.
          **kept: the variables kept for it.
        """
        raise TypeError(f"{type(self).__name__} does not say what a step does: give it `update`")

    def _clipped(self, gradients: list[Tensor]) -> list[Tensor]:
        if self.clipnorm is not None:
            return [clip_by_norm(g, self.clipnorm) for g in gradients]
        if self.clipvalue is not None:
            return [clip_by_value(g, -self.clipvalue, self.clipvalue) for g in gradients]
        if self.global_clipnorm is not None:
            return list(clip_by_global_norm(gradients, self.global_clipnorm)[0])
        return gradients

    def minimize(
        self, loss: Callable[[], Any], var_list: Sequence[Variable] | None = None, tape: Any = None
    ) -> Any:
        """Makes one step towards a smaller loss.

        Args:
          loss: a function of no arguments that gives it; or the loss itself, with its `tape`.
          var_list: the variables to change; those that the tape has watched by default.
          tape: the tape that has recorded the loss.

        Returns:
          The loss before the step.
        """
        value = loss
        if callable(loss):
            with tape or GradientTape() as tape:
                value = as_called(loss)()
        elif tape is None:
            raise ValueError(f"{user_location()}: minimize() of a tensor needs its tape")
        variables = list(tape.watched_variables() if var_list is None else var_list)
        self.apply_gradients(zip(tape.gradient(value, variables), variables, strict=True))
        return value
