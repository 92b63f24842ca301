"""Text made of tensors: operators, methods, pieces, and what is decided by it."""

from __future__ import annotations

import logging

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check, check_all

INTS = [(np.int32(v),) for v in (3, 0, 12, 121)]
ROWS = [(np.array(row, np.int32),) for row in ([3, 1, 2], [], [10])]


def repeated(n):
    print(str(n) * 2, 2 * str(n) + "x", "-" * n + "|", n * "ab" + "|")
    return "yes" * (n > 1)


def added(n):
    print(str(n) + "a", "a" + str(n), "a" + str(n) + "b" + f"{n}")
    return n


def aligned(n):
    print(str(n).rjust(5), str(n).ljust(n) + "|", str(n).center(7, "*"), "ab".rjust(n))
    return str(n).zfill(4)


def changed(n):
    print(f"v{n}".upper(), f"A{n}".lower(), f" {n} ".strip() + "|", f"x{n}y".title())
    return f"a{n}".replace("a", "bb"), f"a{n}".removeprefix("a"), str.upper(f"u{n}")


def joined(n):
    numbers = [i * i for i in range(n)]
    print(", ".join(str(v) for v in numbers), "-".join(map(str, numbers)))
    return str(n).join(["a", "b", "c"])


def cut(n):
    text = f"{n}.5"
    return text[0], text[-1], text[1:], text[::-1], "hello"[:n], "hello"[n:]


def parted(n):
    total = 0
    for part in f"a={n};b={n + 1}".split(";"):
        key, _, value = part.partition("=")
        print(key, value)
        total += int(value)
    return total


def letters(n):
    total = 0
    for c in str(n):
        if c == "0":
            continue
        total += int(c)
    return total, "".join(reversed(str(n))), [c + "." for c in str(n)]


def asked(n):
    s = str(n)
    if s.startswith("12"):
        return n * 10
    if s.endswith("0") or "3" in s:
        return n * 100
    return s.count("1") + s.find("2")


def contained(n):
    return str(n) in "012", "2" in str(n), str(n) in ["3", "12"], "zz" not in f"{n}"


def truth(n):
    text = "" if n > 10 else str(n)
    if not text:
        return "nothing"
    return text or "never"


def compared(n):
    s = str(n)
    return s == s[::-1], s < "2", max(s, "2"), min("12", s), isinstance(s, str)


def matched(n):
    match str(n):
        case "3":
            return 100
        case "0" | "12":
            return 200
    return 0


def numbers(n):
    binary = f"{n:b}"
    return int(binary, 2), float(f"{n}.25"), len(binary), ord(chr(n + 65)), hex(n), bin(n), oct(n)


def not_a_number(n):
    try:
        value = int(f"x{n}" if n > 2 else f"{n}")
    except ValueError as error:
        print(error)
        value = -1
    return value


def grown(n):
    text = ""
    for i in range(n):
        if i > 0:
            text += ", "
        text += f"{i}"
    while len(text) < 5:
        text = "*" + text
    return text


def lines(n):
    text = "\n".join([f"line {i}" for i in range(n)])
    for number, line in enumerate(text.split("\n")):
        print(number, line.rjust(10))
    return len(text)


def formatted(n):
    print("%d and %5d and %s and %05.2f" % (n, n, n, n), "%(a)d %(a)5d" % {"a": n})
    print("{:>4}|{!r}|{a:^{w}}|".format(n, n, a=n, w=5), format(n, "06.2f"))
    pattern = "%d-%s"
    return pattern % (n, n), f"{n}: %d" % n, ascii(n), str({"a": n}), str([n, (n,)])


def tree(n):
    for i in range(n):
        print(" " * (n - i - 1) + "*" * (2 * i + 1), end=";" if i < n - 1 else str(n) + "\n")
    return n


@pytest.mark.parametrize(
    "function",
    [
        *(repeated, added, aligned, changed, joined, cut, parted, letters, asked, contained),
        *(truth, compared, matched, numbers, not_a_number, grown, lines, formatted, tree),
    ],
)
def test_text(function):
    check_all(function, *INTS)


def printed_one_by_one(xs):
    print(*xs)
    print(*[x * 2 for x in xs if x > 1], sep=", ")
    print("all:", *map(str, xs), len(xs))
    return xs


def padded(xs):
    out = []
    for x in xs:
        out.append(str(x).zfill(3))
    print(out, " ".join(out))
    return out


@pytest.mark.parametrize("function", [printed_one_by_one, padded])
def test_text_of_rows(function):
    check_all(function, *ROWS)


def raised(n):
    if n < 0:
        raise ValueError("bad " + str(n).rjust(5) + "-" * 3)
    if n < 2:
        raise KeyError(f"{n}".upper() + "!" * n)
    return n


def out_of_range(n):
    return str(n)[n]


def no_such_format(n):
    return f"{n:s}"


def caught(n):
    found = []
    for template in ("{:d}", "{} {}", "{0[1]}"):
        try:
            found.append(template.format(n * 0.5))
        except (ValueError, IndexError, TypeError):
            found.append("other")
    try:
        found.append(f"{n * 0.5:d}")
    except ValueError:
        found.append("no integer")
    try:
        found.append("%d %d" % (n,))  # noqa: F507
    except TypeError:
        found.append("too few")
    try:
        found.append(chr(n))
    except ValueError:
        found.append("no character")
    return found


def test_text_that_cannot_be_made_is_caught():
    check_all(caught, (np.int32(-7),), (np.int32(65),))


def test_showing_a_value_leaves_no_try_in_the_graph():
    def f(x):
        try:
            texts = [f"{x} {x!r} {{}}", str(x), repr(x)]
        except ValueError:
            texts = []
        return texts

    graph = ag.function(f).get_concrete_function(ag.TensorSpec([], ag.float64)).graph
    assert [op.type for op in graph.operations if op.type == "Try"] == []
    check_all(f, (np.float64(1.5),))


def test_text_of_errors():
    for function in (raised, out_of_range, no_such_format):
        check_all(function, (np.int32(-7),), (np.int32(1),), (np.int32(2),))


def raised_with_a_list(n):
    found = [n * i for i in range(n) if i != 1]
    if n > 1:
        raise ValueError("found", found, {"n": n, "again": (found,)})
    return found


def raised_with_another_exception(n):
    try:
        if n > 1:
            raise KeyError("key", n)
    except KeyError as error:
        raise ValueError(error)  # noqa: B904
    return n


def test_errors_that_hold_what_the_graph_knows():
    for function in (raised_with_a_list, raised_with_another_exception):
        check_all(function, (np.int32(0),), (np.int32(1),), (np.int32(4),))


class Printing(logging.Handler):
    def emit(self, record):
        print(record.levelname, record.getMessage())


def test_logging(monkeypatch):
    logger = logging.getLogger("autograph_lite_test_text")
    logger.setLevel(logging.INFO)
    monkeypatch.setattr(logger, "propagate", False)
    monkeypatch.setattr(logger, "handlers", [Printing()])

    def logged(n):
        logger.info("n is %d and %s", n, n)
        for i in range(n):
            logger.warning("i " + str(i).rjust(3) + "%s" % (i,))
        return n

    check(logged, np.int32(3))
    check(logged, np.int32(0))
