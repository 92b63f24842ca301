"""Random tensors that depend on a seed alone: the same call gives the same numbers, always."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.dtypes import DType, as_dtype
from runtime.ops import random_draws as draws
from runtime.ops.apply import apply
from runtime.ops.random_state import seeded
from runtime.ops.random_stateful import float_dtype, scaled, stretched
from runtime.ops.registry import NO_GRADIENT, OpDef, Spec, define
from runtime.ops.shaping import described_shape, dims_argument, dims_of
from runtime.shapes import TensorShape
from runtime.tensor import Tensor


def _generator(seed: Any) -> Any:
    if seed.shape != (2,):
        raise ValueError(f"a seed is made of two integers, found shape {seed.shape}")
    return seeded(int(seed[0]), int(seed[1]))


def _stateless_op(name: str, draw: Callable[..., Any]) -> OpDef:
    """Inputs: the seed, the parameters, and the shape unless that is attribute `shape`."""

    def kernel(seed: Any, *inputs: Any, dtype: Any, shape: Any = None) -> Any:
        if shape is None:
            *inputs, dims = inputs  # type: ignore[assignment]
            shape = dims_of(dims)
        return draw(_generator(seed), shape, dtype.np_dtype, *inputs)

    def rule(inputs: Any, attrs: Any) -> Spec:
        return Spec(attrs["dtype"], described_shape(inputs, attrs, len(inputs) - 1))

    return define(name, kernel=kernel, infer=rule, gradient=NO_GRADIENT)


NORMAL = _stateless_op("StatelessRandomNormal", draws.standard_normal)
TRUNCATED_NORMAL = _stateless_op("StatelessTruncatedNormal", draws.truncated_normal)
UNIFORM = _stateless_op("StatelessRandomUniform", draws.uniform)
UNIFORM_INT = _stateless_op("StatelessRandomUniformInt", draws.integers)
FULL_INT = _stateless_op("StatelessRandomUniformFullInt", draws.full_range)
GAMMA = _stateless_op("StatelessRandomGamma", draws.gamma_of_shape)
POISSON = _stateless_op("StatelessRandomPoisson", draws.poisson_of_shape)
BINOMIAL = _stateless_op("StatelessRandomBinomial", draws.binomial_of_shape)


def _drawn(
    op: OpDef, shape: Any, seed: Any, dtype: DType, parameters: tuple[Tensor, ...], name: Any
) -> Tensor:
    attrs: dict[str, Any] = {"dtype": dtype}
    dims, tensor = dims_argument(shape)
    inputs = (_seed(seed), *parameters)
    if tensor is None:
        attrs["shape"] = dims
        return apply(op, inputs, attrs, name)
    return apply(op, (*inputs, tensor), attrs, name)


def _seed(seed: Any) -> Tensor:
    tensor = convert_to_tensor(seed)
    if not tensor.dtype.is_integer or not tensor.shape.is_compatible_with((2,)):
        raise ValueError(
            f"a seed is made of two integers, found {tensor.dtype.name} of shape {tensor.shape}"
        )
    return tensor


def stateless_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Normally distributed numbers that depend on `seed` alone.

    Args:
      shape: the shape of the result.
      seed: two integers.
      mean: the mean; broadcasts, and gradients flow to it.
      stddev: the standard deviation; likewise.
      dtype: a float.
      name: the operation's name in a graph.
      alg: there is one generator.

    >>> import autograph_lite as ag
    >>> a = ag.random.stateless_normal([3], seed=[1, 2])
    >>> bool(ag.reduce_all(a == ag.random.stateless_normal([3], seed=[1, 2])))
    True
    """
    wanted = float_dtype(dtype)
    return scaled(_drawn(NORMAL, shape, seed, wanted, (), name), mean, stddev, wanted)


