"""Does conversion leave Python as it was? Asks CPython's own tests.

    python tools/fidelity.py [--verbose] MODULE[:TESTS]...

For each module of the standard library, every Python function and method of it is replaced by its
converted form, as soon as the module is imported, and the tests that CPython has for the module are
run: those of `test.test_MODULE`, unless named. They are run without conversion too; the tests that
fail only with it are listed. The running Python must have the `test` package.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.abc
import importlib.machinery
import io
import json
import os
import subprocess
import sys
import tempfile
import time
import types
import unittest
from collections.abc import Callable, Iterator
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SUSPENDING = 0x20 | 0x80 | 0x200  # generators, coroutines, asynchronous generators


def main(arguments: list[str]) -> int:
    """Compares the modules named on the command line; 1 if any behaves differently."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="+", metavar="MODULE[:TESTS]")
    parser.add_argument("--verbose", action="store_true", help="show how the tests fail")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for one run")
    parser.add_argument("--child", choices=["plain", "converted"], help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        print(json.dumps(run_tests(options.modules[0], options.child == "converted")))
        return 0
    print(
        f"{'module':<16}{'converted':>10}{'skipped':>9}{'tests':>7}{'failing':>9}{'new':>5}{'s':>7}"
    )
    return max([compare(module, options) for module in options.modules])


def compare(module: str, options: Any) -> int:
    """Runs the tests of a module twice and prints what differs."""
    start = time.time()
    plain = child(module, "plain", options.timeout)
    converted = child(module, "converted", options.timeout)
    for way, answer in (("plain", plain), ("converted", converted)):
        if "error" in answer:
            print(f"{module:<16} {way}: {answer['error']}")
            return 1
    new = {k: v for k, v in converted["failed"].items() if k not in plain["failed"]}
    refused = {
        name: reason for name, reason in converted["refused"].items() if reason != "suspending"
    }
    fewer = converted["run"] < plain["run"]
    print(
        f"{module:<16}{converted['converted']:>10}{len(converted['refused']):>9}"
        f"{converted['run']:>7}{len(plain['failed']):>9}{len(new):>5}{time.time() - start:>7.1f}"
    )
    for name, reason in refused.items():
        print(f"    not converted: {name}: {reason}")
    for name, details in new.items():
        print(f"    fails: {name}: {details.strip().splitlines()[-1]}")
        if options.verbose:
            print(details)
    if fewer:
        print(f"    {plain['run']} tests ran without conversion, {converted['run']} with it")
    sys.stdout.flush()
    return int(bool(new or refused or fewer))


def child(module: str, way: str, timeout: float) -> dict[str, Any]:
    """The outcome of one run, in a process and a directory of its own."""
    command = [sys.executable, os.path.abspath(__file__), "--child", way, module]
    path = os.pathsep.join([ROOT, os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    with tempfile.TemporaryDirectory() as folder:
        try:
            result = subprocess.run(
                command,
                capture_output=True,
                text=True,
                cwd=folder,
                env={**os.environ, "PYTHONPATH": path, "PYTHONHASHSEED": "0"},
                timeout=timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return {"error": f"not finished after {timeout:.0f} s"}
    lines = result.stdout.strip().splitlines()
    if result.returncode or not lines:
        return {"error": f"exit code {result.returncode}: {result.stderr[-2000:]}"}
    answer: dict[str, Any] = json.loads(lines[-1])
    return answer


def run_tests(name: str, convert: bool) -> dict[str, Any]:
    """Runs CPython's tests of a module in this process."""
    # Both ways import the same, so that tests that look at sys.modules see no difference.
    from autograph_lite import operators
    from autograph_lite.conversion import pipeline

    name, _, tests = name.partition(":")
    hook = Converter(name, lambda fn: pipeline.convert(fn, operators)) if convert else None
    if hook is not None:
        present = sys.modules.get(name)
        if present is not None:
            hook.convert_module(present)
        sys.meta_path.insert(0, hook)
        importlib.import_module(name)
    tests = tests or f"test.test_{name.replace('.', '_')}"
    output, sys.stdout = sys.stdout, io.StringIO()
    try:
        result = Outcomes()
        unittest.defaultTestLoader.loadTestsFromName(tests).run(result)
    finally:
        sys.stdout = output
    return {
        "run": result.testsRun,
        "failed": result.failed,
        "converted": len(hook.converted) if hook is not None else 0,
        "refused": hook.refused if hook is not None else {},
    }


class Outcomes(unittest.TestResult):
    """Keeps what failed, and how."""

    def __init__(self) -> None:
        super().__init__()
        self.failed: dict[str, str] = {}

    def addError(self, test: Any, err: Any) -> None:
        """Keeps an error."""
        self.failed[test.id()] = self._exc_info_to_string(err, test)  # type: ignore[attr-defined]

    def addFailure(self, test: Any, err: Any) -> None:
        """Keeps a failure."""
        self.addError(test, err)

    def addSubTest(self, test: Any, subtest: Any, err: Any) -> None:
        """Keeps the failure of a part of a test."""
        if err is not None:
            self.addError(subtest, err)


class Converter(importlib.abc.MetaPathFinder):
    """Converts the functions of one module whenever it is imported.

    Args:
      name: the module.
      convert: makes the converted form of a function.
    """

    def __init__(self, name: str, convert: Callable[[types.FunctionType], Any]) -> None:
        self.name = name
        self.convert = convert
        self.converted: set[str] = set()
        self.refused: dict[str, str] = {}
        self._replaced: dict[types.FunctionType, Any] = {}  # one function may have several names

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> Any:
        """The module's own spec, with a loader that converts after it has run the module."""
        if fullname != self.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        if spec is None or spec.loader is None:
            return None
        run = spec.loader.exec_module

        def exec_module(module: types.ModuleType) -> None:
            run(module)
            self.convert_module(module)

        spec.loader.exec_module = exec_module  # type: ignore[method-assign]
        return spec

    def convert_module(self, module: types.ModuleType) -> None:
        """Replaces the functions of a module and the methods of its classes."""
        file = module.__file__
        for owner, name, value in list(members(module)):
            new = self.replaced(value, file)
            if new is not value:
                setattr(owner, name, new)
            elif owner is module:
                self.update_table(value)

    def update_table(self, table: Any) -> None:
        """Puts converted functions into a module's tables of functions."""
        if type(table) is dict or type(table) is list:
            for key, value in list(table.items() if type(table) is dict else enumerate(table)):
                table[key] = self.in_table(value)

    def in_table(self, value: Any) -> Any:
        """A value of a table, with the functions in it replaced."""
        self.update_table(value)
        if type(value) is tuple:
            return tuple(map(self.in_table, value))
        if isinstance(value, types.FunctionType):
            return self._replaced.get(value, value)
        return value

    def replaced(self, value: Any, file: str | None) -> Any:
        """What stands in the place of a member: the same kind of thing, converted."""
        if isinstance(value, types.FunctionType):
            return self.function(value) if value.__code__.co_filename == file else value
        if isinstance(value, (staticmethod, classmethod)):
            inner = self.replaced(value.__func__, file)
            return value if inner is value.__func__ else type(value)(inner)
        if type(value) is property:
            parts = (value.fget, value.fset, value.fdel)
            inner = [self.replaced(part, file) for part in parts]
            return property(*inner, value.__doc__) if any(inner) else value
        return value

    def function(self, fn: types.FunctionType) -> Any:
        """A function, converted if it can be."""
        if fn.__code__.co_flags & SUSPENDING:
            self.refused[fn.__qualname__] = "suspending"
            return fn
        if fn in self._replaced:
            return self._replaced[fn]
        try:
            new = self._replaced[fn] = self.convert(fn)
        except Exception as problem:
            self.refused[fn.__qualname__] = f"{type(problem).__name__}: {problem}"
            return fn
        self.converted.add(f"{fn.__qualname__}:{fn.__code__.co_firstlineno}")
        return new


def members(module: types.ModuleType) -> Iterator[tuple[Any, str, Any]]:
    """The members of a module and of its classes: whose, under which name, and what."""
    seen: set[type] = set()
    stack: list[Any] = [module]
    while stack:
        owner = stack.pop()
        for name, value in list(vars(owner).items()):
            if isinstance(value, type) and value.__module__ == module.__name__:
                if value not in seen:
                    seen.add(value)
                    stack.append(value)
            elif not isinstance(value, types.ModuleType) and name != "__class__":
                yield owner, name, value


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
