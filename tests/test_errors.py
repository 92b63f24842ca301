"""What users see of an error: their own lines. And what debuggers and profilers see."""

import gc
import os
import pstats
import re
import subprocess
import sys
import textwrap
import traceback
import weakref

import pytest

import autograph_lite as ag
from autograph_lite import errors, operators
from autograph_lite.conversion import pipeline

# Python 3.10 cannot re-raise without the entry of the function that re-raises.
exact = pytest.mark.skipif(sys.version_info < (3, 11), reason="needs Python 3.11")


def shown(error):
    """The traceback as printed, each entry as (file, line of text, function)."""
    entries = traceback.extract_tb(error.__traceback__)
    return [(os.path.basename(e.filename), e.line, e.name) for e in entries]


def raised(call):
    with pytest.raises(Exception) as caught:
        call()
    return caught.value


@ag.function
def nested(x, table):
    for i in range(3):
        if i == 2:
            y = x + table["no"]
    return y


@exact
def test_only_the_users_lines_are_shown():
    error = raised(lambda: nested(ag.constant(1), {"yes": 1}))
    assert shown(error)[1:] == [
        (
            "test_errors.py",
            'error = raised(lambda: nested(ag.constant(1), {"yes": 1}))',
            "<lambda>",
        ),
        ("test_errors.py", 'y = x + table["no"]', "nested"),
    ]


@exact
def test_the_text_of_a_traceback(tmp_path):
    script = tmp_path / "program.py"
    script.write_text(
        textwrap.dedent("""\
        import autograph_lite as ag


        def helper(v):
            return v and 1 / 0


        @ag.function
        def program(x):
            if x > 0:
                x = x + 1
            for i in [1, 2]:
                while True:
                    helper(i)
            return x


        program(ag.constant(1))
        """)
    )
    lines = run(str(script)).stderr.splitlines()
    lines = [line for line in lines if not re.fullmatch(r"[ ~^]+", line)]
    assert lines == [
        "Traceback (most recent call last):",
        f'  File "{script}", line 18, in <module>',
        "    program(ag.constant(1))",
        f'  File "{script}", line 14, in program',
        "    helper(i)",
        f'  File "{script}", line 5, in helper',
        "    return v and 1 / 0",
        "ZeroDivisionError: division by zero",
    ]
    everything = run(str(script), AUTOGRAPH_LITE_FULL_TRACEBACK="1").stderr
    assert "function.py" in everything
    assert everything.splitlines()[-1] == "ZeroDivisionError: division by zero"


def run(*arguments, given=None, **environment):
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    result = subprocess.run(
        [sys.executable, *arguments],
        input=given,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": root, **environment},
        timeout=120,
        check=False,
    )
    return result


def converted(fn):
    """The converted form of a function, called without any entry to the library."""
    return pipeline.convert(fn, operators)


@exact
def test_converted_functions_tidy_up_after_themselves():
    def deeper(x):
        while x:
            if x >= 1:
                raise ValueError("deep")

    deeper = converted(deeper)

    @converted
    def outer(x):
        """Says something."""
        for i in [1, 2]:
            try:
                if x and i:
                    deeper(i)
            finally:
                pass

    assert outer.__doc__ == "Says something."
    names = [(line, name) for _, line, name in shown(raised(lambda: outer(1)))][1:]
    assert names == [
        (
            "names = [(line, name) for _, line, name in shown(raised(lambda: outer(1)))][1:]",
            "<lambda>",
        ),
        ("deeper(i)", "outer"),
        ('raise ValueError("deep")', "deeper"),
    ]


def test_no_frame_of_the_library_is_left():
    @converted
    def inner(x):
        return x and [1 / v if v < 1 else v for v in x]

    @converted
    def outer(x):
        for _ in "ab":
            if inner(x):
                return (lambda y: y and inner(y) or 2)(x)

    for argument in ([1, 0], [0]):
        error = raised(lambda: outer(argument))
        assert {file for file, _, _ in shown(error)} == {"test_errors.py"}


def test_caught_errors_are_tidy_too():
    @converted
    def subject(x):
        try:
            if x:
                fails()
        except ValueError as error:
            return traceback.format_exc(), error

    text, error = subject(1)
    assert "fails()" in text and "ValueError: wrong" in text
    assert error.__traceback__ is not None


def test_an_endless_recursion_ends_as_it_does():
    @converted
    def endless(x):
        if x:
            return endless(x + 1)

    error = raised(lambda: endless(1))
    assert type(error) is RecursionError
    assert error.__context__ is None


def library_call(callback):
    """A stand-in for the library: code that bears the file name of a file of it."""
    space = {}
    text = "def call(callback, *args):\n    return callback(*args)\n"
    exec(compile(text, os.path.join(os.path.dirname(ag.__file__), "stand_in.py"), "exec"), space)
    return space["call"](callback)


def cleaned(call):
    error = raised(call)
    assert errors.clean_traceback(error) is error
    return error


def fails():
    raise ValueError("wrong")


def test_library_frames_go_wherever_they_are():
    def user():
        library_call(lambda: library_call(fails))

    names = [name for _, _, name in shown(cleaned(user))]
    assert names == ["raised", "user", "library_call", "<lambda>", "library_call", "fails"]


