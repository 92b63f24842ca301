"""Where stateful random operations get their numbers: one generator a seed."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np


class _Generators:
    """The generators of the process: one for unseeded operations, one for each seed of an op."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._made: dict[Any, Any] = {}
        self._seed: int | None = None

    def restart(self, seed: int | None) -> None:
        """Forgets all state; with a seed, what follows is reproducible."""
        with self._lock:
            self._seed = seed
            self._made.clear()

    def get(self, seed: Any) -> Any:
        """The generator for an op's `seed`: None, a tuple of numbers, or what holds a generator."""
        own = getattr(seed, "generator", None)
        if own is not None:
            return own
        made = self._made.get(seed)
        if made is None:
            with self._lock:
                made = self._made.get(seed)
                if made is None:
                    made = self._made[seed] = self._make(seed)
        return made

    def _make(self, seed: Any) -> Any:
        if self._seed is None and seed is None:
            return np.random.Generator(np.random.Philox())
        parts = [0 if self._seed is None else self._seed + 1]
        if seed is not None:
            # The second number only tells apart the ops of graphs; their numbers are the same.
            parts.append(seed[0])
        return seeded(*parts)


generators = _Generators()


def seeded(*numbers: int) -> Any:
    """A generator whose numbers depend on `numbers` alone."""
    entropy = [n & 0xFFFFFFFFFFFFFFFF for n in numbers]
    return np.random.Generator(np.random.Philox(np.random.SeedSequence(entropy)))


def set_seed(seed: int) -> None:
    """Makes the random operations that follow reproducible.

    Args:
      seed: any integer. Operations without a seed of their own then draw from one sequence that
        it determines; those with one, from a sequence that both determine.

    >>> import autograph_lite as ag
    >>> ag.random.set_seed(1)
    >>> a = ag.random.uniform([3])
    >>> ag.random.set_seed(1)
    >>> bool(ag.reduce_all(a == ag.random.uniform([3])))
    True
    """
    generators.restart(int(seed))
