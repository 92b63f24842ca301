"""A loaded function is the original in everything but its tree."""

import ast
import functools
import inspect
import sys
import textwrap
import traceback
import types

import gast
import pytest

from autograph_lite.conversion.load import load, mark_fragment
from autograph_lite.conversion.source import parse_function


def reload(fn, **extras):
    node, info = parse_function(fn)
    return load(node, fn, info, extras)


def rewritten(fn, edit, **extras):
    node, info = parse_function(fn)
    edit(node)
    return load(node, fn, info, extras)


SETTING = 1


def uses_global(x: int, *args: str, y: "list" = [1], z=3, **rest: float) -> float:
    """Says something."""
    return x, args, y, z, rest, SETTING


def test_signature_defaults_annotations_and_docstring_survive():
    uses_global.marked = "yes"
    new = reload(uses_global)
    assert inspect.signature(new) == inspect.signature(uses_global)
    assert new.__defaults__ is uses_global.__defaults__
    assert new.__annotations__ == uses_global.__annotations__
    assert (new.__doc__, new.marked) == ("Says something.", "yes")
    assert (new.__name__, new.__qualname__, new.__module__) == (
        "uses_global",
        "uses_global",
        __name__,
    )
    assert new(1, 2) == uses_global(1, 2)
    assert new is not uses_global


def test_globals_are_looked_up_later(monkeypatch):
    new = reload(uses_global)
    monkeypatch.setitem(globals(), "SETTING", 99)
    assert new(0)[-1] == 99
    assert new.__globals__ is globals()


def test_cells_are_shared():
    count = 0

    def bump(by, /, *, twice=False):
        nonlocal count
        count += by * (2 if twice else 1)
        return count

    new = reload(bump)
    assert (new(1), bump(1), new(1, twice=True)) == (1, 2, 4)
    assert count == 4
    assert new.__closure__ == bump.__closure__


def test_recursion_goes_through_the_original_name():
    def down(n):
        return 0 if n == 0 else down(n - 1) + 1

    assert reload(down)(5) == 5


def test_extras_are_known_to_the_code_and_to_nothing_else():
    def add_extra(node):
        node.body = gast.parse("return extra + x").body

    def subject(x):
        return x

    new = rewritten(subject, add_extra, extra=40)
    assert new(2) == 42
    assert "extra" not in new.__globals__


class Base:
    def __init__(self):
        self.__secret = "base"

    def tell(self):
        return f"{self.__secret}"

    @classmethod
    def make(cls, __value=1):
        return cls, __value


class Derived(Base):
    def __init__(self):
        super().__init__()
        self.__secret = "derived"

    def tell(self):
        return super().tell(), self.__secret, __class__, Derived

    def explicit(self):
        def inner():
            return super(Derived, self).tell(), [__class__ for _ in "x"]

        return inner()


@pytest.mark.parametrize("owner, name", [(Derived, "tell"), (Derived, "explicit"), (Base, "tell")])
def test_private_names_super_and_class(monkeypatch, owner, name):
    expected = getattr(Derived(), name)()
    monkeypatch.setattr(owner, name, reload(vars(owner)[name]))
    monkeypatch.setattr(Derived, "__init__", reload(Derived.__init__))
    assert getattr(Derived(), name)() == expected


def test_private_parameters():
    fn = vars(Base)["make"].__func__
    assert inspect.signature(reload(fn)) == inspect.signature(fn)
    assert reload(fn)(Base, _Base__value=3) == (Base, 3)


def test_a_local_class_does_not_capture_its_name():
    class Local:
        def again(self):
            return Local

    assert reload(Local.again)(None) is Local


def outer_for_names():
    def inner():
        def deepest():
            class Made:
                def method(self):
                    return lambda: 0

            return Made, [lambda: 1 for _ in "x"]

        return deepest

    return inner


def names_of(fn):
    made, (lam,) = fn()()
    return [
        fn.__qualname__,
        fn().__qualname__,
        made.__qualname__,
        made.method.__qualname__,
        made().method().__qualname__,
        lam.__qualname__,
    ]


def test_names_of_what_is_made_inside():
    inner = outer_for_names()
    assert names_of(reload(inner)) == names_of(inner)


def test_code_is_the_same_when_nothing_is_rewritten():
    for fn in (uses_global, textwrap.dedent, outer_for_names, functools.wraps):
        old, new = fn.__code__, reload(fn).__code__
        assert (old.co_name, old.co_firstlineno, old.co_filename, old.co_flags) == (
            new.co_name,
            new.co_firstlineno,
            new.co_filename,
            new.co_flags,
        )
        if sys.version_info >= (3, 11):
            assert old.co_qualname == new.co_qualname


def passed_on(fn):
    return fn


@passed_on
@passed_on
def decorated(x):
    return 1 / x


def test_the_first_line_is_that_of_the_first_decorator():
    new = reload(decorated)
    assert new.__code__.co_firstlineno == decorated.__code__.co_firstlineno
    assert inspect.getsource(new) == inspect.getsource(decorated)


