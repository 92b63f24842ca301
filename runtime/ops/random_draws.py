"""Drawing arrays of random numbers from a generator of NumPy's: plain functions of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

Dims = tuple[int, ...]


def standard_normal(generator: Any, dims: Dims, dtype: Any) -> Any:
    """Normal numbers of mean 0 and deviation 1."""
    if dtype.itemsize == 2:
        return generator.standard_normal(dims, np.float32).astype(dtype)
    return generator.standard_normal(dims, dtype)


def truncated_normal(generator: Any, dims: Dims, dtype: Any) -> Any:
    """Normal numbers of mean 0 and deviation 1; those beyond 2 are drawn again."""
    values = np.array(standard_normal(generator, dims, dtype))
    beyond = np.abs(values) > 2
    while beyond.any():
        values[beyond] = standard_normal(generator, (int(beyond.sum()),), dtype)
        beyond = np.abs(values) > 2
    return values


def uniform(generator: Any, dims: Dims, dtype: Any) -> Any:
    """Numbers in [0, 1)."""
    if dtype.itemsize == 2:
        return (generator.integers(0, 2048, dims) / 2048).astype(dtype)
    return generator.random(dims, dtype)


def integers(generator: Any, dims: Dims, dtype: Any, low: Any, high: Any) -> Any:
    """Integers in [low, high).

    Raises:
      ValueError: there are none.
    """
    if np.any(low >= high):
        raise ValueError(f"minval ({low}) must be less than maxval ({high})")
    return generator.integers(low, high, dims, dtype)


def full_range(generator: Any, dims: Dims, dtype: Any) -> Any:
    """Integers of all the values that the dtype has."""
    limits = np.iinfo(dtype)
    return generator.integers(limits.min, limits.max, dims, dtype, endpoint=True)


def gamma(generator: Any, dims: Dims, dtype: Any, alpha: Any) -> Any:
    """Gamma distributed numbers of scale 1, `dims` of them for each element of `alpha`."""
    return generator.standard_gamma(alpha, dims + np.shape(alpha)).astype(dtype)


def poisson(generator: Any, dims: Dims, dtype: Any, rate: Any) -> Any:
    """Poisson distributed numbers, `dims` of them for each element of `rate`."""
    return generator.poisson(rate, dims + np.shape(rate)).astype(dtype)


def poisson_of_shape(generator: Any, dims: Dims, dtype: Any, rate: Any) -> Any:
    """Poisson distributed numbers of shape `dims`, to which `rate` broadcasts."""
    return np.asarray(generator.poisson(rate, dims)).astype(dtype)


def gamma_of_shape(generator: Any, dims: Dims, dtype: Any, alpha: Any) -> Any:
    """Gamma distributed numbers of shape `dims`, to which `alpha` broadcasts."""
    return np.asarray(generator.standard_gamma(alpha, dims)).astype(dtype)


def binomial_of_shape(generator: Any, dims: Dims, dtype: Any, counts: Any, probs: Any) -> Any:
    """Numbers of successes, of shape `dims`, to which the parameters broadcast."""
    return np.asarray(generator.binomial(counts.astype(np.int64), probs, dims)).astype(dtype)


def categorical(generator: Any, logits: Any, number: int, dtype: Any) -> Any:
    """`number` classes a row, with the probabilities whose unscaled logarithms are `logits`."""
    noise = generator.gumbel(size=(logits.shape[0], number, logits.shape[1]))
    return np.argmax(logits[:, None, :] + noise, axis=-1).astype(dtype)


def shuffled(generator: Any, x: Any) -> Any:
    """The rows of `x` in random order."""
    return generator.permutation(x, axis=0) if np.ndim(x) else np.array(x)
