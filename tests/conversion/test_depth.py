"""Trees that are deeper than Python's stack usually is."""

import linecache
import sys

from autograph_lite import operators
from autograph_lite.conversion import pipeline
from autograph_lite.conversion.unparse import to_text


def made(text, name):
    file = f"<deep {name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    space = {}
    exec(compile(text, file, "exec"), space)
    return space[name]


def test_a_chain_of_elifs():
    cases = "".join(f"    elif x == {i}:\n        y = {i} * 2\n" for i in range(1, 400))
    fn = made(f"def chain(x):\n    if x == 0:\n        y = 0\n{cases}    return y\n", "chain")
    limit = sys.getrecursionlimit()
    new = pipeline.convert(fn, operators)
    assert [new(i) for i in (0, 7, 399)] == [0, 14, 798]
    text = to_text(pipeline.converted_tree(fn)[0])
    assert "398" in text
    assert sys.getrecursionlimit() == limit


def test_a_long_sum():
    fn = made("def total(x):\n    return " + " + ".join(["x"] * 500) + "\n", "total")
    assert pipeline.convert(fn, operators)(1) == 500
