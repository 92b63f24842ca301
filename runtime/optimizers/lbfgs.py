"""L-BFGS: quasi-Newton steps from the last few changes of the gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from runtime.context import as_called
from runtime.control_flow import cond, while_loop
from runtime.convert import convert_to_tensor
from runtime.gradients.tape import GradientTape
from runtime.ops.comparison import logical_and, logical_not, logical_or
from runtime.ops.creation import zeros
from runtime.ops.gathering import where
from runtime.ops.indexing import set_item
from runtime.ops.joining import concat
from runtime.ops.reductions import reduce_max, reduce_sum
from runtime.ops.shaping import reshape
from runtime.ops.unary import abs as absolute
from runtime.tensor import Tensor
from runtime.variables import Variable

ValueAndGradient = Callable[[Tensor], "tuple[Tensor, Tensor]"]


class Minimum(NamedTuple):
    """Where a search has ended.

    Attributes:
      converged: whether the gradient has become as small as was asked for.
      num_iterations: how many steps were made.
      position: the best position found, a vector.
      objective_value: the function's value there.
      objective_gradient: its gradient there.
    """

    converged: Any
    num_iterations: Any
    position: Any
    objective_value: Any
    objective_gradient: Any


def lbfgs_minimize(
    value_and_gradients_function: ValueAndGradient,
    initial_position: Any,
    num_correction_pairs: int = 10,
    tolerance: float = 1e-8,
    max_iterations: int = 50,
    max_line_search_iterations: int = 50,
) -> Minimum:
    """Searches a minimum of a smooth function, eagerly or in a graph.

    Args:
      value_and_gradients_function: takes a vector; gives the value there and the gradient.
      initial_position: the vector to start from.
      num_correction_pairs: from how many of the last steps the curvature is learnt.
      tolerance: the search ends when no element of the gradient is larger.
      max_iterations: or after so many steps.
      max_line_search_iterations: the most evaluations a step.

    >>> import autograph_lite as ag
    >>> bowl = ag.value_and_grad(lambda x: ag.reduce_sum((x - [1.0, 2.0]) ** 2))
    >>> found = ag.optimizers.lbfgs_minimize(bowl, ag.constant([0.0, 0.0]))
    >>> found.position.numpy().round(3).tolist()
    [1.0, 2.0]
    """
    search = _Search(
        value_and_gradients_function, num_correction_pairs, tolerance, max_line_search_iterations
    )
    return search.run(convert_to_tensor(initial_position), max_iterations)


class _Search:
    def __init__(
        self, function: ValueAndGradient, history: int, tolerance: float, evaluations: int
    ) -> None:
        self.function = as_called(function)
        self.history = history
        self.tolerance = tolerance
        self.evaluations = evaluations

    def run(self, start: Tensor, most: int) -> Minimum:
        value, gradient = self.function(start)
        size = start.shape[0]
        rows = zeros((self.history, size), start.dtype)
        scales = zeros((self.history,), start.dtype)
        state = [convert_to_tensor(0), convert_to_tensor(False), start, value, gradient,
                 rows, rows, scales]  # fmt: skip

        def go_on(count: Tensor, stuck: Tensor, x: Tensor, f: Tensor, g: Tensor, *_: Any) -> Any:
            return logical_and(
                logical_and(count < most, logical_not(stuck)), logical_not(self.done(g))
            )

        ended = while_loop(go_on, self.step, state)
        count, _, x, f, g, *_ = ended
        return Minimum(self.done(g), count, x, f, g)

    def done(self, gradient: Tensor) -> Tensor:
        return reduce_max(absolute(gradient)) <= self.tolerance

    def step(self, count: Tensor, stuck: Tensor, x: Tensor, f: Tensor, g: Tensor,
             moves: Tensor, bends: Tensor, scales: Tensor) -> Any:  # fmt: skip
        direction = self.direction(count, g, moves, bends, scales)
        slope = reduce_sum(direction * g)
        # Where rounding has spoilt the curvature, the gradient itself is the way down.
        direction = where(slope < 0, direction, -g)
        slope = where(slope < 0, slope, -reduce_sum(g * g))
        length, new_f, new_g, found = self.line_search(count, x, f, g, direction, slope)
        move, bend = direction * length, new_g - g
        curvature = reduce_sum(move * bend)
        place = count % self.history
        useful = curvature > 0
        moves = set_item(moves, place, where(useful, move, moves[place]))
        bends = set_item(bends, place, where(useful, bend, bends[place]))
        scale = where(useful, 1 / where(useful, curvature, curvature * 0 + 1), curvature * 0)
        scales = set_item(scales, place, scale)
        return [
            count + 1,
            logical_not(found),
            where(found, x + move, x),
            where(found, new_f, f),
            where(found, new_g, g),
            moves,
            bends,
            scales,
        ]

    def direction(self, count: Tensor, g: Tensor, moves: Tensor, bends: Tensor, scales: Tensor):  # type: ignore[no-untyped-def]
        """The two loops over the last steps: the gradient times the inverse Hessian they tell."""
        factors = zeros((self.history,), g.dtype)

        def first(i: Tensor, q: Tensor, factors: Tensor) -> Any:
            place = (count - 1 - i) % self.history
            factor = scales[place] * reduce_sum(moves[place] * q)
            return [i + 1, q - factor * bends[place], set_item(factors, place, factor)]

        def second(i: Tensor, r: Tensor) -> Any:
            place = (count - 1 - i) % self.history
            factor = factors[place] - scales[place] * reduce_sum(bends[place] * r)
            return [i - 1, r + factor * moves[place]]

        known = where(count < self.history, count, self.history)
        start = convert_to_tensor(0)
        _, q, factors = while_loop(lambda i, *_: i < known, first, [start, g, factors])
        last = (count - 1) % self.history
        squares = reduce_sum(bends[last] * bends[last])
        scaled = logical_and(count > 0, scales[last] > 0)
        size = where(scaled, 1 / (where(scaled, scales[last] * squares, squares * 0 + 1)), 1.0)
        _, r = while_loop(lambda i, r: i >= 0, second, [known - 1, q * size])
        return -r

    def line_search(self, count: Tensor, x: Tensor, f: Tensor, g: Tensor,
                    direction: Tensor, slope: Tensor) -> Any:  # fmt: skip
        """A length that lowers the value enough and flattens the slope (weak Wolfe conditions)."""
        norm = reduce_sum(absolute(direction))
        first = where(count > 0, norm * 0 + 1, 1 / (1 + norm))
        zero = norm * 0
        state = [convert_to_tensor(0), convert_to_tensor(False), first, zero, zero - 1, f, g]

        def go_on(tried: Tensor, found: Tensor, *_: Any) -> Any:
            return logical_and(tried < self.evaluations, logical_not(found))

        def probe(tried: Tensor, found: Tensor, length: Tensor, low: Tensor, high: Tensor,
                  new_f: Tensor, new_g: Tensor) -> Any:  # fmt: skip
            new_f, new_g = self.function(x + direction * length)
            too_far = logical_not(new_f <= f + 1e-4 * length * slope)
            too_near = reduce_sum(direction * new_g) < 0.9 * slope
            accepted = logical_and(logical_not(too_far), logical_not(too_near))
            high = where(too_far, length, high)
            low = where(logical_or(accepted, too_far), low, length)
            # A high end below zero is none yet.
            further = where(high < 0, low * 2, (low + high) / 2)
            return [tried + 1, accepted, where(accepted, length, further), low, high, new_f, new_g]

        _, found, length, low, _, new_f, new_g = while_loop(go_on, probe, state)

        def as_good_as_it_gets() -> Any:
            # Not flat enough, but lower: a step all the same.
            value, gradient = self.function(x + direction * low)
            return [low, value, gradient, logical_and(low > 0, value < f)]

        return cond(
            found,
            lambda: [length, new_f, new_g, convert_to_tensor(True)],
            as_good_as_it_gets,
        )


class LBFGS:
    """Trains variables by L-BFGS on the whole of the data.

    Args:
      max_iterations: the most steps of one call.
      history: from how many of the last steps the curvature is learnt.
      tolerance: it ends when no element of the gradient is larger.

    >>> import autograph_lite as ag
    >>> w = ag.Variable([0.0, 0.0])
    >>> found = ag.optimizers.LBFGS().minimize(lambda: ag.reduce_sum((w - [1.0, 2.0]) ** 2), [w])
    >>> w.numpy().round(3).tolist()
    [1.0, 2.0]
    """

    def __init__(
        self, max_iterations: int = 50, history: int = 10, tolerance: float = 1e-6
    ) -> None:
        self.max_iterations = max_iterations
        self.history = history
        self.tolerance = tolerance

    def minimize(self, loss: Callable[[], Any], var_list: Sequence[Variable]) -> Minimum:
        """Changes variables until the loss is least.

        Args:
          loss: a function of no arguments that gives it, from the variables' values.
          var_list: the variables, all of one dtype.
        """
        variables = list(var_list)

        def assign(x: Tensor) -> None:
            start = 0
            for variable in variables:
                size = variable.shape.num_elements() or 0
                variable.assign(reshape(x[start : start + size], variable.shape.as_tuple()))
                start += size

        def value_and_gradient(x: Tensor) -> tuple[Tensor, Tensor]:
            assign(x)
            with GradientTape() as tape:
                value = convert_to_tensor(as_called(loss)())
            gradients = tape.gradient(value, variables, unconnected_gradients="zero")
            return value, concat([reshape(g, (-1,)) for g in gradients], 0)

        start = concat([reshape(v.value(), (-1,)) for v in variables], 0)
        found = lbfgs_minimize(
            value_and_gradient, start, self.history, self.tolerance, self.max_iterations
        )
        assign(found.position)
        return found
