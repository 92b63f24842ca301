"""Modules of the standard library, converted, pass CPython's own tests as before."""

import importlib.util
import os
import subprocess
import sys

import pytest

TOOL = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "tools")
MODULES = [
    "argparse",
    "bisect",
    "dataclasses",
    "enum",
    "fnmatch",
    "functools",
    "graphlib",
    "heapq",
    "shlex",
    "statistics",
    "string",
    "textwrap",
    "typing",
]


@pytest.mark.skipif(
    importlib.util.find_spec("test.test_heapq") is None, reason="this Python has no test package"
)
@pytest.mark.parametrize("module", MODULES)
def test_no_test_more_fails(module):
    result = subprocess.run(
        [sys.executable, os.path.join(TOOL, "fidelity.py"), module],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
