"""Walks over a whole tree once, and hands each expression to the file that knows its construct."""

from __future__ import annotations

import sys
from typing import Any

import gast

from autograph_lite.conversion.passes.asserts import convert_assert
from autograph_lite.conversion.passes.calls import convert_call
from autograph_lite.conversion.passes.displays import convert_display
from autograph_lite.conversion.passes.formats import may_format
from autograph_lite.conversion.passes.fstrings import (
    convert_fstring,
    convert_percent,
    fields_of,
)
from autograph_lite.conversion.passes.items import convert_getitem
from autograph_lite.conversion.passes.logic import (
    convert_bool_op,
    convert_compare,
    convert_if_exp,
    convert_not,
)
from autograph_lite.conversion.passes.super_ import convert_super
from autograph_lite.conversion.scopes import COMPREHENSIONS, Scope, Scopes
from autograph_lite.conversion.templates import call, constant, load, place
from autograph_lite.conversion.walking import LEAVES, walk

__all__ = ["convert_expressions"]


def convert_expressions(
    tree: Any,
    scopes: Scopes,
    rebound: frozenset[str],
    has_class: bool,
    checked: set[Any],
    checked_free: set[Any],
    all_keys: bool = False,
) -> None:
    """Rewrites the expressions of a function, and of the functions in it, in place.

    Args:
      tree: a gast `FunctionDef` or `Lambda`.
      scopes: the scopes of the tree.
      rebound: names that may not mean the builtins of that name.
      has_class: whether the function is defined in a class.
      checked: the `Name` nodes that may read an unbound variable.
      checked_free: those of them that read it from a function inside.
      all_keys: whether numbers, too, may be keys of dicts that make what they do not have.
    """
    walk = _Expressions(scopes, rebound, checked, checked_free)
    walk.has_class = has_class
    walk.all_keys = all_keys
    walk.function(tree)


# Up to Python 3.11, an operand that is an `and` or `or` itself is not asked twice if it is true.
_JUMPS_AHEAD = sys.version_info < (3, 12)
_ITERATORS = {"enumerate", "filter", "map", "reversed", "zip"}
_CONTAINERS = (gast.List, gast.Dict, gast.Set)
_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef)