def test_causes_contexts_and_notes():
    def user():
        try:
            library_call(fails)
        except ValueError as inner:
            error = KeyError("outer")
            error.__notes__ = ["a note"]
            raise error from inner

    error = cleaned(user)
    assert type(error) is KeyError and error.args == ("outer",)
    assert error.__notes__ == ["a note"]
    assert error.__cause__ is error.__context__
    assert [name for _, _, name in shown(error.__cause__)] == ["user", "library_call", "fails"]
    assert error.__suppress_context__


def test_cycles_of_contexts_end():
    first, second = ValueError(), ValueError()
    first.__context__, second.__context__ = second, first
    assert errors.clean_traceback(first) is first


@pytest.mark.skipif(sys.version_info < (3, 11), reason="groups are of Python 3.11")
def test_groups():
    def user():
        try:
            library_call(fails)
        except ValueError as inner:
            raise ExceptionGroup("all", [inner])  # noqa: F821

    (member,) = cleaned(user).exceptions
    assert [name for _, _, name in shown(member)] == ["user", "library_call", "fails"]


def test_everything_stays_on_demand(monkeypatch):
    monkeypatch.setenv("AUTOGRAPH_LITE_FULL_TRACEBACK", "1")
    names = [name for _, _, name in shown(cleaned(lambda: library_call(fails)))]
    assert names == ["raised", "<lambda>", "library_call", "call", "fails"]


def test_an_error_of_the_library_itself_ends_at_the_users_line():
    @ag.function
    def wrong(x):
        return x + ag.zeros([3]) + ag.zeros([4])

    error = raised(lambda: wrong(ag.constant(1.0)))
    assert shown(error)[-1][1] == "return x + ag.zeros([3]) + ag.zeros([4])"


def test_cleaning_keeps_no_frame_alive():
    class Local:
        pass

    def user():
        local = Local()
        alive.append(weakref.ref(local))
        library_call(fails)

    alive = []
    error = cleaned(user)
    assert alive[0]() is not None
    del error
    gc.collect()
    assert alive[0]() is None


PROGRAM = """\
import autograph_lite as ag


@ag.function
def stepped(x):
    total = 0
    for i in [1, 2]:
        if i > 1:
            total = total + i
        else:
            total = total - i
            never = 0 if total else 1
    if total == 100:
        total = 5
    return x + total


result = stepped(ag.constant(10))
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "stepping.py"
    path.write_text(PROGRAM)
    return path


def places(output):
    """Where a debugger stopped: the files' names, and the lines."""
    output = output.partition("The program finished")[0]
    found = re.findall(r"^(?:\(Pdb\) )*> (\S+)\((\d+)\)", output, re.MULTILINE)
    # pdb runs the program from a <string> of its own.
    return [(os.path.basename(file), int(line)) for file, line in found if file[0] != "<"]


def test_pdb_stops_at_the_users_lines(program):
    commands = "b 9\nc\np ('at', i, total)\nn\nc\nq\n"
    output = run("-m", "pdb", str(program), given=commands).stdout
    assert f"> {program}(9)stepped()" in output
    assert "-> total = total + i" in output
    assert "('at', 2, -1)" in output


def test_stepping_stays_in_the_users_lines(program):
    commands = "b 6\nc\n" + "s\n" * 26 + "q\n"
    output = run("-m", "pdb", str(program), given=commands).stdout
    stops = places(output)
    stops = stops[: stops.index((program.name, 18)) + 1]  # where the program ends
    assert {file for file, _ in stops} == {program.name}
    lines = [line for _, line in stops]
    # Each line that runs is stopped at, in the order in which they run.
    expected = iter(lines)
    assert all(line in expected for line in [6, 7, 11, 12, 9, 13, 15, 18])
    assert 14 not in lines


def test_stepping_after_a_breakpoint_in_a_branch(tmp_path):
    path = tmp_path / "breaking.py"
    path.write_text(
        PROGRAM.replace("            total = total - i\n", "            breakpoint()\n")
    )
    output = run(str(path), given="p ('at', i)\n" + "s\n" * 12 + "q\n").stdout
    assert "('at', 1)" in output
    assert {file for file, _ in places(output)} == {path.name}


def test_the_users_own_breakpoint_hook(tmp_path):
    path = tmp_path / "hooked.py"
    hook = "import sys\nsys.breakpointhook = lambda: print('hook', sys._getframe(1).f_lineno)\n"
    path.write_text(
        hook + PROGRAM.replace("            total = total + i\n", "            breakpoint()\n")
    )
    assert "hook 11" in run(str(path)).stdout


def test_coverage_counts_the_users_lines(program, tmp_path):
    pytest.importorskip("coverage")
    plain = tmp_path / "plain.py"
    plain.write_text(PROGRAM.replace("@ag.function\n", "@(lambda fn: fn)\n"))

    def missing(path):
        data = f"--data-file={tmp_path / (path.stem + '.data')}"
        run("-m", "coverage", "run", data, f"--include={path}", str(path))
        report = run("-m", "coverage", "report", data, "-m").stdout
        return re.search(rf"{path.name}\s+\d+\s+\d+\s+\d+% *(.*)", report).group(1)

    assert missing(program) == missing(plain) == "14"


def test_profiles_name_the_users_functions(program, tmp_path):
    target = tmp_path / "profile"
    run("-m", "cProfile", "-o", str(target), str(program))
    stats = pstats.Stats(str(target)).stats
    names = {name for file, _, name in stats if file == str(program)}
    assert names == {"<module>", "stepped"}
