"""Random numbers: what is reproducible, what is not, and that they are distributed as they say."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import autograph_lite as ag

try:
    from scipy import stats
except ImportError:
    stats = None


def same(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a.numpy(), b.numpy()))


def test_set_seed_restarts_every_sequence() -> None:
    def draw() -> list[Any]:
        return [
            ag.random.normal([3]),
            ag.random.uniform([3]),
            ag.random.uniform([3], seed=5),
            ag.random.shuffle(ag.range(10)),
            ag.random.categorical([[0.0, 1.0]], 5),
        ]

    ag.random.set_seed(1)
    first, second = draw(), draw()
    ag.random.set_seed(1)
    again = draw()
    ag.random.set_seed(2)
    other = draw()
    assert all(same(a, b) for a, b in zip(first, again, strict=True))
    assert not all(same(a, b) for a, b in zip(first, second, strict=True))
    assert not all(same(a, b) for a, b in zip(first, other, strict=True))


def test_a_traced_function_draws_anew_at_each_call() -> None:
    @ag.function
    def draw() -> Any:
        return ag.random.normal([3])

    ag.random.set_seed(1)
    first, second = draw(), draw()
    ag.random.set_seed(1)
    assert same(first, draw())
    assert not same(first, second)


def test_ops_with_a_seed_have_sequences_of_their_own() -> None:
    ag.random.set_seed(1)
    first = ag.random.uniform([3], seed=7)
    ag.random.set_seed(1)
    ag.random.uniform([3])
    assert same(first, ag.random.uniform([3], seed=7))

    @ag.function
    def pair() -> Any:
        return ag.random.uniform([3], seed=7), ag.random.uniform([3], seed=7)

    a, b = pair()
    assert same(a, b)
    c, _ = pair()
    assert not same(a, c)


def test_stateless_numbers_depend_on_the_seed_alone() -> None:
    first = ag.random.stateless_normal([4], [1, 2])
    ag.random.set_seed(9)
    assert same(first, ag.random.stateless_normal([4], [1, 2]))
    assert not same(first, ag.random.stateless_normal([4], [2, 1]))
    traced = ag.function(lambda seed: ag.random.stateless_normal([4], seed))
    assert same(first, traced(ag.constant([1, 2])))


@pytest.mark.parametrize("seed", [[1], [1, 2, 3], [1.0, 2.0]])
def test_a_stateless_seed_is_made_of_two_integers(seed: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        ag.random.stateless_normal([2], seed)


def test_generators_can_be_saved_and_split() -> None:
    generator = ag.random.Generator.from_seed(3)
    generator.normal([5])
    state = generator.state
    first = generator.uniform([4])
    generator.reset(state)
    assert same(first, generator.uniform([4]))
    a, b = ag.random.Generator.from_seed(3).split(2)
    assert not same(a.normal([4]), b.normal([4]))
    assert generator.make_seeds(3).shape == [2, 3]


def test_threads_share_one_sequence_safely() -> None:
    drawn: list[Any] = []

    def draw() -> None:
        drawn.extend(ag.random.normal([100]).numpy() for _ in range(50))

    threads = [threading.Thread(target=draw) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({row.tobytes() for row in drawn}) == 200


DRAWS: dict[str, tuple[Any, Any]] = {
    "normal": (lambda: ag.random.normal([4000], 1.0, 2.0), lambda: stats.norm(1, 2)),
    "uniform": (lambda: ag.random.uniform([4000], 2.0, 5.0), lambda: stats.uniform(2, 3)),
    "gamma": (lambda: ag.random.gamma([4000], 2.0, 0.5), lambda: stats.gamma(2, scale=2)),
    "truncated": (lambda: ag.random.truncated_normal([4000]), lambda: stats.truncnorm(-2, 2)),
    "stateless": (
        lambda: ag.random.stateless_uniform([4000], [1, 2], 2.0, 5.0),
        lambda: stats.uniform(2, 3),
    ),
}


@pytest.mark.skipif(stats is None, reason="SciPy has the distributions")
@pytest.mark.parametrize("name", DRAWS)
def test_numbers_are_distributed_as_they_say(name: str) -> None:
    ag.random.set_seed(11)
    draw, expected = DRAWS[name]
    assert stats.kstest(draw().numpy(), expected().cdf).pvalue > 1e-3


def test_discrete_numbers_have_the_right_means() -> None:
    ag.random.set_seed(11)
    counts = ag.random.poisson([5000], [0.5, 4.0]).numpy().mean(0)
    np.testing.assert_allclose(counts, [0.5, 4.0], rtol=0.1)
    whole = ag.random.uniform([9000], 0, 3, ag.int32).numpy()
    np.testing.assert_allclose(np.bincount(whole) / 9000, [1 / 3] * 3, rtol=0.1)
    classes = ag.random.categorical(np.log([[0.2, 0.8]]), 5000).numpy()
    assert abs(classes.mean() - 0.8) < 0.03


def test_gradients_flow_to_the_parameters() -> None:
    mean, deviation = ag.constant(1.0), ag.constant(2.0)
    with ag.GradientTape() as tape:
        tape.watch([mean, deviation])
        total = ag.reduce_sum(ag.random.stateless_normal([3], [1, 2], mean, deviation))
    to_mean, to_deviation = tape.gradient(total, [mean, deviation])
    assert float(to_mean) == 3.0
    plain = ag.reduce_sum(ag.random.stateless_normal([3], [1, 2]))
    np.testing.assert_allclose(float(to_deviation), float(plain), rtol=1e-5)


def test_integers_need_an_upper_bound() -> None:
    with pytest.raises(ValueError, match="maxval"):
        ag.random.uniform([2], dtype=ag.int32)
    with pytest.raises(ValueError, match="minval"):
        ag.random.uniform([2], 5, 5, dtype=ag.int32)


def test_dropout_keeps_the_expected_sum() -> None:
    ag.random.set_seed(1)
    kept = ag.nn.dropout(ag.ones([10000]), 0.25).numpy()
    np.testing.assert_allclose(np.unique(kept), [0.0, 4 / 3], rtol=1e-6)
    assert abs(kept.mean() - 1) < 0.02
    with pytest.raises(ValueError, match="rate"):
        ag.nn.dropout(ag.ones([2]), 1.0)
