"""From gast trees back to Python's own, fast, and fit for compilation.

It does what `gast.gast_to_ast` does, in a third of the time, and in the same walk makes positions
valid: a node without one takes that of the node around it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import gast

from autograph_lite.conversion.lifting import PLAIN_FIELDS
from autograph_lite.errors import FRAGMENT_MARK

__all__ = ["to_ast"]


class _Around:
    """The function around what is lowered, which is no fragment itself.

    Attributes:
      has_fragments: whether parts of it have become functions.
      found: the functions of which that has been found out, innermost first.
    """

    def __init__(self, found: list[Any]) -> None:
        self.has_fragments = False
        self.found = found


# What a node without a position gets, line, column, and those of the end; and what is around it.
_Position = tuple[int, int, "int | None", "int | None", _Around]


def to_ast(node: Any, owners: list[Any] | None = None) -> Any:
    """The tree of Python's own `ast` module that a gast tree stands for.

    Args:
      node: a gast node. It is not changed.
      owners: if it is given, the functions of the new tree that have fragments of their own are
        put into it.

    Example:
      >>> tree = to_ast(gast.parse("def f(a, *b): return a").body[0])
      >>> ast.unparse(tree)
      'def f(a, *b):\\n    return a'
    """
    plan = _PLANS.get(type(node)) or _plan(type(node))
    return plan(node, (1, 0, 1, 0, _Around([] if owners is None else owners)))


def _position_of(here: dict[str, Any], default: _Position) -> _Position:
    line = here.get("lineno")
    if line is None:
        return default
    column, end, end_column = here["col_offset"], here.get("end_lineno"), here.get("end_col_offset")
    around = default[4]
    if end is None or end_column is None:
        return (line, column, None, None, around)
    # The compiler refuses a node that ends before it starts.
    if end > line or (end == line and end_column >= column):
        return (line, column, end, end_column, around)
    return (line, column, line, column, around)


def _plan(kind: type) -> Callable[[Any, _Position], Any]:
    made = _SPECIAL.get(kind) or _plain(kind)
    _PLANS[kind] = made
    return made


def _plain(kind: type) -> Callable[[Any, _Position], Any]:
    """Makes the function for nodes of one kind: spelt out, since nothing is called as often."""
    target = getattr(ast, kind.__name__)
    if not target._fields and not target._attributes:
        shared = target()  # `Load`, `Add`, ...: one serves all
        return lambda node, position: shared
    parts = []
    for field in target._fields:
        value = f"given.get({field!r})"
        leaf = field in PLAIN_FIELDS or (kind is gast.Constant and field == "value")
        leaf = leaf and kind is not gast.TypeAlias
        parts.append(f"{field!r}: {value if leaf else f'convert({value}, position)'}")
    lines = ["def lower(node, position):", "    given = node.__dict__"]
    if target._attributes:
        lines += ["    position = position_of(given, position)", "    a, b, c, d, _ = position"]
        parts += ["'lineno': a", "'col_offset': b", "'end_lineno': c", "'end_col_offset': d"]
    # Python's constructors of nodes take twice the time of everything else.
    lines += [
        "    new = make(target)",
        f"    new.__dict__ = {{{', '.join(parts)}}}",
        "    return new",
    ]
    names: dict[str, Any] = {
        "make": target.__new__, "target": target, "convert": _value, "position_of": _position_of,
    }  # fmt: skip
    exec("\n".join(lines), names)
    made: Callable[[Any, _Position], Any] = names["lower"]
    return made


def _value(value: Any, position: _Position) -> Any:
    kind = type(value)
    plan = _PLANS.get(kind)
    if plan is not None:
        return plan(value, position)
    if kind is list:
        return [_value(item, position) for item in value]
    if isinstance(value, ast.AST):
        return _plan(kind)(value, position)
    return value


def _argument(node: Any, position: _Position) -> Any:
    if node is None:
        return None
    line, column, end, end_column, _ = position = _position_of(node.__dict__, position)
    return ast.arg(
        arg=node.id,
        annotation=_value(node.annotation, position),
        type_comment=None,
        lineno=line,
        col_offset=column,
        end_lineno=end,
        end_col_offset=end_column,
    )


def _arguments(node: Any, position: _Position) -> Any:
    return ast.arguments(
        posonlyargs=[_argument(arg, position) for arg in node.posonlyargs],
        args=[_argument(arg, position) for arg in node.args],
        vararg=_argument(node.vararg, position),
        kwonlyargs=[_argument(arg, position) for arg in node.kwonlyargs],
        kw_defaults=_value(node.kw_defaults, position),
        kwarg=_argument(node.kwarg, position),
        defaults=_value(node.defaults, position),
    )


def _function(kind: type) -> Callable[[Any, _Position], Any]:
    plain = _plain(kind)

    def lower(node: Any, position: _Position) -> Any:
        outer = position[4]
        if getattr(node, "fragment", False):
            outer.has_fragments = True
            new = plain(node, position)
            _mark(new.args, _position_of(node.__dict__, position))
            return new
        if kind is gast.AsyncFunctionDef:
            return plain(node, position)
        around = _Around(outer.found)
        new = plain(node, (*position[:4], around))
        if around.has_fragments:
            outer.found.append(new)
        return new

    return lower


def _mark(args: ast.arguments, position: _Position) -> None:
    """Gives a fragment the parameter by which it is known once it is compiled."""
    line, column, end, end_column, _ = position
    mark = ast.arg(
        arg=FRAGMENT_MARK,
        annotation=None,
        type_comment=None,
        lineno=line,
        col_offset=column,
        end_lineno=end,
        end_col_offset=end_column,
    )
    args.kwonlyargs.append(mark)
    args.kw_defaults.append(None)


def _attribute(kind: type) -> Callable[[Any, _Position], Any]:
    plain = _plain(kind)

    def lower(node: Any, position: _Position) -> Any:
        new = plain(node, position)
        if _place(new) == _place(new.value):
            # It was synthesised. The compiler takes the last line of an attribute for the line of
            # the call, and that of a whole statement would count as a visit to the statement's end.
            new.end_lineno, new.end_col_offset = new.lineno, new.col_offset
        return new

    return lower


def _place(node: Any) -> tuple[Any, ...]:
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)


def _handler(kind: type) -> Callable[[Any, _Position], Any]:
    plain = _plain(kind)

    def lower(node: Any, position: _Position) -> Any:
        new = plain(node, position)
        if node.name is not None:
            new.name = node.name.id
        return new

    return lower


_PLANS: dict[type, Callable[[Any, _Position], Any]] = {}
_SPECIAL: dict[type, Callable[[Any, _Position], Any]] = {
    gast.arguments: _arguments,
    gast.FunctionDef: _function(gast.FunctionDef),
    gast.AsyncFunctionDef: _function(gast.AsyncFunctionDef),
    gast.Lambda: _function(gast.Lambda),
    gast.Attribute: _attribute(gast.Attribute),
    gast.ExceptHandler: _handler(gast.ExceptHandler),
}
