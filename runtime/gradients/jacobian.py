"""Jacobians: one sweep backwards for each element of the target."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from runtime.context import thread
from runtime.control_flow import while_loop
from runtime.convert import convert_to_tensor
from runtime.gradients.reverse import Gradients
from runtime.gradients.tape import connected
from runtime.gradients.unconnected import UnconnectedGradients
from runtime.locations import user_location
from runtime.ops import lists
from runtime.ops.creation import one_hot
from runtime.ops.joining import concat, stack
from runtime.ops.reductions import reduce_sum
from runtime.ops.shaping import reshape, shape, size, transpose
from runtime.tensor import Tensor

Vjp = Callable[[Tensor, Tensor], Gradients]

_UNROLLED = 16
"""In a graph, targets of at most so many elements are swept one by one, others in a loop."""


def jacobian(
    vjp: Vjp, target: Tensor, sources: Sequence[Any], unconnected: UnconnectedGradients
) -> list[Any]:
    """The Jacobian of `target` with respect to each source.

    Args:
      vjp: `vjp(target, seed)` gives the gradients of the sources.
      target: a tensor.
      sources: tensors and variables.
      unconnected: what to give for a source that has no influence.
    """
    count = target.shape.num_elements()
    if thread.graph is None or (count is not None and count <= _UNROLLED):
        assert count is not None
        rows = [vjp(target, _unit(target, i)) for i in range(count)]
        columns = [[row[n] for row in rows] for n in range(len(sources))]
        stacked = [_stacked(column) for column in columns]
    else:
        stacked = _looped(vjp, target, sources)
    return [
        _placed(made, target, source, unconnected)
        for made, source in zip(stacked, sources, strict=True)
    ]


def _unit(target: Tensor, number: Any) -> Tensor:
    """Zeros like `target` with a one at one place."""
    flat = one_hot(number, size(target), dtype=target.dtype)
    return reshape(flat, _dims(target))


def _dims(tensor: Any) -> Any:
    known = tensor.shape
    return known.as_tuple() if known.is_fully_defined() else shape(tensor)


def _stacked(column: Sequence[Tensor | None]) -> Tensor | None:
    if not column or all(g is None for g in column):
        return None
    like = next(g for g in column if g is not None)
    return stack([like * 0 if g is None else g for g in column])


def _looped(vjp: Vjp, target: Tensor, sources: Sequence[Any]) -> list[Tensor | None]:
    """The same with a loop in the graph."""
    # Which sources have an influence shows while tracing; the first try tells.
    influence = [g is not None for g in vjp(target, _unit(target, convert_to_tensor(0)))]

    def body(i: Tensor, *rows: Tensor) -> Any:
        found = vjp(target, _unit(target, i))
        chosen = [g for g, there in zip(found, influence, strict=True) if there]
        more = [lists.push(row, g) for row, g in zip(rows, chosen, strict=True)]  # type: ignore[arg-type]
        return [i + 1, *more]

    start = [convert_to_tensor(0)] + [lists.empty() for there in influence if there]
    count = size(target)
    _, *ends = while_loop(lambda i, *rows: i < count, body, start)
    rows = iter(ends)
    return [
        lists.stack(next(rows), source.dtype, source.shape) if there else None
        for there, source in zip(influence, sources, strict=True)
    ]


def _placed(
    made: Tensor | None, target: Tensor, source: Any, unconnected: UnconnectedGradients
) -> Any:
    if made is None:
        if unconnected is UnconnectedGradients.NONE:
            return None
        zero = connected(None, source, unconnected)
        made = convert_to_tensor(zero) + reshape(
            zeros_of(target, source.dtype), _joined(_dims(target), (1,) * len(source.shape))
        )
        return made
    return reshape(made, _joined(_dims(target), _dims(source)))


def zeros_of(tensor: Tensor, dtype: Any) -> Tensor:
    """Zeros of the shape of `tensor`."""
    from runtime.ops.creation import zeros

    return zeros(_dims(tensor), dtype)


def _joined(a: Any, b: Any) -> Any:
    if isinstance(a, tuple) and isinstance(b, tuple):
        return (*a, *b)
    return concat([convert_to_tensor(list(a) if isinstance(a, tuple) else a),
                   convert_to_tensor(list(b) if isinstance(b, tuple) else b)], 0)  # fmt: skip


def batch_jacobian(vjp: Vjp, target: Tensor, source: Any, unconnected: UnconnectedGradients) -> Any:
    """The Jacobian of each row of `target` with respect to the same row of `source`."""
    rows, others = target.shape[0], source.shape[0]
    if rows is not None and others is not None and rows != others:
        raise ValueError(
            f"{user_location()}: batch_jacobian takes as many rows of the target as of the "
            f"source, found {rows} and {others}"
        )
    flat_dims = target.shape[1:].num_elements()
    flat = reshape(target, (-1 if rows is None else rows, -1 if flat_dims is None else flat_dims))

    def row_vjp(unused: Tensor, seed: Tensor) -> Gradients:
        # One element of every row at once: rows do not influence each other.
        return vjp(target, reshape(seed + reduce_sum(flat, 1, keepdims=True) * 0, _dims(target)))

    if flat_dims is None:
        raise ValueError(f"{user_location()}: batch_jacobian needs to know the shape of a row")
    columns = [
        row_vjp(flat, one_hot([i], flat_dims, dtype=target.dtype))[0] for i in range(flat_dims)
    ]
    made = _stacked(columns)
    tail = source.shape[1:]
    if made is None:
        if unconnected is UnconnectedGradients.NONE:
            return None
        made = stack([connected(None, source, unconnected)] * flat_dims)
    order = [1, 0, *range(2, len(source.shape) + 1)]
    made = transpose(made, order)
    head = (-1 if rows is None else rows,)
    return reshape(made, (*head, *target.shape[1:].as_list(), *tail.as_list()))
