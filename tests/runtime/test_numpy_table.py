"""The page of supported NumPy functions says what the code does."""

import importlib.util
import pathlib

import numpy as np
import pytest

TOOL = pathlib.Path(__file__).parents[2] / "tools" / "numpy_table.py"


@pytest.mark.skipif(
    tuple(map(int, np.__version__.split(".")[:2])) < (2, 1),
    reason="the page lists functions that came with NumPy 2.1",
)
def test_the_page_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("numpy_table", TOOL)
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    assert tool.PAGE.read_text(encoding="utf-8") == tool.page(), "run tools/numpy_table.py"
