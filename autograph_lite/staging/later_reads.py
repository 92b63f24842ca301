"""Which variables does the code that runs now read later? Its instructions tell."""

from __future__ import annotations

import dis
import sys
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from types import CodeType, FrameType
from typing import Any

from autograph_lite.code_table import CodeTable
from runtime.locations import is_library_file


def assigned(frame: FrameType) -> str | None:
    """The variable to which a frame's code assigns what it calls now, if it is one."""
    return _facts(frame.f_code).assigned(frame.f_lasti)


def user_frames() -> Iterator[FrameType]:
    """The frames of the user's functions that are being traced, the innermost first."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if not is_library_file(frame.f_code.co_filename):
            yield frame
        elif frame.f_globals.get("__name__") == "autograph_lite.tracing":
            return
        frame = frame.f_back


def shared_with(code: CodeType, outer: CodeType) -> frozenset[str]:
    """The variables of a function that are those of another one, in which it is defined."""
    return _facts(outer).shared.get(id(code), frozenset())


class _Facts:
    """What the instructions of a function tell.

    Attributes:
      last: the offset of the last instruction that reads a variable, by its name.
      enclosed: the variables that functions within it use.
      bound: the variables that it binds, or a part of a statement in it.
      shared: the variables that functions within it, at any depth, share with it, by their ids.
    """

    def __init__(self, code: CodeType) -> None:
        found = [i for i in dis.get_instructions(code) if i.opname != "EXTENDED_ARG"]
        self.offsets = [i.offset for i in found]
        self.stored = [_stored(i) for i in found[1:]] + [None]
        self.last: dict[str, int] = {}
        for instruction in found:
            for name in _read(instruction):
                self.last[name] = instruction.offset
        inside = [const for const in code.co_consts if isinstance(const, CodeType)]
        # What conversion has made of the parts of statements bears the name of the function.
        self.enclosed = {
            name for c in inside if c.co_name != code.co_name for name in c.co_freevars
        }

        parts = [_facts(c).bound for c in inside if c.co_name == code.co_name]
        own = frozenset(filter(None, map(_stored, found)))
        self.bound: frozenset[str] = own.union(*parts)
        self.shared: dict[int, frozenset[str]] = {}
        self._add_shared(code, frozenset(code.co_cellvars + code.co_freevars))

    def _add_shared(self, code: CodeType, names: frozenset[str]) -> None:
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                self.shared[id(inner)] = names.intersection(inner.co_freevars)
                self._add_shared(inner, self.shared[id(inner)])

    def assigned(self, at: int) -> str | None:
        """The variable to which the instruction's result is assigned."""
        return self.stored[bisect_right(self.offsets, at) - 1]


_known: CodeTable[_Facts] = CodeTable()


def _facts(code: CodeType) -> _Facts:
    found = _known.get(code)
    if found is None:
        found = _Facts(code)
        _known.set(code, found)
    return found


def _stored(instruction: dis.Instruction) -> str | None:
    if not instruction.opname.startswith("STORE_") or instruction.opname in _NOT_VARIABLES:
        return None
    found = instruction.argval
    return str(found[0]) if isinstance(found, tuple) else str(found)


_NOT_VARIABLES = ("STORE_ATTR", "STORE_SUBSCR", "STORE_SLICE")


def _read(instruction: dis.Instruction) -> tuple[str, ...]:
    name, found = instruction.opname, instruction.argval
    if isinstance(found, tuple):
        return found[1:] if name == "STORE_FAST_LOAD_FAST" else found
    if isinstance(found, str) and name.startswith("LOAD_"):
        return (found,)
    return ()


_handed_on: CodeTable[frozenset[str]] = CodeTable()


def hands_on(body: Callable[..., Any], names: Iterable[str]) -> None:
    """Notes the variables that the passes of a loop hand on, of those that they bind.

    Args:
      body: what runs one pass.
      names: the variables.
    """
    code = getattr(body, "__code__", None)
    if code is not None and _handed_on.get(code) is None:
        _handed_on.set(code, frozenset(names))


def _is_bound_anew(code: CodeType, name: str) -> bool:
    """Whether each pass of a loop binds a variable before it reads that."""
    handed_on = _handed_on.get(code)
    return handed_on is not None and name not in handed_on and name in _facts(code).bound


def is_read(frame: FrameType, name: str) -> bool:
    """Whether the code of a frame may read a variable after where it is now."""
    if name in frame.f_code.co_freevars and _is_in_loop(frame):
        if not _is_bound_anew(frame.f_code, name):
            return True
    facts = _facts(frame.f_code)
    return facts.last.get(name, -1) > frame.f_lasti or name in facts.enclosed


def _is_in_loop(frame: FrameType) -> bool:
    """Whether a frame runs the body of a loop."""
    above = frame.f_back
    while above is not None and is_library_file(above.f_code.co_filename):
        if str(above.f_globals.get("__name__")).rpartition(".")[2] in _LOOPS:
            return True
        above = above.f_back
    return False


_LOOPS = ("loops", "iteration", "unrolling")

__all__ = ["assigned", "hands_on", "is_read", "shared_with", "user_frames"]
