"""The command line: what it prints, where, and with which exit code."""

import ast
import os
import re
import shlex
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from autograph_lite.cli import main
from autograph_lite.presentation.highlight import pieces, to_terminal

ROOT = Path(__file__).parents[1]
COLLATZ = str(ROOT / "samples" / "collatz.py")

PROGRAM = '''\
"""Odds and ends."""

import numpy as np

import autograph_lite as ag

print("IMPORTED")


def helper(x):
    return x + 1


class Net:
    """A net."""

    scale = 2

    def __init__(self):
        self.w = 3

    def step(self, x):
        # Only what is positive.
        if x > 0:
            return helper(x) * self.w
        return x

    @ag.function
    def grow(self, x):
        while x < 100:
            x = x * self.w
        return x

    @staticmethod
    def magnitude(x):
        return x if x > 0 else -x


def generator(n):
    yield n


square = lambda x: x * x if x > 0 else 0


@ag.function
def total(values, scale=1.0):
    s = 0.0
    for v in values:
        s += v * scale
    return s


def fails(x):
    if x > 0:
        raise ValueError("too large")
    return x


if __name__ == "__main__":
    print("MAIN RAN")
    raise SystemExit(3)
'''


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "odds_and_ends.py"
    path.write_text(PROGRAM)
    yield str(path)
    sys.modules.pop("odds_and_ends", None)
    while str(tmp_path) in sys.path:
        sys.path.remove(str(tmp_path))


def run(capsys, *argv):
    code = main(["convert", *argv])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


# ---- --show


def test_shows_every_function_that_can_be_converted(capsys, program):
    code, out, err = run(capsys, "--show", program)
    assert (code, err) == (0, "")
    tree = ast.parse(out)
    names = [n.name for n in tree.body if isinstance(n, (ast.FunctionDef, ast.ClassDef))]
    assert names == ["helper", "Net", "total", "fails"]
    (net,) = [n for n in tree.body if isinstance(n, ast.ClassDef)]
    methods = [n.name for n in net.body if isinstance(n, ast.FunctionDef)]
    assert methods == ["__init__", "step", "grow", "magnitude"]
    assert "square = lambda x: ag__.if_exp(x > 0, lambda: x * x, lambda: 0)" in out
    assert "ag__.while_loop(loop_test, loop_body" in out
    assert "# Only what is positive." in out
    assert '"""A net."""' in out


def test_showing_reads_the_file_and_does_not_run_it(capsys, program):
    _, out, _ = run(capsys, "--show", program)
    assert "IMPORTED" not in out
    assert "MAIN RAN" not in out


@pytest.mark.parametrize("name", ["helper", "Net.step", "Net.magnitude", "square", "total", "Net"])
def test_shows_one(capsys, program, name):
    code, out, err = run(capsys, "--show", f"{program}:{name}")
    assert (code, err) == (0, "")
    (statement,) = ast.parse(out).body
    found = getattr(statement, "name", None) or statement.targets[0].id
    assert found == name.rpartition(".")[2]


def test_shows_nested_functions_by_name(capsys, tmp_path):
    path = tmp_path / "nested.py"
    path.write_text("def f(x):\n    def g(y):\n        return y if y else x\n    return g\n")
    for name in ("f.g", "f.<locals>.g"):
        code, out, _ = run(capsys, f"{path}:{name}")
        assert code == 0
        assert out == "def g(y):\n    return ag__.if_exp(y, lambda: y, lambda: x)\n"


def test_the_target_may_come_first(capsys, program):
    assert run(capsys, f"{program}:helper")[1] == run(capsys, "--show", f"{program}:helper")[1]


def test_shows_what_the_converter_runs(capsys):
    """The text that is read from a file is the text of the live function."""
    import textwrap

    from autograph_lite.conversion.pipeline import converted_tree
    from autograph_lite.conversion.unparse import to_text

    node, info = converted_tree(textwrap.dedent)
    _, out, _ = run(capsys, f"{textwrap.__file__}:dedent")
    assert out == to_text(node, info.text)


