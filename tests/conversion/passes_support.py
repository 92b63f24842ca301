"""What the tests of single passes share."""

from __future__ import annotations

import textwrap
from typing import Any

import gast

from autograph_lite.conversion import pipeline
from autograph_lite.conversion.unparse import to_text
from tests.conversion.differential import compare, namespace_of


def function_of(text: str) -> Any:
    """The tree of the first function in a text."""
    return gast.parse(textwrap.dedent(text)).body[0]


def text_of(tree: Any) -> str:
    return to_text(tree)


def converted_text(text: str, has_class: bool = False) -> str:
    """The text that a function becomes."""
    tree = function_of(text)
    pipeline.transform(tree, (), has_class, staging=False)
    return text_of(tree)


def same(text: str, *calls: tuple[Any, ...], name: str = "f") -> None:
    """Asserts that a module's function does the same converted as not."""
    for staging in (False, True):
        compare(textwrap.dedent(text), list(calls) or [()], name, staging)


__all__ = ["converted_text", "function_of", "namespace_of", "same", "text_of"]
