"""Random programs with `:=` in all places do the same staged as plain."""

from __future__ import annotations

import linecache
import random

import numpy as np
import pytest

from tests.staging.differential import check_all

HEAD = """\
def say(k, v, x):
    print(k, v + x)
    return v
def pair(a, b, k=1.0):
    return a - b * k
def f(x, y, n):
"""


class Program:
    """One random program.

    Args:
      seed: says which.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.count = 0

    def text(self) -> str:
        """The program's source."""
        first = [f"    {v} = x + {i}.5" for i, v in enumerate("uvw") if self.random.random() < 0.75]
        body = self.block(1, 2, False)
        return HEAD + "\n".join([*first, *body, "    return u + v"]) + "\n"

    def pick(self, *options: str) -> str:
        return self.random.choice(options)

    def name(self) -> str:
        return self.pick("u", "v", "w")

    def number(self) -> int:
        self.count += 1
        return self.count

    def value(self, depth: int) -> str:
        """An expression for a number."""
        if depth <= 0 or self.random.random() < 0.2:
            return self.pick(
                *("x", "y", "x", "y", "u", "v", "w", "1.5", "x * 2", "y - 1"),
                f"say({self.number()}, x + y, x)",
                f"({self.name()} := x - y)",
            )
        value = lambda: self.value(depth - 1)  # noqa: E731
        return self.pick(
            f"({value()} {self.pick('+', '-', '*')} {value()})",
            f"({value()} {self.pick('and', 'or')} {value()})",
            f"({value()} {self.pick('and', 'or')} {value()} {self.pick('and', 'or')} {value()})",
            f"({value()} if {self.test(depth - 1)} else {value()})",
            f"say({self.number()}, {value()}, x)",
            f"({self.name()} := {value()})",
            f"max({value()}, {value()})",
            f"-{value()}",
            f"pair({value()}, *({value()},), k={value()})",
        )

    def test(self, depth: int) -> str:
        """An expression that is true or false."""
        if depth <= 0:
            return f"{self.pick('x', 'y', 'u')} {self.pick('>', '<')} {self.pick('0', '1', 'y')}"
        value = lambda: self.value(depth - 1)  # noqa: E731
        test = lambda: self.test(depth - 1)  # noqa: E731
        item = f"q{self.number()}"
        where = self.pick("", "", f" if {item} > {self.pick('0', 'u')}")
        return self.pick(
            f"({test()} {self.pick('and', 'or')} {test()})",
            f"(not {test()})",
            f"({value()} > {value()})",
            f"({value()} < {value()} <= {value()})",
            f"({test()} if {test()} else {test()})",
            f"(({self.name()} := {value()}) > {self.pick('0.5', 'x')})",
            f"{self.pick('any', 'all')}(({self.name()} := {item} * {value()}) > "
            f"{self.pick('0', 'x')} for {item} in (x, y, u){where})",
        )

    def block(self, level: int, depth: int, in_loop: bool) -> list[str]:
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement("    " * level, level, depth, in_loop)
        return lines

    def statement(self, start: str, level: int, depth: int, in_loop: bool) -> list[str]:
        kind = self.random.randrange(10)
        if kind <= 2:
            return [f"{start}{self.name()} {self.pick('=', '=', '+=')} {self.value(3)}"]
        if kind == 3:
            return [f"{start}{self.value(3)}"]
        if kind == 4:
            return [f"{start}assert {self.test(2)}, {self.number()}"]
        if kind == 5 and depth > 0 and not in_loop:
            return self.loop(start, level, depth)
        if kind <= 8 and depth > 0:
            lines = [f"{start}if {self.test(3)}:", *self.block(level + 1, depth - 1, in_loop)]
            for head in (f"elif {self.test(3)}:", "else:"):
                if self.random.random() < 0.5:
                    lines += [start + head, *self.block(level + 1, depth - 1, in_loop)]
            return lines
        if in_loop and self.random.random() < 0.6:
            return [start + self.pick("break", "continue")]
        return [f"{start}{self.pick('return', self.name() + ' =')} {self.value(3)}"]

    def loop(self, start: str, level: int, depth: int) -> list[str]:
        i = f"i{self.number()}"
        # A test without a `:=` would stay one.
        test = f"{i} < n and ({self.name()} := {self.value(2)}) > -9 and {self.test(2)}"
        lines = [f"{start}{i} = 0", f"{start}while {test}:", f"{start}    {i} += 1"]
        lines += self.block(level + 1, depth - 1, True)
        if self.random.random() < 0.4:
            lines += [f"{start}else:", *self.block(level + 1, depth - 1, False)]
        return lines


@pytest.mark.parametrize("start", range(0, 60, 10))
def test_programs(start):
    for seed in range(start, start + 10):
        text, filename = Program(seed).text(), f"<assignments {seed}>"
        linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
        namespace = {"__name__": "program"}
        exec(compile(text, filename, "exec"), namespace)
        calls = [(np.float64(x), np.float64(0.5), np.int32(3)) for x in (1.25, -0.75, 0.375)]
        check_all(namespace["f"], *calls, gradient=False)
