"""`for` over tensors: over the rows of a tensor, or over a range without making it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from autograph_lite.staging.conditionals import cond
from autograph_lite.staging.loops import LoopOptions, State, while_loop
from runtime.convert import convert_to_tensor
from runtime.locations import user_location
from runtime.ops.comparison import less, logical_and, logical_not, logical_or
from runtime.ops.shaping import shape as shape_of
from runtime.static import static_value
from runtime.tensor import SymbolicTensor, Tensor


def for_loop(
    iterable: Any,
    body: Callable[[Any], Any],
    get_state: Callable[[], State],
    set_state: Callable[[State], Any],
    names: tuple[str, ...],
    extra_test: Callable[[], Any] | None = None,
    options: LoopOptions | dict[str, Any] | None = None,
) -> None:
    """A `for` statement over a tensor.

    Args:
      iterable: a tensor of rank 1 or more.
      body: `body(item)` binds the loop's target and runs its statements.
      get_state: gives the loop variables.
      set_state: sets them.
      names: what they are called.
      extra_test: False once a `break` or `return` has been met.
      options: what `set_loop_options` asked for.

    Raises:
      TypeError: the tensor is a scalar.
    """
    counter = _counter(iterable)
    position = counter.start

    def test() -> Any:
        more = counter.has(position)
        if extra_test is None:
            return more
        return _both(more, extra_test)

    def step() -> None:
        nonlocal position
        item = counter.item(position)
        body(item)
        position = counter.next(position)

    def get() -> State:
        return (position, *get_state())

    def set_(state: State) -> None:
        nonlocal position
        position = state[0]
        set_state(tuple(state[1:]))

    while_loop(test, step, get, set_, ("the position", *names), options)


def _both(more: Tensor, extra_test: Callable[[], Any]) -> Any:
    go_on = extra_test()
    if isinstance(go_on, bool):
        return more if go_on else False
    return logical_and(more, go_on)


class _Rows:
    """Counts through the rows of a tensor."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor
        size = tensor.shape[0] if tensor.shape.rank else None
        self.size = convert_to_tensor(size) if size is not None else shape_of(tensor)[0]
        self.start: Any = convert_to_tensor(0)

    def has(self, position: Any) -> Any:
        return less(position, self.size)

    def item(self, position: Any) -> Any:
        return self.tensor[position]

    def next(self, position: Any) -> Any:
        return position + 1


class _Range:
    """Counts through a range; the numbers themselves are the positions."""

    def __init__(self, start: Tensor, limit: Tensor, delta: Tensor) -> None:
        self.start: Any = start
        self.limit = limit
        self.delta = delta
        known = static_value(delta)
        self.direction = None if known is None else (1 if known > 0 else -1)

    def has(self, position: Any) -> Any:
        if self.direction == 1:
            return less(position, self.limit)
        if self.direction == -1:
            return less(self.limit, position)
        upwards = less(0, self.delta)
        up = logical_and(upwards, less(position, self.limit))
        return logical_or(up, logical_and(logical_not(upwards), less(self.limit, position)))

    def item(self, position: Any) -> Any:
        return position

    def next(self, position: Any) -> Any:
        return position + self.delta


def _counter(tensor: Tensor) -> Any:
    if tensor.shape.rank == 0:
        raise TypeError(
            f"{user_location()}: cannot iterate over {tensor!r}, a scalar; expected a tensor of "
            "at least one dimension. To count up to it, use `for i in ag.range(n)`."
        )
    if isinstance(tensor, SymbolicTensor) and tensor.op.type == "Range":
        return _Range(*tensor.op.inputs)
    return _Rows(tensor)


def for_rest(
    iterator: Iterator[Any],
    body: Callable[[Any], Any],
    get_state: Callable[[], State],
    set_state: Callable[[State], Any],
    names: tuple[str, ...],
    extra_test: Callable[[], Any],
    options: Any = None,
) -> None:
    """What is left of a `for` over Python items, once a `break` has come to depend on a tensor.

    Each item that is left becomes a pass under the condition that none has broken out before.
    """
    for item in iterator:
        going = extra_test()
        if not isinstance(going, Tensor):
            if not going:
                return
            body(item)
            continue
        cond(going, partial(body, item), _do_nothing, get_state, set_state, names)


def _do_nothing() -> None:
    """The loop has been left."""
