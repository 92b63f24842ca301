"""Comprehensions as the loops they stand for, so that loops' conversion serves them too.

    squares = [x * x for x in rows if x > 0]

becomes a function that is called with `rows`:

    def list_of(items):
        result = []
        for x in items:
            if x > 0:
                result.append(x * x)
        return result
    squares = list_of(rows)

Generator expressions are treated so where a builtin that reads all of them is their only reader;
where a loop goes over one, or it is kept for later, both forms are handed over, to be chosen from.
What is certain to be Python's own business stays as it is.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from typing import Any

import gast

from autograph_lite.conversion.names import Names
from autograph_lite.conversion.scopes import COMPREHENSIONS, FUNCTIONS
from autograph_lite.conversion.templates import place, quote
from autograph_lite.conversion.walking import walk

__all__ = ["FRAME_NAMES", "lower_comprehensions", "mark_own_names"]

_LIST = """
def NAME(ITEMS):
    RESULT = []
    LOOPS
    return RESULT
"""
_DICT = """
def NAME(ITEMS):
    RESULT = {}
    LOOPS
    return RESULT
"""
_GENERATOR = """
def NAME(RESULT, ITEMS):
    LOOPS
"""
_ANY = """
def NAME(ITEMS):
    LOOPS
    return False
"""
_ALL = """
def NAME(ITEMS):
    LOOPS
    return True
