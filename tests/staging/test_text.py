"""Text made of tensors: printed, formatted, measured, logged."""

import logging

import numpy as np
import pytest

import autograph_lite as ag
from tests.staging.differential import check, check_all

XS = np.array([1.0, -2.25, 3.5])
N = np.int32(7)


def test_print_a_line_per_pass():
    def f(xs):
        for i, x in enumerate(xs):
            print(i, x)
        print("done", x)
        return x

    check(f, XS)


def test_print_with_sep_and_end():
    def f(x, n):
        print(x, n, "a", sep=", ", end="!\n")
        print(x, end="")
        print("", n)
        print("n =", n, None, True)

    check(f, XS[1], N)


def test_print_structures():
    def f(x, n):
        print([x, 1], (n, "a"), {"k": x})

    check(f, XS[1], N)


def test_print_grown_lists():
    def f(xs):
        q, pairs = [], []
        for x in xs:
            if x > 0:
                q.append(x)
                pairs.append((x, len(q)))
        print(q)
        print("pairs", pairs[0])
        return q

    check(f, XS)


def test_print_arrays():
    def f(xs):
        print(xs, xs * 2)

    check(f, XS)


def test_print_in_branches():
    def f(x):
        if x > 0:
            print("positive", x)
        else:
            print(f"not positive: {x}")
        print(f"after {x}")

    check_all(f, (XS[0],), (XS[1],))


def test_fstrings_with_specs():
    def f(x, n):
        print(f"{x:.3f}|{x:>10.2f}|{n:05d}|{n:x}|{x:+.1e}|{n:,}|{x!r}|{n!s:>5}")

    check(f, XS[1], N)


def test_fstrings_with_nested_specs():
    def f(x, n):
        width, digits = 12, 2
        print(f"[{x:>{width}.{digits}f}] [{x:{'<'}{n}}]")

    check(f, XS[1], N)


def test_fstrings_with_debug_and_expressions():
    def f(x, n):
        print(f"{x=} {n + 1 = } {x * 2:.1f} {'yes' if n > 3 else 'no'}")

    check(f, XS[1], N)


def test_an_fstring_in_a_variable():
    def f(x, n):
        text = f"x is {x:.2f}"
        line = f"<{text}> {n}"
        print(line)
        return text, len(line)

    check(f, XS[1], N)


def test_percent():
    def f(x, n):
        print("%d items at %.2f, %s, %5d|%-6.1f|%%" % (n, x, x, n, x))
        print("%s" % x)

    check(f, XS[1], N)


def test_str_format():
    def f(x, n):
        print("{:.2f} {} {n:03d}".format(x, n, n=n))
        print("{0:>8} {1!r} {0}".format(x, n))
        print("{a[0]} {a[1]}".format(a=[x, n]))

    check(f, XS[1], N)


def test_str_repr_and_len():
    def f(x, n):
        s, r = str(x), repr(n)
        print(s, r)
        return s, len(s), len(f"{n:05d}")

    check(f, XS[1], N)


def test_concatenation_and_join():
    def f(xs):
        text = "values: " + ", ".join([str(x) for x in xs])
        text += "."
        print(text)
        return text

    check(f, XS)


def test_join_of_a_generator():
    def f(xs):
        return " ".join(f"{x:.1f}" for x in xs), "-".join(["a", "b"])

    check(f, XS)


def test_text_built_in_a_loop():
    def f(n):
        text = ""
        for i in range(n):
            text = text + f"{i},"
        return text

    check_all(f, (N,), (np.int32(0),))


def test_text_chosen_by_a_branch():
    def f(x):
        word = "big" if x > 2 else "small"
        print(f"{word:>8}: {x:.1f}")
        return word

    check_all(f, (XS[0],), (XS[2],))


def test_text_compared():
    def f(x):
        word = "big" if x > 2 else "small"
        if word == "big":
            return 1
        return 2

    check_all(f, (XS[0],), (XS[2],))


def test_logging(caplog):
    log = logging.getLogger("tests.staging")

    @ag.function
    def f(x, n):
        log.warning("x is %.2f after %d", x, n)
        if x > 0:
            logging.getLogger("tests.staging").error(f"positive {x}")
        return x

    f(ag.constant(1.5), ag.constant(3))
    f(ag.constant(-1.5), ag.constant(4))
    assert [r.getMessage() for r in caplog.records] == [
        "x is 1.50 after 3",
        "positive 1.5",
        "x is -1.50 after 4",
    ]


def test_a_table_of_lines():
    def f(rows):
        print(f"{'i':>3} {'sum':>8} of {len(rows)} rows")
        for i, row in enumerate(rows):
            total = 0.0
            for x in row:
                total += x
            print(f"{i:>3} {total:>8.3f} " + "*" * 3)
            print("---" * 2, i)
        return total

    check(f, np.array([[1.0, 2.0], [3.0, 4.5]]))


def test_bools_and_ints_print_as_numpys():
    def f(x, n):
        print(x > 0, n, n > 3, [n], (x > 0,))
        print(f"{x > 0} {n:>4} {x > 0!r}")

    check(f, XS[0], N)


def test_counts_of_python_numbers_print_as_numbers():
    def f(n):
        count = 0
        for i in range(n):
            count += 1
        print("count", count, f"{count:03d} {count!r}", [count])

    check(f, N)


def test_a_character_picked_by_a_tensor():
    def f(n):
        return "abcdef"[n]

    for n in (0, 5, -1, -6):
        assert ag.function(f)(ag.constant(n)).numpy().decode() == f(n)
    with pytest.raises(IndexError, match="string index out of range"):
        ag.function(f)(ag.constant(6))