def test_shows_a_directory(capsys, tmp_path):
    package = tmp_path / "package"
    (package / "inner").mkdir(parents=True)
    (package / "__pycache__").mkdir()
    (package / "__init__.py").write_text("")
    (package / "inner" / "a.py").write_text("def f(x):\n    return x if x else 1\n")
    (package / "__pycache__" / "b.py").write_text("def no(x): pass\n")
    code, out, err = run(capsys, "--show", str(package))
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == f"# {package / 'inner' / 'a.py'}"
    assert "ag__.if_exp" in out
    assert "def no" not in out


def test_a_directory_passes_over_what_does_not_parse(capsys, tmp_path):
    (tmp_path / "bad.py").write_text("def f(:\n")
    (tmp_path / "good.py").write_text("def f(x):\n    return not x\n")
    code, out, err = run(capsys, "--show", str(tmp_path))
    assert code == 2
    assert "ag__.not_(x)" in out
    assert err == f"autograph-lite: {tmp_path / 'bad.py'}:1: does not parse: invalid syntax\n"


# ---- what is not there


def one_line(err):
    assert err.startswith("autograph-lite: ")
    assert err.count("\n") == 1, err
    return err.removeprefix("autograph-lite: ").rstrip("\n")


def test_no_such_file(capsys, program):
    code, out, err = run(capsys, "--show", program.replace("ends", "endz"))
    assert (code, out) == (2, "")
    path = program.replace("ends", "endz")
    assert one_line(err) == f"{path}: there is no such file; did you mean 'odds_and_ends.py'?"


def test_does_not_parse(capsys, tmp_path):
    path = tmp_path / "bad.py"
    path.write_text("x = 1\ndef f(:\n")
    code, out, err = run(capsys, "--show", str(path))
    assert (code, out) == (2, "")
    assert one_line(err) == f"{path}:2: does not parse: invalid syntax"


def test_not_text(capsys, tmp_path):
    path = tmp_path / "binary.py"
    path.write_bytes(b"\xff\xfe\x00")
    code, _, err = run(capsys, str(path))
    assert code == 2
    assert one_line(err).startswith(f"{path}: cannot be read: ")


@pytest.mark.parametrize(
    "name, hint",
    [
        ("hleper", "did you mean 'helper'?"),
        ("step", "did you mean 'Net.step'?"),
        ("Net.grwo", "did you mean 'Net.grow'?"),
        ("xyz", "it has helper, Net.__init__, Net.step, Net.grow, Net.magnitude, generator, "
         "total, fails, ..."),
    ],
)  # fmt: skip
def test_no_such_function(capsys, program, name, hint):
    code, out, err = run(capsys, "--show", f"{program}:{name}")
    assert (code, out) == (2, "")
    assert one_line(err) == f"{program}: there is no function {name!r}; {hint}"


def test_a_generator_is_not_converted(capsys, program):
    code, _, err = run(capsys, "--show", f"{program}:generator")
    assert code == 2
    assert re.fullmatch(
        r".*odds_and_ends.py:39: generator is a generator or a coroutine, and these are not "
        r"converted; name the function that uses it",
        one_line(err),
    )


def test_no_file_at_all(capsys):
    code, _, err = run(capsys)
    assert code == 2
    assert one_line(err).startswith("name a file to convert")


# ---- --graph, --plan, --run


def test_runs(capsys):
    code, out, err = run(capsys, COLLATZ + ":collatz", "--run", "--args", "27")
    assert (code, out, err) == (0, "(111, 9232)\n", "")


def test_chooses_the_function_named_like_the_file(capsys):
    assert run(capsys, COLLATZ, "--run", "--args", "97")[1] == "(118, 9232)\n"


def test_graph_and_plan(capsys):
    _, out, _ = run(capsys, COLLATZ, "--graph", "--args", "27")
    assert "While" in out
    _, out, _ = run(capsys, COLLATZ, "--plan", "--args", "27")
    assert "while n != c1:" in out
    ast.parse(out)


def test_several_parts_have_headings(capsys):
    _, out, _ = run(capsys, "--show", COLLATZ + ":collatz", "--plan", "--run", "--args", "27")
    assert "# plan of collatz(27)" in out
    assert out.endswith("# result of collatz(27)\n(111, 9232)\n")


