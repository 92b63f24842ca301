"""From Python's own trees to gast, fast.

It does what `gast.ast_to_gast` does, in a third of the time.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import gast

__all__ = ["PLAIN_FIELDS", "to_gast"]


def to_gast(node: ast.AST) -> Any:
    """The gast tree that stands for a tree of Python's own `ast` module.

    Args:
      node: a node; it is not changed.

    Example:
      >>> import ast
      >>> gast.dump(to_gast(ast.parse("a = 1")), annotate_fields=False).replace("None, None", "")
      "Module([Assign([Name('a', Store(), )], Constant(1, None))])"
    """
    return _value(node)


def _value(value: Any) -> Any:
    plan = _PLANS.get(type(value))
    if plan is not None:
        return plan(value)
    if type(value) is list:
        return [_value(item) for item in value]
    if isinstance(value, ast.AST):
        return _plan(type(value))(value)
    return value


def _plan(kind: type) -> Callable[[Any], Any]:
    made = _PLANS[kind] = _SPECIAL.get(kind) or _plain(kind)
    return made


def _plain(kind: type) -> Callable[[Any], Any]:
    """Makes the function for nodes of one kind: spelt out, since nothing is called as often."""
    target = getattr(gast, kind.__name__)
    if not target._fields and not target._attributes:
        shared = target()  # `Load`, `Add`, ...: one serves all
        return lambda node: shared
    parts = [f"{field!r}: {_spelt(field, kind)}" for field in target._fields]
    parts += [f"{name!r}: given.get({name!r})" for name in target._attributes]
    lines = [
        "def lift(node):",
        "    given = node.__dict__",
        "    new = make(target)",
        f"    new.__dict__ = {{{', '.join(parts)}}}",
        "    return new",
    ]
    names: dict[str, Any] = {"make": target.__new__, "target": target, "convert": _value}
    exec("\n".join(lines), names)
    made: Callable[[Any], Any] = names["lift"]
    return made


def _spelt(field: str, kind: type) -> str:
    """The expression for a field of a new node."""
    if field == "type_params" and field not in kind._fields:  # type: ignore[attr-defined]
        return "[]"  # it came with Python 3.12
    is_leaf = field in PLAIN_FIELDS or (kind is ast.Constant and field == "value")
    is_leaf = is_leaf and kind.__name__ != "TypeAlias"  # its name is a node
    return f"given.get({field!r})" if is_leaf else f"convert(given.get({field!r}))"


PLAIN_FIELDS = frozenset(
    "arg asname attr conversion id is_async kind level module name rest simple tag type_comment"
    .split()
)  # fmt: skip
"""Fields that hold no nodes, in nearly all kinds of nodes."""


def _named(name: str, context: Any, at: dict[str, Any]) -> Any:
    """The `Name` that gast has where Python has a string, with the position of what it was in."""
    new = gast.Name.__new__(gast.Name)
    new.__dict__ = {
        "id": name,
        "ctx": context,
        "annotation": None,
        "type_comment": None,
        "lineno": at.get("lineno"),
        "col_offset": at.get("col_offset"),
        "end_lineno": at.get("end_lineno"),
        "end_col_offset": at.get("end_col_offset"),
    }
    return new


def _name(node: Any) -> Any:
    return _named(node.id, _value(node.ctx), node.__dict__)


_PARAM = gast.Param()


def _argument(node: Any) -> Any:
    new = _named(node.arg, _PARAM, node.__dict__)
    new.annotation, new.type_comment = _value(node.annotation), node.type_comment
    return new


def _handler(node: Any) -> Any:
    new = _plain_handler(node)
    if node.name is not None:
        new.name = gast.Name(node.name, gast.Store(), None, None)
    return new


_PLANS: dict[type, Callable[[Any], Any]] = {}
_SPECIAL: dict[type, Callable[[Any], Any]] = {
    ast.Name: _name,
    ast.arg: _argument,
    ast.ExceptHandler: _handler,
}
_plain_handler = _plain(ast.ExceptHandler)
