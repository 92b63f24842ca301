"""Calls of functions."""

from __future__ import annotations

import builtins
from typing import Any

import gast

from autograph_lite.conversion.templates import call, operator

__all__ = ["OPERATORS_OF_BUILTINS", "SYMBOLS", "convert_call", "is_operator"]

SYMBOLS = {
    gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.MatMult: "@", gast.Div: "/", gast.Mod: "%",
    gast.Pow: "**", gast.LShift: "<<", gast.RShift: ">>", gast.BitOr: "|", gast.BitXor: "^",
    gast.BitAnd: "&", gast.FloorDiv: "//",
}  # fmt: skip
_STAGED = (
    "abs all any bool divmod enumerate filter float int isinstance iter len map max min next pow "
    "range reversed repr round sorted str sum tuple list set zip dict"
)
OPERATORS_OF_BUILTINS = {
    "print": "tensor_print",
    **{name: f"{name}_" for name in _STAGED.split()},
}
_BUILTINS = frozenset(dir(builtins))
# Builtins without an operator of their own, which make text of numbers, or change objects.
_CALLED = frozenset(
    "ascii bin bytearray chr complex delattr format getattr hasattr hash hex oct ord setattr vars"
    .split()
)  # fmt: skip
# What functions that count the frames of the stack are called.
_LOOKING_BACK = frozenset({"_getframe", "_getframemodulename", "set_trace", "stack", "warn"})


def convert_call(node: Any, rebound: frozenset[str]) -> Any:
    """`f(x)` becomes `ag__.converted(f)(x)`; builtins have operators of their own.

    Args:
      node: the `Call`.
      rebound: names that may not mean the builtins of that name.
    """
    function = node.func
    if isinstance(function, gast.Name) and function.id in _BUILTINS - rebound:
        name = OPERATORS_OF_BUILTINS.get(function.id)
        if name is not None:
            if name == "zip_" and _is_of_rows(node):
                node.args[0] = node.args[0].value
                name = "unzip"
            if name == "next_" and _is_read_by_nobody_else(node):
                name = "first_of"
            node.func = operator(name, function)
            if name == "tensor_print":
                for arg in node.args:
                    if isinstance(arg, gast.Starred):
                        arg.value = call("spread", arg, arg.value)
        elif function.id == "type" and len(node.args) == 1 and not node.keywords:
            node.func = operator("type_", function)
        elif _is_plain_read(node) and node.args[1].value == "shape":
            return call("shape", node, node.args[0])
        elif function.id in _CALLED and not _is_plain_read(node):
            node.func = call("converted", function, function)
        elif function.id == "breakpoint":
            node.func = call("looking_back", function, function)
    elif not isinstance(function, gast.Lambda) and not _is_of_library(function):
        name = getattr(function, "attr", getattr(function, "id", None))
        role = "looking_back" if name in _LOOKING_BACK else "converted"
        node.func = call(role, function, function)
    return node


def _is_of_rows(node: Any) -> bool:
    """Whether a call is `zip(*rows)`."""
    return len(node.args) == 1 and isinstance(node.args[0], gast.Starred) and not node.keywords


def _is_read_by_nobody_else(node: Any) -> bool:
    """Whether a call is `next(v for ...)`, or `next` of what a builtin makes there and then."""
    made: Any = getattr(node.args[0], "func", None) if node.args else None
    return is_operator(made) and made.attr in _MAKING_ITERATORS


_MAKING_ITERATORS = frozenset({"generator", "enumerate_", "filter_", "map_", "zip_"})


def _is_plain_read(node: Any) -> bool:
    """Whether a call is `getattr(o, "name")`: the attribute is read as any other."""
    return (
        node.func.id == "getattr"
        and len(node.args) == 2
        and isinstance(node.args[1], gast.Constant)
    )


def _is_of_library(function: Any) -> bool:
    """Whether a function is an operator, or one that gives what is to be called instead.

    What other operators give, such as the item of a list, may be any function.
    """
    made_by: Any = getattr(function, "func", None)
    return is_operator(function) or (is_operator(made_by) and made_by.attr not in _GIVING_ANY)


_GIVING_ANY = frozenset({"getitem", "if_exp", "and_", "or_", "ld", "ld_free", "next_", "first_of"})


def is_operator(node: Any) -> bool:
    """Whether a node is `ag__.something`."""
    return (
        isinstance(node, gast.Attribute)
        and isinstance(node.value, gast.Name)
        and node.value.id == "ag__"
    )
