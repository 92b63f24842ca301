"""Shapes: asking for them, and the same elements arranged in another shape."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.context import thread
from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype
from runtime.locations import user_location
from runtime.ops.apply import apply
from runtime.ops.registry import NO_GRADIENT, Spec, define, gradient
from runtime.shapes import (
    SCALAR,
    UNKNOWN,
    OpenShape,
    TensorShape,
    broadcast_shapes,
    normal_axis,
)
from runtime.static import static_shape, static_value
from runtime.tensor import SymbolicTensor, Tensor

# ---- arguments that shape a result


def dims_argument(shape: Any) -> tuple[tuple[int, ...] | None, Tensor | None]:
    """A shape as the user gave it: its sizes if they are known now, else the tensor of them.

    Raises:
      TypeError, ValueError: it is no shape.

    >>> dims_argument([2, 3])
    ((2, 3), None)
    """
    kind = type(shape)
    if kind is int:
        return (shape,), None
    if (kind is tuple or kind is list) and all(type(d) is int for d in shape):
        return tuple(shape), None
    if kind is TensorShape and not shape.is_fully_defined():
        raise ValueError(
            f"{user_location()}: shape {shape} has unknown sizes; use ag.shape(x) for them"
        )
    if isinstance(shape, list | tuple | TensorShape) and not len(shape):
        return (), None
    made = convert_to_tensor(shape)
    if made.dtype.kind not in "iu":
        raise TypeError(
            f"{user_location()}: a shape is made of integers, found {made.dtype.name}: {shape!r}"
        )
    if made.shape.rank not in (None, 0, 1):
        raise ValueError(
            f"{user_location()}: a shape is a vector of sizes, found a tensor of shape {made.shape}"
        )
    known = static_value(made)
    if known is not None:
        return tuple(int(d) for d in np.ravel(known)), None
    return None, reshape(made, (1,)) if made.shape.rank == 0 else made


def int_argument(value: Any, what: str) -> int:
    """An integer that must be known while tracing.

    Raises:
      TypeError, ValueError: it is no integer, or known only at run time.
    """
    if type(value) is int:
        return value
    known = static_value(convert_to_tensor(value))
    if known is None:
        raise ValueError(f"{user_location()}: {what} must be known while tracing, found {value!r}")
    if known.dtype.kind not in "iu" or known.size != 1:
        raise TypeError(f"{user_location()}: {what} must be one integer, found {value!r}")
    return int(known.reshape(()))


def ints_argument(value: Any, what: str) -> tuple[int, ...]:
    """Integers that must be known while tracing; one alone counts as a list of one."""
    if type(value) is int:
        return (value,)
    if isinstance(value, list | tuple):
        return tuple(int_argument(v, what) for v in value)
    known = static_value(convert_to_tensor(value))
    if known is None:
        raise ValueError(f"{user_location()}: {what} must be known while tracing, found {value!r}")
    return tuple(int(v) for v in np.ravel(known))


def shape_tensor(x: Tensor) -> Tensor | tuple[int, ...]:
    """The shape of `x` for use as an argument: sizes if all are known, else a tensor of them."""
    dims = x.shape.as_tuple()
    if dims is not None and None not in dims:
        return dims  # type: ignore[return-value]
    return shape(x)


def open_shape(x: Any) -> Any:
    """The shape of `x`, as an array has it, with tensors for the sizes that are not known yet."""
    x = convert_to_tensor(x)
    dims = x.shape.as_tuple()
    if dims is None or None not in dims:
        return x.shape
    sizes = shape(x)
    return OpenShape(
        [plain_int(sizes[axis]) if d is None else d for axis, d in enumerate(dims)], x.shape
    )


def plain_int(number: Tensor) -> Tensor:
    """A number that is a plain `int` in Python, and takes its partner's dtype as one does."""
    if isinstance(number, SymbolicTensor):
        number.weak = True
    return number


def described_shape(inputs: Sequence[Any], attrs: dict[str, Any], at: int) -> TensorShape:
    """For rules: the shape in `attrs['shape']`, or what is known of the one in input `at`."""
    dims = attrs.get("shape")
    if dims is not None:
        return TensorShape(dims)
    given = inputs[at]
    if isinstance(given, Tensor):
        return static_shape(given)
    length = given.shape[0] if given.shape.rank == 1 else None
    return UNKNOWN if length is None else TensorShape((None,) * length)


def dims_of(value: Any) -> tuple[int, ...]:
    """For kernels: an array of sizes as a tuple."""
    return tuple(value.tolist())


# ---- asking


