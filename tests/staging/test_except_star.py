"""`except*`, which is not staged, and groups of exceptions that the graph raises."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import autograph_lite as ag
from autograph_lite.errors import StagingError
from tests.staging.differential import check_all

if sys.version_info < (3, 11):
    pytest.skip("needs except*", allow_module_level=True)

# Python 3.10 cannot read it.
SOURCE = """
def nothing_raises(n):
    try:
        r = n * 2
    except* ValueError:
        r = 0
    if r > 2:
        r = r + 1
    return r


def python_raises(n):
    found = 0
    for k in range(3):
        try:
            if k == 1:
                raise ValueError(k)
            found += n
        except* ValueError as group:
            found += 10 * len(group.exceptions)
    return found


def the_graph_raises(n):
    r = 0
    try:
        if n > 1:
            raise ValueError("x")
    except* ValueError as group:
        r = len(group.exceptions)
    return r


def a_group(n):
    if n > 1:
        raise ExceptionGroup("several", [ValueError("a"), KeyError("b")])
    return n
"""


@pytest.fixture(scope="module")
def functions(tmp_path_factory):
    path = tmp_path_factory.mktemp("star") / "test_star_source.py"
    path.write_text(SOURCE)
    names = {"__name__": "test_star_source"}
    exec(compile(SOURCE, str(path), "exec"), names)
    return names


@pytest.mark.parametrize("name", ["nothing_raises", "python_raises"])
def test_like_python(functions, name):
    check_all(functions[name], (np.int32(0),), (np.int32(3),), dtypes=False)


def test_around_what_the_graph_raises(functions):
    message = r"test_star_source\.py:\d+: `except\*` around code that may raise when the graph runs"
    with pytest.raises(StagingError, match=message):
        ag.function(functions["the_graph_raises"])(ag.constant(0))


def test_groups_that_the_graph_raises(functions):
    function = ag.function(functions["a_group"])
    assert function(ag.constant(0)).numpy() == 0
    with pytest.raises(ExceptionGroup, match="several") as caught:  # noqa: F821
        function(ag.constant(3))
    assert [type(e) for e in caught.value.exceptions] == [ValueError, KeyError]
