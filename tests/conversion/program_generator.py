"""Makes random Python programs, the odder the better.

A program is a module with a function `main(a, b)` and some helpers. It always ends: loops over
`ticks()` run out of fuel. What a program does depends on nothing but its seed.
"""

from __future__ import annotations

import random

NAMES = ["a", "b", "c", "d", "e", "v", "w"]

PRELUDE = """
class OutOfFuel(Exception):
    pass


class Custom(ValueError):
    pass


class Manager:
    def __init__(self, name, swallow=False):
        self.name, self.swallow = name, swallow

    def __enter__(self):
        print("enter", self.name)
        return self.name

    def __exit__(self, kind, value, trace):
        print("exit", self.name, kind and kind.__name__)
        return self.swallow and kind is not None and not issubclass(kind, OutOfFuel)


class Box:
    total = 0

    def __init__(self, value):
        self.value = value

    def __repr__(self):
        return f"Box({self.value!r})"

    def __bool__(self):
        print("bool", self.value)
        return bool(self.value)

    def __eq__(self, other):
        return isinstance(other, Box) and self.value == other.value


class Fuel:
    left = 60


def ticks(limit=9):
    Fuel.left -= 1
    if Fuel.left < 0:
        raise OutOfFuel
    return Fuel.left % limit


def say(value):
    print("say", repr(value))
    return value


def show(function):
    print("decorated", function.__name__)
    return function


def spread(*args, **named):
    return (args, sorted(named))


def num(value):
    return value if isinstance(value, int) else 1
"""


