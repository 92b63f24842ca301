"""What the README and the pages say is true: every block of code in them is run."""

import contextlib
import doctest
import importlib.util
import io
import re
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from autograph_lite.cli import main

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PROGRAM = re.compile(r"```python\n(.*?)^```\n(\n```text\n(.*?)^```)?", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page, language):
    return [
        text for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == language
    ]


def load(text, path):
    """A block as a module: what is converted needs a file."""
    path.write_text(text, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        spec.loader.exec_module(module)
    return module, out.getvalue()


@pytest.fixture
def example(tmp_path):
    text = blocks(ROOT / "README.md", "python")[0]
    module, out = load(text, tmp_path / "readme_example.py")
    yield module, out, text
    sys.modules.pop("readme_example", None)


def test_the_example_prints_what_it_says(example):
    _, out, text = example
    assert out == re.search(r"print\(.*\)  # (.*)", text)[1] + "\n"


def test_the_converted_example_is_true(example, capsys):
    module, _, _ = example
    main(["convert", "--show", f"{module.__file__}:collatz"])
    assert capsys.readouterr().out == blocks(ROOT / "README.md", "python")[1]


def test_the_plan_of_the_example_is_true(example):
    import autograph_lite as ag

    module, _, _ = example
    plan = module.collatz.get_concrete_function(ag.constant(27)).plan_source()
    assert plan == blocks(ROOT / "README.md", "python")[2]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_sessions(page):
    for number, text in enumerate(blocks(page, "pycon")):
        test = doctest.DocTestParser().get_doctest(text, {}, f"{page.name}_{number}", str(page), 0)
        result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
        assert result.attempted
        assert not result.failed


@pytest.mark.parametrize("page", PAGES[1:], ids=lambda p: p.name)
def test_programs(page, tmp_path):
    """In the pages, a program may be followed by what it prints."""
    text = page.read_text(encoding="utf-8")
    for number, found in enumerate(PROGRAM.finditer(text)):
        name = f"{page.stem.replace('-', '_')}_{number}"
        try:
            _, out = load(found[1], tmp_path / f"{name}.py")
        finally:
            sys.modules.pop(name, None)
        if found[3] is not None:
            assert out == found[3]


def commands():
    for page in PAGES:
        for text in blocks(page, "sh"):
            for line in text.splitlines():
                if line.startswith("autograph-lite "):
                    yield line


@pytest.mark.parametrize("line", list(commands()))
def test_commands(line, tmp_path, monkeypatch, capsys):
    shutil.copytree(ROOT / "samples", tmp_path / "samples", ignore=shutil.ignore_patterns("__*"))
    monkeypatch.chdir(tmp_path)
    known = set(sys.modules)
    path = list(sys.path)
    try:
        assert main(shlex.split(line.partition("  #")[0])[1:]) == 0
    finally:
        sys.path[:] = path
        for name in set(sys.modules) - known:
            if str(tmp_path) in (getattr(sys.modules[name], "__file__", None) or ""):
                del sys.modules[name]
    captured = capsys.readouterr()
    assert captured.out or "wrote page.html" in captured.err


def test_set_up_is_two_commands_of_one_line():
    first, second = [b for b in blocks(ROOT / "README.md", "sh") if ".venv/" in b]
    assert first.count("\n") == second.count("\n") == 1
    assert first.startswith("python3 -m venv .venv && .venv/bin/pip install . && ")
    command = first.rpartition("&& .venv/bin/")[2]
    assert command.startswith("autograph-lite convert --show samples/")
    assert "--run" in command
    assert second == ".venv/bin/pip install '.[test]' && .venv/bin/python -m pytest\n"


def test_the_first_command_shows_and_runs_a_sample(capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    (first, _) = [b for b in blocks(ROOT / "README.md", "sh") if ".venv/" in b]
    path = list(sys.path)
    try:
        assert main(shlex.split(first.rpartition("&& .venv/bin/")[2])[1:]) == 0
    finally:
        sys.path[:] = path
        sys.modules.pop("collatz", None)
    out = capsys.readouterr().out
    assert "ag__.while_loop" in out
    assert out.endswith("(111, 9232)\n")


def test_the_samples_listed_are_those_there_are():
    listed = re.findall(r"^\| `(\w+\.py)` \|", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert sorted(listed) == sorted(p.name for p in (ROOT / "samples").glob("*.py"))


def test_links_lead_somewhere():
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
            if "://" not in target:
                assert (page.parent / target).exists(), f"{page.name}: {target}"
