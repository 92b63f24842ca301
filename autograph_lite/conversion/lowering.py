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
    around = _Around([] if owners is None else owners)
    return _PLANS[type(node)](node, (1, 0, 1, 0, around))


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


class _Plans(dict[type, Callable[[Any, _Position], Any]]):
    """The functions that lower values, by the kinds of these; each is made when first needed."""

    def __missing__(self, kind: type) -> Callable[[Any, _Position], Any]:
        is_node = issubclass(kind, ast.AST)
        made = self[kind] = (_SPECIAL.get(kind) or _plain(kind)) if is_node else _itself
        return made


def _itself(value: Any, position: _Position) -> Any:
    return value


def _list(values: list[Any], position: _Position) -> list[Any]:
    return [_PLANS[type(value)](value, position) for value in values]


_PLANS = _Plans({list: _list})


def _plain(kind: type) -> Callable[[Any, _Position], Any]:
    """Makes the function for nodes of one kind: spelt out, since nothing is called as often."""
    target = getattr(ast, kind.__name__)
    if not target._fields and not target._attributes:
        shared = target()  # `Load`, `Add`, ...: one serves all
        return lambda node, position: shared
    lines = ["def lower(node, position):", "    given = node.__dict__"]
    parts = []
    if target._attributes:
        lines += ["    position = position_of(given, position)", "    a, b, c, d, _ = position"]
        parts += ["'lineno': a", "'col_offset': b", "'end_lineno': c", "'end_col_offset': d"]
    for number, field in enumerate(target._fields):
        leaf = field in PLAIN_FIELDS or (kind is gast.Constant and field == "value")
        if leaf and kind is not gast.TypeAlias:
            parts.append(f"{field!r}: given.get({field!r})")
        else:
            lines.append(f"    value{number} = given.get({field!r})")
            parts.append(f"{field!r}: plans[type(value{number})](value{number}, position)")
    # Python's constructors of nodes take twice the time of everything else.
    lines += [
        "    new = make(target)",
        f"    new.__dict__ = {{{', '.join(parts)}}}",
        "    return new",
    ]
    names: dict[str, Any] = {
        "make": target.__new__, "target": target, "plans": _PLANS, "position_of": _position_of,
    }  # fmt: skip
    exec("\n".join(lines), names)
    made: Callable[[Any, _Position], Any] = names["lower"]
    return made


def _argument(node: Any, position: _Position) -> Any:
    if node is None:
        return None
    line, column, end, end_column, _ = position = _position_of(node.__dict__, position)
    return ast.arg(
        arg=node.id,
        annotation=_PLANS[type(node.annotation)](node.annotation, position),
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
        kw_defaults=_list(node.kw_defaults, position),
        kwarg=_argument(node.kwarg, position),
        defaults=_list(node.defaults, position),
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


_SPECIAL: dict[type, Callable[[Any, _Position], Any]] = {
    gast.arguments: _arguments,
    gast.FunctionDef: _function(gast.FunctionDef),
    gast.AsyncFunctionDef: _function(gast.AsyncFunctionDef),
    gast.Lambda: _function(gast.Lambda),
    gast.Attribute: _attribute(gast.Attribute),
    gast.ExceptHandler: _handler(gast.ExceptHandler),
}
