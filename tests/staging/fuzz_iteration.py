"""For the random programs: what can be gone over, jumps, and further conditions."""

from __future__ import annotations

from tests.staging.fuzz_group import Group, expressions, templates

ITERATION = Group(
    prelude="""
class Steps:
    def __init__(self, values, weight):
        self.values = values
        self.weight = weight

    def __iter__(self):
        for value in self.values:
            yield value * self.weight


class Down:
    def __init__(self, count):
        self.count = count

    def __iter__(self):
        return self

    def __next__(self):
        if self.count <= 0:
            raise StopIteration
        self.count -= 1
        return self.count


def countdown(count, value):
    while count > 0:
        count -= 1
        if count == 2:
            continue
        yield count * value


def until(values, most):
    for value in values:
        if value > most:
            return
        yield value
""",
    statements=templates(
        """
$z = iter(xs)
s = bounded(next($z) + next($z))
for $y in $z:
    t = bounded(t + $y)
""",
        """
$z = iter($o)
s = bounded(next($z, $a) - next($z, 0.5))
""",
        """
for $z in Down($i % 4):
    s = bounded(s + $z * $a)
""",
        """
for $z in itertools.accumulate(xs, lambda a, b: bounded(a * b)):
    t = bounded(t + $z)
""",
        """
for $z, $y, $x in zip(xs, vec, range(3)):
    u = bounded(u + $z * $y * $x)
""",
        """
for $z in map(lambda a, b: a * bounded(b), xs, $w):
    t = bounded(t - $z)
""",
        """
for $z in range(n % 4, -1, -2):
    t = bounded(t + $z * $a)
else:
    i1 = (i1 + 1) % 9
""",
        """
for $y, $z in enumerate($o, 1):
    s = bounded(s + $z / $y)
""",
    ),
    blocks=templates(
        """
for $x in itertools.count():
    if $x >= n % 4:
        break
    $L
""",
        """
for $x in itertools.count(k % 3):
    if $x >= 4 or $c:
        break
    $L
else:
    s = 0.5
""",
        """
for $z in itertools.takewhile(lambda v: v < 1.5, xs):
    $L(z)
""",
        """
for $z in Steps($o, $a):
    $L(z)
""",
        """
for $z in countdown($i % 5, $a):
    $L(z)
""",
        """
for $z in until($o, $a):
    $L(z)
else:
    $B
""",
        """
for $z, $y in zip(reversed(xs), map(bounded, vec)):
    $L(z,y)
""",
        """
for $z in filter(lambda w: w > 0, vec):
    $L(z)
""",
        """
$x = 0
while $x < 3:
    $x += 1
    if $c:
        continue
    $L
    if $c:
        break
else:
    $B
""",
        """
for $z in xs[:$i % 4]:
    for $y in xs[1:]:
        $L(z,y)
        if $y > $z:
            break
    else:
        continue
    if $c:
        break
""",
        """
for $x in range(k % 3):
    for $z in (0.5, x):
        if $c:
            continue
        $L(z)
    if $c:
        break
else:
    $B
""",
        """
with np.errstate(all="ignore"):
    for $z in $o:
        if $z > $a:
            break
        $L(z)
""",
        """
def $y($z):
    for $x in range(3):
        if $z > $a + $x:
            return $z - $x
        $z = $z * 0.5 + $a * 0.25
    return $z
s = bounded($y($f))
$B
""",
    ),
    floats=expressions(
        "sum(Steps($w, $a))",
        "sum(itertools.islice($w, $i % 4))",
        "sum(w for w in countdown($i % 4, $a))",
        "functools.reduce(lambda a, b: a if a > b else b, $w, $a)",
        "sum(map(lambda a, b: a * b, xs, $w))",
        "sum(itertools.chain([$a], xs[1:]))",
        "next((w for w in $w if w > $a), $a)",
    ),
    items=expressions(
        "list(until(xs, $a))",
        "list(map(lambda a: a * 0.5, $w))",
        "[w for w in Steps(xs, $a)]",
        "list(filter(lambda a: a < $a, xs))",
        "list(reversed($q))",
        "list(itertools.takewhile(lambda a: a < $a, xs))",
    ),
    iterables=expressions("Steps(vec, 0.5)", "until(xs, $a)", "reversed(vec)", "xs[::-1]"),
)

CONDITIONS = Group(
    statements=templates(
        """
match ($i % 3, $i % 2):
    case (0, _):
        s = bounded($f)
    case ($z, 1) if $z > 1:
        t = bounded($f)
    case _:
        u = bounded($f)
""",
        """
match $i % 5:
    case 0 | 1:
        s = bounded($f)
    case $z:
        i1 = $z
""",
        """
if isinstance(cell, Cell) and $c:
    cell.a = bounded($f)
""",
        """
if not isinstance(point, Point) or $c:
    s = bounded($f)
elif $c:
    t = bounded($f)
else:
    u = bounded($f)
""",
        "i1 = ($i or 2) % 9",
        "i2 = ($i and $i) % 9",
        "p = bool($c) != r",
        "s = bounded(($f if $c else $a) if $c else $f)",
        """
if $c:
    pass
elif $c:
    s = bounded($f)
""",
        "r = p if $c else not p",
    ),
    integers=expressions("($i or $i)", "($i and 2)", "(1 if $c else 0)", "int($c)"),
    floats=expressions("(s or $a)", "(t and $a)", "sum(items or [$a])"),
    conditions=expressions(
        "($a < $a <= $a < 3)",
        "($i == $i != 2)",
        "bool($i)",
        "bool($c) == bool($c)",
        "n in range(5)",
        "$i in [1, 2, $i]",
        "any([$c, $c])",
        "all(($c, $c))",
        "any(w > $a and w < 2 for w in $w)",
        "(p and r or $c)",
        "not (p or $c)",
        "(p if $c else r)",
    ),
)
