"""Generators of random numbers as objects, whose state can be kept and restored."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime import dtypes
from runtime.convert import convert_to_tensor
from runtime.dtypes import as_dtype
from runtime.ops import random_draws as draws
from runtime.ops.apply import apply
from runtime.ops.random_state import generators
from runtime.ops.random_stateful import (
    NORMAL,
    TRUNCATED_NORMAL,
    UNIFORM,
    UNIFORM_INT,
    drawn,
    float_dtype,
    scaled,
    stretched,
)
from runtime.ops.registry import NO_GRADIENT, Spec, define
from runtime.shapes import TensorShape
from runtime.tensor import Tensor


class _Own:
    """The seed of an op that draws from one generator object."""

    def __init__(self, generator: Any) -> None:
        self.generator = generator


MAKE_SEEDS = define(
    "GeneratorSeeds",
    kernel=lambda seed, count: draws.full_range(
        generators.get(seed), (2, count), np.dtype(np.int64)
    ),
    infer=lambda inputs, attrs: Spec(dtypes.int64, TensorShape((2, attrs["count"]))),
    gradient=NO_GRADIENT,
    stateful=True,
)


class Generator:
    """A source of random numbers with a state of its own.

    >>> import autograph_lite as ag
    >>> a, b = (ag.random.Generator.from_seed(3) for _ in range(2))
    >>> bool(ag.reduce_all(a.normal([4]) == b.normal([4])))
    True
    """

    def __init__(self, seed: int | None = None) -> None:
        self._own = _Own(_philox(seed))

    @classmethod
    def from_seed(cls, seed: Any, alg: Any = None) -> Generator:
        """A generator whose numbers depend on `seed` alone.

        Args:
          seed: an integer.
          alg: there is one algorithm.
        """
        return cls(int(np.ravel(np.asarray(seed))[0]))

    @classmethod
    def from_non_deterministic_state(cls, alg: Any = None) -> Generator:
        """A generator seeded by the operating system."""
        return cls(None)

    @property
    def algorithm(self) -> int:
        """The number of the algorithm: 1, Philox."""
        return 1

    @property
    def state(self) -> dict[str, Any]:
        """The state, which `reset_from_state` takes."""
        return dict(self._own.generator.bit_generator.state)

    def reset(self, state: Any) -> None:
        """Takes over a state that `state` gave."""
        self._own.generator.bit_generator.state = state

    def reset_from_seed(self, seed: int) -> None:
        """Starts anew, as `from_seed` would."""
        self._own.generator = _philox(int(seed))

    def normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Normally distributed numbers; see `ag.random.normal`."""
        wanted = float_dtype(dtype)
        return scaled(drawn(NORMAL, shape, wanted, self._own, (), name), mean, stddev, wanted)

    def truncated_normal(
        self,
        shape: Any,
        mean: Any = 0.0,
        stddev: Any = 1.0,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Normally distributed numbers within two deviations of the mean."""
        wanted = float_dtype(dtype)
        made = drawn(TRUNCATED_NORMAL, shape, wanted, self._own, (), name)
        return scaled(made, mean, stddev, wanted)

    def uniform(
        self,
        shape: Any,
        minval: Any = 0,
        maxval: Any = None,
        dtype: Any = dtypes.float32,
        name: str | None = None,
    ) -> Tensor:
        """Evenly distributed numbers; see `ag.random.uniform`."""
        wanted = as_dtype(dtype)
        if wanted.is_integer:
            if maxval is None:
                raise ValueError(f"random numbers of dtype {wanted.name} need a maxval")
            bounds = (convert_to_tensor(minval, wanted), convert_to_tensor(maxval, wanted))
            return drawn(UNIFORM_INT, shape, wanted, self._own, bounds, name)
        x = drawn(UNIFORM, shape, float_dtype(wanted), self._own, (), name)
        return stretched(x, minval, maxval, wanted)

    def make_seeds(self, count: int = 1) -> Tensor:
        """Seeds for the stateless functions, one a column."""
        return apply(MAKE_SEEDS, (), {"seed": self._own, "count": int(count)})

    def split(self, count: int = 1) -> list[Generator]:
        """New generators, whose numbers are independent of each other's.

        Args:
          count: how many.
        """
        made = []
        for bits in self._own.generator.bit_generator.seed_seq.spawn(count):
            generator = Generator(0)
            generator._own.generator = np.random.Generator(np.random.Philox(bits))
            made.append(generator)
        return made


def _philox(seed: int | None) -> Any:
    return np.random.Generator(np.random.Philox(seed))


_global: list[Generator] = []


def get_global_generator() -> Generator:
    """The generator that belongs to the process.

    >>> import autograph_lite as ag
    >>> ag.random.get_global_generator() is ag.random.get_global_generator()
    True
    """
    if not _global:
        _global.append(Generator())
    return _global[0]


def set_global_generator(generator: Generator) -> None:
    """Replaces the generator that belongs to the process.

    >>> import autograph_lite as ag
    >>> ag.random.set_global_generator(ag.random.Generator.from_seed(1))
    """
    _global[:] = [generator]
