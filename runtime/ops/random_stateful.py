"""Random tensors drawn from the generators of the process, which each draw moves on."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from runtime import dtypes
from runtime.context import thread
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType, as_dtype
from runtime.ops import random_draws as draws
from runtime.ops.apply import apply
from runtime.ops.random_state import generators
from runtime.ops.registry import NO_GRADIENT, OpDef, Spec, define
from runtime.ops.shaping import described_shape, dims_argument, dims_of
from runtime.shapes import TensorShape
from runtime.tensor import Tensor

_places = itertools.count(1)


def draw_op(name: str, draw: Callable[..., Any], per_element: bool = False) -> OpDef:
    """An op that draws: `draw(generator, dims, dtype, *parameters)`.

    Its inputs are the parameters, and the shape after them unless that is attribute `shape`.

    Args:
      name: the op's name.
      draw: a function of `random_draws`.
      per_element: whether the shape is drawn for each element of the parameter, and stands
        before the parameter's own.
    """

    def kernel(*inputs: Any, dtype: Any, seed: Any, shape: Any = None) -> Any:
        if shape is None:
            *inputs, dims = inputs  # type: ignore[assignment]
            shape = dims_of(dims)
        return draw(generators.get(seed), shape, dtype.np_dtype, *inputs)

    def rule(inputs: Any, attrs: Any) -> Spec:
        shape = described_shape(inputs, attrs, len(inputs) - 1)
        if per_element:
            shape = shape.concatenate(inputs[0].shape)
        return Spec(attrs["dtype"], shape)

    return define(name, kernel=kernel, infer=rule, gradient=NO_GRADIENT, stateful=True)


def drawn(
    op: OpDef, shape: Any, dtype: DType, seed: Any, inputs: tuple[Tensor, ...], name: Any = None
) -> Tensor:
    """Applies an op of `draw_op`."""
    attrs: dict[str, Any] = {"dtype": dtype, "seed": seed_key(seed)}
    dims, tensor = dims_argument(shape)
    if tensor is None:
        attrs["shape"] = dims
        return apply(op, inputs, attrs, name)
    return apply(op, (*inputs, tensor), attrs, name)


def seed_key(seed: Any) -> Any:
    """What names the generator of an op: an op in a graph that has a seed has one of its own."""
    if seed is None or hasattr(seed, "generator"):
        return seed
    return (int(seed), next(_places)) if thread.graph is not None else (int(seed), 0)


def float_dtype(dtype: Any) -> DType:
    """`dtype`, which must be a float.

    Raises:
      ValueError: it is not.
    """
    found = as_dtype(dtype)
    if not found.is_floating:
        raise ValueError(f"these random numbers are floats, found dtype {found.name}")
    return found


NORMAL = draw_op("RandomStandardNormal", draws.standard_normal)
TRUNCATED_NORMAL = draw_op("TruncatedNormal", draws.truncated_normal)
UNIFORM = draw_op("RandomUniform", draws.uniform)
UNIFORM_INT = draw_op("RandomUniformInt", draws.integers)
GAMMA = draw_op("RandomGamma", draws.gamma, per_element=True)
POISSON = draw_op("RandomPoissonV2", draws.poisson, per_element=True)


def normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed random numbers.

    Args:
      shape: the shape of the result, numbers or an integer tensor.
      mean: the mean; broadcasts, and gradients flow to it.
      stddev: the standard deviation; likewise.
      dtype: float16, float32 or float64.
      seed: an operation with a seed has a sequence of its own.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.random.normal([2, 3]).shape
    TensorShape([2, 3])
    """
    wanted = float_dtype(dtype)
    return scaled(drawn(NORMAL, shape, wanted, seed, (), name), mean, stddev, wanted)


def scaled(x: Tensor, mean: Any, stddev: Any, dtype: DType) -> Tensor:
    """`mean + stddev * x`, without the work where they are the defaults."""
    if not (type(stddev) is float and stddev == 1.0):
        x = x * convert_to_tensor(stddev, dtype)
    if not (type(mean) is float and mean == 0.0):
        x = x + convert_to_tensor(mean, dtype)
    return x