@pytest.mark.parametrize(
    "name, args, expected",
    [
        ("helper", ["3"], "4"),
        ("helper", ["int32(5)"], "6"),
        ("helper", ["np.array([1.0, 2.0])"], "[2. 3.]"),
        ("helper", ["-1e3"], "-999.0"),
        ("Net.step", ["np.float32(3)"], "12.0"),
        ("Net.grow", ["np.float64(3)"], "243.0"),
        ("Net.magnitude", ["int64(-3)"], "3"),
        ("square", ["np.int32(4)"], "16"),
        ("total", ["np.array([1.0, 2.0])"], "3.0"),
        ("total", ["np.array([1.0, 2.0])", "scale=2.0"], "6.0"),
    ],
)
def test_runs_every_kind_of_function(capsys, program, name, args, expected):
    code, out, err = run(capsys, f"{program}:{name}", "--run", "--args", *args)
    assert (code, err) == (0, "")
    assert out.replace("IMPORTED\n", "") == expected + "\n"


def test_never_runs_the_main_part(capsys, program):
    _, out, _ = run(capsys, f"{program}:helper", "--run", "--args", "1")
    assert "IMPORTED" in out
    assert "MAIN RAN" not in out


def test_a_module_of_a_package_may_import_relatively(capsys, tmp_path):
    package = tmp_path / "some_package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "constants.py").write_text("K = 7\n")
    (package / "code.py").write_text("from .constants import K\n\ndef f(x):\n    return x * K\n")
    code, out, err = run(capsys, f"{package / 'code.py'}:f", "--run", "--args", "int32(6)")
    assert (code, out, err) == (0, "42\n", "")


def test_a_file_named_like_a_module_of_python(capsys, tmp_path):
    path = tmp_path / "statistics.py"
    path.write_text("def f(x):\n    return x if x > 0 else -x\n")
    code, out, _ = run(capsys, f"{path}:f", "--run", "--args", "int32(-6)")
    assert (code, out) == (0, "6\n")


@pytest.mark.parametrize(
    "text, reason",
    [
        ("os.system('ls')", "holds 'os.system'"),
        ("__import__('os')", "holds a call of '__import__'"),
        ("open('x')", "holds a call of 'open'"),
        ("[x for x in y]", "holds '[x for x in y]'"),
        ("2 ** 9999", "holds an expression to compute"),
        ("np.arary([1])", "holds a call of 'np.arary'; did you mean 'array'?"),
        ("np.zeros(10**9)", "holds an expression to compute"),
        ("np.zeros(1000000000)", "cannot be made: 1000000000 elements are more than"),
        ("hello", "holds the name 'hello'"),
        ("1 +", "is not a Python literal"),
    ],
)
def test_arguments_are_literals(capsys, program, text, reason):
    code, _, err = run(capsys, f"{program}:helper", "--run", "--args", text)
    assert code == 2
    assert one_line(err).startswith(f"the argument {text!r} {reason}")


def test_the_users_error(capsys, program):
    code, _, err = run(capsys, f"{program}:fails", "--run", "--args", "int32(2)")
    assert code == 1
    assert one_line(err) == f"{program}:56: fails(int32(2)): ValueError: too large"


@pytest.mark.parametrize(
    "name, args, reason",
    [
        ("helper", ["m=27"], "helper() has no argument 'm'; did you mean 'x'?"),
        (
            "total",
            ["values=[1]", "scle=2"],
            "total() has no argument 'scle'; did you mean 'scale'?",
        ),
        ("total", ["zz=2"], "total() has no argument 'zz'; it has values, scale"),
        ("Net.grow", ["y=2"], "Net.grow() has no argument 'y'; did you mean 'x'?"),
    ],
)
def test_an_argument_of_another_name(capsys, program, name, args, reason):
    code, _, err = run(capsys, f"{program}:{name}", "--run", "--args", *args)
    assert code == 2
    assert one_line(err).endswith(reason)


def test_a_spec_cannot_be_run(capsys, program):
    target, spec = f"{program}:helper", "TensorSpec([None],float32)"
    code, _, err = run(capsys, target, "--run", "--args", spec)
    assert code == 2
    assert one_line(err).startswith(f"--run needs values; helper({spec}) has a TensorSpec")
    assert run(capsys, target, "--plan", "--args", spec)[0] == 0


