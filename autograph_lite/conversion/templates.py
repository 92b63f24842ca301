"""Building trees out of text and trees.

`quote` parses a piece of Python once, then makes copies of it with holes filled and with the
position of the user's statement that the copy stands for.
"""

from __future__ import annotations

import textwrap
from functools import cache
from typing import Any

import gast

__all__ = ["call", "constant", "load", "operator", "place", "quote", "store", "strings", "thunk"]

_POSITION = ("lineno", "col_offset", "end_lineno", "end_col_offset")


def quote(text: str, at: Any, **holes: Any) -> list[Any]:
    """Makes statements from text.

    Args:
      text: Python statements.
      at: the node whose position the new nodes get.
      holes: for names in the text, what to put in their place: a string renames, a node replaces
        an expression, a list of nodes replaces a statement that consists of the name alone, or
        the arguments of a call.

    Example:
      >>> at = gast.parse("pass").body[0]
      >>> new = quote("x = f(y)", at, x='a', y=gast.parse("b + c").body[0].value)
      >>> import ast
      >>> ast.unparse(gast.gast_to_ast(gast.Module(new, [])))
      'a = f(b + c)'
    """
    return _Filler(at, holes).block(_parsed(text))


@cache
def _parsed(text: str) -> list[Any]:
    body: list[Any] = gast.parse(textwrap.dedent(text)).body
    return body


class _Filler:
    def __init__(self, at: Any, holes: dict[str, Any]) -> None:
        self.position = {field: getattr(at, field, None) for field in _POSITION}
        self.holes = holes

    def block(self, statements: list[Any]) -> list[Any]:
        new: list[Any] = []
        for statement in statements:
            if isinstance(statement, gast.Expr) and isinstance(statement.value, gast.Name):
                hole = self.holes.get(statement.value.id)
                if isinstance(hole, list):
                    new.extend(hole)
                    continue
            new.append(self.copy(statement))
        return new

    def copy(self, node: Any) -> Any:
        if isinstance(node, gast.Name):
            hole = self.holes.get(node.id)
            if isinstance(hole, gast.AST):
                return hole
        new = type(node)()
        for field in node._fields:
            setattr(new, field, self._field(getattr(node, field, None)))
        if node._attributes:
            new.__dict__.update(self.position)
        return new

    def _field(self, value: Any) -> Any:
        if isinstance(value, gast.AST):
            return self.copy(value)
        if isinstance(value, str):
            hole = self.holes.get(value)
            return hole if isinstance(hole, str) else value
        if isinstance(value, list):
            if value and isinstance(value[0], gast.stmt):
                return self.block(value)
            new: list[Any] = []
            for item in value:
                hole = self.holes.get(getattr(item, "id", ""))
                if isinstance(hole, list):
                    new.extend(hole)
                else:
                    new.append(self._field(item))
            return new
        return value


def place(node: Any, at: Any) -> Any:
    """Gives a new node the position of the node it stands for.

    Example:
      >>> place(gast.Pass(), gast.parse("x").body[0]).lineno
      1
    """
    new, old = node.__dict__, at.__dict__
    new["lineno"] = old.get("lineno")
    new["col_offset"] = old.get("col_offset")
    new["end_lineno"] = old.get("end_lineno")
    new["end_col_offset"] = old.get("end_col_offset")
    return node


_LOAD, _STORE = gast.Load(), gast.Store()


def load(name: str, at: Any) -> Any:
    """A name that is read."""
    return place(gast.Name(name, _LOAD, None, None), at)


def store(name: str, at: Any) -> Any:
    """A name that is bound."""
    return place(gast.Name(name, _STORE, None, None), at)


def constant(value: object, at: Any) -> Any:
    """A constant."""
    return place(gast.Constant(value, None), at)


def strings(values: Any, at: Any) -> Any:
    """A tuple of string constants."""
    elements = [constant(value, at) for value in values]
    return place(gast.Tuple(elements, _LOAD), at)


def operator(name: str, at: Any) -> Any:
    """`ag__.name`."""
    return place(gast.Attribute(load("ag__", at), name, _LOAD), at)


def call(name: str, at: Any, *args: Any) -> Any:
    """`ag__.name(*args)`."""
    return place(gast.Call(operator(name, at), list(args), []), at)


def thunk(body: Any) -> Any:
    """`lambda: body`, as a fragment of the user's function."""
    args = gast.arguments([], [], None, [], [], None, [])
    node = place(gast.Lambda(args, body), body)
    node.fragment = True
    return node