class Program:
    """One random program.

    Args:
      seed: says which.
    """

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.lines: list[str] = []
        self.helpers: list[str] = []
        self.budget = 0
        self.bound: list[set[str]] = []  # what the functions around bind, whatever happens
        self.handling = 0  # how many `except` clauses are around
        self.no_annotations = False  # of variables, since some are global
        self.banned: list[str] = []  # names that `:=` may not bind where it would stand now

    def text(self) -> str:
        """The program's source."""
        for index in range(self.random.randint(0, 2)):
            self.function(f"helper{index}", 0, self.random.randint(5, 18))
            self.helpers.append(f"helper{index}")
        if self.chance(0.3):
            self.method()
        self.function("main", 0, self.random.randint(15, 45))
        return PRELUDE + "\n".join(self.lines) + "\n"

    # Tools

    def chance(self, probability: float) -> bool:
        return self.random.random() < probability

    def pick(self, *options):
        return self.random.choice(options)

    def add(self, level: int, line: str) -> None:
        self.lines.append("    " * level + line)

    def name(self) -> str:
        return self.random.choice(NAMES)

    # Expressions

    def value(self, depth: int = 0) -> str:
        simple = depth > 2 or self.chance(0.45)
        if simple:
            return self.pick(
                self.name(), "a", "b", self.name(), str(self.random.randint(-2, 6)), "None",
                "'s'", "[]", "[a, 2]", "{}", "True", "False", "2.5",
            )  # fmt: skip
        value = lambda: self.value(depth + 1)  # noqa: E731
        kind = self.random.randrange(26)
        if kind <= 2:
            return f"(num({value()}) {self.pick('+', '-', '*')} num({value()}))"
        if kind == 3:
            return f"({value()} {self.pick('==', '!=', '<', 'is', 'in', 'is not', 'not in')} {value()})"
        if kind == 4:
            return f"({value()} {self.pick('and', 'or')} {value()})"
        if kind == 5:
            return f"(not {value()})"
        if kind == 6:
            return f"({value()} if {self.test(depth + 1)} else {value()})"
        if kind == 7:
            return f"say({value()})"
        if kind == 8:
            name = self.name()
            return value() if name in self.banned else f"({name} := {value()})"
        if kind == 9:
            name = self.name()
            self.banned.append(name)
            text = f"[{value()} for {name} in range({self.random.randint(0, 3)}) if {self.test(depth + 1)}]"
            self.banned.pop()
            return text
        if kind == 10:
            before, self.banned = self.banned, NAMES
            text = f"sum(num({self.name()}) for {self.name()} in ({value()}, {value()}))"
            self.banned = before
            return text
        if kind == 11 and self.helpers:
            return f"{self.pick(*self.helpers)}({value()}, {value()})"
        if kind == 12 and not self.banned:
            return f"(lambda {self.name()}: {value()})({value()})"
        if kind == 13:
            return f"Box({value()})"
        if kind == 14:
            return f"f'{{{self.name()}!r:>5}}{{num({self.name()})}}'"
        if kind == 15:
            return f"[{value()}, {value()}][num({self.name()}) % 3]"
        if kind == 16:
            return f"len({self.pick('str', 'repr')}({value()}))"
        if kind == 17:
            return f"(num({value()}) < num({value()}) <= num({value()}))"
        if kind == 18:
            return f"max(num({value()}), num({value()}), *[num({value()})])"
        if kind == 19:
            return f"'%s' % ({value()},)"
        if kind == 20:
            return f"spread(*[{value()}], {value()}, **{{'k': {value()}}}, j={value()})"
        if kind == 21:
            before, self.banned = self.banned, NAMES
            inner = self.name()
            text = f"[(lambda {self.pick('', inner + '=' + inner)}: {value()})() for {inner} in (1, 2) if {self.test(depth + 1)}]"
            self.banned = before
            return text
        if kind == 22:
            before, self.banned = self.banned, NAMES
            text = f"{{{self.name()}: {value()} for {self.name()} in 'xy' for {self.name()} in range(2)}}"
            self.banned = before
            return text
        if kind == 23:
            before, self.banned = self.banned, NAMES
            text = f"{self.pick('any', 'all', 'list', 'max', 'tuple')}(num({value()}) for {self.name()} in range(1, 3) if {self.test(depth + 1)})"
            self.banned = before
            return text
        if kind == 24:
            return "sorted(k for k in locals() if k in 'abcdevw')"
        return f"{{'k': {value()}}}.get('k')"

    def test(self, depth: int = 0) -> str:
        kind = self.random.randrange(9)
        if kind == 0:
            return self.value(depth + 1)
        if kind == 1:
            return (
                f"{self.test(depth + 1)} {self.pick('and', 'or')} {self.test(depth + 1)}"
                if depth < 2
                else "ticks(2)"
            )
        if kind == 2:
            return f"not {self.name()}"
        if kind <= 5:
            return f"ticks({self.random.randint(2, 4)})"
        if kind == 6:
            return f"{self.name()} is {self.pick('', 'not ')}None"
        return f"num({self.name()}) {self.pick('<', '>', '==', '%')} {self.random.randint(1, 4)}"

    # Functions

    def function(self, name: str, level: int, budget: int, enclosing: bool = False) -> None:
        self.add(level, f"def {name}({self.params()}):")
        before, self.budget = self.budget, budget
        handling, self.handling = self.handling, 0
        level += 1
        scope = self.random.sample(NAMES[2:], 2)
        if enclosing and self.bound and self.bound[-1]:
            scope[0] = self.random.choice(sorted(self.bound[-1]))
        else:
            enclosing = False
        bound: set[str] = set()
        self.bound.append(bound)
        self.declared: list[str] = []
        if self.chance(0.2):
            self.add(level, '"""Documented."""')
        if enclosing and self.chance(0.4):
            self.add(level, f"nonlocal {scope[0]}")
            self.declared = [scope[0]]
            self.no_annotations = True
            if self.chance(0.15):
                self.add(level, f"del {scope[0]}")
        elif self.chance(0.15):
            self.add(level, f"global {scope[1]}")
            self.declared = [scope[1]]
            self.no_annotations = True
        if self.chance(0.8):
            self.add(level, f"{scope[0]} = {self.random.randint(0, 5)}")
            bound.add(scope[0])
        if self.chance(0.5):
            self.add(level, f"{scope[1]} = [1, 2, 3]")
        if self.chance(0.6):
            for extra in self.random.sample(NAMES[2:], 3):
                self.add(level, f"{extra} = {self.random.randint(0, 5)}")
                bound.add(extra)
        bound.difference_update(self.declared)
        self.block(
            level, loop=False, jumps=True, level_of_function=level, more=self.random.randint(2, 7)
        )
        if self.chance(0.6):
            self.add(
                level,
                f"return {self.pick(self.value(), 'a', '(a, b)', f'({self.name()}, {self.name()})')}",
            )
        self.budget, self.handling = before, handling
        self.bound.pop()

    def params(self) -> str:
        return self.pick(
            "a, b", "a, b=3", "a, b, *args", "a, b, /", "a, b=4, *, k=5", "a, b, **rest"
        )

    def method(self) -> None:
        self.add(0, "class Owner:")
        self.add(1, "def __init__(self):")
        self.add(2, "self.__hidden = 3")
        self.add(2, "self.d = {}")
        self.function_in_class()
        self.add(0, "class Child(Owner):")
        self.add(1, "def run(self, a, b):")
        self.add(2, "if a:")
        self.add(3, "return super().run(b, a)")
        self.add(2, "return (__class__.__name__, super().run(a, b))")
        self.add(0, "def owner(a, b):")
        self.add(1, "return Child().run(a, b)")
        self.helpers.append("owner")

    def function_in_class(self) -> None:
        self.add(1, "def run(self, a, b):")
        before, self.budget = self.budget, 12
        self.add(2, "c = d = e = v = w = self.__hidden")
        self.add(2, "while self.__hidden and ticks():")
        self.add(3, "self.__hidden -= 1")
        self.add(3, "self.d['k'] = a")
        self.block(3, loop=True, jumps=True, level_of_function=2, more=2)
        self.add(2, "return (a, b, c, self.d, self.__hidden)")
        self.budget = before

    # Statements

    def block(self, level, loop, jumps, level_of_function, more=None) -> None:
        count = more or self.random.randint(1, 3)
        made = 0
        for _ in range(count):
            if self.budget <= 0:
                break
            self.budget -= 1
            made += 1
            if self.statement(level, loop, jumps, level_of_function):
                break
        if not made:
            self.add(level, self.pick("pass", f"say({self.name()})", f"{self.name()} = 1"))

    def statement(self, level, loop, jumps, function) -> bool:
        """Adds a statement; says whether what follows would never run."""
        deep = level > 6
        kind = self.random.randrange(100)
        context = (loop, jumps, function)
        if kind < 17 or deep:
            self.simple(level)
        elif kind < 38:
            self.if_(level, *context)
        elif kind < 48:
            self.for_(level, *context)
        elif kind < 55:
            self.while_(level, *context)
        elif kind < 64:
            self.try_(level, *context)
        elif kind < 69:
            self.with_(level, *context)
        elif kind < 73:
            self.match_(level, *context)
        elif kind < 78:
            self.nested(level)
        elif kind < 81:
            self.add(
                level,
                f"{self.pick('raise', 'raise')} {self.pick('Custom(a)', 'ValueError', 'KeyError(b)')}",
            )
            return self.chance(0.9)
        elif kind < 82 and self.handling:
            self.add(
                level,
                self.pick(
                    "raise",
                    f"raise Custom({self.value()}) from {self.pick('None', 'ValueError(1)')}",
                ),
            )
            return self.chance(0.9)
        elif kind < 84:
            self.add(level, f"del {self.pick(self.name(), f'({self.name()}, {self.name()})')}")
        elif kind < 86:
            self.add(level, f"assert {self.test()}, {self.value()}")
        elif kind < 91 and jumps:
            self.add(level, f"return {self.value()}" if self.chance(0.8) else "return")
            return self.chance(0.9)
        elif loop and jumps:
            self.add(level, self.pick("break", "continue"))
            return self.chance(0.9)
        else:
            self.simple(level)
        return False

    def simple(self, level) -> None:
        name = self.name()
        kind = self.random.randrange(17)
        if kind == 14:
            self.add(
                level,
                f"{name}, *{self.name()} = {self.pick('(1, 2, 3)', 'range(num(a) % 3)', self.value())}",
            )
        elif kind == 15:
            self.add(level, f"say(({name}, sorted(k for k in locals() if k in 'abcdevw')))")
        elif kind == 16:
            other = self.name()
            self.add(
                level,
                f"{name} = [1, 2, 3]; {name}[0], {other}, {name}[{self.pick('1', 'num(b) % 3')}] = {self.value()}, {self.value()}, {name}[0]",
            )
        elif kind <= 4:
            self.add(level, f"{name} = {self.value()}")
        elif kind == 5:
            self.add(level, f"{name} += {self.pick('1', 'num(a)')}")
        elif kind == 6:
            self.add(level, f"say({self.value()})")
        elif kind == 7:
            self.add(level, f"{name}, {self.name()} = {self.value()}, {self.value()}")
        elif kind == 8:
            self.add(level, f"{name} = [1, 2, 3]; {name}[num({self.name()}) % 4] = {self.value()}")
        elif kind == 9:
            self.add(
                level,
                f"{name} = {{'k': 1}}; {name}['k'] {self.pick('=', '+=')} num({self.value()})",
            )
        elif kind == 10:
            self.add(level, f"print({name}, {self.value()}, sep='-')")
        elif kind == 11 and not self.no_annotations:
            self.add(level, f"{name}: int = {self.value()}")
        elif kind == 12:
            self.add(
                level,
                f"{name}[{self.pick('0', self.name(), 'say(1)', 'num(a):')}] {self.pick('=', '+=')} {self.value()}",
            )
        else:
            self.add(level, f"Box.total = {self.value()}; say(Box.total)")

    def if_(self, level, *context) -> None:
        self.add(level, f"if {self.test()}:")
        self.block(level + 1, *context)
        while self.chance(0.3):
            self.add(level, f"elif {self.test()}:")
            self.block(level + 1, *context)
        if self.chance(0.45):
            self.add(level, "else:")
            self.block(level + 1, *context)

    def for_(self, level, loop, jumps, function) -> None:
        target = self.pick(self.name(), self.name(), f"{self.name()}, {self.name()}", "Box.total")
        pairs = "," in target
        source = (
            self.pick("[(1, 2), (3, 4)]", "enumerate('xy')", "zip(range(3), 'pqr')")
            if pairs
            else self.pick(
                f"range(num({self.name()}) % 4)", "range(3)", "[2, None, 1]", "'xyz'", self.value()
            )
        )
        self.add(level, f"for {target} in {source}:")
        self.add(level + 1, "ticks()")
        self.block(level + 1, True, jumps, function)
        if self.chance(0.25):
            self.add(level, "else:")
            self.block(level + 1, loop, jumps, function)

    def while_(self, level, loop, jumps, function) -> None:
        test = self.pick(
            "ticks(4)",
            "True",
            f"ticks(3) {self.pick('and', 'or')} {self.name()}",
            f"({self.name()} := ticks(3))",
        )
        self.add(level, f"while {test}:")
        self.add(level + 1, "ticks()")
        self.block(level + 1, True, jumps, function)
        if self.chance(0.25):
            self.add(level, "else:")
            self.block(level + 1, loop, jumps, function)

    def try_(self, level, loop, jumps, function) -> None:
        context = (loop, jumps, function)
        self.add(level, "try:")
        self.block(level + 1, *context)
        has_handler = self.chance(0.75)
        if has_handler:
            for _ in range(self.random.randint(1, 2)):
                kinds = self.pick(
                    "Custom", "(ValueError, KeyError)", "NameError", "TypeError", "AssertionError"
                )
                name = self.pick("", f" as {self.name()}")
                self.add(level, f"except {kinds}{name}:")
                self.handling += 1
                self.block(level + 1, *context)
                self.handling -= 1
            if self.chance(0.3):
                self.add(level, "else:")
                self.block(level + 1, *context)
        if not has_handler or self.chance(0.4):
            self.add(level, "finally:")
            # A jump out of a `finally` is legal, if odd.
            odd = self.chance(0.25)
            self.block(level + 1, loop and odd, jumps and odd, function)

    def with_(self, level, *context) -> None:
        target = self.pick("", f" as {self.name()}")
        more = self.pick("", "", f", Manager('n') as {self.name()}")
        self.add(level, f"with Manager('m', {self.pick('True', 'False')}){target}{more}:")
        self.block(level + 1, *context)

    def match_(self, level, *context) -> None:
        self.add(level, f"match {self.value()}:")
        patterns = [
            "0", "1 | 2", f"[{self.name()}]", f"[1, *{self.name()}]", f"int({self.name()})",
            f"{{'k': {self.name()}}}", f"Box(value={self.name()})", "None", f"str() as {self.name()}",
        ]  # fmt: skip
        for pattern in self.random.sample(patterns, self.random.randint(1, 3)):
            guard = f" if {self.test()}" if self.chance(0.3) else ""
            self.add(level + 1, f"case {pattern}{guard}:")
            self.block(level + 2, *context)
        if self.chance(0.5):
            self.add(level + 1, "case _:")
            self.block(level + 2, *context)

    def nested(self, level) -> None:
        name = self.name()
        kind = self.random.randrange(9)
        if kind == 5:
            self.nested_class(level)
        elif kind == 6:
            self.generator(level, name)
        elif kind == 7:
            self.add(level, "@show")
            self.function(name, level, self.random.randint(2, 6))
        elif kind == 0:
            self.add(level, f"{name} = lambda a=1, b=2: {self.value()}")
            self.add(level, f"say({name}())")
        elif kind == 1:
            self.add(level, f"{name} = [lambda: {self.name()} for {self.name()} in range(3)]")
            self.add(level, f"say([f() for f in {name}])")
        elif kind == 2:
            self.add(level, f"def {name}():")
            self.add(
                level + 1,
                f"for a in range({self.name()} if isinstance({self.name()}, int) else 2):",
            )
            self.add(level + 2, f"yield {self.value()}")
            self.add(level, f"say(list({name}()))")
        else:
            inner = self.pick("inner", name)
            self.function(inner, level, self.random.randint(2, 8), True)
            if self.chance(0.8):
                self.add(level, f"say({inner}({self.value()}, {self.value()}))")
            if inner == "inner" and self.chance(0.4):
                self.add(level, f"{name} = inner")

    def nested_class(self, level) -> None:
        name = self.name()
        self.add(level, f"class {name}(Box):")
        self.add(level + 1, f"attribute = {self.pick('a', self.name(), '1')}")
        if self.chance(0.3):
            self.add(level + 1, "for attribute in range(2):")
            self.add(level + 2, f"if attribute: other = {self.name()}")
        self.add(level + 1, "def __init__(self, a):")
        self.add(level + 2, f"if {self.test()}:")
        self.add(level + 3, "super().__init__(a)")
        self.add(level + 2, "else:")
        self.add(level + 3, f"super().__init__({self.value()})")
        before, self.budget = self.budget, 3
        self.add(level + 1, "def method(self, a=1, b=2):")
        self.block(level + 2, False, True, level + 2)
        self.add(level + 2, "return (self.value, self.attribute, __class__.__qualname__)")
        self.budget = before
        self.add(level, f"say({name}({self.value()}).method({self.value()}))")

    def generator(self, level, name) -> None:
        before, self.budget = self.budget, 3
        handling, self.handling = self.handling, 0
        self.add(level, f"def {name}(a, b=1):")
        self.add(level + 1, f"c = yield {self.value()}")
        self.add(level + 1, "try:")
        self.block(level + 2, False, True, level + 1)
        self.add(level + 2, f"yield {self.value()}")
        self.add(level + 1, "finally:")
        self.add(level + 2, "say('closed')")
        self.budget, self.handling = before, handling
        self.add(level, f"{name} = {name}({self.value()})")
        self.add(level, f"say(next({name})); {name}.send(a) if {self.test()} else {name}.close()")