def test_a_script_that_runs_the_command_is_not_the_users_file(monkeypatch):
    from autograph_lite.presentation.live import _without_command

    script = "/usr/bin/autograph-lite"
    monkeypatch.setattr(sys.modules["__main__"], "__file__", script, raising=False)
    assert _without_command(f"TypeError: {script}:8: no", "f.py") == "TypeError: no"
    assert _without_command(f"TypeError: {script}:8: no", script) == f"TypeError: {script}:8: no"


def test_a_function_that_leaves(capsys, tmp_path):
    path = tmp_path / "leaving.py"
    path.write_text("import sys\ndef f(x):\n    sys.exit(3)\n")
    code, _, err = run(capsys, f"{path}:f", "--run", "--args", "1")
    assert (code, one_line(err)) == (1, f"{path}:3: f(1): SystemExit: 3")


@pytest.mark.parametrize("text", ["", "x = 1\n", "def g():\n    yield 1\n"])
@pytest.mark.parametrize("options", [["--show"], ["--diff"], ["--run"], ["--plan"]])
def test_a_file_without_functions(capsys, tmp_path, text, options):
    path = tmp_path / "nothing.py"
    path.write_text(text)
    for target in (path, tmp_path) if options in (["--show"], ["--diff"]) else (path,):
        code, out, err = run(capsys, str(target), *options)
        assert (code, out) == (2, "")
        assert one_line(err) == f"{target}: there is no function in it that can be converted"
    assert run(capsys, f"{path}:f", *options)[0] == 2


def test_a_missing_argument(capsys, program):
    code, _, err = run(capsys, f"{program}:helper", "--run")
    assert code == 1
    assert "missing a required argument: 'x'" in one_line(err)


@pytest.mark.parametrize(
    "text, reason",
    [
        ("import nosuchmodule_x\n", "1: importing fails: ModuleNotFoundError: No module named"),
        ("x = 1\ny = x / 0\n", "2: importing fails: ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit(4)\n", "2: importing fails: SystemExit: 4"),
    ],
)
def test_an_import_that_fails(capsys, tmp_path, text, reason):
    path = tmp_path / "failing.py"
    path.write_text(text + "def f(x):\n    return x\n")
    code, _, err = run(capsys, f"{path}:f", "--run", "--args", "1")
    assert code == 2
    assert one_line(err).startswith(f"{path}:{reason}")
    assert run(capsys, "--show", str(path))[0] == 0  # showing does not import


# ---- --diff and --html


def test_side_by_side(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "150")
    code, out, _ = run(capsys, "--diff", COLLATZ + ":collatz")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].split() == ["original", "converted"]
    assert max(map(len, lines)) <= 150
    row = next(line for line in lines if "highest = n" in line)
    assert row.count("highest = n") == 2
    row = next(line for line in lines if "while n != 1:" in line)
    assert re.search(r"\d+ +while n != 1: +\| +def loop_test\(\):", row)
    source = Path(COLLATZ).read_text().splitlines()
    shown = {int(m[1]): m[2].rstrip() for m in re.finditer(r"(?m)^ *(\d+) (.{40})", out)}
    assert all(source[number - 1][:40].rstrip() == text for number, text in shown.items())


def test_html_page(capsys, tmp_path):
    page = tmp_path / "page.html"
    code, out, err = run(capsys, "--html", str(page), COLLATZ + ":collatz", "--args", "27")
    assert (code, out, err) == (0, "", f"wrote {page}\n")
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert not re.search(r"(src|href)=", text)  # it needs nothing but itself
    assert "Graph of collatz(27)" in text
    assert "While" in text
    assert '<span class="keyword">while</span>' in text
    assert "loop_body" in text
    from html.parser import HTMLParser

    class Balance(HTMLParser):
        open_tags: list = []

        def handle_starttag(self, tag, attrs):
            if tag not in ("meta",):
                self.open_tags.append(tag)

        def handle_endtag(self, tag):
            assert self.open_tags.pop() == tag

    parser = Balance()
    parser.feed(text)
    assert parser.open_tags == []


def test_html_without_arguments_does_not_import(capsys, tmp_path, program):
    page = tmp_path / "page.html"
    code, out, _ = run(capsys, "--html", str(page), program)
    assert (code, out) == (0, "")
    assert "Give --args" in page.read_text(encoding="utf-8")


