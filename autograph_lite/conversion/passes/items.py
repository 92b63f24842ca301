"""Stores to items and attributes.

`x[i] = v` on a local variable becomes a functional update, `x = ag__.setitem(x, i, v)`. Everything
else that is stored to goes through `ag__.tracked`, which notes the change while a graph is traced.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import gast

from autograph_lite.conversion.names import Names
from autograph_lite.conversion.passes.calls import SYMBOLS
from autograph_lite.conversion.scopes import Scope
from autograph_lite.conversion.templates import call, constant, load, place, store, thunk
from autograph_lite.conversion.walking import walk

__all__ = ["Stores", "convert_getitem", "convert_stores"]


class Stores(NamedTuple):
    """What the stores of a function have become.

    Attributes:
      carriers: the names of variables that only carry a value from one statement to the next.
      changed: whether the function is no longer as it was.
    """

    carriers: set[str]
    changed: bool


_FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


def convert_stores(
    function: Any, scope: Scope, doubtful: set[Any], names: Names, rebound: frozenset[str]
) -> Stores:
    """Rewrites a function's stores to items and attributes in place.

    Args:
      function: a gast `FunctionDef`.
      scope: its scope.
      doubtful: the `Name` nodes that may read an unbound variable.
      names: names that are still free.
      rebound: names that may not mean the builtins of that name.

    Example:
      >>> import ast
      >>> from autograph_lite.conversion.scopes import analyse
      >>> tree = gast.parse('''
      ... def f(x, i, o):
      ...     x[i] = i
      ...     o.a += 1
      ... ''').body[0]
      >>> _ = convert_stores(tree, analyse(tree)[tree], set(), Names(), frozenset())
      >>> print(ast.unparse(gast.gast_to_ast(tree)))
      def f(x, i, o):
          x = ag__.setitem(x, i, i)
          ag__.tracked(o).a += 1
    """
    conversion = _Conversion(scope, doubtful, names, rebound)
    function.body = conversion.block(function.body)
    return Stores(conversion.carriers, conversion.changed)


class _Conversion:
    def __init__(
        self, scope: Scope, doubtful: set[Any], names: Names, rebound: frozenset[str]
    ) -> None:
        self.scope = scope
        self.doubtful = doubtful
        self.names = names
        self.rebound = rebound
        self.captured = scope.captured()
        self.carriers: set[str] = set()
        self.changed = False

    def block(self, statements: list[Any]) -> list[Any]:
        new: list[Any] = []
        for statement in statements:
            new += self.statement(statement)
        return new

    def statement(self, node: Any) -> list[Any]:
        if isinstance(node, gast.Assign):
            return self.assign(node)
        if isinstance(node, gast.AugAssign):
            return [*_asked_for(node.target), self.aug_assign(node)]
        if isinstance(node, gast.AnnAssign) and not isinstance(node.target, gast.Name):
            return self.ann_assign(node)
        if isinstance(node, gast.Delete):
            node.targets = [self.track(target) for target in node.targets]
        elif not isinstance(node, _FUNCTIONS):
            self.compound(node)
        return [node]

    def compound(self, node: Any) -> None:
        if isinstance(node, gast.For):
            node.target = self.track(node.target)
        for item in getattr(node, "items", ()):
            if item.optional_vars is not None:
                item.optional_vars = self.track(item.optional_vars)
        for part in [node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())]:
            for field in ("body", "orelse", "finalbody"):
                block = getattr(part, field, None)
                if isinstance(block, list):
                    setattr(part, field, self.block(block))

    # Targets

    def is_item(self, target: Any) -> bool:
        """Whether a target is an item of a local variable, that is updated functionally."""
        return (
            isinstance(target, gast.Subscript)
            and isinstance(target.value, gast.Name)
            and self.scope.owns(target.value.id)
            and not (
                isinstance(target.slice, gast.Constant) and isinstance(target.slice.value, str)
            )
        )

    def has_item(self, target: Any) -> bool:
        if isinstance(target, (gast.Tuple, gast.List)):
            return any(self.has_item(element) for element in target.elts)
        return self.is_item(target.value if isinstance(target, gast.Starred) else target)

    def track(self, target: Any) -> Any:
        """Wraps the objects at the root of what is stored to."""
        if isinstance(target, (gast.Tuple, gast.List)):
            target.elts = [self.track(element) for element in target.elts]
        elif isinstance(target, gast.Starred):
            target.value = self.track(target.value)
        elif isinstance(target, (gast.Attribute, gast.Subscript)):
            self.changed = True
            inner = target
            while isinstance(inner.value, (gast.Attribute, gast.Subscript)):
                inner = inner.value
                inner.in_target = True
            root = inner.value
            arguments = [root]
            if isinstance(inner, gast.Subscript) and isinstance(root, gast.Name):
                # An array cannot change into a tensor: the variable that holds it can.
                arguments.append(thunk(load(root.id, root)))
            inner.value = call("tracked", root, *arguments)
        return target

    # Statements

    def assign(self, node: Any) -> list[Any]:
        if len(node.targets) == 1:
            _gather(node)
        if not any(self.has_item(target) for target in node.targets):
            node.targets = [self.track(target) for target in node.targets]
            return [node]
        if len(node.targets) == 1:
            return self.store(node.targets[0], node.value, node)
        new, value = self.carry(node.value, node)
        for target in node.targets:
            new += self.store(target, load(value, node), node)
        return new

    def carry(self, value: Any, at: Any) -> tuple[list[Any], str]:
        """Keeps a value in a variable of its own until the next statement."""
        name = self.names.fresh("value")
        self.carriers.add(name)
        return [place(gast.Assign([store(name, at)], value, None), at)], name

    def store(self, target: Any, value: Any, at: Any) -> list[Any]:
        """`target = value`, for any kind of target."""
        self.changed = True
        if self.is_item(target):
            before: list[Any] = []
            if not self.may_come_last(target, value):
                before, name = self.carry(value, at)
                value = load(name, at)
            return [*before, self.set_item(target, "setitem", [value], at)]
        if isinstance(target, (gast.Tuple, gast.List)) and self.has_item(target):
            return self.unpack(target, value, at)
        return [place(gast.Assign([self.track(target)], value, None), at)]

    def unpack(self, target: Any, value: Any, at: Any) -> list[Any]:
        """Unpacks first, then stores from left to right as Python does."""
        later: list[Any] = []
        elements: list[Any] = []
        for element in target.elts:
            inner = element.value if isinstance(element, gast.Starred) else element
            if not later and isinstance(inner, gast.Name):
                elements.append(element)
                continue
            name = self.names.fresh("value")
            self.carriers.add(name)
            new = store(name, inner)
            if isinstance(element, gast.Starred):
                new = place(gast.Starred(new, gast.Store()), element)
            elements.append(new)
            later += self.store(inner, load(name, inner), at)
        target.elts = elements
        return [place(gast.Assign([target], value, None), at), *later]

    def set_item(self, target: Any, operator: str, values: list[Any], at: Any) -> Any:
        self.changed = True
        name = target.value.id
        target.value.ctx = gast.Load()
        index = index_of(target.slice, self.rebound)
        update = call(operator, at, target.value, index, *values)
        return place(gast.Assign([store(name, at)], update, None), at)

    def aug_assign(self, node: Any) -> Any:
        target, value = node.target, node.value
        if self.is_item(target) and not _binds_or_suspends(value):
            values = [constant(SYMBOLS[type(node.op)] + "=", node), value]
            lazy = not self.is_plain(value)
            if lazy:
                values[1] = thunk(value)
            statement = self.set_item(target, "augitem", values, node)
            if lazy:
                flag = place(gast.keyword("lazy", constant(True, node)), node)
                statement.value.keywords.append(flag)
            return statement
        grows = isinstance(node.op, gast.Add) and isinstance(value, (gast.List, gast.ListComp))
        if isinstance(target, gast.Name) and (grows or isinstance(node.op, gast.BitOr)):
            self.changed = True
            node.value = call("merging", value, load(target.id, value), value)
        node.target = self.track(target)
        return node

    def ann_assign(self, node: Any) -> list[Any]:
        if node.value is None:
            return [node]
        # Annotations of variables in functions are not evaluated.
        return self.store(node.target, node.value, node)

    # Order of evaluation: Python evaluates the value, then the object, then the index.

    def may_come_last(self, target: Any, value: Any) -> bool:
        """Whether a value may as well be evaluated after the object and the index."""
        if isinstance(value, gast.Constant):
            return True
        index = target.slice
        if self.is_plain(value):
            return not _changes(index, {value.id}, self.captured)
        parts = [index]
        if isinstance(index, gast.Slice):
            parts = [p for p in (index.lower, index.upper, index.step) if p is not None]
        elif isinstance(index, gast.Tuple):
            parts = index.elts
        read = [target.value, *parts]
        if not all(map(self.is_plain, read)):
            return False
        names = {node.id for node in read if isinstance(node, gast.Name)}
        return not _changes(value, names, self.captured)

    def is_plain(self, node: Any) -> bool:
        """Whether a node is a constant or a variable that has a value for sure."""
        if isinstance(node, gast.Name):
            return node not in self.doubtful and (
                self.scope.owns(node.id) or node.id in self.carriers
            )
        return isinstance(node, gast.Constant)


def _asked_for(target: Any) -> list[Any]:
    """`ag__.ask_for(o, 'x')`, before `o.x += 1` in a `try` that may catch Python's error."""
    if not getattr(target, "may_be_missing", False) or not isinstance(target.value, gast.Name):
        return []
    owner = load(target.value.id, target)
    asking = call("ask_for", target, owner, constant(target.attr, target))
    return [place(gast.Expr(asking), target)]


