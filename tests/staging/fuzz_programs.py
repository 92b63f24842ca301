"""Makes random programs on tensors: every construct that staging knows, nested in the others.

A program is a module with a function `main(xs, x, n, k)`: a float64 vector, a float64 scalar and two
int32 scalars, all of which are tensors in the staged run. It ends by itself, as every `while` counts
down. What a program does depends on its seed alone.

Variables have kinds, so that programs fail rarely: `f` floats, `i` ints, `b` bools, `v` vectors of
four floats, `q` lists of floats, `d` dicts, `o` objects.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tests.staging.fuzz_constructs import GROUPS

PRELUDE = """
import contextlib
import dataclasses
import functools
import itertools
import math
from typing import NamedTuple

import numpy as np


class Refused(Exception):
    pass


@dataclasses.dataclass
class Point:
    a: float
    b: float

    def scaled(self, c):
        return Point(self.a * c, self.b + c)


class Pair(NamedTuple):
    a: float
    b: float


class Cell:
    def __init__(self, a):
        self.a = a
        self.b = 0.5
        self.items = []

    def push(self, value):
        if value > 0:
            self.items.append(value)
            self.a = self.a * 0.5 + value
        else:
            self.b -= value * 0.25
        return self

    def total(self):
        return self.a + self.b * 2


def bounded(value):
    return value / (1.0 + abs(value))


def choose(value, low):
    if value < low:
        return low
    if value > 3:
        return 3.0
    return value


def keep(items, value):
    if value > 0:
        items.append(value)
    return items


def positive(values):
    for value in values:
        if value > 0:
            yield value * 0.5