def test_html_never_overwrites_the_program(capsys, program):
    code, _, err = run(capsys, "--html", program)
    assert code == 2
    assert "--html takes the page to write, then the file to convert" in one_line(err)
    assert Path(program).read_text() == PROGRAM


# ---- colours and pipes


def test_plain_in_a_pipe_and_coloured_when_asked(capsys, program):
    plain = run(capsys, "--show", f"{program}:helper")[1]
    assert "\x1b" not in plain
    coloured = run(capsys, "--show", f"{program}:helper", "--color", "always")[1]
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == plain


def test_no_color_is_respected(monkeypatch):
    import io

    from autograph_lite.presentation.highlight import wants_colour

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert wants_colour(Terminal())
    assert not wants_colour(io.StringIO())
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour(Terminal())
    assert wants_colour(Terminal(), "always")


def test_colours_without_pygments(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygments", None)
    text = 'def f(x):\n    # one\n    return f"{x}" + 1.5\n'
    coloured = to_terminal(text)
    assert "\x1b[35mdef\x1b[0m" in coloured
    assert re.sub(r"\x1b\[[\d;]*m", "", coloured) == text


@pytest.mark.parametrize("text", ["x = (", "é = 'ü' # ß\n", "", "\tx", "f'{a!r:>{w}}'\n", "''''"])
def test_pieces_are_the_text(text):
    assert "".join(piece for piece, _ in pieces(text)) == text


def command(*argv, **options):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        [sys.executable, "-m", "autograph_lite", *argv], capture_output=True, text=True,
        env=environment, timeout=120, **options,
    )  # fmt: skip


def test_as_a_module():
    done = command("convert", "--show", COLLATZ, "--run", "--args", "27")
    assert (done.returncode, done.stderr) == (0, "")
    assert "ag__.while_loop" in done.stdout
    assert done.stdout.endswith("(111, 9232)\n")


def test_version_and_help():
    done = command("--version")
    assert done.returncode == 0
    assert re.match(r"autograph-lite \d+\.\d+\.\d+ \(Python 3\.\d+\.\d+, NumPy ", done.stdout)
    for arguments in (["--help"], ["convert", "--help"]):
        done = command(*arguments)
        assert done.returncode == 0
        assert "examples:" in done.stdout
    assert command("convert", "--nonsense").returncode == 2
    assert command().returncode == 2


def test_a_reader_that_goes_away():
    process = subprocess.Popen(
        [sys.executable, "-m", "autograph_lite", "convert", "--show", str(ROOT / "runtime")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(timeout=60) == 141
    assert err == b""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_for_a_file(capsys, tmp_path):
    def piped(*options):
        pipe = tmp_path / "pipe"
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)
        text = "def f(x):\n    return x if x > 0 else 1 / (x - x)\n"
        threading.Thread(target=pipe.write_text, args=(text,), daemon=True).start()
        return (*run(capsys, str(pipe), *options), pipe)

    assert "ag__.if_exp" in piped("--show")[1]
    assert piped("--run", "--args", "3")[:3] == (0, "3\n", "")
    code, _, err, pipe = piped("--run", "--args", "-3")
    assert (code, one_line(err)) == (1, f"{pipe}:2: f(-3): ZeroDivisionError: division by zero")


FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no /dev/full")


@pytest.mark.parametrize(
    "where, reason",
    [
        ("-", "standard output is closed"),
        pytest.param("/dev/full", "the output cannot be written: No space left", marks=FULL),
    ],
)
@pytest.mark.parametrize("options", [["--show"], ["--run", "--args", "27"]])
@pytest.mark.skipif(os.name == "nt", reason="needs a shell of POSIX")
def test_an_output_that_takes_nothing(where, reason, options):
    redirection = ">&-" if where == "-" else f">{where}"
    words = [sys.executable, "-m", "autograph_lite", "convert", COLLATZ, *options]
    done = subprocess.run(
        f"{shlex.join(words)} {redirection}", shell=True, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, timeout=120,
    )  # fmt: skip
    assert done.returncode == 2
    assert one_line(done.stderr).startswith(reason)
