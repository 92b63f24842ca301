"""Runs the benchmarks and prints a table: `python -m benchmarks [NAME ...]`.

Times are the best of several rounds in which all systems take turns; the ratios are those of one
run. A target that is missed is marked, and makes the exit code 1 with `--check`.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from benchmarks import bench_training, conversion, programs
from benchmarks.systems import JAX, NUMPY, OURS, TENSORFLOW
from benchmarks.timing import side_by_side


class Result(NamedTuple):
    """The outcome of one benchmark.

    Attributes:
      seconds: by system.
      target: what the quotient of this library's time and the target's base must not exceed.
      base: the system that the target is a ratio to; '' for a target in seconds.
    """

    seconds: dict[str, float]
    target: float
    base: str


def _program(make: Callable[[], programs.Calls], target: float) -> Callable[[], Result]:
    return lambda: Result(side_by_side(make()), target, NUMPY)


def _import() -> Result:
    """Seconds that `import autograph_lite` takes once NumPy is there."""
    code = (
        "import time, numpy; start = time.perf_counter(); import autograph_lite; "
        "print(time.perf_counter() - start)"
    )
    runs = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
        for _ in range(9)
    ]
    return Result({OURS: min(runs)}, 0.15, "")


def _long_conversion() -> Result:
    source = conversion.long_function(ifs=400, loops=100)
    return Result(conversion.measure(source, rounds=2, with_tensorflow=False), 1.0, "")


def _usual_conversion() -> Result:
    seconds = conversion.measure(conversion.usual_function(), rounds=3)
    return Result(seconds, 1 / 3, TENSORFLOW)


BENCHMARKS: dict[str, tuple[str, Callable[[], Result]]] = {
    "collatz": ("Collatz from 837799, int64 scalars", _program(programs.collatz, 1.5)),
    "call": ("call of x * 2 + 1 on 4 float32", _program(programs.call, 3.0)),
    "mandelbrot": ("Mandelbrot, 200 x 150, 100 steps", _program(programs.mandelbrot, 1.0)),
    "storing": ("2000 items of 400,000 written", _program(programs.storing, 3.0)),
    "recurrent": ("recurrent network, 200 steps", _program(programs.recurrent, 1.0)),
    "training": ("training step, 784-128-10, batch 64", _program(bench_training.perceptron, 1.15)),
    "backwards": (
        "gradient, 64 recurrent steps, (32, 64)",
        _program(bench_training.recurrent, 1.15),
    ),
    "import": ("import, beyond NumPy's", _import),
    "long": ("conversion, 400 ifs and 100 nested loops", _long_conversion),
    "usual": ("conversion, 100 lines", _usual_conversion),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Runs what is named, or all; gives the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to run; all by default")
    parser.add_argument("--list", action="store_true", help="name the benchmarks")
    parser.add_argument("--check", action="store_true", help="exit with 1 if a target is missed")
    options = parser.parse_args(argv)
    if options.list:
        for name, (title, _) in BENCHMARKS.items():
            print(f"{name:12} {title}")
        return 0
    unknown = set(options.names) - BENCHMARKS.keys()
    if unknown:
        parser.error(f"no benchmark is named {', '.join(sorted(unknown))}; see --list")
    missed = 0
    print(f"{'':42}{'time':>10}{'NumPy':>10}{'ratio':>8}{'target':>10}{'TensorFlow':>12}{'JAX':>8}")
    for name in options.names or BENCHMARKS:
        title, run = BENCHMARKS[name]
        result = run()
        print(_row(title, result), flush=True)
        missed += not _reached(result)
    return 1 if missed and options.check else 0


def _reached(result: Result) -> bool:
    base = result.seconds.get(result.base) if result.base else 1.0
    return base is None or result.seconds[OURS] <= result.target * base


def _row(title: str, result: Result) -> str:
    seconds, ours = result.seconds, result.seconds[OURS]

    def ratio(system: str) -> str:
        """How many times as long as this library a rival takes; for NumPy the other way round."""
        if system not in seconds:
            return "-"
        return f"{ours / seconds[system] if system == NUMPY else seconds[system] / ours:.2f}"

    base = {"": "s", NUMPY: "", TENSORFLOW: " of TF"}[result.base]
    target = f"{result.target:.2f}{base}"
    mark = "" if _reached(result) else "  MISSED"
    return (
        f"{title:42}{_time(ours):>10}{_time(seconds.get(NUMPY)):>10}{ratio(NUMPY):>8}"
        f"{target:>10}{ratio(TENSORFLOW):>12}{ratio(JAX):>8}{mark}"
    )


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-6:.3g} us"


if __name__ == "__main__":
    sys.exit(main())
