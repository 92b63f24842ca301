"""What is found out about a function once serves again where it still holds."""

from __future__ import annotations

import gast
import pytest

from autograph_lite.conversion import cfg, pipeline
from autograph_lite.conversion.passes.control_flow import study_flow
from tests.conversion.passes_support import converted_text, same, text_of
from tests.conversion.program_generator import Program


def texts(seed: int) -> list[str]:
    found = []
    for node in gast.parse(Program(seed).text()).body:
        if isinstance(node, gast.FunctionDef):
            pipeline.transform(node, (), False)
            found.append(text_of(node))
    return found


def lines(seed: int) -> list[list[str]]:
    return [sorted(text.splitlines()) for text in texts(seed)]


@pytest.mark.parametrize("start", range(0, 24, 12))
def test_functions_convert_as_if_they_were_analysed_anew(start, monkeypatch):
    before = [texts(seed) for seed in range(start, start + 12)]

    def study(function, scopes, census):
        original = pipeline_study(function, scopes, census)
        original.flow = None
        return original

    pipeline_study = pipeline.study_original
    monkeypatch.setattr(pipeline, "study_original", study)
    assert [texts(seed) for seed in range(start, start + 12)] == before


@pytest.mark.parametrize("start", range(0, 24, 12))
def test_what_constructs_bind_is_read_off_the_graph_as_off_the_tree(start, monkeypatch):
    before = [lines(seed) for seed in range(start, start + 12)]
    build = cfg.build

    def with_finals(body, scopes):
        graph = build(body, scopes)
        graph.has_finals = True
        return graph

    monkeypatch.setattr(cfg, "build", with_finals)
    assert [lines(seed) for seed in range(start, start + 12)] == before


def test_a_function_without_jumps_and_stores_is_analysed_once(monkeypatch):
    made = []
    monkeypatch.setattr(
        "autograph_lite.conversion.passes.control_flow.study_flow",
        lambda *given: made.append(1) or study_flow(*given),
    )
    plain = "def f(a, b):\n    if a: b = a\n    while b: b = b - 1\n    return a"
    converted_text(plain)
    assert not made
    for changed in ("a[0] = b", "a.x = b", "if b: return a", "while a:\n        break", "a |= b"):
        made.clear()
        converted_text(plain.replace("return a", f"{changed}\n    return a"))
        assert made, changed


def test_branches_in_a_row_share_what_hands_their_variables_on():
    text = converted_text("""
    def f(a, b):
        if a: b = 1
        if b: b = 2
        if a: a = 3
        if b: b = 4
        return a, b
    """)
    assert text.count("def get_state") == text.count("def set_state") == 3


def test_a_native_block_between_branches_may_have_other_variables():
    program = """
    def f(a, b):
        if a > 0: b += 1
        try:
            if b > 0: a += 1
        finally:
            if b > 1: a += b
        if a > 1: b += 2
        for _ in range(2):
            if b: b -= 1
            if a: a -= b
            if b: b *= 3
        return a, b
    """
    same(program, (0, 0), (1, 0), (0, 2), (3, 4))


def test_inner_branches_do_not_take_the_functions_of_outer_ones():
    program = """
    def f(a, b):
        if a > 0:
            a -= 1
            if a > 0:
                a -= 1
                b += 1
            if b > 1: b += a
        if b > 0: a += 2
        if a > 2:
            if a > 3: a -= b
        return a, b
    """
    same(program, (0, 0), (1, 0), (2, 2), (3, 4), (9, 1))
