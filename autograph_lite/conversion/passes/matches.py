"""`match` as the branches it stands for, in functions that are converted in order to be traced.

    match x:                        subject = x
        case 0 | 1: small()         if subject == 0 or subject == 1: small()
        case [a, b]: pair(a, b)     elif ag__.is_sequence(subject, 2): a, b = subject; pair(a, b)

Patterns of mappings, and of classes with patterns inside, ask Python's own questions; a `match`
with one of them stays as it is.
"""

from __future__ import annotations

import ast
from typing import Any

import gast

from autograph_lite.conversion.names import Names
from autograph_lite.conversion.templates import constant, load, place, quote, store

__all__ = ["lower_matches"]


def lower_matches(function: Any, names: Names) -> None:
    """Rewrites the `match` statements of a function, and of the functions in it, in place.

    Args:
      function: a gast `FunctionDef`; anything else is left alone.
      names: hands out names.
    """
    for node in ast.walk(function):
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list):
                block[:] = [new for statement in block for new in _lowered(statement, names)]


def _lowered(node: Any, names: Names) -> list[Any]:
    if not isinstance(node, gast.Match) or not all(_is_known(c.pattern) for c in node.cases):
        return [node]
    subject = names.fresh("subject")
    assign = place(gast.Assign([store(subject, node)], node.subject, None), node)
    if any(case.guard is not None for case in node.cases):
        return [assign, *_with_flag(node, subject, names)]
    return [assign, *_chain(node.cases, subject)]


def _is_known(pattern: Any) -> bool:
    if isinstance(pattern, (gast.MatchValue, gast.MatchSingleton)):
        return True
    if isinstance(pattern, gast.MatchClass):
        return not pattern.patterns and not pattern.kwd_patterns
    if isinstance(pattern, gast.MatchOr):
        return all(_is_known(p) and not _captures(p, None) for p in pattern.patterns)
    if isinstance(pattern, gast.MatchAs):
        return pattern.pattern is None or _is_known(pattern.pattern)
    if isinstance(pattern, gast.MatchSequence):
        stars = [p for p in pattern.patterns if isinstance(p, gast.MatchStar)]
        rest = [p for p in pattern.patterns if not isinstance(p, gast.MatchStar)]
        return len(stars) <= 1 and all(map(_is_known, rest))
    return False


def _chain(cases: list[Any], subject: str) -> list[Any]:
    """One branch after the other; none of the cases has a guard."""
    if not cases:
        return []
    case, *rest = cases
    at = case.pattern
    body = _bindings(case.pattern, load(subject, at)) + case.body
    test = _test(case.pattern, load(subject, at))
    if test is None:
        return body
    return [place(gast.If(test, body, _chain(rest, subject)), at)]


def _with_flag(node: Any, subject: str, names: Names) -> list[Any]:
    """A flag tells whether a case has been taken: a guard may refuse after a pattern has fit."""
    flag = names.fresh("no_match")
    new = quote("FLAG = True", node, FLAG=flag)
    for number, case in enumerate(node.cases):
        at = case.pattern
        taken = quote("FLAG = False", at, FLAG=flag) + case.body
        if case.guard is not None:
            taken = [place(gast.If(case.guard, taken, []), case.guard)]
        body = _bindings(case.pattern, load(subject, at)) + taken
        test = _test(case.pattern, load(subject, at))
        if number:
            waiting = load(flag, at)
            both = waiting if test is None else gast.BoolOp(gast.And(), [waiting, test])
            test = place(both, at) if both is not waiting else waiting
        new += body if test is None else [place(gast.If(test, body, []), at)]
    return new


def _test(pattern: Any, value: Any) -> Any:
    """An expression for whether a pattern fits a value; None if it always does."""
    if isinstance(pattern, gast.MatchValue):
        return place(gast.Compare(value, [gast.Eq()], [pattern.value]), pattern)
    if isinstance(pattern, gast.MatchSingleton):
        return place(gast.Compare(value, [gast.Is()], [constant(pattern.value, pattern)]), pattern)
    if isinstance(pattern, gast.MatchClass):
        text = "ag__.isinstance_(VALUE, KIND)"
        return quote(text, pattern, VALUE=value, KIND=pattern.cls)[0].value
    if isinstance(pattern, gast.MatchOr):
        tests = [_test(p, value) for p in pattern.patterns]
        if any(test is None for test in tests):
            return None
        return place(gast.BoolOp(gast.Or(), tests), pattern)
    if isinstance(pattern, gast.MatchAs):
        return None if pattern.pattern is None else _test(pattern.pattern, value)
    starred = any(isinstance(p, gast.MatchStar) for p in pattern.patterns)
    count = constant(len(pattern.patterns) - starred, pattern)
    text = "ag__.is_sequence(VALUE, COUNT, LONGER)"
    longer = constant(starred, pattern)
    fits = quote(text, pattern, VALUE=value, COUNT=count, LONGER=longer)[0].value
    tests = [fits]
    for part, item in _items(pattern, value):
        test = None if isinstance(part, gast.MatchStar) else _test(part, item)
        if test is not None:
            tests.append(test)
    return tests[0] if len(tests) == 1 else place(gast.BoolOp(gast.And(), tests), pattern)


def _items(pattern: Any, value: Any) -> list[tuple[Any, Any]]:
    """The parts of a sequence pattern with the items that they are for."""
    parts = pattern.patterns
    star = next((i for i, p in enumerate(parts) if isinstance(p, gast.MatchStar)), len(parts))
    found: list[tuple[Any, Any]] = []
    for number, part in enumerate(parts):
        if number == star:
            behind = len(parts) - star - 1
            stop = f"-{behind}" if behind else ""
            item = quote(f"list(VALUE[{star}:{stop}])", part, VALUE=value)[0].value
        else:
            index = number if number < star else number - len(parts)
            item = quote(f"VALUE[{index}]", part, VALUE=value)[0].value
        found.append((part, item))
    return found


def _captures(pattern: Any, value: Any) -> list[tuple[str, Any]]:
    """The names that a pattern binds, with what they are bound to."""
    if isinstance(pattern, gast.MatchAs):
        inner = [] if pattern.pattern is None else _captures(pattern.pattern, value)
        return inner if pattern.name is None else [*inner, (pattern.name, value)]
    if isinstance(pattern, gast.MatchStar):
        return [] if pattern.name is None else [(pattern.name, value)]
    if isinstance(pattern, gast.MatchSequence):
        base = value if value is not None else place(gast.Constant(None, None), pattern)
        return [c for part, item in _items(pattern, base) for c in _captures(part, item)]
    return []


def _bindings(pattern: Any, value: Any) -> list[Any]:
    return [
        place(gast.Assign([store(name, pattern)], bound, None), pattern)
        for name, bound in _captures(pattern, value)
    ]
