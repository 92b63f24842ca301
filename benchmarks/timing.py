"""Measures calls side by side: they take turns, so that their ratios hold on a busy machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

Call = Callable[[], Any]


def side_by_side(
    calls: Mapping[str, Call], rounds: int = 9, seconds: float = 0.03
) -> dict[str, float]:
    """Seconds per call, the best of several rounds.

    Args:
      calls: what to measure, by name. Each is called a few times first.
      rounds: how often each has its turn.
      seconds: about how long a turn lasts, at least one call.
    """
    numbers = {}
    for name, call in calls.items():
        call()
        call()
        start = time.perf_counter()
        call()
        once = max(time.perf_counter() - start, 1e-7)
        numbers[name] = max(1, min(20000, int(seconds / once)))
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            turn = range(numbers[name])
            start = time.perf_counter()
            for _ in turn:
                call()
            best[name] = min(best[name], (time.perf_counter() - start) / numbers[name])
    return best
