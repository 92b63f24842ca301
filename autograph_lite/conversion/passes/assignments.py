"""Operands that bind a name, and that Python may skip, as the statements they stand for.

    if x > 0 and (y := f(x)) > 1:       test = False
        a                               if x > 0:
    else:                                   if (y := f(x)) > 1:
        b                                       test = True
                                        if test:
                                            a
                                        else:
                                            b

An operand of `and`, `or`, `a if b else c` or `a < b < c` that may be skipped becomes a lambda
elsewhere, and a `:=` in a lambda would bind a name of the lambda's. What Python evaluates before
such an operand moves in front of it, into variables of its own where it could change meanwhile.
The test of a loop that a jump leaves is skipped when it is left, so it moves into the loop. And
`any((y := v) > 0 for v in vs)` becomes a loop that ends at the item that decides, to leave that in
`y`; so does `all`.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Callable, Iterable
from typing import Any

import gast

from autograph_lite.conversion.cfg import is_endless
from autograph_lite.conversion.names import Names
from autograph_lite.conversion.passes.comprehensions import FRAME_NAMES
from autograph_lite.conversion.passes.loops import is_options
from autograph_lite.conversion.scopes import COMPREHENSIONS, Scope, Scopes
from autograph_lite.conversion.templates import constant, load, place, store
from autograph_lite.conversion.walking import walk

__all__ = ["lower_assignments", "skips_assignments"]

_BUILTINS = frozenset(dir(builtins))
# Their parts are not evaluated where they stand, or not by themselves.
_CLOSED = (gast.Lambda, gast.JoinedStr, *COMPREHENSIONS)
# What is in them runs when, and as far as, somebody asks.
_LATER = (gast.Lambda, gast.GeneratorExp)
_DECIDERS = ("any", "all")
_DEFINITIONS = (gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef)
_FIELDS = {
    gast.Assign: "value",
    gast.AnnAssign: "value",
    gast.Return: "value",
    gast.For: "iter",
    gast.Match: "subject",
}
Step = Callable[[], None]


def skips_assignments(tree: Any) -> bool:
    """Whether there is something to do in a tree.

    Example:
      >>> skips_assignments(gast.parse("if a and (b := c): pass"))
      True
      >>> skips_assignments(gast.parse("if (b := c) and a: pass"))
      False
    """
    kinds = (_skips, _is_left, _tells, _decides)
    return any(is_kind(node) for node in walk(tree) for is_kind in kinds)


def lower_assignments(
    functions: Iterable[Any], scopes: Scopes, names: Names, rebound: frozenset[str]
) -> None:
    """Rewrites such operands of some functions in place.

    Args:
      functions: `FunctionDef`s.
      scopes: the scopes of the tree they are from, which holds for the old tree only.
      names: hands out names.
      rebound: names that may not mean the builtins of that name.

    Example:
      >>> from autograph_lite.conversion.scopes import analyse
      >>> tree = gast.parse('''
      ... def f(x):
      ...     return x or (y := g(x))
      ... ''').body[0]
      >>> lower_assignments([tree], analyse(tree), Names(), frozenset())
      >>> print(ast.unparse(gast.gast_to_ast(tree)))
      def f(x):
          value = x
          if not value:
              value = y = g(x)
          return value
    """
    for function in functions:
        for node in walk(function):
            if _decides(node):
                node.decides = node.func.id not in rebound
        lowering = _Lowering(scopes[function], names, rebound)
        function.body[:] = lowering.block(function.body)


def _binds(node: Any) -> bool:
    """Whether evaluating an expression may bind a name."""
    if isinstance(node, gast.NamedExpr) or getattr(node, "decides", False):
        return True
    return not isinstance(node, _LATER) and any(map(_binds, ast.iter_child_nodes(node)))


def _skips(node: Any) -> bool:
    """Whether an expression has operands itself that it may skip, and that bind names."""
    if isinstance(node, gast.BoolOp):
        return any(map(_binds, node.values[1:]))
    if isinstance(node, gast.Compare):
        return any(map(_binds, node.comparators[1:]))
    return isinstance(node, gast.IfExp) and (_binds(node.body) or _binds(node.orelse))


def _needs(node: Any) -> bool:
    """Whether something is to be moved out of an expression."""
    if isinstance(node, _CLOSED):
        return False
    if _skips(node) or getattr(node, "decides", False):
        return True
    return any(_needs(owner[key]) for owner, key in _operands(node))


def _operands(node: Any) -> list[tuple[Any, Any]]:
    """Where the operands that are always evaluated are found, in Python's order."""
    if isinstance(node, gast.BoolOp):
        return [(node.values, 0)]
    if isinstance(node, gast.IfExp):
        return [(node.__dict__, "test")]
    if isinstance(node, gast.NamedExpr):
        return [(node.__dict__, "value")]
    if isinstance(node, gast.Compare):
        return [(node.__dict__, "left"), (node.comparators, 0)]
    if isinstance(node, gast.Dict):
        pairs = enumerate(node.keys)
        keyed = [[(node.keys, n), (node.values, n)][key is None :] for n, key in pairs]
        return [place for places in keyed for place in places]
    found: list[tuple[Any, Any]] = []
    for field in node._fields:
        value = getattr(node, field, None)
        if isinstance(value, list):
            found += [(value, n) for n, item in enumerate(value) if isinstance(item, gast.AST)]
        elif isinstance(value, gast.expr):
            found.append((node.__dict__, field))
    return found


