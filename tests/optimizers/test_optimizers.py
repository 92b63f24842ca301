"""Optimizers, against the numbers of TensorFlow's for the same few steps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import autograph_lite as ag

O = ag.optimizers
S = O.schedules

STEPS = {
    "SGD": (lambda: O.SGD(0.1), [0.5795466, -1.372658, 0.8251334]),
    "momentum": (lambda: O.SGD(0.1, momentum=0.9), [-0.131787, -0.4554626, 1.2806]),
    "nesterov": (
        lambda: O.SGD(0.1, momentum=0.9, nesterov=True),
        [-0.4536432, -0.7852917, 1.388515],
    ),
    "Adam": (lambda: O.Adam(0.1), [0.5004023, -1.522572, 0.9954947]),
    "amsgrad": (lambda: O.Adam(0.1, amsgrad=True), [0.5004023, -1.522572, 0.9954947]),
    "AdamW": (lambda: O.AdamW(0.1, weight_decay=0.05), [0.4808841, -1.480897, 0.9780508]),
    "RMSprop": (lambda: O.RMSprop(0.1), [-0.08095929, -1.407, 1.391948]),
    "centered": (
        lambda: O.RMSprop(0.1, momentum=0.5, centered=True),
        [-1.067052, -1.189898, 1.716397],
    ),
    "Adagrad": (lambda: O.Adagrad(0.1), [0.6904983, -1.720674, 0.8004557]),
    "clipnorm": (lambda: O.SGD(0.1, clipnorm=0.5), [0.9021252, -1.770578, 0.7500001]),
    "clipvalue": (lambda: O.SGD(0.1, clipvalue=0.3), [0.8500001, -1.85, 0.6499999]),
    "global": (lambda: O.SGD(0.1, global_clipnorm=0.7), [0.8732525, -1.695277, 0.6143267]),
    "decay": (lambda: O.SGD(0.1, weight_decay=0.1), [0.5487886, -1.323347, 0.7922275]),
    "schedule": (
        lambda: O.SGD(S.ExponentialDecay(0.5, 2, 0.5)),
        [-0.2218577, -1.146451, 1.197731],
    ),
}

RATES = {
    "exponential": (
        S.ExponentialDecay(0.5, 10, 0.7),
        [0.5, 0.4492617, 0.41833, 0.3034641, 0.2049817],
    ),
    "stairs": (S.ExponentialDecay(0.5, 10, 0.7, staircase=True), [0.5, 0.5, 0.5, 0.35, 0.245]),
    "inverse": (
        S.InverseTimeDecay(0.5, 10, 0.7),
        [0.5, 0.4132231, 0.3703704, 0.2525252, 0.1818182],
    ),
    "polynomial": (S.PolynomialDecay(0.5, 10, 0.1, power=2.0), [0.5, 0.296, 0.2, 0.1, 0.1]),
    "cycle": (S.PolynomialDecay(0.5, 10, 0.1, cycle=True), [0.5, 0.38, 0.3, 0.22, 0.1666667]),
    "cosine": (S.CosineDecay(0.5, 20, alpha=0.1), [0.5, 0.4754764, 0.434099, 0.1427483, 0.05]),
    "warm": (
        S.CosineDecay(0.0, 20, warmup_target=0.5, warmup_steps=5),
        [0, 0.3, 0.5, 0.2891086, 0],
    ),
    "piecewise": (S.PiecewiseConstantDecay([5, 15], [0.5, 0.2, 0.1]), [0.5, 0.5, 0.5, 0.2, 0.1]),
}


def problem() -> Any:
    a, b = ag.Variable([1.0, -2.0]), ag.Variable([[0.5]])

    def loss() -> Any:
        return ag.reduce_sum(a * a * a * a) * 0.1 + ag.reduce_sum(ag.sin(b) * a)

    return a, b, loss


def values(a: Any, b: Any) -> list[float]:
    return [*a.numpy().tolist(), float(b.numpy()[0, 0])]


@pytest.mark.parametrize("name", STEPS)
def test_eager_steps(name: str) -> None:
    make, expected = STEPS[name]
    a, b, loss = problem()
    optimizer = make()
    for _ in range(5):
        optimizer.minimize(loss, [a, b])
    assert values(a, b) == pytest.approx(expected, rel=2e-5, abs=1e-6)
    assert int(optimizer.iterations) == 5


@pytest.mark.parametrize("name", STEPS)
def test_steps_of_a_traced_loop(name: str) -> None:
    make, expected = STEPS[name]
    a, b, loss = problem()
    optimizer = make()

    @ag.function
    def train(steps: Any) -> Any:
        last = ag.constant(0.0)
        for _ in ag.range(steps):
            with ag.GradientTape() as tape:
                last = loss()
            optimizer.apply_gradients(zip(tape.gradient(last, [a, b]), [a, b]))
        return last

    train(ag.constant(5))
    assert values(a, b) == pytest.approx(expected, rel=2e-5, abs=1e-6)
    assert int(optimizer.iterations) == 5


@pytest.mark.parametrize("name", RATES)
def test_schedules(name: str) -> None:
    schedule, expected = RATES[name]
    steps = (0, 3, 5, 14, 25)
    assert [float(schedule(k)) for k in steps] == pytest.approx(expected, rel=1e-5, abs=1e-7)
    traced = ag.function(lambda k: schedule(k))
    found = [float(traced(ag.constant(k, ag.int64))) for k in steps]
    assert found == pytest.approx(expected, rel=1e-5, abs=1e-7)


def test_a_changed_learning_rate_is_seen_by_a_traced_step() -> None:
    w = ag.Variable(0.0)
    optimizer = O.SGD(1.0)

    @ag.function
    def step() -> Any:
        return optimizer.minimize(lambda: w * 1.0, [w])

    step()
    optimizer.learning_rate = 0.25
    step()
    assert float(w) == -1.25
    optimizer.learning_rate = S.ExponentialDecay(1.0, 1, 0.5)
    optimizer.minimize(lambda: w * 1.0)
    assert float(w) == -1.5


def test_gradients_of_none_leave_their_variables() -> None:
    v, w = ag.Variable(1.0), ag.Variable(2.0)
    optimizer = O.Adam()
    optimizer.apply_gradients([(None, v), (ag.constant(1.0), w)])
    assert float(v) == 1.0 and float(w) < 2.0
    with pytest.raises(ValueError, match="no gradient for any variable"):
        optimizer.apply_gradients([(None, v)])


def test_float64_and_constraints() -> None:
    w = ag.Variable(np.array([1.0, -1.0]), constraint=lambda x: ag.maximum(x, 0.0))
    optimizer = O.SGD(0.5)
    optimizer.apply_gradients([(ag.constant(np.array([1.0, 1.0])), w)])
    assert w.numpy().tolist() == [0.5, 0.0]


def test_its_variables_are_those_of_a_module() -> None:
    w = ag.Variable([1.0], name="w")
    optimizer = O.Adam()
    optimizer.build([w])
    names = sorted(v.name for v in optimizer.variables)
    assert {"iterations:0", "learning_rate:0", "w/mean:0", "w/square:0"} <= {
        n.rpartition("/Adam/")[2] for n in names
    } | set(names)


@pytest.mark.parametrize("bad", [{"clipnorm": 1.0, "clipvalue": 1.0}])
def test_one_way_of_clipping(bad: Any) -> None:
    with pytest.raises(ValueError, match="one way"):
        O.SGD(0.1, **bad)
    with pytest.raises(ValueError, match="momentum"):
        O.SGD(0.1, momentum=2.0)
    with pytest.raises(ValueError, match="boundaries"):
        S.PiecewiseConstantDecay([1], [1.0])


def test_minimize_a_loss_with_its_tape() -> None:
    w = ag.Variable(2.0)
    with ag.GradientTape() as tape:
        loss = w * w
    assert float(O.SGD(0.25).minimize(loss, [w], tape=tape)) == 4.0
    assert float(w) == 1.0
    with pytest.raises(ValueError, match="needs its tape"):
        O.SGD(0.25).minimize(loss, [w])


def test_a_variable_as_the_learning_rate() -> None:
    rate, w = ag.Variable(0.5), ag.Variable(0.0)
    optimizer = O.SGD(rate)
    optimizer.apply_gradients([(ag.constant(1.0), w)])
    rate.assign(0.25)
    optimizer.apply_gradients([(ag.constant(1.0), w)])
    assert float(w) == -0.75
    with pytest.raises(KeyError, match="not among the variables"):
        optimizer.kept(ag.Variable(1.0, name="other"))
