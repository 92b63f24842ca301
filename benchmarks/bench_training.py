"""Training steps: a perceptron and a recurrent network, against NumPy by hand and TensorFlow.

    python benchmarks/bench_training.py                       # this library and NumPy
    python benchmarks/bench_training.py --tensorflow PYTHON   # TensorFlow, too, in that Python

Prints microseconds a step, the best of several rounds that take turns.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

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


def best_times(steps: dict[str, Callable[[], Any]], rounds: int, repeats: int) -> dict[str, float]:
    """The best mean time of a call, in microseconds, for each; the rounds take turns."""
    best = dict.fromkeys(steps, float("inf"))
    for step in steps.values():
        step()
        step()
    for _ in range(rounds):
        for name, step in steps.items():
            start = time.perf_counter()
            for _ in range(repeats):
                step()
            best[name] = min(best[name], (time.perf_counter() - start) / repeats * 1e6)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tensorflow", help="a Python that has TensorFlow")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--plans", action="store_true", help="print the plans")
    parser.add_argument("--only-tensorflow", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only_tensorflow:
        os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
        import tensorflow as tf

        kinds = {"TensorFlow": (library_perceptron(tf), library_recurrent(tf))}
    else:
        import autograph_lite as ag

        kinds = {
            "NumPy": (numpy_perceptron(), numpy_recurrent()),
            "autograph-lite": (library_perceptron(ag), library_recurrent(ag)),
        }
    for number, name in enumerate(("perceptron", "recurrent")):
        repeats = (40, 10)[number]
        steps = {kind: pair[number] for kind, pair in kinds.items()}
        times = best_times(steps, options.rounds, repeats)
        base = times.get("NumPy")
        for kind, value in times.items():
            ratio = f"  {value / base:5.2f} x NumPy" if base and kind != "NumPy" else ""
            print(f"{name:12} {kind:16} {value:9.0f} us{ratio}", flush=True)
        if options.plans and "autograph-lite" in steps:
            print(steps["autograph-lite"].concrete.plan_source())  # type: ignore[attr-defined]
    if options.tensorflow:
        command = [
            options.tensorflow,
            __file__,
            "--only-tensorflow",
            "--rounds",
            str(options.rounds),
        ]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    sys.exit(main())
