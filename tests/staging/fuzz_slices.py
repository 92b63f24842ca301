"""For the random programs: slices of lists by tensors, and tuples that grow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.staging.fuzz_group import Group, list_to_change

if TYPE_CHECKING:
    from tests.staging.fuzz_programs import Program


def end(p: Program) -> str:
    """An end of a slice, which may lie behind the list's own."""
    return f"{p.integer(2)} % {p.pick('3', '4')}"


def a_slice(p: Program) -> str:
    return p.pick(f":{end(p)}", f"{end(p)}:", f"{end(p)}:{end(p)}", f"-({end(p)}):", "::2")


def slice_set(p: Program) -> list[str]:
    q = list_to_change(p)
    where = p.pick(f":{end(p)}", f"{end(p)}:", f"{end(p)}:{end(p)}")
    return [f"{q}[{where}] = {p.items(1)}", f"del {q}[6:]"]


def slice_deleted(p: Program) -> list[str]:
    return [f"del {list_to_change(p)}[{a_slice(p)}]"]


def tuple_grown(p: Program) -> list[str]:
    return p.random.choice(
        [
            lambda: [f"seq = (*seq, {p.floats(1)})", "seq = seq[-5:]"],
            lambda: [f"seq += ({p.floats(1)},)", "seq = seq[:6]"],
            lambda: [f"seq = ({p.floats(2)}, *seq[:{end(p)}])"],
            lambda: [f"seq = tuple(w * {p.floats(3)} for w in {p.iterable_of_floats()})[:4]"],
            lambda: [f"seq = seq[{a_slice(p)}]"],
            lambda: [f"for w in seq[{a_slice(p)}]:", f"    t = bounded(t + w * {p.floats(3)})"],
            lambda: ["for j, w in enumerate(seq):", "    u += bounded(w) * j"],
        ]
    )()


SLICES = Group(
    start=(lambda p: f"seq = {p.pick('()', '(x,)', '(1.0, x)')}",),
    result="'t': seq",
    statements=(slice_set, slice_deleted, tuple_grown, tuple_grown),
    floats=(
        lambda p: "sum(seq)",
        lambda p: f"max(seq, default={p.floats(3)})",
        lambda p: f"(seq[{p.pick('0', '-1')}] if seq else {p.floats(3)})",
        lambda p: f"sum({p.name('q')}[{a_slice(p)}])",
    ),
    integers=(lambda p: "len(seq)", lambda p: f"len({p.name('q')}[{a_slice(p)}])"),
    conditions=(lambda p: "seq", lambda p: f"any(w > {p.floats(3)} for w in seq)"),
    items=(
        lambda p: f"{p.name('q')}[{a_slice(p)}]",
        lambda p: f"{p.name('q')}[{a_slice(p)}]",
        lambda p: "list(seq)",
        lambda p: f"[*seq, {p.floats(3)}]",
        lambda p: "sorted(seq)",
    ),
    iterables=(lambda p: "seq", lambda p: f"{p.name('q')}[{a_slice(p)}][:6]"),
)
