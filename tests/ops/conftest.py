"""Tests of what SciPy computes are skipped where it is not installed."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: Any) -> Generator[None, Any, Any]:
    try:
        return (yield)
    except ImportError as error:
        if "autograph-lite[scipy]" in str(error):
            pytest.skip(str(error))
        raise
