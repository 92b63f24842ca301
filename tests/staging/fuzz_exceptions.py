"""For the random programs: `raise`, `assert` and `try` with all its clauses, and names."""

from __future__ import annotations

from tests.staging.fuzz_group import Group, expressions, templates

EXCEPTIONS = Group(
    costly=True,
    prelude="""
class Failure(Exception):
    def __init__(self, where, amount):
        super().__init__(where, amount)
        self.amount = amount


class Told(Exception):
    pass


def checked(value):
    if value > 1.5:
        raise Failure('large', value)
    return value * 0.5
""",
    statements=templates(
        """
try:
    if $c:
        raise ValueError(f"{x:.2f} at {n}")
    $s = bounded($f)
except ValueError as $z:
    i1 = (i1 + len(str($z))) % 9
""",
        """
try:
    $s = checked($f)
except Failure as $z:
    s = bounded($z.amount)
    print($z.args[0], n)
""",
        """
try:
    assert $c, f"{x:.1f} is refused"
except AssertionError as $z:
    print(f"{$z}!")
""",
        """
for $z in $o:
    try:
        $s = bounded(s + checked($z))
    except Failure as $y:
        s -= bounded($y.amount)
        $l.append($a)
    else:
        i2 = (i2 + 1) % 9
""",
        """
try:
    $z = $q[$i % 4]
except IndexError:
    $z = $a
s = bounded(s + $z)
""",
        """
if $a > 25:
    raise ValueError(f"{x:.3f}", n)
""",
        """
try:
    try:
        if $c:
            raise ValueError("inner")
        s = bounded($f)
    except ValueError as $z:
        t = bounded($f)
        if $c:
            raise Refused("outer") from $z
except Refused as $y:
    u = bounded($f)
    i1 = len($y.args[0])
""",
        """
try:
    if $c:
        raise KeyError("k")
    if $c:
        raise IndexError("i")
except LookupError as $z:
    s += 1.0 if isinstance($z, KeyError) else 0.5
""",
    ),
    blocks=templates(
        """
try:
    $B
    if $c:
        raise Told("one", $i)
    $B
except Told as $z:
    i1 = $z.args[1] % 9
    $B
else:
    $B
""",
        """
try:
    $B
    if $c:
        raise ValueError("two")
finally:
    $s = bounded($f)
""",
        """
try:
    $B
    if $c:
        raise ValueError("three")
    if $c:
        raise Refused("four")
except (ValueError, KeyError):
    $B
except Refused:
    $B
finally:
    $s = bounded($f)
    if $c:
        i2 = $i % 9
""",
        """
for $z in $o:
    try:
        if $c:
            raise Refused
        $L(z)
    except Refused:
        if $c:
            break
        continue
    finally:
        i1 = (i1 + 1) % 9
""",
        """
try:
    try:
        $B
        if $c:
            raise Refused("five")
    except Refused:
        $B
        raise
except Refused:
    $s = bounded($f)
""",
        """
$x = n % 4
while $x > 0:
    $x -= 1
    try:
        $L
        if $c:
            continue
        $s = bounded(checked($f))
    except Failure:
        $L
""",
    ),
)

NAMES = Group(
    start=(lambda p: f"best = {p.pick('None', 'x', '0.5')}",),
    result="'n': best",
    statements=templates(
        """
$z = $f
s = bounded(s + $z)
del $z
""",
        """
if $c:
    $z = $f
else:
    $z = $a
    $y = 1
t = bounded(t * $z)
del $z
""",
        """
for $z in range(n % 3):
    t = bounded(t + $z * $a)
if n % 3:
    i1 = $z
""",
        """
$y = False
for $z in $o:
    if $z > $a:
        $x = $z * 2
        $y = True
if $y:
    s = bounded(s + $x)
""",
        """
for $z in xs:
    $y = $z * $a
s = bounded(s + $y + $z)
""",
        """
for $z in $w:
    if best is None or $z > best:
        best = $z
""",
        """
if $c:
    best = None
""",
        """
if best is not None and best > $a:
    best = bounded(best)
""",
        """
best = $a if best is None else best
""",
        """
best = best or $a
""",
        """
$z = np.zeros(0)
for $y in $o:
    if $y > $a:
        $z = np.append($z, $y)
s = bounded(s + np.sum($z) + len($z))
""",
        """
$z = xs
$y = n % 3
while $y > 0:
    $y -= 1
    $z = np.concatenate([$z, xs[:1]])
t = bounded(t + $z.sum())
i1 = len($z) % 9
""",
        """
$z = {}
for $y in "mno":
    if $c:
        $z[$y] = $f
    else:
        $z[$y] = 0.5
s = bounded(s + sum($z.values()))
""",
        """
$y = 0
for $z in $o:
    $y = $y + $z if $z > 0 else $y
s = bounded(s + $y)
""",
        """
$z, $y = $f, $a
for $x in range(k % 4):
    $z, $y = bounded($y), $z
s = $z
""",
    ),
    floats=expressions("(0.0 if best is None else best)", "(best or $a)"),
    conditions=expressions("best is None", "best is not None", "(best is None or best > $a)"),
)
