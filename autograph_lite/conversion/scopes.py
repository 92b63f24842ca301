"""Which scope owns a name?

`analyse` answers with one `Scope` for each function, lambda, class and comprehension of a tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import gast

__all__ = [
    "COMPREHENSIONS",
    "FUNCTIONS",
    "Scope",
    "Scopes",
    "analyse",
    "bound_by_pattern",
    "parameters",
]

FUNCTIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
COMPREHENSIONS = (gast.ListComp, gast.SetComp, gast.DictComp, gast.GeneratorExp)
_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)


class Scope:
    """The names of one scope.

    Attributes:
      node: the function, lambda, class or comprehension.
      kind: 'function', 'class', 'comprehension' or 'type_params'.
      parent: the scope around it.
      children: the scopes directly inside it.
      params: the parameters, in order.
      bound: the names that belong to this scope, parameters included.
      globals: the names declared `global` here.
      nonlocals: the names declared `nonlocal` here.
      deleted: the names that a `del` statement here unbinds.
      loads: for each name read directly in this scope, the nodes that read it.
      yields: whether a `yield` or `await` stands directly in it.
      unbindable: the names that, when unbound, hold an `ag__.Undefined`; found by conversion.
    """

    __slots__ = (
        "_class_name", "_free", "bound", "children", "deleted", "globals", "kind", "loads", "node",
        "nonlocals", "params", "parent", "unbindable", "yields",
    )  # fmt: skip

    def __init__(self, node: Any, kind: str, parent: Scope | None) -> None:
        self.node = node
        self.kind = kind
        self.parent = parent
        self.children: list[Scope] = []
        self.params: tuple[str, ...] = ()
        self.bound: dict[str, None] = {}
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.deleted: set[str] = set()
        self.loads: dict[str, list[Any]] = {}
        self.yields = False
        self.unbindable: set[str] = set()
        self._class_name: str | None = None
        self._free: frozenset[str] | None = None
        if parent is not None:
            parent.children.append(self)

    def owns(self, name: str) -> bool:
        """Whether `name` is a variable of this scope itself."""
        return name in self.bound and name not in self.globals and name not in self.nonlocals

    def owner(self, name: str) -> Scope | None:
        """The scope of the function that `name` belongs to here, if that is in the tree."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.globals:
                return None
            if scope.owns(name) and (scope is self or scope.kind != "class"):
                return scope
            scope = scope.parent
        return None

    def deleted_inside(self) -> set[str]:
        """The names of this scope that functions inside it unbind."""
        return {
            name
            for scope in self.descendants()
            for name in scope.deleted & scope.nonlocals
            if scope.owner(name) is self
        }

    def rebound_inside(self) -> set[str]:
        """The names of this scope that functions inside it bind."""
        return {
            name
            for scope in self.descendants()
            for name in scope.nonlocals.intersection(scope.bound)
            if scope.owner(name) is self
        }

    def bound_globals(self) -> set[str]:
        """The names that are declared global here, and bound here or in functions inside."""
        scopes = (self, *self.descendants())
        return {n for n in self.globals if any(n in s.globals and n in s.bound for s in scopes)}

    def descendants(self) -> Iterator[Scope]:
        """The scopes inside this one."""
        for child in self.children:
            yield child
            yield from child.descendants()

    def class_name(self) -> str | None:
        """The innermost class around a scope, for the mangling of private names."""
        scope: Scope = self
        while scope.parent is not None:
            scope = scope.parent
            if isinstance(scope.node, gast.ClassDef) and scope.kind == "class":
                return str(scope.node.name)
        return scope._class_name

    def free(self) -> frozenset[str]:
        """The names used here, or further inside, that belong to a scope outside or to none."""
        if self._free is None:
            used = set(self.loads) | self.nonlocals | self.deleted | set(self.bound)
            used = {name for name in used if not self.owns(name)}
            for child in self.children:
                below = child.free()
                if self.kind == "class":
                    used.update(below - {"__class__"})
                else:
                    used.update(name for name in below if not self.owns(name))
            self._free = frozenset(used - self.globals)
        return self._free

    def captured(self) -> set[str]:
        """The names of this scope that functions inside it use."""
        return {n for child in self.children for n in _captured_by(child) if self.owns(n)}

    def captured_loads(self, name: str) -> Iterator[Any]:
        """The nodes in functions inside this scope that read its variable `name`."""
        for child in self.children:
            yield from _loads_below(child, name)


