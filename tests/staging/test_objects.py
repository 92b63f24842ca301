"""Objects whose attributes hold tensors: as loop state, as results of branches, changed inside."""

import dataclasses
from typing import NamedTuple

import attrs
import numpy as np

from tests.staging.differential import check, check_all

XS = np.array([1.0, -2.0, 3.0, 0.5])
ONE, MINUS = np.float64(1.5), np.float64(-1.5)


@dataclasses.dataclass
class Point:
    x: float
    y: float

    def norm(self):
        return self.x * self.x + self.y * self.y

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)


@dataclasses.dataclass(frozen=True)
class Frozen:
    value: float
    count: int = 0


@dataclasses.dataclass
class History:
    values: list = dataclasses.field(default_factory=list)
    total: float = 0.0

    def add(self, x):
        self.values.append(x)
        self.total += x


class Pair(NamedTuple):
    first: float
    second: float


@attrs.define
class Particle:
    position: float
    velocity: float = 1.0

    def step(self, dt):
        self.position += self.velocity * dt
        if self.position > 2:
            self.velocity = -self.velocity


class Counter:
    """A plain class with plain attributes."""

    def __init__(self, start):
        self.count = 0
        self.total = start

    def add(self, x):
        self.count += 1
        self.total = self.total + x
        return self

    @property
    def mean(self):
        return self.total / self.count


class Clamped:
    """A property with a setter, and __setattr__."""

    def __init__(self, value):
        self._value = value

    @property
    def value(self):
        return self._value

    @value.setter
    def value(self, new):
        self._value = new if new < 2 else 2.0


class Doubling:
    def __init__(self):
        self.x = 0.0

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value * 2)


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a, b):
        self.a = a
        self.b = b


def test_a_dataclass_as_loop_state():
    def f(xs):
        p = Point(0.0, 1.0)
        for x in xs:
            p = Point(p.x + x, p.y * 0.5)
        return p, p.norm()

    check(f, XS)


def test_a_dataclass_added_up():
    def f(xs):
        p = Point(0.0, 0.0)
        for x in xs:
            p = p + Point(x, 1.0)
        return p

    check(f, XS)


def test_a_dataclass_chosen_by_a_branch():
    def f(x):
        if x > 0:
            p = Point(x, 1.0)
        else:
            p = Point(-x, x)
        return p.x, p.norm()

    check_all(f, (ONE,), (MINUS,))


def test_a_dataclass_changed_in_a_loop():
    def f(xs):
        p = Point(0.0, 1.0)
        for x in xs:
            p.x += x
            if x > 0:
                p.y = p.y + p.x
        return p

    check(f, XS)


def test_a_frozen_dataclass():
    def f(xs):
        s = Frozen(0.0)
        for x in xs:
            s = dataclasses.replace(s, value=s.value + x, count=s.count + 1)
        return s

    check(f, XS)


def test_a_dataclass_with_a_list():
    def f(xs):
        h = History()
        for x in xs:
            if x > 0:
                h.add(x)
        return h.values, h.total, len(h.values)

    check(f, XS)


def test_a_named_tuple_as_loop_state():
    def f(xs):
        p = Pair(0.0, 1.0)
        for x in xs:
            p = Pair(p.second, p.first + x)
        return p

    check(f, XS)


def test_a_named_tuple_replaced_in_a_branch():
    def f(x):
        p = Pair(x, 0.0)
        if x > 0:
            p = p._replace(second=x * 2)
        return p

    check_all(f, (ONE,), (MINUS,))


def test_an_attrs_class_that_changes_itself():
    def f(n):
        p = Particle(0.0)
        for _ in range(n):
            p.step(0.75)
        return p.position, p.velocity

    check(f, np.int32(6))


def test_attrs_evolve():
    def f(xs):
        p = Particle(0.0, 2.0)
        for x in xs:
            p = attrs.evolve(p, position=p.position + x * p.velocity)
        return p.position

    check(f, XS)


def test_a_plain_object_that_changes_itself():
    def f(xs):
        c = Counter(0.0)
        for x in xs:
            if x > 0:
                c.add(x)
        return c.count, c.total, c.mean

    check(f, XS)


def test_an_object_made_in_the_body():
    def f(xs):
        s = 0.0
        for x in xs:
            c = Counter(x)
            c.add(1.0).add(x)
            s += c.mean
        return s

    check(f, XS)


def test_objects_in_a_python_list():
    def f(xs):
        cells = [Counter(0.0), Counter(10.0)]
        for x in xs:
            if x > 0:
                cells[0].add(x)
            else:
                cells[1].add(x)
        return [c.total for c in cells], [c.count for c in cells]

    check(f, XS)


def test_objects_in_a_dict():
    def f(xs):
        cells = {"a": Counter(0.0), "b": Counter(1.0)}
        for x in xs:
            for cell in cells.values():
                if x * cell.total >= 0:
                    cell.add(x)
        return cells["a"].total, cells["b"].total

    check(f, XS)


