"""Strings: answers recorded from TensorFlow, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

import autograph_lite as ag

S = ag.strings

CASES: list[tuple[Any, Any]] = [
    (lambda: S.as_string([1, -2]), [b"1", b"-2"]),
    (lambda: S.as_string([1.5, 1e10, 1e-7]), [b"1.500000", b"10000000000.000000", b"0.000000"]),
    (lambda: S.as_string([True, False]), [b"true", b"false"]),
    (lambda: S.as_string([0.1, 1 / 3], precision=3), [b"0.100", b"0.333"]),
    (lambda: S.as_string([0.1, 1e5], scientific=True), [b"1.000000e-01", b"1.000000e+05"]),
    (lambda: S.as_string([0.1, 1e5], shortest=True), [b"0.1", b"100000"]),
    (lambda: S.as_string([1, 22], width=4), [b"   1", b"  22"]),
    (lambda: S.as_string([1, 22], width=4, fill="0"), [b"0001", b"0022"]),
    (lambda: S.as_string([1, 22], width=4, fill="-"), [b"1   ", b"22  "]),
    (lambda: S.as_string(1 + 2j), b"(1.000000,2.000000)"),
    (lambda: S.join(["a", ["b", "c"]]), [b"ab", b"ac"]),
    (lambda: S.join([["a", "b"], ["c", "d"]], separator="-"), [b"a-c", b"b-d"]),
    (lambda: S.reduce_join([["a", "b"], ["c", "d"]]), b"abcd"),
    (lambda: S.reduce_join([["a", "b"], ["c", "d"]], 0, separator="+"), [b"a+c", b"b+d"]),
    (lambda: S.reduce_join([["a", "b"], ["c", "d"]], 1, keepdims=True), [[b"ab"], [b"cd"]]),
    (lambda: S.reduce_join([["a", "b"], ["c", "d"]], axis=[0, 1]), b"acbd"),
    (lambda: S.reduce_join([["a", "b"], ["c", "d"]], axis=[1, 0]), b"abcd"),
    (lambda: S.length(["ab", "é"]), [2, 2]),
    (lambda: S.length(["ab", "é"], unit="UTF8_CHAR"), [2, 1]),
    (lambda: S.upper(["aé"]), [b"A\xc3\xa9"]),
    (lambda: S.upper(["aé"], encoding="utf-8"), ["AÉ".encode()]),
    (lambda: S.lower(["AÉ"], encoding="utf-8"), ["aé".encode()]),
    (lambda: S.split("a b  c"), [b"a", b"b", b"c"]),
    (lambda: S.split("a,b,,c", sep=","), [b"a", b"b", b"", b"c"]),
    (lambda: S.split("a b c d", maxsplit=1), [b"a", b"b c d"]),
    (lambda: S.split(["a b", "c"]), [[b"a", b"b"], [b"c"]]),
    (lambda: S.substr(["hello", "world"], 1, 3), [b"ell", b"orl"]),
    (lambda: S.substr("hello", -3, 2), b"ll"),
    (lambda: S.substr(["héllo"], 1, 1, unit="UTF8_CHAR"), ["é".encode()]),
    (lambda: S.regex_replace(["foo bar", "x"], "o+", "0"), [b"f0 bar", b"x"]),
    (lambda: S.regex_replace("abc", "(b)", r"[\1]"), b"a[b]c"),
    (lambda: S.regex_replace("aaa", "a", "b", replace_global=False), b"baa"),
    (lambda: S.regex_full_match(["ab", "abc"], "ab"), [True, False]),
    (lambda: S.strip([" a ", "\tb\n"]), [b"a", b"b"]),
    (lambda: S.to_number(["1.5", "-2", "1e3", " 3 "]), [1.5, -2.0, 1000.0, 3.0]),
    (lambda: S.to_number("7", ag.int32), 7),
    (lambda: S.bytes_split("abc"), [b"a", b"b", b"c"]),
    (lambda: S.unicode_split("aé", "UTF-8"), [b"a", "é".encode()]),
    (lambda: S.unicode_decode("aé", "UTF-8"), [97, 233]),
    (lambda: S.unicode_encode([97, 233], "UTF-8"), "aé".encode()),
    (lambda: ag.constant("a") + "b", b"ab"),
    (lambda: "a" + ag.constant("b"), b"ab"),
    (lambda: ag.constant(["a", "b"]) == "a", [True, False]),
]


def plain(value: Any) -> Any:
    if isinstance(value, list):
        return [plain(v) for v in value]
    made = value.numpy()
    return made.tolist() if hasattr(made, "tolist") else made


@pytest.mark.parametrize("number", range(len(CASES)))
def test_recorded(number: int) -> None:
    fn, expected = CASES[number]
    assert plain(fn()) == expected
    assert plain(ag.function(fn, autograph=False)()) == expected


@pytest.mark.parametrize(
    "misuse",
    [
        lambda: S.to_number("x"),
        lambda: S.to_number("1_0"),
        lambda: S.to_number("1.5", ag.int32),
        lambda: S.substr("hello", 7, 2),
        lambda: S.upper(ag.constant(1)),
        lambda: S.split([["a"]]),
        lambda: S.as_string(1, precision=2),
        lambda: ag.constant(1) + "b",
        lambda: ag.constant("a") * 2,
    ],
)
def test_misuse_is_refused(misuse: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        misuse()
