"""The operators, on Python values, are Python's own constructs."""

import pytest

from autograph_lite import operators as ag__


def test_every_operator_is_there():
    names = (
        "cond while_loop for_loop and_ or_ not_ compare in_ not_in is_ is_not if_exp converted "
        "tensor_print fstring fstring_lazy percent getitem setitem augitem tracked assert_ "
        "Undefined ld ld_free both either slice_ len_ range_ zip_ isinstance_"
    )
    assert all(hasattr(ag__, name) for name in names.split())


def test_branches():
    seen = []
    ag__.cond(1, lambda: seen.append("if"), lambda: seen.append("else"))
    ag__.cond([], lambda: seen.append("if"), lambda: seen.append("else"))
    ag__.cond(0, lambda: seen.append("if"))
    ag__.cond(1, None, lambda: seen.append("else"))
    assert seen == ["if", "else"]
    assert ag__.if_exp(0, lambda: 1 / 0, lambda: 2) == 2


def test_loops():
    seen = []
    ag__.for_loop(iter("abc"), seen.append)
    ag__.for_loop("abc", seen.append, extra_test=lambda: len(seen) < 5)
    left = [3]

    def body():
        left[0] -= 1

    ag__.while_loop(lambda: left[0], body)
    assert seen == ["a", "b", "c", "a", "b"] and left == [0]
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        ag__.for_loop(3, seen.append)


def test_logic_hands_operands_on():
    assert ag__.and_(1, lambda: []) == []
    assert ag__.and_(0, lambda: 1 / 0) == 0
    assert ag__.or_([], lambda: 0, lambda: "x", lambda: 1 / 0) == "x"
    assert ag__.both([], lambda: 1) is False and ag__.either([1], lambda: 1) is True
    assert ag__.compare(1, "<", 3, ">", lambda: 2) is True
    assert ag__.compare(1, ">", 3, ">", lambda: 1 / 0) is False
    assert ag__.compare(1, "in", [1], "is not", lambda: None) is True


def test_unbound_variables():
    undefined = ag__.Undefined("x")
    with pytest.raises(UnboundLocalError, match="x"):
        ag__.ld(undefined)
    with pytest.raises(NameError, match="x") as caught:
        ag__.ld_free(undefined)
    assert not isinstance(caught.value, UnboundLocalError) and caught.value.name == "x"
    assert ag__.ld(5) == ag__.ld_free(5) == 5


def test_text():
    assert ag__.fstring("{{}}{!r:>{}}|{}", "a", 5, 1) == "{}  'a'|1"
    order = []

    def say(value):
        order.append(value)
        return value

    class Shown:
        def __format__(self, spec):
            order.append(spec)
            return spec

    text = ag__.fstring_lazy("{:{}}{!s:>3}", lambda: say(Shown()), lambda: "w", lambda: say(1))
    assert text == "w  1" and order[1:] == ["w", 1]
    assert ag__.percent("%s-%d", ("a", 3)) == "a-3"


def test_items():
    x = [1, 2]
    assert ag__.setitem(x, 0, 5) is x and x == [5, 2]
    assert ag__.augitem(x, 1, "**=", lambda: 3, lazy=True) == [5, 8]
    assert ag__.getitem({"a": 1}, "a") == 1
    assert ag__.tracked(x) is x
    with pytest.raises(KeyError):
        ag__.augitem({}, "a", "+=", lambda: 1 / 0, lazy=True)


def test_asserts():
    ag__.assert_(1, lambda: 1 / 0)
    with pytest.raises(AssertionError) as caught:
        ag__.assert_(0)
    assert caught.value.args == ()
    with pytest.raises(AssertionError) as caught:
        ag__.assert_(0, lambda: (1, 2))
    assert caught.value.args == ((1, 2),)


def test_builtins_raise_what_they_raise(capsys):
    for call, plain in [
        (lambda: ag__.len_(), lambda: len()),
        (lambda: ag__.len_(1), lambda: len(1)),
        (lambda: ag__.int_("x"), lambda: int("x")),
        (lambda: ag__.max_([]), lambda: max([])),
        (lambda: ag__.range_(1.5), lambda: range(1.5)),
    ]:
        with pytest.raises(Exception) as found:
            call()
        with pytest.raises(Exception) as expected:
            plain()
        assert (type(found.value), str(found.value)) == (type(expected.value), str(expected.value))
    ag__.tensor_print(1, 2, sep="-", end="!")
    assert capsys.readouterr().out == "1-2!"
