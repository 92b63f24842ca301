"""Training steps: a perceptron and a recurrent network, against NumPy by hand and TensorFlow.

`python -m benchmarks.bench_training --plans` prints the plans, too.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.systems import NUMPY, OURS, TENSORFLOW, has, ours, tensorflow
from benchmarks.timing import side_by_side

Calls = dict[str, Callable[[], Any]]

BATCH, INPUTS, HIDDEN, CLASSES = 64, 784, 128, 10
STEPS, ROWS, UNITS = 64, 32, 64
RATE = 0.05


def perceptron_data() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    return {
        "x": rng.normal(size=(BATCH, INPUTS)).astype(np.float32),
        "labels": rng.integers(0, CLASSES, BATCH).astype(np.int32),
        "w1": (rng.normal(size=(INPUTS, HIDDEN)) * 0.05).astype(np.float32),
        "b1": np.zeros(HIDDEN, np.float32),
        "w2": (rng.normal(size=(HIDDEN, CLASSES)) * 0.1).astype(np.float32),
        "b2": np.zeros(CLASSES, np.float32),
    }


def recurrent_data() -> dict[str, Any]:
    rng = np.random.default_rng(1)
    return {
        "x": rng.normal(size=(STEPS, ROWS, UNITS)).astype(np.float32),
        "wx": (rng.normal(size=(UNITS, UNITS)) * 0.1).astype(np.float32),
        "wh": (rng.normal(size=(UNITS, UNITS)) * 0.1).astype(np.float32),
        "b": np.zeros(UNITS, np.float32),
    }


# ---- NumPy by hand


def numpy_perceptron() -> Callable[[], Any]:
    d = perceptron_data()
    x, labels = d["x"], d["labels"]
    w1, b1, w2, b2 = d["w1"], d["b1"], d["w2"], d["b2"]
    rows = np.arange(BATCH)
    rate = np.float32(RATE)

    def step() -> Any:
        nonlocal w1, b1, w2, b2
        h = np.maximum(x @ w1 + b1, 0)
        logits = h @ w2 + b2
        shifted = logits - logits.max(axis=1, keepdims=True)
        e = np.exp(shifted)
        total = e.sum(axis=1, keepdims=True)
        loss = (np.log(total[:, 0]) - shifted[rows, labels]).mean()
        dlogits = e / total
        dlogits[rows, labels] -= 1
        dlogits /= BATCH
        dw2, db2 = h.T @ dlogits, dlogits.sum(axis=0)
        dh = dlogits @ w2.T
        dh *= h > 0
        dw1, db1 = x.T @ dh, dh.sum(axis=0)
        w1 = w1 - rate * dw1
        b1 = b1 - rate * db1
        w2 = w2 - rate * dw2
        b2 = b2 - rate * db2
        return loss

    return step


def numpy_recurrent() -> Callable[[], Any]:
    d = recurrent_data()
    x, wx, wh, b = d["x"], d["wx"], d["wh"], d["b"]

    def step() -> Any:
        h = np.zeros((ROWS, UNITS), np.float32)
        states = []
        for t in range(STEPS):
            before = h
            h = np.tanh(x[t] @ wx + h @ wh + b)
            states.append((before, h))
        loss = (h * h).sum()
        dh = 2 * h
        dwx, dwh, db = np.zeros_like(wx), np.zeros_like(wh), np.zeros_like(b)
        for t in range(STEPS - 1, -1, -1):
            before, h = states[t]
            dz = dh * (1 - h * h)
            dwx += x[t].T @ dz
            dwh += before.T @ dz
            db += dz.sum(axis=0)
            dh = dz @ wh.T
        return loss, dwx, dwh, db

    return step


# ---- this library, and TensorFlow: the same program


def library_perceptron(tf: Any) -> Callable[[], Any]:
    d = perceptron_data()
    w1, b1, w2, b2 = (tf.Variable(d[name]) for name in ("w1", "b1", "w2", "b2"))
    x, labels = tf.constant(d["x"]), tf.constant(d["labels"])

    @tf.function
    def step(x: Any, labels: Any) -> Any:
        with tf.GradientTape() as tape:
            h = tf.nn.relu(tf.matmul(x, w1) + b1)
            logits = tf.matmul(h, w2) + b2
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            )
        variables = [w1, b1, w2, b2]
        for v, g in zip(variables, tape.gradient(loss, variables), strict=True):
            v.assign_sub(RATE * g)
        return loss

    call = step.get_concrete_function(x, labels) if tf.__name__ == "autograph_lite" else None
    made = lambda: step(x, labels)  # noqa: E731
    made.concrete = call  # type: ignore[attr-defined]
    return made


def library_recurrent(tf: Any) -> Callable[[], Any]:
    d = recurrent_data()
    x, wx, wh, b = (tf.constant(d[name]) for name in ("x", "wx", "wh", "b"))

    @tf.function
    def step(x: Any, wx: Any, wh: Any, b: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch([wx, wh, b])
            h = tf.zeros([ROWS, UNITS])
            for t in tf.range(STEPS):
                h = tf.tanh(tf.matmul(x[t], wx) + tf.matmul(h, wh) + b)
            loss = tf.reduce_sum(h * h)
        return loss, *tape.gradient(loss, [wx, wh, b])

    call = step.get_concrete_function(x, wx, wh, b) if tf.__name__ == "autograph_lite" else None
    made = lambda: step(x, wx, wh, b)  # noqa: E731
    made.concrete = call  # type: ignore[attr-defined]
    return made


def _calls(by_hand: Callable[[], Any], written_for: Callable[[Any], Callable[[], Any]]) -> Calls:
    calls: Calls = {NUMPY: by_hand, OURS: written_for(ours())}
    if has("tensorflow"):
        calls[TENSORFLOW] = written_for(tensorflow())
    return calls


def perceptron() -> Calls:
    """One step of a 784-128-10 perceptron at batch 64: loss, gradients, and the update."""
    calls = _calls(numpy_perceptron(), library_perceptron)
    losses = {name: [float(call()) for _ in range(3)] for name, call in calls.items()}
    for name, found in losses.items():
        np.testing.assert_allclose(found, losses[NUMPY], rtol=1e-3, err_msg=name)
    return calls


def recurrent() -> Calls:
    """The gradient of a recurrent network of 64 steps at (32, 64)."""
    calls = _calls(numpy_recurrent(), library_recurrent)
    expected = numpy_recurrent()()
    for name, call in calls.items():
        for found, value in zip(call(), expected, strict=True):
            np.testing.assert_allclose(np.asarray(found), value, rtol=2e-3, atol=1e-3, err_msg=name)
    return calls


def main() -> None:
    """Prints the times, and with --plans the plans."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plans", action="store_true", help="print the plans")
    options = parser.parse_args()
    for make in (perceptron, recurrent):
        calls = make()
        times = side_by_side(calls, rounds=15)
        print(f"{make.__name__}: {make.__doc__}")
        for name, seconds in times.items():
            print(f"  {name:12} {seconds * 1e6:9.0f} us  {seconds / times[NUMPY]:5.2f}", flush=True)
        if options.plans:
            print(calls[OURS].concrete.plan_source())  # type: ignore[attr-defined]


if __name__ == "__main__":
    main()