def _captured_by(scope: Scope) -> frozenset[str]:
    runs_here = hasattr(scope.node, "stands_for")  # made of a comprehension
    if (scope.kind == "function" and not runs_here) or isinstance(scope.node, gast.GeneratorExp):
        return scope.free()
    # A class body or a list comprehension runs where it stands; what is inside it may run later.
    inner = (_captured_by(child) for child in scope.children)
    hidden = (lambda n: False) if scope.kind == "class" else scope.owns
    return frozenset(name for names in inner for name in names if not hidden(name))


def _loads_below(scope: Scope, name: str) -> Iterator[Any]:
    if (scope.kind != "class" and scope.owns(name)) or name in scope.globals:
        return
    if scope.kind != "class" or name not in scope.bound:
        yield from scope.loads.get(name, ())
    for child in scope.children:
        yield from _loads_below(child, name)


Scopes = dict[Any, Scope]


def analyse(tree: Any, class_name: str | None = None) -> Scopes:
    """Finds the scopes of a tree.

    Args:
      tree: a gast function, lambda or module.
      class_name: the class around it.

    Returns:
      The scopes by the node that opens them.

    Example:
      >>> tree = gast.parse('''
      ... def f(a, *, b=c):
      ...     global g
      ...     g = d = [(w := x + e) for x in a]
      ...     return lambda: d
      ... ''').body[0]
      >>> scopes = analyse(tree)
      >>> list(scopes[tree].bound), sorted(scopes[tree].free())
      (['a', 'b', 'g', 'd', 'w'], ['e'])
      >>> scopes[tree].captured()
      {'d'}
    """
    collector = _Collector()
    if isinstance(tree, FUNCTIONS):
        collector.function_body(tree, None)
    else:
        collector.scope = Scope(tree, "class", None)
        collector.table[tree] = collector.scope
        collector.visit(tree)
    collector.table[tree]._class_name = class_name
    return collector.table


def parameters(args: Any) -> tuple[str, ...]:
    """The names of a function's parameters, in the order of its code's variables.

    Example:
      >>> parameters(gast.parse('lambda a, /, b, *c, d, **e: 0').body[0].value.args)
      ('a', 'b', 'd', 'c', 'e')
    """
    nodes = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
    return tuple(node.id for node in nodes if node is not None)


def bound_by_pattern(pattern: Any) -> str | None:
    """The name a `match` pattern itself binds, if any (not those of patterns inside it)."""
    if isinstance(pattern, (gast.MatchAs, gast.MatchStar)):
        return pattern.name
    if isinstance(pattern, gast.MatchMapping):
        return pattern.rest
    return None


