"""Writes docs/numpy.md: which NumPy functions take tensors, found out from the code.

python tools/numpy_table.py
"""

from __future__ import annotations

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "numpy.md"

INTRODUCTION = """# NumPy functions on tensors

A tensor works where an array does. The functions below take tensors of both kinds: eager ones, and
symbolic ones while a function is traced, where the call becomes part of the graph. Results are
tensors, and gradients flow through every function that has one. `numpy.sin(t)`, `t @ a`, `a + t`,
`t.sum(axis=0)`, `t.T` and `t.reshape(2, -1)` all work.

- Dtypes are the tensor's: the sum of an int32 tensor is int32, and a float32 tensor stays float32.
- A single integer beside a list repeats the list, as in Python and NumPy: for an `n` of 2,
  `n * [1, 2]` is `[1, 2, 1, 2]`, where TensorFlow multiplies the items. `n * ag.constant([1, 2])`
  multiplies.
- Any other NumPy function runs on the values of eager tensors and gives arrays. For a symbolic
  tensor it is refused; call it through `ag.numpy_function`.
- `numpy.asarray(t)` shares the memory of an eager tensor, and cannot be written to.
- Arrays that a traced function makes or is given can be changed in place, and whoever holds them
  sees it: items and slices of them, views and rows, `+=` and its kin, `out=`, the methods `fill`,
  `put`, `sort` and `partition`, and `numpy.copyto`, `numpy.put`, `numpy.putmask`, `numpy.place`,
  `numpy.fill_diagonal` and `at` of `numpy.add`, `subtract`, `multiply`, `divide`, `maximum` and
  `minimum`. See [what is different](staging.md#what-is-different-from-plain-python).

This page is made by `tools/numpy_table.py`.
"""

TITLES = {
    "numpy": "Functions of `numpy`",
    "numpy.linalg": "Functions of `numpy.linalg`",
    "numpy.fft": "Functions of `numpy.fft`",
}


def page() -> str:
    """The text of the page."""
    sys.path.insert(0, str(ROOT))
    import runtime.ops.operators
    from runtime import numpy_face

    assert runtime.ops.operators
    ufuncs = {f"numpy.{u.__name__}" for u in numpy_face.ufunc_table()}
    names = numpy_face.supported()
    parts = [INTRODUCTION, f"{len(names)} functions are supported.\n"]
    parts.append(_section("Universal functions", sorted(ufuncs)))
    for module, title in TITLES.items():
        rest = [n for n in names if n.rpartition(".")[0] == module and n not in ufuncs]
        parts.append(_section(title, rest))
    return "\n".join(parts)


def _section(title: str, names: list[str]) -> str:
    columns = 4
    rows = [names[i : i + columns] for i in range(0, len(names), columns)]
    lines = [f"## {title}\n", "|" + " |" * columns, "|" + "---|" * columns]
    for row in rows:
        cells = [f"`{name}`" for name in row] + [""] * (columns - len(row))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(ROOT)}")
