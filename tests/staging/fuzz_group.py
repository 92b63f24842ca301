"""Groups of further constructs of the random programs, which can be tried one at a time.

A maker takes the program that is being made and gives lines, or the text of an expression. Makers of
blocks nest other statements; all others are a few lines long.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.staging.fuzz_programs import Program

Lines = Callable[["Program"], list[str]]
Text = Callable[["Program"], str]


@dataclasses.dataclass(frozen=True)
class Group:
    """The makers of constructs of one kind, and what they need.

    Attributes:
      prelude: what stands before the function.
      start: what stands at the function's start.
      result: what the function gives back of the group's variables, a part of a display of a dict.
      statements, blocks: makers of lines; those of blocks nest other statements.
      floats, integers, conditions, vectors, items, iterables: makers of expressions.
      costly: whether its blocks are traced so often that few are to stand in others.
    """

    prelude: str = ""
    start: tuple[Text, ...] = ()
    result: str = ""
    statements: tuple[Lines, ...] = ()
    blocks: tuple[Lines, ...] = ()
    floats: tuple[Text, ...] = ()
    integers: tuple[Text, ...] = ()
    conditions: tuple[Text, ...] = ()
    vectors: tuple[Text, ...] = ()
    items: tuple[Text, ...] = ()
    iterables: tuple[Text, ...] = ()
    costly: bool = False


def within(lines: list[str]) -> list[str]:
    """The lines, one level deeper."""
    return ["    " + line for line in lines]


def list_to_change(p: Program) -> str:
    """A list that no loop goes through, as one that grows in a loop over it never ends."""
    free = [name for name in ("items", "kept") if name not in p.iterated]
    return p.random.choice(free or ["cell.items"])


def raised(p: Program, kinds: tuple[str, ...] = ("Refused", "ValueError")) -> list[str]:
    """A line that raises under a condition."""
    return [f"if {p.condition(1)}:", f"    raise {p.pick(*kinds)}('at {p.fresh('place')}')"]


_HOLE = re.compile(r"\$([A-Z])(?:\((\w+(?:,\w+)*)\))?|\$([a-z])")


def templates(*texts: str) -> tuple[Lines, ...]:
    """Makers of lines of texts with holes, one maker a text.

    The holes: `$f` a float, `$a` a simple one, `$i` an integer, `$k` an index below 4, `$c` a
    condition, `$v` a vector, `$l` a list to change, `$q` one to read, `$w` an iterable of floats,
    `$o` one that does not grow, `$s` a variable for floats, `$r` the result; `$x`, `$y`, `$z` new
    names. A line `$B` is a block, `$L` one in a loop; `$B(z)` is one in which `$z` is a float.
    """
    return tuple(_maker(text.strip("\n")) for text in texts)


def expressions(*texts: str) -> tuple[Text, ...]:
    """Makers of expressions of texts with holes; see `templates`."""
    return tuple(_expression(text) for text in texts)


def _expression(text: str) -> Text:
    def make(p: Program) -> str:
        return _filled(p, text, {})

    return make


def _maker(text: str) -> Lines:
    def make(p: Program) -> list[str]:
        names: dict[str, str] = {}
        made: list[str] = []
        for line in text.splitlines():
            hole = _HOLE.fullmatch(line.strip())
            if hole is None or hole[1] is None:
                made.append(_filled(p, line, names))
            else:
                floats = [_fresh(p, names, name) for name in (hole[2] or "").split(",") if name]
                lead = line[: len(line) - len(line.lstrip())]
                made += [lead + inner for inner in _block(p, hole[1] == "L", floats)]
        return made

    return make


def _block(p: Program, is_loop: bool, floats: list[str]) -> list[str]:
    p.bound["f"] += floats
    was, p.in_loop = p.in_loop, p.in_loop or is_loop
    made = p.block(2)
    p.in_loop = was
    for name in floats:
        p.bound["f"].remove(name)
    return made


def _fresh(p: Program, names: dict[str, str], letter: str) -> str:
    if letter not in names:
        names[letter] = p.fresh(letter)
    return names[letter]


def _filled(p: Program, text: str, names: dict[str, str]) -> str:
    makers: dict[str, Callable[[], str]] = {
        "f": lambda: p.floats(2),
        "a": lambda: p.floats(3),
        "i": lambda: p.integer(2),
        "k": p.index,
        "c": lambda: p.condition(1),
        "v": lambda: p.vector(1),
        "l": lambda: list_to_change(p),
        "q": lambda: p.name("q"),
        "w": p.iterable_of_floats,
        "o": p.of_fixed_length,
        "s": lambda: p.pick("s", "t", "u"),
        "r": p.result,
    }

    def fill(hole: re.Match[str]) -> str:
        letter = hole[3]
        return _fresh(p, names, letter) if letter in "xyz" else makers[letter]()

    return re.sub(r"\$([A-Z])?()([a-z])", fill, text)
