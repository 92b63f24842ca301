"""Samples are programs, not modules of a package: they are loaded from their files."""

import importlib.util
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).parents[2] / "samples"


@pytest.fixture
def sample():
    def load(name):
        key = f"sample_{name}"
        if key not in sys.modules:
            spec = importlib.util.spec_from_file_location(key, SAMPLES / f"{name}.py")
            module = importlib.util.module_from_spec(spec)
            sys.modules[key] = module
            spec.loader.exec_module(module)
        return sys.modules[key]

    return load
