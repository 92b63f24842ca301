"""The page on staging: its programs do what plain Python does, and it shows them as they are."""

import importlib.util
from pathlib import Path

import pytest

import autograph_lite as ag
from tests.staging import examples, refusals
from tests.staging.differential import check

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("function, args", examples.SHOWN, ids=lambda v: getattr(v, "__name__", ""))
def test_example(function, args):
    check(function, *args)


def test_the_page_is_current():
    path = ROOT / "tools" / "make_staging_page.py"
    spec = importlib.util.spec_from_file_location("make_staging_page", path)
    maker = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(maker)
    message = "run `python tools/make_staging_page.py`"
    assert (ROOT / "docs" / "staging.md").read_text(encoding="utf-8") == maker.page(), message


@pytest.mark.parametrize("function", [f for *_, f in refusals.TABLE], ids=lambda f: f.__name__)
def test_what_the_table_lists_is_refused(function):
    with pytest.raises(refusals.ERRORS):
        ag.function(function)(ag.constant(5))
