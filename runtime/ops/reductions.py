"""Reductions over axes: sums, products, extremes, means, logic."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype, from_numpy
from runtime.ops.apply import apply
from runtime.ops.axes import as_axes, axis_argument, reduced, reduction_rule
from runtime.ops.casting import cast
from runtime.ops.comparison import equal, not_equal
from runtime.ops.gradients_support import conjugate, keep_axes, shape_of, undo_reduction
from runtime.ops.numpy_calls import add_reduce, mean
from runtime.ops.registry import NO_GRADIENT, OpDef, Spec, define, gradient
from runtime.ops.rules import normal_axis
from runtime.ops.unary import sqrt, square
from runtime.shapes import SCALAR
from runtime.tensor import Tensor


def _accumulate_in_own_dtype(reduce: Callable[..., Any]) -> Callable[..., Any]:
    """NumPy sums small integers in a wide one; here they wrap around in their own."""

    def kernel(x: Any, axes: Any = None, *, axis: Any = None, keepdims: bool = False) -> Any:
        if axes is not None:
            axis = as_axes(axes)
        if x.dtype.kind in "iu":
            return reduce(x, axis=axis, dtype=x.dtype, keepdims=keepdims)
        return reduce(x, axis=axis, keepdims=keepdims)

    return kernel


def _bound_to_axis(reduce: Callable[..., Any]) -> Callable[[Any, Any], Any]:
    """The leanest callable for axes that are known: the bare method of the ufunc."""

    def specialise(attrs: Any, inputs: Any) -> Any:
        if len(inputs) > 1:
            return None
        bound = {"axis": attrs["axis"]}
        if attrs.get("keepdims"):
            bound["keepdims"] = True
        dtype = inputs[0].dtype
        if dtype.kind in "iu":
            bound["dtype"] = dtype.np_dtype
        return partial(reduce, **bound)

    return specialise


def _sum_rule(inputs: Any, attrs: Any) -> Spec:
    dtype = inputs[0].dtype
    return Spec(dtypes.int64 if dtype.kind == "b" else dtype, reduced(inputs, attrs))


def _totals(name: str, ufunc: Any) -> OpDef:
    return define(
        name,
        kernel=_accumulate_in_own_dtype(ufunc.reduce),
        infer=_sum_rule,
        specialise=_bound_to_axis(ufunc.reduce),
    )


def apply_reduction(op: OpDef, x: Any, axis: Any, keepdims: Any, name: str | None) -> Tensor:
    """Applies a reduction to anything that can become a tensor."""
    tensor = x if isinstance(x, Tensor) else convert_to_tensor(x)
    attrs, more = axis_argument(axis)
    _check_axes(attrs.get("axis"), tensor)
    if keepdims:
        attrs["keepdims"] = True
    return apply(op, (tensor, *more), attrs, name)


def _check_axes(axis: Any, tensor: Tensor) -> None:
    rank = tensor.shape.rank
    if rank is None or axis is None:
        return
    if type(axis) is int:
        normal_axis(axis, rank)
        return
    found = [normal_axis(a, rank) for a in axis]
    if len(set(found)) != len(found):
        raise ValueError(f"an axis is named twice: {list(axis)} for a tensor of rank {rank}")


def no_more(op: Any, first: Tensor | None) -> tuple[Tensor | None, ...]:
    """No gradient for the axes, where they are an input."""
    return (first,) + (None,) * (len(op.inputs) - 1)


# ---- sums and means

SUM = _totals("Sum", np.add)


@gradient(SUM)
def _(op: Any, dy: Tensor) -> Any:
    return no_more(op, undo_reduction(dy, op))


def reduce_sum(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The sum over `axis`; integers wrap around in their own dtype, booleans are counted.

    Args:
      input_tensor: a tensor or what can become one.
      axis: the axis or axes to sum over; all by default.
      keepdims: whether the summed axes stay, with size 1.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.reduce_sum([[1, 2], [3, 4]], axis=0).numpy().tolist()
    [4, 6]
    """
    return apply_reduction(SUM, input_tensor, axis, keepdims, name)


