"""For the random programs: arrays in lists, stored to under names and through the lists."""

from __future__ import annotations

from tests.staging.fuzz_group import Group, expressions, templates

PILES = Group(
    start=(
        lambda p: f"pile = [xs * {p.floats(3)}, np.ones(4)]",
        lambda p: "heap, poles = [np.full(4, 0.5)], [Pole(vec * 0.5, x), Pole(np.zeros(4), 1.0)]",
    ),
    prelude="""
@dataclasses.dataclass
class Pole:
    place: object
    mass: float

    def push(self, value):
        if value > 0.5:
            self.place[0] += bounded(value)
        else:
            self.place = self.place * 0.5
        return self.mass
""",
    result="'pi': (pile, heap, [(w.place, w.mass) for w in poles])",
    statements=templates(
        """
$x = pile[$i % 2]
$x[$k] = $f
""",
        """
$x = pile[$i % 2]
if $c:
    $x += bounded($f)
else:
    $x[$k] *= 0.5
""",
        """
pile[$i % 2][$k] -= bounded($f)
""",
        """
for $x in pile:
    if $x[$k] > $a:
        $x[$k] = bounded($f)
""",
        """
for $y in range($i % 4):
    $x = pile[$y % 2]
    $x[$y] += bounded($a)
""",
        """
if $c:
    heap.append($v * 0.5)
else:
    heap[-1][$k] += bounded($f)
heap = heap[-3:]
""",
        """
$x = heap[$i % len(heap)]
$x[$k] = $f
s = bounded(s + heap[-1][$k])
""",
        """
for $y, $x in enumerate(heap):
    $x[$y] = bounded($f)
    if $c:
        break
""",
        """
heap.append($v * 0.5)
$x = heap.pop()
$x[$k] = $f
s = bounded(s + np.sum($x))
""",
        """
$x = poles[$i % 2]
u += $x.push($f)
""",
        """
for $x in poles:
    $x.place[$k] = bounded($x.mass + $f)
    if $c:
        $x.mass *= 0.5
""",
        """
$x = poles[1].place
$x[$k] = bounded($f)
""",
        """
$x, $y = pile
$x[$k] += bounded($y[$k])
""",
    ),
    floats=expressions(
        "sum(w[$k] for w in pile)",
        "heap[-1][$k]",
        "np.sum(heap[$i % len(heap)] * xs)",
        "poles[$i % 2].place[$k]",
    ),
    integers=expressions("len(heap)"),
    vectors=expressions("(pile[$i % 2] * 0.5)", "sum(pile)"),
    conditions=expressions("heap[0][$k] > $a"),
)
