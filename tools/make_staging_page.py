"""Makes docs/staging.md: each construct with its converted form and its graph, and what is refused.

    python tools/make_staging_page.py

The programs are those of tests/staging/examples.py, which the tests run against plain Python.
"""

from __future__ import annotations

import inspect
import os
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import autograph_lite as ag  # noqa: E402
from tests.staging import examples, refusals  # noqa: E402

PAGE = ROOT / "docs" / "staging.md"

HEAD = """\
# What staging makes of Python

Converted code decides when it runs: on Python values it does what Python does, on tensors it stages
a graph. This page shows, for each construct, a function, its converted form as
`ag.autograph.to_code` shows it, and the graph, `get_concrete_function(...).graph`. It is made by
`tools/make_staging_page.py` from functions that the tests compare with plain Python on NumPy:
results, gradients and printed text.
"""

TAIL = """\
## What cannot be staged

Each of these is refused only when it meets a tensor, with the error that is shown.
"""

SHORT = """\
More, in a line each:

| What | Instead |
| --- | --- |
"""

KNOWN = """\
## What is different from plain Python

- `print` of Python values runs while the graph is traced, once; of tensors, when the graph runs.
- What one traced function prints cannot be redirected by another one that calls it, and `except*`
  cannot stand around what may raise when the graph runs: both are refused.
- `np.errstate` changes nothing: arithmetic of tensors answers with infinity or NaN, and neither
  warns nor raises a `FloatingPointError`.
- What nobody needs is left out of the graph, as in TensorFlow, and with it the error that it would
  raise: an index out of range, say, whose value is not used. In the body of a `try` it runs all the
  same. Left out there, too, is what a function that calls itself does not need, and the read of an
  attribute that is there on some paths only by a function that the `try` calls, if that does no
  more with it than to put it into a container.
- Numbers keep tensors' dtypes: an index of a staged `range` is a tensor, `len` of a staged list an
  int32. A variable that is a Python number on one path and a tensor on the other is a tensor.
- `isinstance` answers for a tensor as for what plain Python has there: an array, a scalar of
  NumPy's or a number of Python's; and it is a `Tensor`. `type` gives the tensor's own class.
- Numbers of Python's that a loop or branch makes tensors of are int32 and float32, as in
  TensorFlow: they have no more than 32 bits. Begin with `np.int64(0)` or `np.float64(0)` for more.
  In a function that gets float64 data, and none of fewer bits, Python's floats are float64 too, so
  that they keep their digits. What the library's own functions make of them is float32 there as
  well: `ag.constant(0.1)`, `ag.sin(0.1)`.
- Where only the running graph knows the numbers, `/` by zero, `math.sqrt` of a negative number and
  the like give infinity or NaN rather than a `ZeroDivisionError` or `ValueError`, and `int()` of
  these gives some number. `//` and `%` raise.
- Elements of a staged list that are numbers of several dtypes are brought to one.
- Of two variables with items of a list whose length or index depends on a tensor, one of which is
  changed, the graph checks that they are not the same item; if they are, and the other variable
  may be read later, it raises a `StagingError` when it runs: take the item from the list again.
- Two names for one list, dict or object stay so as long as a branch or loop changes it in place.
  A container that holds another one and is handed on by a branch as a new value is a copy.
  Lists and objects that are in a copy, `list(rows)` or `sorted(rows)`, of a list of which only the
  running graph knows the length, cannot be changed while both are still read.
- Views that NumPy's `broadcast_to`, `diagonal` and `einsum` give are copies.
- An argument that is a list or dict is the trace's own copy.
- What is stored to an array is seen by whoever holds it: other names, views (`row = x[0]`),
  containers, attributes, the caller of a function that fills it. But an array that is an argument
  of the traced function itself is the trace's own: the caller's does not change. `x += y`
  changes in place, for all who hold it, what operators and NumPy's functions have made, and views.
  It makes a new tensor of an argument itself, and of what variables and the library's own functions
  give (`ag.matmul`), as it does in TensorFlow: write `x[:] += y`.
- A function that stores to an array which it has made, and holds under two names, may be traced
  twice: the second time the array is a tensor from the start.
- `__enter__` and `__exit__` of your own classes run while tracing: for the path without an
  exception, and where the block may raise when the graph runs, for each class of exception, if
  `__exit__` may return something true, or changes what belongs to the graph.
- `__getattr__`, `functools.cached_property` and descriptors of your own run unconverted; they may
  compute with tensors, but not branch on them. Properties and other special methods are converted.
- `:=` in an operand that Python may skip is not staged in a lambda, an f-string, or a generator
  expression that is not the argument of `any` or `all`: write the assignment as a statement.
- A generator that is read by anything but a `for`, directly or through `enumerate`, `zip`, `map`,
  `filter` and the like, is read to its end.
"""


def page() -> str:
    """The text of the page."""
    parts = [HEAD]
    parts += [shown(function, args) for function, args in examples.SHOWN]
    parts.append(TAIL)
    parts += [refused(function, args) for function, args in examples.REFUSED]
    rows = "".join(f"| {what} | {mend} |\n" for what, mend, _ in refusals.TABLE)
    return "\n".join([*parts, SHORT + rows, KNOWN])


def shown(function: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """The section of a construct."""
    heading, _, about = inspect.getdoc(function).partition("\n\n")
    staged = ag.function(function)
    graph = str(staged.get_concrete_function(*examples.tensors(args)).graph)
    # Places in files, and texts of errors, are not the same everywhere.
    graph = re.sub(r" +#.*", "", graph).rstrip()
    graph = re.sub(r"(, )?location=Location\([^\n]*\)", ")", graph)
    graph = re.sub(r"error=(\w+)\([^\n]*\)", r"error=\1)", graph)
    converted = without_docstring(ag.autograph.to_code(function))
    return (
        f"## {heading}\n\n{about}\n\n```python\n{source(function)}```\n\n"
        f"Converted:\n\n```python\n{converted}```\n\nThe graph:\n\n```\n{graph}\n```\n"
    )


def refused(function: Callable[..., Any], args: tuple[Any, ...]) -> str:
    """The entry of something that is refused."""
    about = " ".join(inspect.getdoc(function).split())
    try:
        ag.function(function)(*examples.tensors(args))
    except Exception as error:
        message = re.sub(r"[^\s'\"]*examples\.py:\d+", "examples.py", str(error))
        text = f"{type(error).__name__}: {message}"
    else:
        raise AssertionError(f"{function.__name__} is not refused any more")
    wrapped = "\n".join(textwrap.wrap(text, 96, break_on_hyphens=False))
    return f"{about}\n\n```python\n{source(function)}```\n\n```\n{wrapped}\n```\n"


def source(function: Callable[..., Any]) -> str:
    """A function's text, without its docstring."""
    return without_docstring(textwrap.dedent(inspect.getsource(function)))


def without_docstring(text: str) -> str:
    return re.sub(r'\n +(""".*?"""|\'.*?\')\n', "\n", text, count=1, flags=re.S).rstrip() + "\n"


def main() -> None:
    """Writes the page."""
    new = PAGE.with_suffix(".new")
    new.write_text(page(), encoding="utf-8")
    os.replace(new, PAGE)
    print(f"wrote {PAGE.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