class _Expressions:
    def __init__(
        self, scopes: Scopes, rebound: frozenset[str], checked: set[Any], checked_free: set[Any]
    ) -> None:
        self.scopes = scopes
        self.scope: Scope | None = None
        self.rebound = rebound
        self.has_class = False
        self.all_keys = False
        self.checked = checked
        self.checked_free = checked_free
        self.fixed = 0  # how many expressions were met that cannot move into a lambda

    def visit(self, node: Any) -> Any:
        kind = type(node)
        handler = _HANDLERS.get(kind)
        if handler is not None:
            return handler(self, node)
        if kind not in LEAVES:
            self.children(node)
        return node

    def children(self, node: Any) -> None:
        values = node.__dict__
        for field in node._fields:
            value = values.get(field)
            if isinstance(value, list):
                value[:] = [
                    self.visit(item) if isinstance(item, gast.AST) else item for item in value
                ]
            elif isinstance(value, gast.AST):
                values[field] = self.visit(value)

    def tested(self, node: Any) -> Any:
        """Converts an expression that is only asked whether it is true."""
        node.tested = True
        return self.visit(node)

    def movable(self, nodes: list[Any]) -> bool:
        """Converts expressions, and says whether they may become lambdas."""
        before = self.fixed
        for index, node in enumerate(nodes):
            nodes[index] = self.visit(node)
        return self.fixed == before

    # Scopes

    def function(self, node: Any) -> Any:
        scope = self.scopes.get(node)
        self.header(node)
        stays = isinstance(node, gast.AsyncFunctionDef) or getattr(node, "stays", False)
        if stays or (scope is not None and scope.yields):
            self.check_only(node)
            return node
        before = self.fixed, self.scope
        self.scope = scope or self.scope
        if isinstance(node, gast.Lambda):
            node.body = self.visit(node.body)
        else:
            node.body[:] = [self.visit(statement) for statement in node.body]
        self.fixed, self.scope = before
        return node

    def comprehension(self, node: Any) -> Any:
        first = node.generators[0]
        first.iter = self.visit(first.iter)
        before, self.scope = self.scope, self.scopes[node]
        for generator in node.generators:
            generator.target = self.visit(generator.target)
            if generator is not first:
                generator.iter = self.visit(generator.iter)
            generator.ifs[:] = [self.tested(test) for test in generator.ifs]
            self.fixed += generator.is_async
        for field in ("elt", "key", "value"):
            if hasattr(node, field):
                setattr(node, field, self.visit(getattr(node, field)))
        self.scope = before
        return convert_display(node)

    def class_(self, node: Any) -> Any:
        """Only the functions in a class are converted, and containers that its attributes hold."""
        for statement in node.body:
            self.check_only(statement, self.function)
            if isinstance(getattr(statement, "value", None), _CONTAINERS):
                statement.value = convert_display(statement.value)
        for field in ("decorator_list", "bases", "keywords"):
            self.check_all(getattr(node, field))
        return node

    def header(self, node: Any) -> None:
        """Decorators and annotations stay as they are, and the outermost function's defaults."""
        args = node.args
        if self.scope is None:
            self.check_all(args.defaults)
            self.check_all(args.kw_defaults)
        else:
            for defaults in (args.defaults, args.kw_defaults):
                defaults[:] = [None if value is None else self.visit(value) for value in defaults]
        for arg in [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]:
            if arg is not None:
                self.check_only(arg)
        if not isinstance(node, gast.Lambda):
            self.check_all(node.decorator_list)
            if node.returns is not None:
                (node.returns,) = self.check_all([node.returns])

    def check_all(self, nodes: list[Any]) -> list[Any]:
        for index, node in enumerate(nodes):
            if isinstance(node, gast.Name):
                nodes[index] = self.name(node)
            elif node is not None:
                self.check_only(node)
        return nodes

    def check_only(self, node: Any, function: Any = None) -> None:
        """Changes nothing but reads that have to be checked.

        Args:
          node: a statement or expression that stays as it is.
          function: what is done to the functions in it, if they do not stay as well.
        """
        if function is not None and isinstance(node, _DEFINITIONS):
            function(node)
            return
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, gast.Name):
                setattr(node, field, self.name(value))
            elif isinstance(value, gast.AST):
                self.check_only(value, function)
            elif isinstance(value, list):
                for index, item in enumerate(value):
                    if isinstance(item, gast.Name):
                        value[index] = self.name(item)
                    elif isinstance(item, gast.AST):
                        self.check_only(item, function)

    # Expressions

    def name(self, node: Any) -> Any:
        if isinstance(node.ctx, gast.Load):
            if node in self.checked:
                return call("ld", node, load(node.id, node))
            if node in self.checked_free:
                return call("ld_free", node, load(node.id, node))
        return node

    def named_expr(self, node: Any) -> Any:
        node.value = self.visit(node.value)
        self.fixed += 1
        return node

    def suspending(self, node: Any) -> Any:
        self.children(node)
        self.fixed += 1
        return node

    def bool_op(self, node: Any) -> Any:
        tested = getattr(node, "tested", False)
        if tested or _JUMPS_AHEAD:
            node.values = _flattened(node)
        if tested:
            for value in node.values:
                value.tested = True
        elif _JUMPS_AHEAD:
            self.ask_once(node)
        node.values[0] = self.visit(node.values[0])
        others = node.values[1:]
        movable = self.movable(others)
        node.values[1:] = others
        return convert_bool_op(node, tested) if movable else node

    def ask_once(self, node: Any) -> None:
        """Marks the operands that are `and` or `or` themselves, and are asked what they give."""
        others = (inner for other in node.values[1:] for inner in walk(other))
        if any(isinstance(inner, gast.NamedExpr) for inner in others):
            return  # it stays as it is
        for value in node.values if getattr(node, "once", False) else node.values[:-1]:
            value.once = True

    def unary_op(self, node: Any) -> Any:
        if isinstance(node.op, gast.Not):
            node.operand.tested = getattr(node, "tested", False)
            node.operand = self.visit(node.operand)
            return convert_not(node)
        node.operand = self.visit(node.operand)
        return node

    def if_exp(self, node: Any) -> Any:
        node.test = self.tested(node.test)
        branches = [node.body, node.orelse]
        if getattr(node, "tested", False):
            node.body.tested = node.orelse.tested = True
        movable = self.movable(branches)
        node.body, node.orelse = branches
        return convert_if_exp(node) if movable else node

    def compare(self, node: Any) -> Any:
        node.left = self.visit(node.left)
        node.comparators[0] = self.visit(node.comparators[0])
        others = node.comparators[1:]
        movable = self.movable(others)
        node.comparators[1:] = others
        return convert_compare(node) if movable else node

    def attribute(self, node: Any) -> Any:
        """`x.shape` becomes `ag__.shape(x)`: only the running graph may know it.

        What a `try` may find missing becomes `ag__.attribute(x, 'name')`.
        """
        node.value = self.visit(node.value)
        # What is called, like `np.shape`, is no shape.
        if not isinstance(node.ctx, gast.Load) or getattr(node, "called", False):
            return node
        if node.attr == "shape":
            return call("shape", node, node.value)
        if getattr(node, "may_be_missing", False):
            return call("attribute", node, node.value, constant(node.attr, node))
        return node

    def assign(self, node: Any) -> Any:
        """`pairs = zip(a, b)`, read more than once: the second time goes on behind the first."""
        (target, *_), value = node.targets, node.value
        if self.is_iterator_to_keep(target, value):
            node.value = call("iter_", node, value)
        elif isinstance(target, gast.Tuple) and isinstance(value, gast.Tuple):
            for number, pair in enumerate(zip(target.elts, value.elts, strict=False)):
                if self.is_iterator_to_keep(*pair):
                    value.elts[number] = call("iter_", node, pair[1])
        self.children(node)
        return node

    def is_iterator_to_keep(self, target: Any, value: Any) -> bool:
        """Whether a variable gets an iterator, and is read more than once."""
        function = getattr(getattr(value, "func", None), "id", None)
        if not isinstance(target, gast.Name) or self.scope is None:
            return False
        reads = self.scope.loads.get(target.id, ())
        return function in _ITERATORS and function not in self.rebound and len(reads) > 1

    def call(self, node: Any) -> Any:
        node.func.called = True
        self.children(node)
        name = getattr(node.func, "id", "")
        if name == "super" and name not in self.rebound:
            return convert_super(node, self.scope, self.has_class)
        return convert_call(node, self.rebound)

    def display(self, node: Any) -> Any:
        self.children(node)
        return convert_display(node)

    def subscript(self, node: Any) -> Any:
        self.children(node)
        is_read = isinstance(node.ctx, gast.Load)
        return convert_getitem(node, self.rebound, self.all_keys) if is_read else node

    def bin_op(self, node: Any) -> Any:
        formats = isinstance(node.op, gast.Mod) and may_format(node, self.scope)
        self.children(node)
        return convert_percent(node) if formats else node

    def joined_str(self, node: Any) -> Any:
        before = self.fixed
        self.fields(node)
        found = fields_of(node)
        if found is None or self.fixed != before:
            return node
        return convert_fstring(node, *found)

    def fields(self, node: Any) -> None:
        for part in node.values:
            if isinstance(part, gast.FormattedValue):
                part.value = self.visit(part.value)
                if part.format_spec is not None:
                    self.fields(part.format_spec)

    # Statements

    def raise_(self, node: Any) -> Any:
        """`raise error` becomes `raise ag__.raising(error)`, where it may be one of several."""
        error = node.exc.func if isinstance(node.exc, gast.Call) else node.exc
        wraps = self.scope is not None and isinstance(error, gast.expr)
        if isinstance(error, gast.Name):
            wraps = wraps and error.id in self.scope.bound  # type: ignore[union-attr]
        elif isinstance(error, gast.Attribute):
            wraps = wraps and error is node.exc
        self.children(node)
        if wraps:
            node.exc = call("raising", node, node.exc)
        return node

    def assert_(self, node: Any) -> Any:
        if not __debug__:
            return place(gast.Pass(), node)
        node.test = self.tested(node.test)
        messages = [node.msg] if node.msg is not None else []
        movable = self.movable(messages)
        node.msg = messages[0] if messages else None
        return convert_assert(node) if movable else node

    def same(self, node: Any) -> Any:
        return node