def _out_type(attrs: dict[str, Any]) -> Any:
    return attrs["out_type"]


def _shape_lean(attrs: dict[str, Any], inputs: Sequence[Any]) -> Any:
    array, dtype = np.array, attrs["out_type"].np_dtype
    return lambda x: array(x.shape, dtype)


SHAPE = define(
    "Shape",
    kernel=lambda x, out_type: np.array(x.shape, out_type.np_dtype),
    infer=lambda inputs, attrs: Spec(
        _out_type(attrs),
        TensorShape((inputs[0].shape.rank,)),
    ),
    gradient=NO_GRADIENT,
    specialise=_shape_lean,
)
SIZE = define(
    "Size",
    kernel=lambda x, out_type: out_type.np_dtype.type(x.size),
    infer=lambda inputs, attrs: Spec(_out_type(attrs), SCALAR),
    gradient=NO_GRADIENT,
)
RANK = define(
    "Rank",
    kernel=lambda x: np.int32(x.ndim),
    infer=lambda inputs, attrs: Spec(dtypes.int32, SCALAR),
    gradient=NO_GRADIENT,
)


def _known(value: Any, name: str | None) -> Tensor:
    """A fact about a shape that is known while tracing, as a constant."""
    graph = thread.graph
    assert graph is not None
    return graph.constant(value, dtypes.from_numpy(value.dtype), name)