"""
_GOING_OVER = {
    *("accumulate", "chain", "dropwhile", "enumerate", "filter", "filterfalse", "islice", "iter"),
    *("map", "next", "pairwise", "product", "reduce", "starmap", "takewhile", "zip"),
}
_READERS = {"sum", "max", "min", "sorted", "list", "tuple"}
# In a function of its own, these would mean something else.
FRAME_NAMES = {"locals", "vars", "dir", "eval", "exec", "super", "__class__"}


def lower_comprehensions(function: Any, names: Names) -> None:
    """Rewrites the comprehensions of a function, and of the functions in it, in place.

    Args:
      function: a gast `FunctionDef`; anything else is left alone.
      names: hands out names.
    """
    if isinstance(function, gast.FunctionDef):
        _Lowering(names).function(function)


def mark_own_names(function: Any) -> None:
    """Notes for comprehensions which names that they bind, by `:=`, nothing around them reads.

    Such names may be those of the functions that the comprehensions become.
    """
    everywhere = _count_names(function)
    for node in walk(function):
        if isinstance(node, COMPREHENSIONS):
            bound = {n.target.id for n in walk(node) if isinstance(n, gast.NamedExpr)}
            inside = _count_names(node) if bound else {}
            node.own_names = {name for name in bound if inside[name] == everywhere[name]}


def _count_names(node: Any) -> Counter[str]:
    found = Counter(n.id for n in walk(node) if isinstance(n, gast.Name))
    for inner in walk(node):
        if isinstance(inner, (gast.Global, gast.Nonlocal)):
            found.update(inner.names)
    return found


class _Lowering:
    """Goes through statements; what comprehensions become is put before the statement."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.before: list[Any] = []

    def function(self, node: Any) -> None:
        if _suspends(node):
            self.functions_in(node.body)
        else:
            node.body[:] = self.block(node.body)

    def functions_in(self, statements: list[Any]) -> None:
        """Only the functions among statements that themselves stay as they are."""
        for statement in statements:
            for node in _own_nodes(statement):
                if isinstance(node, gast.FunctionDef):
                    self.function(node)
                elif isinstance(node, gast.ClassDef):
                    self.functions_in(node.body)

    def block(self, statements: list[Any]) -> list[Any]:
        new: list[Any] = []
        for statement in statements:
            self.before = []
            self.statement(statement)
            new += self.before
            new.append(statement)
        return new

    def statement(self, node: Any) -> None:
        if isinstance(node, gast.FunctionDef):
            self.function(node)
            self.before = []
            return
        if isinstance(node, gast.ClassDef):
            self.functions_in(node.body)
            self.before = []
            return
        if isinstance(node, gast.AsyncFunctionDef):
            return
        blocks: list[tuple[Any, str]] = []
        if isinstance(node, (gast.Assign, gast.Return)):
            node.value = self.generator(node.value)
        elif isinstance(node, gast.For):
            node.iter = self.generator(node.iter)
        self.fields(node, blocks)
        before = self.before
        for owner, field in blocks:
            setattr(owner, field, self.block(getattr(owner, field)))
        self.before = before

    def fields(self, node: Any, blocks: list[tuple[Any, str]]) -> None:
        """Rewrites a statement's own expressions; collects the blocks in it."""
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, gast.expr):
                setattr(node, field, self.expression(value))
            elif isinstance(value, gast.AST):
                self.fields(value, blocks)
            elif isinstance(value, list) and value:
                if isinstance(value[0], gast.stmt):
                    blocks.append((node, field))
                    continue
                for number, item in enumerate(value):
                    if isinstance(item, gast.expr):
                        value[number] = self.expression(item)
                    elif isinstance(item, gast.AST):
                        self.fields(item, blocks)

    def expression(self, node: Any) -> Any:
        if isinstance(node, gast.Lambda):
            return node
        if isinstance(node, COMPREHENSIONS):
            first = node.generators[0]
            first.iter = self.expression(first.iter)
            return self.comprehension(node)
        if isinstance(node, gast.Call):
            reader = self.reader(node)
            if reader is not None:
                return reader
            # By its name, or as that of a module: `functools.reduce`.
            if getattr(node.func, "id", getattr(node.func, "attr", None)) in _GOING_OVER:
                node.args[:] = map(self.generator, node.args)
        self.fields(node, [])
        return node

    def reader(self, node: Any) -> Any:
        """A call whose only argument is a generator expression that it reads to the end."""
        name = getattr(node.func, "id", None)
        if isinstance(node.func, gast.Attribute) and node.func.attr == "join":
            node.func.value = self.expression(node.func.value)
            name = "list"
        if not (
            isinstance(name, str)
            and name in _READERS | {"any", "all"}
            and len(node.args) >= 1
            and isinstance(node.args[0], gast.GeneratorExp)
        ):
            return None
        generator = node.args[0]
        if not _is_lowered(generator):
            return None
        generator.generators[0].iter = self.expression(generator.generators[0].iter)
        if name in _READERS:
            node.args[0] = self.made(generator, "list_of", _LIST, self.append)
            return node
        if len(node.args) > 1 or node.keywords:
            return None
        if name == "any":
            return self.made(generator, "any_of", _ANY, self.found)
        return self.made(generator, "all_of", _ALL, self.missed)

    def comprehension(self, node: Any) -> Any:
        if not _is_lowered(node):
            return node
        if isinstance(node, gast.ListComp):
            return self.made(node, "list_of", _LIST, self.append)
        if isinstance(node, gast.DictComp):
            return self.made(node, "dict_of", _DICT, self.put)
        return node

    def generator(self, node: Any) -> Any:
        """A generator expression that a loop goes over, here or later: as it is, and inside out."""
        if not isinstance(node, gast.GeneratorExp) or not _is_lowered(node):
            return node
        node.generators[0].iter = self.expression(node.generators[0].iter)
        native = copy.deepcopy(node)
        call = self.made(node, "items_of", _GENERATOR, self.consumed)
        items, (argument,) = self.names.role("items"), call.args
        native.generators[0].iter = place(gast.Name(items, gast.Load(), None, None), argument)
        text = "ag__.generator(lambda ITEMS: NATIVE, INVERTED, ARGUMENT)"
        holes = {"ITEMS": items, "NATIVE": native, "INVERTED": call.func, "ARGUMENT": argument}
        return quote(text, argument, **holes)[0].value

    def made(self, node: Any, name: str, template: str, step: Any) -> Any:
        """Puts the function before the statement; gives the call that replaces `node`."""
        function, items = self.names.fresh(name), self.names.fresh("items")
        result = self.names.fresh("result")
        first = node.generators[0]
        argument = first.iter
        first.iter = place(gast.Name(items, gast.Load(), None, None), first.iter)
        body = step(node, result)
        for generator in reversed(node.generators):
            for test in reversed(generator.ifs):
                body = [place(gast.If(test, body, []), test)]
            loop = gast.For(generator.target, generator.iter, body, [], None)
            body = [place(loop, generator.target)]
        made = quote(template, node, NAME=function, ITEMS=items, RESULT=result, LOOPS=body)
        made[0].stands_for = node
        # What the loops' bodies hold may be comprehensions again.
        before = self.before
        self.function(made[0])
        self.before = before + made
        call = quote("CALL(ARGUMENT)", node, CALL=function, ARGUMENT=argument)[0]
        return call.value

    def append(self, node: Any, result: str) -> list[Any]:
        return quote("RESULT.append(ELEMENT)", node.elt, RESULT=result, ELEMENT=node.elt)

    def put(self, node: Any, result: str) -> list[Any]:
        key = self.names.fresh("key")
        text = "KEY = K\nRESULT[KEY] = V"
        return quote(text, node.key, KEY=key, RESULT=result, K=node.key, V=node.value)

    def consumed(self, node: Any, result: str) -> list[Any]:
        return quote("if CONSUMER(ELEMENT): return", node.elt, CONSUMER=result, ELEMENT=node.elt)

    def found(self, node: Any, result: str) -> list[Any]:
        return quote("if ELEMENT:\n    return True", node.elt, ELEMENT=node.elt)

    def missed(self, node: Any, result: str) -> list[Any]:
        return quote("if not ELEMENT:\n    return False", node.elt, ELEMENT=node.elt)


