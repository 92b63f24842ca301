"""Functions applied along the first axis of tensors: map, fold and scan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from runtime import nest
from runtime.context import as_called, building, thread
from runtime.control_flow import while_loop
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType, as_dtype
from runtime.graph import FunctionGraph
from runtime.locations import user_location
from runtime.ops.shaping import shape
from runtime.shapes import UNKNOWN, TensorShape
from runtime.tensor import Tensor
from runtime.tensor_array import TensorArray


def _tensors(elems: Any, what: str) -> Any:
    made = nest.map_structure(convert_to_tensor, elems)
    flat = nest.flatten(made)
    if not flat:
        raise ValueError(f"{user_location()}: {what} needs at least one tensor")
    for tensor in flat:
        if tensor.shape.rank == 0:
            raise ValueError(f"{user_location()}: {what} goes along an axis, found a scalar")
    return made


def _count(elems: Any) -> Any:
    """How many elements there are along the first axis: a number if it is known."""
    flat = nest.flatten(elems)
    known = {t.shape[0] for t in flat} - {None}
    if len(known) > 1:
        raise ValueError(f"{user_location()}: the first axes differ in size: {sorted(known)}")
    return known.pop() if known else shape(flat[0])[0]


def _element(elems: Any, i: Any) -> Any:
    return nest.map_structure(lambda t: t[i], elems)


class _Result:
    """What is known of one tensor that the function gives."""

    def __init__(self, dtype: DType, shape: TensorShape) -> None:
        self.dtype = dtype
        self.shape = shape

    def array(self, size: Any) -> TensorArray:
        declared = None if self.shape.rank is None else self.shape
        return TensorArray(self.dtype, size=size, element_shape=declared)


def _signature(given: Any) -> Any:
    """The dtypes (or specs) that the user gave, as results."""

    def result(spec: Any) -> _Result:
        if hasattr(spec, "shape"):
            return _Result(spec.dtype, TensorShape(spec.shape))
        return _Result(as_dtype(spec), UNKNOWN)

    return nest.map_structure(result, given)


def _element_of(items: Any) -> Any:
    """What is known of an element, whether or not there is one."""
    return nest.map_structure(lambda t: _Result(t.dtype, t.shape[1:]), items)


def _tried(fn: Callable[..., Any], *arguments: Any) -> Any:
    """The structure, dtypes and shapes that `fn` gives, found by tracing it into a scrap graph."""
    scrap = FunctionGraph("trial", thread.graph)
    with building(scrap):
        inputs = nest.map_structure(
            lambda t: scrap.placeholder(t.dtype, t.shape), arguments, expand_composites=True
        )
        made = nest.map_structure(convert_to_tensor, fn(*inputs))
    return nest.map_structure(lambda t: _Result(t.dtype, t.shape), made)


def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
    fn_output_signature: Any = None,
) -> Any:
    """`fn` of each element of `elems` along the first axis, stacked.

    Args:
      fn: takes an element (of the structure of `elems`) and gives a structure of tensors.
      elems: a tensor, or a structure of tensors with first axes of one size.
      dtype: an older name of `fn_output_signature`.
      parallel_iterations: accepted for TensorFlow's sake.
      back_prop: accepted for TensorFlow's sake.
      swap_memory: accepted for TensorFlow's sake.
      infer_shape: accepted for TensorFlow's sake.
      name: accepted for TensorFlow's sake.
      fn_output_signature: the dtypes or TensorSpecs of what `fn` gives; found out by default.

    Returns:
      A structure like that of `fn`'s results, each with the size of the first axis in front.

    >>> import autograph_lite as ag
    >>> ag.map_fn(lambda x: x * x, ag.constant([1, 2, 3])).numpy().tolist()
    [1, 4, 9]
    """
    fn = as_called(fn)
    items = _tensors(elems, "map_fn")
    count = _count(items)
    given = dtype if fn_output_signature is None else fn_output_signature
    if thread.graph is None:
        return _mapped_now(fn, items, int(count), given)
    trial = _tried(fn, _element_of(items)) if given is None else _signature(given)
    arrays = nest.map_structure(lambda r: r.array(count), trial)

    def body(i: Any, arrays: Any) -> Any:
        made = fn(_element(items, i))
        nest.assert_same_structure(trial, made)
        return i + 1, nest.map_structure(lambda a, t: a.write(i, t), arrays, made)

    _, arrays = while_loop(lambda i, arrays: i < count, body, (0, arrays))
    return nest.map_structure(lambda a: _sized(a.stack(), count), arrays)


def _sized(tensor: Any, count: Any) -> Tensor:
    if isinstance(count, int) and hasattr(tensor, "set_shape") and tensor.shape.rank is not None:
        tensor.set_shape(TensorShape((count,)).concatenate(tensor.shape[1:]))
    return tensor  # type: ignore[no-any-return]


def _mapped_now(fn: Callable[..., Any], items: Any, count: int, given: Any) -> Any:
    from runtime.ops.creation import zeros
    from runtime.ops.joining import stack

    results = [nest.map_structure(convert_to_tensor, fn(_element(items, i))) for i in range(count)]
    if results:
        for other in results[1:]:
            nest.assert_same_structure(results[0], other)
        return nest.map_structure(lambda *parts: stack(list(parts)), *results)
    if given is not None:
        kinds = _signature(given)
    else:
        kinds = _element_of(items)
    return nest.map_structure(
        lambda r: zeros((0, *(d or 0 for d in r.shape.as_tuple() or ())), r.dtype), kinds
    )


def vectorized_map(
    fn: Callable[..., Any], elems: Any, fallback_to_while_loop: bool = True, warn: bool = True
) -> Any:
    """`fn` of each element of `elems` along the first axis, stacked, as `map_fn` does.

    Tensors whose first axis has size 1 go with all elements of the others.

    Args:
      fn: takes an element (of the structure of `elems`) and gives a structure of tensors.
      elems: a tensor, or a structure of tensors.
      fallback_to_while_loop: accepted for TensorFlow's sake.
      warn: accepted for TensorFlow's sake.

    >>> import autograph_lite as ag
    >>> ag.vectorized_map(lambda x: ag.reduce_sum(x), ag.ones([2, 3])).numpy().tolist()
    [3.0, 3.0]
    """
    from runtime.ops.shaping import broadcast_to

    items = _tensors(elems, "vectorized_map")
    sizes = {t.shape[0] for t in nest.flatten(items)}
    if len(sizes) == 2 and 1 in sizes and None not in sizes:
        count = max(s for s in sizes if s is not None) if 0 not in sizes else 0

        def spread(t: Any) -> Any:
            dims = t.shape.as_list()
            return broadcast_to(t, [count, *dims[1:]]) if dims[0] == 1 else t

        items = nest.map_structure(spread, items)
    return map_fn(fn, items)


def _start(elems: Any, initializer: Any, count: Any, reverse: bool) -> tuple[Any, Any, Any]:
    """The first accumulated value, and the range of places still to be visited."""
    first = count - 1 if reverse else 0
    if initializer is None:
        if isinstance(count, int) and count == 0:
            raise ValueError(f"{user_location()}: no elements, and no initializer either")
        value = _element(elems, first)
        return value, (count - 2 if reverse else 1), 1
    return nest.map_structure(convert_to_tensor, initializer), first, 0


def _fold(fn: Callable[..., Any], elems: Any, initializer: Any, reverse: bool, what: str) -> Any:
    fn = as_called(fn)
    items = _tensors(elems, what)
    count = _count(items)
    value, place, _ = _start(items, initializer, count, reverse)
    step = -1 if reverse else 1

    def test(i: Any, value: Any) -> Any:
        return i >= 0 if reverse else i < count

    def body(i: Any, value: Any) -> Any:
        return i + step, fn(value, _element(items, i))

    return while_loop(test, body, (convert_to_tensor(place), value))[1]


def foldl(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """`fn(... fn(fn(initializer, elems[0]), elems[1]) ..., elems[-1])`.

    Args:
      fn: `fn(value, element)` gives the next value.
      elems: a tensor, or a structure of tensors with first axes of one size.
      initializer: the first value; the first element by default.
      parallel_iterations: accepted for TensorFlow's sake.
      back_prop: accepted for TensorFlow's sake.
      swap_memory: accepted for TensorFlow's sake.
      name: accepted for TensorFlow's sake.

    >>> import autograph_lite as ag
    >>> ag.foldl(lambda a, x: a * 10 + x, ag.constant([1, 2, 3])).numpy()
    np.int32(123)
    """
    return _fold(fn, elems, initializer, False, "foldl")


def foldr(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    name: str | None = None,
) -> Any:
    """`foldl` from the last element to the first; see there for the arguments.

    >>> import autograph_lite as ag
    >>> ag.foldr(lambda a, x: a * 10 + x, ag.constant([1, 2, 3])).numpy()
    np.int32(321)
    """
    return _fold(fn, elems, initializer, True, "foldr")


def scan(
    fn: Callable[..., Any],
    elems: Any,
    initializer: Any = None,
    parallel_iterations: int = 10,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    reverse: bool = False,
    name: str | None = None,
) -> Any:
    """All the values that `foldl` passes through, stacked.

    Args:
      fn: `fn(value, element)` gives the next value.
      elems: a tensor, or a structure of tensors with first axes of one size.
      initializer: the value before the first element; by default the first element itself is the
        first value.
      parallel_iterations: accepted for TensorFlow's sake.
      back_prop: accepted for TensorFlow's sake.
      swap_memory: accepted for TensorFlow's sake.
      infer_shape: accepted for TensorFlow's sake.
      reverse: go from the last element to the first.
      name: accepted for TensorFlow's sake.

    Returns:
      A structure like that of the values, each with the size of the first axis in front.

    >>> import autograph_lite as ag
    >>> ag.scan(lambda a, x: a + x, ag.constant([1, 2, 3])).numpy().tolist()
    [1, 3, 6]
    """
    fn = as_called(fn)
    items = _tensors(elems, "scan")
    count = _count(items)
    value, place, done = _start(items, initializer, count, reverse)
    step = -1 if reverse else 1

    def fresh(t: Any) -> TensorArray:
        array = _Result(t.dtype, t.shape).array(count)
        return array.write(place - step, t) if done else array

    arrays = nest.map_structure(fresh, value)

    def test(i: Any, value: Any, arrays: Any) -> Any:
        return i >= 0 if reverse else i < count

    def body(i: Any, value: Any, arrays: Any) -> Any:
        made = nest.map_structure(convert_to_tensor, fn(value, _element(items, i)))
        return i + step, made, nest.map_structure(lambda a, t: a.write(i, t), arrays, made)

    loop_vars = (convert_to_tensor(place), value, arrays)
    _, _, arrays = while_loop(test, body, loop_vars)
    return nest.map_structure(lambda a: _sized(a.stack(), count), arrays)
