"""Comparisons whose operands may both be lists or tuples: Python would ask each item whether it is
equal, and want a plain answer.

`best < candidate` becomes `ag__.compare(best, '<', candidate)`; where an operand is seen to be a
number or a text, as in `i < n` after `i = 0`, the comparison stays as it is.
"""

from __future__ import annotations

from typing import Any

import gast

from autograph_lite.conversion.names import LIBRARIES
from autograph_lite.conversion.walking import walk

__all__ = ["mark_comparisons"]

_NUMBERS = {"abs", "bool", "float", "hash", "id", "int", "len", "ord", "range", "round", "str"}
# A list or tuple on either side makes these an error, or an operand something of the user's.
_NUMERIC = (gast.Sub, gast.Div, gast.FloorDiv, gast.Pow, gast.MatMult, gast.LShift, gast.RShift)


def mark_comparisons(function: Any) -> None:
    """Marks the comparisons of a function that may be of two lists or tuples.

    Args:
      function: a gast `FunctionDef` or `Lambda`.
    """
    values, comparisons = _Values(), []
    for node in walk(function):
        values.note(node)
        if isinstance(node, gast.Compare) and len(node.ops) == 1:
            comparisons.append(node)
    plain = values.plain_names()
    for node in comparisons:
        sides = (node.left, node.comparators[0])
        node.may_compare_items = not any(_is_plain(side, plain) for side in sides)


class _Values:
    """What the names of a function are bound to.

    Attributes:
      bound: for each name, expressions that give what it may be bound to.
      opaque: names that are bound to what is not seen here as well.
    """

    def __init__(self) -> None:
        self.bound: dict[str, list[Any]] = {}
        self.opaque: set[str] = set()
        self._seen: set[int] = set()

    def note(self, node: Any) -> None:
        """Takes in a node; those around it come first."""
        kind = type(node)
        if kind is gast.Name:
            if not isinstance(node.ctx, gast.Load) and id(node) not in self._seen:
                self.opaque.add(node.id)
        elif kind is gast.Assign:
            for target in node.targets:
                self._bind(target, node.value)
        elif kind in (gast.AnnAssign, gast.NamedExpr) and node.value is not None:
            self._bind(node.target, node.value)
        elif kind is gast.AugAssign:
            self._bind(node.target, gast.BinOp(node.target, node.op, node.value))
        elif kind in (gast.For, gast.comprehension):
            self._bind_items(node.target, node.iter)
        else:
            for field in ("name", "rest", "asname"):
                name = getattr(node, field, None)
                if isinstance(name, str):
                    self.opaque.add(name.partition(".")[0])
            self.opaque.update(getattr(node, "names", ()) if _declares(node) else ())

    def _bind(self, target: Any, value: Any) -> None:
        if isinstance(target, gast.Name):
            self._seen.add(id(target))
            self.bound.setdefault(target.id, []).append(value)

    def _bind_items(self, target: Any, iterable: Any) -> None:
        name = getattr(getattr(iterable, "func", None), "id", "")
        if name == "range":
            self._bind(target, iterable)
        elif name == "enumerate" and isinstance(target, gast.Tuple) and target.elts:
            self._bind(target.elts[0], gast.Constant(0, None))

    def plain_names(self) -> set[str]:
        """The names that are never bound to a list or tuple."""
        plain = set(self.bound) - self.opaque
        while True:
            found = {n for n in plain if all(_is_plain(value, plain) for value in self.bound[n])}
            if found == plain:
                return found
            plain = found


def _declares(node: Any) -> bool:
    return isinstance(node, (gast.Global, gast.Nonlocal))


def _is_plain(node: Any, plain: set[str]) -> bool:
    """Whether an expression is no list or tuple, for all that its names are known to be."""
    kind = type(node)
    if kind is gast.Name:
        return node.id in plain
    if kind is gast.BinOp:
        if isinstance(node.op, _NUMERIC):
            return True
        sides = [_is_plain(node.left, plain), _is_plain(node.right, plain)]
        return all(sides) if isinstance(node.op, (gast.Mult, gast.BitOr)) else any(sides)
    if kind is gast.IfExp:
        return _is_plain(node.body, plain) and _is_plain(node.orelse, plain)
    if kind is gast.BoolOp:
        return all(_is_plain(value, plain) for value in node.values)
    if kind is gast.NamedExpr:
        return _is_plain(node.value, plain)
    if kind is gast.Call:
        return _gives_number(node.func)
    return kind in (gast.Constant, gast.UnaryOp, gast.JoinedStr, gast.Compare)


def _gives_number(function: Any) -> bool:
    if isinstance(function, gast.Attribute):
        return isinstance(function.value, gast.Name) and function.value.id in LIBRARIES
    return isinstance(function, gast.Name) and function.id in _NUMBERS
