"""Finding and parsing the source of live functions, whatever they were made by."""

import ast
import doctest
import functools
import importlib
import inspect
import linecache
import os
import subprocess
import sys
import textwrap
import threading
import types
import zipfile

import gast
import pytest

from autograph_lite.conversion.source import parse_function
from autograph_lite.conversion.unparse import to_text
from autograph_lite.errors import NoSourceError


def text_of(fn):
    return to_text(parse_function(fn)[0]).strip()


def module_from(tmp_path, text, name):
    path = tmp_path / f"{name}.py"
    path.write_text(textwrap.dedent(text))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def plain(x):
    # A comment.
    return x + 1


def test_a_function_has_the_lines_and_columns_of_its_file():
    node, info = parse_function(plain)
    assert isinstance(node, gast.FunctionDef)
    assert node.lineno == plain.__code__.co_firstlineno
    assert (node.col_offset, node.body[0].col_offset) == (0, 4)
    assert node.body[0].lineno == node.lineno + 2
    assert info.filename == plain.__code__.co_filename
    assert info.name == info.qualname == "plain"
    assert info.class_name is None


def test_each_call_gives_a_tree_of_its_own():
    assert parse_function(plain)[0] is not parse_function(plain)[0]


def test_a_nested_function_keeps_its_columns():
    def inner(y):
        return y * 2

    node, info = parse_function(inner)
    assert node.col_offset == 4
    assert info.qualname.endswith("inner")


class Outer:
    def method(self):
        return self.__private

    @staticmethod
    def static(x):
        return x

    @classmethod
    def create(cls):
        return cls()

    @property
    def value(self):
        return 1

    class __Inner:
        def method(self):
            def nested():
                return self.__x

            return nested


def test_methods_know_the_class_around_them():
    node, info = parse_function(Outer.method)
    assert (node.name, info.class_name) == ("method", "Outer")
    assert parse_function(Outer().method)[0].name == "method"
    assert parse_function(Outer.static)[0].name == "static"
    assert parse_function(Outer.create)[0].name == "create"
    assert parse_function(Outer.value.fget)[0].name == "value"


def test_the_innermost_class_counts():
    inner = Outer._Outer__Inner
    assert parse_function(inner.method)[1].class_name == "__Inner"
    assert parse_function(inner().method())[1].class_name == "__Inner"


def decorated(fn):
    return fn


@decorated
@functools.lru_cache(
    maxsize=None,
)
def twice_decorated(x):
    return x


def test_a_decorated_function_starts_at_its_first_decorator():
    node, info = parse_function(twice_decorated.__wrapped__)
    assert info.firstlineno == node.lineno - 4
    assert node.name == "twice_decorated"


one, two = lambda x: x + 1, lambda x: x + 2
spread = lambda v: v * 2 if v > 0 else -v
called = list(map(lambda fn: fn, [lambda a, b=(lambda: 0): a, lambda a: a * 3]))
same, again = lambda x: x - 5, lambda x: x - 5


def defaulted(key=lambda pair: pair[1]):
    return key


def test_lambdas_on_one_line_are_told_apart():
    assert text_of(one) == "lambda x: x + 1"
    assert text_of(two) == "lambda x: x + 2"


def test_lambdas_over_several_lines():
    assert text_of(spread) == "lambda v: v * 2 if v > 0 else -v"
    assert text_of(called[0]) == "lambda a, b=lambda: 0: a"
    assert text_of(called[1]) == "lambda a: a * 3"
    assert text_of(called[0].__defaults__[0]) == "lambda: 0"


def test_equal_lambdas_are_told_apart_by_their_columns():
    first, second = parse_function(same)[0], parse_function(again)[0]
    if sys.version_info >= (3, 11):
        assert first.col_offset < second.col_offset


def test_lambdas_as_defaults_in_headers_and_in_comprehensions():
    assert text_of(defaulted()) == "lambda pair: pair[1]"
    for fn in (lambda: 10, lambda: 20):
        assert text_of(fn) == f"lambda: {fn()}"
    made = [lambda i=i: i for i in range(2)]
    assert text_of(made[1]) == "lambda i=i: i"


def test_a_lambda_within_a_lambda():
    outer = lambda a: lambda b: a + b
    assert text_of(outer) == "lambda a: lambda b: a + b"
    assert text_of(outer(1)) == "lambda b: a + b"