class _Collector:
    def __init__(self) -> None:
        self.table: Scopes = {}
        self.scope: Scope = None  # type: ignore[assignment]

    def visit(self, node: Any) -> None:
        method = _METHODS.get(type(node))
        if method is not None:
            method(self, node)
        else:
            self.generic_visit(node)

    def generic_visit(self, node: Any) -> None:
        values = node.__dict__
        for field in node._fields:
            value = values.get(field)
            if type(value) is list:
                for item in value:
                    if isinstance(item, gast.AST):
                        self.visit(item)
            elif isinstance(value, gast.AST):
                self.visit(value)

    # Scopes

    def function_body(self, node: Any, parent: Scope | None) -> None:
        scope = self.table[node] = Scope(node, "function", parent)
        scope.params = parameters(node.args)
        scope.bound.update(dict.fromkeys(scope.params))
        self._inside(scope, node.body if isinstance(node.body, list) else [node.body])

    def _inside(self, scope: Scope, nodes: list[Any]) -> None:
        outer, self.scope = self.scope, scope
        for node in nodes:
            self.visit(node)
        self.scope = outer

    def _with_type_params(self, node: Any) -> Scope | None:
        """Opens the scope of type parameters, which is around annotations and bases too."""
        if not getattr(node, "type_params", None):
            return None
        scope, outer = Scope(node, "type_params", self.scope), self.scope
        scope.bound.update((param.name, None) for param in node.type_params)
        self.scope = scope
        for param in node.type_params:
            self.generic_visit(param)
        return outer

    def visit_FunctionDef(self, node: Any) -> None:
        self._bind(node.name)
        args = node.args
        for part in [*node.decorator_list, *args.defaults, *args.kw_defaults]:
            if part is not None:
                self.visit(part)
        outer = self._with_type_params(node)
        every = [*args.posonlyargs, *args.args, args.vararg, *args.kwonlyargs, args.kwarg]
        for arg in every:
            if arg is not None and arg.annotation is not None:
                self.visit(arg.annotation)
        if node.returns is not None:
            self.visit(node.returns)
        self.function_body(node, self.scope)
        self.scope = outer or self.scope

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node: Any) -> None:
        for part in [*node.args.defaults, *node.args.kw_defaults]:
            if part is not None:
                self.visit(part)
        self.function_body(node, self.scope)

    def visit_ClassDef(self, node: Any) -> None:
        self._bind(node.name)
        for decorator in node.decorator_list:
            self.visit(decorator)
        outer = self._with_type_params(node)
        for part in [*node.bases, *node.keywords]:
            self.visit(part)
        self.table[node] = Scope(node, "class", self.scope)
        self._inside(self.table[node], node.body)
        self.scope = outer or self.scope

    def visit_TypeAlias(self, node: Any) -> None:
        self.visit(node.name)
        outer = self._with_type_params(node)
        # The value is computed when it is asked for, like a function's body.
        self._inside(Scope(node, "function", self.scope), [node.value])
        self.scope = outer or self.scope

    def _comprehension(self, node: Any) -> None:
        first, *others = node.generators
        self.visit(first.iter)
        scope = self.table[node] = Scope(node, "comprehension", self.scope)
        parts = [first.target, *first.ifs]
        for generator in others:
            parts += [generator.iter, generator.target, *generator.ifs]
        results = [node.key, node.value] if isinstance(node, gast.DictComp) else [node.elt]
        self._inside(scope, parts + results)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = _comprehension

    # Names

    def _bind(self, name: str) -> None:
        self.scope.bound.setdefault(name, None)

    def visit_Name(self, node: Any) -> None:
        if isinstance(node.ctx, gast.Load):
            self.scope.loads.setdefault(node.id, []).append(node)
        else:
            self._bind(node.id)
            if isinstance(node.ctx, gast.Del):
                self.scope.deleted.add(node.id)

    def visit_NamedExpr(self, node: Any) -> None:
        self.visit(node.value)
        scope = self.scope
        while scope.kind == "comprehension" and scope.parent is not None:
            scope = scope.parent
        scope.bound.setdefault(node.target.id, None)

    def visit_AugAssign(self, node: Any) -> None:
        if isinstance(node.target, gast.Name):
            self.scope.loads.setdefault(node.target.id, []).append(node.target)
        self.generic_visit(node)

    def visit_alias(self, node: Any) -> None:
        self._bind(node.asname or node.name.partition(".")[0])

    def visit_Global(self, node: Any) -> None:
        self.scope.globals.update(node.names)

    def visit_Nonlocal(self, node: Any) -> None:
        self.scope.nonlocals.update(node.names)

    def _pattern(self, node: Any) -> None:
        name = bound_by_pattern(node)
        if name is not None:
            self._bind(name)
        self.generic_visit(node)

    visit_MatchAs = visit_MatchStar = visit_MatchMapping = _pattern

    def _suspends(self, node: Any) -> None:
        self.scope.yields = True
        self.generic_visit(node)

    visit_Yield = visit_YieldFrom = visit_Await = _suspends


_METHODS: dict[type, Any] = {
    getattr(gast, name.removeprefix("visit_")): method
    for name, method in vars(_Collector).items()
    if name.startswith("visit_")
}
