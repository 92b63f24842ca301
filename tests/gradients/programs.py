"""Random programs with control flow over tensors, as source text."""

from __future__ import annotations

import linecache
import random
from collections.abc import Callable
from typing import Any

VECTORS = ("a", "b", "c")
_counter = 0


class Writer:
    """Writes one function of `x` (rows of three), `n` (an integer) and the variable `w`."""

    def __init__(self, seed: int, depth: int = 3) -> None:
        self.random = random.Random(seed)
        self.depth = depth
        self.lines: list[str] = []
        self.loops = 0
        self.names = 0

    def write(self) -> str:
        self.line(0, "def program(x, n):")
        for number, name in enumerate(VECTORS):
            self.line(1, f"{name} = ag.tanh(x[{number}])")
        self.line(1, "k = 0")
        self.line(1, "s = 0.0")
        self.block(1, self.depth)
        if self.chance(0.3):
            self.line(1, f"if {self.condition()}:")
            self.line(2, f"return ag.reduce_sum(0.1 * a + {self.expression()})")
        self.block(1, 1)
        self.line(1, f"return ag.reduce_sum(a * b + c * {self.expression()}) + s")
        return "\n".join(self.lines) + "\n"

    def line(self, indent: int, text: str) -> None:
        self.lines.append("    " * indent + text)

    def chance(self, p: float) -> bool:
        return self.random.random() < p

    def fresh(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    def expression(self, size: int = 2) -> str:
        pick = self.random.choice
        if size == 0 or self.chance(0.15):
            return pick([*VECTORS, "x[k % 3]", "0.5", "w", "x[0] * 0.25"])
        one, two = self.expression(size - 1), self.expression(size - 1)
        return pick(
            [
                f"ag.tanh({one} + {two})",
                f"ag.sin({one}) * {two}",
                f"({one} - {two}) * 0.5",
                f"{one} * {two}",
                f"ag.reduce_mean({one}) + ag.exp(-ag.square({two}))",
                f"ag.maximum({one}, {two} * 0.5)",
                f"ag.stop_gradient({one}) * 0.3 + {two}",
                f"ag.where(a > b, {one}, {two})",
                f"ag.sigmoid({one}) / (1.5 + ag.square({two}))",
            ]
        )

    def condition(self) -> str:
        pick = self.random.choice
        left = f"ag.reduce_sum({pick(VECTORS)})"
        limit = round(self.random.uniform(-0.8, 0.8), 2)
        return pick(
            [
                f"{left} > {limit}",
                f"{left} < ag.reduce_max(x[k % 3])",
                f"(k + n) % {self.random.randint(2, 3)} == 0",
                f"{left} > {limit} and n > 1",
                f"not ag.reduce_any({pick(VECTORS)} > {limit})",
            ]
        )

    def block(self, indent: int, depth: int) -> None:
        for _ in range(self.random.randint(1, 3)):
            self.statement(indent, depth)

    def statement(self, indent: int, depth: int) -> None:
        kinds = [self.assignment, self.assignment, self.total]
        if depth > 0:
            kinds += [self.branch, self.branch, self.counted, self.conditional, self.rows]
            kinds += [self.array, self.attempt]
        self.random.choice(kinds)(indent, depth)

    def assignment(self, indent: int, depth: int) -> None:
        target = self.random.choice(VECTORS)
        # Bounded, and a vector whatever the expression is.
        self.line(indent, f"{target} = ag.tanh({self.expression()} + 0.1 * {target})")

    def total(self, indent: int, depth: int) -> None:
        self.line(
            indent, f"s += ag.reduce_sum({self.random.choice(VECTORS)} * {self.expression(1)})"
        )

    def branch(self, indent: int, depth: int) -> None:
        self.line(indent, f"if {self.condition()}:")
        self.block(indent + 1, depth - 1)
        if self.chance(0.6):
            self.line(indent, "else:")
            self.block(indent + 1, depth - 1)

    def jump(self, indent: int) -> None:
        if self.chance(0.35):
            self.line(indent, f"if {self.condition()}:")
            self.assignment(indent + 1, 0)
            self.line(indent + 1, self.random.choice(["break", "continue"]))

    def counted(self, indent: int, depth: int) -> None:
        name = self.fresh("i")
        self.line(indent, f"for {name} in ag.range({self.random.choice(['n', '3', 'n + 1'])}):")
        self.line(indent + 1, f"k = k + {name} % 2 + 1")
        self.jump(indent + 1)
        self.block(indent + 1, depth - 1)

    def conditional(self, indent: int, depth: int) -> None:
        name = self.fresh("j")
        self.line(indent, f"{name} = ag.constant(0)")
        self.line(
            indent, f"while {name} < 3 and ag.reduce_sum({self.random.choice(VECTORS)}) > -2.0:"
        )
        self.line(indent + 1, f"{name} += 1")
        self.jump(indent + 1)
        self.block(indent + 1, depth - 1)

    def rows(self, indent: int, depth: int) -> None:
        name = self.fresh("row")
        self.line(indent, f"for {name} in x:")
        self.line(
            indent + 1, f"{self.random.choice(VECTORS)} = ag.tanh({name} * {self.expression(1)})"
        )
        self.jump(indent + 1)
        self.block(indent + 1, depth - 1)

    def attempt(self, indent: int, depth: int) -> None:
        self.line(indent, "try:")
        self.block(indent + 1, depth - 1)
        self.line(indent + 1, f"if {self.condition()}:")
        self.line(indent + 2, "raise ValueError")
        self.block(indent + 1, 0)
        self.line(indent, "except ValueError:")
        self.block(indent + 1, depth - 1)
        if self.chance(0.3):
            self.line(indent, "else:")
            self.block(indent + 1, 0)

    def array(self, indent: int, depth: int) -> None:
        name, i = self.fresh("ta"), self.fresh("i")
        self.line(indent, f"{name} = ag.TensorArray(ag.float64, size=3, element_shape=[3])")
        self.line(indent, f"for {i} in ag.range(3):")
        self.line(indent + 1, f"a = ag.tanh(a + {self.expression(1)})")
        self.line(indent + 1, f"{name} = {name}.write({i}, a * {self.random.choice(VECTORS)})")
        self.line(indent, f"b = ag.tanh(ag.reduce_sum({name}.stack(), 0) + {name}.read(k % 3))")


def make(source: str, **names: Any) -> Callable[..., Any]:
    """The function that `source` defines, with its source at hand for the converter."""
    global _counter
    _counter += 1
    filename = f"<random program {_counter}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace: dict[str, Any] = {"__name__": "random_program", **names}
    exec(compile(source, filename, "exec"), namespace)
    return namespace["program"]
