"""Which Python state a function may read: found in its bytecode, before it runs.

The code of a function names its globals, the cells of its closure, and chains of attributes (and
of items with constant keys) that start at one of them or at a parameter: `cfg.rates['low']`.
"""

from __future__ import annotations

import dis
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

from autograph_lite.code_table import CodeTable
from autograph_lite.paths import ATTRIBUTE, ITEM, PRESENCE, Step

GLOBAL, FREE, PARAMETER = "global", "free", "parameter"


class Chain(NamedTuple):
    """A chain of look-ups in a function's code.

    Attributes:
      kind: where it starts: GLOBAL, FREE (a variable of an enclosing function) or PARAMETER.
      name: the name there.
      steps: attributes and constant items taken from there.
    """

    kind: str
    name: str
    steps: tuple[Step, ...] = ()


class CodeReads(NamedTuple):
    """What a code object, with those nested in it, reads and binds outside of itself.

    Attributes:
      chains: the chains it reads, each once.
      stored: the globals and enclosing functions' variables that it binds, as chains of no steps.
      assigned: the names of attributes that it assigns to, of whatever object.
      loaded: the names of attributes that it reads, of whatever object.
    """

    chains: tuple[Chain, ...]
    stored: tuple[Chain, ...]
    assigned: frozenset[str] = frozenset()
    loaded: frozenset[str] = frozenset()


_known: CodeTable[CodeReads] = CodeTable()


def code_reads(code: types.CodeType) -> CodeReads:
    """What `code` reads, by its bytecode.

    >>> def scaled(x, cfg):
    ...     return x * cfg.rates["low"] + OFFSET
    >>> for chain in code_reads(scaled.__code__).chains: print(chain.kind, chain.name, chain.steps)
    parameter cfg (('attribute', 'rates'), ('item', 'low'))
    global OFFSET ()
    """
    found = _known.get(code)
    if found is None:
        found = _study(code)
        _known.set(code, found)
    return found


def parameter_names(code: types.CodeType) -> tuple[str, ...]:
    """The names of a function's parameters, star parameters left out."""
    return code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _study(code: types.CodeType) -> CodeReads:
    scan = _Scan(code)
    chains: dict[Chain, None] = dict.fromkeys(
        chain for chain in scan.chains() if chain.steps or chain.kind != PARAMETER
    )
    stored: dict[Chain, None] = dict.fromkeys(scan.stored)
    assigned = {name for op, name in scan.instructions if op == "STORE_ATTR"}
    loaded = {name for op, name in scan.instructions if op == "LOAD_ATTR"}
    own = set(code.co_cellvars)
    parameters = set(parameter_names(code)) - scan.rebound
    for const in code.co_consts:
        if not isinstance(const, types.CodeType):
            continue
        inner = code_reads(const)
        assigned |= inner.assigned
        loaded |= inner.loaded
        for chain in inner.chains:
            if chain.kind == GLOBAL or (chain.kind == FREE and chain.name not in own):
                chains[chain] = None
            elif chain.kind == FREE and chain.name in parameters:
                chains[Chain(PARAMETER, chain.name, chain.steps)] = None
        for chain in inner.stored:
            if chain.kind == GLOBAL or chain.name not in own:
                stored[chain] = None
    return CodeReads(tuple(chains), tuple(stored), frozenset(assigned), frozenset(loaded))


_ASKING = {"getattr": ATTRIBUTE, "hasattr": PRESENCE}
"""Builtins that are given an object and the name of an attribute."""

_ASKING_CHAINS = frozenset(Chain(GLOBAL, name) for name in _ASKING)


class _Scan:
    """One pass over the instructions of a code object."""

    def __init__(self, code: types.CodeType) -> None:
        self.code = code
        self.instructions = list(_instructions(code))
        stores = [name for op, name in self.instructions if op in ("STORE_FAST", "DELETE_FAST")]
        self.once = {name for name in stores if stores.count(name) == 1}
        cells = {n for op, n in self.instructions if op in ("STORE_DEREF", "DELETE_DEREF")}
        self.rebound = set(stores) | (cells & set(code.co_cellvars))
        self.parameters = set(parameter_names(code)) - self.rebound
        self.stored = [
            Chain(GLOBAL if op == "STORE_GLOBAL" else FREE, name)
            for op, name in self.instructions
            if op == "STORE_GLOBAL" or (op == "STORE_DEREF" and name in code.co_freevars)
        ]
        # A local variable that is bound once, to a chain, stands for it.
        self.aliases: dict[str, Chain] = {}

    def chains(self) -> Iterator[Chain]:
        current: Chain | None = None
        pending: Any = None
        asks = ""  # the step if the current chain is the first argument of `getattr`, say
        for op, argument in self.instructions:
            if op in ("COPY", "DUP_TOP", "DUP_TOP_TWO"):
                continue
            if op in ("LOAD_ATTR", "LOAD_METHOD") and current is not None:
                current = current._replace(steps=(*current.steps, (ATTRIBUTE, argument)))
                continue
            if op == "LOAD_CONST" and current is not None and pending is None:
                pending = (argument,)
                continue
            if op == "BINARY_SUBSCR" and current is not None and pending is not None:
                if isinstance(pending[0], str | int):
                    current = current._replace(steps=(*current.steps, (ITEM, pending[0])))
                    pending = None
                    continue
            if current is not None:
                yield current
                if asks and pending is not None and isinstance(pending[0], str):
                    yield current._replace(steps=(*current.steps, (asks, pending[0])))
                if op == "STORE_FAST" and argument in self.once and pending is None:
                    self.aliases[argument] = current
            pending = None
            asks = _ASKING[current.name] if current in _ASKING_CHAINS else ""  # type: ignore[union-attr]
            current = self.start(op, argument)
        if current is not None:
            yield current

    def start(self, op: str, name: Any) -> Chain | None:
        """The chain that an instruction begins, if it does."""
        if op in ("LOAD_GLOBAL", "LOAD_NAME"):
            return Chain(GLOBAL, name)
        if op.startswith("LOAD_FAST"):
            if name in self.parameters:
                return Chain(PARAMETER, name)
            return self.aliases.get(name)
        if op in ("LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"):
            if name in self.code.co_freevars:
                return Chain(FREE, name)
            if name in self.parameters:
                return Chain(PARAMETER, name)
        return None


def _instructions(code: types.CodeType) -> Iterator[tuple[str, Any]]:
    """Names and arguments of the instructions, with joined ones taken apart."""
    for instruction in dis.get_instructions(code):
        op, argument = instruction.opname, instruction.argval
        if op == "EXTENDED_ARG":
            continue
        if type(argument) is tuple and op.count("_FAST") == 2:
            yield from zip(_halves(op), argument, strict=True)
        else:
            yield op, argument


def _halves(op: str) -> tuple[str, str]:
    """The two instructions that one like STORE_FAST_LOAD_FAST stands for."""
    words = op.split("_")
    middle = next(i for i in range(1, len(words)) if words[i] in ("LOAD", "STORE"))
    return "_".join(words[:middle]), "_".join(words[middle:])