def _mean_kernel(x: Any, axes: Any = None, *, axis: Any = None, keepdims: bool = False) -> Any:
    if axes is not None:
        axis = as_axes(axes)
    if x.dtype.kind in "iu":
        return _integer_mean(x, axis, keepdims)
    if x.dtype.kind == "b":
        return mean(x, axis=axis, keepdims=keepdims)
    total = add_reduce(x, axis=axis, keepdims=keepdims)
    count = x.dtype.type(x.size // np.size(total) if np.size(total) else 1)
    return np.true_divide(total, count, dtype=x.dtype)


def _integer_mean(x: Any, axis: Any, keepdims: bool) -> Any:
    """The mean of integers in their dtype, cut off towards zero."""
    wide = np.uint64 if x.dtype.kind == "u" else np.int64
    total = add_reduce(x, axis=axis, dtype=wide, keepdims=keepdims)
    count = x.size // max(np.size(total), 1)
    if not count:
        return np.asarray(total).astype(x.dtype)
    quotient = np.asarray(np.abs(total) // wide(count) * np.sign(total))
    return quotient.astype(x.dtype)


def _mean_rule(inputs: Any, attrs: Any) -> Spec:
    dtype = inputs[0].dtype
    return Spec(dtypes.float64 if dtype.kind == "b" else dtype, reduced(inputs, attrs))


def _mean_of_known_count(attrs: Any, inputs: Any) -> Any:
    shape, dtype = inputs[0].shape, inputs[0].dtype
    if len(inputs) > 1 or dtype.kind not in "fc" or not shape.is_fully_defined():
        return None
    axis, keepdims = attrs["axis"], attrs.get("keepdims", False)
    kept = reduced(inputs, attrs).num_elements()
    if not kept or not shape.num_elements():
        return None
    count = dtype.np_dtype.type(shape.num_elements() // kept)
    reduce = np.add.reduce

    def kernel(x: Any) -> Any:
        return reduce(x, axis=axis, keepdims=keepdims) / count

    return kernel


MEAN = define("Mean", kernel=_mean_kernel, infer=_mean_rule, specialise=_mean_of_known_count)


@gradient(MEAN)
def _(op: Any, dy: Tensor) -> Any:
    return no_more(op, undo_reduction(dy / count_per_result(op, dy.dtype), op))


def count_per_result(op: Any, dtype: Any) -> Any:
    """How many elements went into each result of a reduction."""
    whole, left = op.inputs[0].shape.num_elements(), op.outputs[0].shape.num_elements()
    if whole is not None and left is not None:
        return float(max(whole // max(left, 1), 1))
    shapes = (shape_of(op.inputs[0]), shape_of(op.outputs[0]))
    return apply(SIZE_RATIO, shapes, {"dtype": dtype})


def _size_ratio_kernel(whole: Any, left: Any, dtype: Any) -> Any:
    size = int(np.prod(whole, dtype=np.int64)) // max(int(np.prod(left, dtype=np.int64)), 1)
    return dtype.np_dtype.type(max(size, 1))


SIZE_RATIO = define(
    "SizeRatio",
    kernel=_size_ratio_kernel,
    infer=lambda inputs, attrs: Spec(attrs["dtype"], SCALAR),
    gradient=NO_GRADIENT,
)


def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The mean over `axis`; of integers an integer, cut off towards zero; NaN of nothing.

    Args:
      input_tensor: a tensor or what can become one.
      axis: the axis or axes to average over; all by default.
      keepdims: whether these axes stay, with size 1.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.reduce_mean([[1.0, 2.0], [3.0, 5.0]], axis=1).numpy().tolist()
    [1.5, 4.0]
    """
    return apply_reduction(MEAN, input_tensor, axis, keepdims, name)


def reduce_variance(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The variance over `axis`: the mean squared distance from the mean. Integers give float64.

    >>> import autograph_lite as ag
    >>> float(ag.math.reduce_variance([1.0, 3.0]))
    1.0
    """
    x = convert_to_tensor(input_tensor)
    if x.dtype.kind in "iub":
        x = cast(x, dtypes.float64)
    distance = x - reduce_mean(x, axis, keepdims=True)
    if x.dtype.is_complex:
        from runtime.ops.complex_ import real

        return reduce_mean(real(distance * conjugate(distance)), axis, keepdims, name)
    return reduce_mean(square(distance), axis, keepdims, name)


def reduce_std(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The standard deviation over `axis`. Integers give float64.

    >>> import autograph_lite as ag
    >>> float(ag.math.reduce_std([1.0, 5.0]))
    2.0
    """
    return sqrt(reduce_variance(input_tensor, axis, keepdims), name)


# ---- products

PROD = _totals("Prod", np.multiply)


@gradient(PROD)
def _(op: Any, dy: Tensor) -> Any:
    others = _product_of_the_others(op)
    return no_more(op, undo_reduction(dy, op) * conjugate(others))


def _product_of_the_others(op: Any) -> Tensor:
    """For each element, the product of those it was multiplied with; exact beside zeros."""
    from runtime.ops.scans import cumprod
    from runtime.ops.shaping import reshape

    def others_along(x: Tensor, axis: int) -> Tensor:
        before = cumprod(x, axis, exclusive=True)
        return before * cumprod(x, axis, exclusive=True, reverse=True)

    from runtime.ops.gradients_support import reshape_like

    x = op.inputs[0]
    axis = op.attrs.get("axis")
    if len(op.inputs) > 1:
        # Axes unknown: quotients are all there is.
        return undo_reduction(op.outputs[0], op) / x
    if axis is None:
        return reshape_like(others_along(reshape(x, [-1]), 0), x)
    product: Any = None
    for one in (axis,) if isinstance(axis, int) else axis:
        others = others_along(x, one)
        product = others if product is None else product * others
        x = reduce_prod(x, one, keepdims=True)
    from runtime.ops.creation import ones_like

    return ones_like(x) if product is None else product


def reduce_prod(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The product over `axis`; integers wrap around in their own dtype.

    >>> import autograph_lite as ag
    >>> ag.reduce_prod([[1, 2], [3, 4]], axis=0).numpy().tolist()
    [3, 8]
    """
    return apply_reduction(PROD, input_tensor, axis, keepdims, name)


# ---- extremes


def _extreme(name: str, ufunc: Any, start: Callable[[Any], Any]) -> OpDef:
    """`start(dtype)` is the value of an empty maximum or minimum."""
    reduce = ufunc.reduce

    def kernel(x: Any, axes: Any = None, *, axis: Any = None, keepdims: bool = False) -> Any:
        if axes is not None:
            axis = as_axes(axes)
        if x.size == 0:
            return reduce(x, axis=axis, keepdims=keepdims, initial=start(x.dtype))
        return reduce(x, axis=axis, keepdims=keepdims)

    def specialise(attrs: Any, inputs: Any) -> Any:
        if len(inputs) > 1 or not inputs[0].shape.num_elements():
            return None
        return partial(reduce, axis=attrs["axis"], keepdims=attrs.get("keepdims", False))

    return define(name, kernel=kernel, infer=reduction_rule, specialise=specialise)


def _least(dtype: Any) -> Any:
    return -np.inf if dtype.kind == "f" else from_numpy(dtype).min


def _greatest(dtype: Any) -> Any:
    return np.inf if dtype.kind == "f" else from_numpy(dtype).max


MAX = _extreme("Max", np.maximum, _least)
MIN = _extreme("Min", np.minimum, _greatest)


@gradient(MAX, MIN)
def _(op: Any, dy: Tensor) -> Any:
    x = op.inputs[0]
    chosen = cast(equal(x, keep_axes(op.outputs[0], op)), dy.dtype)
    axis = op.inputs[1] if len(op.inputs) > 1 else op.attrs["axis"]
    ties = reduce_sum(chosen, axis, keepdims=True)
    return no_more(op, chosen / ties * keep_axes(dy, op))


def reduce_max(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The largest value over `axis`; NaN wins. Its gradient is shared evenly by equal values.

    >>> import autograph_lite as ag
    >>> ag.reduce_max([[1, 2], [3, 0]], axis=0).numpy().tolist()
    [3, 2]
    """
    return apply_reduction(MAX, input_tensor, axis, keepdims, name)


def reduce_min(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """The smallest value over `axis`; NaN wins. Its gradient is shared evenly by equal values.

    >>> import autograph_lite as ag
    >>> ag.reduce_min([[1, 2], [3, 0]], axis=0).numpy().tolist()
    [1, 0]
    """
    return apply_reduction(MIN, input_tensor, axis, keepdims, name)


# ---- logic


def _logic(name: str, ufunc: Any) -> OpDef:
    reduce = ufunc.reduce

    def kernel(x: Any, axes: Any = None, *, axis: Any = None, keepdims: bool = False) -> Any:
        if axes is not None:
            axis = as_axes(axes)
        return reduce(x, axis=axis, keepdims=keepdims)

    def specialise(attrs: Any, inputs: Any) -> Any:
        if len(inputs) > 1:
            return None
        return partial(reduce, axis=attrs["axis"], keepdims=attrs.get("keepdims", False))

    def rule(inputs: Any, attrs: Any) -> Spec:
        return Spec(dtypes.bool_, reduced(inputs, attrs))

    return define(name, kernel=kernel, infer=rule, gradient=NO_GRADIENT, specialise=specialise)


ALL = _logic("All", np.logical_and)
ANY = _logic("Any", np.logical_or)


def reduce_all(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Whether all are true, over `axis`; numbers count as true unless they are 0.

    >>> import autograph_lite as ag
    >>> ag.reduce_all([[True, False], [True, True]], axis=1).numpy().tolist()
    [False, True]
    """
    return apply_reduction(ALL, input_tensor, axis, keepdims, name)


def reduce_any(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """Whether at least one is true, over `axis`; numbers count as true unless they are 0.

    >>> import autograph_lite as ag
    >>> ag.reduce_any([[True, False], [False, False]], axis=1).numpy().tolist()
    [True, False]
    """
    return apply_reduction(ANY, input_tensor, axis, keepdims, name)


def count_nonzero(
    input: Any,
    axis: Any = None,
    keepdims: bool = False,
    dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """How many elements are not zero (or, of strings, not empty), over `axis`.

    Args:
      input: a tensor or what can become one.
      axis: the axis or axes to count over; all by default.
      keepdims: whether these axes stay, with size 1.
      dtype: the dtype of the counts.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> int(ag.math.count_nonzero([[0, 3], [1, 0]]))
    2
    """
    x = convert_to_tensor(input)
    zero = b"" if x.dtype.kind == "S" else False if x.dtype.kind == "b" else 0
    there = not_equal(x, zero)
    return reduce_sum(cast(there, as_dtype(dtype)), axis, keepdims, name)