def truncated_normal(
    shape: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Normally distributed random numbers within two standard deviations of the mean.

    Args:
      shape: the shape of the result, numbers or an integer tensor.
      mean: the mean before numbers are dropped.
      stddev: the standard deviation before numbers are dropped.
      dtype: float16, float32 or float64.
      seed: an operation with a seed has a sequence of its own.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> bool(ag.reduce_all(ag.abs(ag.random.truncated_normal([100])) <= 2.0))
    True
    """
    wanted = float_dtype(dtype)
    return scaled(drawn(TRUNCATED_NORMAL, shape, wanted, seed, (), name), mean, stddev, wanted)


def uniform(
    shape: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Evenly distributed random numbers in [minval, maxval).

    Args:
      shape: the shape of the result, numbers or an integer tensor.
      minval: the least value.
      maxval: the value that is not reached; 1 for floats, needed for integers.
      dtype: a float, int32 or int64.
      seed: an operation with a seed has a sequence of its own.
      name: the operation's name in a graph.

    Raises:
      ValueError: integers without a `maxval`.

    >>> import autograph_lite as ag
    >>> bool(ag.reduce_all(ag.random.uniform([9], 3, 5, ag.int32) < 5))
    True
    """
    wanted = as_dtype(dtype)
    if wanted.is_integer:
        if maxval is None:
            raise ValueError(f"random numbers of dtype {wanted.name} need a maxval")
        bounds = (convert_to_tensor(minval, wanted), convert_to_tensor(maxval, wanted))
        return drawn(UNIFORM_INT, shape, wanted, seed, bounds, name)
    x = drawn(UNIFORM, shape, float_dtype(wanted), seed, (), name)
    return stretched(x, minval, maxval, wanted)


def stretched(x: Tensor, minval: Any, maxval: Any, dtype: DType) -> Tensor:
    """Numbers in [0, 1) brought to [minval, maxval)."""
    low_is_0 = type(minval) in (int, float) and minval == 0
    if low_is_0 and (maxval is None or (type(maxval) in (int, float) and maxval == 1)):
        return x
    low = convert_to_tensor(minval, dtype)
    high = convert_to_tensor(1 if maxval is None else maxval, dtype)
    return x * (high - low) + low


def gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Gamma distributed random numbers, `shape` of them for each pair of parameters.

    Args:
      shape: how many to draw for each element of the parameters.
      alpha: the shape parameter.
      beta: the inverse scale; 1 by default.
      dtype: a float.
      seed: an operation with a seed has a sequence of its own.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.random.gamma([5], alpha=[0.5, 2.0]).shape
    TensorShape([5, 2])
    """
    wanted = float_dtype(dtype)
    a = convert_to_tensor(alpha, wanted)
    if beta is None:
        return drawn(GAMMA, shape, wanted, seed, (a,), name)
    b = convert_to_tensor(beta, wanted)
    # The parameters are brought to one shape before drawing.
    return drawn(GAMMA, shape, wanted, seed, (a + b * 0,), name) / b


def poisson(
    shape: Any,
    lam: Any,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Poisson distributed random numbers, `shape` of them for each element of `lam`.

    Args:
      shape: how many to draw for each element of `lam`.
      lam: the expected values.
      dtype: a float or an integer dtype.
      seed: an operation with a seed has a sequence of its own.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.random.poisson([5], lam=[0.5, 2.0]).shape
    TensorShape([5, 2])
    """
    rate = convert_to_tensor(lam, dtype_hint=dtypes.float32)
    return drawn(POISSON, shape, as_dtype(dtype), seed, (rate,), name)


def _categorical_rule(inputs: Any, attrs: Any) -> Spec:
    rows = inputs[0].shape.with_rank(2)[0]
    number = attrs.get("num_samples")
    return Spec(attrs["dtype"], TensorShape((rows, number)))


def _categorical_kernel(
    logits: Any, number: Any = None, *, dtype: Any, seed: Any, num_samples: Any = None
) -> Any:
    wanted = int(number.reshape(())) if num_samples is None else num_samples
    return draws.categorical(generators.get(seed), logits, wanted, dtype.np_dtype)


CATEGORICAL = define(
    "Multinomial",
    kernel=_categorical_kernel,
    infer=_categorical_rule,
    gradient=NO_GRADIENT,
    stateful=True,
)


def categorical(
    logits: Any,
    num_samples: Any,
    dtype: Any = None,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Classes drawn with given probabilities.

    Args:
      logits: shape (rows, classes): logarithms of the probabilities, up to a constant a row.
      num_samples: how many classes to draw for each row.
      dtype: int32 or int64, the default.
      seed: an operation with a seed has a sequence of its own.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.random.categorical([[0.0, -1e9]], 3).numpy().tolist()
    [[0, 0, 0]]
    """
    attrs: dict[str, Any] = {"dtype": as_dtype(dtype or dtypes.int64), "seed": seed_key(seed)}
    x = convert_to_tensor(logits)
    dims, tensor = dims_argument(num_samples)
    if dims is None:
        return apply(CATEGORICAL, (x, convert_to_tensor(tensor)), attrs, name)
    attrs["num_samples"] = dims[0]
    return apply(CATEGORICAL, (x,), attrs, name)


SHUFFLE = define(
    "RandomShuffle",
    kernel=lambda x, seed: draws.shuffled(generators.get(seed), x),
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, inputs[0].shape),
    gradient=NO_GRADIENT,
    stateful=True,
)


def shuffle(value: Any, seed: int | None = None, name: str | None = None) -> Tensor:
    """The rows of `value` in random order.

    Args:
      value: a tensor; its first dimension is shuffled.
      seed: an operation with a seed has a sequence of its own.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> sorted(ag.random.shuffle([3, 1, 2]).numpy().tolist())
    [1, 2, 3]
    """
    return apply(SHUFFLE, (convert_to_tensor(value),), {"seed": seed_key(seed)}, name)
