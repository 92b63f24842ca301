"""Lists that a function makes and goes on to change: `rows = []` becomes `rows = ag__.new_list([])`.

Such a list may come to have a length that only the running graph knows. Lists that are never
changed under a branch or in a loop stay as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import gast

from autograph_lite.conversion.templates import call

__all__ = ["mark_displays", "convert_display"]

_CHANGING = {"append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort"}
_CONSTRUCTS = (gast.If, gast.For, gast.While, gast.Try)


def mark_displays(function: Any) -> None:
    """Marks the list displays of a function whose lists may be changed by staged code."""
    changed = _changed_names(function)
    for node in ast.walk(function):
        value = getattr(node, "value", None)
        if isinstance(node, gast.Assign):
            for target in node.targets:
                _mark_assigned(target, value, changed)
        elif isinstance(node, gast.AnnAssign) and value is not None:
            _mark_assigned(node.target, value, changed)


def _mark_assigned(target: Any, value: Any, changed: set[str]) -> None:
    if isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, (gast.Tuple, gast.List)):
        if len(target.elts) == len(value.elts):
            for part, item in zip(target.elts, value.elts, strict=True):
                _mark_assigned(part, item, changed)
        return
    root = _root(target)
    plain = isinstance(target, gast.Name)
    if root is not None and (root in changed or not plain):
        for node in _displays(value):
            node.grows = True


def _displays(value: Any) -> Iterator[Any]:
    """The list displays that make up a value: itself, and those inside of containers."""
    if isinstance(value, gast.List):
        yield value
        for item in value.elts:
            yield from _displays(item)
    elif isinstance(value, gast.Tuple):
        for item in value.elts:
            yield from _displays(item)
    elif isinstance(value, gast.Dict):
        for item in value.values:
            yield from _displays(item)
    elif isinstance(value, gast.ListComp):
        yield from _displays(value.elt)
    elif isinstance(value, gast.IfExp):
        yield from _displays(value.body)
        yield from _displays(value.orelse)


def _changed_names(function: Any) -> set[str]:
    """The variables whose lists are changed inside of a branch, a loop or a function within."""
    found: set[str] = set()
    for construct in ast.walk(function):
        inside = isinstance(construct, (*_CONSTRUCTS, gast.FunctionDef, gast.Lambda))
        if inside and construct is not function:
            found.update(_changes(construct))
    return found


def _changes(construct: Any) -> Iterator[str]:
    for node in ast.walk(construct):
        root = None
        if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
            if node.func.attr in _CHANGING:
                root = _root(node.func.value)
        elif isinstance(node, gast.AugAssign):
            root = _root(node.target)
        elif isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load):
            root = _root(node.value)
        if root is not None:
            yield root


def _root(node: Any) -> str | None:
    """The variable that a chain of attributes and items starts from."""
    while isinstance(node, (gast.Attribute, gast.Subscript)):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


def convert_display(node: Any) -> Any:
    """`[...]` becomes `ag__.new_list([...])` where it was marked."""
    return call("new_list", node, node) if getattr(node, "grows", False) else node