def _changes(node: Any, names: set[str], captured: set[str]) -> bool:
    """Whether evaluating a node may bind one of these names."""
    for inner in walk(node):
        if isinstance(inner, gast.NamedExpr) and inner.target.id in names:
            return True
        if isinstance(inner, (gast.Call, gast.Yield, gast.Await)) and names & captured:
            return True
    return False


def _binds_or_suspends(node: Any) -> bool:
    kinds = (gast.NamedExpr, gast.Yield, gast.YieldFrom, gast.Await)
    return any(isinstance(inner, kinds) for inner in walk(node))


# Loads


def _gather(node: Any) -> None:
    """`a, *b = c` becomes `a, b = ag__.unpacked(c, 1, 0)`, unless `c` is spelt out."""
    (target,) = node.targets
    if not isinstance(target, (gast.Tuple, gast.List)):
        return
    if isinstance(node.value, (gast.Tuple, gast.List, gast.Constant)):
        return
    stars = [n for n, item in enumerate(target.elts) if isinstance(item, gast.Starred)]
    if len(stars) != 1:
        return
    before, after = stars[0], len(target.elts) - stars[0] - 1
    target.elts[before] = target.elts[before].value
    counts = (constant(before, node), constant(after, node))
    node.value = call("unpacked", node, node.value, *counts)


