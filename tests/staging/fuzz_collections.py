"""For the random programs: lists, dicts and arrays, and what is asked of them."""

from __future__ import annotations

from tests.staging.fuzz_group import Group, expressions, templates

COLLECTIONS = Group(
    start=(
        lambda p: "rows = [[x], [1.0, x], []]",
        lambda p: f"vecs = [xs, {p.pick('xs * 2', 'np.ones(4)')}]",
    ),
    result="'r': (rows, vecs)",
    statements=templates(
        "rows[$i % 3].append($f)",
        "rows[$i % 3] = [$f, $a]",
        """
if rows[$i % 3]:
    s = bounded(s + rows[$i % 3][-1] if rows[$i % 3] else s)
""",
        """
for $z in rows:
    if $z:
        $z[0] = bounded($f)
""",
        """
for $z, $y in enumerate(rows):
    for $x in $y:
        t = bounded(t + $x * $z)
""",
        """
vecs.append(np.tanh($v))
vecs = vecs[-3:]
""",
        "vecs[$i % 2] = np.tanh($v)",
        """
for $z in vecs:
    s = bounded(s + $z[$k])
""",
        """
for $z in [xs[:2], xs]:
    s = bounded(s + np.sum($z) * len($z))
""",
        """
for $z, $y in table.items():
    s = bounded(s + $y)
""",
        """
$z = {$y: $x * 2 for $y, $x in table.items()}
s = bounded(s + $z["a"])
""",
        "table.update(a=$f, b=bounded($a))",
        "table = {**table, 'b': bounded($f)}",
        "table |= {'a': $f}",
        "s = bounded(s + table.pop('zz', $a))",
        "$l.sort()",
        "$l.sort(key=lambda w: -w)",
        """
if 0.5 in $q:
    i1 = 3
""",
        """
$z = $l
if $z:
    $z[0], $z[-1] = $z[-1], $z[0]
""",
        "$s = bounded(sum([$a] * ($i % 4)))",
        """
$z, $y, *_ = xs
t = bounded($z - $y)
""",
        """
$z = [$f, $a, 1.0]
$z[$i % 3] = $f
s = bounded(sum($z))
""",
        """
$z = [[0.0] * 2 for _ in range(2)]
$z[$i % 2][$i % 2] += $f
s = bounded(s + sum([sum($y) for $y in $z]))
""",
        """
$z = [($y, $i) for $y in $o if $y > $a]
for $x, $y in $z:
    t = bounded(t + $x * $y)
""",
        """
pairs = [($y, $x) for $x, $y in enumerate($o)][:3]
""",
        """
if pairs:
    pairs[0] = ($f, $i)
    s = bounded(s + pairs[-1][0])
""",
        """
$z = [$y for $y in $o]
while $z and $z[-1] > $a:
    s = bounded(s + $z.pop())
""",
        """
$z = list($o)
$z.clear()
$z.append($f)
s = bounded($z[0])
""",
    ),
    floats=expressions(
        "max(table['a'], table['b'])",
        "table.get('b', $a)",
        "sum(table.values())",
        "sum(sum(w) for w in rows)",
        "sum([w for row in rows for w in row if w > $a])",
        "vecs[$i % 2][$k]",
        "sum(a * b for a, b in zip($w, $w))",
        "sum(a * j for j, a in enumerate($w))",
        "max([$a, $a, $f], key=lambda w: w * w)",
        "sum($q[1:] or [$a])",
        "min((w for w in $w if w > $a), default=$a)",
        "(0.5, 1.0, 2.0)[$i % 3]",
        "{'a': $a, 'b': $a}['a' if $c else 'b']",
    ),
    integers=expressions(
        "len(rows[$i % 3])",
        "len(pairs)",
        "sum(len(w) for w in rows)",
        "$q.count(1.0)",
        "[3, 1, 2][$i % 3]",
        "len(table)",
        "len([j for j, w in enumerate($w) if w > $a])",
    ),
    conditions=expressions(
        "0.5 in $q",
        "rows[$i % 3]",
        "'a' in table",
        "all(len(w) < 3 for w in rows)",
        "$q == []",
    ),
    items=expressions(
        "[w for row in rows for w in row]",
        "[a + b for a, b in zip($w, $w)]",
        "[w * j for j, w in enumerate($w)]",
        "[$a] * ($i % 3)",
        "[a if a > b else b for a, b in zip(xs, vec)]",
        "list(table.values())[:2]",
        "[*$q[:2], $a]",
        "sorted($q, key=lambda w: -w)",
    ),
    iterables=expressions("rows[1][:4]", "[a * 0.5 for a in xs]"),
)

ARRAYS = Group(
    statements=templates(
        """
$z = np.zeros((2, 3))
for $y in range(2):
    for $x in range(n % 4):
        $z[$y, $x % 3] += $f
s = bounded(s + np.sum($z))
""",
        """
$z = np.empty(4)
for $y in range(4):
    $z[$y] = $f
vec = np.tanh($z)
""",
        """
$z = np.zeros(4)
for $y, $x in enumerate(xs):
    if $x > $a:
        $z[$y] = $x
vec = np.tanh($z)
""",
        """
$z = vec.copy()
$z[xs > $a] = $a
vec = $z
""",
        """
$z = vec.copy()
$z[($z > $a) & (xs < $a)] *= 0.5
vec = $z
""",
        """
$z = np.zeros(4)
$z[:$i % 4] = $f
$z[$i % 4:] += 0.5
vec = $z
""",
        """
$z = np.zeros((2, 2))
$z[$i % 2] = xs[:2]
$z[:, $i % 2] += $a
t = bounded(np.sum($z * $z))
""",
        """
$z = np.zeros(3, dtype=int)
for $y in $o:
    $z[0 if $y > 0 else 1] += 1
i1 = int($z[0]) % 9
""",
        """
$z = np.arange(4) * $a
t = bounded(np.sum($z * xs))
""",
    ),
    floats=expressions(
        "np.sum(xs[xs > $a])",
        "np.where($v > $a, 1.0, 0.0).sum()",
        "np.max(np.abs($v))",
    ),
    conditions=expressions("np.any($v > $a)", "np.all($v < $a)", "xs[:1] > $a"),
)
