"""What does one statement or expression do to the variables of its function?"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import gast

from autograph_lite.conversion.scopes import FUNCTIONS, Scope, Scopes, bound_by_pattern
from autograph_lite.conversion.walking import LEAVES

__all__ = ["Effects", "effects_of"]

# Their argument, if it is a generator, is used up before they return.
_CONSUMERS = frozenset(
    "all any bytearray bytes dict frozenset list max min set sorted sum tuple".split()
)


class Effects:
    """What happens to variables, in the order: reads, writes, deletes.

    Attributes:
      loads: the `Name` nodes that read a variable right here.
      free_loads: those of them for which Python words the error of an unbound variable as it does
        in functions inside this one.
      thunked: those of them that conversion moves into a lambda.
      writes: the names that are bound, in order.
      maybe: those of them that are bound under a condition.
      deletes: the names that are unbound.
      captures: the names that functions made here may use later.
      closures: the scopes of these functions.
    """

    __slots__ = (
        "captures",
        "closures",
        "deletes",
        "free_loads",
        "loads",
        "maybe",
        "thunked",
        "writes",
    )

    def __init__(self) -> None:
        self.loads: list[Any] = []
        self.free_loads: list[Any] = []
        self.thunked: list[Any] = []
        self.writes: dict[str, None] = {}
        self.maybe: set[str] = set()
        self.deletes: set[str] = set()
        self.captures: set[str] = set()
        self.closures: list[Scope] = []

    def reads(self) -> set[str]:
        """The names that are read right here."""
        return {node.id for node in self.loads}


def effects_of(nodes: Iterable[Any], scopes: Scopes) -> Effects:
    """Says what simple statements and expressions do to the variables of their function.

    Args:
      nodes: gast nodes that run one after the other. Of compound statements, the parts that are
        statements are not looked at; of functions, the body counts as captured.
      scopes: the scopes of the tree the nodes are from.

    Example:
      >>> from autograph_lite.conversion.scopes import analyse
      >>> tree = gast.parse("def f(): a = [b + c for b in d] + [lambda: e]").body[0]
      >>> effects = effects_of(tree.body, analyse(tree))
      >>> sorted(effects.reads()), list(effects.writes), effects.captures
      (['c', 'd'], ['a'], {'e'})
    """
    walker = _Walker(scopes)
    for node in nodes:
        walker.visit(node, frozenset())
    return walker.effects


class _Walker:
    def __init__(self, scopes: Scopes) -> None:
        self.effects = Effects()
        self.scopes = scopes
        self.in_function = False  # whether what is visited is compiled to a function of its own
        self.in_thunk = False  # whether conversion makes a lambda of it
        self.in_doubt = False  # whether it may not be evaluated

    def visit(self, node: Any, hidden: frozenset[str]) -> None:
        """Records a node; `hidden` are the names that comprehensions around it own."""
        handler = _HANDLERS.get(type(node))
        if handler is not None:
            handler(self, node, hidden)
        else:
            self._children(node, hidden)

    def _children(self, node: Any, hidden: frozenset[str]) -> None:
        values = node.__dict__
        for field in node._fields:
            value = values.get(field)
            if isinstance(value, list):
                for item in value:
                    if isinstance(item, gast.AST):
                        self.visit(item, hidden)
            elif isinstance(value, gast.AST) and type(value) not in LEAVES:
                self.visit(value, hidden)

    def _name(self, node: Any, hidden: frozenset[str]) -> None:
        if node.id in hidden:
            return
        if isinstance(node.ctx, gast.Load):
            self.effects.loads.append(node)
            if self.in_thunk:
                self.effects.thunked.append(node)
            if self.in_function or getattr(node, "from_inside", False):
                self.effects.free_loads.append(node)
        elif isinstance(node.ctx, gast.Store):
            self.effects.writes[node.id] = None
        elif isinstance(node.ctx, gast.Del):
            self.effects.deletes.add(node.id)

    def _named_expr(self, node: Any, hidden: frozenset[str]) -> None:
        self.visit(node.value, hidden)
        name = node.target.id
        if self.in_doubt and name not in self.effects.writes:
            self.effects.maybe.add(name)
        elif not self.in_doubt:
            self.effects.maybe.discard(name)
        self.effects.writes[name] = None

    def _aug_assign(self, node: Any, hidden: frozenset[str]) -> None:
        if isinstance(node.target, gast.Name):
            self.effects.loads.append(node.target)
        self.visit(node.target, hidden)
        outer = self.in_thunk
        if isinstance(node.target, gast.Subscript):
            self.in_thunk = True
        self.visit(node.value, hidden)
        self.in_thunk = outer

    def _ann_assign(self, node: Any, hidden: frozenset[str]) -> None:
        # Annotations of variables in functions are not evaluated.
        if node.value is not None:
            self.visit(node.value, hidden)
            self.visit(node.target, hidden)
        elif not isinstance(node.target, gast.Name):
            self.visit(node.target, hidden)

    def _alias(self, node: Any, hidden: frozenset[str]) -> None:
        self.effects.writes[node.asname or node.name.partition(".")[0]] = None

    def _pattern(self, node: Any, hidden: frozenset[str]) -> None:
        name = bound_by_pattern(node)
        if name is not None:
            self.effects.writes[name] = None
        self._children(node, hidden)

    def _function(self, node: Any, hidden: frozenset[str]) -> None:
        if getattr(node, "fragment", False):
            self._thunk(node, hidden)  # it is called where it stands
            return
        args = node.args
        if not isinstance(node, gast.Lambda):
            for part in node.decorator_list:
                self.visit(part, hidden)
            every = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
            annotations = [arg.annotation for arg in every if arg is not None]
            for part in [*annotations, node.returns]:
                if part is not None:
                    self.visit(part, hidden)
            self.effects.writes[node.name] = None
        for part in [*args.defaults, *args.kw_defaults]:
            if part is not None:
                self.visit(part, hidden)
        if hasattr(node, "stands_for"):
            self._runs_here(self.scopes[node], hidden)
        else:
            self._capture(self.scopes[node], hidden)

    def _runs_here(self, scope: Scope, hidden: frozenset[str]) -> None:
        """A function made of a comprehension, or a scope in it, is used where it is made."""
        made_of = getattr(scope.node, "stands_for", scope.node)
        outer = self.in_function
        if isinstance(made_of, gast.GeneratorExp) or sys.version_info < (3, 12):
            self.in_function = True
        for name, loads in scope.loads.items():
            if not scope.owns(name) and name not in hidden:
                self.effects.loads += loads
                self.effects.thunked += loads
                if self.in_function:
                    self.effects.free_loads += loads
        inner = hidden | set(filter(scope.owns, scope.bound))
        for child in scope.children:
            if child.kind == "comprehension" or hasattr(child.node, "stands_for"):
                self._runs_here(child, inner)
            else:
                self._capture(child, inner)
        self.in_function = outer

    def _capture(self, scope: Scope, hidden: frozenset[str]) -> None:
        self.effects.captures.update(scope.free() - hidden)
        self.effects.closures.append(scope)

    def _class(self, node: Any, hidden: frozenset[str]) -> None:
        for part in [*node.decorator_list, *node.bases, *node.keywords]:
            self.visit(part, hidden)
        self._class_body(self.scopes[node], hidden)
        self.effects.writes[node.name] = None

    def _class_body(self, scope: Scope, hidden: frozenset[str]) -> None:
        # What a class body binds is no variable of the function, but it may read one.
        for name, loads in scope.loads.items():
            if name not in hidden and name not in scope.bound:
                self.effects.loads.extend(loads)
                self.effects.free_loads.extend(loads)
        for child in scope.children:
            if child.kind == "class":
                self._class_body(child, hidden)
            else:
                self._capture(child, hidden)

    def _type_alias(self, node: Any, hidden: frozenset[str]) -> None:
        self.effects.writes[node.name.id] = None

    def _comprehension(self, node: Any, hidden: frozenset[str]) -> None:
        first, *others = node.generators
        self.visit(first.iter, hidden)
        scope = self.scopes[node]
        inner = hidden | set(scope.bound)
        parts = [first.target, *first.ifs]
        for generator in others:
            parts += [generator.iter, generator.target, *generator.ifs]
        parts += [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
        outer = self.in_function
        if isinstance(node, gast.GeneratorExp) or sys.version_info < (3, 12):
            self.in_function = True
        doubt, self.in_doubt = self.in_doubt, True
        for part in parts:
            self.visit(part, inner)
        self.in_function, self.in_doubt = outer, doubt
        if isinstance(node, gast.GeneratorExp) and not getattr(node, "consumed", False):
            self._capture(scope, hidden)

    def _call(self, node: Any, hidden: frozenset[str]) -> None:
        if isinstance(node.func, gast.Name) and node.func.id in _CONSUMERS and len(node.args) == 1:
            if isinstance(node.args[0], gast.GeneratorExp):
                node.args[0].consumed = True
        self._children(node, hidden)

    def _thunk(self, node: Any, hidden: frozenset[str]) -> None:
        outer, self.in_thunk = self.in_thunk, True
        self._children(node, hidden)
        self.in_thunk = outer

    def _conditional(self, node: Any, hidden: frozenset[str]) -> None:
        first, *others = _in_order(node)
        self.visit(first, hidden)
        outer = self.in_thunk, self.in_doubt
        self.in_thunk = True
        if isinstance(node, gast.Compare):
            self.visit(others.pop(0), hidden)  # the second operand is always evaluated
        self.in_doubt = True
        for other in others:
            self.visit(other, hidden)
        self.in_thunk, self.in_doubt = outer

    def _skip(self, node: Any, hidden: frozenset[str]) -> None:
        pass


def _in_order(node: Any) -> list[Any]:
    """The operands of an expression, or of an `assert`, of which the later may not be evaluated."""
    if isinstance(node, gast.BoolOp):
        return list(node.values)
    if isinstance(node, gast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, gast.IfExp):
        return [node.test, node.body, node.orelse]
    return [node.test] if node.msg is None else [node.test, node.msg]


_HANDLERS: dict[type, Any] = {
    gast.Name: _Walker._name,
    gast.NamedExpr: _Walker._named_expr,
    gast.AugAssign: _Walker._aug_assign,
    gast.AnnAssign: _Walker._ann_assign,
    gast.alias: _Walker._alias,
    gast.ClassDef: _Walker._class,
    gast.Call: _Walker._call,
    gast.TypeAlias: _Walker._type_alias,
    gast.Global: _Walker._skip,
    gast.Nonlocal: _Walker._skip,
    gast.Constant: _Walker._skip,
}
_HANDLERS[gast.JoinedStr] = _Walker._thunk
_HANDLERS.update(
    dict.fromkeys((gast.BoolOp, gast.IfExp, gast.Compare, gast.Assert), _Walker._conditional)
)
_HANDLERS.update(dict.fromkeys(FUNCTIONS, _Walker._function))
_HANDLERS.update(
    dict.fromkeys(
        (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp), _Walker._comprehension
    )
)
_HANDLERS.update(dict.fromkeys((gast.MatchAs, gast.MatchStar, gast.MatchMapping), _Walker._pattern))