def _is_left(node: Any) -> bool:
    """Whether a statement is a loop whose test binds names, and that a jump leaves."""
    return (
        isinstance(node, gast.While)
        and not is_endless(node)
        and _binds(node.test)
        and _leaves(node.body)
    )


def _tells(node: Any) -> bool:
    """Whether a statement is an `assert` whose message binds names."""
    return isinstance(node, gast.Assert) and node.msg is not None and _binds(node.msg)


def _decides(node: Any) -> bool:
    """Whether an expression is an `any` or `all` of what a generator expression binds names for."""
    if not isinstance(node, gast.Call) or getattr(node.func, "id", None) not in _DECIDERS:
        return False
    if len(node.args) != 1 or node.keywords or not isinstance(node.args[0], gast.GeneratorExp):
        return False
    generators = node.args[0].generators
    inside = [n for part in _parts(node.args[0]) for n in walk(part)]
    if any(g.is_async for g in generators):
        return False
    # A function in it would keep the variables of this call.
    if any(isinstance(n, gast.Lambda) or getattr(n, "id", "") in FRAME_NAMES for n in inside):
        return False
    return any(isinstance(n, gast.NamedExpr) for n in inside)


def _parts(generator: Any) -> list[Any]:
    """What a generator expression evaluates itself."""
    first, *others = generator.generators
    return [first.target, *first.ifs, *others, generator.elt]


def _leaves(block: list[Any], in_loop: bool = False) -> bool:
    for node in block:
        if isinstance(node, gast.Return) or (isinstance(node, gast.Break) and not in_loop):
            return True
        is_loop = isinstance(node, (gast.For, gast.While, gast.AsyncFor))
        for inner in _blocks(node):
            if _leaves(inner, in_loop or (is_loop and inner is node.body)):
                return True
    return False


def _jumps(block: list[Any]) -> bool:
    jumps = (gast.Return, gast.Break, gast.Continue)
    return any(isinstance(node, jumps) or any(map(_jumps, _blocks(node))) for node in block)


def _blocks(node: Any) -> list[list[Any]]:
    """The blocks of a compound statement that belong to the same function."""
    if isinstance(node, _DEFINITIONS):
        return []
    found = [getattr(node, field, None) for field in ("body", "orelse", "finalbody")]
    found += [part.body for part in getattr(node, "handlers", ())]
    found += [part.body for part in getattr(node, "cases", ())]
    return [block for block in found if isinstance(block, list)]


def _not(node: Any) -> Any:
    return place(gast.UnaryOp(gast.Not(), node), node)


def _split(node: Any, at: int) -> tuple[Any, Any]:
    """`a and b and c` as what is in front of an operand, and the rest."""
    parts = (node.values[:at], node.values[at:])
    first, rest = (
        part[0] if len(part) == 1 else place(gast.BoolOp(node.op, part), part[0]) for part in parts
    )
    return first, rest


