"""What a call of a traced function costs, and one eager operation, beside NumPy and others.

    python benchmarks/bench_calls.py

Prints microseconds per call and ratios to this library's. All are measured in one run, taking
turns, so that the ratios hold whatever else the machine does. JAX and TensorFlow are optional.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import numpy as np

Call = Callable[[], Any]
OFFSET = 1.0


class NumPy:
    """Plain functions of arrays."""

    name = "numpy"
    constant = staticmethod(np.asarray)
    function = staticmethod(lambda f: f)


class Ours:
    """This library."""

    name = "ours"

    def __init__(self) -> None:
        import autograph_lite as ag

        self.constant, self.function = ag.constant, ag.function


class Jax:
    """JAX's compiled functions."""

    name = "jax"

    def __init__(self) -> None:
        import jax
        import jax.numpy as jnp

        self.constant, self.function = jnp.asarray, jax.jit


class TensorFlow:
    """TensorFlow's traced functions."""

    name = "tensorflow"

    def __init__(self) -> None:
        import tensorflow as tf

        self.constant, self.function = tf.constant, tf.function


def one(lib: Any) -> Call:
    f = lib.function(lambda x: x * 2 + 1)
    x = lib.constant(np.ones(4, np.float32))
    return lambda: f(x)


def three(lib: Any) -> Call:
    f = lib.function(lambda x, y, z: x * y + z)
    x, y, z = (lib.constant(np.full(4, v, np.float32)) for v in (1, 2, 3))
    return lambda: f(x, y, z)


def ten(lib: Any) -> Call:
    f = lib.function(lambda a, b, c, d, e, g, h, i, j, k: a + b + c + d + e + g + h + i + j + k)
    t = [lib.constant(np.full(4, v, np.float32)) for v in range(10)]
    return lambda: f(*t)


def nested(lib: Any) -> Call:
    f = lib.function(lambda p: p["w"] * p["in"]["x"] + p["in"]["b"])
    w, x, b = (lib.constant(np.full(4, v, np.float32)) for v in (1, 2, 3))
    p = {"w": w, "in": {"x": x, "b": b}}
    return lambda: f(p)


def method(lib: Any) -> Call:
    if lib.name == "jax":
        import jax

        class Line:
            def __init__(self) -> None:
                self.run = jax.jit(lambda x: x * 2 + 1)
    else:

        class Line:  # type: ignore[no-redef]
            @lib.function
            def run(self, x: Any) -> Any:
                return x * 2 + 1

    line = Line()
    x = lib.constant(np.ones(4, np.float32))
    return lambda: line.run(x)


def guarded(lib: Any) -> Call:
    scale, shift = 2.0, 1.0
    f = lib.function(lambda x: x * scale + shift + OFFSET)
    x = lib.constant(np.ones(4, np.float32))
    return lambda: f(x)


def scalar(lib: Any) -> Call:
    if lib.name == "jax":
        import jax

        f = jax.jit(lambda x, n: x * n, static_argnums=1)
    else:
        f = lib.function(lambda x, n: x * n)
    x = lib.constant(np.ones(4, np.float32))
    return lambda: f(x, 3)


def eager(lib: Any) -> Call:
    """One addition outside of any traced function."""
    x = lib.constant(np.ones(4, np.float32))
    return lambda: x + x


CASES = (one, three, ten, nested, method, guarded, scalar, eager)


def measure(calls: dict[str, Call], rounds: int = 7) -> dict[str, float]:
    """Microseconds per call, the best of several rounds in which all take turns."""
    best = dict.fromkeys(calls, float("inf"))
    numbers: dict[str, int] = {}
    for name, call in calls.items():
        for _ in range(10):
            call()
        start = time.perf_counter()
        for _ in range(20):
            call()
        once = (time.perf_counter() - start) / 20
        numbers[name] = max(20, min(20000, int(0.02 / once)))
    for _ in range(rounds):
        for name, call in calls.items():
            count = range(numbers[name])
            start = time.perf_counter()
            for _ in count:
                call()
            best[name] = min(best[name], (time.perf_counter() - start) / numbers[name])
    return {name: seconds * 1e6 for name, seconds in best.items()}


def libraries() -> list[Any]:
    """Those of the libraries that are installed."""
    found: list[Any] = [NumPy(), Ours()]
    for kind in (Jax, TensorFlow):
        try:
            found.append(kind())
        except ImportError:
            continue
    return found


def main() -> None:
    """Prints the table."""
    libs = libraries()
    print(f"{'case':<10}" + "".join(f"{lib.name:>20}" for lib in libs))
    for case in CASES:
        times = measure({lib.name: case(lib) for lib in libs})
        cells = (f"{t:9.2f} us {t / times['ours']:7.2f}x" for t in times.values())
        print(f"{case.__name__:<10}" + "".join(f"{cell:>20}" for cell in cells))


if __name__ == "__main__":
    main()
