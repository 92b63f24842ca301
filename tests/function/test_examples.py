"""The examples in the docstrings of tracing, sessions and graph mode."""

import doctest
import importlib

import pytest

MODULES = """
    autograph_lite.bound autograph_lite.code_reads autograph_lite.concrete autograph_lite.config
    autograph_lite.function autograph_lite.guards autograph_lite.lifting autograph_lite.matching
    autograph_lite.outputs autograph_lite.trace_cache runtime.graph runtime.graph_mode
    runtime.session
"""


@pytest.mark.parametrize("name", MODULES.split())
def test_examples(name):
    module = importlib.import_module(name)
    # A function of the library's own is not converted: the examples are somebody else's.
    results = doctest.testmod(module, extraglobs={"__name__": "examples"})
    assert results.attempted and not results.failed
