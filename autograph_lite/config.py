"""Switches of the whole library."""

from __future__ import annotations

from runtime.context import enter_busy, leave_busy

_run_eagerly = False


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Whether calls of `@ag.function` run the Python function itself: for debugging.

    Args:
      run_eagerly: True to run the functions step by step, False to run their graphs again.

    >>> import autograph_lite as ag
    >>> @ag.function
    ... def f(x):
    ...     print("in f")
    ...     return x + 1
    >>> ag.config.run_functions_eagerly(True)
    >>> f(ag.constant(1)).numpy(), f(ag.constant(2)).numpy()
    in f
    in f
    (np.int32(2), np.int32(3))
    >>> ag.config.run_functions_eagerly(False)
    """
    global _run_eagerly
    wanted = bool(run_eagerly)
    if wanted != _run_eagerly:
        # While anything is out of the ordinary, calls look before they take the short way.
        (enter_busy if wanted else leave_busy)()
        _run_eagerly = wanted


def functions_run_eagerly() -> bool:
    """What was last said to `run_functions_eagerly`; False at first.

    >>> functions_run_eagerly()
    False
    """
    return _run_eagerly


__all__ = ["functions_run_eagerly", "run_functions_eagerly"]