@(lambda fn: fn)
def under_a_lambda(x):
    return x


def test_a_function_under_a_lambda():
    assert text_of(under_a_lambda).startswith("@lambda fn: fn\ndef under_a_lambda")


def test_free_variables_and_future_statements(tmp_path):
    module = module_from(
        tmp_path,
        """
        from __future__ import annotations

        def outer(y):
            def inner(x: Undefined) -> Undefined:
                return x + y
            return inner
        """,
        "with_future",
    )
    info = parse_function(module.outer(1))[1]
    assert info.freevars == ("y",)
    assert info.flags & 0x1000000
    assert not parse_function(plain)[1].flags


def test_async_functions_and_generators_parse():
    async def coroutine():
        return 1

    def generator():
        yield 1

    assert isinstance(parse_function(coroutine)[0], gast.AsyncFunctionDef)
    assert isinstance(parse_function(generator)[0], gast.FunctionDef)


TEXT = "def made(x):\n    if x > 10:\n        x = 10\n    return x\n"


def test_exec_with_the_text_in_a_variable_of_the_module():
    space = {}
    exec(TEXT, space)
    assert text_of(space["made"]) == TEXT.strip()


def test_exec_of_a_literal_and_of_a_dedented_text():
    space = {}
    exec("def from_literal(x):\n    return -x", space)
    exec(
        textwrap.dedent("""
            def from_dedented(x):
                return ~x
        """),
        space,
    )
    assert text_of(space["from_literal"]).endswith("return -x")
    assert text_of(space["from_dedented"]).endswith("return ~x")
    assert text_of(eval("lambda q: q ** 3")) == "lambda q: q ** 3"


def test_exec_of_a_text_that_no_longer_is():
    def make():
        space = {}
        exec("\n".join(["def gone" + "_away(x):", "    return x + 12"]), space)
        return space["gone_away"]

    with pytest.raises(NoSourceError) as caught:
        parse_function(make())
    assert "exec" in caught.value.reason
    assert "linecache" in caught.value.mend


def test_a_text_that_only_resembles_the_function_is_not_taken():
    def make():
        space = {}
        exec("\n".join(["def resembling(x):", "    return x + 13"]), space)
        return space["resembling"]

    decoy = "def resembling(x):\n    return x + 14"
    assert decoy
    with pytest.raises(NoSourceError):
        parse_function(make())


def test_exec_with_a_linecache_entry():
    name = "<made by a tool>"
    text = "def " + "known(x):\n    return x * 21\n"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    space = {}
    exec(compile(text, name, "exec"), space)
    assert text_of(space["known"]).endswith("x * 21")


