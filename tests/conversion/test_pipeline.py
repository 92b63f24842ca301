"""Conversion as a whole: what is remembered, what is refused, what a converted function is."""

import gc
import threading
import types
import weakref

import pytest

from autograph_lite import operators
from autograph_lite.conversion import pipeline
from autograph_lite.errors import ConversionError
from tests.conversion.passes_support import namespace_of
from tests.work import calls


def convert(fn):
    return pipeline.convert(fn, operators)


def subject(a, b=2, *c, d=4, **e):
    """Says something."""
    if a:
        return (a, b, c, d, e)
    return None


subject.attribute = [1]


def test_what_a_converted_function_has():
    new = convert(subject)
    assert new is not subject
    assert new(1, 5, 6, d=7, x=8) == subject(1, 5, 6, d=7, x=8)
    assert new.__name__ == "subject" and new.__qualname__ == "subject"
    assert new.__doc__ == "Says something."
    assert new.__defaults__ == (2,) and new.__kwdefaults__ == {"d": 4}
    assert new.__module__ == __name__ and new.attribute is subject.attribute
    assert new.__globals__ is globals()
    assert new.__code__.co_filename == __file__


def test_conversion_is_remembered():
    assert convert(subject).__code__ is convert(subject).__code__


def test_closures_share_code_and_have_cells_of_their_own():
    def make(n):
        def inner(x):
            return n if x else -n

        return inner

    one, two = convert(make(1)), convert(make(2))
    assert one.__code__ is two.__code__
    assert one(True) == 1 and two(False) == -2


def test_cells_are_the_originals():
    n = 1

    def read(x):
        if x:
            return n
        return None

    new = convert(read)
    n = 5
    assert new(True) == 5


def test_converting_twice_changes_nothing():
    new = convert(subject)
    assert convert(new) is new

    def make(x):
        def inner():
            if x:
                return 1
            return 2

        return inner

    inner = convert(make)(1)
    assert convert(inner) is inner


def test_functions_are_not_kept_alive():
    text = "def f(x):\n    if x:\n        return f\n    return lambda: x\n"

    def run():
        namespace = namespace_of(text, False)
        f = namespace["f"]
        new = convert(f)
        new(0)
        return weakref.ref(f), weakref.ref(new), weakref.ref(f.__code__), weakref.ref(new.__code__)

    refs = run()
    import linecache

    linecache.clearcache()
    gc.collect()
    assert [ref() for ref in refs[:2]] == [None, None]


def test_generators_and_coroutines_are_refused_by_name():
    def generator():
        yield 1

    async def coroutine():
        pass

    for fn in (generator, coroutine):
        with pytest.raises(ConversionError, match=rf"test_pipeline.py:\d+: .*{fn.__name__}"):
            convert(fn)


def test_many_threads():
    text = "def f(x):\n" + "".join(f"    if x == {i}:\n        return {i}\n" for i in range(40))
    namespace = namespace_of(text, False)
    codes = []

    def run():
        new = convert(namespace["f"])
        codes.append(new.__code__)
        assert [new(i) for i in range(41)] == [*range(40), None]

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(code) for code in codes}) == 1 and len(codes) == 8


def test_equal_code_of_two_files_is_told_apart():
    text = "def f(x):\n    if x:\n        return 1\n    return 2\n"
    one, two = namespace_of(text, False)["f"], namespace_of(text, False)["f"]
    assert convert(one).__code__.co_filename == one.__code__.co_filename
    assert convert(two).__code__.co_filename == two.__code__.co_filename


def test_modules_that_shadow_builtins():
    text = "def f(x):\n    return len(x)\n"
    plain, shadowed = namespace_of(text, False), namespace_of(text, False)
    shadowed["len"] = lambda x: "mine"
    assert convert(plain["f"])([1]) == 1
    assert convert(shadowed["f"])([1]) == "mine"
    again = types.FunctionType(plain["f"].__code__, {"len": lambda x: "too"})
    assert convert(again)([1]) == "too"


def many(count):
    branches = "".join(
        f"    if x > {i}:\n        y{i % 9} = s = s + {i}\n    else:\n        s -= 1\n"
        for i in range(count)
    )
    loops = "".join(
        f"    for i in range(2):\n        while s > {i}:\n            s -= x\n            if s: break\n"
        for i in range(count // 4)
    )
    return f"def f(x):\n    s = 0\n{branches}{loops}    return s\n"


def test_work_grows_linearly():
    convert(namespace_of(many(4), False)["f"])  # the first conversion of all imports
    work = {}
    for count in (100, 200):
        f = namespace_of(many(count), False)["f"]
        work[count] = calls(convert, f)
        new = convert(f)
        assert [new(x) for x in (0, 7, 1000)] == [f(x) for x in (0, 7, 1000)]
    assert 1.5 * work[100] < work[200] < 2.5 * work[100]


def test_hundreds_of_statements_on_the_way_to_a_return():
    body = "".join(f"    if x == {i}:\n        return {i}\n" for i in range(400))
    new = convert(namespace_of(f"def f(x):\n{body}", False)["f"])
    assert new(399) == 399 and new(400) is None


def test_recursion_as_deep_as_before():
    def total(n):
        if n == 0:
            return 0
        return n + total(n - 1)

    total = convert(total)
    assert total(800) == 800 * 801 // 2

    def endless(n):
        if n:
            return endless(n + 1)
        return n

    endless = convert(endless)
    with pytest.raises(RecursionError):
        endless(1)


def test_the_librarys_own_name_is_refused_with_its_line():
    def f(n):
        ag__ = 3
        return ag__ + n

    line = f.__code__.co_firstlineno + 1
    with pytest.raises(ConversionError, match=rf"test_pipeline.py:{line}: .*variable called ag__"):
        pipeline.convert(f, operators)
