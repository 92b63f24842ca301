"""Random programs that store to arrays through names, views, helpers, lists and objects.

Each does what plain Python over NumPy does, or is refused.
"""

from __future__ import annotations

import linecache
import random
from typing import Any

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError

HEAD = """
def fill(a, v):
    a[0] = v


def fill_row(g, i, v):
    g[i] = v


def scale(a, v):
    a *= v


def first(g):
    return g[0]


class Box:
    def __init__(self, v):
        self.v = v

    def put(self, i, t):
        self.v[i] = t


def f(x):
    x = x.copy()
    a = np.zeros(3)
    g = np.outer(np.ones(2), x)
    b = Box(a)
    held = [x, a]
"""
ARGUMENTS = [np.array([1.5, -0.5, 2.0]), np.array([-1.0, 0.5, 0.25]), np.array([0.3, 1.2, -0.7])]


class Program:
    """Writes a function; `{v}` in a template is a vector, `{s}` a number, `{i}` an index."""

    SIMPLE = (
        "a = {v}", "a = g[{r}]", "a = {v}.copy()", "a = first(g)", "a = {v}[::-1]", "a = b.v",
        "a = held[{r}]", "{v}[{i}] = {s}", "{v}[{i}] += {s}", "{v}[1:] = {s}", "{v} *= {s}",
        "g[{r}, {i}] = {s}", "g[{r}] = {v}", "g[{r}][{i}] = {s}", "fill({v}, {s})",
        "fill_row(g, {r}, {s})", "scale({v}, {s})", "b.put({i}, {s})", "b.v[{i}] = {s}",
        "held[{r}][{i}] = {s}", "held[{r}] = {v}", "{v}.sort()", "{v}.fill({s})",
        "np.add({v}, {s}, out={v})",
    )  # fmt: skip
    COMPOUND = (
        "if {s} > 0.5:", "for t in x:", "for r in g:", "for k in range(2):",
        "n = 0\nwhile n < x[0] + 1.6 and n < 3:",
    )  # fmt: skip

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        for _ in range(self.random.randrange(3, 9)):
            self.statement("    ", 0)
        self.lines.append("    return x, a, g, b.v, held")

    def filled(self, template: str) -> str:
        pick = self.random.choice
        number = pick(["0.5", "-2.0", "{v}[{i}]", "({v}[{i}] * 0.5 + g[{r}, {i}])"])
        text = template.replace("{s}", number)
        while "{" in text:
            text = text.replace("{v}", pick("xa"), 1).replace("{i}", pick("012"), 1)
            text = text.replace("{r}", pick("01"), 1)
        return text

    def statement(self, indent: str, depth: int) -> None:
        if depth > 1 or self.random.random() < 0.75:
            self.lines.append(indent + self.filled(self.random.choice(self.SIMPLE)))
            return
        kind = self.filled(self.random.choice(self.COMPOUND))
        self.lines += [indent + line for line in kind.split("\n")]
        if kind.startswith("for r"):
            self.lines.append(f"{indent}    r[{self.random.randrange(3)}] = {self.filled('{s}')}")
        for _ in range(self.random.randrange(1, 4)):
            self.statement(indent + "    ", depth + 1)
        if kind.startswith("n"):
            self.lines.append(f"{indent}    n += 1")

    def function(self, name: str) -> Any:
        source = HEAD.lstrip("\n") + "\n".join(self.lines) + "\n"
        linecache.cache[name] = (len(source), None, source.splitlines(True), name)
        space: dict[str, Any] = {"np": np, "__name__": "random_arrays"}
        exec(compile(source, name, "exec"), space)
        return space["f"]


def leaves(value: Any) -> list[Any]:
    if isinstance(value, tuple | list):
        return [leaf for item in value for leaf in leaves(item)]
    return [np.asarray(value)]


@pytest.mark.parametrize("seed", range(80))
def test_like_python_or_refused(seed):
    function = Program(seed).function(f"<random arrays {seed}>")
    staged = ag.function(function)
    for x in ARGUMENTS:
        with np.errstate(all="ignore"):
            wanted = leaves(function(x))
        try:
            found = leaves(staged(ag.constant(x)))
        except StagingError as error:
            assert "an array is stored to that" in str(error)
            return
        assert len(found) == len(wanted)
        for a, b in zip(wanted, found, strict=True):
            assert np.allclose(a, b, equal_nan=True), "\n".join(Program(seed).lines)
