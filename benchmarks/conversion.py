"""How long conversion takes: of long functions, and of a function of usual length."""

from __future__ import annotations

import importlib.util
import itertools
import tempfile
import time
from pathlib import Path
from typing import Any

from benchmarks.systems import OURS, TENSORFLOW, has, tensorflow

_numbers = itertools.count()


def long_function(ifs: int, loops: int) -> str:
    """A function of so many `if`s, and of so many loops, each with another in it."""
    lines = ["def f(x, y):", "    a, b, c = x, y, 0"]
    for n in range(ifs):
        lines += [f"    if a > {n}:", f"        b = a + {n}"]
    for n in range(loops):
        lines += [
            f"    while c < {n}:",
            "        for i in range(b):",
            "            c = c + i",
            "        c = c + 1",
        ]
    return "\n".join([*lines, "    return a, b, c", ""])


def usual_function(lines: int = 100) -> str:
    """A function of so many lines, with some of everything.

    It has few branches: each one more doubles the time of TensorFlow's analysis.
    """
    out = ["def f(x, n):", "    total, last = 0.0, x"]
    while len(out) < lines - 9:
        k = len(out)
        out += [f"    scale_{k} = x * {k} + total", f"    last = g(scale_{k}, last)"]
        if k % 24 == 2:
            out += [
                f"    if scale_{k} > last and n > {k}:",
                f"        total = total + scale_{k}",
            ]
    out += [
        "    for i in range(n):",
        "        if i % 2 == 0:",
        "            continue",
        "        while last > i:",
        "            last = last - total",
        "        total = total + last if last > 0 else total",
        "    return total",
        "",
        "def g(a, b):",
        "    return a + b",
    ]
    return "\n".join(out) + "\n"


def fresh(source: str, folder: Path) -> Any:
    """The function `f` of a new module, which no cache knows."""
    number = next(_numbers)
    name = f"benchmarked_{number}"
    path = folder / f"{name}.py"
    # Code that is equal might be found in a cache: a parameter's name makes it another.
    path.write_text(source.replace("def f(x, ", f"def f(x, parameter_{number}, ", 1))
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.f  # type: ignore[attr-defined]


def convert_ours(function: Any) -> None:
    """Converts with this library."""
    from autograph_lite import operators
    from autograph_lite.conversion.pipeline import convert

    convert(function, operators)


def convert_tensorflow(function: Any) -> None:
    """Converts with TensorFlow's AutoGraph."""
    tensorflow().autograph.to_graph(function, recursive=False)


def measure(source: str, rounds: int, with_tensorflow: bool = True) -> dict[str, float]:
    """Seconds to convert `source`, the best of several rounds."""
    systems = {OURS: convert_ours}
    if with_tensorflow and has("tensorflow"):
        systems[TENSORFLOW] = convert_tensorflow
    best = dict.fromkeys(systems, float("inf"))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(rounds + 1):
            for name, convert in systems.items():
                function = fresh(source, Path(folder))
                start = time.perf_counter()
                convert(function)
                if number:  # the first conversion of all also imports what it needs
                    best[name] = min(best[name], time.perf_counter() - start)
    return best
