"""`ag.print` and `ag.strings.format` write what TensorFlow's write."""

from __future__ import annotations

import collections
import logging
import sys
from typing import Any

import numpy as np
import pytest

import autograph_lite as ag

Named = collections.namedtuple("Named", "x y")

# (what is printed, the options, the text), recorded from TensorFlow 2.21
CASES: list[tuple[list[Any], dict[str, Any], str]] = [
    (["a", ag.constant("b"), ag.constant(["c", "d e"])], {}, 'a "b" ["c" "d e"]\n'),
    ([ag.constant("alone")], {}, "alone\n"),
    ([[ag.constant("b"), "q"], ("t",)], {}, "[\"b\", 'q'] ('t',)\n"),
    ([Named(1, ag.constant(2))], {}, "Named(x=1, y=2)\n"),
    ([None, True, 1.5, [None, True]], {}, "None True 1.5 [None, True]\n"),
    ([np.array([1, 2])], {}, "array([1, 2])\n"),
    ([{"a": {"b": [1, ag.constant([1, 2])]}}], {}, "{'a': {'b': [1, [1 2]]}}\n"),
    ([{3: 4, 1: 2}], {}, "{1: 2, 3: 4}\n"),
    ([1, 2, 3], {"sep": ", ", "end": "!\n"}, "1, 2, 3!\n"),
    ([ag.range(10)], {"summarize": 2}, "[0 1 ... 8 9]\n"),
    ([ag.range(10)], {"summarize": -1}, "[0 1 2 3 4 5 6 7 8 9]\n"),
    (
        [ag.reshape(ag.range(8), [2, 2, 2])],
        {},
        "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]\n",
    ),
    ([ag.zeros([0]), ag.zeros([0, 2])], {}, "[] []\n"),
    ([ag.constant([True, False])], {}, "[1 0]\n"),
    ([ag.constant(0.1, ag.float16)], {}, "0.0999755859\n"),
    ([ag.constant([1.5, 65504, 1e-3], ag.float16)], {}, "[1.5 65504 0.00100040436]\n"),
    ([ag.constant(2**63, ag.uint64), ag.constant([-1], ag.int8)], {}, "9223372036854775808 [-1]\n"),
    ([ag.constant([0.3, 2.7182817, 1.1])], {}, "[0.3 2.71828175 1.1]\n"),
    ([ag.constant([1e-5, 123456.789, 123456789.0])], {}, "[1e-05 123456.789 123456792]\n"),
    ([ag.constant([0.1, 1e22, 1 / 3], ag.float64)], {}, "[0.1 1e+22 0.33333333333333331]\n"),
    ([ag.constant([-0.0, float("nan"), -float("inf")])], {}, "[-0 nan -inf]\n"),
    ([ag.Variable([1.0, 2.0]), [ag.Variable(3)]], {}, "[1 2] [3]\n"),
    ([], {}, "\n"),
    ([""], {}, "\n"),
    (["é", ag.constant("é")], {}, 'é "é"\n'),
    ([["it's", 'say "hi"', "new\nline"]], {}, "[\"it's\", 'say \"hi\"', 'new\\nline']\n"),
    (["{}", "%s", ag.constant(1)], {}, "{} %s 1\n"),
]


@pytest.mark.parametrize(("values", "options", "text"), CASES, ids=[c[2] for c in CASES])
def test_recorded(values: Any, options: Any, text: str, capsys: Any) -> None:
    ag.print(*values, output_stream=sys.stdout, **options)
    assert capsys.readouterr().out == text

    @ag.function(autograph=False)
    def traced() -> Any:
        ag.print(*values, output_stream=sys.stdout, **options)

    traced()
    traced()
    assert capsys.readouterr().out == text * 2


def test_unordered_structures_keep_tensors_in_their_places(capsys: Any) -> None:
    ordered = collections.OrderedDict([("z", ag.constant(1)), ("a", ag.constant(2))])
    ag.print(ordered, output_stream=sys.stdout)
    # Python writes ordered dicts in one way or the other.
    plain = collections.OrderedDict([("z", 1), ("a", 2)])
    assert capsys.readouterr().out == f"{plain!r}\n"


def test_the_default_is_stderr(capsys: Any) -> None:
    ag.print("x")
    assert capsys.readouterr() == ("", "x\n")


def test_other_streams(tmp_path: Any, caplog: Any) -> None:
    path = tmp_path / "log.txt"
    for number in (1, 2):
        ag.print(ag.constant(number), output_stream=f"file://{path}")
    assert path.read_text() == "1\n2\n"
    lines: list[str] = []
    ag.print("a", ag.constant(1), output_stream=lines.append)
    assert lines == ["a 1"]
    with caplog.at_level(logging.INFO):
        ag.print("told", output_stream=logging.info)
    assert caplog.messages == ["told"]
    with open(tmp_path / "file", "w") as file:
        ag.print("x", output_stream=file)
    assert (tmp_path / "file").read_text() == "x\n"


def test_unknown_streams_are_refused() -> None:
    with pytest.raises(ValueError, match=r"test_printing.py:\d+: output_stream"):
        ag.print("a", output_stream=3)


@pytest.mark.parametrize(
    ("template", "inputs", "options", "expected"),
    [
        ("a {} b {} c", (ag.constant([1, 2]), ag.constant("s")), {}, 'a [1 2] b "s" c'),
        ("x {}", ag.constant([[1.5, 2], [3, 4]]), {}, "x [[1.5 2]\n [3 4]]"),
        ("x % y %", (ag.constant(1), ag.constant(True)), {"placeholder": "%"}, "x 1 y 1"),
        ("x", (), {}, "x"),
        ("{}", ag.range(20), {"summarize": 2}, "[0 1 ... 18 19]"),
    ],
)
def test_format(template: str, inputs: Any, options: Any, expected: str) -> None:
    assert ag.strings.format(template, inputs, **options).numpy() == expected.encode()


def test_format_counts_placeholders() -> None:
    with pytest.raises(ValueError, match="2 placeholders"):
        ag.strings.format("{} {}", [ag.constant(1)])
