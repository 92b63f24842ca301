"""Chains of hundreds of operands."""

from __future__ import annotations

import linecache

import numpy as np
import pytest

from tests.staging.differential import check_all


def chained(text):
    """A function of `n` that gives an expression."""
    source = f"def f(n):\n    return {text}\n"
    filename = f"<chain {abs(hash(text))}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    names = {"__name__": "test_chain"}
    exec(compile(source, filename, "exec"), names)
    return names["f"]


@pytest.mark.parametrize(
    "text",
    [
        "1 if " + " or ".join(f"n == {i}" for i in range(400)) + " else 0",
        "1 if " + " and ".join(f"n != {i}" for i in range(400)) + " else 0",
        " or ".join(f"(n > {i}) * {i}" for i in range(100)),
        " and ".join(f"n * {i + 1}" for i in range(100)),
        "1 if n > 2 or " + " or ".join(f"100 // n == {i + 99}" for i in range(40)) + " else 0",
    ],
)
def test_like_python(text):
    check_all(chained(text), (np.int32(3),), (np.int32(1),), (np.int32(1000),), dtypes=False)
