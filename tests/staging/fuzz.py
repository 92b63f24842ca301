"""Runs random programs plain and staged, and says where they differ.

    python -m tests.staging.fuzz --programs 1000 --seed 0

Refusals for one of the reasons in `REASONS` are counted, not reported.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import io
import itertools
import linecache
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

import autograph_lite as ag
from autograph_lite.errors import AutographError
from tests.staging import differential
from tests.staging.fuzz_programs import program

REASONS = {
    "cannot take turns": "two tensors of different dtypes in one variable",
    "change their type on every pass": "a variable that grows without end",
    "may be one of more than": "a variable that may be one of very many objects",
    "is changed through two names": "two variables with what may be one item of a list",
    "an array is stored to that": "an array of which only the running graph knows who holds it",
}
"""Parts of the messages with which a program may be refused, and what is meant."""

_numbers = itertools.count()

# Numbers that programs do not hit exactly by what they compute, nor half-way between two that they
# print: a graph may compute in another order, and a comparison or rounding of such numbers would
# then go the other way. Nor has the gradient of `clip` a kink at them.
CALLS = [
    (np.array([0.5119, -1.2503, 2.0307, 0.7517]), np.float64(1.5309), np.int32(4), np.int32(2)),
    (np.array([-0.5107, 1.0703, -2.0113, 3.0511]), np.float64(-0.7513), np.int32(7), np.int32(5)),
    (np.array([0.1103, 0.2311, 0.3109, -0.4307]), np.float64(0.2713), np.int32(0), np.int32(1)),
]


def load(text: str) -> Any:
    """The function `main` of a program."""
    filename = f"<staged program {next(_numbers)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, filename, "exec", dont_inherit=True), namespace)
    return namespace["main"]


def problem(text: str, gradients: bool = False) -> tuple[str, str] | None:
    """What is wrong with a program, staged: a kind and a description; None if nothing is."""
    main = load(text)
    staged = ag.function(main)
    for args in CALLS:
        plain = differential.run_plain(main, args)
        seen = differential.run_staged(staged, args)
        if isinstance(seen.error, AutographError) and not isinstance(plain.error, AutographError):
            message = str(seen.error)
            for reason in REASONS:
                if reason in message:
                    return "refused", reason
            return "refusal", described(seen.error)
        found = differential.difference(plain, seen, dtypes=False, rtol=1e-6)
        if found is not None:
            if seen.error is not None:
                found += "\n" + described(seen.error)
            return "difference", f"{args}: {found}"
        if gradients and plain.error is None:
            try:
                found = differential.gradient_difference(main, args)
            except Exception as error:
                return "gradient", described(error)
            if found is not None:
                return "gradient", f"{args}: {found}"
    return None


def described(error: BaseException) -> str:
    lines = traceback.format_exception(type(error), error, error.__traceback__)
    return "".join(lines)[-1800:]


def smaller(text: str, kind: str, gradients: bool, seconds: float = 20) -> str:
    """A program with the same kind of problem, with statements left out while it keeps it."""
    head, _, body = text.partition("def main(xs, x, n, k):\n")
    lines = body.splitlines()
    deadline = time.time() + seconds
    size = max(1, len(lines) // 2)
    while size:
        start = 0
        while start < len(lines):
            if time.time() > deadline:
                break
            candidate = lines[:start] + lines[start + size :]
            new = head + "def main(xs, x, n, k):\n" + "\n".join(candidate) + "\n"
            if has_problem(new, kind, gradients):
                lines = candidate
            else:
                start += size
        size //= 2
    return "def main(xs, x, n, k):\n" + "\n".join(lines) + "\n"


def has_problem(text: str, kind: str, gradients: bool) -> bool:
    try:
        with _at_most(5):
            found = problem(text, gradients)
            return found is not None and found[0] == kind and not _loses_names(text)
    except (Exception, _TakesTooLong):
        return False


class _TakesTooLong(BaseException):
    """A program that does not end: what counted a loop down has been left out."""


@contextlib.contextmanager
def _at_most(seconds: float) -> Iterator[None]:
    """Within the block, no more than so many seconds pass, where the system can see to it."""

    def stop(*_: Any) -> None:
        raise _TakesTooLong

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, stop)
    # Again and again: Python drops what is raised in the callback of a weak reference.
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.5)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _loses_names(text: str) -> bool:
    """Whether a program reads what it never binds: then it shows something else."""
    main = load(text)
    return any(isinstance(differential.run_plain(main, args).error, NameError) for args in CALLS)


def run(
    first: int, count: int, gradients: int = 0, shrink: bool = True
) -> collections.Counter[str]:
    """Runs programs, prints those that differ; gives how many came to which end."""
    ends: collections.Counter[str] = collections.Counter()
    for seed in range(first, first + count):
        text = program(seed)
        with_gradients = bool(gradients) and seed % gradients == 0
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = problem(text, with_gradients)
        if found is None:
            ends["same"] += 1
            continue
        kind, description = found
        ends[f"refused: {description}" if kind == "refused" else kind] += 1
        if kind != "refused":
            small = smaller(text, kind, with_gradients) if shrink else ""
            if small:
                with contextlib.redirect_stdout(io.StringIO()):
                    again = problem(text.partition("def main(")[0] + small, with_gradients)
                description = again[1] if again else description
            print(f"==== seed {seed}: {kind}\n{description}\n{small}", flush=True)
    return ends


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--gradients", type=int, default=0, help="compare them in every Nth program"
    )
    parser.add_argument("--no-shrink", action="store_true")
    options = parser.parse_args()
    started = time.time()
    ends = run(options.seed, options.programs, options.gradients, not options.no_shrink)
    for end, number in ends.most_common():
        print(f"{number:6} {end}")
    print(f"{time.time() - started:.0f} s")
    return int(any(end in ends for end in ("difference", "refusal", "gradient")))


if __name__ == "__main__":
    sys.exit(main())
