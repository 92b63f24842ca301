"""`and`, `or`, `not`, conditional expressions and comparisons."""

from __future__ import annotations

from typing import Any

import gast

from autograph_lite.conversion.templates import call, constant, thunk

__all__ = ["convert_bool_op", "convert_compare", "convert_if_exp", "convert_not"]

_SYMBOLS = {
    gast.Eq: "==", gast.NotEq: "!=", gast.Lt: "<", gast.LtE: "<=", gast.Gt: ">", gast.GtE: ">=",
    gast.Is: "is", gast.IsNot: "is not", gast.In: "in", gast.NotIn: "not in",
}  # fmt: skip
_BOOLEAN = {"not_", "in_", "not_in", "is_", "is_not", "bool_", "isinstance_", "all_", "any_"}
_SINGLE = {gast.In: "in_", gast.NotIn: "not_in"}
_IDENTITY = {gast.Is: "is_", gast.IsNot: "is_not"}


def convert_bool_op(node: Any, tested: bool) -> Any:
    """`a and b` becomes `ag__.and_(a, lambda: b)`.

    Where the result is only tested, Python asks each operand once whether it is true, so the
    operator must not hand an operand on that would be asked again: `ag__.both` and `ag__.either`
    answer with a bool instead. Operands that are bools anyway do not need that. Where the result is
    asked, and may be wanted too, `ag__.and_once` and `ag__.or_once` remember what it has said.
    """
    first, *others = node.values
    name = "and_" if isinstance(node.op, gast.And) else "or_"
    if getattr(node, "once", False):
        name += "once"
    elif tested and not all(map(_is_boolean, node.values[:-1])):
        name = "both" if isinstance(node.op, gast.And) else "either"
    return call(name, node, first, *map(thunk, others))


def _is_boolean(node: Any) -> bool:
    """Whether a converted expression is a bool, or a staged one, for all we can see."""
    if isinstance(node, gast.Call) and isinstance(node.func, gast.Attribute):
        return node.func.attr in _BOOLEAN and getattr(node.func.value, "id", "") == "ag__"
    return isinstance(node, gast.Compare)


def convert_not(node: Any) -> Any:
    """`not a` becomes `ag__.not_(a)`."""
    return call("not_", node, node.operand)


def convert_if_exp(node: Any) -> Any:
    """`x if c else y` becomes `ag__.if_exp(c, lambda: x, lambda: y)`."""
    return call("if_exp", node, node.test, thunk(node.body), thunk(node.orelse))


def convert_compare(node: Any) -> Any:
    """`a < b < c` becomes `ag__.compare(a, '<', b, '<', lambda: c)`.

    Of single comparisons only those change that Python decides without asking the operands: `in`
    makes a bool of the answer, `is` does not ask at all, and neither does a sequence or a dict say
    what its items say; `comparisons` marks those that may be of such.
    """
    if len(node.ops) == 1:
        op, right = type(node.ops[0]), node.comparators[0]
        if op in _SINGLE:
            return call(_SINGLE[op], node, node.left, right)
        if op in _IDENTITY:
            return call(_IDENTITY[op], node, node.left, right)
        if not getattr(node, "may_compare_items", False):
            return node
    args = [node.left]
    for index, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
        args += [constant(_SYMBOLS[type(op)], node), right if index == 0 else thunk(right)]
    return call("compare", node, *args)
