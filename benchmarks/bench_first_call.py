"""What the first call of a function with 30 `if`s and 10 loops costs, beside TensorFlow's.

    python benchmarks/bench_first_call.py

TensorFlow's time doubles with every `if` in one function, so for it the same code is split over
ten functions of three `if`s and a loop each.
"""

from __future__ import annotations

import gc
import importlib.util
import os
import sys
import tempfile
import time
from typing import Any

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))


REPEATS = 8
"""How many such functions are called first; the best time counts, since machines are noisy."""


def statements(first: int, ifs: int, loops: int) -> list[str]:
    """The body of a function of `x` and `n` with so many branches and loops."""
    lines: list[str] = []
    for i in range(first, first + ifs):
        lines += [f"if x > {i}.0:", f"    x = x * 1.5 + {i}.0", "else:", f"    x = x - {i}.5"]
    for i in range(first, first + loops):
        lines += [f"i{i} = n * 0", f"while i{i} < n:", f"    x = x + {i}.5", f"    i{i} = i{i} + 1"]
    return [f"    {line}" for line in lines]


def program(functions: int) -> str:
    """The text of a module whose `run` has 30 branches and 10 loops in so many functions."""
    lines: list[str] = []
    for k in range(functions):
        body = statements(k * 30 // functions, 30 // functions, 10 // functions)
        lines += [f"def part{k}(x, n):", *body, "    return x", ""]
    lines += ["def run(x, n):", *(f"    x = part{k}(x, n)" for k in range(functions))]
    return "\n".join([*lines, "    return x", ""])


def load(text: str, folder: str, name: str) -> Any:
    """The module of a text."""
    path = os.path.join(folder, f"{name}.py")
    with open(path, "w") as file:
        file.write(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def first_call(lib: Any, functions: int, folder: str, name: str) -> float:
    """Seconds that the first call takes; the library is warm."""
    warm = lib.function(load(program(10), folder, f"{name}_warm").part0)
    x, n = lib.constant(1.0), lib.constant(3)
    warm(x, n)
    run = lib.function(load(program(functions), folder, name).run)
    start = time.perf_counter()
    run(x, n)
    return time.perf_counter() - start


def main() -> None:
    """Prints the table. The libraries take turns, so that a busy moment meets them all."""
    import autograph_lite as ag

    try:
        import tensorflow as tf
    except ImportError:
        tf = None
    gc.freeze()  # what the imports have left is no garbage of theirs
    sides = [("ours, one function", ag, 1), ("ours, ten functions", ag, 10)]
    sides += [("tensorflow, ten functions", tf, 10)] if tf is not None else []
    best = {name: float("inf") for name, _, _ in sides}
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(REPEATS):
            for number, (name, lib, functions) in enumerate(sides):
                taken = first_call(lib, functions, folder, f"side{number}_{turn}")
                best[name] = min(best[name], taken)
    ours = best[sides[0][0]]
    for name, seconds in best.items():
        print(f"{name + ':':28}{seconds * 1e3:8.1f} ms  ({seconds / ours:.1f}x ours)")


if __name__ == "__main__":
    main()
