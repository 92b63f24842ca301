"""How many items an unpacking asks for, which its instruction says."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from runtime.ops.unpacking import wanted_items


class Asked:
    """Keeps what it was asked for, and gives as many items as are wanted."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.wanted: int | None = -1

    def __iter__(self) -> Iterator[int]:
        self.wanted = wanted_items()
        return iter(range(self.size))


@pytest.mark.parametrize("count", [1, 2, 255, 256, 300, 70_000])
def test_the_number_of_targets(count: int) -> None:
    values = Asked(count)
    names = ", ".join(["a"] * count)
    exec(f"{names}, = values", {"values": values})
    assert values.wanted == count


@pytest.mark.parametrize(
    "statement",
    ["a, *b = values", "list(values)", "[*values]", "for a in values: pass", "print(*values)"],
)
def test_who_else_asks(statement: str) -> None:
    values = Asked(2)
    exec(statement, {"values": values})
    assert values.wanted is None