def test_tracebacks_show_the_users_line():
    with pytest.raises(ZeroDivisionError) as caught:
        reload(decorated)(0)
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (last.filename, last.line, last.name) == (__file__, "return 1 / x", "decorated")


def test_lambdas():
    shift = 3
    fn = lambda x, *, by=shift: x + by + shift
    new = reload(fn)
    assert new(1) == 7
    assert new.__name__ == "<lambda>"
    assert new.__code__.co_name == "<lambda>"


def test_a_lambda_may_become_a_function():
    fn = lambda x: x
    _, info = parse_function(fn)
    node = gast.parse("def anything(x):\n    y = x * 2\n    return y").body[0]
    new = load(node, fn, info)
    assert (new(4), new.__code__.co_name) == (8, "<lambda>")


def test_generators_and_coroutines():
    def numbers():
        yield from range(3)

    async def answer():
        return 42

    assert list(reload(numbers)()) == [0, 1, 2]
    with pytest.raises(StopIteration, match="42"):
        reload(answer)().send(None)


def test_future_annotations_stay_text(tmp_path):
    text = "from __future__ import annotations\n"
    text += "def f(x: Nowhere):\n    def g(y: Never): ...\n    return g\n"
    path = tmp_path / "annotated.py"
    path.write_text(text)
    space = {}
    exec(compile(text, str(path), "exec"), space)
    new = reload(space["f"])
    assert new.__annotations__ == {"x": "Nowhere"}
    assert new(1).__annotations__ == {"y": "Never"}


@pytest.mark.skipif(sys.version_info < (3, 12), reason="type parameters are of Python 3.12")
def test_type_parameters(tmp_path):
    text = (
        "def first[T: int](x: T, *rest: T) -> T:\n    return T.__name__, x\n"
        "class Box[V]:\n    def put[W](self, v: V, w: W): return V, W, v\n"
    )
    path = tmp_path / "generic.py"
    path.write_text(text)
    space = {}
    exec(compile(text, str(path), "exec"), space)
    new = reload(space["first"])
    assert new(5) == ("T", 5)
    assert new.__type_params__ == space["first"].__type_params__
    put = space["Box"].put
    assert reload(put)(None, 1, 2) == put(None, 1, 2)


def test_nodes_without_positions_and_with_impossible_ones():
    def subject(x):
        return x

    def edit(node):
        new = gast.parse("if x:\n    y = 1\nelse:\n    y = 2\nreturn y").body
        for child in gast.walk(new[0]):
            for field in ("lineno", "end_lineno", "col_offset", "end_col_offset"):
                if hasattr(child, field):
                    delattr(child, field)
        new[1].end_lineno, new[1].lineno = 1, node.lineno + 1
        node.body = new

    assert rewritten(subject, edit)(0) == 2


# Fragments.


def whole(x):
    def if_body():
        def users_own():
            return 1 / x

        return users_own()

    return (lambda: if_body())()


def mark(node):
    mark_fragment(node.body[0])
    mark_fragment(node.body[1].value.func)


def test_fragments_bear_the_name_of_the_whole():
    new = rewritten(whole, mark)
    assert new(4) == 0.25
    with pytest.raises(ZeroDivisionError) as caught:
        new(0)
    names = [entry.name for entry in traceback.extract_tb(caught.value.__traceback__)[1:]]
    assert names == ["whole", "whole", "whole", "users_own"]


def test_what_is_made_in_a_fragment_is_named_after_the_whole():
    new = rewritten(whole, mark)
    codes = {}

    def collect(code):
        for const in code.co_consts:
            if isinstance(const, types.CodeType):
                codes.setdefault(const.co_name, []).append(const)
                collect(const)

    collect(new.__code__)
    assert sorted(codes) == ["users_own", "whole"]
    if sys.version_info >= (3, 11):
        assert codes["users_own"][0].co_qualname == "whole.<locals>.users_own"
        assert {code.co_qualname for code in codes["whole"]} == {"whole"}


def test_the_name_that_is_stored_fits_too():
    def fragmented():
        def if_body():
            def kept():
                pass

            class Kept:
                pass

            return kept, Kept

        return if_body()

    new = rewritten(fragmented, lambda node: mark_fragment(node.body[0]))
    prefix = fragmented.__qualname__ + ".<locals>."
    assert [made.__qualname__ for made in new()] == [prefix + "kept", prefix + "Kept"]


def test_fragments_take_their_parameters_and_nothing_else():
    def with_parameter():
        def loop_body(item):
            return locals(), item

        return loop_body(3)

    new = rewritten(with_parameter, lambda node: mark_fragment(node.body[0]))
    assert new() == ({"item": 3}, 3)


def test_the_tree_is_left_as_it_was():
    node, info = parse_function(decorated)
    before = gast.dump(node)
    load(node, decorated, info)
    assert gast.dump(node) == before
    assert ast.unparse(gast.gast_to_ast(node)).startswith("@passed_on\n@passed_on\ndef decorated")
