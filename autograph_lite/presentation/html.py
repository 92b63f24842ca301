"""A page with the original, the converted text and the graph. It needs nothing but itself."""

from __future__ import annotations

import html
from collections.abc import Sequence
from typing import NamedTuple

from autograph_lite.presentation.diff import aligned
from autograph_lite.presentation.highlight import to_html
from autograph_lite.presentation.listing import Listing

__all__ = ["Section", "page"]

_STYLE = """
:root { color-scheme: light dark; --edge: #8884; --soft: #8881; --mark: #fc03; --text: #222;
  --back: #fff; --keyword: #a0148c; --string: #1a7f37; --comment: #6e7781; --number: #0550ae;
  --name: #8250df; --operator: #b35900; }
@media (prefers-color-scheme: dark) { :root { --text: #ddd; --back: #16181c;
  --keyword: #ff7bd5; --string: #7ee787; --comment: #8b949e; --number: #79c0ff;
  --name: #d2a8ff; --operator: #ffb86b; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back);
  margin: 2rem auto; max-width: 110rem; padding: 0 1.5rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; } h3 { font-size: 1rem; }
table { border-collapse: collapse; width: 100%; table-layout: fixed;
  border: 1px solid var(--edge); }
th { text-align: left; font-weight: 600; padding: .3rem .6rem;
  border-bottom: 1px solid var(--edge); }
th.n { width: 3.2rem; }
td { padding: 0 .6rem; vertical-align: top; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; }
td.n { color: var(--comment); text-align: right; user-select: none; }
td.r { border-left: 1px solid var(--edge); }
tr.changed td.r { background: var(--soft); }
tr.same-line td { background: var(--mark); }
pre { font: 13px/1.5 ui-monospace, Menlo, Consolas, monospace; padding: .8rem; overflow: auto;
  border: 1px solid var(--edge); }
.keyword { color: var(--keyword); } .string { color: var(--string); }
.number { color: var(--number); }
.comment { color: var(--comment); font-style: italic; } .definition { color: var(--name); }
.decorator, .operator { color: var(--operator); }
"""

_SCRIPT = """
for (const table of document.querySelectorAll('table')) {
  const light = (line, on) => { if (line && line !== '0')
    for (const row of table.querySelectorAll(`tr[data-line="${line}"]`))
      row.classList.toggle('same-line', on); };
  for (const row of table.querySelectorAll('tr[data-line]')) {
    row.addEventListener('mouseenter', () => light(row.dataset.line, true));
    row.addEventListener('mouseleave', () => light(row.dataset.line, false));
  }
}
"""


class Section(NamedTuple):
    """Text that stands beneath the tables, such as a graph.

    Attributes:
      title: its heading.
      text: the text.
      is_python: whether to highlight it.
    """

    title: str
    text: str
    is_python: bool = False


def page(title: str, listings: Sequence[Listing], sections: Sequence[Section]) -> str:
    """The page as text.

    Args:
      title: of the page.
      listings: the definitions, each in a table of its own.
      sections: what stands beneath them.
    """
    heading = html.escape(title)
    body = [_table(listing) for listing in listings] + [_section(s) for s in sections]
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{heading}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f"<h1>{heading}</h1>\n"
        + "\n".join(body)
        + f"\n<script>{_SCRIPT}</script>\n</body>\n</html>\n"
    )


def _table(listing: Listing) -> str:
    rows = aligned(listing)
    left = iter(to_html("\n".join(r.left for r in rows if r.left is not None)))
    right = iter(to_html("\n".join(r.right for r in rows if r.right is not None)))
    out = [
        f"<h2>{html.escape(listing.name)}</h2>",
        '<table>\n<tr><th class="n"></th><th>original</th><th>converted</th></tr>',
    ]
    for row in rows:
        number = str(row.line) if row.left is not None else ""
        changed = ' class="changed"' if row.changed else ""
        out.append(
            f'<tr data-line="{row.line}"{changed}><td class="n">{number}</td>'
            f"<td>{next(left) if row.left is not None else ''}</td>"
            f'<td class="r">{next(right) if row.right is not None else ""}</td></tr>'
        )
    return "\n".join(out) + "\n</table>"


def _section(section: Section) -> str:
    text = "\n".join(to_html(section.text)) if section.is_python else html.escape(section.text)
    return f"<h2>{html.escape(section.title)}</h2>\n<pre>{text}</pre>"
