"""Original and converted text side by side, statement beside statement."""

from __future__ import annotations

from typing import NamedTuple

from autograph_lite.presentation.highlight import to_terminal
from autograph_lite.presentation.listing import Listing

__all__ = ["Row", "aligned", "side_by_side"]


class Row(NamedTuple):
    """One line of each text; None where a text has none.

    Attributes:
      left: the original line.
      right: the converted line.
      line: the number of the line in the original file that both belong to; 0 if none.
      changed: whether the texts differ in more than their indentation.
    """

    left: str | None
    right: str | None
    line: int

    @property
    def changed(self) -> bool:
        return (self.left or "").strip() != (self.right or "").strip()


def aligned(listing: Listing) -> list[Row]:
    """Puts each converted line beside the original one it came from, as far as order allows."""
    rows: list[Row] = []
    following = 0  # the first line of the original that has no row yet
    anchor = 0  # the rows before this one are settled
    for text, origin in listing.converted:
        wanted = origin - listing.line
        if not text.strip() or wanted < following or wanted >= len(listing.original):
            rows.append(Row(None, text, origin))
            continue
        for skipped in range(following, wanted):
            _place_left(rows, anchor, listing.original[skipped], listing.line + skipped)
        rows.append(Row(listing.original[wanted], text, origin))
        following, anchor = wanted + 1, len(rows)
    rest = enumerate(listing.original[following:], listing.line + following)
    rows += [Row(text, None, line) for line, text in rest]
    return rows


def _place_left(rows: list[Row], anchor: int, text: str, line: int) -> None:
    """Puts an original line (an `else:`, a comment) beside a converted one that stands alone."""
    for number in range(anchor, len(rows)):
        left, right, _ = rows[number]
        free = left is None and all(r.left is None for r in rows[number:])
        if free and bool((right or "").strip()) == bool(text.strip()):
            rows[number] = Row(text, right, line)
            return
    rows.append(Row(text, None, line))


def side_by_side(listing: Listing, width: int, colour: bool) -> str:
    """Both texts in two columns.

    Args:
      listing: a definition.
      width: of both columns together.
      colour: whether to highlight them.
    """
    rows = aligned(listing)
    longest = max([len(row.left or "") for row in rows] + [20])
    column = min(longest, max((width - 9) // 2, 30))
    out = [f"{'':5}{'original':<{column}}   converted"]
    for row in rows:
        mark = "|" if row.changed else " "
        lefts = _wrapped(row.left, column)
        rights = _wrapped(row.right, max(width - column - 8, 30))
        for part in range(max(len(lefts), len(rights))):
            left = lefts[part] if part < len(lefts) else ""
            right = rights[part] if part < len(rights) else ""
            number = str(row.line) if row.left is not None and part == 0 else ""
            padding = " " * (column - len(left))
            if colour:
                left, right = _coloured(left), _coloured(right)
            out.append(f"{number:>4} {left}{padding} {mark} {right}".rstrip())
    return "\n".join(out) + "\n"


def _coloured(text: str) -> str:
    return to_terminal(text).rstrip("\n") if text.strip() else text


def _wrapped(text: str | None, width: int) -> list[str]:
    if text is None:
        return []
    return [text[i : i + width] for i in range(0, len(text), width)] or [""]