def _halves(node: Any) -> tuple[Any, Any]:
    """`a and b and c` in front of the first operand that may be skipped and binds a name."""
    return _split(node, next(n for n, v in enumerate(node.values) if n and _binds(v)))


class _Lowering:
    """Goes through the statements of one function; what they become is put to `out`."""

    def __init__(self, scope: Scope, names: Names, rebound: frozenset[str]) -> None:
        self.scope = scope
        self.names = names
        self.out: list[Any] = []
        # Variables that no call can change, and that have a value.
        own = {name for name in scope.params if scope.owns(name)}
        own -= scope.rebound_inside() | scope.deleted | scope.deleted_inside()
        self.steady = own | (_BUILTINS - rebound)
        self.bound: set[str] = set()  # by the `:=` of the expression at hand

    def block(self, statements: list[Any]) -> list[Any]:
        outer, self.out = self.out, []
        for statement in statements:
            self.statement(statement)
        new, self.out = self.out, outer
        return new

    # Statements

    def statement(self, node: Any) -> None:
        if isinstance(node, gast.If) and _needs(node.test):
            self.if_(node)
            return
        if isinstance(node, gast.While) and (_needs(node.test) or _is_left(node)):
            self.while_(node)
            return
        if isinstance(node, gast.Assert):
            self.assertion(node)
        elif isinstance(node, gast.Raise) and node.exc is not None and _needs(node.exc):
            self.header(node, "exc")
        elif isinstance(node, gast.With) and _needs(node.items[0].context_expr):
            self.header(node.items[0], "context_expr", node)
        elif isinstance(node, gast.Expr) and _needs(node.value):
            self.start(node.value)
            self.effect(node.value)
        elif isinstance(node, gast.AugAssign) and _needs(node.value):
            self.aug_assign(node)
        else:
            field = _FIELDS.get(type(node))
            value = getattr(node, field, None) if field is not None else None
            if field is not None and value is not None and _needs(value):
                self.header(node, field)
            else:
                self.out.append(node)
        self.inside(node)

    def inside(self, node: Any) -> None:
        for block in _blocks(node):
            block[:] = self.block(block)

    def start(self, node: Any) -> None:
        self.bound = {n.target.id for n in walk(node) if isinstance(n, gast.NamedExpr)}

    def header(self, owner: Any, field: str, statement: Any = None) -> None:
        """Moves what is in an expression that a statement evaluates first."""
        value = getattr(owner, field)
        self.start(value)
        setattr(owner, field, self.lift(value))
        self.out.append(statement or owner)

    def aug_assign(self, node: Any) -> None:
        """`x += e` reads `x` before it evaluates `e`: `old = x`, `old += e`, `x = old`."""
        self.start(node)
        target = node.target
        if isinstance(target, gast.Name) and self.is_steady(target):
            self.header(node, "value")
            return
        for owner, key in _operands(target):
            owner[key] = self.keep(owner[key])
        read = copy.deepcopy(target)
        read.ctx = gast.Load()
        old = self.names.fresh("old")
        self.assign(old, read)
        node.value = self.lift(node.value)
        node.target = store(old, target)
        self.out += [node, place(gast.Assign([target], load(old, target), None), node)]

    def if_(self, node: Any) -> None:
        self.start(node.test)
        if node.orelse or _jumps(node.body):
            node.test = self.lift(node.test, tested=True)
            self.out.append(node)
            self.inside(node)
        else:
            self.when(node.test, True, lambda: self.out.extend(self.block(node.body)))

    def while_(self, node: Any) -> None:
        """A flag says whether the loop goes on; so `continue` and `else` mean what they did."""
        self.start(node.test)
        test, going = node.test, self.names.fresh("going")
        first = int(is_options(node.body[0]))
        body, rest = node.body[:first], node.body[first:]

        def go_on() -> None:
            self.assign(going, constant(True, test))
            self.out += self.block(rest)

        self.assign(going, constant(True, node))
        self.out.append(node)
        outer, self.out = self.out, body
        self.assign(going, constant(False, test))
        self.when(test, True, go_on)
        self.out = outer
        node.test, node.body, node.orelse = load(going, test), body, self.block(node.orelse)

    def assertion(self, node: Any) -> None:
        if not __debug__:
            self.out.append(node)
        elif _tells(node):
            self.start(node)
            test, node.test = node.test, constant(False, node.test)
            self.when(test, False, lambda: self.out.append(node))
        else:
            self.start(node.test)
            node.test = self.lift(node.test, tested=True)
            self.out.append(node)

    # Expressions

    def lift(self, node: Any, tested: bool = False) -> Any:
        """Moves out what has to be; gives the expression that is left.

        Args:
          node: the expression.
          tested: whether it is only asked whether it is true.
        """
        if not _needs(node):
            return node
        if getattr(node, "decides", False):
            return self.decided(node)
        if _skips(node):
            return self.flag(node) if tested else self.value(node)
        places = _operands(node)
        last = max(n for n, (owner, key) in enumerate(places) if _needs(owner[key]))
        for owner, key in places[:last]:
            owner[key] = self.keep(owner[key], node)
        owner, key = places[last]
        is_not = isinstance(node, gast.UnaryOp) and isinstance(node.op, gast.Not)
        hands_on = tested and (is_not or isinstance(node, gast.BoolOp))
        owner[key] = self.lift(owner[key], hands_on or isinstance(node, gast.IfExp))
        return node

    def keep(self, node: Any, around: Any = None) -> Any:
        """What stands for an operand that Python evaluates before something that is moved."""
        if isinstance(node, gast.keyword) or _is_sliced(node):
            for owner, key in _operands(node):
                unpacked = isinstance(node, gast.keyword) and node.arg is None
                owner[key] = self.kept_dict(owner[key]) if unpacked else self.keep(owner[key])
            return node
        if isinstance(node, gast.Starred):
            items = place(gast.List([node], gast.Load()), node)
            return place(gast.Starred(self.keep(items), gast.Load()), node)
        if isinstance(around, gast.Dict) and node in _unpacked(around):
            return self.kept_dict(node)
        return node if self.is_steady(node) else self.value(node)

    def kept_dict(self, node: Any) -> Any:
        return self.keep(place(gast.Dict([None], [node]), node))

    def is_steady(self, node: Any) -> bool:
        if isinstance(node, gast.UnaryOp):
            return isinstance(node.operand, gast.Constant)
        if isinstance(node, gast.Name):
            return node.id in self.steady and node.id not in self.bound
        return isinstance(node, gast.Constant)

    def value(self, node: Any) -> Any:
        """A variable that has the value of an expression."""
        name = self.names.fresh("value")
        self.into(name, node)
        self.steady.add(name)
        return load(name, node)

    def into(self, name: str, node: Any) -> None:
        """Puts the value of an expression into a variable."""
        if not _skips(node):
            self.assign(name, self.lift(node))
        elif isinstance(node, gast.BoolOp):
            first, rest = _split(node, 1)
            self.into(name, first)
            test = load(name, first)
            is_and = isinstance(node.op, gast.And)
            self.branch(test if is_and else _not(test), lambda: self.into(name, rest))
        elif isinstance(node, gast.IfExp):
            test = self.lift(node.test, tested=True)
            self.branch(
                test, lambda: self.into(name, node.body), lambda: self.into(name, node.orelse)
            )
        else:
            first, rest = self.compared(node)
            self.assign(name, first)
            self.branch(load(name, first), lambda: self.into(name, rest))

    def flag(self, node: Any) -> Any:
        """A variable that says whether an expression is true. Each operand is asked once."""
        name = self.names.fresh("test")
        self.steady.add(name)
        found = not (isinstance(node, gast.BoolOp) and isinstance(node.op, gast.Or))
        self.assign(name, constant(not found, node))

        def set_(at: Any) -> Step:
            return lambda: self.assign(name, constant(found, at))

        if isinstance(node, gast.IfExp):
            test, body, orelse = self.lift(node.test, tested=True), node.body, node.orelse
            self.branch(
                test,
                lambda: self.when(body, True, set_(body)),
                lambda: self.when(orelse, True, set_(orelse)),
            )
        else:
            self.when(node, found, set_(node))
        return load(name, node)

    def when(self, node: Any, truth: bool, then: Step) -> None:
        """Does something if an expression is true, or if it is not."""
        skips = _skips(node)
        if skips and isinstance(node, gast.BoolOp) and isinstance(node.op, gast.And) == truth:
            first, rest = _halves(node)
            self.when(first, truth, lambda: self.when(rest, truth, then))
        elif skips and isinstance(node, gast.Compare) and truth:
            first, rest = self.compared(node)
            self.branch(first, lambda: self.when(rest, truth, then))
        else:
            test = self.lift(node, tested=True)
            self.branch(test if truth else _not(test), then)

    def effect(self, node: Any) -> None:
        """Evaluates an expression whose value nobody wants."""
        if _skips(node) and isinstance(node, gast.BoolOp):
            first, rest = _halves(node)
            self.when(first, isinstance(node.op, gast.And), lambda: self.effect(rest))
        elif _skips(node) and isinstance(node, gast.IfExp):
            test, body, orelse = self.lift(node.test, tested=True), node.body, node.orelse
            self.branch(test, lambda: self.effect(body), lambda: self.effect(orelse))
        else:
            self.out.append(place(gast.Expr(self.lift(node)), node))

    def decided(self, node: Any) -> Any:
        """A variable that says what `any` or `all` does, after a loop that finds it out."""
        name, is_any = self.names.fresh("found"), node.func.id == "any"
        self.steady.add(name)
        generator = node.args[0]
        self.rename(generator)
        self.assign(name, constant(not is_any, node))

        def stop() -> None:
            self.assign(name, constant(is_any, generator.elt))
            self.out.append(place(gast.Break(), generator.elt))

        def loops(generators: list[Any]) -> None:
            if not generators:
                self.when(generator.elt, is_any, stop)
                return
            first, *others = generators
            loop = place(gast.For(first.target, self.lift(first.iter), [], [], None), first.target)
            self.out.append(loop)
            outer, self.out = self.out, loop.body
            self.all_hold(first.ifs, lambda: loops(others))
            if others:
                test = load(name, node)
                self.branch(
                    test if is_any else _not(test),
                    lambda: self.out.append(place(gast.Break(), node)),
                )
            self.out = outer

        loops(generator.generators)
        return load(name, node)

    def all_hold(self, tests: list[Any], then: Step) -> None:
        if not tests:
            then()
            return
        first, *others = tests
        self.when(first, True, lambda: self.all_hold(others, then))

    def rename(self, generator: Any) -> None:
        """Gives the variables of a generator expression names of the function's own.

        What it reads besides, it reads as a function inside: Python words errors so.
        """
        parts = [n for part in _parts(generator) for n in walk(part) if isinstance(n, gast.Name)]
        targets = [n for g in generator.generators for n in walk(g.target)]
        own = {n.id for n in targets if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Store)}
        new = {name: self.names.fresh(name) for name in sorted(own)}
        for part in parts:
            part.from_inside = part.id not in own
            part.id = new.get(part.id, part.id)

    def compared(self, node: Any) -> tuple[Any, Any]:
        """`a < b < c` as `a < b` and `b < c`."""
        left, right = node.left, node.comparators[0]
        if not self.is_steady(right):
            left, right = self.keep(left), self.keep(right)
        first = place(gast.Compare(self.lift(left), node.ops[:1], [right]), node)
        again = load(right.id, right) if isinstance(right, gast.Name) else right
        return first, place(gast.Compare(again, node.ops[1:], node.comparators[1:]), right)

    # What is put to `out`

    def assign(self, name: str, value: Any) -> None:
        targets = [store(name, value)]
        if isinstance(value, gast.NamedExpr):
            targets.append(value.target)
            value = value.value
        self.out.append(place(gast.Assign(targets, value, None), value))

    def branch(self, test: Any, body: Step, orelse: Step | None = None) -> None:
        node = place(gast.If(test, [], []), test)
        self.out.append(node)
        outer = self.out
        self.out = node.body
        body()
        if orelse is not None:
            self.out = node.orelse
            orelse()
        self.out = outer


def _is_sliced(node: Any) -> bool:
    """Whether a node is an index that is no expression of its own."""
    if isinstance(node, gast.Tuple):
        return any(isinstance(element, gast.Slice) for element in node.elts)
    return isinstance(node, gast.Slice)


def _unpacked(node: Any) -> list[Any]:
    """What a display of a dict takes over, `{**a}`."""
    return [v for k, v in zip(node.keys, node.values, strict=True) if k is None]
