"""Containers that a function makes and goes on to change: `rows = []` becomes
`rows = ag__.new_list([])`, `seen = {}` becomes `seen = ag__.new_dict({})`.

Such a list may come to have a length that only the running graph knows; and what happens to a
container that the traced program has made itself is a part of the program. Containers that are
never changed stay as they are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

import gast

from autograph_lite.conversion.census import Census
from autograph_lite.conversion.templates import call, load, place

__all__ = ["convert_display", "mark_displays", "may_hold_displays"]

_CHANGING = {
    *("append", "extend", "insert", "pop", "remove", "clear", "reverse", "sort"),
    *("update", "setdefault", "popitem", "add", "discard"),
    *("__setitem__", "__delitem__", "__iadd__", "__imul__"),
}
_MAKERS = {
    gast.List: "new_list",
    gast.ListComp: "new_list",
    gast.Dict: "new_dict",
    gast.DictComp: "new_dict",
    gast.Set: "new_set",
    gast.SetComp: "new_set",
}
# Calls of these do not change their arguments.
_READING = {
    *"abs all any bool dict divmod enumerate filter float frozenset int isinstance iter".split(),
    *"len list map max min print range repr reversed round set sorted str sum tuple".split(),
    *("type", "zip"),
}
# Of these, calls that hand on what is in their arguments.
_HANDING_ON = {
    *"dict enumerate filter frozenset iter list map max min reversed set sorted tuple zip".split()
}
_LIBRARIES = {"ag", "tf", "np", "numpy", "math", "itertools", "functools"}


def may_hold_displays(census: Census) -> bool:
    """Whether `mark_displays` may have something to do in a tree.

    Args:
      census: what the tree held before its comprehensions became loops that fill lists.
    """
    return census.keywords or census.holds(*_MAKERS, gast.GeneratorExp)


def mark_displays(function: Any) -> None:
    """Marks the displays of a function whose containers may be changed by staged code."""
    changed = {*_changes(function), *_shared_names(function)}
    _add_sources(changed, list(_taken(function)))
    for node in ast.walk(function):
        if isinstance(node, gast.FunctionDef):
            _mark_keywords(node, changed)
        if isinstance(node, (gast.FunctionDef, gast.Lambda)) and node is not function:
            # They are made once, and kept from call to call.
            for default in (*node.args.defaults, *filter(None, node.args.kw_defaults)):
                _mark(default)
        if isinstance(node, gast.ClassDef):
            for statement in node.body:
                _mark(getattr(statement, "value", None))
        value = getattr(node, "value", None)
        if isinstance(node, gast.Assign):
            for target in node.targets:
                _mark_assigned(target, value, changed)
        elif isinstance(node, gast.AnnAssign) and value is not None:
            _mark_assigned(node.target, value, changed)
        elif isinstance(node, gast.Call):
            _mark_arguments(node)
        elif isinstance(node, gast.BinOp) and isinstance(node.op, gast.Mult):
            _mark_repeated(node)


def _mark_keywords(function: Any, changed: set[str]) -> None:
    """The dict of a `**keywords` parameter has been made for the call."""
    keywords = function.args.kwarg
    if keywords is None or keywords.id not in changed:
        return
    first = function.body[0]
    is_docstring = isinstance(first, gast.Expr) and isinstance(first.value, gast.Constant)
    target = place(gast.Name(keywords.id, gast.Store(), None, None), first)
    value = call("new_dict", first, load(keywords.id, first))
    function.body.insert(int(is_docstring), place(gast.Assign([target], value, None), first))


def _mark_repeated(node: Any) -> None:
    """`[0] * n`, where only the running graph may know `n`."""
    for part, count in ((node.left, node.right), (node.right, node.left)):
        if isinstance(part, gast.List) and not isinstance(count, gast.Constant):
            part.grows = True


def _mark_arguments(node: Any) -> None:
    """Containers that are made for a call: what is called may change them, or keep them."""
    may_change = _may_change_arguments(node)
    if not may_change and not (isinstance(node.func, gast.Name) and node.func.id in _HANDING_ON):
        return
    for argument in node.args:
        if may_change:
            _mark(argument)
        for item in getattr(argument, "elts", ()):
            _mark(item)
    for keyword in node.keywords:
        _mark(keyword.value)


def _mark(value: Any) -> None:
    for display in _displays(value):
        display.grows = True


def _may_change_arguments(node: Any) -> bool:
    """Whether a call may change what it is given, as far as its name tells."""
    function = node.func
    if isinstance(function, gast.Attribute):
        return _root(function) not in _LIBRARIES and function.attr not in ("format", "join")
    return not (isinstance(function, gast.Name) and function.id in _READING)


def _shared_names(function: Any) -> Iterator[str]:
    """The variables whose containers others come to know, and may change."""
    for node in ast.walk(function):
        if isinstance(node, gast.Call) and _may_change_arguments(node):
            shared = [*node.args, *(keyword.value for keyword in node.keywords)]
        elif isinstance(node, (gast.Assign, gast.AnnAssign, gast.Return)):
            shared = [node.value]
        else:
            continue
        for value in shared:
            yield from _held_by(value, isinstance(node, gast.Return))


def _held_by(value: Any, inside_only: bool = False) -> Iterator[str]:
    """The variables whose containers a value is, or holds."""
    if isinstance(value, gast.Name) and not inside_only:
        yield value.id
    elif isinstance(value, (gast.List, gast.Tuple, gast.Set)):
        for item in value.elts:
            yield from _held_by(item)
    elif isinstance(value, gast.Dict):
        for item in value.values:
            yield from _held_by(item)
    elif isinstance(value, gast.Starred):
        yield from _held_by(value.value)
    elif isinstance(value, gast.IfExp):
        yield from _held_by(value.body, inside_only)
        yield from _held_by(value.orelse, inside_only)


def _mark_assigned(target: Any, value: Any, changed: set[str]) -> None:
    if isinstance(target, (gast.Tuple, gast.List)) and isinstance(value, (gast.Tuple, gast.List)):
        if len(target.elts) == len(value.elts):
            for part, item in zip(target.elts, value.elts, strict=True):
                _mark_assigned(part, item, changed)
        return
    root = _root(target)
    plain = isinstance(target, gast.Name)
    if root is not None and (root in changed or not plain):
        _mark(value)


def _displays(value: Any) -> Iterator[Any]:
    """The displays that make up a value: itself, and those inside of containers."""
    if isinstance(value, gast.List):
        yield value
        for item in value.elts:
            yield from _displays(item)
    elif isinstance(value, gast.Tuple):
        for item in value.elts:
            yield from _displays(item)
    elif isinstance(value, gast.Dict):
        yield value
        for item in value.values:
            yield from _displays(item)
    elif isinstance(value, (gast.Set, gast.SetComp)):
        yield value
    elif isinstance(value, gast.DictComp):
        yield value
        yield from _displays(value.value)
    elif isinstance(value, gast.ListComp):
        yield value
        yield from _displays(value.elt)
    elif isinstance(value, gast.BinOp) and isinstance(value.op, (gast.Mult, gast.Add)):
        yield from _displays(value.left)
        yield from _displays(value.right)
    elif isinstance(value, gast.IfExp):
        yield from _displays(value.body)
        yield from _displays(value.orelse)


def _changes(construct: Any) -> Iterator[str]:
    """The variables whose containers are changed by a method, or by storing an item."""
    for node in ast.walk(construct):
        root = None
        if isinstance(node, gast.Attribute) and node.attr in _CHANGING:
            # Called here, or by whom it is given to, as in `map(rows.append, xs)`.
            root = _root(node.value)
        elif isinstance(node, gast.Call) and _is_unbound_method(node.func) and node.args:
            root = _root(node.args[0])
        elif isinstance(node, gast.AugAssign):
            root = _root(node.target)
        elif isinstance(node, gast.Subscript) and not isinstance(node.ctx, gast.Load):
            root = _root(node.value)
        if root is not None:
            yield root


def _taken(function: Any) -> Iterator[tuple[set[str], set[str]]]:
    """The variables that get items of containers, and the variables of these."""
    for node in ast.walk(function):
        if isinstance(node, gast.Assign):
            items = [part for part in ast.walk(node.value) if isinstance(part, gast.Subscript)]
            sources = {root for root in map(_root, items) if root is not None}
            if any(isinstance(target, (gast.Tuple, gast.List)) for target in node.targets):
                sources |= _names_in([node.value])
            targets = node.targets
        elif isinstance(node, gast.For):
            sources, targets = _names_in([node.iter]), [node.target]
        else:
            continue
        if sources:
            yield _names_in(targets), sources


def _names_in(nodes: list[Any]) -> set[str]:
    return {part.id for node in nodes for part in ast.walk(node) if isinstance(part, gast.Name)}


def _add_sources(changed: set[str], taken: list[tuple[set[str], set[str]]]) -> None:
    """Adds containers of which an item is changed: only the running graph may know which one."""
    size = -1
    while size != len(changed):
        size = len(changed)
        for names, sources in taken:
            if not names.isdisjoint(changed):
                changed |= sources


def _is_unbound_method(node: Any) -> bool:
    """Whether this is `list.append` or its kind."""
    return (
        isinstance(node, gast.Attribute)
        and isinstance(node.value, gast.Name)
        and node.value.id in ("dict", "list", "set")
        and node.attr in _CHANGING
    )


def _root(node: Any) -> str | None:
    """The variable that a chain of attributes and items starts from."""
    while isinstance(node, (gast.Attribute, gast.Subscript)):
        node = node.value
    return node.id if isinstance(node, gast.Name) else None


def convert_display(node: Any) -> Any:
    """`[...]` becomes `ag__.new_list([...])` where it was marked, and so on.

    `(*t, x)` becomes `ag__.tuple_of(ag__.star(t), x)`, `{**d}` becomes `{**ag__.sure_items(d)}`.
    """
    if isinstance(node, gast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        node.values = [v if k is not None else call("sure_items", v, v) for k, v in pairs]
    if isinstance(node, (gast.Tuple, gast.List)) and isinstance(node.ctx, gast.Load):
        if any(isinstance(item, gast.Starred) for item in node.elts):
            items = [
                call("star", item, item.value) if isinstance(item, gast.Starred) else item
                for item in node.elts
            ]
            return call("tuple_of" if isinstance(node, gast.Tuple) else "list_of", node, *items)
    return call(_MAKERS[type(node)], node, node) if getattr(node, "grows", False) else node
