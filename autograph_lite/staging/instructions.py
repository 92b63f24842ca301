"""What the instructions of a function tell of its variables: which it binds, and reads later."""

from __future__ import annotations

import dis
from bisect import bisect_right
from collections.abc import Iterator
from types import CodeType
from typing import NamedTuple

from autograph_lite.code_table import CodeTable


class _Use(NamedTuple):
    """Where a variable is used.

    Attributes:
      offset: of the instruction.
      binds: whether it gives the variable a value, rather than to read it.
      inner: the function that is made there and uses the variable, if that is the use.
    """

    offset: int
    binds: bool
    inner: CodeType | None = None


class Facts:
    """What the instructions of a function tell.

    Attributes:
      shared: the variables that functions within it, at any depth, share with it, by their ids.
    """

    def __init__(self, code: CodeType) -> None:
        found = [i for i in dis.get_instructions(code) if i.opname != "EXTENDED_ARG"]
        self._name = code.co_name
        self._offsets = [i.offset for i in found]
        self._stored = [_stored(i) for i in found[1:]] + [None]
        self._uses: dict[str, list[_Use]] = {}
        for name, use in _uses(found, {*code.co_cellvars, *code.co_freevars}):
            self._uses.setdefault(name, []).append(use)
        jumps = {*dis.hasjrel, *dis.hasjabs}
        self._jumps = [i.offset for i in found if i.opcode in jumps]
        # From anywhere in a `try`, Python may go on elsewhere.
        self._tries = bool(getattr(code, "co_exceptiontable", b""))
        self._tries |= any(i.opname.startswith("SETUP_") for i in found)
        inside = [const for const in code.co_consts if isinstance(const, CodeType)]
        # What conversion has made of the parts of statements bears the name of the function.
        self._enclosed = {
            name for c in inside if c.co_name != code.co_name for name in c.co_freevars
        }
        self.shared: dict[int, frozenset[str]] = {}
        self._add_shared(code, frozenset(code.co_cellvars + code.co_freevars))

    def _add_shared(self, code: CodeType, names: frozenset[str]) -> None:
        for inner in code.co_consts:
            if isinstance(inner, CodeType):
                self.shared[id(inner)] = names.intersection(inner.co_freevars)
                self._add_shared(inner, self.shared[id(inner)])

    def assigned(self, at: int) -> str | None:
        """The variable to which the result of the instruction at an offset is assigned."""
        return self._stored[bisect_right(self._offsets, at) - 1]

    def reads(self, name: str, after: int = -1) -> bool:
        """Whether a variable's value may be read after an offset; a new value is another matter."""
        if name in self._enclosed:
            return True
        for use in self._uses.get(name, ()):
            if use.offset <= after:
                continue
            if use.binds:
                if self._goes_straight(after, use.offset):
                    return False
            elif use.inner is None or use.inner.co_name != self._name:
                return True
            elif facts_of(use.inner).reads(name):
                return True
        return False

    def _goes_straight(self, start: int, end: int) -> bool:
        """Whether what runs after one offset comes to another one."""
        return not self._tries and not any(start < offset < end for offset in self._jumps)


_known: CodeTable[Facts] = CodeTable()


def facts_of(code: CodeType) -> Facts:
    """What the instructions of a function tell."""
    found = _known.get(code)
    if found is None:
        found = Facts(code)
        _known.set(code, found)
    return found


def _uses(found: list[dis.Instruction], cells: set[str]) -> Iterator[tuple[str, _Use]]:
    for number, instruction in enumerate(found):
        for name in _read(instruction):
            inner = None
            if instruction.opname in _CLOSURES and name in cells:
                inner = _made_next(found, number)
            yield name, _Use(instruction.offset, False, inner)
        for name in _bound(instruction):
            yield name, _Use(instruction.offset, True)


# How the cells of a function that is made are gathered; Python 3.13 has no LOAD_CLOSURE any more.
_CLOSURES = ("LOAD_CLOSURE", "LOAD_FAST", "LOAD_FAST_LOAD_FAST")


def _made_next(found: list[dis.Instruction], number: int) -> CodeType | None:
    for instruction in found[number + 1 :]:
        if isinstance(instruction.argval, CodeType):
            return instruction.argval
    return None


def _read(instruction: dis.Instruction) -> tuple[str, ...]:
    name, found = instruction.opname, instruction.argval
    if isinstance(found, tuple):
        if name == "STORE_FAST_STORE_FAST":
            return ()
        return found[1:] if name == "STORE_FAST_LOAD_FAST" else found
    if isinstance(found, str) and name.startswith("LOAD_"):
        return (found,)
    return ()


def _bound(instruction: dis.Instruction) -> tuple[str, ...]:
    found = instruction.argval
    if instruction.opname == "STORE_FAST_STORE_FAST":
        return tuple(found)
    stored = _stored(instruction)
    return () if stored is None else (stored,)


def _stored(instruction: dis.Instruction) -> str | None:
    if not instruction.opname.startswith("STORE_") or instruction.opname in _NOT_VARIABLES:
        return None
    found = instruction.argval
    return str(found[0]) if isinstance(found, tuple) else str(found)


_NOT_VARIABLES = ("STORE_ATTR", "STORE_SUBSCR", "STORE_SLICE")

__all__ = ["Facts", "facts_of"]