"""

ARGUMENTS = {"f": ["x"], "i": ["n", "k"], "v": ["xs"], "b": [], "q": [], "d": [], "o": []}
NAMES = {
    "f": ["s", "t", "u"], "i": ["i1", "i2"], "b": ["p", "r"], "v": ["vec", "buf"],
    "q": ["items", "kept"], "d": ["table"], "o": ["cell", "point"],
}  # fmt: skip


class Program:
    """One random program.

    Attributes:
      text: the module.
      groups: those of `fuzz_constructs` that it draws from, at first all.
      most: of how many of them one program is made.
      share: the share of its statements and expressions that come from there.
    """

    groups = tuple(GROUPS.values())
    most = 4
    share = 0.5

    def __init__(self, seed: int, size: int = 12) -> None:
        self.random = random.Random(seed)
        self.groups = tuple(self.random.sample(self.groups, min(self.most, len(self.groups))))
        self.budget = size
        self.number = 0
        self.loops = 0
        self.depth = 0
        self.functions: list[str] = []
        self.bound = {kind: list(names) for kind, names in ARGUMENTS.items()}
        self.in_loop = False
        self.iterated: list[str] = []
        self.deep = self.chance(0.15)
        body = self.start()
        while self.budget > 0:
            body += self.statement()
        body += [self.result()]
        prelude = PRELUDE + "".join("\n" + group.prelude for group in self.groups if group.prelude)
        self.text = prelude + "\n\ndef main(xs, x, n, k):\n" + indented(body)

    # ---- helpers

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def fresh(self, stem: str) -> str:
        self.number += 1
        return f"{stem}{self.number}"

    def name(self, kind: str) -> str:
        return self.random.choice(self.bound[kind])

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def further(self, what: str, share: float) -> Callable[[Program], Any] | None:
        """A maker of one of the groups now and then, as often as `share` says."""
        groups = self.groups
        if what == "blocks" and self.depth and self.chance(0.95):
            groups = tuple(group for group in groups if not group.costly)
        makers = [maker for group in groups for maker in getattr(group, what)]
        return self.random.choice(makers) if makers and self.chance(share) else None

    def start(self) -> list[str]:
        made = [
            f"s = {self.pick('0', '0.0', 'x', '1.5')}",
            f"t = {self.pick('1', 'x * 0.5', '-0.25')}",
            "u = 2.0",
            f"i1 = {self.pick('0', 'n', '3')}",
            f"i2 = {self.pick('1', 'k', '2')}",
            f"p = {self.pick('False', 'x > 0', 'n > 2')}",
            "r = True",
            f"vec = {self.pick('xs * 0.5', 'xs + 1.0', 'np.zeros(4)', 'np.ones(4)')}",
            f"buf = {self.pick('np.zeros(4)', 'xs.copy()', 'np.full(4, 0.5)')}",
            f"items = {self.pick('[]', '[x]', '[1.0, 2.0]', '[v for v in xs]')}",
            f"kept = {self.pick('[]', '[0.5]', '[v for v in xs if v > 0]')}",
            f"table = {{'a': {self.pick('0.0', 'x', '1.0')}, 'b': 1.0, 'c': {self.pick('0', 'n')}}}",
            f"cell = Cell({self.pick('x', '0.0', '1.0')})",
            f"point = Point({self.pick('x', '0.0')}, 1.0)",
            "grid, pairs, log, line = [[], [x]], [], {}, ''",
        ]
        made += [maker(self) for group in self.groups for maker in group.start]
        for kind, names in NAMES.items():
            self.bound[kind] += names
        return made

    # ---- expressions

    def floats(self, depth: int = 0) -> str:
        simple: list[Callable[[], str]] = [
            lambda: self.name("f"),
            lambda: self.name("f"),
            lambda: self.pick("0.5", "1.0", "-1.5", "2.0"),
            lambda: f"xs[{self.pick('0', '1', '-1', '3')}]",
            lambda: self.pick("cell.a", "cell.b", "point.a", "point.b", "table['a']", "table['b']"),
        ]
        if depth > 2:
            return self.random.choice(simple)()
        maker = self.further("floats", self.share / 3)
        if maker is not None:
            return maker(self)

        def sub() -> str:
            return self.floats(depth + 1)

        deeper: list[Callable[[], str]] = [
            lambda: f"({sub()} {self.pick('+', '-', '*')} {sub()})",
            lambda: f"bounded({sub()})",
            lambda: f"choose({sub()}, {self.pick('-1.0', 'x', '0.0')})",
            lambda: f"({sub()} if {self.condition(depth + 1)} else {sub()})",
            lambda: f"{self.pick('max', 'min')}({sub()}, {sub()})",
            lambda: f"abs({sub()})",
            lambda: f"xs[{self.index()}]",
            lambda: f"{self.name('v')}[{self.index()}]",
            lambda: f"np.{self.pick('sin', 'cos', 'tanh')}({sub()})",
            lambda: f"np.{self.pick('sum', 'mean', 'max')}({self.vector(depth + 1)})",
            lambda: f"sum({self.items(depth + 1)})",
            lambda: f"sum(w * {sub()} for w in {self.iterable_of_floats()})",
            lambda: f"max({self.items(depth + 1)}, default=0.0)",
            lambda: f"({self.name('i')} * {sub()})",
            lambda: f"[{sub()}, {sub()}, {sub()}][{self.index('3')}]",
            lambda: f"({sub()}, {sub()})[{self.index('2')}]",
            lambda: f"{{0: {sub()}, 1: {sub()}}}[{self.index('2')}]",
            lambda: (
                f"functools.reduce(lambda a, b: bounded(a + b), {self.iterable_of_floats()}, {sub()})"
            ),
            lambda: f"cell.{self.pick('total()', 'a', 'b')}",
            lambda: f"point.scaled({sub()}).{self.pick('a', 'b')}",
            lambda: f"math.{self.pick('cos', 'sin', 'atan')}({sub()})",
            lambda: f"float({self.integer(depth + 1)})",
        ]
        options = simple + deeper if depth else deeper
        return self.random.choice(options)()

    def index(self, size: str = "4") -> str:
        return f"{self.integer(2)} % {size}"

    def integer(self, depth: int = 0) -> str:
        simple: list[Callable[[], str]] = [
            lambda: self.name("i"),
            lambda: self.pick("0", "1", "2", "3"),
            lambda: f"len({self.name('q')})",
            lambda: "table['c']",
        ]
        if depth > 1:
            return self.random.choice(simple)()
        maker = self.further("integers", self.share / 3)
        if maker is not None:
            return maker(self)

        def sub() -> str:
            return self.integer(depth + 1)

        deeper: list[Callable[[], str]] = [
            lambda: f"({sub()} {self.pick('+', '-', '*')} {sub()}) % 7",
            lambda: f"{sub()} // {self.pick('2', '3')}",
            lambda: f"({sub()} if {self.condition(depth + 1)} else {sub()})",
            lambda: f"{self.pick('max', 'min')}({sub()}, {sub()})",
            lambda: f"sum(1 for w in {self.iterable_of_floats()} if w > {self.floats(3)})",
            lambda: f"len([w for w in {self.iterable_of_floats()} if w < {self.floats(3)}])",
            lambda: f"int({self.floats(3)})",
        ]
        return self.random.choice(simple + deeper)()

    def condition(self, depth: int = 0) -> str:
        def sub() -> str:
            return self.condition(depth + 1)

        simple: list[Callable[[], str]] = [
            lambda: f"{self.floats(3)} {self.pick('<', '>', '<=', '>=')} {self.floats(3)}",
            lambda: f"{self.integer(2)} {self.pick('<', '>', '==', '!=')} {self.integer(2)}",
            lambda: self.name("b"),
        ]
        if depth > 1:
            return self.random.choice(simple)()
        maker = self.further("conditions", self.share / 3)
        if maker is not None:
            return maker(self)
        deeper: list[Callable[[], str]] = [
            lambda: f"({sub()} {self.pick('and', 'or')} {sub()})",
            lambda: f"not {sub()}",
            lambda: f"({self.floats(3)} < {self.floats(3)} <= {self.floats(3)})",
            lambda: f"{self.integer(2)} {self.pick('in', 'not in')} (0, 2, 3)",
            lambda: (
                f"{self.pick('any', 'all')}(w > {self.floats(3)} for w in {self.iterable_of_floats()})"
            ),
            lambda: self.name("q"),
            lambda: f"{self.integer(2)} % 2",
            lambda: (
                f"({self.floats(3)}, {self.integer(2)}) < ({self.floats(3)}, {self.integer(2)})"
            ),
        ]
        return self.random.choice(simple + deeper)()

    def vector(self, depth: int = 0) -> str:
        if depth > 1:
            return self.name("v")
        maker = self.further("vectors", self.share / 3)
        if maker is not None:
            return maker(self)

        def sub() -> str:
            return self.vector(depth + 1)

        return self.random.choice(
            [
                lambda: self.name("v"),
                lambda: f"({sub()} {self.pick('+', '-', '*')} {sub()})",
                lambda: f"({sub()} * {self.floats(2)})",
                lambda: f"np.tanh({sub()})",
                lambda: f"np.where({sub()} > {self.floats(3)}, {sub()}, {sub()})",
                lambda: f"np.maximum({sub()}, {self.floats(3)})",
                lambda: f"{sub()}[::-1]",
                lambda: f"np.stack([{', '.join(self.floats(3) for _ in range(4))}])",
                lambda: f"np.array([w * {self.floats(3)} for w in xs])",
            ]
        )()

    def items(self, depth: int = 0) -> str:
        maker = self.further("items", self.share / 3)
        if maker is not None:
            return maker(self)
        return self.random.choice(
            [
                lambda: f"{self.name('q')}.copy()",
                lambda: f"[{self.floats(3)}, {self.floats(3)}]",
                lambda: f"[w * {self.floats(3)} for w in {self.iterable_of_floats()}]",
                lambda: f"[w for w in {self.iterable_of_floats()} if w > {self.floats(3)}]",
                lambda: f"[w for row in (xs, vec) for w in row if w < {self.floats(3)}]",
                lambda: f"list({self.iterable_of_floats()})",
                lambda: f"{self.name('q')}[{self.pick('1:', ':2', '::-1', ':-1')}]",
                lambda: f"({self.name('q')} + [{self.floats(3)}])",
                lambda: f"sorted({self.name('q')}, reverse={self.pick('True', 'False')})",
                lambda: "[w for w in positive(xs)]",
                lambda: f"list(itertools.accumulate({self.iterable_of_floats()}))",
            ]
        )()

    def iterable_of_floats(self) -> str:
        maker = self.further("iterables", self.share / 3)
        if maker is not None:
            return maker(self)
        return self.pick(
            "xs", "vec", "buf", self.name("q"), "xs[1:]", "map(bounded, xs)",
            "filter(lambda a: a > 0, xs)", "reversed(xs)", "itertools.chain(xs, vec)",
            "positive(xs)",
        )  # fmt: skip

    def of_fixed_length(self) -> str:
        """An iterable that does not grow while a loop goes through it, which might never end."""
        found = self.iterable_of_floats()
        return f"{found}[:8]" if found in self.bound["q"] else found

    # ---- statements

    def statement(self) -> list[str]:
        self.budget -= 1
        simple = [
            self.assign, self.assign, self.augment, self.collect, self.collect, self.store,
            self.objects, self.show, self.nested, self.perhaps,
        ]  # fmt: skip
        compound = [self.branch, self.branch, self.for_, self.for_, self.while_, self.python_for]
        rare = [self.function, self.try_, self.raising, self.jump, self.jump, self.with_]
        deepest = 3 if self.deep else 2
        what = "blocks" if self.depth < deepest and self.chance(0.5) else "statements"
        maker = self.further(what, self.share)
        if maker is not None:
            return maker(self)
        options = simple + (compound + rare if self.depth < deepest else [self.jump])
        return self.random.choice(options)()

    def block(self, most: int = 3) -> list[str]:
        self.depth += 1
        made: list[str] = []
        for _ in range(self.random.randint(1, most)):
            made += self.statement()
        self.depth -= 1
        return made

    def assign(self) -> list[str]:
        kind = self.pick("f", "f", "f", "i", "b", "v")
        target = self.random.choice(NAMES[kind])
        makers = {
            "f": lambda: f"bounded({self.floats()})", "i": lambda: f"{self.integer()} % 9",
            "b": self.condition_value, "v": lambda: f"np.tanh({self.vector()})",
        }  # fmt: skip
        if self.chance(0.15) and kind == "f":
            return [f"{target}, u = {self.floats(1)}, {target}"]
        return [f"{target} = {makers[kind]()}"]

    def condition_value(self) -> str:
        return f"({self.floats(3)} < {self.floats(3)})"

    def augment(self) -> list[str]:
        if self.chance(0.3):
            return [f"{self.pick(*NAMES['i'])} += {self.pick('1', '2')}"]
        target = self.pick(*NAMES["f"])
        return [f"{target} {self.pick('+=', '-=')} {self.floats(1)}"]

    def collect(self) -> list[str]:
        q = self.random.choice(NAMES["q"])
        if q in self.iterated:
            # A list that grows in a loop over it never comes to its end.
            q = next((name for name in NAMES["q"] if name not in self.iterated), "cell.items")
        return self.random.choice(
            [
                lambda: [f"{q}.append({self.floats(1)})"],
                lambda: [f"{q}.append({self.floats(1)})"],
                lambda: [f"{q} += [{self.floats(2)}, {self.floats(3)}]"],
                lambda: [f"{q}.extend({self.iterable_of_floats()})", f"{q} = {q}[:5]"],
                lambda: [f"{q}.insert({self.pick('0', '1', 'len(' + q + ')')}, {self.floats(2)})"],
                lambda: [f"if len({q}) > 1:", f"    s += {q}.pop({self.pick('', '0', '-1')})"],
                lambda: [f"if {q}:", f"    {q}[{self.pick('0', '-1')}] = {self.floats(2)}"],
                lambda: [f"if {q}:", f"    del {q}[{self.pick('0', '-1')}]"],
                lambda: [f"{q} = {self.items()}"],
                lambda: [f"{q} = keep({q}, {self.floats(2)})"],
                lambda: [f"{q}.reverse()"],
                lambda: [f"for w in {q}[:3]:", f"    t = bounded(t + w * {self.floats(3)})"],
                lambda: [f"for j, w in enumerate({q}):", f"    u += bounded(w) * j"],
                lambda: [
                    f"for a, w in zip({q}, {self.iterable_of_floats()}):",
                    "    s += a * bounded(w)",
                ],
            ]
        )()

    def store(self) -> list[str]:
        if "buf" in self.iterated:
            return self.assign()  # what a loop over an array reads are its items from before
        return self.random.choice(
            [
                lambda: [f"buf[{self.index()}] = {self.floats(2)}"],
                lambda: [f"buf[{self.index()}] += {self.floats(2)}"],
                lambda: [f"buf[buf > {self.floats(3)}] = {self.floats(3)}"],
                lambda: [f"buf[1:3] = {self.floats(2)}"],
                lambda: ["buf = buf.copy()", f"buf[::2] *= {self.floats(3)}"],
                lambda: [f"table[{self.pick(*map(repr, 'ab'))}] = {self.floats(1)}"],
                lambda: [f"table[{self.pick(*map(repr, 'ab'))}] += {self.floats(2)}"],
                lambda: [f"table['c'] = {self.integer()} % 5"],
            ]
        )()

    def objects(self) -> list[str]:
        return self.random.choice(
            [
                lambda: [f"cell.a = {self.floats(1)}"],
                lambda: [f"cell.b += {self.floats(2)}"],
                lambda: [f"cell.push({self.floats(2)})"],
                lambda: [f"cell = Cell({self.floats(2)})"],
                lambda: [f"point = Point({self.floats(2)}, point.a)"],
                lambda: [f"point = point.scaled({self.floats(3)})"],
                lambda: [f"point.a = bounded(point.a + {self.floats(2)})"],
                lambda: [f"point = dataclasses.replace(point, b={self.floats(2)})"],
                lambda: [f"a, b = Pair({self.floats(2)}, {self.floats(2)})", "s += a * bounded(b)"],
            ]
        )()

    def show(self) -> list[str]:
        return self.random.choice(
            [
                lambda: [f"print('f %.4f' % ({self.floats(2)} + x * 0), x, n)"],
                lambda: [f'print(f"{{x + {self.floats(3)}:.3f}} {{n + {self.integer(2)}:>4}}")'],
                lambda: [f"print('%.2f %d' % (x * {self.floats(3)}, n))"],
                lambda: [f"print('{{:>9.3f}}|'.format(x + {self.floats(3)}))"],
            ]
        )()

    def nested(self) -> list[str]:
        """Containers in containers, dicts that are asked, matches, walruses, text."""
        c, z = self.fresh("z"), self.fresh("z")
        return self.random.choice(
            [
                lambda: [f"grid[{self.pick('0', '1', '-1')}].append({self.floats(2)})"],
                lambda: [f"grid[{self.pick('0', '1')}] = {self.items(1)}"],
                lambda: ["grid.append([])", "grid = grid[-3:]"],
                lambda: [f"pairs.append(({self.floats(2)}, {self.integer(2)}))"],
                lambda: [f"for {c}, {z} in pairs:", f"    s = bounded(s + {c} * {z})"],
                lambda: [
                    f"for {c} in grid:",
                    f"    for {z} in {c}:",
                    f"        t = bounded(t - {z})",
                ],
                lambda: [f"log['{self.pick('p', 'q')}'] = {self.floats(2)}"],
                lambda: [f"u = bounded(u + log.get('{self.pick('p', 'q')}', {self.floats(3)}))"],
                lambda: [f"if '{self.pick('p', 'q')}' in log:", f"    i1 = {self.integer(2)} % 9"],
                lambda: [f"log.setdefault('p', {self.floats(3)})", "log['p'] += 1.0"],
                lambda: [f"s += sum([{c} * {c} for {c} in [{z} + 1 for {z} in xs] if {c} > 0])"],
                lambda: [
                    f"{c} = {{key: {self.floats(2)} for key in ('m', 'n')}}",
                    f"s += {c}['n']",
                ],
                lambda: [
                    f"while ({c} := {self.floats(2)}) > 0.5 and i2 < 9:",
                    "    i2 += 2",
                    f"    t = bounded(t + {c})",
                ],
                lambda: [
                    f"match {self.integer(1)} % 4:",
                    "    case 0:",
                    f"        s += {self.floats(2)}",
                    "    case 1 | 3:",
                    f"        t = {self.floats(2)}",
                    f"    case {c} if {c} > n:",
                    "        i1 = 3",
                    "    case _:",
                    "        pass",
                ],
                lambda: [
                    f"assert {self.floats(3)} < {self.pick('30', '50')}, f'{{x:.2f}} is large'"
                ],
                lambda: [f'line = f"{{x + {self.floats(3)}:.2f}};"', "print(line, n)"],
            ]
        )()

    def perhaps(self) -> list[str]:
        """Names that only some paths bind, and values that may be None."""
        z = self.fresh("z")
        test = self.condition(1)
        return self.random.choice(
            [
                lambda: [
                    f"r = bool({test})",
                    "if r:",
                    f"    {z} = {self.floats(2)}",
                    f"t = {self.floats(2)}",
                    "if r:",
                    f"    s = bounded(s + {z})",
                ],
                lambda: [
                    f"{z} = None",
                    f"for w in {self.iterable_of_floats()}:",
                    f"    if {z} is None or w > {z}:",
                    f"        {z} = w",
                    f"s += 0.0 if {z} is None else {z}",
                ],
                lambda: [
                    f"{z} = {self.floats(2)} if {test} else None",
                    f"if {z} is not None:",
                    f"    t = bounded({z} * 2)",
                ],
                lambda: [
                    f"for {z} in {self.iterable_of_floats()}:",
                    f"    if {z} > {self.floats(3)}:",
                    "        break",
                    "else:",
                    f"    {z} = {self.floats(3)}",
                    f"u = bounded({z})",
                ],
            ]
        )()

    def branch(self) -> list[str]:
        made = [f"if {self.condition()}:", *indented_lines(self.block())]
        if self.chance(0.25):
            made += [f"elif {self.condition()}:", *indented_lines(self.block(2))]
        if self.chance(0.5):
            made += ["else:", *indented_lines(self.block(2))]
        return made

    def loop(self, head: list[str], before: list[str] | None = None) -> list[str]:
        was, self.in_loop = self.in_loop, True
        body = (before or []) + self.block()
        self.in_loop = was
        made = [*head, *indented_lines(body)]
        if self.chance(0.2):
            made += ["else:", *indented_lines(self.block(1))]
        return made

    def for_(self) -> list[str]:
        w, j = self.fresh("w"), self.fresh("j")
        head, values, numbers = self.random.choice(
            [
                (f"for {w} in xs:", [w], []),
                (f"for {w} in {self.of_fixed_length()}:", [w], []),
                (f"for {j} in range(n % 5):", [], [j]),
                (f"for {j} in range(k % 3, 5, 2):", [], [j]),
                (f"for {j}, {w} in enumerate(xs):", [w], [j]),
                (f"for {w}, {w}b in zip(xs, vec):", [w, f"{w}b"], []),
                (f"for {j} in reversed(range(n % 4)):", [], [j]),
                (f"for {j}, {w} in itertools.product(range(k % 3), xs[:2]):", [w], [j]),
                (f"for {w} in itertools.islice(xs, n % 4):", [w], []),
                (f"for {w}, {w}b in itertools.pairwise(xs):", [w, f"{w}b"], []),
            ]
        )
        self.bound["f"] += values
        self.bound["i"] += numbers
        iterated = [q for q in (*NAMES["q"], "buf") if head.endswith(f" in {q}:")]
        self.iterated += iterated
        made = self.loop([head])
        del self.iterated[len(self.iterated) - len(iterated) :]
        for name in values:
            self.bound["f"].remove(name)
        for name in numbers:
            self.bound["i"].remove(name)
        return made

    def python_for(self) -> list[str]:
        w = self.fresh("c")
        self.bound["f"].append(w)
        made = self.loop([f"for {w} in {self.pick('(1, 2, 3)', '(0.5, -1.0)', '[x, 1.0]')}:"])
        self.bound["f"].remove(w)
        return made

    def while_(self) -> list[str]:
        c = self.fresh("count")
        start = self.pick("n % 5", "3", "k % 4", "n % 3 + 1")
        test = f"{c} > 0"
        if self.chance(0.4):
            test += f" and {self.condition(1)}"
        if self.chance(0.15):
            test = "True"
        guard = [f"if {c} <= 0:", "    break"] if test == "True" else []
        made = self.loop([f"while {test}:"], [*guard, f"{c} -= 1"])
        return [f"{c} = {start}", *made]

    def jump(self) -> list[str]:
        if not self.in_loop:
            if self.chance(0.3) and self.depth:
                return [f"if {self.condition()}:", "    " + self.result()]
            return self.assign()
        word = self.pick("break", "continue", "break", "return")
        if word == "return":
            word = self.result()
        return [f"if {self.condition()}:", f"    {word}"]

    def function(self) -> list[str]:
        name = self.fresh("inner")
        a = self.fresh("a")
        was, self.in_loop = self.in_loop, False
        bound = {kind: list(names) for kind, names in self.bound.items()}
        self.bound["f"].append(a)
        made = [
            f"def {name}({a}):",
            f"    if {self.condition()}:",
            f"        return {self.floats(1)}",
            f"    return bounded({a} * {self.floats(2)})",
        ]
        self.bound, self.in_loop = bound, was
        return [*made, f"s += {name}({self.floats(2)})"]

    def raising(self) -> list[str]:
        return [
            f"if {self.floats(3)} > {self.pick('4', '9', '2.5')}:",
            f"    raise Refused(f'at {{x:.2f}} {self.number}')",
        ]

    def try_(self) -> list[str]:
        # Local variables only: what a `try` may leave half done is the user's own business.
        made = [
            "try:",
            f"    if {self.condition()}:",
            f"        raise {self.pick('Refused', 'ValueError', 'KeyError')}('caught')",
            f"    t = {self.floats(1)}",
            f"except {self.pick('Refused', '(Refused, ValueError)', 'Exception')}:",
            f"    t = {self.floats(2)}",
        ]
        if self.chance(0.3):
            made += ["else:", f"    s += {self.floats(2)}"]
        if self.chance(0.3):
            made += ["finally:", f"    u = {self.floats(2)}"]
        return made

    def with_(self) -> list[str]:
        return ["with np.errstate(all='ignore'):", *indented_lines(self.block(2))]

    def result(self) -> str:
        return (
            "return {'f': (s * 1.0, t * 1.0, u), 'i': (i1, i2), 'v': (vec, buf), 'q': [items, kept], "
            "'d': table, 'o': (cell.a, cell.b, cell.items, point), 'g': (grid, pairs)"
            + "".join(", " + group.result for group in self.groups if group.result)
            + "}"
        )


def indented_lines(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def indented(lines: list[str]) -> str:
    return "\n".join(indented_lines(lines)) + "\n"


def program(seed: int, size: int | None = None) -> str:
    """The text of the program that belongs to a seed."""
    return Program(seed, size or 3 + seed % 9).text