def test_a_property_with_a_setter():
    def f(xs):
        c = Clamped(0.0)
        for x in xs:
            c.value = c.value + x * x
        return c.value

    check(f, XS)


def test_setattr_is_respected():
    def f(xs):
        d = Doubling()
        for x in xs:
            if x > 0:
                d.x = x
        return d.x

    check(f, XS)


def test_slots():
    def f(xs):
        s = Slotted(0.0, 1)
        for x in xs:
            s.a += x
            if x > 0:
                s.b *= 2
        return s.a, s.b

    check(f, XS)


def test_an_object_that_holds_objects():
    class Body:
        def __init__(self):
            self.place = Point(0.0, 0.0)
            self.log = []

        def move(self, dx):
            self.place.x += dx
            self.log.append(self.place.x)

    def f(xs):
        b = Body()
        for x in xs:
            if x > -1:
                b.move(x)
        return b.place.x, b.log

    check(f, XS)


def test_attributes_gained_in_the_loop():
    class Box:
        pass

    def f(xs):
        box = Box()
        for i, x in enumerate(xs):
            if i == 0:
                box.first = x
            box.last = x
        return box.first, box.last

    check(f, XS)


def test_operators_of_a_users_class():
    class Dual:
        def __init__(self, a, b):
            self.a, self.b = a, b

        def __mul__(self, other):
            return Dual(self.a * other.a, self.a * other.b + self.b * other.a)

        def __lt__(self, other):
            return self.a < other.a

    def f(x, n):
        d = Dual(x, 1.0)
        r = Dual(1.0, 0.0)
        for _ in range(n):
            r = r * d
        return r.a, r.b, r < d

    check(f, ONE, np.int32(3))


def test_a_callable_object():
    class Layer:
        def __init__(self, w):
            self.w = w
            self.calls = 0

        def __call__(self, x):
            self.calls += 1
            return x * self.w if x > 0 else x * 0.1

    def f(xs):
        layer = Layer(2.0)
        out = []
        for x in xs:
            out.append(layer(x))
        return out, layer.calls

    check(f, XS)


def test_an_object_chosen_by_a_branch():
    def f(x):
        if x > 0:
            c = Counter(x)
        else:
            c = Counter(-x)
            c.add(1.0)
        c.add(x)
        return c.total, c.count

    check_all(f, (ONE,), (MINUS,))


def test_a_context_manager():
    class Timer:
        def __init__(self):
            self.entered = 1

        def __enter__(self):
            return self

        def __exit__(self, *error):
            return False

    def f(xs):
        timer = Timer()
        s = 0.0
        for x in xs:
            with timer as t:
                s += x * t.entered
                t.entered += 1
        return s, timer.entered

    check(f, XS)


def test_inheritance_and_super():
    class Scaled(Counter):
        def add(self, x):
            if x > 0:
                x = x * 2
            return super().add(x)

    def f(xs):
        c = Scaled(0.0)
        for x in xs:
            c.add(x)
        return c.total, c.count

    check(f, XS)


def test_class_and_static_methods():
    class Tools:
        scale = 3.0

        @classmethod
        def scaled(cls, x):
            return x * cls.scale if x > 0 else x

        @staticmethod
        def clipped(x):
            return x if x < 5 else 5.0

    def f(xs):
        s = 0.0
        for x in xs:
            s += Tools.clipped(Tools.scaled(x))
        return s

    check(f, XS)


def test_an_attribute_set_after_what_a_try_catches():
    class Meter:
        def __init__(self, value):
            self.value = value

    def f(xs, n):
        t = 1
        meter = Meter(0.5)
        try:
            for x in xs:
                meter = Meter(x)
                if n > 2:
                    raise ValueError("a")
                meter.extra = x * 2
                t = meter.extra
        except ValueError:
            t = 2
        return t * 1.0, meter.value

    xs = np.array([1.0, 2.0])
    check_all(f, (xs, np.int32(3)), (xs, np.int32(1)))


def a_class_made_in_the_function(x):
    class Reading:
        def __init__(self, n):
            self.n = n
            if n > 1:
                self.n = n * 2

    try:
        reading = Reading(x)
        if x < 0:
            raise ValueError("negative")
        x = x + reading.n
    except ValueError:
        x = x - 1
    while x > 5:
        reading = Reading(2)
        x = x - reading.n
    return x, reading.n


def test_objects_of_a_class_that_the_function_makes():
    for value in (3.0, -3.0, 1.0):
        check(a_class_made_in_the_function, np.float64(value), gradient=False)


class Once(type):
    def __call__(cls):
        if not hasattr(cls, "one"):
            cls.one = super().__call__()
        return cls.one


class Registry(metaclass=Once):
    def __init__(self):
        self.n = 0.0


def an_object_that_was_there(x):
    registry = Registry()
    registry.n = 0.0
    if x > 0:
        registry.n = registry.n + x
        Registry()
    return registry.n


def test_an_object_that_a_call_of_its_class_gives_again():
    for value in (3.0, -3.0):
        check(an_object_that_was_there, np.float64(value), gradient=False)
