"""For the random programs: dicts that gain keys which branches choose."""

from __future__ import annotations

from tests.staging.fuzz_group import Group, expressions, templates

KEYS = Group(
    prelude="""
import collections
""",
    start=(lambda p: "counts, groups, tallies = {}, {}, collections.defaultdict(float)",),
    result=(
        "'k': ([counts.get(w) for w in 'pnz'], [groups.get(w) for w in 'pn'], len(counts),"
        " [tallies[w] for w in (0, 1, 2)])"
    ),
    statements=templates(
        "counts['p' if $c else 'n'] = $f",
        """
$z = 'p' if $c else 'n'
counts[$z] = bounded(counts.get($z, 0.0) + $f)
""",
        """
$z = 'p' if $c else ('z' if $c else 'n')
if $z in counts:
    counts[$z] = bounded(counts[$z] + $a)
else:
    counts[$z] = $f
""",
        """
if $c:
    $z = 'p'
else:
    $z = 'n'
for $y in $o:
    counts[$z] = bounded($y)
""",
        "groups.setdefault('p' if $c else 'n', []).append($f)",
        """
$z = groups.setdefault('p' if $c else 'n', [])
if $z:
    s = bounded(s + $z[-1])
""",
        "tallies[$i % 3] += bounded($f)",
        "tallies[1 if $c else 2] = bounded(tallies[0] + $a)",
        """
try:
    t = bounded(t + counts['p' if $c else 'n'])
except KeyError:
    t = $a
""",
        """
$z = 'p'
for $y in $o:
    counts[$z] = bounded($y + counts.get($z, 0.5))
    $z = 'p' if $c else 'z'
""",
        """
for $z, $y in counts.items():
    s = bounded(s + $y)
""",
        "table['a' if $c else 'b'] = bounded($f)",
    ),
    floats=expressions(
        "counts.get('p' if $c else 'n', $a)",
        "sum(counts.values())",
        "tallies[$i % 3]",
        "counts.get('z', $a)",
    ),
    integers=expressions(
        "len(counts)",
        "len(groups.get('p' if $c else 'n', []))",
    ),
    conditions=expressions(
        "'p' in counts",
        "('p' if $c else 'n') in counts",
        "groups",
    ),
    items=expressions("groups.get('p', [$a])"),
)
