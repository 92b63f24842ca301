"""The examples in the docstrings of the ops: every public function has one, and all of them run."""

from __future__ import annotations

import doctest
import importlib
import pathlib
import types
from collections.abc import Iterator
from typing import Any

import pytest

import runtime.api
import runtime.ops

NAMESPACES = sorted(p.stem for p in pathlib.Path(runtime.api.__path__[0]).glob("[a-z]*.py"))
MODULES = sorted(p.stem for p in pathlib.Path(runtime.ops.__path__[0]).glob("[a-z]*.py"))


def public_functions() -> Iterator[tuple[str, Any]]:
    """Everything callable that the namespaces offer."""
    for namespace in NAMESPACES:
        module = importlib.import_module(f"runtime.api.{namespace}")
        for name, value in sorted(vars(module).items()):
            if not name.startswith("_") and isinstance(value, types.FunctionType):
                yield f"{namespace}.{name}", value


def test_every_public_function_has_an_example() -> None:
    without = [name for name, f in public_functions() if ">>>" not in (f.__doc__ or "")]
    assert not without, f"public functions whose docstring has no example: {without}"


@pytest.mark.parametrize("module", MODULES)
def test_examples_run(module: str) -> None:
    found = importlib.import_module(f"runtime.ops.{module}")
    result = doctest.testmod(found, optionflags=doctest.ELLIPSIS)
    assert result.failed == 0