def stateless_truncated_normal(
    shape: Any,
    seed: Any,
    mean: Any = 0.0,
    stddev: Any = 1.0,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Normally distributed numbers within two deviations of the mean; they depend on `seed` alone.

    Args:
      shape: the shape of the result.
      seed: two integers.
      mean: the mean before numbers are dropped.
      stddev: the standard deviation before numbers are dropped.
      dtype: a float.
      name: the operation's name in a graph.
      alg: there is one generator.

    >>> import autograph_lite as ag
    >>> x = ag.random.stateless_truncated_normal([100], seed=[1, 2])
    >>> bool(ag.reduce_all(ag.abs(x) <= 2.0))
    True
    """
    wanted = float_dtype(dtype)
    return scaled(_drawn(TRUNCATED_NORMAL, shape, seed, wanted, (), name), mean, stddev, wanted)


def stateless_uniform(
    shape: Any,
    seed: Any,
    minval: Any = 0,
    maxval: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
    alg: Any = "auto_select",
) -> Tensor:
    """Evenly distributed numbers in [minval, maxval) that depend on `seed` alone.

    Args:
      shape: the shape of the result.
      seed: two integers.
      minval: the least value; None for integers of all values.
      maxval: the value that is not reached; 1 for floats.
      dtype: a float or an integer dtype.
      name: the operation's name in a graph.
      alg: there is one generator.

    >>> import autograph_lite as ag
    >>> x = ag.random.stateless_uniform([9], [1, 2], 3, 5, ag.int32)
    >>> bool(ag.reduce_all((x >= 3) & (x < 5)))
    True
    """
    wanted = as_dtype(dtype)
    if not wanted.is_integer:
        x = _drawn(UNIFORM, shape, seed, float_dtype(wanted), (), name)
        return stretched(x, 0 if minval is None else minval, maxval, wanted)
    if minval is None and maxval is None:
        return _drawn(FULL_INT, shape, seed, wanted, (), name)
    if maxval is None:
        raise ValueError(f"random numbers of dtype {wanted.name} need a maxval")
    bounds = (convert_to_tensor(minval, wanted), convert_to_tensor(maxval, wanted))
    return _drawn(UNIFORM_INT, shape, seed, wanted, bounds, name)


def stateless_gamma(
    shape: Any,
    seed: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Tensor:
    """Gamma distributed numbers that depend on `seed` alone.

    Args:
      shape: the shape of the result, to which the parameters broadcast.
      seed: two integers.
      alpha: the shape parameter.
      beta: the inverse scale; 1 by default.
      dtype: a float.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.random.stateless_gamma([5, 2], [1, 2], alpha=[0.5, 2.0]).shape
    TensorShape([5, 2])
    """
    wanted = float_dtype(dtype)
    made = _drawn(GAMMA, shape, seed, wanted, (convert_to_tensor(alpha, wanted),), name)
    return made if beta is None else made / convert_to_tensor(beta, wanted)


def stateless_poisson(
    shape: Any, seed: Any, lam: Any, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:
    """Poisson distributed numbers that depend on `seed` alone.

    Args:
      shape: the shape of the result, to which `lam` broadcasts.
      seed: two integers.
      lam: the expected values.
      dtype: the dtype of the result.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.random.stateless_poisson([5, 2], [1, 2], lam=[0.5, 2.0]).dtype
    ag.int32
    """
    rate = convert_to_tensor(lam, dtype_hint=dtypes.float32)
    return _drawn(POISSON, shape, seed, as_dtype(dtype), (rate,), name)


def stateless_binomial(
    shape: Any,
    seed: Any,
    counts: Any,
    probs: Any,
    output_dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:
    """Numbers of successes that depend on `seed` alone.

    Args:
      shape: the shape of the result, to which the parameters broadcast.
      seed: two integers.
      counts: how many trials.
      probs: the probability of a success.
      output_dtype: the dtype of the result.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.random.stateless_binomial([2], [1, 2], [3.0, 4.0], [1.0, 0.0]).numpy().tolist()
    [3, 0]
    """
    given = (
        convert_to_tensor(counts, dtype_hint=dtypes.float32),
        convert_to_tensor(probs, dtype_hint=dtypes.float32),
    )
    return _drawn(BINOMIAL, shape, seed, as_dtype(output_dtype), given, name)


CATEGORICAL = define(
    "StatelessMultinomial",
    kernel=lambda seed, logits, dtype, num_samples: draws.categorical(
        _generator(seed), logits, num_samples, dtype.np_dtype
    ),
    infer=lambda inputs, attrs: Spec(
        attrs["dtype"], TensorShape((inputs[1].shape.with_rank(2)[0], attrs["num_samples"]))
    ),
    gradient=NO_GRADIENT,
)


def stateless_categorical(
    logits: Any,
    num_samples: Any,
    seed: Any,
    dtype: Any = dtypes.int64,
    name: str | None = None,
) -> Tensor:
    """Classes drawn with given probabilities; they depend on `seed` alone.

    Args:
      logits: shape (rows, classes): logarithms of the probabilities, up to a constant a row.
      num_samples: how many classes to draw for each row.
      seed: two integers.
      dtype: int32 or int64.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> ag.random.stateless_categorical([[0.0, -1e9]], 3, seed=[1, 2]).numpy().tolist()
    [[0, 0, 0]]
    """
    from runtime.ops.shaping import int_argument

    attrs = {"dtype": as_dtype(dtype), "num_samples": int_argument(num_samples, "num_samples")}
    return apply(CATEGORICAL, (_seed(seed), convert_to_tensor(logits)), attrs, name)


SHUFFLE = define(
    "StatelessShuffle",
    kernel=lambda seed, x: draws.shuffled(_generator(seed), x),
    infer=lambda inputs, attrs: Spec(inputs[1].dtype, inputs[1].shape),
    gradient=NO_GRADIENT,
)


def stateless_shuffle(
    value: Any, seed: Any, alg: Any = "auto_select", name: str | None = None
) -> Tensor:
    """The rows of `value` in an order that depends on `seed` alone.

    Args:
      value: a tensor; its first dimension is shuffled.
      seed: two integers.
      alg: there is one generator.
      name: the operation's name in a graph.

    >>> import autograph_lite as ag
    >>> sorted(ag.random.experimental.stateless_shuffle([3, 1, 2], seed=[1, 2]).numpy().tolist())
    [1, 2, 3]
    """
    return apply(SHUFFLE, (_seed(seed), convert_to_tensor(value)), None, name)


def _split_kernel(seed: Any, num: int) -> Any:
    limits = np.iinfo(seed.dtype)
    return _generator(seed).integers(limits.min, limits.max, (num, 2), seed.dtype)


SPLIT = define(
    "StatelessSplit",
    kernel=_split_kernel,
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, TensorShape((attrs["num"], 2))),
    gradient=NO_GRADIENT,
)
FOLD_IN = define(
    "StatelessFoldIn",
    kernel=lambda seed, data: seeded(int(seed[0]), int(seed[1]), int(data)).integers(
        np.iinfo(seed.dtype).min, np.iinfo(seed.dtype).max, 2, seed.dtype
    ),
    infer=lambda inputs, attrs: Spec(inputs[0].dtype, TensorShape((2,))),
    gradient=NO_GRADIENT,
)


def split(seed: Any, num: int = 2, alg: Any = "auto_select") -> Tensor:
    """Several new seeds made of one.

    Args:
      seed: two integers.
      num: how many seeds to make.
      alg: there is one generator.

    >>> import autograph_lite as ag
    >>> ag.random.split([1, 2], num=3).shape
    TensorShape([3, 2])
    """
    return apply(SPLIT, (_seed(seed),), {"num": int(num)})


def fold_in(seed: Any, data: Any, alg: Any = "auto_select") -> Tensor:
    """A new seed made of one and a number.

    Args:
      seed: two integers.
      data: an integer, for instance the number of the step.
      alg: there is one generator.

    >>> import autograph_lite as ag
    >>> ag.random.fold_in([1, 2], 7).shape
    TensorShape([2])
    """
    return apply(FOLD_IN, (_seed(seed), convert_to_tensor(data)))
