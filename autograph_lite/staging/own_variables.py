"""The variables that a branch or loop hands on: in which of the functions that run now they are."""

from __future__ import annotations

from collections.abc import Sequence
from types import CodeType, FrameType

from autograph_lite.staging.generators import grouped
from autograph_lite.staging.later_reads import shared_with, user_frames


class OwnVariables:
    """Where the variables are that a branch or loop hands on.

    Other functions may have variables of the same names: those that the statement calls, and a
    generator whose reader's variables the statement hands on, too.
    """

    def __init__(self, names: Sequence[str]) -> None:
        """Looks for the functions that have the variables.

        Args:
          names: the variables of the statement that runs now.
        """
        # By how many functions ran when one of them began.
        self._places: dict[int, set[str]] = {}
        # Of a function that does not run any more.
        self._free: set[str] = set()
        frames = list(user_frames())
        for some, codes in grouped(names):
            for name in some:
                depth = _depth_of(name, codes, frames)
                found = self._free if depth is None else self._places.setdefault(depth, set())
                found.add(name)

    def among(self, frames: Sequence[FrameType]) -> list[set[str]]:
        """For each of the functions that run now, the innermost first: those it has of them."""
        result: list[set[str]] = []
        around: dict[CodeType, set[str]] = {}
        for depth, frame in enumerate(reversed(frames), 1):
            code = frame.f_code
            around.pop(code, None)  # it is called again: these are others
            own = self._free.intersection(code.co_freevars)
            for outer, names in around.items():
                own |= names & shared_with(code, outer)
            if depth in self._places:
                around[code] = self._places[depth]
                own |= around[code]
            result.append(own)
        return result[::-1]


def _depth_of(
    name: str, codes: Sequence[CodeType] | None, frames: Sequence[FrameType]
) -> int | None:
    for number, frame in enumerate(frames):
        code = frame.f_code
        if name in code.co_varnames or name in code.co_cellvars:
            if codes is None or any(name in shared_with(inner, code) for inner in codes):
                return len(frames) - number
    return None


__all__ = ["OwnVariables"]