def test_notebook_cells():
    cell = "import math\n\nvalue = await math.pi\n\ndef in_cell(x):\n    return math.sin(x)\n"
    name = "<ipython-input-1-abc>"
    linecache.cache[name] = (len(cell), None, cell.splitlines(True), name)
    code = compile(cell, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    inner = next(c for c in code.co_consts if isinstance(c, types.CodeType))
    assert text_of(types.FunctionType(inner, {})).endswith("math.sin(x)")


def test_zip_files(tmp_path):
    archive = tmp_path / "packed.zip"
    with zipfile.ZipFile(archive, "w") as target:
        target.writestr("zipped_module.py", "def zipped(x):\n    return x - 1\n")
    sys.path.insert(0, str(archive))
    try:
        import zipped_module
    finally:
        sys.path.remove(str(archive))
    assert text_of(zipped_module.zipped).endswith("return x - 1")


def test_doctests():
    seen = []
    text = ">>> def tested(x):\n...     return x % 7\n>>> see(tested)\n"
    example = doctest.DocTestParser().get_doctest(
        text, {"see": lambda fn: seen.append(text_of(fn))}, "example", None, 0
    )
    runner = doctest.DocTestRunner()
    runner.run(example)
    assert runner.failures == 0
    assert seen == ["def tested(x):\n    return x % 7"]


def run(*arguments, given=None):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    return subprocess.run(
        [sys.executable, *arguments],
        input=given,
        capture_output=True,
        text=True,
        env=environment,
        timeout=60,
        check=False,
    )


SHOW = (
    "from autograph_lite.conversion.source import parse_function\n"
    "from autograph_lite.conversion.unparse import to_text\n"
)


def test_python_dash_c():
    text = SHOW + "def direct(x):\n    return x ^ 3\nprint(to_text(parse_function(direct)[0]))"
    result = run("-c", text)
    assert "return x ^ 3" in result.stdout, result.stderr


def test_standard_input_says_why_not():
    result = run("-", given=SHOW + "def typed(x):\n    return x\nparse_function(typed)\n")
    assert "typed at a prompt that keeps no text" in result.stderr


def test_an_edited_file_is_noticed(tmp_path):
    module = module_from(tmp_path, "def early(x):\n    return x + 1\n", "edited_module")
    path = tmp_path / "edited_module.py"
    path.write_text("def early(x):\n    return x + 1000\n")
    os.utime(path, (1, 1))
    linecache.checkcache(str(path))
    with pytest.raises(NoSourceError, match="edited after it was imported"):
        parse_function(module.early)
    path.write_text("# One more line.\n\ndef early(x):\n    return x + 1\n")
    with pytest.raises(NoSourceError, match="restart the program, or reload"):
        parse_function(module.early)


def test_a_reloaded_module_is_read_again(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    path = tmp_path / "reloaded_module.py"
    path.write_text("def current(x):\n    return x + 1\n")
    module = importlib.import_module("reloaded_module")
    assert text_of(module.current).endswith("x + 1")
    path.write_text("def current(x):\n    return x + 22\n")
    os.utime(path, (2, 2))
    importlib.reload(module)
    assert text_of(module.current).endswith("x + 22")


def test_a_file_that_is_gone(tmp_path):
    module = module_from(tmp_path, "def lost(x):\n    return x\n", "lost_module")
    (tmp_path / "lost_module.py").unlink()
    linecache.checkcache(module.__file__)
    with pytest.raises(NoSourceError, match="cannot be read"):
        parse_function(module.lost)


def test_what_is_no_python_function():
    with pytest.raises(NoSourceError, match="not a Python function"):
        parse_function(len)


def test_what_the_module_binds_has_a_say_in_the_code(tmp_path):
    module = module_from(
        tmp_path,
        """
        import math
        _super = super

        class Base:
            def area(self, r):
                return math.floor(r)

        class Derived(Base):
            def area(self, r):
                return super().area(r) + math.ceil(r)
        """,
        "binding_module",
    )
    assert "super().area(r)" in text_of(module.Derived.area)
    assert "math.floor" in text_of(module.Base.area)


def test_every_function_of_some_modules_is_found():
    import argparse
    import dataclasses
    import enum

    for module in (argparse, dataclasses, enum, textwrap):
        for value in vars(module).values():
            owner = vars(value).values() if inspect.isclass(value) else [value]
            for fn in owner:
                if isinstance(fn, types.FunctionType) and fn.__code__.co_filename[:1] != "<":
                    assert parse_function(fn)[0].body


def test_threads_may_ask_at_once():
    found = []
    threads = [threading.Thread(target=lambda: found.append(text_of(two))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["lambda x: x + 2"] * 8


def test_a_prompt_with_a_history():
    pty = pytest.importorskip("pty")
    pytest.importorskip("readline")
    answer = prompt(
        pty,
        [
            *SHOW.splitlines(),
            "def at_prompt(x):",
            "    if x:",
            "        return 17",
            "",
            "print('>' + to_text(parse_function(at_prompt)[0]).replace(chr(10), '|') + '<')",
        ],
    )
    assert ">def at_prompt(x):|    if x:|        return 17|<" in answer


def prompt(pty, lines):
    """What Python's prompt prints when lines are typed at it."""
    parent, child = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}
    environment.update(TERM="dumb", PYTHON_BASIC_REPL="1", HOME="/nonexistent")
    process = subprocess.Popen(
        [sys.executable, "-q"], stdin=child, stdout=child, stderr=child, env=environment
    )
    os.close(child)
    os.write(parent, ("\n".join(lines) + "\nexit()\n").encode())
    output = b""
    try:
        while chunk := os.read(parent, 4096):
            output += chunk
    except OSError:
        pass  # the other end is closed
    process.wait(timeout=30)
    os.close(parent)
    return output.decode(errors="replace")
