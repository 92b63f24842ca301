"""Samples of random numbers: known shapes, and shapes that are tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from runtime.ops import random_stateful as r
from runtime.ops import random_stateless as s
from tests.ops.sampling import Sample, uniform

DIMS = np.array([2, 3], np.int32)
SEED = np.array([1, 2], np.int32)


def stateful(fn: Any) -> list[Sample]:
    return [
        Sample(lambda: fn([2, 3]), [], random=True),
        Sample(lambda: fn([]), [], random=True),
        Sample(lambda: fn([0, 2]), [], random=True),
        Sample(lambda d: fn(d), [DIMS], random=True, known=False),
    ]


def stateless(fn: Any) -> list[Sample]:
    return [
        Sample(lambda k: fn([2, 3], k), [SEED], grad=False),
        Sample(lambda d, k: fn(d, k), [DIMS, SEED], grad=False, known=False),
    ]


SAMPLES = {
    "RandomStandardNormal": stateful(r.normal)
    + [Sample(lambda: r.normal([2], 1.0, 2.0, t), [], random=True)
       for t in ("float16", "float32", "float64")],
    "TruncatedNormal": stateful(r.truncated_normal),
    "RandomUniform": stateful(r.uniform)
    + [Sample(lambda: r.uniform([2], 1.0, 2.0, t), [], random=True)
       for t in ("float16", "float32", "float64")],
    "RandomUniformInt": stateful(lambda d: r.uniform(d, -3, 5, "int64"))
    + stateful(lambda d: r.uniform(d, 0, 5, "int32")),
    "RandomGamma": stateful(lambda d: r.gamma(d, [0.5, 2.0], [[1.0], [2.0]])),
    "RandomPoissonV2": stateful(lambda d: r.poisson(d, [0.5, 2.0])),
    "Multinomial": [
        Sample(lambda x: r.categorical(x, 4), [uniform((2, 3))], grad=False, random=True),
        Sample(lambda x, n: r.categorical(x, n), [uniform((2, 3)), np.array(4, np.int32)],
               grad=False, random=True, known=False),
    ],
    "RandomShuffle": [Sample(r.shuffle, [np.arange(6).reshape(3, 2)], random=True)],
    "StatelessRandomNormal": stateless(s.stateless_normal),
    "StatelessTruncatedNormal": stateless(s.stateless_truncated_normal),
    "StatelessRandomUniform": stateless(s.stateless_uniform),
    "StatelessRandomUniformInt": stateless(
        lambda d, k: s.stateless_uniform(d, k, 0, 9, "int32")
    ),
    "StatelessRandomUniformFullInt": stateless(
        lambda d, k: s.stateless_uniform(d, k, None, None, "int64")
    ),
    "StatelessRandomGamma": stateless(lambda d, k: s.stateless_gamma(d, k, 2.0, 0.5)),
    "StatelessRandomPoisson": stateless(lambda d, k: s.stateless_poisson(d, k, 2.0)),
    "StatelessRandomBinomial": stateless(lambda d, k: s.stateless_binomial(d, k, 4.0, 0.5)),
    "StatelessMultinomial": [
        Sample(lambda k, x: s.stateless_categorical(x, 4, k), [SEED, uniform((2, 3))], grad=False)
    ],
    "StatelessShuffle": [Sample(lambda x, k: s.stateless_shuffle(x, k), [np.arange(6), SEED])],
    "StatelessSplit": [Sample(lambda k: s.split(k, 3), [SEED])],
    "StatelessFoldIn": [Sample(s.fold_in, [SEED, np.array(7)])],
}  # fmt: skip