def _flattened(node: Any) -> list[Any]:
    """The operands of `a and (b and c)`."""
    operands: list[Any] = []
    for value in node.values:
        same = isinstance(value, gast.BoolOp) and type(value.op) is type(node.op)
        operands += _flattened(value) if same else [value]
    return operands


_HANDLERS: dict[type, Any] = {
    gast.FunctionDef: _Expressions.function,
    gast.AsyncFunctionDef: _Expressions.function,
    gast.Lambda: _Expressions.function,
    gast.ClassDef: _Expressions.class_,
    gast.Name: _Expressions.name,
    gast.NamedExpr: _Expressions.named_expr,
    gast.Yield: _Expressions.suspending,
    gast.YieldFrom: _Expressions.suspending,
    gast.Await: _Expressions.suspending,
    gast.BoolOp: _Expressions.bool_op,
    gast.UnaryOp: _Expressions.unary_op,
    gast.IfExp: _Expressions.if_exp,
    gast.Compare: _Expressions.compare,
    gast.Assign: _Expressions.assign,
    gast.Call: _Expressions.call,
    gast.Attribute: _Expressions.attribute,
    gast.List: _Expressions.display,
    gast.Tuple: _Expressions.display,
    gast.Dict: _Expressions.display,
    gast.Set: _Expressions.display,
    gast.Subscript: _Expressions.subscript,
    gast.BinOp: _Expressions.bin_op,
    gast.JoinedStr: _Expressions.joined_str,
    gast.Assert: _Expressions.assert_,
    gast.Raise: _Expressions.raise_,
    gast.Constant: _Expressions.same,
    gast.MatchValue: _Expressions.same,
    gast.TypeAlias: _Expressions.same,
}
_HANDLERS.update(dict.fromkeys(COMPREHENSIONS, _Expressions.comprehension))
