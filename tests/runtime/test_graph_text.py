"""Graphs as text."""

from __future__ import annotations

import re
from typing import Any

import autograph_lite as ag


def test_types_names_lines_and_subgraphs_are_shown() -> None:
    v = ag.Variable(1.0, name="w")

    def fn(x: Any) -> Any:
        y = ag.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * v), (0, x))[1]
        ag.print("y", y)
        return y[0]

    traced = ag.function(fn, autograph=False)
    text = str(traced.get_concrete_function(ag.TensorSpec([None], ag.float32)).graph)
    lines = text.splitlines()
    assert re.match(r"graph \w+\(%x: float32\[\?\]\):", lines[0])
    assert re.search(r"\n  %While:0: int32\[\], %While:1: float32\[\?\] = While\(", text)
    assert re.search(r"\n    body \w+\(%\w+: int32\[\], %\w+: float32\[\?\]\):\n      %", text)
    assert "ReadVariable(variable='w:0')" in text
    assert re.search(r"= GetElement\(%While:1, index=\(0,\)\)   # test_graph_text.py:\d+", text)
    assert lines[-1].startswith("  return %GetElement")


def test_long_constants_are_cut_short() -> None:
    graph = ag.Graph("g")
    with graph.as_default():
        ag.constant(list(range(1000)))
    assert len(str(graph).splitlines()[1]) < 120
