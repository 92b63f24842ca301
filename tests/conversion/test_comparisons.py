"""Which comparisons may be of lists or tuples, and go through `ag__.compare`."""

import pytest

from tests.conversion.passes_support import converted_text

STAYS = [
    "r = a < 1",
    "r = 'k' == a",
    "r = -a < b",
    "r = a - b > b",
    "r = a < b / 2",
    "r = a < b + 1",
    "r = len(a) < b",
    "r = np.abs(a) < b",
    "r = a < (1 if b else 2)",
    "r = a < (1 or 2)",
    "i = 0\nwhile i < b: i += 1",
    "i = j = 0\nwhile i < b:\n  i += j\n  j = i + 1",
    "for i in range(3): r = i < b",
    "for i, v in enumerate(a): r = i < b",
    "r = a < (c := 1)\nr = c < b",
]
CHANGES = [
    "r = a < b",
    "r = a == b",
    "r = a + b < b",
    "r = 2 * a < b",
    "r = a[1:] != b",
    "r = (a, 1) < (b, 2)",
    "r = [a] == b",
    "r = a.x >= b",
    "r = g(a) <= b",
    "c = 1\nc = a\nr = c < b",
    "c = 1\nc *= a\nr = c * c < b",
    "c = 1\nc, d = a\nr = c < b",
    "for v in a: r = v < b",
    "for v, i in enumerate(a): r = i < b",
    "r = a < (1 if b else b)",
    "r = [v for v in a if v < b]",
    "c = 1\ndef c(): pass\nr = c < b",
    "c = 1\nimport c.d\nr = c < b",
    "c = 1\nimport d as c\nr = c < b",
    "c = 1\ntry: pass\nexcept ValueError as c: pass\nr = c < b",
    "global c\nc = 1\nr = c < b",
]


def _converted(body: str) -> str:
    lines = "\n".join(f"  {line}" for line in body.splitlines())
    return converted_text(f"def f(a, b):\n{lines}\n  return 0")


@pytest.mark.parametrize("body", STAYS)
def test_a_number_or_a_text(body):
    assert "ag__.compare(" not in _converted(body)


@pytest.mark.parametrize("body", CHANGES)
def test_maybe_a_list_or_tuple(body):
    assert "ag__.compare(" in _converted(body)