def shape(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """The sizes of `input`, found when the graph runs where they are not known before.

    Args:
      input: a tensor or what can become one.
      out_type: the integer dtype of the answer.
      name: the operation's name in a graph.

    Returns:
      A vector with one element a dimension.

    >>> import autograph_lite as ag
    >>> ag.shape([[1, 2, 3]]).numpy().tolist()
    [1, 3]
    """
    x = convert_to_tensor(input)
    wanted = as_dtype(out_type)
    if thread.graph is not None and x.shape.is_fully_defined():
        return _known(np.array(x.shape.as_list(), wanted.np_dtype), name)
    return apply(SHAPE, (x,), {"out_type": wanted}, name)


def shape_n(input: Sequence[Any], out_type: Any = dtypes.int32, name: Any = None) -> list[Tensor]:
    """The shapes of several tensors.

    >>> import autograph_lite as ag
    >>> [s.numpy().tolist() for s in ag.shape_n([[1, 2], [[3]]])]
    [[2], [1, 1]]
    """
    return [shape(x, out_type, name) for x in input]


def size(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """The number of elements of `input`.

    >>> import autograph_lite as ag
    >>> ag.size([[1, 2, 3], [4, 5, 6]]).numpy()
    np.int32(6)
    """
    x = convert_to_tensor(input)
    wanted = as_dtype(out_type)
    if thread.graph is not None:
        count = x.shape.num_elements()
        if count is not None:
            return _known(wanted.np_dtype.type(count), name)
    return apply(SIZE, (x,), {"out_type": wanted}, name)


def rank(input: Any, name: str | None = None) -> Tensor:
    """The number of dimensions of `input`.

    >>> import autograph_lite as ag
    >>> ag.rank([[1, 2, 3]]).numpy()
    np.int32(2)
    """
    x = convert_to_tensor(input)
    if thread.graph is not None and x.shape.rank is not None:
        return _known(np.int32(x.shape.rank), name)
    return apply(RANK, (x,), {}, name)


# ---- the same elements in another shape


def _reshape_kernel(x: Any, dims: Any = None, shape: Any = None) -> Any:
    return x.reshape(shape if dims is None else dims_of(dims))


def _reshaped(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    x = inputs[0]
    if attrs.get("shape") is None:
        return Spec(x.dtype, described_shape(inputs, attrs, 1))
    dims = list(attrs["shape"])
    if dims.count(-1) > 1:
        raise ValueError(f"only one size of a shape can be -1, found {tuple(dims)}")
    if any(d < -1 for d in dims):
        raise ValueError(f"the sizes of a shape are at least 0 (or one is -1), found {tuple(dims)}")
    total = x.shape.num_elements()
    known = 1
    for d in dims:
        known *= d if d != -1 else 1
    if -1 in dims:
        at = dims.index(-1)
        fits = total is None or (known != 0 and total % known == 0)
        dims[at] = None if total is None else total // known if fits else 0
    else:
        fits = total is None or total == known
    if not fits:
        raise ValueError(f"{total} elements cannot be arranged in shape {attrs['shape']}")
    return Spec(x.dtype, TensorShape(tuple(dims)))


RESHAPE = define(
    "Reshape",
    kernel=_reshape_kernel,
    infer=_reshaped,
    specialise=lambda attrs, inputs: (
        None if attrs.get("shape") is None else operator.methodcaller("reshape", attrs["shape"])
    ),
    aliases=0,
)


@gradient(RESHAPE)
def _(op: Any, dy: Tensor) -> Any:
    back = reshape(dy, shape_tensor(op.inputs[0]))
    return (back,) if len(op.inputs) == 1 else (back, None)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The elements of `tensor`, in their order, in another shape.

    Args:
      tensor: a tensor or what can become one.
      shape: the sizes, one of which may be -1: it is whatever the others leave. May be a tensor.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: the elements do not fit the shape.

    >>> import autograph_lite as ag
    >>> ag.reshape(ag.range(6), [2, -1]).numpy().tolist()
    [[0, 1, 2], [3, 4, 5]]
    """
    x = convert_to_tensor(tensor)
    dims, dynamic = dims_argument(shape)
    if dynamic is None:
        return apply(RESHAPE, (x,), {"shape": dims}, name)
    return apply(RESHAPE, (x, dynamic), {}, name)


def _transpose_kernel(x: Any, order: Any = None, perm: Any = None) -> Any:
    return np.transpose(x, perm if order is None else dims_of(order))


def _transposed(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    x = inputs[0]
    dims = x.shape.as_tuple()
    perm = attrs.get("perm")
    if len(inputs) > 1:
        length = x.shape.rank
        if length is None and inputs[1].shape.rank == 1:
            length = inputs[1].shape[0]
        return Spec(x.dtype, UNKNOWN if length is None else TensorShape((None,) * length))
    if dims is None:
        return Spec(x.dtype, UNKNOWN if perm is None else TensorShape((None,) * len(perm)))
    if perm is None:
        return Spec(x.dtype, TensorShape(dims[::-1]))
    if sorted(p % len(dims) if dims else p for p in perm) != list(range(len(dims))):
        raise ValueError(f"perm {perm} is not an order of the {len(dims)} axes of {x.shape}")
    return Spec(x.dtype, TensorShape(tuple(dims[p] for p in perm)))


def _transpose_lean(attrs: dict[str, Any], inputs: Sequence[Any]) -> Any:
    if len(inputs) > 1:
        return None
    perm = attrs["perm"]
    return operator.methodcaller("transpose", *(() if perm is None else (perm,)))


TRANSPOSE = define(
    "Transpose",
    kernel=_transpose_kernel,
    infer=_transposed,
    specialise=_transpose_lean,
    aliases=0,
)


@gradient(TRANSPOSE)
def _(op: Any, dy: Tensor) -> Any:
    if len(op.inputs) > 1:
        return transpose(dy, invert_permutation(op.inputs[1])), None
    perm = op.attrs["perm"]
    if perm is None:
        return (transpose(dy),)
    return (transpose(dy, tuple(int(i) for i in np.argsort([p % len(perm) for p in perm]))),)


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str | None = None) -> Tensor:
    """`a` with its axes in another order.

    Args:
      a: a tensor or what can become one.
      perm: axis `i` of the result is axis `perm[i]` of `a`; reversed by default. May be a tensor.
      conjugate: take the complex conjugate too.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.transpose([[1, 2, 3], [4, 5, 6]]).numpy().tolist()
    [[1, 4], [2, 5], [3, 6]]
    """
    x = convert_to_tensor(a)
    if conjugate and x.dtype.is_complex:
        from runtime.ops.complex_ import conj

        x = conj(x)
    if perm is None:
        return apply(TRANSPOSE, (x,), {"perm": None}, name)
    dims, dynamic = dims_argument(perm)
    if dynamic is None:
        return apply(TRANSPOSE, (x,), {"perm": dims}, name)
    return apply(TRANSPOSE, (x, dynamic), {}, name)


def matrix_transpose(a: Any, name: str | None = None, conjugate: bool = False) -> Tensor:
    """`a` with its last two axes exchanged.

    >>> import autograph_lite as ag
    >>> ag.linalg.matrix_transpose([[[1, 2]]]).numpy().tolist()
    [[[1], [2]]]
    """
    x = convert_to_tensor(a)
    known = x.shape.rank
    if known is None:
        last = rank(x)
        from runtime.ops.creation import range as range_
        from runtime.ops.joining import concat

        perm: Any = concat([range_(last - 2), [last - 1], [last - 2]], 0)
    elif known < 2:
        raise ValueError(
            f"{user_location()}: matrix_transpose takes rank 2 or more, found shape {x.shape}"
        )
    else:
        perm = (*range(known - 2), known - 1, known - 2)
    return transpose(x, perm, conjugate, name)


def _invert(x: Any) -> Any:
    if x.ndim != 1 or not np.array_equal(np.sort(x), np.arange(x.size)):
        raise ValueError(f"{x.tolist()} is not a permutation of 0 to {x.size - 1}")
    return np.argsort(x).astype(x.dtype)


INVERT_PERMUTATION = define(
    "InvertPermutation",
    kernel=_invert,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, inputs[0].shape.with_rank(1)),
    gradient=NO_GRADIENT,
)


def invert_permutation(x: Any, name: str | None = None) -> Tensor:
    """The permutation that undoes `x`: `y[x[i]] = i`.

    Raises:
      InvalidArgumentError: `x` is not a permutation.

    >>> import autograph_lite as ag
    >>> ag.math.invert_permutation([2, 0, 1]).numpy().tolist()
    [1, 2, 0]
    """
    return apply(INVERT_PERMUTATION, (convert_to_tensor(x),), {}, name)


def _expanded(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    x = inputs[0]
    dims = x.shape.as_tuple()
    if dims is None:
        return Spec(x.dtype, UNKNOWN)
    at = normal_axis(attrs["axis"], len(dims) + 1)
    return Spec(x.dtype, TensorShape((*dims[:at], 1, *dims[at:])))


def _expand_kernel(x: Any, axis: int) -> Any:
    dims = list(x.shape)
    dims.insert(normal_axis(axis, x.ndim + 1), 1)
    return x.reshape(dims)


EXPAND_DIMS = define("ExpandDims", kernel=_expand_kernel, infer=_expanded, aliases=0)


def _expand_lean(attrs: dict[str, Any], inputs: Sequence[Any]) -> Any:
    known = inputs[0].shape.rank
    if known is None:
        return None
    at = normal_axis(attrs["axis"], known + 1)
    index = (slice(None),) * at + (None,)
    return operator.itemgetter(index)


EXPAND_DIMS.specialise = _expand_lean


@gradient(EXPAND_DIMS)
def _(op: Any, dy: Tensor) -> Any:
    return (reshape(dy, shape_tensor(op.inputs[0])),)


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Tensor:
    """`input` with a dimension of size 1 put in at `axis`.

    Args:
      input: a tensor or what can become one.
      axis: where the new axis stands in the result; negative values count from the end.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.expand_dims([1, 2], 1).numpy().tolist()
    [[1], [2]]
    """
    at = int_argument(axis, "axis")
    return apply(EXPAND_DIMS, (convert_to_tensor(input),), {"axis": at}, name)


def _squeezed(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    x = inputs[0]
    dims = x.shape.as_tuple()
    axes = attrs["axis"]
    if dims is None:
        return Spec(x.dtype, UNKNOWN)
    if axes is None:
        if None in dims:
            return Spec(x.dtype, UNKNOWN)
        return Spec(x.dtype, TensorShape(tuple(d for d in dims if d != 1)))
    gone = {normal_axis(a, len(dims)) for a in axes}
    for a in gone:
        if dims[a] not in (1, None):
            raise ValueError(f"axis {a} of shape {x.shape} has size {dims[a]}; expected 1")
    return Spec(x.dtype, TensorShape(tuple(d for i, d in enumerate(dims) if i not in gone)))


SQUEEZE = define("Squeeze", kernel=np.squeeze, infer=_squeezed, aliases=0)


@gradient(SQUEEZE)
def _(op: Any, dy: Tensor) -> Any:
    return (reshape(dy, shape_tensor(op.inputs[0])),)


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """`input` without its dimensions of size 1.

    Args:
      input: a tensor or what can become one.
      axis: the axis, or a list of axes, to remove; all of size 1 by default.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: one of the axes has another size.

    >>> import autograph_lite as ag
    >>> ag.squeeze([[[1], [2]]]).numpy().tolist()
    [1, 2]
    """
    axes = None if axis is None else ints_argument(axis, "axis") or None
    return apply(SQUEEZE, (convert_to_tensor(input),), {"axis": axes}, name)


def _broadcast_kernel(x: Any, dims: Any = None, shape: Any = None) -> Any:
    return np.broadcast_to(x, shape if dims is None else dims_of(dims))


def _broadcasted(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    x = inputs[0]
    wanted = described_shape(inputs, attrs, 1)
    if wanted.rank is not None and x.shape.rank is not None:
        both = broadcast_shapes(x.shape, wanted)
        if both.rank != wanted.rank or not both.is_compatible_with(wanted):
            raise ValueError(f"shape {x.shape} cannot be broadcast to {wanted}")
    return Spec(x.dtype, wanted)


BROADCAST_TO = define("BroadcastTo", kernel=_broadcast_kernel, infer=_broadcasted, aliases=0)


@gradient(BROADCAST_TO)
def _(op: Any, dy: Tensor) -> Any:
    from runtime.ops.gradients_support import unbroadcast

    back = unbroadcast(dy, op.inputs[0])
    return (back,) if len(op.inputs) == 1 else (back, None)


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """`input` repeated along dimensions of size 1, and new ones in front, to fill `shape`.

    Args:
      input: a tensor or what can become one.
      shape: the sizes; may be a tensor.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: the shape of `input` does not broadcast to `shape`.

    >>> import autograph_lite as ag
    >>> ag.broadcast_to([1, 2], [2, 2]).numpy().tolist()
    [[1, 2], [1, 2]]
    """
    x = convert_to_tensor(input)
    dims, dynamic = dims_argument(shape)
    if dynamic is None:
        return apply(BROADCAST_TO, (x,), {"shape": dims}, name)
    return apply(BROADCAST_TO, (x, dynamic), {}, name)


def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape that two shapes broadcast to, both known (at least in part) while tracing.

    >>> import autograph_lite as ag
    >>> ag.broadcast_static_shape(ag.TensorShape([2, 1]), ag.TensorShape([3]))
    TensorShape([2, 3])
    """
    return broadcast_shapes(TensorShape(shape_x), TensorShape(shape_y))


BROADCAST_ARGS = define(
    "BroadcastArgs",
    kernel=lambda x, y: np.array(np.broadcast_shapes(dims_of(x), dims_of(y)), x.dtype),
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, TensorShape((None,))),
    gradient=NO_GRADIENT,
)


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape that two shape tensors broadcast to, found when the graph runs.

    >>> import autograph_lite as ag
    >>> ag.broadcast_dynamic_shape([2, 1], [3]).numpy().tolist()
    [2, 3]
    """
    return apply(BROADCAST_ARGS, (convert_to_tensor(shape_x), convert_to_tensor(shape_y)), {})


def _ensured(inputs: Sequence[Any], attrs: dict[str, Any]) -> Spec:
    return Spec(inputs[0].dtype, inputs[0].shape.merge_with(attrs["shape"]))


def _ensure_kernel(x: Any, shape: Any) -> Any:
    if not TensorShape(x.shape).is_compatible_with(shape):
        raise ValueError(f"a tensor of shape {x.shape} is not compatible with {shape}")
    return x


ENSURE_SHAPE = define("EnsureShape", kernel=_ensure_kernel, infer=_ensured, aliases=0)


@gradient(ENSURE_SHAPE)
def _(op: Any, dy: Tensor) -> Any:
    return (dy,)


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """`x`, after a check when the graph runs that it has this shape.

    Args:
      x: a tensor or what can become one.
      shape: the shape it must have, with None where any size will do.
      name: the operation's name in a graph.

    Raises:
      InvalidArgumentError: it has another shape.

    >>> import autograph_lite as ag
    >>> ag.ensure_shape([1, 2], [None]).numpy().tolist()
    [1, 2]
    """
    return apply(ENSURE_SHAPE, (convert_to_tensor(x),), {"shape": TensorShape(shape)}, name)


IDENTITY = define(
    "Identity",
    kernel=lambda x: x,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, inputs[0].shape),
    aliases=0,
)
STOP_GRADIENT = define(
    "StopGradient",
    kernel=lambda x: x,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, inputs[0].shape),
    gradient=NO_GRADIENT,
    aliases=0,
)


@gradient(IDENTITY)
def _(op: Any, dy: Tensor) -> Any:
    return (dy,)


def identity(input: Any, name: str | None = None) -> Tensor:
    """`input` as a new tensor of the same value.

    >>> import autograph_lite as ag
    >>> ag.identity([1, 2]).numpy().tolist()
    [1, 2]
    """
    return apply(IDENTITY, (convert_to_tensor(input),), {}, name)


def stop_gradient(input: Any, name: str | None = None) -> Tensor:
    """`input`, as a constant to whoever takes gradients.

    >>> import autograph_lite as ag
    >>> ag.stop_gradient([1.0]).numpy().tolist()
    [1.0]
    """
    return apply(STOP_GRADIENT, (convert_to_tensor(input),), {}, name)
