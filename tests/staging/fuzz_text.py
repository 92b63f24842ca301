"""For the random programs: text, numbers and objects."""

from __future__ import annotations

from tests.staging.fuzz_group import Group, expressions, templates

TEXT = Group(
    start=(lambda p: "text, words = '', []",),
    result="'t2': text",
    statements=templates(
        """
text += f"{x + $a:.1f},"
text = text[-9:]
""",
        'text = "%.2f" % (x + $a)',
        'text = "{:>7.2f}|{:03d}".format(x + $a, n)',
        "text = str(n + $i) + text[:3]",
        """
for $z in range(n % 3):
    text = f"{$z}" + text[:5]
""",
        """
for $z in xs[:2]:
    words.append(f"{$z:.1f}")
text = ";".join(words)[:9]
words = words[-2:]
""",
        """
if text == "" or text.startswith("1"):
    s = bounded($f)
""",
        """
if "." in text and $c:
    text = text.replace(".", "_")
""",
        "print(f'{x:+.2e} {n:04d} {n:<3}|', text)",
        "print(len(text), repr(text), n)",
        "print(f'{x > 0.3} {n}', end=';')",
        "print(*[f'{w:.1f}' for w in xs], sep=', ')",
        "print(text.upper().strip(), n, sep='-')",
        'text = ",".join(f"{w:.1f}" for w in xs if w > $a)',
        'text = ("low" if $c else "high") + text[:2]',
        "i1 = len(text) % 9",
        "print('%5.1f|%-4d|%s' % (x, n, text))",
    ),
    integers=expressions("len(text)", "text.count('.')", "len(f'{n}')", "len('%d' % n)"),
    conditions=expressions("text", "'1' in text", "text != 'low'", "len(text) > 3"),
)

NUMBERS = Group(
    statements=templates(
        """
$z, $y = divmod($i, 3)
i1 = ($z + $y) % 9
""",
        "i2 = ($i ** 2) % 7",
        "i1 = (($i & 3) | 1) ^ ($i % 4)",
        "i1 = ($i << 1) % 9",
        "i2 = (~$i) % 5",
        "i1 = int(np.argmax($v))",
        "vec = np.clip($v, -1.0, 1.5)",
        "vec = np.sort($v)",
        "vec = np.tanh(np.cumsum($v))",
        "vec = $v.reshape(2, 2).T.ravel()",
    ),
    floats=expressions(
        "np.dot($v, $v)",
        "np.sum(np.outer(xs, $v))",
        "np.prod(np.tanh($v))",
        "$v.sum()",
        "$v.mean()",
        "$v.max()",
        "np.linalg.norm(xs + 3)",
        "math.sqrt(1 + abs($a))",
        "math.hypot($a, 1.0)",
        "math.exp(-abs($a))",
        "math.floor($a)",
        "np.exp(-abs($f))",
        "np.log1p(abs($f))",
        "round($a)",
        "(-($f))",
        "($a ** 2)",
        "np.minimum($f, $a)",
        "math.pi",
        "np.clip($f, -1.0, 1.0)",
        "np.diff($v)[0]",
        "abs($i - 3)",
        "float($i)",
        "($f / (1.0 + abs($a)))",
    ),
    vectors=expressions(
        "np.sort($v)",
        "np.clip($v, -1.0, 1.0)",
        "np.concatenate([xs[2:], xs[:2]])",
        "np.roll($v, 1)",
        "np.sqrt(1.0 + xs * xs)",
        "np.sign($v)",
        "np.cumsum(np.tanh($v))",
        "np.exp(-np.abs($v))",
        "np.full(4, $a)",
        "np.where(xs > 0, $v, $a)",
        "(xs > $a) * 1.0",
    ),
    integers=expressions("int(np.argmin(xs))", "int(np.sum(xs > $a))", "abs($i)", "round($a)"),
)

OBJECTS = Group(
    prelude="""
class Meter:
    limit = 1.25

    def __init__(self, start):
        self.value = start
        self.seen = 0

    @property
    def half(self):
        return self.value * 0.5

    @classmethod
    def of(cls, value):
        return cls(value)

    @staticmethod
    def twice(value):
        return value * 2

    def feed(self, values):
        for value in values:
            if value > self.limit:
                break
            self.value = bounded(self.value + value)
            self.seen += 1
        return self.value


class Loud(Meter):
    limit = 0.5

    def feed(self, values):
        got = super().feed(values)
        self.value = self.value * 0.5 + 1.0
        return got


@dataclasses.dataclass
class Tally:
    count: int = 0
    total: float = 0.0
    seen: list = dataclasses.field(default_factory=list)

    def add(self, value):
        self.count += 1
        self.total = bounded(self.total + value)
        if value > 0.5:
            self.seen = [*self.seen, value][-3:]
""",
    start=(
        lambda p: f"meter, loud = Meter({p.pick('x', '0.0')}), Loud(0.5)",
        lambda p: "tally, pair = Tally(), Pair(x, 1.0)",
        lambda p: "points = [Point(x, 0.5)]",
    ),
    result="'o2': (meter.value, meter.seen, loud.value, tally.total, tally.count, tally.seen, pair)",
    statements=templates(
        "s = meter.feed($w)",
        "t = bounded(loud.feed($w))",
        "meter.value = bounded($f)",
        "meter = Meter.of($f)",
        "meter.seen = (meter.seen + $i) % 9",
        "tally.add($f)",
        """
for $z in $o:
    tally.add($z)
    tally.count %= 9
""",
        "tally = Tally($i, $f)",
        "pair = pair._replace(a=bounded($f))",
        "pair = Pair(pair.b, bounded($f))",
        """
points.append(Point($f, pair.a))
points = points[-3:]
""",
        """
for $z in points:
    s = bounded(s + $z.a * $z.b)
""",
        """
if $c:
    meter.extra = bounded($f)
else:
    meter.extra = 0.5
t = meter.extra
""",
        """
$z = [Cell($f), Cell(0.5)]
for $y in $z:
    $y.a = bounded($y.a + $a)
s = bounded($z[0].a + $z[1].a)
""",
        """
$z, $y = pair
s = bounded($z - $y)
""",
    ),
    floats=expressions(
        "meter.half",
        "meter.value",
        "loud.half",
        "Meter.twice($a)",
        "pair.a",
        "pair.b",
        "tally.total",
        "sum(w.a for w in points)",
        "points[-1].b",
        "max(pair)",
    ),
    integers=expressions("meter.seen", "tally.count", "len(points)", "len(tally.seen)"),
    conditions=expressions("meter.half > $a", "tally.seen", "pair.a > pair.b"),
)