def _is_lowered(node: Any) -> bool:
    """Whether a comprehension is to become a function."""
    for inner in ast.walk(node):
        if isinstance(inner, (gast.Await, gast.Yield, gast.YieldFrom)):
            return False
        if isinstance(inner, gast.NamedExpr):
            if inner.target.id not in getattr(node, "own_names", ()):
                return False
        if isinstance(inner, gast.Name) and inner.id in FRAME_NAMES:
            return False
    if any(generator.is_async for generator in node.generators):
        return False
    if any(generator.ifs or not _is_python(generator.iter) for generator in node.generators):
        return True
    parts = [getattr(node, field, None) for field in ("elt", "key", "value")]
    return any(_holds_lowered(part) for part in parts if part is not None)


def _holds_lowered(node: Any) -> bool:
    """Whether a comprehension in an expression is to become a function, as then those around it."""
    return any(isinstance(inner, COMPREHENSIONS) and _is_lowered(inner) for inner in ast.walk(node))


def _is_python(node: Any) -> bool:
    """Whether an iterable is certain to be one of Python's own, not a tensor."""
    if isinstance(node, (gast.Tuple, gast.List, gast.Set, gast.Dict, gast.JoinedStr)):
        return True
    if isinstance(node, gast.Constant):
        return True
    if isinstance(node, gast.Call):
        if isinstance(node.func, gast.Attribute):
            return node.func.attr in ("items", "keys", "values", "split", "splitlines")
        if isinstance(node.func, gast.Name):
            if node.func.id == "range":
                return all(isinstance(argument, gast.Constant) for argument in node.args)
            if node.func.id in ("enumerate", "zip", "sorted", "reversed"):
                return bool(node.args) and all(_is_python(argument) for argument in node.args)
    return False


def _suspends(function: Any) -> bool:
    """Whether a function is a generator."""
    return any(
        isinstance(node, (gast.Yield, gast.YieldFrom, gast.Await))
        for statement in function.body
        for node in _own_nodes(statement)
    )


def _own_nodes(node: Any) -> Any:
    """A node and those in it that belong to the same function."""
    yield node
    if isinstance(node, (*FUNCTIONS, gast.ClassDef)):
        return
    for child in ast.iter_child_nodes(node):
        yield from _own_nodes(child)
