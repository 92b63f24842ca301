"""For the random programs: context managers around what is raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.staging.fuzz_group import Group, raised, within

if TYPE_CHECKING:
    from tests.staging.fuzz_programs import Program


def suppressed(p: Program) -> list[str]:
    body = [*p.block(2), *raised(p), *p.block(1)]
    return ["with contextlib.suppress(Refused, ValueError):", *within(body)]


def swallowed(p: Program) -> list[str]:
    guard = p.fresh("guard")
    body = [*p.block(2), *(raised(p, ("Refused",)) if p.chance(0.7) else []), *p.block(1)]
    made = [f"with Swallows() as {guard}:", *within(body)]
    return [*made, f"i1 = (i1 + {guard}.left) % 9", f"s += {guard}.weight"]


def lent(p: Program) -> list[str]:
    """A block in a manager that a generator function makes."""
    z, box = p.fresh("z"), p.fresh("box")
    p.bound["f"].append(z)
    body = p.block(2)
    p.bound["f"].remove(z)
    made = [f"with lending({box}, {p.floats(2)}) as {z}:", *within(body)]
    return [f"{box} = Cell({p.floats(3)})", *made, f"s = bounded(s + {box}.b)"]


def lent_and_suppressed(p: Program) -> list[str]:
    box = p.fresh("box")
    body = [*p.block(1), *raised(p), *p.block(1)]
    made = [f"with lending({box}, {p.floats(2)}):", *within(body)]
    made = ["with contextlib.suppress(Refused, ValueError):", *within(made)]
    return [f"{box} = Cell({p.floats(3)})", *made, f"s = bounded(s + {box}.b)"]


CONTEXTS = Group(
    costly=True,
    prelude="""
class Swallows:
    def __init__(self):
        self.left = 0
        self.weight = 0.0

    def __enter__(self):
        self.weight = 0.5
        return self

    def __exit__(self, kind, error, trace):
        self.left = self.left + 1
        return kind is not None and issubclass(kind, Refused)


@contextlib.contextmanager
def lending(cell, amount):
    cell.b += amount
    try:
        yield amount * 0.5
    finally:
        cell.b = bounded(cell.b)
""",
    blocks=(suppressed, suppressed, swallowed, lent, lent_and_suppressed),
)
