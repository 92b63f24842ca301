"""Constructs of the random programs that compare, sort and ask for classes.

Whether a number is an int or a float may differ: where a sum has no items, it is Python's 0.
"""

from __future__ import annotations

from tests.staging.fuzz_group import Group, expressions, templates

ORDER = Group(
    prelude="""
@dataclasses.dataclass(order=True)
class Rank:
    level: float
    number: int = 0


class Heavy:
    def __init__(self, weight):
        self.weight = weight

    def __lt__(self, other):
        return self.weight < other.weight

    def __eq__(self, other):
        return self.weight == other.weight


def size_of(value):
    if isinstance(value, np.ndarray):
        return float(np.sum(np.abs(value)))
    if isinstance(value, (int, float, np.number)):
        return abs(value) * 1.0
    return -1.0
""",
    start=(
        lambda p: "leader, champion = (x, 1), Rank(x)",
        lambda p: "ranks = [Rank(0.5113, 1), Rank(x, 2)]",
    ),
    result="'or': (leader, champion.level, champion.number, [w.level for w in ranks])",
    statements=templates(
        """
$z = (bounded($f), $i % 9)
if $z > leader:
    leader = $z
""",
        """
for $z in $o:
    $y = Rank($z, $i % 9)
    if $y > champion:
        champion = $y
""",
        """
$z, $y = [$a, 1.5017], [$f, 0.5]
if $z == $y or $z < $y:
    s = bounded($f)
""",
        "champion = max(champion, Rank(bounded($f), $i % 9))",
        "champion = min([champion, Rank($a)], key=lambda w: w.level)",
        "leader = min(leader, (bounded($f), $i % 9))",
        "leader = sorted([leader, (bounded($f), $i % 9)])[0]",
        "ranks = sorted(ranks, reverse=True)",
        """
ranks.append(Rank(bounded($f), len(ranks)))
ranks.sort(key=lambda w: -w.level)
ranks = ranks[:3]
""",
        """
$z = [{'k': $a, 'n': 1}, {'k': $a, 'n': 2}]
i1 = sorted($z, key=lambda w: w['k'])[0]['n']
""",
        """
$z = sorted([Heavy($a), Heavy($f), Heavy(0.5013)])
s = bounded($z[0].weight - $z[2].weight)
""",
        "t = bounded(size_of($v) - size_of($f) + size_of($i))",
        """
match $f:
    case str() | np.ndarray():
        u = 0.5
    case int() | float() | np.number():
        u = bounded($f)
""",
    ),
    floats=expressions("leader[0]", "champion.level", "ranks[0].level", "bounded(size_of($a))"),
    integers=expressions("leader[1]", "champion.number", "ranks[-1].number"),
    conditions=expressions(
        "champion == Rank($a)",
        "champion != ranks[0]",
        "champion >= ranks[-1]",
        "leader < ($a, $i)",
        "Heavy($a) == Heavy($f)",
        "Heavy($a) < Heavy($f)",
        "isinstance($f, (int, float, np.number))",
        "isinstance(x, float)",
        "isinstance($v, np.ndarray)",
        "Rank($a, 1) in ranks",
    ),
)
