"""`while` becomes `ag__.while_loop`, `for` becomes `ag__.for_loop`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gast

from autograph_lite.conversion.passes.fragments import Fragments
from autograph_lite.conversion.templates import constant, load, place, quote

__all__ = ["convert_for", "convert_while", "is_options", "take_options"]

_SET_OPTIONS = "set_loop_options"


def convert_while(
    node: Any,
    test_binds: Iterable[str],
    body: list[Any],
    body_binds: Iterable[str],
    state: list[str],
    fragments: Fragments,
) -> list[Any]:
    """Rewrites a `while`; `body` is its converted block, the `binds` are what the parts bind."""
    node.test.tested = True
    asked = [place(gast.Return(node.test), node.test)]
    test_name, test = fragments.define("loop_test", asked, test_binds, node)
    body_name, body_def = fragments.define("loop_body", body, body_binds, node)
    defining, handing = fragments.state(state, node)
    arguments = [load(test_name, node), load(body_name, node), *handing]
    loop = fragments.call("while_loop", node, arguments, options=getattr(node, "options", None))
    return [*test, *body_def, *defining, loop]


def convert_for(
    node: Any,
    body: list[Any],
    body_binds: Iterable[str],
    state: list[str],
    fragments: Fragments,
) -> list[Any]:
    """Rewrites a `for`; `body` is its converted block, `body_binds` what body and target bind."""
    item = fragments.names.role("item")
    assign = place(gast.Assign([node.target], load(item, node.target), None), node.target)
    body_name, definitions = fragments.define(
        "loop_body", [assign, *body], body_binds, node, (item,)
    )
    extra = None
    if getattr(node, "extra_test", None) is not None:
        test = [place(gast.Return(node.extra_test), node)]
        extra_name, definition = fragments.define("loop_test", test, (), node)
        definitions += definition
        extra = load(extra_name, node)
    defining, handing = fragments.state(state, node)
    arguments = [node.iter, load(body_name, node), *handing]
    options = getattr(node, "options", None)
    loop = fragments.call("for_loop", node, arguments, extra_test=extra, options=options)
    return [*definitions, *defining, loop]


def take_options(node: Any) -> None:
    """Moves a call of `set_loop_options` at the start of a loop's body to the loop itself."""
    first = node.body[0]
    if not is_options(first):
        return
    call = first.value
    keys = [constant(keyword.arg, first) for keyword in call.keywords]
    values = [keyword.value for keyword in call.keywords]
    node.options = place(gast.Dict(keys, values), first)
    node.body = node.body[1:] or quote("pass", first)


def is_options(statement: Any) -> bool:
    """Whether a statement is a call of `set_loop_options` that says what the options are."""
    call = statement.value if isinstance(statement, gast.Expr) else None
    if not isinstance(call, gast.Call) or call.args:
        return False
    name = getattr(call.func, "attr", getattr(call.func, "id", None))
    return name == _SET_OPTIONS and all(keyword.arg is not None for keyword in call.keywords)