def convert_getitem(node: Any, rebound: frozenset[str], all_keys: bool = False) -> Any:
    """`x[i]` becomes `ag__.getitem(x, i)`, unless the index is made of constants alone.

    A text is the key of a dict, which may have the key on some paths only. So is any constant where
    `all_keys` says so.
    """
    is_key = isinstance(node.slice, gast.Constant) and isinstance(node.slice.value, str)
    is_key = is_key or (all_keys and not _holds_slice(node.slice))
    if getattr(node, "in_target", False) or (_is_constant(node.slice) and not is_key):
        return node
    return call("getitem", node, node.value, index_of(node.slice, rebound))


def index_of(node: Any, rebound: frozenset[str]) -> Any:
    """An index as an expression of its own: `a:b` becomes `slice(a, b)`."""
    if isinstance(node, gast.Tuple):
        node.elts = [index_of(element, rebound) for element in node.elts]
        return node
    if not isinstance(node, gast.Slice):
        return node
    bounds = [bound or constant(None, node) for bound in (node.lower, node.upper)]
    if node.step is not None:
        bounds.append(node.step)
    new = call("slice_", node, *bounds)
    if "slice" not in rebound:
        new.func = load("slice", node)
    return new


def _is_constant(node: Any) -> bool:
    if isinstance(node, gast.Tuple):
        return all(map(_is_constant, node.elts))
    if isinstance(node, gast.Slice):
        return all(b is None or _is_constant(b) for b in (node.lower, node.upper, node.step))
    if isinstance(node, gast.UnaryOp):
        return not isinstance(node.op, gast.Not) and _is_constant(node.operand)
    return isinstance(node, gast.Constant)


def _holds_slice(node: Any) -> bool:
    if isinstance(node, gast.Tuple):
        return any(map(_holds_slice, node.elts))
    return isinstance(node, gast.Slice)
